/* Which specification is meant, and which others would accept the words.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_SPEC_CHOICE_H
#define TENSORPAD_CLI_SPEC_CHOICE_H

#include "spec_problem.h"

/* Refuses options that the specification does not take; without --spec also options that only one of
 * plain and onnx takes. Returns EXIT_DONE, or the status of the error that it reported. */
int pad_check_taken(const pad_options *options);

/* Makes the problem and its plan. Returns the same; the caller frees it in both cases. */
int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input);
/* The same without a report, for words that name their specification. Returns TPAD_OK, or the code of a
 * refusal. */
int32_t pad_problem_try(pad_problem *made, const pad_options *options, const tpad_tensor *input);

#endif
