/* The float types as bit patterns.  SPDX-License-Identifier: MIT
 *
 * Owns the layout of every float type of ONNX but double, one table row each, and the one rounding
 * from a number to its bits. Knows no text and no file.
 *
 * Three cases have no answer in IEEE arithmetic. A finite number that rounds beyond the largest one
 * becomes infinity if the type has one; otherwise it is refused, and not saturated or made a NaN.
 * Types without a negative zero turn it into zero. float8e8m0 holds powers of two only, no zero and
 * no sign: a number halfway between two powers goes up, and any positive number below the smallest
 * becomes the smallest.
 */
#include "file.h"

#include <math.h>
#include <string.h>

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
    exponent += (int32_t)(significand >> (DOUBLE_FRACTION - 1) & 1); /* 1.5 and more: up */
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
        /* The hidden bit counts as one step of the exponent, a carry as another. */
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
