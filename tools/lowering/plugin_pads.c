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
    if (facts->mode == TPAD_RULES_CONSTANT &&
        (facts->behind == TPAD_RULES_CONV || facts->behind == TPAD_RULES_MAX_POOL ||
         facts->behind == TPAD_RULES_AVERAGE_POOL))
        return 1;
    for (size_t i = 0; pad->users == 1 && i < sizeof moved / sizeof *moved; i++)
        if (tpad_string_is(pad->user->op_type, moved[i])) return 1;
    return 0;
}

/* ONNX Runtime's own Pad copies row by row; with few rows it takes no longer than the plug-in, and a Pad that
 * adds nothing may go. */
enum { FEW_ROWS = 32, OPEN_EXTENT = 16 };

/* 1 if its rows are few: they reach from the last padded axis to the last one. An open extent counts as one
 * of OPEN_EXTENT. */
static int32_t has_few_rows(const tpad_rules_facts *facts)
{
    int64_t before = 1, rows = 0;
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

static int32_t is_ours(const tpad_graph_pad *pad, const tpad_rules_choice *runtime)
{
    tpad_rules_verdict verdict;
    if (pad->facts->document > TPAD_RULES_ANSWERS) return 0; /* there is no answer */
    tpad_rules_judge(&verdict, pad->facts, *runtime);
    return verdict.kind != TPAD_RULES_SAME || !(is_optimised(pad) || has_few_rows(pad->facts));
}

void tpad_plugin_choose(uint8_t *ours, const tpad_model *model, const tpad_rules_choice *runtime)
{
    for (int64_t i = 0; i < model->pad_count; i++)
        ours[i] = (uint8_t)is_ours(&model->pads[i], runtime);
}

int32_t tpad_plugin_write(tpad_output *output, const tpad_model *model, const uint8_t *ours,
                          tpad_io_error *error)
{
#ifdef TPAD_WITH_NANOPB
    if (model->format->kind == FORMAT_ONNX)
        return tpad_onnx_write_prepared(output, model, ours, error);
#endif
    (void)output, (void)ours;
    return tpad_io_fail(error, TPAD_E_FILE_TYPE, "%s: ONNX Runtime reads ONNX models only",
                        model->path);
}
