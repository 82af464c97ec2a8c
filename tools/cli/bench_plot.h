/* The picture of `tensorpad bench --plot`.  SPDX-License-Identifier: MIT
 *
 * Owns its words: which machine it is, and what the bars mean. drawing/ draws them.
 */
#ifndef TENSORPAD_CLI_BENCH_PLOT_H
#define TENSORPAD_CLI_BENCH_PLOT_H

#include "bench_measure.h"
#include "formats/formats.h"

/* One workload: a few words, and its ratio to memcpy. */
typedef struct bench_bar {
    const char *label;
    bench_spread ratio;
} bench_bar;

/* More workloads than this are not drawn. */
enum { BENCH_MOST_BARS = 64 };

/* Of the medians. count: at least 1. */
double bench_geometric_mean(const bench_bar *bars, int count);

/* Draws the bars into an output that was begun without an array, and commits it. cpu may hold any
 * bytes; path is named in errors, and its ending says in which form. count: 1 to BENCH_MOST_BARS.
 * Returns EXIT_DONE, or the status of the error that it reported; then there is no file. */
int bench_plot_commit(tpad_output *picture, const char *path, const char *cpu,
                      const bench_bar *bars, int count);

#endif
