/* How long a run takes, divided by the time of a memcpy of its output, measured in turns in one process.
 * SPDX-License-Identifier: MIT
 *
 * One thread, warm buffers, median of many turns. No figure is asserted anywhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/tensorpad.h>
#include <time.h>

enum { MOST_TURNS = 201, RANK = 4 };

typedef struct workload {
    const char *name;
    int32_t elem_bits;
    int32_t mode;
    int64_t shape[RANK], before[RANK], after[RANK], interior[RANK];
} workload;

static const workload workloads[] = {
    /* long rows */
    {"f32 [1,64,112,112] H,W 1 constant",
     32,
     TPAD_CONSTANT,
     {1, 64, 112, 112},
     {0, 0, 1, 1},
     {0, 0, 1, 1},
     {0}},
    {"f32 [8,64,112,112] H,W 1 reflect",
     32,
     TPAD_REFLECT,
     {8, 64, 112, 112},
     {0, 0, 1, 1},
     {0, 0, 1, 1},
     {0}},
    {"f32 [1,224,224,3] H,W 3 constant",
     32,
     TPAD_CONSTANT,
     {1, 224, 224, 3},
     {0, 3, 3, 0},
     {0, 3, 3, 0},
     {0}},
    {"u8 [1080,1920,3] crop to 1024x960",
     8,
     TPAD_CONSTANT,
     {1, 1080, 1920, 3},
     {0, -28, -480, 0},
     {0, -28, -480, 0},
     {0}},
    {"i64 [64,500] -> [64,512]", 64, TPAD_CONSTANT, {1, 1, 64, 500}, {0}, {0, 0, 0, 12}, {0}},
    {"f16 [32,8,1000,128] axis 2 + 24",
     16,
     TPAD_CONSTANT,
     {32, 8, 1000, 128},
     {0},
     {0, 0, 24, 0},
     {0}},
    {"f32 [1,480000] 200,200 reflect",
     32,
     TPAD_REFLECT,
     {1, 1, 1, 480000},
     {0, 0, 0, 200},
     {0, 0, 0, 200},
     {0}},
    {"f64 [720,1440] last axis 2 wrap",
     64,
     TPAD_WRAP,
     {1, 1, 720, 1440},
     {0, 0, 0, 2},
     {0, 0, 0, 2},
     {0}},
    {"f32 [1,128,512,512] H,W 1",
     32,
     TPAD_CONSTANT,
     {1, 128, 512, 512},
     {0, 0, 1, 1},
     {0, 0, 1, 1},
     {0}},
    {"u8 [16M] 8,8 edge", 8, TPAD_EDGE, {1, 1, 1, 1 << 24}, {0, 0, 0, 8}, {0, 0, 0, 8}, {0}},
    /* short and irregular rows */
    {"f32 [1,256,14,14] H,W 1 constant",
     32,
     TPAD_CONSTANT,
     {1, 256, 14, 14},
     {0, 0, 1, 1},
     {0, 0, 1, 1},
     {0}},
    {"f32 [8,512,7,7] H,W 1 reflect",
     32,
     TPAD_REFLECT,
     {8, 512, 7, 7},
     {0, 0, 1, 1},
     {0, 0, 1, 1},
     {0}},
    {"f32 [64,64,3,3] last two 1 constant",
     32,
     TPAD_CONSTANT,
     {64, 64, 3, 3},
     {0, 0, 1, 1},
     {0, 0, 1, 1},
     {0}},
    {"u8 [1,224,224,3] channels 3 -> 4",
     8,
     TPAD_CONSTANT,
     {1, 224, 224, 3},
     {0},
     {0, 0, 0, 1},
     {0}},
    {"f32 [100000,2] last axis 1,1 reflect",
     32,
     TPAD_REFLECT,
     {1, 1, 100000, 2},
     {0, 0, 0, 1},
     {0, 0, 0, 1},
     {0}},
    {"f32 [1,64,56,56] interior 1, H,W 1",
     32,
     TPAD_CONSTANT,
     {1, 64, 56, 56},
     {0, 0, 1, 1},
     {0, 0, 1, 1},
     {0, 0, 1, 1}},
};

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

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

/* Every buffer begins on a huge page, so that page sizes do not differ between what is compared. */
static unsigned char *buffer(size_t bytes, int filler)
{
    enum { HUGE_PAGE = 1 << 21 };
    unsigned char *memory =
        aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    if (memory) memset(memory, filler, bytes);
    return memory;
}

static int measure(const workload *w)
{
    static double padding[MOST_TURNS], copying[MOST_TURNS];
    tpad_axis axes[RANK];
    int64_t in_bytes = w->elem_bits / 8, out_bytes;
    for (int i = 0; i < RANK; i++) {
        axes[i] = (tpad_axis){.in_extent = w->shape[i],
                              .before = w->before[i],
                              .after = w->after[i],
                              .interior = w->interior[i],
                              .mode = w->mode};
        in_bytes *= w->shape[i];
    }
    const tpad_problem problem = TPAD_PROBLEM(w->elem_bits, RANK, axes);
    tpad_plan plan;
    if (tpad_shape(&problem, NULL, NULL, &out_bytes, NULL) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK)
        return 1;
    const size_t bytes = (size_t)out_bytes;
    unsigned char *src = buffer((size_t)in_bytes, 1), *dst = buffer(bytes, 2);
    unsigned char *from = buffer(bytes, 3), *to = buffer(bytes, 4);
    if (!src || !dst || !from || !to) return 1;

    const int turns = bytes > 20000000 ? 21 : MOST_TURNS, repeats = bytes < 100000 ? 20 : 1;
    for (int turn = 0; turn < turns; turn++) {
        const double start = now();
        for (int k = 0; k < repeats; k++) tpad_run(&plan, src, dst, NULL);
        const double middle = now();
        for (int k = 0; k < repeats; k++) memcpy(to, from, bytes);
        padding[turn] = (middle - start) / repeats;
        copying[turn] = (now() - middle) / repeats;
    }
    const double pad = median(padding, turns), copy = median(copying, turns);
    printf("%-38s %10.1f us %10.1f us %7.2f\n", w->name, pad * 1e6, copy * 1e6, pad / copy);
    free(src);
    free(dst);
    free(from);
    free(to);
    return 0;
}

int main(void)
{
    printf("%-38s %13s %13s %7s\n", "workload", "pad", "memcpy", "ratio");
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
        if (measure(&workloads[i])) return 1;
    return 0;
}
