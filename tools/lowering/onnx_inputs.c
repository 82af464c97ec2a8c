/* Inputs of an ONNX file that get a shape.  SPDX-License-Identifier: MIT
 *
 * Owns how a ValueInfoProto is written again: with a shape of numbers, all else as it was. An input
 * without a type of tensors stays as it is. */
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

static void put_shape(message *tensor, const tpad_value *value)
{
    message shape = {0};
    for (int32_t axis = 0; axis < value->rank; axis++) {
        message dim = {0};
        message_integer(&dim, DIM_VALUE, value->shape[axis]);
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

/* info: the input as the file has it, a tensor. */
static void put_input(message *out, tpad_string info, const tpad_value *value)
{
    message input = {0}, type = {0}, tensor = {0};
    message old_type = all_of(info, VALUE_TYPE);
    message old_tensor = all_of(bytes_of(&old_type), TYPE_TENSOR);
    copy_without(&tensor, bytes_of(&old_tensor), TENSOR_SHAPE);
    put_shape(&tensor, value);
    copy_without(&type, bytes_of(&old_type), TYPE_TENSOR);
    message_add(&type, TYPE_TENSOR, &tensor);
    copy_without(&input, info, VALUE_TYPE);
    message_add(&input, VALUE_TYPE, &type);
    out->failed |= old_type.failed | old_tensor.failed;
    message_add(out, GRAPH_INPUT, &input);
    message_free(&old_type);
    message_free(&old_tensor);
}

/* The inputs that are given shapes: few, beside all that there are. */
typedef struct shaped_inputs {
    int64_t *indices, count;
} shaped_inputs;

static int32_t list_shaped(shaped_inputs *shaped, const tpad_model *model)
{
    shaped->indices = malloc(((size_t)model->top->input_count + 1) * sizeof *shaped->indices);
    shaped->count = 0;
    for (int64_t i = 0; shaped->indices && i < model->top->input_count; i++)
        if (tpad_input_shaped(model, i)) shaped->indices[shaped->count++] = i;
    return shaped->indices != NULL;
}

/* What the input of that name gets, or NULL. */
static const tpad_value *shape_for(const tpad_model *model, const shaped_inputs *shaped,
                                   tpad_string name)
{
    for (int64_t i = 0; i < shaped->count; i++) {
        const tpad_string other = model->top->inputs[shaped->indices[i]].name;
        if (other.length == name.length && memcmp(other.text, name.text, (size_t)name.length) == 0)
            return tpad_input_shaped(model, shaped->indices[i]);
    }
    return NULL;
}

/* An edit for every input of the graph that is in the list. */
static int32_t put_shaped(tpad_edit *edits, message *inputs, int64_t *count,
                          const tpad_model *model, const shaped_inputs *shaped,
                          tpad_io_error *error)
{
    tpad_string graph =
        last_of((tpad_string){(const char *)model->bytes.data, model->bytes.count}, MODEL_GRAPH);
    int64_t made = 0;
    for (tpad_field field; made < shaped->count && tpad_wire_next(&field, &graph);) {
        if (field.number != GRAPH_INPUT || !field.payload.text) continue;
        const tpad_string name = last_of(field.payload, VALUE_NAME);
        const tpad_value *value = name.text ? shape_for(model, shaped, name) : NULL;
        if (!value || !last_of(last_of(field.payload, VALUE_TYPE), TYPE_TENSOR).text) continue;
        message *input = &inputs[made++];
        put_input(input, field.payload, value);
        if (input->failed) return tpad_no_memory(model, error);
        edits[*count].old = field.payload;
        edits[*count].fields = bytes_of(input);
        (*count)++;
    }
    return TPAD_OK;
}

int32_t tpad_onnx_put_inputs(tpad_edit *edits, message *inputs, int64_t *count,
                             const tpad_model *model, tpad_io_error *error)
{
    shaped_inputs shaped;
    const int32_t status = list_shaped(&shaped, model)
                               ? put_shaped(edits, inputs, count, model, &shaped, error)
                               : tpad_no_memory(model, error);
    free(shaped.indices);
    return status;
}
