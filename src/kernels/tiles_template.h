/* The loops around a shuffle instruction: all of a form. SPDX-License-Identifier: MIT
 *
 * A file includes this once for each form it has; it defines FORM(tiles), for a tpad_form. The
 * parameters are:
 *   FORM(name)     the name with the form's name behind it
 *   TARGET         the attribute that allows its instructions, or nothing
 *   VECTOR         a vector; VECTOR_BYTES: its size, which divides 64
 *   LANES          1, or 2 if each half of the vector comes from a window of its own
 *   MASKED         1 if it accesses only the bytes that masks name; then LANES is 1
 *   LOAD(at), STORE(at, vector)       anywhere
 *   STREAM(at, vector)                around the caches, aligned; not defined if it cannot
 *   ZERO()                            a vector of zeros
 *   FORM(index)                       a type: the index of a term, in registers
 *   FORM(index_at)(at)                the index that lies there
 *   FORM(rest)(vector, index)         the vector with 0 for the bytes that the index takes
 *   FORM(take)(vector, index, window) the bytes that the index takes put over those of the vector,
 *                                     which are 0
 *   FORM(load_lanes)(low, high)       if LANES is 2: the windows of both
 *   FORM(load_some)(at, mask), FORM(store_some)(at, mask, vector)     if MASKED
 * At the end none of these macros is defined any more.
 *
 * The vector of a piece is its base, fill where no term takes a byte and 0 elsewhere, over which
 * the terms put theirs. Functions take structs of vectors: inline, they are registers. */
#define INLINE   TARGET static inline __attribute__((always_inline, unused))
#define UNROLLED _Pragma("GCC unroll 8")

/* A term, and a piece of one vector, in registers. `b` is the second term. */
typedef struct FORM(term) {
    FORM(index) index;
    int64_t low, high;
    uint64_t load;
} FORM(term);

typedef struct FORM(held) {
    VECTOR base;
    FORM(term) a, b;
    int64_t dst;
    uint64_t store;
} FORM(held);

INLINE FORM(term) FORM(term_at)(const tpad_tiles *t, int64_t number, int64_t src)
{
    const tpad_term *term = &t->terms[number];
    return (FORM(term)){FORM(index_at)(t->index + number * VECTOR_BYTES), src + term->src[0],
                        src + term->src[LANES - 1], term->load};
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

/* A masked form writes what the mask names, others what lies behind the piece's bytes as well. */
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

/* The base of a piece. */
INLINE VECTOR FORM(base)(const tpad_tiles *t, const tpad_piece *p, int64_t first)
{
    if (!p->filled) return ZERO();
    VECTOR base = LOAD(t->fill + p->phase);
    for (int32_t i = 0; i < p->terms; i++)
        base = FORM(rest)(base, FORM(index_at)(t->index + (first + i) * VECTOR_BYTES));
    return base;
}

/* The number of a piece's first term. */
static inline int64_t FORM(first_term)(const tpad_tiles *t, int32_t piece)
{
    int64_t first = 0;
    for (int32_t k = 0; k < piece; k++) first += t->pieces[k].terms;
    return first;
}

/* Piece k of one vector, of at most two terms. In place of those it has not it gets such as take
 * nothing, from a window that can be read: that at `spare`, counted from the tile. */
INLINE FORM(held) FORM(hold)(const tpad_tiles *t, int32_t k, int64_t spare)
{
    const tpad_piece *p = &t->pieces[k];
    const int64_t first = FORM(first_term)(t, k);
    unsigned char nothing[VECTOR_BYTES];
    tpad_memset(nothing, TPAD_INDEX_FILL, sizeof nothing);
    const FORM(term) none = {FORM(index_at)(nothing), spare, spare, 0};
    return (FORM(held)){FORM(base)(t, p, first),
                        p->terms > 0 ? FORM(term_at)(t, first, p->src) : none,
                        p->terms > 1 ? FORM(term_at)(t, first + 1, p->src) : none,
                        p->dst,
                        p->store};
}

/* `terms` is a constant. */
INLINE void FORM(put_held)(const FORM(held) *p, int terms, unsigned char *dst,
                           const unsigned char *src)
{
    VECTOR made = FORM(take)(p->base, p->a.index, FORM(window)(&p->a, src));
    if (terms > 1) made = FORM(take)(made, p->b.index, FORM(window)(&p->b, src));
    FORM(put)(dst + p->dst, p->store, made);
}

/* At least two vectors. The stores between the first and the last one are aligned, which on a
 * processor with much to do is worth a tenth. */
INLINE void FORM(copy)(unsigned char *dst, const unsigned char *src, int64_t bytes)
{
    const int64_t last = bytes - VECTOR_BYTES;
    int64_t k = VECTOR_BYTES - (int64_t)((uintptr_t)dst % VECTOR_BYTES);
    STORE(dst, LOAD(src));
    for (; k < last; k += VECTOR_BYTES) STORE(dst + k, LOAD(src + k));
    STORE(dst + last, LOAD(src + last));
}

/* `bytes` hold the fill value a whole number of times; only masked forms can write less than a
 * vector. */
INLINE void FORM(fill)(const tpad_tiles *t, int64_t step, unsigned char *dst, int64_t bytes)
{
    const int64_t last = bytes - VECTOR_BYTES, elem = t->elem_bytes;
#if MASKED
    if (last < 0) {
        FORM(store_some)(dst, (UINT64_C(1) << bytes) - 1, LOAD(t->fill));
        return;
    }
#endif
    STORE(dst, LOAD(t->fill));
    if (last > VECTOR_BYTES) {
        int64_t k = VECTOR_BYTES - (int64_t)((uintptr_t)dst % VECTOR_BYTES);
        int64_t phase = k % elem;
        for (; k < last; k += VECTOR_BYTES) {
            STORE(dst + k, LOAD(t->fill + phase));
            phase += step;
            if (phase >= elem) phase -= elem;
        }
    }
    STORE(dst + last, LOAD(t->fill + (step == 0 ? 0 : elem - step)));
}

/* The vectors of piece p, whose terms begin with number `first`, one after the other. */
INLINE void FORM(piece)(const tpad_tiles *t, const tpad_piece *p, int64_t first, unsigned char *dst,
                        const unsigned char *src)
{
    if (p->count == 0) {
        FORM(copy)(dst + p->dst, src + p->src, p->bytes);
        return;
    }
    VECTOR made = FORM(base)(t, p, first);
    if (p->count > 1 && p->terms == 1) {
        const FORM(term) term = FORM(term_at)(t, first, p->src);
        dst += p->dst;
        for (int32_t i = p->count; i > 0; i--, dst += p->bytes, src += p->src_step)
            FORM(put)(dst, p->store,
                      FORM(take)(made, term.index, FORM(window)(&term, src)));
        return;
    }
    for (int32_t i = 0; i < p->terms; i++) {
        const FORM(term) term = FORM(term_at)(t, first + i, p->src);
        made = FORM(take)(made, term.index, FORM(window)(&term, src));
    }
    for (int32_t i = 0; i < p->count; i++)
        FORM(put)(dst + p->dst + (int64_t)i * p->bytes, p->store, made);
}

TARGET static void FORM(in_order)(const tpad_tiles *t, const tpad_span *s, unsigned char *dst,
                                  const unsigned char *src)
{
    for (int64_t i = s->count; i > 0; i--, dst += s->dst_step, src += s->src_step) {
        int64_t first = 0;
        for (int32_t k = 0; k < t->piece_count; first += t->pieces[k++].terms)
            FORM(piece)(t, &t->pieces[k], first, dst, src);
    }
}

/* One piece of one vector in eight tiles. Their vectors are made side by side, so that an index is
 * read once for all of them. */
INLINE void FORM(eight)(const tpad_tiles *t, const tpad_piece *p, int64_t first, const tpad_span *s,
                        unsigned char *dst, const unsigned char *src)
{
    enum { EIGHT = 8 };
    const VECTOR base = FORM(base)(t, p, first);
    VECTOR made[EIGHT];
    UNROLLED for (int k = 0; k < EIGHT; k++) made[k] = base;
    for (int32_t i = 0; i < p->terms; i++) {
        const FORM(term) term = FORM(term_at)(t, first + i, p->src);
        const unsigned char *from = src;
        UNROLLED for (int k = 0; k < EIGHT; k++, from += s->src_step) made[k] =
            FORM(take)(made[k], term.index, FORM(window)(&term, from));
    }
    dst += p->dst;
    UNROLLED for (int k = 0; k < EIGHT; k++, dst += s->dst_step)
        FORM(put)(dst, p->store, made[k]);
}

/* The last eight may be some that were done already: to do them again changes nothing. */
TARGET static void FORM(eights)(const tpad_tiles *t, const tpad_span *s, unsigned char *dst,
                                const unsigned char *src)
{
    if (s->count < 8) {
        FORM(in_order)(t, s, dst, src);
        return;
    }
    for (int64_t n = 0; n < s->count; n += 8) {
        const int64_t i = n < s->count - 8 ? n : s->count - 8;
        int64_t first = 0;
        for (int32_t k = 0; k < t->piece_count; first += t->pieces[k++].terms)
            FORM(eight)(t, &t->pieces[k], first, s, dst + i * s->dst_step, src + i * s->src_step);
    }
}

#if defined(STREAM)
/* Output that goes around the caches: one line of it in `stage`, 64 bytes with a vector of room on
 * both sides, until it is whole. Bytes [first, used) of the line are there; first is not 0 only
 * where the output begins inside a line. A processor that meets ordinary and streaming stores in
 * one line is slower by a factor of ten and more, so only the first and last line have them. */
typedef struct FORM(out) {
    unsigned char *stage, *line;
    int64_t first, used;
} FORM(out);

INLINE void FORM(finish)(FORM(out) *o)
{
    for (int64_t i = o->first; i < o->used; i++) o->line[i] = o->stage[i];
    o->first = o->used;
}

/* The output goes on at `at`. */
INLINE void FORM(go_on)(FORM(out) *o, unsigned char *at)
{
    if ((uintptr_t)o->line + (uintptr_t)o->used == (uintptr_t)at) return;
    FORM(finish)(o);
    o->first = o->used = (int64_t)((uintptr_t)at % 64);
    o->line = at - o->used;
}

/* `bytes` more are in the stage. */
INLINE void FORM(grow)(FORM(out) *o, int64_t bytes)
{
    o->used += bytes;
    if (o->used < 64) return;
    if (o->first > 0) {
        for (int64_t i = o->first; i < 64; i++) o->line[i] = o->stage[i];
    } else {
        UNROLLED for (int k = 0; k < 64; k += VECTOR_BYTES)
            STREAM(o->line + k, LOAD(o->stage + k));
    }
    if (o->used > 64) STORE(o->stage, LOAD(o->stage + 64));
    o->line += 64;
    o->first = 0;
    o->used -= 64;
}

/* How many of the bytes from `at` on are written already: fewer than a vector. */
INLINE int64_t FORM(overlap)(FORM(out) *o, unsigned char *at)
{
    const int64_t bytes = (int64_t)((uintptr_t)o->line + (uintptr_t)o->used - (uintptr_t)at);
    if (bytes >= 0) return bytes;
    FORM(go_on)(o, at);
    return 0;
}

/* `bytes` more, at most 64, of a source of which `left` bytes from src on can be read, or a vector
 * that ends there. */
INLINE void FORM(grow_by)(FORM(out) *o, const unsigned char *src, int64_t bytes, int64_t left)
{
    for (int64_t i = 0; i < bytes; i += VECTOR_BYTES) {
        const int64_t k = i < left - VECTOR_BYTES ? i : left - VECTOR_BYTES;
        STORE(o->stage + o->used + k, LOAD(src + k));
    }
    FORM(grow)(o, bytes);
}

/* How far ahead of what is read: where loads go to no cache, processors fetch too little. */
enum { FORM(PREFETCH_BYTES) = 2048 };

INLINE void FORM(copy_out)(FORM(out) *o, unsigned char *dst, const unsigned char *src,
                           int64_t bytes)
{
    const int64_t before = FORM(overlap)(o, dst), room = 64 - o->used;
    src += before;
    bytes -= before;
    if (bytes < room || room < 64) {
        const int64_t some = bytes < room ? bytes : room;
        FORM(grow_by)(o, src, some, bytes);
        src += some;
        bytes -= some;
    }
    for (; bytes >= 64; bytes -= 64, src += 64, o->line += 64) {
        __builtin_prefetch(src + FORM(PREFETCH_BYTES));
        UNROLLED for (int k = 0; k < 64; k += VECTOR_BYTES)
            STREAM(o->line + k, LOAD(src + k));
    }
    if (bytes > 0) FORM(grow_by)(o, src, bytes, bytes);
}

INLINE void FORM(fill_out)(FORM(out) *o, const tpad_tiles *t, int64_t step, unsigned char *dst,
                           int64_t bytes)
{
    int64_t phase = 0;
    FORM(go_on)(o, dst);
    while (bytes > 0) {
        if (o->used == 0 && bytes >= 64) {
            UNROLLED for (int k = 0; k < 64; k += VECTOR_BYTES) {
                STREAM(o->line + k, LOAD(t->fill + phase));
                phase += step;
                if (phase >= t->elem_bytes) phase -= t->elem_bytes;
            }
            o->line += 64;
            bytes -= 64;
            continue;
        }
        const int64_t room = 64 - o->used < VECTOR_BYTES ? 64 - o->used : VECTOR_BYTES;
        const int64_t some = bytes < room ? bytes : room;
        STORE(o->stage + o->used, LOAD(t->fill + phase));
        FORM(grow)(o, some);
        phase = (phase + some) % t->elem_bytes;
        bytes -= some;
    }
}

INLINE void FORM(piece_out)(FORM(out) *o, const tpad_tiles *t, const tpad_piece *p, int64_t first,
                            unsigned char *dst, const unsigned char *src)
{
    const VECTOR base = FORM(base)(t, p, first);
    for (int32_t n = 0; n < p->count; n++, dst += p->bytes, src += p->src_step) {
        const int64_t before = FORM(overlap)(o, dst + p->dst);
        VECTOR made = base;
        for (int32_t i = 0; i < p->terms; i++) {
            const FORM(term) term = FORM(term_at)(t, first + i, p->src);
            if (MASKED) __builtin_prefetch(src + term.low + FORM(PREFETCH_BYTES));
            made = FORM(take)(made, term.index, FORM(window)(&term, src));
        }
        STORE(o->stage + o->used - before, made);
        FORM(grow)(o, p->bytes - before);
    }
}

INLINE void FORM(tiles_out)(FORM(out) *o, const tpad_tiles *t, const tpad_span *s,
                            unsigned char *dst, const unsigned char *src)
{
    for (int64_t i = s->count; i > 0; i--, dst += s->dst_step, src += s->src_step) {
        int64_t first = 0;
        FORM(go_on)(o, dst + t->pieces[0].dst);
        for (int32_t k = 0; k < t->piece_count; first += t->pieces[k++].terms) {
            const tpad_piece *p = &t->pieces[k];
            if (p->count == 0)
                FORM(copy_out)(o, dst + p->dst, src + p->src, p->bytes);
            else
                FORM(piece_out)(o, t, p, first, dst, src);
        }
    }
}
#endif

/* The spans of all planes. The parameters are constants: the scheme; the number of pieces that are
 * held, or the most terms of a row's. */
INLINE void FORM(walk)(const tpad_tiles *t, int32_t scheme, int32_t number)
{
    const int64_t step = VECTOR_BYTES % t->elem_bytes;
    int32_t copy = 0;
    FORM(held) a = {0}, b = a, c = a, d = a;
#if defined(STREAM)
    _Alignas(64) unsigned char staged[64 + 2 * TPAD_VECTOR_BYTES];
    FORM(out) o = {staged + TPAD_VECTOR_BYTES, NULL, 0, 0};
#endif
    if (scheme == TPAD_HELD) {
        a = FORM(hold)(t, 0, 0);
        if (number > 1) b = FORM(hold)(t, 1, 0);
        if (number > 2) c = FORM(hold)(t, 2, 0);
        if (number > 3) d = FORM(hold)(t, 3, 0);
    }
    if (scheme == TPAD_ROWS) {
        copy = t->pieces[0].count == 0 ? 0 : 1;
        if (copy > 0) a = FORM(hold)(t, 0, t->pieces[copy].src);
        if (copy + 1 < t->piece_count) b = FORM(hold)(t, copy + 1, t->pieces[copy].src);
    }
    const int before = copy > 0, after = copy + 1 < t->piece_count;
    const tpad_piece *middle = &t->pieces[copy];
    for (int64_t plane = 0; plane < t->planes.count; plane++) {
        const int64_t out = t->planes.dst + plane * t->planes.dst_step;
        const int64_t in = t->planes.src + plane * t->planes.src_step;
        for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++) {
            unsigned char *dst = t->dst + (out + s->dst);
            if (t->planes.filled || s->filled) {
                const int64_t run = s->dst_step == t->tile_bytes ? s->count : 1;
                for (int64_t i = 0; i < s->count; i += run, dst += s->dst_step)
#if defined(STREAM)
                    if (scheme == TPAD_STREAMED)
                        FORM(fill_out)(&o, t, step, dst, run * t->tile_bytes);
                    else
#endif
                        FORM(fill)(t, step, dst, run * t->tile_bytes);
                continue;
            }
            const unsigned char *src = t->src + (in + s->src);
            const int64_t dst_step = s->dst_step, src_step = s->src_step;
            if (scheme == TPAD_IN_ORDER) FORM(in_order)(t, s, dst, src);
            if (scheme == TPAD_EIGHT) FORM(eights)(t, s, dst, src);
            if (scheme == TPAD_HELD)
                for (int64_t i = s->count; i > 0; i--, dst += dst_step, src += src_step) {
                    FORM(put_held)(&a, 1, dst, src);
                    if (number > 1) FORM(put_held)(&b, 1, dst, src);
                    if (number > 2) FORM(put_held)(&c, 1, dst, src);
                    if (number > 3) FORM(put_held)(&d, 1, dst, src);
                }
            if (scheme == TPAD_ROWS)
                for (int64_t i = s->count; i > 0; i--, dst += dst_step, src += src_step) {
                    if (before) FORM(put_held)(&a, number, dst, src);
                    FORM(copy)(dst + middle->dst, src + middle->src, middle->bytes);
                    if (after) FORM(put_held)(&b, number, dst, src);
                }
#if defined(STREAM)
            if (scheme == TPAD_STREAMED) FORM(tiles_out)(&o, t, s, dst, src);
#endif
        }
    }
#if defined(STREAM)
    FORM(finish)(&o);
#endif
}

static inline int FORM(most_terms)(const tpad_tiles *t)
{
    int most = 0;
    for (int32_t k = 0; k < t->piece_count; k++)
        if (t->pieces[k].terms > most) most = t->pieces[k].terms;
    return most;
}

TARGET static void FORM(tiles)(const tpad_tiles *t)
{
    switch (t->scheme) {
    case TPAD_HELD:
        if (t->piece_count == 1) FORM(walk)(t, TPAD_HELD, 1);
        if (t->piece_count == 2) FORM(walk)(t, TPAD_HELD, 2);
        if (t->piece_count == 3) FORM(walk)(t, TPAD_HELD, 3);
        if (t->piece_count == 4) FORM(walk)(t, TPAD_HELD, 4);
        break;
    case TPAD_ROWS:
        if (FORM(most_terms)(t) < 2)
            FORM(walk)(t, TPAD_ROWS, 1);
        else
            FORM(walk)(t, TPAD_ROWS, 2);
        break;
    case TPAD_EIGHT:
        FORM(walk)(t, TPAD_EIGHT, 0);
        break;
#if defined(STREAM)
    case TPAD_STREAMED:
        FORM(walk)(t, TPAD_STREAMED, 0);
        break;
#endif
    default:
        FORM(walk)(t, TPAD_IN_ORDER, 0);
    }
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
#undef STREAM
#undef ZERO
