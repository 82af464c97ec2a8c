/* A caller's problem, checked and brought into canonical axes. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_PROBLEM_H
#define TPAD_CORE_PROBLEM_H

#include "axis.h"

/* What a problem that passed every check comes to. */
typedef struct solution {
    tpad_problem problem; /* the caller's struct, whole whatever its struct_size was */
    int64_t elems;        /* of the output */
    int64_t bytes;        /* of a dense output */
} solution;

/* Checks everything but strides and writes the canonical axes, strides still 0, to `axes` (room for
 * TPAD_MAX_RANK). Errors: those of tpad_shape. */
TPAD_INTERNAL int32_t tpad_problem_solve(solution *out, axis *axes, const tpad_problem *problem,
                                         tpad_error *error);

#endif
