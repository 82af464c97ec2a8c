/* Stands in for src/kernels/variants.c: kernels as those of AVX-512, but in plain C.
 * SPDX-License-Identifier: MIT
 *
 * With it tests of the core meet the tables of masked vectors and of packed output, and the ways
 * through the engine that only these take, on processors without AVX-512. */
#include "naive.h"

static int usable(void)
{
    return 1;
}

static void tiles(const tpad_tiles *t)
{
    for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++)
        for (int64_t i = 0; i < s->count; i++)
            naive_tile(t, TPAD_VECTOR_BYTES, t->dst + s->dst + i * s->dst_step,
                       t->src + s->src + i * s->src_step);
}

static void bit_tiles(const tpad_tiles *t)
{
    for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++)
        for (int64_t i = 0; i < s->count; i++)
            naive_bit_tile(t, t->dst + s->dst + i * s->dst_step,
                           t->src + s->src + i * s->src_step);
}

static const tpad_kernels pretended = {
    .name = "pretended",
    .usable = usable,
    .copy = tpad_copy_plain,
    .fill = tpad_fill_plain,
    .copy_bits = tpad_copy_bits_plain,
    .fill_bits = tpad_fill_bits_plain,
    .vector_bytes = TPAD_VECTOR_BYTES,
    .masked = 1,
    .tiles = tiles,
    .bit_tiles = bit_tiles,
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
