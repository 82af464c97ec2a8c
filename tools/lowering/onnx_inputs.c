/* Inputs of an ONNX file that get a shape.  SPDX-License-Identifier: MIT
 *
 * Owns how a ValueInfoProto is written again: with a shape of numbers, all else as it was. An input
 * without a type of tensors stays as it is. */
#include "formats/protobuf/onnx_fields.h"
#include "onnx_nodes.h"
#include "onnx_splice.h"
#include <string.h>

/* Copies the fields of a message but those of that number. */
static void copy_without(message *out, tpad_string body, uint32_t number)
{
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number != number) message_raw(out, field.whole.text, (size_t)field.whole.length);
}

/* The last field of that number, as every reader takes it; text NULL: there is none. */
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

/* info: the input as the file has it, a tensor. */
static void put_input(message *out, tpad_string info, const tpad_value *value)
{
    message input = {0}, type = {0}, tensor = {0};
    const tpad_string old_type = last_of(info, VALUE_TYPE);
    copy_without(&tensor, last_of(old_type, TYPE_TENSOR), TENSOR_SHAPE);
    put_shape(&tensor, value);
    copy_without(&type, old_type, TYPE_TENSOR);
    message_add(&type, TYPE_TENSOR, &tensor);
    copy_without(&input, info, VALUE_TYPE);
    message_add(&input, VALUE_TYPE, &type);
    message_add(out, GRAPH_INPUT, &input);
}

/* What the input of that name gets, or NULL. */
static const tpad_value *shape_for(const tpad_model *model, tpad_string name)
{
    for (int64_t i = 0; i < model->top->input_count; i++) {
        const tpad_string other = model->top->inputs[i].name;
        if (other.length == name.length && memcmp(other.text, name.text, (size_t)name.length) == 0)
            return tpad_input_shaped(model, i);
    }
    return NULL;
}

int32_t tpad_onnx_put_inputs(tpad_edit *edits, message *inputs, int64_t *count,
                             const tpad_model *model, tpad_io_error *error)
{
    tpad_string graph =
        last_of((tpad_string){(const char *)model->bytes.data, model->bytes.count}, MODEL_GRAPH);
    int64_t made = 0;
    for (tpad_field field; tpad_wire_next(&field, &graph);) {
        if (field.number != GRAPH_INPUT || !field.payload.text) continue;
        const tpad_string name = last_of(field.payload, VALUE_NAME);
        const tpad_value *value = name.text ? shape_for(model, name) : NULL;
        if (!value || !last_of(last_of(field.payload, VALUE_TYPE), TYPE_TENSOR).text) continue;
        if (made == model->top->input_count) break;
        message *input = &inputs[made++];
        put_input(input, field.payload, value);
        if (input->failed) return tpad_no_memory(model, error);
        edits[*count].old = field.payload;
        edits[*count].fields = (tpad_string){(const char *)input->bytes, (int64_t)input->used};
        (*count)++;
    }
    return TPAD_OK;
}
