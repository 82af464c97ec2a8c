/* Progress on a terminal.  SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "report.h"

enum { PARTS = 256 };

int progress_wanted(int quiet)
{
    return !quiet && !report_is_json() && isatty(STDERR_FILENO);
}

static double seconds_since(const struct timespec *begun)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
}

static int32_t run_parts(void *context, int64_t count, tpad_body body, void *user)
{
    progress *shown = context;
    for (int64_t i = 0; i < count; i++) {
        body(user, i);
        if (seconds_since(&shown->begun) < 1) continue;
        fprintf(stderr, "\rpadding: %3d %%", (int)(100 * (i + 1) / count));
        shown->visible = 1;
    }
    return 0;
}

const tpad_runner *progress_begin(progress *shown, int quiet)
{
    *shown = (progress){.runner = {sizeof(tpad_runner), shown, PARTS, run_parts}};
    clock_gettime(CLOCK_MONOTONIC, &shown->begun);
    return progress_wanted(quiet) ? &shown->runner : NULL;
}

void progress_end(progress *shown)
{
    if (shown->visible) fputs("\r              \r", stderr);
    shown->visible = 0;
}
