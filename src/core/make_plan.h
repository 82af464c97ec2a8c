/* Making a plan of a problem. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_MAKE_PLAN_H
#define TENSORPAD_CORE_MAKE_PLAN_H

#include "plan.h"

/* Makes a plan of a problem, without a table. It sets the magic number last.
 * Errors: as tpad_plan_init, except E_PLAN_SIZE. */
TPAD_INTERNAL int32_t tpad_plan_make(plan *p, const tpad_problem *problem, tpad_error *error);

#endif
