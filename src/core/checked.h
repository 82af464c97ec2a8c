/* 64-bit arithmetic that reports overflow. SPDX-License-Identifier: MIT
 *
 * Plain C, so that any compiler builds it and a prover can read it. */
#ifndef TENSORPAD_CORE_CHECKED_H
#define TENSORPAD_CORE_CHECKED_H

#include <tensorpad/tensorpad.h>

#include "port.h"

/* a / b and a % b, for b > 0. On a processor that cannot divide, the compiler would call its own
 * function; this one is shorter. */
#if defined(TPAD_SMALL) && ((defined(__arm__) && !defined(__ARM_FEATURE_IDIV)) ||                  \
                            (defined(__arc__) && !defined(__ARC_DIVREM__)))
static tpad_index tpad_quotient(tpad_index a, tpad_index b)
{
    tpad_index rest = a < 0 ? -a : a, quotient = 0, shifted = b;
    while (shifted <= rest >> 1) shifted <<= 1;
    for (; shifted >= b; shifted >>= 1) {
        quotient <<= 1;
        if (rest < shifted) continue;
        rest -= shifted;
        quotient++;
    }
    return a < 0 ? -quotient : quotient;
}
static inline tpad_index tpad_remainder(tpad_index a, tpad_index b)
{
    return a - tpad_quotient(a, b) * b;
}
#else
#if !defined(TPAD_SMALL)
/* 1 if 32 bits hold both numbers. Many processors divide 32 bits three times as fast as 64. */
/*@ assigns \nothing;
    ensures \result != 0 <==> 0 <= a <= INT32_MAX && b <= INT32_MAX; */
static inline int tpad_are_small(tpad_index a, tpad_index b)
{
    return 0 <= a && a <= INT32_MAX && b <= INT32_MAX;
}
#endif
/*@ requires 0 < b;
    assigns \nothing;
    ensures \result == a / b; */
static inline tpad_index tpad_quotient(tpad_index a, tpad_index b)
{
#if !defined(TPAD_SMALL)
    if (tpad_are_small(a, b)) return (int32_t)a / (int32_t)b;
#endif
    return a / b;
}
/*@ requires 0 < b;
    assigns \nothing;
    ensures \result == a % b; */
static inline tpad_index tpad_remainder(tpad_index a, tpad_index b)
{
#if !defined(TPAD_SMALL)
    if (tpad_are_small(a, b)) return (int32_t)a % (int32_t)b;
#endif
    return a % b;
}
#endif

/* *out = a * b for a, b >= 0; returns 0 and keeps *out if it does not fit. */
/*@ requires 0 <= a && 0 <= b && \valid(out);
    assigns *out;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 <==> a * b <= TPAD_INDEX_MAX;
    ensures \result == 1 ==> *out == a * b;
    ensures \result == 0 ==> *out == \old(*out); */
static inline int tpad_mul_fits(tpad_index a, tpad_index b, tpad_index *out)
{
#if !defined(TPAD_SMALL)
    /* The usual case, without a division. */
    if (a <= INT32_MAX && b <= INT32_MAX) {
        *out = a * b;
        return 1;
    }
#endif
    if (a != 0 && b > tpad_quotient(TPAD_INDEX_MAX, a)) return 0;
    *out = a * b;
    return 1;
}

/* *out = a + b for a, b >= 0; as above. */
/*@ requires 0 <= a && 0 <= b && \valid(out);
    assigns *out;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 <==> a + b <= TPAD_INDEX_MAX;
    ensures \result == 1 ==> *out == a + b;
    ensures \result == 0 ==> *out == \old(*out); */
static inline int tpad_add_fits(tpad_index a, tpad_index b, tpad_index *out)
{
    if (b > TPAD_INDEX_MAX - a) return 0;
    *out = a + b;
    return 1;
}

/*@ assigns \nothing;
    ensures \result == (a < b ? a : b); */
static inline tpad_index tpad_min(tpad_index a, tpad_index b)
{
    return a < b ? a : b;
}

/*@ assigns \nothing;
    ensures \result == (a > b ? a : b); */
static inline tpad_index tpad_max(tpad_index a, tpad_index b)
{
    return a > b ? a : b;
}

/*@ requires -TPAD_INDEX_MAX <= a;
    assigns \nothing;
    ensures \result == (a < 0 ? -a : a); */
static inline tpad_index tpad_magnitude(tpad_index a)
{
    return a < 0 ? -a : a;
}

#endif
