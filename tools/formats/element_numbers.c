/* Elements of the types as numbers.  SPDX-License-Identifier: MIT
 *
 * Owns which types have numbers that a 64-bit integer or a double can hold, and how these lie in
 * memory. */
#include "file.h"
#include <string.h>

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
