/* Quantised data of a Pad, for its facts.  SPDX-License-Identifier: MIT
 *
 * OpenVINO pads the integers themselves: it moves their scale and zero point, from QuantizeLinear
 * and DequantizeLinear or from a FakeQuantize, after the Pad and the operators before it. */
#include "pads.h"
#include <math.h>
#include <string.h>

enum { MOST_LOOKS = 64, MOST_DEPTH = 32 };

/* The effect of an operator on quantised numbers. */
enum {
    KEEPS = 1, /* moves the integers */
    SPLITS,    /* moves them to other axes */
    CHANGES,   /* makes other integers */
    AVERAGES,  /* the same, or, before layers of integers, integers of the same kind */
    RECTIFIES, /* keeps them, but no scale with a zero point moves past it */
    BENDS,     /* the same, but makes other integers */
    PADS,
    SINGLE, /* passes on a single input */
    JOINS,  /* a Concat */
    SHIFTS, /* by a constant; or the sum of two quantised values */
    SCALES
};

static const struct {
    const char *name;
    int32_t does;
} operators[] = {
    {"Cast", KEEPS},
    {"Convert", KEEPS},
    {"Dropout", KEEPS},
    {"Expand", KEEPS},
    {"Broadcast", KEEPS},
    {"Gather", KEEPS},
    {"GlobalMaxPool", KEEPS},
    {"Identity", KEEPS},
    {"Interpolate", KEEPS},
    {"MaxPool", KEEPS},
    {"Neg", KEEPS},
    {"Negative", KEEPS},
    {"ReduceMax", KEEPS},
    {"ReduceMin", KEEPS},
    {"Resize", KEEPS},
    {"Slice", KEEPS},
    {"Split", KEEPS},
    {"StridedSlice", KEEPS},
    {"VariadicSplit", KEEPS},
    {"DepthToSpace", SPLITS},
    {"Reshape", SPLITS},
    {"Squeeze", SPLITS},
    {"Transpose", SPLITS},
    {"Unsqueeze", SPLITS},
    {"AveragePool", AVERAGES},
    {"AvgPool", AVERAGES},
    {"Clamp", CHANGES},
    {"Clip", CHANGES},
    {"GlobalAveragePool", AVERAGES},
    {"ReduceMean", CHANGES},
    {"ReduceSum", CHANGES},
    {"ReLU", RECTIFIES},
    {"Relu", RECTIFIES},
    {"LeakyRelu", BENDS},
    {"PRelu", BENDS},
    {"PReLU", BENDS},
    {"Pad", PADS},
    {"Max", SINGLE},
    {"Mean", SINGLE},
    {"Min", SINGLE},
    {"Sum", SINGLE},
    {"Concat", JOINS},
    {"Add", SHIFTS},
    {"Sub", SHIFTS},
    {"Subtract", SHIFTS},
    {"Div", SCALES},
    {"Divide", SCALES},
    {"Mul", SCALES},
    {"Multiply", SCALES},
};

typedef struct walk {
    tpad_model *model;
    int32_t left; /* of MOST_LOOKS */
} walk;

static int32_t is(const tpad_node *node, const char *name)
{
    return tpad_string_is(node->op_type, name);
}

static tpad_value *input(const walk *w, const tpad_graph *graph, const tpad_node *node, int64_t k)
{
    return w->model->format->node_input(graph, node, k);
}

/* The elements of a constant; NULL: not a constant, or too many. */
static const tpad_tensor *elements_of(const walk *w, tpad_value *value)
{
    const tpad_tensor *tensor = NULL;
    if (!value || !value->is_constant) return NULL;
    return tpad_constant_small(&tensor, w->model, value, NULL) ? NULL : tensor;
}

static int64_t count_of(const tpad_value *value)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < value->rank; axis++) count *= value->shape[axis];
    return count;
}

static int32_t is_zero(const walk *w, tpad_value *value)
{
    const tpad_tensor *tensor = elements_of(w, value);
    return tensor && !(tpad_fact_bits(tensor) & TPAD_RULES_NOT_ZERO);
}

/* ---- The source of the integers -------------------------------------------------------------- */

/* 1 if a Conv or product takes computed weights: it requires unsigned integers before it. */
static int32_t has_quantised_layers(const tpad_model *model, const tpad_graph *graph)
{
    static const char *const names[] = {"Conv",   "ConvTranspose",    "Convolution",
                                        "MatMul", "GroupConvolution", "Gemm"};
    for (int64_t i = 0; i < graph->node_count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (!is(&graph->nodes[i], names[k])) continue;
            const tpad_value *weights = model->format->node_input(graph, &graph->nodes[i], 1);
            if (weights && !weights->is_constant) return 1;
        }
    return 0;
}

/* The number of nodes that quantise a value other than a constant. */
static int32_t count_quantised(const tpad_model *model, const tpad_graph *graph)
{
    int32_t count = 0;
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        if (!is(node, "QuantizeLinear") && !is(node, "FakeQuantize")) continue;
        const tpad_value *value = model->format->node_input(graph, node, 0);
        count += value && !value->is_constant;
    }
    return count;
}

/* Facts of signed integers. A later quantisation may require unsigned ones. */
static int32_t signed_in(const walk *w, const tpad_graph *graph)
{
    const int32_t may_change =
        has_quantised_layers(w->model, graph) || count_quantised(w->model, graph) > 1;
    return TPAD_RULES_FROM_INT8 | (may_change ? TPAD_RULES_FROM_UNSURE : 0);
}

/* Facts of 8-bit integers; 0: other types. OpenVINO moves their scale only if the model quantises
 * some value. */
static int32_t of_bytes(const walk *w, const tpad_graph *graph, const tpad_value *integers)
{
    if ((integers->type != TPAD_ONNX_INT8 && integers->type != TPAD_ONNX_UINT8) ||
        !count_quantised(w->model, graph))
        return 0;
    return TPAD_RULES_FROM_QUANTISED | TPAD_RULES_FROM_INTEGERS |
           (integers->type == TPAD_ONNX_INT8 ? signed_in(w, graph) : 0);
}

/* Facts from a DequantizeLinear of 8 bits. */
static int32_t dequantised(const walk *w, const tpad_graph *graph, const tpad_node *node)
{
    enum { OF_THE_PAIR = 2 }; /* readers of the zero point */
    tpad_value *integers = input(w, graph, node, 0), *scale = input(w, graph, node, 1);
    tpad_value *zero = input(w, graph, node, 2);
    int32_t from = integers ? of_bytes(w, graph, integers) : 0;
    if (!from) return 0;
    if (zero && !is_zero(w, zero)) from |= TPAD_RULES_FROM_ZERO_POINT;
    if (zero && zero->readers > OF_THE_PAIR) from |= TPAD_RULES_FROM_SHARED;
    if (scale && scale->rank == 1 && scale->shape[0] != 1) from |= TPAD_RULES_FROM_CHANNELS;
    return from;
}

/* Facts from a range, of one channel if each has its own: unsigned integers begin at 0; signed ones
 * have as many numbers below 0 as above, and one more below if the count is even. */
static int32_t of_range(const walk *w, const tpad_graph *graph, double least, double most,
                        int64_t count)
{
    const double above = floor((double)(count - 1) / 2), below = (double)count - 1 - above;
    if (least == 0) return 0;
    if (fabs(least * above + most * below) < 1e-3 * fabs(most * below)) return signed_in(w, graph);
    return TPAD_RULES_FROM_ZERO_POINT;
}

static int32_t fake_quantised(const walk *w, const tpad_graph *graph, const tpad_node *node)
{
    tpad_attribute levels = {.want = WANT_INT};
    int32_t from = TPAD_RULES_FROM_QUANTISED | TPAD_RULES_FROM_INTEGERS;
    const tpad_value *ends = input(w, graph, node, 3);
    const tpad_tensor *low = elements_of(w, input(w, graph, node, 3)),
                      *high = elements_of(w, input(w, graph, node, 4));
    const int32_t found = w->model->format->attribute(&levels, graph, node, "levels");
    const int64_t count = found == 1 ? levels.ints[0] : 0;
    if (count != 256 && count != 255 && count != 16 && count != 15) return 0;
    if (!low || !high || count_of(ends) != count_of(input(w, graph, node, 4)) ||
        !tpad_type_is_real(low->type) || !tpad_type_is_real(high->type))
        return from | TPAD_RULES_FROM_CHANNELS | TPAD_RULES_FROM_UNSURE;
    for (int64_t i = count_of(ends) - 1; i >= 0; i--)
        from |= of_range(w, graph, tpad_element_read(low, i).real, tpad_element_read(high, i).real,
                         count);
    if (from & TPAD_RULES_FROM_ZERO_POINT) from &= ~TPAD_RULES_FROM_INT8;
    return from | (count_of(ends) != 1 ? TPAD_RULES_FROM_CHANNELS : 0);
}

/* ---- Operators between them and the Pad ------------------------------------------------------ */

static int32_t origin(walk *w, const tpad_graph *graph, const tpad_value *value, int32_t depth);

/* The facts of all inputs combined; 0 if one has none. */
static int32_t origins(walk *w, const tpad_graph *graph, const tpad_node *node, int32_t depth)
{
    int32_t all = 0;
    for (int64_t k = w->model->format->input_count(node) - 1; k >= 0; k--) {
        const int32_t facts = origin(w, graph, input(w, graph, node, k), depth);
        if (!facts) return 0;
        all |= facts;
    }
    return all;
}

/* 1 if all inputs are the same value. */
static int32_t is_of_one(const walk *w, const tpad_graph *graph, const tpad_node *node)
{
    for (int64_t k = w->model->format->input_count(node) - 1; k > 0; k--)
        if (input(w, graph, node, k) != input(w, graph, node, 0)) return 0;
    return 1;
}

/* Arithmetic with a constant operand; or the sum of two quantised values, without a zero point. */
static int32_t computed(walk *w, const tpad_graph *graph, const tpad_node *node, int32_t does,
                        int32_t depth)
{
    tpad_value *a = input(w, graph, node, 0), *b = input(w, graph, node, 1);
    if (!a || !b) return 0;
    tpad_value *operand = a->is_constant ? a : b;
    const int32_t changed = TPAD_RULES_FROM_INTEGERS | TPAD_RULES_FROM_ZERO_POINT;
    if (!operand->is_constant)
        return does == SHIFTS ? origins(w, graph, node, depth) & ~changed : 0;
    int32_t from = origin(w, graph, operand == a ? b : a, depth);
    if (!from || (does == SHIFTS && is_zero(w, operand))) return from;
    /* The operation is folded into the FakeQuantize before it, with its zero point. */
    const int32_t is_ir = w->model->format->kind == FORMAT_IR;
    if (does == SCALES && count_of(operand) == 1) return from;
    if (does == SCALES)
        return from |
               (is_ir ? TPAD_RULES_FROM_CHANNELS | TPAD_RULES_FROM_UNSURE : TPAD_RULES_FROM_SCALES);
    if (from & TPAD_RULES_FROM_ZERO_POINT && !is_ir) from &= ~TPAD_RULES_FROM_INTEGERS;
    return from | TPAD_RULES_FROM_ZERO_POINT;
}

/* 1 if a Pad writes its own cells. */
static int32_t fills(const walk *w, const tpad_graph *graph, const tpad_node *node)
{
    const tpad_value *output = w->model->format->node_output(graph, node, 0);
    return !output->pad || output->pad->facts->mode == TPAD_RULES_CONSTANT;
}

static int32_t moved(walk *w, const tpad_graph *graph, const tpad_node *node, int32_t does,
                     int32_t depth)
{
    const int64_t inputs = w->model->format->input_count(node);
    if (does == SHIFTS || does == SCALES) return computed(w, graph, node, does, depth);
    if (does == JOINS) {
        const int32_t from = origins(w, graph, node, depth);
        const int32_t has_zero = from & TPAD_RULES_FROM_ZERO_POINT;
        return from && inputs > 1 && (has_zero || !is_of_one(w, graph, node))
                   ? from | TPAD_RULES_FROM_CHANNELS | TPAD_RULES_FROM_UNSURE
                   : from;
    }
    if (does == SINGLE && inputs != 1) return 0;
    const int32_t from = origin(w, graph, input(w, graph, node, 0), depth);
    const int32_t has_zero = from & TPAD_RULES_FROM_ZERO_POINT;
    const int32_t scales = TPAD_RULES_FROM_CHANNELS | TPAD_RULES_FROM_SCALES;
    if ((does == RECTIFIES || does == BENDS) && has_zero) return 0;
    if (does == AVERAGES && from && has_quantised_layers(w->model, graph))
        return from | TPAD_RULES_FROM_UNSURE;
    if (does == CHANGES || does == AVERAGES || does == BENDS)
        return from & ~TPAD_RULES_FROM_INTEGERS;
    if (does == PADS && has_zero && fills(w, graph, node))
        return (from & ~TPAD_RULES_FROM_ZERO_POINT) | TPAD_RULES_FROM_UNSURE;
    return does == SPLITS && from & scales ? from | TPAD_RULES_FROM_UNSURE : from;
}

/* Facts about a value: TPAD_RULES_FROM_QUANTISED | ...; 0: it is not quantised. */
static int32_t origin(walk *w, const tpad_graph *graph, const tpad_value *value, int32_t depth)
{
    if (!value || value->is_constant || depth == MOST_DEPTH || w->left-- <= 0) return 0;
    const tpad_node *node = tpad_maker(&graph, graph, value);
    if (!node) return 0;
    if (is(node, "DequantizeLinear")) return dequantised(w, graph, node);
    if (is(node, "FakeQuantize")) return fake_quantised(w, graph, node);
    if (is(node, "Convert") && tpad_type_is_real(value->type)) {
        const tpad_value *bytes = input(w, graph, node, 0);
        const int32_t from = origin(w, graph, bytes, depth + 1);
        return from ? from : of_bytes(w, graph, bytes);
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (is(node, operators[i].name)) return moved(w, graph, node, operators[i].does, depth + 1);
    return 0;
}

int32_t tpad_from_quantised(tpad_model *model, const tpad_graph_pad *pad)
{
    walk w = {model, MOST_LOOKS};
    return origin(&w, pad->graph, pad->inputs[IN_DATA], 0);
}
