/* ONNX's folded operators. SPDX-License-Identifier: MIT
 *
 * The table, and where each version of an operator has its arguments: attributes in old versions
 * are inputs in new ones. fold_arithmetic.c and fold_move.c know what operators do. */
#include "models/onnx/onnx_file.h"
#include "onnx.pb.h"
#include "onnx_layers.h"
#include <string.h>

/* ---- Constants, types, shapes ---------------------------------------------------------------- */

static void cast(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    tpad_fold_cast(fold, (int32_t)tpad_fold_int(fold, "to", 0));
}

static void cast_like(tpad_fold *fold, int32_t input)
{
    tpad_fold_cast(fold, tpad_fold_in(fold, input).type);
}

static void shape_of(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    tpad_fold_shape_of(fold, TPAD_ONNX_INT64, tpad_fold_int(fold, "start", 0),
                       tpad_fold_int(fold, "end", INT64_MAX));
}

static void size_of(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred in = tpad_fold_in(fold, 0);
    const int64_t count = tpad_inferred_count(&in);
    const tpad_element element = {.integer = count, .known = count >= 0};
    tpad_inferred out = {.type = TPAD_ONNX_INT64, .rank = 0};
    (void)argument;
    tpad_inferred_put(&out, &element, 1);
    tpad_fold_give(fold, 0, &out);
}

/* The only element of the attribute `value`, a tensor; float 0 if absent. Returns its type or 0. */
static int32_t value_of(tpad_element *element, const tpad_fold *fold)
{
    tpad_string body;
    tpad_pb_Attribute attribute = {0};
    tpad_proto proto;
    tpad_tensor tensor = {0};
    const int32_t found = tpad_onnx_attribute_find(&body, fold->graph, fold->node,
                                                   (tpad_string){"value", strlen("value")});
    *element = (tpad_element){.known = 1};
    if (found == 0) return TPAD_ONNX_FLOAT;
    if (found < 0 || tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, body) ||
        !attribute.t.text || tpad_proto_read(&proto, attribute.t, fold->model->path, NULL))
        return 0;
    if (proto.external || proto.elems != 1 || tpad_type_kind(proto.type) == ELEM_OTHER) return 0;
    const int32_t status = tpad_proto_load(&tensor, &proto, fold->model->path, NULL);
    if (status == TPAD_E_MEMORY) fold->model->folding->facts.failed = 1;
    if (!status) *element = tpad_element_read(&tensor, 0);
    tpad_tensor_free(&tensor);
    return status ? 0 : proto.type;
}

static void constant_of_shape(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list shape;
    tpad_element element;
    const int32_t type = value_of(&element, fold);
    (void)argument;
    if (tpad_fold_list_in(&shape, fold, 0)) tpad_fold_fill(fold, &shape, type, element);
}

static void range(tpad_fold *fold, int32_t input)
{
    tpad_fold_range(fold, tpad_fold_in(fold, input).type);
}

/* ---- Moving ---------------------------------------------------------------------------------- */

static void gather(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    tpad_fold_gather(fold, tpad_fold_int(fold, "axis", 0));
}

/* The shape of the data; for lists without a reduction, also the elements. */
static void scatter(tpad_fold *fold, int32_t argument)
{
    tpad_string reduction;
    const int64_t axis = tpad_fold_int(fold, "axis", 0);
    const tpad_inferred data = tpad_fold_value(fold, 0), indices = tpad_fold_value(fold, 1);
    const tpad_inferred updates = tpad_fold_value(fold, 2);
    tpad_inferred out = data;
    (void)argument;
    out.elements = NULL;
    tpad_element *room = data.rank == 1 && (axis == 0 || axis == -1) && data.elements &&
                                 indices.elements && updates.elements &&
                                 !tpad_fold_text(fold, "reduction", &reduction)
                             ? tpad_fold_room(fold, &out)
                             : NULL;
    for (int64_t i = 0; room && i < data.element_count; i++) room[i] = data.elements[i];
    for (int64_t i = 0; room && i < indices.element_count; i++) {
        const tpad_element at = indices.elements[i];
        const int64_t index = at.integer < 0 ? at.integer + data.element_count : at.integer;
        if (!at.known || index < 0 || index >= data.element_count)
            room = NULL;
        else
            room[index] = tpad_inferred_at(&updates, i);
    }
    tpad_inferred_put(&out, room, data.element_count);
    tpad_fold_give(fold, 0, &out);
}

static void slice(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list starts, ends, axes, steps;
    int32_t has_axes, has_steps = 0;
    (void)argument;
    if (fold->opset < 10) {
        tpad_fold_list_attribute(&starts, fold, "starts");
        tpad_fold_list_attribute(&ends, fold, "ends");
        has_axes = tpad_fold_list_attribute(&axes, fold, "axes");
    } else {
        tpad_fold_list_in(&starts, fold, 1);
        tpad_fold_list_in(&ends, fold, 2);
        has_axes = tpad_fold_list_in(&axes, fold, 3);
        has_steps = tpad_fold_list_in(&steps, fold, 4);
    }
    tpad_fold_slice(fold, &starts, &ends, has_axes ? &axes : NULL, has_steps ? &steps : NULL);
}

static void concat(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    tpad_fold_concat(fold, tpad_fold_int(fold, "axis", 1));
}

static void split(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list sizes;
    const int64_t axis = tpad_fold_int(fold, "axis", 0);
    int64_t parts = tpad_message_of(fold->node)->outputs.count;
    (void)argument;
    const int32_t given = tpad_fold_has(fold, 1) ? tpad_fold_list_in(&sizes, fold, 1)
                                                 : tpad_fold_list_attribute(&sizes, fold, "split");
    if (fold->opset >= 18) parts = tpad_fold_int(fold, "num_outputs", parts);
    tpad_fold_split(fold, axis, given ? &sizes : NULL, parts);
}

static void transpose(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list order;
    (void)argument;
    tpad_fold_transpose(fold, tpad_fold_list_attribute(&order, fold, "perm") ? &order : NULL);
}

static void expand(tpad_fold *fold, int32_t input)
{
    tpad_fold_list shape;
    if (tpad_fold_list_in(&shape, fold, input)) tpad_fold_expand(fold, &shape);
}

static void tile(tpad_fold *fold, int32_t input)
{
    tpad_fold_list repeats;
    /* Version 1 repeats along one axis. */
    if (fold->opset >= 6 && tpad_fold_list_in(&repeats, fold, input))
        tpad_fold_tile(fold, &repeats);
}

static void reshape(tpad_fold *fold, int32_t input)
{
    tpad_fold_list shape;
    const int32_t zero_is_zero = fold->opset >= 14 && tpad_fold_int(fold, "allowzero", 0) != 0;
    if (fold->opset < 5)
        tpad_fold_list_attribute(&shape, fold, "shape");
    else
        tpad_fold_list_in(&shape, fold, input);
    tpad_fold_reshape(fold, &shape, zero_is_zero);
}

/* Axes are an attribute in old versions and an input since `since`. */
static int32_t axes_of(tpad_fold_list *axes, tpad_fold *fold, int32_t since)
{
    return fold->opset < since ? tpad_fold_list_attribute(axes, fold, "axes")
                               : tpad_fold_list_in(axes, fold, 1);
}

static void squeeze(tpad_fold *fold, int32_t input)
{
    tpad_fold_list axes;
    tpad_fold_squeeze(fold, axes_of(&axes, fold, input) ? &axes : NULL);
}

static void unsqueeze(tpad_fold *fold, int32_t input)
{
    tpad_fold_list axes;
    if (axes_of(&axes, fold, input)) tpad_fold_unsqueeze(fold, &axes);
}

static void flatten(tpad_fold *fold, int32_t axis)
{
    tpad_fold_flatten(fold, tpad_fold_int(fold, "axis", axis));
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* Before opset 7, the second input is broadcast only if `broadcast` is set, and from `axis` on: the
 * shape is the first input's, and elements are known only if both shapes are equal. */
static void binary(tpad_fold *fold, int32_t operation)
{
    if (fold->opset >= 7) {
        tpad_fold_binary(fold, operation);
        return;
    }
    tpad_inferred a = tpad_fold_value(fold, 0);
    const tpad_inferred b = tpad_fold_value(fold, 1);
    tpad_inferred out = a;
    int32_t same = a.rank == b.rank;
    tpad_inferred_put(&out, NULL, 0);
    for (int32_t axis = 0; same && axis < a.rank; axis++) same = a.shape[axis] == b.shape[axis];
    if (operation >= OF_AND && operation <= OF_GREATER_OR_EQUAL) out.type = TPAD_ONNX_BOOL;
    if (same && operation != OF_OTHER) tpad_fold_pair(fold, &out, &a, &b, operation);
    tpad_fold_give(fold, 0, &out);
}

static void mod(tpad_fold *fold, int32_t operation)
{
    tpad_fold_binary(fold, tpad_fold_int(fold, "fmod", 0) ? OF_MOD_TRUNC : operation);
}

static int32_t since_input(int32_t operation)
{
    return operation == OF_ADD ? 13 : 18;
}

static void reduce(tpad_fold *fold, int32_t operation)
{
    tpad_fold_list axes;
    const int32_t given = axes_of(&axes, fold, since_input(operation)) && axes.count != 0;
    const int32_t keep = tpad_fold_int(fold, "keepdims", 1) != 0;
    if (!given && fold->opset >= since_input(operation) &&
        tpad_fold_int(fold, "noop_with_empty_axes", 0)) {
        tpad_fold_unary(fold, OF_OTHER);
        return;
    }
    tpad_fold_reduce(fold, given ? &axes : NULL, keep, operation);
}

static void arg_reduce(tpad_fold *fold, int32_t operation)
{
    const tpad_inferred type = tpad_inferred_none(TPAD_ONNX_INT64);
    const tpad_fold_list axis = {
        .count = 1, .items = {tpad_fold_int(fold, "axis", 0)}, .known = {1}};
    tpad_fold_reduce(fold, &axis, tpad_fold_int(fold, "keepdims", 1) != 0, operation);
    tpad_fold_give(fold, 0, &type);
}

/* The first input's shape with another type: that of an input, or a fixed one. */
static void type_of_input(tpad_fold *fold, int32_t input)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    out.type = tpad_fold_in(fold, input).type;
    tpad_fold_give(fold, 0, &out);
}

static void fixed_type(tpad_fold *fold, int32_t type)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    out.type = type;
    tpad_fold_give(fold, 0, &out);
}

/* The limits are inputs from `input` on; before opset 11 they are attributes. */
static void clip(tpad_fold *fold, int32_t input)
{
    double number;
    tpad_element limit[2];
    tpad_inferred limits[2];
    const tpad_inferred *given[2] = {NULL, NULL};
    for (int32_t side = 0; side < 2; side++) {
        if (fold->opset >= 11) {
            if (!tpad_fold_has(fold, input + side)) continue;
            limits[side] = tpad_fold_value(fold, input + side);
        } else {
            if (!tpad_fold_real(fold, side ? "max" : "min", &number)) continue;
            limit[side] = (tpad_element){.real = number, .known = 1};
            limits[side] = (tpad_inferred){.type = TPAD_ONNX_FLOAT};
            tpad_inferred_put(&limits[side], &limit[side], 1);
        }
        given[side] = &limits[side];
    }
    tpad_fold_clip(fold, given[0], given[1]);
}

/* ---- If -------------------------------------------------------------------------------------- */

/* The branch that a constant condition chooses; otherwise the facts that both branches share. */
static void branches(tpad_fold *fold, int32_t input)
{
    const tpad_graph *yes = NULL, *no = NULL;
    const tpad_inferred condition = tpad_fold_value(fold, input);
    for (const tpad_graph *child = fold->node->subgraphs; child; child = child->next) {
        if (tpad_string_is(child->label, "then_branch")) yes = child;
        if (tpad_string_is(child->label, "else_branch")) no = child;
    }
    if (!yes || !no) return;
    if (condition.element_count == 1 && tpad_inferred_at(&condition, 0).known) {
        if (tpad_inferred_at(&condition, 0).integer) no = yes;
        yes = no;
    }
    for (int32_t i = 0; i < yes->output_count && i < no->output_count; i++) {
        tpad_value *a = yes->outputs[i].value, *b = no->outputs[i].value;
        if (!a || !b) continue;
        const tpad_inferred fact_a = tpad_fold_of(fold->model, a),
                            fact_b = tpad_fold_of(fold->model, b);
        const tpad_inferred both = tpad_inferred_join(&fact_a, &fact_b);
        tpad_fold_give(fold, i, &both);
    }
}

/* ---- The table ------------------------------------------------------------------------------- */

static const tpad_operator table[] = {
    /* small tensors */
    {"Cast", cast, 0},
    {"CastLike", cast_like, 1},
    {"Concat", concat, 0},
    {"ConstantOfShape", constant_of_shape, 0},
    {"Expand", expand, 1},
    {"Gather", gather, 0},
    {"Identity", tpad_fold_same, 0},
    {"If", branches, 0},
    {"Range", range, 0},
    {"Reshape", reshape, 1},
    {"Scatter", scatter, 0},
    {"ScatterElements", scatter, 0},
    {"Shape", shape_of, 0},
    {"Size", size_of, 0},
    {"Slice", slice, 0},
    {"Split", split, 0},
    {"Squeeze", squeeze, 13},
    {"Tile", tile, 1},
    {"Transpose", transpose, 0},
    {"Unsqueeze", unsqueeze, 13},
    {"Where", tpad_fold_where, 0},
    {"Flatten", flatten, 1},
    /* two inputs */
    {"Add", binary, OF_ADD},
    {"Sub", binary, OF_SUB},
    {"Mul", binary, OF_MUL},
    {"Div", binary, OF_DIV},
    {"Mod", mod, OF_MOD_FLOOR},
    {"And", binary, OF_AND},
    {"Or", binary, OF_OR},
    {"Xor", binary, OF_XOR},
    {"Equal", binary, OF_EQUAL},
    {"Less", binary, OF_LESS},
    {"LessOrEqual", binary, OF_LESS_OR_EQUAL},
    {"Greater", binary, OF_GREATER},
    {"GreaterOrEqual", binary, OF_GREATER_OR_EQUAL},
    {"Pow", tpad_onnx_pow, 0},
    {"BitShift", binary, OF_OTHER},
    {"BitwiseAnd", binary, OF_OTHER},
    {"BitwiseOr", binary, OF_OTHER},
    {"BitwiseXor", binary, OF_OTHER},
    /* any number of inputs */
    {"Max", tpad_fold_variadic, OF_MAX},
    {"Min", tpad_fold_variadic, OF_MIN},
    {"Sum", tpad_fold_variadic, OF_ADD},
    {"Mean", tpad_fold_variadic, OF_OTHER},
    /* one input, or the shape of the first */
    {"Abs", tpad_fold_unary, OF_ABS},
    {"Ceil", tpad_fold_unary, OF_CEIL},
    {"Floor", tpad_fold_unary, OF_FLOOR},
    {"Neg", tpad_fold_unary, OF_NEG},
    {"Not", tpad_fold_unary, OF_NOT},
    {"Acos", tpad_fold_unary, OF_OTHER},
    {"Acosh", tpad_fold_unary, OF_OTHER},
    {"Asin", tpad_fold_unary, OF_OTHER},
    {"Asinh", tpad_fold_unary, OF_OTHER},
    {"Atan", tpad_fold_unary, OF_OTHER},
    {"Atanh", tpad_fold_unary, OF_OTHER},
    {"BatchNormalization", tpad_fold_unary, OF_OTHER},
    {"BitwiseNot", tpad_fold_unary, OF_OTHER},
    {"Celu", tpad_fold_unary, OF_OTHER},
    {"Clip", clip, 1},
    {"Cos", tpad_fold_unary, OF_OTHER},
    {"Cosh", tpad_fold_unary, OF_OTHER},
    {"CumSum", tpad_onnx_cum_sum, 1},
    {"Dropout", tpad_fold_unary, OF_OTHER},
    {"Elu", tpad_fold_unary, OF_OTHER},
    {"Erf", tpad_fold_unary, OF_OTHER},
    {"Exp", tpad_fold_unary, OF_OTHER},
    {"Gelu", tpad_fold_unary, OF_OTHER},
    {"GroupNormalization", tpad_fold_unary, OF_OTHER},
    {"HardSigmoid", tpad_fold_unary, OF_OTHER},
    {"HardSwish", tpad_fold_unary, OF_OTHER},
    {"Hardmax", tpad_fold_unary, OF_OTHER},
    {"InstanceNormalization", tpad_fold_unary, OF_OTHER},
    {"LRN", tpad_fold_unary, OF_OTHER},
    {"LayerNormalization", tpad_fold_unary, OF_OTHER},
    {"LeakyRelu", tpad_fold_unary, OF_OTHER},
    {"Log", tpad_fold_unary, OF_OTHER},
    {"LogSoftmax", tpad_fold_unary, OF_OTHER},
    {"LpNormalization", tpad_fold_unary, OF_OTHER},
    {"MeanVarianceNormalization", tpad_fold_unary, OF_OTHER},
    {"Mish", tpad_fold_unary, OF_OTHER},
    {"PRelu", tpad_fold_unary, OF_OTHER},
    {"RMSNormalization", tpad_fold_unary, OF_OTHER},
    {"Reciprocal", tpad_fold_unary, OF_RECIPROCAL},
    {"Relu", tpad_fold_unary, OF_RELU},
    {"ReverseSequence", tpad_fold_unary, OF_OTHER},
    {"Round", tpad_fold_unary, OF_ROUND},
    {"ScatterND", tpad_onnx_scatter_nd, 1},
    {"Selu", tpad_fold_unary, OF_OTHER},
    {"Shrink", tpad_fold_unary, OF_OTHER},
    {"Sigmoid", tpad_fold_unary, OF_OTHER},
    {"Sign", tpad_fold_unary, OF_SIGN},
    {"Sin", tpad_fold_unary, OF_OTHER},
    {"Sinh", tpad_fold_unary, OF_OTHER},
    {"Softmax", tpad_fold_unary, OF_OTHER},
    {"Softplus", tpad_fold_unary, OF_OTHER},
    {"Softsign", tpad_fold_unary, OF_OTHER},
    {"Sqrt", tpad_fold_unary, OF_SQRT},
    {"Swish", tpad_fold_unary, OF_OTHER},
    {"Tan", tpad_fold_unary, OF_OTHER},
    {"Tanh", tpad_fold_unary, OF_OTHER},
    {"ThresholdedRelu", tpad_fold_unary, OF_OTHER},
    {"Trilu", tpad_onnx_trilu, 1},
    {"DequantizeLinear", tpad_fold_dequantize, 1},
    {"QuantizeLinear", type_of_input, 2},
    {"IsInf", fixed_type, TPAD_ONNX_BOOL},
    {"IsNaN", fixed_type, TPAD_ONNX_BOOL},
    {"GatherElements", tpad_onnx_gather_elements, 1},
    /* over axes */
    {"ReduceSum", reduce, OF_ADD},
    {"ReduceProd", reduce, OF_MUL},
    {"ReduceMin", reduce, OF_MIN},
    {"ReduceMax", reduce, OF_MAX},
    {"ReduceL1", reduce, OF_OTHER},
    {"ReduceL2", reduce, OF_OTHER},
    {"ReduceLogSum", reduce, OF_OTHER},
    {"ReduceLogSumExp", reduce, OF_OTHER},
    {"ReduceMean", reduce, OF_OTHER},
    {"ReduceSumSquare", reduce, OF_OTHER},
    {"ArgMax", arg_reduce, OF_OTHER},
    {"ArgMin", arg_reduce, OF_OTHER},
    /* layers */
    {"Conv", tpad_onnx_conv, 1},
    {"DeformConv", tpad_onnx_conv, 1},
    {"ConvTranspose", tpad_onnx_conv_transpose, 0},
    {"AveragePool", tpad_onnx_pool, 0},
    {"LpPool", tpad_onnx_pool, 0},
    {"MaxPool", tpad_onnx_pool, 0},
    {"GlobalAveragePool", tpad_onnx_global_pool, 0},
    {"GlobalLpPool", tpad_onnx_global_pool, 0},
    {"GlobalMaxPool", tpad_onnx_global_pool, 0},
    {"MatMul", tpad_onnx_matmul_elements, 0},
    {"Gemm", tpad_onnx_gemm, 0},
    {"Resize", tpad_onnx_resize, 0},
    {"Upsample", tpad_onnx_resize, 1},
    {"DepthToSpace", tpad_onnx_blocks, 1},
    {"SpaceToDepth", tpad_onnx_blocks, 0},
    {"LSTM", tpad_onnx_recurrent, 4},
    {"GRU", tpad_onnx_recurrent, 3},
    {"RNN", tpad_onnx_recurrent, 1},
    {"Pad", tpad_onnx_pad_shape, 0},
    {"Einsum", tpad_onnx_einsum, 0},
    /* quantised layers */
    {"ConvInteger", tpad_onnx_integer_conv, TPAD_ONNX_INT32},
    {"QLinearConv", tpad_onnx_integer_conv, 0},
    {"MatMulInteger", tpad_onnx_integer_matmul, TPAD_ONNX_INT32},
    {"QLinearMatMul", tpad_onnx_integer_matmul, 0},
    {"DynamicQuantizeLinear", tpad_onnx_quantize, TPAD_ONNX_UINT8},
    /* sampling */
    {"AffineGrid", tpad_onnx_affine_grid, 0},
    {"CenterCropPad", tpad_onnx_center_crop_pad, 0},
    {"Col2Im", tpad_onnx_col2im, 0},
    {"GridSample", tpad_onnx_grid_sample, 0},
    {"MaxRoiPool", tpad_onnx_roi_pool, 0},
    {"RoiAlign", tpad_onnx_roi_align, 0},
    /* choosing, counting, drawing */
    {"Bernoulli", tpad_onnx_like, 0},
    {"Compress", tpad_onnx_compress, 0},
    {"DFT", tpad_onnx_dft, 1},
    {"Det", tpad_onnx_det, 2},
    {"EyeLike", tpad_onnx_like, 0},
    {"GatherND", tpad_onnx_gather_nd_elements, 1},
    {"NonMaxSuppression", tpad_onnx_boxes, 3},
    {"NonZero", tpad_onnx_non_zero_elements, 0},
    {"OneHot", tpad_onnx_one_hot_elements, 1},
    {"RandomNormal", tpad_onnx_random, TPAD_ONNX_FLOAT},
    {"RandomNormalLike", tpad_onnx_like, 0},
    {"RandomUniform", tpad_onnx_random, TPAD_ONNX_FLOAT},
    {"RandomUniformLike", tpad_onnx_like, 0},
    {"TopK", tpad_onnx_top_k_elements, 1},
    {"Unique", tpad_onnx_unique, 0},
    /* sequences */
    {"ConcatFromSequence", tpad_onnx_sequence_concat, 0},
    {"SequenceAt", tpad_onnx_sequence_at, 1},
    {"SequenceLength", tpad_onnx_sequence_length, 0},
};

/* Operators of ONNX Runtime's own domain. */
static const tpad_operator runtimes_table[] = {
    {"Gelu", tpad_fold_unary, OF_OTHER},
    {"QuickGelu", tpad_fold_unary, OF_OTHER},
    {"FastGelu", tpad_fold_unary, OF_OTHER},
    {"QLinearAdd", tpad_onnx_quantized_pair, 3},
    {"QLinearMul", tpad_onnx_quantized_pair, 3},
    {"QLinearConcat", tpad_onnx_quantized_concat, 2},
    {"QLinearGlobalAveragePool", tpad_onnx_quantized_global_pool, 0},
    {"QLinearLeakyRelu", tpad_fold_unary, OF_OTHER},
    {"QLinearSigmoid", tpad_fold_unary, OF_OTHER},
    {"QLinearSoftmax", tpad_fold_unary, OF_OTHER},
    {"DequantizeLinear", type_of_input, 1},
    {"QuantizeLinear", type_of_input, 2},
};

/* Without an opset, the version of a node is unknown. */
const tpad_operator *tpad_onnx_operator(const tpad_graph *graph, const tpad_node *node)
{
    const int32_t is_own = tpad_string_is(node->domain, "com.microsoft");
    const tpad_operator *lines = is_own ? runtimes_table : table;
    const size_t count =
        is_own ? sizeof runtimes_table / sizeof *runtimes_table : sizeof table / sizeof *table;
    if (graph->opset < 1) return NULL;
    if (!is_own && !tpad_string_is(node->domain, "") && !tpad_string_is(node->domain, "ai.onnx"))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (tpad_string_is(node->op_type, lines[i].name)) return &lines[i];
    return NULL;
}
