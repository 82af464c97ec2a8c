/* The facts of an ONNX Pad node that rules/ judges.  SPDX-License-Identifier: MIT */
#include "../graph/facts.h"
#include "reader.h"

static void describe_value(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    if (inspection->pad->present[IN_VALUE]) {
        facts->value_given = tpad_fact_given(inspection, IN_VALUE);
        tpad_fact_value(facts, inspection->constants[IN_VALUE]);
        return;
    }
    facts->value_known = 1;
    if (attributes->value_computed) {
        facts->value_given = TPAD_RULES_ATTRIBUTE;
        facts->value_known = 0;
    } else if (attributes->value) {
        tpad_tensor value;
        tpad_tensor_describe(&value, TPAD_ONNX_FLOAT, 0, NULL);
        value.data = attributes->value;
        tpad_fact_value(facts, &value);
        if (facts->value_bits) facts->value_given = TPAD_RULES_ATTRIBUTE;
    }
}

static void describe_arguments(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_pad_node *info = &inspection->pad->info;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    const tpad_value *axes = inspection->pad->inputs[IN_AXES];
    facts->pads_given = tpad_fact_given(inspection, IN_PADS);
    if (!facts->pads_given && (attributes->pads || attributes->paddings ||
                               attributes->pads_computed || attributes->paddings_computed))
        facts->pads_given = TPAD_RULES_ATTRIBUTE;
    facts->axes_given = tpad_fact_given(inspection, IN_AXES);
    if (!facts->axes_given) return;
    facts->axes_type = axes ? axes->type : TPAD_RULES_TYPE_UNKNOWN;
    if (info->axes_count >= 0 && info->axes_count <= TPAD_RULES_MAX_RANK) {
        facts->axes_count = info->axes_count;
        for (int32_t i = 0; i < info->axes_count; i++) facts->axes[i] = (int32_t)info->axes[i];
    }
    for (int32_t axis = 0; axis < facts->rank && info->axes_count < 0; axis++)
        facts->axis[axis].amounts_known = 0;
}

/* Of which sentence the dialect's refusal is. */
static int32_t forbidden(const tpad_inspection *inspection, const tpad_error *refusal)
{
    const tpad_tensor *pads = inspection->constants[IN_PADS];
    const tpad_tensor *axes = inspection->constants[IN_AXES];
    const tpad_tensor *value = inspection->constants[IN_VALUE];
    const tpad_graph_pad *pad = inspection->pad;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(pad);
    switch (refusal->code) {
    case TPAD_E_SPEC_INPUT:
        if (pad->info.version < 18 && pad->present[IN_AXES]) return TPAD_RULES_FORBIDS_AXES_INPUT;
        if (!pad->present[IN_PADS] && !attributes->pads && !attributes->paddings)
            return TPAD_RULES_FORBIDS_PADS_MISSING;
        return TPAD_RULES_FORBIDS_FORM;
    case TPAD_E_SPEC_PADS:
        if (pads && pads->type != TPAD_ONNX_INT64) return TPAD_RULES_FORBIDS_PADS_TYPE;
        if (pads && pads->rank != 1) return TPAD_RULES_FORBIDS_PADS_SHAPE;
        return TPAD_RULES_FORBIDS_PADS_COUNT;
    case TPAD_E_SPEC_AXES:
        if (axes && axes->type != TPAD_ONNX_INT64 && axes->type != TPAD_ONNX_INT32)
            return TPAD_RULES_FORBIDS_AXES_TYPE;
        if (axes && axes->rank != 1) return TPAD_RULES_FORBIDS_AXES_SHAPE;
        return refusal->axis >= 0 ? TPAD_RULES_FORBIDS_AXES_REPEATED
                                  : TPAD_RULES_FORBIDS_AXES_RANGE;
    case TPAD_E_SPEC_VALUE:
        if (value && value->type != pad->info.type) return TPAD_RULES_FORBIDS_VALUE_TYPE;
        return TPAD_RULES_FORBIDS_VALUE_COUNT;
    default:
        return TPAD_RULES_FORBIDS_OTHER;
    }
}

void tpad_onnx_describe_facts(tpad_rules_facts *facts, const tpad_inspection *inspection,
                              const tpad_error *refusal)
{
    facts->spec = TPAD_RULES_ONNX;
    facts->opset = inspection->pad->graph->opset;
    if (facts->document == TPAD_RULES_FORBIDS_OTHER)
        facts->document = forbidden(inspection, refusal);
    describe_arguments(facts, inspection);
    describe_value(facts, inspection);
}
