/* Filling a tpad_error. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_ERROR_H
#define TPAD_CORE_ERROR_H

#include <tensorpad/tensorpad.h>

#include "port.h"

/* Stores `value` through `error` unless that is NULL, and returns its code. */
/*@ requires error == \null || \valid(error);
    assigns *error;
    ensures \result == value.code; */
TPAD_INTERNAL int32_t tpad_fail(tpad_error *error, tpad_error value);

/* A failure that no axis is to blame for. */
#define TPAD_FAIL(error, code, got, limit, text)                                                   \
    tpad_fail(error, (tpad_error){code, -1, got, limit, 0, 0, NULL, text})

#endif
