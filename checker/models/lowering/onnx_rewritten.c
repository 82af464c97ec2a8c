/* Writes an ONNX file with rewritten Pad nodes.  SPDX-License-Identifier: MIT
 *
 * Chooses the nodes to replace and writes the file. onnx_nodes.c builds their replacements;
 * onnx_folds.c writes the readers of folded Pads, and finds nodes that are no longer used. */
#include <stdlib.h>

#include "models/onnx/onnx_file.h"
#include "models/onnx/proto.h"
#include "onnx_writing.h"
#include "protobuf/onnx_fields.h"
#include "rewrite.h"

/* Makes an edit for every rewrite. nodes: a message for each. */
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

/* Writes an ONNX file whose Pads have another domain: the nodes, and the imports of the domain. */

static const char DOMAIN[] = "tensorpad";
enum { DOMAIN_VERSION = 1 };

/* The edits, and the new fields of each. */
typedef struct prepared {
    tpad_edit *edits;
    message *fields;
    int64_t count;
} prepared;

static message *add_edit(prepared *p, tpad_string old)
{
    p->edits[p->count].old = old;
    return &p->fields[p->count++];
}

/* 1 if the file implies some of the output's shape but does not declare it. */
static int32_t has_new_shape(const tpad_graph_pad *pad)
{
    return !pad->graph->is_function && pad->output && !pad->output->is_declared &&
           pad->info.type != 0 && pad->info.out_rank >= 0;
}

/* Declares the output's shape: ONNX Runtime infers no extents after a node of another domain, and
 * would no longer fold nodes that need them. Open extents get no name, because equal names would
 * mean equal extents. */
static void put_shape(message *out, const tpad_graph_pad *pad)
{
    message info = {0}, type = {0}, tensor = {0}, shape = {0};
    for (int32_t axis = 0; axis < pad->info.out_rank; axis++) {
        message dim = {0};
        if (pad->info.out_shape[axis] >= 0)
            message_integer(&dim, DIM_VALUE, pad->info.out_shape[axis]);
        message_add(&shape, SHAPE_DIM, &dim);
    }
    message_integer(&tensor, TENSOR_ELEM_TYPE, pad->info.type);
    message_add(&tensor, TENSOR_SHAPE, &shape);
    message_add(&type, TYPE_TENSOR, &tensor);
    message_text(&info, VALUE_NAME, pad->info.output);
    message_add(&info, VALUE_TYPE, &type);
    message_add(out, GRAPH_VALUE_INFO, &info);
}

static void put_node(prepared *p, const tpad_graph_pad *pad)
{
    tpad_string body = tpad_message_of(pad->node)->body;
    message *out = add_edit(p, body), node = {0};
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number != NODE_DOMAIN)
            message_raw(&node, field.whole.text, (size_t)field.whole.length);
    message_text(&node, NODE_DOMAIN, DOMAIN);
    message_add(out, pad->graph->is_function ? FUNCTION_NODE : GRAPH_NODE, &node);
    if (has_new_shape(pad)) put_shape(out, pad);
}

/* Adds the domain to the imports of a model or function, after the first one. number: of the field
 * of imports. */
static void put_import(prepared *p, tpad_string owner, uint32_t number)
{
    for (tpad_field field; tpad_wire_next(&field, &owner);) {
        if (field.number != number || field.payload.length <= 0) continue;
        message *out = add_edit(p, field.payload), import = {0};
        message_raw(out, field.whole.text, (size_t)field.whole.length);
        message_text(&import, OPSET_DOMAIN, DOMAIN);
        message_integer(&import, OPSET_VERSION, DOMAIN_VERSION);
        message_add(out, number, &import);
        return;
    }
}

/* The function that contains a graph; NULL: none. */
static const tpad_graph *function_of(const tpad_graph *graph)
{
    while (graph->parent) graph = graph->parent;
    return graph->is_function ? graph : NULL;
}

static int32_t is_ours(const tpad_lowering *lowering, int64_t index)
{
    return lowering->nodes[index].outcome == TPAD_LOWER_REWRITTEN;
}

static int32_t has_ours(const tpad_lowering *lowering, const tpad_graph *function)
{
    for (int64_t i = 0; i < lowering->model->pad_count; i++)
        if (is_ours(lowering, i) && function_of(lowering->model->pads[i].graph) == function)
            return 1;
    return 0;
}

static void put_imports(prepared *p, const tpad_lowering *lowering)
{
    const tpad_model *model = lowering->model;
    tpad_string file = {(const char *)model->bytes.data, model->bytes.count};
    const tpad_graph *function = model->functions;
    put_import(p, file, MODEL_OPSET);
    for (tpad_field field; function && tpad_wire_next(&field, &file);) {
        if (field.number != MODEL_FUNCTION) continue;
        if (has_ours(lowering, function)) put_import(p, field.payload, FUNCTION_OPSET);
        function = function->next;
    }
}

int32_t tpad_onnx_write_prepared(const tpad_lowering *lowering, tpad_output *output,
                                 tpad_io_error *error)
{
    const tpad_model *model = lowering->model;
    const tpad_string file = {(const char *)model->bytes.data, model->bytes.count};
    size_t most = (size_t)model->pad_count + 1; /* + 1 import of the model, 1 of each function */
    for (const tpad_graph *function = model->functions; function; function = function->next) most++;
    prepared p = {calloc(most, sizeof *p.edits), calloc(most, sizeof *p.fields), 0};
    int32_t failed = !p.edits || !p.fields;
    for (int64_t i = 0; i < model->pad_count && !failed; i++)
        if (is_ours(lowering, i)) put_node(&p, &model->pads[i]);
    if (p.count > 0) put_imports(&p, lowering);
    for (int64_t i = 0; i < p.count; i++) {
        failed |= p.fields[i].failed;
        p.edits[i].fields = (tpad_string){(char *)p.fields[i].bytes, (int64_t)p.fields[i].used};
    }
    const int32_t status = failed ? tpad_no_memory(model, error)
                                  : tpad_splice(output, model->path, file, p.edits, p.count, error);
    for (int64_t i = 0; i < p.count; i++) message_free(&p.fields[i]);
    free(p.fields);
    free(p.edits);
    return status;
}
