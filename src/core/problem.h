/* Checks a caller's problem and computes its canonical axes. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_PROBLEM_H
#define TENSORPAD_CORE_PROBLEM_H

#include "axis.h"

/* A problem that passed every check. */
typedef struct solution {
    tpad_problem problem; /* all fields, whatever the caller's struct_size was */
    tpad_index elems;     /* of the output */
    tpad_index bytes;     /* of a dense output */
} solution;

/* Checks everything except strides and writes the canonical axes, with strides of 0, to `axes`
 * (room for TPAD_MAX_RANK).
 * Errors: those of tpad_shape. */
TPAD_INTERNAL int32_t tpad_problem_solve(solution *out, axis *axes, const tpad_problem *problem,
                                         tpad_error *error);

/* Parts of tpad_problem_solve. This one checks a problem, except its struct_size and its axes. */
TPAD_INTERNAL int32_t tpad_problem_check(const tpad_problem *problem, tpad_error *error);

/* Checks axis i and makes it canonical, with strides of 0. */
/*@ requires \valid(out) && \valid_read(given) && (error == \null || \valid(error));
    requires \separated(out, error, given);
    assigns *out, *error;
    ensures accepts: \result == TPAD_OK ==> acceptable(*given);
    ensures made: \result == TPAD_OK ==> made_of(out, *given); */
TPAD_INTERNAL int32_t tpad_axis_check(axis *out, const tpad_axis *given, int32_t i,
                                      tpad_error *error);

/* For an output with cells: checks that a mode that adds cells has a cell to take them from. */
/*@ requires \valid_read(a) && \valid_read(given) && (error == \null || \valid(error));
    requires canonical_axis(a) && \separated(a, error);
    assigns *error;
    ensures \result == TPAD_OK <==> valid_axis(a); */
TPAD_INTERNAL int32_t tpad_axis_check_source(const axis *a, const tpad_axis *given, int32_t i,
                                             tpad_error *error);

/* Checks that the strides of axis i are 0 unless the problem has their flags. Not part of
 * tpad_problem_solve: strides do not matter for shapes. */
TPAD_INTERNAL int32_t tpad_axis_check_strides(const tpad_axis *given, int32_t i, int32_t flags,
                                              tpad_error *error);

#endif
