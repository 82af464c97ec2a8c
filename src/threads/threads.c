/* Threads on pthreadpool.  SPDX-License-Identifier: MIT
 *
 * Owns the pool: when it is started, who may use it, and what happens if the system grants no
 * threads. Of tensorpad it knows only the public runner, and nothing about plans. */
#include <pthread.h>
#include <pthreadpool.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <tensorpad/threads.h>
#include <unistd.h>

/* Parts for each thread. A thread may start late, because it has to be woken or because another
 * program uses its core. pthreadpool then lets the other threads take parts of it. */
enum { PARTS_PER_THREAD = 4 };

/* Threads of pthreadpool spin while the others are started. A thousand of them on two cores spin
 * for seconds. */
enum { THREADS_PER_PROCESSOR = 4 };

/* 1 if this file is compiled for thread sanitizer. */
#if defined(__SANITIZE_THREAD__)
#define UNDER_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#endif
#endif
#ifndef UNDER_THREAD_SANITIZER
#define UNDER_THREAD_SANITIZER 0
#endif

struct tpad_threads {
    tpad_runner runner;
    int32_t count;
    /* The process in which a run uses the pool, or 0. The thread that sets it may use the fields
     * that follow. A child that was forked during such a run finds the number of its parent here,
     * and may use the pool. */
    _Atomic(pid_t) busy_in;
    int refused; /* the system grants no threads; it is not asked again */
    pthreadpool_t pool;
    pid_t process; /* the process that has the pool's threads */
    tpad_body body;
    void *user;
#if UNDER_THREAD_SANITIZER
    atomic_uint turn; /* see tell_sanitizer */
#endif
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

/* 1 if the system grants so many threads at once. pthreadpool does not check this, and would wait
 * forever for a thread that it did not get. */
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

/* Blocks all signals in this thread, so that the program's own threads handle them, except the
 * signals of the thread's own faults. */
static void keep_signals_away(sigset_t *before)
{
    static const int faults[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t others;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&others, faults[i]);
    pthread_sigmask(SIG_BLOCK, &others, before);
}

/* Starts the pool if there is none. 1 if there is one. A pool that was made before a fork() has no
 * threads in the child, and its memory cannot be released without them. */
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

/* pthreadpool orders the work of the parts after the caller's work before the run, and before the
 * caller's work after it. pthreadpool is not compiled for thread sanitizer, which therefore does
 * not see this order. `turn` shows the same order to it. */
static void tell_sanitizer(tpad_threads *t)
{
#if UNDER_THREAD_SANITIZER
    atomic_fetch_add_explicit(&t->turn, 1, memory_order_acq_rel);
#else
    (void)t;
#endif
}

static void run_one(void *context, size_t index)
{
    tpad_threads *t = context;
    tell_sanitizer(t);
    t->body(t->user, (int64_t)index);
    tell_sanitizer(t);
}

/* Tries to take the pool for the caller alone. 1 if it did. */
static int take_pool(tpad_threads *t)
{
    const pid_t process = getpid();
    pid_t found = atomic_load_explicit(&t->busy_in, memory_order_relaxed);
    return found != process &&
           atomic_compare_exchange_strong_explicit(&t->busy_in, &found, process,
                                                   memory_order_acquire, memory_order_relaxed);
}

/* 1 if the pool ran all parts. */
static int run_on_pool(tpad_threads *t, int64_t count, tpad_body body, void *user)
{
    if (t->count == 1 || count < 2 || (uint64_t)count > SIZE_MAX) return 0;
    if (!take_pool(t)) return 0;
    const int started = start(t);
    if (started) {
        t->body = body;
        t->user = user;
        tell_sanitizer(t);
        /* Without the flag, idle threads spin for milliseconds on cores that other programs may
         * need. */
        pthreadpool_parallelize_1d(t->pool, run_one, t, (size_t)count,
                                   PTHREADPOOL_FLAG_YIELD_WORKERS);
        tell_sanitizer(t);
    }
    atomic_store_explicit(&t->busy_in, 0, memory_order_release);
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
    atomic_init(&t->busy_in, 0);
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
