/* Packed tiles by pairs of bytes (kernels.h). SPDX-License-Identifier: MIT
 *
 * A 16-bit multiply shifts each lane by its own amount; few instruction sets have a per-lane shift.
 * A file includes this once; it defines FORM(bit_tiles), for a tpad_bit_form. The parameters are:
 *   FORM(name)     the name with the form's name after it
 *   TARGET         the attribute that enables its instructions, or nothing
 *   VECTOR         vectors of 16 bytes of TILES tiles, side by side; TILES is 1 or 2
 *   SAME(at)       the 16 bytes at an address, for each of the tiles
 *   SHUFFLE(vector, index)               bytes of each tile's 16
 *   FORM(read_tiles)(at, step)           16 bytes of TILES tiles that are `step` apart
 *   FORM(write_tiles)(at, step, vector)
 * All of these macros are undefined at the end. */
#if defined(__OPTIMIZE__)
#define INLINE TARGET static inline __attribute__((always_inline))
#else
#define INLINE TARGET static inline
#endif
#define UNROLLED _Pragma("GCC unroll 4")

typedef uint8_t FORM(bytes) __attribute__((vector_size(16 * TILES)));
typedef uint16_t FORM(numbers) __attribute__((vector_size(16 * TILES)));

/* The part of a pass for the even or for the odd bytes. */
typedef struct FORM(half) {
    VECTOR index;
    FORM(numbers) bits, factor;
} FORM(half);

/* A pass in registers, ready for many tiles. */
typedef struct FORM(pass) {
    FORM(half) even, odd;
    FORM(numbers) mask;
} FORM(pass);

/* The windows of the even and of the odd bytes. */
typedef struct FORM(windows) {
    VECTOR even, odd;
} FORM(windows);

INLINE FORM(half) FORM(half_at)(const unsigned char *at)
{
    return (FORM(half)){SAME(at), (FORM(numbers))SAME(at + 16), (FORM(numbers))SAME(at + 32)};
}

INLINE FORM(windows) FORM(read)(const tpad_bit_window *w, const unsigned char *src, int64_t step)
{
    return (FORM(windows)){FORM(read_tiles)(src + w->src[0], step),
                           FORM(read_tiles)(src + w->src[1], step)};
}

/* The elements of each byte in reverse order. `halves`: a table for one half of a byte. */
INLINE VECTOR FORM(turned)(VECTOR window, VECTOR halves)
{
    const FORM(bytes) bytes = (FORM(bytes))window;
    const FORM(bytes) low = (FORM(bytes))SHUFFLE(halves, (VECTOR)(bytes & 15));
    const FORM(bytes) high = (FORM(bytes))((FORM(numbers))bytes >> 4) & 15;
    return (VECTOR)((FORM(bytes))((FORM(numbers))low << 4) |
                    (FORM(bytes))SHUFFLE(halves, (VECTOR)high));
}

INLINE FORM(windows) FORM(turned_windows)(FORM(windows) from, uint64_t together)
{
    static const unsigned char reversed[][16] = {
        [1] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15},
        [2] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
        [4] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
    const VECTOR halves = SAME(reversed[together]);
    return (FORM(windows)){FORM(turned)(from.even, halves), FORM(turned)(from.odd, halves)};
}

/* The products of a half. `picks`, a constant: 0 if it takes all bits of its bytes. */
INLINE FORM(numbers) FORM(products)(int picks, VECTOR window, const FORM(half) *h)
{
    const FORM(numbers) pairs = (FORM(numbers))SHUFFLE(window, h->index);
    return (picks ? pairs & h->bits : pairs) * h->factor;
}

/* The bits that a pass takes from windows. */
INLINE FORM(numbers) FORM(taken_bits)(int picks, FORM(windows) from, const FORM(pass) *p)
{
    return ((FORM(products)(picks, from.even, &p->even) >> 8) |
            (FORM(products)(picks, from.odd, &p->odd) & 0xFF00)) &
           p->mask;
}

/* A vector in TILES tiles. passes, a constant: this many from one window that is not turned; 0: any
 * passes and windows. */
INLINE VECTOR FORM(made)(int passes, int picks, const tpad_bit_window *w, const FORM(pass) *p,
                         FORM(numbers) made, const unsigned char *src, int64_t step)
{
    FORM(windows) from = FORM(read)(w, src, step);
    if (passes > 0) {
        UNROLLED for (int k = 0; k < passes; k++) made |= FORM(taken_bits)(picks, from, &p[k]);
        return (VECTOR)made;
    }
    for (;; from = FORM(read)(++w, src, step)) {
        if (w->turn != 0) from = FORM(turned_windows)(from, w->turn);
        for (int32_t k = w->passes; k > 0; k--) made |= FORM(taken_bits)(picks, from, p++);
        if (w->last) return (VECTOR)made;
    }
}

/* A vector, made from window w and the next ones, in all tiles of a span. */
INLINE void FORM(vectors_by)(int passes, int picks, const tpad_bit_window *w, const FORM(pass) *p,
                             FORM(numbers) base, const tpad_span *span, unsigned char *dst,
                             const unsigned char *src)
{
    const int64_t dst_step = span->dst_step, src_step = span->src_step;
    const tpad_bit_window first = *w;
    if (passes > 0) w = &first;
    for (int64_t n = span->count; n >= TILES; n -= TILES) {
        FORM(write_tiles)(dst, dst_step, FORM(made)(passes, picks, w, p, base, src, src_step));
        dst += TILES * dst_step;
        src += TILES * src_step;
    }
    if (span->count % TILES != 0)
        FORM(write_tiles)(dst, 0, FORM(made)(passes, picks, w, p, base, src, 0));
}

TARGET static void FORM(vectors)(const tpad_bit_window *w, const FORM(pass) *p, FORM(numbers) base,
                                 const tpad_span *span, unsigned char *dst,
                                 const unsigned char *src)
{
    const int passes = w->last && w->turn == 0 ? w->passes : 0;
    if (passes == 1 && !w->picks)
        FORM(vectors_by)(1, 0, w, p, base, span, dst, src);
    else if (passes == 2 && !w->picks)
        FORM(vectors_by)(2, 0, w, p, base, span, dst, src);
    else if (passes == 1)
        FORM(vectors_by)(1, 1, w, p, base, span, dst, src);
    else if (passes == 2)
        FORM(vectors_by)(2, 1, w, p, base, span, dst, src);
    else if (passes == 3)
        FORM(vectors_by)(3, 1, w, p, base, span, dst, src);
    else if (passes == 4)
        FORM(vectors_by)(4, 1, w, p, base, span, dst, src);
    else
        FORM(vectors_by)(0, 1, w, p, base, span, dst, src);
}

TARGET static void FORM(bit_tiles)(const tpad_bit_tiles *t)
{
    FORM(pass) passes[TPAD_MOST_PAIR_PASSES];
    for (int64_t i = 0; i < t->span.count; i += t->block) {
        tpad_span span = t->span;
        span.count = t->span.count - i < t->block ? t->span.count - i : t->block;
        unsigned char *dst = t->dst + (span.dst + i * span.dst_step);
        const unsigned char *src = t->src + (span.src + i * span.src_step), *at = t->passes;
        const tpad_bit_window *w = t->windows;
        while (w < t->windows + t->window_count) {
            const tpad_bit_window *first = w;
            FORM(numbers) base = (FORM(numbers))SAME(t->fill);
            FORM(pass) *p = passes;
            do {
                for (int32_t n = w->passes; n > 0; n--, p++) {
                    *p = (FORM(pass)){FORM(half_at)(at), FORM(half_at)(at + 48),
                                      (FORM(numbers))SAME(at + 96)};
                    at += TPAD_PASS_VECTORS_PAIRS * 16;
                    base &= ~p->mask;
                }
            } while (!(w++)->last);
            FORM(vectors)(first, passes, base, &span, dst + first->dst, src);
        }
    }
}

#undef INLINE
#undef UNROLLED
#undef FORM
#undef TARGET
#undef VECTOR
#undef TILES
#undef SAME
#undef SHUFFLE
