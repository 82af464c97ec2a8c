/* Where runtimes are known to differ from the document, or to fail.  SPDX-License-Identifier: MIT
 *
 * Owns these facts, each seen by running ONNX Runtime 1.30.0 on the CPU unless it says otherwise.
 * Knows a problem's numbers, nothing of files. */
#include "reader.h"
#include <stdio.h>

#define SENTENCE_BYTES 256
#define TYPE(name)     (UINT32_C(1) << TPAD_ONNX_##name)

/* The types that ONNX Runtime pads, itself or by a Cast that it inserts. */
static const struct {
    int32_t since;
    uint32_t types;
} kernels[] = {
    {1, 0},
    {2, TYPE(FLOAT) | TYPE(DOUBLE)},
    {6, TYPE(FLOAT) | TYPE(DOUBLE) | TYPE(FLOAT16)},
    {11, TYPE(FLOAT) | TYPE(DOUBLE) | TYPE(FLOAT16) | TYPE(INT8) | TYPE(UINT8) | TYPE(INT32) |
             TYPE(UINT32) | TYPE(INT64) | TYPE(UINT64)},
    {13, TYPE(FLOAT) | TYPE(DOUBLE) | TYPE(FLOAT16) | TYPE(INT8) | TYPE(UINT8) | TYPE(INT32) |
             TYPE(UINT32) | TYPE(INT64) | TYPE(UINT64) | TYPE(BOOL)},
};

static int32_t has_kernel(int32_t opset, int32_t type)
{
    size_t found = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].since <= opset) found = i;
    return (kernels[found].types >> type) & 1;
}

static const char *const axis_sentences[] = {
    "axis %d: reflect reaches beyond the %lld cells there are; ONNX Runtime 1.30 refuses it, up to "
    "1.23 it answers with uninitialised memory",
    "axis %d: wrap adds more cells in front than the %lld there are; ONNX Runtime up to 1.30 "
    "answers "
    "with uninitialised memory",
    "axis %d: cut on one side and extended on the other; tensorpad and ONNX Runtime on the CPU cut "
    "first, a runtime that repeats cells of the whole input gives another result",
    "axis %d: nothing is left of it; ONNX Runtime 1.30 refuses that in every mode but constant",
    "axis %d: has no cells; ONNX Runtime 1.30 refuses wrap then, also where nothing is added",
};
enum { REFLECT_FAR, WRAP_FAR, CUT_AND_EXTENDED, NOTHING_LEFT, NO_CELLS, SENTENCE_COUNT };

/* The findings that hold for an axis, as bits; *left: the cells that are left after a crop. */
static uint32_t judge(const tpad_axis *axis, int64_t *left)
{
    const int64_t cut = (axis->before < 0 ? axis->before : 0) + (axis->after < 0 ? axis->after : 0);
    const int64_t most = axis->before > axis->after ? axis->before : axis->after;
    const int32_t mixed = cut < 0 && most > 0;
    uint32_t truths = 0;
    *left = axis->in_extent + cut > 0 ? axis->in_extent + cut : 0;
    if (axis->mode == TPAD_CONSTANT) return 0;
    if (axis->in_extent == 0) return axis->mode == TPAD_WRAP ? 1U << NO_CELLS : 0;
    if (*left == 0) return 1U << NOTHING_LEFT;
    if (axis->mode == TPAD_REFLECT && most > 0 && most >= *left) {
        truths |= 1U << REFLECT_FAR;
        if (mixed) truths |= 1U << CUT_AND_EXTENDED;
    }
    if (axis->mode == TPAD_WRAP && axis->before > *left) truths |= 1U << WRAP_FAR;
    if (axis->mode == TPAD_WRAP && mixed) truths |= 1U << CUT_AND_EXTENDED;
    return truths;
}

void tpad_onnx_known_differences(tpad_inspection *inspection, const tpad_probe *probe,
                                 const tpad_translation *made)
{
    char sentence[SENTENCE_BYTES];
    const int32_t rank = made->rank, opset = inspection->pad->graph->opset;
    const tpad_onnx_version *version = tpad_onnx_version_for(opset);
    const int32_t type = inspection->pad->info.type;
    uint32_t told = 0;
    if (type && (version->types >> type & 1) && !has_kernel(opset, type)) {
        snprintf(sentence, sizeof sentence, "ONNX Runtime 1.30 has no kernel for %s at opset %d",
                 tpad_onnx_type_name(type), (int)opset);
        tpad_add_finding(inspection, sentence);
    }
    if (rank == 0) tpad_add_finding(inspection, "ONNX Runtime 1.30 refuses a tensor of rank 0");
    if (rank > 0 && made->axes[0].mode == TPAD_WRAP && opset >= 2 &&
        !(version->modes >> TPAD_WRAP & 1))
        tpad_add_finding(inspection, "ONNX Runtime accepts wrap at opsets that do not have it");
    for (int32_t axis = 0; axis < rank; axis++) {
        int64_t left;
        if (!(probe->known >> axis & 1)) continue;
        const uint32_t truths = judge(&made->axes[axis], &left) & ~told;
        for (int32_t i = 0; i < SENTENCE_COUNT; i++) {
            if (!(truths >> i & 1)) continue;
            snprintf(sentence, sizeof sentence, axis_sentences[i], (int)axis, (long long)left);
            tpad_add_finding(inspection, sentence);
        }
        told |= truths;
    }
}
