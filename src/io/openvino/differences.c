/* Where OpenVINO itself is known to differ from its document, or to fail.
 * SPDX-License-Identifier: MIT
 *
 * Owns these facts, each seen by running the CPU plugin of OpenVINO 2026.4. Knows a problem's
 * numbers, nothing of files. */
#include "ir.h"
#include <stdio.h>
#include <string.h>

/* What becomes of elements of a type. */
static const struct {
    int32_t type;
    const char *sentence;
} types[] = {
    {TPAD_OPENVINO_F64, "OpenVINO 2026.4 on the CPU moves f64 through f32: digits get lost"},
    {TPAD_OPENVINO_I64, "OpenVINO 2026.4 on the CPU moves i64 through i32: other numbers change"},
    {TPAD_OPENVINO_U64, "OpenVINO 2026.4 on the CPU moves u64 through i32: other numbers change"},
};

/* A value given to a mode that has no use for it. */
static void judge_value(tpad_look *look, int32_t mode)
{
    const ir_pad *own = look->pad->own;
    const tpad_value *value = look->pad->inputs[IN_VALUE];
    /* Old files and OpenVINO's own compression add a zero everywhere. */
    if (mode != TPAD_CONSTANT && look->pad->present[IN_VALUE] &&
        !(look->pad->shown.value && strcmp(look->pad->shown.value, "0") == 0))
        tpad_find(look, "pad_value is given, but only mode constant uses it");
    if (mode == TPAD_CONSTANT && !own->value && look->pad->present[IN_VALUE] &&
        !(value && value->is_constant))
        tpad_find(look, "OpenVINO 2026.4 on the CPU ignores a pad_value that is no constant where "
                        "pads and shape are known, and fills with 0");
    if (mode == TPAD_CONSTANT && look->pad->shown.value &&
        strcmp(look->pad->shown.value, "-0") == 0)
        tpad_find(look, "OpenVINO 2026.4 on the CPU fills with 0, not -0");
}

void tpad_ir_differ(tpad_look *look, const tpad_trial *trial, const tpad_translation *made)
{
    const tpad_openvino_problem *problem = &made->as.openvino;
    const int32_t rank = problem->problem.rank;
    const int32_t type =
        tpad_openvino_type_from_name(look->pad->shown.type_name ? look->pad->shown.type_name : "");
    const ir_pad *own = look->pad->own;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type) tpad_find(look, types[i].sentence);
    if (rank == 0 && !trial->guessed) tpad_find(look, "OpenVINO 2026.4 refuses a tensor of rank 0");
    judge_value(look, tpad_mode_from_name(own->mode));
}
