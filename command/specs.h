/* Turns pad options into a problem, for each --spec.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_COMMAND_SPECS_H
#define TENSORPAD_COMMAND_SPECS_H

#include "spec_problem.h"

/* Makes the problem and its plan. Returns EXIT_DONE, or the status of the error that it reported;
 * the caller calls pad_problem_free in both cases. */
int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input);
/* The same without a report, for options that name their specification. Returns TPAD_OK, or the
 * code of a refusal. */
int32_t pad_problem_try(pad_problem *made, const pad_options *options, const tpad_tensor *input);

#endif
