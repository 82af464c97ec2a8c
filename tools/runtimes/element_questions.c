/* What is true of an element, for the facts of a node.  SPDX-License-Identifier: MIT */
#include "rule.h"

/* A float of `exponent` and `fraction` bits, with its sign above them. */
static int32_t of_float(uint64_t code, int32_t exponent, int32_t fraction)
{
    const uint64_t sign = code >> (exponent + fraction) & 1;
    const uint64_t power = code >> fraction & ((UINT64_C(1) << exponent) - 1);
    const uint64_t rest = code & ((UINT64_C(1) << fraction) - 1);
    const uint64_t quiet = UINT64_C(1) << (fraction - 1);
    if (power == 0 && rest == 0) return sign ? TPAD_RULES_MINUS_ZERO : 0;
    if (power + 1 == UINT64_C(1) << exponent && rest)
        return TPAD_RULES_NOT_ZERO | TPAD_RULES_NAN |
               (sign || rest != quiet ? TPAD_RULES_NAN_PAYLOAD : 0);
    return TPAD_RULES_NOT_ZERO | (sign ? TPAD_RULES_NEGATIVE : 0) |
           (power == 0 ? TPAD_RULES_SUBNORMAL : 0) |
           (power + 1 == UINT64_C(1) << exponent ? TPAD_RULES_INFINITE : 0);
}

/* The same, and what becomes of it among integers of 8 bits. NaN is none. */
static int32_t of_single(uint64_t code)
{
    const union {
        uint32_t code;
        float number;
    } element = {(uint32_t)code};
    const float number = element.number;
    const int32_t is_near = number >= -128 && number <= 255;
    return of_float(code, 8, 23) | (is_near && number <= 127 ? 0 : TPAD_RULES_OUTSIDE_INT8) |
           (is_near && number >= 0 ? 0 : TPAD_RULES_OUTSIDE_BYTE) |
           (is_near && (number < (float)(int32_t)number || number > (float)(int32_t)number)
                ? TPAD_RULES_FRACTION
                : 0);
}

static int32_t of_double(uint64_t code)
{
    const union {
        uint64_t code;
        double number;
    } element = {code};
    const double most = 3.4028234663852886e38, number = element.number; /* of a float */
    const int32_t facts = of_float(code, 11, 52);
    if (facts & (TPAD_RULES_NAN | TPAD_RULES_INFINITE)) return facts;
    const int32_t is_kept = number >= -most && number <= most &&
                            !((double)(float)number < number) && !((double)(float)number > number);
    return facts | (is_kept ? 0 : TPAD_RULES_BEYOND_FLOAT32);
}

static int32_t of_integer(uint64_t code, int32_t bits, int32_t is_signed)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const int32_t negative = is_signed && (code & sign);
    const uint64_t size = negative ? (bits == 64 ? 0 : UINT64_C(1) << bits) - code : code;
    uint64_t odd = size;
    int32_t facts = 0;
    while (odd && !(odd & 1)) odd >>= 1;
    if (size) facts |= TPAD_RULES_NOT_ZERO;
    if (negative) facts |= TPAD_RULES_NEGATIVE;
    if (!negative && size > UINT8_MAX) facts |= TPAD_RULES_BEYOND_UINT8;
    if (odd >> 24) facts |= TPAD_RULES_BEYOND_FLOAT32;
    if (size > (negative ? UINT64_C(1) << 31 : (UINT64_C(1) << 31) - 1))
        facts |= TPAD_RULES_BEYOND_INT32;
    return facts;
}

int32_t tpad_rules_element(int32_t type, uint64_t code)
{
    switch (type < 0 || type > 26 ? 0 : 1 << type) {
    case FLOAT:
        return of_single(code);
    case FLOAT16:
        return of_float(code, 5, 10);
    case BFLOAT16:
        return of_float(code, 8, 7);
    case DOUBLE:
        return of_double(code);
    case INT8:
        return of_integer(code, 8, 1);
    case INT16:
        return of_integer(code, 16, 1);
    case INT32:
        return of_integer(code, 32, 1);
    case INT64:
        return of_integer(code, 64, 1);
    case INT4:
        return of_integer(code, 4, 1);
    case INT2:
        return of_integer(code, 2, 1);
    case UINT8:
    case UINT16:
    case UINT32:
    case UINT64:
    case UINT4:
    case UINT2:
        return of_integer(code, 64, 0);
    default:
        return code ? TPAD_RULES_NOT_ZERO : 0;
    }
}
