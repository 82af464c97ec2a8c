/* Tiles as src/kernels/kernels.h describes them, one byte or one bit at a time.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_C_KERNELS_TILE_ORACLE_H
#define TENSORPAD_TESTS_C_KERNELS_TILE_ORACLE_H

#include <string.h>

#include "../../../src/kernels/kernels.h"

/* Puts what a term takes from its windows over the `bytes` bytes at `to`. src: where the window of
 * a term with src 0 begins. Masked vectors read all bytes that the term loads, and only those: the
 * others are 0. */
static inline void naive_term(const tpad_form *form, const tpad_term *term,
                              const unsigned char *index, unsigned char *to, int32_t bytes,
                              const unsigned char *src)
{
    const int32_t unit = form->unit, lane = form->vector_bytes / form->lanes;
    unsigned char window[TPAD_VECTOR_BYTES] = {0};
    for (int32_t b = 0; form->masked && b < form->window_bytes; b++)
        if (term->load >> b & 1) window[b] = src[term->src[0] + b];
    for (int32_t b = 0; b < bytes; b++) {
        const unsigned char from = index[b / unit * unit];
        const int32_t place = from * unit + b % unit;
        if (from == TPAD_INDEX_FILL) continue;
        to[b] = form->masked ? window[place] : src[term->src[b / lane] + place];
    }
}

/* One tile in the tables of `form`. dst and src: where it lies. */
static inline void naive_tile(const tpad_form *form, const tpad_tiles *t, unsigned char *dst,
                              const unsigned char *src)
{
    const int32_t vector = form->vector_bytes;
    const tpad_term *term = t->terms;
    const unsigned char *index = t->index;
    for (const tpad_piece *p = t->pieces; p < t->pieces + t->piece_count; p++) {
        for (int32_t b = 0; p->count == 0 && b < p->bytes; b++) dst[p->dst + b] = src[p->src + b];
        for (int32_t k = 0; k < p->count; k++) {
            unsigned char *to = dst + p->dst + k * p->dst_step;
            memcpy(to, t->fill + p->phase, (size_t)p->bytes);
            for (int32_t n = 0; n < p->terms; n++)
                naive_term(form, &term[n], index + n * vector, to, p->bytes,
                           src + p->src + k * p->src_step);
        }
        term += p->terms;
        index += p->terms * vector;
    }
}

/* All tiles. */
static inline void naive_tiles(const tpad_form *form, const tpad_tiles *t)
{
    for (int64_t n = 0; n < t->planes.count; n++)
        for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++)
            for (int64_t i = 0; i < s->count; i++) {
                const int64_t to =
                    t->planes.dst + n * t->planes.dst_step + s->dst + i * s->dst_step;
                const int64_t in =
                    t->planes.src + n * t->planes.src_step + s->src + i * s->src_step;
                if (!t->planes.filled && !s->filled) {
                    naive_tile(form, t, t->dst + to, t->src + in);
                    continue;
                }
                for (int64_t b = 0; b < t->filled_bytes; b++)
                    t->dst[to + b] = t->fill[b % t->elem_bytes];
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

/* What a pass by quadwords makes of a window: byte b of a vector. */
static inline unsigned char naive_by_quadwords(const unsigned char *pass,
                                               const unsigned char *window, int b)
{
    unsigned char made = 0;
    for (int k = 0; k < 8; k++) {
        const int bit = (pass[TPAD_VECTOR_BYTES + b] + k) % 64;
        const unsigned char from = window[pass[b / 8 * 8 + bit / 8]];
        made = (unsigned char)(made | (from >> bit % 8 & 1) << k);
    }
    return made;
}

/* The same by pairs: the pass has vectors of 16 bytes. */
static inline unsigned char naive_by_pairs(const unsigned char *pass, const unsigned char *window,
                                           int b)
{
    const unsigned char *half = pass + 48 * (b % 2) + b / 2 * 2;
    const unsigned number = window[half[0]] | (unsigned)window[half[1]] << 8;
    const unsigned bits = half[16] | (unsigned)half[17] << 8;
    const unsigned factor = half[32] | (unsigned)half[33] << 8;
    return (unsigned char)((number & bits) * factor >> 8);
}

/* Elements of `together` bits in reverse order. */
static inline unsigned char naive_reversed(unsigned char byte, int together)
{
    unsigned char made = 0;
    for (int k = 0; k < 8; k++) {
        const int to = 8 - together - k / together * together + k % together;
        made = (unsigned char)(made | (byte >> k & 1) << to);
    }
    return made;
}

/* One tile of packed output. */
static inline void naive_bit_tile(const tpad_bit_form *form, const tpad_bit_tiles *t,
                                  unsigned char *dst, const unsigned char *src)
{
    const int pairs = form->pass_vectors == TPAD_PASS_VECTORS_PAIRS, vector = form->vector_bytes;
    const unsigned char *pass = t->passes;
    unsigned char made[TPAD_VECTOR_BYTES];
    memcpy(made, t->fill, sizeof made);
    for (const tpad_bit_window *w = t->windows; w < t->windows + t->window_count; w++) {
        unsigned char windows[2][TPAD_VECTOR_BYTES] = {{0}};
        for (int half = 0; half <= pairs; half++)
            for (int b = 0; b < vector; b++) {
                unsigned char *byte = &windows[half][b];
                if (pairs || (w->load >> b & 1)) *byte = src[w->src[half] + b];
                if (w->turn != 0)
                    *byte =
                        pairs ? naive_reversed(*byte, (int)w->turn) : naive_moved(*byte, w->turn);
            }
        for (int32_t n = 0; n < w->passes; n++, pass += form->pass_vectors * vector)
            for (int b = 0; b < vector; b++) {
                const unsigned char mask = pass[(form->pass_vectors - 1) * vector + b];
                const unsigned char bits = pairs ? naive_by_pairs(pass, windows[b % 2], b)
                                                 : naive_by_quadwords(pass, windows[0], b);
                made[b] = (unsigned char)((made[b] & ~mask) | (bits & mask));
            }
        if (!w->last) continue;
        for (int b = 0; b < vector; b++)
            if (pairs || (w->store >> b & 1)) dst[w->dst + b] = made[b];
        memcpy(made, t->fill, sizeof made);
    }
}

#endif
