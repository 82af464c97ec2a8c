/* CMSIS-NN's arm_pad_s8 as a problem of tensorpad.  SPDX-License-Identifier: MIT */
#include "cmsis_nn_pad.h"

#include <tensorpad/tensorpad.h>

arm_cmsis_nn_status tpad_arm_pad_s8(const int8_t *input, int8_t *output, const int8_t pad_value,
                                    const cmsis_nn_dims *input_size, const cmsis_nn_dims *pre_pad,
                                    const cmsis_nn_dims *post_pad)
{
    /* The small build would fill cells before it sees that there is no input. */
    if (!input || input == output || !input_size || !pre_pad || !post_pad)
        return ARM_CMSIS_NN_ARG_ERROR;
    const tpad_axis axes[4] = {
        {.in_extent = input_size->n, .before = pre_pad->n, .after = post_pad->n},
        {.in_extent = input_size->h, .before = pre_pad->h, .after = post_pad->h},
        {.in_extent = input_size->w, .before = pre_pad->w, .after = post_pad->w},
        {.in_extent = input_size->c, .before = pre_pad->c, .after = post_pad->c}};
    const tpad_problem problem = TPAD_PROBLEM_OF(int8_t, axes);
    return tpad_pad(&problem, input, output, &pad_value, NULL) == TPAD_OK ? ARM_CMSIS_NN_SUCCESS
                                                                          : ARM_CMSIS_NN_ARG_ERROR;
}
