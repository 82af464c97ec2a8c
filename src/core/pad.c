/* A pad in one call: a plan is made, run once, and dropped. SPDX-License-Identifier: MIT */
#include "error.h"
#include "plan.h"
#include "run.h"

int32_t tpad_pad(const tpad_problem *problem, const void *src, void *dst, const void *value,
                 tpad_error *error)
{
    plan p;
    int32_t status = tpad_plan_make(&p, problem, error);
    if (status != TPAD_OK) return status;
    status = tpad_run_once(&p, src, dst, value);
    if (status == TPAD_OK) return TPAD_OK; /* else a pointer is wrong: a plan runs or is refused */
    return TPAD_FAIL(error, status, 0, 0,
                     src && dst
                         ? "src and dst are the same pointer: the output would overwrite the "
                           "input (tpad_plan_border pads in place)"
                         : "src or dst is missing");
}

int32_t tpad_pad_2d(int64_t pixel_bytes, int64_t images, int64_t height, int64_t width, int64_t top,
                    int64_t bottom, int64_t left, int64_t right, int32_t mode, const void *src,
                    void *dst, const void *value, tpad_error *error)
{
    const tpad_axis axes[] = {
        {.in_extent = images},
        {.in_extent = height, .before = top, .after = bottom, .mode = mode},
        {.in_extent = width, .before = left, .after = right, .mode = mode},
    };
    tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    const int64_t most = TPAD_MAX_ELEM_BITS / 8;
    if (pixel_bytes < 1 || pixel_bytes > most)
        return TPAD_FAIL(error, TPAD_E_ELEM, pixel_bytes, most,
                         "pixels of %g bytes: possible are 1 to %l");
    problem.elem_bits = (int32_t)(8 * pixel_bytes);
    return tpad_pad(&problem, src, dst, value, error);
}
