/* Filling a tpad_error. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_ERROR_H
#define TENSORPAD_CORE_ERROR_H

#include <tensorpad/tensorpad.h>

#include "port.h"

/* Stores `value` through `error` unless that is NULL, and returns its code. The small build stores
 * only code and axis, so the compiler omits the rest, above all the texts. */
#if defined(TPAD_SMALL)
/* Not inlined, because a dozen places call it. */
static TPAD_NOINLINE int32_t tpad_fail_at(tpad_error *error, int32_t code, int32_t i)
{
    if (error) {
        error->code = code;
        error->axis = i;
    }
    return code;
}
#define tpad_fail(error, ...) tpad_fail_at(error, (__VA_ARGS__).code, (__VA_ARGS__).axis)
#define tpad_mode_name(mode)  NULL
#else
/*@ requires error == \null || \valid(error);
    assigns *error;
    ensures \result == value.code; */
TPAD_INTERNAL int32_t tpad_fail(tpad_error *error, tpad_error value);
#endif

/* A failure that is not about an axis. */
#define TPAD_FAIL(error, code, got, limit, text)                                                   \
    tpad_fail(error, (tpad_error){code, -1, got, limit, 0, 0, NULL, text})

#endif
