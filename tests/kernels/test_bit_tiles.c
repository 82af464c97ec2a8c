/* The tiles of packed output of every variant against a loop that moves one bit at a time.
 * SPDX-License-Identifier: MIT
 *
 * Random pieces as src/kernels/kernels.h describes them, in memory between pages that nobody may
 * touch: a window is read only where its mask says so, a piece writes its 8 bytes. */
#include "../../src/kernels/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/random_problem.h"

enum {
    CASES = 60000,
    PIECE_BYTES = TPAD_BIT_VECTOR / 8,
    MOST_PIECES = 7,
    MOST_TILES = 20,
    ROOM = 1 << 16
};

typedef struct trial {
    const tpad_kernels *kernels;
    tpad_tiles tiles;
    tpad_span span;
    tpad_piece pieces[MOST_PIECES];
    unsigned char index[MOST_PIECES][2 * TPAD_BIT_VECTOR];
    int64_t in_low, in_high; /* the bytes that one tile reads: none if they are equal */
    int64_t out_bytes;       /* of one tile */
} trial;

static guard in, out, index_guard, fill_guard;
static unsigned char expected[ROOM];

static void want(trial *t, int32_t number, int bit, int byte, int place)
{
    tpad_piece *p = &t->pieces[number];
    const int64_t at = p->src + byte;
    if (t->in_low == t->in_high) t->in_low = t->in_high = at;
    if (at < t->in_low) t->in_low = at;
    if (at >= t->in_high) t->in_high = at + 1;
    t->index[number][bit] = (unsigned char)byte;
    t->index[number][TPAD_BIT_VECTOR + bit] = (unsigned char)(1 << place);
    p->load |= UINT64_C(1) << byte;
}

/* A piece of its own, or one that adds to the one before what that one could not reach. */
static void random_piece(trial *t, rng *r, int32_t number)
{
    tpad_piece *p = &t->pieces[number];
    const tpad_piece *before = number > 0 && rng_percent(r, 40) ? p - 1 : NULL;
    const int fill = (int)rng_range(r, 0, 60), in_order = rng_percent(r, 50);
    *p = (tpad_piece){.dst = before ? before->dst : (int32_t)rng_range(r, 0, 40),
                      .src = (int32_t)rng_range(r, -200, 200),
                      .count = 1,
                      .store = before ? 0 : ~UINT64_C(0)};
    for (int bit = 0; bit < TPAD_BIT_VECTOR; bit++) {
        if (rng_percent(r, fill)) continue;
        /* Neither fill nor in this window: a later piece is to add it. */
        p->take |= UINT64_C(1) << bit;
        if (rng_percent(r, 10)) continue;
        if (in_order)
            want(t, number, bit, bit / 8 + 3, bit % 8);
        else
            want(t, number, bit, (int)rng_range(r, 0, 63), (int)rng_range(r, 0, 7));
    }
    if (p->dst + PIECE_BYTES > t->out_bytes) t->out_bytes = p->dst + PIECE_BYTES;
}

static void random_trial(trial *t, rng *r, const tpad_kernels *kernels)
{
    memset(t, 0, sizeof *t);
    t->kernels = kernels;
    t->tiles.piece_count = (int32_t)rng_range(r, 1, MOST_PIECES);
    for (int32_t i = 0; i < t->tiles.piece_count; i++) random_piece(t, r, i);
    t->span = (tpad_span){.count = rng_range(r, 1, rng_percent(r, 25) ? MOST_TILES : 4),
                          .dst_step = t->out_bytes + (rng_percent(r, 50) ? 0 : rng_range(r, 1, 9)),
                          .src_step = rng_range(r, -100, 100)};
    t->tiles.spans = &t->span;
    t->tiles.span_count = 1;
    t->tiles.block = rng_range(r, 1, t->span.count + 1);
    t->tiles.pieces = t->pieces;
}

static void naive_piece(const trial *t, int32_t number, unsigned char *dst,
                        const unsigned char *src)
{
    const tpad_piece *p = &t->pieces[number];
    for (int bit = 0; bit < TPAD_BIT_VECTOR; bit++) {
        const unsigned char wanted = t->index[number][TPAD_BIT_VECTOR + bit];
        const int mask = 1 << bit % 8;
        unsigned char *to = dst + p->dst + bit / 8;
        int set = wanted && src[p->src + t->index[number][bit]] & wanted;
        if (p->store == 0)
            set |= *to & mask;
        else if (!(p->take >> bit & 1))
            set = t->tiles.fill[bit / 8] & mask;
        *to = (unsigned char)(set ? *to | mask : *to & ~mask);
    }
}

/* An address `first` bytes before the block, which may be outside. */
static unsigned char *base(const unsigned char *block, int64_t first)
{
    return (unsigned char *)((uintptr_t)block - (uintptr_t)first);
}

static int64_t last_of(const trial *t, int64_t step)
{
    return (t->span.count - 1) * step;
}

static unsigned char *place(guard *g, rng *r, int64_t bytes)
{
    unsigned char *at =
        guard_place(g, (size_t)bytes, (int)rng_range(r, GUARD_AT_END, GUARD_BETWEEN),
                    (unsigned)rng_range(r, 0, 99));
    rng_bytes(r, at, (size_t)bytes);
    return at;
}

static int check_one(trial *t, rng *r)
{
    const int64_t step = t->span.src_step, out_bytes = t->out_bytes + last_of(t, t->span.dst_step);
    int64_t low = t->in_low, in_bytes = t->in_high - t->in_low;
    if (in_bytes > 0) in_bytes += llabs(last_of(t, step));
    if (step < 0) low += last_of(t, step);
    t->tiles.src = base(place(&in, r, in_bytes), low);
    t->tiles.dst = place(&out, r, out_bytes);
    t->tiles.fill = place(&fill_guard, r, PIECE_BYTES);
    unsigned char *index = place(&index_guard, r, t->tiles.piece_count * 2 * TPAD_BIT_VECTOR);
    memcpy(index, t->index, (size_t)t->tiles.piece_count * 2 * TPAD_BIT_VECTOR);
    t->tiles.index = index;
    memcpy(expected, out.block, out.block_bytes);
    guard_read_only(&in);
    t->kernels->bit_tiles(&t->tiles);
    for (int64_t i = 0; i < t->span.count; i++)
        for (int32_t k = 0; k < t->tiles.piece_count; k++)
            naive_piece(t, k, expected + i * t->span.dst_step, t->tiles.src + i * step);
    return guard_intact(&out) && memcmp(out.block, expected, out.block_bytes) == 0;
}

static int check(const tpad_kernels *kernels)
{
    for (uint64_t n = 0; n < CASES; n++) {
        rng r = rng_seeded(4, n);
        trial t;
        random_trial(&t, &r, kernels);
        if (check_one(&t, &r)) continue;
        printf("%s, case %" PRIu64 ": differs; %d pieces, %" PRId64 " tiles by %" PRId64 "\n",
               kernels->name, n, t.tiles.piece_count, t.span.count, t.tiles.block);
        return 1;
    }
    printf("%s: %d tables equal\n", kernels->name, CASES);
    return 0;
}

int main(void)
{
    guard *const all[] = {&in, &out, &index_guard, &fill_guard};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_open(all[i], ROOM);
    for (int i = 0; tpad_kernels_at(i); i++) {
        const tpad_kernels *kernels = tpad_kernels_at(i);
        if (!kernels->bit_tiles)
            printf("%s: has no tiles of packed output\n", kernels->name);
        else if (!kernels->usable())
            printf("%s: not tested, this machine cannot run it\n", kernels->name);
        else if (check(kernels))
            return 1;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_close(all[i]);
    return 0;
}
