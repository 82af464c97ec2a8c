/* Merging axes to loops. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_MERGE_H
#define TENSORPAD_CORE_MERGE_H

#include "plan.h"

/* Makes the loops of a plan from its axes: drops, sorts and joins axes, and widens the cell. */
TPAD_INTERNAL void tpad_plan_merge(plan *p);

#endif
