/* Output files, which leave no temporary file behind. SPDX-License-Identifier: MIT
 *
 * Wraps tpad_output so that its temporary file is also removed when a signal ends the process;
 * installs the signal handlers. Refuses outputs that are inputs. Several threads may have outputs
 * at once. */
#ifndef TENSORPAD_COMMAND_OUTPUT_H
#define TENSORPAD_COMMAND_OUTPUT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <tensorpad/tensorpad.h>
#include <time.h>

#include "drawing/drawing.h"
#include "formats/formats.h"

/* Called once, at the start. SIGINT, SIGTERM and SIGHUP then remove temporary files before they end
 * the process in their usual way. A full pipe, disk or file size limit becomes an error of the
 * write, not a signal. */
void outputs_handle_signals(void);

/* The same as the functions of formats/formats.h. */
int32_t outputs_begin(tpad_output **output, const char *path, const tpad_tensor *like,
                      int32_t overwrite, tpad_io_error *error);
int32_t outputs_commit(tpad_output *output, tpad_io_error *error);
void outputs_discard(tpad_output *output);

/* Writes a whole file of text. Returns EXIT_DONE, or the status of the error that it reported. */
int outputs_text(const char *path, int32_t overwrite, const char *text, size_t bytes);

/* These return EXIT_DONE, or the status of the error that they reported: an output that is an
 * input, ... */
int outputs_check_input(const char *out, const char *in);
/* ... two outputs with one name, ... */
int outputs_check_pair(const char *one, const char *other);
/* ... or array bytes that would go to a terminal. */
int outputs_check_terminal(const char *out);

/* On a terminal and without -q: "out.npy: float [3,4]" and, if `was` is given, its shape. */
void outputs_remark(int quiet, const char *path, const tpad_tensor *like, const tpad_tensor *was);

/* Pictures in files, and their texts. */

/* Refuses a name that does not end in .svg. These functions return EXIT_DONE, or the status of the
 * error that they reported. */
int picture_check_name(const char *path);

/* Writes the drawing as SVG into an output begun without an array, and commits it. Frees the
 * drawing. After an error there is no file. */
int picture_commit(tpad_output *output, const char *path, tpad_drawing *drawing);

/* Appends text from a file or the system, escaped by tpad_printable_next, as far as it fits. */
void picture_text_add(char *text, size_t bytes, const char *more);

/* Progress on a terminal.
 *
 * Shown only if standard error is a terminal, without -q and --json, and only for work longer than
 * a second. It is a runner around another runner: the work is cut into parts, and the caller's
 * thread shows the progress between its own parts. */

typedef struct progress {
    tpad_runner runner;
    const tpad_runner *threads; /* does the work; NULL: the caller's thread */
    tpad_body body;             /* of the current run, and its user */
    void *user;
    int64_t count;
    atomic_llong done;
    pthread_t caller;
    struct timespec begun;
    double told;      /* time of the last line, in seconds since `begun` */
    const char *unit; /* of the parts, "files"; NULL: percents are shown */
} progress;

/* 1 if remarks are shown. */
int progress_wanted(int quiet);

/* The runner for the library: one around `threads`, or `threads` itself (may be NULL) if progress
 * is not shown. `shown` may not be moved until progress_end. */
const tpad_runner *progress_begin(progress *shown, int quiet, const tpad_runner *threads);
/* The same, counting parts of a unit: "files". */
const tpad_runner *progress_begin_counting(progress *shown, int quiet, const tpad_runner *threads,
                                           const char *unit);
void progress_end(progress *shown);

#endif
