/* A translation as a plan. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_C_SPECS_PLAN_OF_H
#define TENSORPAD_TESTS_C_SPECS_PLAN_OF_H

#include <tensorpad/dialect.h>

static inline int32_t plan_of(tpad_plan *plan, const tpad_translation *made)
{
    const tpad_problem problem = tpad_translation_problem(made);
    return tpad_plan_init(plan, sizeof *plan, &problem, NULL);
}

#endif
