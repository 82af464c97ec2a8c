/* The cells of an axis that take given elements of the input. SPDX-License-Identifier: MIT
 *
 * A run of the axis names elements; this file cuts it to those that are asked for. Knows no modes
 * and no numbers. */
#include "takers.h"
#include "../core/checked.h"

/* How many elements a run names. */
static int64_t element_count(const run *r)
{
    return r->spacing == 1 ? r->length : (r->length - 1) / r->spacing + 1;
}

/* Of the `count` elements that a run names, those in [first, end) follow each other: returns how many
 * they are; *skipped is how many come before them. */
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

/* From one of `count` cells to the next, of which there is none if the count is 1: the spacing may then
 * be larger than the axis, and times the stride too large for an int64_t. */
static int64_t cell_step(const axis *a, int64_t spacing, int64_t count)
{
    return count > 1 ? spacing * a->out_stride : 0;
}

/* 1 if the cells of a run of elements that begins at cell i are at their own places. */
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

/* Leaves of [*first, *end) the larger part that holds none of [from, to). */
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
