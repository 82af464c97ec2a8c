/* Launches as functions of C. SPDX-License-Identifier: MIT */
#include "launches.h"

const char *launches_open(void)
{
    return "C";
}

bool launch_run(const tpad_gpu_launch *launch, const void *src, void *dst, const void *fill)
{
    static void (*const runs[])(const void *, void *, const void *, const void *, uint64_t) = {
#define RUN(number) run_##number,
        EACH_KERNEL(RUN)
#undef RUN
    };
    if (launch->blocks == 0) return true;
    const int32_t number = launch->number;
    kernel_runs[number]++;
    runs[number](src, dst, launch->reads_fill ? fill : NULL, launch->params,
                 (uint64_t)launch->blocks * TPAD_GPU_THREADS);
    return true;
}
