/* ONNX Pad 1 to 25: a node's arguments to a problem. SPDX-License-Identifier: MIT
 *
 * The names and limits of the ONNX document ("Pad" in the operator reference). Uses public headers
 * only. docs/specs/onnx.md answers the questions that the document leaves open. */
#include <tensorpad/onnx.h>

#include "spec_common.h"

/* ---- What the document says ------------------------------------------------------------------ */

#define TYPE(name) (UINT32_C(1) << TPAD_ONNX_##name)
#define MODE(name) (UINT32_C(1) << TPAD_##name)

enum {
    TYPES_FLOAT = TYPE(FLOAT16) | TYPE(FLOAT) | TYPE(DOUBLE),
    ONNX_NUMERIC = TYPES_FLOAT | TYPE(UINT8) | TYPE(UINT16) | TYPE(UINT32) | TYPE(UINT64) |
        TYPE(INT8) | TYPE(INT16) | TYPE(INT32) | TYPE(INT64),
    TYPES_IR4 = ONNX_NUMERIC | TYPE(BFLOAT16) | TYPE(STRING) | TYPE(BOOL) | TYPE(COMPLEX64) |
        TYPE(COMPLEX128),
    TYPES_IR10 = TYPES_IR4 | TYPE(FLOAT8E4M3FN) | TYPE(FLOAT8E4M3FNUZ) | TYPE(FLOAT8E5M2) |
        TYPE(FLOAT8E5M2FNUZ) | TYPE(UINT4) | TYPE(INT4),
    TYPES_IR11 = TYPES_IR10 | TYPE(FLOAT4E2M1),
    TYPES_IR12 = TYPES_IR11 | TYPE(FLOAT8E8M0),
    TYPES_IR13 = TYPES_IR12 | TYPE(UINT2) | TYPE(INT2),

    MODES_3 = MODE(CONSTANT) | MODE(REFLECT) | MODE(EDGE),
    MODES_4 = MODES_3 | MODE(WRAP)
};

static const tpad_onnx_version onnx_versions[] = {
    {1, TYPES_FLOAT, MODES_3, "paddings", 0}, {2, TYPES_FLOAT, MODES_3, "pads", 0},
    {11, ONNX_NUMERIC, MODES_3, NULL, 0},     {13, TYPES_IR4, MODES_3, NULL, 0},
    {18, TYPES_IR4, MODES_3, NULL, 1},        {19, TYPES_IR4, MODES_4, NULL, 1},
    {21, TYPES_IR10, MODES_4, NULL, 1},       {23, TYPES_IR11, MODES_4, NULL, 1},
    {24, TYPES_IR12, MODES_4, NULL, 1},       {TPAD_ONNX_NEWEST, TYPES_IR13, MODES_4, NULL, 1},
};
#undef TYPE
#undef MODE

enum {
    ONNX_VERSIONS = sizeof onnx_versions / sizeof onnx_versions[0],
    FIRST_WITH_INPUTS = 11,
    FIRST_WITH_AXES = 18
};

int32_t tpad_onnx_version_count(void)
{
    return ONNX_VERSIONS;
}

const tpad_onnx_version *tpad_onnx_version_at(int32_t index)
{
    return index >= 0 && index < ONNX_VERSIONS ? &onnx_versions[index] : NULL;
}

const tpad_onnx_version *tpad_onnx_version_for(int32_t opset)
{
    const tpad_onnx_version *newest = NULL;
    for (int32_t i = 0; i < ONNX_VERSIONS && onnx_versions[i].since <= opset; i++)
        newest = &onnx_versions[i];
    return newest;
}

const char *tpad_onnx_type_name(int32_t type)
{
    switch (type) {
#define TYPE_NAME(name, number, word, bits)                                                        \
    case number:                                                                                   \
        return word;
        TPAD_ONNX_TYPE_MAP(TYPE_NAME)
#undef TYPE_NAME
    default:
        return NULL;
    }
}

int32_t tpad_onnx_type_bits(int32_t type)
{
    switch (type) {
#define TYPE_BITS(name, number, word, bits)                                                        \
    case number:                                                                                   \
        return bits;
        TPAD_ONNX_TYPE_MAP(TYPE_BITS)
#undef TYPE_BITS
    default:
        return 0;
    }
}

int32_t tpad_onnx_type_from_name(const char *name)
{
    for (int32_t type = 1; name && tpad_onnx_type_name(type); type++)
        if (dialect_same_word(tpad_onnx_type_name(type), name)) return type;
    return 0;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* The arguments, and the results of the checks so far. */
typedef struct node {
    tpad_onnx_pad pad; /* all fields, whatever the caller's struct_size is */
    const tpad_onnx_version *version;
    int lenient;
    int32_t rank;
    int32_t mode;
    int64_t count; /* the number of axes that have pads */
    tpad_error *error;
} node;

/* The name of a type, for the text of an error. */
static const char *type_word(int32_t type)
{
    const char *name = tpad_onnx_type_name(type);
    return name ? name : "?";
}

static int32_t onnx_check_type(const node *n)
{
    const int32_t type = n->pad.data.type, since = n->version->since;
    const char *name = tpad_onnx_type_name(type);
    if (!name)
        return dialect_refuse(n->error, TPAD_E_SPEC_TYPE, type, 0, NULL,
                              "data: %g is not the number of an ONNX type");
    if (n->lenient || (n->version->types >> type & 1)) return TPAD_OK;
    int32_t first = 0;
    while (!(onnx_versions[first].types >> type & 1)) first++;
    return dialect_refuse(
        n->error, TPAD_E_SPEC_TYPE, since, onnx_versions[first].since, name,
        "data: Pad-%g does not allow type %n; Pad-%l is the first version that does");
}

static int32_t onnx_check_mode(node *n)
{
    const char *name = n->pad.mode ? n->pad.mode : "constant";
    n->mode = tpad_mode_from_name(name);
    if (n->mode < 0)
        return dialect_refuse(
            n->error, TPAD_E_SPEC_MODE, n->version->since, 0, name,
            "mode: Pad-%g has no mode '%n'; ONNX has constant, reflect, edge, and wrap "
            "from Pad-19 on");
    if (n->lenient || (n->version->modes >> n->mode & 1)) return TPAD_OK;
    for (int32_t i = 0; i < ONNX_VERSIONS; i++)
        if (onnx_versions[i].modes >> n->mode & 1)
            return dialect_refuse(
                n->error, TPAD_E_SPEC_MODE, n->version->since, onnx_versions[i].since, name,
                "mode: Pad-%g has no mode '%n'; Pad-%l is the first version that has it");
    return dialect_refuse(
        n->error, TPAD_E_SPEC_MODE, n->version->since, 0, name,
        "mode: no version of ONNX Pad has mode '%n'; the lenient form computes it");
}

/* Strict: refuses arguments that this version does not have. */
static int32_t check_arguments(const node *n)
{
    const tpad_onnx_pad *p = &n->pad;
    const int32_t since = n->version->since;
    const char *attribute = n->version->pads_attribute;
    if (n->lenient) return TPAD_OK;
    if (since >= FIRST_WITH_INPUTS) {
        if (p->attribute_paddings || p->attribute_pads)
            return dialect_refuse(
                n->error, TPAD_E_SPEC_INPUT, since, 2, p->attribute_paddings ? "paddings" : "pads",
                "%n: Pad-%g takes pads as an input; Pad-%l is the last version with an "
                "attribute for them");
        if (p->attribute_value)
            return dialect_refuse(
                n->error, TPAD_E_SPEC_INPUT, since, 2, "value",
                "%n: Pad-%g takes the pad value as input constant_value; Pad-%l is the "
                "last version with an attribute for it");
    } else {
        if (p->pads || p->value)
            return dialect_refuse(
                n->error, TPAD_E_SPEC_INPUT, since, FIRST_WITH_INPUTS,
                p->pads ? "pads" : "constant_value",
                "%n: Pad-%g has no such input; Pad-%l is the first version that has it");
        if (since == 1 ? p->attribute_pads != NULL : p->attribute_paddings != NULL)
            return dialect_refuse(n->error, TPAD_E_SPEC_INPUT, since, 0, attribute,
                                  "pads: in Pad-%g the attribute is called '%n'");
    }
    if (p->axes && !n->version->has_axes)
        return dialect_refuse(
            n->error, TPAD_E_SPEC_INPUT, since, FIRST_WITH_AXES, "axes",
            "%n: Pad-%g has no such input; Pad-%l is the first version that has it");
    return TPAD_OK;
}

/* Entry i of a tensor of int32 or int64, at any alignment. */
static int64_t onnx_load_int(const tpad_onnx_tensor *t, int64_t i)
{
    union {
        int64_t wide;
        int32_t narrow;
        unsigned char bytes[8];
    } value;
    const int size = t->type == TPAD_ONNX_INT32 ? 4 : 8;
    const unsigned char *at = (const unsigned char *)t->data + i * size;
    for (int k = 0; k < size; k++) value.bytes[k] = at[k];
    return t->type == TPAD_ONNX_INT32 ? value.narrow : value.wide;
}

/* ---- Translation ----------------------------------------------------------------------------- */

/* Turns entry i of `axes` into the index of an axis, and refuses repetitions. */
static int32_t resolve_axis(const node *n, int64_t i, uint32_t *seen, int32_t *axis)
{
    const tpad_onnx_tensor *axes = n->pad.axes;
    *axis = (int32_t)i;
    if (axes) {
        const int64_t given = onnx_load_int(axes, i);
        if (given < -n->rank || given >= n->rank)
            return dialect_refuse(n->error, TPAD_E_SPEC_AXES, given, n->rank, NULL,
                                  "axes: %g is not an axis of a tensor of rank %l");
        *axis = (int32_t)(given < 0 ? given + n->rank : given);
        if (*seen >> *axis & 1)
            return dialect_refuse_axis(n->error, TPAD_E_SPEC_AXES, *axis, &(tpad_axis){0}, given, 0,
                                       NULL, "axes: axis %a is named more than once (again by %g)");
    }
    *seen |= UINT32_C(1) << *axis;
    return TPAD_OK;
}

static int32_t check_axes(node *n)
{
    const tpad_onnx_tensor *axes = n->pad.axes;
    n->count = n->rank;
    if (!axes) return TPAD_OK;
    if (axes->type != TPAD_ONNX_INT64 && axes->type != TPAD_ONNX_INT32)
        return dialect_refuse(n->error, TPAD_E_SPEC_AXES, axes->type, 0, type_word(axes->type),
                              "axes: the type is %n; it must be int32 or int64");
    if (axes->rank != 1)
        return dialect_refuse(n->error, TPAD_E_SPEC_AXES, axes->rank, 1, NULL,
                              "axes: rank %g; it must be a tensor of rank %l");
    if (!axes->shape)
        return dialect_refuse(n->error, TPAD_E_ARGUMENT, 0, 0, NULL, "axes: the shape is missing");
    if (axes->shape[0] < 0 || axes->shape[0] > n->rank)
        return dialect_refuse(n->error, TPAD_E_SPEC_AXES, axes->shape[0], n->rank, NULL,
                              "axes: %g entries for a tensor of rank %l");
    if (axes->shape[0] > 0 && !axes->data)
        return dialect_refuse(n->error, TPAD_E_ARGUMENT, 0, 0, NULL, "axes: the data is missing");
    n->count = axes->shape[0];
    return TPAD_OK;
}

/* Finds the amounts: all begins, then all ends. */
static int32_t find_pads(const node *n, tpad_onnx_tensor *pads, int64_t *shape)
{
    const tpad_onnx_pad *p = &n->pad;
    const int64_t *attribute = p->attribute_pads ? p->attribute_pads : p->attribute_paddings;
    if (p->pads) {
        *pads = *p->pads;
    } else if (attribute) {
        *shape = p->attribute_pads ? p->attribute_pads_count : p->attribute_paddings_count;
        *pads = (tpad_onnx_tensor){TPAD_ONNX_INT64, 1, shape, attribute};
    } else {
        return dialect_refuse(n->error, TPAD_E_SPEC_INPUT, n->version->since, 0,
                              n->version->pads_attribute ? n->version->pads_attribute : "pads",
                              n->version->pads_attribute ? "%n: Pad-%g requires this attribute"
                                                         : "%n: Pad-%g requires this input");
    }
    if (pads->type != TPAD_ONNX_INT64 && !(n->lenient && pads->type == TPAD_ONNX_INT32))
        return dialect_refuse(n->error, TPAD_E_SPEC_PADS, pads->type, 0, type_word(pads->type),
                              "pads: the type is %n; it must be int64");
    const int row = n->lenient && pads->rank == 2 && pads->shape && pads->shape[0] == 1;
    if (pads->rank != 1 && !row)
        return dialect_refuse(n->error, TPAD_E_SPEC_PADS, pads->rank, 1, NULL,
                              "pads: rank %g; it must be a tensor of rank %l");
    if (!pads->shape)
        return dialect_refuse(n->error, TPAD_E_ARGUMENT, 0, 0, NULL, "pads: the shape is missing");
    const int64_t entries = pads->shape[pads->rank - 1];
    if (entries != 2 * n->count)
        return dialect_refuse(n->error, TPAD_E_SPEC_PADS, entries, 2 * n->count, NULL,
                              "pads: %g entries; a begin and an end for each axis make %l");
    if (entries > 0 && !pads->data)
        return dialect_refuse(n->error, TPAD_E_ARGUMENT, 0, 0, NULL, "pads: the data is missing");
    return TPAD_OK;
}

static int32_t onnx_translate_axes(const node *n, tpad_axis *axes)
{
    for (int32_t i = 0; i < n->rank; i++) {
        axes[i] = (tpad_axis){0};
        axes[i].in_extent = n->pad.data.shape[i];
        axes[i].mode = n->mode;
        axes[i].order = TPAD_CROP;
    }
    tpad_onnx_tensor pads;
    int64_t shape;
    int32_t status = find_pads(n, &pads, &shape);
    uint32_t seen = 0;
    for (int64_t i = 0; status == TPAD_OK && i < n->count; i++) {
        int32_t axis;
        status = resolve_axis(n, i, &seen, &axis);
        if (status != TPAD_OK) break;
        axes[axis].before = onnx_load_int(&pads, i);
        axes[axis].after = onnx_load_int(&pads, n->count + i);
    }
    return status;
}

/* Rounds to nearest even, as a Cast from float to float16 does. */
static uint16_t half_from_float(uint32_t bits)
{
    const uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7FFFFFFF;
    if (rest > 0x7F800000) return (uint16_t)(sign | 0x7E00 | (rest >> 13 & 0x3FF));
    if (rest >= 0x477FF000) return (uint16_t)(sign | 0x7C00); /* 65520 and more: infinity */
    if (rest < 0x33000000) return (uint16_t)sign;             /* below half the least number */
    uint32_t fraction, shift;
    if (rest < 0x38800000) { /* subnormal: the leading 1 becomes explicit */
        fraction = (rest & 0x7FFFFF) | 0x800000;
        shift = 126 - (rest >> 23);
    } else { /* exponent bias 127 to 15 */
        fraction = rest - ((127 - 15) << 23);
        shift = 13;
    }
    const uint32_t kept = fraction >> shift, lost = fraction & ((UINT32_C(1) << shift) - 1);
    const uint32_t half = UINT32_C(1) << (shift - 1);
    return (uint16_t)(sign | (kept + (lost > half || (lost == half && (kept & 1)))));
}

static int32_t onnx_keep_value(tpad_translation *result, const void *value, size_t bytes)
{
    dialect_copy_bytes(result->fill, value, bytes);
    result->fill_bytes = (int32_t)bytes;
    return TPAD_OK;
}

/* The attribute `value`, a float, as an element of T. */
static int32_t convert_value(const node *n, tpad_translation *result)
{
    union {
        float number;
        uint32_t bits;
    } value = {*n->pad.attribute_value};
    const double wide = value.number;
    const uint16_t half = half_from_float(value.bits);
    switch (n->pad.data.type) {
    case TPAD_ONNX_FLOAT:
        return onnx_keep_value(result, &value.number, sizeof value.number);
    case TPAD_ONNX_DOUBLE:
        return onnx_keep_value(result, &wide, sizeof wide);
    case TPAD_ONNX_FLOAT16:
        return onnx_keep_value(result, &half, sizeof half);
    default: /* lenient only */
        if (value.bits == 0) return TPAD_OK;
        return dialect_refuse(n->error, TPAD_E_SPEC_VALUE, 0, 0,
                              tpad_onnx_type_name(n->pad.data.type),
                              "value: a float attribute has no conversion to type %n");
    }
}

static int32_t onnx_translate_value(const node *n, tpad_translation *result)
{
    const tpad_onnx_tensor *value = n->pad.value;
    if (!value) return n->pad.attribute_value ? convert_value(n, result) : TPAD_OK;
    if (value->type != n->pad.data.type)
        return dialect_refuse(n->error, TPAD_E_SPEC_VALUE, value->type, n->pad.data.type,
                              tpad_onnx_type_name(n->pad.data.type),
                              "constant_value: type number %g; it must be that of data, %n (%l)");
    if (n->mode != TPAD_CONSTANT) return TPAD_OK;
    if (value->rank > 0 && !value->shape)
        return dialect_refuse(n->error, TPAD_E_ARGUMENT, 0, 0, NULL,
                              "constant_value: the shape is missing");
    int64_t count = value->rank < 0 ? 0 : 1;
    for (int32_t i = 0; i < value->rank && count == 1; i++) count = value->shape[i];
    if (count != 1 || (value->rank > 1 && !n->lenient))
        return dialect_refuse(
            n->error, TPAD_E_SPEC_VALUE, count, value->rank, NULL,
            "constant_value: it must be one element, a scalar or of shape [1]; this one "
            "has rank %l and an extent of %g");
    result->value = value->data;
    return TPAD_OK;
}

/* The whole translation, except for copying the pad value. */
static int32_t onnx_translate(tpad_translation *result, const tpad_onnx_pad *pad,
                              int64_t *out_extents, tpad_error *error)
{
    const size_t least = DIALECT_BYTES_UP_TO(tpad_onnx_pad, reserved);
    node n = {.error = error};
    int32_t status = dialect_read(&n.pad, sizeof n.pad, least, pad, "tpad_onnx_pad", error);
    if (status == TPAD_OK)
        status = dialect_check_flags(n.pad.flags, TPAD_ONNX_LENIENT, n.pad.reserved, error);
    if (status != TPAD_OK) return status;
    const tpad_onnx_tensor *data = &n.pad.data;
    n.lenient = (n.pad.flags & TPAD_ONNX_LENIENT) != 0;
    n.rank = data->rank;
    n.version = tpad_onnx_version_for(n.pad.opset);
    if (!n.version)
        return dialect_refuse(error, TPAD_E_SPEC_VERSION, n.pad.opset, 1, NULL,
                              "opset %g: ONNX begins with %l");
    if (n.rank < 0 || n.rank > TPAD_MAX_RANK)
        return dialect_refuse(error, TPAD_E_RANK, n.rank, TPAD_MAX_RANK, NULL,
                              "data: rank %g is not between 0 and %l");
    if (n.rank > 0 && !data->shape)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, NULL, "data: the shape is missing");

    *result = (tpad_translation){.rank = n.rank};
    status = onnx_check_type(&n);
    if (status == TPAD_OK) status = onnx_check_mode(&n);
    if (status == TPAD_OK) status = check_arguments(&n);
    if (status == TPAD_OK) status = check_axes(&n);
    if (status == TPAD_OK) status = onnx_translate_axes(&n, result->axes);
    if (status == TPAD_OK) status = onnx_translate_value(&n, result);
    if (status != TPAD_OK) return status;

    result->elem_bits = tpad_onnx_type_bits(data->type);
    if (data->type == TPAD_ONNX_STRING)
        status = dialect_handle_bits(&result->elem_bits, n.pad.string_bytes, error);
    return status == TPAD_OK ? dialect_shape(result, out_extents, NULL, error) : status;
}

int32_t tpad_onnx_translate(tpad_translation *out, size_t out_bytes, const tpad_onnx_pad *pad,
                            tpad_error *error)
{
    tpad_translation result;
    int32_t status = dialect_check_out(out, out_bytes, error);
    if (status == TPAD_OK) status = onnx_translate(&result, pad, NULL, error);
    if (status == TPAD_OK) dialect_deliver(out, out_bytes, &result);
    return status;
}

int32_t tpad_onnx_shape(const tpad_onnx_pad *pad, int64_t *out_extents, tpad_error *error)
{
    tpad_translation result;
    return onnx_translate(&result, pad, out_extents, error);
}
