/* PAD, PADV2 and MIRROR_PAD of TensorFlow Lite Micro, computed by tensorpad.
 * SPDX-License-Identifier: MIT
 *
 * The functions take the operators' arguments as plain C. tflm_register.cc registers them as
 * kernels. Tensors have rank 0 to 5 and are dense. `paddings` has two numbers for each axis, the
 * cells to add before and after it. Neither may be negative.
 *
 * Each function returns TPAD_OK or, having written nothing:
 *
 *     TPAD_E_SPEC_TYPE    a type other than the five below, or two types that differ
 *     TPAD_E_RANK         a rank above 5, or two ranks that differ
 *     TPAD_E_SPEC_PADS    a negative padding; in MIRROR_PAD one that is too large
 *     TPAD_E_SPEC_INPUT   an output whose dims are not those of the input and the paddings
 *     TPAD_E_SPEC_VALUE   a zero point beyond 8 bits, or no constant value in PADV2
 *     TPAD_E_SPEC_MODE    a mode of MIRROR_PAD other than the two below
 *     TPAD_E_ARGUMENT     dst is missing; an input with elements is missing or is dst
 *
 * or a status of tpad_pad.
 */
#ifndef TENSORPAD_TFLM_PAD_H
#define TENSORPAD_TFLM_PAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are those of TfLiteType and TfLiteMirrorPaddingMode. */
enum {
    TPAD_TFLM_FLOAT32 = 1,
    TPAD_TFLM_INT32 = 2,
    TPAD_TFLM_BOOL = 6,
    TPAD_TFLM_INT16 = 7,
    TPAD_TFLM_INT8 = 9
};
enum { TPAD_TFLM_REFLECT = 1, TPAD_TFLM_SYMMETRIC = 2 };
enum { TPAD_TFLM_MAX_RANK = 5 };

typedef struct tpad_tflm_tensor {
    int32_t type;
    int32_t zero_point; /* read only for the int8 output of PAD */
    int32_t rank;
    const int *dims;
} tpad_tflm_tensor;

/* Fills with the zero point of the output for int8, and with 0 for the other types. */
int32_t tpad_tflm_pad(const tpad_tflm_tensor *input, const void *src, const int32_t *paddings,
                      const tpad_tflm_tensor *output, void *dst);

/* Fills with one element of the tensors' type. */
int32_t tpad_tflm_padv2(const tpad_tflm_tensor *input, const void *src, const int32_t *paddings,
                        const void *constant_value, const tpad_tflm_tensor *output, void *dst);

/* Mirrors the input: without its edge in mode reflect, at most extent - 1 cells on a side; with its
 * edge in mode symmetric, at most extent. */
int32_t tpad_tflm_mirror_pad(const tpad_tflm_tensor *input, const void *src,
                             const int32_t *paddings, int32_t mode, const tpad_tflm_tensor *output,
                             void *dst);

#ifdef __cplusplus
}
#endif

#endif
