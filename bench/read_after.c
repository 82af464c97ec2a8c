/* A run whose output is read straight afterwards.  SPDX-License-Identifier: MIT
 *
 * Shows what TPAD_OUT_READ_SOON and TPAD_OUT_READ_LATE are good for. A turn is a run and then a
 * reader that sums the output, as words of 64 bits; it is divided by a memcpy of the output's size
 * and the same reader. `run` is the ratio of the run and the memcpy alone in the same turns, `both`
 * with their readers. Usage: read_after [TURNS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tensorpad/tensorpad.h>
#include <time.h>

enum { MOST_TURNS = 1000, HUGE_PAGE = 1 << 21, FLAGS = 3 };

static const int32_t flags[FLAGS] = {0, TPAD_OUT_READ_SOON, TPAD_OUT_READ_LATE};

static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;
static volatile uint64_t seen; /* keeps the sum alive */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void read_all(const uint64_t *words, size_t bytes)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes / sizeof *words; i++) sum += words[i];
    seen = sum;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct ratios {
    double lower, median, upper;
} ratios;

static ratios ratios_of(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare);
    return (ratios){samples[count / 4], samples[count / 2], samples[count - 1 - count / 4]};
}

static void *buffer(size_t bytes)
{
    const size_t whole = (bytes / HUGE_PAGE + 1) * HUGE_PAGE;
    void *memory = aligned_alloc(HUGE_PAGE, whole);
    if (memory == NULL) {
        fprintf(stderr, "read_after: no memory for %zu bytes\n", whole);
        exit(1);
    }
    (void)madvise(memory, whole, MADV_HUGEPAGE);
    memset(memory, 1, whole);
    return memory;
}

/* Planes of 64 rows: each row has `cells` floats, padded by one on each side like an H,W pad. */
static void measure(int64_t cells, int64_t wanted_bytes, int turns)
{
    static double run[FLAGS][MOST_TURNS], both[FLAGS][MOST_TURNS];
    const int64_t planes = wanted_bytes / ((cells + 2) * 4 * 66);
    const tpad_axis axes[] = {{.in_extent = planes},
                              {.in_extent = 64, .before = 1, .after = 1},
                              {.in_extent = cells, .before = 1, .after = 1}};
    tpad_plan plans[FLAGS];
    const size_t in_bytes = (size_t)(planes * 64 * cells * 4);
    const size_t bytes = (size_t)(planes * 66 * (cells + 2) * 4);
    void *src = buffer(in_bytes), *from = buffer(bytes);
    void *blocks[2] = {buffer(bytes), buffer(bytes)};
    for (int f = 0; f < FLAGS; f++) {
        tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
        problem.flags = flags[f];
        if (tpad_plan_init(&plans[f], sizeof plans[f], &problem, NULL) != TPAD_OK) exit(1);
    }
    for (int turn = -1; turn < turns; turn++) {
        for (int k = 0; k < FLAGS; k++) {
            const int f = (k + turn + 1) % FLAGS, at = turn < 0 ? 0 : turn;
            /* Each side has each block in turn: where a block lies in memory changes its speed. */
            void *dst = blocks[turn & 1], *to = blocks[~turn & 1];
            const double t0 = now();
            tpad_run(&plans[f], src, dst, NULL);
            const double t1 = now();
            read_all(dst, bytes);
            const double t2 = now();
            copy_bytes(to, from, bytes);
            const double t3 = now();
            read_all(to, bytes);
            const double t4 = now();
            run[f][at] = (t1 - t0) / (t3 - t2);
            both[f][at] = (t2 - t0) / (t4 - t2);
        }
    }
    printf("| %" PRId64 " | %.1f |", (cells + 2) * 4, (double)bytes / 1e6);
    for (int f = 0; f < FLAGS; f++) {
        const ratios r = ratios_of(run[f], turns), b = ratios_of(both[f], turns);
        printf(" %.2f | %.2f (%.2f..%.2f) |", r.median, b.median, b.lower, b.upper);
    }
    printf("\n");
    fflush(stdout);
    free(src);
    free(from);
    free(blocks[0]);
    free(blocks[1]);
}

int main(int argc, char **argv)
{
    static const int64_t cells[] = {112, 510};
    static const int64_t megabytes[] = {2, 4, 8, 13, 16, 20, 27, 40, 67, 100, 135};
    const int turns = argc > 1 ? atoi(argv[1]) : 21;
    if (turns < 1 || turns > MOST_TURNS) {
        fprintf(stderr, "usage: read_after [TURNS]    1 to %d\n", MOST_TURNS);
        return 2;
    }
    printf("kernels: %s; ratio to a memcpy (and the same reader), %d turns, one thread\n\n",
           tpad_kernels_name(), turns);
    printf("| bytes of a row | MB | no flag: run | run and reader | READ_SOON: run | "
           "run and reader | READ_LATE: run | run and reader |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++)
        for (size_t m = 0; m < sizeof megabytes / sizeof megabytes[0]; m++)
            measure(cells[c], megabytes[m] * 1000000, turns);
    return 0;
}
