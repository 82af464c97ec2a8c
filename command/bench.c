/* How `tensorpad bench` measures.  SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/tensorpad.h>
#include <time.h>

#include "error_report.h"
#include "formats/port/system.h"

/* A turn is one run and one memcpy. Each finds its buffers in the state in which the other's
 * traffic left them: in the caches as far as they fit, but not in the first-level cache as if
 * nothing else ran. (Repeating each until a turn is long would keep outputs of some 100 KB in the
 * second-level cache, where no caller will find them.) Only runs that are short compared with the
 * clock's resolution are repeated. */
enum { SMALL_BYTES = 100000, SMALL_TIMES = 20 };

/* memcpy is called through a pointer in memory, so that no compiler drops a copy that nobody reads.
 */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples. count: at least 1. */
static bench_spread bench_spread_of(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare);
    return (bench_spread){.least = samples[0],
                          .lower = samples[count / 4],
                          .median = samples[count / 2],
                          .upper = samples[count - 1 - count / 4],
                          .most = samples[count - 1]};
}

/* Every buffer begins on a huge page, so that the compared buffers have the same page size. */
static unsigned char *buffer(int64_t bytes, int filler)
{
    return system_large_memory((size_t)bytes, filler);
}

int bench_buffers_make(bench_buffers *buffers, int64_t in_bytes, int64_t out_bytes, int64_t offset)
{
    *buffers = (bench_buffers){.src = buffer(in_bytes + offset, 1),
                               .dst = buffer(out_bytes + offset, 2),
                               .from = buffer(out_bytes + offset, 3),
                               .to = buffer(out_bytes + offset, 4),
                               .offset = offset};
    if (buffers->src && buffers->dst && buffers->from && buffers->to) return EXIT_DONE;
    return report_refusal(TPAD_E_MEMORY, NULL,
                          "bench: no memory for an input of %lld bytes and three times an output "
                          "of %lld; --only TEXT measures fewer workloads",
                          (long long)in_bytes, (long long)out_bytes);
}

void bench_buffers_free(bench_buffers *buffers)
{
    system_free_large(buffers->src);
    system_free_large(buffers->dst);
    system_free_large(buffers->from);
    system_free_large(buffers->to);
    *buffers = (bench_buffers){0};
}

static double time_runs(const tpad_plan *plan, const bench_buffers *buffers, int times)
{
    const double start = now();
    const int64_t at = buffers->offset;
    for (int k = 0; k < times; k++) tpad_run(plan, buffers->src + at, buffers->dst + at, NULL);
    return (now() - start) / times;
}

static double time_copies(const bench_buffers *buffers, size_t bytes, int times)
{
    const double start = now();
    const int64_t at = buffers->offset;
    for (int k = 0; k < times; k++) copy_bytes(buffers->to + at, buffers->from + at, bytes);
    return (now() - start) / times;
}

bench_timing bench_measure(const tpad_plan *plan, const bench_buffers *buffers, int64_t out_bytes,
                           int turns)
{
    static double run[BENCH_MOST_TURNS], copy[BENCH_MOST_TURNS], ratio[BENCH_MOST_TURNS];
    const int times = out_bytes < SMALL_BYTES ? SMALL_TIMES : 1;
    const size_t bytes = (size_t)out_bytes;
    time_runs(plan, buffers, 1);
    time_copies(buffers, bytes, 1);
    for (int i = 0; i < turns; i++) {
        /* Run and memcpy go first alternately, because the one that goes first finds its buffers
         * colder. */
        if (i % 2 == 0) run[i] = time_runs(plan, buffers, times);
        copy[i] = time_copies(buffers, bytes, times);
        if (i % 2 == 1) run[i] = time_runs(plan, buffers, times);
        ratio[i] = run[i] / copy[i];
    }
    return (bench_timing){bench_spread_of(run, turns), bench_spread_of(copy, turns),
                          bench_spread_of(ratio, turns)};
}

bench_spread bench_measure_calls(void (*call)(void *context), void *context, int calls, int turns)
{
    static double seconds[BENCH_MOST_TURNS];
    call(context);
    for (int i = 0; i < turns; i++) {
        const double start = now();
        for (int k = 0; k < calls; k++) call(context);
        seconds[i] = (now() - start) / calls;
    }
    return bench_spread_of(seconds, turns);
}

void bench_cpu_name(char *name, size_t bytes)
{
    static const char label[] = "model name";
    char line[256];
    snprintf(name, bytes, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) return;
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, label, strlen(label)) != 0 || colon == NULL) continue;
        colon += 1 + strspn(colon + 1, " ");
        snprintf(name, bytes, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    fclose(file);
}
