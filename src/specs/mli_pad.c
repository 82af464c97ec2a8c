/* embARC MLI padding2d: a call's arguments to a problem. SPDX-License-Identifier: MIT
 *
 * The names and limits of the MLI document ("Padding 2D"). Uses public headers only.
 * docs/specs/mli.md answers the questions that the document leaves open. */
#include <tensorpad/mli.h>

#include "spec_common.h"

/* ---- What the document says ------------------------------------------------------------------ */

enum {
    TYPES_FX = 1 << TPAD_MLI_FX8 | 1 << TPAD_MLI_FX16,
    MODES_ZERO = 1 << TPAD_CONSTANT,
    MOST_AMOUNT = 255
};

static const tpad_mli_limits mli_limits[] = {
    {TPAD_MLI_CHW, "chw", TPAD_MLI_RANK, 0, 1, 2, TYPES_FX, MODES_ZERO, 0, MOST_AMOUNT, 1,
     UINT32_MAX},
    {TPAD_MLI_HWC, "hwc", TPAD_MLI_RANK, 2, 0, 1, TYPES_FX, MODES_ZERO, 0, MOST_AMOUNT, 1,
     UINT32_MAX},
};
enum { LAYOUT_COUNT = sizeof mli_limits / sizeof mli_limits[0] };

int32_t tpad_mli_layout_count(void)
{
    return LAYOUT_COUNT;
}

const tpad_mli_limits *tpad_mli_limits_at(int32_t layout)
{
    return layout >= 0 && layout < LAYOUT_COUNT ? &mli_limits[layout] : NULL;
}

const char *tpad_mli_type_name(int32_t type)
{
    switch (type) {
#define TYPE_NAME(name, number, word, bits)                                                        \
    case number:                                                                                   \
        return word;
        TPAD_MLI_TYPE_MAP(TYPE_NAME)
#undef TYPE_NAME
    default:
        return NULL;
    }
}

int32_t tpad_mli_type_bits(int32_t type)
{
    switch (type) {
#define TYPE_BITS(name, number, word, bits)                                                        \
    case number:                                                                                   \
        return bits;
        TPAD_MLI_TYPE_MAP(TYPE_BITS)
#undef TYPE_BITS
    default:
        return 0;
    }
}

/* ---- Translation ----------------------------------------------------------------------------- */

static int32_t mli_check_call(const tpad_mli_padding2d *pad, const tpad_mli_limits *limit,
                              tpad_error *error)
{
    if (!limit)
        return dialect_refuse(error, TPAD_E_SPEC_VERSION, pad->layout, LAYOUT_COUNT - 1, NULL,
                              "layout number %g is not between 0 (chw) and %l (hwc)");
    if (pad->type < 0 || pad->type > 31 || !(limit->types >> pad->type & 1))
        return dialect_refuse(error, TPAD_E_SPEC_TYPE, pad->type, 0, limit->name,
                              "type number %g: MLI's padding2d_%n has fx8 (0) and fx16 (1)");
    if (pad->rank != limit->rank)
        return dialect_refuse(
            error, TPAD_E_RANK, pad->rank, limit->rank, limit->name,
            "rank %g: MLI's padding2d_%n takes tensors of rank %l, one image each");
    if (!pad->shape)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, NULL, "the shape is missing");
    return TPAD_OK;
}

static int32_t check_axis(int32_t i, const tpad_axis *a, const tpad_mli_limits *limit,
                          tpad_error *error)
{
    if (a->in_extent < limit->least_extent)
        return dialect_refuse_axis(
            error, TPAD_E_EXTENT, i, a, a->in_extent, limit->least_extent, NULL,
            "axis %a: input extent %g is below %l; MLI has no empty tensors");
    if (a->before < limit->least || a->after < limit->least)
        return dialect_refuse_axis(
            error, TPAD_E_AMOUNT, i, a, a->before < limit->least ? a->before : a->after,
            limit->least, NULL,
            "axis %a: amount %g is below %l (before %b, after %e); MLI pads and "
            "does not crop");
    if (a->before > limit->most || a->after > limit->most)
        return dialect_refuse_axis(
            error, TPAD_E_AMOUNT, i, a, a->before > limit->most ? a->before : a->after, limit->most,
            NULL,
            "axis %a: amount %g exceeds %l (before %b, after %e); MLI keeps it in a "
            "byte, so pad in several steps");
    return TPAD_OK;
}

/* The whole translation. There is no pad value, because MLI pads with zeros. */
static int32_t mli_translate(tpad_translation *result, const tpad_mli_padding2d *given,
                             int64_t *out_extents, tpad_error *error)
{
    const size_t least = DIALECT_BYTES_UP_TO(tpad_mli_padding2d, bottom);
    tpad_mli_padding2d pad = {0};
    int32_t status = dialect_read(&pad, sizeof pad, least, given, "tpad_mli_padding2d", error);
    const tpad_mli_limits *limit = tpad_mli_limits_at(pad.layout);
    if (status == TPAD_OK) status = dialect_check_flags(0, 0, pad.reserved, error);
    if (status == TPAD_OK) status = mli_check_call(&pad, limit, error);
    if (status != TPAD_OK) return status;

    *result = (tpad_translation){.rank = limit->rank, .elem_bits = tpad_mli_type_bits(pad.type)};
    for (int32_t i = 0; i < limit->rank; i++) result->axes[i].in_extent = pad.shape[i];
    result->axes[limit->height].before = pad.top;
    result->axes[limit->height].after = pad.bottom;
    result->axes[limit->width].before = pad.left;
    result->axes[limit->width].after = pad.right;
    for (int32_t i = 0; status == TPAD_OK && i < limit->rank; i++)
        status = check_axis(i, &result->axes[i], limit, error);
    if (status != TPAD_OK) return status;

    int64_t bytes, extents[TPAD_MLI_RANK];
    status = dialect_shape(result, extents, &bytes, error);
    if (status != TPAD_OK) return status;
    if (bytes > limit->most_bytes)
        return dialect_refuse(
            error, TPAD_E_OVERFLOW, bytes, limit->most_bytes, NULL,
            "an output of %g bytes exceeds %l, the most that a tensor of MLI can have");
    for (int32_t i = 0; out_extents && i < TPAD_MLI_RANK; i++) out_extents[i] = extents[i];
    return TPAD_OK;
}

int32_t tpad_mli_translate(tpad_translation *out, size_t out_bytes, const tpad_mli_padding2d *pad,
                           tpad_error *error)
{
    tpad_translation result;
    int32_t status = dialect_check_out(out, out_bytes, error);
    if (status == TPAD_OK) status = mli_translate(&result, pad, NULL, error);
    if (status == TPAD_OK) dialect_deliver(out, out_bytes, &result);
    return status;
}

int32_t tpad_mli_shape(const tpad_mli_padding2d *pad, int64_t *out_extents, tpad_error *error)
{
    tpad_translation result;
    return mli_translate(&result, pad, out_extents, error);
}
