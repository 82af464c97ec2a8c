/* Where OpenVINO itself is known to differ from its document, or to fail.
 * SPDX-License-Identifier: MIT
 *
 * Owns these facts, each seen by running the CPU plugin of OpenVINO 2026.4. Knows a problem's
 * numbers, nothing of files. */
#include "ir.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What OpenVINO does to elements of a type. */
static const struct {
    int32_t type;
    const char *sentence;
} types[] = {
    {TPAD_OPENVINO_F64, "OpenVINO 2026.4 on the CPU moves f64 through f32: digits get lost"},
    {TPAD_OPENVINO_I64, "OpenVINO 2026.4 on the CPU moves i64 through i32: other numbers change"},
    {TPAD_OPENVINO_U64, "OpenVINO 2026.4 on the CPU moves u64 through i32: other numbers change"},
    {TPAD_OPENVINO_U2, "OpenVINO 2026.4 on the CPU answers with wrong elements for u2"},
    {TPAD_OPENVINO_U1, "OpenVINO 2026.4 on the CPU refuses u1"},
    {TPAD_OPENVINO_NF4, "OpenVINO 2026.4 on the CPU refuses nf4"},
};

static void judge_value(tpad_inspection *inspection, int32_t mode, int32_t type)
{
    const ir_pad *attributes = inspection->pad->attributes;
    const char *text = inspection->pad->info.value;
    const int32_t given = inspection->pad->present[IN_VALUE];
    const tpad_value *value = inspection->pad->inputs[IN_VALUE];
    if (mode != TPAD_CONSTANT) {
        /* OpenVINO's own compression adds a pad value of 0 in every mode, so 0 is not reported. */
        if (given && !(text && strcmp(text, "0") == 0))
            tpad_add_finding(inspection, "pad_value is given, but only mode constant uses it");
        return;
    }
    if (given && !attributes->value && !(value && value->is_constant))
        tpad_add_finding(inspection,
                         "OpenVINO 2026.4 on the CPU ignores a pad_value that is no constant where "
                         "pads and shape are known, and fills with 0");
    if (!given || !text) return;
    if (strcmp(text, "-0") == 0)
        tpad_add_finding(inspection, "OpenVINO 2026.4 on the CPU fills with 0, not with -0");
    const double number = strtod(text, NULL);
    if (type >= TPAD_OPENVINO_I32 && type <= TPAD_OPENVINO_U64 && (double)(float)number != number)
        tpad_add_finding(
            inspection, "OpenVINO 2026.4 on the CPU moves pad_value through f32, which cannot hold "
                        "this one");
}

void tpad_ir_known_differences(tpad_inspection *inspection, const tpad_probe *probe,
                               const tpad_translation *made)
{
    char sentence[160];
    const char *word = inspection->pad->info.type_name;
    const int32_t rank = made->rank;
    const int32_t type = word ? tpad_openvino_type_from_name(word) : 0;
    const ir_pad *attributes = inspection->pad->attributes;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type) tpad_add_finding(inspection, types[i].sentence);
    if (rank == 0 && !probe->guessed)
        tpad_add_finding(inspection, "OpenVINO 2026.4 on the CPU refuses a tensor of rank 0");
    for (int32_t axis = 0; axis < rank && axis < inspection->pad->info.pads_count; axis++) {
        const int64_t begin = inspection->pad->info.begin[axis],
                      end = inspection->pad->info.end[axis];
        const int64_t extent = made->axes[axis].in_extent;
        int64_t sum;
        if (!(probe->known >> axis & 1) || __builtin_add_overflow(begin, end, &sum) ||
            sum >= -extent)
            continue;
        snprintf(sentence, sizeof sentence,
                 "axis %d: its extent falls below 0 and so becomes 0; OpenVINO 2026.4 on the CPU "
                 "fails then",
                 (int)axis);
        tpad_add_finding(inspection, sentence);
    }
    judge_value(inspection, tpad_mode_from_name(attributes->mode ? attributes->mode : ""), type);
}
