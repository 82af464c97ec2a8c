/* How the data of a Pad comes about, for its facts.  SPDX-License-Identifier: MIT
 *
 * Runtimes move what converts integers to floats behind the nodes that follow, and so a Pad can get the
 * integers. */
#include "pad_facts.h"

enum { MOST_ORIGINS = 32 };

/* The operators through which OpenVINO moves the scale and the zero point of quantised numbers. */
static const char *const passing[] = {
    "AveragePool",   "Cast",      "Clip",       "DepthToSpace",
    "Dropout",       "Expand",    "Gather",     "GlobalAveragePool",
    "GlobalMaxPool", "Identity",  "MaxPool",    "Neg",
    "Pad",           "ReduceMax", "ReduceMean", "Reshape",
    "Resize",        "Slice",     "Split",      "Squeeze",
    "Transpose",     "Unsqueeze"};
/* Behind these, the integers are no longer those that were quantised. */
static const char *const changing[] = {"AveragePool", "Clip", "GlobalAveragePool", "ReduceMean"};
/* These pass on what is their only input. */
static const char *const single[] = {"Concat", "Max", "Mean", "Min", "Sum"};

static int32_t is(const tpad_node *node, const char *name)
{
    return tpad_string_is(node->op_type, name);
}

static int32_t is_one_of(const tpad_node *node, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is(node, names[i])) return 1;
    return 0;
}
#define IS_ONE_OF(node, names) is_one_of(node, names, sizeof names / sizeof *names)

/* 1 if all elements of a constant are 0. */
static int32_t is_zero(tpad_model *model, tpad_value *value)
{
    const tpad_tensor *tensor = NULL;
    return value->is_constant && !tpad_constant_small(&tensor, model, value, NULL) && tensor &&
           !(tpad_fact_bits(tensor) & TPAD_RULES_NOT_ZERO);
}

/* The input that a node passes on: the first one that is no constant. */
static tpad_value *passed(const tpad_model *model, const tpad_graph *graph, const tpad_node *node)
{
    const int64_t inputs = model->format->input_count(node);
    for (int64_t k = 0; k < inputs; k++) {
        tpad_value *value = model->format->node_input(graph, node, k);
        if (value && !value->is_constant) return value;
    }
    return NULL;
}

/* What a DequantizeLinear behind a QuantizeLinear of 8 bits says. */
static int32_t dequantised(tpad_model *model, const tpad_graph *graph, const tpad_node *node)
{
    tpad_value *integers = model->format->node_input(graph, node, 0);
    tpad_value *zero = model->format->node_input(graph, node, 2);
    const tpad_node *maker = integers ? tpad_maker(&graph, graph, integers) : NULL;
    if (!maker || !is(maker, "QuantizeLinear")) return 0;
    if (integers->type != TPAD_ONNX_INT8 && integers->type != TPAD_ONNX_UINT8) return 0;
    return TPAD_RULES_FROM_QUANTISED | TPAD_RULES_FROM_INTEGERS |
           (integers->type == TPAD_ONNX_INT8 ? TPAD_RULES_FROM_INT8 : 0) |
           (zero && !is_zero(model, zero) ? TPAD_RULES_FROM_ZERO_POINT : 0);
}

/* The constant operand of a node of arithmetic, or NULL. */
static tpad_value *operand(const tpad_model *model, const tpad_graph *graph, const tpad_node *node)
{
    for (int64_t k = 0; k < 2; k++) {
        tpad_value *value = model->format->node_input(graph, node, k);
        if (value && value->is_constant) return value;
    }
    return NULL;
}

/* 1 if the node multiplies by one number, or adds 0. */
static int32_t is_neutral(tpad_model *model, const tpad_node *node, tpad_value *other)
{
    if (is(node, "Add") || is(node, "Sub")) return is_zero(model, other);
    for (int32_t axis = 0; axis < other->rank; axis++)
        if (other->shape[axis] != 1) return 0;
    return 1;
}

/* 1 if the node passes the numbers on. Clears `keeps` where other integers come out. */
static int32_t passes_on(tpad_model *model, const tpad_graph *graph, const tpad_node *node,
                         int32_t *keeps)
{
    static const char *const arithmetic[] = {"Add", "Div", "Mul", "Sub"};
    if (IS_ONE_OF(node, single)) return model->format->input_count(node) == 1;
    if (IS_ONE_OF(node, arithmetic)) {
        tpad_value *other = operand(model, graph, node);
        if (other && !is_neutral(model, node, other)) *keeps = 0;
        return other != NULL;
    }
    if (IS_ONE_OF(node, changing)) *keeps = 0;
    return IS_ONE_OF(node, passing);
}

static int32_t from_quantised(tpad_model *model, const tpad_graph *graph, const tpad_value *value)
{
    int32_t keeps = 1;
    for (int32_t steps = 0; value && steps < MOST_ORIGINS; steps++) {
        const tpad_node *node = tpad_maker(&graph, graph, value);
        if (!node) break;
        if (is(node, "DequantizeLinear")) {
            const int32_t from = dequantised(model, graph, node);
            return keeps ? from : from & ~TPAD_RULES_FROM_INTEGERS;
        }
        if (!passes_on(model, graph, node, &keeps)) break;
        value = passed(model, graph, node);
    }
    return 0;
}

/* 1 if a Cast or a Shape makes the integers, or some with which they are computed. */
static int32_t from_cast(const tpad_model *model, const tpad_graph *graph, const tpad_value *value)
{
    for (int32_t steps = 0; value && steps < MOST_ORIGINS; steps++) {
        const tpad_node *node = tpad_maker(&graph, graph, value);
        if (!node || value->is_constant || value->type != TPAD_ONNX_INT64 || is(node, "Abs"))
            return 0;
        if (is(node, "Cast")) return 1;
        value = passed(model, graph, node);
    }
    return 0;
}

/* FROM_OPEN_RANK or FROM_COMPUTED_RANK, if a Reshape to a shape that nodes compute, or a Loop gives the rank. */
static int32_t from_reshape(const tpad_model *model, const tpad_graph *graph,
                            const tpad_value *value)
{
    for (int32_t steps = 0; value && steps < MOST_ORIGINS; steps++) {
        const tpad_node *node = tpad_maker(&graph, graph, value);
        if (!node) return value->is_input && value->rank < 0 ? TPAD_RULES_FROM_OPEN_RANK : 0;
        if (value->is_declared && value->rank >= 0) return 0;
        if (is(node, "Loop")) return TPAD_RULES_FROM_OPEN_RANK | TPAD_RULES_FROM_LOOP;
        if (is(node, "Reshape")) {
            const tpad_value *shape = model->format->node_input(graph, node, 1);
            if (!shape || shape->is_constant) return 0;
            int32_t is_known = shape->element_count > 0;
            for (int64_t i = 0; i < shape->element_count; i++) is_known &= shape->elements[i].known;
            return is_known ? TPAD_RULES_FROM_COMPUTED_RANK : TPAD_RULES_FROM_OPEN_RANK;
        }
        value = passed(model, graph, node);
    }
    return 0;
}

int32_t tpad_data_from(tpad_model *model, const tpad_graph_pad *pad)
{
    const tpad_value *data = pad->inputs[IN_DATA];
    if (!data) return 0;
    return from_quantised(model, pad->graph, data) | from_reshape(model, pad->graph, data) |
           (from_cast(model, pad->graph, data) ? TPAD_RULES_FROM_CAST : 0);
}
