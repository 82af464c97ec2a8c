/* embARC MLI padding2d: a call's arguments to a problem. SPDX-License-Identifier: MIT
 *
 * Owns the words and the limits of the MLI document ("Padding 2D"). Knows nothing of how a problem
 * is solved: public headers only. The decisions where the document is silent are in docs/mli.md. */
#include <tensorpad/mli.h>

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

static int32_t refuse(tpad_error *error, int32_t code, int64_t got, int64_t limit, const char *name,
                      const char *text)
{
    if (error) *error = (tpad_error){code, -1, got, limit, 0, 0, name, text};
    return code;
}

static int32_t refuse_axis(tpad_error *error, int32_t code, int32_t axis, const tpad_axis *a,
                           int64_t got, int64_t limit, const char *text)
{
    if (error) *error = (tpad_error){code, axis, got, limit, a->before, a->after, NULL, text};
    return code;
}

static int32_t mli_check_call(const tpad_mli_padding2d *pad, const tpad_mli_limits *limit,
                              tpad_error *error)
{
    if (!limit)
        return refuse(error, TPAD_E_SPEC_VERSION, pad->layout, LAYOUT_COUNT - 1, NULL,
                      "layout number %g is not between 0 (chw) and %l (hwc)");
    if (pad->reserved != 0)
        return refuse(error, TPAD_E_ARGUMENT, pad->reserved, 0, NULL, "reserved is %g, not %l");
    if (pad->type < 0 || pad->type > 31 || !(limit->types >> pad->type & 1))
        return refuse(error, TPAD_E_SPEC_TYPE, pad->type, 0, limit->name,
                      "type number %g: MLI's padding2d_%n has fx8 (0) and fx16 (1)");
    if (pad->rank != limit->rank)
        return refuse(error, TPAD_E_RANK, pad->rank, limit->rank, limit->name,
                      "rank %g: MLI's padding2d_%n takes tensors of rank %l, one image each");
    if (!pad->shape) return refuse(error, TPAD_E_ARGUMENT, 0, 0, NULL, "the shape is missing");
    return TPAD_OK;
}

static int32_t check_axis(int32_t i, const tpad_axis *a, const tpad_mli_limits *limit,
                          tpad_error *error)
{
    if (a->in_extent < limit->least_extent)
        return refuse_axis(error, TPAD_E_EXTENT, i, a, a->in_extent, limit->least_extent,
                           "axis %a: input extent %g is below %l; MLI has no empty tensors");
    if (a->before < limit->least || a->after < limit->least)
        return refuse_axis(error, TPAD_E_AMOUNT, i, a,
                           a->before < limit->least ? a->before : a->after, limit->least,
                           "axis %a: amount %g is below %l (before %b, after %e); MLI pads and "
                           "does not crop");
    if (a->before > limit->most || a->after > limit->most)
        return refuse_axis(error, TPAD_E_AMOUNT, i, a,
                           a->before > limit->most ? a->before : a->after, limit->most,
                           "axis %a: amount %g exceeds %l (before %b, after %e); MLI keeps it in a "
                           "byte, so pad in several steps");
    return TPAD_OK;
}

int32_t tpad_mli_translate(tpad_mli_problem *out, const tpad_mli_padding2d *pad, tpad_error *error)
{
    if (!out || !pad || pad->struct_size != sizeof *pad)
        return refuse(error, TPAD_E_ARGUMENT, pad ? (int64_t)pad->struct_size : 0,
                      (int64_t)sizeof *pad, NULL,
                      "the call or the result is missing, or struct_size %g is not %l");
    const tpad_mli_limits *limit = tpad_mli_limits_at(pad->layout);
    int32_t status = mli_check_call(pad, limit, error);
    if (status != TPAD_OK) return status;

    for (int32_t i = 0; i < limit->rank; i++)
        out->axes[i] = (tpad_axis){.in_extent = pad->shape[i], .mode = TPAD_CONSTANT};
    out->axes[limit->height].before = pad->top;
    out->axes[limit->height].after = pad->bottom;
    out->axes[limit->width].before = pad->left;
    out->axes[limit->width].after = pad->right;
    for (int32_t i = 0; status == TPAD_OK && i < limit->rank; i++)
        status = check_axis(i, &out->axes[i], limit, error);
    if (status != TPAD_OK) return status;

    int64_t bytes;
    out->problem =
        (tpad_problem)TPAD_PROBLEM(tpad_mli_type_bits(pad->type), limit->rank, out->axes);
    out->limits = limit;
    status = tpad_shape(&out->problem, NULL, NULL, &bytes, error);
    if (status == TPAD_OK && bytes > limit->most_bytes)
        return refuse(error, TPAD_E_OVERFLOW, bytes, limit->most_bytes, NULL,
                      "an output of %g bytes exceeds %l, the most that a tensor of MLI can have");
    return status;
}

int32_t tpad_mli_shape(const tpad_mli_padding2d *pad, int64_t *out_extents, tpad_error *error)
{
    tpad_mli_problem problem;
    const int32_t status = tpad_mli_translate(&problem, pad, error);
    return status == TPAD_OK ? tpad_shape(&problem.problem, out_extents, NULL, NULL, error)
                             : status;
}
