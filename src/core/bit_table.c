/* Tables for short rows of packed elements: where the bits of each byte of a tile come from.
 * SPDX-License-Identifier: MIT
 *
 * A group of neighbouring tiles that is whole bytes, of the output and of the input, is a fixed
 * permutation of bits. The kernel makes a vector in passes, from windows of the input. This file chooses
 * the group and the windows; bit_quadwords.c and bit_pairs.c write down the passes. Knows loops, not axes
 * as given. */
#include "bit_table.h"
#include "../kernels/kernels.h"
#include "bit_vector.h"
#include "checked.h"
#include "table.h"

#if TPAD_TABLE_BYTES > 0

enum { MOST_GROUP_BYTES = 6 * TPAD_VECTOR_BYTES };

/* 1 if rows hold stretches that are backwards, long enough to turn windows for them. */
static int has_backward(const axis *a)
{
    for (int64_t i = 0; i < a->extent;) {
        const run r = tpad_axis_run(a, i);
        if (r.source >= 0 && r.spacing == 1 && r.length > 2 && r.step * a->in_stride < 0) return 1;
        i += r.length;
    }
    return 0;
}

/* Turns a window round, and whatever is said about it: source s becomes -s - grain. Twice is as if
 * it had not been. */
static void turn(bit_vector *v, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (v->from[i] != NO_SOURCE) v->from[i] = -v->from[i] - v->t->map.grain;
    for (int k = 0; k < 2; k++) v->low[k] = -v->low[k] - v->t->vector;
    v->turned = !v->turned;
}

/* Which bit of a byte each bit comes from when its elements are put in reverse order, in the form
 * of the instruction: eight rows, the last one for bit 0. */
static uint64_t turning(int32_t grain)
{
    uint64_t rows = 0;
    for (int32_t i = 0; i < 8; i++) rows |= UINT64_C(1) << (8 * (7 - i) + (i ^ (8 - grain)));
    return rows;
}

/* How the kernel turns the bits of a byte. */
static uint64_t turning_of(const bit_vector *v)
{
    if (!v->turned) return 0;
    return v->t->pairs ? (uint64_t)v->t->map.grain : turning(v->t->map.grain);
}

/* Writes down what one window holds, in passes. Returns the elements that it takes; if that is
 * none, no window was added. -1 if there is no room: also for one pass more, since only a pass that
 * takes nothing ends the window. */
static int32_t add_window(bit_vector *v, int64_t at)
{
    bit_table *t = v->t;
    const int32_t begin = t->passes;
    int32_t all = 0;
    v->load = 0;
    v->picks = 0;
    if (t->windows == TPAD_BIT_WINDOWS) return -1;
    for (;;) {
        if (t->passes == v->most_passes) return -1;
        unsigned char *pass = t->pass + t->passes * t->pass_bytes;
        tpad_memset(pass, 0, (size_t)t->pass_bytes);
        const int32_t taken =
            t->pairs ? tpad_pass_by_pairs(v, pass) : tpad_pass_by_quadwords(v, pass);
        if (taken == 0) break;
        all += taken;
        t->passes++;
    }
    tpad_bit_window *w = &t->window[t->windows];
    *w = (tpad_bit_window){.dst = (int32_t)at,
                           .passes = t->passes - begin,
                           .picks = (int16_t)v->picks,
                           .load = v->load,
                           .turn = turning_of(v)};
    for (int k = 0; k < 2; k++) w->src[k] = v->turned ? -v->low[k] - t->vector : v->low[k];
    t->windows += all > 0;
    return all;
}

/* Where the next windows begin: with the lowest byte that is still to be taken from them. Windows
 * that are read whole end where the input does at the latest. */
static void find_low(bit_vector *v)
{
    const bit_table *t = v->t;
    int32_t low[2] = {INT32_MAX, INT32_MAX};
    for (int32_t i = 0; i < v->bytes * v->in_byte; i++) {
        int32_t *of = &low[t->pairs && i / v->in_byte % 2 == 1];
        if (v->from[i] != NO_SOURCE && v->from[i] < *of) *of = v->from[i];
    }
    for (int k = 0; k < 2; k++) {
        v->low[k] = low[k] >> 3;
        if (t->pairs) v->low[k] = (int32_t)tpad_min(v->low[k], t->high - t->vector);
    }
}

/* Writes down the vector that begins at byte `at` of the group: each window that it needs, and
 * the same window turned. Returns 0 if there is no room. */
static int add_bit_vector(bit_vector *v, int64_t at)
{
    bit_table *t = v->t;
    const int32_t none = t->windows, count = v->bytes * v->in_byte;
    int32_t left = 0;
    if (t->windows == TPAD_BIT_WINDOWS) return 0;
    v->most_passes = (int32_t)tpad_min(t->most_passes, (int64_t)t->passes + t->most_in_vector);
    tpad_tile_gather(&t->map, at * 8, count, v->from);
    for (int32_t i = 0; i < count; i++) left += v->from[i] != NO_SOURCE;
    while (left > 0) {
        find_low(v);
        for (int turned = 0; turned <= v->turns && left > 0; turned++) {
            if (turned) turn(v, count);
            const int32_t taken = add_window(v, at);
            if (turned) turn(v, count);
            if (taken < 0) return 0;
            left -= taken;
        }
    }
    if (t->windows == none)
        t->window[t->windows++] =
            (tpad_bit_window){.dst = (int32_t)at, .src = {(int32_t)t->low, (int32_t)t->low}};
    tpad_bit_window *last = &t->window[t->windows - 1];
    last->last = 1;
    last->store = v->bytes < TPAD_VECTOR_BYTES ? (UINT64_C(1) << v->bytes) - 1 : ~UINT64_C(0);
    return 1;
}

/* Finds the bytes between which windows must lie that are read whole. Returns 0 if there is no room
 * for a window between them, or if it would hold bytes that are no input. */
static int find_bounds(bit_table *t)
{
    const plan *p = t->p;
    t->low = t->map.low >> 3;
    t->high = tpad_bytes_of_bits(t->map.high);
    if (!t->pairs) return 1;
    const int64_t least = t->low + t->vector;
    /* Windows may go beyond the group's own input if there is no gap in all of the input; the walk
     * sees to the last groups. These are few, unless tiles or planes are at one place or the input is
     * small. (Where it has gaps, in_low is in_high.) */
    int many = p->in_high - p->in_low < 8 * t->vector;
    for (int32_t k = 0; k < p->loop_count - p->tile.loops; k++) many |= p->loops[k].in_stride == 0;
    if (many || p->tile.in_stride <= 0) return t->map.is_dense && t->high >= least;
    if (t->high < least) t->high = least;
    return 1;
}

/* Writes down all vectors of a group. Returns 0, or where there is no room for all of them how many
 * fit; -1 if there can be no table. */
static int32_t make_bit_table(bit_table *t, int32_t tiles)
{
    bit_vector v;
    v.t = t;
    v.turned = 0;
    if (!tpad_tile_map(&t->map, t->p, tiles) || !find_bounds(t)) return -1;
    v.turns = has_backward(t->map.inner);
    const int64_t bytes = t->map.size / 8;
    v.bytes = (int32_t)tpad_min(bytes, t->vector);
    v.in_byte = 8 >> t->map.grain_shift;
    t->windows = t->passes = 0;
    for (int64_t next = 0; next < bytes; next += t->vector) {
        /* The last vector ends where the group does and writes some bytes twice. */
        if (!add_bit_vector(&v, tpad_min(next, bytes - v.bytes)))
            return next > 0 ? (int32_t)(next / t->vector) : -1;
    }
    return 0;
}

/* The table of a group of the tiles that were chosen. */
static void make_group(bit_table *t)
{
    plan *p = t->p;
    const int64_t most = tpad_tile_neighbours(p, &p->tile), size = p->tile.size;
    const int64_t stride = p->tile.in_stride & 7; /* all of it, times 8, may exceed 64 bits */
    int64_t step = 1, group = 0;
    while (((step * size) & 7) + ((step * stride) & 7) != 0) step *= 2;
    int64_t fewest = step;
    /* By pairs, whole vectors are written. */
    if (t->pairs) fewest += ((8 * t->vector - 1) / (step * size)) * step;
    /* Each vector needs a window. */
    int32_t room = (int32_t)tpad_min(MOST_GROUP_BYTES / t->vector, TPAD_BIT_WINDOWS);
    while (room > 0) {
        group = tpad_tile_best_group(size, fewest, step, most, t->vector * 8, room);
        room = group > 0 ? make_bit_table(t, (int32_t)group) : -1;
    }
    p->group = (plan_tile){.tiles = 0};
    if (room < 0) return;
    p->group.tiles = (int32_t)group;
    p->group.pieces = t->windows;
    p->group.low = (int32_t)t->low;
    p->group.high = (int32_t)tpad_bytes_of_bits(t->map.high);
    p->group.beyond = (int32_t)t->high - p->group.high;
}

int tpad_table_of_bits(plan *p)
{
    const axis *inner = &p->loops[p->loop_count - 1];
    if (!p->bit_stream || p->cells > MOST_REACH * INT64_C(64) || inner->extent > MOST_REACH / 8)
        return 0;
    const tpad_bit_form *form = tpad_kernels_at(p->kernels)->bits;
    bit_table t = {.p = p,
                   .high_first = (p->flags & PLAN_HIGH_BITS_FIRST) != 0,
                   .vector = form->vector_bytes,
                   .pairs = form->pass_vectors == TPAD_PASS_VECTORS_PAIRS,
                   .pass_bytes = form->pass_vectors * form->vector_bytes,
                   .window = tpad_plan_windows(p),
                   .pass = tpad_plan_passes(p)};
    t.most_passes = tpad_plan_pass_capacity(t.pass_bytes);
    t.most_in_vector = t.pairs ? TPAD_MOST_PAIR_PASSES : t.most_passes;
    t.map.grain = (int32_t)p->cell;
    t.map.grain_shift = (int32_t)(p->cell / 2);
    p->streamed = 0;
    p->single = p->group = (plan_tile){.tiles = 0};
    tpad_tile_input(p);
    int64_t most = tpad_min(p->cells * p->cell / 4, MOST_GROUP_BYTES * INT64_C(8));
    for (; p->group.tiles == 0; most = p->tile.size - 1) {
        p->tile = tpad_tile_choose(p, most);
        if (p->tile.loops < p->loop_count) make_group(&t);
        if (p->tile.loops == 1) break;
    }
    return p->group.tiles > 0;
}

#endif
