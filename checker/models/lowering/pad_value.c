/* The pad value as an operand.  SPDX-License-Identifier: MIT
 *
 * It has the model's bits: they never pass through text. */
#include <string.h>

#include "models/folding/folding.h"
#include "rewrite.h"

/* ---- Constants ------------------------------------------------------------------------------- */

/* Converts the value of an attribute to the type of the data. */
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

/* The model's own pad value, or NULL. */
static const tpad_tensor *tensor_of(tpad_recipe *recipe)
{
    tpad_model *model = recipe->lowering->model;
    tpad_value *value = recipe->pad->inputs[model->format->value_input];
    const tpad_tensor *tensor = NULL;
    tpad_io_error line;
    int32_t failed = 0;
    if (!value || recipe->facts->value_given == TPAD_RULES_OVERRIDABLE) return NULL;
    if (!value->is_constant && !(recipe->facts->value_bits & TPAD_RULES_NAN)) /* with any bits */
        tensor = tpad_fold_tensor(model, value, &failed);
    else if (value->is_constant)
        failed = tpad_constant_small(&tensor, model, value, &line) == TPAD_E_MEMORY;
    if (failed) tpad_recipe_no_memory(recipe);
    return tensor;
}

/* Copies a tensor's only element in the machine's byte order; 0 if its type or shape differs. */
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

/* The pad value in the carrier's type, if it is known and its type is not folded
 * (models/folding/fold_facts.c): a reader of the new model could not evaluate a Cast of it. NaNs
 * are left to a Cast, which chooses their bits. Each element of these types is a byte. */
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

/* 0 if the model has the value as a constant that a target is known to change: it runs a Constant
 * of ordinary elements correctly, but not of these. */
static int32_t is_kept(tpad_recipe *recipe, int32_t value)
{
    const int32_t given = recipe->facts->value_given, bits = recipe->traits[value].bits;
    if (given == TPAD_RULES_GRAPH_INPUT || given == TPAD_RULES_COMPUTED || !bits) return 1;
    const int32_t carrier = recipe->carrier;
    const tpad_trouble before = recipe->trouble;
    recipe->carrier = recipe->facts->type; /* the constant's */
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

/* A Pad inside a rewrite. Every target must run it correctly. */

/* A form of the same Pad. */
typedef struct form {
    int32_t with_axes;
    int32_t value; /* operand; NO_OPERAND: pads by 0 */
} form;

static int32_t is_allowed(const tpad_rules_facts *facts, int32_t type)
{
    if (facts->spec != TPAD_RULES_ONNX) return 1;
    const tpad_onnx_version *version = tpad_onnx_version_for(facts->opset);
    return version && type > 0 && (version->types >> type & 1) &&
           (version->modes >> facts->mode & 1);
}

/* How the value reaches the Pad. */
static int32_t value_given(const tpad_recipe *recipe, int32_t value)
{
    const int32_t given = recipe->facts->value_given, kind = recipe->operands[value].kind;
    if (kind == OPERAND_VALUE) return given;
    if (kind == OPERAND_CONSTANT)
        return recipe->facts->opset < 11 && recipe->facts->spec == TPAD_RULES_ONNX
                   ? TPAD_RULES_ATTRIBUTE
                   : TPAD_RULES_CONSTANT_NODE;
    switch (given) { /* a Cast of it */
    case TPAD_RULES_GRAPH_INPUT:
    case TPAD_RULES_COMPUTED:
    case TPAD_RULES_OVERRIDABLE:
        return TPAD_RULES_COMPUTED;
    case TPAD_RULES_FROM_SHAPES:
        return TPAD_RULES_FROM_SHAPES;
    default:
        return TPAD_RULES_FOLDED;
    }
}

static void describe_value(tpad_rules_facts *facts, const tpad_recipe *recipe, int32_t value)
{
    if (value == NO_OPERAND) {
        facts->value_given = TPAD_RULES_ABSENT;
        facts->value_type = TPAD_RULES_TYPE_UNKNOWN;
        facts->value_rank = facts->value_count = -1;
        facts->value_known = 1;
        facts->value_bits = 0;
        return;
    }
    facts->value_given = value_given(recipe, value);
    facts->value_type = recipe->operands[value].type;
    facts->value_rank = recipe->operands[value].rank;
    facts->value_count = 1;
}

/* The facts of the new Pad. */
static void describe(tpad_rules_facts *facts, const tpad_recipe *recipe, const tpad_view *view,
                     form f, int32_t is_last)
{
    const int32_t is_onnx = recipe->facts->spec == TPAD_RULES_ONNX;
    const int32_t from_data = view->data == 0;
    *facts = *recipe->facts;
    facts->document = TPAD_RULES_ANSWERS;
    facts->type = recipe->carrier;
    facts->rank = view->rank;
    for (int32_t i = 0; i < view->rank; i++) facts->axis[i] = view->axis[i];
    describe_value(facts, recipe, f.value);
    if (!from_data) facts->before = TPAD_RULES_OTHER_OPERATOR;
    if (!is_last) tpad_rules_facts_apart(facts, TPAD_RULES_OTHER_OPERATOR);
    if (!from_data || !is_last) facts->perm_count = 0;
    if (recipe->is_open) return;
    facts->pads_given = !is_onnx            ? TPAD_RULES_INITIALIZER
                        : facts->opset < 11 ? TPAD_RULES_ATTRIBUTE
                                            : TPAD_RULES_CONSTANT_NODE;
    facts->pads_type = is_onnx && facts->opset < 11 ? TPAD_RULES_TYPE_UNKNOWN : TPAD_ONNX_INT64;
    facts->axes_given = f.with_axes ? TPAD_RULES_CONSTANT_NODE : TPAD_RULES_ABSENT;
    facts->axes_type = f.with_axes ? TPAD_ONNX_INT64 : TPAD_RULES_TYPE_UNKNOWN;
    facts->axes_count = f.with_axes ? 0 : -1;
    for (int32_t i = 0; i < view->rank && f.with_axes; i++)
        if (view->axis[i].begin || view->axis[i].end) facts->axes[facts->axes_count++] = i;
    if (f.value == NO_OPERAND || recipe->operands[f.value].kind == OPERAND_CONSTANT)
        facts->made_by = 0; /* amounts are now constants */
}

static int32_t passes(tpad_recipe *recipe, const tpad_view *view, form f, int32_t is_last)
{
    const tpad_lowering *lowering = recipe->lowering;
    tpad_rules_facts facts;
    describe(&facts, recipe, view, f, is_last);
    for (int32_t i = 0; i < lowering->target_count; i++) {
        tpad_rules_verdict verdict;
        tpad_rules_judge(&verdict, &facts, *lowering->targets[i].choice);
        if (verdict.kind == TPAD_RULES_SAME) continue;
        tpad_recipe_refuse(recipe, i, STEP_PAD, 0);
        return 0;
    }
    return 1;
}

static int32_t add(tpad_recipe *recipe, const tpad_view *view, form f)
{
    const int32_t inputs[] = {view->data, f.value};
    int64_t axes[TPAD_RULES_MAX_RANK], begin[TPAD_RULES_MAX_RANK], end[TPAD_RULES_MAX_RANK],
        extents[TPAD_RULES_MAX_RANK];
    tpad_step step = {.op = STEP_PAD,
                      .input_count = f.value == NO_OPERAND ? 1 : 2,
                      .inputs = inputs,
                      .axes = f.with_axes ? axes : NULL,
                      .begin = begin,
                      .end = end,
                      .is_open = recipe->is_open,
                      .mode = recipe->pad->info.mode};
    for (int32_t i = 0; i < view->rank; i++) {
        const tpad_rules_axis *axis = &view->axis[i];
        extents[i] = tpad_out_extent(recipe->facts, axis);
        if (f.with_axes && !axis->begin && !axis->end) continue;
        axes[step.count] = i;
        begin[step.count] = axis->begin;
        end[step.count++] = axis->end;
    }
    return tpad_step_add(recipe, step,
                         (tpad_operand){0, recipe->carrier, view->rank, extents, NULL});
}

/* Tries one way to give the value. */
static int32_t pad_with(tpad_recipe *recipe, const tpad_view *view, int32_t value, int32_t is_last)
{
    const tpad_rules_facts *facts = recipe->facts;
    const int32_t forms =
        facts->spec == TPAD_RULES_ONNX && facts->opset >= 18 && !recipe->is_open ? 2 : 1;
    for (int32_t i = 0; i < forms; i++) {
        const form f = {i, value};
        if (passes(recipe, view, f, is_last)) return add(recipe, view, f);
    }
    return NO_OPERAND;
}

int32_t tpad_step_pad(tpad_recipe *recipe, const tpad_view *view, int32_t with_value,
                      int32_t is_last)
{
    const tpad_rules_facts *facts = recipe->facts;
    const int32_t is_constant = facts->mode == TPAD_RULES_CONSTANT && with_value;
    const int32_t last = is_last && !recipe->reshaped && recipe->carrier == facts->type;
    const int32_t has_value = facts->value_given != TPAD_RULES_ABSENT ||
                              facts->type == TPAD_ONNX_FLOAT8E8M0; /* has no 0 */
    if (view->data == NO_OPERAND || !is_allowed(facts, recipe->carrier)) return NO_OPERAND;
    if (!is_constant) return pad_with(recipe, view, NO_OPERAND, last);
    const int32_t value = has_value ? tpad_recipe_value(recipe) : NO_OPERAND;
    if (has_value && value == NO_OPERAND) return NO_OPERAND;
    /* An attribute can only hold a constant. */
    if (has_value && facts->spec == TPAD_RULES_ONNX && facts->opset < 11 &&
        recipe->operands[value].kind != OPERAND_CONSTANT)
        return NO_OPERAND;
    const int32_t result = pad_with(recipe, view, value, last);
    if (result != NO_OPERAND || recipe->carrier != facts->type) return result;
    const int32_t known = tpad_recipe_known_value(recipe);
    return known == NO_OPERAND ? NO_OPERAND : pad_with(recipe, view, known, last);
}
