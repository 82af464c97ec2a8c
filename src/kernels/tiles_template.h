/* The loops around a shuffle instruction: all of a form. SPDX-License-Identifier: MIT
 *
 * A file includes this once for each form it has; it defines FORM(tiles), for a tpad_form. The
 * parameters are:
 *   FORM(name)     the name with the form's name after it
 *   TARGET         the attribute that allows its instructions, or nothing
 *   VECTOR         a vector; VECTOR_BYTES: its size, which divides 64
 *   LANES          1, or 2 if each half of the vector comes from a window of its own
 *   MASKED         1 if it accesses only the bytes that masks name; then LANES is 1
 *   LOAD(at), STORE(at, vector)       anywhere
 *   ZERO()                            a vector of zeros
 *   FORM(index)                       a type: the index of a term, in registers
 *   FORM(index_at)(at)                the index that lies there
 *   FORM(rest)(vector, index)         the vector with 0 for the bytes that the index takes
 *   FORM(move)(window, index)         the bytes that the index takes; others may be any
 *   FORM(take)(vector, index, window) the bytes that the index takes put over those of the vector,
 *                                     which are 0
 *   FORM(load_lanes)(low, high)       if LANES is 2: the windows of both
 *   FORM(load_some)(at, mask), FORM(store_some)(at, mask, vector)     if MASKED
 * All of these macros are undefined at the end.
 *
 * The vector of a piece is its base, which is fill where no term takes a byte and 0 elsewhere, over
 * which the terms put theirs. */
#if defined(__OPTIMIZE__)
#define INLINE TARGET static inline __attribute__((always_inline, unused))
#else
#define INLINE TARGET static inline __attribute__((unused))
#endif
#define UNROLLED _Pragma("GCC unroll 8")

typedef struct FORM(term) {
    FORM(index) index;
    int64_t low, high; /* where the windows of the lanes begin */
    uint64_t load;
} FORM(term);

/* What a table says, made ready for use: it is applied to many tiles. */
typedef struct FORM(ready) {
    VECTOR base[TPAD_MOST_PIECES];
    FORM(term) term[TPAD_MOST_TERMS];
    FORM(term) none;   /* takes nothing, from a window that can be read: that of the long piece */
    int32_t fill_step; /* from one vector of fill to the next its phase moves by so much */
} FORM(ready);

INLINE void FORM(make_ready)(FORM(ready) *r, const tpad_tiles *t)
{
    unsigned char nothing[VECTOR_BYTES];
    int32_t n = 0;
    r->fill_step = VECTOR_BYTES % t->elem_bytes;
    tpad_memset(nothing, TPAD_INDEX_FILL, sizeof nothing);
    r->none = (FORM(term)){FORM(index_at)(nothing), 0, 0, 0};
    for (int32_t k = 0; k < t->piece_count; k++) {
        const tpad_piece *p = &t->pieces[k];
        if (p->count == 0) r->none.low = r->none.high = p->src;
        VECTOR base = p->filled ? LOAD(t->fill + p->phase) : ZERO();
        for (const int32_t end = n + p->terms; n < end; n++) {
            const tpad_term *term = &t->terms[n];
            const FORM(index) index = FORM(index_at)(t->index + (int64_t)n * VECTOR_BYTES);
            base = FORM(rest)(base, index);
            r->term[n] = (FORM(term)){index, p->src + term->src[0], p->src + term->src[LANES - 1],
                                      term->load};
            if (p->count > 1) {
                r->none.low = r->term[n].low;
                r->none.high = r->term[n].high;
            }
        }
        r->base[k] = base;
    }
}

INLINE VECTOR FORM(window)(const FORM(term) *term, const unsigned char *src)
{
#if MASKED
    return FORM(load_some)(src + term->low, term->load);
#elif LANES == 2
    return FORM(load_lanes)(src + term->low, src + term->high);
#else
    return LOAD(src + term->low);
#endif
}

INLINE VECTOR FORM(taken)(VECTOR made, const FORM(term) *term, const unsigned char *src)
{
    return FORM(take)(made, term->index, FORM(window)(term, src));
}

/* A masked form writes what the mask names, others what lies after the piece's bytes as well. */
INLINE void FORM(put)(unsigned char *dst, uint64_t store, VECTOR vector)
{
#if MASKED
    if (store != UINT64_MAX >> (64 - VECTOR_BYTES)) {
        FORM(store_some)(dst, store, vector);
        return;
    }
#endif
    (void)store;
    STORE(dst, vector);
}

/* A piece of one vector and at most two terms, to be kept in registers. */
typedef struct FORM(held) {
    VECTOR base;
    FORM(term) a, b;
    int64_t dst;
    uint64_t store;
} FORM(held);

/* Piece k, whose terms begin with number n. */
INLINE FORM(held) FORM(hold)(const FORM(ready) *r, const tpad_tiles *t, int32_t k, int32_t n)
{
    const tpad_piece *p = &t->pieces[k];
    const FORM(term) *a = p->terms > 0 ? &r->term[n] : &r->none;
    const FORM(term) *b = p->terms > 1 ? &r->term[n + 1] : &r->none;
    return (FORM(held)){r->base[k], *a, *b, p->dst, p->store};
}

/* `terms` is a constant. */
INLINE void FORM(put_held)(const FORM(held) *p, int terms, unsigned char *dst,
                           const unsigned char *src)
{
    VECTOR made = FORM(taken)(p->base, &p->a, src);
    if (terms > 1) made = FORM(taken)(made, &p->b, src);
    FORM(put)(dst + p->dst, p->store, made);
}

/* At least one vector. In long copies all stores but the first and the last one are aligned, which
 * a busy processor does faster; in short ones a loop of the same length for each row is worth more.
 * Short vectors are copied four in a turn. */
INLINE void FORM(copy)(unsigned char *dst, const unsigned char *src, int64_t bytes)
{
    const int64_t last = bytes - VECTOR_BYTES, beyond = (int64_t)((uintptr_t)dst % VECTOR_BYTES);
    int64_t k = VECTOR_BYTES - (bytes < 256 ? 0 : beyond);
    STORE(dst, LOAD(src));
#if VECTOR_BYTES == 16
    for (; k < last - 48; k += 64)
        for (int i = 0; i < 64; i += 16) STORE(dst + k + i, LOAD(src + k + i));
#endif
    for (; k < last; k += VECTOR_BYTES) STORE(dst + k, LOAD(src + k));
    STORE(dst + last, LOAD(src + last));
}

/* Fills `bytes`, which hold the fill value a whole number of times; only masked forms can write
 * less than a vector. */
INLINE void FORM(fill)(const FORM(ready) *r, const tpad_tiles *t, unsigned char *dst, int64_t bytes)
{
    const int64_t last = bytes - VECTOR_BYTES;
    const int32_t elem = t->elem_bytes, step = r->fill_step;
#if MASKED
    if (last < 0) {
        FORM(store_some)(dst, (UINT64_C(1) << bytes) - 1, LOAD(t->fill));
        return;
    }
#endif
    VECTOR made = LOAD(t->fill);
    STORE(dst, made);
    for (int64_t k = VECTOR_BYTES, phase = step; k < last; k += VECTOR_BYTES) {
        if (step > 0) {
            made = LOAD(t->fill + phase);
            phase += phase + step < elem ? step : step - elem;
        }
        STORE(dst + k, made);
    }
    STORE(dst + last, LOAD(t->fill + (step == 0 ? 0 : elem - step)));
}

/* Tiles of nothing but fill; where they follow each other, all as one. */
INLINE void FORM(fill_span)(const FORM(ready) *r, const tpad_tiles *t, const tpad_span *s,
                            unsigned char *dst)
{
    const int64_t run = s->dst_step == t->filled_bytes ? s->count : 1;
    for (int64_t i = 0; i < s->count; i += run, dst += s->dst_step)
        FORM(fill)(r, t, dst, run * t->filled_bytes);
}

/* Goes through the spans of all planes. */
typedef struct FORM(cursor) {
    int64_t plane;
    const tpad_span *next, *end;
    int64_t to, from; /* where the plane lies */
    /* The tiles to be made. */
    int64_t count, dst_step, src_step;
    unsigned char *dst;
    const unsigned char *src;
} FORM(cursor);

INLINE FORM(cursor) FORM(begin)(const tpad_tiles *t)
{
    return (FORM(cursor)){.next = t->spans,
                          .end = t->spans + t->span_count,
                          .to = t->planes.dst,
                          .from = t->planes.src};
}

/* Finds the next span whose tiles are to be made, and fills those before it. Returns 0 after the
 * last one. */
INLINE int FORM(next)(FORM(cursor) *c, const FORM(ready) *r, const tpad_tiles *t)
{
    for (;; c->next++) {
        if (c->next == c->end) {
            c->next = t->spans;
            c->plane++;
            c->to += t->planes.dst_step;
            c->from += t->planes.src_step;
        }
        if (c->plane == t->planes.count) return 0;
        const tpad_span *s = c->next;
        unsigned char *dst = t->dst + (c->to + s->dst);
        if (t->planes.filled || s->filled) {
            FORM(fill_span)(r, t, s, dst);
            continue;
        }
        c->count = s->count;
        c->dst_step = s->dst_step;
        c->src_step = s->src_step;
        c->dst = dst;
        c->src = t->src + (c->from + s->src);
        c->next++;
        return 1;
    }
}

/* The vectors of piece p, whose base and terms are given, one after the other. */
INLINE void FORM(piece)(const tpad_piece *p, VECTOR base, const FORM(term) *term,
                        unsigned char *dst, const unsigned char *src)
{
    dst += p->dst;
    if (p->terms == 1) {
        const FORM(term) held = *term;
        const int64_t dst_step = p->dst_step, src_step = p->src_step;
        const uint64_t store = p->store;
        for (int32_t i = p->count; i > 0; i--, dst += dst_step, src += src_step)
            FORM(put)(dst, store, FORM(taken)(base, &held, src));
        return;
    }
    for (int32_t i = p->count; i > 0; i--, dst += p->dst_step) {
        VECTOR made = base;
        for (int32_t n = 0; n < p->terms; n++) made = FORM(taken)(made, &term[n], src);
        FORM(put)(dst, p->store, made);
    }
}

/* A tile piece by piece. */
INLINE void FORM(tile)(const FORM(ready) *r, const tpad_tiles *t, unsigned char *dst,
                       const unsigned char *src)
{
    const FORM(term) *term = r->term;
    for (int32_t k = 0; k < t->piece_count; term += t->pieces[k++].terms) {
        const tpad_piece *p = &t->pieces[k];
        if (p->count == 1 && p->terms == 1)
            FORM(put)(dst + p->dst, p->store, FORM(taken)(r->base[k], term, src));
        else if (p->count == 0)
            FORM(copy)(dst + p->dst, src + p->src, p->bytes);
        else
            FORM(piece)(p, r->base[k], term, dst, src);
    }
}

TARGET static void FORM(in_order)(const void *ready, const tpad_tiles *t)
{
    const FORM(ready) *r = ready;
    for (FORM(cursor) c = FORM(begin)(t); FORM(next)(&c, r, t);)
        for (; c.count > 0; c.count--, c.dst += c.dst_step, c.src += c.src_step)
            FORM(tile)(r, t, c.dst, c.src);
}

/* Where eight tiles lie that are not evenly spaced. */
typedef struct FORM(places) {
    unsigned char *dst[8];
    const unsigned char *src[8];
} FORM(places);

/* One piece of one vector in eight tiles, evenly spaced or, unless it is NULL, at places. Their
 * vectors are made side by side, so that what is ready is read once for all of them. */
INLINE void FORM(eight)(const tpad_piece *p, VECTOR base, const FORM(term) *term,
                        unsigned char *dst, int64_t dst_step, const unsigned char *src,
                        int64_t src_step, const FORM(places) *at)
{
    const uint64_t store = p->store;
    const int64_t dst_at = p->dst;
    const unsigned char *from = src;
    VECTOR made[8];
    if (p->terms == 1 && !p->filled) {
        const FORM(term) held = *term;
        UNROLLED for (int k = 0; k < 8; k++, from += src_step) made[k] =
            FORM(move)(FORM(window)(&held, at ? at->src[k] : from), held.index);
    } else {
        UNROLLED for (int k = 0; k < 8; k++) made[k] = base;
        for (const FORM(term) *end = term + p->terms; term < end; term++, from = src) {
            const FORM(term) held = *term;
            UNROLLED for (int k = 0; k < 8; k++, from += src_step) made[k] =
                FORM(taken)(made[k], &held, at ? at->src[k] : from);
        }
    }
    if (!at) dst += dst_at;
    UNROLLED for (int k = 0; k < 8; k++, dst += dst_step)
        FORM(put)(at ? at->dst[k] + dst_at : dst, store, made[k]);
#if VECTOR_BYTES == 64
    /* Processors fetch little by themselves where eight places are read in turns. Where vectors are
     * shorter, memory is not what takes long. */
    const uintptr_t ahead = (uintptr_t)src + (uintptr_t)dst_at;
    if (at) return;
    UNROLLED for (int k = 8; k < 16; k++)
        __builtin_prefetch((const void *)(ahead + (uintptr_t)k * (uintptr_t)src_step));
#endif
}

/* Apart from FORM(eights), whose registers it would take. */
TARGET static
    __attribute__((noinline)) void FORM(eight_apart)(const FORM(ready) *r, const tpad_tiles *t,
                                                     const FORM(places) *at)
{
    const FORM(term) *term = r->term;
    for (int32_t k = 0; k < t->piece_count; term += t->pieces[k++].terms)
        FORM(eight)(&t->pieces[k], r->base[k], term, at->dst[0], 0, at->src[0], 0, at);
}

/* Eight tiles of a span at a time. What is left over of some spans is done together. */
TARGET static void FORM(eights)(const void *ready, const tpad_tiles *t)
{
    const FORM(ready) *r = ready;
    const tpad_piece *pieces = t->pieces;
    const int32_t count = t->piece_count;
    FORM(places) rest;
    int32_t left = 0;
    for (FORM(cursor) c = FORM(begin)(t); FORM(next)(&c, r, t);) {
        int64_t n = 0;
        for (; n + 8 <= c.count; n += 8) {
            const FORM(term) *term = r->term;
            for (int32_t k = 0; k < count; term += pieces[k++].terms)
                FORM(eight)(&pieces[k], r->base[k], term, c.dst + n * c.dst_step, c.dst_step,
                            c.src + n * c.src_step, c.src_step, NULL);
        }
        for (; n < c.count; n++) {
            rest.dst[left] = c.dst + n * c.dst_step;
            rest.src[left++] = c.src + n * c.src_step;
            if (left < 8) continue;
            FORM(eight_apart)(r, t, &rest);
            left = 0;
        }
    }
    for (int32_t k = 0; k < left; k++) FORM(tile)(r, t, rest.dst[k], rest.src[k]);
}

/* At most four pieces in registers. Constants: `count`; `copies`, 1 if a copy lies between the
 * second and the third. Sources count from the first window, so that a turn has the fewest sums. */
INLINE void FORM(held_tiles)(const FORM(ready) *r, const tpad_tiles *t, int count, int copies)
{
    const int64_t low = r->term[0].low;
    const tpad_piece middle = t->pieces[copies ? 2 : 0];
    FORM(held) p[TPAD_MOST_HELD];
    UNROLLED for (int k = 0; k < count; k++)
    {
        p[k] = FORM(hold)(r, t, k + (copies && k > 1), k);
        p[k].a.low -= low;
        p[k].a.high -= low;
    }
    p[0].a.low = p[0].dst = 0; /* known to the compiler, too */
    for (FORM(cursor) at = FORM(begin)(t); FORM(next)(&at, r, t);) {
        const int64_t dst_step = at.dst_step, src_step = at.src_step;
        unsigned char *dst = at.dst;
        const unsigned char *src = at.src + low;
        for (int64_t i = at.count; i > 0; i--, dst += dst_step, src += src_step)
            UNROLLED for (int k = 0; k < count; k++)
            {
                if (copies && k == 2)
                    FORM(copy)(dst + middle.dst, src + (middle.src - low), middle.bytes);
                FORM(put_held)(&p[k], 1, dst, src);
            }
    }
}

/* A copy, or vectors that are alike and have one term, with at most one vector on each side.
 * Constants: `terms`, how many the vectors on the sides have at most; `alike`, 1 if there is no
 * copy. */
INLINE void FORM(row_tiles)(const FORM(ready) *r, const tpad_tiles *t, int terms, int alike)
{
    const int32_t at_middle = t->pieces[0].count == 1 ? 1 : 0;
    const int before = at_middle > 0, after = at_middle + 1 < t->piece_count;
    const int32_t terms_before = before ? t->pieces[0].terms : 0;
    const tpad_piece *p = &t->pieces[at_middle];
    const int64_t dst_at = p->dst, src_at = p->src, bytes = p->bytes;
    const int64_t next_dst = p->dst_step, next_src = p->src_step;
    FORM(held) a = {0}, b = a, middle = a;
    if (before) a = FORM(hold)(r, t, 0, 0);
    if (alike) middle = FORM(hold)(r, t, at_middle, terms_before);
    if (after) b = FORM(hold)(r, t, at_middle + 1, terms_before + p->terms);
    for (FORM(cursor) at = FORM(begin)(t); FORM(next)(&at, r, t);) {
        const int64_t dst_step = at.dst_step, src_step = at.src_step;
        unsigned char *dst = at.dst;
        const unsigned char *src = at.src;
        for (int64_t i = at.count; i > 0; i--, dst += dst_step, src += src_step) {
            if (before) FORM(put_held)(&a, terms, dst, src);
            if (!alike) FORM(copy)(dst + dst_at, src + src_at, bytes);
            for (int32_t k = 0; alike && k < p->count; k++)
                FORM(put_held)(&middle, 1, dst + k * next_dst, src + k * next_src);
            if (after) FORM(put_held)(&b, terms, dst, src);
        }
    }
}

TARGET static void FORM(held_1)(const void *r, const tpad_tiles *t)
{
    FORM(held_tiles)(r, t, 1, 0);
}
TARGET static void FORM(held_2)(const void *r, const tpad_tiles *t)
{
    FORM(held_tiles)(r, t, 2, 0);
}
TARGET static void FORM(held_3)(const void *r, const tpad_tiles *t)
{
    FORM(held_tiles)(r, t, 3, 0);
}
TARGET static void FORM(held_4)(const void *r, const tpad_tiles *t)
{
    FORM(held_tiles)(r, t, 4, 0);
}
TARGET static void FORM(rows_of_5)(const void *r, const tpad_tiles *t)
{
    FORM(held_tiles)(r, t, 4, 1);
}
TARGET static void FORM(rows_1)(const void *r, const tpad_tiles *t)
{
    FORM(row_tiles)(r, t, 1, 0);
}
TARGET static void FORM(rows_2)(const void *r, const tpad_tiles *t)
{
    FORM(row_tiles)(r, t, 2, 0);
}
TARGET static void FORM(alike_1)(const void *r, const tpad_tiles *t)
{
    FORM(row_tiles)(r, t, 1, 1);
}
TARGET static void FORM(alike_2)(const void *r, const tpad_tiles *t)
{
    FORM(row_tiles)(r, t, 2, 1);
}

typedef void (*FORM(make))(const void *ready, const tpad_tiles *t);

/* What makes the tiles by the scheme. */
static FORM(make) FORM(make_of)(const tpad_tiles *t)
{
    static const FORM(make) held[] = {FORM(held_1), FORM(held_2), FORM(held_3), FORM(held_4)};
    int32_t most_terms = 0;
    for (int32_t k = 0; k < t->piece_count; k++)
        if (t->pieces[k].terms > most_terms) most_terms = t->pieces[k].terms;
    if (t->scheme == TPAD_HELD) return held[t->piece_count - 1];
    if (t->scheme == TPAD_EIGHT) return FORM(eights);
    if (t->scheme == TPAD_ROWS && t->piece_count == 5) return FORM(rows_of_5);
    if (t->scheme == TPAD_ROWS) return most_terms <= 1 ? FORM(rows_1) : FORM(rows_2);
    if (t->scheme == TPAD_ALIKE) return most_terms <= 1 ? FORM(alike_1) : FORM(alike_2);
    return FORM(in_order);
}

#if defined(TPAD_SIMD_X86)
/* Some vectors of a piece, for tpad_maker. */
TARGET static void FORM(some_vectors)(const void *ready, const tpad_tiles *t, int32_t k,
                                      int32_t first_term, int32_t count, unsigned char *dst,
                                      const unsigned char *src)
{
    const FORM(ready) *r = ready;
    tpad_piece piece = t->pieces[k];
    piece.count = count;
    piece.dst = 0;
    FORM(piece)(&piece, r->base[k], r->term + first_term, dst, src);
}
#endif

TARGET static void FORM(tiles)(const tpad_tiles *t)
{
    _Alignas(64) FORM(ready) ready;
    const FORM(make) make = FORM(make_of)(t);
    FORM(make_ready)(&ready, t);
#if defined(TPAD_SIMD_X86)
    if (t->streamed) {
        tpad_stream_tiles(t, &(tpad_maker){&ready, make, FORM(some_vectors)});
        return;
    }
#endif
    make(&ready, t);
}

#undef INLINE
#undef UNROLLED
#undef FORM
#undef TARGET
#undef VECTOR
#undef VECTOR_BYTES
#undef LANES
#undef MASKED
#undef LOAD
#undef STORE
#undef ZERO
