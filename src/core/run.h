/* Running a plan: shared by the two kinds of fill values. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_RUN_H
#define TENSORPAD_CORE_RUN_H

#include "plan.h"

/* 1 if a plan that writes has its pointers (src and dst, or the two gradients). With one pointer
 * for both sides, the output would overwrite input not read yet, except for a border, for sides
 * that share no byte, and for a box with memory of its own (only the caller knows where its sides
 * are). */
TPAD_INTERNAL int tpad_plan_has_pointers(const plan *p, const void *src, const void *dst);

/* Writes cells [begin, end) of the output, counted in the order of the loops; begin < end. value:
 * one element, or NULL. */
TPAD_INTERNAL void tpad_run_cells(const plan *p, const void *src, void *dst, const void *value,
                                  int64_t begin, int64_t end);

/* The cells of part `part` of `parts`; begin == end: none. */
TPAD_INTERNAL void tpad_plan_share(const plan *p, int64_t part, int64_t parts, int64_t *begin,
                                   int64_t *end);

/* Runs a plan without a table once. A large output gets a table on the stack. */
TPAD_INTERNAL int32_t tpad_run_once(const plan *p, const void *src, void *dst, const void *value);

/* 1 if a runner is complete. */
TPAD_INTERNAL int tpad_runner_is_usable(const tpad_runner *runner);

/* The number of parts of an output for a runner. */
TPAD_INTERNAL int64_t tpad_plan_parts(const plan *p, const tpad_runner *runner);

#endif
