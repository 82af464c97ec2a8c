/* Elements of one type as another: the layer Convert on constants.  SPDX-License-Identifier: MIT
 *
 * Owns the conversions between numbers: to a float rounded once to nearest even, to an integer
 * towards zero, between integers modulo the width, to boolean whether it is not zero. Knows no
 * file. */
#include "ir.h"
#include <math.h>
#include <string.h>

enum { DOUBLE_BITS = 53 };

/* A number after reading: an integer with a sign, or a double. */
typedef struct number {
    int32_t is_integer, negative;
    uint64_t magnitude;
    double real;
} number;

static int32_t is_integer(int32_t type)
{
    return (type >= TPAD_OPENVINO_I4 && type <= TPAD_OPENVINO_U64) || type == TPAD_OPENVINO_BOOLEAN;
}

static int32_t is_signed(int32_t type)
{
    return type >= TPAD_OPENVINO_I4 && type <= TPAD_OPENVINO_I64;
}

int32_t tpad_ir_can_convert(int32_t to, int32_t from)
{
    const int32_t types[] = {to, from};
    for (int i = 0; i < 2; i++)
        if (types[i] <= 0 || types[i] >= TPAD_OPENVINO_STRING || types[i] == TPAD_OPENVINO_NF4)
            return 0;
    return 1;
}

/* ---- Bits ------------------------------------------------------------------------------------ */

/* The bit of its byte at which a packed element begins. */
static int32_t shift_of(int32_t type, int32_t bits, int64_t index)
{
    const int32_t shift = (int32_t)(index % (8 / bits)) * bits;
    return type == TPAD_OPENVINO_U1 ? 8 - bits - shift : shift;
}

static uint64_t get_bits(const void *data, int32_t type, int32_t big_endian, int64_t index)
{
    const int32_t bits = tpad_openvino_type_bits(type), size = bits / 8;
    const unsigned char *bytes = data;
    uint64_t code = 0;
    if (bits < 8)
        return (uint32_t)bytes[index / (8 / bits)] >> shift_of(type, bits, index) &
               ((1u << bits) - 1);
    for (int32_t k = 0; k < size; k++)
        code = code << 8 | bytes[index * size + (big_endian ? k : size - 1 - k)];
    return code;
}

/* Writes an element to zeroed memory, in this machine's byte order. */
static void put_bits(void *data, int32_t type, int64_t index, uint64_t code)
{
    const int32_t bits = tpad_openvino_type_bits(type), size = bits / 8;
    const int32_t big_endian = tpad_host_big_endian();
    unsigned char *bytes = data;
    if (bits < 8) {
        code = (code & ((1u << bits) - 1)) << shift_of(type, bits, index);
        bytes[index / (8 / bits)] |= (unsigned char)code;
        return;
    }
    for (int32_t k = 0; k < size; k++, code >>= 8)
        bytes[index * size + (big_endian ? size - 1 - k : k)] = (unsigned char)code;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static number read_number(uint64_t code, int32_t type)
{
    number n = {.is_integer = is_integer(type), .magnitude = code};
    const int32_t bits = tpad_openvino_type_bits(type);
    if (type == TPAD_OPENVINO_BOOLEAN) n.magnitude = code != 0;
    if (is_signed(type) && (code >> (bits - 1) & 1)) {
        n.negative = 1;
        n.magnitude = (0 - code) & (UINT64_MAX >> (64 - bits));
    }
    if (n.is_integer) return n;
    if (type == TPAD_OPENVINO_F64)
        memcpy(&n.real, &code, sizeof code);
    else
        n.real = tpad_float_decode((uint32_t)code, tpad_type_from_openvino(type));
    return n;
}

/* The integer as a double. If a double cannot hold it, the neighbour with an odd last bit, because
 * rounding that one to any shorter type gives the right result. */
static double odd_double(const number *n)
{
    int32_t shift = 0;
    while (n->magnitude >> shift >> DOUBLE_BITS) shift++;
    uint64_t kept = n->magnitude >> shift;
    kept |= (kept << shift) != n->magnitude;
    const double real = ldexp((double)kept, shift);
    return n->negative ? -real : real;
}

static const char *to_float(uint64_t *code, int32_t type, const number *n)
{
    uint32_t narrow;
    double real = n->real;
    if (type == TPAD_OPENVINO_F64) {
        if (n->is_integer) real = n->negative ? -(double)n->magnitude : (double)n->magnitude;
        memcpy(code, &real, sizeof real);
        return NULL;
    }
    if (n->is_integer) real = odd_double(n);
    const char *why = tpad_float_encode(&narrow, tpad_type_from_openvino(type), real);
    *code = narrow;
    return why ? "Convert gets a number that has no value near it in the new type" : NULL;
}

static const char *to_integer(uint64_t *code, int32_t type, const number *n)
{
    const int32_t bits = tpad_openvino_type_bits(type);
    if (type == TPAD_OPENVINO_BOOLEAN) {
        *code = n->is_integer ? n->magnitude != 0 : n->real != 0;
        return NULL;
    }
    if (n->is_integer) {
        *code = n->negative ? 0 - n->magnitude : n->magnitude;
        return NULL;
    }
    const double whole = trunc(n->real), above = ldexp(1, is_signed(type) ? bits - 1 : bits);
    if (!(whole < above) || !(whole >= (is_signed(type) ? -above : 0)))
        return "Convert gets a number that the new type cannot hold";
    *code = whole < 0 ? 0 - (uint64_t)-whole : (uint64_t)whole;
    return NULL;
}

const char *tpad_ir_convert_elements(void *to, int32_t to_type, const void *from, int32_t from_type,
                                     int32_t big_endian, int64_t count)
{
    const char *why = NULL;
    for (int64_t i = 0; i < count && !why; i++) {
        const number n = read_number(get_bits(from, from_type, big_endian, i), from_type);
        uint64_t code = 0;
        why = is_integer(to_type) ? to_integer(&code, to_type, &n) : to_float(&code, to_type, &n);
        put_bits(to, to_type, i, code);
    }
    return why;
}
