/* An ONNX file in which Pads are a part of the nodes behind them.  SPDX-License-Identifier: MIT
 *
 * Owns how the readers of such Pads are written: with other names of inputs, and with other pads. */
#include "folds.h"
#include "formats/protobuf/onnx_fields.h"
#include "models/onnx/message_parts.h"
#include "models/onnx/onnx_file.h"
#include "onnx_nodes.h"
#include <stdlib.h>

/* The edits while they are made. */
typedef struct fold_edits {
    const tpad_lowering *lowering;
    tpad_edit *edits;
    message *fields; /* what the edits of readers bring along */
    int64_t edit_count, field_count;
} fold_edits;

/* The attributes that a node with other pads gets anew. */
static int32_t is_replaced(tpad_string attribute)
{
    static const char *const names[] = {"pads", "auto_pad", "count_include_pad"};
    int32_t is_one = 0;
    for (tpad_field field; tpad_wire_next(&field, &attribute);)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            is_one |= field.number == ATTRIBUTE_NAME && tpad_string_is(field.payload, names[i]);
    return is_one;
}

static void put_attributes(fold_edits *e, message *out, const tpad_folded_window *window)
{
    const tpad_strings *old = &tpad_message_of(window->node)->attributes;
    for (int64_t i = 0; i < old->count; i++)
        if (is_replaced(old->items[i]))
            e->edits[e->edit_count++] = (tpad_edit){.old = old->items[i]};
    tpad_put_integers(out, "pads", window->pads, window->pads + window->axes, window->axes);
    if (window->op == TPAD_RULES_WINDOW_AVERAGE_POOL) tpad_put_integer(out, "count_include_pad", 1);
}

/* The window that has taken over the Pads before a value, also beyond those that added nothing; or NULL. */
static const tpad_folded_window *window_of(const tpad_lowering *lowering, const tpad_value *value)
{
    const tpad_folded_window *window = NULL;
    while (!window && value->pad && tpad_is_folded(lowering, value->pad)) {
        window = lowering->folds[value->pad - lowering->model->pads].window;
        value = value->pad->inputs[IN_DATA];
    }
    return window;
}

/* value: the input of that index, which a folded Pad made. */
static void put_input(fold_edits *e, const tpad_node *node, int64_t index, const tpad_value *value)
{
    const tpad_folded_window *window = window_of(e->lowering, value);
    const tpad_string name = tpad_folded_source(e->lowering, value)->name;
    message *out = &e->fields[e->field_count++];
    tpad_edit *edit = &e->edits[e->edit_count++];
    edit->old = tpad_message_of(node)->inputs.items[index];
    message_bytes(out, NODE_INPUT, name.text, (size_t)name.length);
    if (window) put_attributes(e, out, window);
    edit->fields = (tpad_string){(const char *)out->bytes, (int64_t)out->used};
}

static void put_readers(fold_edits *e, const tpad_graph *graph)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        const tpad_value *made = tpad_onnx_node_output(graph, node, 0);
        const int32_t goes = made && made->pad && tpad_is_folded(e->lowering, made->pad);
        for (int64_t k = 0; k < tpad_onnx_input_count(node) && !goes; k++) {
            const tpad_value *value = tpad_onnx_node_input(graph, node, k);
            if (value && value->pad && tpad_is_folded(e->lowering, value->pad))
                put_input(e, node, k, value);
        }
        for (const tpad_graph *inner = node->subgraphs; inner; inner = inner->next)
            put_readers(e, inner);
    }
}

/* How many edits there are at most. */
static size_t count_edits(const tpad_lowering *lowering)
{
    size_t room = 0;
    for (int64_t i = 0; i < lowering->model->pad_count; i++) {
        const tpad_graph_pad *pad = &lowering->model->pads[i];
        if (!tpad_is_folded(lowering, pad)) continue;
        const tpad_folded_window *window = lowering->folds[i].window;
        room += 1 + (size_t)pad->users;
        if (window) room += (size_t)tpad_message_of(window->node)->attributes.count;
    }
    return room;
}

int32_t tpad_onnx_put_folds(tpad_edit **edits, message **fields, int64_t *count,
                            const tpad_lowering *lowering, tpad_io_error *error)
{
    const tpad_model *model = lowering->model;
    const size_t room = count_edits(lowering);
    int32_t failed = 0;
    if (room == 0) return TPAD_OK;
    tpad_edit *more = realloc(*edits, ((size_t)*count + room) * sizeof *more);
    if (more) *edits = more;
    *fields = calloc(room, sizeof **fields);
    if (!more || !*fields) return tpad_no_memory(model, error);
    fold_edits e = {lowering, more, *fields, *count, 0};
    for (int64_t i = 0; i < model->pad_count; i++)
        if (tpad_is_folded(lowering, &model->pads[i]))
            more[e.edit_count++] = (tpad_edit){.old = tpad_message_of(model->pads[i].node)->body};
    put_readers(&e, model->top);
    for (const tpad_graph *graph = model->functions; graph; graph = graph->next)
        put_readers(&e, graph);
    *count = e.edit_count;
    for (int64_t i = 0; i < e.field_count; i++) failed |= (*fields)[i].failed;
    return failed ? tpad_no_memory(model, error) : TPAD_OK;
}
