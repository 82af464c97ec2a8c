/* The four padding2d functions of embARC MLI 1.1, or of 1.0 with TPAD_MLI_1_0.
 * SPDX-License-Identifier: MIT
 *
 * MLI's checks and their order (docs/specs/mli.md explains them), then rows by memset and memcpy.
 * The file uses nothing else of tensorpad. For a microcontroller one line builds it, with any
 * compiler:
 *
 *     cc -std=c11 -Os -Iinclude -c src/firmware/mli_functions.c */
#include <stddef.h>
#include <tensorpad/mli_padding2d.h>

#include "../core/port.h"

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* More than any capacity. Larger sizes are clamped to it, so that none exceeds 64 bits. */
#define TOO_LARGE (UINT64_C(1) << 32)

/* The largest output, as in the rest of the small build. */
#define MOST_BYTES 0x1FFFFFFFu

static uint64_t stop(uint64_t size)
{
    return size < TOO_LARGE ? size : TOO_LARGE;
}

/* 0 for a type that MLI does not know. */
static uint32_t element_size(mli_element_type type)
{
    switch ((int)type) {
    case MLI_EL_FX_16:
        return 2;
#ifndef TPAD_MLI_1_0
    case MLI_EL_ASYM_I32:
        return 4;
    case MLI_EL_ASYM_I8:
#endif
    case MLI_EL_FX_8:
        return 1;
    default:
        return 0;
    }
}

/* ---- Strides, which 1.0 does not have -------------------------------------------------------- */
#ifdef TPAD_MLI_1_0

#define TENSOR_TOO_SMALL MLI_STATUS_BAD_TENSOR

static mli_status count_elements(const mli_tensor *in, uint64_t *elements)
{
    *elements = 1;
    for (uint32_t i = 0; i < in->rank; i++) *elements = stop(*elements * in->shape[i]);
    return MLI_STATUS_OK;
}

static int is_contiguous(const mli_tensor *tensor, const uint64_t *shape)
{
    (void)tensor, (void)shape;
    return 1;
}

#else

#define TENSOR_TOO_SMALL MLI_STATUS_NOT_ENGH_MEM

/* A single 0 means that there are no strides. */
static int has_strides(const mli_tensor *tensor, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (tensor->mem_stride[i] == 0) return 0;
    return 1;
}

/* The elements from the first to the last one, gaps included. */
static mli_status count_elements(const mli_tensor *in, uint64_t *elements)
{
    const int strided = has_strides(in, in->rank);
    uint64_t inner = 1;
    *elements = 1;
    for (uint32_t i = 0; i < in->rank; i++)
        if (in->mem_stride[i] < 0 || in->shape[i] == 0) return MLI_STATUS_BAD_TENSOR;
    for (uint32_t i = in->rank; i-- > 0;) {
        const uint64_t shape = in->shape[i], stride = strided ? (uint64_t)in->mem_stride[i] : inner;
        if (stride < inner) return MLI_STATUS_BAD_TENSOR;
        inner = stop(shape * stride);
        *elements = stop(*elements + (shape - 1) * stride);
    }
    return MLI_STATUS_OK;
}

/* For three axes. */
static int is_contiguous(const mli_tensor *tensor, const uint64_t *shape)
{
    int64_t inner = 1;
    if (!has_strides(tensor, 3)) return 1;
    for (int i = 2; i >= 0; i--) {
        if (tensor->mem_stride[i] != inner) return 0;
        inner = (int64_t)stop((uint64_t)inner * shape[i]);
    }
    return 1;
}

#endif

/* ---- The functions --------------------------------------------------------------------------- */

static mli_status check_input(const mli_tensor *in)
{
    uint64_t elements;
    if (!in || in->rank > MLI_MAX_RANK) return MLI_STATUS_BAD_TENSOR;
    const mli_status status = count_elements(in, &elements);
    if (status != MLI_STATUS_OK) return status;
    return elements * element_size(in->el_type) > in->capacity ? TENSOR_TOO_SMALL : MLI_STATUS_OK;
}

/* Checks what the document leaves undefined and MLI does not check. Distances are computed modulo
 * the size of the address space, so that no end of a buffer is computed. */
static mli_status check_buffers(const void *in, uint64_t in_bytes, const void *out,
                                uint64_t out_bytes)
{
    const uintptr_t from = (uintptr_t)in, to = (uintptr_t)out;
    if (in_bytes == 0) return MLI_STATUS_OK;
    if (!in) return MLI_STATUS_BAD_TENSOR;
    if ((uintptr_t)(to - from) < in_bytes || (uintptr_t)(from - to) < out_bytes)
        return MLI_STATUS_INCOMPATEBLE_TENSORS;
    return MLI_STATUS_OK;
}

/* Writes the rows with zeros around them. All zeros between two rows, from the end of one row and
 * plane to the beginning of the next, are one memset. */
static void pad_rows(const unsigned char *src, unsigned char *dst, const unsigned char *end,
                     uint32_t planes, uint32_t rows, size_t row, size_t left, size_t side,
                     size_t above, size_t between)
{
    for (size_t gap = above + left; planes > 0; planes--, gap += between)
        for (uint32_t i = 0; i < rows; i++, gap = side) {
            tpad_memset(dst, 0, gap);
            tpad_memcpy(dst + gap, src, row);
            dst += gap + row;
            src += row;
        }
    tpad_memset(dst, 0, (size_t)(end - dst));
}

enum { HEIGHT_CHW = 1, HEIGHT_HWC = 0 };

/* Rows are on axis `height`, columns on the axis after it. */
static mli_status padding2d(const mli_tensor *in, const mli_padding2d_cfg *cfg, mli_tensor *out,
                            mli_element_type type, int height)
{
    uint64_t added[3] = {0, 0, 0};
    uint64_t in_shape[3], out_shape[3], in_elements = 1, out_elements = 1;
    int fits = 1;
    mli_status status = check_input(in);
    if (status != MLI_STATUS_OK) return status;
    if (!out || !out->data) return MLI_STATUS_BAD_TENSOR;
    if (in->rank != 3) return MLI_STATUS_SHAPE_MISMATCH;
    for (int i = 0; i < 3; i++) in_shape[i] = in->shape[i];
    if (!is_contiguous(in, in_shape)) return MLI_STATUS_INCOMPATEBLE_TENSORS;
    if (!cfg) return MLI_STATUS_BAD_FUNC_CFG;

    added[height] = (uint64_t)cfg->padding_top + cfg->padding_bottom;
    added[height + 1] = (uint64_t)cfg->padding_left + cfg->padding_right;
    for (int i = 0; i < 3; i++) {
        out_shape[i] = in_shape[i] + added[i];
        in_elements = stop(in_elements * in_shape[i]);
        out_elements = stop(out_elements * out_shape[i]);
        fits = fits && out_shape[i] <= UINT32_MAX;
    }
    const uint32_t size = element_size(in->el_type);
    if (!is_contiguous(out, out_shape)) return MLI_STATUS_INCOMPATEBLE_TENSORS;
    if (!fits || out_elements * size > out->capacity) return MLI_STATUS_NOT_ENGH_MEM;
    if (in->el_type != type) return MLI_STATUS_TYPE_MISMATCH;
    status = check_buffers(in->data, in_elements * size, out->data, out_elements * size);
    if (status != MLI_STATUS_OK) return status;
    /* An output is at least as large as its input. */
    if (out_elements * size > MOST_BYTES) return MLI_STATUS_NOT_SUPPORTED;

    out->rank = 3;
    out->el_type = type;
    out->el_params.fx.frac_bits = in->el_params.fx.frac_bits;
    for (int i = 0; i < 3; i++) out->shape[i] = (uint32_t)out_shape[i];
    const size_t bytes = (size_t)(out_elements * size);
    if (in_elements == 0) {
        tpad_memset(out->data, 0, bytes);
        return MLI_STATUS_OK;
    }
    const size_t cell = size * (size_t)(height == HEIGHT_HWC ? in_shape[2] : 1);
    const size_t row = cell * (size_t)in_shape[height + 1];
    const size_t side = cell * (size_t)added[height + 1], line = row + side;
    pad_rows(in->data, out->data, (unsigned char *)out->data + bytes,
             height == HEIGHT_HWC ? 1 : (uint32_t)in_shape[0], (uint32_t)in_shape[height], row,
             cell * cfg->padding_left, side, cfg->padding_top * line, (size_t)added[height] * line);
    return MLI_STATUS_OK;
}

mli_status mli_krn_padding2d_chw_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                     mli_tensor *out)
{
    return padding2d(in, cfg, out, MLI_EL_FX_8, HEIGHT_CHW);
}

mli_status mli_krn_padding2d_chw_fx16(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                      mli_tensor *out)
{
    return padding2d(in, cfg, out, MLI_EL_FX_16, HEIGHT_CHW);
}

mli_status mli_krn_padding2d_hwc_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                     mli_tensor *out)
{
    return padding2d(in, cfg, out, MLI_EL_FX_8, HEIGHT_HWC);
}

mli_status mli_krn_padding2d_hwc_fx16(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                      mli_tensor *out)
{
    return padding2d(in, cfg, out, MLI_EL_FX_16, HEIGHT_HWC);
}
