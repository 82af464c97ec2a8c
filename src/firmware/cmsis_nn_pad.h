/* A drop-in for CMSIS-NN's arm_pad_s8.  SPDX-License-Identifier: MIT
 *
 * The function has the signature of arm_pad_s8 under another name, so that a program may have both.
 * Define arm_pad_s8=tpad_arm_pad_s8 for the files that call it, to replace CMSIS-NN's. A program
 * that includes CMSIS-NN's headers must include those first.
 */
#ifndef TENSORPAD_CMSIS_NN_PAD_H
#define TENSORPAD_CMSIS_NN_PAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types: those of CMSIS-NN's arm_nn_types.h, under its include guard ---------------------- */
#ifndef ARM_NN_TYPES_H

typedef enum {
    ARM_CMSIS_NN_SUCCESS = 0,
    ARM_CMSIS_NN_ARG_ERROR = -1,
    ARM_CMSIS_NN_NO_IMPL_ERROR = -2,
    ARM_CMSIS_NN_FAILURE = -3
} arm_cmsis_nn_status;

typedef struct {
    int32_t n, h, w, c;
} cmsis_nn_dims;

#endif

/* Writes the input with pre_pad cells of pad_value before it and post_pad after it, on each of the
 * four axes. Negative pads crop. Returns ARM_CMSIS_NN_ARG_ERROR, and writes nothing, if a pointer
 * is missing, input and output are the same pointer, an extent of the input or the output, or the
 * bytes of the output, are negative or beyond 2^29 - 1, or a post_pad is beyond that in
 * magnitude. */
arm_cmsis_nn_status tpad_arm_pad_s8(const int8_t *input, int8_t *output, const int8_t pad_value,
                                    const cmsis_nn_dims *input_size, const cmsis_nn_dims *pre_pad,
                                    const cmsis_nn_dims *post_pad);

#ifdef __cplusplus
}
#endif

#endif
