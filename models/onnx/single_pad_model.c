/* A Pad node as its own model, with a pool after it if that matters.  SPDX-License-Identifier: MIT
 *
 * The data is the input x, the output is y, and all arguments are initializers or, before Pad-11,
 * attributes. */
#include "formats/file.h"
#include "models/models.h"
#include "proto.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_WITH_INPUTS = 11 };

/* The version of the file format for an opset. */
static int64_t ir_version(int32_t opset)
{
    static const int32_t first_opsets[] = {9, 10, 11, 12, 15, 19, 21, 23, 24, 25};
    static const int64_t versions[] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    int64_t version = 3;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (opset >= first_opsets[i]) version = versions[i];
    return version;
}

static void add_port(message *graph, uint32_t field, const char *name, int32_t type, int32_t rank,
                     const int64_t *shape)
{
    message port = {0}, holder = {0}, tensor = {0}, dims = {0};
    for (int32_t axis = 0; axis < rank; axis++) {
        message dim = {0};
        message_integer(&dim, DIM_VALUE, shape[axis]);
        message_add(&dims, SHAPE_DIM, &dim);
    }
    message_integer(&tensor, TENSOR_ELEM_TYPE, type);
    message_add(&tensor, TENSOR_SHAPE, &dims);
    message_add(&holder, TYPE_TENSOR, &tensor);
    message_text(&port, VALUE_NAME, name);
    message_add(&port, VALUE_TYPE, &holder);
    message_add(graph, field, &port);
}

static void add_list(message *graph, const char *name, const int64_t *first, const int64_t *second,
                     int32_t count)
{
    message tensor = {0};
    tpad_integers_tensor(&tensor, name, first, second, count);
    message_add(graph, GRAPH_INITIALIZER, &tensor);
}

/* The model may have a value of another type, or a bool with bits other than 0 and 1. */
static int32_t add_value(message *graph, const tpad_pad_node *pad, tpad_io_error *error)
{
    message tensor = {0};
    tpad_tensor like;
    unsigned char element[2 * sizeof(tpad_string)];
    tpad_tensor_describe(&like, pad->type, 0, NULL);
    if (tpad_value_parse(element, pad->value, &like, NULL))
        return tpad_io_fail(error, TPAD_E_MODEL, "its value %s is not of type %s", pad->value,
                            pad->type_name);
    message_integer(&tensor, TENSOR_TYPE, pad->type);
    if (pad->type == TPAD_ONNX_STRING) message_text(&tensor, TENSOR_STRINGS, pad->value);
    message_text(&tensor, TENSOR_NAME, "value");
    if (pad->type != TPAD_ONNX_STRING)
        message_bytes(&tensor, TENSOR_RAW, element, (size_t)(like.elem_bits + 7) / 8);
    message_add(graph, GRAPH_INITIALIZER, &tensor);
    return TPAD_OK;
}

static void add_attributes(message *node, const tpad_pad_node *pad, int32_t opset)
{
    tpad_put_text(node, "mode", pad->mode);
    if (opset >= FIRST_WITH_INPUTS) return;
    tpad_put_integers(node, opset == 1 ? "paddings" : "pads", pad->begin, pad->end,
                      pad->pads_count);
    if (pad->value) tpad_put_float(node, "value", strtof(pad->value, NULL));
}

/* The inputs after the data, of Pad-11 and later. */
static int32_t add_inputs(message *graph, message *node, const tpad_pad_node *pad,
                          tpad_io_error *error)
{
    const int with_axes = pad->axes_count >= 0;
    int32_t status = TPAD_OK;
    message_text(node, NODE_INPUT, "pads");
    add_list(graph, "pads", pad->begin, pad->end, pad->pads_count);
    if (pad->inputs[2]) {
        message_text(node, NODE_INPUT, "value");
        status = add_value(graph, pad, error);
    } else if (with_axes) {
        message_text(node, NODE_INPUT, "");
    }
    if (with_axes) {
        message_text(node, NODE_INPUT, "axes");
        add_list(graph, "axes", pad->axes, NULL, pad->axes_count);
    }
    return status;
}

static void put_model(message *out, message *graph, int32_t opset)
{
    message import = {0};
    message_integer(&import, OPSET_VERSION, opset);
    message_integer(out, MODEL_IR_VERSION, ir_version(opset));
    message_text(out, MODEL_PRODUCER, "tensorpad");
    message_add(out, MODEL_GRAPH, graph);
    message_add(out, MODEL_OPSET, &import);
}

static int32_t check_node(const tpad_pad_node *pad, tpad_io_error *error)
{
    int known = strcmp(pad->spec, "onnx") == 0 && pad->version > 0 && pad->type && pad->mode &&
                pad->in_rank >= 0 && pad->out_rank == pad->in_rank && pad->pads_count >= 0 &&
                pad->value && pad->pads_count <= TPAD_MAX_RANK &&
                pad->axes_count <= TPAD_MAX_RANK &&
                !(pad->type == TPAD_ONNX_STRING && pad->inputs[2]);
    for (int32_t axis = 0; known && axis < pad->in_rank; axis++)
        known = pad->in_shape[axis] >= 0 && pad->out_shape[axis] >= 0;
    if (known) return TPAD_OK;
    return tpad_io_fail(error, TPAD_E_MODEL,
                        "not all of the node is known: type, mode, shape, amounts and value");
}

static void add_pool(message *graph, const tpad_pool_behind *pool, int32_t axes)
{
    static const int64_t zeros[TPAD_MAX_RANK];
    message node = {0};
    message_text(&node, NODE_INPUT, "padded");
    message_text(&node, NODE_OUTPUT, "y");
    message_text(&node, NODE_NAME, "pool");
    message_text(&node, NODE_OP_TYPE, pool->op);
    tpad_put_integers(&node, "kernel_shape", pool->kernel, NULL, axes);
    if (pool->with_pads) tpad_put_integers(&node, "pads", zeros, zeros, axes);
    message_add(graph, GRAPH_NODE, &node);
}

int32_t tpad_pad_write_model(const tpad_pad_node *pad, int32_t opset, const tpad_pool_behind *pool,
                             tpad_output *output, tpad_io_error *error)
{
    message graph = {0}, node = {0}, out = {0};
    int64_t shape[TPAD_MAX_RANK];
    int32_t status = check_node(pad, error);
    if (status) return status;
    message_text(&node, NODE_INPUT, "x");
    if (opset >= FIRST_WITH_INPUTS) status = add_inputs(&graph, &node, pad, error);
    message_text(&node, NODE_OUTPUT, pool ? "padded" : "y");
    message_text(&node, NODE_NAME, "pad");
    message_text(&node, NODE_OP_TYPE, "Pad");
    add_attributes(&node, pad, opset);
    message_add(&graph, GRAPH_NODE, &node);
    if (pool) add_pool(&graph, pool, pad->in_rank - 2);
    for (int32_t axis = 0; axis < pad->out_rank; axis++)
        shape[axis] = pad->out_shape[axis] - (pool && axis >= 2 ? pool->kernel[axis - 2] - 1 : 0);
    message_text(&graph, GRAPH_NAME, "pad");
    add_port(&graph, GRAPH_INPUT, "x", pad->type, pad->in_rank, pad->in_shape);
    add_port(&graph, GRAPH_OUTPUT, "y", pad->type, pad->out_rank, shape);
    put_model(&out, &graph, opset);
    if (!status && out.failed) status = tpad_io_fail(error, TPAD_E_MEMORY, "out of memory");
    if (!status) status = tpad_output_write(output, out.bytes, (int64_t)out.used, error);
    message_free(&out);
    return status;
}
