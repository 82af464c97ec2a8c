/* Which Pads the plug-in for ONNX Runtime runs.  SPDX-License-Identifier: MIT
 *
 * Owns the choice: by the rules of runtimes/, and by what ONNX Runtime does with its own Pad and its
 * neighbours. */
#include "rewrite.h"

/* 1 where ONNX Runtime makes one node of its own Pad and a neighbour, or moves the neighbour past it. That
 * saves more than a faster Pad does. */
static int32_t is_optimised(const tpad_graph_pad *pad)
{
    static const char *const moved[] = {"QuantizeLinear", "DequantizeLinear"};
    const tpad_rules_facts *facts = pad->facts;
    if (facts->before == TPAD_RULES_TRANSPOSE || facts->behind == TPAD_RULES_TRANSPOSE) return 1;
    if (facts->mode == TPAD_RULES_CONSTANT && facts->reader.op >= TPAD_RULES_MAX_POOL &&
        facts->reader.op <= TPAD_RULES_CONV && !facts->reader.is_valid)
        return 1;
    for (size_t i = 0; pad->users == 1 && i < sizeof moved / sizeof *moved; i++)
        if (tpad_string_is(pad->user->op_type, moved[i])) return 1;
    return 0;
}

/* ONNX Runtime's own Pad copies row by row; with few rows it takes no longer than the plug-in, and a Pad that
 * adds nothing may go. It loses the payload of a float16's NaN, though. */
enum { FEW_ROWS = 32, OPEN_EXTENT = 16 };

/* 1 if its rows are few: they reach from the last padded axis to the last one. An open extent counts as one
 * of OPEN_EXTENT. */
static int32_t has_few_rows(const tpad_rules_facts *facts)
{
    int64_t before = 1, rows = 0;
    if (facts->type == TPAD_ONNX_FLOAT16) return 0;
    for (int32_t i = 0; i < facts->rank; i++) {
        const tpad_rules_axis *axis = &facts->axis[i];
        const int64_t added = axis->begin + axis->end;
        const int64_t extent = axis->extent < 0 ? OPEN_EXTENT : axis->extent + added;
        if (!axis->amounts_known) return 0;
        if (axis->begin || axis->end) rows = before;
        if (before < FEW_ROWS) before *= extent;
    }
    return facts->rank >= 0 && rows < FEW_ROWS;
}

static int32_t has_open_input(const tpad_graph *top)
{
    for (int64_t i = 0; i < top->input_count; i++) {
        const tpad_value *value = top->inputs[i].value;
        if (!value || value->rank < 0) return 1;
        for (int32_t axis = 0; axis < value->rank; axis++)
            if (value->shape[axis] < 0) return 1;
    }
    return 0;
}

/* 1 if ONNX Runtime may know a shape that is not known here, and fold what follows from it. */
static int32_t may_be_folded(const tpad_rules_facts *facts, const tpad_graph *top)
{
    int32_t is_known = facts->rank >= 0;
    for (int32_t i = 0; i < facts->rank; i++) is_known &= facts->axis[i].extent >= 0;
    return !is_known && !has_open_input(top);
}

void tpad_plugin_decide(tpad_lowering *lowering, int64_t index, const tpad_rules_finding *worst)
{
    tpad_lowered_node *node = &lowering->nodes[index];
    const tpad_graph_pad *pad = lowering->rewrites[index].pad;
    if (pad->facts->document > TPAD_RULES_ANSWERS) { /* there is no answer */
        node->target = -1;
    } else if (node->target >= 0 || !(is_optimised(pad) || has_few_rows(pad->facts) ||
                                      may_be_folded(pad->facts, lowering->model->top))) {
        node->outcome = TPAD_LOWER_REWRITTEN;
        node->operators = "Pad of the plug-in";
        node->finding = node->target >= 0 ? worst : NULL;
    }
}
