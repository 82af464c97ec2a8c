/* `tensorpad bench --sweep`.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_BENCH_SWEEP_H
#define TENSORPAD_CLI_BENCH_SWEEP_H

#include "json_writer.h"

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

#endif
