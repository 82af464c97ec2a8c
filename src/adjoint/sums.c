/* Adds numbers of every kind. SPDX-License-Identifier: MIT
 *
 * The arithmetic: rounding, and the bits of F16 and BF16. Numbers may have any alignment. */
#include "sums.h"

#include <tensorpad/adjoint.h>

#include "../core/checked.h"

/* ---- Numbers of 16 bits ---------------------------------------------------------------------- */

static inline uint32_t float_bits(float number)
{
    uint32_t bits;
    tpad_memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline float bits_float(uint32_t bits)
{
    float number;
    tpad_memcpy(&number, &bits, sizeof number);
    return number;
}

enum { F16_INFINITY = 0x7C00, F32_INFINITY = 0x7F800000 };

static inline float from_f16(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, size = half & 0x7FFF;
    /* No float here is subnormal: some programs flush these to 0. */
    const uint32_t small = float_bits((float)(int32_t)size * 0x1p-24F);
    const uint32_t exponents = size < F16_INFINITY ? 112u << 23 : 224u << 23; /* of 2^112 ... */
    const uint32_t normal = (size << 13) + exponents;
    return bits_float(sign | (size < 0x0400 ? small : normal));
}

static inline uint16_t to_f16(float number)
{
    const uint32_t bits = float_bits(number), sign = bits >> 16 & 0x8000, size = bits & 0x7FFFFFFF;
    if (size > F32_INFINITY) return (uint16_t)(sign | 0x7E00 | (size >> 13 & 0x03FF));
    if (size >= 0x477FF000) return (uint16_t)(sign | F16_INFINITY); /* 65520 and more */
    if (size < 0x38800000) { /* below 2^-14. The sum has steps of 2^-24, like the result */
        const float half = 0.5F, sum = bits_float(size) + half;
        return (uint16_t)(sign | (float_bits(sum) - float_bits(half)));
    }
    return (uint16_t)(sign | (((size + 0x0FFF + (size >> 13 & 1)) >> 13) - (112u << 10)));
}

static inline float from_bf16(uint16_t number)
{
    return bits_float((uint32_t)number << 16);
}

static inline uint16_t to_bf16(float number)
{
    const uint32_t bits = float_bits(number);
    if ((bits & 0x7FFFFFFF) > F32_INFINITY) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

#define SAME(number) (number)

/* Combines the number at `from` into the one at `to`. */
#define PUT_NUMBER(TO, READ, WRITE, FROM, READ_FROM, OF, to, from)                                 \
    do {                                                                                           \
        TO x_;                                                                                     \
        FROM y_;                                                                                   \
        tpad_memcpy(&x_, to, sizeof x_);                                                           \
        tpad_memcpy(&y_, from, sizeof y_);                                                         \
        x_ = (TO)WRITE(OF(READ(x_), READ_FROM(y_)));                                               \
        tpad_memcpy(to, &x_, sizeof x_);                                                           \
    } while (0)

/* Defines a kernel: TO and FROM are types; READ and READ_FROM convert them to the type of the
 * arithmetic, WRITE converts that to TO, and OF(to, from) is the result. */
#define BLOCK_KERNEL(NAME, TO, READ, WRITE, FROM, READ_FROM, OF)                                   \
    static TPAD_NOINLINE void NAME##_dense(unsigned char *restrict to,                             \
                                           const unsigned char *restrict from, int64_t count)      \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                        \
            PUT_NUMBER(TO, READ, WRITE, FROM, READ_FROM, OF, to + i * (int64_t)sizeof(TO),         \
                       from + i * (int64_t)sizeof(FROM));                                          \
    }                                                                                              \
    static void NAME(const sum_block *b)                                                           \
    {                                                                                              \
        const int64_t numbers = b->numbers, cells = b->cells;                                      \
        const int64_t to_step = b->to_step, from_step = b->from_step;                              \
        const int to_dense = to_step == (int64_t)sizeof(TO) * numbers;                             \
        const int from_dense = from_step == (int64_t)sizeof(FROM) * numbers;                       \
        const int dense = (cells == 1) | (to_dense & from_dense);                                  \
        for (int64_t p = 0; p < b->planes; p++) {                                                  \
            unsigned char *to = b->to + p * b->to_plane;                                           \
            const unsigned char *from = b->from + p * b->from_plane;                               \
            for (int64_t r = b->rows; r > 0; r--, to += b->to_row, from += b->from_row) {          \
                if (dense)                                                                         \
                    NAME##_dense(to, from, cells * numbers);                                       \
                else if (numbers == 1)                                                             \
                    for (int64_t c = 0; c < cells; c++)                                            \
                        PUT_NUMBER(TO, READ, WRITE, FROM, READ_FROM, OF, to + c * to_step,         \
                                   from + c * from_step);                                          \
                else                                                                               \
                    for (int64_t c = 0; c < cells; c++)                                            \
                        NAME##_dense(to + c * to_step, from + c * from_step, numbers);             \
            }                                                                                      \
        }                                                                                          \
    }

#define SUM_OF(to, from)  ((to) + (from))
#define TAKE_OF(to, from) ((void)(to), (from))

/* Unsigned, so that sums wrap around; the shorter ones are added as unsigned int. */
BLOCK_KERNEL(add_i8, uint8_t, (unsigned), SAME, uint8_t, (unsigned), SUM_OF)
BLOCK_KERNEL(add_i16, uint16_t, (unsigned), SAME, uint16_t, (unsigned), SUM_OF)
BLOCK_KERNEL(add_i32, uint32_t, SAME, SAME, uint32_t, SAME, SUM_OF)
BLOCK_KERNEL(add_i64, uint64_t, SAME, SAME, uint64_t, SAME, SUM_OF)
BLOCK_KERNEL(add_f32, float, SAME, SAME, float, SAME, SUM_OF)
BLOCK_KERNEL(add_f64, double, SAME, SAME, double, SAME, SUM_OF)
BLOCK_KERNEL(add_f16, uint16_t, from_f16, to_f16, uint16_t, from_f16, SUM_OF)
BLOCK_KERNEL(sum_f16, float, SAME, SAME, uint16_t, from_f16, SUM_OF)
BLOCK_KERNEL(load_f16, float, SAME, SAME, uint16_t, from_f16, TAKE_OF)
BLOCK_KERNEL(store_f16, uint16_t, SAME, to_f16, float, SAME, TAKE_OF)
BLOCK_KERNEL(add_bf16, uint16_t, from_bf16, to_bf16, uint16_t, from_bf16, SUM_OF)
BLOCK_KERNEL(sum_bf16, float, SAME, SAME, uint16_t, from_bf16, SUM_OF)
BLOCK_KERNEL(load_bf16, float, SAME, SAME, uint16_t, from_bf16, TAKE_OF)
BLOCK_KERNEL(store_bf16, uint16_t, SAME, to_bf16, float, SAME, TAKE_OF)

/* ---- Totals ---------------------------------------------------------------------------------- */

/* Rounds a double to odd: to the exact float, or the neighbour with its last bit set. to_f16 and
 * to_bf16 round that to the same result as they would the double. */
static float round_odd(double number)
{
    const float nearest = (float)number;
    const double back = nearest, size = number < 0 ? -number : number;
    if (!(back < number || back > number)) return nearest; /* NaN too */
    const uint32_t bits = float_bits(nearest);
    return bits_float((bits - ((back < 0 ? -back : back) > size)) | 1);
}

#define TO_F16(sum)  to_f16(round_odd(sum))
#define TO_BF16(sum) to_bf16(round_odd(sum))

#define TOTAL_KERNEL(NAME, NUMBER, READ, WRITE, SUM)                                               \
    static void total_##NAME(const sum_block *b, int32_t parts, void *sums)                        \
    {                                                                                              \
        SUM all[2];                                                                                \
        tpad_memcpy(all, sums, sizeof all);                                                        \
        for (int64_t p = 0; p < b->planes; p++)                                                    \
            for (int64_t r = 0; r < b->rows; r++)                                                  \
                for (int64_t c = 0; c < b->cells; c++) {                                           \
                    const unsigned char *from =                                                    \
                        b->from + (p * b->from_plane + r * b->from_row + c * b->from_step);        \
                    for (int32_t k = 0; k < parts; k++) {                                          \
                        NUMBER number;                                                             \
                        tpad_memcpy(&number, from + k * (int32_t)sizeof number, sizeof number);    \
                        all[k] += (SUM)READ(number);                                               \
                    }                                                                              \
                }                                                                                  \
        tpad_memcpy(sums, all, sizeof all);                                                        \
    }                                                                                              \
    static void put_##NAME(unsigned char *to, int32_t parts, const void *sums, int add)            \
    {                                                                                              \
        SUM all[2];                                                                                \
        tpad_memcpy(all, sums, sizeof all);                                                        \
        for (int32_t k = 0; k < parts; k++, to += sizeof(NUMBER)) {                                \
            NUMBER number;                                                                         \
            tpad_memcpy(&number, to, sizeof number);                                               \
            number = (NUMBER)WRITE(add ? (SUM)READ(number) + all[k] : all[k]);                     \
            tpad_memcpy(to, &number, sizeof number);                                               \
        }                                                                                          \
    }

TOTAL_KERNEL(i8, uint8_t, SAME, SAME, uint64_t)
TOTAL_KERNEL(i16, uint16_t, SAME, SAME, uint64_t)
TOTAL_KERNEL(i32, uint32_t, SAME, SAME, uint64_t)
TOTAL_KERNEL(i64, uint64_t, SAME, SAME, uint64_t)
TOTAL_KERNEL(f32, float, SAME, SAME, double)
TOTAL_KERNEL(f64, double, SAME, SAME, double)
TOTAL_KERNEL(f16, uint16_t, from_f16, TO_F16, double)
TOTAL_KERNEL(bf16, uint16_t, from_bf16, TO_BF16, double)

/* ---- The kinds ------------------------------------------------------------------------------- */

static const sum_numbers kinds[] = {
    [TPAD_NUMBER_F32] = {4, 1, add_f32, NULL, NULL, NULL, total_f32, put_f32},
    [TPAD_NUMBER_F64] = {8, 1, add_f64, NULL, NULL, NULL, total_f64, put_f64},
    [TPAD_NUMBER_F16] = {2, 1, add_f16, sum_f16, load_f16, store_f16, total_f16, put_f16},
    [TPAD_NUMBER_BF16] = {2, 1, add_bf16, sum_bf16, load_bf16, store_bf16, total_bf16, put_bf16},
    [TPAD_NUMBER_COMPLEX64] = {4, 2, add_f32, NULL, NULL, NULL, total_f32, put_f32},
    [TPAD_NUMBER_COMPLEX128] = {8, 2, add_f64, NULL, NULL, NULL, total_f64, put_f64},
    [TPAD_NUMBER_I8] = {1, 1, add_i8, NULL, NULL, NULL, total_i8, put_i8},
    [TPAD_NUMBER_I16] = {2, 1, add_i16, NULL, NULL, NULL, total_i16, put_i16},
    [TPAD_NUMBER_I32] = {4, 1, add_i32, NULL, NULL, NULL, total_i32, put_i32},
    [TPAD_NUMBER_I64] = {8, 1, add_i64, NULL, NULL, NULL, total_i64, put_i64},
};

const sum_numbers *tpad_sum_numbers(int32_t number)
{
    return &kinds[number];
}

/* The cells of an axis that take given elements of the input.
 *
 * A run of the axis is cut to the requested elements. */

/* The number of elements in a run. */
static int64_t element_count(const run *r)
{
    return r->spacing == 1 ? r->length : (r->length - 1) / r->spacing + 1;
}

/* Of a run's `count` elements, those in [first, end) are consecutive. Returns their number;
 * *skipped is the number before them. */
/*@ requires \valid_read(r) && \valid(skipped) && \separated(r, skipped) && valid_run(*r);
    requires 0 <= r->source <= TPAD_MAX_EXTENT && 1 <= count <= TPAD_MAX_EXTENT;
    requires 0 <= first <= end <= TPAD_MAX_EXTENT;
    assigns *skipped;
    ensures \forall integer j; 0 <= j < count ==>
        (first <= r->source + r->step * j < end <==> *skipped <= j < *skipped + \result);
    ensures 0 <= \result && 0 <= *skipped && *skipped + \result <= count || \result == 0; */
static int64_t elements_between(const run *r, int64_t count, int64_t first, int64_t end,
                                int64_t *skipped)
{
    int64_t from = 0, to = count;
    if (r->step > 0) {
        from = tpad_max(0, first - r->source);
        to = tpad_min(count, end - r->source);
    } else if (r->step < 0) {
        from = tpad_max(0, r->source - end + 1);
        to = tpad_min(count, r->source - first + 1);
    } else if (r->source < first || r->source >= end) {
        to = 0;
    }
    *skipped = from;
    return tpad_max(0, to - from);
}

/* The step from one of `count` cells to the next. 0 for one cell: its spacing may exceed the axis,
 * so that the product with the stride would overflow. */
static int64_t cell_step(const axis *a, int64_t spacing, int64_t count)
{
    return count > 1 ? spacing * a->out_stride : 0;
}

/* 1 if cells are at their own places in the run of elements that begins at cell i. */
static int is_own(const axis *a, int64_t i)
{
    const int64_t t = a->origin + i;
    return a->lo <= t && t < a->hi;
}

int tpad_next_takers(taker_reader *reader, takers *next)
{
    const taken_axis *of = reader->of;
    const axis *a = &of->axis;
    if (reader->at < 0) {
        const int64_t first = tpad_max(reader->first, of->own_first);
        const int64_t end = tpad_min(reader->end, of->own_end);
        reader->at = 0;
        if (first < end) {
            *next = (takers){end - first,
                             (first * a->spacing - a->origin) * a->out_stride,
                             cell_step(a, a->spacing, end - first),
                             (first - reader->first) * reader->in_stride,
                             reader->in_stride,
                             1};
            return 1;
        }
    }
    while (reader->at < a->extent) {
        const int64_t i = reader->at;
        const run r = tpad_axis_run(a, i);
        reader->at += r.length;
        if (r.source < 0 || is_own(a, i)) continue;
        int64_t skipped;
        const int64_t count =
            elements_between(&r, element_count(&r), reader->first, reader->end, &skipped);
        if (count == 0) continue;
        *next = (takers){count,
                         (i + skipped * r.spacing) * a->out_stride,
                         cell_step(a, r.spacing, count),
                         (r.source + skipped * r.step - reader->first) * reader->in_stride,
                         r.step * reader->in_stride,
                         0};
        return 1;
    }
    return 0;
}

/* Reduces [*first, *end) to the larger part outside [from, to). */
static void cut_out(int64_t *first, int64_t *end, int64_t from, int64_t to)
{
    if (to <= *first || from >= *end) return;
    if (from - *first >= *end - to)
        *end = tpad_max(from, *first);
    else
        *first = tpad_min(to, *end);
}

taken_axis tpad_taken_axis(const axis *a, int64_t first, int64_t end)
{
    taken_axis of = {.axis = *a, .first = first, .end = end};
    const int64_t from = tpad_max(a->lo, a->origin), to = tpad_min(a->hi, a->origin + a->extent);
    if (from < to) {
        of.own_first = (from + a->spacing - 1) / a->spacing;
        of.own_end = (to - 1) / a->spacing + 1;
    }
    of.alone_first = of.own_first;
    of.alone_end = of.own_end;
    for (int64_t i = 0; i < a->extent && of.alone_first < of.alone_end;) {
        const run r = tpad_axis_run(a, i);
        if (r.source >= 0 && !is_own(a, i)) {
            const int64_t last = r.source + r.step * (element_count(&r) - 1);
            cut_out(&of.alone_first, &of.alone_end, tpad_min(r.source, last),
                    tpad_max(r.source, last) + 1);
        }
        i += r.length;
    }
    return of;
}
