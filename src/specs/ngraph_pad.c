/* nGraph Pad: an operator's arguments to a problem. SPDX-License-Identifier: MIT
 *
 * The names and limits of the nGraph document ("Pad" among its operators). Uses public headers
 * only. docs/specs/ngraph.md answers the questions that the document leaves open. */
#include <tensorpad/ngraph.h>

#include "spec_common.h"

/* ---- What the document says ------------------------------------------------------------------ */

/* EDGE needs a cell to repeat, and REFLECT a cell besides the last one. The shipped operator
 * checked this only from axis 2 on, and never for SYMMETRIC. */
static const tpad_ngraph_mode ngraph_modes[] = {
    {"CONSTANT", TPAD_CONSTANT, 1, 0},
    {"EDGE", TPAD_EDGE, 1, 1},
    {"REFLECT", TPAD_REFLECT, 1, 2},
    {"SYMMETRIC", TPAD_SYMMETRIC, 0, 1},
};

enum { NGRAPH_MODES = sizeof ngraph_modes / sizeof ngraph_modes[0] };

int32_t tpad_ngraph_mode_count(void)
{
    return NGRAPH_MODES;
}

const tpad_ngraph_mode *tpad_ngraph_mode_at(int32_t index)
{
    return index >= 0 && index < NGRAPH_MODES ? &ngraph_modes[index] : NULL;
}

static const tpad_ngraph_limits ngraph_limits = {TPAD_WINDOW, 0, 0};

const tpad_ngraph_limits *tpad_ngraph_get_limits(void)
{
    return &ngraph_limits;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static int32_t ngraph_check_arg(const tpad_ngraph_tensor *arg, tpad_error *error)
{
    if (arg->rank < 0 || arg->rank > TPAD_MAX_RANK)
        return dialect_refuse(error, TPAD_E_RANK, arg->rank, TPAD_MAX_RANK, NULL,
                              "arg: rank %g is not between 0 and %l");
    if (arg->rank > 0 && !arg->shape)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, NULL, "arg: the shape is missing");
    return TPAD_OK;
}

static int32_t ngraph_check_mode(const tpad_ngraph_mode **mode, const tpad_ngraph_pad *pad,
                                 tpad_error *error)
{
    const char *word = pad->pad_mode ? pad->pad_mode : ngraph_modes[0].word;
    for (int32_t i = 0; i < NGRAPH_MODES; i++) {
        *mode = &ngraph_modes[i];
        if (dialect_same_word(word, (*mode)->word)) return TPAD_OK;
    }
    return dialect_refuse(
        error, TPAD_E_SPEC_MODE, 0, 0, word,
        "pad_mode: '%n' is none of CONSTANT, EDGE, REFLECT and SYMMETRIC, in upper case");
}

static int32_t check_value(const tpad_ngraph_pad *pad, tpad_error *error)
{
    const tpad_ngraph_tensor *value = pad->arg_pad_value;
    if (!value)
        return dialect_refuse(
            error, TPAD_E_SPEC_INPUT, 0, 0, "arg_pad_value",
            "%n: this input is required, also in modes that do not use it; it has no "
            "default");
    if (value->type != pad->arg.type)
        return dialect_refuse(error, TPAD_E_SPEC_VALUE, value->type, pad->arg.type, "arg_pad_value",
                              "%n: its element type is number %g; it must be that of arg, %l");
    if (value->rank != ngraph_limits.value_rank)
        return dialect_refuse(error, TPAD_E_SPEC_VALUE, value->rank, ngraph_limits.value_rank,
                              "arg_pad_value",
                              "%n: it has rank %g; it must be a scalar, of rank %l");
    return TPAD_OK;
}

/* Checks that the three lists have the same length, the rank. */
static int32_t check_lists(const tpad_ngraph_pad *pad, tpad_error *error)
{
    const int64_t below = pad->padding_below_count, above = pad->padding_above_count;
    const int has_interior = pad->padding_interior || pad->padding_interior_count != 0;
    const int64_t interior = has_interior ? pad->padding_interior_count : below;
    /* These errors are not about an axis, but they need both counts. */
    const tpad_axis counts = {.before = below, .after = above};
    if (below != above || below != interior)
        return dialect_refuse_axis(
            error, TPAD_E_SPEC_PADS, -1, &counts, interior, pad->arg.rank, NULL,
            has_interior ? "padding_below has %b entries, padding_above %e and padding_interior "
                           "%g: each needs one for each of %l axes"
                         : "padding_below has %b entries and padding_above %e: each needs one for "
                           "each of %l axes");
    if (below != pad->arg.rank)
        return dialect_refuse_axis(
            error, TPAD_E_SPEC_PADS, -1, &counts, below, pad->arg.rank, NULL,
            has_interior ? "padding_below, padding_above and padding_interior have %g entries, but "
                           "arg has rank %l: one for each axis"
                         : "padding_below and padding_above have %g entries, but arg has rank %l: "
                           "one for each axis");
    if (below > 0 &&
        !(pad->padding_below && pad->padding_above && (pad->padding_interior || !has_interior)))
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, below,
                              !pad->padding_below   ? "padding_below"
                              : !pad->padding_above ? "padding_above"
                                                    : "padding_interior",
                              "%n: the list is missing; it has %l entries");
    return TPAD_OK;
}

/* ---- Translation ----------------------------------------------------------------------------- */

static int32_t fill_axes(tpad_axis *axes, const tpad_ngraph_pad *pad, tpad_error *error)
{
    for (int32_t i = 0; i < pad->arg.rank; i++) {
        tpad_axis *axis = &axes[i];
        *axis = (tpad_axis){0};
        axis->in_extent = pad->arg.shape[i];
        axis->before = pad->padding_below[i];
        axis->after = pad->padding_above[i];
        axis->interior = pad->padding_interior ? pad->padding_interior[i] : 0;
        axis->order = ngraph_limits.order;
        if (axis->interior < ngraph_limits.least_interior)
            return dialect_refuse_axis(
                error, TPAD_E_INTERIOR, i, axis, axis->interior, ngraph_limits.least_interior, NULL,
                "axis %a: padding_interior is %g, below %l (padding_below %b, "
                "padding_above %e); only those two may be negative");
    }
    return TPAD_OK;
}

/* Sets the mode. An axis with something to add must have the cells that the mode repeats. */
static int32_t set_mode(tpad_axis *axes, int32_t rank, const tpad_ngraph_mode *mode,
                        tpad_error *error)
{
    for (int32_t i = 0; i < rank; i++) {
        tpad_axis *axis = &axes[i];
        axis->mode = mode->mode;
        if ((axis->before > 0 || axis->after > 0) && axis->in_extent < mode->least_extent)
            return dialect_refuse_axis(
                error, TPAD_E_NO_SOURCE, i, axis, axis->in_extent, mode->least_extent, mode->word,
                "axis %a: %n needs an extent of at least %l where it pads; this one "
                "is %g (padding_below %b, padding_above %e); CONSTANT has no limit");
    }
    return TPAD_OK;
}

/* The whole translation, except for copying the pad value. */
static int32_t ngraph_translate(tpad_translation *result, const tpad_ngraph_pad *given,
                                int64_t *out_extents, tpad_error *error)
{
    const size_t least = DIALECT_BYTES_UP_TO(tpad_ngraph_pad, pad_mode);
    const tpad_ngraph_mode *mode;
    tpad_ngraph_pad pad = {0};
    int32_t status = dialect_read(&pad, sizeof pad, least, given, "tpad_ngraph_pad", error);
    if (status == TPAD_OK) status = ngraph_check_arg(&pad.arg, error);
    if (status == TPAD_OK) status = ngraph_check_mode(&mode, &pad, error);
    if (status == TPAD_OK) status = check_value(&pad, error);
    if (status == TPAD_OK) status = check_lists(&pad, error);
    if (status != TPAD_OK) return status;

    *result = (tpad_translation){
        .rank = pad.arg.rank, .elem_bits = pad.elem_bits, .value = pad.arg_pad_value->data};
    int64_t extents[TPAD_MAX_RANK];
    status = fill_axes(result->axes, &pad, error);
    /* The operator checks the extents first. They do not depend on the modes, set below. */
    if (status == TPAD_OK) status = dialect_shape(result, extents, NULL, error);
    if (status == TPAD_OK) status = set_mode(result->axes, result->rank, mode, error);
    if (status != TPAD_OK) return status;
    for (int32_t i = 0; out_extents && i < result->rank; i++) out_extents[i] = extents[i];
    return TPAD_OK;
}

int32_t tpad_ngraph_translate(tpad_translation *out, size_t out_bytes, const tpad_ngraph_pad *pad,
                              tpad_error *error)
{
    tpad_translation result;
    int32_t status = dialect_check_out(out, out_bytes, error);
    if (status == TPAD_OK) status = ngraph_translate(&result, pad, NULL, error);
    if (status != TPAD_OK) return status;
    if (!result.value)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "arg_pad_value",
                              "%n: the data is missing");
    dialect_deliver(out, out_bytes, &result);
    return TPAD_OK;
}

int32_t tpad_ngraph_shape(const tpad_ngraph_pad *pad, int64_t *out_extents, tpad_error *error)
{
    tpad_translation result;
    return ngraph_translate(&result, pad, out_extents, error);
}
