/* The runs of a long axis.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_DRAWING_AXIS_RUNS_H
#define TENSORPAD_DRAWING_AXIS_RUNS_H

#include "shown.h"

/* Fills in the runs of axis `number` of the plan. */
void tell_runs(shown_axis *axis, const tpad_plan *plan, int32_t number);

#endif
