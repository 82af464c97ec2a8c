/* Attributes and tensors as messages that are built in memory.  SPDX-License-Identifier: MIT
 *
 * Shared by single_pad_model.c and tools/lowering/onnx_nodes.c, which build nodes of them. */
#ifndef TENSORPAD_MODELS_ONNX_MESSAGE_PARTS_H
#define TENSORPAD_MODELS_ONNX_MESSAGE_PARTS_H

#include "formats/protobuf/onnx_fields.h"
#include "message_writer.h"

/* Each adds one attribute to a NodeProto. */
void tpad_put_text(message *node, const char *name, const char *text);
void tpad_put_integer(message *node, const char *name, int64_t value);
void tpad_put_float(message *node, const char *name, float value);
/* A list of integers: `count` of the first half, then as many of the second, which may be NULL. */
void tpad_put_integers(message *node, const char *name, const int64_t *first, const int64_t *second,
                       int64_t count);
/* Releases the TensorProto. */
void tpad_put_tensor(message *node, const char *name, message *tensor);

/* Writes a TensorProto of int64 with one axis, which has these halves. name: NULL for none. */
void tpad_integers_tensor(message *tensor, const char *name, const int64_t *first,
                          const int64_t *second, int64_t count);

#endif
