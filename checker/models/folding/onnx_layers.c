/* Reads the attributes and inputs of ONNX layers (Conv, pools, ...).  SPDX-License-Identifier: MIT
 *
 * fold_arithmetic.c computes the shapes. */
#include <string.h>

#include "onnx_layers.h"

/* ---- Windows --------------------------------------------------------------------------------- */

static void fill(int64_t *list, int32_t count, int64_t value)
{
    for (int32_t i = 0; i < count; i++) list[i] = value;
}

/* A list attribute of `count` entries, at most FOLD_LIST; other counts make the fold unsure. */
static int32_t take(tpad_fold *fold, const char *name, int64_t *list, int32_t count, int64_t absent)
{
    int64_t all[FOLD_LIST];
    const int32_t given = tpad_fold_ints(fold, name, all);
    fill(list, count, absent);
    if (given < 0) return 0;
    if (given != count) {
        fold->unsure = 1;
        return 0;
    }
    for (int32_t i = 0; i < count; i++) list[i] = all[i];
    return 1;
}

/* axes: the number of axes of a window, at most TPAD_MAX_RANK. */
static void take_window(tpad_window *window, tpad_fold *fold, int32_t axes)
{
    int64_t pads[2 * TPAD_MAX_RANK];
    window->axes = axes;
    take(fold, "kernel_shape", window->kernel, axes, -1);
    take(fold, "strides", window->stride, axes, 1);
    take(fold, "dilations", window->dilation, axes, 1);
    take(fold, "pads", pads, 2 * axes, 0);
    window->same = tpad_fold_word(fold, "auto_pad", "SAME_UPPER", 0) ||
                   tpad_fold_word(fold, "auto_pad", "SAME_LOWER", 0);
    window->upper = tpad_fold_int(fold, "ceil_mode", 0) != 0;
    for (int32_t i = 0; i < axes; i++) {
        window->before[i] = pads[i];
        window->after[i] = pads[axes + i];
    }
}

/* Takes the kernel size from the weights (input `input`) if the attribute is missing. Returns the
 * extent of channel_axis. */
static int64_t take_weights(tpad_window *window, const tpad_fold *fold, int32_t input,
                            int32_t channel_axis)
{
    const tpad_inferred weights = tpad_fold_in(fold, input);
    if (weights.rank != window->axes + 2) return -1;
    for (int32_t i = 0; i < window->axes; i++)
        if (window->kernel[i] < 0) window->kernel[i] = weights.shape[i + 2];
    return weights.shape[channel_axis];
}

/* Number of spatial axes of the first input; -1 if unknown. */
static int32_t window_axes(const tpad_fold *fold, int32_t weights)
{
    const int32_t rank = tpad_fold_in(fold, 0).rank,
                  weights_rank = tpad_fold_in(fold, weights).rank;
    return rank >= 2 ? rank - 2 : weights_rank >= 2 ? weights_rank - 2 : -1;
}

void tpad_onnx_conv(tpad_fold *fold, int32_t weights)
{
    tpad_window window;
    const int32_t axes = window_axes(fold, weights);
    if (axes < 0) return;
    take_window(&window, fold, axes);
    const int64_t channels = take_weights(&window, fold, weights, 0);
    tpad_fold_window(fold, &window, channels);
}

void tpad_onnx_pool(tpad_fold *fold, int32_t argument)
{
    tpad_window window;
    const tpad_inferred in = tpad_fold_in(fold, 0);
    (void)argument;
    if (in.rank < 2) return;
    take_window(&window, fold, in.rank - 2);
    tpad_fold_window(fold, &window, in.shape[1]);
}

void tpad_onnx_global_pool(tpad_fold *fold, int32_t argument)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    (void)argument;
    for (int32_t i = 2; i < out.rank; i++) out.shape[i] = 1;
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_conv_transpose(tpad_fold *fold, int32_t argument)
{
    tpad_window window;
    int64_t extra[TPAD_MAX_RANK], fixed[TPAD_MAX_RANK];
    const int32_t axes = window_axes(fold, 1);
    (void)argument;
    if (axes < 0) return;
    take_window(&window, fold, axes);
    take(fold, "output_padding", extra, axes, 0);
    const int64_t group = tpad_fold_int(fold, "group", 1);
    int64_t channels = take_weights(&window, fold, 1, 1);
    const int32_t is_fixed = take(fold, "output_shape", fixed, axes, -1);
    if (channels < 0 || __builtin_mul_overflow(channels, group, &channels)) channels = -1;
    tpad_fold_window_back(fold, &window, channels, extra, is_fixed ? fixed : NULL);
}

/* ---- Matrix products ------------------------------------------------------------------------- */

void tpad_onnx_matmul(tpad_fold *fold, int32_t transposed)
{
    tpad_fold_matmul(fold, 1, transposed, transposed);
}

void tpad_onnx_gemm(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    if (tpad_fold_in(fold, 0).rank == 2 && tpad_fold_in(fold, 1).rank == 2)
        tpad_fold_matmul(fold, 1, tpad_fold_int(fold, "transA", 0) != 0,
                         tpad_fold_int(fold, "transB", 0) != 0);
}

/* ---- Recurrent layers ------------------------------------------------------------------------ */

/* Outputs: all steps [steps, directions, batch, hidden], and the last state(s) without steps. */
void tpad_onnx_recurrent(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred in = tpad_fold_in(fold, 0), weights = tpad_fold_in(fold, 2);
    const int64_t hidden =
        tpad_fold_int(fold, "hidden_size", weights.rank == 3 ? weights.shape[2] : -1);
    const int32_t both = tpad_fold_word(fold, "direction", "bidirectional", 0);
    (void)argument;
    if (in.rank != 3 || tpad_fold_int(fold, "layout", 0) != 0) return;
    const tpad_inferred every = {in.type, 4, {in.shape[0], 1 + both, in.shape[1], hidden}, NULL, 0};
    const tpad_inferred last = {in.type, 3, {1 + both, in.shape[1], hidden}, NULL, 0};
    tpad_fold_give(fold, 0, &every);
    tpad_fold_give(fold, 1, &last);
    tpad_fold_give(fold, 2, &last);
}

/* ---- Pad ------------------------------------------------------------------------------------- */

/* For function bodies: src/specs computes the Pad nodes that `inspect` lists. Amounts below zero
 * are left to it. */
void tpad_onnx_pad_shape(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list pads, axes;
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t some = fold->opset >= 18 && tpad_fold_list_in(&axes, fold, 3);
    (void)argument;
    if (fold->opset >= 11)
        tpad_fold_list_in(&pads, fold, 1);
    else
        tpad_fold_list_attribute(&pads, fold, fold->opset < 2 ? "paddings" : "pads");
    if (out.rank < 0) return;
    const int32_t wanted = some ? axes.count : out.rank;
    const int32_t sure = wanted >= 0 && pads.count == 2 * wanted;
    for (int32_t i = 0; i < out.rank && !sure; i++) out.shape[i] = -1;
    for (int32_t i = 0; i < wanted && sure; i++) {
        const int32_t at = !some           ? i
                           : axes.known[i] ? tpad_axis_from_front(axes.items[i], out.rank)
                                           : -1;
        if (at < 0) return;
        const int32_t known = pads.known[i] && pads.known[wanted + i] && out.shape[at] >= 0 &&
                              pads.items[i] >= 0 && pads.items[wanted + i] >= 0;
        if (!known || __builtin_add_overflow(out.shape[at], pads.items[i], &out.shape[at]) ||
            __builtin_add_overflow(out.shape[at], pads.items[wanted + i], &out.shape[at]))
            out.shape[at] = -1;
    }
    tpad_fold_give(fold, 0, &out);
}

/* Shapes of operators that select elements, count them, or generate random ones. */

/* Outputs: the largest elements, and where they are. */
void tpad_onnx_top_k(tpad_fold *fold, int32_t input)
{
    tpad_fold_list count = {.count = -1};
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t axis = tpad_axis_from_front(tpad_fold_int(fold, "axis", -1), out.rank);
    int64_t k = -1;
    if (fold->opset < 10)
        k = tpad_fold_int(fold, "k", -1);
    else if (tpad_fold_list_in(&count, fold, input) && count.count == 1 && count.known[0])
        k = count.items[0];
    if (axis < 0)
        out.rank = -1;
    else
        out.shape[axis] = k >= 0 ? k : -1;
    tpad_fold_give(fold, 0, &out);
    out.type = TPAD_ONNX_INT64;
    tpad_fold_give(fold, 1, &out);
}

/* Inputs: indices, the number of classes, the two values. */
void tpad_onnx_one_hot(tpad_fold *fold, int32_t input)
{
    tpad_fold_list depth;
    const tpad_inferred in = tpad_fold_in(fold, 0);
    tpad_inferred out = tpad_inferred_none(tpad_fold_in(fold, 2).type);
    const int32_t axis = in.rank < 0 || in.rank == TPAD_MAX_RANK
                             ? -1
                             : tpad_axis_from_front(tpad_fold_int(fold, "axis", -1), in.rank + 1);
    tpad_fold_list_in(&depth, fold, input);
    if (axis >= 0) {
        out.rank = in.rank + 1;
        for (int32_t i = 0; i < out.rank; i++)
            if (i != axis) out.shape[i] = in.shape[i - (i > axis)];
        out.shape[axis] =
            depth.count == 1 && depth.known[0] && depth.items[0] >= 0 ? depth.items[0] : -1;
    }
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_non_zero(tpad_fold *fold, int32_t argument)
{
    const int32_t rank = tpad_fold_in(fold, 0).rank;
    const tpad_inferred out = {TPAD_ONNX_INT64, 2, {rank > 0 ? rank : -1, -1}, NULL, 0};
    (void)argument;
    tpad_fold_give(fold, 0, &out);
}

/* Without an axis, the kept elements are a list. */
void tpad_onnx_compress(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred in = tpad_fold_in(fold, 0);
    tpad_inferred out = tpad_inferred_vector(in.type, -1);
    const int64_t none = INT64_MIN, asked = tpad_fold_int(fold, "axis", none);
    const int32_t axis = asked == none ? -1 : tpad_axis_from_front(asked, in.rank);
    (void)argument;
    if (asked != none) out = in;
    if (asked != none && axis < 0) out.rank = -1;
    if (axis >= 0) out.shape[axis] = -1;
    tpad_fold_give(fold, 0, &out);
}

/* The kept boxes, with `numbers` numbers each. */
void tpad_onnx_boxes(tpad_fold *fold, int32_t numbers)
{
    const tpad_inferred out = {TPAD_ONNX_INT64, 2, {-1, numbers}, NULL, 0};
    tpad_fold_give(fold, 0, &out);
}

/* The last axis of the indices is a place in the data, after the batch axes of both. */
void tpad_onnx_gather_nd(tpad_fold *fold, int32_t input)
{
    const tpad_inferred in = tpad_fold_in(fold, 0), at = tpad_fold_in(fold, input);
    tpad_inferred out = tpad_inferred_none(in.type);
    const int64_t shared = tpad_fold_int(fold, "batch_dims", 0);
    const int64_t place = at.rank > 0 ? at.shape[at.rank - 1] : -1;
    if (in.rank >= 0 && place >= 0 && shared >= 0 && shared < at.rank && shared < in.rank &&
        place <= in.rank - shared && at.rank - 1 + in.rank - shared - place <= TPAD_MAX_RANK) {
        out.rank = 0;
        for (int32_t i = 0; i < at.rank - 1; i++) out.shape[out.rank++] = at.shape[i];
        for (int64_t i = shared + place; i < in.rank; i++) out.shape[out.rank++] = in.shape[i];
    }
    tpad_fold_give(fold, 0, &out);
}

/* The determinants of the last two axes. */
void tpad_onnx_det(tpad_fold *fold, int32_t axes)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    out.rank = out.rank >= axes ? out.rank - axes : -1;
    tpad_fold_give(fold, 0, &out);
}

/* The type of the attribute `dtype`; 0 for numbers that are not types. */
static int32_t asked_type(tpad_fold *fold, int32_t absent)
{
    const int64_t asked = tpad_fold_int(fold, "dtype", absent);
    return asked > 0 && asked <= INT32_MAX && tpad_onnx_type_name((int32_t)asked) ? (int32_t)asked
                                                                                  : 0;
}

/* Random numbers like a tensor: its shape, and the attribute's type or its own. */
void tpad_onnx_like(tpad_fold *fold, int32_t argument)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    (void)argument;
    out.type = asked_type(fold, out.type);
    tpad_fold_give(fold, 0, &out);
}

/* Random numbers with the attribute's shape. */
void tpad_onnx_random(tpad_fold *fold, int32_t type)
{
    tpad_fold_list shape;
    const tpad_element unknown = {.known = 0};
    const int32_t asked = asked_type(fold, type);
    if (tpad_fold_list_attribute(&shape, fold, "shape"))
        tpad_fold_fill(fold, &shape, asked, unknown);
}

/* One axis is transformed; the last axis holds the real and the imaginary part. */
void tpad_onnx_dft(tpad_fold *fold, int32_t input)
{
    tpad_fold_list length, place;
    tpad_inferred out = tpad_fold_in(fold, 0);
    int64_t asked = fold->opset < 20 ? tpad_fold_int(fold, "axis", 1) : -2;
    const int32_t half = tpad_fold_int(fold, "onesided", 0) != 0;
    const int32_t back = tpad_fold_int(fold, "inverse", 0) != 0;
    const int32_t has_length = tpad_fold_list_in(&length, fold, input);
    int32_t sure = out.rank >= 2;
    if (fold->opset >= 20 && tpad_fold_list_in(&place, fold, input + 1)) {
        sure = sure && place.count == 1 && place.known[0];
        asked = sure ? place.items[0] : 0;
    }
    const int32_t axis = sure ? tpad_axis_from_front(asked, out.rank) : -1;
    if (axis >= 0 && axis < out.rank - 1) {
        int64_t extent = out.shape[axis];
        if (has_length)
            extent =
                length.count == 1 && length.known[0] && length.items[0] >= 0 ? length.items[0] : -1;
        if (half && back) extent = -1; /* the documents differ */
        out.shape[axis] = half && extent >= 0 ? extent / 2 + 1 : extent;
        out.shape[out.rank - 1] = half && back ? -1 : 2;
    } else {
        for (int32_t i = 0; i < out.rank; i++) out.shape[i] = -1;
    }
    tpad_fold_give(fold, 0, &out);
}

/* Shapes of ONNX's operators that sample images: Resize and the like, grids, regions, blocks. */

/* The factor of every axis, from an input or the attribute of Upsample 7. */
static int32_t take_scales(tpad_fold *fold, int32_t input, double *scales)
{
    const tpad_inferred in = tpad_fold_value(fold, input);
    const int64_t count = tpad_inferred_count(&in);
    if (input == 0) return tpad_fold_reals(fold, "scales", scales);
    if (!in.elements || in.rank != 1 || count > FOLD_LIST || !tpad_type_is_real(in.type)) return -1;
    for (int64_t i = 0; i < count; i++) {
        if (!tpad_inferred_at(&in, i).known) return -1;
        scales[i] = tpad_inferred_at(&in, i).real;
    }
    return (int32_t)count;
}

/* upsample: 1 for Upsample, 0 for Resize. Resize has sizes, the output's extents, or scales, which
 * are factors. */
void tpad_onnx_resize(tpad_fold *fold, int32_t upsample)
{
    tpad_fold_list sizes, axes;
    double scales[FOLD_LIST];
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t newer = !upsample && fold->opset >= 11;
    const int32_t some = newer && tpad_fold_list_attribute(&axes, fold, "axes");
    const int32_t by_size = newer && tpad_fold_list_in(&sizes, fold, 3);
    const int32_t stretch =
        tpad_fold_word(fold, "keep_aspect_ratio_policy", "stretch", 1) &&
        !tpad_fold_word(fold, "coordinate_transformation_mode", "tf_crop_and_resize", 0);
    const int32_t scale_input = newer ? 2 : upsample && fold->opset < 9 ? 0 : 1;
    if (out.rank < 0) return;
    const int32_t wanted = some ? axes.count : out.rank;
    const int32_t count = by_size ? sizes.count : take_scales(fold, scale_input, scales);
    const int32_t sure = stretch && count == wanted;
    for (int32_t i = 0; i < out.rank && !sure; i++) out.shape[i] = -1;
    for (int32_t i = 0; i < wanted && sure; i++) {
        const int32_t at = some ? tpad_axis_from_front(axes.items[i], out.rank) : i;
        if (at < 0) return;
        out.shape[at] = by_size ? tpad_fold_list_extent(fold, &sizes, i)
                                : tpad_fold_scale(fold, out.shape[at], scales[i]);
    }
    tpad_fold_give(fold, 0, &out);
}

/* to_space: 1 moves channels to space, 0 space to channels. */
void tpad_onnx_blocks(tpad_fold *fold, int32_t to_space)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int64_t block = tpad_fold_int(fold, "blocksize", 0);
    if (out.rank != 4 || block < 1 || block > 1 << 15) return;
    for (int32_t i = 1; i < 4; i++) {
        const int64_t factor = i == 1 ? block * block : block;
        int64_t extent = out.shape[i];
        const int32_t divide = (i == 1) == to_space;
        if (extent < 0 || (divide && extent % factor != 0) ||
            (!divide && __builtin_mul_overflow(extent, factor, &extent)))
            extent = -1;
        out.shape[i] = divide && extent >= 0 ? extent / factor : extent;
    }
    tpad_fold_give(fold, 0, &out);
}

/* The grid [N, H, W, 2], or [N, D, H, W, 3], has the source of each cell. */
void tpad_onnx_grid_sample(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred in = tpad_fold_in(fold, 0), grid = tpad_fold_in(fold, 1);
    tpad_inferred out = in;
    (void)argument;
    if (in.rank < 3 || grid.rank != in.rank) out.rank = -1;
    for (int32_t i = 2; i < out.rank; i++) out.shape[i] = grid.shape[i - 1];
    tpad_fold_give(fold, 0, &out);
}

/* Sizes [N, C, H, W] make a grid [N, H, W, 2]; [N, C, D, H, W] make [N, D, H, W, 3]. */
void tpad_onnx_affine_grid(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list sizes;
    tpad_inferred out = tpad_inferred_none(tpad_fold_in(fold, 0).type);
    (void)argument;
    tpad_fold_list_in(&sizes, fold, 1);
    if (sizes.count == 4 || sizes.count == 5) {
        out.rank = sizes.count;
        for (int32_t i = 0; i < out.rank - 1; i++) {
            const int32_t from = i == 0 ? 0 : i + 1;
            out.shape[i] = sizes.known[from] && sizes.items[from] >= 0 ? sizes.items[from] : -1;
        }
        out.shape[out.rank - 1] = out.rank - 2;
    }
    tpad_fold_give(fold, 0, &out);
}

/* An image of that size for each region. */
static void give_regions(tpad_fold *fold, int64_t rows, int64_t columns)
{
    const tpad_inferred in = tpad_fold_in(fold, 0), regions = tpad_fold_in(fold, 1);
    const tpad_inferred out = {.type = in.type,
                               .rank = 4,
                               .shape = {regions.rank == 2 ? regions.shape[0] : -1,
                                         in.rank == 4 ? in.shape[1] : -1, rows, columns}};
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_roi_align(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    give_regions(fold, tpad_fold_int(fold, "output_height", 1),
                 tpad_fold_int(fold, "output_width", 1));
}

void tpad_onnx_roi_pool(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list size;
    (void)argument;
    if (tpad_fold_list_attribute(&size, fold, "pooled_shape") && size.count == 2)
        give_regions(fold, size.items[0], size.items[1]);
}

/* [N, C * cells of a block, blocks] becomes [N, C, the image]. */
void tpad_onnx_col2im(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list image, block;
    const tpad_inferred in = tpad_fold_in(fold, 0);
    tpad_inferred out = tpad_inferred_none(in.type);
    int64_t cells = 1;
    (void)argument;
    tpad_fold_list_in(&image, fold, 1);
    tpad_fold_list_in(&block, fold, 2);
    if (in.rank == 3 && image.count >= 0 && image.count + 2 <= TPAD_MAX_RANK) {
        out.rank = image.count + 2;
        out.shape[0] = in.shape[0];
        for (int32_t i = 0; i < block.count; i++)
            if (!block.known[i] || block.items[i] < 1 ||
                __builtin_mul_overflow(cells, block.items[i], &cells))
                cells = -1;
        out.shape[1] = tpad_fold_list_complete(&block) && cells > 0 && in.shape[1] >= 0 &&
                               in.shape[1] % cells == 0
                           ? in.shape[1] / cells
                           : -1;
        for (int32_t i = 0; i < image.count; i++)
            out.shape[i + 2] = image.known[i] && image.items[i] >= 0 ? image.items[i] : -1;
    }
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_center_crop_pad(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list shape, axes;
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t some = tpad_fold_list_attribute(&axes, fold, "axes");
    (void)argument;
    tpad_fold_list_in(&shape, fold, 1);
    if (out.rank < 0) return;
    const int32_t wanted = some ? axes.count : out.rank;
    for (int32_t i = 0; i < out.rank && shape.count != wanted; i++) out.shape[i] = -1;
    for (int32_t i = 0; i < wanted && shape.count == wanted; i++) {
        const int32_t at = some ? tpad_axis_from_front(axes.items[i], out.rank) : i;
        if (at < 0) return;
        out.shape[at] = tpad_fold_list_extent(fold, &shape, i);
    }
    tpad_fold_give(fold, 0, &out);
}

/* ---- Quantised layers ------------------------------------------------------------------------ */

/* Of ONNX and of ONNX Runtime. Their inputs are those of the plain layers, each followed by a scale
 * and a zero point. */

/* Inputs of QLinearConv, QLinearMatMul and the like: the second operand, and the result's zero
 * point, which has the result's type. */
enum { SECOND = 3, ZERO_POINT = 7 };

static void give_type(tpad_fold *fold, int32_t output, int32_t type)
{
    const tpad_inferred only = tpad_inferred_none(type);
    tpad_fold_give(fold, output, &only);
}

/* type: of the result; 0: the zero point's. */
void tpad_onnx_integer_conv(tpad_fold *fold, int32_t type)
{
    tpad_onnx_conv(fold, type ? 1 : SECOND);
    give_type(fold, 0, type ? type : tpad_fold_in(fold, ZERO_POINT).type);
}

void tpad_onnx_integer_matmul(tpad_fold *fold, int32_t type)
{
    tpad_fold_matmul(fold, type ? 1 : SECOND, 0, 0);
    give_type(fold, 0, type ? type : tpad_fold_in(fold, ZERO_POINT).type);
}

/* Outputs: the numbers, their scale, their zero point. */
void tpad_onnx_quantize(tpad_fold *fold, int32_t type)
{
    tpad_inferred numbers = tpad_fold_in(fold, 0);
    const tpad_inferred scale = {.type = TPAD_ONNX_FLOAT}, zero = {.type = type};
    numbers.type = type;
    tpad_fold_give(fold, 0, &numbers);
    tpad_fold_give(fold, 1, &scale);
    tpad_fold_give(fold, 2, &zero);
}

/* QLinearAdd, QLinearMul. */
void tpad_onnx_quantized_pair(tpad_fold *fold, int32_t second)
{
    const tpad_inferred a = tpad_fold_in(fold, 0), b = tpad_fold_in(fold, second);
    const tpad_inferred out = tpad_fold_broadcast(&a, &b);
    tpad_fold_give(fold, 0, &out);
}

/* channels_last is an attribute of ONNX Runtime's pools. */
void tpad_onnx_quantized_global_pool(tpad_fold *fold, int32_t argument)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t last = tpad_fold_int(fold, "channels_last", 0) != 0;
    (void)argument;
    for (int32_t i = last ? 1 : 2; i < out.rank - last; i++) out.shape[i] = 1;
    tpad_fold_give(fold, 0, &out);
}

/* QLinearConcat: scale and zero point of the result, then three inputs for each part. */
void tpad_onnx_quantized_concat(tpad_fold *fold, int32_t first)
{
    tpad_inferred out = tpad_fold_in(fold, first);
    const int32_t axis = tpad_axis_from_front(tpad_fold_int(fold, "axis", 1), out.rank);
    for (int32_t i = first + 3; tpad_fold_has(fold, i); i += 3) {
        const tpad_inferred part = tpad_fold_in(fold, i);
        if (axis < 0 || part.rank != out.rank) {
            out.rank = -1;
            break;
        }
        for (int32_t k = 0; k < out.rank; k++) {
            const int64_t a = out.shape[k], b = part.shape[k];
            if (k != axis)
                out.shape[k] = a < 0 ? b : a;
            else if (a < 0 || b < 0 || __builtin_add_overflow(a, b, &out.shape[k]))
                out.shape[k] = -1;
        }
    }
    if (axis < 0) out.rank = -1;
    tpad_fold_give(fold, 0, &out);
}
