/* The core: bytes become a problem, a plan, and runs that the oracle checks.
 * SPDX-License-Identifier: MIT
 *
 * Two kinds of problems. Small ones are solved by the oracle and run as a whole, in parts, as a box
 * and as a border, and have a gradient, between forbidden pages, with forbidden gaps in strided
 * inputs, by the kernels that the input names; some lie after far crops or have large interiors,
 * some are streamed. Wild ones have numbers of any size; they are planned and looked at but not
 * run.
 */
#include <stdlib.h>
#include <string.h>

#include <tensorpad/adjoint.h>

#include "../support/random_problem.h"
#include "target.h"

enum { MOST_BYTES = 100000, MOST_CELLS = 20000 };

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

static uint8_t take(input *in)
{
    if (in->left == 0) return 0;
    in->left--;
    return *in->at++;
}

static int64_t take_wide(input *in)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number = number << 8 | take(in);
    return (int64_t)number;
}

/* Mostly small, sometimes near a power of two, sometimes anything. */
static int64_t take_wild(input *in)
{
    const uint8_t kind = take(in);
    if (kind < 128) return (int8_t)take(in);
    const uint64_t power = (uint64_t)1 << kind % 64;
    if (kind < 192) return (int64_t)((kind & 1 ? 0 - power : power) + (uint64_t)(int8_t)take(in));
    return take_wide(in);
}

static void choose_kernels(input *in)
{
    static const char *const names[] = {"plain", "ssse3", "avx2", "avx512"};
    setenv("TENSORPAD_KERNELS", names[take(in) % 4], 1);
}

/* ---- Wild problems --------------------------------------------------------------------------- */

static void check_error(const tpad_error *error, int32_t status)
{
    char text[256];
    MUST(error->code == status && error->text);
    MUST(tpad_error_format(error, text, sizeof text) > 0);
    MUST(!strchr(text, '\n') && !strchr(text, '%'));
}

static void look_at(const tpad_plan *plan, input *in)
{
    char text[300];
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    tpad_plan other;
    tpad_plan_describe(plan, text, sizeof text);
    MUST(tpad_plan_needs(plan, first, extents) == TPAD_OK);
    const int32_t rank = tpad_plan_shape(plan, extents);
    MUST(rank >= 0 && rank <= TPAD_MAX_RANK);
    tpad_plan_border(&other, sizeof other, plan, NULL);
    int64_t strides[TPAD_MAX_RANK], in_first[TPAD_MAX_RANK], in_strides[TPAD_MAX_RANK];
    for (int32_t i = 0; i < rank; i++) {
        in_first[i] = first[i] + (int8_t)take(in);
        in_strides[i] = take_wild(in);
        first[i] = take(in) % 2 ? 0 : take_wild(in);
        if (take(in) % 2) extents[i] = take_wild(in);
        strides[i] = take_wild(in);
    }
    const uint8_t own = take(in);
    const tpad_box box = {sizeof box,
                          first,
                          extents,
                          own & 1 ? strides : NULL,
                          own & 2 ? in_first : NULL,
                          own & 4 ? in_strides : NULL};
    if (tpad_plan_box(&other, sizeof other, plan, &box, NULL) == TPAD_OK)
        MUST(tpad_plan_shape(&other, NULL) == rank);
}

static void wild(input *in)
{
    tpad_plan plan;
    tpad_error shape_error, error;
    int64_t extents[TPAD_MAX_RANK], elems, bytes;
    const int32_t rank = take(in) % 8 ? take(in) % (TPAD_MAX_RANK + 1) : (int8_t)take(in);
    const size_t count = rank > 0 && rank <= TPAD_MAX_RANK ? (size_t)rank : 0;
    /* Just as many as there shall be, where the sanitizer sees each step after them. */
    tpad_axis *axes = malloc(count * sizeof *axes);
    for (size_t i = 0; i < count; i++)
        axes[i] =
            (tpad_axis){take_wild(in), take_wild(in), take_wild(in),        take_wild(in),
                        take_wild(in), take_wild(in), (int8_t)take(in) % 7, (int8_t)take(in) % 3};
    tpad_problem problem =
        TPAD_PROBLEM(take(in) % 4 ? take(in) : (int32_t)take_wild(in), rank, axes);
    problem.flags = take(in) % 128;
    problem.in_offset = take_wild(in);
    problem.out_offset = take_wild(in);
    const int32_t shape = tpad_shape(&problem, extents, &elems, &bytes, &shape_error);
    const int32_t status = tpad_plan_init(&plan, sizeof plan, &problem, &error);
    if (shape) {
        check_error(&shape_error, shape);
        MUST(status == shape);
    }
    if (status) {
        check_error(&error, status);
        MUST(tpad_run(&plan, NULL, NULL, NULL) == TPAD_E_NOT_A_PLAN);
    } else {
        look_at(&plan, in);
    }
    free(axes);
}

/* ---- Small problems -------------------------------------------------------------------------- */

static bench memory;

static void take_axis(input *in, tpad_axis *axis)
{
    const uint8_t extent = take(in), interior = take(in), words = take(in);
    axis->in_extent = extent < 192 ? extent % 24 : extent;
    axis->before = (int8_t)take(in);
    axis->after = (int8_t)take(in);
    axis->interior = interior < 160 ? 0 : interior % 8;
    axis->mode = words % TPAD_MODE_COUNT;
    axis->order = words / 8 % 2;
}

static int64_t out_extent(const tpad_axis *axis)
{
    const int64_t dilated = axis->in_extent ? (axis->in_extent - 1) * (axis->interior + 1) + 1 : 0;
    return axis->before + dilated + axis->after;
}

static bool is_small(const tpad_problem *problem)
{
    int64_t in = oracle_unit(problem), out = in;
    for (int32_t i = 0; i < problem->rank; i++) {
        const int64_t extent = out_extent(&problem->axes[i]);
        in *= problem->axes[i].in_extent ? problem->axes[i].in_extent : 1;
        out *= extent > 0 ? extent : 1;
        if (in > MOST_BYTES || out > MOST_BYTES) return false;
    }
    return out / oracle_unit(problem) <= MOST_CELLS;
}

/* An output that is streamed because the caller says that it is read late: rows of wide elements,
 * and enough of them. Returns false where this is too much for the memory. */
static bool make_streamed(tpad_problem *problem, tpad_axis *axes)
{
    enum { BYTES = 64, LEAST = (4 << 20) / BYTES, MOST = 5 * (1 << 20) / BYTES, MOST_CROP = 300 };
    int64_t row = 1, in_row = 1;
    for (int32_t i = 1; i < problem->rank; i++) {
        const int64_t extent = out_extent(&axes[i]);
        row *= extent > 0 ? extent : 1;
        in_row *= axes[i].in_extent > 0 ? axes[i].in_extent : 1;
        if (row > LEAST || in_row > LEAST) return false;
    }
    if (problem->rank == 0) return false;
    problem->elem_bits = 8 * BYTES;
    problem->flags = TPAD_OUT_READ_LATE;
    axes[0].in_extent = LEAST / row + MOST_CROP;
    axes[0].interior = 0;
    return axes[0].in_extent * in_row <= MOST && out_extent(&axes[0]) * row <= MOST;
}

/* Returns false if the problem is too large. */
static bool take_problem(input *in, rng *r, tpad_problem *problem, tpad_axis *axes)
{
    static const int32_t widths[] = {1,  2,  4,  8,  16,  24,  32,  40,
                                     48, 56, 64, 96, 128, 192, 512, 8000};
    const uint8_t words = take(in);
    problem->rank = take(in) % 7;
    problem->elem_bits = widths[take(in) % 16];
    for (int32_t i = 0; i < problem->rank; i++) take_axis(in, &axes[i]);
    if (words & 1) problem->flags |= TPAD_IN_STRIDES;
    if (words & 2) problem->flags |= TPAD_OUT_STRIDES;
    if (words & 4) problem->flags |= TPAD_HIGH_BITS_FIRST;
    if (words & 8) problem->in_offset = (int8_t)take(in) % 20;
    if (words & 16) problem->out_offset = (int8_t)take(in) % 20;
    const uint8_t far = take(in);
    if (far == 0xE7) return make_streamed(problem, axes);
    if ((far & 1) && problem->rank > 0) random_gap(r, &axes[far / 4 % problem->rank]);
    if (!is_small(problem)) return false;
    int64_t in_extents[TPAD_MAX_RANK], out_extents[TPAD_MAX_RANK], in_strides[TPAD_MAX_RANK],
        out_strides[TPAD_MAX_RANK];
    for (int32_t i = 0; i < problem->rank; i++) {
        in_extents[i] = axes[i].in_extent;
        out_extents[i] = out_extent(&axes[i]) > 0 ? out_extent(&axes[i]) : 0;
    }
    random_input_layout(r, problem->rank, in_extents, problem->elem_bits, in_strides);
    random_layout(r, problem->rank, out_extents, problem->elem_bits, out_strides);
    for (int32_t i = 0; i < problem->rank; i++) {
        if (words & 1) axes[i].in_stride = in_strides[i];
        if (words & 2) axes[i].out_stride = out_strides[i];
    }
    if (far & 2) random_distance(r, problem, axes);
    return true;
}

static void check_parts(const tpad_plan *plan, const void *src, rng *r)
{
    const int64_t parts = rng_range(r, 1, 12), first = rng_range(r, 0, parts - 1);
    for (int64_t i = 0; i < parts; i++)
        MUST(bench_run_part(&memory, plan, src, memory.dst, (first + i) % parts, parts) == TPAD_OK);
    MUST(bench_check(&memory, "parts"));
}

static bool next_index(int32_t rank, const int64_t *extents, int64_t *index)
{
    for (int32_t k = rank - 1; k >= 0; k--) {
        if (++index[k] < extents[k]) return true;
        index[k] = 0;
    }
    return false;
}

/* What a box reads, in memory of its own, and the cell at which this begins. */
typedef struct own_input {
    unsigned char *memory;
    const void *src;
    int64_t first[TPAD_MAX_RANK], strides[TPAD_MAX_RANK];
} own_input;

/* Copies what the oracle says the box reads, and nothing more. The memory begins at that cell, or
 * at one near it, if a pointer can say where this is. */
static void take_own_input(own_input *own, const random_problem *p, tpad_box *box, rng *r)
{
    const tpad_problem *problem = &p->problem;
    int64_t extents[TPAD_MAX_RANK], index[TPAD_MAX_RANK] = {0}, strides[TPAD_MAX_RANK];
    int64_t moved[TPAD_MAX_RANK], begin, end, way = 0;
    bool any = oracle_needs(&p->truth, box->first, box->extents, own->first, extents);
    for (int32_t k = 0; k < problem->rank; k++)
        if (own->first[k] >= (int64_t)1 << 40) return; /* too far for strides of its own */
    random_layout(r, problem->rank, extents, problem->elem_bits, own->strides);
    random_span(problem->rank, extents, own->strides, 0, problem->elem_bits, &begin, &end);
    box->in_first = own->first;
    box->in_strides = own->strides;
    own->src = NULL;
    if (!any) return;
    MUST(own->memory = malloc((size_t)(end - begin)));
    own->src = bench_base(own->memory, begin);
    oracle_in_strides(problem, strides);
    for (; any; any = next_index(problem->rank, extents, index)) {
        int64_t from = problem->in_offset, to = 0;
        for (int32_t k = 0; k < problem->rank; k++) {
            from += (own->first[k] + index[k]) * strides[k];
            to += index[k] * own->strides[k];
        }
        oracle_move(problem, memory.src, from, bench_base(own->memory, begin), to);
    }
    for (int32_t k = 0; k < problem->rank; k++) {
        moved[k] = own->first[k] + rng_range(r, own->first[k] < 2 ? -own->first[k] : -2, 2);
        way += (moved[k] - own->first[k]) * own->strides[k];
    }
    if (problem->elem_bits < 8 && way * problem->elem_bits % 8 != 0) return;
    if (problem->elem_bits < 8) way = way * problem->elem_bits / 8;
    memcpy(own->first, moved, sizeof moved[0] * (size_t)problem->rank);
    own->src = (const void *)((uintptr_t)own->src + (uintptr_t)way);
}

/* The box's cells as the whole has them, everything else as it was. */
static void check_box(const random_problem *p, const tpad_plan *plan, rng *r)
{
    const int32_t rank = p->problem.rank;
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK], strides[TPAD_MAX_RANK];
    int64_t index[TPAD_MAX_RANK] = {0};
    bool any = true, last = true;
    for (int32_t k = 0; k < rank; k++) {
        first[k] = rng_range(r, 0, p->truth.extents[k]);
        extents[k] = rng_range(r, 0, p->truth.extents[k] - first[k]);
        if (extents[k] == 0) any = false;
        if (first[k] + extents[k] != p->truth.extents[k]) last = false;
    }
    tpad_box box = {sizeof box, first, extents, NULL, NULL, NULL};
    own_input own = {.src = memory.src};
    if (rng_percent(r, 50)) take_own_input(&own, p, &box, r);
    tpad_plan part;
    MUST(tpad_plan_box(&part, sizeof part, plan, &box, NULL) == TPAD_OK);
    bench_reset(&memory);
    MUST(bench_run_part(&memory, &part, own.src, memory.dst, 0, 1) == TPAD_OK);
    free(own.memory);
    unsigned char *whole = memory.expected;
    memory.expected = malloc(memory.out_bytes + 1);
    MUST(memory.expected);
    memcpy(memory.expected, memory.before, memory.out_bytes);
    oracle_out_strides(&p->truth, &p->problem, strides);
    if (any && last)
        oracle_clear_tail(&p->problem, p->truth.extents, strides, p->problem.out_offset,
                          bench_base(memory.expected, p->out_begin));
    while (any) {
        int64_t at = p->problem.out_offset;
        for (int32_t k = 0; k < rank; k++) at += (first[k] + index[k]) * strides[k];
        oracle_move(&p->problem, bench_base(whole, p->out_begin), at,
                    bench_base(memory.expected, p->out_begin), at);
        any = next_index(rank, extents, index);
    }
    MUST(bench_check(&memory, "a box"));
    free(memory.expected);
    memory.expected = whole;
}

/* The input's elements are put where the output has them; then only the border is run. */
static void check_border(const random_problem *p, const tpad_plan *plan, rng *r)
{
    const tpad_problem *problem = &p->problem;
    int64_t in_strides[TPAD_MAX_RANK], out_strides[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    int64_t index[TPAD_MAX_RANK] = {0};
    bool any = true;
    tpad_plan border;
    if (tpad_plan_border(&border, sizeof border, plan, NULL) != TPAD_OK) return;
    bench_reset(&memory);
    oracle_in_strides(problem, in_strides);
    oracle_out_strides(&p->truth, problem, out_strides);
    for (int32_t k = 0; k < problem->rank; k++) {
        extents[k] = p->held_extents[k];
        if (extents[k] == 0) any = false;
    }
    while (any) {
        int64_t from = problem->in_offset, to = problem->out_offset;
        bool inside = true;
        for (int32_t k = 0; k < problem->rank; k++) {
            const int64_t element = p->held_first[k] + index[k];
            const int64_t place = p->axes[k].before + element * (p->axes[k].interior + 1);
            from += element * in_strides[k];
            if (place < 0 || place >= p->truth.extents[k])
                inside = false;
            else
                to += place * out_strides[k];
        }
        if (inside) oracle_move(problem, memory.src, from, memory.dst, to);
        any = next_index(problem->rank, extents, index);
    }
    check_parts(&border, memory.dst, r);
}

/* to += from, for whole numbers of so many bytes. */
static void add_number(unsigned char *to, const unsigned char *from, size_t bytes)
{
    uint64_t sum = 0, other = 0;
    memcpy(&sum, to, bytes);
    memcpy(&other, from, bytes);
    sum += other;
    memcpy(to, &sum, bytes);
}

/* The gradient in whole numbers: each cell is added to the element that it takes. */
static void check_adjoint(const random_problem *p, const tpad_plan *plan, rng *r)
{
    const tpad_problem *problem = &p->problem;
    const int32_t rank = problem->rank, bits = problem->elem_bits;
    const int32_t number = bits == 8    ? TPAD_NUMBER_I8
                           : bits == 16 ? TPAD_NUMBER_I16
                           : bits == 32 ? TPAD_NUMBER_I32
                           : bits == 64 ? TPAD_NUMBER_I64
                                        : 0;
    if (number == 0 || p->far) return;
    const size_t in_bytes = (size_t)(p->in_end - p->in_begin);
    int64_t in_strides[TPAD_MAX_RANK], out_strides[TPAD_MAX_RANK], index[TPAD_MAX_RANK] = {0};
    unsigned char *found = malloc(in_bytes + 1), *expected = malloc(in_bytes + 1);
    MUST(found && expected);
    rng_bytes(r, found, in_bytes);
    memcpy(expected, found, in_bytes);
    oracle_in_strides(problem, in_strides);
    oracle_out_strides(&p->truth, problem, out_strides);
    for (bool any = p->truth.cells > 0; any; any = next_index(rank, p->truth.extents, index)) {
        int64_t to = problem->in_offset - p->in_begin, from = problem->out_offset;
        bool fill = false;
        for (int32_t k = 0; k < rank; k++) {
            const int64_t source = p->truth.source[k][index[k]];
            from += index[k] * out_strides[k];
            to += source * in_strides[k];
            fill = fill || source == ORACLE_FILL;
        }
        if (!fill)
            add_number(expected + to, (const unsigned char *)memory.dst + from, (size_t)bits / 8);
    }
    const int64_t parts = rng_range(r, 1, 5);
    for (int64_t part = 0; part < parts; part++) {
        const int32_t status = tpad_adjoint_part(plan, number, TPAD_ADJOINT_ADD, memory.dst,
                                                 bench_base(found, p->in_begin), part, parts, NULL);
        if (problem->flags & TPAD_IN_STRIDES && status == TPAD_E_ARGUMENT) break; /* they overlap */
        MUST(status == TPAD_OK);
        if (part == parts - 1) MUST(memcmp(found, expected, in_bytes) == 0);
    }
    free(found);
    free(expected);
}

static void check_all(const random_problem *p, const tpad_plan *plan, rng *r)
{
    check_parts(plan, memory.src, r);
    check_box(p, plan, r);
    check_border(p, plan, r);
    check_adjoint(p, plan, r);
}

static void small(input *in)
{
    tpad_axis axes[TPAD_MAX_RANK] = {0};
    tpad_problem problem = TPAD_PROBLEM(8, 0, axes);
    const uint8_t seed = take(in), stream = take(in); /* in this order, whatever the compiler */
    rng r = rng_seeded(seed, stream);
    random_problem p;
    tpad_plan plan;
    tpad_error error;
    if (!take_problem(in, &r, &problem, axes)) return;
    random_problem_from(&p, &problem);
    const int32_t status = tpad_plan_init(&plan, sizeof plan, &p.problem, &error);
    MUST(status == p.truth.status);
    if (status) {
        MUST(error.axis == p.truth.axis);
        check_error(&error, status);
    } else {
        bench_fill_array(&memory, &r, &p);
        MUST(bench_run_part(&memory, &plan, memory.src, memory.dst, 0, 1) == TPAD_OK);
        MUST(bench_check(&memory, "the whole"));
        bench_reset(&memory);
        if (memory.out_bytes <= MOST_BYTES) check_all(&p, &plan, &r);
    }
    random_problem_close(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    if (!memory.before) bench_open(&memory);
    choose_kernels(&in);
    if (take(&in) % 8 == 0)
        wild(&in);
    else
        small(&in);
    return 0;
}
