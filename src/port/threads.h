/* What the pool needs from the system: semaphores, threads, processes, processors, a clock.
 * SPDX-License-Identifier: MIT
 *
 * The header of each system has the same functions:
 *
 *     semaphore_init, _destroy, _post, _wait
 *     thread_start           starts a thread with a THREAD_BODY; 1 if the system grants it
 *     thread_join
 *     thread_takes_turns     when the calling thread is woken, it takes no processor away from
 *                            another, above all not from the one that wakes it
 *     cancellation_off       from here on the calling thread is not cancelled
 *     cancellation_back      takes what cancellation_off returned
 *     this_process           a number that a child that is forked does not have
 *     processors             on how many the process may run
 *     nanoseconds            0 if the system has no such clock, as the next one
 *     nanoseconds_of_thread  for how long the calling thread had a processor */
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

/* A thread that rings a bell never waits for those that wake up, as it would with a condition
 * variable: before glibc 2.41, pthread_cond_signal may wait until all threads that were woken
 * before have run. */
typedef struct bell {
    semaphore rung;
    _Atomic(int32_t) rings; /* that woke nobody yet */
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

/* Wakes one thread: one that sleeps, or the next one that would. Nothing if so many are to wake up
 * already: else a thread that was late would wake once for each ring. No wake-up is lost: a ring
 * that is left out writes `rings` too, so the threads that are to wake up count theirs off after
 * it, and then see all that was written before it. A mere look could come before those writes. */
static void bell_ring(bell *b, int32_t most)
{
    int32_t rings = atomic_load_explicit(&b->rings, memory_order_relaxed), more;
    do more = rings < most;
    while (!atomic_compare_exchange_weak_explicit(&b->rings, &rings, rings + more,
                                                  memory_order_release, memory_order_relaxed));
    if (more) semaphore_post(&b->rung);
}

/* The thread must not be cancelled meanwhile. */
static void bell_wait(bell *b)
{
    semaphore_wait(&b->rung);
    atomic_fetch_sub_explicit(&b->rings, 1, memory_order_acquire);
}

#endif
