/* Random problems and the memory they run in.  SPDX-License-Identifier: MIT
 * See random_problem.h for what it owns and must not know. */
#include "random_problem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers: SplitMix64, small and good enough ---------------------------------------------- */

uint64_t rng_next(rng *r)
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

rng rng_seeded(uint64_t seed, uint64_t stream)
{
    rng r = {seed};
    r.state = rng_next(&r) ^ (stream * 0xD1342543DE82EF95u);
    r.state = rng_next(&r);
    return r;
}

int64_t rng_range(rng *r, int64_t least, int64_t most)
{
    return least + (int64_t)(rng_next(r) % (uint64_t)(most - least + 1));
}

bool rng_percent(rng *r, int percent)
{
    return rng_range(r, 0, 99) < percent;
}

void rng_bytes(rng *r, void *bytes, size_t count)
{
    unsigned char *to = bytes;
    while (count > 0) {
        uint64_t word = rng_next(r);
        size_t part = count < sizeof word ? count : sizeof word;
        memcpy(to, &word, part);
        to += part;
        count -= part;
    }
}

/* ---- Axes ------------------------------------------------------------------------------------ */

enum { MAX_ELEMS = 20000, LEAST_AMOUNT = -12, MOST_AMOUNT = 30, STREAMED_ONE_OF = 4000 };

static int64_t dilated(const tpad_axis *a)
{
    return a->in_extent > 0 ? (a->in_extent - 1) * (a->interior + 1) + 1 : 0;
}

static int64_t out_extent(const tpad_axis *a)
{
    return a->before + dilated(a) + a->after;
}

static int64_t draw_amount(rng *r, unsigned flags)
{
    int64_t least = flags & RANDOM_NO_CROP ? 0 : LEAST_AMOUNT;
    if (rng_percent(r, 30)) return 0;
    if (rng_percent(r, 60)) return rng_range(r, least < -3 ? -3 : least, 5);
    return rng_range(r, least, MOST_AMOUNT);
}

/* True if the mode has something to extend from, or does not need it. */
static bool axis_runs(const tpad_axis *a)
{
    int64_t front = a->before < 0 ? -a->before : 0;
    int64_t back = a->after < 0 ? -a->after : 0;
    int64_t kept = dilated(a) - (a->order == TPAD_CROP ? front + back : 0);
    return out_extent(a) >= 0 && (a->mode == TPAD_CONSTANT || kept > 0 || out_extent(a) == 0);
}

static void draw_axis(rng *r, tpad_axis *a, unsigned flags)
{
    bool padded = rng_percent(r, 65);
    do {
        bool empty = !(flags & RANDOM_SOLID) && rng_percent(r, 3);
        a->in_extent = empty ? 0 : rng_range(r, 1, rng_percent(r, 50) ? 9 : 4);
        a->before = padded ? draw_amount(r, flags) : 0;
        a->after = padded ? draw_amount(r, flags) : 0;
        a->interior = padded && rng_percent(r, 20) ? rng_range(r, 1, 3) : 0;
        a->mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1);
        a->order = (int32_t)rng_range(r, TPAD_WINDOW, TPAD_CROP);
        if (flags & RANDOM_NO_INTERIOR) a->interior = 0;
        if (flags & RANDOM_WINDOW) a->order = TPAD_WINDOW;
        if (flags & RANDOM_CONSTANT_EDGE) a->mode = (int32_t)rng_range(r, TPAD_CONSTANT, TPAD_EDGE);
        /* An empty output tests little, so it is rare. */
    } while (!axis_runs(a) || (out_extent(a) == 0 && !rng_percent(r, 10)));
}

/* Makes one axis one that is refused, by an output extent below zero or by nothing to extend from.
 * If another axis happens to be empty, the second is not refused; the oracle decides. */
static void spoil_axis(rng *r, tpad_axis *a)
{
    if (rng_percent(r, 40)) {
        a->in_extent = rng_range(r, 0, 4);
        a->interior = rng_range(r, 0, 1);
        do {
            a->before = rng_range(r, LEAST_AMOUNT, 3);
            a->after = rng_range(r, LEAST_AMOUNT, 3);
        } while (out_extent(a) >= 0);
        return;
    }
    a->mode = (int32_t)rng_range(r, TPAD_EDGE, TPAD_MODE_COUNT - 1);
    do {
        a->in_extent = rng_percent(r, 50) ? 0 : rng_range(r, 1, 6);
        a->before = rng_range(r, LEAST_AMOUNT, 14);
        a->after = rng_range(r, LEAST_AMOUNT, 14);
        a->order = a->in_extent > 0 ? TPAD_CROP : (int32_t)rng_range(r, TPAD_WINDOW, TPAD_CROP);
    } while (out_extent(a) <= 0 || axis_runs(a));
}

/* Shrinks axes until input and output are small enough. */
static void bound(rng *r, random_problem *p, unsigned flags)
{
    int64_t unit = oracle_unit(&p->problem);
    int64_t limit = rng_percent(r, 8) ? MAX_ELEMS : rng_percent(r, 40) ? 3000 : 300;
    if (flags & RANDOM_SMALL) limit = rng_percent(r, 10) ? 400 : 80;
    int64_t most_bytes = flags & RANDOM_SMALL ? 20000 : 200000;
    if (limit * unit > most_bytes) limit = most_bytes / unit;
    for (;;) {
        int64_t in = 1, out = 1;
        int32_t widest = 0;
        for (int32_t k = 0; k < p->problem.rank; k++) {
            in *= p->axes[k].in_extent > 0 ? p->axes[k].in_extent : 1;
            out *= out_extent(&p->axes[k]) > 0 ? out_extent(&p->axes[k]) : 1;
            if (rng_percent(r, 50)) widest = k;
        }
        if (in <= limit && out <= limit) return;
        tpad_axis *a = &p->axes[widest];
        do {
            draw_axis(r, a, flags);
        } while (out_extent(a) > 8 && a->in_extent > 4);
        if (rng_percent(r, 30)) {
            a->in_extent = rng_range(r, 1, 3);
            a->before = a->after = a->interior = 0;
        }
    }
}

static int64_t product(const random_problem *p, int of_output)
{
    int64_t elems = 1;
    for (int32_t k = 0; k < p->problem.rank; k++)
        elems *= of_output ? out_extent(&p->axes[k]) : p->axes[k].in_extent;
    return elems;
}

/* Many rows of a few cells, for which tables are made. */
static void draw_short_rows(rng *r, random_problem *p, unsigned flags)
{
    static const int32_t bytes[] = {1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 12, 16};
    const bool small = flags & RANDOM_SMALL;
    const int64_t limit = small ? 600 : rng_percent(r, 10) ? 40000 : 6000;
    tpad_problem *problem = &p->problem;
    problem->rank = (int32_t)rng_range(r, 2, small ? 3 : 4);
    problem->elem_bits = 8 * bytes[rng_range(r, 0, (int64_t)(sizeof bytes / sizeof bytes[0]) - 1)];
    bool good;
    do {
        good = true;
        for (int32_t k = 0; k < problem->rank; k++) {
            tpad_axis *a = &p->axes[k];
            draw_axis(r, a, flags | RANDOM_SOLID);
            if (k == 0) a->in_extent = rng_range(r, 4, small ? 30 : 150);
            if (k == 0 && rng_percent(r, 50)) a->before = a->after = a->interior = 0;
            if (k > 0 && rng_percent(r, 30)) a->in_extent += rng_range(r, 1, 16);
            good = good && axis_runs(a);
        }
    } while (!good || product(p, 0) > limit || product(p, 1) > limit || product(p, 1) == 0);
}

/* A number at a power of two from 2^least to 2^most, or near one: above all where 32 bits end. */
static int64_t draw_near_power(rng *r, int least, int most)
{
    static const int ends[] = {28, 31, 32, 60};
    int power = rng_percent(r, 30) ? ends[rng_range(r, 0, 3)] : (int)rng_range(r, least, most);
    if (power < least || power > most) power = most;
    return ((int64_t)1 << power) + (rng_percent(r, 50) ? 0 : rng_range(r, -3, 3));
}

void random_gap(rng *r, tpad_axis *a)
{
    const int64_t cells = out_extent(a);
    if (cells < 1) return;
    a->in_extent = rng_range(r, 2, 3);
    a->interior = rng_percent(r, 50) ? draw_near_power(r, 55, 60 - (a->in_extent == 3))
                                     : draw_near_power(r, 4, 59);
    if (a->mode != TPAD_CONSTANT) a->order = TPAD_CROP;
    const int64_t spacing = a->interior + 1, size = dilated(a);
    /* The output holds one of the elements, or only cells between two of them. */
    int64_t first = spacing * rng_range(r, 0, a->in_extent - 1) - rng_range(r, 0, cells - 1);
    if (rng_percent(r, 20)) first += cells / 2 + rng_range(r, 0, 5);
    a->before = -first;
    a->after = cells - size + first;
    /* Some of the dilated axis must be left, if it shall be extended. */
    if (!axis_runs(a)) a->mode = TPAD_CONSTANT;
}

/* An axis with a single element, for which a stride may be chosen freely. */
static void draw_single(rng *r, tpad_axis *a)
{
    *a = (tpad_axis){.in_extent = 1, .after = rng_range(r, 0, 3)};
    if (rng_percent(r, 40)) a->mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1);
    a->order = rng_percent(r, 50) || a->mode != TPAD_CONSTANT ? TPAD_CROP : TPAD_WINDOW;
}

/* Takes away what is in front of an axis, so that far elements can be cropped there. */
static void crop_front(tpad_axis *a)
{
    tpad_axis cropped = *a;
    cropped.order = TPAD_CROP;
    if (cropped.before > 0) cropped.before = 0;
    if (axis_runs(&cropped) && out_extent(&cropped) > 0) *a = cropped;
}

static bool crops_first(const tpad_axis *a)
{
    return a->order == TPAD_CROP || a->mode == TPAD_CONSTANT;
}

/* Adds `count` elements, or as many as an axis can have, in front of the first one or after the
 * last one, and crops them. Returns how many. */
static int64_t add_cropped(tpad_axis *a, int64_t count, bool in_front)
{
    const int64_t most = TPAD_MAX_EXTENT / 2 / (a->interior + 1);
    if (count > most) count = most;
    a->in_extent += count;
    *(in_front ? &a->before : &a->after) -= count * (a->interior + 1);
    return count;
}

/* 1 if the library must accept the numbers, in whatever order they are added. */
static bool within_limits(const tpad_problem *problem, const tpad_axis *axes)
{
    const double most = 4.6e18; /* below 2^62 */
    double scale = problem->elem_bits < 8 ? problem->elem_bits : 1;
    double reach = (double)problem->in_offset * (problem->in_offset < 0 ? -scale : scale);
    for (int32_t k = 0; k < problem->rank; k++) {
        const double stride = (double)axes[k].in_stride, extent = (double)axes[k].in_extent;
        if (extent * (double)(axes[k].interior + 1) > 2.3e18) return false;
        reach += (stride < 0 ? -stride : stride) * extent * scale;
    }
    return reach < most;
}

void random_distance(rng *r, tpad_problem *problem, tpad_axis *axes)
{
    const int32_t rank = problem->rank;
    tpad_axis kept[TPAD_MAX_RANK], *single = NULL, *other = NULL;
    const int64_t offset = problem->in_offset;
    if (!(problem->flags & TPAD_IN_STRIDES)) return;
    for (int32_t k = 0; k < rank; k++) {
        tpad_axis *a = &axes[k];
        kept[k] = *a;
        if (a->in_extent < 1 || a->before > 0 || !crops_first(a)) continue;
        if (a->in_extent == 1 && (!single || rng_percent(r, 50))) {
            a->interior = 0; /* it has none yet, and would get one */
            single = a;
        } else if (a->in_stride != 0 && (!other || rng_percent(r, 70))) {
            other = a;
        }
    }
    int64_t away = draw_near_power(r, 8, 61);
    if (rng_percent(r, 50)) /* where 32 bits end that count bytes, or bits */
        away = (int64_t)1 << (rng_percent(r, 50) || problem->elem_bits < 8 ? 31 : 28);
    if (rng_percent(r, 50)) away = -away;
    if (other && (!single || rng_percent(r, 70))) {
        const int64_t count = away / other->in_stride;
        away = add_cropped(other, count < 0 ? -count : count, true) * other->in_stride;
        if (single) {
            single->in_stride = -away;
            add_cropped(single, 1, true);
        } else {
            problem->in_offset -= away;
        }
    } else if (single) {
        single->in_stride = away;
        add_cropped(single, 1, true);
        problem->in_offset -= away;
    }
    for (int32_t k = 0; k < rank; k++)
        if (axes[k].in_extent > 0 && axes[k].after <= 0 && crops_first(&axes[k]) &&
            rng_percent(r, 10))
            add_cropped(&axes[k], rng_percent(r, 50) ? 1 : draw_near_power(r, 3, 50), false);
    if (within_limits(problem, axes)) return;
    problem->in_offset = offset;
    for (int32_t k = 0; k < rank; k++) axes[k] = kept[k];
}

#if defined(__unix__)
/* Rows of wide elements, and just as many of them as make an output that is streamed. */
static void draw_streamed(rng *r, random_problem *p)
{
    enum { LEAST_BYTES = 4 << 20 };
    static const int32_t bytes[] = {8, 16, 16, 32, 64, 64};
    tpad_problem *problem = &p->problem;
    problem->rank = (int32_t)rng_range(r, 2, 3);
    problem->elem_bits = 8 * bytes[rng_range(r, 0, 5)];
    problem->flags |= TPAD_OUT_READ_LATE;
    int64_t cells = 1;
    for (int32_t k = problem->rank - 1; k >= 0; k--) {
        tpad_axis *a = &p->axes[k];
        do {
            draw_axis(r, a, RANDOM_NO_CROP | RANDOM_SOLID);
        } while (k > 0 && out_extent(a) > (problem->rank == 2 ? 40 : 12));
        if (k > 0) cells *= out_extent(a);
    }
    const int64_t row = cells * problem->elem_bits / 8;
    tpad_axis *rows = &p->axes[0];
    rows->interior = 0;
    rows->in_extent = LEAST_BYTES / row + 1;
}
#endif

/* ---- Layout ---------------------------------------------------------------------------------- */

static int32_t draw_width(rng *r)
{
    static const int32_t widths[] = {1,  2,  4,  8,  8,  16, 16,  24,  24,
                                     32, 32, 40, 56, 64, 96, 128, 192, 512};
    if (rng_percent(r, 1)) return 8000;
    return widths[rng_range(r, 0, (int64_t)(sizeof widths / sizeof widths[0]) - 1)];
}

bool random_span(int32_t rank, const int64_t *extents, const int64_t *strides, int64_t offset,
                 int32_t elem_bits, int64_t *begin, int64_t *end)
{
    int64_t least = offset;
    int64_t most = offset;
    *begin = *end = 0;
    for (int32_t k = 0; k < rank; k++) {
        int64_t reach = strides[k] * (extents[k] - 1);
        if (extents[k] <= 0) return false;
        if (reach < 0) {
            least += reach;
        } else {
            most += reach;
        }
    }
    if (elem_bits >= 8) {
        *begin = least;
        *end = most + elem_bits / 8;
        return true;
    }
    int64_t first = least * elem_bits;
    int64_t past = (most + 1) * elem_bits;
    while (first % 8 != 0) first--;
    while (past % 8 != 0) past++;
    *begin = first / 8;
    *end = past / 8;
    return true;
}

enum { PAGE = 4096, MOST_SPREAD_BYTES = 1 << 19, MOST_GAP = 160 };

/* In the unit of strides. */
static int64_t most_spread(int32_t elem_bits)
{
    return MOST_SPREAD_BYTES * INT64_C(8) / (elem_bits < 8 ? elem_bits : 8);
}

/* See random_layout. most_gap: between neighbours, in the unit of strides. paged: the axis, counted
 * from the one whose elements lie closest, from which on all are whole pages apart, with at least
 * one free between two; -1: none. Returns what the array takes, in the unit of strides. */
static int64_t lay_out(rng *r, int32_t rank, const int64_t *extents, int32_t elem_bits,
                       int64_t most_gap, int32_t paged, int64_t *strides)
{
    int64_t unit = elem_bits < 8 ? 1 : elem_bits / 8;
    int64_t page = elem_bits < 8 ? PAGE * 8 / elem_bits : PAGE;
    int64_t next = unit;
    int32_t order[TPAD_MAX_RANK];
    bool row_major = rng_percent(r, 50);
    int gaps = rng_percent(r, 50) ? 40 : 0;
    int negative = rng_percent(r, 50) ? 30 : 0;
    for (int32_t k = 0; k < rank; k++) order[k] = rank - 1 - k;
    for (int32_t k = rank - 1; k > 0 && !row_major; k--) {
        int32_t other = (int32_t)rng_range(r, 0, k);
        int32_t kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (int32_t i = 0; i < rank; i++) {
        int32_t k = order[i];
        if (paged >= 0 && i >= paged) {
            if (i == paged) next = (next + page - 1) / page * page + page;
        } else if (rng_percent(r, gaps)) {
            int kind = (int)rng_range(r, 0, 4);
            next += kind < 2 ? unit : rng_range(r, 1, kind < 4 ? 2 * unit : most_gap);
        }
        strides[k] = rng_percent(r, negative) ? -next : next;
        next *= extents[k] > 0 ? extents[k] : 1;
    }
    return next;
}

void random_layout(rng *r, int32_t rank, const int64_t *extents, int32_t elem_bits,
                   int64_t *strides)
{
    int64_t unit = elem_bits < 8 ? 1 : elem_bits / 8;
    if (lay_out(r, rank, extents, elem_bits, MOST_GAP, -1, strides) > most_spread(elem_bits))
        lay_out(r, rank, extents, elem_bits, unit, -1, strides);
}

/* Gaps of whole pages: as far in as there is room for so many of them. */
static void paged_layout(rng *r, int32_t rank, const int64_t *extents, int32_t elem_bits,
                         int64_t *strides)
{
    int64_t most = most_spread(elem_bits) / 2;
    int32_t first = rank > 1 && rng_percent(r, 85) ? 1 : 0;
    for (int32_t i = (int32_t)rng_range(r, first, rank - 1); i < rank; i++)
        if (lay_out(r, rank, extents, elem_bits, MOST_GAP, i, strides) <= most) return;
    random_layout(r, rank, extents, elem_bits, strides);
}

/* All elements lie on one line, evenly spaced, and every axis makes some steps along it. */
static void window_layout(rng *r, int32_t rank, int64_t unit, int64_t *strides)
{
    int64_t step = unit * (rng_percent(r, 50) ? 1 : rng_range(r, 2, 4));
    for (int32_t k = 0; k < rank; k++) {
        strides[k] = step * (rng_percent(r, 70) ? 1 : rng_range(r, 0, 4));
        if (rng_percent(r, 10)) strides[k] = -strides[k];
    }
}

/* Some axes of one stride, which is such that elements, taken together, are as large as what they
 * reach. Some others have stride 0. Where no number does that, the strides stay as they are. */
static void balanced_layout(rng *r, int32_t rank, const int64_t *extents, int64_t unit,
                            int64_t *strides)
{
    for (int tries = 0; tries < 12; tries++) {
        bool same[TPAD_MAX_RANK];
        int64_t all = unit, reached = unit, steps = 0;
        for (int32_t k = 0; k < rank; k++) {
            same[k] = rng_percent(r, 50);
            if (rng_percent(r, 20)) strides[k] = 0;
            all *= extents[k];
            if (same[k]) {
                steps += extents[k] - 1;
            } else {
                reached += (extents[k] - 1) * (strides[k] < 0 ? -strides[k] : strides[k]);
            }
        }
        if (steps <= 0 || all <= reached || (all - reached) % steps != 0) continue;
        for (int32_t k = 0; k < rank; k++)
            if (same[k]) strides[k] = (all - reached) / steps;
        return;
    }
}

void random_input_layout(rng *r, int32_t rank, const int64_t *extents, int32_t elem_bits,
                         int64_t *strides)
{
    int64_t unit = elem_bits < 8 ? 1 : elem_bits / 8;
    int kind = (int)rng_range(r, 0, 99);
    if (rank > 0 && kind < 25) {
        paged_layout(r, rank, extents, elem_bits, strides);
    } else {
        random_layout(r, rank, extents, elem_bits, strides);
    }
    if (kind >= 25 && kind < 40) window_layout(r, rank, unit, strides);
    if (kind >= 40 && kind < 55) balanced_layout(r, rank, extents, unit, strides);
    for (int32_t k = 0; k < rank; k++) {
        if (kind >= 90) strides[k] = rng_range(r, -3 * unit, 3 * unit);
        if (kind < 25 && rng_percent(r, 7)) strides[k] = 0;
        if (kind >= 55 && rng_percent(r, 15)) strides[k] = 0;
    }
    int64_t begin, end;
    random_span(rank, extents, strides, 0, elem_bits, &begin, &end);
    if (end - begin > MOST_SPREAD_BYTES) random_layout(r, rank, extents, elem_bits, strides);
}

/* True if the elements of the input are too many, or too far from each other, for our memory. */
static bool is_far(const random_problem *p, const int64_t *strides)
{
    double reach = (double)oracle_unit(&p->problem);
    if (!(p->problem.flags & TPAD_IN_STRIDES)) return false;
    for (int32_t k = 0; k < p->problem.rank; k++) {
        if (p->axes[k].in_extent == 0) return false;
        const double stride = strides[k] < 0 ? -(double)strides[k] : (double)strides[k];
        reach += (stride > 1 ? stride : 1) * (double)(p->axes[k].in_extent - 1);
    }
    return reach > 2 * MOST_SPREAD_BYTES;
}

static void find_spans(random_problem *p)
{
    int64_t strides[TPAD_MAX_RANK];
    int64_t offset = p->problem.in_offset;
    oracle_in_strides(&p->problem, strides);
    p->far = is_far(p, strides);
    for (int32_t k = 0; k < p->problem.rank; k++) {
        p->held_first[k] = p->far ? p->truth.need_first[k] : 0;
        p->held_extents[k] = p->far ? p->truth.need_extents[k] : p->axes[k].in_extent;
        offset += p->held_first[k] * strides[k];
    }
    random_span(p->problem.rank, p->held_extents, strides, offset, p->problem.elem_bits,
                &p->in_begin, &p->in_end);
    oracle_out_strides(&p->truth, &p->problem, strides);
    random_span(p->problem.rank, p->truth.extents, strides, p->problem.out_offset,
                p->problem.elem_bits, &p->out_begin, &p->out_end);
}

static void draw_layouts(rng *r, random_problem *p)
{
    int64_t extents[TPAD_MAX_RANK] = {0};
    int64_t strides[TPAD_MAX_RANK];
    int32_t rank = p->problem.rank;
    bool dense_in = rng_percent(r, 35);
    bool dense_out = rng_percent(r, 45);
    for (int32_t k = 0; k < rank; k++) extents[k] = p->axes[k].in_extent;
    random_input_layout(r, rank, extents, p->problem.elem_bits, strides);
    for (int32_t k = 0; k < rank; k++) {
        p->axes[k].in_stride = dense_in ? 0 : strides[k];
        int64_t m = out_extent(&p->axes[k]);
        extents[k] = m > 0 ? m : 0;
    }
    random_layout(r, rank, extents, p->problem.elem_bits, strides);
    for (int32_t k = 0; k < rank; k++) p->axes[k].out_stride = dense_out ? 0 : strides[k];
    if (!dense_in) p->problem.flags |= TPAD_IN_STRIDES;
    if (!dense_out) p->problem.flags |= TPAD_OUT_STRIDES;
    if (rng_percent(r, 30)) p->problem.in_offset = rng_range(r, -20, 20);
    if (rng_percent(r, 30)) p->problem.out_offset = rng_range(r, -20, 20);
}

/* ---- Problems -------------------------------------------------------------------------------- */

void random_problem_make(random_problem *p, rng *r, unsigned flags)
{
    static const int32_t ranks[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
                                    2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6};
    tpad_problem *problem = &p->problem;
    int32_t one_mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1);
    bool same_mode = rng_percent(r, 40) && !(flags & RANDOM_CONSTANT_EDGE);
    memset(p, 0, sizeof *p);
    problem->struct_size = sizeof *problem;
    problem->axis_size = sizeof(tpad_axis);
    problem->axes = p->axes;
    problem->rank = ranks[rng_range(r, 0, (int64_t)(sizeof ranks / sizeof ranks[0]) - 1)];
    if ((flags & RANDOM_SMALL) && problem->rank < 2) problem->rank = 2;
    problem->elem_bits = draw_width(r);
    if (rng_percent(r, 40)) problem->flags |= TPAD_HIGH_BITS_FIRST;

    bool streamed = false;
#if defined(__unix__)
    streamed = (flags & RANDOM_STREAMED) && rng_range(r, 0, STREAMED_ONE_OF - 1) == 0;
    if (streamed) draw_streamed(r, p);
#endif
    if (streamed) {
        flags |= RANDOM_DENSE;
    } else if (rng_percent(r, 15)) {
        draw_short_rows(r, p, flags);
    } else {
        for (int32_t k = 0; k < problem->rank; k++) draw_axis(r, &p->axes[k], flags);
        bound(r, p, flags);
    }
    for (int32_t k = 0; k < problem->rank && same_mode && !streamed; k++) {
        int32_t mode = p->axes[k].mode;
        p->axes[k].mode = one_mode;
        if (!axis_runs(&p->axes[k])) p->axes[k].mode = mode;
    }
    if ((flags & RANDOM_REFUSED) && problem->rank > 0) {
        for (int64_t n = rng_range(r, 1, 2); n > 0; n--) {
            spoil_axis(r, &p->axes[rng_range(r, 0, problem->rank - 1)]);
        }
    }
    const bool far = (flags & RANDOM_FAR) && problem->rank > 0 && !streamed && rng_percent(r, 20);
    if (far) {
        /* Rather not the outermost axis, so that many rows stay. */
        const int64_t least = problem->rank > 2 ? 1 : 0;
        tpad_axis *a = &p->axes[rng_range(r, least, problem->rank - 1)];
        const int kind = (int)rng_range(r, 0, 9);
        if (kind < 4) random_gap(r, a);
        if (kind >= 4) draw_single(r, a);
        if (kind >= 6) crop_front(&p->axes[problem->rank - 1]);
    }
    if (!(flags & RANDOM_DENSE)) draw_layouts(r, p);
    if (far) random_distance(r, problem, p->axes);
    oracle_solve(&p->truth, problem);
    if (p->truth.status == TPAD_OK) find_spans(p);
}

void random_problem_from(random_problem *p, const tpad_problem *problem)
{
    memset(p, 0, sizeof *p);
    p->problem = *problem;
    for (int32_t k = 0; k < problem->rank; k++) p->axes[k] = problem->axes[k];
    p->problem.axes = p->axes;
    oracle_solve(&p->truth, &p->problem);
    if (p->truth.status == TPAD_OK) find_spans(p);
}

void random_problem_used(const random_problem *p, unsigned char *used)
{
    const tpad_problem *problem = &p->problem;
    int64_t unit = oracle_unit(problem);
    int64_t strides[TPAD_MAX_RANK];
    int64_t index[TPAD_MAX_RANK] = {0};
    memset(used, 0, (size_t)(p->in_end - p->in_begin));
    if (p->in_begin == p->in_end) return;
    oracle_in_strides(problem, strides);
    for (int32_t k = 0; k >= 0;) {
        int64_t at = problem->in_offset;
        for (int32_t i = 0; i < problem->rank; i++)
            at += (p->held_first[i] + index[i]) * strides[i];
        if (problem->elem_bits >= 8) {
            memset(used + (at - p->in_begin), 1, (size_t)unit);
        } else {
            used[(at * problem->elem_bits - p->in_begin * 8) / 8] = 1;
        }
        for (k = problem->rank - 1; k >= 0 && ++index[k] == p->held_extents[k]; k--) index[k] = 0;
    }
}

void random_problem_close(random_problem *p)
{
    oracle_close(&p->truth);
}

void random_problem_print(FILE *to, const tpad_problem *problem)
{
    fprintf(to, "elem_bits %d, flags %d, in_offset %" PRId64 ", out_offset %" PRId64 "\n",
            problem->elem_bits, problem->flags, problem->in_offset, problem->out_offset);
    for (int32_t k = 0; k < problem->rank; k++) {
        const tpad_axis *a = &problem->axes[k];
        fprintf(to,
                "  axis %d: extent %" PRId64 ", before %" PRId64 ", after %" PRId64
                ", interior %" PRId64 ", in_stride %" PRId64 ", out_stride %" PRId64 ", %s, %s\n",
                k, a->in_extent, a->before, a->after, a->interior, a->in_stride, a->out_stride,
                tpad_mode_name(a->mode), a->order == TPAD_CROP ? "crop" : "window");
    }
}

/* ---- Running them ---------------------------------------------------------------------------- */

void *bench_base(const void *first_byte, int64_t begin)
{
    return (void *)((uintptr_t)first_byte - (uintptr_t)begin);
}

enum { MOST_FILL_BYTES = 1 << 17 };

void bench_open(bench *b)
{
    memset(b, 0, sizeof *b);
    guard_open(&b->dst_guard, RANDOM_MAX_BYTES);
    guard_open(&b->value_guard, TPAD_MAX_ELEM_BITS / 8);
    guard_open(&b->fill_guard, MOST_FILL_BYTES);
    b->before = malloc(RANDOM_MAX_BYTES);
    b->expected = malloc(RANDOM_MAX_BYTES);
    b->used = malloc(RANDOM_MAX_BYTES);
    if (b->before == NULL || b->expected == NULL || b->used == NULL) abort();
    guard_open(&b->src_guard, RANDOM_MAX_BYTES); /* last: see guard.c on WebAssembly */
}

void bench_close(bench *b)
{
    guard_close(&b->src_guard);
    guard_close(&b->dst_guard);
    guard_close(&b->value_guard);
    guard_close(&b->fill_guard);
    free(b->before);
    free(b->expected);
    free(b->used);
}

static unsigned char *place(guard *g, rng *r, size_t bytes)
{
    return guard_place(g, bytes, (int)rng_range(r, GUARD_AT_END, GUARD_BETWEEN),
                       (unsigned)rng_range(r, 0, 1000));
}

void bench_fill(bench *b, rng *r, const random_problem *p)
{
    size_t in_bytes = (size_t)(p->in_end - p->in_begin);
    size_t value_bytes = (size_t)oracle_unit(&p->problem);
    unsigned char *src = place(&b->src_guard, r, in_bytes);
    unsigned char *value = place(&b->value_guard, r, value_bytes);
    unsigned char *dst;

    b->out_bytes = (size_t)(p->out_end - p->out_begin);
    dst = place(&b->dst_guard, r, b->out_bytes);
    rng_bytes(r, src, in_bytes);
    rng_bytes(r, value, value_bytes);
    rng_bytes(r, b->before, b->out_bytes);
    memcpy(dst, b->before, b->out_bytes);
    memcpy(b->expected, b->before, b->out_bytes);
    random_problem_used(p, b->used);
    guard_read_only(&b->src_guard);
    guard_forbid_gaps(&b->src_guard, b->used);
    guard_read_only(&b->value_guard);

    b->value = rng_percent(r, 15) ? NULL : value;
    b->fill = (tpad_fill){sizeof b->fill, b->value, NULL};
    b->src = bench_base(src, p->in_begin);
    b->dst = bench_base(dst, p->out_begin);
    oracle_run(&p->truth, &p->problem, b->src, bench_base(b->expected, p->out_begin), b->value);
    if (!p->truth.reads) b->src = rng_percent(r, 50) ? NULL : guard_forbidden(&b->src_guard);
    if (b->out_bytes == 0) b->dst = rng_percent(r, 50) ? NULL : guard_forbidden(&b->dst_guard);
}

/* Strides of an array that is broadcast against the output, and the bytes that it has. Some axes
 * repeat it; all do where it would be too large. */
static void random_fill_strides(rng *r, const random_problem *p, int64_t *strides, int64_t *begin,
                                int64_t *end)
{
    const int32_t rank = p->problem.rank, bits = p->problem.elem_bits;
    int64_t extents[TPAD_MAX_RANK];
    for (int percent = rng_percent(r, 20) ? 100 : 35;; percent = 0) {
        for (int32_t k = 0; k < rank; k++)
            extents[k] = rng_percent(r, percent) ? p->truth.extents[k] : 1;
        if (rng_percent(r, 75))
            random_layout(r, rank, extents, bits, strides);
        else
            random_input_layout(r, rank, extents, bits, strides);
        for (int32_t k = 0; k < rank; k++)
            if (extents[k] < 2 && rng_percent(r, 90)) strides[k] = 0;
        if (!random_span(rank, p->truth.extents, strides, 0, bits, begin, end)) *begin = *end = 0;
        if (*end - *begin <= MOST_FILL_BYTES) return;
    }
}

void bench_fill_array(bench *b, rng *r, const random_problem *p)
{
    int64_t begin, end;
    bench_fill(b, r, p);
    if (!rng_percent(r, 60)) return;
    random_fill_strides(r, p, b->fill_strides, &begin, &end);
    unsigned char *values = place(&b->fill_guard, r, (size_t)(end - begin));
    rng_bytes(r, values, (size_t)(end - begin));
    guard_read_only(&b->fill_guard);
    b->fill.values = bench_base(values, begin);
    b->fill.strides = b->fill_strides;
    memcpy(b->expected, b->before, b->out_bytes);
    oracle_run_fill(&p->truth, &p->problem, bench_base(b->src_guard.block, p->in_begin),
                    bench_base(b->expected, p->out_begin), &b->fill);
}

int32_t bench_run_part(const bench *b, const tpad_plan *plan, const void *src, void *dst,
                       int64_t part, int64_t parts)
{
    if (b->fill.strides) return tpad_run_fill_part(plan, src, dst, &b->fill, part, parts);
    return tpad_run_part(plan, src, dst, b->value, part, parts);
}

void bench_reset(bench *b)
{
    memcpy(b->dst_guard.block, b->before, b->out_bytes);
}

bool bench_check(const bench *b, const char *what)
{
    if (!guard_intact(&b->dst_guard)) {
        fprintf(stderr, "%s: bytes beside the output were written\n", what);
        return false;
    }
    for (size_t i = 0; i < b->out_bytes; i++) {
        if (b->dst_guard.block[i] != b->expected[i]) {
            fprintf(stderr, "%s: byte %lu of %lu is %02x, not %02x (before: %02x)\n", what,
                    (unsigned long)i, (unsigned long)b->out_bytes, b->dst_guard.block[i],
                    b->expected[i], b->before[i]);
            return false;
        }
    }
    return true;
}
