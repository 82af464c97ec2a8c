/* The words of a command line. SPDX-License-Identifier: MIT
 *
 * Reads options and file names in any order, and the kinds of values that sub-commands share. It
 * reports a wrong word as wrong usage. It does not know what a word means for a file.
 */
#ifndef TENSORPAD_CLI_ARGUMENTS_H
#define TENSORPAD_CLI_ARGUMENTS_H

#include <getopt.h>
#include <stdint.h>
#include <tensorpad/threads.h>

/* What `arguments_next` returns, apart from the `val` of an option. */
enum {
    ARGUMENT_END = -1,
    ARGUMENT_BAD = -2, /* reported */
    ARGUMENT_FILE = 1, /* a word that is not an option */
};

typedef struct arguments {
    const char *command; /* for errors: "pad" */
    int argc;            /* argv[0] is the sub-command */
    char **argv;
    const struct option *options; /* ended by a zero entry; a letter is a short one, too */
    const char *text;             /* out: the file name, or the option's value */
    int ended;                    /* -- or the end was reached: the rest are file names */
} arguments;

int arguments_next(arguments *words);

/* Numbers (or modes) as a list. Owned; freed with integers_free. items is never NULL once given. */
typedef struct integers {
    int64_t *items;
    int32_t count;
    int32_t given;
} integers;

/* These functions return EXIT_DONE, or the status of the error that they reported. If a list is
 * given again, it replaces the earlier one. `option` is named in the error. */
int arguments_integers(integers *list, const char *option, const char *text);
/* Extents, 0 or more; -1 stands for an entry that is written as a dash. */
int arguments_extents(integers *list, const char *option, const char *text);
int arguments_modes(integers *list, const char *text);
/* Words of fit.h. */
int arguments_aligns(integers *list, const char *text);
int arguments_too_longs(integers *list, const char *text);
int arguments_order(int32_t *order, const char *text);
int arguments_type(int32_t *type, const char *text);
/* *threads is NULL before the call; the caller destroys the threads. */
int arguments_threads(tpad_threads **threads, const char *text);

/* Room for `count` entries, all zero. */
int integers_make(integers *list, int32_t count);
void integers_free(integers *list);

#endif
