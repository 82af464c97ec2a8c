/* The properties of docs/semantics.md.  SPDX-License-Identifier: MIT
 *
 * Owns: whole == all parts == all boxes == any threads == the border around what is in place;
 * unpad, pad twice, pad and crop. Each law on random problems. Boxes with memory of their own are
 * in test_boxes.c.
 * Must not know: the inside of the library.
 *
 *     test_laws [--cases N] [--seed S] [--first K]      N cases of each law
 */
#include <stdlib.h>
#include <string.h>
#if defined(__unix__)
#include <pthread.h>
#include <stdatomic.h>
#endif

#include "../../support/random_main.h"

enum { DEFAULT_CASES = 5000, MAX_PIECES = 48 };

/* ---- Parts and threads ----------------------------------------------------------------------- */

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

#if defined(__unix__)

enum { MAX_THREADS = 4 };

typedef struct pool {
    atomic_llong next;
    int64_t count;
    tpad_body body;
    void *user;
} pool;

static void *work(void *context)
{
    pool *p = context;
    for (int64_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count;) p->body(p->user, i);
    return NULL;
}

static void run_on_threads(int64_t count, tpad_body body, void *user)
{
    pthread_t threads[MAX_THREADS];
    pool p = {0, count, body, user};
    for (int i = 0; i < MAX_THREADS; i++) {
        if (pthread_create(&threads[i], NULL, work, &p) != 0) abort();
    }
    for (int i = 0; i < MAX_THREADS; i++) pthread_join(threads[i], NULL);
}

typedef struct shares {
    const setting *s;
    int64_t parts;
    atomic_int failed;
} shares;

static void run_share(void *user, int64_t part)
{
    shares *all = user;
    const bench *b = all->s->b;
    if (bench_run_part(b, &all->s->plan, b->src, b->dst, part, all->parts) != TPAD_OK)
        atomic_store(&all->failed, 1);
}

/* Parts at once; small outputs, which tpad_run_with would not split (see test_threads.c). */
static bool law_threads(setting *s)
{
    shares all = {s, rng_range(s->r, 1, 9), 0};
    if (!setting_prepare(s, RANDOM_FILL_ARRAYS)) return false;
    bench_reset(s->b);
    run_on_threads(all.parts, run_share, &all);
    if (atomic_load(&all.failed)) return setting_failed("running a part", TPAD_E_ARGUMENT);
    return bench_check(s->b, "threads");
}

#endif

/* ---- Boxes in place -------------------------------------------------------------------------- */

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

/* ---- Two after each other -------------------------------------------------------------------- */

/* The problem that takes the first one's output, where it lies, to a dense output. */
static void follow(const random_problem *first, tpad_problem *next, tpad_axis *axes)
{
    int64_t strides[TPAD_MAX_RANK];
    oracle_out_strides(&first->truth, &first->problem, strides);
    *next = first->problem;
    next->axes = axes;
    next->flags = (next->flags & TPAD_HIGH_BITS_FIRST) | TPAD_IN_STRIDES;
    next->in_offset = next->out_offset;
    next->out_offset = 0;
    for (int32_t k = 0; k < next->rank; k++) {
        axes[k] = first->axes[k];
        axes[k].in_extent = first->truth.extents[k];
        axes[k].in_stride = strides[k];
        axes[k].out_stride = 0;
        axes[k].before = axes[k].after = axes[k].interior = 0;
    }
}

/* Runs `next` on the first one's output, and `direct` on its input; both have dense outputs. */
static bool same_result(setting *s, const tpad_problem *next, const tpad_problem *direct,
                        const char *what)
{
    const tpad_problem *problems[2] = {next, direct};
    const void *sources[2] = {s->b->dst, s->b->src};
    int64_t bytes[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        tpad_plan plan;
        int32_t status = tpad_shape(problems[i], NULL, NULL, &bytes[i], NULL);
        if (status == TPAD_OK) status = tpad_plan_init(&plan, sizeof plan, problems[i], NULL);
        if (status != TPAD_OK) return setting_failed(what, status);
        unsigned char *dst = guard_place(&s->spare[i], (size_t)bytes[i], GUARD_AT_END, 0);
        rng_bytes(s->r, dst, (size_t)bytes[i]);
        status = tpad_run(&plan, sources[i], dst, s->b->value);
        if (status != TPAD_OK) return setting_failed(what, status);
    }
    if (bytes[0] == bytes[1] && guard_intact(&s->spare[0]) && guard_intact(&s->spare[1]) &&
        memcmp(s->spare[0].block, s->spare[1].block, (size_t)bytes[0]) == 0) {
        return true;
    }
    fprintf(stderr, "%s: the results differ\n", what);
    return false;
}

static void direct_from(const random_problem *p, tpad_problem *direct, tpad_axis *axes)
{
    *direct = p->problem;
    memcpy(axes, p->axes, sizeof p->axes);
    direct->axes = axes;
    direct->flags &= ~TPAD_OUT_STRIDES;
    direct->out_offset = 0;
    for (int32_t k = 0; k < direct->rank; k++) axes[k].out_stride = 0;
}

static bool law_unpad(setting *s)
{
    tpad_axis axes[TPAD_MAX_RANK], direct_axes[TPAD_MAX_RANK];
    tpad_problem next, direct;
    if (!setting_prepare(s, RANDOM_NO_CROP | RANDOM_NO_INTERIOR)) return false;
    follow(&s->p, &next, axes);
    direct_from(&s->p, &direct, direct_axes);
    for (int32_t k = 0; k < next.rank; k++) {
        axes[k].before = -s->p.axes[k].before;
        axes[k].after = -s->p.axes[k].after;
        axes[k].order = (int32_t)rng_range(s->r, TPAD_WINDOW, TPAD_CROP);
        direct_axes[k].before = direct_axes[k].after = 0;
    }
    return same_result(s, &next, &direct, "unpad of pad");
}

static bool law_pad_twice(setting *s)
{
    tpad_axis axes[TPAD_MAX_RANK], direct_axes[TPAD_MAX_RANK];
    tpad_problem next, direct;
    if (!setting_prepare(s, RANDOM_NO_CROP | RANDOM_NO_INTERIOR | RANDOM_CONSTANT_EDGE |
                                RANDOM_SOLID)) {
        return false;
    }
    follow(&s->p, &next, axes);
    direct_from(&s->p, &direct, direct_axes);
    int64_t bytes = s->p.truth.cells * oracle_unit(&s->p.problem);
    for (int32_t k = 0; k < next.rank; k++) {
        int64_t extent = axes[k].in_extent;
        axes[k].before = rng_range(s->r, 0, 3);
        axes[k].after = rng_range(s->r, 0, 3);
        bytes = bytes / extent * (extent + axes[k].before + axes[k].after);
        if (bytes > RANDOM_MAX_BYTES / 8) axes[k].before = axes[k].after = 0;
        direct_axes[k].before += axes[k].before;
        direct_axes[k].after += axes[k].after;
    }
    return same_result(s, &next, &direct, "pad of pad");
}

static bool law_pad_crop(setting *s)
{
    tpad_axis axes[TPAD_MAX_RANK], direct_axes[TPAD_MAX_RANK];
    tpad_problem next, direct;
    if (!setting_prepare(s, RANDOM_NO_CROP | RANDOM_WINDOW | RANDOM_SOLID)) return false;
    follow(&s->p, &next, axes);
    direct_from(&s->p, &direct, direct_axes);
    for (int32_t k = 0; k < next.rank; k++) {
        int64_t front = rng_range(s->r, 0, axes[k].in_extent);
        int64_t back = rng_percent(s->r, 50) ? 0 : rng_range(s->r, 0, axes[k].in_extent - front);
        axes[k].before = -front;
        axes[k].after = -back;
        direct_axes[k].before -= front;
        direct_axes[k].after -= back;
    }
    return same_result(s, &next, &direct, "crop of pad");
}

/* ---- All of them ----------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    static const law laws[] = {
        {"parts", law_parts},
#if defined(__unix__)
        {"threads", law_threads},
#endif
        {"boxes", law_boxes},
        {"border", law_border},
        {"unpad of pad is the input", law_unpad},
        {"pad of pad is one pad", law_pad_twice},
        {"crop of pad is one pad", law_pad_crop},
    };
    const random_run run = {"test_laws", 1, 0, DEFAULT_CASES};
    return law_main(run, argc, argv, laws, sizeof laws / sizeof laws[0]);
}
