/* The facts of an ONNX Pad node that runtimes/ judges.  SPDX-License-Identifier: MIT */
#include "models/graph/pad_facts.h"
#include "onnx_file.h"

#define MOST_AMOUNT (INT64_C(1) << 61) /* that runtimes.h takes */

/* -1 if unknown, and beyond INT32_MAX */
static int32_t element_count(const tpad_value *value)
{
    int64_t count = value->rank < 0 ? -1 : 1;
    for (int32_t axis = 0; axis < value->rank && count >= 0; axis++) {
        const int64_t extent = value->shape[axis];
        count = extent < 0 || (count > 0 && extent > INT32_MAX / count) ? -1 : count * extent;
    }
    return (int32_t)count;
}

/* A Constant node has a tensor, or numbers in attributes of their own. */
static int32_t given(const tpad_inspection *inspection, int32_t input)
{
    const int32_t way = tpad_fact_given(inspection, input);
    if (way != TPAD_RULES_CONSTANT_NODE) return way;
    const tpad_onnx_constant *constant = inspection->pad->inputs[input]->payload;
    return constant->attribute.text ? TPAD_RULES_CONSTANT_NUMBERS : way;
}

static void describe_value(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    const tpad_value *value = inspection->pad->inputs[IN_VALUE];
    if (inspection->pad->present[IN_VALUE]) {
        facts->value_given = given(inspection, IN_VALUE);
        facts->value_type = value ? value->type : TPAD_RULES_TYPE_UNKNOWN;
        facts->value_rank = value ? value->rank : -1;
        facts->value_count = value ? element_count(value) : -1;
        tpad_fact_value(facts, inspection->constants[IN_VALUE]);
        return;
    }
    facts->value_known = 1;
    facts->value_nameless = tpad_message_of(inspection->pad->node)->inputs.count > IN_VALUE;
    if (attributes->value_computed || attributes->wrong_value) {
        facts->value_given = TPAD_RULES_ATTRIBUTE;
        facts->value_known = 0;
    } else if (attributes->value) {
        tpad_tensor number;
        tpad_tensor_describe(&number, TPAD_ONNX_FLOAT, 0, NULL);
        number.data = attributes->value;
        tpad_fact_value(facts, &number);
        if (facts->value_bits) facts->value_given = TPAD_RULES_ATTRIBUTE;
    }
}

static void describe_arguments(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_pad_node *info = &inspection->pad->info;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    const tpad_value *axes = inspection->pad->inputs[IN_AXES];
    const tpad_value *pads = inspection->pad->inputs[IN_PADS];
    facts->pads_given = given(inspection, IN_PADS);
    facts->pads_type = pads ? pads->type : TPAD_RULES_TYPE_UNKNOWN;
    if (!facts->pads_given && (attributes->pads || attributes->paddings ||
                               attributes->pads_computed || attributes->paddings_computed))
        facts->pads_given = TPAD_RULES_ATTRIBUTE;
    facts->axes_given = given(inspection, IN_AXES);
    if (!facts->axes_given) return;
    facts->axes_type = axes ? axes->type : TPAD_RULES_TYPE_UNKNOWN;
    if (axes && axes->rank == 1 && axes->shape[0] == 0) facts->axes_count = 0;
    if (info->axes_count >= 0 && info->axes_count <= TPAD_RULES_MAX_RANK) {
        facts->axes_count = info->axes_count;
        for (int32_t i = 0; i < info->axes_count; i++) facts->axes[i] = (int32_t)info->axes[i];
    }
    for (int32_t axis = 0; axis < facts->rank && info->axes_count < 0; axis++)
        facts->axis[axis].amounts_known = 0;
}

static int32_t is_amount(tpad_element element)
{
    return element.known && element.integer >= -MOST_AMOUNT && element.integer <= MOST_AMOUNT;
}

/* Of amounts that are known in part: those of single axes, and that others cut nothing off. */
static void describe_parts(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_value *pads = inspection->pad->inputs[IN_PADS];
    const int32_t some = facts->axes_given != TPAD_RULES_ABSENT;
    const int32_t count = some ? facts->axes_count : facts->rank;
    if (!pads || !pads->elements || inspection->constants[IN_PADS] || facts->rank < 0 ||
        count < 0 || pads->element_count != 2 * (int64_t)count)
        return;
    for (int32_t i = 0; some && i < facts->rank; i++) facts->axis[i].amounts_known = 1;
    for (int32_t i = 0; i < count; i++) {
        const int32_t at = some ? tpad_axis_from_front(facts->axes[i], facts->rank) : i;
        const tpad_element begin = pads->elements[i], end = pads->elements[count + i];
        if (at < 0) continue;
        tpad_rules_axis *axis = &facts->axis[at];
        axis->amounts_known = is_amount(begin) && is_amount(end);
        axis->begin = axis->amounts_known ? begin.integer : 0;
        axis->end = axis->amounts_known ? end.integer : 0;
        axis->never_cut = (begin.known ? begin.integer >= 0 : begin.not_negative) &&
                          (end.known ? end.integer >= 0 : end.not_negative);
    }
}

/* What forbids the node, if the version that it follows does not have its attributes or inputs. */
static int32_t forbidden_form(const tpad_graph_pad *pad)
{
    const tpad_onnx_attributes *attributes = tpad_attributes_of(pad);
    const int32_t version = pad->info.version;
    const int32_t has_pads = attributes->pads || attributes->pads_computed;
    const int32_t has_paddings = attributes->paddings || attributes->paddings_computed;
    const int32_t has_value = attributes->value || attributes->value_computed;
    if (version == 0) return TPAD_RULES_FORBIDS_OPSET;
    if (attributes->has_axes) return TPAD_RULES_FORBIDS_AXES_ATTRIBUTE;
    if (attributes->wrong_name || (version > 1 && has_paddings) || (version == 1 && has_pads))
        return TPAD_RULES_FORBIDS_ATTRIBUTE_NAME;
    if (attributes->wrong_type) return TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE;
    if (version >= 11 && has_value) return TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE;
    if (version >= 11 && has_pads) return TPAD_RULES_FORBIDS_PADS_ATTRIBUTE;
    if ((version < 11 && (pad->present[IN_PADS] || pad->present[IN_VALUE])) ||
        (version < 18 && pad->present[IN_AXES]) ||
        tpad_message_of(pad->node)->inputs.count > IN_COUNT)
        return TPAD_RULES_FORBIDS_INPUT_COUNT;
    if (!pad->present[IN_DATA]) return TPAD_RULES_FORBIDS_DATA_MISSING;
    if (!pad->present[IN_PADS] && !has_pads && !has_paddings)
        return TPAD_RULES_FORBIDS_PADS_MISSING;
    return TPAD_RULES_ANSWERS;
}

/* The type and the shape of its inputs. */
static int32_t forbidden_input(const tpad_inspection *inspection)
{
    const tpad_graph_pad *pad = inspection->pad;
    const tpad_value *pads = pad->inputs[IN_PADS], *axes = pad->inputs[IN_AXES];
    const tpad_value *value = pad->inputs[IN_VALUE];
    if (value && value->type && pad->info.type && value->type != pad->info.type)
        return TPAD_RULES_FORBIDS_VALUE_TYPE;
    const int32_t elements = value ? element_count(value) : -1;
    if (elements >= 0 && elements != 1) return TPAD_RULES_FORBIDS_VALUE_COUNT;
    if (value && value->rank >= 2) return TPAD_RULES_FORBIDS_VALUE_RANK;
    if (pads && pads->type && pads->type != TPAD_ONNX_INT64) return TPAD_RULES_FORBIDS_PADS_TYPE;
    if (pads && pads->rank == 2 && pads->shape[0] == 1) return TPAD_RULES_FORBIDS_PADS_ROW;
    if (pads && pads->rank >= 0 && pads->rank != 1) return TPAD_RULES_FORBIDS_PADS_SHAPE;
    if (axes && axes->type && axes->type != TPAD_ONNX_INT64 && axes->type != TPAD_ONNX_INT32)
        return TPAD_RULES_FORBIDS_AXES_TYPE;
    if (axes && axes->rank >= 0 && axes->rank != 1) return TPAD_RULES_FORBIDS_AXES_SHAPE;
    return TPAD_RULES_ANSWERS;
}

/* 1: the file gives some input no shape, or an extent that has not even a name. */
static int32_t has_unnamed_input(const tpad_graph *top)
{
    for (int64_t i = 0; i < top->input_count; i++) {
        const tpad_value *value = top->inputs[i].value;
        if (!value->is_initializer && (value->rank < 0 || value->nameless)) return 1;
    }
    return 0;
}

void tpad_onnx_describe_facts(tpad_rules_facts *facts, const tpad_inspection *inspection,
                              const tpad_error *refusal)
{
    facts->spec = TPAD_RULES_ONNX;
    facts->opset = inspection->pad->graph->opset;
    facts->ir_version = inspection->model->ir_version;
    facts->ml_opset = inspection->model->ml_opset;
    facts->own_opset = inspection->model->own_opset;
    facts->inputs_unnamed = has_unnamed_input(inspection->model->top);
    facts->extent_names = inspection->model->extent_names;
    const tpad_onnx_version *version = tpad_onnx_version_for(facts->opset);
    const tpad_rules_refusal why = {
        .code = refusal->code,
        .axis = refusal->axis,
        .types = version ? version->types : 0,
        .form = forbidden_form(inspection->pad),
        .input = forbidden_input(inspection), /* also of inputs that are still to come */
    };
    facts->document = tpad_rules_document(facts, &why);
    if (tpad_attributes_of(inspection->pad)->wrong_mode) facts->mode = TPAD_RULES_NO_MODE;
    describe_arguments(facts, inspection);
    describe_parts(facts, inspection);
    describe_value(facts, inspection);
}
