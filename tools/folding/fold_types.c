/* Elements of the types that are folded.  SPDX-License-Identifier: MIT
 *
 * Owns what a type can hold, and conversions. Where documents leave a conversion open, or runtimes
 * differ, the result is unknown. */
#include "fold.h"
#include <math.h>

/* Integers up to this many bits of magnitude are exact in double and in float. */
enum { DOUBLE_BITS = 53, FLOAT_BITS = 24 };

int32_t tpad_element_not_negative(int32_t type, tpad_element element)
{
    if (!element.known) return element.not_negative;
    return tpad_type_is_real(type) ? element.real >= 0 : element.integer >= 0;
}

tpad_element tpad_element_integer(int32_t type, int64_t integer)
{
    const int32_t kind = tpad_type_kind(type), bits = tpad_onnx_type_bits(type);
    const int64_t top = bits >= 64            ? INT64_MAX
                        : kind == ELEM_SIGNED ? (INT64_C(1) << (bits - 1)) - 1
                        : kind == ELEM_BOOL   ? 1
                                              : (INT64_C(1) << bits) - 1;
    const int64_t low = kind == ELEM_SIGNED ? -top - 1 : 0;
    return (tpad_element){.integer = integer, .known = integer >= low && integer <= top};
}

tpad_element tpad_element_real(int32_t type, double real)
{
    uint32_t code;
    if (type == TPAD_ONNX_DOUBLE) return (tpad_element){.real = real, .known = 1};
    if (tpad_float_encode(&code, type, real)) return (tpad_element){.known = 0};
    return (tpad_element){.real = tpad_float_decode(code, type), .known = 1};
}

/* The low bits of an integer as another integer type has them. */
static tpad_element cut(int64_t integer, int32_t to)
{
    const int32_t bits = tpad_onnx_type_bits(to);
    uint64_t kept = (uint64_t)integer;
    if (bits < 64) {
        kept &= (UINT64_C(1) << bits) - 1;
        const uint64_t sign = UINT64_C(1) << (bits - 1);
        if (tpad_type_is_signed(to)) kept = (kept ^ sign) - sign;
    }
    return (tpad_element){.integer = (int64_t)kept, .known = 1};
}

static tpad_element to_integer(double real, int32_t to)
{
    /* Every 64-bit integer type holds the numbers below 2^63. */
    if (!(fabs(real) < 9223372036854775808.0)) return (tpad_element){.known = 0};
    return tpad_element_integer(to, (int64_t)real);
}

static tpad_element to_real(const tpad_element *from, int32_t type, int32_t to)
{
    const int32_t bits = to == TPAD_ONNX_DOUBLE || to == TPAD_ONNX_FLOAT ? DOUBLE_BITS : FLOAT_BITS;
    double real = from->real;
    if (!tpad_type_is_real(type)) {
        const int64_t most = INT64_C(1) << bits;
        /* Beyond this, some round twice and others once. */
        if (from->integer > most || from->integer < -most) return (tpad_element){.known = 0};
        real = (double)from->integer;
    } else if (tpad_type_kind(to) == ELEM_HALF && (double)(float)real != real && real == real) {
        return (tpad_element){.known = 0};
    }
    return tpad_element_real(to, real);
}

tpad_element tpad_element_cast(tpad_element element, int32_t from, int32_t to)
{
    const int32_t real = tpad_type_is_real(from);
    if (!element.known || from == to) return element;
    if (tpad_type_kind(from) == ELEM_OTHER) return (tpad_element){.known = 0};
    switch (tpad_type_kind(to)) {
    case ELEM_BOOL:
        return (tpad_element){.integer = real ? element.real != 0 : element.integer != 0,
                              .known = 1};
    case ELEM_FLOAT:
    case ELEM_HALF:
        if (from == TPAD_ONNX_UINT64 && element.integer < 0) return (tpad_element){.known = 0};
        return to_real(&element, from, to);
    case ELEM_OTHER:
        return (tpad_element){.known = 0};
    default:
        return real ? to_integer(element.real, to) : cut(element.integer, to);
    }
}
