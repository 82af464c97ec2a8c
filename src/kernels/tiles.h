/* The loops around a vector, which are the same for every variant. SPDX-License-Identifier: MIT */
#ifndef TPAD_TILES_H
#define TPAD_TILES_H

#include "kernels.h"

/* The vectors of one piece in some tiles, as two loops: a piece of one vector has its tiles in the
 * inner one and nothing in the outer, a piece of several its vectors in the inner one. */
typedef struct tpad_rounds {
    unsigned char *dst;
    const unsigned char *src;
    int64_t outer, outer_dst, outer_src; /* how many, and the steps from one to the next */
    int64_t inner, inner_dst, inner_src;
    int32_t large;
} tpad_rounds;

static inline tpad_rounds tpad_rounds_of(const tpad_tiles *t, const tpad_span *s, int64_t first,
                                         const tpad_piece *p)
{
    const int64_t left = s->count - first, tiles = left < t->block ? left : t->block;
    unsigned char *dst = t->dst + s->dst + first * s->dst_step + p->dst;
    const unsigned char *src = t->src + s->src + first * s->src_step + p->src;
    if (p->count == 1)
        return (tpad_rounds){dst, src, 1, 0, 0, tiles, s->dst_step, s->src_step, t->large};
    return (tpad_rounds){dst,      src,         tiles,       s->dst_step, s->src_step,
                         p->count, p->dst_step, p->src_step, t->large};
}

/* From so many vectors on the C library's copy is faster than one of short vectors. */
enum { TPAD_LONG_COPY = 8 };

/* Copies the vectors of a piece if that is all it asks for, and says whether it did. */
static inline int tpad_copied(const tpad_piece *p, const unsigned char *index, int32_t vector,
                              const tpad_rounds *r)
{
    if (p->count < TPAD_LONG_COPY || p->dst_step != vector || p->src_step != vector) return 0;
    for (int32_t i = 0; i < vector; i++)
        if (index[i] != i) return 0;
    for (int64_t i = 0; i < r->outer; i++)
        tpad_memcpy(r->dst + i * r->outer_dst, r->src + i * r->outer_src,
                    (size_t)(r->inner * vector));
    return 1;
}

/* Defines tiles_NAME, which applies pieces to tiles by repeat_NAME: block by block of tiles, and in
 * each all tiles for one piece after the other, so that its index stays in a register. */
#define TPAD_DEFINE_TILES(NAME, TARGET, VECTOR_BYTES)                                              \
    TARGET static void tiles_##NAME(const tpad_tiles *t)                                           \
    {                                                                                              \
        for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++) {                   \
            for (int64_t i = 0; i < s->count; i += t->block) {                                     \
                for (int32_t k = 0; k < t->piece_count; k++) {                                     \
                    const tpad_piece *p = &t->pieces[k];                                           \
                    const tpad_rounds r = tpad_rounds_of(t, s, i, p);                              \
                    const unsigned char *index = t->index + k * VECTOR_BYTES;                      \
                    if (!tpad_copied(p, index, VECTOR_BYTES, &r))                                  \
                        repeat_##NAME(p, index, t->fill + p->phase, &r);                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#endif
