/* A Pad inside of a rewrite, which must be one that every target runs right.
 * SPDX-License-Identifier: MIT */
#include "recipe.h"

/* A form of the same Pad. */
typedef struct form {
    int32_t with_axes;
    int32_t value; /* operand; NO_OPERAND: by 0 */
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
    facts->pads_given = !is_onnx            ? TPAD_RULES_INITIALIZER
                        : facts->opset < 11 ? TPAD_RULES_ATTRIBUTE
                                            : TPAD_RULES_CONSTANT_NODE;
    facts->pads_type = is_onnx && facts->opset < 11 ? TPAD_RULES_TYPE_UNKNOWN : TPAD_ONNX_INT64;
    facts->axes_given = f.with_axes ? TPAD_RULES_CONSTANT_NODE : TPAD_RULES_ABSENT;
    facts->axes_type = f.with_axes ? TPAD_ONNX_INT64 : TPAD_RULES_TYPE_UNKNOWN;
    facts->axes_count = f.with_axes ? 0 : -1;
    for (int32_t i = 0; i < view->rank && f.with_axes; i++)
        if (view->axis[i].begin || view->axis[i].end) facts->axes[facts->axes_count++] = i;
    describe_value(facts, recipe, f.value);
    if (f.value == NO_OPERAND || recipe->operands[f.value].kind == OPERAND_CONSTANT)
        facts->made_by = 0; /* amounts are constants now */
    if (!from_data) facts->before = TPAD_RULES_OTHER_OPERATOR;
    if (!is_last) tpad_rules_facts_apart(facts, TPAD_RULES_OTHER_OPERATOR);
    if (!from_data || !is_last) facts->perm_count = 0;
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
    const int32_t forms = facts->spec == TPAD_RULES_ONNX && facts->opset >= 18 ? 2 : 1;
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
                              facts->type == TPAD_ONNX_FLOAT8E8M0; /* whose 0 bits are no 0 */
    if (view->data == NO_OPERAND || !is_allowed(facts, recipe->carrier)) return NO_OPERAND;
    if (!is_constant) return pad_with(recipe, view, NO_OPERAND, last);
    const int32_t value = has_value ? tpad_recipe_value(recipe) : NO_OPERAND;
    if (has_value && value == NO_OPERAND) return NO_OPERAND;
    /* An attribute holds a constant only. */
    if (has_value && facts->spec == TPAD_RULES_ONNX && facts->opset < 11 &&
        recipe->operands[value].kind != OPERAND_CONSTANT)
        return NO_OPERAND;
    const int32_t result = pad_with(recipe, view, value, last);
    if (result != NO_OPERAND || recipe->carrier != facts->type) return result;
    const int32_t known = tpad_recipe_known_value(recipe);
    return known == NO_OPERAND ? NO_OPERAND : pad_with(recipe, view, known, last);
}
