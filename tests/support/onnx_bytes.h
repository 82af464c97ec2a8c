/* ONNX models and tensors built by hand, so that the tests do not trust the reader's own library.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_SUPPORT_ONNX_BYTES_H
#define TENSORPAD_TESTS_SUPPORT_ONNX_BYTES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tensorpad/onnx.h>

/* ---- Protobuf -------------------------------------------------------------------------------- */

/* A message that grows. Small: it must fit. */
typedef struct message {
    size_t count;
    unsigned char bytes[8192];
} message;

static inline void put_bytes(message *m, const void *bytes, size_t count)
{
    assert_true(m->count + count <= sizeof m->bytes);
    if (count) memcpy(m->bytes + m->count, bytes, count);
    m->count += count;
}

static inline void put_varint(message *m, uint64_t number)
{
    do {
        unsigned char byte = (unsigned char)((number & 0x7F) | (number > 0x7F ? 0x80 : 0));
        put_bytes(m, &byte, 1);
        number >>= 7;
    } while (number);
}

static inline void put_number(message *m, int field, int64_t number)
{
    put_varint(m, (uint64_t)field << 3);
    put_varint(m, (uint64_t)number);
}

static inline void put_field(message *m, int field, const void *bytes, size_t count)
{
    put_varint(m, (uint64_t)field << 3 | 2);
    put_varint(m, count);
    put_bytes(m, bytes, count);
}

static inline void put_text(message *m, int field, const char *text)
{
    put_field(m, field, text, strlen(text));
}

static inline void put_message(message *m, int field, const message *inner)
{
    put_field(m, field, inner->bytes, inner->count);
}

static inline void put_float(message *m, int field, float number)
{
    put_varint(m, (uint64_t)field << 3 | 5);
    put_bytes(m, &number, sizeof number);
}

/* ---- ONNX ------------------------------------------------------------------------------------ */

/* Field numbers of the ONNX format. */
enum { MODEL_IR = 1, MODEL_GRAPH = 7, MODEL_OPSET, MODEL_FUNCTION = 25 };
enum { GRAPH_NODE = 1, GRAPH_NAME, GRAPH_WEIGHT = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT, GRAPH_VALUE };
enum { NODE_INPUT = 1, NODE_OUTPUT, NODE_NAME, NODE_OP, NODE_ATTRIBUTE, NODE_DOMAIN = 7 };
enum { ATTR_NAME = 1, ATTR_F, ATTR_I, ATTR_S, ATTR_T, ATTR_G, ATTR_FLOATS, ATTR_INTS };
enum { ATTR_GRAPHS = 11, ATTR_TYPE = 20, ATTR_REF };
enum { FUNCTION_NAME = 1, FUNCTION_INPUT = 4, FUNCTION_OUTPUT, FUNCTION_NODE = 7 };
enum { FUNCTION_OPSET = 9, FUNCTION_DOMAIN };

/* A TensorProto's dims, data_type and (unless NULL) name. */
static inline message tensor_head(int32_t type, int rank, const int64_t *shape, const char *name)
{
    message m = {0};
    for (int i = 0; i < rank; i++) put_number(&m, 1, shape[i]);
    put_number(&m, 2, type);
    if (name) put_text(&m, 8, name);
    return m;
}

/* inputs: names with spaces between; "-" leaves one out. */
static inline message node(const char *op, const char *name, const char *inputs, const char *output)
{
    message m = {0};
    char copy[200], *rest;
    snprintf(copy, sizeof copy, "%s", inputs);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        put_text(&m, NODE_INPUT, strcmp(word, "-") ? word : "");
    put_text(&m, NODE_OUTPUT, output);
    if (name) put_text(&m, NODE_NAME, name);
    put_text(&m, NODE_OP, op);
    return m;
}

static inline void add_mode(message *n, const char *mode)
{
    message m = {0};
    put_text(&m, ATTR_NAME, "mode");
    put_text(&m, ATTR_S, mode);
    put_number(&m, ATTR_TYPE, 3);
    put_message(n, NODE_ATTRIBUTE, &m);
}

/* A ValueInfoProto; an extent of -1 has a name instead, of its own, a rank of -1 no shape. */
static inline message value_info(const char *name, int32_t type, int rank, const int64_t *shape)
{
    message m = {0}, dims = {0}, tensor = {0}, kind = {0};
    for (int i = 0; i < rank; i++) {
        message dim = {0};
        const char extent[] = {name[0], (char)('0' + i), '\0'};
        if (shape[i] < 0)
            put_text(&dim, 2, extent);
        else
            put_number(&dim, 1, shape[i]);
        put_message(&dims, 1, &dim);
    }
    put_number(&tensor, 1, type);
    if (rank >= 0) put_message(&tensor, 2, &dims);
    put_message(&kind, 1, &tensor);
    put_text(&m, 1, name);
    put_message(&m, 2, &kind);
    return m;
}

static inline message ints(const char *name, int count, const int64_t *values)
{
    message m = tensor_head(TPAD_ONNX_INT64, 1, (const int64_t[]){count}, name);
    put_field(&m, 9, values, (size_t)count * sizeof *values);
    return m;
}

static inline void add_value(message *graph, int field, const char *name, int32_t type, int rank,
                             const int64_t *shape)
{
    const message m = value_info(name, type, rank, shape);
    put_message(graph, field, &m);
}

static inline void add_ints_weight(message *graph, const char *name, int count,
                                   const int64_t *values)
{
    const message m = ints(name, count, values);
    put_message(graph, GRAPH_WEIGHT, &m);
}

static inline void add_opset(message *m, int field, const char *domain, int64_t version)
{
    message import = {0};
    if (domain) put_text(&import, 1, domain);
    put_number(&import, 2, version);
    put_message(m, field, &import);
}

static inline message model_of(const message *graph, int64_t opset)
{
    message m = {0};
    put_number(&m, MODEL_IR, 8);
    put_message(&m, MODEL_GRAPH, graph);
    if (opset) add_opset(&m, MODEL_OPSET, NULL, opset);
    return m;
}

#endif
