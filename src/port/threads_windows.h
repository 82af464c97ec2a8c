/* Threads of Windows.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PORT_THREADS_WINDOWS_H
#define TENSORPAD_PORT_THREADS_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <stdint.h>
#include <windows.h>

#define THREADS_FEATURES "Windows"

/* ---- Semaphores ------------------------------------------------------------------------------ */

/* No call of the system can fail for it, and it needs no library besides kernel32. */
typedef struct semaphore {
    SRWLOCK lock;
    CONDITION_VARIABLE more;
    int32_t posted; /* and not yet waited for */
} semaphore;

static void semaphore_init(semaphore *s)
{
    InitializeSRWLock(&s->lock);
    InitializeConditionVariable(&s->more);
    s->posted = 0;
}

static void semaphore_destroy(semaphore *s)
{
    (void)s;
}

/* Before the thread is woken the lock is free, so that it has nothing to wait for. */
static void semaphore_post(semaphore *s)
{
    AcquireSRWLockExclusive(&s->lock);
    s->posted++;
    ReleaseSRWLockExclusive(&s->lock);
    WakeConditionVariable(&s->more);
}

static void semaphore_wait(semaphore *s)
{
    AcquireSRWLockExclusive(&s->lock);
    while (s->posted == 0) SleepConditionVariableSRW(&s->more, &s->lock, INFINITE, 0);
    s->posted--;
    ReleaseSRWLockExclusive(&s->lock);
}

/* ---- Threads --------------------------------------------------------------------------------- */

typedef HANDLE thread;
typedef unsigned thread_result;
#define THREAD_BODY(name, argument) static thread_result __stdcall name(void *argument)

static int thread_start(thread *id, thread_result(__stdcall *body)(void *), void *argument)
{
    *id = (HANDLE)_beginthreadex(NULL, 0, body, argument, 0, NULL);
    return *id != NULL;
}

static void thread_join(thread id)
{
    WaitForSingleObject(id, INFINITE);
    CloseHandle(id);
}

/* Windows raises the priority of a thread that is woken, for a short time. */
static void thread_takes_turns(void)
{
    SetThreadPriorityBoost(GetCurrentThread(), TRUE);
}

/* Windows cancels no threads. */
static int cancellation_off(void)
{
    return 0;
}

static void cancellation_back(int before)
{
    (void)before;
}

/* ---- Processes, processors, the clock -------------------------------------------------------- */

typedef DWORD process;

static process this_process(void)
{
    return GetCurrentProcessId();
}

/* A process that has threads in several groups of processors has no mask. */
static int32_t processors(void)
{
    DWORD_PTR own = 0, all = 0;
    GetProcessAffinityMask(GetCurrentProcess(), &own, &all);
    DWORD count = own == 0 ? GetActiveProcessorCount(ALL_PROCESSOR_GROUPS) : 0;
    for (; own != 0; own &= own - 1) count++;
    return count < 1 ? 1 : count < INT16_MAX ? (int32_t)count : INT16_MAX;
}

static int64_t nanoseconds(void)
{
    LARGE_INTEGER now, per_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&per_second);
    const int64_t whole = now.QuadPart / per_second.QuadPart,
                  rest = now.QuadPart % per_second.QuadPart;
    return whole * 1000000000 + rest * 1000000000 / per_second.QuadPart;
}

/* The one there is advances in steps of 15.6 ms, in which most runs begin and end. */
static int64_t nanoseconds_of_thread(void)
{
    return 0;
}

#endif
