/* Progress on a terminal.  SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>

#include "error_report.h"
#include "port/system.h"

enum { PARTS = 256, LINE_BYTES = 80 };

static const double first_after = 1, next_after = 0.05; /* seconds */

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

static void run_part(void *context, int64_t index)
{
    progress *shown = context;
    shown->body(shown->user, index);
    const long long done = atomic_fetch_add(&shown->done, 1) + 1;
    /* Only the caller's thread writes, so that the figures never decrease. */
    if (!pthread_equal(pthread_self(), shown->caller)) return;
    const double now = seconds_since(&shown->begun);
    if (now < first_after || now < shown->told + next_after) return;
    char line[LINE_BYTES];
    if (shown->unit)
        snprintf(line, sizeof line, "padding: %lld of %lld %s", done, (long long)shown->count,
                 shown->unit);
    else
        snprintf(line, sizeof line, "padding: %3d %%", (int)(100 * done / shown->count));
    report_progress(line);
    shown->told = now;
}

static int32_t run_parts(void *context, int64_t count, tpad_body body, void *user)
{
    progress *shown = context;
    shown->body = body;
    shown->user = user;
    shown->count = count;
    atomic_store(&shown->done, 0);
    if (shown->threads) return shown->threads->run(shown->threads->context, count, run_part, shown);
    for (int64_t i = 0; i < count; i++) run_part(shown, i);
    return 0;
}

const tpad_runner *progress_begin_counting(progress *shown, int quiet, const tpad_runner *threads,
                                           const char *unit)
{
    *shown = (progress){.runner = {sizeof(tpad_runner), shown, PARTS, run_parts},
                        .threads = threads,
                        .caller = pthread_self(),
                        .unit = unit};
    clock_gettime(CLOCK_MONOTONIC, &shown->begun);
    return progress_wanted(quiet) ? &shown->runner : threads;
}

const tpad_runner *progress_begin(progress *shown, int quiet, const tpad_runner *threads)
{
    return progress_begin_counting(shown, quiet, threads, NULL);
}

void progress_end(progress *shown)
{
    if (shown->told > 0) report_progress(NULL);
    shown->told = 0;
}
