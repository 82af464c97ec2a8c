/* The specifications that `tensorpad pad --spec` knows.  SPDX-License-Identifier: MIT
 *
 * spec_option.c has the table of them. The meaning of the options is in spec_ngraph.c, spec_onnx.c,
 * spec_plain.c ...
 */
#ifndef TENSORPAD_CLI_SPEC_OPTION_H
#define TENSORPAD_CLI_SPEC_OPTION_H

#include "spec_family.h"

/* The name of a family, as a row's `word_at`. */
const char *spec_word(int32_t index);

/* Reads "onnx", "onnx-19", "plain". EXIT_DONE, or the status of the error that it reported. */
int spec_parse(spec *out, const char *text);

/* 1 if the specification takes all of the options `used` (TAKES_...). */
int spec_takes(const spec *given, int32_t used);

/* Reports one that it does not take, and names a specification that takes it. command: "pad", for the error. */
int spec_check(const spec *given, const char *command, int32_t used);

#endif
