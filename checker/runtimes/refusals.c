/* Turns an error of src/specs into the reason for a refusal.  SPDX-License-Identifier: MIT */
#include "rule.h"
#include "runtimes.h"

/* Refusals that mean the same in both documents. */
static int32_t forbids(const tpad_rules_facts *facts, int32_t code)
{
    switch (code) {
    case TPAD_E_SPEC_VERSION:
        return TPAD_RULES_FORBIDS_OPSET;
    case TPAD_E_SPEC_TYPE:
        return TPAD_RULES_FORBIDS_TYPE;
    case TPAD_E_SPEC_MODE:
        return facts->mode == TPAD_RULES_NO_MODE ? TPAD_RULES_FORBIDS_MODE_WORD
                                                 : TPAD_RULES_FORBIDS_MODE;
    case TPAD_E_NEGATIVE:
        return TPAD_RULES_FORBIDS_NEGATIVE_EXTENT;
    case TPAD_E_NO_SOURCE:
        return TPAD_RULES_FORBIDS_NOTHING_LEFT;
    default:
        return TPAD_RULES_FORBIDS_OTHER;
    }
}

static int32_t onnx_forbids(const tpad_rules_facts *facts, const tpad_rules_refusal *refusal)
{
    const int32_t mode = facts->mode;
    if (refusal->form) return refusal->form;
    if (facts->type > 0 && !(refusal->types >> facts->type & 1)) return TPAD_RULES_FORBIDS_TYPE;
    if (mode == TPAD_RULES_NO_MODE || mode == TPAD_RULES_SYMMETRIC)
        return TPAD_RULES_FORBIDS_MODE_WORD;
    if (refusal->code == TPAD_E_SPEC_MODE) return TPAD_RULES_FORBIDS_MODE;
    if (refusal->input) return refusal->input;
    if (refusal->code == TPAD_E_SPEC_PADS) return TPAD_RULES_FORBIDS_PADS_COUNT;
    if (refusal->code == TPAD_E_SPEC_AXES)
        return refusal->axis >= 0 ? TPAD_RULES_FORBIDS_AXES_REPEATED
                                  : TPAD_RULES_FORBIDS_AXES_RANGE;
    return forbids(facts, refusal->code);
}

static int32_t openvino_forbids(const tpad_rules_facts *facts, const tpad_rules_refusal *refusal)
{
    switch (refusal->code) {
    case TPAD_E_SPEC_INPUT:
        return TPAD_RULES_FORBIDS_INPUT_COUNT;
    case TPAD_E_SPEC_PADS: /* with an axis: one of its amounts */
        return refusal->axis >= 0 ? TPAD_RULES_FORBIDS_OTHER : TPAD_RULES_FORBIDS_PADS_COUNT;
    case TPAD_E_SPEC_VALUE:
        return TPAD_RULES_FORBIDS_VALUE_TYPE;
    default:
        return forbids(facts, refusal->code);
    }
}

int32_t tpad_rules_document(const tpad_rules_facts *facts, const tpad_rules_refusal *refusal)
{
    if (refusal->code == TPAD_OK) return refusal->input;
    return facts->spec == TPAD_RULES_ONNX ? onnx_forbids(facts, refusal)
                                          : openvino_forbids(facts, refusal);
}

/* Properties of an element, for the facts of a node. */

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

/* The same, and how it fits 8-bit integers; a NaN does not. */
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
