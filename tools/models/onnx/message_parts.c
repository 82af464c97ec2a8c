/* Attributes and tensors as messages.  SPDX-License-Identifier: MIT */
#include "message_parts.h"
#include <tensorpad/onnx.h>

static void put(message *node, const char *name, message *attribute, int32_t kind)
{
    message_text(attribute, ATTRIBUTE_NAME, name);
    message_integer(attribute, ATTRIBUTE_TYPE, kind);
    message_add(node, NODE_ATTRIBUTE, attribute);
}

void tpad_put_text(message *node, const char *name, const char *text)
{
    message attribute = {0};
    message_text(&attribute, ATTRIBUTE_S, text);
    put(node, name, &attribute, KIND_STRING);
}

void tpad_put_integer(message *node, const char *name, int64_t value)
{
    message attribute = {0};
    message_integer(&attribute, ATTRIBUTE_I, value);
    put(node, name, &attribute, KIND_INT);
}

void tpad_put_float(message *node, const char *name, float value)
{
    message attribute = {0};
    message_float(&attribute, ATTRIBUTE_F, value);
    put(node, name, &attribute, KIND_FLOAT);
}

void tpad_put_integers(message *node, const char *name, const int64_t *first, const int64_t *second,
                       int64_t count)
{
    message attribute = {0};
    for (int64_t i = 0; i < count; i++) message_integer(&attribute, ATTRIBUTE_INTS, first[i]);
    for (int64_t i = 0; second && i < count; i++)
        message_integer(&attribute, ATTRIBUTE_INTS, second[i]);
    put(node, name, &attribute, KIND_INTS);
}

void tpad_put_tensor(message *node, const char *name, message *tensor)
{
    message attribute = {0};
    message_add(&attribute, ATTRIBUTE_T, tensor);
    put(node, name, &attribute, KIND_TENSOR);
}

void tpad_integers_tensor(message *tensor, const char *name, const int64_t *first,
                          const int64_t *second, int64_t count)
{
    message elements = {0};
    message_raw(&elements, first, (size_t)count * sizeof *first);
    if (second) message_raw(&elements, second, (size_t)count * sizeof *second);
    message_integer(tensor, TENSOR_DIMS, second ? 2 * count : count);
    message_integer(tensor, TENSOR_TYPE, TPAD_ONNX_INT64);
    if (name) message_text(tensor, TENSOR_NAME, name);
    message_add(tensor, TENSOR_RAW, &elements);
}
