/* PAD, PADV2 and MIRROR_PAD of TensorFlow Lite Micro as problems of tensorpad.
 * SPDX-License-Identifier: MIT
 *
 * The operators' checks. */
#include "tflm_pad.h"

#include <tensorpad/tensorpad.h>

/* 0 for a type that is not supported here. */
static int32_t tflm_bits(int32_t type)
{
    switch (type) {
    case TPAD_TFLM_FLOAT32:
    case TPAD_TFLM_INT32:
        return 32;
    case TPAD_TFLM_INT16:
        return 16;
    case TPAD_TFLM_BOOL:
    case TPAD_TFLM_INT8:
        return 8;
    default:
        return 0;
    }
}

static int32_t tflm_run(const tpad_tflm_tensor *input, const void *src, const int32_t *paddings,
                        int32_t mode, const void *value, const tpad_tflm_tensor *output, void *dst)
{
    tpad_axis axes[TPAD_TFLM_MAX_RANK] = {{0}};
    int reads = 1;
    const tpad_problem problem = TPAD_PROBLEM(tflm_bits(input->type), input->rank, axes);
    if (problem.elem_bits == 0 || output->type != input->type) return TPAD_E_SPEC_TYPE;
    if (input->rank > TPAD_TFLM_MAX_RANK || output->rank != input->rank) return TPAD_E_RANK;
    for (int32_t i = 0; i < input->rank; i++) {
        const int32_t extent = input->dims[i], before = paddings[2 * i],
                      after = paddings[2 * i + 1];
        const int32_t most =
            mode == TPAD_CONSTANT ? INT32_MAX : extent - (mode == TPAD_REFLECT && extent > 0);
        if (before < 0 || after < 0 || before > most || after > most) return TPAD_E_SPEC_PADS;
        if (output->dims[i] != (int64_t)extent + before + after) return TPAD_E_SPEC_INPUT;
        reads = reads && extent > 0;
        axes[i].in_extent = extent;
        axes[i].before = before;
        axes[i].after = after;
        axes[i].mode = mode;
    }
    /* The small build would see this only at the first element, after it has filled cells. */
    if (reads && (!src || src == dst)) return TPAD_E_ARGUMENT;
    return tpad_pad(&problem, src, dst, value, NULL);
}

int32_t tpad_tflm_pad(const tpad_tflm_tensor *input, const void *src, const int32_t *paddings,
                      const tpad_tflm_tensor *output, void *dst)
{
    const int32_t zero_point = output->type == TPAD_TFLM_INT8 ? output->zero_point : 0;
    const int8_t value = (int8_t)zero_point;
    if (value != zero_point) return TPAD_E_SPEC_VALUE;
    return tflm_run(input, src, paddings, TPAD_CONSTANT, value == 0 ? NULL : &value, output, dst);
}

int32_t tpad_tflm_padv2(const tpad_tflm_tensor *input, const void *src, const int32_t *paddings,
                        const void *constant_value, const tpad_tflm_tensor *output, void *dst)
{
    if (!constant_value) return TPAD_E_SPEC_VALUE;
    return tflm_run(input, src, paddings, TPAD_CONSTANT, constant_value, output, dst);
}

int32_t tpad_tflm_mirror_pad(const tpad_tflm_tensor *input, const void *src,
                             const int32_t *paddings, int32_t mode, const tpad_tflm_tensor *output,
                             void *dst)
{
    if (mode != TPAD_TFLM_REFLECT && mode != TPAD_TFLM_SYMMETRIC) return TPAD_E_SPEC_MODE;
    return tflm_run(input, src, paddings, mode == TPAD_TFLM_REFLECT ? TPAD_REFLECT : TPAD_SYMMETRIC,
                    NULL, output, dst);
}
