/* The four padding2d functions of embARC MLI 1.x.  SPDX-License-Identifier: MIT
 *
 * Types and functions have MLI's names, values and layout, so that objects compiled against MLI's
 * own headers link and run with libtensorpad_mli.a unchanged. This header has nothing else of MLI.
 * docs/specs/mli.md lists the differences.
 *
 *     mli_padding2d_cfg cfg = {.padding_right = 1, .padding_top = 2};
 *     mli_tensor out = {.data = buffer, .capacity = sizeof buffer};
 *     if (mli_krn_padding2d_chw_fx8(&in, &cfg, &out) != MLI_STATUS_OK) ...
 *
 * The types have the layout of MLI 1.1 (and 1.1.1). With TPAD_MLI_1_0 defined for both this header
 * and the library, they have the layout of 1.0; in CMake, tensorpad::mli_1_0 instead of
 * tensorpad::mli does both.
 *
 * A program that also uses MLI's own headers must include those first. Then nothing is defined
 * twice, and an unexpected layout does not compile.
 */
#ifndef TENSORPAD_MLI_PADDING2D_H
#define TENSORPAD_MLI_PADDING2D_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types: those of MLI's mli_types.h, under its include guard ------------------------------ */
#ifndef _MLI_TYPES_H_

typedef enum {
    MLI_STATUS_OK = 0,
    MLI_STATUS_BAD_TENSOR = 1,
    MLI_STATUS_SHAPE_MISMATCH = 2,
    MLI_STATUS_INCOMPATEBLE_TENSORS = 3, /* MLI's spelling */
    MLI_STATUS_BAD_FUNC_CFG = 4,
    MLI_STATUS_NOT_ENGH_MEM = 5, /* MLI's spelling */
    MLI_STATUS_NOT_SUPPORTED = 6,
    MLI_STATUS_SPEC_PARAM_MISMATCH = 7,
    MLI_STATUS_ARGUMENT_ERROR = 8,
    MLI_STATUS_LENGTH_ERROR = 9,
    MLI_STATUS_SIZE_MISMATCH = 10,
    MLI_STATUS_RANK_MISMATCH = 11,
    MLI_STATUS_TYPE_MISMATCH = 12,
    MLI_STATUS_LARGE_ENUM = 0x02000000 /* makes the enum four bytes wide with every compiler */
} mli_status;

#define MLI_MAX_RANK (4)

typedef enum {
    MLI_EL_FX_8 = 0,
    MLI_EL_FX_16 = 1,
#ifndef TPAD_MLI_1_0
    MLI_EL_ASYM_I8 = 2,
    MLI_EL_ASYM_I32 = 3,
#endif
    MLI_EL_LARGE_ENUM = 0x02000000
} mli_element_type;

#ifndef TPAD_MLI_1_0
typedef union {
    int32_t *pi32;
    int16_t *pi16;
    int8_t *pi8;
    int32_t i32;
    int16_t i16;
    int8_t i8;
} mli_data_container;
#endif

typedef union {
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

typedef struct {
    void *data;
    uint32_t capacity; /* of data, in bytes */
#ifndef TPAD_MLI_1_0
    int32_t mem_stride[MLI_MAX_RANK]; /* in elements, last axis last; all 0: contiguous */
#endif
    uint32_t shape[MLI_MAX_RANK];
    uint32_t rank;
    mli_element_type el_type;
    mli_element_params el_params;
} mli_tensor;

typedef struct {
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
} mli_padding2d_cfg;

#endif

/* ---- The layout that the library expects ----------------------------------------------------- */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define TPAD_MLI_ASSERT(condition, text) static_assert(condition, text)
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define TPAD_MLI_ASSERT(condition, text) _Static_assert(condition, text)
#endif

#ifdef TPAD_MLI_ASSERT
#define TPAD_MLI_IS(expression, bits64, bits32)                                                    \
    TPAD_MLI_ASSERT((expression) == (sizeof(void *) == 8 ? (bits64) : (bits32)),                   \
                    "not the layout that tensorpad was told: MLI 1.1, or 1.0 with TPAD_MLI_1_0")
#define TPAD_MLI_AT(field, bits64, bits32)                                                         \
    TPAD_MLI_IS(offsetof(mli_tensor, field), (bits64), (bits32))

TPAD_MLI_ASSERT(sizeof(void *) == 8 || sizeof(void *) == 4, "pointers have 64 or 32 bits");
TPAD_MLI_ASSERT(sizeof(mli_status) == 4 && sizeof(mli_element_type) == 4, "MLI's enums are wide");
TPAD_MLI_ASSERT(MLI_MAX_RANK == 4 && (int)MLI_EL_FX_8 == 0 && (int)MLI_EL_FX_16 == 1, "not MLI 1");
TPAD_MLI_ASSERT((int)MLI_STATUS_BAD_TENSOR == 1 && (int)MLI_STATUS_TYPE_MISMATCH == 12,
                "not MLI 1");
TPAD_MLI_AT(data, 0, 0);
TPAD_MLI_AT(capacity, 8, 4);
#ifdef TPAD_MLI_1_0
TPAD_MLI_AT(shape, 12, 8);
TPAD_MLI_AT(rank, 28, 24);
TPAD_MLI_AT(el_type, 32, 28);
TPAD_MLI_AT(el_params, 36, 32);
TPAD_MLI_IS(sizeof(mli_tensor), 40, 36);
#else
TPAD_MLI_AT(mem_stride, 12, 8);
TPAD_MLI_AT(shape, 28, 24);
TPAD_MLI_AT(rank, 44, 40);
TPAD_MLI_AT(el_type, 48, 44);
TPAD_MLI_AT(el_params, 56, 48);
TPAD_MLI_IS(sizeof(mli_tensor), 80, 64);
#endif
TPAD_MLI_ASSERT(offsetof(mli_padding2d_cfg, padding_left) == 0 &&
                    offsetof(mli_padding2d_cfg, padding_right) == 1 &&
                    offsetof(mli_padding2d_cfg, padding_top) == 2 &&
                    offsetof(mli_padding2d_cfg, padding_bottom) == 3 &&
                    sizeof(mli_padding2d_cfg) == 4,
                "padding2d_cfg is four bytes");
#undef TPAD_MLI_AT
#undef TPAD_MLI_IS
#undef TPAD_MLI_ASSERT
#endif

/* ---- Functions -------------------------------------------------------------------------------
 * Pads height and width of `in` with zeros into out->data. Writes these fields of `out`: rank,
 * el_type, el_params.fx.frac_bits, shape[0..2]. On failure nothing is written. The functions always
 * make these checks, in this order, and return this status if one fails:
 *
 *   in missing                                                           BAD_TENSOR
 *   in: rank above 4; a stride below 0, a shape entry of 0 (1.1);
 *       strides that make elements overlap (1.1)                         BAD_TENSOR
 *   in: capacity below what its shape and strides need                   NOT_ENGH_MEM
 *                                                                        (1.0: BAD_TENSOR)
 *   out or out->data missing                                             BAD_TENSOR
 *   in: rank is not 3                                                    SHAPE_MISMATCH
 *   in: strides not contiguous (1.1)                                     INCOMPATEBLE_TENSORS
 *   cfg missing                                                          BAD_FUNC_CFG
 *   out: strides neither all 0 nor contiguous for the padded shape (1.1) INCOMPATEBLE_TENSORS
 *   out: capacity below the padded size, or an extent beyond 32 bits     NOT_ENGH_MEM
 *   in: el_type is not the function's                                    TYPE_MISMATCH
 *   in->data missing                                                     BAD_TENSOR
 *   the elements of in and out overlap                                   INCOMPATEBLE_TENSORS
 *   out: 512 MiB or more                                                 NOT_SUPPORTED
 */
mli_status mli_krn_padding2d_chw_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                     mli_tensor *out);
mli_status mli_krn_padding2d_chw_fx16(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                      mli_tensor *out);
mli_status mli_krn_padding2d_hwc_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                     mli_tensor *out);
mli_status mli_krn_padding2d_hwc_fx16(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                      mli_tensor *out);

#ifdef __cplusplus
}
#endif
#endif
