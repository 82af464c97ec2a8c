/* Models built by hand, for inspecting and running.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_C_MODELS_MODEL_BYTES_H
#define TENSORPAD_TESTS_C_MODELS_MODEL_BYTES_H

#include "folding/folding.h"
#include "onnx_bytes.h"

static tpad_io_error error;

/* Field numbers of the ONNX format. */
enum { MODEL_IR = 1, MODEL_GRAPH = 7, MODEL_OPSET, MODEL_FUNCTION = 25 };
enum { GRAPH_NODE = 1, GRAPH_WEIGHT = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT, GRAPH_VALUE };
enum { NODE_INPUT = 1, NODE_OUTPUT, NODE_NAME, NODE_OP, NODE_ATTRIBUTE, NODE_DOMAIN = 7 };
enum { ATTR_NAME = 1, ATTR_F, ATTR_I, ATTR_S, ATTR_T, ATTR_G, ATTR_FLOATS, ATTR_INTS };
enum { ATTR_GRAPHS = 11, ATTR_TYPE = 20, ATTR_REF };
enum { FUNCTION_NAME = 1, FUNCTION_INPUT = 4, FUNCTION_OUTPUT, FUNCTION_NODE = 7 };
enum { FUNCTION_OPSET = 9, FUNCTION_DOMAIN };

/* ---- Building -------------------------------------------------------------------------------- */

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

static inline void add_ints(message *n, const char *name, int count, const int64_t *ints)
{
    message m = {0};
    put_text(&m, ATTR_NAME, name);
    for (int i = 0; i < count; i++) put_number(&m, ATTR_INTS, ints[i]);
    put_number(&m, ATTR_TYPE, 7);
    put_message(n, NODE_ATTRIBUTE, &m);
}

static inline void add_graph(message *n, const char *name, const message *graph)
{
    message m = {0};
    put_text(&m, ATTR_NAME, name);
    put_message(&m, ATTR_G, graph);
    put_message(n, NODE_ATTRIBUTE, &m);
}

/* A ValueInfoProto; an extent of -1 has a name instead, a rank of -1 no shape. */
static inline message value_info(const char *name, int32_t type, int rank, const int64_t *shape)
{
    message m = {0}, dims = {0}, tensor = {0}, kind = {0};
    for (int i = 0; i < rank; i++) {
        message dim = {0};
        if (shape[i] < 0)
            put_text(&dim, 2, "N");
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
    put_number(&m, MODEL_IR, 10);
    put_message(&m, MODEL_GRAPH, graph);
    if (opset) add_opset(&m, MODEL_OPSET, NULL, opset);
    return m;
}

static inline tpad_model *load(const message *m)
{
    tpad_model *model;
    save("m.onnx", m);
    if (tpad_model_load(&model, "m.onnx", &error)) fail_msg("%s", error.text);
    return model;
}

/* x (float, shape) -> Pad -> y, with pads as an initializer. */
static inline message one_pad(const char *mode, int rank, const int64_t *shape, int count,
                              const int64_t *pads)
{
    message graph = {0}, n = node("Pad", "pad", "x p", "y");
    if (mode) add_mode(&n, mode);
    put_message(&graph, GRAPH_NODE, &n);
    add_ints_weight(&graph, "p", count, pads);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, rank, shape);
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
    return graph;
}

static const int64_t three[] = {3}, one_each[] = {1, 1};

/* If(then_branch: Pad "inner" of outer names, and in it an unnamed If with another). */
static inline message nested_model(void)
{
    message deep = {0}, inner = {0}, graph = {0}, m;
    message n = node("Pad", NULL, "x p", "d");
    put_message(&deep, GRAPH_NODE, &n);
    n = node("Pad", "inner", "x p", "t");
    put_message(&inner, GRAPH_NODE, &n);
    n = node("If", NULL, "c", "u");
    add_graph(&n, "else_branch", &deep);
    put_message(&inner, GRAPH_NODE, &n);
    n = node("If", "choice", "c", "y");
    add_graph(&n, "then_branch", &inner);
    put_message(&graph, GRAPH_NODE, &n);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 1, three);
    add_ints_weight(&graph, "p", 2, one_each);
    n = node("Pad", "foreign", "x p", "f");
    put_text(&n, NODE_DOMAIN, "com.example");
    put_message(&graph, GRAPH_NODE, &n);

    message function = {0}, mode = {0};
    put_text(&mode, ATTR_NAME, "mode");
    put_text(&mode, ATTR_REF, "mode");
    put_number(&mode, ATTR_TYPE, 3);
    put_text(&function, FUNCTION_NAME, "F");
    put_text(&function, FUNCTION_DOMAIN, "my");
    put_text(&function, FUNCTION_INPUT, "X");
    put_text(&function, FUNCTION_INPUT, "P");
    put_text(&function, FUNCTION_OUTPUT, "Y");
    n = node("Pad", "fp", "X P", "Y");
    put_message(&n, NODE_ATTRIBUTE, &mode);
    put_message(&function, FUNCTION_NODE, &n);
    add_opset(&function, FUNCTION_OPSET, "ai.onnx", 11);
    m = model_of(&graph, 21);
    put_message(&m, MODEL_FUNCTION, &function);
    return m;
}

#endif
