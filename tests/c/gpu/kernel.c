/* One kernel as functions of C, compiled once for each TPAD_GPU_KERNEL.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../../../src/gpu/adjoint_kernel.h"
#include "../../../src/gpu/pad_kernel.h"
#include "launches.h"

#define JOIN_(name, number) name##number
#define JOIN(name, number)  JOIN_(name, number)
#if TPAD_GPU_KERNEL / 2 < 6
#define KERNEL TPAD_NAME(tpad_pad, TPAD_KIND)
typedef tpad_gpu_pad_params params_type;
#else
#define KERNEL TPAD_NAME(tpad_adjoint, TPAD_KIND)
typedef tpad_gpu_adjoint_params params_type;
#endif

/* All threads, the last one first. */
void JOIN(run_, TPAD_GPU_KERNEL)(const void *src, void *dst, const void *fill, const void *params,
                                 uint64_t threads)
{
    params_type p;
    memcpy(&p, params, sizeof p);
    while (threads > 0) KERNEL(src, dst, fill, &p, --threads);
}

#if TPAD_GPU_KERNEL < 2
static tpad_gpu_axis axis_of(const int64_t *fields)
{
    tpad_idx narrow[sizeof(tpad_gpu_axis) / sizeof(tpad_idx)];
    tpad_gpu_axis a;
    for (size_t k = 0; k < sizeof narrow / sizeof narrow[0]; k++) narrow[k] = (tpad_idx)fields[k];
    memcpy(&a, narrow, sizeof a);
    return a;
}

int64_t JOIN(element_, TPAD_GPU_KERNEL)(const int64_t *fields, int64_t i)
{
    const tpad_gpu_axis a = axis_of(fields);
    return tpad_element_of(&a, (tpad_idx)i);
}

int64_t JOIN(taker_, TPAD_GPU_KERNEL)(const int64_t *fields, int64_t e, int64_t m)
{
    const tpad_gpu_axis a = axis_of(fields);
    return tpad_taker(&a, (tpad_idx)e, (tpad_idx)m);
}
#endif
