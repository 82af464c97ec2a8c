/* Tables for short rows of packed elements: where the bits of each byte of a tile come from.
 * SPDX-License-Identifier: MIT
 *
 * A group of neighbouring tiles that is whole bytes, of the output and of the input, is a fixed
 * permutation of bits. A byte of it is fill and a few stretches: neighbouring bits that are
 * neighbours in the input as well, or in a window of it that is turned round. The kernel makes a
 * vector in passes, each of which adds one stretch to every byte. Before it picks them, a pass
 * brings the bytes they lie in into the slots of a lane: eight bytes of the vector share eight
 * slots. What finds none waits for the next pass. Knows loops, not axes as given. */
#include "bit_table.h"
#include "../kernels/kernels.h"
#include "checked.h"
#include "table.h"
#include "tile_map.h"

#if TPAD_TABLE_BYTES > 0

enum {
    BIT_VECTOR = TPAD_VECTOR_BYTES, /* of the output, and of a window of the input */
    LANE = 8,
    MOST_BIT_GROUP_VECTORS = 6
};

/* What is being written down. */
typedef struct bit_table {
    tile_map map;
    plan *p;
    int32_t windows;
    tpad_bit_window *window;
    unsigned char *passes;
} bit_table;

/* A vector of it. */
typedef struct bit_vector {
    bit_table *t;
    int32_t bytes, in_byte; /* of the vector; elements in each */
    int32_t from[BIT_VECTOR * 8];
    int32_t low; /* the window's first byte */
    int turned;  /* the window's bytes, and the elements in each, stand in reverse order */
    int turns;   /* windows are turned where that helps */
    uint64_t load;
} bit_vector;

/* What a lane holds: the first byte of the input to come is in slot 0. */
typedef struct lane {
    int32_t used, bytes[LANE];
} lane;

/* The slot of `byte`, if the next one holds or may hold the byte behind it where `pair` is 1. -1 if
 * there is none. */
static int32_t find_slot(lane *l, int32_t byte, int pair)
{
    for (int32_t k = 0; k < l->used; k++) {
        if (l->bytes[k] != byte) continue;
        if (!pair || (k + 1 < l->used && l->bytes[k + 1] == byte + 1)) return k;
        if (k + 1 < l->used || k + 1 == LANE) continue;
        l->bytes[l->used++] = byte + 1;
        return k;
    }
    if (l->used + 1 + pair > LANE) return -1;
    const int32_t slot = l->used;
    l->bytes[l->used++] = byte;
    if (pair) l->bytes[l->used++] = byte + 1;
    return slot;
}

/* Where a byte is in the window as it lies in memory. */
static int32_t place_of(const bit_vector *v, int32_t byte)
{
    return v->turned ? BIT_VECTOR - 1 - (byte - v->low) : byte - v->low;
}

/* How many elements from e on follow each other upwards in the input, at most `left`. */
static int32_t stretch_from(const int32_t *e, int32_t left, int32_t grain)
{
    int32_t count = 1;
    while (count < left && e[count] == e[count - 1] + grain) count++;
    return count;
}

/* 1 if e[0], which no other follows upwards, is one of several downwards. */
static int is_backward(const int32_t *e, int32_t before, int32_t left, int32_t grain)
{
    return (before > 0 && e[-1] == e[0] + grain) || (left > 1 && e[1] == e[0] - grain);
}

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

/* Takes a stretch of byte i, or what of it finds a slot. Returns how many elements. */
static int32_t take_stretch(bit_vector *v, lane *l, int32_t i, unsigned char *control,
                            unsigned char *mask)
{
    const tile_map *m = &v->t->map;
    int32_t first = 0, count = 0, *from = v->from + i * v->in_byte;
    for (; first < v->in_byte; first++) {
        const int32_t left = v->in_byte - first, place = (from[first] >> 3) - v->low;
        if (from[first] == NO_SOURCE || place < 0 || place >= BIT_VECTOR) continue;
        count = stretch_from(from + first, left, m->grain);
        if (count > 1 || !v->turns || !is_backward(from + first, first, left, m->grain)) break;
    }
    if (first == v->in_byte) return 0;
    const int32_t source = from[first], byte = source >> 3, place = byte - v->low;
    const int32_t here = (8 - (source & 7)) >> m->grain_shift;
    int32_t slot = -1;
    if (count > here) {
        slot = place + 1 < BIT_VECTOR ? find_slot(l, byte, 1) : -1;
        if (slot < 0) count = here;
    }
    if (slot < 0) slot = find_slot(l, byte, 0);
    if (slot < 0) return 0;
    v->load |= UINT64_C(1) << place_of(v, byte);
    if (count > here) v->load |= UINT64_C(1) << place_of(v, byte + 1);

    const int32_t to = first * m->grain, bits = count * m->grain, skip = (source & 7) - to;
    const int32_t high_first = m->plan->flags & PLAN_HIGH_BITS_FIRST;
    const int32_t wanted = ((1 << bits) - 1) << (high_first ? 8 - to - bits : to);
    *control =
        (unsigned char)(8 * (high_first ? LANE - 1 - slot : slot) + (high_first ? -skip : skip)) &
        63;
    *mask = (unsigned char)wanted;
    for (int32_t k = 0; k < count; k++) from[first + k] = NO_SOURCE;
    return count;
}

/* Writes down a pass: one stretch, at most, of each byte. Returns the elements that it takes. */
static int32_t add_pass(bit_vector *v, unsigned char *index)
{
    unsigned char *control = index + BIT_VECTOR, *mask = index + 2 * BIT_VECTOR;
    int32_t taken = 0;
    tpad_memset(index, 0, TPAD_PASS_BYTES);
    for (int32_t i = 0; i < v->bytes; i += LANE) {
        lane l;
        l.used = 0;
        for (int32_t k = i; k < i + LANE && k < v->bytes; k++)
            taken += take_stretch(v, &l, k, control + k, mask + k);
        for (int32_t k = 0; k < l.used; k++) {
            const int high_first = (v->t->p->flags & PLAN_HIGH_BITS_FIRST) != 0;
            index[i + (high_first ? LANE - 1 - k : k)] = (unsigned char)place_of(v, l.bytes[k]);
        }
    }
    return taken;
}

/* Turns a window round, and whatever is said about it: source s becomes -s - grain. Twice is as if
 * it had not been. */
static void turn(bit_vector *v, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (v->from[i] != NO_SOURCE) v->from[i] = -v->from[i] - v->t->map.grain;
    v->low = -v->low - BIT_VECTOR;
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

/* Writes down what one window holds, in passes. Returns the elements that it takes; if that is
 * none, no window was added. -1 if there is no room. */
static int32_t add_window(bit_vector *v, int64_t at, int32_t *passes)
{
    bit_table *t = v->t;
    const int32_t begin = *passes;
    int32_t all = 0;
    v->load = 0;
    if (t->windows == TPAD_BIT_WINDOWS) return -1;
    for (;;) {
        if (*passes == TPAD_BIT_PASSES) return -1;
        const int32_t taken = add_pass(v, t->passes + *passes * TPAD_PASS_BYTES);
        if (taken == 0) break;
        all += taken;
        ++*passes;
    }
    const int32_t low = v->turned ? -v->low - BIT_VECTOR : v->low;
    t->window[t->windows] = (tpad_bit_window){.dst = (int32_t)at,
                                              .src = low,
                                              .passes = *passes - begin,
                                              .load = v->load,
                                              .turn = v->turned ? turning(t->map.grain) : 0};
    t->windows += all > 0;
    return all;
}

/* Writes down the vector that begins at byte `at` of the group: each window that it needs, and
 * the same window turned. Returns the passes, or -1 if there is no room. */
static int32_t add_bit_vector(bit_vector *v, int64_t at, int32_t passes)
{
    bit_table *t = v->t;
    const int32_t before = passes, count = v->bytes * v->in_byte;
    int32_t left = 0;
    if (t->windows == TPAD_BIT_WINDOWS) return -1;
    tpad_tile_gather(&t->map, at * 8, count, v->from);
    for (int32_t i = 0; i < count; i++) left += v->from[i] != NO_SOURCE;
    const int32_t none = t->windows;
    while (left > 0) {
        int32_t low = INT32_MAX;
        for (int32_t i = 0; i < count; i++)
            if (v->from[i] != NO_SOURCE && v->from[i] < low) low = v->from[i];
        v->low = low >> 3;
        for (int turned = 0; turned <= v->turns && left > 0; turned++) {
            if (turned) turn(v, count);
            const int32_t taken = add_window(v, at, &passes);
            if (turned) turn(v, count);
            if (taken < 0) return -1;
            left -= taken;
        }
    }
    if (t->windows == none) t->window[t->windows++] = (tpad_bit_window){.dst = (int32_t)at};
    tpad_bit_window *last = &t->window[t->windows - 1];
    last->last = 1;
    last->store = v->bytes < BIT_VECTOR ? (UINT64_C(1) << v->bytes) - 1 : ~UINT64_C(0);
    return passes - before;
}

/* Writes down all vectors of a group. Returns 0, or where there is no room for all of them how many
 * fit; -1 if there can be no table. */
static int32_t make_bit_table(bit_table *t, int32_t tiles)
{
    bit_vector v;
    v.t = t;
    v.turned = 0;
    if (!tpad_tile_map(&t->map, t->p, tiles)) return -1;
    v.turns = has_backward(t->map.inner);
    const int64_t bytes = t->map.size / 8;
    v.bytes = (int32_t)tpad_min(bytes, BIT_VECTOR);
    v.in_byte = 8 >> t->map.grain_shift;
    t->windows = 0;
    int32_t passes = 0;
    for (int64_t next = 0; next < bytes; next += BIT_VECTOR) {
        /* The last vector ends where the group does and writes some bytes twice. */
        const int32_t more = add_bit_vector(&v, tpad_min(next, bytes - v.bytes), passes);
        if (more < 0) return next > 0 ? (int32_t)(next / BIT_VECTOR) : -1;
        passes += more;
    }
    return 0;
}

/* The table of a group of the tiles that were chosen. Returns how many there are in it, or 0. */
static int32_t make_group(bit_table *t)
{
    plan *p = t->p;
    const int64_t most = tpad_tile_neighbours(p, &p->tile);
    const int64_t stride = p->tile.in_stride & 7; /* all of it, times 8, may exceed 64 bits */
    int64_t fewest = 1, group = 0;
    while (((fewest * p->tile.size) & 7) + ((fewest * stride) & 7) != 0) fewest *= 2;
    int32_t room = MOST_BIT_GROUP_VECTORS;
    while (room > 0) {
        group = tpad_tile_best_group(p->tile.size, fewest, fewest, most, BIT_VECTOR * 8, room);
        room = group > 0 ? make_bit_table(t, (int32_t)group) : -1;
    }
    return room == 0 ? (int32_t)group : 0;
}

int tpad_table_of_bits(plan *p)
{
    const axis *inner = &p->loops[p->loop_count - 1];
    if (!p->bit_stream || p->cells > MOST_REACH * INT64_C(64) || inner->extent > MOST_REACH / 8)
        return 0;
    bit_table t = {.p = p, .window = tpad_plan_windows(p), .passes = tpad_plan_passes(p)};
    t.map.grain = (int32_t)p->cell;
    t.map.grain_shift = (int32_t)(p->cell / 2);
    p->streamed = 0;
    p->single = p->group = (plan_tile){.tiles = 0};
    int64_t most = tpad_min(p->cells * p->cell / 4, MOST_BIT_GROUP_VECTORS * BIT_VECTOR * 8);
    for (; p->group.tiles == 0; most = p->tile.size - 1) {
        p->tile = tpad_tile_choose(p, most);
        if (p->tile.loops < p->loop_count) p->group.tiles = make_group(&t);
        if (p->tile.loops == 1) break;
    }
    p->group.pieces = t.windows;
    return p->group.tiles > 0;
}

#endif
