/* What the pool needs of the system: bells, threads, processes, processors, a clock.
 * SPDX-License-Identifier: MIT
 *
 * POSIX threads. A system without them gets a header of its own with the same functions. */
#ifndef TENSORPAD_POSIX_H
#define TENSORPAD_POSIX_H

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* ---- Bells: a thread sleeps until one is rung ------------------------------------------------ */

/* The lock is held for some instructions only. */
typedef struct bell {
    pthread_mutex_t lock;
    pthread_cond_t rung;
    int32_t rings; /* that woke nobody yet */
} bell;

static void bell_init(bell *b)
{
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->rung, NULL);
    b->rings = 0;
}

static void bell_destroy(bell *b)
{
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->rung);
}

/* Wakes one thread: one that sleeps, or the next one that would. Nothing if so many are to wake up
 * already: a thread that was late would wake once for each ring. */
static void bell_ring(bell *b, int32_t most)
{
    pthread_mutex_lock(&b->lock);
    const int more = b->rings < most;
    b->rings += more;
    pthread_mutex_unlock(&b->lock);
    if (more) pthread_cond_signal(&b->rung);
}

/* A thread that is cancelled meanwhile goes on waiting: others still use what lies on its stack.
 * Android cancels no threads. */
static void bell_wait(bell *b)
{
#ifndef __ANDROID__
    int cancelled;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
#endif
    pthread_mutex_lock(&b->lock);
    while (b->rings == 0) pthread_cond_wait(&b->rung, &b->lock);
    b->rings--;
    pthread_mutex_unlock(&b->lock);
#ifndef __ANDROID__
    pthread_setcancelstate(cancelled, &cancelled);
#endif
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

/* When the calling thread is woken, it does not take a processor away from another thread, above all
 * not from the one that wakes it. It is otherwise as before. */
static void thread_takes_idle_processors(void)
{
#ifdef SCHED_BATCH
    struct sched_param param;
    int policy;
    if (pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_OTHER)
        pthread_setschedparam(pthread_self(), SCHED_BATCH, &param);
#endif
}

static void thread_join(thread id)
{
    pthread_join(id, NULL);
}

/* ---- Processes, processors, the clock -------------------------------------------------------- */

/* A child that is forked has another number, and none of its parent's threads but one. What nothing
 * here notices: a descendant that was given the number of a process that used the pool and ended. */
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
