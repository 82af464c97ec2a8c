/* Why a document forbids a node, from the dialect's refusal.  SPDX-License-Identifier: MIT */
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
    case TPAD_E_SPEC_PADS: /* of an axis: an amount */
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
