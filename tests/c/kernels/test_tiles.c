/* The tiles of every variant against a loop that moves one byte at a time.
 * SPDX-License-Identifier: MIT
 *
 * Random pieces, of the kind that a table may hold: exactly the bytes that their masks name where a
 * variant is masked, whole vectors and windows where it is not. Input, output, index and fill lie
 * between pages that nobody may touch. Some tiles lie on both sides of such pages, so that reading
 * or writing between tiles shows as well. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/guard.h"
#include "naive.h"

enum {
    CASES = 60000,
    ROOM = 1 << 18,
    MOST_PIECES = 6,
    MOST_COUNT = 9,
    MOST_TILES = 20,
    MOST_SPANS = 4
};

static uint64_t seed = 31;

static int64_t pick(int64_t low, int64_t high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (int64_t)(seed % (uint64_t)(high - low + 1));
}

static int one_in(int64_t n)
{
    return pick(1, n) == 1;
}

/* Bytes [low, high) on one side of a tile; empty while low > high. */
typedef struct reach {
    int64_t low, high;
} reach;

static void widen(reach *r, int64_t low, int64_t high)
{
    if (low < r->low) r->low = low;
    if (high > r->high) r->high = high;
}

typedef struct trial {
    const tpad_kernels *kernels;
    tpad_tiles tiles;
    tpad_span spans[MOST_SPANS];
    tpad_piece pieces[MOST_PIECES];
    unsigned char index[MOST_PIECES * TPAD_VECTOR_BYTES];
    int64_t fill_bytes;
    reach in, out; /* of one tile */
} trial;

static uint64_t ones(int64_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
}

/* From one window, or from two. */
static void want(tpad_piece *p, int32_t vector, int64_t from)
{
    if (from < vector)
        p->load |= UINT64_C(1) << from;
    else
        p->load_far |= UINT64_C(1) << (from - vector);
}

static void random_index(trial *t, tpad_piece *p, unsigned char *index)
{
    const int32_t vector = t->kernels->vector_bytes;
    const int64_t windows = t->kernels->masked && one_in(3) ? 2 : 1;
    const int64_t fill_percent = one_in(3) ? 0 : pick(0, 100), slide = pick(0, 2);
    for (int32_t i = 0; i < vector; i++) {
        /* As it stands, mirrored, or anyhow. */
        int64_t from = slide == 0 ? i : slide == 1 ? vector - 1 - i : pick(0, windows * vector - 1);
        index[i] = TPAD_INDEX_FILL;
        if (pick(1, 100) <= fill_percent) continue;
        index[i] = (unsigned char)from;
        want(p, vector, from);
        p->take |= UINT64_C(1) << i;
    }
}

/* Which bytes of a vector an unmasked variant writes: all, or with the fill left out those taken. A
 * masked one may write any, but takes none that it does not write. */
static void random_store(trial *t, tpad_piece *p, unsigned char *index)
{
    const int32_t vector = t->kernels->vector_bytes;
    p->store = ones(vector);
    if (p->take != 0 && one_in(3)) p->store = p->take;
    if (!t->kernels->masked || one_in(3)) return;
    if (one_in(2)) p->store = seed;
    if (one_in(2)) p->store = ones(pick(1, vector));
    p->load = p->load_far = 0;
    p->take &= p->store;
    for (int32_t i = 0; i < vector; i++) {
        if (p->take >> i & 1)
            want(p, vector, index[i]);
        else
            index[i] = TPAD_INDEX_FILL;
    }
}

static void reach_of(trial *t, const tpad_piece *p)
{
    const int32_t vector = t->kernels->vector_bytes, masked = t->kernels->masked;
    for (int64_t k = 0; k < p->count; k++) {
        const int64_t dst = p->dst + k * p->dst_step, src = p->src + k * p->src_step;
        if (!masked) {
            widen(&t->out, dst, dst + vector);
            widen(&t->in, src, src + vector);
        }
        for (int64_t i = 0; masked && i < vector; i++) {
            if (p->store >> i & 1) widen(&t->out, dst + i, dst + i + 1);
            if (p->load >> i & 1) widen(&t->in, src + i, src + i + 1);
            if (p->load_far >> i & 1) widen(&t->in, src + p->far + i, src + p->far + i + 1);
        }
    }
}

static void random_piece(trial *t, int32_t number, int aligned)
{
    const int32_t vector = t->kernels->vector_bytes;
    tpad_piece *p = &t->pieces[number];
    unsigned char *index = t->index + number * vector;
    *p = (tpad_piece){.count = one_in(2) ? 1 : (int32_t)pick(2, MOST_COUNT),
                      .phase = one_in(2) ? 0 : (int32_t)pick(0, vector - 1)};
    random_index(t, p, index);
    random_store(t, p, index);
    if (p->count > 1) {
        p->dst_step = (int32_t)(one_in(2) ? vector : pick(1, vector + vector / 2));
        p->src_step = (int32_t)(one_in(2) ? p->dst_step : pick(-vector, vector));
        if (aligned) p->dst_step = vector * (int32_t)pick(1, 2);
    }
    p->dst = (int32_t)pick(-50, 300);
    if (aligned) p->dst = vector * (int32_t)pick(0, 5);
    p->src = (int32_t)pick(-300, 300);
    p->far = (int32_t)pick(-200, 200);
    reach_of(t, p);
}

/* A row with a middle: vectors that are copied whole, byte for byte or in another order, and single
 * ones before and behind them. */
static void make_row(trial *t)
{
    const int32_t vector = t->kernels->vector_bytes, middle = (int32_t)pick(0, 3);
    t->in = t->out = (reach){INT32_MAX, INT32_MIN};
    for (int32_t i = 0; i < t->tiles.piece_count; i++) {
        tpad_piece *p = &t->pieces[i];
        p->count = 1;
        if (i == middle) {
            const int mirrored = one_in(3);
            for (int32_t b = 0; b < vector; b++)
                t->index[i * vector + b] = (unsigned char)(mirrored ? vector - 1 - b : b);
            p->count = (int32_t)pick(2, MOST_COUNT);
            p->load = p->take = p->store = ones(vector);
            p->load_far = 0;
            p->dst_step = p->src_step = vector;
            if (one_in(8)) p->src_step = (int32_t)pick(-vector, vector);
        }
        reach_of(t, p);
    }
}

/* Rows of tiles one behind the other. */
static void random_spans(trial *t, int aligned)
{
    int64_t next = 0;
    t->tiles.spans = t->spans;
    t->tiles.span_count = (int32_t)pick(1, MOST_SPANS);
    for (int32_t i = 0; i < t->tiles.span_count; i++) {
        tpad_span *s = &t->spans[i];
        s->count = one_in(4) ? pick(1, MOST_TILES) : pick(1, 5);
        s->dst_step = t->out.high > t->out.low ? t->out.high - t->out.low : 0;
        s->dst_step += one_in(2) ? 0 : pick(0, 100);
        if (aligned) s->dst_step = (s->dst_step + 63) / 64 * 64;
        s->dst = next;
        next += s->count * s->dst_step;
        if (one_in(6)) {
            s->dst = next - s->dst_step;
            s->dst_step = -s->dst_step;
        }
        s->src = pick(-1000, 1000);
        s->src_step = one_in(6) ? 0 : pick(-400, 400);
    }
}

static void random_trial(trial *t, const tpad_kernels *kernels)
{
    const int aligned = one_in(3);
    tpad_tiles *tiles = &t->tiles;
    memset(t, 0, sizeof *t);
    t->kernels = kernels;
    t->in = t->out = (reach){INT32_MAX, INT32_MIN};
    tiles->piece_count = (int32_t)pick(1, MOST_PIECES);
    tiles->large = one_in(2);
    tiles->block = pick(1, one_in(4) ? MOST_TILES + 3 : 4);
    for (int32_t i = 0; i < tiles->piece_count; i++) random_piece(t, i, aligned);
    if (one_in(4)) make_row(t);
    for (int32_t i = 0; i < tiles->piece_count; i++)
        if (t->fill_bytes < t->pieces[i].phase) t->fill_bytes = t->pieces[i].phase;
    t->fill_bytes += kernels->vector_bytes;

    random_spans(t, aligned);
}

/* What all tiles together reach on one side. */
static reach all_tiles(const trial *t, int output)
{
    const reach one = output ? t->out : t->in;
    reach all = {INT32_MAX, INT32_MIN};
    if (one.low >= one.high) return (reach){0, 0};
    for (const tpad_span *s = t->spans; s < t->spans + t->tiles.span_count; s++) {
        const int64_t first = output ? s->dst : s->src, step = output ? s->dst_step : s->src_step;
        widen(&all, one.low + first, one.high + first);
        widen(&all, one.low + first + (s->count - 1) * step,
              one.high + first + (s->count - 1) * step);
    }
    return all;
}

static void fill_random(unsigned char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++) at[i] = (unsigned char)pick(0, 255);
}

/* `bytes` in a place of their own: against a page that must not be touched, or between paint. */
static unsigned char *place(guard *g, int64_t bytes, int where)
{
    return guard_place(g, (size_t)bytes, where, (unsigned)pick(0, 1000));
}

static guard in[2], out[2], index_guard, fill_guard;

static void place_table(trial *t)
{
    const int64_t bytes = (int64_t)t->tiles.piece_count * t->kernels->vector_bytes;
    unsigned char *index = place(&index_guard, bytes, GUARD_AT_END);
    unsigned char *fill = place(&fill_guard, t->fill_bytes, GUARD_AT_END);
    memcpy(index, t->index, (size_t)bytes);
    fill_random(fill, t->fill_bytes);
    t->tiles.index = index;
    t->tiles.fill = fill;
    t->tiles.pieces = t->pieces;
    guard_read_only(&index_guard);
    guard_read_only(&fill_guard);
}

static int complain(const trial *t, int64_t n, int64_t at, const char *what)
{
    printf("%s, case %" PRId64 ": %s, byte %" PRId64 " of the output; tiles by %" PRId64
           ", large %d\n",
           t->kernels->name, n, what, at, t->tiles.block, t->tiles.large);
    for (const tpad_span *s = t->spans; s < t->spans + t->tiles.span_count; s++)
        printf("  %" PRId64 " tiles from %" PRId64 " + %" PRId64 " to %" PRId64 " + %" PRId64 "\n",
               s->count, s->src, s->src_step, s->dst, s->dst_step);
    for (int32_t j = 0; j < t->tiles.piece_count; j++) {
        const tpad_piece *p = &t->pieces[j];
        printf("  %d x: dst %d + %d, src %d + %d, phase %d, load %" PRIx64 " and %" PRIx64
               " at %d, store %" PRIx64 ", take %" PRIx64 "\n",
               p->count, p->dst, p->dst_step, p->src, p->src_step, p->phase, p->load, p->load_far,
               p->far, p->store, p->take);
    }
    return 1;
}

/* An address `first` bytes before the block: that of a tile's beginning, which may be outside. */
static unsigned char *base(const unsigned char *block, int64_t first)
{
    return (unsigned char *)((uintptr_t)block - (uintptr_t)first);
}

/* One room of the output: what was there, and what is to be there. */
static int compare(const trial *t, int64_t n, int room, const unsigned char *expected)
{
    const guard *g = &out[room];
    if (!guard_intact(g)) return complain(t, n, 0, "bytes beside the output were written");
    for (size_t k = 0; k < g->block_bytes; k++)
        if (g->block[k] != expected[k]) return complain(t, n, (int64_t)k, "not what is expected");
    return 0;
}

static void run(const trial *t)
{
    t->kernels->tiles(&t->tiles);
    if (t->tiles.large && t->kernels->fence) t->kernels->fence();
}

static void place_room(int room, reach from, reach to, int where, unsigned char *expected)
{
    const int64_t in_bytes = from.high - from.low, out_bytes = to.high - to.low;
    fill_random(place(&in[room], in_bytes, (int)pick(GUARD_AT_END, GUARD_BETWEEN)), in_bytes);
    guard_read_only(&in[room]);
    fill_random(place(&out[room], out_bytes, where), out_bytes);
    memcpy(expected, out[room].block, (size_t)out_bytes);
}

/* All tiles in one room. */
static int check_spans(trial *t, int64_t n)
{
    static unsigned char expected[ROOM];
    const reach to = all_tiles(t, 1), from = all_tiles(t, 0);
    place_room(0, from, to, (int)pick(GUARD_AT_END, GUARD_BETWEEN), expected);
    t->tiles.src = base(in[0].block, from.low);
    t->tiles.dst = base(out[0].block, to.low);
    run(t);
    for (const tpad_span *s = t->spans; s < t->spans + t->tiles.span_count; s++)
        for (int64_t i = 0; i < s->count; i++)
            naive_tile(&t->tiles, t->kernels->vector_bytes,
                       base(expected, to.low - s->dst - i * s->dst_step),
                       t->tiles.src + s->src + i * s->src_step);
    return compare(t, n, 0, expected);
}

/* Two tiles, and forbidden pages between them. */
static int check_rooms(trial *t, int64_t n)
{
    static unsigned char expected[2][ROOM];
    const reach none = {0, 0};
    const reach to = t->out.low < t->out.high ? t->out : none;
    const reach from = t->in.low < t->in.high ? t->in : none;
    const int where = (int)pick(GUARD_AT_END, GUARD_BETWEEN);
    for (int room = 0; room < 2; room++) place_room(room, from, to, where, expected[room]);
    t->tiles.src = base(in[0].block, from.low);
    t->tiles.dst = base(out[0].block, to.low);
    t->tiles.span_count = 1;
    t->spans[0] = (tpad_span){2, 0, 0, (int64_t)((uintptr_t)out[1].block - (uintptr_t)out[0].block),
                              (int64_t)((uintptr_t)in[1].block - (uintptr_t)in[0].block), 0};
    run(t);
    for (int room = 0; room < 2; room++) {
        naive_tile(&t->tiles, t->kernels->vector_bytes, base(expected[room], to.low),
                   base(in[room].block, from.low));
        if (compare(t, n, room, expected[room])) return 1;
    }
    return 0;
}

static int check_one(const tpad_kernels *kernels, int64_t n)
{
    trial t;
    random_trial(&t, kernels);
    place_table(&t);
    return one_in(4) ? check_rooms(&t, n) : check_spans(&t, n);
}

int main(void)
{
    guard *const all[] = {&in[0], &in[1], &out[0], &out[1], &index_guard, &fill_guard};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_open(all[i], ROOM);
    for (int i = 0; tpad_kernels_at(i); i++) {
        const tpad_kernels *kernels = tpad_kernels_at(i);
        if (!kernels->tiles) {
            printf("%s: has no tiles\n", kernels->name);
            continue;
        }
        if (!kernels->usable()) {
            printf("%s: not tested, this machine cannot run it\n", kernels->name);
            continue;
        }
        for (int64_t n = 0; n < CASES; n++)
            if (check_one(kernels, n)) return 1;
        printf("%s: %d tables equal\n", kernels->name, CASES);
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_close(all[i]);
    return 0;
}
