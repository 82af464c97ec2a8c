/* An ONNX file whose inputs get a shape.  SPDX-License-Identifier: MIT
 *
 * Owns how a ValueInfoProto is written again: with the shape that is known, all else as it was. Inputs
 * and outputs without a type of tensors stay as they are. What the file says of other values in names
 * of dimensions goes: they would contradict the numbers, and runtimes infer these shapes. */
#include "formats/protobuf/onnx_fields.h"
#include "onnx_nodes.h"
#include "onnx_splice.h"
#include <stdlib.h>
#include <string.h>

/* Copies the fields of a message but those of that number. */
static void copy_without(message *out, tpad_string body, uint32_t number)
{
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number != number) message_raw(out, field.whole.text, (size_t)field.whole.length);
}

/* The last field of that number; text NULL: there is none. */
static tpad_string last_of(tpad_string body, uint32_t number)
{
    tpad_string last = {NULL, 0};
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number == number && field.payload.text) last = field.payload;
    return last;
}

/* Open extents keep their names. */
static void put_shape(message *tensor, const tpad_value *value)
{
    message shape = {0};
    for (int32_t axis = 0; axis < value->rank; axis++) {
        message dim = {0};
        const tpad_string name =
            value->axis_names ? value->axis_names[axis] : (tpad_string){NULL, 0};
        if (value->shape[axis] >= 0)
            message_integer(&dim, DIM_VALUE, value->shape[axis]);
        else if (name.length)
            message_bytes(&dim, DIM_PARAM, name.text, (size_t)name.length);
        message_add(&shape, SHAPE_DIM, &dim);
    }
    message_add(tensor, TENSOR_SHAPE, &shape);
}

/* The payloads of all fields of that number, one behind the other: readers merge messages so. The caller
 * releases it. */
static message all_of(tpad_string body, uint32_t number)
{
    message all = {0};
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number == number && field.payload.text)
            message_raw(&all, field.payload.text, (size_t)field.payload.length);
    return all;
}

static tpad_string bytes_of(const message *made)
{
    return (tpad_string){(const char *)made->bytes, (int64_t)made->used};
}

/* info: as the file has it, a tensor; number: of its field in the graph. */
static void put_info(message *out, uint32_t number, tpad_string info, const tpad_value *value)
{
    message again = {0}, type = {0}, tensor = {0};
    message old_type = all_of(info, VALUE_TYPE);
    message old_tensor = all_of(bytes_of(&old_type), TYPE_TENSOR);
    copy_without(&tensor, bytes_of(&old_tensor), TENSOR_SHAPE);
    if (value->rank >= 0) put_shape(&tensor, value);
    copy_without(&type, bytes_of(&old_type), TYPE_TENSOR);
    message_add(&type, TYPE_TENSOR, &tensor);
    copy_without(&again, info, VALUE_TYPE);
    message_add(&again, VALUE_TYPE, &type);
    out->failed |= old_type.failed | old_tensor.failed;
    message_add(out, number, &again);
    message_free(&old_type);
    message_free(&old_tensor);
}

static int32_t is_tensor(tpad_string info)
{
    return last_of(last_of(info, VALUE_TYPE), TYPE_TENSOR).text != NULL;
}

/* 1 if the shape has a dimension that is no number. */
static int32_t has_open_dims(tpad_string info)
{
    tpad_string shape = last_of(last_of(last_of(info, VALUE_TYPE), TYPE_TENSOR), TENSOR_SHAPE);
    for (tpad_field field; tpad_wire_next(&field, &shape);) {
        int32_t is_number = 0;
        tpad_string dim = field.payload;
        if (field.number != SHAPE_DIM || !dim.text) continue;
        for (tpad_field part; tpad_wire_next(&part, &dim);) is_number |= part.number == DIM_VALUE;
        if (!is_number) return 1;
    }
    return 0;
}

/* The value of an input that was given a shape, or of an output whose shape follows; NULL: the end stays
 * as it is. field: in the graph, the `index`-th of its number. */
static const tpad_value *value_of_end(const tpad_model *model, const tpad_field *field,
                                      int64_t index)
{
    const tpad_graph *top = model->top;
    const int32_t is_input = field->number == GRAPH_INPUT;
    const tpad_string name = last_of(field->payload, VALUE_NAME);
    if (!is_tensor(field->payload) || !name.text ||
        index >= (is_input ? top->input_count : top->output_count))
        return NULL;
    const tpad_end *end = is_input ? &top->inputs[index] : &top->outputs[index];
    if (end->name.length != name.length || memcmp(end->name.text, name.text, (size_t)name.length))
        return NULL;
    if (is_input) return tpad_input_shaped(model, index);
    return has_open_dims(field->payload) ? end->value : NULL;
}

/* The edits of one graph, while they are made. */
typedef struct shaped_graph {
    const tpad_model *model;
    tpad_edit *edits;
    message *infos; /* one for each end of the graph that is written again */
    int64_t edit_count, info_count;
} shaped_graph;

static int32_t is_end(const tpad_field *field)
{
    return field->payload.text && (field->number == GRAPH_INPUT || field->number == GRAPH_OUTPUT);
}

static int32_t is_open_value(const tpad_field *field)
{
    return field->payload.text && field->number == GRAPH_VALUE_INFO &&
           has_open_dims(field->payload);
}

static void put_field(shaped_graph *g, const tpad_field *field, int64_t index)
{
    if (is_open_value(field)) g->edits[g->edit_count++] = (tpad_edit){.old = field->payload};
    if (!is_end(field)) return;
    const tpad_value *value = value_of_end(g->model, field, index);
    if (!value) return;
    message *info = &g->infos[g->info_count++];
    put_info(info, field->number, field->payload, value);
    g->edits[g->edit_count++] = (tpad_edit){.old = field->payload, .fields = bytes_of(info)};
}

static int32_t has_shaped_input(const tpad_model *model)
{
    for (int64_t i = 0; i < model->top->input_count; i++)
        if (tpad_input_shaped(model, i)) return 1;
    return 0;
}

int32_t tpad_onnx_put_shapes(tpad_edit **edits, message *infos, int64_t *count,
                             const tpad_model *model, tpad_io_error *error)
{
    const tpad_string file = {(const char *)model->bytes.data, model->bytes.count};
    const tpad_string graph = last_of(file, MODEL_GRAPH);
    tpad_string rest = graph;
    size_t room = (size_t)*count + 1;
    int64_t inputs = 0, outputs = 0;
    if (!has_shaped_input(model)) return TPAD_OK;
    for (tpad_field field; tpad_wire_next(&field, &rest);)
        room += (size_t)(is_end(&field) || is_open_value(&field));
    tpad_edit *more = realloc(*edits, room * sizeof *more);
    if (!more) return tpad_no_memory(model, error);
    *edits = more;
    shaped_graph g = {model, more, infos, *count, 0};
    rest = graph;
    for (tpad_field field; tpad_wire_next(&field, &rest);) {
        int64_t *number = field.number == GRAPH_INPUT ? &inputs : &outputs;
        put_field(&g, &field, *number);
        if (is_end(&field)) ++*number;
    }
    *count = g.edit_count;
    for (int64_t i = 0; i < g.info_count; i++)
        if (infos[i].failed) return tpad_no_memory(model, error);
    return TPAD_OK;
}
