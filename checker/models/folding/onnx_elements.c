/* Output elements of ONNX's less common operators.  SPDX-License-Identifier: MIT
 *
 * onnx_layers.c and fold_arithmetic.c know the outputs' shapes. These functions run after those and
 * add the elements of small tensors from which exporters compute amounts: a pick, a product of
 * small matrices, a triangle. */
#include <stdlib.h>

#include "onnx_layers.h"

typedef int64_t coordinates[TPAD_MAX_RANK];

/* The facts about an output so far, and room for its elements; NULL: no room. */
static tpad_element *room_of(tpad_inferred *out, tpad_fold *fold, int32_t index)
{
    tpad_value *value = fold->model->format->node_output(fold->graph, fold->node, index);
    *out = value ? tpad_fold_of(fold->model, value) : tpad_inferred_none(0);
    return value && !fold->unsure ? tpad_fold_room(fold, out) : NULL;
}

static void put(tpad_fold *fold, int32_t index, tpad_inferred *out, const tpad_element *elements)
{
    tpad_inferred_put(out, elements, tpad_inferred_count(out));
    if (elements) tpad_fold_give(fold, index, out);
}

static void place_of(coordinates at, const tpad_inferred *tensor, int64_t index)
{
    for (int32_t axis = tensor->rank - 1; axis >= 0; axis--) {
        at[axis] = index % tensor->shape[axis];
        index /= tensor->shape[axis];
    }
}

/* -1 outside the tensor. */
static int64_t index_of(const coordinates at, const tpad_inferred *tensor)
{
    int64_t index = 0;
    for (int32_t axis = 0; axis < tensor->rank; axis++) {
        if (at[axis] < 0 || at[axis] >= tensor->shape[axis]) return -1;
        index = index * tensor->shape[axis] + at[axis];
    }
    return index;
}

static int32_t all_known(const tpad_inferred *tensor)
{
    int32_t known = tensor->elements != NULL;
    for (int64_t i = 0; i < tensor->element_count; i++) known &= tensor->elements[i].known;
    return known;
}

/* ---- Picking --------------------------------------------------------------------------------- */

void tpad_onnx_gather_elements(tpad_fold *fold, int32_t input)
{
    const tpad_inferred data = tpad_fold_value(fold, 0), picks = tpad_fold_value(fold, input);
    const int32_t axis = tpad_axis_from_front(tpad_fold_int(fold, "axis", 0), data.rank);
    tpad_inferred out = picks;
    coordinates at;
    out.type = data.type;
    tpad_inferred_put(&out, NULL, 0);
    tpad_element *room = data.elements && picks.elements && axis >= 0 && picks.rank == data.rank
                             ? tpad_fold_room(fold, &out)
                             : NULL;
    for (int64_t i = 0; room && i < picks.element_count; i++) {
        place_of(at, &picks, i);
        at[axis] =
            picks.elements[i].integer + (picks.elements[i].integer < 0 ? data.shape[axis] : 0);
        if (picks.elements[i].known) room[i] = tpad_inferred_at(&data, index_of(at, &data));
    }
    tpad_inferred_put(&out, room, picks.element_count);
    tpad_fold_give(fold, 0, &out);
}

/* The index in data of the first cell of place `index` of a list of places; -1 if unknown. fixed:
 * the number of axes before it, whose coordinates are in `batch`. */
static int64_t start_of(const tpad_inferred *data, const tpad_inferred *places, int64_t index,
                        const coordinates batch, int32_t fixed)
{
    const int64_t length = places->shape[places->rank - 1];
    coordinates at = {0};
    for (int32_t i = 0; i < fixed; i++) at[i] = batch[i];
    for (int64_t k = 0; k < length; k++) {
        const tpad_element e = tpad_inferred_at(places, index * length + k);
        if (!e.known) return -1;
        at[fixed + k] = e.integer + (e.integer < 0 ? data->shape[fixed + k] : 0);
    }
    return index_of(at, data);
}

/* The cells of data for one place. */
static int64_t cells_of_a_place(const tpad_inferred *data, const tpad_inferred *places,
                                int32_t fixed)
{
    int64_t cells = 1;
    for (int64_t i = fixed + places->shape[places->rank - 1]; i < data->rank; i++)
        cells *= data->shape[i];
    return cells;
}

void tpad_onnx_gather_nd_elements(tpad_fold *fold, int32_t input)
{
    tpad_onnx_gather_nd(fold, input);
    const tpad_inferred data = tpad_fold_value(fold, 0), places = tpad_fold_value(fold, input);
    const int32_t fixed = (int32_t)tpad_fold_int(fold, "batch_dims", 0);
    tpad_inferred out;
    coordinates batch;
    tpad_element *room = room_of(&out, fold, 0);
    if (!room || !data.elements || !places.elements || places.rank < 1 || fixed < 0 ||
        fixed > data.rank || places.shape[places.rank - 1] > data.rank - fixed)
        return;
    const int64_t cells = cells_of_a_place(&data, &places, fixed),
                  count = tpad_inferred_count(&out);
    for (int64_t i = 0; i < count; i++) {
        place_of(batch, &out, i);
        const int64_t from = start_of(&data, &places, i / cells, batch, fixed);
        if (from >= 0) room[i] = tpad_inferred_at(&data, from + i % cells);
    }
    put(fold, 0, &out, room);
}

void tpad_onnx_scatter_nd(tpad_fold *fold, int32_t input)
{
    tpad_string reduction;
    const tpad_inferred data = tpad_fold_value(fold, 0), places = tpad_fold_value(fold, input),
                        updates = tpad_fold_value(fold, input + 1);
    tpad_inferred out = data;
    const coordinates none = {0};
    tpad_inferred_put(&out, NULL, 0);
    const int32_t plain =
        !tpad_fold_text(fold, "reduction", &reduction) || tpad_string_is(reduction, "none");
    tpad_element *room = plain && data.elements && places.elements && updates.elements &&
                                 places.rank > 0 && places.shape[places.rank - 1] <= data.rank
                             ? tpad_fold_room(fold, &out)
                             : NULL;
    for (int64_t i = 0; room && i < data.element_count; i++) room[i] = data.elements[i];
    const int64_t cells = room ? cells_of_a_place(&data, &places, 0) : 0;
    for (int64_t i = 0; room && i < updates.element_count; i++) {
        const int64_t to = start_of(&data, &places, i / cells, none, 0);
        if (to < 0)
            room = NULL; /* any element may have changed */
        else
            room[to + i % cells] = updates.elements[i];
    }
    tpad_inferred_put(&out, room, data.element_count);
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_trilu(tpad_fold *fold, int32_t input)
{
    const tpad_inferred in = tpad_fold_value(fold, 0), shift = tpad_fold_value(fold, input);
    const int32_t upper = tpad_fold_int(fold, "upper", 1) != 0;
    const tpad_element none = {.known = 1},
                       k = tpad_fold_has(fold, input) ? tpad_inferred_at(&shift, 0) : none;
    tpad_inferred out = in;
    coordinates at;
    tpad_element *room = in.elements && in.rank >= 2 && k.known && llabs(k.integer) <= FOLD_ELEMENTS
                             ? tpad_fold_room(fold, &out)
                             : NULL;
    for (int64_t i = 0; room && i < in.element_count; i++) {
        place_of(at, &in, i);
        const int64_t right = at[in.rank - 1] - at[in.rank - 2] - k.integer;
        room[i] = (upper ? right >= 0 : right <= 0) ? in.elements[i] : none;
    }
    tpad_inferred_put(&out, room, in.element_count);
    tpad_fold_give(fold, 0, &out);
}

/* ---- Sums and products ----------------------------------------------------------------------- */

void tpad_onnx_cum_sum(tpad_fold *fold, int32_t input)
{
    const tpad_inferred in = tpad_fold_value(fold, 0), asked = tpad_fold_value(fold, input);
    const tpad_element by = tpad_inferred_at(&asked, 0), zero = {.known = 1};
    const int32_t axis = by.known ? tpad_axis_from_front(by.integer, in.rank) : -1;
    const int32_t exclusive = tpad_fold_int(fold, "exclusive", 0) != 0;
    const int64_t back = tpad_fold_int(fold, "reverse", 0) ? 1 : -1;
    tpad_inferred out = in;
    coordinates at;
    tpad_element *room = in.elements && axis >= 0 && tpad_type_kind(in.type) == ELEM_SIGNED
                             ? tpad_fold_room(fold, &out)
                             : NULL;
    for (int64_t n = 0; room && n < in.element_count; n++) {
        const int64_t i = back > 0 ? in.element_count - 1 - n : n;
        place_of(at, &in, i);
        at[axis] += back;
        const int64_t before = index_of(at, &in);
        room[i] = before < 0 ? zero : room[before];
        const tpad_element *next =
            exclusive ? before < 0 ? &zero : &in.elements[before] : &in.elements[i];
        room[i] = tpad_fold_combine(fold, in.type, &room[i], next, OF_ADD);
    }
    tpad_inferred_put(&out, room, in.element_count);
    tpad_fold_give(fold, 0, &out);
}

/* Only for integers, whose sums are the same in all runtimes. */
void tpad_onnx_matmul_elements(tpad_fold *fold, int32_t transposed)
{
    tpad_onnx_matmul(fold, transposed);
    const tpad_inferred a = tpad_fold_value(fold, 0), b = tpad_fold_value(fold, 1);
    tpad_inferred out, left = a, right = b;
    tpad_element *room = room_of(&out, fold, 0);
    if (!room || !a.elements || !b.elements || a.rank < 1 || b.rank < 1 ||
        tpad_type_kind(a.type) != ELEM_SIGNED)
        return;
    const int32_t rows = a.rank > 1, columns = b.rank > 1;
    const int64_t depth = a.shape[a.rank - 1], width = columns ? b.shape[b.rank - 1] : 1,
                  height = rows ? a.shape[a.rank - 2] : 1;
    left.rank -= 1 + rows;
    right.rank -= 1 + columns;
    tpad_inferred batch = tpad_fold_broadcast(&left, &right);
    const int64_t count = tpad_inferred_count(&out);
    if (count != tpad_inferred_count(&batch) * height * width) return; /* the file contradicts */
    for (int64_t i = 0; i < count; i++) {
        const int64_t column = i % width, row = i / width % height, cell = i / width / height;
        const int64_t x = tpad_fold_broadcast_index(&batch, &left, cell) * height + row,
                      y = tpad_fold_broadcast_index(&batch, &right, cell) * depth;
        room[i] = (tpad_element){.known = 1};
        for (int64_t k = 0; k < depth; k++) {
            const tpad_element u = tpad_inferred_at(&a, x * depth + k),
                               v = tpad_inferred_at(&b, (y + k) * width + column),
                               product = tpad_fold_combine(fold, a.type, &u, &v, OF_MUL);
            room[i] = tpad_fold_combine(fold, a.type, &room[i], &product, OF_ADD);
        }
    }
    put(fold, 0, &out, room);
}

/* Only for integers, by repeated multiplication. */
void tpad_onnx_pow(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred a = tpad_fold_value(fold, 0), b = tpad_fold_value(fold, 1);
    tpad_inferred out = tpad_fold_broadcast(&a, &b);
    (void)argument;
    tpad_element *room = fold->opset >= 7 && a.elements && b.elements &&
                                 tpad_type_kind(a.type) == ELEM_SIGNED && !tpad_type_is_real(b.type)
                             ? tpad_fold_room(fold, &out)
                             : NULL;
    const int64_t count = tpad_inferred_count(&out);
    for (int64_t i = 0; room && i < count; i++) {
        const tpad_element base = tpad_inferred_at(&a, tpad_fold_broadcast_index(&out, &a, i)),
                           times = tpad_inferred_at(&b, tpad_fold_broadcast_index(&out, &b, i));
        if (!times.known || times.integer < 0 || times.integer > 63) continue;
        room[i] = (tpad_element){.integer = 1, .known = 1};
        for (int64_t k = 0; k < times.integer; k++)
            room[i] = tpad_fold_combine(fold, a.type, &room[i], &base, OF_MUL);
    }
    tpad_inferred_put(&out, room, count);
    tpad_fold_give(fold, 0, &out);
}

/* ---- Choosing -------------------------------------------------------------------------------- */

void tpad_onnx_one_hot_elements(tpad_fold *fold, int32_t input)
{
    tpad_onnx_one_hot(fold, input);
    const tpad_inferred picks = tpad_fold_value(fold, 0), values = tpad_fold_value(fold, input + 1);
    tpad_inferred out;
    coordinates at, where;
    tpad_element *room = room_of(&out, fold, 0);
    const int32_t axis = tpad_axis_from_front(tpad_fold_int(fold, "axis", -1), out.rank);
    if (!room || axis < 0 || !picks.elements || values.element_count != 2 ||
        out.rank != picks.rank + 1 || tpad_type_is_real(picks.type))
        return;
    for (int64_t i = 0, count = tpad_inferred_count(&out); i < count; i++) {
        place_of(at, &out, i);
        for (int32_t k = 0; k < picks.rank; k++) where[k] = at[k + (k >= axis)];
        const tpad_element pick = tpad_inferred_at(&picks, index_of(where, &picks));
        const int64_t hot = pick.integer + (pick.integer < 0 ? out.shape[axis] : 0);
        if (pick.known) room[i] = tpad_inferred_at(&values, hot == at[axis]);
    }
    put(fold, 0, &out, room);
}

/* 1 if `a` comes before `b`. */
static int32_t comes_before(int32_t type, tpad_element a, tpad_element b, int32_t largest)
{
    const int32_t less = tpad_type_is_real(type) ? a.real < b.real : a.integer < b.integer;
    const int32_t more = tpad_type_is_real(type) ? a.real > b.real : a.integer > b.integer;
    return largest ? more : less;
}

void tpad_onnx_top_k_elements(tpad_fold *fold, int32_t input)
{
    tpad_onnx_top_k(fold, input);
    const tpad_inferred in = tpad_fold_value(fold, 0);
    const int32_t largest = tpad_fold_int(fold, "largest", 1) != 0;
    const int32_t axis = tpad_axis_from_front(tpad_fold_int(fold, "axis", -1), in.rank);
    const int32_t kind = tpad_type_kind(in.type);
    if (axis < 0 || !all_known(&in) || (kind != ELEM_SIGNED && kind != ELEM_UNSIGNED) ||
        in.type == TPAD_ONNX_UINT64 || !tpad_fold_int(fold, "sorted", 1))
        return;
    for (int32_t which = 0; which < 2; which++) {
        tpad_inferred out;
        coordinates at;
        tpad_element *room = room_of(&out, fold, which);
        if (!room || out.rank != in.rank || out.shape[axis] > in.shape[axis]) continue;
        for (int64_t i = 0; i < in.element_count; i++) {
            int64_t rank = 0; /* the number of elements before it on its axis */
            place_of(at, &in, i);
            const int64_t position = at[axis];
            for (at[axis] = 0; at[axis] < in.shape[axis]; at[axis]++) {
                const tpad_element element = in.elements[index_of(at, &in)];
                rank += comes_before(in.type, element, in.elements[i], largest) ||
                        (at[axis] < position &&
                         !comes_before(in.type, in.elements[i], element, largest));
            }
            at[axis] = rank;
            const int64_t to = index_of(at, &out);
            if (to >= 0)
                room[to] = which ? (tpad_element){.integer = position, .known = 1} : in.elements[i];
        }
        put(fold, which, &out, room);
    }
}

void tpad_onnx_non_zero_elements(tpad_fold *fold, int32_t argument)
{
    tpad_onnx_non_zero(fold, argument);
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = {TPAD_ONNX_INT64, 2, {in.rank, 0}, NULL, 0};
    coordinates at;
    if (in.rank < 1 || !all_known(&in) || tpad_type_kind(in.type) == ELEM_OTHER) return;
    const int32_t real = tpad_type_is_real(in.type);
    for (int64_t i = 0; i < in.element_count; i++)
        out.shape[1] += real ? in.elements[i].real != 0 : in.elements[i].integer != 0;
    tpad_element *room = tpad_fold_room(fold, &out);
    for (int64_t i = 0, n = 0; room && i < in.element_count; i++) {
        if (real ? in.elements[i].real == 0 : in.elements[i].integer == 0) continue;
        place_of(at, &in, i);
        for (int32_t axis = 0; axis < in.rank; axis++)
            room[axis * out.shape[1] + n] = (tpad_element){.integer = at[axis], .known = 1};
        n++;
    }
    put(fold, 0, &out, room);
}

/* Outputs: the distinct elements; the first index of each; the inverse indices; the counts. */
void tpad_onnx_unique(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    const int32_t sorted = tpad_fold_int(fold, "sorted", 1) != 0;
    int64_t first[FOLD_ELEMENTS], place[FOLD_ELEMENTS], count = 0;
    (void)argument;
    tpad_inferred out = tpad_inferred_vector(in.type, -1);
    if (tpad_fold_int(fold, "axis", INT64_MIN) != INT64_MIN) return;
    if (!all_known(&in) || tpad_type_kind(in.type) != ELEM_SIGNED) {
        tpad_fold_give(fold, 0, &out);
        return;
    }
    for (int64_t i = 0; i < in.element_count; i++) {
        int64_t k = 0;
        while (k < count && in.elements[first[k]].integer != in.elements[i].integer) k++;
        if (k == count) first[count++] = i;
    }
    for (int64_t k = 1; sorted && k < count; k++)
        for (int64_t i = k;
             i > 0 && in.elements[first[i]].integer < in.elements[first[i - 1]].integer; i--) {
            const int64_t moved = first[i];
            first[i] = first[i - 1];
            first[i - 1] = moved;
        }
    for (int64_t i = 0; i < in.element_count; i++)
        for (place[i] = 0; in.elements[first[place[i]]].integer != in.elements[i].integer;)
            place[i]++;
    for (int32_t which = 0; which < 4; which++) {
        out = tpad_inferred_vector(which ? TPAD_ONNX_INT64 : in.type,
                                   which == 2 ? in.element_count : count);
        tpad_element *room = tpad_fold_room(fold, &out);
        for (int64_t i = 0; room && i < out.shape[0]; i++)
            room[i] = which == 0 ? in.elements[first[i]]
                      : which == 1
                          ? (tpad_element){.integer = first[i], .known = 1}
                          : (tpad_element){.integer = which == 2 ? place[i] : 0, .known = 1};
        for (int64_t i = 0; room && which == 3 && i < in.element_count; i++)
            room[place[i]].integer++;
        put(fold, which, &out, room);
    }
}

/* ---- Sequences ------------------------------------------------------------------------------- */

/* Reads the inputs of the SequenceConstruct that makes the node's first input; returns their count
 * or -1. */
static int64_t read_sequence(tpad_fold *fold)
{
    const tpad_format *format = fold->model->format;
    const tpad_value *sequence = format->node_input(fold->graph, fold->node, 0);
    const tpad_graph *graph = fold->graph;
    const tpad_node *maker = sequence ? tpad_maker(&graph, graph, sequence) : NULL;
    if (!maker || !tpad_string_is(maker->op_type, "SequenceConstruct")) return -1;
    fold->from_graph = graph;
    fold->from = maker;
    return format->input_count(maker);
}

void tpad_onnx_sequence_at(tpad_fold *fold, int32_t input)
{
    const tpad_inferred place = tpad_fold_value(fold, input);
    const tpad_element at = tpad_inferred_at(&place, 0);
    const int64_t count = read_sequence(fold);
    const int64_t index = at.integer + (at.integer < 0 ? count : 0);
    if (at.known && index >= 0 && index < count) tpad_fold_same(fold, (int32_t)index);
}

void tpad_onnx_sequence_length(tpad_fold *fold, int32_t argument)
{
    const int64_t count = read_sequence(fold);
    const tpad_element element = {.integer = count, .known = count >= 0};
    tpad_inferred out = {.type = TPAD_ONNX_INT64, .rank = 0};
    (void)argument;
    tpad_inferred_put(&out, &element, 1);
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_sequence_concat(tpad_fold *fold, int32_t argument)
{
    const int64_t axis = tpad_fold_int(fold, "axis", 0);
    (void)argument;
    if (!tpad_fold_int(fold, "new_axis", 0) && read_sequence(fold) > 0)
        tpad_fold_concat(fold, axis);
}
