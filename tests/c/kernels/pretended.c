/* Stands in for src/kernels/variants.c: kernels as those of AVX-512, but in plain C.
 * SPDX-License-Identifier: MIT
 *
 * With it tests of the core meet the tables of masked vectors and of packed output, and the ways
 * through the engine that only these take, on processors without AVX-512. */
#include "../../../src/kernels/words.h"
#include "tile_oracle.h"

static int usable(void)
{
    return 1;
}

static void tiles(const tpad_tiles *t);

static const tpad_form form = {.vector_bytes = TPAD_VECTOR_BYTES,
                               .lanes = 1,
                               .window_bytes = TPAD_VECTOR_BYTES,
                               .unit = 1,
                               .masked = 1,
                               .stream_bytes = 32 << 20,
                               .tiles = tiles};

static void tiles(const tpad_tiles *t)
{
    naive_tiles(&form, t);
}

static void bit_tiles(const tpad_bit_tiles *t);
static const tpad_bit_form bits = {TPAD_VECTOR_BYTES, TPAD_PASS_VECTORS_QUADWORDS, bit_tiles};

static void bit_tiles(const tpad_bit_tiles *t)
{
    for (int64_t i = 0; i < t->span.count; i++)
        naive_bit_tile(&bits, t, t->dst + t->span.dst + i * t->span.dst_step,
                       t->src + t->span.src + i * t->span.src_step);
}

static void fence(void) {}

static const tpad_kernels pretended = {
    .name = "pretended",
    .usable = usable,
    .copy = tpad_copy_plain,
    .fill = tpad_fill_plain,
    .copy_bits = tpad_copy_bits_plain,
    .fill_bits = tpad_fill_bits_plain,
    .words = tpad_run_words,
    .forms = &form,
    .form_count = 1,
    .bits = &bits,
    .fence = fence,
};

const tpad_kernels *tpad_kernels_at(int index)
{
    return index == 0 ? &tpad_kernels_plain : index == 1 ? &pretended : NULL;
}

int tpad_kernels_best(void)
{
    return 1;
}

int tpad_kernels_forced(void)
{
    return 1;
}
