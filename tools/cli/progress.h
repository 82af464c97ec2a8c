/* Progress on a terminal.  SPDX-License-Identifier: MIT
 *
 * It is shown only if standard error is a terminal, without -q and --json, and only for work that
 * takes longer than a second. It is a runner around another runner: the work is cut into parts, and
 * the caller's thread shows the progress between two of its own parts.
 */
#ifndef TENSORPAD_CLI_PROGRESS_H
#define TENSORPAD_CLI_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <tensorpad/tensorpad.h>
#include <time.h>

typedef struct progress {
    tpad_runner runner;
    const tpad_runner *threads; /* who does the work; NULL: the caller's thread */
    tpad_body body;             /* of the current run, with its user */
    void *user;
    int64_t count;
    atomic_llong done;
    pthread_t caller;
    struct timespec begun;
    double told;      /* when the progress was shown, in seconds from the beginning */
    const char *unit; /* what the parts are, "files"; NULL: no matter, percents are shown */
} progress;

/* 1 if remarks are to be shown. */
int progress_wanted(int quiet);

/* The runner for the library: one around `threads`, or `threads` itself (which may be NULL) if
 * nobody would see the progress. `shown` may not be moved until progress_end. */
const tpad_runner *progress_begin(progress *shown, int quiet, const tpad_runner *threads);
/* The same, where each part of the work is a thing that a user counts: "files". */
const tpad_runner *progress_begin_counting(progress *shown, int quiet, const tpad_runner *threads,
                                           const char *unit);
void progress_end(progress *shown);

#endif
