/* The workloads that speed is measured with.  SPDX-License-Identifier: MIT */
#include "workloads.h"

#include <stdio.h>
#include <string.h>

#define F16 "float16", 16
#define F32 "float32", 32
#define F64 "float64", 64
#define I64 "int64", 64
#define U8  "uint8", 8

/* name, type, mode, rank, shape, begin, end, interior, offset; where begin, end or interior
 * end early the rest is 0. The order is that of the published table. */
/* clang-format off */
static const workload workloads[] = {
    {"f32 [1,64,112,112] H,W 1 constant", F32, TPAD_CONSTANT,
     4, {1, 64, 112, 112}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [1,256,14,14] H,W 1 constant", F32, TPAD_CONSTANT,
     4, {1, 256, 14, 14}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [8,512,7,7] H,W 1 reflect", F32, TPAD_REFLECT,
     4, {8, 512, 7, 7}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [1,64,56,56] H,W 1 edge", F32, TPAD_EDGE,
     4, {1, 64, 56, 56}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [1,64,56,56] H,W 1 wrap", F32, TPAD_WRAP,
     4, {1, 64, 56, 56}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [8,64,112,112] H,W 1 reflect", F32, TPAD_REFLECT,
     4, {8, 64, 112, 112}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [64,64,3,3] last two 1 constant", F32, TPAD_CONSTANT,
     4, {64, 64, 3, 3}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [1,224,224,3] H,W 3 constant", F32, TPAD_CONSTANT,
     4, {1, 224, 224, 3}, {0, 3, 3}, {0, 3, 3}, {0}, 0},
    {"u8 [224,224,3] H,W 3 reflect", U8, TPAD_REFLECT,
     3, {224, 224, 3}, {3, 3}, {3, 3}, {0}, 0},
    {"u8 [1080,1920,3] H,W 16 symmetric", U8, TPAD_SYMMETRIC,
     3, {1080, 1920, 3}, {16, 16}, {16, 16}, {0}, 0},
    {"u8 [1,224,224,3] channels 3 -> 4", U8, TPAD_CONSTANT,
     4, {1, 224, 224, 3}, {0}, {0, 0, 0, 1}, {0}, 0},
    {"f32 [1,224,224,3] channels 3 -> 4", F32, TPAD_CONSTANT,
     4, {1, 224, 224, 3}, {0}, {0, 0, 0, 1}, {0}, 0},
    {"u8 [1080,1920,3] crop to 1024x960", U8, TPAD_CONSTANT,
     3, {1080, 1920, 3}, {-28, -480}, {-28, -480}, {0}, 0},
    {"f32 [100000,2] last axis 1,1 constant", F32, TPAD_CONSTANT,
     2, {100000, 2}, {0, 1}, {0, 1}, {0}, 0},
    {"f32 [100000,2] last axis 1,1 reflect", F32, TPAD_REFLECT,
     2, {100000, 2}, {0, 1}, {0, 1}, {0}, 0},
    {"u8 [100000,2] last axis 1,1 edge", U8, TPAD_EDGE,
     2, {100000, 2}, {0, 1}, {0, 1}, {0}, 0},
    {"i64 [64,500] -> [64,512]", I64, TPAD_CONSTANT,
     2, {64, 500}, {0}, {0, 12}, {0}, 0},
    {"f16 [32,8,1000,128] axis 2 + 24", F16, TPAD_CONSTANT,
     4, {32, 8, 1000, 128}, {0}, {0, 0, 24}, {0}, 0},
    {"f16 [1,64,112,112] H,W 1 constant", F16, TPAD_CONSTANT,
     4, {1, 64, 112, 112}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [1,480000] 200,200 reflect", F32, TPAD_REFLECT,
     2, {1, 480000}, {0, 200}, {0, 200}, {0}, 0},
    {"f32 [64,64,64] 2 all round reflect", F32, TPAD_REFLECT,
     3, {64, 64, 64}, {2, 2, 2}, {2, 2, 2}, {0}, 0},
    {"f64 [720,1440] last axis 2 wrap", F64, TPAD_WRAP,
     2, {720, 1440}, {0, 2}, {0, 2}, {0}, 0},
    {"f32 [1,128,512,512] H,W 1 (135 MB)", F32, TPAD_CONSTANT,
     4, {1, 128, 512, 512}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0}, 0},
    {"f32 [1,64,56,56] interior 1, H,W 1", F32, TPAD_CONSTANT,
     4, {1, 64, 56, 56}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}, 0},
    {"f32 [512,512,3] H,W 32 edge", F32, TPAD_EDGE,
     3, {512, 512, 3}, {32, 32}, {32, 32}, {0}, 0},
    {"f32 [64,56,56] H,W 1 edge at 16", F32, TPAD_EDGE,
     3, {64, 56, 56}, {0, 1, 1}, {0, 1, 1}, {0}, 16},
};
/* clang-format on */

const workload *workload_at(int index)
{
    const int count = sizeof workloads / sizeof workloads[0];
    return index >= 0 && index < count ? &workloads[index] : NULL;
}

tpad_problem workload_problem(const workload *w, tpad_axis *axes)
{
    for (int32_t i = 0; i < w->rank; i++)
        axes[i] = (tpad_axis){.in_extent = w->shape[i],
                              .before = w->begin[i],
                              .after = w->end[i],
                              .interior = w->interior[i],
                              .mode = w->mode};
    return (tpad_problem)TPAD_PROBLEM(w->elem_bits, w->rank, axes);
}

int64_t workload_in_bytes(const workload *w)
{
    int64_t bytes = w->elem_bits / 8;
    for (int32_t i = 0; i < w->rank; i++) bytes *= w->shape[i];
    return bytes;
}

void workload_kernels(const tpad_plan *plan, char *name, size_t bytes)
{
#if defined(TPAD_SMALL)
    (void)plan;
    snprintf(name, bytes, "small build");
#else
    static const char label[] = "kernels: ";
    char text[8192];
    tpad_plan_describe(plan, text, sizeof text);
    const char *found = strstr(text, label);
    found = found ? found + strlen(label) : "unknown";
    snprintf(name, bytes, "%.*s", (int)strcspn(found, "\n"), found);
#endif
}
