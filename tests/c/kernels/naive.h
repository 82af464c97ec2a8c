/* Tiles as src/kernels/kernels.h describes them, one byte or one bit at a time.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_NAIVE_H
#define TENSORPAD_TESTS_NAIVE_H

#include <string.h>

#include "../../../src/kernels/kernels.h"

/* One tile, by pieces for vectors of so many bytes. dst and src: where it lies. */
static inline void naive_tile(const tpad_tiles *t, int32_t vector, unsigned char *dst,
                              const unsigned char *src)
{
    for (int32_t j = 0; j < t->piece_count; j++) {
        const tpad_piece *p = &t->pieces[j];
        const unsigned char *index = t->index + j * vector;
        for (int64_t k = 0; k < p->count; k++) {
            unsigned char *to = dst + p->dst + k * p->dst_step;
            const unsigned char *from = src + p->src + k * p->src_step;
            for (int32_t i = 0; i < vector; i++) {
                if (!(p->store >> i & 1)) continue;
                if (!(p->take >> i & 1))
                    to[i] = t->fill[p->phase + i];
                else
                    to[i] = index[i] < vector ? from[index[i]] : from[p->far + index[i] - vector];
            }
        }
    }
}

/* A byte whose bits are sums of bits of another, as gf2p8affineqb has it. */
static inline unsigned char naive_moved(unsigned char byte, uint64_t how)
{
    unsigned char result = 0;
    for (int i = 0; i < 8; i++) {
        unsigned char sum = 0;
        for (int k = 0; k < 8; k++) {
            const unsigned counts = how >> (8 * (7 - i) + k) & 1 ? 1 : 0;
            sum = (unsigned char)(sum ^ (counts & (unsigned)byte >> k));
        }
        result = (unsigned char)(result | sum << i);
    }
    return result;
}

/* One tile of packed output. */
static inline void naive_bit_tile(const tpad_tiles *t, unsigned char *dst, const unsigned char *src)
{
    const unsigned char *pass = t->index;
    unsigned char made[TPAD_VECTOR_BYTES];
    memcpy(made, t->fill, sizeof made);
    for (const tpad_piece *p = t->pieces; p < t->pieces + t->piece_count; p++) {
        unsigned char window[TPAD_VECTOR_BYTES] = {0};
        for (int b = 0; b < TPAD_VECTOR_BYTES; b++) {
            if (p->load >> b & 1) window[b] = src[p->src + b];
            if (p->take != 0) window[b] = naive_moved(window[b], p->take);
        }
        for (int32_t n = 0; n < p->phase; n++, pass += TPAD_PASS_BYTES)
            for (int b = 0; b < TPAD_VECTOR_BYTES; b++)
                for (int k = 0; k < 8; k++) {
                    const int bit = (pass[TPAD_VECTOR_BYTES + b] + k) % 64;
                    const unsigned char from = window[pass[b / 8 * 8 + bit / 8]];
                    if (!(pass[2 * TPAD_VECTOR_BYTES + b] >> k & 1)) continue;
                    made[b] = (unsigned char)((made[b] & ~(1 << k)) | (from >> bit % 8 & 1) << k);
                }
        if (p->store == 0) continue;
        for (int b = 0; b < TPAD_VECTOR_BYTES; b++)
            if (p->store >> b & 1) dst[p->dst + b] = made[b];
        memcpy(made, t->fill, sizeof made);
    }
}

#endif
