/* Operators that move elements to other places, or make new ones.  SPDX-License-Identifier: MIT */
#include "fold.h"

/* The product of some extents of a tensor with few, known elements. Do not call it if an extent is
 * 0: the others may be huge, and there is nothing to move. */
static int64_t product(const int64_t *shape, int32_t count)
{
    int64_t out = 1;
    for (int32_t i = 0; i < count; i++) out *= shape[i];
    return out;
}

void tpad_fold_shape_of(tpad_fold *fold, int32_t type, int64_t start, int64_t end)
{
    const tpad_inferred in = tpad_fold_in(fold, 0);
    tpad_inferred out = tpad_inferred_vector(type, -1);
    if (in.rank >= 0) {
        start = start < 0 ? start + in.rank : start;
        end = end < 0 ? end + in.rank : end;
        start = start < 0 ? 0 : start > in.rank ? in.rank : start;
        end = end < start ? start : end > in.rank ? in.rank : end;
        out.shape[0] = end - start;
    }
    tpad_element *room = tpad_fold_room(fold, &out);
    for (int64_t i = 0; room && i < out.shape[0]; i++)
        room[i] = tpad_open_extent(fold, type, in.shape[start + i]);
    tpad_inferred_put(&out, room, out.shape[0]);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_gather(tpad_fold *fold, int64_t axis)
{
    const tpad_inferred data =
        tpad_fold_may_know(fold, 1) ? tpad_fold_value(fold, 0) : tpad_fold_in(fold, 0);
    const tpad_inferred indices = data.elements ? tpad_fold_value(fold, 1) : tpad_fold_in(fold, 1);
    tpad_inferred out = tpad_inferred_none(data.type);
    const int32_t at = tpad_axis_from_front(axis, data.rank);
    if (at < 0 || indices.rank < 0 || data.rank - 1 + indices.rank > TPAD_MAX_RANK) {
        tpad_fold_give(fold, 0, &out);
        return;
    }
    for (int32_t i = 0; i < at; i++) out.shape[i] = data.shape[i];
    for (int32_t i = 0; i < indices.rank; i++) out.shape[at + i] = indices.shape[i];
    for (int32_t i = at + 1; i < data.rank; i++) out.shape[indices.rank + i - 1] = data.shape[i];
    out.rank = data.rank - 1 + indices.rank;
    tpad_element *room = data.elements && indices.elements ? tpad_fold_room(fold, &out) : NULL;
    const int64_t count = tpad_inferred_count(&out);
    if (room && count > 0) {
        const int64_t extent = data.shape[at], picks = indices.element_count;
        const int64_t inner = product(data.shape + at + 1, data.rank - at - 1);
        for (int64_t i = 0; i < count; i++) {
            const tpad_element pick = tpad_inferred_at(&indices, i / inner % picks);
            const int64_t index = pick.integer < 0 ? pick.integer + extent : pick.integer;
            if (pick.known && index >= 0 && index < extent)
                room[i] = tpad_inferred_at(&data, (i / inner / picks * extent + index) * inner +
                                                      i % inner);
        }
    }
    tpad_inferred_put(&out, room, count);
    tpad_fold_give(fold, 0, &out);
}

/* ---- Slice ----------------------------------------------------------------------------------- */

typedef struct cut {
    int64_t start, step, count; /* count -1: unknown */
} cut;

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static cut cut_axis(int64_t extent, int64_t start, int64_t end, int64_t step)
{
    if (extent < 0 || step == 0 || step == INT64_MIN) return (cut){.count = -1};
    if (start < 0) start += extent;
    if (end < 0) end += extent;
    /* Here runtimes begin at the first cell, and NumPy before it, so that it takes no cell. */
    if (step < 0 && start < 0 && extent > 0) return (cut){.count = -1};
    if (step > 0) {
        start = clamp(start, 0, extent);
        end = clamp(end, 0, extent);
    } else {
        start = clamp(start, -1, extent - 1);
        end = clamp(end, -1, extent - 1);
    }
    const int64_t way = step > 0 ? end - start : start - end, stride = step > 0 ? step : -step;
    return (cut){start, step, way > 0 ? (way - 1) / stride + 1 : 0};
}

void tpad_fold_slice(tpad_fold *fold, const tpad_fold_list *starts, const tpad_fold_list *ends,
                     const tpad_fold_list *axes, const tpad_fold_list *steps)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = in;
    cut cuts[TPAD_MAX_RANK];
    int32_t seen[TPAD_MAX_RANK] = {0};
    /* Lists whose length differs from that of starts are an error in the model. */
    int32_t sure = starts->count >= 0 && ends->count == starts->count &&
                   (!axes || axes->count == starts->count) &&
                   (!steps || steps->count == starts->count);
    for (int32_t i = 0; i < in.rank; i++)
        cuts[i] = sure ? (cut){0, 1, in.shape[i]} : (cut){.count = -1};
    for (int32_t i = 0; sure && i < starts->count; i++) {
        const int32_t at =
            axes && !axes->known[i] ? -1 : tpad_axis_from_front(axes ? axes->items[i] : i, in.rank);
        sure = at >= 0 && !seen[at];
        if (!sure) break;
        seen[at] = 1;
        cuts[at] = starts->known[i] && ends->known[i] && (!steps || steps->known[i])
                       ? cut_axis(in.shape[at], starts->items[i], ends->items[i],
                                  steps ? steps->items[i] : 1)
                       : (cut){.count = -1};
    }
    for (int32_t i = 0; i < in.rank; i++) out.shape[i] = sure ? cuts[i].count : -1;
    tpad_element *room = in.elements ? tpad_fold_room(fold, &out) : NULL;
    const int64_t count = tpad_inferred_count(&out);
    for (int64_t i = 0; room && i < count; i++) {
        int64_t rest = i, from = 0, stride = 1;
        for (int32_t axis = in.rank - 1; axis >= 0; axis--) {
            from += (cuts[axis].start + rest % cuts[axis].count * cuts[axis].step) * stride;
            rest /= cuts[axis].count;
            stride *= in.shape[axis];
        }
        room[i] = tpad_inferred_at(&in, from);
    }
    tpad_inferred_put(&out, room, count);
    tpad_fold_give(fold, 0, &out);
}

/* ---- Concat, Split --------------------------------------------------------------------------- */

/* Copies `extent` cells of axis `at` from cell `from_first` of `from` to cell `to_first` of `to`,
 * whose elements are in `room`. The tensors have the same other extents. */
static void copy_part(tpad_element *room, const tpad_inferred *to, int64_t to_first,
                      const tpad_inferred *from, int64_t from_first, int64_t extent, int32_t at)
{
    if (tpad_inferred_count(to) == 0) return;
    const int64_t outer = product(to->shape, at);
    const int64_t inner = product(to->shape + at + 1, to->rank - at - 1);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t k = 0; k < extent * inner; k++)
            room[(o * to->shape[at] + to_first) * inner + k] =
                tpad_inferred_at(from, (o * from->shape[at] + from_first) * inner + k);
}

/* The output's shape; -1 on the axis if an input's extent is unknown. */
static tpad_inferred joined_shape(const tpad_fold *fold, int64_t axis, int32_t *may_know)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t at = tpad_axis_from_front(axis, out.rank);
    *may_know = tpad_fold_may_know(fold, 0);
    if (at < 0) return tpad_inferred_none(out.type);
    for (int32_t i = 1; tpad_fold_has(fold, i); i++) {
        const tpad_inferred next = tpad_fold_in(fold, i);
        *may_know |= tpad_fold_may_know(fold, i);
        if (next.rank != out.rank) {
            out.shape[at] = -1;
            if (next.rank >= 0) return tpad_inferred_none(out.type);
            continue;
        }
        for (int32_t k = 0; k < out.rank; k++)
            if (k != at && out.shape[k] < 0 && next.shape[k] != -1) out.shape[k] = next.shape[k];
        out.shape[at] = tpad_size_as_extent(
            fold,
            tpad_size_sum(fold->model->folding->sizes, tpad_size_of_extent(fold, out.shape[at]), 1,
                          tpad_size_of_extent(fold, next.shape[at]), 1),
            out.shape[at] < 0 || next.shape[at] < 0);
    }
    return out;
}

void tpad_fold_concat(tpad_fold *fold, int64_t axis)
{
    int32_t may_know;
    tpad_inferred out = joined_shape(fold, axis, &may_know);
    const int32_t at = tpad_axis_from_front(axis, out.rank);
    tpad_element *room = may_know && at >= 0 ? tpad_fold_room(fold, &out) : NULL;
    int64_t first = 0;
    for (int32_t i = 0; room && tpad_fold_has(fold, i); i++) {
        const tpad_inferred part = tpad_fold_value(fold, i);
        /* Extents that differ on other axes are an error in the model. */
        for (int32_t k = 0; k < out.rank; k++)
            if (k != at && part.shape[k] != out.shape[k] && part.shape[k] >= 0) room = NULL;
        if (room) copy_part(room, &out, first, &part, 0, part.shape[at], at);
        first += part.shape[at];
    }
    tpad_inferred_put(&out, room, tpad_inferred_count(&out));
    tpad_fold_give(fold, 0, &out);
}

/* The extent of part `index`; -1 if unknown. Equal parts are rounded up; the last gets the rest. */
static int64_t part_extent(int64_t extent, const tpad_fold_list *sizes, int64_t parts,
                           int64_t index)
{
    if (sizes) return index < sizes->count && sizes->known[index] ? sizes->items[index] : -1;
    if (extent < 0 || parts <= 0) return -1;
    const int64_t each = extent / parts + (extent % parts != 0);
    return index < parts - 1 ? each : extent - each * (parts - 1);
}

void tpad_fold_split(tpad_fold *fold, int64_t axis, const tpad_fold_list *sizes, int64_t parts)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    const int32_t at = tpad_axis_from_front(axis, in.rank);
    if (at < 0) return;
    int64_t first = 0;
    for (int32_t i = 0; i < FOLD_LIST && i < (sizes ? sizes->count : parts); i++) {
        tpad_inferred out = in;
        const int64_t extent = out.shape[at] = part_extent(in.shape[at], sizes, parts, i);
        if (extent < 0) first = -1;
        tpad_element *room = NULL;
        if (in.elements && first >= 0 && extent <= in.shape[at] - first)
            room = tpad_fold_room(fold, &out);
        if (room) copy_part(room, &out, 0, &in, first, extent, at);
        first = room ? first + extent : -1;
        tpad_inferred_put(&out, room, tpad_inferred_count(&out));
        tpad_fold_give(fold, i, &out);
    }
}

/* ---- Transpose, Expand, Tile ----------------------------------------------------------------- */

void tpad_fold_transpose(tpad_fold *fold, const tpad_fold_list *order)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = in;
    int32_t from[TPAD_MAX_RANK], seen = 0;
    for (int32_t i = 0; i < in.rank; i++) {
        from[i] = in.rank - 1 - i;
        if (order && (order->count != in.rank || !order->known[i])) return;
        if (order) from[i] = tpad_axis_from_front(order->items[i], in.rank);
        if (from[i] < 0) return;
        seen |= 1 << from[i];
        out.shape[i] = in.shape[from[i]];
    }
    if (in.rank >= 0 && seen != (1 << in.rank) - 1) return;
    tpad_element *room = in.elements ? tpad_fold_room(fold, &out) : NULL;
    for (int64_t i = 0; room && i < in.element_count; i++) {
        int64_t rest = i, at = 0;
        for (int32_t axis = out.rank - 1; axis >= 0; axis--) {
            at += rest % out.shape[axis] *
                  product(in.shape + from[axis] + 1, in.rank - from[axis] - 1);
            rest /= out.shape[axis];
        }
        room[i] = tpad_inferred_at(&in, at);
    }
    tpad_inferred_put(&out, room, in.element_count);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_expand(tpad_fold *fold, const tpad_fold_list *target)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred wanted = tpad_inferred_none(in.type);
    if (target->count > TPAD_MAX_RANK || target->count < 0) {
        tpad_fold_give(fold, 0, &wanted);
        return;
    }
    wanted.rank = target->count;
    for (int32_t i = 0; i < target->count; i++)
        wanted.shape[i] = tpad_fold_list_extent(fold, target, i);
    tpad_inferred out = tpad_fold_broadcast(&in, &wanted);
    tpad_element *room = in.elements ? tpad_fold_room(fold, &out) : NULL;
    const int64_t count = tpad_inferred_count(&out);
    for (int64_t i = 0; room && i < count; i++)
        room[i] = tpad_inferred_at(&in, tpad_fold_broadcast_index(&out, &in, i));
    tpad_inferred_put(&out, room, count);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_tile(tpad_fold *fold, const tpad_fold_list *repeats)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = in;
    if (in.rank < 0 || repeats->count != in.rank) out.rank = -1;
    for (int32_t i = 0; i < out.rank; i++)
        if (in.shape[i] < 0 || !repeats->known[i] || repeats->items[i] < 0 ||
            __builtin_mul_overflow(in.shape[i], repeats->items[i], &out.shape[i]))
            out.shape[i] = -1;
    tpad_element *room = in.elements ? tpad_fold_room(fold, &out) : NULL;
    const int64_t count = tpad_inferred_count(&out);
    for (int64_t i = 0; room && i < count; i++) {
        int64_t rest = i, at = 0, stride = 1;
        for (int32_t axis = out.rank - 1; axis >= 0; axis--) {
            at += rest % out.shape[axis] % in.shape[axis] * stride;
            rest /= out.shape[axis];
            stride *= in.shape[axis];
        }
        room[i] = tpad_inferred_at(&in, at);
    }
    tpad_inferred_put(&out, room, count);
    tpad_fold_give(fold, 0, &out);
}

/* ---- New elements ---------------------------------------------------------------------------- */

void tpad_fold_range(tpad_fold *fold, int32_t type)
{
    tpad_inferred out = tpad_inferred_vector(type, -1);
    int64_t numbers[3];
    int32_t sure = tpad_type_kind(type) == ELEM_SIGNED;
    for (int32_t i = 0; i < 3; i++) {
        const tpad_inferred in = tpad_fold_value(fold, i);
        sure = sure && in.element_count == 1 && tpad_inferred_at(&in, 0).known &&
               tpad_type_kind(in.type) == ELEM_SIGNED;
        numbers[i] = sure ? tpad_inferred_at(&in, 0).integer : 0;
    }
    int64_t way;
    const int64_t start = numbers[0], step = numbers[2];
    if (sure && step != 0 && step != INT64_MIN &&
        !__builtin_sub_overflow(numbers[1], start, &way) && way != INT64_MIN) {
        const int64_t stride = step < 0 ? -step : step;
        way = step < 0 ? -way : way;
        out.shape[0] = way > 0 ? (way - 1) / stride + 1 : 0;
    }
    tpad_element *room = tpad_fold_room(fold, &out);
    for (int64_t i = 0; room && i < out.shape[0]; i++)
        room[i] = tpad_element_integer(type, start + i * step);
    tpad_inferred_put(&out, room, out.shape[0]);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_fill(tpad_fold *fold, const tpad_fold_list *shape, int32_t type,
                    tpad_element element)
{
    tpad_inferred out = tpad_inferred_none(type);
    if (shape->count >= 0 && shape->count <= TPAD_MAX_RANK) out.rank = shape->count;
    for (int32_t i = 0; i < out.rank; i++) out.shape[i] = tpad_fold_list_extent(fold, shape, i);
    tpad_element *room = tpad_fold_room(fold, &out);
    const int64_t count = tpad_inferred_count(&out);
    for (int64_t i = 0; room && i < count; i++) room[i] = element;
    tpad_inferred_put(&out, room, count);
    tpad_fold_give(fold, 0, &out);
}

/* Operators that give the same elements another shape. */

/* Gives the first input's elements the shape, if it has the same number of elements. */
static void give(tpad_fold *fold, tpad_inferred *out, const tpad_inferred *in)
{
    tpad_inferred_put(out, in->elements, in->element_count);
    tpad_fold_give(fold, 0, out);
}

/* The input's elements divided by those of the output's known axes: the extent of the last unknown
 * axis; -1 if unknown. Copied extents are on both sides and count on neither. */
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
    /* With a copied extent of 0, the last one may be any. */
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
        const int64_t size = tpad_fold_list_extent(fold, target, i);
        out.shape[i] = entry;
        if (entry == 0 && !zero_is_zero) {
            copied[i] = i < in.rank;
            out.shape[i] = i < in.rank ? in.shape[i] : -1;
        } else if (!target->known[i] && tpad_extent_least(size) > 0) {
            out.shape[i] = size;
        } else if (entry < 0) {
            out.shape[i] = -1;
            open++;
            open_axis = i;
        }
    }
    if (open == 1 && in.rank >= 0) out.shape[open_axis] = left_over(&in, &out, copied, open_axis);
    give(fold, &out, &in);
}

/* Marks axes of a tensor with that rank; 0 if one is unknown, missing or listed twice. */
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
    /* An empty list of axes means all axes of extent 1 to runtimes, and none to NumPy. */
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
