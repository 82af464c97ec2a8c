/* The command's errors and its exit status. SPDX-License-Identifier: MIT
 *
 * An error is one line, or with --json one object on one line. Every function that reports returns
 * the matching exit status. Several threads may report at once. */
#ifndef TENSORPAD_COMMAND_ERROR_REPORT_H
#define TENSORPAD_COMMAND_ERROR_REPORT_H

#include <stdio.h>

#include "formats/formats.h"

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,   /* the system refused: reading, writing, memory, an output that exists */
    EXIT_USAGE = 2,    /* wrong arguments, whatever the files hold */
    EXIT_REFUSED = 3,  /* a bad file or model, or what the specification does not allow */
    EXIT_FINDINGS = 4, /* check: some verdict is at or above the one that --fail-on names */
};

/* wanted 1: from now on errors are JSON objects; nothing else is written to standard error. */
void report_as_json(int wanted);
int report_is_json(void);

/* Makes report_usage blame this line of a file, with status EXIT_REFUSED, until called with
 * NULL. */
void report_words_of(const char *file, long line);

int report_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports an error of models, whose text names the file. node: the node given by name, or NULL. */
int report_io(const tpad_io_error *error, const char *file, const char *node);
/* Reports an error of the core or of src/specs, which do not know files. about: starts the line. */
int report_core(const tpad_error *error, const char *about);
/* The same with a complete text. file: that of the error, or NULL. */
int report_numbers(const tpad_error *error, const char *file, const char *text);
/* Reports an error found by the command itself; the text is complete. */
int report_refusal(int32_t code, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports that this build reads no models. */
int report_without_checker(void);

/* Replaces the line of progress on the terminal; NULL removes it. Errors reported meanwhile get
 * lines of their own. */
void report_progress(const char *line);

/* Writes text from files or the command line, escaped by tpad_printable_next: it stays on one line
 * and cannot control the terminal. */
void write_plain(FILE *out, const char *text);

/* Called at the end by code that wrote to standard output. EXIT_DONE if everything was written. */
int report_stdout_end(void);

#endif
