/* Where layers of ONNX have their arguments.  SPDX-License-Identifier: MIT
 *
 * What shapes follow is in tools/folding/fold_layers.c. */
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
    const int32_t found = tpad_fold_ints(fold, name, all);
    fill(list, count, absent);
    if (found < 0) return 0;
    if (found != count) {
        fold->unsure = 1;
        return 0;
    }
    for (int32_t i = 0; i < count; i++) list[i] = all[i];
    return 1;
}

/* axes: how many axes windows have, at most TPAD_MAX_RANK. */
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

/* The weights, input `input`, say how large windows are where the attribute does not. */
static int64_t take_weights(tpad_window *window, const tpad_fold *fold, int32_t input,
                            int32_t channel_axis)
{
    const tpad_inferred weights = tpad_fold_in(fold, input);
    if (weights.rank != window->axes + 2) return -1;
    for (int32_t i = 0; i < window->axes; i++)
        if (window->kernel[i] < 0) window->kernel[i] = weights.shape[i + 2];
    return weights.shape[channel_axis];
}

/* How many axes the windows on the first input have; -1 if unknown. */
static int32_t window_axes(const tpad_fold *fold, int32_t weights)
{
    const int32_t rank = tpad_fold_in(fold, 0).rank, other = tpad_fold_in(fold, weights).rank;
    return rank >= 2 ? rank - 2 : other >= 2 ? other - 2 : -1;
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

/* stride * (extent - 1) + output_padding + reach - pads, in 64 bits; -1 if unknown. */
static int64_t widened(const tpad_window *window, int32_t axis, int64_t extent, int64_t extra)
{
    int64_t out, reach;
    if (extent < 1 || window->kernel[axis] < 1 ||
        __builtin_mul_overflow(extent - 1, window->stride[axis], &out) ||
        __builtin_mul_overflow(window->kernel[axis] - 1, window->dilation[axis], &reach) ||
        __builtin_add_overflow(out, reach, &out) || __builtin_add_overflow(out, 1, &out) ||
        __builtin_add_overflow(out, extra, &out) ||
        __builtin_sub_overflow(out, window->before[axis], &out) ||
        __builtin_sub_overflow(out, window->after[axis], &out))
        return -1;
    return out < 0 ? -1 : out;
}

void tpad_onnx_conv_transpose(tpad_fold *fold, int32_t argument)
{
    tpad_window window;
    int64_t extra[TPAD_MAX_RANK], fixed[TPAD_MAX_RANK];
    const int32_t axes = window_axes(fold, 1);
    tpad_inferred out = tpad_fold_in(fold, 0);
    (void)argument;
    if (axes < 0 || out.rank != axes + 2) return;
    take_window(&window, fold, axes);
    take(fold, "output_padding", extra, axes, 0);
    const int64_t group = tpad_fold_int(fold, "group", 1);
    const int64_t channels = take_weights(&window, fold, 1, 1);
    const int32_t is_fixed = take(fold, "output_shape", fixed, axes, -1);
    if (channels < 0 || __builtin_mul_overflow(channels, group, &out.shape[1])) out.shape[1] = -1;
    for (int32_t i = 0; i < axes; i++)
        out.shape[i + 2] = is_fixed      ? fixed[i]
                           : window.same ? -1
                                         : widened(&window, i, out.shape[i + 2], extra[i]);
    tpad_fold_give(fold, 0, &out);
}

/* ---- Products of matrices -------------------------------------------------------------------- */

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

/* Outputs: every step [steps, directions, batch, hidden], and the last one(s) without steps. */
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

/* For bodies of functions: the Pad nodes that inspect lists are worked out by the dialect. Amounts
 * below zero are left to it. */
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
