/* OpenVINO Pad-1 and Pad-12: a layer's arguments to a problem. SPDX-License-Identifier: MIT
 *
 * The names and limits of the OpenVINO documents. Uses public headers only. docs/specs/openvino.md
 * answers the questions that the documents leave open. */
#include <tensorpad/openvino.h>

#include "spec_common.h"

/* ---- What the documents say ------------------------------------------------------------------ */

#define TYPE(name) (UINT32_C(1) << TPAD_OPENVINO_##name)
#define MODE(name) (UINT32_C(1) << TPAD_##name)

enum {
    PADS_TYPES = TYPE(I8) | TYPE(I16) | TYPE(I32) | TYPE(I64) | TYPE(U8) | TYPE(U16) | TYPE(U32) |
        TYPE(U64),
    UNPACKABLE = TYPE(U3) | TYPE(U6),
    OPENVINO_NUMERIC = PADS_TYPES | TYPE(BOOLEAN) | TYPE(BF16) | TYPE(F16) | TYPE(F32) | TYPE(F64) |
        TYPE(I4) | TYPE(U1) | TYPE(U2) | TYPE(U4) | TYPE(NF4) | TYPE(F4E2M1) | TYPE(F8E4M3) |
        TYPE(F8E5M2) | TYPE(F8E8M0),
    MODES = MODE(CONSTANT) | MODE(EDGE) | MODE(REFLECT) | MODE(SYMMETRIC)
};

static const tpad_openvino_version openvino_versions[] = {
    {1, 1, 11, OPENVINO_NUMERIC, PADS_TYPES, MODES, 0, TPAD_WINDOW, 0, -1, 0},
    {12, 12, INT32_MAX, OPENVINO_NUMERIC | TYPE(STRING), PADS_TYPES, MODES, MODE(CONSTANT),
     TPAD_WINDOW, 1, -1, 0},
};
#undef TYPE
#undef MODE

enum {
    OPENVINO_VERSIONS = sizeof openvino_versions / sizeof openvino_versions[0],
    NF4_ZERO = 7 /* the only type whose zero is not all bits zero */
};

int32_t tpad_openvino_version_count(void)
{
    return OPENVINO_VERSIONS;
}

const tpad_openvino_version *tpad_openvino_version_at(int32_t index)
{
    return index >= 0 && index < OPENVINO_VERSIONS ? &openvino_versions[index] : NULL;
}

const tpad_openvino_version *tpad_openvino_version_for(int32_t opset)
{
    const tpad_openvino_version *newest = NULL;
    for (int32_t i = 0; i < OPENVINO_VERSIONS && openvino_versions[i].first_opset <= opset; i++)
        newest = &openvino_versions[i];
    return newest;
}

const char *tpad_openvino_type_name(int32_t type)
{
    switch (type) {
#define TYPE_NAME(name, number, word, port, bits)                                                  \
    case number:                                                                                   \
        return word;
        TPAD_OPENVINO_TYPE_MAP(TYPE_NAME)
#undef TYPE_NAME
    default:
        return NULL;
    }
}

const char *tpad_openvino_type_port_name(int32_t type)
{
    switch (type) {
#define TYPE_PORT_NAME(name, number, word, port, bits)                                             \
    case number:                                                                                   \
        return port;
        TPAD_OPENVINO_TYPE_MAP(TYPE_PORT_NAME)
#undef TYPE_PORT_NAME
    default:
        return NULL;
    }
}

int32_t tpad_openvino_type_bits(int32_t type)
{
    switch (type) {
#define TYPE_BITS(name, number, word, port, bits)                                                  \
    case number:                                                                                   \
        return bits;
        TPAD_OPENVINO_TYPE_MAP(TYPE_BITS)
#undef TYPE_BITS
    default:
        return 0;
    }
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int openvino_same_word(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) a++, b++;
    return lower(*a) == lower(*b);
}

int32_t tpad_openvino_type_from_name(const char *name)
{
    for (int32_t type = 1; name && tpad_openvino_type_name(type); type++)
        if (openvino_same_word(tpad_openvino_type_name(type), name) ||
            openvino_same_word(tpad_openvino_type_port_name(type), name))
            return type;
    return 0;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* The arguments, and the results of the checks so far. */
typedef struct layer {
    tpad_openvino_pad pad; /* all fields, whatever the caller's struct_size is */
    const tpad_openvino_version *version;
    int lenient;
    int32_t rank;
    int32_t mode;
    tpad_error *error;
} layer;

static int32_t openvino_check_type(const layer *l)
{
    const int32_t type = l->pad.data.type, version = l->version->version;
    const char *name = tpad_openvino_type_name(type);
    if (!name)
        return dialect_refuse(l->error, TPAD_E_SPEC_TYPE, type, 0, NULL,
                              "data: %g is not the number of an OpenVINO type");
    if (UNPACKABLE >> type & 1)
        return dialect_refuse(
            l->error, TPAD_E_SPEC_TYPE, version, 0, name,
            "data: elements of type %n have no settled packing: releases of OpenVINO are "
            "believed to differ, so tensorpad does not guess");
    if (l->lenient || (l->version->types >> type & 1)) return TPAD_OK;
    return dialect_refuse(l->error, TPAD_E_SPEC_TYPE, version,
                          openvino_versions[OPENVINO_VERSIONS - 1].version, name,
                          "data: Pad-%g does not allow type %n; Pad-%l does, in mode constant");
}

static int32_t openvino_check_mode(layer *l)
{
    const char *name = l->pad.mode;
    const int32_t version = l->version->version;
    if (!name)
        return dialect_refuse(
            l->error, TPAD_E_SPEC_INPUT, version, 0, "pad_mode",
            "%n: Pad-%g requires this attribute: constant, edge, reflect or symmetric");
    l->mode = tpad_mode_from_name(name);
    if (l->mode < 0)
        return dialect_refuse(
            l->error, TPAD_E_SPEC_MODE, version, 0, name,
            "pad_mode: Pad-%g has no mode '%n'; OpenVINO has constant, edge, reflect and "
            "symmetric");
    if (l->lenient) return TPAD_OK;
    if (!(l->version->modes >> l->mode & 1))
        return dialect_refuse(
            l->error, TPAD_E_SPEC_MODE, version, 0, name,
            "pad_mode: no version of OpenVINO Pad has mode '%n'; the lenient form "
            "computes it");
    if (l->pad.data.type == TPAD_OPENVINO_STRING && !(l->version->string_modes >> l->mode & 1))
        return dialect_refuse(
            l->error, TPAD_E_SPEC_MODE, version, 0, name,
            "pad_mode: Pad-%g pads strings in mode constant only, not in '%n'; the "
            "lenient form computes it");
    return TPAD_OK;
}

/* ---- Amounts --------------------------------------------------------------------------------- */

static int32_t check_pads(const layer *l, const tpad_openvino_tensor *pads, const char *name)
{
    if (!pads)
        return dialect_refuse(l->error, TPAD_E_SPEC_INPUT, l->version->version, 0, name,
                              "%n: Pad-%g requires this input");
    if (pads->type < 0 || pads->type > 31 || !(l->version->pads_types >> pads->type & 1))
        return dialect_refuse(
            l->error, TPAD_E_SPEC_PADS, pads->type, 0, name,
            "%n: the type must be an integer of 8 to 64 bits; type number %g is none");
    if (pads->rank != 1)
        return dialect_refuse(l->error, TPAD_E_SPEC_PADS, pads->rank, 1, name,
                              "%n: rank %g; it must be a tensor of rank %l");
    if (!pads->shape)
        return dialect_refuse(l->error, TPAD_E_ARGUMENT, 0, 0, name, "%n: the shape is missing");
    if (pads->shape[0] != l->rank)
        return dialect_refuse(l->error, TPAD_E_SPEC_PADS, pads->shape[0], l->rank, name,
                              "%n: %g entries; there must be one for each axis of data, %l");
    if (l->rank > 0 && !pads->data)
        return dialect_refuse(l->error, TPAD_E_ARGUMENT, 0, 0, name, "%n: the data is missing");
    return TPAD_OK;
}

/* Entry i of a tensor of integers, at any alignment. 0 if it exceeds int64_t. */
static int openvino_load_int(const tpad_openvino_tensor *t, int32_t i, int64_t *amount)
{
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        unsigned char bytes[8];
    } value;
    const int size = tpad_openvino_type_bits(t->type) / 8;
    const unsigned char *at = (const unsigned char *)t->data + (size_t)i * (size_t)size;
    for (int k = 0; k < size; k++) value.bytes[k] = at[k];
    switch (t->type) {
    case TPAD_OPENVINO_I8:
        *amount = value.i8;
        return 1;
    case TPAD_OPENVINO_I16:
        *amount = value.i16;
        return 1;
    case TPAD_OPENVINO_I32:
        *amount = value.i32;
        return 1;
    case TPAD_OPENVINO_U8:
        *amount = value.u8;
        return 1;
    case TPAD_OPENVINO_U16:
        *amount = value.u16;
        return 1;
    case TPAD_OPENVINO_U32:
        *amount = value.u32;
        return 1;
    case TPAD_OPENVINO_I64:
        *amount = value.i64;
        return 1;
    default: /* U64 */
        *amount = value.u64 <= INT64_MAX ? (int64_t)value.u64 : INT64_MAX;
        return value.u64 <= INT64_MAX;
    }
}

static int32_t load_amounts(const layer *l, int32_t at, tpad_axis *axis)
{
    const int begin = openvino_load_int(l->pad.begin, at, &axis->before);
    const int end = openvino_load_int(l->pad.end, at, &axis->after);
    if (begin && end) return TPAD_OK;
    return dialect_refuse_axis(l->error, TPAD_E_AMOUNT, at, axis, INT64_MAX, TPAD_MAX_EXTENT,
                               begin ? "pads_end" : "pads_begin",
                               "axis %a: %n is 2^63 or more; an amount is at most %l");
}

/* Checks the limits on every axis, even if nothing is added: the document says "for any valid
 * D". */
static int32_t check_amounts(const layer *l, int32_t at, const tpad_axis *axis)
{
    const int64_t most = axis->before > axis->after ? axis->before : axis->after;
    if (l->lenient) return TPAD_OK;
    if (!l->version->negative && (axis->before < 0 || axis->after < 0))
        return dialect_refuse_axis(
            l->error, TPAD_E_SPEC_PADS, at, axis, axis->before < 0 ? axis->before : axis->after,
            openvino_versions[OPENVINO_VERSIONS - 1].version, NULL,
            "axis %a: begin %b and end %e: Pad-1 takes no negative amounts, such as "
            "%g; Pad-%l takes negative pads, and so does the lenient form");
    /* The core refuses such an extent. */
    if (axis->in_extent < 0 || axis->in_extent > TPAD_MAX_EXTENT) return TPAD_OK;
    const int64_t reflect = axis->in_extent + l->version->reflect_limit;
    const int64_t symmetric = axis->in_extent + l->version->symmetric_limit;
    if (l->mode == TPAD_REFLECT && most > reflect)
        return dialect_refuse_axis(
            l->error, TPAD_E_SPEC_PADS, at, axis, most, reflect, "reflect",
            "axis %a: begin %b and end %e: in mode %n an amount is at most the "
            "extent less one, %l, not %g; the lenient form has no limit");
    if (l->mode == TPAD_SYMMETRIC && most > symmetric)
        return dialect_refuse_axis(
            l->error, TPAD_E_SPEC_PADS, at, axis, most, symmetric, "symmetric",
            "axis %a: begin %b and end %e: in mode %n an amount is at most the "
            "extent, %l, not %g; the lenient form has no limit");
    return TPAD_OK;
}

static int in_range(int64_t amount)
{
    return amount >= -TPAD_MAX_EXTENT && amount <= TPAD_MAX_EXTENT;
}

/* Clamps a negative output extent to 0. The core rejects values out of range. */
static void keep_above_zero(tpad_axis *axis)
{
    if (axis->in_extent < 0 || !in_range(axis->in_extent) || !in_range(axis->before) ||
        !in_range(axis->after) || axis->before + axis->in_extent + axis->after >= 0)
        return;
    axis->before = -axis->in_extent;
    axis->after = 0;
}

static int32_t openvino_translate_axes(const layer *l, tpad_axis *axes)
{
    int32_t status = check_pads(l, l->pad.begin, "pads_begin");
    if (status == TPAD_OK) status = check_pads(l, l->pad.end, "pads_end");
    for (int32_t i = 0; i < l->rank && status == TPAD_OK; i++) {
        axes[i] = (tpad_axis){0};
        axes[i].in_extent = l->pad.data.shape[i];
        axes[i].mode = l->mode;
        axes[i].order = l->version->order;
        status = load_amounts(l, i, &axes[i]);
        if (status == TPAD_OK) status = check_amounts(l, i, &axes[i]);
        if (status == TPAD_OK) keep_above_zero(&axes[i]);
    }
    return status;
}

/* ---- The value ------------------------------------------------------------------------------- */

static int32_t openvino_translate_value(const layer *l, tpad_translation *result)
{
    const tpad_openvino_tensor *value = l->pad.value;
    if (l->mode != TPAD_CONSTANT) return TPAD_OK;
    if (!value && l->pad.data.type == TPAD_OPENVINO_NF4) {
        result->fill[0] = NF4_ZERO;
        result->fill_bytes = 1;
    }
    if (!value) return TPAD_OK;
    if (value->type != l->pad.data.type)
        return dialect_refuse(l->error, TPAD_E_SPEC_VALUE, value->type, l->pad.data.type,
                              tpad_openvino_type_name(l->pad.data.type),
                              "pad_value: type number %g; it must be that of data, %n (%l)");
    if (value->rank > 0 && !value->shape)
        return dialect_refuse(l->error, TPAD_E_ARGUMENT, 0, 0, NULL,
                              "pad_value: the shape is missing");
    int64_t count = value->rank < 0 ? 0 : 1;
    for (int32_t i = 0; i < value->rank && count == 1; i++) count = value->shape[i];
    if (count != 1 || (value->rank != 0 && !l->lenient))
        return dialect_refuse(
            l->error, TPAD_E_SPEC_VALUE, value->rank, 0, NULL,
            "pad_value: rank %g; it must be a scalar, of rank %l (the lenient form takes "
            "any tensor of one element)");
    if (value->type != TPAD_OPENVINO_U1 || !value->data) {
        result->value = value->data;
        return TPAD_OK;
    }
    /* The first element of u1 is the high bit; the core expects a value in the low one. */
    result->fill[0] = *(const unsigned char *)value->data >> 7;
    result->fill_bytes = 1;
    return TPAD_OK;
}

/* The whole translation, except for copying the pad value. */
static int32_t openvino_translate(tpad_translation *result, const tpad_openvino_pad *pad,
                                  int64_t *out_extents, tpad_error *error)
{
    const size_t least = DIALECT_BYTES_UP_TO(tpad_openvino_pad, reserved);
    layer l = {.error = error};
    int32_t status = dialect_read(&l.pad, sizeof l.pad, least, pad, "tpad_openvino_pad", error);
    if (status == TPAD_OK)
        status = dialect_check_flags(l.pad.flags, TPAD_OPENVINO_LENIENT, l.pad.reserved, error);
    if (status != TPAD_OK) return status;
    const tpad_openvino_tensor *data = &l.pad.data;
    l.lenient = (l.pad.flags & TPAD_OPENVINO_LENIENT) != 0;
    l.rank = data->rank;
    l.version = tpad_openvino_version_for(l.pad.opset);
    if (!l.version)
        return dialect_refuse(error, TPAD_E_SPEC_VERSION, l.pad.opset, 1, NULL,
                              "opset %g: OpenVINO begins with %l");
    if (l.rank < 0 || l.rank > TPAD_MAX_RANK)
        return dialect_refuse(error, TPAD_E_RANK, l.rank, TPAD_MAX_RANK, NULL,
                              "data: rank %g is not between 0 and %l");
    if (l.rank > 0 && !data->shape)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, NULL, "data: the shape is missing");

    *result = (tpad_translation){.rank = l.rank};
    status = openvino_check_type(&l);
    if (status == TPAD_OK) status = openvino_check_mode(&l);
    if (status == TPAD_OK) status = openvino_translate_axes(&l, result->axes);
    if (status == TPAD_OK) status = openvino_translate_value(&l, result);
    if (status != TPAD_OK) return status;

    result->elem_bits = tpad_openvino_type_bits(data->type);
    if (data->type == TPAD_OPENVINO_STRING)
        status = dialect_handle_bits(&result->elem_bits, l.pad.string_bytes, error);
    if (data->type == TPAD_OPENVINO_U1) result->flags = TPAD_HIGH_BITS_FIRST;
    return status == TPAD_OK ? dialect_shape(result, out_extents, NULL, error) : status;
}

int32_t tpad_openvino_translate(tpad_translation *out, size_t out_bytes,
                                const tpad_openvino_pad *pad, tpad_error *error)
{
    tpad_translation result;
    int32_t status = dialect_check_out(out, out_bytes, error);
    if (status == TPAD_OK) status = openvino_translate(&result, pad, NULL, error);
    if (status == TPAD_OK) dialect_deliver(out, out_bytes, &result);
    return status;
}

int32_t tpad_openvino_shape(const tpad_openvino_pad *pad, int64_t *out_extents, tpad_error *error)
{
    tpad_translation result;
    return openvino_translate(&result, pad, out_extents, error);
}
