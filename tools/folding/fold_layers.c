/* Shapes that layers of networks give.  SPDX-License-Identifier: MIT
 *
 * Convolutions, pools, products of matrices, sums over axes, scaled images. Elements follow only
 * for the sums. */
#include "fold.h"
#include <math.h>

/* ---- Windows --------------------------------------------------------------------------------- */

int64_t tpad_window_count(const tpad_window *window, int32_t axis, int64_t extent)
{
    const int64_t stride = window->stride[axis], kernel = window->kernel[axis];
    int64_t room = extent, reach;
    if (extent < 0) { /* a longer axis has no fewer windows */
        const int64_t least = tpad_extent_least(extent);
        return least ? tpad_extent_from(tpad_window_count(window, axis, least)) : -1;
    }
    if (stride < 1) return -1;
    if (window->same) return extent / stride + (extent % stride != 0);
    if (kernel < 1 || __builtin_mul_overflow(kernel - 1, window->dilation[axis], &reach) ||
        __builtin_add_overflow(room, window->before[axis], &room) ||
        __builtin_add_overflow(room, window->after[axis], &room) ||
        __builtin_sub_overflow(room, reach, &room) || room < 1)
        return -1;
    /* Versions differ in whether a cut window counts if it begins in the padding. */
    if (window->upper && (room - 1) % stride != 0) return -1;
    return (room - 1) / stride + 1;
}

void tpad_fold_window(tpad_fold *fold, const tpad_window *window, int64_t channels)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    if (out.rank >= 0 && out.rank != window->axes + 2) out = tpad_inferred_none(out.type);
    if (out.rank >= 0) out.shape[1] = channels;
    for (int32_t i = 0; i + 2 < out.rank; i++)
        out.shape[i + 2] = tpad_window_count(window, i, out.shape[i + 2]);
    tpad_fold_give(fold, 0, &out);
}

/* ---- Products of matrices -------------------------------------------------------------------- */

static void turn(tpad_inferred *matrix)
{
    if (matrix->rank < 2) return;
    const int64_t rows = matrix->shape[matrix->rank - 2];
    matrix->shape[matrix->rank - 2] = matrix->shape[matrix->rank - 1];
    matrix->shape[matrix->rank - 1] = rows;
}

void tpad_fold_matmul(tpad_fold *fold, int32_t second, int32_t turn_a, int32_t turn_b)
{
    tpad_inferred a = tpad_fold_in(fold, 0), b = tpad_fold_in(fold, second);
    tpad_inferred out = tpad_inferred_none(a.type);
    if (a.rank < 1 || b.rank < 1) {
        tpad_fold_give(fold, 0, &out);
        return;
    }
    if (turn_a) turn(&a);
    if (turn_b) turn(&b);
    const int32_t rows = a.rank > 1, columns = b.rank > 1;
    const int64_t last[2] = {rows ? a.shape[a.rank - 2] : 0, columns ? b.shape[b.rank - 1] : 0};
    a.rank -= 1 + rows;
    b.rank -= 1 + columns;
    out = tpad_fold_broadcast(&a, &b);
    if (out.rank + rows + columns > TPAD_MAX_RANK) return;
    if (rows) out.shape[out.rank++] = last[0];
    if (columns) out.shape[out.rank++] = last[1];
    tpad_fold_give(fold, 0, &out);
}

/* ---- Over axes ------------------------------------------------------------------------------- */

/* Adds one element to what the others have given. */
static tpad_element accumulate(int32_t type, tpad_element so_far, tpad_element next,
                               int32_t operation)
{
    int64_t result = 0;
    int32_t over = 0;
    if (!so_far.known || !next.known) return (tpad_element){.known = 0};
    if (operation == OF_ADD) over = __builtin_add_overflow(so_far.integer, next.integer, &result);
    if (operation == OF_MUL) over = __builtin_mul_overflow(so_far.integer, next.integer, &result);
    if (operation == OF_MIN) result = so_far.integer < next.integer ? so_far.integer : next.integer;
    if (operation == OF_MAX) result = so_far.integer > next.integer ? so_far.integer : next.integer;
    return over ? (tpad_element){.known = 0} : tpad_element_integer(type, result);
}

static void reduce_elements(tpad_fold *fold, tpad_inferred *out, const uint8_t *reduced,
                            int32_t operation)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    const int64_t count = in.element_count;
    const int32_t can =
        operation == OF_ADD || operation == OF_MUL || operation == OF_MIN || operation == OF_MAX;
    uint8_t begun[FOLD_ELEMENTS] = {0};
    tpad_element *room = NULL;
    if (can && count > 0 && tpad_type_kind(in.type) == ELEM_SIGNED)
        room = tpad_fold_room(fold, out);
    for (int64_t i = 0; room && i < count; i++) {
        int64_t rest = i, at = 0, stride = 1;
        for (int32_t axis = in.rank - 1; axis >= 0; axis--) {
            const int64_t place = rest % in.shape[axis];
            rest /= in.shape[axis];
            if (reduced[axis]) continue;
            at += place * stride;
            stride *= in.shape[axis];
        }
        room[at] =
            begun[at] ? accumulate(in.type, room[at], in.elements[i], operation) : in.elements[i];
        begun[at] = 1;
    }
    tpad_inferred_put(out, room, tpad_inferred_count(out));
}

void tpad_fold_reduce(tpad_fold *fold, const tpad_fold_list *axes, int32_t keep, int32_t operation)
{
    const tpad_inferred in = tpad_fold_in(fold, 0);
    tpad_inferred out = tpad_inferred_none(in.type);
    uint8_t reduced[TPAD_MAX_RANK] = {0};
    int32_t sure = in.rank >= 0 && (!axes || axes->count >= 0);
    for (int32_t i = 0; i < in.rank && !axes; i++) reduced[i] = 1;
    for (int32_t i = 0; sure && axes && i < axes->count; i++) {
        const int32_t at = axes->known[i] ? tpad_axis_from_front(axes->items[i], in.rank) : -1;
        if (at >= 0) reduced[at] = 1;
        sure = at >= 0;
    }
    if (sure) {
        out.rank = 0;
        for (int32_t i = 0; i < in.rank; i++)
            if (!reduced[i] || keep) out.shape[out.rank++] = reduced[i] ? 1 : in.shape[i];
        reduce_elements(fold, &out, reduced, operation);
    } else if (keep && in.rank >= 0) {
        out.rank = in.rank;
        for (int32_t i = 0; i < in.rank; i++) out.shape[i] = -1;
    }
    tpad_fold_give(fold, 0, &out);
}

/* Runtimes multiply in float or in double: the result counts if it is the same. */
int64_t tpad_fold_scale(int64_t extent, double factor)
{
    const double wide = floor((double)extent * factor);
    const double narrow = floor((double)((float)extent * (float)factor));
    if (extent < 0 || !(wide >= 0 && wide < 1e15) || wide != narrow) return -1;
    return (int64_t)wide;
}
