/* Threads of Windows.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PORT_THREADS_WINDOWS_H
#define TENSORPAD_PORT_THREADS_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <stdint.h>
#include <windows.h>

#define THREADS_FEATURES "Windows"

/* ---- Semaphores ------------------------------------------------------------------------------ */

/* Made of calls that cannot fail, and that need no library besides kernel32. */
typedef struct semaphore {
    SRWLOCK lock;
    CONDITION_VARIABLE more;
    int32_t posted; /* posts that nobody has waited for yet */
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

/* Releases the lock before it wakes the thread, so that the thread need not wait for it. */
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

/* Turns off the short boost in priority that Windows gives a thread that wakes up. */
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

/* A process with threads in several processor groups has no mask. */
static int32_t processors(void)
{
    DWORD_PTR mask = 0, all = 0;
    GetProcessAffinityMask(GetCurrentProcess(), &mask, &all);
    DWORD count = mask == 0 ? GetActiveProcessorCount(ALL_PROCESSOR_GROUPS) : 0;
    for (; mask != 0; mask &= mask - 1) count++;
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

/* The system's clock advances in steps of 15.6 ms; most runs are shorter. */
static int64_t nanoseconds_of_thread(void)
{
    return 0;
}

#endif
