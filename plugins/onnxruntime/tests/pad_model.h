/* A model of one Pad node as bytes, and what it answers.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_PAD_MODEL_H
#define TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_PAD_MODEL_H

#include "../../../tests/support/onnx_bytes.h"

/* A model of opset 18: y = Pad(x, pads), x a matrix of floats. The node is called `name`. */
static inline message pad_model(const char *name, const char *mode)
{
    static const int64_t unknown[] = {-1, -1};
    message graph = {0}, n = node("Pad", name, "x pads", "y");
    add_mode(&n, mode);
    put_message(&graph, GRAPH_NODE, &n);
    put_text(&graph, GRAPH_NAME, "graph");
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 2, unknown);
    add_value(&graph, GRAPH_INPUT, "pads", TPAD_ONNX_INT64, 1, unknown);
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, 2, unknown);
    return model_of(&graph, 18);
}

/* Element [row, column] of a matrix padded in mode reflect, found by walking cell by cell. */
static inline int64_t reflected(int64_t at, int64_t extent)
{
    int64_t place = 0, step = 1;
    if (extent == 1) return 0;
    if (at < 0) at = -at; /* what lies before is what lies after it, seen in a mirror */
    for (int64_t i = 0; i < at; i++) {
        if (place + step < 0 || place + step >= extent) step = -step;
        place += step;
    }
    return place;
}

#endif
