/* The words of a command line. SPDX-License-Identifier: MIT
 *
 * Reads the options of a sub-command by its table, and the values that several sub-commands share.
 * A wrong word is reported as wrong usage; what a word means for a file is not known here.
 */
#ifndef TENSORPAD_CLI_ARGUMENTS_H
#define TENSORPAD_CLI_ARGUMENTS_H

#include <stdint.h>
#include <tensorpad/threads.h>

#include "help.h"

/* Reads the words of argv, of which the first is the sub-command, in any order, and runs it; or
 * writes its help. Returns the exit status. */
int sub_command_run(const sub_command *command, int argc, char **argv);

/* Numbers, or the numbers of words, as a list. Owned; freed with integers_free. items is never NULL
 * once given. If a list is given again, it replaces the earlier one. */
typedef struct integers {
    int64_t *items;
    int32_t count;
    int32_t given;
} integers;

/* What a row's `take` can be. */
int argument_flag(void *field, const given_option *given);     /* int: 1 */
int argument_text(void *field, const given_option *given);     /* const char *, of argv */
int argument_word(void *field, const given_option *given);     /* int32_t, by word_at of the row */
int argument_words(void *field, const given_option *given);    /* integers */
int argument_integers(void *field, const given_option *given); /* integers */
int argument_targets(void *field, const given_option *given);  /* integers, 0 or more; -1: a dash */
int argument_type(void *field, const given_option *given);     /* int32_t */
/* tpad_threads *, NULL before the call; the caller destroys the threads. */
int argument_threads(void *field, const given_option *given);

/* Integers that are not below `least`, which is not a `take`. */
int argument_integers_from(void *field, const given_option *given, int64_t least);

/* Room for `count` entries, all zero. */
int integers_make(integers *list, int32_t count);
void integers_free(integers *list);

#endif
