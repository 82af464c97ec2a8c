/* Which specifications accept the words.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_SPECS_H
#define TENSORPAD_CLI_SPECS_H

#include "spec_problem.h"

/* Makes the problem and its plan. Returns EXIT_DONE, or the status of the error that it reported;
 * the caller frees it in both cases. */
int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input);
/* The same without a report, for words that name their specification. Returns TPAD_OK, or the code
 * of a refusal. */
int32_t pad_problem_try(pad_problem *made, const pad_options *options, const tpad_tensor *input);

#endif
