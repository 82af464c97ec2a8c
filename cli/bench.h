/* How `tensorpad bench` measures.  SPDX-License-Identifier: MIT
 *
 * The clock, the buffers, the statistics and the name of the processor. */
#ifndef TENSORPAD_CLI_BENCH_H
#define TENSORPAD_CLI_BENCH_H

#include <tensorpad/tensorpad.h>

#include "formats/formats.h"
#include "json_writer.h"

enum { BENCH_MOST_TURNS = 10000 };

/* Five numbers of many turns; lower and upper are the quartiles. */
typedef struct bench_spread {
    double least, lower, median, upper, most;
} bench_spread;

/* Seconds of one run and of one memcpy of as many bytes, and how many times longer the run took,
 * turn by turn. */
typedef struct bench_timing {
    bench_spread run, copy, ratio;
} bench_timing;

typedef struct bench_buffers {
    unsigned char *src, *dst; /* of the run */
    unsigned char *from, *to; /* of the memcpy */
    int64_t offset;           /* bytes from these to where all four are used */
} bench_buffers;

/* Memory that was written once, with room for the offset. Returns EXIT_DONE or the status of the
 * error it reported; in both cases bench_buffers_free may follow. */
int bench_buffers_make(bench_buffers *buffers, int64_t in_bytes, int64_t out_bytes, int64_t offset);
void bench_buffers_free(bench_buffers *buffers);

/* `turns`: 1 to BENCH_MOST_TURNS. */
bench_timing bench_measure(const tpad_plan *plan, const bench_buffers *buffers, int64_t out_bytes,
                           int turns);

/* Seconds of one call of `call`, from `turns` rounds of `calls` each. */
bench_spread bench_measure_calls(void (*call)(void *context), void *context, int calls, int turns);

/* The processor's name as the system tells it, or "unknown". */
void bench_cpu_name(char *name, size_t bytes);

/* `tensorpad bench --sweep`. */

typedef struct sweep_options {
    int full;         /* every point, not a sample */
    int turns;        /* 0: as the sweep chooses */
    const char *only; /* points whose words hold this text; NULL: all */
} sweep_options;

/* 1 if the sweep has no point to measure. */
int bench_sweep_is_empty(const sweep_options *options);

/* Measures, then writes a table or, if `out` is not NULL, into its open JSON object. Returns the
 * exit status. */
int bench_sweep(const sweep_options *options, json *out);

/* The picture of `tensorpad bench --plot`.
 *
 * Its words: which machine it is, and what the bars mean. drawing/ draws them. */

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
