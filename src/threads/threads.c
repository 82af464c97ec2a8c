/* Threads on pthreadpool.  SPDX-License-Identifier: MIT
 *
 * Owns the pool: when it is started, who may use it, what happens where it cannot be had. Knows of
 * tensorpad the public runner only, and nothing of plans. */
#include <pthread.h>
#include <pthreadpool.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <tensorpad/threads.h>
#include <unistd.h>

/* Parts for each thread. A thread that comes late, because it has to be woken or because somebody
 * else has its core, then leaves parts to the others, which pthreadpool lets them take. */
enum { PARTS_PER_THREAD = 4 };

/* Threads of pthreadpool spin while the others are started: a thousand of them on two cores do so
 * for seconds. */
enum { THREADS_PER_PROCESSOR = 4 };

struct tpad_threads {
    tpad_runner runner;
    int32_t count;
    atomic_flag busy; /* whoever sets it owns what follows */
    int refused;      /* the system grants no threads; it is not asked again */
    pthreadpool_t pool;
    pid_t process; /* in which the pool's threads live */
    tpad_body body;
    void *user;
    /* Orders what parts do after what the caller did before the run, and before what it does after
     * it. pthreadpool sees to that itself, but so that thread sanitizers cannot know. */
    atomic_uint turn;
};

static int32_t fail(tpad_error *error, tpad_error value)
{
    if (error) *error = value;
    return value.code;
}

/* ---- Starting -------------------------------------------------------------------------------- */

static int32_t processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
#endif
    if (count < 1) return 1;
    return count < TPAD_THREADS_MOST ? (int32_t)count : TPAD_THREADS_MOST;
}

static void *pass_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Whether the system grants so many threads at once. pthreadpool does not look, and would wait
 * forever for one that it did not get. */
static int threads_granted(int32_t count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[TPAD_THREADS_MOST];
    int32_t started = 0;
    pthread_mutex_lock(&gate);
    while (started < count && pthread_create(&threads[started], NULL, pass_gate, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (int32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    return started == count;
}

/* Signals are for the host's threads, but for those that tell of the thread's own faults. */
static void keep_signals_away(sigset_t *before)
{
    static const int faults[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t others;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&others, faults[i]);
    pthread_sigmask(SIG_BLOCK, &others, before);
}

/* Whether there is a pool. One that was made before a fork() has no threads here, and its memory
 * cannot be released without them. */
static int start(tpad_threads *t)
{
    const pid_t process = getpid();
    sigset_t before;
    if (t->pool && t->process == process) return 1;
    if (t->refused) return 0;
    keep_signals_away(&before);
    t->pool = threads_granted(t->count - 1) ? pthreadpool_create((size_t)t->count) : NULL;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    t->process = process;
    t->refused = !t->pool;
    return !t->refused;
}

/* ---- Running --------------------------------------------------------------------------------- */

static void run_one(void *context, size_t index)
{
    tpad_threads *t = context;
    atomic_load_explicit(&t->turn, memory_order_acquire);
    t->body(t->user, (int64_t)index);
    atomic_fetch_add_explicit(&t->turn, 1, memory_order_release);
}

/* Whether the pool ran them all. */
static int run_on_pool(tpad_threads *t, int64_t count, tpad_body body, void *user)
{
    if (t->count == 1 || count < 2 || (uint64_t)count > SIZE_MAX) return 0;
    if (atomic_flag_test_and_set_explicit(&t->busy, memory_order_acquire)) return 0;
    const int started = start(t);
    if (started) {
        t->body = body;
        t->user = user;
        atomic_fetch_add_explicit(&t->turn, 1, memory_order_release);
        /* Without the flag idle threads spin for milliseconds on cores that others may want. */
        pthreadpool_parallelize_1d(t->pool, run_one, t, (size_t)count,
                                   PTHREADPOOL_FLAG_YIELD_WORKERS);
        atomic_load_explicit(&t->turn, memory_order_acquire);
    }
    atomic_flag_clear_explicit(&t->busy, memory_order_release);
    return started;
}

static int32_t run(void *context, int64_t count, tpad_body body, void *user)
{
    if (run_on_pool(context, count, body, user)) return 0;
    for (int64_t i = 0; i < count; i++) body(user, i);
    return 0;
}

/* ---- The interface --------------------------------------------------------------------------- */

int32_t tpad_threads_create(tpad_threads **threads, int32_t count, tpad_error *error)
{
    if (!threads)
        return fail(error, (tpad_error){.code = TPAD_E_ARGUMENT,
                                        .axis = -1,
                                        .text = "there is no place for the threads"});
    *threads = NULL;
    if (count < 0 || count > TPAD_THREADS_MOST)
        return fail(error, (tpad_error){.code = TPAD_E_ARGUMENT,
                                        .axis = -1,
                                        .got = count,
                                        .limit = TPAD_THREADS_MOST,
                                        .text = "%g threads: there can be 1 to %l, or 0 for as "
                                                "many as the process may run on"});
    tpad_threads *t = calloc(1, sizeof *t);
    if (!t)
        return fail(error,
                    (tpad_error){.code = TPAD_E_MEMORY, .axis = -1, .text = "out of memory"});
    const int32_t most = THREADS_PER_PROCESSOR * processors();
    t->count = count == 0 ? processors() : count < most ? count : most;
    t->runner = (tpad_runner){sizeof t->runner, t, t->count, run};
    if (t->count > 1) t->runner.width *= PARTS_PER_THREAD;
    atomic_flag_clear(&t->busy);
    *threads = t;
    return TPAD_OK;
}

void tpad_threads_destroy(tpad_threads *threads)
{
    if (threads && threads->pool && threads->process == getpid())
        pthreadpool_destroy(threads->pool);
    free(threads);
}

int32_t tpad_threads_count(const tpad_threads *threads)
{
    return threads ? threads->count : 1;
}

const tpad_runner *tpad_threads_runner(tpad_threads *threads)
{
    return threads ? &threads->runner : NULL;
}

const char *tpad_threads_features(void)
{
    return "pthreadpool";
}
