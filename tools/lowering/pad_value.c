/* The pad value as an operand.  SPDX-License-Identifier: MIT
 *
 * Its bits are those of the model: they never pass through text. */
#include "folding/folding.h"
#include "recipe.h"
#include <string.h>

/* ---- Constants ------------------------------------------------------------------------------- */

/* An element of an attribute in the type of the data. */
static int32_t convert(void *element, int32_t type, const tpad_graph_pad *pad)
{
    float number;
    if (pad->value_type == type) {
        memcpy(element, pad->value, (size_t)tpad_element_bytes(type));
        return 1;
    }
    if (pad->value_type != TPAD_ONNX_FLOAT) return 0;
    memcpy(&number, pad->value, sizeof number);
    if (type == TPAD_ONNX_DOUBLE) {
        const double wide = (double)number;
        memcpy(element, &wide, sizeof wide);
        return 1;
    }
    if (type != TPAD_ONNX_FLOAT16) return 0;
    uint32_t code;
    if (tpad_float_encode(&code, type, (double)number)) return 0;
    const uint16_t half = (uint16_t)code;
    memcpy(element, &half, sizeof half);
    return 1;
}

/* The pad value as the model has it, or NULL. */
static const tpad_tensor *tensor_of(tpad_recipe *recipe)
{
    tpad_model *model = recipe->lowering->model;
    tpad_value *value = recipe->pad->inputs[model->format->value_input];
    const tpad_tensor *tensor = NULL;
    tpad_io_error line;
    int32_t failed = 0;
    if (!value || recipe->facts->value_given == TPAD_RULES_OVERRIDABLE) return NULL;
    if (!value->is_constant && !(recipe->facts->value_bits & TPAD_RULES_NAN)) /* of any bits */
        tensor = tpad_fold_tensor(model, value, &failed);
    else if (value->is_constant)
        failed = tpad_constant_small(&tensor, model, value, &line) == TPAD_E_MEMORY;
    if (failed) tpad_recipe_no_memory(recipe);
    return tensor;
}

/* Copies one element of a tensor in the byte order of the machine; 0 if that is not the type. */
static int32_t copy_element(void *element, int32_t type, const tpad_tensor *tensor)
{
    if (tensor->type != type || tpad_shape_elements(tensor->rank, tensor->shape) != 1) return 0;
    memcpy(element, tensor->data, (size_t)tpad_element_bytes(type));
    if (tensor->big_endian != tpad_host_big_endian()) tpad_swap_bytes(element, 1, tensor);
    return 1;
}

/* The element, or NULL if it is not known. */
static const void *known_element(tpad_recipe *recipe)
{
    const int32_t type = recipe->facts->type, given = recipe->facts->value_given;
    const int64_t bytes = tpad_element_bytes(type);
    void *element = bytes ? tpad_recipe_constant(recipe, bytes) : NULL;
    if (!element) return NULL;
    if (given == TPAD_RULES_ABSENT) return element;
    if (given == TPAD_RULES_ATTRIBUTE)
        return recipe->pad->value && convert(element, type, recipe->pad) ? element : NULL;
    const tpad_tensor *tensor = tensor_of(recipe);
    return tensor && copy_element(element, type, tensor) ? element : NULL;
}

int32_t tpad_recipe_known_value(tpad_recipe *recipe)
{
    const tpad_rules_facts *facts = recipe->facts;
    const int32_t operand =
        tpad_operand_constant(recipe, facts->type, 0, NULL, known_element(recipe));
    if (operand != NO_OPERAND && facts->value_known)
        recipe->traits[operand].bits = facts->value_bits;
    return operand;
}

/* ---- Operands -------------------------------------------------------------------------------- */

/* The pad value as the carrier has it, where it is known and of a type that is not folded
 * (tools/folding/fold_types.c): a reader of the new model could not tell what a Cast of it is. NaNs
 * are left to a Cast, which decides about their bits. Of these types, each element is a byte. */
static int32_t known_in_carrier(tpad_recipe *recipe)
{
    const int32_t type = recipe->facts->type, bits = tpad_onnx_type_bits(type);
    if (type == recipe->carrier || tpad_type_kind(type) != ELEM_OTHER || bits < 1 || bits > 8)
        return NO_OPERAND;
    const unsigned char *element = known_element(recipe);
    void *carried = tpad_recipe_constant(recipe, tpad_element_bytes(recipe->carrier));
    if (!element || !carried) return NO_OPERAND;
    const int64_t code = *element & ((1 << bits) - 1), sign = 1 << (bits - 1);
    const double number = tpad_type_is_signed(type)     ? (double)((code ^ sign) - sign)
                          : tpad_type_is_unsigned(type) ? (double)code
                                                        : tpad_float_decode((uint32_t)code, type);
    if (number != number) return NO_OPERAND;
    tpad_element wide = {.known = 1};
    if (tpad_type_is_real(recipe->carrier))
        wide.real = number;
    else
        wide.integer = (int64_t)number;
    tpad_element_write(carried, recipe->carrier, 0, wide);
    const int32_t operand = tpad_operand_constant(recipe, recipe->carrier, 0, NULL, carried);
    if (operand != NO_OPERAND) recipe->traits[operand].bits = recipe->facts->value_bits;
    return operand;
}

/* 0 if the model has the value as a constant and a target is known to spoil its elements there: a
 * Constant of ordinary ones is right, but one of these is not. */
static int32_t is_kept(tpad_recipe *recipe, int32_t value)
{
    const int32_t given = recipe->facts->value_given, bits = recipe->traits[value].bits;
    if (given == TPAD_RULES_GRAPH_INPUT || given == TPAD_RULES_COMPUTED || !bits) return 1;
    const int32_t carrier = recipe->carrier;
    const tpad_trouble before = recipe->trouble;
    recipe->carrier = recipe->facts->type; /* which the constant has */
    recipe->traits[value].bits = 0;
    const int32_t ordinary = tpad_recipe_may(recipe, TPAD_RULES_USE_CONSTANT, value);
    recipe->traits[value].bits = bits;
    if (!ordinary) recipe->trouble = before;
    const int32_t kept = !ordinary || tpad_recipe_may(recipe, TPAD_RULES_USE_CONSTANT, value);
    recipe->carrier = carrier;
    return kept;
}

int32_t tpad_recipe_value(tpad_recipe *recipe)
{
    const int32_t given = recipe->facts->value_given;
    if (recipe->value == NO_OPERAND) recipe->value = known_in_carrier(recipe);
    if (recipe->value != NO_OPERAND) return recipe->value;
    const int32_t value = given == TPAD_RULES_ABSENT || given == TPAD_RULES_ATTRIBUTE
                              ? tpad_recipe_known_value(recipe)
                              : tpad_operand_value(recipe);
    if (value == NO_OPERAND || !is_kept(recipe, value)) return NO_OPERAND;
    recipe->value = tpad_step_cast(recipe, value, recipe->carrier);
    return recipe->value;
}

/* The bytes of `count` elements; -1 if there are too many. */
static int64_t bytes_of(int64_t count, int32_t type)
{
    const int64_t bits = tpad_onnx_type_bits(type), per_byte = bits ? 8 / bits : 0;
    int64_t bytes;
    if (count < 0) return -1;
    if (per_byte > 1) return count / per_byte + (count % per_byte != 0);
    return __builtin_mul_overflow(count, tpad_element_bytes(type), &bytes) ? -1 : bytes;
}

/* A constant that repeats an operand's only element; NO_OPERAND: 0. */
static int32_t repeated(tpad_recipe *recipe, int32_t rank, const int64_t *shape, int32_t value)
{
    const int32_t type = recipe->carrier, bits = tpad_onnx_type_bits(type);
    const int64_t count = tpad_shape_elements(rank, shape), size = tpad_element_bytes(type);
    unsigned char *bytes = tpad_recipe_constant(recipe, bytes_of(count, type));
    const unsigned char *element = value == NO_OPERAND ? NULL : recipe->operands[value].data;
    for (int64_t i = 0; element && bytes && i < count; i++)
        if (bits > 0 && bits < 8)
            bytes[i * bits / 8] |= (unsigned char)(*element << i * bits % 8);
        else
            memcpy(bytes + i * size, element, (size_t)size);
    const int32_t constant = tpad_operand_constant(recipe, type, rank, shape, bytes);
    if (constant == NO_OPERAND) return NO_OPERAND;
    if (element) recipe->traits[constant].bits = recipe->traits[value].bits;
    return tpad_recipe_may(recipe, TPAD_RULES_USE_CONSTANT, constant) ? constant : NO_OPERAND;
}

int32_t tpad_recipe_zeros(tpad_recipe *recipe, int32_t rank, const int64_t *shape)
{
    return repeated(recipe, rank, shape, NO_OPERAND);
}

int32_t tpad_recipe_block(tpad_recipe *recipe, int32_t rank, const int64_t *shape)
{
    const int32_t value = tpad_recipe_value(recipe);
    const int32_t block = tpad_step_shape(recipe, TPAD_RULES_USE_EXPAND, value, rank, shape, shape);
    if (block != NO_OPERAND || recipe->carrier != recipe->facts->type) return block;
    const int32_t known = tpad_recipe_known_value(recipe);
    return known == NO_OPERAND ? NO_OPERAND : repeated(recipe, rank, shape, known);
}
