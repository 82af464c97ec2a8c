/* An ONNX file in which Pads have another domain.  SPDX-License-Identifier: MIT
 *
 * Owns how such nodes and the imports of their domain are written. */
#include "formats/protobuf/onnx_fields.h"
#include "models/onnx/message_writer.h"
#include "models/onnx/onnx_file.h"
#include "onnx_splice.h"
#include "rewrite.h"
#include <stdlib.h>

static const char DOMAIN[] = "tensorpad";
enum { DOMAIN_VERSION = 1 };

/* The edits, and the fields that they bring along: one for each. */
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

static void put_node(prepared *p, const tpad_graph_pad *pad)
{
    tpad_string body = tpad_message_of(pad->node)->body;
    message *out = add_edit(p, body), node = {0};
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number != NODE_DOMAIN)
            message_raw(&node, field.whole.text, (size_t)field.whole.length);
    message_text(&node, NODE_DOMAIN, DOMAIN);
    message_add(out, pad->graph->is_function ? FUNCTION_NODE : GRAPH_NODE, &node);
}

/* Adds the domain to the imports of a model or function: behind the first of them. number: of its field. */
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

/* The function in which a graph stands; NULL: none. */
static const tpad_graph *function_of(const tpad_graph *graph)
{
    while (graph->parent) graph = graph->parent;
    return graph->is_function ? graph : NULL;
}

static int32_t has_ours(const tpad_model *model, const uint8_t *ours, const tpad_graph *function)
{
    for (int64_t i = 0; i < model->pad_count; i++)
        if (ours[i] && function_of(model->pads[i].graph) == function) return 1;
    return 0;
}

static void put_imports(prepared *p, const tpad_model *model, const uint8_t *ours)
{
    tpad_string file = {(const char *)model->bytes.data, model->bytes.count};
    const tpad_graph *function = model->functions;
    put_import(p, file, MODEL_OPSET);
    for (tpad_field field; function && tpad_wire_next(&field, &file);) {
        if (field.number != MODEL_FUNCTION) continue;
        if (has_ours(model, ours, function)) put_import(p, field.payload, FUNCTION_OPSET);
        function = function->next;
    }
}

int32_t tpad_onnx_write_prepared(tpad_output *output, const tpad_model *model, const uint8_t *ours,
                                 tpad_io_error *error)
{
    const tpad_string file = {(const char *)model->bytes.data, model->bytes.count};
    int64_t most = 1;
    int32_t failed = 0, any = 0;
    for (const tpad_graph *function = model->functions; function; function = function->next) most++;
    most += model->pad_count;
    prepared p = {calloc((size_t)most, sizeof *p.edits), calloc((size_t)most, sizeof *p.fields), 0};
    if (p.edits && p.fields) {
        for (int64_t i = 0; i < model->pad_count; i++) {
            any |= ours[i];
            if (ours[i]) put_node(&p, &model->pads[i]);
        }
        if (any) put_imports(&p, model, ours);
    }
    for (int64_t i = 0; i < p.count; i++) {
        failed |= p.fields[i].failed;
        p.edits[i].fields = (tpad_string){(char *)p.fields[i].bytes, (int64_t)p.fields[i].used};
    }
    const int32_t status = !p.edits || !p.fields || failed
                               ? tpad_no_memory(model, error)
                               : tpad_splice(output, model->path, file, p.edits, p.count, error);
    for (int64_t i = 0; i < p.count; i++) message_free(&p.fields[i]);
    free(p.fields);
    free(p.edits);
    return status;
}
