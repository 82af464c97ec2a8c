/* Progress on a terminal.  SPDX-License-Identifier: MIT
 *
 * Shown only where somebody looks (standard error is a terminal, no -q, no --json) and only for
 * work that takes longer than a second. It works as a runner on the caller's own thread: the
 * library cuts the output into parts, and between two parts there is time to say how far it is.
 */
#ifndef TENSORPAD_CLI_PROGRESS_H
#define TENSORPAD_CLI_PROGRESS_H

#include <tensorpad/tensorpad.h>
#include <time.h>

typedef struct progress {
    tpad_runner runner;
    struct timespec begun;
    int visible; /* something was written that has to be wiped */
} progress;

/* Whether remarks are wanted at all. */
int progress_wanted(int quiet);

/* The runner to hand to the library, or NULL (run at once) where nobody would see it. The progress
 * may not move until progress_end. */
const tpad_runner *progress_begin(progress *shown, int quiet);
void progress_end(progress *shown);

#endif
