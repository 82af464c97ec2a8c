/* How a plan runs. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_CHOOSE_HOW_H
#define TENSORPAD_CORE_CHOOSE_HOW_H

#include "plan.h"

/* Choose how a merged plan runs, and make its list or its table. With a table only if the plan is in
 * a tabled_plan; with a list only if the output is dense. */
TPAD_INTERNAL void tpad_plan_choose(plan *p, int is_dense);
TPAD_INTERNAL void tpad_plan_tabulate(plan *p);

#endif
