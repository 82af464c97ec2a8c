/* The facts of a Pad layer that runtimes/ judges.  SPDX-License-Identifier: MIT */
#include "ir.h"
#include "models/graph/pad_facts.h"

/* OpenVINO's types that ONNX does not have. */
static int32_t type_fact(const tpad_pad_node *info)
{
    const int32_t type = info->type_name ? tpad_openvino_type_from_name(info->type_name) : 0;
    if (info->type) return info->type;
    return type == TPAD_OPENVINO_U1    ? TPAD_RULES_TYPE_U1
           : type == TPAD_OPENVINO_U3  ? TPAD_RULES_TYPE_U3
           : type == TPAD_OPENVINO_U6  ? TPAD_RULES_TYPE_U6
           : type == TPAD_OPENVINO_NF4 ? TPAD_RULES_TYPE_NF4
                                       : TPAD_RULES_TYPE_UNKNOWN;
}

void tpad_ir_describe_facts(tpad_rules_facts *facts, const tpad_inspection *inspection,
                            const tpad_error *refusal)
{
    const ir_pad *attributes = inspection->pad->attributes;
    const int32_t begin = tpad_fact_given(inspection, IN_BEGIN);
    const int32_t end = tpad_fact_given(inspection, IN_END);
    facts->spec = TPAD_RULES_OPENVINO;
    facts->opset = inspection->pad->info.version;
    facts->type = type_fact(&inspection->pad->info);
    const tpad_rules_refusal why = {.code = refusal->code, .axis = refusal->axis};
    facts->document = tpad_rules_document(facts, &why);
    facts->pads_given = attributes->begin ? TPAD_RULES_ATTRIBUTE : begin > end ? begin : end;
    if (attributes->value) {
        tpad_tensor value;
        tpad_tensor_describe(&value, facts->type, 0, NULL);
        value.data = attributes->value;
        facts->value_given = TPAD_RULES_ATTRIBUTE;
        tpad_fact_value(facts, &value);
    } else if (inspection->pad->present[IN_VALUE]) {
        facts->value_given = tpad_fact_given(inspection, IN_VALUE);
        tpad_fact_value(facts, inspection->constants[IN_VALUE]);
    } else {
        facts->value_known = 1;
    }
}
