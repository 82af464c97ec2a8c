/* Facts about values: storage, joining, and the memory and step limits.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"

/* ---- Facts ----------------------------------------------------------------------------------- */

tpad_inferred tpad_inferred_none(int32_t type)
{
    return (tpad_inferred){.type = type, .rank = -1};
}

tpad_inferred tpad_inferred_vector(int32_t type, int64_t count)
{
    return (tpad_inferred){.type = type, .rank = 1, .shape = {count}};
}

int64_t tpad_inferred_count(const tpad_inferred *fact)
{
    int64_t count = 1;
    int32_t over = 0, none = 0;
    if (fact->rank < 0) return -1;
    for (int32_t axis = 0; axis < fact->rank; axis++) {
        if (fact->shape[axis] < 0) return -1;
        none |= fact->shape[axis] == 0;
        over |= __builtin_mul_overflow(count, fact->shape[axis], &count);
    }
    return none ? 0 : over ? -1 : count;
}

tpad_element tpad_inferred_at(const tpad_inferred *fact, int64_t index)
{
    if (index < 0 || index >= fact->element_count) return (tpad_element){.known = 0};
    return fact->elements[index];
}

void tpad_inferred_put(tpad_inferred *fact, const tpad_element *elements, int64_t count)
{
    const int32_t fit = elements && count == tpad_inferred_count(fact);
    fact->elements = fit ? elements : NULL;
    fact->element_count = fit ? count : 0;
}

int32_t tpad_element_same(int32_t type, tpad_element a, tpad_element b)
{
    if (!a.known || !b.known) return 0;
    return tpad_type_is_real(type) ? memcmp(&a.real, &b.real, sizeof a.real) == 0
                                   : a.integer == b.integer;
}

/* An extent that is a or b. */
static int64_t extent_of_either(int64_t a, int64_t b)
{
    const int64_t least_a = tpad_extent_least(a), least_b = tpad_extent_least(b);
    return a == b ? a : tpad_extent_from(least_a < least_b ? least_a : least_b);
}

tpad_inferred tpad_inferred_join(const tpad_inferred *a, const tpad_inferred *b)
{
    tpad_inferred both = tpad_inferred_none(a->type == b->type ? a->type : 0);
    if (a->rank != b->rank) return both;
    both.rank = a->rank;
    int32_t same = 1;
    for (int32_t axis = 0; axis < a->rank; axis++) {
        both.shape[axis] = extent_of_either(a->shape[axis], b->shape[axis]);
        same &= a->shape[axis] == b->shape[axis];
    }
    if (!same || !both.type || !a->elements || !b->elements) return both;
    for (int64_t i = a->element_count - 1; i >= 0; i--)
        if (!tpad_element_same(a->type, a->elements[i], tpad_inferred_at(b, i))) return both;
    tpad_inferred_put(&both, a->elements, a->element_count);
    return both;
}

/* Marks two extents that cannot be broadcast together. No third extent changes that. */
static const int64_t conflict = INT64_MIN;

static int64_t broadcast_extent(int64_t a, int64_t b)
{
    if (a == conflict || b == conflict) return conflict;
    if (a == 1) return b;
    if (b == 1) return a;
    if (a < 0 && b < 0) { /* one of them may be 1 when the model runs */
        const int64_t least_a = tpad_extent_least(a), least_b = tpad_extent_least(b);
        if (a == b || least_a > 1) return a;
        return least_b > 1 ? b : tpad_extent_from(least_a > least_b ? least_a : least_b);
    }
    if (a < 0) return b;
    return b < 0 || a == b ? a : conflict;
}

tpad_inferred tpad_fold_broadcast(const tpad_inferred *a, const tpad_inferred *b)
{
    tpad_inferred out = tpad_inferred_none(a->type);
    if (a->rank < 0 || b->rank < 0) return out;
    out.rank = a->rank > b->rank ? a->rank : b->rank;
    for (int32_t axis = 0; axis < out.rank; axis++) {
        const int32_t in_a = axis - (out.rank - a->rank), in_b = axis - (out.rank - b->rank);
        out.shape[axis] = in_a < 0   ? b->shape[in_b]
                          : in_b < 0 ? a->shape[in_a]
                                     : broadcast_extent(a->shape[in_a], b->shape[in_b]);
    }
    return out;
}

int64_t tpad_fold_broadcast_index(const tpad_inferred *whole, const tpad_inferred *part,
                                  int64_t index)
{
    int64_t at = 0, stride = 1;
    for (int32_t k = part->rank - 1; k >= 0; k--) {
        const int32_t axis = k + (whole->rank - part->rank);
        const int64_t extent = part->shape[k];
        if (axis < 0 || (extent != 1 && extent != whole->shape[axis])) return -1;
        if (extent != 1) at += index % whole->shape[axis] * stride;
        index /= whole->shape[axis];
        stride *= extent;
    }
    return at;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Limits for the memory of facts about a model's values, and for steps: nodes, and elements of
 * small tensors. Beyond them, nothing more is computed. */
enum { FACTS_RATIO = 16, FACTS_FREE = 1 << 18, FACTS_MOST = 1 << 24, STEPS = 1 << 20 };

static void free_folding(struct tpad_folding *folding)
{
    tpad_arena_free(&folding->facts);
    tpad_sizes_free(folding->sizes);
    free(folding);
}

int32_t tpad_folding_make(tpad_model *model, tpad_io_error *error)
{
    struct tpad_folding *folding = calloc(1, sizeof *folding);
    if (!folding) return tpad_no_memory(model, error);
    model->folding = folding;
    model->free_folding = free_folding;
    folding->sizes = tpad_sizes_make();
    if (!folding->sizes) return tpad_no_memory(model, error);
    folding->facts.limit = model->bytes.count < FACTS_MOST / FACTS_RATIO
                               ? FACTS_FREE + FACTS_RATIO * model->bytes.count
                               : FACTS_FREE + FACTS_MOST;
    folding->steps = STEPS;
    return TPAD_OK;
}

/* 1 if the elements are in the file, of a folded type, and few. */
static int32_t is_small_constant(const tpad_model *model, const tpad_value *value)
{
    int64_t count = 1;
    if (value->is_input && model->inputs_are_open) return 0;
    if (!value->is_constant || tpad_type_kind(value->type) == ELEM_OTHER) return 0;
    for (int32_t axis = 0; axis < value->rank && count <= FOLD_ELEMENTS; axis++)
        count = value->shape[axis] > FOLD_ELEMENTS ? FOLD_ELEMENTS + 1 : count * value->shape[axis];
    return count <= FOLD_ELEMENTS;
}

/* Reads a constant's elements. Unreadable ones stay unknown: code that needs them reports it. */
static void read_constant(tpad_model *model, tpad_value *value)
{
    tpad_tensor tensor = {0};
    const int32_t status = tpad_constant_load(&tensor, model, value, NULL);
    if (status == TPAD_E_MEMORY) model->folding->facts.failed = 1;
    if (status == TPAD_OK) {
        int64_t count = 1;
        for (int32_t axis = 0; axis < tensor.rank; axis++) count *= tensor.shape[axis];
        tpad_element *elements = tpad_arena_take(&model->folding->facts, count, sizeof *elements);
        for (int64_t i = 0; elements && i < count; i++) elements[i] = tpad_element_read(&tensor, i);
        value->elements = elements;
        value->element_count = elements ? count : 0;
    }
    tpad_tensor_free(&tensor);
}

tpad_inferred tpad_fold_of(tpad_model *model, tpad_value *value)
{
    tpad_inferred fact = tpad_inferred_none(value->type);
    if (value->rank < 0 || value->rank > TPAD_MAX_RANK) return fact;
    fact.rank = value->rank;
    if (fact.rank) memcpy(fact.shape, value->shape, (size_t)fact.rank * sizeof *fact.shape);
    if (!value->elements && is_small_constant(model, value)) read_constant(model, value);
    tpad_inferred_put(&fact, value->elements, value->element_count);
    return fact;
}

/* The computed extent, if it tells more than the file's. */
static int64_t better_extent(int64_t worked_out, int64_t said)
{
    if (worked_out >= 0) return worked_out;
    if (worked_out == conflict) worked_out = -1;
    if (said >= 0) return said;
    const int64_t a = tpad_extent_least(worked_out), b = tpad_extent_least(said);
    const int32_t size = tpad_extent_size(worked_out);
    return tpad_extent_sized(a > b ? a : b, size ? size : tpad_extent_size(said));
}

void tpad_fold_set(tpad_model *model, tpad_value *value, const tpad_inferred *fact)
{
    if (value->is_constant) return;
    /* Drop elements of another type or shape. */
    value->elements = NULL;
    value->element_count = 0;
    value->small = NULL;
    if (fact->type) value->type = fact->type;
    if (fact->rank < 0) return;
    int64_t *shape = tpad_arena_take(&model->folding->facts, fact->rank, sizeof *shape);
    if (!shape) return;
    for (int32_t axis = 0; axis < fact->rank; axis++)
        shape[axis] = value->rank == fact->rank
                          ? better_extent(fact->shape[axis], value->shape[axis])
                          : better_extent(fact->shape[axis], -1);
    for (int32_t axis = 0; axis < fact->rank; axis++) {
        const int64_t least = tpad_extent_least(shape[axis]);
        if (shape[axis] < 0 && !tpad_extent_size(shape[axis]))
            shape[axis] =
                tpad_extent_sized(least, tpad_size_open(model->folding->sizes, least, SIZE_MOST));
    }
    value->rank = fact->rank;
    value->shape = shape;
    const int64_t count = fact->element_count;
    int32_t known = 0;
    for (int64_t i = 0; i < count; i++) known |= fact->elements[i].known | fact->elements[i].size;
    if (!known) return;
    tpad_element *copy = tpad_arena_take(&model->folding->facts, count, sizeof *copy);
    if (!copy) return;
    memcpy(copy, fact->elements, (size_t)count * sizeof *copy);
    value->elements = copy;
    value->element_count = count;
}

const tpad_tensor *tpad_fold_tensor(tpad_model *model, tpad_value *value, int32_t *failed)
{
    const tpad_inferred fact = tpad_fold_of(model, value);
    const int64_t count = fact.element_count;
    if (!fact.elements) return NULL;
    for (int64_t i = 0; i < count; i++)
        if (!fact.elements[i].known) return NULL;
    if (value->small) return value->small;
    tpad_tensor *tensor = tpad_arena_take(&model->arena, 1, sizeof *tensor);
    if (tensor) tpad_tensor_describe(tensor, value->type, value->rank, value->shape);
    void *data =
        tensor ? tpad_arena_take(&model->arena, count, (size_t)tensor->elem_bits / 8) : NULL;
    if (!data) {
        *failed = 1;
        return NULL;
    }
    for (int64_t i = 0; i < count; i++) tpad_element_write(data, value->type, i, fact.elements[i]);
    tensor->data = data;
    return value->small = tensor;
}

/* ---- Inputs and outputs ---------------------------------------------------------------------- */

static tpad_value *input_of(const tpad_fold *fold, int32_t index)
{
    return fold->model->format->node_input(fold->from_graph, fold->from, index);
}

int32_t tpad_fold_has(const tpad_fold *fold, int32_t index)
{
    return input_of(fold, index) != NULL;
}

int32_t tpad_fold_may_know(const tpad_fold *fold, int32_t index)
{
    const tpad_value *value = input_of(fold, index);
    return value && (value->elements || is_small_constant(fold->model, value));
}

tpad_inferred tpad_fold_value(const tpad_fold *fold, int32_t index)
{
    tpad_value *value = input_of(fold, index);
    return value ? tpad_fold_of(fold->model, value) : tpad_inferred_none(0);
}

tpad_inferred tpad_fold_in(const tpad_fold *fold, int32_t index)
{
    const tpad_value *value = input_of(fold, index);
    if (!value) return tpad_inferred_none(0);
    tpad_value without = *value;
    without.is_constant = 0;
    without.elements = NULL;
    without.element_count = 0;
    return tpad_fold_of(fold->model, &without);
}

void tpad_fold_give(tpad_fold *fold, int32_t index, const tpad_inferred *fact)
{
    tpad_value *value = fold->model->format->node_output(fold->graph, fold->node, index);
    if (value && !fold->unsure) tpad_fold_set(fold->model, value, fact);
}

tpad_element *tpad_fold_room(tpad_fold *fold, const tpad_inferred *fact)
{
    const int64_t count = tpad_inferred_count(fact);
    if (count < 0 || count > FOLD_ELEMENTS || tpad_type_kind(fact->type) == ELEM_OTHER ||
        count > fold->model->folding->steps)
        return NULL;
    fold->model->folding->steps -= count;
    for (int64_t i = 0; i < count; i++) fold->room[i] = (tpad_element){.known = 0};
    return fold->room;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

int32_t tpad_fold_list_in(tpad_fold_list *list, const tpad_fold *fold, int32_t index)
{
    list->count = -1;
    if (!tpad_fold_has(fold, index)) return 0;
    const tpad_inferred fact = tpad_fold_value(fold, index);
    const int64_t count = tpad_inferred_count(&fact);
    if (fact.rank > 1 || count < 0 || count > FOLD_LIST || tpad_type_is_real(fact.type)) return 1;
    list->count = (int32_t)count;
    for (int32_t i = 0; i < list->count; i++) {
        const tpad_element item = tpad_inferred_at(&fact, i);
        list->known[i] = item.known != 0;
        list->items[i] = item.known ? item.integer : 0;
        list->size[i] = item.size;
    }
    return 1;
}

int64_t tpad_fold_list_extent(const tpad_fold *fold, const tpad_fold_list *list, int32_t index)
{
    const int64_t item = list->items[index];
    if (!list->known[index]) return tpad_size_as_extent(fold, list->size[index], 1);
    if (item < 0 || !list->size[index]) return item < 0 ? -1 : item;
    return tpad_extent_sized(item, tpad_size_number(fold->model->folding->sizes, item));
}

int32_t tpad_fold_list_attribute(tpad_fold_list *list, tpad_fold *fold, const char *name)
{
    list->count = tpad_fold_ints(fold, name, list->items);
    for (int32_t i = 0; i < list->count; i++) list->known[i] = 1, list->size[i] = 0;
    return list->count >= 0;
}

int32_t tpad_fold_list_complete(const tpad_fold_list *list)
{
    for (int32_t i = 0; i < list->count; i++)
        if (!list->known[i]) return 0;
    return list->count >= 0;
}

/* ---- Attributes ------------------------------------------------------------------------------ */

static int32_t get(tpad_fold *fold, tpad_attribute *attribute, int32_t want, const char *name)
{
    attribute->want = want;
    const int32_t found = fold->model->format->attribute(attribute, fold->graph, fold->node, name);
    if (found < 0) fold->unsure = 1;
    return found > 0;
}

int64_t tpad_fold_int(tpad_fold *fold, const char *name, int64_t absent)
{
    tpad_attribute attribute;
    return get(fold, &attribute, WANT_INT, name) ? attribute.ints[0] : absent;
}

int32_t tpad_fold_ints(tpad_fold *fold, const char *name, int64_t *list)
{
    tpad_attribute attribute;
    if (!get(fold, &attribute, WANT_INTS, name)) return -1;
    memcpy(list, attribute.ints, (size_t)attribute.count * sizeof *list);
    return attribute.count;
}

int32_t tpad_fold_real(tpad_fold *fold, const char *name, double *number)
{
    tpad_attribute attribute;
    const int32_t found = get(fold, &attribute, WANT_REAL, name);
    if (found) *number = attribute.reals[0];
    return found;
}

int32_t tpad_fold_reals(tpad_fold *fold, const char *name, double *list)
{
    tpad_attribute attribute;
    if (!get(fold, &attribute, WANT_REALS, name)) return -1;
    memcpy(list, attribute.reals, (size_t)attribute.count * sizeof *list);
    return attribute.count;
}

int32_t tpad_fold_text(tpad_fold *fold, const char *name, tpad_string *text)
{
    tpad_attribute attribute;
    const int32_t found = get(fold, &attribute, WANT_WORD, name);
    *text = found ? attribute.word : (tpad_string){"", 0};
    return found;
}

int32_t tpad_fold_word(tpad_fold *fold, const char *name, const char *word, int32_t absent)
{
    tpad_attribute attribute;
    return get(fold, &attribute, WANT_WORD, name) ? tpad_string_is(attribute.word, word) : absent;
}

/* Elements of the folded types: what a type can hold, and conversions. If documents leave a
 * conversion open, or runtimes differ, the result is unknown. */

/* Integers with at most this many bits are exact in double and in float. */
enum { DOUBLE_BITS = 53, FLOAT_BITS = 24 };

tpad_element tpad_element_integer(int32_t type, int64_t integer)
{
    const int32_t kind = tpad_type_kind(type), bits = tpad_onnx_type_bits(type);
    const int64_t top = bits >= 64            ? INT64_MAX
                        : kind == ELEM_SIGNED ? (INT64_C(1) << (bits - 1)) - 1
                        : kind == ELEM_BOOL   ? 1
                                              : (INT64_C(1) << bits) - 1;
    const int64_t low = kind == ELEM_SIGNED ? -top - 1 : 0;
    return (tpad_element){.integer = integer, .known = integer >= low && integer <= top};
}

tpad_element tpad_element_real(int32_t type, double real)
{
    uint32_t code;
    if (type == TPAD_ONNX_DOUBLE) return (tpad_element){.real = real, .known = 1};
    if (tpad_float_encode(&code, type, real)) return (tpad_element){.known = 0};
    return (tpad_element){.real = tpad_float_decode(code, type), .known = 1};
}

/* The low bits of an integer, as another integer type. */
static tpad_element cut(int64_t integer, int32_t to)
{
    const int32_t bits = tpad_onnx_type_bits(to);
    uint64_t kept = (uint64_t)integer;
    if (bits < 64) {
        kept &= (UINT64_C(1) << bits) - 1;
        const uint64_t sign = UINT64_C(1) << (bits - 1);
        if (tpad_type_is_signed(to)) kept = (kept ^ sign) - sign;
    }
    return (tpad_element){.integer = (int64_t)kept, .known = 1};
}

static tpad_element to_integer(double real, int32_t to)
{
    /* Every 64-bit integer type holds the numbers below 2^63. */
    if (!(fabs(real) < 9223372036854775808.0)) return (tpad_element){.known = 0};
    return tpad_element_integer(to, (int64_t)real);
}

static tpad_element to_real(const tpad_element *from, int32_t type, int32_t to)
{
    const int32_t bits = to == TPAD_ONNX_DOUBLE || to == TPAD_ONNX_FLOAT ? DOUBLE_BITS : FLOAT_BITS;
    double real = from->real;
    if (!tpad_type_is_real(type)) {
        const int64_t most = INT64_C(1) << bits;
        /* Beyond this, some runtimes round twice and others once. */
        if (from->integer > most || from->integer < -most) return (tpad_element){.known = 0};
        real = (double)from->integer;
    } else if (tpad_type_kind(to) == ELEM_HALF && (double)(float)real != real && real == real) {
        return (tpad_element){.known = 0};
    }
    return tpad_element_real(to, real);
}

tpad_element tpad_element_cast(tpad_element element, int32_t from, int32_t to)
{
    const int32_t real = tpad_type_is_real(from);
    if (!element.known || from == to) return element;
    if (tpad_type_kind(from) == ELEM_OTHER) return (tpad_element){.known = 0};
    switch (tpad_type_kind(to)) {
    case ELEM_BOOL:
        return (tpad_element){.integer = real ? element.real != 0 : element.integer != 0,
                              .known = 1};
    case ELEM_FLOAT:
    case ELEM_HALF:
        if (from == TPAD_ONNX_UINT64 && element.integer < 0) return (tpad_element){.known = 0};
        return to_real(&element, from, to);
    case ELEM_OTHER:
        return (tpad_element){.known = 0};
    default:
        return real ? to_integer(element.real, to) : cut(element.integer, to);
    }
}
