/* How `tensorpad bench` measures.  SPDX-License-Identifier: MIT
 *
 * The clock, the buffers, the statistics and the name of the processor. */
#ifndef TENSORPAD_COMMAND_BENCH_H
#define TENSORPAD_COMMAND_BENCH_H

#include <tensorpad/tensorpad.h>

enum { BENCH_MOST_TURNS = 201 };

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

#endif
