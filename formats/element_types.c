/* Element types, their names and sizes.  SPDX-License-Identifier: MIT
 *
 * Every name of a type (ONNX, NumPy, short), their spelling in .npy, and the arithmetic of shapes
 * and strides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

/* Names besides ONNX's own. A name that NumPy and ONNX give to different types ("float") has ONNX's
 * meaning. NumPy's codes that count bytes ("f4", "i8") are not names here, because "i8" is short
 * for int8. */
static const struct {
    const char *word;
    int32_t type;
} other_names[] = {
    {"float32", TPAD_ONNX_FLOAT},
    {"f32", TPAD_ONNX_FLOAT},
    {"single", TPAD_ONNX_FLOAT},
    {"float64", TPAD_ONNX_DOUBLE},
    {"f64", TPAD_ONNX_DOUBLE},
    {"f16", TPAD_ONNX_FLOAT16},
    {"half", TPAD_ONNX_FLOAT16},
    {"bf16", TPAD_ONNX_BFLOAT16},
    {"u8", TPAD_ONNX_UINT8},
    {"u16", TPAD_ONNX_UINT16},
    {"u32", TPAD_ONNX_UINT32},
    {"u64", TPAD_ONNX_UINT64},
    {"i8", TPAD_ONNX_INT8},
    {"i16", TPAD_ONNX_INT16},
    {"i32", TPAD_ONNX_INT32},
    {"i64", TPAD_ONNX_INT64},
    {"u4", TPAD_ONNX_UINT4},
    {"i4", TPAD_ONNX_INT4},
    {"u2", TPAD_ONNX_UINT2},
    {"i2", TPAD_ONNX_INT2},
    {"c64", TPAD_ONNX_COMPLEX64},
    {"c128", TPAD_ONNX_COMPLEX128},
    {"bool_", TPAD_ONNX_BOOL},
    {"str", TPAD_ONNX_STRING},
    {"float8_e4m3fn", TPAD_ONNX_FLOAT8E4M3FN},
    {"f8e4m3fn", TPAD_ONNX_FLOAT8E4M3FN},
    {"f8e4m3", TPAD_ONNX_FLOAT8E4M3FN},
    {"float8_e4m3fnuz", TPAD_ONNX_FLOAT8E4M3FNUZ},
    {"f8e4m3fnuz", TPAD_ONNX_FLOAT8E4M3FNUZ},
    {"float8_e5m2", TPAD_ONNX_FLOAT8E5M2},
    {"f8e5m2", TPAD_ONNX_FLOAT8E5M2},
    {"float8_e5m2fnuz", TPAD_ONNX_FLOAT8E5M2FNUZ},
    {"f8e5m2fnuz", TPAD_ONNX_FLOAT8E5M2FNUZ},
    {"float8_e8m0fnu", TPAD_ONNX_FLOAT8E8M0},
    {"float8_e8m0", TPAD_ONNX_FLOAT8E8M0},
    {"f8e8m0", TPAD_ONNX_FLOAT8E8M0},
    {"float4_e2m1fn", TPAD_ONNX_FLOAT4E2M1},
    {"float4_e2m1", TPAD_ONNX_FLOAT4E2M1},
    {"f4e2m1", TPAD_ONNX_FLOAT4E2M1},
};

int32_t tpad_type_from_text(const char *text)
{
    int32_t type = tpad_onnx_type_from_name(text);
    for (size_t i = 0; !type && i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i].word, text) == 0) type = other_names[i].type;
    return type;
}

const char *tpad_tensor_type_text(const tpad_tensor *tensor)
{
    const char *name = tpad_onnx_type_name(tensor->type);
    if (!name) name = tensor->npy_descr;
    return name ? name : "raw bytes";
}

void tpad_tensor_describe(tpad_tensor *like, int32_t type, int32_t rank, const int64_t *shape)
{
    *like = (tpad_tensor){.type = type, .rank = rank};
    like->elem_bits =
        type == TPAD_ONNX_STRING ? 8 * (int32_t)sizeof(tpad_string) : tpad_onnx_type_bits(type);
    like->big_endian = tpad_host_big_endian();
    for (int32_t i = 0; i < rank; i++) like->shape[i] = shape[i];
    tpad_dense_strides(like);
}

/* ONNX types by OpenVINO's numbers; 0: ONNX has none. */
#define TYPE_OF(openvino, onnx) [TPAD_OPENVINO_##openvino] = TPAD_ONNX_##onnx,
static const int8_t from_openvino[] = {TPAD_OPENVINO_ONNX_MAP(TYPE_OF)};
#undef TYPE_OF
enum { FROM_OPENVINO_COUNT = sizeof from_openvino / sizeof *from_openvino };

int32_t tpad_type_from_openvino(int32_t type)
{
    return type > 0 && type < FROM_OPENVINO_COUNT ? from_openvino[type] : 0;
}

int32_t tpad_type_to_openvino(int32_t type)
{
    for (int32_t i = 1; i < FROM_OPENVINO_COUNT; i++)
        if (from_openvino[i] == type) return type ? i : 0;
    return 0;
}

int32_t tpad_type_is_signed(int32_t type)
{
    return type == TPAD_ONNX_INT8 || type == TPAD_ONNX_INT16 || type == TPAD_ONNX_INT32 ||
           type == TPAD_ONNX_INT64 || type == TPAD_ONNX_INT4 || type == TPAD_ONNX_INT2;
}

int32_t tpad_type_is_unsigned(int32_t type)
{
    return type == TPAD_ONNX_UINT8 || type == TPAD_ONNX_UINT16 || type == TPAD_ONNX_UINT32 ||
           type == TPAD_ONNX_UINT64 || type == TPAD_ONNX_UINT4 || type == TPAD_ONNX_UINT2;
}

int32_t tpad_host_big_endian(void)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

int32_t tpad_shape_size(const char *path, int32_t rank, const int64_t *shape, int32_t elem_bits,
                        int64_t *elems, int64_t *bytes, tpad_io_error *error)
{
    int64_t count = 1;
    int too_many = 0, empty = 0;
    for (int32_t i = 0; i < rank; i++) {
        if (shape[i] < 0 || shape[i] > TPAD_MAX_EXTENT)
            return tpad_io_fail(error, TPAD_E_FILE,
                                "%s: extent %lld of axis %d is not in 0 to %lld", path,
                                (long long)shape[i], (int)i, (long long)TPAD_MAX_EXTENT);
        empty |= shape[i] == 0;
        too_many |= __builtin_mul_overflow(count, shape[i], &count);
    }
    if (empty) count = too_many = 0;
    int32_t unit = elem_bits < 8 ? 1 : elem_bits / 8;
    int64_t total = 0;
    if (!too_many) too_many = __builtin_mul_overflow(count, unit, &total);
    if (too_many)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: the product of its %d extents and %d bits does not fit in 64 bits",
                            path, (int)rank, (int)elem_bits);
    if (elem_bits < 8) {
        int64_t per_byte = 8 / elem_bits;
        total = count / per_byte + (count % per_byte != 0);
    }
    *elems = count;
    *bytes = total;
    return TPAD_OK;
}

void tpad_dense_strides(tpad_tensor *tensor)
{
    int64_t stride = tensor->elem_bits < 8 ? 1 : tensor->elem_bits / 8;
    int overflow = 0, empty = 0;
    for (int32_t i = tensor->rank - 1; i >= 0; i--) {
        tensor->strides[i] = stride;
        empty |= tensor->shape[i] == 0;
        overflow |= __builtin_mul_overflow(stride, tensor->shape[i], &stride);
    }
    if (empty || overflow) memset(tensor->strides, 0, sizeof tensor->strides);
}

void tpad_swap_bytes(void *data, int64_t elems, const tpad_tensor *like)
{
    size_t unit = (size_t)like->elem_bits / 8;
    size_t count = (size_t)elems;
    if (like->type == TPAD_ONNX_COMPLEX64 || like->type == TPAD_ONNX_COMPLEX128) {
        unit /= 2;
        count *= 2;
    }
    unsigned char *at = data;
    if (unit < 2) return;
    for (size_t i = 0; i < count; i++, at += unit)
        for (size_t low = 0, high = unit - 1; low < high; low++, high--) {
            unsigned char byte = at[low];
            at[low] = at[high];
            at[high] = byte;
        }
}

/* ---- .npy spellings -------------------------------------------------------------------------- */

/* Every fixed-width kind of NumPy, and the ONNX type of the same elements. NumPy with ml_dtypes
 * spells float8_e5m2 as f1 (and its relatives as V1). */
static const struct {
    char letter;
    int8_t size;
    int8_t type;
} kinds[] = {
    {'b', 1, TPAD_ONNX_BOOL},
    {'i', 1, TPAD_ONNX_INT8},
    {'i', 2, TPAD_ONNX_INT16},
    {'i', 4, TPAD_ONNX_INT32},
    {'i', 8, TPAD_ONNX_INT64},
    {'u', 1, TPAD_ONNX_UINT8},
    {'u', 2, TPAD_ONNX_UINT16},
    {'u', 4, TPAD_ONNX_UINT32},
    {'u', 8, TPAD_ONNX_UINT64},
    {'f', 1, TPAD_ONNX_FLOAT8E5M2},
    {'f', 2, TPAD_ONNX_FLOAT16},
    {'f', 4, TPAD_ONNX_FLOAT},
    {'f', 8, TPAD_ONNX_DOUBLE},
    {'f', 12, 0},
    {'f', 16, 0},
    {'c', 8, TPAD_ONNX_COMPLEX64},
    {'c', 16, TPAD_ONNX_COMPLEX128},
    {'c', 24, 0},
    {'c', 32, 0},
    {'M', 8, 0},
    {'m', 8, 0},
};

static int find_kind(char letter, int64_t size)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].letter == letter && kinds[i].size == size) return (int)i;
    return -1;
}

/* The unit of a date: "[ns]", "[25s]", or nothing. */
static int is_date_unit(const char *text)
{
    static const char allowed[] = "0123456789/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (*text == '\0') return 1;
    if (*text != '[') return 0;
    size_t length = strspn(text + 1, allowed);
    return length > 0 && strcmp(text + 1 + length, "]") == 0;
}

int32_t tpad_npy_kind_parse(tpad_npy_kind *kind, const char *descr)
{
    char host = tpad_host_big_endian() ? '>' : '<';
    int ordered = *descr == '<' || *descr == '>';
    kind->order = ordered ? *descr : host;
    if (*descr && strchr("<>=|", *descr)) descr++;
    kind->letter = *descr == 'a' ? 'S' : *descr; /* the old letter for S */
    if (strcmp(descr, "O") == 0) {
        kind->size = (int64_t)sizeof(void *);
        return 1;
    }
    if (*descr == '\0' || descr[1] < '0' || descr[1] > '9') return 0;
    char *end;
    /* strtol saturates, so a number with too many digits is only a very large size. */
    long size = strtol(descr + 1, &end, 10);
    int date = kind->letter == 'M' || kind->letter == 'm';
    if (date ? !is_date_unit(end) : *end != '\0') return 0;
    int32_t unit = kind->letter == 'U' ? 4 : 1;
    if (size > INT32_MAX / unit) size = INT32_MAX / unit;
    kind->size = (int64_t)size * unit;
    if (strchr("SUV", kind->letter)) {
        if (kind->letter == 'S' || (kind->letter == 'V' && !ordered)) kind->order = '|';
        return 1;
    }
    if (kind->size == 1) kind->order = '|';
    return find_kind(kind->letter, kind->size) >= 0;
}

int32_t tpad_npy_kind_type(const tpad_npy_kind *kind)
{
    int index = find_kind(kind->letter, kind->size);
    return index < 0 ? 0 : kinds[index].type;
}

/* Elements as numbers: the types whose numbers a 64-bit integer or a double can hold, and how they
 * are stored in memory. */

int32_t tpad_type_kind(int32_t type)
{
    if (type <= 0 || tpad_onnx_type_bits(type) < 8) return ELEM_OTHER;
    switch (type) {
    case TPAD_ONNX_BOOL:
        return ELEM_BOOL;
    case TPAD_ONNX_FLOAT:
    case TPAD_ONNX_DOUBLE:
        return ELEM_FLOAT;
    case TPAD_ONNX_FLOAT16:
    case TPAD_ONNX_BFLOAT16:
        return ELEM_HALF;
    default:
        return tpad_type_is_signed(type)     ? ELEM_SIGNED
               : tpad_type_is_unsigned(type) ? ELEM_UNSIGNED
                                             : ELEM_OTHER;
    }
}

int32_t tpad_type_is_real(int32_t type)
{
    const int32_t kind = tpad_type_kind(type);
    return kind == ELEM_FLOAT || kind == ELEM_HALF;
}

tpad_element tpad_element_read(const tpad_tensor *tensor, int64_t index)
{
    const int32_t size = tensor->elem_bits / 8, type = tensor->type;
    const unsigned char *at = (const unsigned char *)tensor->data + index * size;
    tpad_element element = {.known = 1};
    uint64_t bits = 0;
    for (int32_t k = 0; k < size; k++) bits = bits << 8 | at[tensor->big_endian ? k : size - 1 - k];
    if (type == TPAD_ONNX_DOUBLE)
        memcpy(&element.real, &bits, sizeof bits);
    else if (tpad_type_is_real(type))
        element.real = tpad_float_decode((uint32_t)bits, type);
    else if (type == TPAD_ONNX_BOOL)
        element.integer = bits != 0;
    else if (tpad_type_is_signed(type)) {
        const uint64_t sign = UINT64_C(1) << (8 * size - 1);
        element.integer = (int64_t)((bits ^ sign) - sign);
    } else
        element.integer = (int64_t)bits;
    return element;
}

void tpad_element_write(void *data, int32_t type, int64_t index, tpad_element element)
{
    const int32_t size = tpad_onnx_type_bits(type) / 8;
    unsigned char *at = (unsigned char *)data + index * size;
    uint64_t bits = (uint64_t)element.integer;
    if (tpad_type_is_real(type) && type != TPAD_ONNX_DOUBLE) {
        uint32_t code;
        tpad_float_encode(&code, type, element.real);
        bits = code;
    }
    for (int32_t k = 0; k < size; k++, bits >>= 8)
        at[tpad_host_big_endian() ? size - 1 - k : k] = (unsigned char)bits;
}

/* The float types as bit patterns.
 *
 * The layout of every float type of ONNX but double, one table row each, and the one rounding from
 * a number to its bits.
 *
 * Three cases have no answer in IEEE arithmetic. A finite number that rounds beyond the largest one
 * becomes infinity if the type has one; otherwise it is refused, neither saturated nor made a NaN.
 * Types without a negative zero turn it into zero. float8e8m0 holds powers of two only, no zero and
 * no sign: a number halfway between two powers rounds up, and any positive number below the
 * smallest becomes the smallest. */

typedef struct float_layout {
    int32_t type;
    int32_t fraction_bits;
    int32_t bias;
    uint32_t largest;  /* finite, sign bit clear */
    uint32_t infinity; /* 0: none */
    uint32_t nan;      /* 0: none */
    uint32_t sign;
    int32_t negative_zero;
    const char *limit; /* why larger numbers are refused; NULL where they become infinity */
} float_layout;

static const float_layout layouts[] = {
    {TPAD_ONNX_FLOAT, 23, 127, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x80000000, 1, NULL},
    {TPAD_ONNX_FLOAT16, 10, 15, 0x7BFF, 0x7C00, 0x7E00, 0x8000, 1, NULL},
    {TPAD_ONNX_BFLOAT16, 7, 127, 0x7F7F, 0x7F80, 0x7FC0, 0x8000, 1, NULL},
    {TPAD_ONNX_FLOAT8E4M3FN, 3, 7, 0x7E, 0, 0x7F, 0x80, 1, "goes from -448 to 448"},
    {TPAD_ONNX_FLOAT8E4M3FNUZ, 3, 8, 0x7F, 0, 0x80, 0x80, 0, "goes from -240 to 240"},
    {TPAD_ONNX_FLOAT8E5M2, 2, 15, 0x7B, 0x7C, 0x7E, 0x80, 1, NULL},
    {TPAD_ONNX_FLOAT8E5M2FNUZ, 2, 16, 0x7F, 0, 0x80, 0x80, 0, "goes from -57344 to 57344"},
    {TPAD_ONNX_FLOAT4E2M1, 1, 1, 0x7, 0, 0, 0x8, 1, "goes from -6 to 6"},
};

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, E8M0_BIAS = 127, E8M0_NAN = 0xFF };

static const char power_limit[] = "holds only powers of two, from 2^-127 to 2^127";

static const float_layout *layout_of(int32_t type)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].type == type) return &layouts[i];
    return NULL;
}

/* A finite magnitude that is not zero: significand * 2^(exponent - 52), significand in [2^52,
 * 2^53). */
static int32_t take_apart(uint64_t bits, uint64_t *significand)
{
    int32_t field = (int32_t)(bits >> DOUBLE_FRACTION & 0x7FF);
    uint64_t hidden = UINT64_C(1) << DOUBLE_FRACTION;
    *significand = bits & (hidden - 1);
    if (field != 0) {
        *significand |= hidden;
        return field - DOUBLE_BIAS;
    }
    int32_t exponent = 1 - DOUBLE_BIAS;
    for (; *significand < hidden; *significand <<= 1) exponent--;
    return exponent;
}

static const char *encode_power(uint32_t *code, double value)
{
    uint64_t bits, significand;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value)) {
        *code = E8M0_NAN;
        return NULL;
    }
    if (isinf(value)) return "has no infinity";
    if (value <= 0) return power_limit;
    int32_t exponent = take_apart(bits, &significand);
    exponent += (int32_t)(significand >> (DOUBLE_FRACTION - 1) & 1); /* 1.5 or more rounds up */
    if (exponent > E8M0_BIAS) return power_limit;
    *code = exponent < -E8M0_BIAS ? 0 : (uint32_t)(exponent + E8M0_BIAS);
    return NULL;
}

const char *tpad_float_encode(uint32_t *code, int32_t type, double value)
{
    if (type == TPAD_ONNX_FLOAT8E8M0) return encode_power(code, value);
    const float_layout *layout = layout_of(type);
    uint64_t bits, significand;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 63 ? layout->sign : 0;
    bits &= UINT64_MAX >> 1;
    if (isnan(value)) {
        *code = layout->nan | sign;
        return layout->nan ? NULL : "has no NaN";
    }
    if (isinf(value)) {
        *code = layout->infinity | sign;
        return layout->infinity ? NULL : "has no infinity";
    }
    uint64_t magnitude = 0;
    if (bits != 0) {
        int32_t exponent = take_apart(bits, &significand);
        int32_t above = exponent - (1 - layout->bias); /* below 0: subnormal in this type */
        int32_t drop = DOUBLE_FRACTION - layout->fraction_bits - (above < 0 ? above : 0);
        if (drop > DOUBLE_FRACTION + 2) drop = DOUBLE_FRACTION + 2; /* far less than half a step */
        uint64_t rest = significand & ((UINT64_C(1) << drop) - 1);
        uint64_t half = UINT64_C(1) << (drop - 1);
        magnitude = significand >> drop;
        magnitude += rest > half || (rest == half && (magnitude & 1));
        /* The hidden bit adds one to the exponent, and so does a carry. */
        if (above > 0) magnitude += (uint64_t)above << layout->fraction_bits;
        if (magnitude > layout->largest) {
            if (layout->limit) return layout->limit;
            magnitude = layout->infinity;
        }
    }
    if (magnitude == 0 && !layout->negative_zero) sign = 0;
    *code = (uint32_t)magnitude | sign;
    return NULL;
}

/* 2^exponent, -1022 to 1023. */
static double power_of_two(int32_t exponent)
{
    uint64_t bits = (uint64_t)(exponent + DOUBLE_BIAS) << DOUBLE_FRACTION;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double tpad_float_decode(uint32_t code, int32_t type)
{
    if (type == TPAD_ONNX_FLOAT8E8M0)
        return code == E8M0_NAN ? (double)NAN : power_of_two((int32_t)code - E8M0_BIAS);
    const float_layout *layout = layout_of(type);
    uint32_t magnitude = code & (layout->sign - 1);
    int negative = (code & layout->sign) != 0;
    double value;
    if (negative && !layout->negative_zero && magnitude == 0)
        value = (double)NAN;
    else if (magnitude <= layout->largest) {
        uint32_t hidden = UINT32_C(1) << layout->fraction_bits;
        uint32_t field = magnitude >> layout->fraction_bits;
        uint32_t fraction = magnitude & (hidden - 1);
        if (field != 0) fraction |= hidden;
        int32_t exponent = (int32_t)(field ? field : 1) - layout->bias - layout->fraction_bits;
        value = fraction * power_of_two(exponent);
    } else
        value = magnitude == layout->infinity ? (double)INFINITY : (double)NAN;
    return negative ? -value : value;
}
