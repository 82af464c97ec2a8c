/* Progress on a terminal.  SPDX-License-Identifier: MIT
 *
 * Shown only where somebody looks (standard error is a terminal, no -q, no --json) and only for
 * work that takes longer than a second. It works as a runner around another one: the library cuts
 * the output into parts, and between two of its own the caller's thread has time to say how far it
 * is.
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
    tpad_body body;             /* of the run that is under way, with its user */
    void *user;
    int64_t count;
    atomic_llong done;
    pthread_t caller;
    struct timespec begun;
    int visible; /* something was written that has to be wiped */
} progress;

/* Whether remarks are wanted at all. */
int progress_wanted(int quiet);

/* The runner to hand to the library: one around `threads`, or `threads` itself (which may be NULL)
 * where nobody would see it. The progress may not move until progress_end. */
const tpad_runner *progress_begin(progress *shown, int quiet, const tpad_runner *threads);
void progress_end(progress *shown);

#endif
