/* OpenVINO's folded operations. SPDX-License-Identifier: MIT
 *
 * The table, and where each operation has its arguments. fold_arithmetic.c and fold_move.c know
 * what operations do. */
#include "fold.h"
#include "models/openvino/ir.h"
#include <string.h>

/* ---- Layers ---------------------------------------------------------------------------------- */

/* The type of the layer's first output, as the file has it. */
static int32_t output_type(const tpad_fold *fold)
{
    const ir_port *port = ((const ir_layer *)fold->node->payload)->out.first;
    return port ? tpad_type_from_openvino(port->type) : 0;
}

/* The only number of an input; 0 if it is unknown. */
static int32_t take_number(int64_t *number, const tpad_fold *fold, int32_t index)
{
    tpad_fold_list list;
    tpad_fold_list_in(&list, fold, index);
    *number = list.count == 1 ? list.items[0] : 0;
    return list.count == 1 && list.known[0];
}

/* ---- Small tensors --------------------------------------------------------------------------- */

static void convert(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    tpad_fold_cast(fold, output_type(fold));
}

static void shape_of(tpad_fold *fold, int32_t argument)
{
    const int32_t narrow = tpad_fold_word(fold, "output_type", "i32", 0);
    (void)argument;
    tpad_fold_shape_of(fold, narrow ? TPAD_ONNX_INT32 : TPAD_ONNX_INT64, 0, INT64_MAX);
}

static void gather(tpad_fold *fold, int32_t input)
{
    int64_t axis;
    if (tpad_fold_int(fold, "batch_dims", 0) == 0 && take_number(&axis, fold, input))
        tpad_fold_gather(fold, axis);
}

static void concat(tpad_fold *fold, int32_t axis)
{
    tpad_fold_concat(fold, tpad_fold_int(fold, "axis", axis));
}

static void split(tpad_fold *fold, int32_t input)
{
    int64_t axis;
    const int64_t parts = tpad_fold_int(fold, "num_splits", 0);
    if (take_number(&axis, fold, input)) tpad_fold_split(fold, axis, NULL, parts);
}

/* One length may be -1: it is the rest of the axis. */
static void variadic_split(tpad_fold *fold, int32_t input)
{
    int64_t axis, rest = 0;
    tpad_fold_list lengths;
    const tpad_inferred in = tpad_fold_in(fold, 0);
    if (!take_number(&axis, fold, input)) return;
    tpad_fold_list_in(&lengths, fold, 2);
    const int32_t at = tpad_axis_from_front(axis, in.rank);
    if (at < 0 || !tpad_fold_list_complete(&lengths)) return;
    for (int32_t i = 0; i < lengths.count; i++)
        if (lengths.items[i] >= 0 && __builtin_add_overflow(rest, lengths.items[i], &rest)) return;
    for (int32_t i = 0; i < lengths.count; i++)
        if (lengths.items[i] < 0) lengths.items[i] = in.shape[at] < 0 ? -1 : in.shape[at] - rest;
    tpad_fold_split(fold, axis, &lengths, 0);
}

static void transpose(tpad_fold *fold, int32_t input)
{
    tpad_fold_list order;
    tpad_fold_list_in(&order, fold, input);
    tpad_fold_transpose(fold, order.count == 0 ? NULL : &order);
}

static void tile(tpad_fold *fold, int32_t input)
{
    tpad_fold_list repeats;
    if (tpad_fold_list_in(&repeats, fold, input)) tpad_fold_tile(fold, &repeats);
}

static void broadcast(tpad_fold *fold, int32_t input)
{
    tpad_fold_list target;
    if ((tpad_fold_word(fold, "mode", "numpy", 1) ||
         tpad_fold_word(fold, "mode", "bidirectional", 0)) &&
        tpad_fold_list_in(&target, fold, input))
        tpad_fold_expand(fold, &target);
}

static void range(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    tpad_fold_range(fold, output_type(fold));
}

static void reshape(tpad_fold *fold, int32_t input)
{
    tpad_fold_list shape;
    if (tpad_fold_list_in(&shape, fold, input))
        tpad_fold_reshape(fold, &shape, !tpad_fold_int(fold, "special_zero", 0));
}

static void squeeze(tpad_fold *fold, int32_t input)
{
    tpad_fold_list axes;
    tpad_fold_squeeze(fold, tpad_fold_list_in(&axes, fold, input) ? &axes : NULL);
}

static void unsqueeze(tpad_fold *fold, int32_t input)
{
    tpad_fold_list axes;
    if (tpad_fold_list_in(&axes, fold, input)) tpad_fold_unsqueeze(fold, &axes);
}

static void slice(tpad_fold *fold, int32_t input)
{
    tpad_fold_list starts, ends, steps, axes;
    tpad_fold_list_in(&starts, fold, 1);
    tpad_fold_list_in(&ends, fold, 2);
    tpad_fold_list_in(&steps, fold, 3);
    const int32_t some = tpad_fold_list_in(&axes, fold, input);
    tpad_fold_slice(fold, &starts, &ends, some ? &axes : NULL, &steps);
}

/* ---- StridedSlice ---------------------------------------------------------------------------- */

/* The mask, with entry i as bit i. */
static uint64_t take_mask(tpad_fold *fold, const char *name)
{
    int64_t list[FOLD_LIST];
    uint64_t mask = 0;
    const int32_t count = tpad_fold_ints(fold, name, list);
    for (int32_t i = 0; i < count; i++) mask |= (uint64_t)(list[i] != 0) << i;
    return mask;
}

/* Removes axes of extent 1 from the output that was given, which has that rank. */
static void shrink(tpad_fold *fold, uint64_t axes, int32_t rank)
{
    tpad_value *value = tpad_ir_node_output(fold->graph, fold->node, 0);
    if (!value || value->rank != rank) return;
    tpad_inferred all = tpad_fold_of(fold->model, value), out = all;
    out.rank = 0;
    for (int32_t i = 0; i < all.rank; i++)
        if (!(axes >> i & 1)) out.shape[out.rank++] = all.shape[i];
    tpad_fold_give(fold, 0, &out);
}

/* A 1 in a mask means: begin (or end) is not used; or one element is taken and its axis removed.
 * Slices that add axes or have an ellipsis are not folded. */
static void strided_slice(tpad_fold *fold, int32_t input)
{
    tpad_fold_list begin, end, steps;
    const uint64_t no_begin = take_mask(fold, "begin_mask"), no_end = take_mask(fold, "end_mask"),
                   taken = take_mask(fold, "shrink_axis_mask"),
                   others = take_mask(fold, "new_axis_mask") | take_mask(fold, "ellipsis_mask");
    tpad_fold_list_in(&begin, fold, 1);
    tpad_fold_list_in(&end, fold, 2);
    const int32_t stepped = tpad_fold_list_in(&steps, fold, input);
    const int32_t rank = tpad_fold_in(fold, 0).rank;
    if (others || fold->unsure || rank < 0 || rank < begin.count || end.count != begin.count ||
        (stepped && (steps.count != begin.count || !tpad_fold_list_complete(&steps))))
        return;
    for (int32_t i = 0; i < begin.count; i++) {
        const int32_t back = stepped && steps.items[i] < 0;
        if (taken >> i & 1) {
            if (back || !begin.known[i]) return;
            /* The cell at -1 is the last one. After INT64_MAX there is no cell. */
            end.items[i] = begin.items[i] == -1 || begin.items[i] == INT64_MAX ? INT64_MAX
                                                                               : begin.items[i] + 1;
            end.known[i] = 1;
            continue;
        }
        if (no_begin >> i & 1) begin.items[i] = back ? INT64_MAX : 0, begin.known[i] = 1;
        if (no_end >> i & 1) end.items[i] = back ? INT64_MIN : INT64_MAX, end.known[i] = 1;
    }
    tpad_fold_slice(fold, &begin, &end, NULL, stepped ? &steps : NULL);
    if (taken) shrink(fold, taken, rank);
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* Shapes are aligned at the end, or are equal; PDPD's alignment is not folded. */
static void binary(tpad_fold *fold, int32_t operation)
{
    if (!tpad_fold_word(fold, "auto_broadcast", "pdpd", 0)) tpad_fold_binary(fold, operation);
}

/* The document rounds integers down unless m_pythondiv is false; OpenVINO rounds towards zero. It
 * rounds 8-bit integers to nearest when it folds, and towards zero when it runs. */
static void divide(tpad_fold *fold, int32_t operation)
{
    const int32_t type = tpad_fold_in(fold, 0).type;
    if (!tpad_type_is_real(type) && tpad_onnx_type_bits(type) == 8)
        operation = OF_OTHER;
    else if (!tpad_type_is_real(type) && tpad_fold_int(fold, "m_pythondiv", 1))
        operation = OF_EXACT_DIV;
    binary(fold, operation);
}

static void reduce(tpad_fold *fold, int32_t operation)
{
    tpad_fold_list axes;
    if (tpad_fold_list_in(&axes, fold, 1))
        tpad_fold_reduce(fold, &axes, tpad_fold_int(fold, "keep_dims", 0) != 0, operation);
}

/* ---- Layers of networks ---------------------------------------------------------------------- */

/* A list of `count` entries; other counts make the fold unsure. */
static void take(tpad_fold *fold, const char *name, int64_t *list, int32_t count, int64_t absent)
{
    int64_t all[FOLD_LIST];
    const int32_t given = tpad_fold_ints(fold, name, all);
    if (given >= 0 && given != count) fold->unsure = 1;
    for (int32_t i = 0; i < count; i++) list[i] = given == count ? all[i] : absent;
}

static void take_window(tpad_window *window, tpad_fold *fold, int32_t axes)
{
    window->axes = axes;
    take(fold, "kernel", window->kernel, axes, -1);
    take(fold, "strides", window->stride, axes, 1);
    take(fold, "dilations", window->dilation, axes, 1);
    take(fold, "pads_begin", window->before, axes, 0);
    take(fold, "pads_end", window->after, axes, 0);
    window->same = tpad_fold_word(fold, "auto_pad", "same_upper", 0) ||
                   tpad_fold_word(fold, "auto_pad", "same_lower", 0);
    window->upper = !tpad_fold_word(fold, "rounding_type", "floor", 1);
    for (int32_t i = 0; i < axes && tpad_fold_word(fold, "auto_pad", "valid", 0); i++)
        window->before[i] = window->after[i] = 0;
}

/* channel_axes: the number of weight axes that are output channels: 1, or 2 with groups. */
static void convolution(tpad_fold *fold, int32_t channel_axes)
{
    tpad_window window;
    const tpad_inferred in = tpad_fold_in(fold, 0), weights = tpad_fold_in(fold, 1);
    if (in.rank < 2 || weights.rank != in.rank + channel_axes - 1) return;
    take_window(&window, fold, in.rank - 2);
    for (int32_t i = 0; i < window.axes; i++)
        window.kernel[i] = weights.shape[i + 1 + channel_axes];
    int64_t channels = weights.shape[0];
    if (channel_axes == 2 && (channels < 0 || weights.shape[1] < 0 ||
                              __builtin_mul_overflow(channels, weights.shape[1], &channels)))
        channels = -1;
    tpad_fold_window(fold, &window, channels);
}

/* channel_axis: of the weights, after the groups and the channels of the input. */
static void convolution_back(tpad_fold *fold, int32_t channel_axis)
{
    tpad_window window;
    int64_t extra[TPAD_MAX_RANK], channels;
    const tpad_inferred in = tpad_fold_in(fold, 0), weights = tpad_fold_in(fold, 1);
    if (in.rank < 2 || weights.rank != in.rank + channel_axis - 1 || tpad_fold_has(fold, 2)) return;
    take_window(&window, fold, in.rank - 2);
    take(fold, "output_padding", extra, window.axes, 0);
    for (int32_t i = 0; i < window.axes; i++)
        window.kernel[i] = weights.shape[i + 1 + channel_axis];
    channels = weights.shape[channel_axis];
    if (channel_axis == 2 && (channels < 0 || weights.shape[0] < 0 ||
                              __builtin_mul_overflow(channels, weights.shape[0], &channels)))
        channels = -1;
    tpad_fold_window_back(fold, &window, channels, extra, NULL);
}

/* Elements only for integers: amounts are limited in this way. */
static void clamp(tpad_fold *fold, int32_t operation)
{
    const int32_t type = tpad_fold_in(fold, 0).type;
    tpad_element limit[2];
    tpad_inferred limits[2];
    if (tpad_type_kind(type) != ELEM_SIGNED) {
        tpad_fold_unary(fold, operation);
        return;
    }
    for (int32_t side = 0; side < 2; side++) {
        limit[side] = tpad_element_integer(type, tpad_fold_int(fold, side ? "max" : "min", 0));
        limits[side] = (tpad_inferred){.type = type};
        tpad_inferred_put(&limits[side], &limit[side], 1);
    }
    tpad_fold_clip(fold, &limits[0], &limits[1]);
}

static void pool(tpad_fold *fold, int32_t input)
{
    tpad_window window;
    const tpad_inferred in = tpad_fold_in(fold, input);
    if (in.rank < 2) return;
    take_window(&window, fold, in.rank - 2);
    tpad_fold_window(fold, &window, in.shape[1]);
}

static void matmul(tpad_fold *fold, int32_t transposed)
{
    tpad_fold_matmul(fold, 1, tpad_fold_int(fold, "transpose_a", transposed) != 0,
                     tpad_fold_int(fold, "transpose_b", transposed) != 0);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const tpad_operator table[] = {
    {"Broadcast", broadcast, 1},
    {"Concat", concat, 0},
    {"Convert", convert, 0},
    {"Gather", gather, 2},
    {"Range", range, 0},
    {"Reshape", reshape, 1},
    {"Select", tpad_fold_where, 0},
    {"ShapeOf", shape_of, 0},
    {"Slice", slice, 4},
    {"Split", split, 1},
    {"Squeeze", squeeze, 1},
    {"StridedSlice", strided_slice, 3},
    {"Tile", tile, 1},
    {"Transpose", transpose, 1},
    {"Unsqueeze", unsqueeze, 1},
    {"VariadicSplit", variadic_split, 1},
    {"Add", binary, OF_ADD},
    {"Subtract", binary, OF_SUB},
    {"Multiply", binary, OF_MUL},
    {"Divide", divide, OF_DIV},
    {"Mod", binary, OF_MOD_TRUNC},
    {"FloorMod", binary, OF_MOD_FLOOR},
    {"Maximum", binary, OF_MAX},
    {"Minimum", binary, OF_MIN},
    {"Power", binary, OF_OTHER},
    {"Equal", binary, OF_EQUAL},
    {"NotEqual", binary, OF_NOT_EQUAL},
    {"Less", binary, OF_LESS},
    {"LessEqual", binary, OF_LESS_OR_EQUAL},
    {"Greater", binary, OF_GREATER},
    {"GreaterEqual", binary, OF_GREATER_OR_EQUAL},
    {"LogicalAnd", binary, OF_AND},
    {"LogicalOr", binary, OF_OR},
    {"LogicalXor", binary, OF_XOR},
    {"LogicalNot", tpad_fold_unary, OF_NOT},
    {"Abs", tpad_fold_unary, OF_ABS},
    {"Ceiling", tpad_fold_unary, OF_CEIL},
    {"Floor", tpad_fold_unary, OF_FLOOR},
    {"Negative", tpad_fold_unary, OF_NEG},
    {"Clamp", clamp, OF_OTHER},
    {"Elu", tpad_fold_unary, OF_OTHER},
    {"Erf", tpad_fold_unary, OF_OTHER},
    {"Exp", tpad_fold_unary, OF_OTHER},
    {"FakeQuantize", tpad_fold_unary, OF_OTHER},
    {"Gelu", tpad_fold_unary, OF_OTHER},
    {"HSigmoid", tpad_fold_unary, OF_OTHER},
    {"HSwish", tpad_fold_unary, OF_OTHER},
    {"Log", tpad_fold_unary, OF_OTHER},
    {"MVN", tpad_fold_unary, OF_OTHER},
    {"Mish", tpad_fold_unary, OF_OTHER},
    {"PRelu", tpad_fold_unary, OF_OTHER},
    {"Relu", tpad_fold_unary, OF_OTHER},
    {"Sigmoid", tpad_fold_unary, OF_OTHER},
    {"SoftMax", tpad_fold_unary, OF_OTHER},
    {"SoftPlus", tpad_fold_unary, OF_OTHER},
    {"Sqrt", tpad_fold_unary, OF_OTHER},
    {"Swish", tpad_fold_unary, OF_OTHER},
    {"Tanh", tpad_fold_unary, OF_OTHER},
    {"ReduceSum", reduce, OF_ADD},
    {"ReduceProd", reduce, OF_MUL},
    {"ReduceMin", reduce, OF_MIN},
    {"ReduceMax", reduce, OF_MAX},
    {"ReduceMean", reduce, OF_OTHER},
    {"AvgPool", pool, 0},
    {"MaxPool", pool, 0},
    {"Convolution", convolution, 1},
    {"GroupConvolution", convolution, 2},
    {"ConvolutionBackpropData", convolution_back, 1},
    {"GroupConvolutionBackpropData", convolution_back, 2},
    {"MatMul", matmul, 0},
};

const tpad_operator *tpad_ir_operator(const tpad_graph *graph, const tpad_node *node)
{
    (void)graph;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (tpad_ir_is(node->payload, table[i].name)) return &table[i];
    return NULL;
}
