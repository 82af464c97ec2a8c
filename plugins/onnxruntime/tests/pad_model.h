/* A model of one Pad node as bytes, and what it answers.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_PAD_MODEL_H
#define TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_PAD_MODEL_H

#include "../../../tests/support/protobuf.h"

enum { ONNX_FLOAT = 1, ONNX_INT64 = 7 };

/* A ValueInfoProto of a tensor whose extents all have names. */
static inline message tensor_info(const char *name, int type, int rank)
{
    message shape = {0}, tensor = {0}, kind = {0}, info = {0};
    for (int i = 0; i < rank; i++) {
        message dim = {0};
        const char extent[] = {name[0], (char)('0' + i), '\0'};
        put_text(&dim, 2, extent);
        put_message(&shape, 1, &dim);
    }
    put_number(&tensor, 1, type);
    put_message(&tensor, 2, &shape);
    put_message(&kind, 1, &tensor);
    put_text(&info, 1, name);
    put_message(&info, 2, &kind);
    return info;
}

/* A model of opset 18: y = Pad(x, pads), x a matrix of floats. The node is called `name`. */
static inline message pad_model(const char *name, const char *mode)
{
    message attribute = {0}, node = {0}, graph = {0}, opset = {0}, model = {0};
    put_text(&attribute, 1, "mode");
    put_text(&attribute, 4, mode);
    put_number(&attribute, 20, 3); /* a string */
    put_text(&node, 1, "x");
    put_text(&node, 1, "pads");
    put_text(&node, 2, "y");
    put_text(&node, 3, name);
    put_text(&node, 4, "Pad");
    put_message(&node, 5, &attribute);
    put_message(&graph, 1, &node);
    put_text(&graph, 2, "graph");
    const message x = tensor_info("x", ONNX_FLOAT, 2), pads = tensor_info("pads", ONNX_INT64, 1),
                  y = tensor_info("y", ONNX_FLOAT, 2);
    put_message(&graph, 11, &x);
    put_message(&graph, 11, &pads);
    put_message(&graph, 12, &y);
    put_number(&opset, 2, 18);
    put_number(&model, 1, 8);
    put_message(&model, 7, &graph);
    put_message(&model, 8, &opset);
    return model;
}

/* Element [row, column] of a matrix padded in mode reflect, found by walking cell by cell. */
static inline int64_t reflected(int64_t at, int64_t extent)
{
    int64_t place = 0, step = 1;
    if (extent == 1) return 0;
    if (at < 0) at = -at; /* what lies before is what lies behind, seen in a mirror */
    for (int64_t i = 0; i < at; i++) {
        if (place + step < 0 || place + step >= extent) step = -step;
        place += step;
    }
    return place;
}

#endif
