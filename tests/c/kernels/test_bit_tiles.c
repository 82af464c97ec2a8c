/* The tiles of packed output of every variant against a loop that moves one bit at a time.
 * SPDX-License-Identifier: MIT
 *
 * Random windows as src/kernels/kernels.h describes them, in memory between pages that nobody may
 * touch: by quadwords, a window is read, and a vector written, only where its mask says so. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random_problem.h"
#include "tile_oracle.h"

enum {
    CASES = 30000,
    MOST_WINDOWS = 7,
    MOST_PASSES = 4,
    MOST_TILES = 40,
    MOST_PASS_BYTES = TPAD_PASS_VECTORS_QUADWORDS * TPAD_VECTOR_BYTES,
    ROOM = 1 << 16
};

typedef struct trial {
    const tpad_kernels *kernels;
    tpad_bit_tiles tiles;
    tpad_bit_window windows[MOST_WINDOWS];
    unsigned char passes[MOST_WINDOWS * MOST_PASSES * MOST_PASS_BYTES];
    int64_t pass_bytes;                    /* of all */
    unsigned char used[TPAD_VECTOR_BYTES]; /* by pairs: the masks of the vector so far */
    int64_t in_low, in_high;               /* the bytes that one tile reads: none if equal */
    int64_t out_bytes;                     /* of one tile */
} trial;

static guard in, out, passes_guard, fill_guard;
static unsigned char expected[ROOM];

/* The tile reads the byte at `at`. */
static void reads(trial *t, int64_t at)
{
    if (t->in_low == t->in_high) t->in_low = t->in_high = at;
    if (at < t->in_low) t->in_low = at;
    if (at >= t->in_high) t->in_high = at + 1;
}

static void random_pass_by_quadwords(trial *t, rng *r)
{
    unsigned char *pass = t->passes + t->pass_bytes;
    for (int b = 0; b < TPAD_VECTOR_BYTES; b++) {
        pass[b] = (unsigned char)rng_range(r, 0, 63);
        pass[TPAD_VECTOR_BYTES + b] = (unsigned char)rng_range(r, 0, 63);
        pass[2 * TPAD_VECTOR_BYTES + b] = (unsigned char)rng_next(r);
    }
    t->pass_bytes += TPAD_PASS_VECTORS_QUADWORDS * TPAD_VECTOR_BYTES;
}

static void random_pass_by_pairs(trial *t, rng *r, int picks)
{
    unsigned char *pass = t->passes + t->pass_bytes;
    for (int b = 0; b < 16; b++) {
        for (int half = 0; half < 2; half++) {
            unsigned char *at = pass + 48 * half + b;
            at[0] = (unsigned char)rng_range(r, 0, 15);
            at[16] = picks ? (unsigned char)rng_next(r) : 0xFF;
            at[32] = (unsigned char)rng_next(r);
        }
        pass[96 + b] = (unsigned char)(rng_next(r) & ~(uint64_t)t->used[b]);
        t->used[b] |= pass[96 + b];
    }
    t->pass_bytes += TPAD_PASS_VECTORS_PAIRS * 16;
}

/* A window of a vector at `dst`; the last one stores it. */
static void random_window(trial *t, rng *r, tpad_bit_window *w, int32_t dst, int last)
{
    const int pairs = t->kernels->bits->pass_vectors == TPAD_PASS_VECTORS_PAIRS;
    const int many = t->tiles.window_count <= 4; /* a vector has at most TPAD_MOST_PAIR_PASSES */
    *w = (tpad_bit_window){
        .dst = dst,
        .src = {(int32_t)rng_range(r, -200, 200), (int32_t)rng_range(r, -200, 200)},
        .passes = (int32_t)rng_range(r, 1, many ? MOST_PASSES : MOST_PASSES / 2),
        .last = (int16_t)last,
        .picks = rng_percent(r, 50),
        .load = rng_next(r),
        .turn = rng_percent(r, 50) ? 0 : rng_next(r),
        .store = last ? rng_next(r) | 1 : 0};
    if (rng_percent(r, 30)) w->load = ~UINT64_C(0);
    if (last && rng_percent(r, 50)) w->store = ~UINT64_C(0);
    if (pairs && w->turn != 0) w->turn = UINT64_C(1) << rng_range(r, 0, 2);
    for (int b = 0; b < t->kernels->bits->vector_bytes; b++) {
        if (pairs || (w->load >> b & 1)) reads(t, w->src[0] + b);
        if (pairs) reads(t, w->src[1] + b);
    }
    for (int32_t n = 0; n < w->passes; n++) {
        if (pairs)
            random_pass_by_pairs(t, r, w->picks);
        else
            random_pass_by_quadwords(t, r);
    }
    if (last) memset(t->used, 0, sizeof t->used);
}

static void random_trial(trial *t, rng *r, const tpad_kernels *kernels)
{
    memset(t, 0, sizeof *t);
    t->kernels = kernels;
    t->tiles.window_count = (int32_t)rng_range(r, 1, MOST_WINDOWS);
    for (int32_t i = 0; i < t->tiles.window_count; i++) {
        const int last = i == t->tiles.window_count - 1 || rng_percent(r, 60);
        random_window(t, r, &t->windows[i], (int32_t)t->out_bytes, last);
        if (last) t->out_bytes += kernels->bits->vector_bytes;
    }
    t->tiles.span =
        (tpad_span){.count = rng_range(r, 1, rng_percent(r, 25) ? MOST_TILES : 4),
                    .dst_step = t->out_bytes + (rng_percent(r, 50) ? 0 : rng_range(r, 1, 9)),
                    .src_step = rng_range(r, -100, 100)};
    t->tiles.block = rng_range(r, 1, t->tiles.span.count + 1);
    t->tiles.windows = t->windows;
}

/* An address `first` bytes before the block, which may be outside. */
static unsigned char *base(const unsigned char *block, int64_t first)
{
    return (unsigned char *)((uintptr_t)block - (uintptr_t)first);
}

static int64_t last_of(const trial *t, int64_t step)
{
    return (t->tiles.span.count - 1) * step;
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
    const int64_t step = t->tiles.span.src_step,
                  out_bytes = t->out_bytes + last_of(t, t->tiles.span.dst_step);
    int64_t low = t->in_low, in_bytes = t->in_high - t->in_low;
    if (in_bytes > 0) in_bytes += llabs(last_of(t, step));
    if (step < 0) low += last_of(t, step);
    t->tiles.src = base(place(&in, r, in_bytes), low);
    t->tiles.dst = place(&out, r, out_bytes);
    t->tiles.fill = place(&fill_guard, r, TPAD_VECTOR_BYTES);
    unsigned char *passes = place(&passes_guard, r, t->pass_bytes);
    memcpy(passes, t->passes, (size_t)t->pass_bytes);
    t->tiles.passes = passes;
    memcpy(expected, out.block, out.block_bytes);
    guard_read_only(&in);
    t->kernels->bits->tiles(&t->tiles);
    for (int64_t i = 0; i < t->tiles.span.count; i++)
        naive_bit_tile(t->kernels->bits, &t->tiles, expected + i * t->tiles.span.dst_step,
                       t->tiles.src + i * step);
    return guard_intact(&out) && memcmp(out.block, expected, out.block_bytes) == 0;
}

static int check(const tpad_kernels *kernels)
{
    for (uint64_t n = 0; n < CASES; n++) {
        rng r = rng_seeded(4, n);
        trial t;
        random_trial(&t, &r, kernels);
        if (check_one(&t, &r)) continue;
        printf("%s, case %" PRIu64 ": differs; %d windows, %" PRId64 " tiles by %" PRId64 "\n",
               kernels->name, n, t.tiles.window_count, t.tiles.span.count, t.tiles.block);
        return 1;
    }
    printf("%s: %d tables equal\n", kernels->name, CASES);
    return 0;
}

int main(void)
{
    guard *const all[] = {&in, &out, &passes_guard, &fill_guard};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_open(all[i], ROOM);
    for (int i = 0; tpad_kernels_at(i); i++) {
        const tpad_kernels *kernels = tpad_kernels_at(i);
        if (!kernels->bits)
            printf("%s: has no tiles of packed output\n", kernels->name);
        else if (!kernels->usable())
            printf("%s: not tested, this machine cannot run it\n", kernels->name);
        else if (check(kernels))
            return 1;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_close(all[i]);
    return 0;
}
