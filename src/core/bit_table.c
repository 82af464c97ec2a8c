/* Makes the table of a tile of packed elements, of 1, 2 or 4 bits. SPDX-License-Identifier: MIT
 *
 * The problem: elements are smaller than a byte, rows are not whole bytes, and no instruction moves
 * single bits of many bytes by different distances.
 *
 * The idea: a group of neighbouring tiles that is whole bytes on both sides is a fixed permutation
 * of bits. It has at most 384 bytes of output. A kernel makes each of its vectors in passes, from
 * windows of the input. A pass makes one byte for each byte of the vector, and its mask says which
 * bits of that byte the vector takes. There are two ways to make the byte:
 *
 * By quadwords (AVX-512 VBMI): one instruction takes eight neighbouring bits from any place in
 * eight bytes.
 *
 * By pairs (AVX-512 BW, AVX2, SSSE3, NEON): two bytes of a window are a 16-bit number. A
 * multiplication by a power of two moves its bits up, and the pass takes the high byte of the
 * product. A sum of powers of two moves them by several distances at once: it brings a repeated
 * element to all of its places. If other bits would disturb the result, a mask removes them from
 * the number first.
 *
 * An example by pairs: a row has two elements of one bit, a and b. One interior cell, two cells
 * before, mode edge: the output is `a a a 0 b`, from the lowest bit on. In the number, a is bit 0
 * and b is bit 1. One multiplication cannot make this, because it would also move b to places of a.
 * So there are two passes:
 *
 *     number & 1, times 2^8 + 2^9 + 2^10      a comes to bits 0, 1 and 2 of the high byte
 *     number & 2, times 2^11                  b comes to bit 4 of the high byte
 *
 * is_clean decides what one multiplication can do: no two bits reach the same wanted place, and no
 * carry does. For stretches that run backwards there are turned windows: their bytes, and the
 * elements in each byte, are in reverse order. */
#include "../kernels/kernels.h"
#include "checked.h"
#include "plan.h"
#include "table.h"
#include "tiles.h"

#if TPAD_TABLE_BYTES > 0

/* A byte of a vector is fill and a few stretches: elements that are also neighbours in the input, or
 * in a turned window of it. */

/* The table of a group. */
typedef struct bit_table {
    tile_map map;
    plan *p;
    int high_first;    /* 1: bit 0 is the highest of a byte */
    int32_t vector;    /* bytes of a vector, and of a window of the input */
    int pairs;         /* 1: by pairs; 0: by quadwords (kernels.h) */
    int64_t low, high; /* by pairs: windows must be between these bytes, relative to the group */
    int32_t windows, passes, most_passes, most_in_vector, pass_bytes;
    tpad_bit_window *window;
    unsigned char *pass;
} bit_table;

typedef struct bit_vector {
    bit_table *t;
    int32_t bytes, in_byte; /* of the vector; elements in each */
    int32_t
        from[TPAD_VECTOR_BYTES * 8]; /* each element's source; NO_SOURCE: it is fill, or taken */
    int32_t low[2]; /* the window's first byte; by pairs, for the even bytes and for the odd ones */
    int turned;     /* 1: the window's bytes, and the elements in each, are in reverse order */
    int turns;      /* 1: windows may be turned */
    int32_t most_passes; /* of the table, up to the end of this vector */
    uint64_t load;       /* by quadwords: the bytes that were taken from the window */
    int picks;           /* by pairs: 1: some pass takes only some bits of its bytes */
} bit_vector;

/* A stretch of a byte of the vector: `count` elements from number `first` on. Their byte of the
 * input is at `place` of the window, and they begin `skip` bits later in it than in the byte of the
 * vector. `pair`: 1: the last of them are in the next byte. */
typedef struct bit_stretch {
    int32_t first, count, place, skip;
    int pair;
} bit_stretch;

/* The number of the window for byte i of the vector. */
static int32_t window_of(const bit_vector *v, int32_t i)
{
    return v->t->pairs ? i & 1 : 0;
}

/* The place in memory of a byte at `place` of the window, from the window's first byte on. */
static unsigned char place_in_window(const bit_vector *v, int32_t place)
{
    return (unsigned char)(v->turned ? v->t->vector - 1 - place : place);
}

/* Number of elements from e on that are consecutive in the input, ascending; at most `left`. */
static int32_t stretch_from(const int32_t *e, int32_t left, int32_t grain)
{
    int32_t count = 1;
    while (count < left && e[count] == e[count - 1] + grain) count++;
    return count;
}

/* 1 if e[0], which begins no ascending stretch, is part of a descending one. */
static int is_backward(const int32_t *e, int32_t before, int32_t left, int32_t grain)
{
    return (before > 0 && e[-1] == e[0] + grain) || (left > 1 && e[1] == e[0] - grain);
}

/* Finds the first stretch of byte i, from element s->first on, that is in its window. Returns 0 if
 * there is none. */
static int find_stretch(const bit_vector *v, int32_t i, bit_stretch *s)
{
    const tile_map *m = &v->t->map;
    const int32_t *from = v->from + i * v->in_byte, low = v->low[window_of(v, i)];
    for (; s->first < v->in_byte; s->first++) {
        const int32_t *e = from + s->first, left = v->in_byte - s->first;
        s->place = (*e >> 3) - low;
        if (*e == NO_SOURCE || s->place < 0 || s->place >= v->t->vector) continue;
        s->count = stretch_from(e, left, m->grain);
        if (s->count == 1 && v->turns && is_backward(e, s->first, left, m->grain)) continue;
        s->skip = (*e & 7) - s->first * m->grain;
        s->pair = s->count > (8 - (*e & 7)) >> m->grain_shift;
        return 1;
    }
    return 0;
}

/* Shortens a stretch to the part in its first byte. */
static void shorten_stretch(const bit_vector *v, bit_stretch *s)
{
    if (s->pair) s->count = ((8 - s->skip) >> v->t->map.grain_shift) - s->first;
    s->pair = 0;
}

/* The bits of a stretch in its byte of the vector. */
static unsigned char wanted_bits(const bit_vector *v, const bit_stretch *s)
{
    const int32_t to = s->first * v->t->map.grain, bits = s->count * v->t->map.grain;
    return (unsigned char)(((1 << bits) - 1) << (v->t->high_first ? 8 - to - bits : to));
}

/* Marks the elements of a stretch of byte i as taken. Returns their number. */
static int32_t take_stretch(bit_vector *v, int32_t i, const bit_stretch *s)
{
    int32_t *from = v->from + i * v->in_byte + s->first;
    for (int32_t k = 0; k < s->count; k++) from[k] = NO_SOURCE;
    return s->count;
}

/* Passes by pairs: for each byte, everything that one 16-bit multiplication can bring into place.
 *
 * A power of two as factor moves all bits of a pair of bytes by one distance. A sum of such powers
 * moves each bit by several distances at once, so that a repeated element reaches all of its
 * places, and spread-out elements reach theirs. The rest of the product is masked away, as long as
 * no two bits, and no carry, reach the same wanted place. */

/* A byte of the vector by a pair: the places of the two bytes in the window, low one first, or -1;
 * the bits to use of them, as a 16-bit number; the other factor; and the wanted bits of the result.
 */
typedef struct byte_pair {
    int32_t place[2];
    uint32_t bits, factor, wanted;
} byte_pair;

/* 1 if each wanted bit of the product's high byte is a copy of one bit of `bits`: no second bit and
 * no carry reaches that place. */
static int is_clean(const byte_pair *p)
{
    /* Four bits for each bit of the product. The other factor has a bit for each stretch of a byte,
     * eight at most, so at most eight ones meet there. */
    uint64_t sums = 0, ones = 0;
    for (int k = 0; k < 16; k++) ones |= (uint64_t)(p->bits >> k & 1) << 4 * k;
    for (int k = 0; k < 16; k++)
        if (p->factor >> k & 1) sums += ones << 4 * k;
    uint32_t carried = 0;
    for (int k = 0; k < 16; k++) {
        const uint32_t sum = (sums >> 4 * k & 15) + carried;
        if (k >= 8 && (p->wanted >> (k - 8) & 1) && sum != 1) return 0;
        carried = sum / 2;
    }
    return 1;
}

/* Adds a stretch with its first byte as the number's low one (half 0) or its high one; if the high
 * bits are first, the other way round. Returns 0 if it cannot. */
static int add_to_pair(const bit_vector *v, byte_pair *p, const bit_stretch *s, int half)
{
    const int32_t grain = v->t->map.grain, bits = s->count * grain, to = s->first * grain;
    byte_pair with = *p;
    for (int k = 0; k <= s->pair; k++) {
        int32_t *place = &with.place[v->t->high_first ? half - k : half + k];
        if (*place >= 0 && *place != s->place + k) return 0;
        *place = s->place + k;
    }
    /* The lowest bit of the stretch in the number and in the vector's byte. */
    const int32_t from = 8 * half + (v->t->high_first ? 8 - (to + s->skip) - bits : to + s->skip);
    const int32_t by = 8 + (v->t->high_first ? 8 - to - bits : to) - from;
    if (by < 0) return 0;
    with.bits |= ((UINT32_C(1) << bits) - 1) << from;
    with.factor |= UINT32_C(1) << by;
    with.wanted |= wanted_bits(v, s);
    if (!is_clean(&with)) return 0;
    *p = with;
    return 1;
}

/* Takes as many stretches of byte i as one pair can. Returns the number of elements. */
static int32_t take_by_pairs(bit_vector *v, int32_t i, unsigned char *pass)
{
    const int32_t vector = v->t->vector;
    int32_t taken = 0;
    byte_pair p = {.place = {-1, -1}};
    bit_stretch s = {0};
    for (; find_stretch(v, i, &s); s.first += s.count) {
        if (s.pair && s.place + 1 == vector) shorten_stretch(v, &s);
        const int half = s.pair && v->t->high_first;
        if (add_to_pair(v, &p, &s, half) || (!s.pair && add_to_pair(v, &p, &s, 1)))
            taken += take_stretch(v, i, &s);
    }
    byte_pair whole = p;
    whole.bits = 0xFFFF;
    if (is_clean(&whole))
        p = whole;
    else
        v->picks = 1;
    unsigned char *at = pass + (i & 1) * 3 * vector + (i & ~1);
    for (int k = 0; k < 2; k++) {
        at[k] = p.place[k] < 0 ? 0 : place_in_window(v, p.place[k]);
        at[vector + k] = (unsigned char)(p.bits >> 8 * k);
        at[2 * vector + k] = (unsigned char)(p.factor >> 8 * k);
    }
    pass[6 * vector + i] = (unsigned char)p.wanted;
    return taken;
}

/* Writes a pass into zeroed memory. Returns the number of elements that it takes. */
static int32_t pass_by_pairs(bit_vector *v, unsigned char *pass)
{
    int32_t taken = 0;
    for (int32_t i = 0; i < v->bytes; i++) taken += take_by_pairs(v, i, pass);
    return taken;
}

/* Passes by quadwords: at most one stretch of each byte.
 *
 * A pass first brings the bytes that hold the stretches into the slots of a quadword: eight bytes
 * of the vector share eight slots. Stretches that find no slot wait for the next pass. */

enum { QUADWORD = 8 };

/* The contents of a quadword: the places in the window of its bytes, by slot. */
typedef struct quadword {
    int32_t used, places[QUADWORD];
} quadword;

/* The slot of the byte at `place`; with `pair`, the next slot holds, or gets, the byte after it. -1
 * if there is none. */
static int32_t find_slot(quadword *q, int32_t place, int pair)
{
    for (int32_t k = 0; k < q->used; k++) {
        if (q->places[k] != place) continue;
        if (!pair || (k + 1 < q->used && q->places[k + 1] == place + 1)) return k;
        if (k + 1 < q->used || k + 1 == QUADWORD) continue;
        q->places[q->used++] = place + 1;
        return k;
    }
    if (q->used + 1 + pair > QUADWORD) return -1;
    const int32_t slot = q->used;
    q->places[q->used++] = place;
    if (pair) q->places[q->used++] = place + 1;
    return slot;
}

/* Sets how byte i takes the stretch, or the part of it that finds a slot; 0 if none does. */
static int put_by_quadwords(const bit_vector *v, quadword *q, int32_t i, bit_stretch *s,
                            unsigned char *pass)
{
    int32_t slot = -1;
    if (s->pair && s->place + 1 < v->t->vector) slot = find_slot(q, s->place, 1);
    if (slot < 0) {
        shorten_stretch(v, s);
        slot = find_slot(q, s->place, 0);
    }
    if (slot < 0) return 0;
    pass[v->t->vector + i] = (unsigned char)(8 * (v->t->high_first ? QUADWORD - 1 - slot : slot) +
                                             (v->t->high_first ? -s->skip : s->skip)) &
                             63;
    return 1;
}

/* Takes a stretch of byte i, or the part that finds a slot. Returns the number of elements. */
static int32_t take_by_quadwords(bit_vector *v, quadword *q, int32_t i, unsigned char *pass)
{
    const bit_table *t = v->t;
    bit_stretch s = {0};
    if (!find_stretch(v, i, &s) || !put_by_quadwords(v, q, i, &s, pass)) return 0;
    v->load |= UINT64_C(1) << place_in_window(v, s.place);
    if (s.pair) v->load |= UINT64_C(1) << place_in_window(v, s.place + 1);
    pass[t->pass_bytes - t->vector + i] = wanted_bits(v, &s);
    return take_stretch(v, i, &s);
}

/* As pass_by_pairs. */
static int32_t pass_by_quadwords(bit_vector *v, unsigned char *pass)
{
    int32_t taken = 0;
    for (int32_t i = 0; i < v->bytes; i += QUADWORD) {
        quadword q;
        q.used = 0;
        for (int32_t k = i; k < i + QUADWORD && k < v->bytes; k++)
            taken += take_by_quadwords(v, &q, k, pass);
        for (int32_t k = 0; k < q.used; k++)
            pass[i + (v->t->high_first ? QUADWORD - 1 - k : k)] = place_in_window(v, q.places[k]);
    }
    return taken;
}

/* The vectors of a group, and the group. */

enum { MOST_GROUP_BYTES = 6 * TPAD_VECTOR_BYTES };

/* 1 if rows have backward stretches that are long enough to turn windows for them. */
static int has_backward(const axis *a)
{
    for (int64_t i = 0; i < a->extent;) {
        const run r = tpad_axis_run(a, i);
        if (r.source >= 0 && r.spacing == 1 && r.length > 2 && r.step * a->in_stride < 0) return 1;
        i += r.length;
    }
    return 0;
}

/* Reverses a window and everything stored about it: source s becomes -s - grain. Twice is the
 * identity. */
static void turn(bit_vector *v, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (v->from[i] != NO_SOURCE) v->from[i] = -v->from[i] - v->t->map.grain;
    for (int k = 0; k < 2; k++) v->low[k] = -v->low[k] - v->t->vector;
    v->turned = !v->turned;
}

/* The matrix that reverses the elements of a byte, in the form of the instruction: eight rows, the
 * last one for bit 0. */
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

/* Writes the passes of one window. Returns the elements that it takes; if these are none, no window
 * was added. -1 if there is no room, which includes one extra pass: only a pass that takes nothing
 * ends the window. */
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
        const int32_t taken = t->pairs ? pass_by_pairs(v, pass) : pass_by_quadwords(v, pass);
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

/* Finds the beginning of the next windows: the lowest byte that is not taken yet. Windows that are
 * read whole must not end after the input. */
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

/* Writes the vector that begins at byte `at` of the group: each window that it needs, and the same
 * window turned. Returns 0 if there is no room. */
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

/* Finds the bounds of windows that are read whole. Returns 0 if no window fits between them, or if
 * it would hold bytes that are not input. */
static int find_bounds(bit_table *t)
{
    const plan *p = t->p;
    t->low = t->map.low >> 3;
    t->high = tpad_bytes_of_bits(t->map.high);
    if (!t->pairs) return 1;
    const int64_t least = t->low + t->vector;
    /* Windows may go beyond the group's own input if the whole input has no gap; the walk handles
     * the last groups. These are few, unless tiles or planes share a place or the input is small.
     * (If it has gaps, in_low is in_high.) */
    int many = p->in_high - p->in_low < 8 * t->vector;
    for (int32_t k = 0; k < p->loop_count - p->tile.loops; k++) many |= p->loops[k].in_stride == 0;
    if (many || p->tile.in_stride <= 0) return t->map.is_dense && t->high >= least;
    if (t->high < least) t->high = least;
    return 1;
}

/* Writes all vectors of a group. Returns 0; or, if there is no room for all of them, the number
 * that fit; or -1 if there can be no table. */
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
        /* The last vector ends with the group and writes some bytes twice. */
        if (!add_bit_vector(&v, tpad_min(next, bytes - v.bytes)))
            return next > 0 ? (int32_t)(next / t->vector) : -1;
    }
    return 0;
}

/* Makes the table of a group of the chosen tiles. */
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
