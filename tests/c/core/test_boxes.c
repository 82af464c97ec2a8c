/* Boxes of an output with memory of their own.  SPDX-License-Identifier: MIT
 *
 * Owns: the law that a box, and a box of a box, holds what the whole output has there: in the
 * whole's memory or its own, from the whole input or from a copy of just what it needs.
 * Must not know: the inside of the library.
 *
 *     test_boxes [--cases N] [--seed S] [--first K]      N cases of each law
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random_main.h"

enum { DEFAULT_CASES = 8000 };

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

/* What cell numbers from some 2^40 on could lead to, with strides of their own, is refused; on each axis,
 * also where another one has nothing but fill and no element is read. */
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
    if (tpad_plan_shape(&v->plan, extents) != rank) return setting_failed("tpad_plan_shape", -1);
    for (int32_t k = 0; k < rank; k++) {
        if (extents[k] != v->cells.extents[k]) return setting_failed("tpad_plan_shape", k);
    }
    return true;
}

static unsigned char own_before[2][RANDOM_MAX_BYTES];

static bool run_view(const setting *s, const view *v, const char *what)
{
    int32_t status = bench_run_part(s->b, &v->plan, v->src, view_dst(v), 0, 1);
    if (status != TPAD_OK) return setting_failed(what, status);
    return check_needs(s, v) && check_view(s, v, what);
}

static bool law_detached(setting *s)
{
    view v;
    if (!setting_prepare(s, RANDOM_FAR | RANDOM_FILL_ARRAYS)) return false;
    bench_reset(s->b);
    view whole = whole_view(s);
    return cut_view(s, &v, &whole, (unsigned)rng_range(s->r, 1, 3), &s->spare[0], &s->spare[1],
                    own_before[0]) &&
           run_view(s, &v, "box with memory of its own");
}

static bool law_box_of_box(setting *s)
{
    view outer, inner;
    if (!setting_prepare(s, RANDOM_FAR | RANDOM_FILL_ARRAYS)) return false;
    bench_reset(s->b);
    view whole = whole_view(s);
    return cut_view(s, &outer, &whole, (unsigned)rng_range(s->r, 0, 3), &s->spare[0], &s->spare[1],
                    own_before[0]) &&
           cut_view(s, &inner, &outer, (unsigned)rng_range(s->r, 0, 3), &s->spare[2], &s->spare[3],
                    own_before[1]) &&
           run_view(s, &inner, "box of a box");
}

/* Only the output is moved: `as planned` is what in_strides NULL means. */
static bool law_in_first_alone(setting *s)
{
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK], strides[TPAD_MAX_RANK];
    if (!setting_prepare(s, RANDOM_FILL_ARRAYS)) return false;
    bench_reset(s->b);
    view v = whole_view(s);
    v.cells = piece_random(s->r, s->p.problem.rank, s->p.truth.extents);
    if (oracle_needs(&s->p.truth, v.cells.first, v.cells.extents, first, extents)) {
        int64_t place = s->p.problem.in_offset;
        oracle_in_strides(&s->p.problem, strides);
        for (int32_t k = 0; k < s->p.problem.rank; k++) place += first[k] * strides[k];
        if (s->p.problem.elem_bits < 8) {
            int64_t per_byte = 8 / s->p.problem.elem_bits;
            if (place % per_byte != 0) return true; /* no pointer can say where it is */
            place /= per_byte;
        }
        v.src = (const void *)((uintptr_t)s->b->src + (uintptr_t)place);
    }
    tpad_box box = {sizeof box, v.cells.first, v.cells.extents, NULL, first, NULL};
    int32_t status = tpad_plan_box(&v.plan, sizeof v.plan, &s->plan, &box, NULL);
    if (status != TPAD_OK) return setting_failed("tpad_plan_box", status);
    return run_view(s, &v, "box with an input cell");
}

int main(int argc, char **argv)
{
    static const law laws[] = {
        {"boxes with their own memory", law_detached},
        {"boxes of boxes", law_box_of_box},
        {"boxes that begin at an input cell", law_in_first_alone},
    };
    const random_run run = {"test_boxes", 1, 0, DEFAULT_CASES};
    return law_main(run, argc, argv, laws, sizeof laws / sizeof laws[0]);
}
