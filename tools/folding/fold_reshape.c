/* Operators that give the same elements another shape.  SPDX-License-Identifier: MIT */
#include "fold.h"

/* Gives the first input's elements a shape, if they still are as many. */
static void give(tpad_fold *fold, tpad_inferred *out, const tpad_inferred *in)
{
    tpad_inferred_put(out, in->elements, in->element_count);
    tpad_fold_give(fold, 0, out);
}

/* The input's elements divided by those of the output's known axes: the extent of the one axis that
 * is left; -1 if unknown. Extents that are copied are on both sides and count on neither. */
static int64_t left_over(const tpad_inferred *in, const tpad_inferred *out, const uint8_t *copied,
                         int32_t except)
{
    int64_t all = 1, others = 1;
    for (int32_t i = 0; i < in->rank; i++)
        if (!copied[i] && (in->shape[i] < 0 || __builtin_mul_overflow(all, in->shape[i], &all)))
            return -1;
    for (int32_t i = 0; i < out->rank; i++)
        if (i != except && !copied[i] &&
            (out->shape[i] < 0 || __builtin_mul_overflow(others, out->shape[i], &others)))
            return -1;
    /* A copied extent of 0 leaves the last one open. */
    for (int32_t i = 0; i < in->rank; i++)
        if (copied[i] && in->shape[i] == 0) return -1;
    return others > 0 && all % others == 0 ? all / others : -1;
}

void tpad_fold_reshape(tpad_fold *fold, const tpad_fold_list *target, int32_t zero_is_zero)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = tpad_inferred_none(in.type);
    uint8_t copied[TPAD_MAX_RANK] = {0};
    int32_t open = 0, open_axis = -1;
    if (target->count < 0 || target->count > TPAD_MAX_RANK) {
        tpad_fold_give(fold, 0, &out);
        return;
    }
    out.rank = target->count;
    for (int32_t i = 0; i < out.rank; i++) {
        const int64_t entry = target->known[i] ? target->items[i] : -1;
        out.shape[i] = entry;
        if (entry == 0 && !zero_is_zero) {
            copied[i] = i < in.rank;
            out.shape[i] = i < in.rank ? in.shape[i] : -1;
        } else if (entry < 0) {
            out.shape[i] = -1;
            open++;
            open_axis = i;
        }
    }
    if (open == 1 && in.rank >= 0) out.shape[open_axis] = left_over(&in, &out, copied, open_axis);
    give(fold, &out, &in);
}

/* Marks axes of that rank; 0 if one is unknown, missing or listed twice. */
static int32_t mark(uint8_t *marked, const tpad_fold_list *axes, int32_t rank)
{
    for (int32_t i = 0; i < axes->count; i++) {
        const int32_t at = axes->known[i] ? tpad_axis_from_front(axes->items[i], rank) : -1;
        if (at < 0 || marked[at]) return 0;
        marked[at] = 1;
    }
    return axes->count >= 0;
}

void tpad_fold_squeeze(tpad_fold *fold, const tpad_fold_list *axes)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = tpad_inferred_none(in.type);
    uint8_t marked[TPAD_MAX_RANK] = {0};
    /* An empty list of axes is all axes of extent 1 to runtimes, and none to NumPy. */
    int32_t sure = in.rank >= 0 && (!axes || axes->count > 0);
    if (sure && axes) sure = mark(marked, axes, in.rank);
    for (int32_t i = 0; i < in.rank && !axes; i++) {
        marked[i] = in.shape[i] == 1;
        sure = sure && in.shape[i] >= 0;
    }
    for (int32_t i = 0; i < in.rank; i++)
        if (marked[i] && in.shape[i] >= 0 && in.shape[i] != 1) sure = 0;
    if (sure) out.rank = 0;
    for (int32_t i = 0; sure && i < in.rank; i++)
        if (!marked[i]) out.shape[out.rank++] = in.shape[i];
    give(fold, &out, &in);
}

void tpad_fold_unsqueeze(tpad_fold *fold, const tpad_fold_list *axes)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = tpad_inferred_none(in.type);
    uint8_t marked[TPAD_MAX_RANK] = {0};
    const int32_t rank = in.rank + axes->count;
    if (in.rank >= 0 && axes->count >= 0 && rank <= TPAD_MAX_RANK && mark(marked, axes, rank)) {
        out.rank = rank;
        for (int32_t i = 0, from = 0; i < rank; i++)
            out.shape[i] = marked[i] ? 1 : in.shape[from++];
    }
    give(fold, &out, &in);
}

void tpad_fold_flatten(tpad_fold *fold, int64_t axis)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = {.type = in.type, .rank = 2, .shape = {-1, -1}};
    const int32_t at = axis == in.rank ? in.rank : tpad_axis_from_front(axis, in.rank);
    if (at >= 0) {
        tpad_inferred side = tpad_inferred_none(0);
        side.rank = at;
        for (int32_t i = 0; i < at; i++) side.shape[i] = in.shape[i];
        out.shape[0] = tpad_inferred_count(&side);
        side.rank = in.rank - at;
        for (int32_t i = 0; i < side.rank; i++) side.shape[i] = in.shape[at + i];
        out.shape[1] = tpad_inferred_count(&side);
    }
    give(fold, &out, &in);
}
