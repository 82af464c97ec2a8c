/* Stands for a user's own MLI headers: the same public names, and the guard that MLI's have.
 * SPDX-License-Identifier: MIT
 *
 * Written for this test. If tensorpad's header defined any of these a second time, the test would
 * not compile. */
#ifndef _MLI_TYPES_H_
#define _MLI_TYPES_H_

#include <stdint.h>

#define MLI_MAX_RANK (4)

typedef enum users_status {
    MLI_STATUS_OK,
    MLI_STATUS_BAD_TENSOR,
    MLI_STATUS_SHAPE_MISMATCH,
    MLI_STATUS_INCOMPATEBLE_TENSORS,
    MLI_STATUS_BAD_FUNC_CFG,
    MLI_STATUS_NOT_ENGH_MEM,
    MLI_STATUS_NOT_SUPPORTED,
    MLI_STATUS_SPEC_PARAM_MISMATCH,
    MLI_STATUS_ARGUMENT_ERROR,
    MLI_STATUS_LENGTH_ERROR,
    MLI_STATUS_SIZE_MISMATCH,
    MLI_STATUS_RANK_MISMATCH,
    MLI_STATUS_TYPE_MISMATCH,
    MLI_STATUS_LARGE_ENUM = 0x02000000
} mli_status;

typedef enum users_element_type {
    MLI_EL_FX_8,
    MLI_EL_FX_16,
#ifndef TPAD_MLI_1_0
    MLI_EL_ASYM_I8,
    MLI_EL_ASYM_I32,
#endif
    MLI_EL_LARGE_ENUM = 0x02000000
} mli_element_type;

#ifndef TPAD_MLI_1_0
typedef union users_container {
    int32_t *pi32;
    int16_t *pi16;
    int8_t *pi8;
    int32_t i32;
    int16_t i16;
    int8_t i8;
} mli_data_container;
#endif

typedef union users_params {
    struct {
        uint8_t frac_bits;
    } fx;
#ifndef TPAD_MLI_1_0
    struct {
        mli_data_container zero_point;
        mli_data_container scale;
        int32_t dim;
        int8_t scale_frac_bits;
    } asym;
#endif
} mli_element_params;

typedef struct users_tensor {
    void *data;
    uint32_t capacity;
#ifndef TPAD_MLI_1_0
    int32_t mem_stride[MLI_MAX_RANK];
#endif
    uint32_t shape[MLI_MAX_RANK];
    uint32_t rank;
    mli_element_type el_type;
    mli_element_params el_params;
} mli_tensor;

typedef struct users_cfg {
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
} mli_padding2d_cfg;

/* As a header of kernels declares them. */
mli_status mli_krn_padding2d_chw_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                     mli_tensor *out);
mli_status mli_krn_padding2d_hwc_fx16(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                      mli_tensor *out);

#endif
