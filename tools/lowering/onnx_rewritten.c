/* An ONNX file with rewritten Pad nodes.  SPDX-License-Identifier: MIT
 *
 * Owns which nodes are replaced. onnx_nodes.c builds what takes their place, onnx_shapes.c the inputs
 * that get a shape, onnx_folded.c the readers of folded Pads, onnx_unused.c finds what goes, onnx_splice.c
 * writes the file. */
#include "models/onnx/onnx_file.h"
#include "onnx_nodes.h"
#include <stdlib.h>

/* Makes an edit of every rewrite. nodes: a message for each of them. */
static int32_t make_edits(tpad_edit *edits, message *nodes, int64_t *count,
                          const tpad_lowering *lowering, tpad_io_error *error)
{
    for (int64_t i = 0; i < lowering->model->pad_count; i++) {
        const tpad_rewrite *rewrite = &lowering->rewrites[i];
        if (rewrite->step_count == 0) continue;
        const int64_t at = (*count)++;
        const int32_t status = tpad_onnx_put_rewrite(&nodes[at], lowering, i, error);
        if (status) return status;
        edits[at].old = tpad_message_of(rewrite->pad->node)->body;
        edits[at].fields = (tpad_string){(char *)nodes[at].bytes, (int64_t)nodes[at].used};
    }
    return TPAD_OK;
}

static int32_t write_rewritten(const tpad_lowering *lowering, tpad_output *output,
                               tpad_io_error *error)
{
    const tpad_model *model = lowering->model;
    const tpad_string body = {(const char *)model->bytes.data, model->bytes.count};
    const size_t most = (size_t)model->pad_count + (size_t)model->top->input_count +
                        (size_t)model->top->output_count + 1;
    tpad_edit *edits = calloc(most, sizeof *edits);
    message *parts = calloc(most, sizeof *parts), *folded = NULL;
    int64_t count = 0, shaped = 0;
    int32_t status = edits && parts ? make_edits(edits, parts, &count, lowering, error)
                                    : tpad_no_memory(lowering->model, error);
    if (!status)
        status = tpad_onnx_put_shapes(&edits, parts + model->pad_count, &count, model, error);
    shaped = count;
    if (!status) status = tpad_onnx_put_folds(&edits, &folded, &count, lowering, error);
    const int64_t folds = count - shaped;
    if (!status) status = tpad_onnx_drop_unused(&edits, &count, lowering, error);
    if (!status) status = tpad_splice(output, model->path, body, edits, count, error);
    for (size_t i = 0; parts && i < most; i++) message_free(&parts[i]);
    for (int64_t i = 0; folded && i < folds; i++) message_free(&folded[i]);
    free(folded);
    free(parts);
    free(edits);
    return status;
}

int32_t tpad_onnx_write_lowered(const tpad_lowering *lowering, tpad_output *output,
                                tpad_output *weights, tpad_io_error *error)
{
    (void)weights;
    return lowering->ways & TPAD_LOWER_FOR_PLUGIN
               ? tpad_onnx_write_prepared(lowering, output, error)
               : write_rewritten(lowering, output, error);
}
