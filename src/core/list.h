/* The list of a small output. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_LIST_H
#define TENSORPAD_CORE_LIST_H

#include "plan.h"

/* Makes the list of a merged plan whose output is dense. Returns 0 if that is empty or too long. */
TPAD_INTERNAL int tpad_plan_list(plan *p);

#endif
