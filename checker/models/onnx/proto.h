/* Protobuf messages built in memory.  SPDX-License-Identifier: MIT
 *
 * For small messages whose fields are written one after another. */
#ifndef TENSORPAD_MODELS_ONNX_PROTO_H
#define TENSORPAD_MODELS_ONNX_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "protobuf/onnx_fields.h"

/* Zero it before the first field, release it with message_free. After a failure (no memory) all
 * later fields are ignored. */
typedef struct message {
    unsigned char *bytes;
    size_t used, room;
    int failed;
} message;

void message_integer(message *out, uint32_t field, int64_t value);
void message_float(message *out, uint32_t field, float value);
void message_bytes(message *out, uint32_t field, const void *bytes, size_t count);
/* Adds bytes of complete fields, or of the payload of one. */
void message_raw(message *out, const void *bytes, size_t count);
void message_text(message *out, uint32_t field, const char *text);
/* Adds `inner` as a field, and releases it. */
void message_add(message *out, uint32_t field, message *inner);
void message_free(message *out);

/* Attributes and tensors as messages, for models/lowering/onnx_nodes.c. */

/* Each adds an attribute to a NodeProto. */
void tpad_put_text(message *node, const char *name, const char *text);
void tpad_put_integer(message *node, const char *name, int64_t value);
void tpad_put_float(message *node, const char *name, float value);
/* A list of integers: `count` from the first half, then as many from the second, unless NULL. */
void tpad_put_integers(message *node, const char *name, const int64_t *first, const int64_t *second,
                       int64_t count);
/* Releases the TensorProto. */
void tpad_put_tensor(message *node, const char *name, message *tensor);

/* Writes a TensorProto of int64 with one axis and these halves. name: NULL for none. */
void tpad_integers_tensor(message *tensor, const char *name, const int64_t *first,
                          const int64_t *second, int64_t count);

#endif
