/* The properties of docs/semantics.md, each on random problems. SPDX-License-Identifier: MIT
 *
 * The result is the oracle's, cell by cell, and so is what is refused; whole == all parts == all
 * boxes == boxes with memory of their own == the border around what is in place; what a plan says
 * it reads is what it reads; cells as far away as an axis can be are those of the closed form. No
 * byte outside is touched. Sources, output and fill lie at any address. Each variant of the kernels
 * is one run of this program.
 *
 *     test_laws [--cases N] [--seed S] [--first K] [--law TEXT]
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random_main.h"

enum { DEFAULT_CASES = 100000, REFUSED_PERCENT = 11, MAX_PIECES = 48 };

/* ---- Against the oracle ---------------------------------------------------------------------- */

/* What shape inference and plan say: the oracle's status, axis and shape. */
static bool check_status(const random_problem *p, const char *what, int32_t status,
                         const tpad_error *error)
{
    const oracle *o = &p->truth;
    if (status != o->status) {
        fprintf(stderr, "%s: E_%s, not %s\n", what, tpad_status_name(status),
                tpad_status_name(o->status));
        return false;
    }
    if (status == TPAD_OK) return true;
    if (error->code != status || error->axis != o->axis || error->text == NULL) {
        fprintf(stderr, "%s: error has code %d, axis %d, not %d, %d\n", what, error->code,
                error->axis, status, o->axis);
        return false;
    }
    if (error->before != p->axes[o->axis].before || error->after != p->axes[o->axis].after) {
        fprintf(stderr, "%s: error has amounts %" PRId64 ", %" PRId64 "\n", what, error->before,
                error->after);
        return false;
    }
    return true;
}

static bool check_shape(const random_problem *p)
{
    const oracle *o = &p->truth;
    int64_t extents[TPAD_MAX_RANK];
    int64_t elems = -1;
    int64_t bytes = -1;
    tpad_error error;
    int32_t status = tpad_shape(&p->problem, extents, &elems, &bytes, &error);
    if (!check_status(p, "tpad_shape", status, &error)) return false;
    if (status != TPAD_OK) return true;
    for (int32_t k = 0; k < o->rank; k++) {
        if (extents[k] == o->extents[k]) continue;
        fprintf(stderr, "tpad_shape: axis %d has %" PRId64 " cells, not %" PRId64 "\n", k,
                extents[k], o->extents[k]);
        return false;
    }
    if (elems != o->cells || bytes != (o->cells * p->problem.elem_bits + 7) / 8) {
        fprintf(stderr, "tpad_shape: %" PRId64 " elements in %" PRId64 " bytes\n", elems, bytes);
        return false;
    }
    return true;
}

static bool law_oracle(setting *s)
{
    random_problem *p = &s->p;
    bench *b = s->b;
    tpad_error error;
    const bool spoil = rng_percent(s->r, REFUSED_PERCENT);
    const bool small = rng_percent(s->r, 50);
    random_problem_make(p, s->r,
                        (spoil   ? RANDOM_REFUSED
                         : small ? 0
                                 : RANDOM_FAR | RANDOM_STREAMED) |
                            (small ? RANDOM_SMALL : 0));
    int32_t status = tpad_plan_init(&s->plan, sizeof s->plan, &p->problem, &error);
    if (!check_shape(p) || !check_status(p, "tpad_plan_init", status, &error)) return false;
    if (status != TPAD_OK) {
        status = tpad_pad(&p->problem, NULL, NULL, NULL, &error);
        return check_status(p, "tpad_pad", status, &error);
    }
    bench_fill_array(b, s->r, p);
    status = bench_run_part(b, &s->plan, b->src, b->dst, 0, 1);
    if (status != TPAD_OK) return setting_failed("a fill", status);
    if (!bench_check(b, "a fill")) return false;
    bench_fill(b, s->r, p);
    status = tpad_run(&s->plan, b->src, b->dst, b->value);
    if (status != TPAD_OK) return setting_failed("tpad_run", status);
    if (!bench_check(b, "tpad_run")) return false;
    bench_fill(b, s->r, p);
    status = tpad_pad(&p->problem, b->src, b->dst, b->value, &error);
    return check_status(p, "tpad_pad", status, &error) && bench_check(b, "tpad_pad");
}

/* ---- Many short rows ------------------------------------------------------------------------- */

/* 71,000 where there is much memory; boards have 16 MB. */
enum { MOST_CELLS = RANDOM_MAX_BYTES / 88, MOST_PARTS = 5 };

static int64_t dilated(const tpad_axis *a)
{
    return (a->in_extent - 1) * (a->interior + 1) + 1;
}

static int64_t out_extent(const tpad_axis *a)
{
    return a->before + dilated(a) + a->after;
}

static tpad_axis draw_row(rng *r, int64_t most)
{
    tpad_axis a;
    do {
        memset(&a, 0, sizeof a);
        a.in_extent = rng_range(r, 1, rng_percent(r, 50) ? 9 : most);
        a.before = rng_range(r, rng_percent(r, 20) ? -4 : 0, rng_percent(r, 10) ? 60 : 8);
        a.after = rng_range(r, rng_percent(r, 20) ? -4 : 0, 8);
        a.interior = rng_percent(r, 40) ? rng_range(r, 1, 3) : 0;
        a.mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1);
        a.order = (int32_t)rng_range(r, TPAD_WINDOW, TPAD_CROP);
    } while (out_extent(&a) < 1 || a.before + a.after <= -dilated(&a));
    return a;
}

/* Two to four axes: planes of a few rows, or rows alone, and many of them. The outermost axis is
 * padded now and then. */
static void draw(random_problem *p, rng *r)
{
    tpad_axis axes[4];
    static const int32_t widths[] = {8, 16, 24, 32, 48, 64, 96, 128};
    const int packed = rng_percent(r, 60);
    const int32_t bits = packed ? 1 << rng_range(r, 0, 2) : widths[rng_range(r, 0, 7)];
    const int32_t rank = (int32_t)rng_range(r, 2, 4);
    const int64_t most = packed ? MOST_CELLS : MOST_CELLS / (4 + bits / 8);
    int64_t cells = 1;
    for (int32_t k = rank - 1; k > 0; k--) {
        axes[k] = draw_row(r, k == rank - 1 ? 70 : 8);
        if (k < rank - 1 && rng_percent(r, 30)) {
            axes[k].before = axes[k].after = axes[k].interior = 0;
        }
        cells *= out_extent(&axes[k]);
    }
    memset(&axes[0], 0, sizeof axes[0]);
    axes[0].in_extent = cells < most ? rng_range(r, 1, most / cells) : 1;
    if (rng_percent(r, 25)) {
        axes[0].before = rng_range(r, 0, 3);
        axes[0].after = rng_range(r, 0, 3);
        axes[0].mode = rng_percent(r, 50) ? TPAD_CONSTANT : TPAD_EDGE;
    }
    const int long_rows = rank == 2 && rng_percent(r, 5);
    if (long_rows) {
        const int64_t extent = rng_range(r, 5000, MOST_CELLS);
        axes[1] =
            (tpad_axis){.in_extent = extent, .before = 5 - extent, .after = 7, .mode = TPAD_WRAP};
        axes[0].in_extent = rng_range(r, 1, most / 12);
    }
    tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    if (packed && rng_percent(r, 50)) problem.flags |= TPAD_HIGH_BITS_FIRST;
    if (rng_percent(r, 20)) problem.in_offset = rng_range(r, rng_percent(r, 50) ? -40 : -5000, 40);
    /* Rows and planes of the input that do not touch, or that are all the same. */
    if (long_rows || rng_percent(r, 30)) {
        int64_t stride = packed ? 1 : bits / 8;
        const int64_t same = long_rows ? 0 : rng_range(r, 0, 3 * rank);
        problem.flags |= TPAD_IN_STRIDES;
        for (int32_t k = rank - 1; k >= 0; k--) {
            axes[k].in_stride = k == same ? 0 : stride;
            stride *= axes[k].in_extent;
            if (rng_percent(r, 50)) stride += rng_range(r, 0, rng_percent(r, 20) ? 900 : 9);
            if (rng_percent(r, 10)) stride = -stride;
        }
    }
    /* And of the output. */
    if (rng_percent(r, 10)) {
        int64_t stride = packed ? 1 : bits / 8;
        problem.flags |= TPAD_OUT_STRIDES;
        for (int32_t k = rank - 1; k >= 0; k--) {
            axes[k].out_stride = stride;
            stride = stride * out_extent(&axes[k]) + rng_range(r, 0, 3);
        }
    }
    random_problem_from(p, &problem);
}

static bool run_parts(const setting *s, int64_t parts)
{
    for (int64_t part = parts - 1; part >= 0; part--) {
        const int32_t status = bench_run_part(s->b, &s->plan, s->b->src, s->b->dst, part, parts);
        if (status != TPAD_OK) return setting_failed("running a part", status);
    }
    return bench_check(s->b, "parts");
}

/* A mode may have nothing to extend from. Otherwise whole, in parts, and once more around the
 * elements of what has been written. */
static bool law_short_rows(setting *s)
{
    random_problem *p = &s->p;
    tpad_plan border;
    draw(p, s->r);
    while (p->in_end - p->in_begin > RANDOM_MAX_BYTES ||
           p->out_end - p->out_begin > RANDOM_MAX_BYTES) {
        random_problem_close(p);
        draw(p, s->r);
    }
    int32_t status = tpad_plan_init(&s->plan, sizeof s->plan, &p->problem, NULL);
    if (status != p->truth.status) return setting_failed("tpad_plan_init", status);
    if (status != TPAD_OK) return true;
    bench_fill(s->b, s->r, p);
    if (!run_parts(s, 1)) return false;
    bench_reset(s->b);
    if (!run_parts(s, rng_range(s->r, 2, MOST_PARTS))) return false;
    if (tpad_plan_border(&border, sizeof border, &s->plan, NULL) != TPAD_OK) return true;
    status = tpad_run(&border, s->b->dst, s->b->dst, s->b->value);
    return status == TPAD_OK ? bench_check(s->b, "border") : setting_failed("border", status);
}

/* ---- Parts and boxes in place ---------------------------------------------------------------- */

static void shuffle(rng *r, int64_t *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++) numbers[i] = i;
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t other = rng_range(r, 0, i);
        int64_t kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

static bool law_parts(setting *s)
{
    int64_t order[64];
    int64_t parts = rng_percent(s->r, 70) ? rng_range(s->r, 1, 9) : rng_range(s->r, 1, 64);
    if (!setting_prepare(s, RANDOM_FILL_ARRAYS)) return false;
    bench_reset(s->b);
    shuffle(s->r, order, parts);
    for (int64_t i = 0; i < parts; i++) {
        int32_t status = bench_run_part(s->b, &s->plan, s->b->src, s->b->dst, order[i], parts);
        if (status != TPAD_OK) return setting_failed("running a part", status);
    }
    return bench_check(s->b, "parts");
}

/* Cuts pieces in two until there are about `wanted`; empty ones may come out. */
static int64_t cut_up(rng *r, int32_t rank, piece *pieces, int64_t wanted)
{
    int64_t count = 1;
    for (int64_t tries = 0; tries < wanted && rank > 0; tries++) {
        piece *one = &pieces[rng_range(r, 0, count - 1)];
        int32_t k = (int32_t)rng_range(r, 0, rank - 1);
        int64_t at = rng_range(r, 0, one->extents[k]);
        if ((at == 0 || at == one->extents[k]) && !rng_percent(r, 10)) continue;
        pieces[count] = *one;
        pieces[count].first[k] += at;
        pieces[count].extents[k] -= at;
        one->extents[k] = at;
        count++;
    }
    return count;
}

/* Runs a plan of the whole output box by box, in random order, some of the boxes in parts. */
static bool run_by_boxes(setting *s, const tpad_plan *whole, const void *src)
{
    piece pieces[MAX_PIECES + 1];
    int64_t order[MAX_PIECES + 1];
    pieces[0] = piece_whole(&s->p);
    int64_t count = cut_up(s->r, s->p.problem.rank, pieces, rng_range(s->r, 1, MAX_PIECES));
    shuffle(s->r, order, count);
    for (int64_t i = 0; i < count; i++) {
        const piece *one = &pieces[order[i]];
        const tpad_box box = {sizeof box, one->first, one->extents, NULL, NULL, NULL};
        tpad_plan plan;
        int32_t status = tpad_plan_box(&plan, sizeof plan, whole, &box, NULL);
        if (status != TPAD_OK) return setting_failed("tpad_plan_box", status);
        int64_t parts = rng_range(s->r, 1, 3);
        for (int64_t part = 0; part < parts; part++) {
            status = bench_run_part(s->b, &plan, src, s->b->dst, part, parts);
            if (status != TPAD_OK) return setting_failed("running a part of a box", status);
        }
    }
    return true;
}

static bool law_boxes(setting *s)
{
    if (!setting_prepare(s, RANDOM_FILL_ARRAYS)) return false;
    bench_reset(s->b);
    return run_by_boxes(s, &s->plan, s->b->src) && bench_check(s->b, "boxes");
}

/* ---- The border ------------------------------------------------------------------------------ */

/* Has every element that a mode may repeat a place in the output? In crop order those that are cut
 * off are not repeated. */
static bool border_possible(const random_problem *p)
{
    for (int32_t k = 0; k < p->problem.rank; k++) {
        const tpad_axis *a = &p->axes[k];
        bool crops = a->in_extent > 0 && (a->before < 0 || a->after < 0);
        if (crops && a->order == TPAD_WINDOW) return false;
    }
    return true;
}

static bool law_border(setting *s)
{
    const random_problem *p = &s->p;
    const tpad_problem *problem = &p->problem;
    int64_t in_strides[TPAD_MAX_RANK], out_strides[TPAD_MAX_RANK];
    int64_t index[TPAD_MAX_RANK] = {0};
    int64_t extents[TPAD_MAX_RANK];
    bool more = true;
    tpad_plan border;
    if (!setting_prepare(s, RANDOM_FILL_ARRAYS | (rng_percent(s->r, 50) ? RANDOM_NO_CROP : 0)))
        return false;
    int32_t status = tpad_plan_border(&border, sizeof border, &s->plan, NULL);
    if (!border_possible(p)) {
        return status == TPAD_E_BORDER || setting_failed("tpad_plan_border", status);
    }
    if (status != TPAD_OK) return setting_failed("tpad_plan_border", status);
    bench_reset(s->b);
    oracle_in_strides(problem, in_strides);
    oracle_out_strides(&p->truth, problem, out_strides);
    for (int32_t k = 0; k < problem->rank; k++) {
        extents[k] = p->axes[k].in_extent;
        if (extents[k] == 0) more = false;
    }
    while (more) {
        int64_t from = problem->in_offset;
        int64_t to = problem->out_offset;
        bool inside = true;
        for (int32_t k = 0; k < problem->rank; k++) {
            const tpad_axis *a = &p->axes[k];
            int64_t place = a->before + index[k] * (a->interior + 1);
            from += index[k] * in_strides[k];
            to += place * out_strides[k];
            if (place < 0 || place >= p->truth.extents[k]) inside = false;
        }
        if (inside) oracle_move(problem, s->b->src, from, s->b->dst, to);
        more = next_index(problem->rank, extents, index);
    }
    if (rng_percent(s->r, 30)) {
        return run_by_boxes(s, &border, s->b->dst) && bench_check(s->b, "border by boxes");
    }
    int64_t parts = rng_percent(s->r, 70) ? 1 : rng_range(s->r, 2, 7);
    for (int64_t part = 0; part < parts; part++) {
        status = bench_run_part(s->b, &border, s->b->dst, s->b->dst, part, parts);
        if (status != TPAD_OK) return setting_failed("running a border", status);
    }
    return bench_check(s->b, "border");
}

/* ---- Boxes with memory of their own ---------------------------------------------------------- */

/* A box of the output in some memory: the whole output's, or that of a box around this one. */
typedef struct view {
    tpad_plan plan;
    piece cells; /* in indices of the whole output */
    const void *src;
    /* The memory for the output, and which cell of the whole lies at `offset` of it. */
    guard *memory;
    unsigned char *before;
    int64_t begin, end, offset;
    piece held;
    int64_t strides[TPAD_MAX_RANK];
} view;

static void *view_dst(const view *v)
{
    return bench_base(v->memory->block, v->begin);
}

static view whole_view(const setting *s)
{
    view v;
    memset(&v, 0, sizeof v);
    v.plan = s->plan;
    v.cells = v.held = piece_whole(&s->p);
    v.src = s->b->src;
    v.memory = &s->b->dst_guard;
    v.before = s->b->before;
    v.begin = s->p.out_begin;
    v.end = s->p.out_end;
    v.offset = s->p.problem.out_offset;
    oracle_out_strides(&s->p.truth, &s->p.problem, v.strides);
    return v;
}

/* Gives the view memory of its own for its output. */
static void detach_output(setting *s, view *v, guard *memory, unsigned char *before)
{
    const tpad_problem *problem = &s->p.problem;
    random_layout(s->r, problem->rank, v->cells.extents, problem->elem_bits, v->strides);
    random_span(problem->rank, v->cells.extents, v->strides, 0, problem->elem_bits, &v->begin,
                &v->end);
    size_t bytes = (size_t)(v->end - v->begin);
    v->memory = memory;
    v->before = before;
    v->offset = 0;
    v->held = v->cells;
    guard_place(memory, bytes, (int)rng_range(s->r, GUARD_AT_END, GUARD_BETWEEN), 5);
    rng_bytes(s->r, before, bytes);
    memcpy(memory->block, before, bytes);
}

/* Moves the cell at which the memory of an input begins, to any one near it, whether it is read or
 * not: first, and src, which lies there. */
static void move_begin(setting *s, const void **src, int64_t *first, const int64_t *strides)
{
    const tpad_problem *problem = &s->p.problem;
    int64_t moved[TPAD_MAX_RANK], way = 0;
    for (int32_t k = 0; k < problem->rank; k++) {
        const int64_t least = first[k] < 3 ? 0 : first[k] - 3;
        moved[k] = rng_percent(s->r, 50) ? first[k] : rng_range(s->r, least, first[k] + 3);
        way += (moved[k] - first[k]) * strides[k];
    }
    if (problem->elem_bits < 8) {
        if (way * problem->elem_bits % 8 != 0) return; /* no pointer can say where it is */
        way = way * problem->elem_bits / 8;
    }
    for (int32_t k = 0; k < problem->rank; k++) first[k] = moved[k];
    *src = (const void *)((uintptr_t)*src + (uintptr_t)way);
}

/* Copies what the oracle says the view reads, and nothing more, to memory of its own. */
static void detach_input(setting *s, view *v, guard *memory, int64_t *first, int64_t *strides)
{
    const tpad_problem *problem = &s->p.problem;
    int64_t extents[TPAD_MAX_RANK];
    int64_t index[TPAD_MAX_RANK] = {0};
    int64_t old_strides[TPAD_MAX_RANK];
    int64_t begin, end;
    bool reads = oracle_needs(&s->p.truth, v->cells.first, v->cells.extents, first, extents);

    random_layout(s->r, problem->rank, extents, problem->elem_bits, strides);
    random_span(problem->rank, extents, strides, 0, problem->elem_bits, &begin, &end);
    if (!reads) end = begin;
    guard_place(memory, (size_t)(end - begin), (int)rng_range(s->r, GUARD_AT_END, GUARD_BETWEEN),
                3);
    rng_bytes(s->r, memory->block, (size_t)(end - begin));
    oracle_in_strides(problem, old_strides);
    for (bool more = reads; more;) {
        int64_t from = problem->in_offset;
        int64_t to = 0;
        for (int32_t k = 0; k < problem->rank; k++) {
            from += (first[k] + index[k]) * old_strides[k];
            to += index[k] * strides[k];
        }
        oracle_move(problem, s->b->src, from, bench_base(memory->block, begin), to);
        more = next_index(problem->rank, extents, index);
    }
    guard_read_only(memory);
    v->src = NULL;
    if (!reads) return;
    v->src = bench_base(memory->block, begin);
    move_begin(s, &v->src, first, strides);
}

enum { OWN_OUTPUT = 1, OWN_INPUT = 2 };

/* What cell numbers from some 2^40 on could lead to, with strides of their own, is refused; on each
 * axis, also where another one has nothing but fill and no element is read. */
static bool is_near(const setting *s, const view *v)
{
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    const bool reads = oracle_needs(&s->p.truth, v->cells.first, v->cells.extents, first, extents);
    for (int32_t k = 0; k < s->p.problem.rank; k++)
        if ((reads ? first[k] : s->p.axes[k].in_extent) >= INT64_C(1) << 40) return false;
    return true;
}

/* Makes `inner` a box of `outer`: the plan, and the memory that `own` asks for. */
static bool cut_view(setting *s, view *inner, const view *outer, unsigned own, guard *in_memory,
                     guard *out_memory, unsigned char *before)
{
    const int32_t rank = s->p.problem.rank;
    int64_t in_first[TPAD_MAX_RANK];
    int64_t in_strides[TPAD_MAX_RANK];
    piece cut = piece_random(s->r, rank, outer->cells.extents);
    *inner = *outer;
    for (int32_t k = 0; k < rank; k++) {
        inner->cells.first[k] = outer->cells.first[k] + cut.first[k];
        inner->cells.extents[k] = cut.extents[k];
    }
    if (!is_near(s, inner)) own &= ~(unsigned)OWN_INPUT;
    if (own & OWN_OUTPUT) detach_output(s, inner, out_memory, before);
    if (own & OWN_INPUT) detach_input(s, inner, in_memory, in_first, in_strides);
    tpad_box box = {sizeof box,
                    cut.first,
                    cut.extents,
                    own & OWN_OUTPUT ? inner->strides : NULL,
                    own & OWN_INPUT ? in_first : NULL,
                    own & OWN_INPUT ? in_strides : NULL};
    int32_t status = tpad_plan_box(&inner->plan, sizeof inner->plan, &outer->plan, &box, NULL);
    return status == TPAD_OK || setting_failed("tpad_plan_box", status);
}

/* Does the view's memory hold its cells as the whole output has them, and what it held before? */
static bool check_view(const setting *s, const view *v, const char *what)
{
    const random_problem *p = &s->p;
    const int32_t rank = p->problem.rank;
    const size_t bytes = (size_t)(v->end - v->begin);
    int64_t index[TPAD_MAX_RANK] = {0};
    int64_t whole_strides[TPAD_MAX_RANK];
    unsigned char *expected = malloc(bytes + 1);
    void *whole = bench_base(s->b->expected, p->out_begin);
    bool last = true;
    bool more = true;
    if (expected == NULL) abort();
    memcpy(expected, v->before, bytes);
    oracle_out_strides(&p->truth, &p->problem, whole_strides);
    for (int32_t k = 0; k < rank; k++) {
        if (v->cells.extents[k] == 0) more = false;
        if (v->cells.first[k] + v->cells.extents[k] != v->held.first[k] + v->held.extents[k]) {
            last = false;
        }
    }
    if (more && last) {
        oracle_clear_tail(&p->problem, v->held.extents, v->strides, v->offset,
                          bench_base(expected, v->begin));
    }
    while (more) {
        int64_t from = p->problem.out_offset;
        int64_t to = v->offset;
        for (int32_t k = 0; k < rank; k++) {
            from += (v->cells.first[k] + index[k]) * whole_strides[k];
            to += (v->cells.first[k] - v->held.first[k] + index[k]) * v->strides[k];
        }
        oracle_move(&p->problem, whole, from, bench_base(expected, v->begin), to);
        more = next_index(rank, v->cells.extents, index);
    }
    bool good = guard_intact(v->memory);
    if (!good) fprintf(stderr, "%s: bytes beside the output were written\n", what);
    for (size_t i = 0; i < bytes && good; i++) {
        good = v->memory->block[i] == expected[i];
        if (good) continue;
        fprintf(stderr, "%s: byte %zu of %zu is %02x, not %02x (before: %02x)\n", what, i, bytes,
                v->memory->block[i], expected[i], v->before[i]);
    }
    for (int32_t k = 0; k < rank && !good; k++) {
        fprintf(stderr, "  box on axis %d: %" PRId64 " cells from %" PRId64 " on\n", k,
                v->cells.extents[k], v->cells.first[k]);
    }
    free(expected);
    return good;
}

/* What tpad_plan_needs and tpad_plan_shape tell of a box. */
static bool check_needs(const setting *s, const view *v)
{
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    int64_t true_first[TPAD_MAX_RANK], true_extents[TPAD_MAX_RANK];
    const int32_t rank = s->p.problem.rank;
    oracle_needs(&s->p.truth, v->cells.first, v->cells.extents, true_first, true_extents);
    int32_t status = tpad_plan_needs(&v->plan, first, extents);
    if (status != TPAD_OK) return setting_failed("tpad_plan_needs", status);
    for (int32_t k = 0; k < rank; k++) {
        if (extents[k] == true_extents[k] && (first[k] == true_first[k] || extents[k] == 0)) {
            continue;
        }
        fprintf(stderr,
                "tpad_plan_needs: axis %d: %" PRId64 " from %" PRId64 ", not %" PRId64
                " from %" PRId64 "\n",
                k, extents[k], first[k], true_extents[k], true_first[k]);
        return false;
    }
    int64_t bits = s->p.problem.elem_bits;
    if (tpad_plan_shape(&v->plan, extents) != rank) return setting_failed("tpad_plan_shape", -1);
    for (int32_t k = 0; k < rank; k++) {
        if (extents[k] != v->cells.extents[k]) return setting_failed("tpad_plan_shape", k);
        bits *= extents[k];
    }
    return tpad_plan_out_bytes(&v->plan) == (bits + 7) / 8 ||
           setting_failed("tpad_plan_out_bytes", (int32_t)bits);
}

static unsigned char own_before[2][RANDOM_MAX_BYTES];

static bool run_view(const setting *s, const view *v, const char *what)
{
    int32_t status = bench_run_part(s->b, &v->plan, v->src, view_dst(v), 0, 1);
    if (status != TPAD_OK) return setting_failed(what, status);
    return check_needs(s, v) && check_view(s, v, what);
}

/* A box of the whole output, or of one of its boxes. */
static bool law_boxes_with_memory(setting *s)
{
    view outer, inner;
    if (!setting_prepare(s, RANDOM_FAR | RANDOM_FILL_ARRAYS)) return false;
    bench_reset(s->b);
    const view whole = whole_view(s);
    if (rng_percent(s->r, 50))
        return cut_view(s, &inner, &whole, (unsigned)rng_range(s->r, 1, 3), &s->spare[0],
                        &s->spare[1], own_before[0]) &&
               run_view(s, &inner, "box with memory of its own");
    return cut_view(s, &outer, &whole, (unsigned)rng_range(s->r, 0, 3), &s->spare[0], &s->spare[1],
                    own_before[0]) &&
           cut_view(s, &inner, &outer, (unsigned)rng_range(s->r, 0, 3), &s->spare[2], &s->spare[3],
                    own_before[1]) &&
           run_view(s, &inner, "box of a box");
}

/* ---- Far cells ------------------------------------------------------------------------------- */

enum { FAR_CELLS = 24, FAR_HELD = 4096 };

/* Which element of an axis a cell takes, or -1: the closed form of docs/semantics.md. t counts the
 * dilated input, of which [lo, hi) is what the order leaves. */
static int64_t closed_form(const tpad_axis *a, int64_t cell)
{
    const int64_t lo = a->order == TPAD_CROP && a->before < 0 ? -a->before : 0;
    const int64_t hi = dilated(a) + (a->order == TPAD_CROP && a->after < 0 ? a->after : 0);
    const int64_t n = hi - lo, period = a->mode == TPAD_REFLECT ? 2 * (n - 1) : 2 * n;
    int64_t t = cell - a->before - lo;
    if (t < 0 || t >= n) {
        if (a->mode == TPAD_CONSTANT) return -1;
        if (a->mode == TPAD_EDGE || n == 1) {
            t = t < 0 ? 0 : n - 1;
        } else if (a->mode == TPAD_WRAP) {
            t = (t % n + n) % n;
        } else {
            t = (t % period + period) % period;
            if (t >= n) t = a->mode == TPAD_REFLECT ? period - t : period - 1 - t;
        }
    }
    return (t + lo) % (a->interior + 1) == 0 ? (t + lo) / (a->interior + 1) : -1;
}

/* A number from 0 to most: small, or at a power of two or near it. */
static int64_t draw_far(rng *r, int64_t most)
{
    int64_t number = rng_range(r, 0, 12);
    if (rng_percent(r, 60)) number = ((int64_t)1 << rng_range(r, 4, 61)) + rng_range(r, -3, 3);
    return number < 0 ? 0 : number > most ? most : number;
}

/* An axis whose extents, interior and amounts are of any size, and that can be run. */
static tpad_axis draw_far_axis(rng *r)
{
    for (;;) {
        tpad_axis a = {.in_extent = draw_far(r, TPAD_MAX_EXTENT),
                       .mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1),
                       .order = (int32_t)rng_range(r, TPAD_WINDOW, TPAD_CROP)};
        if (rng_percent(r, 40) && a.in_extent > 1)
            a.interior = draw_far(r, (TPAD_MAX_EXTENT - 1) / (a.in_extent - 1) - 1);
        const int64_t size = a.in_extent > 0 ? dilated(&a) : 0;
        a.before = draw_far(r, TPAD_MAX_EXTENT);
        if (rng_percent(r, 50)) a.before = -a.before;
        a.after = draw_far(r, TPAD_MAX_EXTENT) - a.before - size;
        const int64_t front = a.before < 0 ? -a.before : 0, back = a.after < 0 ? -a.after : 0;
        const bool crops = a.order == TPAD_CROP, most = a.after <= TPAD_MAX_EXTENT;
        const bool keeps = crops ? front < size && back < size - front : size > 0;
        if (most && -a.after <= TPAD_MAX_EXTENT && (keeps || (a.mode == TPAD_CONSTANT && size > 0)))
            return a;
    }
}

/* The smallest interval that the cells [first, first + extent) read. */
static tpad_source reads_of(const tpad_axis *a, int64_t first, int64_t extent)
{
    tpad_source read = {first, extent, 0, 0};
    for (int64_t i = first; i < first + extent; i++) {
        const int64_t from = closed_form(a, i), end = read.in_first + read.in_extent;
        if (from < 0) continue;
        if (read.in_extent == 0)
            read.in_first = from, read.in_extent = 1;
        else if (from < read.in_first)
            read.in_extent = end - from, read.in_first = from;
        else if (from >= end)
            read.in_extent = from + 1 - read.in_first;
    }
    return read;
}

/* Does the interval go over a seam of wrap, and is it shorter than a period? */
static bool has_seam(const tpad_axis *a, int64_t first, int64_t extent)
{
    const int64_t lo = a->order == TPAD_CROP && a->before < 0 ? -a->before : 0;
    const int64_t n = dilated(a) + (a->order == TPAD_CROP && a->after < 0 ? a->after : 0) - lo;
    if (a->mode != TPAD_WRAP || extent >= n) return false;
    for (int64_t i = 1; i < extent; i++)
        if ((first + i - a->before - lo) % n == 0) return true;
    return false;
}

/* tpad_plan_sources: the pieces tile the interval, each is what its cells read, and there are two
 * only at a seam. */
static bool check_sources(const tpad_plan *plan, const tpad_axis *a, int64_t first, int64_t extent)
{
    tpad_source pieces[2];
    memset(pieces, 0x55, sizeof pieces);
    if (tpad_plan_sources(plan, 0, first, extent, pieces) != TPAD_OK) return false;
    for (int k = 0; k < 2; k++) {
        const tpad_source read = reads_of(a, pieces[k].out_first, pieces[k].out_extent);
        if (pieces[k].out_first != first || pieces[k].out_extent > extent ||
            memcmp(&pieces[k], &read, sizeof read) != 0)
            return false;
        first += read.out_extent;
        extent -= read.out_extent;
    }
    return extent == 0 &&
           (pieces[1].out_extent > 0) ==
               has_seam(a, pieces[0].out_first, pieces[0].out_extent + pieces[1].out_extent);
}

/* Some cells of one axis, as a box of it: at its ends, at those of the input, or anywhere. The
 * memory holds what they read and nothing else, where that is possible. */
static bool law_far_cells(setting *s)
{
    unsigned char expected[FAR_CELLS];
    const tpad_axis a = draw_far_axis(s->r);
    const int64_t cells = a.before + dilated(&a) + a.after, one = 1;
    int64_t first = rng_range(s->r, 0, cells), extent = rng_range(s->r, 0, FAR_CELLS);
    const int64_t ends[] = {0, cells - extent, a.before - 5, cells - a.after - 5,
                            a.before + a.interior - 5};
    if (rng_percent(s->r, 80)) first = ends[rng_range(s->r, 0, 4)] + rng_range(s->r, -3, 3);
    if (first < 0) first = 0;
    if (first > cells) first = cells;
    if (extent > cells - first) extent = cells - first;
    const tpad_source read = reads_of(&a, first, extent);
    /* Memory of its own may begin at cells up to this one. Farther elements are all the same. */
    const bool near = read.in_first < INT64_C(1) << 40 && read.in_extent <= FAR_HELD;
    s->p.problem = (tpad_problem)TPAD_PROBLEM(8, 1, s->p.axes);
    s->p.problem.flags = TPAD_IN_STRIDES;
    s->p.axes[0] = a;
    s->p.axes[0].in_stride = near;
    int32_t status = tpad_plan_init(&s->plan, sizeof s->plan, &s->p.problem, NULL);
    if (status != TPAD_OK) return setting_failed("tpad_plan_init", status);
    if (!check_sources(&s->plan, &a, first, extent)) return setting_failed("tpad_plan_sources", 0);
    const tpad_box box = {sizeof box, &first, &extent, &one, near ? &read.in_first : NULL, NULL};
    tpad_plan plan;
    int64_t need_first, need_extent;
    status = tpad_plan_box(&plan, sizeof plan, &s->plan, &box, NULL);
    if (status != TPAD_OK) return setting_failed("tpad_plan_box", status);
    status = tpad_plan_needs(&plan, &need_first, &need_extent);
    if (status != TPAD_OK || need_extent != read.in_extent ||
        (need_extent > 0 && need_first != read.in_first))
        return setting_failed("tpad_plan_needs", status);
    const size_t held = near ? (size_t)read.in_extent : 1;
    const unsigned char value = (unsigned char)rng_next(s->r);
    unsigned char *src = guard_place(&s->spare[0], held, GUARD_AT_END, 0);
    rng_bytes(s->r, src, held);
    for (int64_t i = 0; i < extent; i++) {
        const int64_t from = closed_form(&a, first + i);
        expected[i] = from < 0 ? value : src[near ? from - read.in_first : 0];
    }
    guard_read_only(&s->spare[0]);
    unsigned char *dst = guard_place(&s->spare[1], (size_t)extent, GUARD_AT_END, 0);
    status = tpad_run(&plan, src, dst, &value);
    if (status != TPAD_OK || !guard_intact(&s->spare[1]) ||
        memcmp(dst, expected, (size_t)extent) != 0) {
        fprintf(stderr, "%" PRId64 " cells from %" PRId64 " on are wrong\n", extent, first);
        return false;
    }
    return true;
}

/* ---- All of them ----------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    static const law laws[] = {
        {"the oracle", 1, law_oracle},   {"short rows", 25, law_short_rows},
        {"parts", 20, law_parts},        {"boxes in place", 20, law_boxes},
        {"border", 20, law_border},      {"boxes with memory", 8, law_boxes_with_memory},
        {"far cells", 2, law_far_cells},
    };
    const random_run run = {"test_laws", 1, 0, DEFAULT_CASES, NULL};
    return law_main(run, argc, argv, laws, sizeof laws / sizeof laws[0]);
}
