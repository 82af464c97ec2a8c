/* The options that say how an array is padded. SPDX-License-Identifier: MIT
 *
 * `tensorpad pad` and `tensorpad show` share these; each reads its further options itself.
 */
#ifndef TENSORPAD_COMMAND_OPTIONS_H
#define TENSORPAD_COMMAND_OPTIONS_H

#include "arguments.h"
#include "help.h"
#include "spec_problem.h"

/* Their rows, for fields of pad_options; a command's options must begin with pad_options. */
extern const option_row pad_rows[];

/* Initialises the options of this command. Returns EXIT_DONE, or the status of the error that it
 * reported, as the other functions do. The caller calls pad_words_free in both cases. */
int pad_words_start(pad_options *options, const char *command);
/* Refuses options that exclude each other, before any file is read. */
int pad_words_check(pad_options *options);
/* Joins --begin and --end to one list. */
int pad_words_join(pad_options *options);
void pad_words_free(pad_options *options);

#endif
