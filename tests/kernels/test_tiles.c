/* The tiles of every variant against a loop that moves one byte at a time.
 * SPDX-License-Identifier: MIT
 *
 * Random pieces, of the kind that a table may hold: exactly the bytes that their masks name where a
 * variant is masked, whole vectors and windows where it is not. Input, output, index and fill lie
 * between pages that nobody may touch. Some tiles lie on both sides of such pages, so that reading
 * or writing between tiles shows as well. */
#include "../../src/kernels/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/guard.h"

enum { CASES = 60000, ROOM = 1 << 17, MOST_PIECES = 6, MOST_COUNT = 9, MOST_TILES = 40 };

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
    tpad_span span; /* of all tiles; the kernel may get it in two parts */
    tpad_span parts[2];
    tpad_piece pieces[MOST_PIECES];
    unsigned char index[MOST_PIECES * TPAD_VECTOR_BYTES];
    int64_t fill_bytes;
    reach in, out; /* of one tile */
} trial;

static uint64_t ones(int64_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
}

static void random_index(trial *t, tpad_piece *p, unsigned char *index)
{
    const int32_t vector = t->kernels->vector_bytes;
    const int64_t fill_percent = one_in(3) ? 0 : pick(0, 100), slide = pick(0, 2);
    const int two_windows = t->kernels->masked && one_in(3);
    p->far = (int32_t)pick(-200, 200);
    for (int32_t i = 0; i < vector; i++) {
        /* As it stands, mirrored, or anyhow. */
        int64_t from = slide == 0 ? i : slide == 1 ? vector - 1 - i : pick(0, vector - 1);
        index[i] = TPAD_INDEX_FILL;
        if (pick(1, 100) <= fill_percent) continue;
        index[i] = (unsigned char)from;
        p->take |= UINT64_C(1) << i;
        if (two_windows && one_in(2)) {
            index[i] = (unsigned char)(vector + from);
            p->load_far |= UINT64_C(1) << from;
        } else {
            p->load |= UINT64_C(1) << from;
        }
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
            *(index[i] < vector ? &p->load : &p->load_far) |= UINT64_C(1) << index[i] % vector;
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
            p->dst_step = p->src_step = vector;
            if (one_in(8)) p->src_step = (int32_t)pick(-vector, vector);
        }
        reach_of(t, p);
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
    t->span.count = one_in(4) ? pick(1, MOST_TILES) : pick(1, 5);
    tiles->block = one_in(4) ? t->span.count + 3 : pick(1, t->span.count);
    for (int32_t i = 0; i < tiles->piece_count; i++) random_piece(t, i, aligned);
    if (one_in(4)) make_row(t);
    for (int32_t i = 0; i < tiles->piece_count; i++)
        if (t->fill_bytes < t->pieces[i].phase) t->fill_bytes = t->pieces[i].phase;
    t->fill_bytes += kernels->vector_bytes;

    t->span.dst_step = t->out.high - t->out.low + (one_in(2) ? 0 : pick(0, 100));
    if (aligned) t->span.dst_step = (t->span.dst_step + 63) / 64 * 64;
    if (one_in(6)) t->span.dst_step = -t->span.dst_step;
    t->span.src_step = one_in(6) ? 0 : pick(-400, 400);
}

/* As the description of tpad_piece in kernels.h has it. */
static void naive(const trial *t)
{
    const tpad_tiles *tiles = &t->tiles;
    const int32_t vector = t->kernels->vector_bytes;
    for (int64_t n = 0; n < t->span.count; n++)
        for (int32_t j = 0; j < tiles->piece_count; j++) {
            const tpad_piece *p = &tiles->pieces[j];
            const unsigned char *index = tiles->index + j * vector;
            for (int64_t k = 0; k < p->count; k++) {
                unsigned char *dst = tiles->dst + n * t->span.dst_step + p->dst + k * p->dst_step;
                const unsigned char *src =
                    tiles->src + n * t->span.src_step + p->src + k * p->src_step;
                for (int32_t i = 0; i < vector; i++) {
                    if (!(p->store >> i & 1)) continue;
                    dst[i] = tiles->fill[p->phase + i];
                    if (!(p->take >> i & 1)) continue;
                    dst[i] = index[i] < vector ? src[index[i]] : src[p->far + index[i] - vector];
                }
            }
        }
}

/* What all tiles together reach. */
static reach all_tiles(reach one, int64_t count, int64_t step)
{
    reach all = one;
    if (one.low >= one.high) return (reach){0, 0};
    widen(&all, one.low + (count - 1) * step, one.high + (count - 1) * step);
    return all;
}

static void fill_random(unsigned char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++) at[i] = (unsigned char)pick(0, 255);
}

/* `bytes` in a place of its own: against a page that must not be touched, or between painted bytes. */
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
    printf("%s, case %" PRId64 ": %s, byte %" PRId64 " of the output; %d pieces, %" PRId64
           " tiles by %" PRId64 ", steps %" PRId64 " %" PRId64 ", large %d\n",
           t->kernels->name, n, what, at, t->tiles.piece_count, t->span.count, t->tiles.block,
           t->span.dst_step, t->span.src_step, t->tiles.large);
    for (int32_t j = 0; j < t->tiles.piece_count; j++) {
        const tpad_piece *p = &t->pieces[j];
        printf("  %d x: dst %d + %d, src %d + %d, phase %d, load %" PRIx64 ", store %" PRIx64
               ", take %" PRIx64 ", far %d %" PRIx64 "\n",
               p->count, p->dst, p->dst_step, p->src, p->src_step, p->phase, p->load, p->store,
               p->take, p->far, p->load_far);
    }
    return 1;
}

/* Runs a trial and compares `blocks` blocks of output, which begin `bytes` apart in `expected`. */
static int compare(trial *t, int64_t n, int blocks, int64_t bytes, unsigned char *expected,
                   int64_t first)
{
    unsigned char *const dst = t->tiles.dst;
    const int64_t step = t->span.dst_step;
    for (int i = 0; i < blocks; i++) {
        fill_random(out[i].block, bytes);
        memcpy(expected + i * bytes, out[i].block, (size_t)bytes);
    }
    const int64_t head = pick(1, t->span.count);
    t->parts[0] = t->parts[1] = t->span;
    t->parts[0].count = head;
    t->parts[1].count -= head;
    t->parts[1].dst += head * t->span.dst_step;
    t->parts[1].src += head * t->span.src_step;
    t->tiles.spans = t->parts;
    t->tiles.span_count = t->parts[1].count > 0 ? 2 : 1;
    t->kernels->tiles(&t->tiles);
    if (t->tiles.large && t->kernels->fence) t->kernels->fence();
    t->tiles.dst = (unsigned char *)((uintptr_t)expected - (uintptr_t)first);
    if (blocks == 2) t->span.dst_step = bytes;
    naive(t);
    t->tiles.dst = dst;
    t->span.dst_step = step;
    for (int i = 0; i < blocks; i++) {
        if (!guard_intact(&out[i]))
            return complain(t, n, 0, "bytes beside the output were written");
        for (int64_t k = 0; k < bytes; k++)
            if (out[i].block[k] != expected[i * bytes + k])
                return complain(t, n, k, "another value is expected");
    }
    return 0;
}

static unsigned char *base(const guard *g, int64_t first)
{
    return (unsigned char *)((uintptr_t)g->block - (uintptr_t)first);
}

static int check_one(const tpad_kernels *kernels, int64_t n)
{
    static unsigned char expected[2 * ROOM];
    trial t;
    int blocks = 1;
    random_trial(&t, kernels);
    place_table(&t);
    if (one_in(4)) {
        /* Two tiles, and forbidden pages between them. */
        blocks = 2;
        t.span.count = 2;
        t.tiles.block = pick(1, 2);
    }
    const int64_t tiles = blocks == 2 ? 1 : t.span.count;
    const reach to = all_tiles(t.out, tiles, t.span.dst_step);
    const reach from = all_tiles(t.in, tiles, t.span.src_step);
    const int where = (int)pick(GUARD_AT_END, GUARD_BETWEEN);
    for (int i = 0; i < blocks; i++) {
        fill_random(place(&in[i], from.high - from.low, (int)pick(GUARD_AT_END, GUARD_BETWEEN)),
                    from.high - from.low);
        guard_read_only(&in[i]);
        place(&out[i], to.high - to.low, where);
    }
    t.tiles.src = base(&in[0], from.low);
    t.tiles.dst = base(&out[0], to.low);
    if (blocks == 2) {
        t.span.src_step = (int64_t)((uintptr_t)in[1].block - (uintptr_t)in[0].block);
        t.span.dst_step = (int64_t)((uintptr_t)out[1].block - (uintptr_t)out[0].block);
    }
    return compare(&t, n, blocks, to.high - to.low, expected, to.low);
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
