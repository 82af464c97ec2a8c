/* A model that is loaded, and one with Pads in every place.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_C_MODELS_LOADED_MODELS_H
#define TENSORPAD_TESTS_C_MODELS_LOADED_MODELS_H

#include "../formats/onnx_files.h"
#include "models/folding/folding.h"

static tpad_io_error error;

static inline tpad_model *load(const message *m)
{
    tpad_model *model;
    save("m.onnx", m);
    if (tpad_model_load_shaped(&model, "m.onnx", NULL, 0, &error)) fail_msg("%s", error.text);
    return model;
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
