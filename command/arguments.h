/* Parsing of a command line. SPDX-License-Identifier: MIT
 *
 * Reads a sub-command's options by its table, and the values that several sub-commands share.
 * Reports wrong arguments as wrong usage; does not know what they mean for a file.
 */
#ifndef TENSORPAD_COMMAND_ARGUMENTS_H
#define TENSORPAD_COMMAND_ARGUMENTS_H

#include <stdint.h>
#include <tensorpad/threads.h>

#include "help.h"

/* Parses argv (argv[0] is the sub-command; options and files in any order) and runs the sub-command
 * or prints its help. Returns the exit status. */
int sub_command_run(const sub_command *command, int argc, char **argv);

/* A list of numbers, or of the numbers of keywords. Owned; freed with integers_free. items is never
 * NULL once given. A list that is given again replaces the earlier one. */
typedef struct integers {
    int64_t *items;
    int32_t count;
    int32_t given;
} integers;

/* Functions for a row's `take`. */
int argument_flag(void *field, const given_option *given);     /* int: 1 */
int argument_text(void *field, const given_option *given);     /* const char *, of argv */
int argument_word(void *field, const given_option *given);     /* int32_t, by word_at of the row */
int argument_words(void *field, const given_option *given);    /* integers */
int argument_integers(void *field, const given_option *given); /* integers */
int argument_targets(void *field, const given_option *given);  /* integers, 0 or more; -1: a dash */
int argument_type(void *field, const given_option *given);     /* int32_t */
/* tpad_threads *, NULL before the call; the caller destroys the threads. */
int argument_threads(void *field, const given_option *given);

/* Integers, none below `least`; not itself a `take`. */
int argument_integers_from(void *field, const given_option *given, int64_t least);

/* Makes `count` entries, all zero. */
int integers_make(integers *list, int32_t count);
void integers_free(integers *list);

#endif
