/* Arithmetic with unknown numbers.  SPDX-License-Identifier: MIT
 *
 * An unknown element may have a size (fold_sizes.c): its number is that size divided by `over`,
 * which is 1 for integers. So the float h / 8 keeps what its ceil needs. Numbers that a model
 * computes from extents are assumed to fit into int32 and, as integers, into float32. */
#include <math.h>

#include "fold.h"

static const tpad_element unknown;

/* A size divided by a number that is at least 1; size 0: unknown. */
typedef struct ratio {
    int32_t size;
    int64_t over;
} ratio;

enum { FRACTION_BITS = 20 };

static int32_t is_followed(int32_t type)
{
    const int32_t kind = tpad_type_kind(type);
    return type == TPAD_ONNX_INT32 || type == TPAD_ONNX_INT64 || kind == ELEM_FLOAT;
}

static ratio ratio_of(struct tpad_sizes *sizes, int32_t type, tpad_element element)
{
    if (!element.known) return (ratio){element.size > 0 ? element.size : 0, element.over};
    if (!tpad_type_is_real(type)) return (ratio){tpad_size_number(sizes, element.integer), 1};
    for (int32_t bits = 0; bits <= FRACTION_BITS; bits++) {
        const double scaled = ldexp(element.real, bits);
        if (fabs(scaled) < 0x1p53 && scaled == floor(scaled))
            return (ratio){tpad_size_number(sizes, (int64_t)scaled), INT64_C(1) << bits};
    }
    return (ratio){0};
}

static tpad_element element_of(struct tpad_sizes *sizes, int32_t type, ratio r)
{
    int64_t number, least, most;
    const int64_t top = type == TPAD_ONNX_INT32 ? INT32_MAX : INT64_MAX;
    if (r.size <= 0) return unknown;
    const int32_t part = r.over > 1 ? tpad_size_quotient(sizes, r.size, r.over) : r.size;
    if (part && r.over > 1 && tpad_size_sum(sizes, part, r.over, part, 0) == r.size)
        r = (ratio){part, 1}; /* there is no remainder */
    if (tpad_size_is_number(sizes, r.size, &number)) {
        tpad_element known = tpad_type_is_real(type)
                                 ? tpad_element_real(type, (double)number / (double)r.over)
                                 : tpad_element_integer(type, number);
        known.size = known.known;
        return known;
    }
    tpad_size_bounds(sizes, r.size, &least, &most);
    if ((least != SIZE_LEAST && least < -top) || (most != SIZE_MOST && most > top)) return unknown;
    return (tpad_element){.over = r.over, .size = r.size};
}

static tpad_element between(struct tpad_sizes *sizes, int64_t least, int64_t most, int64_t over)
{
    return (tpad_element){.over = over, .size = tpad_size_open(sizes, least, most)};
}

tpad_element tpad_open_extent(const tpad_fold *fold, int32_t type, int64_t extent)
{
    struct tpad_sizes *sizes = fold->model->folding->sizes;
    const int32_t size = tpad_size_of_extent(fold, extent);
    if (!is_followed(type)) return extent < 0 ? unknown : tpad_element_integer(type, extent);
    if (extent >= 0) return tpad_element_integer(type, extent);
    return size ? element_of(sizes, type, (ratio){size, 1})
                : between(sizes, tpad_extent_least(extent), SIZE_MOST, 1);
}

int32_t tpad_element_not_negative(const tpad_fold *fold, int32_t type, tpad_element element)
{
    int64_t least, most;
    if (element.known) return tpad_type_is_real(type) ? element.real >= 0 : element.integer >= 0;
    tpad_size_bounds(fold->model->folding->sizes, element.size, &least, &most);
    return element.size == SIZE_NOT_NEGATIVE || least >= 0;
}

/* An unknown number that is not below zero; an integer has a size. */
static tpad_element not_negative(struct tpad_sizes *sizes, int32_t type)
{
    return tpad_type_is_real(type) ? (tpad_element){.size = SIZE_NOT_NEGATIVE}
                                   : between(sizes, 0, SIZE_MOST, 1);
}

/* x + sign * y */
static ratio sum(struct tpad_sizes *sizes, ratio x, ratio y, int64_t sign)
{
    int64_t over = x.over;
    if (x.over == y.over) return (ratio){tpad_size_sum(sizes, x.size, 1, y.size, sign), over};
    if (!x.size || !y.size || __builtin_mul_overflow(x.over, y.over, &over)) return (ratio){0};
    return (ratio){tpad_size_sum(sizes, x.size, y.over, y.size, sign * x.over), over};
}

/* x * number / over */
static ratio times(struct tpad_sizes *sizes, ratio x, int64_t number, int64_t over)
{
    if (over < 0) number = -number, over = -over;
    if (!x.size || !over || __builtin_mul_overflow(x.over, over, &over)) return (ratio){0};
    return (ratio){tpad_size_sum(sizes, x.size, number, x.size, 0), over};
}

/* Integers: x / y rounded towards zero, or `down`. */
static tpad_element divide(struct tpad_sizes *sizes, int32_t type, ratio x, ratio y, int32_t down)
{
    int64_t least, most, by, by_most, number;
    tpad_size_bounds(sizes, x.size, &least, &most);
    tpad_size_bounds(sizes, y.size, &by, &by_most);
    if (!tpad_size_is_number(sizes, y.size, &number))
        return least >= 0 && by >= 0 ? between(sizes, 0, most, 1) : unknown;
    if (number < 0) return unknown;
    if (least >= 0)
        return element_of(sizes, type, (ratio){tpad_size_quotient(sizes, x.size, number), 1});
    if (down || !number || !x.size) return unknown;
    return between(sizes, least == SIZE_LEAST ? least : least / number,
                   most == SIZE_MOST ? most : most / number, 1);
}

/* Whole numbers: x % y. */
static tpad_element remainder_of(struct tpad_sizes *sizes, int32_t type, ratio x, ratio y,
                                 int32_t floors)
{
    int64_t least, most, by, by_most;
    tpad_size_bounds(sizes, x.size, &least, &most);
    tpad_size_bounds(sizes, y.size, &by, &by_most);
    if (by <= 0) return unknown;
    const int64_t top = by_most == SIZE_MOST ? SIZE_MOST : by_most - 1;
    if (!floors && least < 0) return between(sizes, top == SIZE_MOST ? SIZE_LEAST : -top, top, 1);
    if (!x.size || by != by_most) return between(sizes, 0, top, 1);
    const int32_t whole = tpad_size_quotient(sizes, x.size, by);
    return element_of(sizes, type, (ratio){tpad_size_sum(sizes, x.size, 1, whole, -by), 1});
}

/* The greater of two, the lesser, or either of them. */
static tpad_element choice(struct tpad_sizes *sizes, int32_t type, ratio x, ratio y, int32_t kind)
{
    int64_t over, least, most;
    if (x.size && y.size) {
        if (__builtin_mul_overflow(x.over, y.over, &over)) return unknown;
        const int32_t a = times(sizes, x, y.over, 1).size, b = times(sizes, y, x.over, 1).size;
        return element_of(sizes, type, (ratio){tpad_size_choice(sizes, a, b, kind), over});
    }
    if (kind == SIZE_EITHER || tpad_type_is_real(type)) return unknown;
    tpad_size_bounds(sizes, x.size ? x.size : y.size, &least, &most);
    return between(sizes, kind == SIZE_GREATER ? least : SIZE_LEAST,
                   kind == SIZE_LESSER ? most : SIZE_MOST, 1);
}

/* Whether a number in [least, most] satisfies the comparison with 0: 1, 0, or -1 if unknown. */
static int32_t holds(int64_t least, int64_t most, int32_t operation)
{
    switch (operation) {
    case OF_LESS:
        return most < 0 ? 1 : least >= 0 ? 0 : -1;
    case OF_LESS_OR_EQUAL:
        return most <= 0 ? 1 : least > 0 ? 0 : -1;
    case OF_GREATER:
        return least > 0 ? 1 : most <= 0 ? 0 : -1;
    case OF_GREATER_OR_EQUAL:
        return least >= 0 ? 1 : most < 0 ? 0 : -1;
    default: /* OF_EQUAL, OF_NOT_EQUAL */
        return least > 0 || most < 0 ? operation == OF_NOT_EQUAL : -1;
    }
}

tpad_element tpad_open_pair(const tpad_fold *fold, int32_t type, const tpad_element *a,
                            const tpad_element *b, int32_t operation)
{
    struct tpad_sizes *sizes = fold->model->folding->sizes;
    int64_t number, least, most;
    if (!is_followed(type)) return unknown;
    const int32_t real = tpad_type_is_real(type);
    ratio x = ratio_of(sizes, type, *a), y = ratio_of(sizes, type, *b);
    const int32_t none_below =
        tpad_element_not_negative(fold, type, *a) && tpad_element_not_negative(fold, type, *b);
    tpad_element out = unknown;
    switch (operation) {
    case OF_ADD:
    case OF_SUB:
        out = element_of(sizes, type, sum(sizes, x, y, operation == OF_ADD ? 1 : -1));
        return !out.known && !out.size && none_below && operation == OF_ADD
                   ? not_negative(sizes, type)
                   : out;
    case OF_MUL:
        if (tpad_size_is_number(sizes, x.size, &number)) {
            const ratio by = x;
            x = y;
            y = by;
        }
        if (tpad_size_is_number(sizes, y.size, &number))
            out = element_of(sizes, type, times(sizes, x, number, y.over));
        return !out.known && !out.size && none_below ? not_negative(sizes, type) : out;
    case OF_DIV:
        if (!real) return divide(sizes, type, x, y, 0);
        return tpad_size_is_number(sizes, y.size, &number)
                   ? element_of(sizes, type, times(sizes, x, y.over, number))
                   : unknown;
    case OF_EXACT_DIV:
        return divide(sizes, type, x, y, 1);
    case OF_MOD_FLOOR:
    case OF_MOD_TRUNC:
        if (real && (!x.size || x.over > 1 || y.over > 1)) return unknown;
        return remainder_of(sizes, type, x, y, operation == OF_MOD_FLOOR);
    case OF_MIN:
    case OF_MAX:
        out = choice(sizes, type, x, y, operation == OF_MIN ? SIZE_LESSER : SIZE_GREATER);
        if (out.known || out.size) return out;
        return operation == OF_MIN ? none_below ? not_negative(sizes, type) : unknown
               : tpad_element_not_negative(fold, type, *a) ||
                       tpad_element_not_negative(fold, type, *b)
                   ? not_negative(sizes, type)
                   : unknown;
    default:
        if (operation < OF_EQUAL || operation > OF_GREATER_OR_EQUAL) return unknown;
        tpad_size_bounds(sizes, sum(sizes, x, y, -1).size, &least, &most);
        const int32_t answer = holds(least, most, operation);
        return answer < 0 ? unknown : (tpad_element){.integer = answer, .known = 1, .size = 1};
    }
}

/* floor(x), or ceil(x) if sign is -1. */
static tpad_element rounded(struct tpad_sizes *sizes, int32_t type, ratio x, int64_t sign)
{
    const int32_t down = tpad_size_quotient(sizes, times(sizes, x, sign, 1).size, x.over);
    return element_of(sizes, type, times(sizes, (ratio){down, 1}, sign, 1));
}

tpad_element tpad_open_single(const tpad_fold *fold, int32_t type, const tpad_element *a,
                              int32_t operation)
{
    struct tpad_sizes *sizes = fold->model->folding->sizes;
    const tpad_element zero = {.known = 1};
    int64_t least, most;
    if (!is_followed(type)) return unknown;
    const int32_t positive = tpad_element_not_negative(fold, type, *a);
    const ratio x = ratio_of(sizes, type, *a);
    tpad_size_bounds(sizes, x.size, &least, &most);
    switch (operation) {
    case OF_NEG:
        return element_of(sizes, type, times(sizes, x, -1, 1));
    case OF_ABS:
        if (positive) return *a;
        if (!x.size) return not_negative(sizes, type);
        return between(sizes, 0,
                       least == SIZE_LEAST ? SIZE_MOST
                       : -least > most     ? -least
                                           : most,
                       x.over);
    case OF_FLOOR:
    case OF_CEIL:
        if (x.size) return rounded(sizes, type, x, operation == OF_FLOOR ? 1 : -1);
        return positive ? between(sizes, 0, SIZE_MOST, 1) : unknown;
    case OF_ROUND:
        if (x.size && x.over == 1) return *a;
        return positive ? between(sizes, 0, SIZE_MOST, 1) : unknown;
    case OF_RELU:
        return positive ? *a : tpad_open_pair(fold, type, a, &zero, OF_MAX);
    case OF_SQRT:
        return positive ? not_negative(sizes, type) : unknown;
    case OF_SIGN:
        return least > 0 ? element_of(sizes, type, (ratio){tpad_size_number(sizes, 1), 1})
                         : between(sizes, positive ? 0 : -1, 1, 1);
    default:
        return unknown;
    }
}

tpad_element tpad_open_cast(const tpad_fold *fold, tpad_element element, int32_t from, int32_t to)
{
    struct tpad_sizes *sizes = fold->model->folding->sizes;
    int64_t least, most;
    if (to == TPAD_ONNX_BOOL && is_followed(from)) {
        tpad_size_bounds(sizes, element.size, &least, &most);
        const int32_t known = least > 0 || most < 0;
        return (tpad_element){.integer = 1, .known = known, .size = known};
    }
    if (from == TPAD_ONNX_BOOL && is_followed(to)) return between(sizes, 0, 1, 1);
    if (!is_followed(from) || !is_followed(to)) return unknown;
    const ratio x = ratio_of(sizes, from, element);
    if (!x.size) /* a large real number may become any integer */
        return element.size && tpad_type_is_real(to) ? not_negative(sizes, to) : unknown;
    if (tpad_type_is_real(to) || x.over == 1) return element_of(sizes, to, x);
    tpad_size_bounds(sizes, x.size, &least, &most);
    if (least >= 0 || most <= 0) return rounded(sizes, to, x, least >= 0 ? 1 : -1);
    return between(sizes, least == SIZE_LEAST ? least : least / x.over,
                   most == SIZE_MOST ? most : most / x.over, 1);
}

tpad_element tpad_open_either(const tpad_fold *fold, int32_t type, const tpad_element *a,
                              const tpad_element *b)
{
    struct tpad_sizes *sizes = fold->model->folding->sizes;
    if (!is_followed(type)) return unknown;
    const tpad_element out =
        choice(sizes, type, ratio_of(sizes, type, *a), ratio_of(sizes, type, *b), SIZE_EITHER);
    if (out.known || out.size) return out;
    return tpad_element_not_negative(fold, type, *a) && tpad_element_not_negative(fold, type, *b)
               ? not_negative(sizes, type)
               : unknown;
}

/* ---- Amounts of a Pad ------------------------------------------------------------------------ */

int64_t tpad_bound_amounts(tpad_model *model, tpad_amount_bounds *bounds, int64_t extent,
                           const tpad_element amounts[2])
{
    struct tpad_sizes *sizes = model->folding->sizes;
    const tpad_fold fold = {.model = model};
    const int32_t size = tpad_size_of_extent(&fold, extent);
    int32_t sum = size;
    bounds->never_cut = bounds->never_far = 1;
    bounds->most = 1;
    for (int32_t side = 0; side < 2; side++) {
        int64_t least, most, room, ignored;
        const int32_t amount = ratio_of(sizes, TPAD_ONNX_INT64, amounts[side]).size;
        tpad_size_bounds(sizes, amount, &least, &most);
        tpad_size_bounds(sizes, tpad_size_sum(sizes, size, 1, amount, -1), &room, &ignored);
        bounds->never_cut &= least >= 0;
        bounds->never_far &= room > 0;
        if (bounds->most && most > bounds->most) bounds->most = most == SIZE_MOST ? 0 : most;
        sum = tpad_size_sum(sizes, sum, 1, amount, 1);
    }
    return tpad_size_as_extent(&fold, sum, 1);
}
