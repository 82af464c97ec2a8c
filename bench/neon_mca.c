/* Problems whose instructions are counted for 64-bit ARM.  SPDX-License-Identifier: MIT
 *
 * Owns which problems these are, and one function that does nothing but run one of them, `counted`,
 * between whose first and last instruction bench/neon_mca.py counts. Usage: neon_mca NUMBER; prints
 * the problem's name, the kernels and the bytes of the output, a line each. Number 0 is a memcpy.
 * Status 3: there is no such number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads.h"

enum { ALIGNMENT = 4096, COPIED_BYTES = 65536 };

#define F32 "float32", 32
#define U8  "uint8", 8

/* First one problem for each scheme of the kernels, then some of the published workloads, of which
 * an outer axis is cut so that counting takes a moment: it is repeated work that goes. */
/* clang-format off */
static const workload problems[] = {
    {"f32 [1000,2] -> [1000,4] constant", NULL, F32, TPAD_CONSTANT,
     2, {1000, 2}, {0, 1}, {0, 1}, {0}},
    {"f32 [1000,6] -> [1000,8] constant", NULL, F32, TPAD_CONSTANT,
     2, {1000, 6}, {0, 1}, {0, 1}, {0}},
    {"f32 [1000,10] -> [1000,12] constant", NULL, F32, TPAD_CONSTANT,
     2, {1000, 10}, {0, 1}, {0, 1}, {0}},
    {"f32 [1000,2,2] H,W 1 reflect", NULL, F32, TPAD_REFLECT,
     3, {1000, 2, 2}, {0, 1, 1}, {0, 1, 1}, {0}},
    {"f32 [1000,16] -> [1000,19] reflect", NULL, F32, TPAD_REFLECT,
     2, {1000, 16}, {0, 1}, {0, 2}, {0}},
    {"f32 [256,56] -> [256,58] edge", NULL, F32, TPAD_EDGE,
     2, {256, 56}, {0, 1}, {0, 1}, {0}},
    {"f32 [64,300] -> [64,380] reflect", NULL, F32, TPAD_REFLECT,
     2, {64, 300}, {0, 40}, {0, 40}, {0}},
    {"f32 [8,512,7,7] H,W 1 reflect", NULL, F32, TPAD_REFLECT,
     4, {1, 128, 7, 7}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}},
    {"f32 [1,256,14,14] H,W 1 constant", NULL, F32, TPAD_CONSTANT,
     4, {1, 64, 14, 14}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}},
    {"f32 [1,64,56,56] H,W 1 wrap", NULL, F32, TPAD_WRAP,
     4, {1, 4, 56, 56}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}},
    {"u8 [1,224,224,3] channels 3 -> 4", NULL, U8, TPAD_CONSTANT,
     4, {1, 64, 224, 3}, {0}, {0, 0, 0, 1}, {0}},
    {"u8 [224,224,3] H,W 3 reflect", NULL, U8, TPAD_REFLECT,
     3, {64, 224, 3}, {3, 3}, {3, 3}, {0}},
    {"f32 [100000,2] last axis 1,1 reflect", NULL, F32, TPAD_REFLECT,
     2, {4000, 2}, {0, 1}, {0, 1}, {0}},
    {"f32 [64,64,3,3] last two 1 constant", NULL, F32, TPAD_CONSTANT,
     4, {8, 64, 3, 3}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}},
    {"f32 [1,64,56,56] interior 1, H,W 1", NULL, F32, TPAD_CONSTANT,
     4, {1, 2, 56, 56}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}},
};
/* clang-format on */
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

/* Not static, so that they keep their names; never inlined. What is counted is one call. What is
 * called must not be the last thing, or it would be a jump and no call. */
static volatile int is_done;
void counted(const tpad_plan *plan, const void *src, void *dst);
void counted_copy(void *dst, const void *src, size_t bytes);

__attribute__((noinline)) void counted(const tpad_plan *plan, const void *src, void *dst)
{
    tpad_run(plan, src, dst, NULL);
    is_done = 1;
}

__attribute__((noinline)) void counted_copy(void *dst, const void *src, size_t bytes)
{
    memcpy(dst, src, bytes);
    is_done = 1;
}

int main(int argc, char **argv)
{
    const int number = argc == 2 ? atoi(argv[1]) : -1;
    if (number < 0 || number > PROBLEMS) return 3;
    if (number == 0) {
        static unsigned char from[COPIED_BYTES], to[COPIED_BYTES];
        counted_copy(to, from, sizeof to);
        printf("memcpy\nlibc\n%d\n", COPIED_BYTES);
        return 0;
    }

    const workload *w = &problems[number - 1];
    tpad_axis axes[WORKLOAD_RANK];
    const tpad_problem problem = workload_problem(w, axes);
    tpad_plan plan;
    int64_t out_bytes;
    char kernels[256];
    if (tpad_shape(&problem, NULL, NULL, &out_bytes, NULL) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK)
        return 1;
    const size_t in_room = ((size_t)workload_in_bytes(w) / ALIGNMENT + 1) * ALIGNMENT;
    const size_t out_room = ((size_t)out_bytes / ALIGNMENT + 1) * ALIGNMENT;
    void *src = aligned_alloc(ALIGNMENT, in_room), *dst = aligned_alloc(ALIGNMENT, out_room);
    if (!src || !dst) return 1;
    memset(src, 1, in_room);
    counted(&plan, src, dst);
    workload_kernels(&plan, kernels, sizeof kernels);
    printf("%s\n%s\n%lld\n", w->name, kernels, (long long)out_bytes);
    free(src);
    free(dst);
    return 0;
}
