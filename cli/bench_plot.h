/* The picture of `tensorpad bench --plot`.  SPDX-License-Identifier: MIT
 *
 * Owns how ratios are drawn: an SVG 1.1 document with one horizontal bar for each workload, and a
 * line where the ratio is 1. Does not know how they were measured.
 */
#ifndef TENSORPAD_CLI_BENCH_PLOT_H
#define TENSORPAD_CLI_BENCH_PLOT_H

#include "bench_measure.h"
#include "models/models.h"

/* One workload: a few words, and its ratio to memcpy. */
typedef struct bench_bar {
    const char *label;
    bench_spread ratio;
} bench_bar;

/* Of the medians. count: at least 1. */
double bench_geometric_mean(const bench_bar *bars, int count);

/* Draws the bars into an output that was begun without an array, and commits it. cpu may hold any
 * bytes; path is named in errors. Returns EXIT_DONE, or the status of the error that it reported;
 * then there is no file. */
int bench_plot_commit(tpad_output *picture, const char *path, const char *cpu,
                      const bench_bar *bars, int count);

#endif
