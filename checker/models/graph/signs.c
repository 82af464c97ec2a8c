/* Values without a number below zero.  SPDX-License-Identifier: MIT
 *
 * Follows a value back through operators whose result is never negative, or not negative if their
 * inputs are not. 0 means "unknown". */
#include "pads.h"
#include <math.h>

/* When a result has no number below zero. */
enum {
    ALWAYS,
    IF_FIRST, /* if the first input has none */
    IF_ALL,   /* if no input has one */
    IF_ANY,   /* if some input has none */
    BY_CLIP,
    BY_CAST,
    BY_DIV,
    BY_SIZE,
    BY_WHERE,
    BY_DEQUANTIZE,
    WRAPS = 64 /* an added bit: not for integers, whose sums and products wrap */
};

static const struct {
    const char *name;
    int32_t when;
} operators[] = {
    {"Abs", BY_SIZE},
    {"Exp", ALWAYS},
    {"HardSigmoid", ALWAYS},
    {"Hardmax", ALWAYS},
    {"LpPool", ALWAYS},
    {"ReduceL1", ALWAYS | WRAPS},
    {"ReduceL2", ALWAYS | WRAPS},
    {"ReduceSumSquare", ALWAYS | WRAPS},
    {"Relu", ALWAYS},
    {"Sigmoid", ALWAYS},
    {"Softmax", ALWAYS},
    {"Softplus", ALWAYS},
    {"Sqrt", ALWAYS},
    {"AveragePool", IF_FIRST},
    {"Ceil", IF_FIRST},
    {"DepthToSpace", IF_FIRST},
    {"Dropout", IF_FIRST},
    {"Expand", IF_FIRST},
    {"Flatten", IF_FIRST},
    {"Floor", IF_FIRST},
    {"Gather", IF_FIRST},
    {"GlobalAveragePool", IF_FIRST},
    {"GlobalMaxPool", IF_FIRST},
    {"Identity", IF_FIRST},
    {"LeakyRelu", IF_FIRST},
    {"MaxPool", IF_FIRST},
    {"PRelu", IF_FIRST},
    {"ReduceMax", IF_FIRST},
    {"ReduceMean", IF_FIRST | WRAPS},
    {"ReduceMin", IF_FIRST},
    {"ReduceSum", IF_FIRST | WRAPS},
    {"Reshape", IF_FIRST},
    {"Round", IF_FIRST},
    {"Slice", IF_FIRST},
    {"SpaceToDepth", IF_FIRST},
    {"Split", IF_FIRST},
    {"Squeeze", IF_FIRST},
    {"Tile", IF_FIRST},
    {"Transpose", IF_FIRST},
    {"Unsqueeze", IF_FIRST},
    {"Add", IF_ALL | WRAPS},
    {"Concat", IF_ALL},
    {"Mean", IF_ALL | WRAPS},
    {"Min", IF_ALL},
    {"Mul", IF_ALL | WRAPS},
    {"Sum", IF_ALL | WRAPS},
    {"Max", IF_ANY},
    {"Cast", BY_CAST},
    {"Clip", BY_CLIP},
    {"DequantizeLinear", BY_DEQUANTIZE},
    {"Div", BY_DIV},
    {"Where", BY_WHERE},
};

/* The most operators to look at for one value: a graph of sums may have many paths. */
enum { MOST_LOOKS = 64 };

typedef struct look {
    tpad_model *model;
    int32_t left; /* of MOST_LOOKS */
    int32_t type; /* of the current value; 0: unknown */
} look;

static int32_t has_none(look *l, const tpad_graph *graph, tpad_value *value);

static int32_t is_unsigned(int32_t type)
{
    return type == TPAD_ONNX_BOOL || tpad_type_kind(type) == ELEM_UNSIGNED;
}

/* The elements of a small constant that callers cannot replace; or NULL. */
static const tpad_tensor *elements_of(const look *l, tpad_value *value)
{
    const tpad_tensor *tensor = NULL;
    tpad_io_error error;
    if (!value || !value->is_constant || (value->is_input && l->model->inputs_are_open))
        return NULL;
    return tpad_constant_small(&tensor, l->model, value, &error) ? NULL : tensor;
}

static int64_t count_of(const tpad_tensor *tensor)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; axis++) count *= tensor->shape[axis];
    return count;
}

/* 1 if no element is below zero, or -0. */
static int32_t elements_have_none(const tpad_tensor *tensor)
{
    if (tpad_type_kind(tensor->type) == ELEM_OTHER) return 0;
    for (int64_t i = count_of(tensor) - 1; i >= 0; i--) {
        const tpad_element element = tpad_element_read(tensor, i);
        if (tpad_type_is_real(tensor->type) ? !(element.real >= 0) || signbit(element.real)
                                            : element.integer < 0)
            return 0;
    }
    return 1;
}

/* The same for a constant with any number of elements. */
static int32_t constant_has_none(const look *l, tpad_value *value)
{
    tpad_tensor all;
    tpad_io_error error;
    const tpad_tensor *few = elements_of(l, value);
    if (few) return elements_have_none(few);
    if (!value || !value->is_constant || (value->is_input && l->model->inputs_are_open)) return 0;
    const int32_t none =
        !tpad_constant_load(&all, l->model, value, &error) && elements_have_none(&all);
    tpad_tensor_free(&all);
    return none;
}

/* 1 if all elements of a constant of integers are 0. */
static int32_t is_zero(const look *l, tpad_value *value)
{
    const tpad_tensor *tensor = elements_of(l, value);
    if (!tensor || tpad_type_is_real(tensor->type) || tpad_type_kind(tensor->type) == ELEM_OTHER)
        return 0;
    for (int64_t i = count_of(tensor) - 1; i >= 0; i--)
        if (tpad_element_read(tensor, i).integer != 0) return 0;
    return 1;
}

static tpad_value *input(const look *l, const tpad_graph *graph, const tpad_node *node,
                         int64_t index)
{
    return l->model->format->node_input(graph, node, index);
}

/* 1 if a limit of a Clip is not below zero; `absent` if it is absent. The limits are attributes
 * before opset 11. */
static int32_t limit_is(const look *l, const tpad_graph *graph, const tpad_node *node,
                        int32_t upper, int32_t absent)
{
    tpad_attribute number = {.want = WANT_REAL};
    if (graph->opset >= 11) {
        tpad_value *limit = input(l, graph, node, 1 + upper);
        return limit ? constant_has_none(l, limit) : absent;
    }
    const int32_t found = l->model->format->attribute(&number, graph, node, upper ? "max" : "min");
    return found == 0 ? absent : found == 1 && number.reals[0] >= 0;
}

/* If the upper limit is below the lower one, the result is the upper one. */
static int32_t clips(look *l, const tpad_graph *graph, const tpad_node *node)
{
    return limit_is(l, graph, node, 1, 1) &&
           (limit_is(l, graph, node, 0, 0) || has_none(l, graph, input(l, graph, node, 0)));
}

/* 1 if nothing is subtracted from unsigned numbers; or if it undoes a QuantizeLinear with the same
 * zero point, which keeps numbers that are not negative at the zero point or above. */
static int32_t dequantizes(look *l, const tpad_graph *graph, const tpad_node *node)
{
    const tpad_graph *holder = NULL;
    tpad_value *codes = input(l, graph, node, 0), *scale = input(l, graph, node, 1),
               *zero = input(l, graph, node, 2);
    if (!codes || !constant_has_none(l, scale)) return 0;
    if (is_unsigned(codes->type) && (!zero || is_zero(l, zero))) return 1;
    const tpad_node *before = tpad_maker(&holder, graph, codes);
    return before && tpad_string_is(before->op_type, "QuantizeLinear") &&
           constant_has_none(l, input(l, holder, before, 1)) &&
           input(l, holder, before, 2) == zero && has_none(l, holder, input(l, holder, before, 0));
}

/* 1 for a Cast of floats to int32 or int64. */
static int32_t of_wide_integers(const look *l, const tpad_graph *graph, const tpad_node *node,
                                const tpad_value *output)
{
    const tpad_value *from = input(l, graph, node, 0);
    return from && tpad_type_is_real(from->type) &&
           (output->type == TPAD_ONNX_INT32 || output->type == TPAD_ONNX_INT64);
}

static int32_t node_has_none(look *l, const tpad_graph *graph, const tpad_node *node,
                             const tpad_value *output, int32_t when)
{
    const int64_t count = l->model->format->input_count(node);
    int32_t all = count > 0, any = 0;
    switch (when) {
    case ALWAYS:
        return 1;
    case BY_SIZE: /* the absolute value of the lowest integer is that integer */
        return tpad_type_is_real(l->type) || has_none(l, graph, input(l, graph, node, 0));
    case BY_CLIP:
        return clips(l, graph, node);
    case BY_DIV: /* by -0 it would be minus infinity */
        return constant_has_none(l, input(l, graph, node, 1)) &&
               has_none(l, graph, input(l, graph, node, 0));
    case BY_CAST: /* A large integer may get another sign. The document leaves open what becomes of
                     a float that no integer can hold. */
        l->type = 0;
        return (tpad_type_is_real(output->type) || of_wide_integers(l, graph, node, output)) &&
               has_none(l, graph, input(l, graph, node, 0));
    case BY_DEQUANTIZE:
        return dequantizes(l, graph, node);
    case IF_FIRST:
        return has_none(l, graph, input(l, graph, node, 0));
    default:
        for (int64_t i = when == BY_WHERE;
             i < count && l->left > 0 && (all || when == IF_ANY) && !any; i++) {
            const int32_t none = has_none(l, graph, input(l, graph, node, i));
            all &= none;
            any |= none && when == IF_ANY;
        }
        return when == IF_ANY ? any : all && l->left >= 0;
    }
}

static int32_t has_none(look *l, const tpad_graph *graph, tpad_value *value)
{
    const tpad_graph *holder = NULL;
    const int32_t type_before = l->type;
    int32_t none = 0;
    if (!value || l->left-- <= 0) return 0;
    if (is_unsigned(value->type)) return 1;
    if (value->is_constant) return constant_has_none(l, value);
    const tpad_node *node = tpad_maker(&holder, graph, value);
    if (!node || (node->domain.length && !tpad_string_is(node->domain, "ai.onnx"))) return 0;
    if (value->type) l->type = value->type;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!tpad_string_is(node->op_type, operators[i].name)) continue;
        if (!(operators[i].when & WRAPS) || tpad_type_is_real(l->type))
            none = node_has_none(l, holder, node, value, operators[i].when & ~WRAPS);
        break;
    }
    l->type = type_before;
    return none;
}

int32_t tpad_is_not_negative(tpad_model *model, const tpad_graph *graph, tpad_value *value)
{
    look l = {model, MOST_LOOKS, TPAD_ONNX_FLOAT};
    return has_none(&l, graph, value);
}
