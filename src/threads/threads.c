/* A pool of threads. SPDX-License-Identifier: MIT
 *
 * Decides when threads start, who works on which part of a run, and who waits for whom. It knows
 * only the public runner of tensorpad; src/core/run.c decides which cells a part has.
 *
 * The rule of this pool: a caller waits only for parts that another thread has begun. On a busy
 * machine a woken thread gets a processor only after milliseconds; meanwhile the caller could write
 * tens of megabytes itself. pthreadpool, which was used before, cannot do this:
 * pthreadpool_parallelize() sets active_threads to all threads of the pool, and
 * wait_worker_threads() returns when each of them has called checkin_worker_thread(), even those
 * that found no part (the version of Debian 12). Next to processes that spin, outputs of 6 to 32 MB
 * took up to 40 times as long as on one thread (docs/performance.md). In its newest version threads
 * join the work under a spin lock, and wait for work and for each other by spinning.
 *
 * A helper that has begun a part can still lose its processor. Two things make this rare: a woken
 * helper preempts nobody, and after a loss the caller works alone for a while. */
#include "../port/threads.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <tensorpad/threads.h>

/* Parts for each thread. If a thread starts late, the others take its parts. */
enum { PARTS_PER_THREAD = 4 };

/* More threads would only wait for each other. */
enum { THREADS_PER_PROCESSOR = 4 };

/* See pause_after. Tests of helpers allow no pause. */
#ifndef TPAD_LONGEST_PAUSE_NS
#define TPAD_LONGEST_PAUSE_NS 1000000000
#endif
enum { PAUSE = 64 };

/* How often the caller polls for the last parts of helpers before it sleeps. */
enum { LOOKS = 20000 };

/* The state of a run in one word, so that a helper enters only together with a part: how many parts
 * are left; whether the caller sleeps; how many helpers are inside. When no part is left, nobody
 * enters; when nobody is inside either, the run is over. */
#define LEFT       ((uint64_t)1 << 16)
#define SLEEPS     ((uint64_t)1 << 15)
#define INSIDE     ((uint64_t)1)
#define MOST_PARTS ((int64_t)1 << 47)

typedef struct helper {
    thread id;
    atomic_int asked_for; /* the thread that sets it starts the helper */
    int started;
} helper;

struct tpad_threads {
    tpad_runner runner;
    int32_t helpers;       /* the most threads besides the caller's */
    int32_t per_processor; /* the most threads for each processor, including the caller's */
    /* The process whose run uses the pool, or 0. The thread that sets it may use the fields below.
     * A child that was forked during such a run finds its parent's number here, and may use the
     * pool.
     */
    _Atomic(process) busy_in;
    process process;      /* the process that has the helpers */
    int32_t here;         /* the most helpers it may have */
    atomic_int asked_for; /* the number of helpers started or being started */
    atomic_int ended;
    bell work, over; /* for the helpers; for the caller */
    _Atomic(uint64_t) state;
    /* The current run; readable by threads that hold a part of it. */
    _Atomic(int64_t) worked; /* processor time of all threads in nanoseconds */
    int64_t alone_until, pause;
    int64_t count;
    tpad_body body;
    void *user;
    helper all[];
};

/* ---- Helpers --------------------------------------------------------------------------------- */

/* Takes the next part, and adds `more` to the state at the same time. -1 if there is none. */
static int64_t take(tpad_threads *t, uint64_t more)
{
    uint64_t state = atomic_load_explicit(&t->state, memory_order_relaxed);
    do {
        if (state < LEFT) return -1;
    } while (!atomic_compare_exchange_weak_explicit(&t->state, &state, state - LEFT + more,
                                                    memory_order_acquire, memory_order_relaxed));
    return t->count - (int64_t)(state / LEFT);
}

/* Does this part, then takes further ones until none is left. */
static void work(tpad_threads *t, int64_t part)
{
    const int64_t begun = nanoseconds_of_thread();
    for (; part >= 0; part = take(t, 0)) t->body(t->user, part);
    atomic_fetch_add_explicit(&t->worked, nanoseconds_of_thread() - begun, memory_order_relaxed);
}

THREAD_BODY(help, argument);

/* Starts or wakes one more helper. If the system refuses the thread, a later call tries again. */
static void call_one(tpad_threads *t)
{
    const int some = atomic_load_explicit(&t->asked_for, memory_order_relaxed) < t->here;
    for (int32_t i = 0; some && i < t->here; i++) {
        helper *h = &t->all[i];
        if (atomic_exchange_explicit(&h->asked_for, 1, memory_order_acquire)) continue;
        atomic_fetch_add_explicit(&t->asked_for, 1, memory_order_relaxed);
        h->started = thread_start(&h->id, help, t);
        if (h->started) return;
        atomic_fetch_sub_explicit(&t->asked_for, 1, memory_order_relaxed);
        atomic_store_explicit(&h->asked_for, 0, memory_order_release);
        break;
    }
    bell_ring(&t->work, t->here);
}

/* The caller wakes one helper, and each helper that finds a part wakes two. So the caller's cost
 * does not grow with their number, and waking stops where helpers get no processors. */
static void call_two(tpad_threads *t)
{
    for (int i = 0; i < 2 && t->here > 1; i++)
        if (atomic_load_explicit(&t->state, memory_order_relaxed) >= LEFT) call_one(t);
}

THREAD_BODY(help, argument)
{
    tpad_threads *t = argument;
    cancellation_off(); /* also if the body of a run cancels its own thread */
    thread_takes_turns();
    while (!atomic_load_explicit(&t->ended, memory_order_acquire)) {
        const int64_t part = take(t, INSIDE);
        if (part >= 0) {
            call_two(t);
            work(t, part);
            /* The caller may return now: nothing of its own is used below. */
            if (atomic_fetch_sub_explicit(&t->state, INSIDE, memory_order_acq_rel) ==
                SLEEPS + INSIDE)
                bell_ring(&t->over, 1);
        }
        bell_wait(&t->work);
    }
    return 0;
}

/* ---- The caller ------------------------------------------------------------------------------ */

/* Tries to take the pool for this caller alone. 1 on success. */
static int take_pool(tpad_threads *t)
{
    const process self = this_process();
    process user = atomic_load_explicit(&t->busy_in, memory_order_relaxed);
    if (user == self || !atomic_compare_exchange_strong_explicit(
                            &t->busy_in, &user, self, memory_order_acquire, memory_order_relaxed))
        return 0;
    if (t->process != self) { /* the first run in this process: it has no helpers yet */
        const int32_t most = t->per_processor * processors() - 1;
        t->here = most < t->helpers ? most : t->helpers;
        bell_init(&t->work);
        bell_init(&t->over);
        atomic_store_explicit(&t->asked_for, 0, memory_order_relaxed);
        for (int32_t i = 0; i < t->helpers; i++) {
            atomic_store_explicit(&t->all[i].asked_for, 0, memory_order_relaxed);
            t->all[i].started = 0;
        }
        t->process = self;
    }
    return 1;
}

static void wait_for_the_last_parts(tpad_threads *t)
{
    for (int i = 0; i < LOOKS; i++)
        if (atomic_load_explicit(&t->state, memory_order_acquire) == 0) return;
    if (atomic_fetch_or_explicit(&t->state, SLEEPS, memory_order_acq_rel) != 0) bell_wait(&t->over);
}

/* After a loss the caller works alone for PAUSE times as long, and longer after each further loss.
 * A gain pays for later losses, and ends a pause: if large runs gain, they are not kept alone by
 * small ones that end before a helper wakes up. */
static void pause_after(tpad_threads *t, int64_t lost, int64_t now)
{
    if (lost <= 0 && t->pause > 0) t->pause = 0;
    t->pause += PAUSE * lost;
    if (t->pause > TPAD_LONGEST_PAUSE_NS) t->pause = TPAD_LONGEST_PAUSE_NS;
    if (t->pause < -TPAD_LONGEST_PAUSE_NS) t->pause = -TPAD_LONGEST_PAUSE_NS;
    t->alone_until = now + t->pause;
}

/* If all processors are busy, a helper may lose its own within a part, and the caller waits for it.
 * So the run is compared with one without helpers, which would take the processor time of all
 * parts. */
static void run_on_all(tpad_threads *t, int64_t count, tpad_body body, void *user)
{
    t->count = count;
    t->body = body;
    t->user = user;
    atomic_store_explicit(&t->worked, 0, memory_order_relaxed);
    atomic_store_explicit(&t->state, (uint64_t)count * LEFT, memory_order_release);
    const int64_t begun = nanoseconds();
    call_one(t);
    work(t, take(t, 0));
    wait_for_the_last_parts(t);
    const int64_t over = nanoseconds();
    const int64_t worked = atomic_load_explicit(&t->worked, memory_order_relaxed);
    if (worked > 0)
        pause_after(t, over - begun - worked, over); /* otherwise there is no such clock */
}

/* 1 during a pause. Setting the clock back does not make it longer. */
static int is_alone(const tpad_threads *t)
{
    const int64_t left = t->alone_until - nanoseconds();
    return left > 0 && left <= TPAD_LONGEST_PAUSE_NS;
}

static int32_t run(void *context, int64_t count, tpad_body body, void *user)
{
    tpad_threads *t = context;
    /* Helpers use the caller's stack, and other callers wait for the pool. */
    const int cancellation = cancellation_off();
    const int taken = t->helpers > 0 && count > 1 && count <= MOST_PARTS && take_pool(t);
    const int on_all = taken && !is_alone(t);
    if (on_all) run_on_all(t, count, body, user);
    if (taken) atomic_store_explicit(&t->busy_in, 0, memory_order_release);
    cancellation_back(cancellation);
    for (int64_t i = 0; !on_all && i < count; i++) body(user, i);
    return 0;
}

/* ---- The interface --------------------------------------------------------------------------- */

static int32_t fail(tpad_error *error, int32_t code, int32_t count, const char *text)
{
    if (error)
        *error = (tpad_error){
            .code = code, .axis = -1, .got = count, .limit = TPAD_THREADS_MOST, .text = text};
    return code;
}

int32_t tpad_threads_create(tpad_threads **threads, int32_t count, tpad_error *error)
{
    if (!threads) return fail(error, TPAD_E_ARGUMENT, count, "the pointer to the pool is missing");
    *threads = NULL;
    if (count < 0 || count > TPAD_THREADS_MOST)
        return fail(error, TPAD_E_ARGUMENT, count,
                    "%g threads: there can be 1 to %l, or 0 for as many as the process may run on");
    const int32_t per_processor = count == 0 ? 1 : THREADS_PER_PROCESSOR;
    int32_t most = per_processor * processors();
    if (count > 0 && count < most) most = count;
    if (most > TPAD_THREADS_MOST) most = TPAD_THREADS_MOST;
    tpad_threads *t = calloc(1, sizeof *t + (size_t)(most - 1) * sizeof t->all[0]);
    if (!t) return fail(error, TPAD_E_MEMORY, count, "out of memory");
    t->helpers = most - 1;
    t->per_processor = per_processor;
    t->runner = (tpad_runner){sizeof t->runner, t, most, run};
    if (most > 1) t->runner.width *= PARTS_PER_THREAD;
    *threads = t;
    return TPAD_OK;
}

void tpad_threads_destroy(tpad_threads *t)
{
    if (t && t->process == this_process()) {
        atomic_store_explicit(&t->ended, 1, memory_order_release);
        for (int32_t i = 0; i < t->helpers; i++) bell_ring(&t->work, INT32_MAX);
        for (int32_t i = 0; i < t->helpers; i++)
            if (t->all[i].started) thread_join(t->all[i].id);
        bell_destroy(&t->work);
        bell_destroy(&t->over);
    }
    free(t);
}

int32_t tpad_threads_count(const tpad_threads *threads)
{
    return threads ? threads->helpers + 1 : 1;
}

const tpad_runner *tpad_threads_runner(tpad_threads *threads)
{
    return threads ? &threads->runner : NULL;
}

const char *tpad_threads_features(void)
{
    return THREADS_FEATURES;
}
