/* Protobuf messages that are built in memory.  SPDX-License-Identifier: MIT
 *
 * For small messages whose fields are written one after the other. Knows no message of ONNX. */
#ifndef TENSORPAD_MODELS_ONNX_MESSAGE_WRITER_H
#define TENSORPAD_MODELS_ONNX_MESSAGE_WRITER_H

#include <stddef.h>
#include <stdint.h>

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
/* Adds bytes that are fields already, or the payload of one. */
void message_raw(message *out, const void *bytes, size_t count);
void message_text(message *out, uint32_t field, const char *text);
/* Adds `inner` as a field, and releases it. */
void message_add(message *out, uint32_t field, message *inner);
void message_free(message *out);

#endif
