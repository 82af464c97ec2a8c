/* 64-bit arithmetic that says when it does not fit. SPDX-License-Identifier: MIT
 * Plain C, so that any compiler builds it and a prover can read it. */
#ifndef TPAD_CORE_CHECKED_H
#define TPAD_CORE_CHECKED_H

#include <stdint.h>

/* *out = a * b for a, b >= 0; returns 0 and leaves *out alone when it does not fit. */
static inline int tpad_mul_fits(int64_t a, int64_t b, int64_t *out)
{
    if (a != 0 && b > INT64_MAX / a) return 0;
    *out = a * b;
    return 1;
}

/* *out = a + b for a, b >= 0; as above. */
static inline int tpad_add_fits(int64_t a, int64_t b, int64_t *out)
{
    if (b > INT64_MAX - a) return 0;
    *out = a + b;
    return 1;
}

static inline int64_t tpad_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
