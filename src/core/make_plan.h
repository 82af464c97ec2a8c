/* Making a plan of a problem. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_MAKE_PLAN_H
#define TENSORPAD_CORE_MAKE_PLAN_H

#include "plan.h"

/* Makes a plan of a problem, without a table. It sets the magic number last.
 * Errors: as tpad_plan_init, except E_PLAN_SIZE. */
TPAD_INTERNAL int32_t tpad_plan_make(plan *p, const tpad_problem *problem, tpad_error *error);

/* The last steps of every new plan whose axes, offsets and flags are set, but for how it runs. */
TPAD_INTERNAL void tpad_plan_finish(plan *p);

/* Adds to *reach how far a stride leads over `count` neighbours; 0 if that is too far. Where it adds
 * all strides of a side, each later sum of steps along them fits in 64 bits, because each partial
 * sum is at most the reach. */
TPAD_INTERNAL int tpad_add_reach(int64_t *reach, int64_t stride, int64_t count);

#endif
