/* Writes the steps of a rewrite as layers of an IR.  SPDX-License-Identifier: MIT
 *
 * Chooses OpenVINO's operation for a step, and writes a layer, its ports and its edges. The last
 * step's layer is the Pad's own element with another operation: it keeps its id, name and output,
 * so that no edge after it changes. */
#include "ir_writing.h"
#include <stdio.h>
#include <string.h>

/* The most inputs that an operation has besides those of its step. */
enum { MOST_LISTS = 4 };

/* The most bytes of a shape's text. */
enum { SHAPE_BYTES = TPAD_MAX_RANK * 22 + 1 };

/* A layer before it is written. */
typedef struct new_layer {
    const char *type, *data; /* data: the attributes of <data>, or NULL */
    int32_t opset;
    const tpad_operand **inputs;
    ir_place *places;
    int32_t input_count;
} new_layer;

#define FORMAT(w, ...) tpad_arena_format(&(w)->arena, __VA_ARGS__)

static ir_span before(int64_t at)
{
    return (ir_span){at, at};
}

static const char *new_name(ir_writing *w)
{
    const size_t room = strlen(w->lowering->prefix) + LOWERED_NAME_EXTRA;
    char *name = tpad_arena_take(&w->arena, (int64_t)room, 1);
    if (!name) return "";
    tpad_lowered_name(name, room, w->lowering, w->index, w->names++);
    return name;
}

/* ---- Ports and edges ------------------------------------------------------------------------- */

static void put_port(ir_writing *w, int64_t at, int64_t id, const tpad_operand *operand)
{
    tpad_ir_put(w, before(at),
                FORMAT(w, "<port id=\"%lld\" precision=\"%s\">", (long long)id,
                       tpad_openvino_type_port_name(tpad_type_to_openvino(operand->type))));
    for (int32_t axis = 0; axis < operand->rank; axis++)
        tpad_ir_put(w, before(at), FORMAT(w, "<dim>%lld</dim>", (long long)operand->shape[axis]));
    tpad_ir_put(w, before(at), "</port>");
}

/* Adds an edge. The first one replaces the first edge that led to the Pad. */
static void put_edge(ir_writing *w, ir_place from, ir_place to)
{
    tpad_ir_put(w, w->edges ? before(w->slot.end) : w->slot,
                FORMAT(w,
                       "%s<edge from-layer=\"%lld\" from-port=\"%lld\" to-layer=\"%lld\" "
                       "to-port=\"%lld\"/>",
                       w->edges ? w->edge_gap : "", (long long)from.layer, (long long)from.port,
                       (long long)to.layer, (long long)to.port));
    w->edges++;
}

/* Writes the input ports, and the edges to them. Skips the id of the output port. */
static void put_inputs(ir_writing *w, int64_t at, const new_layer *layer, ir_place output)
{
    ir_place to = {output.layer, 0};
    for (int32_t i = 0; i < layer->input_count; i++, to.port++) {
        if (to.port == output.port) to.port++;
        put_port(w, at, to.port, layer->inputs[i]);
        put_edge(w, layer->places[i], to);
    }
}

/* ---- Layers ---------------------------------------------------------------------------------- */

static ir_place put_layer(ir_writing *w, const new_layer *layer, const tpad_operand *out)
{
    const int64_t at = w->pad->tag.begin;
    const ir_place output = {++w->last_id, layer->input_count};
    tpad_ir_put(w, before(at),
                FORMAT(w, "<layer id=\"%lld\" name=\"%s\" type=\"%s\" version=\"opset%d\">",
                       (long long)output.layer, new_name(w), layer->type, (int)layer->opset));
    if (layer->data) tpad_ir_put(w, before(at), FORMAT(w, "<data %s/>", layer->data));
    if (layer->input_count) {
        tpad_ir_put(w, before(at), "<input>");
        put_inputs(w, at, layer, output);
        tpad_ir_put(w, before(at), "</input>");
    }
    tpad_ir_put(w, before(at), "<output>");
    put_port(w, at, output.port, out);
    tpad_ir_put(w, before(at), FORMAT(w, "</output></layer>%s", w->layer_gap));
    return output;
}

/* Turns the Pad's own layer into this one. */
static void change_layer(ir_writing *w, const new_layer *layer)
{
    const ir_layer *pad = w->pad;
    const ir_span type = tpad_ir_attribute_span(w, pad->tag, "type"),
                  version = tpad_ir_attribute_span(w, pad->tag, "version");
    const char quote = (char)w->model->bytes.data[type.end];
    if (version.end) {
        tpad_ir_put(w, type, layer->type);
        tpad_ir_put(w, version, FORMAT(w, "opset%d", (int)layer->opset));
    } else {
        tpad_ir_put(
            w, type,
            FORMAT(w, "%s%c version=%copset%d", layer->type, quote, quote, (int)layer->opset));
    }
    if (!layer->data)
        tpad_ir_drop(w, pad->data);
    else
        tpad_ir_put(w, pad->data.end ? pad->data : before(pad->tag.end),
                    FORMAT(w, "<data %s/>", layer->data));
    if (!layer->input_count) {
        tpad_ir_drop(w, pad->input);
        return;
    }
    tpad_ir_put(w, pad->input, "<input>");
    put_inputs(w, pad->input.end, layer, (ir_place){pad->id, pad->out.first->id});
    tpad_ir_put(w, before(pad->input.end), "</input>");
}

static new_layer constant_layer(ir_writing *w, const tpad_operand *constant)
{
    int64_t offset, bytes;
    tpad_ir_add_elements(w, constant, &offset, &bytes);
    char shape[SHAPE_BYTES];
    size_t used = 0;
    shape[0] = 0;
    for (int32_t axis = 0; axis < constant->rank; axis++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%lld", axis ? ", " : "",
                                 (long long)constant->shape[axis]);
    return (new_layer){
        .type = "Const",
        .opset = 1,
        .data = FORMAT(w, "element_type=\"%s\" shape=\"%s\" offset=\"%lld\" size=\"%lld\"",
                       tpad_openvino_type_name(tpad_type_to_openvino(constant->type)), shape,
                       (long long)offset, (long long)bytes),
    };
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static void add_input(ir_writing *w, new_layer *layer, int32_t index)
{
    const tpad_operand *operand = &w->rewrite->operands[index];
    ir_place *place = &w->places[index];
    if (operand->kind == OPERAND_CONSTANT && place->layer < 0) {
        const new_layer constant = constant_layer(w, operand);
        *place = put_layer(w, &constant, operand);
    }
    layer->inputs[layer->input_count] = operand;
    layer->places[layer->input_count++] = *place;
}

/* Adds an input of whole numbers: a constant of rank 0 or 1. */
static void add_numbers(ir_writing *w, new_layer *layer, int32_t rank, int64_t count,
                        const int64_t *numbers)
{
    tpad_operand *operand = tpad_arena_take(&w->arena, 1, sizeof *operand);
    int64_t *shape = tpad_arena_take(&w->arena, 1, sizeof *shape);
    if (!operand || !shape || !numbers) return;
    *shape = count;
    *operand = (tpad_operand){OPERAND_CONSTANT, TPAD_ONNX_INT64, rank, shape, numbers};
    const new_layer constant = constant_layer(w, operand);
    layer->inputs[layer->input_count] = operand;
    layer->places[layer->input_count++] = put_layer(w, &constant, operand);
}

static int64_t *fill(ir_writing *w, int64_t count, int64_t number)
{
    int64_t *numbers = tpad_arena_take(&w->arena, count, sizeof *numbers);
    for (int64_t i = 0; numbers && i < count; i++) numbers[i] = number;
    return numbers;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void describe_slice(ir_writing *w, new_layer *layer, const tpad_step *step)
{
    const int64_t by = step->op == TPAD_RULES_USE_SLICE ? 1 : -1;
    layer->type = "Slice";
    layer->opset = 8;
    add_numbers(w, layer, 1, step->count, step->starts);
    add_numbers(w, layer, 1, step->count, step->ends);
    add_numbers(w, layer, 1, step->count, fill(w, step->count, by));
    add_numbers(w, layer, 1, step->count, step->axes);
}

static void describe_pad(ir_writing *w, new_layer *layer, const tpad_step *step)
{
    const ir_pad *attributes = w->rewrite->pad->attributes;
    layer->type = "Pad";
    layer->opset = attributes->opset;
    layer->data = FORMAT(w, "pad_mode=\"%s\"", step->mode);
    add_numbers(w, layer, 1, step->count, step->begin);
    add_numbers(w, layer, 1, step->count, step->end);
}

static void describe_reshape(ir_writing *w, new_layer *layer, int64_t count, const int64_t *list)
{
    layer->type = "Reshape";
    layer->data = "special_zero=\"true\"";
    add_numbers(w, layer, 1, count, list);
}

/* Adds what the step's operation needs besides the first input. */
static void describe(ir_writing *w, new_layer *layer, const tpad_step *step)
{
    const tpad_operand *out = &w->rewrite->operands[step->output];
    switch (step->op) {
    case TPAD_RULES_USE_IDENTITY: /* a layer, because it carries the output's names */
        describe_reshape(w, layer, out->rank, fill(w, out->rank, 0));
        break;
    case TPAD_RULES_USE_RESHAPE:
        describe_reshape(w, layer, step->count, step->list);
        break;
    case TPAD_RULES_USE_EXPAND:
        layer->type = "Broadcast";
        layer->opset = 3;
        layer->data = "mode=\"bidirectional\"";
        add_numbers(w, layer, 1, step->count, step->list);
        break;
    case TPAD_RULES_USE_SLICE:
    case TPAD_RULES_USE_SLICE_BACK:
        describe_slice(w, layer, step);
        break;
    case TPAD_RULES_USE_CONCAT:
        layer->type = "Concat";
        layer->data = FORMAT(w, "axis=\"%d\"", (int)step->axis);
        break;
    case TPAD_RULES_USE_GATHER:
        layer->type = "Gather";
        layer->opset = 8;
        layer->data = "batch_dims=\"0\"";
        add_numbers(w, layer, 1, step->count, step->list);
        add_numbers(w, layer, 0, 1, fill(w, 1, step->axis));
        break;
    case TPAD_RULES_USE_WHERE:
        layer->type = "Select";
        layer->data = "auto_broadcast=\"numpy\"";
        break;
    case STEP_CAST:
        layer->type = "Convert";
        layer->data = FORMAT(w, "destination_type=\"%s\"",
                             tpad_openvino_type_name(tpad_type_to_openvino(out->type)));
        break;
    default:
        describe_pad(w, layer, step);
        break;
    }
}

static void write_step(ir_writing *w, const tpad_step *step, int32_t is_last)
{
    const int32_t most = step->input_count + MOST_LISTS;
    new_layer layer = {.opset = 1};
    layer.inputs = tpad_arena_take(&w->arena, most, sizeof *layer.inputs);
    layer.places = tpad_arena_take(&w->arena, most, sizeof *layer.places);
    if (!layer.inputs || !layer.places) return;
    if (step->op == TPAD_RULES_USE_CONSTANT) {
        layer = constant_layer(w, &w->rewrite->operands[step->inputs[0]]);
    } else {
        add_input(w, &layer, step->inputs[0]);
        describe(w, &layer, step);
        for (int32_t i = 1; i < step->input_count; i++) add_input(w, &layer, step->inputs[i]);
    }
    if (is_last)
        change_layer(w, &layer);
    else
        w->places[step->output] = put_layer(w, &layer, &w->rewrite->operands[step->output]);
}

void tpad_ir_write_rewrite(ir_writing *w)
{
    const tpad_rewrite *rewrite = w->rewrite;
    for (int32_t i = 0; i < rewrite->step_count && !w->arena.failed; i++)
        write_step(w, &rewrite->steps[i], i == rewrite->step_count - 1);
}
