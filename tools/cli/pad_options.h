/* The words that say how an array is padded.  SPDX-License-Identifier: MIT
 *
 * `tensorpad pad` and `tensorpad show` have the same ones. What either has besides, it reads
 * itself.
 */
#ifndef TENSORPAD_CLI_PAD_OPTIONS_H
#define TENSORPAD_CLI_PAD_OPTIONS_H

#include "spec_problem.h"

/* Their rows, with fields of pad_options, which the options of a command begin with. */
extern const option_row pad_rows[];

/* Starts options of the command with this name. Returns EXIT_DONE, or the status of the error that
 * it reported, as the other functions do. The caller frees the words in both cases. */
int pad_words_start(pad_options *options, const char *command);
/* Refuses words that may not stand together, before any file is read. */
int pad_words_check(pad_options *options);
/* Makes one list of --begin and --end. */
int pad_words_join(pad_options *options);
void pad_words_free(pad_options *options);

#endif
