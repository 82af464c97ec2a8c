/* POSIX threads.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PORT_THREADS_POSIX_H
#define TENSORPAD_PORT_THREADS_POSIX_H

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#define THREADS_FEATURES "pthreads"

/* ---- Semaphores ------------------------------------------------------------------------------ */

#ifdef __APPLE__ /* has no sem_init */
#include <dispatch/dispatch.h>
typedef dispatch_semaphore_t semaphore;

static void semaphore_init(semaphore *s)
{
    *s = dispatch_semaphore_create(0);
}

static void semaphore_destroy(semaphore *s)
{
    dispatch_release(*s);
}

static void semaphore_post(semaphore *s)
{
    dispatch_semaphore_signal(*s);
}

static void semaphore_wait(semaphore *s)
{
    dispatch_semaphore_wait(*s, DISPATCH_TIME_FOREVER);
}
#else
#include <semaphore.h>
typedef sem_t semaphore;

static void semaphore_init(semaphore *s)
{
    sem_init(s, 0, 0);
}

static void semaphore_destroy(semaphore *s)
{
    sem_destroy(s);
}

static void semaphore_post(semaphore *s)
{
    sem_post(s);
}

static void semaphore_wait(semaphore *s)
{
    while (sem_wait(s) != 0) continue; /* the thread handled a signal */
}
#endif

/* ---- Threads --------------------------------------------------------------------------------- */

typedef pthread_t thread;
typedef void *thread_result;
#define THREAD_BODY(name, argument) static thread_result name(void *argument)

/* The thread blocks all signals except those of its own faults, so that the program's threads
 * handle them. */
static int thread_start(thread *id, thread_result (*body)(void *), void *argument)
{
    static const int faults[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const int started = pthread_create(id, NULL, body, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void thread_takes_turns(void)
{
#ifdef SCHED_BATCH
    struct sched_param param;
    int policy;
    if (pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_OTHER)
        pthread_setschedparam(pthread_self(), SCHED_BATCH, &param);
#endif
}

/* Android cancels no threads. */
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

/* A forked child has another number, and only one of its parent's threads. Not detected: a child
 * that is forked inside the body of a run and continues this run without the other threads; a
 * descendant that reuses the number of a process that used the pool and ended; and, if 64-bit
 * atomics take a lock of libatomic, a child that is forked while another thread holds it. */
typedef pid_t process;

static process this_process(void)
{
    return getpid();
}

static int32_t processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
#endif
    return count < 1 ? 1 : count < INT16_MAX ? (int32_t)count : INT16_MAX;
}

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

static int64_t nanoseconds_of_thread(void)
{
    return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif
