/* Operators that work element by element.  SPDX-License-Identifier: MIT
 *
 * Integers stay in their type's range: a result outside it is unknown, because some runtimes wrap
 * and others do not. Floats are rounded once, as every runtime does. */
#include <math.h>

#include "fold.h"

static const tpad_element unknown;

static tpad_element integers(int32_t type, int64_t a, int64_t b, int32_t operation)
{
    int64_t out = 0;
    int32_t over = 0;
    const int32_t divides = operation >= OF_DIV && operation <= OF_MOD_TRUNC;
    if (divides && (b == 0 || (a == INT64_MIN && b == -1))) return unknown;
    /* C's remainder has the sign of a; these operators round down. */
    const int32_t down = divides && a % b != 0 && (a < 0) != (b < 0);
    switch (operation) {
    case OF_ADD:
        over = __builtin_add_overflow(a, b, &out);
        break;
    case OF_SUB:
        over = __builtin_sub_overflow(a, b, &out);
        break;
    case OF_MUL:
        over = __builtin_mul_overflow(a, b, &out);
        break;
    case OF_DIV:
        out = a / b;
        break;
    case OF_EXACT_DIV:
        over = down;
        out = a / b;
        break;
    case OF_MOD_TRUNC:
        out = a % b;
        break;
    case OF_MOD_FLOOR:
        out = a % b + (down ? b : 0);
        break;
    case OF_MIN:
        out = a < b ? a : b;
        break;
    default: /* OF_MAX */
        out = a > b ? a : b;
        break;
    }
    return over ? unknown : tpad_element_integer(type, out);
}

static tpad_element reals(int32_t type, double a, double b, int32_t operation)
{
    switch (operation) {
    case OF_ADD:
        return tpad_element_real(type, a + b);
    case OF_SUB:
        return tpad_element_real(type, a - b);
    case OF_MUL:
        return tpad_element_real(type, a * b);
    case OF_DIV:
        return tpad_element_real(type, a / b);
    case OF_MOD_TRUNC:
        return isfinite(a) && isfinite(b) && b != 0 ? tpad_element_real(type, fmod(a, b)) : unknown;
    case OF_MIN:
    case OF_MAX:
        /* Runtimes differ for NaN, and for zeros with different signs. */
        if (isnan(a) || isnan(b) || (a == b && signbit(a) != signbit(b))) return unknown;
        return (tpad_element){.real = (a < b) == (operation == OF_MIN) ? a : b, .known = 1};
    default:
        return unknown;
    }
}

static tpad_element truth(int32_t is)
{
    return (tpad_element){.integer = is, .known = 1};
}

static tpad_element compare(int32_t less, int32_t equal, int32_t greater, int32_t operation)
{
    switch (operation) {
    case OF_EQUAL:
        return truth(equal);
    case OF_NOT_EQUAL:
        return truth(!equal);
    case OF_LESS:
        return truth(less);
    case OF_LESS_OR_EQUAL:
        return truth(less || equal);
    case OF_GREATER:
        return truth(greater);
    default:
        return truth(greater || equal);
    }
}

/* False decides And, true decides Or, whatever the other input is. */
static tpad_element logic(const tpad_element *a, const tpad_element *b, int32_t operation)
{
    const int64_t decides = operation == OF_OR;
    if (operation != OF_XOR && a->known && a->integer == decides) return truth(operation == OF_OR);
    if (operation != OF_XOR && b->known && b->integer == decides) return truth(operation == OF_OR);
    if (!a->known || !b->known) return unknown;
    return truth(operation == OF_XOR ? a->integer != b->integer : operation == OF_AND);
}

static tpad_element combine(const tpad_fold *fold, int32_t type, const tpad_element *a,
                            const tpad_element *b, int32_t operation)
{
    const int32_t kind = tpad_type_kind(type);
    if (operation >= OF_AND && operation <= OF_XOR)
        return kind == ELEM_BOOL ? logic(a, b, operation) : unknown;
    if (!a->known || !b->known) return tpad_open_pair(fold, type, a, b, operation);
    if (type == TPAD_ONNX_UINT64 && (a->integer < 0 || b->integer < 0)) return unknown;
    if (operation >= OF_EQUAL && operation <= OF_GREATER_OR_EQUAL) {
        const int32_t real = tpad_type_is_real(type);
        const int32_t less = real ? a->real < b->real : a->integer < b->integer;
        const int32_t equal = real ? a->real == b->real : a->integer == b->integer;
        const int32_t greater = real ? a->real > b->real : a->integer > b->integer;
        return compare(less, equal, greater, operation);
    }
    if (kind == ELEM_FLOAT) return reals(type, a->real, b->real, operation);
    return kind == ELEM_SIGNED || kind == ELEM_UNSIGNED
               ? integers(type, a->integer, b->integer, operation)
               : unknown;
}

/* 1 if the number is known although it is computed from open extents. */
static int32_t is_from_open(const tpad_element *element)
{
    return element->known && element->size;
}

tpad_element tpad_fold_combine(const tpad_fold *fold, int32_t type, const tpad_element *a,
                               const tpad_element *b, int32_t operation)
{
    tpad_element out = combine(fold, type, a, b, operation);
    if (is_from_open(a) || is_from_open(b)) out.size |= out.known;
    return out;
}

/* Each of these is rounded once, as IEEE 754 requires, so all runtimes agree. */
static tpad_element single_real(int32_t type, double x, int32_t operation)
{
    switch (operation) {
    case OF_NEG:
        return tpad_element_real(type, -x);
    case OF_ABS:
        return tpad_element_real(type, fabs(x));
    case OF_FLOOR:
        return tpad_element_real(type, floor(x));
    case OF_CEIL:
        return tpad_element_real(type, ceil(x));
    case OF_ROUND:
        return tpad_element_real(type, nearbyint(x)); /* halves to even, our rounding mode */
    case OF_SQRT:
        return x >= 0 ? tpad_element_real(type, sqrt(x)) : unknown;
    case OF_SIGN:
        return isnan(x) ? unknown : tpad_element_real(type, (x > 0) - (x < 0));
    case OF_RELU:
        if (isnan(x) || (x == 0 && signbit(x))) return unknown;
        return tpad_element_real(type, x > 0 ? x : 0);
    default: /* OF_RECIPROCAL */
        return x != 0 ? tpad_element_real(type, 1 / x) : unknown;
    }
}

static tpad_element single(const tpad_fold *fold, int32_t type, const tpad_element *a,
                           int32_t operation)
{
    const int32_t kind = tpad_type_kind(type);
    if (!a->known) return tpad_open_single(fold, type, a, operation);
    if (operation == OF_NOT) return kind == ELEM_BOOL ? truth(!a->integer) : unknown;
    if (kind == ELEM_FLOAT) return single_real(type, a->real, operation);
    if (kind == ELEM_UNSIGNED && operation == OF_ABS) return *a;
    if (kind != ELEM_SIGNED) return unknown;
    if (operation == OF_RELU) return a->integer > 0 ? *a : tpad_element_integer(type, 0);
    if (operation == OF_SIGN)
        return tpad_element_integer(type, (a->integer > 0) - (a->integer < 0));
    if (operation != OF_NEG && operation != OF_ABS) return unknown;
    return operation == OF_ABS && a->integer >= 0 ? *a : integers(type, 0, a->integer, OF_SUB);
}

/* ---- Operators ------------------------------------------------------------------------------- */

void tpad_fold_pair(tpad_fold *fold, tpad_inferred *out, const tpad_inferred *a,
                    const tpad_inferred *b, int32_t operation)
{
    const int32_t type = a->type;
    tpad_element *room = a->elements || b->elements ? tpad_fold_room(fold, out) : NULL;
    const int64_t count = tpad_inferred_count(out);
    if (!room || a->type != b->type) return;
    for (int64_t i = 0; i < count; i++) {
        const tpad_element x = tpad_inferred_at(a, tpad_fold_broadcast_index(out, a, i)),
                           y = tpad_inferred_at(b, tpad_fold_broadcast_index(out, b, i));
        room[i] = tpad_fold_combine(fold, type, &x, &y, operation);
    }
    tpad_inferred_put(out, room, count);
}

static int32_t is_truth(int32_t operation)
{
    return operation >= OF_AND && operation <= OF_GREATER_OR_EQUAL;
}

/* 1 if the elements of one input may tell something about the result's. Not for floats: they may be
 * many, and are not sizes. */
static int32_t one_is_enough(const tpad_inferred *out, int32_t operation)
{
    return operation == OF_AND || operation == OF_OR ||
           (operation >= OF_MOD_FLOOR && operation <= OF_MAX && !tpad_type_is_real(out->type));
}

void tpad_fold_binary(tpad_fold *fold, int32_t operation)
{
    tpad_inferred a = tpad_fold_in(fold, 0), b = tpad_fold_in(fold, 1);
    tpad_inferred out = tpad_fold_broadcast(&a, &b);
    if (is_truth(operation)) out.type = TPAD_ONNX_BOOL;
    const int32_t may_know_a = tpad_fold_may_know(fold, 0),
                  may_know_b = tpad_fold_may_know(fold, 1);
    if (operation != OF_OTHER &&
        (one_is_enough(&out, operation) ? may_know_a || may_know_b : may_know_a && may_know_b)) {
        a = tpad_fold_value(fold, 0);
        b = tpad_fold_value(fold, 1);
        tpad_fold_pair(fold, &out, &a, &b, operation);
    }
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_variadic(tpad_fold *fold, int32_t operation)
{
    tpad_element so_far[FOLD_ELEMENTS];
    tpad_inferred out = tpad_fold_value(fold, 0);
    for (int32_t i = 1; tpad_fold_has(fold, i); i++) {
        const tpad_inferred next = tpad_fold_value(fold, i), before = out;
        out = tpad_fold_broadcast(&before, &next);
        if (operation != OF_OTHER &&
            (one_is_enough(&out, operation) ? before.elements || next.elements
                                            : before.elements && next.elements))
            tpad_fold_pair(fold, &out, &before, &next, operation);
        for (int64_t k = 0; k < out.element_count; k++) so_far[k] = out.elements[k];
        if (out.elements) out.elements = so_far;
    }
    if (operation == OF_OTHER) tpad_inferred_put(&out, NULL, 0);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_clip(tpad_fold *fold, const tpad_inferred *low, const tpad_inferred *high)
{
    tpad_element limited[FOLD_ELEMENTS];
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = in;
    const tpad_inferred *const limits[] = {low, high};
    for (int32_t side = 0; side < 2; side++) {
        const tpad_inferred before = out;
        if (!limits[side]) continue;
        tpad_inferred_put(&out, NULL, 0);
        tpad_fold_pair(fold, &out, &before, limits[side], side ? OF_MIN : OF_MAX);
        for (int64_t k = 0; k < out.element_count; k++) limited[k] = out.elements[k];
        if (out.elements) out.elements = limited;
    }
    tpad_fold_give(fold, 0, &out);
}

/* The element of a constant of one element; otherwise unknown. */
static tpad_element only(const tpad_inferred *fact)
{
    return fact->element_count == 1 ? tpad_inferred_at(fact, 0) : unknown;
}

void tpad_fold_dequantize(tpad_fold *fold, int32_t scale_input)
{
    const tpad_inferred codes = tpad_fold_value(fold, 0),
                        scale = tpad_fold_value(fold, scale_input),
                        zero = tpad_fold_value(fold, scale_input + 1);
    tpad_inferred out = codes;
    const tpad_element by = only(&scale), none = {.known = 1};
    const tpad_element from = tpad_fold_has(fold, scale_input + 1) ? only(&zero) : none;
    const int32_t small = tpad_onnx_type_bits(codes.type) <= 16 && scale.type == TPAD_ONNX_FLOAT;
    const int64_t asked = tpad_fold_int(fold, "output_dtype", 0);
    out.type = asked == 0 ? scale.type : asked == TPAD_ONNX_FLOAT ? TPAD_ONNX_FLOAT : 0;
    tpad_inferred_put(&out, NULL, 0);
    tpad_element *room = codes.elements && small && out.type == scale.type && by.known && from.known
                             ? tpad_fold_room(fold, &out)
                             : NULL;
    for (int64_t i = 0; room && i < codes.element_count; i++)
        if (codes.elements[i].known) /* the product is exact before rounding */
            room[i] = tpad_element_real(
                out.type, (double)(codes.elements[i].integer - from.integer) * by.real);
    tpad_inferred_put(&out, room, codes.element_count);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_unary(tpad_fold *fold, int32_t operation)
{
    tpad_inferred out = operation == OF_OTHER ? tpad_fold_in(fold, 0) : tpad_fold_value(fold, 0);
    const tpad_element *from = out.elements;
    tpad_element *room = from ? tpad_fold_room(fold, &out) : NULL;
    for (int64_t i = 0; room && i < out.element_count; i++) {
        room[i] = single(fold, out.type, &from[i], operation);
        if (is_from_open(&from[i])) room[i].size |= room[i].known;
    }
    tpad_inferred_put(&out, room, out.element_count);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_same(tpad_fold *fold, int32_t input)
{
    const tpad_inferred out = tpad_fold_value(fold, input);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_cast(tpad_fold *fold, int32_t type)
{
    const tpad_inferred in = tpad_fold_value(fold, 0);
    tpad_inferred out = in;
    out.type = tpad_onnx_type_name(type) ? type : 0; /* files may have any number */
    tpad_element *room = in.elements ? tpad_fold_room(fold, &out) : NULL;
    for (int64_t i = 0; room && i < in.element_count; i++) {
        room[i] = tpad_element_cast(in.elements[i], in.type, type);
        if (!in.elements[i].known) room[i] = tpad_open_cast(fold, in.elements[i], in.type, type);
        if (is_from_open(&in.elements[i])) room[i].size |= room[i].known;
    }
    tpad_inferred_put(&out, room, in.element_count);
    tpad_fold_give(fold, 0, &out);
}

void tpad_fold_where(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred condition = tpad_fold_value(fold, 0), yes = tpad_fold_value(fold, 1),
                        no = tpad_fold_value(fold, 2);
    tpad_inferred out = tpad_fold_broadcast(&yes, &no);
    (void)argument;
    out = tpad_fold_broadcast(&out, &condition);
    tpad_element *room = yes.elements || no.elements ? tpad_fold_room(fold, &out) : NULL;
    const int64_t count = tpad_inferred_count(&out);
    for (int64_t i = 0; room && i < count; i++) {
        const tpad_element a = tpad_inferred_at(&yes, tpad_fold_broadcast_index(&out, &yes, i)),
                           b = tpad_inferred_at(&no, tpad_fold_broadcast_index(&out, &no, i)),
                           c = tpad_inferred_at(&condition,
                                                tpad_fold_broadcast_index(&out, &condition, i));
        room[i] = c.known                             ? c.integer ? a : b
                  : tpad_element_same(out.type, a, b) ? a
                                                      : tpad_open_either(fold, out.type, &a, &b);
        if (is_from_open(&c)) room[i].size |= room[i].known;
    }
    tpad_inferred_put(&out, room, count);
    tpad_fold_give(fold, 0, &out);
}

/* Output shapes of network layers: convolutions, pools, matrix products, sums over axes, scaled
 * images. Only sums give elements. */

/* ---- Windows --------------------------------------------------------------------------------- */

/* The number of windows on an axis of open size; 0: unknown. */
static int32_t window_size(const tpad_fold *fold, const tpad_window *window, int32_t axis,
                           int32_t size)
{
    struct tpad_sizes *sizes = fold->model->folding->sizes;
    const int64_t stride = window->stride[axis], kernel = window->kernel[axis];
    int64_t more;
    if (window->same)
        more = stride - 1;
    else if (kernel < 1 || (window->upper && stride != 1) ||
             __builtin_mul_overflow(1 - kernel, window->dilation[axis], &more) ||
             __builtin_add_overflow(more, window->before[axis], &more) ||
             __builtin_add_overflow(more, window->after[axis], &more) ||
             __builtin_add_overflow(more, stride - 1, &more))
        return 0;
    size = tpad_size_sum(sizes, size, 1, tpad_size_number(sizes, more), 1);
    return tpad_size_quotient(sizes, size, stride);
}

int64_t tpad_window_count(const tpad_fold *fold, const tpad_window *window, int32_t axis,
                          int64_t extent)
{
    const int64_t stride = window->stride[axis], kernel = window->kernel[axis];
    int64_t room = extent, reach;
    if (extent < 0) { /* a longer axis does not have fewer windows */
        const int64_t least = tpad_extent_least(extent);
        const int32_t size = window_size(fold, window, axis, tpad_size_of_extent(fold, extent));
        return tpad_extent_sized(least ? tpad_window_count(fold, window, axis, least) : 0, size);
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
        out.shape[i + 2] = tpad_window_count(fold, window, i, out.shape[i + 2]);
    tpad_fold_give(fold, 0, &out);
}

/* stride * (extent - 1) + output_padding + reach - pads, in 64 bits; -1 if unknown. */
static int64_t widened(const tpad_fold *fold, const tpad_window *window, int32_t axis,
                       int64_t extent, int64_t extra)
{
    struct tpad_sizes *sizes = fold->model->folding->sizes;
    const int32_t size = tpad_size_of_extent(fold, extent);
    int64_t more;
    if (extent == 0 || window->kernel[axis] < 1 ||
        __builtin_mul_overflow(window->kernel[axis] - 1, window->dilation[axis], &more) ||
        __builtin_add_overflow(more, extra + 1, &more) ||
        __builtin_sub_overflow(more, window->stride[axis], &more) ||
        __builtin_sub_overflow(more, window->before[axis], &more) ||
        __builtin_sub_overflow(more, window->after[axis], &more))
        return -1;
    return tpad_size_as_extent(
        fold, tpad_size_sum(sizes, size, window->stride[axis], tpad_size_number(sizes, more), 1),
        extent < 0);
}

void tpad_fold_window_back(tpad_fold *fold, const tpad_window *window, int64_t channels,
                           const int64_t *extra, const int64_t *fixed)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    if (out.rank != window->axes + 2) return;
    out.shape[1] = channels;
    for (int32_t i = 0; i < window->axes; i++)
        out.shape[i + 2] = fixed          ? fixed[i]
                           : window->same ? -1
                                          : widened(fold, window, i, out.shape[i + 2], extra[i]);
    tpad_fold_give(fold, 0, &out);
}

/* ---- Matrix products ------------------------------------------------------------------------- */

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
        room[at] = begun[at]
                       ? tpad_fold_combine(fold, in.type, &room[at], &in.elements[i], operation)
                       : in.elements[i];
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

/* Runtimes multiply in float or in double: the result is known if both agree. */
int64_t tpad_fold_scale(const tpad_fold *fold, int64_t extent, double factor)
{
    const int32_t open = tpad_size_of_extent(fold, extent);
    if (extent < 0 && factor >= 1 && factor < 1 << 15 && factor == floor(factor))
        return tpad_size_as_extent(
            fold, tpad_size_sum(fold->model->folding->sizes, open, (int64_t)factor, open, 0), 1);
    const double wide = floor((double)extent * factor);
    const double narrow = floor((double)((float)extent * (float)factor));
    if (extent < 0 || !(wide >= 0 && wide < 1e15) || wide != narrow) return -1;
    return (int64_t)wide;
}
