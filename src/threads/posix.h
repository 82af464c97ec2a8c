/* What the pool needs of the system: bells, threads, processes, processors, a clock.
 * SPDX-License-Identifier: MIT
 *
 * POSIX threads. A system without them gets a header of its own with the same functions. */
#ifndef TENSORPAD_POSIX_H
#define TENSORPAD_POSIX_H

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__ /* has no sem_init */
#include <dispatch/dispatch.h>
#define sem_t                        dispatch_semaphore_t
#define sem_init(sem, shared, rings) (*(sem) = dispatch_semaphore_create(rings))
#define sem_destroy(sem)             dispatch_release(*(sem))
#define sem_post(sem)                dispatch_semaphore_signal(*(sem))
#define sem_wait(sem)                dispatch_semaphore_wait(*(sem), DISPATCH_TIME_FOREVER)
#else
#include <semaphore.h>
#endif

/* ---- Bells: a thread sleeps until one is rung ------------------------------------------------ */

/* A thread that rings a bell never waits for those that wake up, as it would with a condition
 * variable: before glibc 2.41, pthread_cond_signal may wait until all threads that were woken
 * before have run. */
typedef struct bell {
    sem_t rung;
    _Atomic(int32_t) rings; /* that woke nobody yet */
} bell;

static void bell_init(bell *b)
{
    sem_init(&b->rung, 0, 0);
    atomic_store_explicit(&b->rings, 0, memory_order_relaxed);
}

static void bell_destroy(bell *b)
{
    sem_destroy(&b->rung);
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
    if (more) sem_post(&b->rung);
}

/* The thread must not be cancelled meanwhile. */
static void bell_wait(bell *b)
{
    while (sem_wait(&b->rung) != 0) continue; /* the thread handled a signal */
    atomic_fetch_sub_explicit(&b->rings, 1, memory_order_acquire);
}

/* ---- Threads --------------------------------------------------------------------------------- */

typedef pthread_t thread;

/* Starts a thread in which all signals are blocked, so that the program's own threads handle them,
 * except the signals of the thread's own faults. 1 if the system grants it. */
static int thread_start(thread *id, void *(*body)(void *), void *argument)
{
    static const int faults[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&others, faults[i]);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    const int started = pthread_create(id, NULL, body, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* When the calling thread is woken, it does not take a processor away from another thread, above
 * all not from the one that wakes it. It waits for its turn where no processor is idle. */
static void thread_takes_turns(void)
{
#ifdef SCHED_BATCH
    struct sched_param param;
    int policy;
    if (pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_OTHER)
        pthread_setschedparam(pthread_self(), SCHED_BATCH, &param);
#endif
}

/* From here on the calling thread is not cancelled. Returns what cancellation_back takes. Android
 * cancels no threads. */
static int cancellation_off(void)
{
    int before = 0;
#ifndef __ANDROID__
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
#endif
    return before;
}

static void cancellation_back(int before)
{
#ifndef __ANDROID__
    pthread_setcancelstate(before, &before);
#else
    (void)before;
#endif
}

static void thread_join(thread id)
{
    pthread_join(id, NULL);
}

/* ---- Processes, processors, the clock -------------------------------------------------------- */

/* A child that is forked has another number, and none of its parent's threads but one. What nothing
 * here notices: a child that is forked inside the body of a run and goes on with this run, whose
 * other threads it does not have; a descendant that was given the number of a process that used the
 * pool and ended; and, where operations on 64 bits take a lock of libatomic, a child that is forked
 * while another thread holds it. */
typedef pid_t process;

static process this_process(void)
{
    return getpid();
}

/* On how many the process may run. */
static int32_t processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
#endif
    return count < 1 ? 1 : count < INT16_MAX ? (int32_t)count : INT16_MAX;
}

/* 0 if the system has no such clock. */
static int64_t nanoseconds_of(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t nanoseconds(void)
{
    return nanoseconds_of(CLOCK_MONOTONIC);
}

/* For how long the calling thread had a processor. */
static int64_t nanoseconds_of_thread(void)
{
    return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif
