/* Writing an IR again with its rewritten Pads.  SPDX-License-Identifier: MIT
 *
 * Owns the bytes of the two files: texts that take the place of other texts of the .xml, and bytes
 * that follow those of the .bin. Everything else is copied as it is. */
#include "lower.h"
#include <stdlib.h>
#include <string.h>

enum { OLDEST_WRITTEN = 10 };

/* ---- The text -------------------------------------------------------------------------------- */

void tpad_ir_put(ir_writing *w, ir_span span, const char *text)
{
    ir_edit *edit = tpad_arena_take(&w->arena, 1, sizeof *edit);
    if (!edit) return;
    *edit = (ir_edit){.span = span, .order = w->edit_count++, .text = text};
    *w->last_edit = edit;
    w->last_edit = &edit->next;
}

static int32_t is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Where the blanks before this place begin. */
static int64_t blanks_before(const tpad_model *model, int64_t at)
{
    while (at > 0 && is_blank(model->bytes.data[at - 1])) at--;
    return at;
}

static const char *gap_before(ir_writing *w, int64_t at)
{
    const int64_t begin = blanks_before(w->model, at);
    const char *text = (const char *)w->model->bytes.data + begin;
    const char *gap = tpad_arena_text(&w->arena, (tpad_string){text, at - begin});
    return gap ? gap : "";
}

void tpad_ir_drop(ir_writing *w, ir_span span)
{
    if (!span.end) return;
    span.begin = blanks_before(w->model, span.begin);
    tpad_ir_put(w, span, "");
}

/* The parser has accepted the tag, so every attribute has its quotes. */
ir_span tpad_ir_attribute_span(const ir_writing *w, const char *name)
{
    const unsigned char *text = w->model->bytes.data;
    const int64_t length = (int64_t)strlen(name);
    int64_t at = w->pad->tag.begin + (int64_t)strlen("<layer");
    while (at < w->pad->tag.end) {
        while (is_blank(text[at])) at++;
        const int64_t begin = at;
        while (at < w->pad->tag.end && text[at] != '"' && text[at] != '\'') at++;
        const unsigned char quote = text[at];
        ir_span value = {at + 1, at + 1};
        while (value.end < w->pad->tag.end && text[value.end] != quote) value.end++;
        if (memcmp(text + begin, name, (size_t)length) == 0 &&
            (is_blank(text[begin + length]) || text[begin + length] == '='))
            return value;
        at = value.end + 1;
    }
    return (ir_span){0, 0};
}

/* In the order of the file; a text that is only added comes before one that takes a place. */
static int compare_edits(const void *a, const void *b)
{
    const ir_edit *one = *(ir_edit *const *)a, *other = *(ir_edit *const *)b;
    const int64_t differences[] = {one->span.begin - other->span.begin,
                                   one->span.end - other->span.end, one->order - other->order};
    for (int i = 0; i < 2; i++)
        if (differences[i]) return differences[i] < 0 ? -1 : 1;
    return differences[2] < 0 ? -1 : 1;
}

static int32_t write_text(ir_writing *w, tpad_output *output, tpad_io_error *error)
{
    const unsigned char *bytes = w->model->bytes.data;
    ir_edit **sorted = tpad_arena_take(&w->arena, w->edit_count, sizeof(ir_edit *));
    int64_t at = 0, count = 0;
    int32_t status = TPAD_OK;
    if (w->arena.failed)
        return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", w->model->path);
    for (ir_edit *edit = w->edits; edit; edit = edit->next) sorted[count++] = edit;
    qsort(sorted, (size_t)count, sizeof(ir_edit *), compare_edits);
    for (int64_t i = 0; i < count && !status; i++) {
        const ir_edit *edit = sorted[i];
        status = tpad_output_write(output, bytes + at, edit->span.begin - at, error);
        if (!status)
            status = tpad_output_write(output, edit->text, (int64_t)strlen(edit->text), error);
        at = edit->span.end;
    }
    return status ? status
                  : tpad_output_write(output, bytes + at, w->model->bytes.count - at, error);
}

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

/* Removes the edges to the Pad; the first of the file is where the new ones will be. */
static void drop_edges(ir_writing *w)
{
    const ir_port *first = w->pad->in.first;
    for (const ir_port *port = w->pad->in.first; port; port = port->next)
        if (port->edge->span.begin < first->edge->span.begin) first = port;
    for (const ir_port *port = w->pad->in.first; port; port = port->next)
        if (port != first) tpad_ir_drop(w, port->edge->span);
    w->slot = first->edge->span;
    w->edge_gap = gap_before(w, w->slot.begin);
    w->edges = 0;
}

static const ir_port *input_at(const ir_layer *layer, int32_t position)
{
    const ir_port *port = layer->in.first;
    while (port && port->position != position) port = port->next;
    return port;
}

/* Fills in where operands come from that are not of the rewrite. */
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
    w->layer_gap = gap_before(w, w->pad->tag.begin);
    drop_edges(w);
    find_operands(w);
    tpad_ir_write_rewrite(w);
    if (!w->edges) tpad_ir_drop(w, w->slot); /* a constant needs none */
}

const char *tpad_ir_why_not_lowered(const tpad_model *model, const tpad_graph_pad *pad)
{
    const ir_layer *layer = pad->node->payload;
    const tpad_bytes *bytes = &model->bytes;
    if (layer->graph->file->version < OLDEST_WRITTEN)
        return "an IR below version 10 is not written again";
    if (!bytes->data[0] || !bytes->data[1] || bytes->data[0] >= 0xFE)
        return "an .xml in UTF-16 is not written again";
    if (layer->repeats) return "the layer has <data> or <input> twice";
    int32_t connected = layer->in.first != NULL;
    for (const ir_port *port = layer->in.first; port; port = port->next)
        connected &= port->edge != NULL;
    if (!connected) return "no edge leads to one of its inputs";
    if (!pad->info.type) return "its type is not known, or none that a rewrite can have";
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
    status = write_text(&w, output, error);
    if (!status && weights) status = write_weights(&w, old, weights, error);
    tpad_arena_free(&w.arena);
    return status;
}
