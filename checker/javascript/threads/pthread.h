/* Locks where there is one thread: WASI's C library has none.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CHECK_PTHREAD_H
#define TENSORPAD_CHECK_PTHREAD_H

typedef int pthread_mutex_t;
typedef int pthread_t;
#define PTHREAD_MUTEX_INITIALIZER 0

static inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline pthread_t pthread_self(void)
{
    return 0;
}

static inline int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

#endif
