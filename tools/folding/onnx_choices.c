/* The shapes of ONNX's operators that choose, count or draw elements.  SPDX-License-Identifier: MIT */
#include "onnx_layers.h"

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

/* Inputs: indices, how many classes, the two values. */
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

/* Without an axis, the elements that are kept come as a list. */
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

/* Boxes that are kept, three numbers for each. */
void tpad_onnx_boxes(tpad_fold *fold, int32_t numbers)
{
    const tpad_inferred out = {TPAD_ONNX_INT64, 2, {-1, numbers}, NULL, 0};
    tpad_fold_give(fold, 0, &out);
}

/* The last axis of the indices is a place in the data, behind the axes that both share. */
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

/* The type that the attribute `dtype` says; 0 for numbers that are none. */
static int32_t asked_type(tpad_fold *fold, int32_t absent)
{
    const int64_t asked = tpad_fold_int(fold, "dtype", absent);
    return asked > 0 && asked <= INT32_MAX && tpad_onnx_type_name((int32_t)asked) ? (int32_t)asked
                                                                                  : 0;
}

/* Random numbers like a tensor: its shape, and the type that the attribute says or its own. */
void tpad_onnx_like(tpad_fold *fold, int32_t argument)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    (void)argument;
    out.type = asked_type(fold, out.type);
    tpad_fold_give(fold, 0, &out);
}

/* Random numbers of the shape that the attribute says. */
void tpad_onnx_random(tpad_fold *fold, int32_t type)
{
    tpad_fold_list shape;
    const tpad_element unknown = {.known = 0};
    const int32_t asked = asked_type(fold, type);
    if (tpad_fold_list_attribute(&shape, fold, "shape"))
        tpad_fold_fill(fold, &shape, asked, unknown);
}

/* One axis is transformed; the last one then has the real and the imaginary part. */
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
        if (half && back) extent = -1; /* documents differ */
        out.shape[axis] = half && extent >= 0 ? extent / 2 + 1 : extent;
        out.shape[out.rank - 1] = half && back ? -1 : 2;
    } else {
        for (int32_t i = 0; i < out.rank; i++) out.shape[i] = -1;
    }
    tpad_fold_give(fold, 0, &out);
}
