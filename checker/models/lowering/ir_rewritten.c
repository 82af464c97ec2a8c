/* Writes an IR with its rewritten Pads.  SPDX-License-Identifier: MIT
 *
 * Writes the Pads to be replaced, their edges, the shapes given to inputs, and the bytes appended
 * to the .bin. */
#include "ir_writing.h"
#include <inttypes.h>

enum { OLDEST_WRITTEN = 10 };

/* ---- The .bin -------------------------------------------------------------------------------- */

static int32_t write_weights(const ir_writing *w, const tpad_bytes *old, tpad_output *weights,
                             tpad_io_error *error)
{
    static const unsigned char zeros[IR_ALIGN];
    int64_t at = old->count;
    int32_t status = tpad_output_write(weights, old->data, old->count, error);
    for (const ir_addition *a = w->additions; a && !status; a = a->next) {
        status = tpad_output_write(weights, zeros, a->offset - at, error);
        if (!status) status = tpad_output_write(weights, a->bytes, a->count, error);
        at = a->offset + a->count;
    }
    return status;
}

/* ---- The model ------------------------------------------------------------------------------- */

/* Removes the edges to the Pad. The new ones will take the place of the first in the file. */
static void drop_edges(ir_writing *w)
{
    const ir_port *first = w->pad->in.first;
    for (const ir_port *port = w->pad->in.first; port; port = port->next)
        if (port->edge->span.begin < first->edge->span.begin) first = port;
    for (const ir_port *port = w->pad->in.first; port; port = port->next)
        if (port != first) tpad_ir_drop(w, port->edge->span);
    w->slot = first->edge->span;
    w->edge_gap = tpad_ir_gap(w, w->slot.begin);
    w->edges = 0;
}

static const ir_port *input_at(const ir_layer *layer, int32_t position)
{
    const ir_port *port = layer->in.first;
    while (port && port->position != position) port = port->next;
    return port;
}

/* Notes where the operands come from that the Pad already reads. */
static void find_operands(ir_writing *w)
{
    const tpad_rewrite *rewrite = w->rewrite;
    w->places = tpad_arena_take(&w->arena, rewrite->operand_count, sizeof *w->places);
    for (int32_t i = 0; w->places && i < rewrite->operand_count; i++) {
        const int32_t kind = rewrite->operands[i].kind;
        w->places[i] = (ir_place){-1, 0};
        if (kind != OPERAND_DATA && kind != OPERAND_VALUE) continue;
        const ir_port *port = input_at(w->pad, kind == OPERAND_DATA ? IN_DATA : IN_VALUE);
        w->places[i] = (ir_place){port->edge->from_layer, port->edge->from_port};
    }
}

static void write_pad(ir_writing *w, int64_t index)
{
    w->index = index;
    w->rewrite = &w->lowering->rewrites[index];
    w->pad = w->rewrite->pad->node->payload;
    w->names = 0;
    if (!w->last_id) w->last_id = w->pad->graph->file->last_id;
    w->layer_gap = tpad_ir_gap(w, w->pad->tag.begin);
    drop_edges(w);
    find_operands(w);
    tpad_ir_write_rewrite(w);
    if (!w->edges) tpad_ir_drop(w, w->slot); /* a constant has no edges */
}

/* Writes the given shapes into the inputs. */
static void write_inputs(ir_writing *w)
{
    for (int64_t i = 0; i < w->model->top->input_count; i++) {
        const tpad_value *value = tpad_input_shaped(w->model, i);
        if (!value) continue;
        const ir_port *port = value->payload;
        const ir_span shape = tpad_ir_attribute_span(w, port->layer->data, "shape");
        char *text = tpad_arena_text(&w->arena, (tpad_string){"", 0});
        for (int32_t axis = 0; text && axis < value->rank; axis++)
            text = value->shape[axis] < 0
                       ? tpad_arena_format(&w->arena, "%s%s?", text, axis ? "," : "")
                       : tpad_arena_format(&w->arena, "%s%s%" PRId64, text, axis ? "," : "",
                                           value->shape[axis]);
        if (shape.end && text) tpad_ir_put(w, shape, text);
    }
}

const char *tpad_ir_why_not_lowered(const tpad_model *model, const tpad_graph_pad *pad)
{
    const ir_layer *layer = pad->node->payload;
    const tpad_bytes *bytes = &model->bytes;
    if (layer->graph->file->version < OLDEST_WRITTEN)
        return "tensorpad does not rewrite an IR below version 10";
    if (!bytes->data[0] || !bytes->data[1] || bytes->data[0] >= 0xFE)
        return "tensorpad does not rewrite an .xml in UTF-16";
    if (layer->repeats) return "the layer has <data> or <input> twice";
    int32_t connected = layer->in.first != NULL;
    for (const ir_port *port = layer->in.first; port; port = port->next)
        connected &= port->edge != NULL;
    if (!connected) return "one of its inputs has no edge";
    if (!pad->info.type) return "its type is not known, or a rewrite cannot have it";
    if (layer->graph->file->last_id > INT64_MAX / 2) return "its layers have too large ids";
    return NULL;
}

int32_t tpad_ir_write_lowered(const tpad_lowering *lowering, tpad_output *output,
                              tpad_output *weights, tpad_io_error *error)
{
    tpad_model *model = lowering->model;
    ir_writing w = {.lowering = lowering, .model = model};
    const tpad_bytes *old;
    int32_t status = tpad_ir_weights(&old, model, error);
    if (status) return status;
    w.last_edit = &w.edits;
    w.last_addition = &w.additions;
    w.bin_end = old->count;
    for (int64_t i = 0; i < model->pad_count; i++) {
        if (lowering->nodes[i].outcome != TPAD_LOWER_REWRITTEN) continue;
        write_pad(&w, i);
    }
    write_inputs(&w);
    status = tpad_ir_write_text(&w, output, error);
    if (!status && weights) status = write_weights(&w, old, weights, error);
    tpad_arena_free(&w.arena);
    return status;
}
