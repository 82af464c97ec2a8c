/* System functions for the pool: semaphores, threads, processes, processors, a clock.
 * SPDX-License-Identifier: MIT
 *
 * The header of each system has the same functions:
 *
 *     semaphore_init, _destroy, _post, _wait
 *     thread_start           starts a thread with a THREAD_BODY; 1 if the system grants it
 *     thread_join
 *     thread_takes_turns     the calling thread, when woken, does not preempt another thread, above
 *                            all not the one that wakes it
 *     cancellation_off       the calling thread is not cancelled until
 *     cancellation_back      is called with the result of cancellation_off
 *     this_process           a number that differs in a forked child
 *     processors             the number that the process may run on
 *     nanoseconds            0 if the system has no such clock
 *     nanoseconds_of_thread  the processor time of the calling thread; 0 likewise */
#ifndef TENSORPAD_PORT_THREADS_H
#define TENSORPAD_PORT_THREADS_H

#if defined(_WIN32)
#include "threads_windows.h"
#else
#include "threads_posix.h"
#endif

#include <stdatomic.h>
#include <stdint.h>

/* ---- Bells: a thread sleeps until one is rung ------------------------------------------------ */

/* A thread that rings a bell never waits for those that wake up. With a condition variable it
 * would: before glibc 2.41, pthread_cond_signal may wait until all threads woken earlier have run.
 */
typedef struct bell {
    semaphore rung;
    _Atomic(int32_t) rings; /* rings that have not woken a thread yet */
} bell;

static void bell_init(bell *b)
{
    semaphore_init(&b->rung);
    atomic_store_explicit(&b->rings, 0, memory_order_relaxed);
}

static void bell_destroy(bell *b)
{
    semaphore_destroy(&b->rung);
}

/* Wakes one thread: one that sleeps, or the next one that would. Does nothing if `most` rings are
 * pending: otherwise a late thread would wake once for each ring. No wake-up is lost: a skipped
 * ring also writes `rings`, so the threads about to wake up decrement it later, and then see all
 * that was written before the ring. A mere load could be ordered before those writes. */
static void bell_ring(bell *b, int32_t most)
{
    int32_t rings = atomic_load_explicit(&b->rings, memory_order_relaxed), more;
    do more = rings < most;
    while (!atomic_compare_exchange_weak_explicit(&b->rings, &rings, rings + more,
                                                  memory_order_release, memory_order_relaxed));
    if (more) semaphore_post(&b->rung);
}

/* The thread must not be cancelled while it waits. */
static void bell_wait(bell *b)
{
    semaphore_wait(&b->rung);
    atomic_fetch_sub_explicit(&b->rings, 1, memory_order_acquire);
}

#endif
