/* Shared by fit.c and batch.c: checked requests, and what follows from them.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_SIZING_FIT_RULES_H
#define TENSORPAD_SIZING_FIT_RULES_H

#include <tensorpad/fit.h>

#include "../core/port.h"

/* The requests for axis i. */
static inline const tpad_fit_axis *fit_request(const tpad_fit *fit, int32_t i)
{
    return (const tpad_fit_axis *)(const void *)((const char *)fit->axes +
                                                 (size_t)i * fit->axis_size);
}

/* *out = a * b for a, b >= 0; returns 0, and keeps *out, if that is above TPAD_MAX_EXTENT. */
static inline int fit_product(int64_t a, int64_t b, int64_t *out)
{
    if (a != 0 && b > TPAD_MAX_EXTENT / a) return 0;
    *out = a * b;
    return 1;
}

/* Reports an error about axis i, without amounts. */
TPAD_INTERNAL int32_t tpad_fit_refuse(tpad_error *error, int32_t code, int32_t i, int64_t got,
                                      int64_t limit, const char *text);

/* Copies the caller's struct and checks everything that does not depend on a tensor. */
TPAD_INTERNAL int32_t tpad_fit_read(tpad_fit *fit, const tpad_fit *given, tpad_error *error);

/* Makes the extents (initially 0) large enough for a tensor of these extents. */
TPAD_INTERNAL int32_t tpad_fit_include(const tpad_fit *fit, const int64_t *in_extents,
                                       int64_t *extents, tpad_error *error);

/* Applies multiples and the ratio, after all tensors are included. */
TPAD_INTERNAL int32_t tpad_fit_round(const tpad_fit *fit, int64_t *extents, tpad_error *error);

/* Fills in before, after and mode of axis i from its in_extent. extent: that of the output. */
TPAD_INTERNAL int32_t tpad_fit_place(const tpad_fit *fit, int32_t i, int64_t extent,
                                     tpad_axis *axis, tpad_error *error);

#endif
