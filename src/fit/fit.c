/* Amounts from requests: sizes, multiples, ratios, alignment. SPDX-License-Identifier: MIT
 *
 * Uses public headers only. docs/semantics.md, "To a size", defines the results. */
#include "fit_rules.h"

#include "../specs/spec_common.h"

/* ---- Names ----------------------------------------------------------------------------------- */

#define WORD(name, number, word) word,
static const char *const align_words[] = {TPAD_ALIGN_MAP(WORD)};
static const char *const too_long_words[] = {TPAD_TOO_LONG_MAP(WORD)};
#undef WORD

static int32_t number_of_word(const char *const *words, int32_t count, const char *name)
{
    for (int32_t i = 0; name && i < count; i++)
        if (dialect_same_word(words[i], name)) return i;
    return -1;
}

const char *tpad_align_name(int32_t align)
{
    return align >= 0 && align < TPAD_ALIGN_COUNT ? align_words[align] : "?";
}

const char *tpad_too_long_name(int32_t too_long)
{
    return too_long >= 0 && too_long < TPAD_TOO_LONG_COUNT ? too_long_words[too_long] : "?";
}

int32_t tpad_align_from_name(const char *name)
{
    return number_of_word(align_words, TPAD_ALIGN_COUNT, name);
}

int32_t tpad_too_long_from_name(const char *name)
{
    return number_of_word(too_long_words, TPAD_TOO_LONG_COUNT, name);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

TPAD_INTERNAL_DEF int32_t tpad_fit_refuse(tpad_error *error, int32_t code, int32_t i, int64_t got,
                                          int64_t limit, const char *text)
{
    if (error) *error = (tpad_error){code, i, got, limit, 0, 0, NULL, text};
    return code;
}

static int32_t check_request(const tpad_fit_axis *request, int32_t i, tpad_error *error)
{
    if (request->sized != 0 && request->sized != 1)
        return tpad_fit_refuse(error, TPAD_E_ARGUMENT, i, request->sized, 1,
                               "axis %a: sized is %g, but only 0 and 1 are known");
    if (!request->sized && request->extent != 0)
        return tpad_fit_refuse(
            error, TPAD_E_ARGUMENT, i, request->extent, 0,
            "axis %a: set sized to 1, or extent to %l: extent is %g, and nothing "
            "uses it");
    if (request->sized && (request->extent < 0 || request->extent > TPAD_MAX_EXTENT))
        return tpad_fit_refuse(error, TPAD_E_EXTENT, i, request->extent, TPAD_MAX_EXTENT,
                               "axis %a: the target extent %g is not between 0 and %l");
    if (request->multiple < 0 || request->multiple > TPAD_MAX_EXTENT)
        return tpad_fit_refuse(error, TPAD_E_EXTENT, i, request->multiple, TPAD_MAX_EXTENT,
                               "axis %a: the multiple %g is not between 0 and %l");
    if (request->align < 0 || request->align >= TPAD_ALIGN_COUNT)
        return tpad_fit_refuse(error, TPAD_E_ARGUMENT, i, request->align, TPAD_ALIGN_COUNT - 1,
                               "axis %a: align %g is not between 0 and %l");
    if (request->align != TPAD_ALIGN_OFFSET && request->offset != 0)
        return tpad_fit_refuse(
            error, TPAD_E_ARGUMENT, i, request->offset, 0,
            "axis %a: set align to TPAD_ALIGN_OFFSET, or offset to %l: offset is "
            "%g, and nothing uses it");
    if (request->align == TPAD_ALIGN_OFFSET &&
        (request->offset < -TPAD_MAX_EXTENT || request->offset > TPAD_MAX_EXTENT))
        return tpad_fit_refuse(error, TPAD_E_AMOUNT, i, request->offset, TPAD_MAX_EXTENT,
                               "axis %a: the offset %g is beyond %l in magnitude");
    if (request->too_long < 0 || request->too_long >= TPAD_TOO_LONG_COUNT)
        return tpad_fit_refuse(error, TPAD_E_ARGUMENT, i, request->too_long,
                               TPAD_TOO_LONG_COUNT - 1,
                               "axis %a: too_long %g is not between 0 and %l");
    if (request->mode < 0 || request->mode >= TPAD_MODE_COUNT)
        return tpad_fit_refuse(error, TPAD_E_MODE, i, request->mode, TPAD_MODE_COUNT - 1,
                               "axis %a: mode %g is not between 0 and %l");
    return TPAD_OK;
}

static int32_t check_aspect(const tpad_fit *fit, tpad_error *error)
{
    const int32_t *axes = fit->aspect_axes;
    if (fit->aspect[0] == 0 && fit->aspect[1] == 0) return TPAD_OK;
    for (int side = 0; side < 2; side++) {
        if (fit->aspect[side] < 1 || fit->aspect[side] > TPAD_MAX_EXTENT)
            return dialect_refuse(error, TPAD_E_ARGUMENT, fit->aspect[side], TPAD_MAX_EXTENT,
                                  "aspect", "%n: %g is not between 1 and %l");
        if (axes[side] < 0 || axes[side] >= fit->rank)
            return dialect_refuse(error, TPAD_E_ARGUMENT, axes[side], fit->rank - 1, "aspect_axes",
                                  "%n: axis %g is not between 0 and %l");
    }
    if (axes[0] == axes[1])
        return dialect_refuse(error, TPAD_E_ARGUMENT, axes[0], 0, "aspect_axes",
                              "%n: axis %g is named twice: a ratio needs two axes");
    return TPAD_OK;
}

TPAD_INTERNAL_DEF int32_t tpad_fit_read(tpad_fit *fit, const tpad_fit *given, tpad_error *error)
{
    *fit = (tpad_fit){0};
    int32_t status = dialect_read(fit, sizeof *fit, DIALECT_BYTES_UP_TO(tpad_fit, aspect), given,
                                  "tpad_fit", error);
    if (status != TPAD_OK) return status;
    if (fit->rank < 0 || fit->rank > TPAD_MAX_RANK)
        return dialect_refuse(error, TPAD_E_RANK, fit->rank, TPAD_MAX_RANK, NULL,
                              "rank %g is not between 0 and %l");
    if (fit->rank > 0 && !fit->axes)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "tpad_fit", "%n: the axes are missing");
    if (fit->rank > 0 && fit->axis_size != sizeof(tpad_fit_axis))
        return dialect_refuse(error, TPAD_E_ARGUMENT, (int64_t)fit->axis_size,
                              (int64_t)sizeof(tpad_fit_axis), "tpad_fit",
                              fit->axis_size < sizeof(tpad_fit_axis)
                                  ? "%n: axis_size is %g, not %l: initialise it with TPAD_FIT"
                                  : "%n: axis_size is %g, but this tensorpad knows %l: the header "
                                    "is newer than the library");
    status = dialect_check_flags(0, 0, fit->reserved, error);
    for (int32_t i = 0; status == TPAD_OK && i < fit->rank; i++)
        status = check_request(fit_request(fit, i), i, error);
    return status != TPAD_OK ? status : check_aspect(fit, error);
}

/* ---- Extents --------------------------------------------------------------------------------- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Rounds an extent up to a multiple; returns 0 if the result is above TPAD_MAX_EXTENT. */
static int round_up(int64_t *extent, int64_t multiple)
{
    return multiple < 2 ||
           fit_product(*extent / multiple + (*extent % multiple != 0), multiple, extent);
}

static int32_t refuse_size(tpad_error *error, int32_t i, int64_t extent, const char *text)
{
    return tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, extent, TPAD_MAX_EXTENT, text);
}

/* The output extent that a tensor of this extent needs; below 0 if none of it is left. */
static int32_t own_extent(const tpad_fit_axis *request, int32_t i, int64_t in_extent,
                          int64_t *needed, tpad_error *error)
{
    if (in_extent < 0 || in_extent > TPAD_MAX_EXTENT)
        return tpad_fit_refuse(error, TPAD_E_EXTENT, i, in_extent, TPAD_MAX_EXTENT,
                               "axis %a: extent %g is not between 0 and %l");
    *needed = in_extent + (request->align == TPAD_ALIGN_OFFSET ? request->offset : 0);
    if (request->sized && (request->too_long != TPAD_TOO_LONG_KEEP || *needed < request->extent))
        *needed = request->extent;
    return *needed <= TPAD_MAX_EXTENT
               ? TPAD_OK
               : refuse_size(error, i, *needed,
                             "axis %a: offset and extent together are %g, above %l");
}

/* Raises the extents of two axes to the smallest ones that have the ratio. */
static int32_t apply_aspect(const tpad_fit *fit, int64_t *extents, tpad_error *error)
{
    const int32_t *at = fit->aspect_axes;
    if (fit->aspect[0] == 0) return TPAD_OK;
    const int64_t divisor = common_divisor(fit->aspect[0], fit->aspect[1]);
    int64_t units = 0; /* the extents are `units` times the reduced ratio */
    int64_t step = 1;  /* `units` must be a multiple of this, so that the extents fit theirs */
    int64_t side[2];
    for (int k = 0; k < 2; k++) {
        const int64_t multiple = fit_request(fit, at[k])->multiple;
        side[k] = fit->aspect[k] / divisor;
        const int64_t least = extents[at[k]] / side[k] + (extents[at[k]] % side[k] != 0);
        if (least > units) units = least;
        if (multiple < 2) continue;
        const int64_t needed = multiple / common_divisor(multiple, side[k]);
        if (!fit_product(step / common_divisor(step, needed), needed, &step))
            return refuse_size(error, at[k], multiple,
                               "axis %a: no extent up to %l has this multiple, %g, and the ratio");
    }
    const int rounded = round_up(&units, step);
    for (int k = 0; k < 2; k++) {
        if (!rounded || !fit_product(units, side[k], &side[k]))
            return refuse_size(
                error, at[k], extents[at[k]],
                "axis %a: the extent %g, made longer to have the ratio, is above %l");
    }
    for (int k = 0; k < 2; k++) extents[at[k]] = side[k];
    return TPAD_OK;
}

TPAD_INTERNAL_DEF int32_t tpad_fit_include(const tpad_fit *fit, const int64_t *in_extents,
                                           int64_t *extents, tpad_error *error)
{
    for (int32_t i = 0; i < fit->rank; i++) {
        int64_t needed;
        const int32_t status = own_extent(fit_request(fit, i), i, in_extents[i], &needed, error);
        if (status != TPAD_OK) return status;
        if (needed > extents[i]) extents[i] = needed;
    }
    return TPAD_OK;
}

TPAD_INTERNAL_DEF int32_t tpad_fit_round(const tpad_fit *fit, int64_t *extents, tpad_error *error)
{
    for (int32_t i = 0; i < fit->rank; i++) {
        if (!round_up(&extents[i], fit_request(fit, i)->multiple))
            return refuse_size(error, i, extents[i],
                               "axis %a: the extent %g, rounded up to its multiple, is above %l");
    }
    return apply_aspect(fit, extents, error);
}

int32_t tpad_fit_extents(const tpad_fit *given, const int64_t *in_extents, int64_t count,
                         int64_t *out_extents, int64_t *item, tpad_error *error)
{
    tpad_fit fit;
    int64_t extents[TPAD_MAX_RANK] = {0}, about = -1;
    int32_t status = tpad_fit_read(&fit, given, error);
    if (status == TPAD_OK && count < 1)
        status = dialect_refuse(error, TPAD_E_ARGUMENT, count, 1, NULL,
                                "there are %g tensors, but at least %l is needed");
    if (status == TPAD_OK && fit.rank > 0 && (!in_extents || !out_extents))
        status = dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0,
                                in_extents ? "out_extents" : "in_extents", "%n is missing");
    for (int64_t k = 0; status == TPAD_OK && fit.rank > 0 && k < count; k++) {
        status = tpad_fit_include(&fit, in_extents + k * fit.rank, extents, error);
        if (status != TPAD_OK) about = k;
    }
    if (status == TPAD_OK) status = tpad_fit_round(&fit, extents, error);
    if (item) *item = about;
    for (int32_t i = 0; status == TPAD_OK && i < fit.rank; i++) out_extents[i] = extents[i];
    return status;
}

/* ---- Amounts --------------------------------------------------------------------------------- */

/* The cells in front of the input; negative: the number cut off. room: the output's extent less
 * the input's. */
static int64_t cells_before(const tpad_fit_axis *request, int64_t room)
{
    if (request->align == TPAD_ALIGN_OFFSET) return request->offset;
    if (room < 0 && request->too_long == TPAD_TOO_LONG_CROP_END) return 0;
    if (room < 0) return request->too_long == TPAD_TOO_LONG_CROP_START ? room : room / 2;
    return request->align == TPAD_ALIGN_START ? 0
           : request->align == TPAD_ALIGN_END ? room
                                              : room / 2;
}

TPAD_INTERNAL_DEF int32_t tpad_fit_place(const tpad_fit *fit, int32_t i, int64_t extent,
                                         tpad_axis *axis, tpad_error *error)
{
    const tpad_fit_axis *request = fit_request(fit, i);
    const int64_t room = extent - axis->in_extent;
    axis->before = cells_before(request, room);
    axis->after = room - axis->before;
    axis->mode = request->mode;
    if (axis->before >= 0 && axis->after >= 0) return TPAD_OK;
    if (request->too_long == TPAD_TOO_LONG_ERROR || request->too_long == TPAD_TOO_LONG_KEEP)
        return dialect_refuse_axis(error, TPAD_E_TOO_LONG, i, axis, axis->in_extent, extent, NULL,
                                   request->align == TPAD_ALIGN_OFFSET
                                       ? "axis %a: %g cells at that offset do not fit into %l: "
                                         "choose a larger target, or a too_long that crops"
                                       : "axis %a: %g cells do not fit into %l: choose a larger "
                                         "target, or a too_long that crops");
    if (axis->after < -TPAD_MAX_EXTENT || axis->after > TPAD_MAX_EXTENT)
        return dialect_refuse_axis(error, TPAD_E_AMOUNT, i, axis, axis->after, TPAD_MAX_EXTENT,
                                   NULL, "axis %a: amount %g is beyond %l in magnitude");
    return TPAD_OK;
}

int32_t tpad_fit_amounts(const tpad_fit *given, const int64_t *out_extents, tpad_axis *axes,
                         tpad_error *error)
{
    tpad_fit fit;
    tpad_axis fitted[TPAD_MAX_RANK];
    int64_t in_extents[TPAD_MAX_RANK], extents[TPAD_MAX_RANK] = {0};
    int32_t status = tpad_fit_read(&fit, given, error);
    if (status == TPAD_OK && fit.rank > 0 && !axes)
        status = dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "axes", "%n is missing");
    for (int32_t i = 0; status == TPAD_OK && i < fit.rank; i++) {
        fitted[i] = axes[i];
        in_extents[i] = axes[i].in_extent;
        if (axes[i].interior != 0)
            status = tpad_fit_refuse(error, TPAD_E_INTERIOR, i, axes[i].interior, 0,
                                     "axis %a: interior is %g, but it must be %l to fit a size");
    }
    if (status == TPAD_OK) status = tpad_fit_include(&fit, in_extents, extents, error);
    if (status == TPAD_OK) status = tpad_fit_round(&fit, extents, error);
    for (int32_t i = 0; status == TPAD_OK && i < fit.rank; i++) {
        const int64_t extent = out_extents ? out_extents[i] : extents[i];
        status = extent < 0 || extent > TPAD_MAX_EXTENT
                     ? tpad_fit_refuse(error, TPAD_E_EXTENT, i, extent, TPAD_MAX_EXTENT,
                                       "axis %a: the target extent %g is not between 0 and %l")
                     : tpad_fit_place(&fit, i, extent, &fitted[i], error);
    }
    for (int32_t i = 0; status == TPAD_OK && i < fit.rank; i++) axes[i] = fitted[i];
    return status;
}
