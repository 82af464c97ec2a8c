/* How a plan runs. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_HOW_H
#define TENSORPAD_CORE_HOW_H

#include "plan.h"

/* Writes the table of a merged plan, if it can have one. The plan is in a tabled_plan. */
TPAD_INTERNAL void tpad_plan_tabulate(plan *p);

#endif
