/* The words of a command line.  SPDX-License-Identifier: MIT
 *
 * Walks options and file names in any order, and reads the kinds of values that sub-commands share.
 * What is wrong with a word is reported here, as wrong usage; what a word means for a file is not
 * known here.
 */
#ifndef TENSORPAD_CLI_ARGUMENTS_H
#define TENSORPAD_CLI_ARGUMENTS_H

#include <getopt.h>
#include <stdint.h>
#include <tensorpad/threads.h>

/* What `arguments_next` returns besides the `val` of an option. */
enum {
    ARGUMENT_END = -1,
    ARGUMENT_BAD = -2, /* reported */
    ARGUMENT_FILE = 1, /* a word that is no option */
};

typedef struct arguments {
    const char *command; /* for errors: "pad" */
    int argc;            /* argv[0] is the sub-command */
    char **argv;
    const struct option *options; /* ended by a zero entry; -f -q -h are the short ones */
    const char *text;             /* out: the file name, or the option's value */
    int ended;                    /* -- was seen, or the end: the rest are file names */
} arguments;

int arguments_next(arguments *words);

/* Numbers (or modes) as a list. Owned; freed with integers_free. items is never NULL once given. */
typedef struct integers {
    int64_t *items;
    int32_t count;
    int32_t given;
} integers;

/* These return EXIT_DONE or the status of the error they reported. A list given again replaces the
 * earlier one. `option` is for the error. */
int arguments_integers(integers *list, const char *option, const char *text);
int arguments_modes(integers *list, const char *text);
int arguments_order(int32_t *order, const char *text);
int arguments_type(int32_t *type, const char *text);
/* The threads are the caller's to destroy; NULL before. */
int arguments_threads(tpad_threads **threads, const char *text);

/* Room for `count` entries, all zero. */
int integers_make(integers *list, int32_t count);
void integers_free(integers *list);

#endif
