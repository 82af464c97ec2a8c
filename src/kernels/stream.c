/* Writes tiles around the caches. SPDX-License-Identifier: MIT
 *
 * Builds consecutive output in an L1-sized staging buffer, then streams it out in whole lines; long
 * copies are streamed from the input. Ordinary and streaming stores in one cache line slow a
 * processor down by a factor of ten and more, so only the first and the last line of such a run
 * have ordinary ones. Stores have 16 bytes in every form: larger ones are no faster, and loading 64
 * bytes that two vectors have just written is slow. */
#include "stream.h"

#if defined(TPAD_SIMD_X86)
#include <immintrin.h>

enum {
    LINE = 64,
    STAGE = 4096,        /* large enough that bytes are not read right after they were written */
    PREFETCH = 2048,     /* distance: processors prefetch little when stores bypass the caches */
    MOST_APART = 4,      /* sources that are further apart are fetched in part */
    MOST_FETCHED = 1024, /* bytes of each span of the plane after the next */
    LONG = 512,          /* copies of this size or more bypass the stage */
    PAGE = 4096
};

/* Prefetches to make while lines are streamed: from any address `at` on, `step` bytes per line. */
typedef struct fetching {
    uintptr_t at;
    int64_t step;
    int in_turns; /* 1: the source is dense; fetches alternate among four pages */
} fetching;

/* Bytes [first, used) of the stage are for the memory from `line` on, which is aligned. A form may
 * write a vector more, and rewrites up to a vector before `used`: hence a vector of room on both
 * sides of the stage. */
typedef struct out {
    unsigned char *stage, *line;
    int64_t first, used;
    fetching soon;
    int dense; /* 1: copies are contiguous in the input, too */
} out;

/* Plans the prefetch of items [from, end): `bytes` each, consecutive in the output, with sources
 * src_step apart. */
static void fetch_soon(out *o, uintptr_t src, int64_t src_step, int64_t bytes, int64_t from,
                       int64_t end)
{
    const int64_t apart = src_step < 0 ? -src_step : src_step, most = MOST_APART * bytes;
    const int64_t lowest = src_step < 0 ? end - 1 : from;
    o->soon.at = src + (uintptr_t)lowest * (uintptr_t)src_step;
    o->soon.step = apart <= bytes ? LINE : (apart < most ? apart : most) * LINE / bytes;
}

/* Permutes the lines of four pages, so that consecutive fetches alternate among the pages.
 * Processors prefetch further lines only within a page: now they do it in all four. */
static uintptr_t in_turns(uintptr_t at)
{
    const uintptr_t line = at / LINE % (4 * PAGE / LINE);
    return at - at % (4 * PAGE) + line % 4 * PAGE + line / 4 * LINE;
}

static void fetch(const fetching *soon, int64_t bytes)
{
    const uintptr_t at = soon->at + (uintptr_t)bytes;
    __builtin_prefetch((const void *)(soon->in_turns ? in_turns(at) : at));
}

/* Streams whole lines, and prefetches meanwhile. */
static void stream_lines(unsigned char *dst, const unsigned char *src, int64_t bytes,
                         const fetching *soon)
{
    for (int64_t k = 0; k < bytes; k += LINE) {
        __m128i *to = (__m128i *)(void *)(dst + k);
        const __m128i *from = (const __m128i *)(const void *)(src + k);
        fetch(soon, k);
        _mm_stream_si128(to, _mm_loadu_si128(from));
        _mm_stream_si128(to + 1, _mm_loadu_si128(from + 1));
        _mm_stream_si128(to + 2, _mm_loadu_si128(from + 2));
        _mm_stream_si128(to + 3, _mm_loadu_si128(from + 3));
    }
    for (int64_t k = bytes; k < bytes / LINE * soon->step; k += LINE)
        __builtin_prefetch((const void *)(soon->at + (uintptr_t)k));
}

/* Flushes the stage except for an incomplete line. */
static void flush(out *o)
{
    if (o->used < LINE) return;
    const int64_t whole = o->used / LINE * LINE, skip = o->first > 0 ? LINE : 0;
    if (skip > 0) tpad_memcpy(o->line + o->first, o->stage + o->first, (size_t)(LINE - o->first));
    stream_lines(o->line + skip, o->stage + skip, whole - skip, &o->soon);
    tpad_memcpy(o->stage, o->stage + whole, LINE);
    o->line += whole;
    o->used -= whole;
    o->first = 0;
}

/* Continues at `at`; if the output so far does not end there, finishes it first. */
static void go_on_at(out *o, unsigned char *at)
{
    if ((uintptr_t)o->line + (uintptr_t)o->used == (uintptr_t)at) return;
    flush(o);
    for (int64_t i = o->first; i < o->used; i++) o->line[i] = o->stage[i];
    o->first = o->used = (int64_t)((uintptr_t)at % LINE);
    o->line = (unsigned char *)((uintptr_t)at - (uintptr_t)o->used);
}

/* The number of bytes from `at` on that are in the output already: at most a vector. */
static int64_t overlap(const out *o, const unsigned char *at)
{
    return (int64_t)((uintptr_t)o->line + (uintptr_t)o->used - (uintptr_t)at);
}

static void put(out *o, const unsigned char *src, int64_t bytes)
{
    tpad_memcpy(o->stage + o->used, src, (size_t)bytes);
    o->used += bytes;
}

/* A copy; at least a vector of it is not written yet. */
static void copy_out(out *o, unsigned char *dst, const unsigned char *src, int64_t bytes)
{
    const int64_t before = overlap(o, dst);
    src += before;
    bytes -= before;
    flush(o);
    if (bytes < LONG) {
        put(o, src, bytes);
        return;
    }
    const int64_t some = LINE - o->used, whole = (bytes - some) / LINE * LINE;
    put(o, src, some);
    flush(o);
    src += some;
    const uintptr_t ahead = o->dense ? 4 * PAGE : PREFETCH;
    const fetching soon = {(uintptr_t)src + ahead, LINE, o->dense};
    fetch(&soon, -some);
    stream_lines(o->line, src, whole, &soon);
    fetch(&soon, whole);
    o->line += whole;
    put(o, src + whole, bytes - some - whole);
}

/* A tile piece by piece. */
static void tile_out(out *o, const tpad_maker *make, const tpad_tiles *t, unsigned char *dst,
                     const unsigned char *src)
{
    int32_t term = 0;
    for (int32_t k = 0; k < t->piece_count; term += t->pieces[k++].terms) {
        const tpad_piece *p = &t->pieces[k];
        if (p->count == 0) copy_out(o, dst + p->dst, src + p->src, p->bytes);
        for (int32_t n = 0, some; n < p->count; n += some) {
            const int64_t before = overlap(o, dst + p->dst + (int64_t)n * p->bytes);
            const int64_t room = (STAGE - o->used) / p->bytes;
            some = room < p->count - n ? (int32_t)room : p->count - n;
            if (some == 0) {
                flush(o);
                continue;
            }
            const int64_t window = p->terms > 0 ? t->terms[term].src[0] : 0;
            fetch_soon(o, (uintptr_t)src + (uintptr_t)window, p->src_step, p->bytes, n + 2 * some,
                       n + 3 * some);
            make->vectors(make->ready, t, k, term, some, o->stage + o->used - before,
                          src + (int64_t)n * p->src_step);
            o->used += (int64_t)some * p->bytes - before;
        }
    }
}

/* A whole number of fill values. */
static void fill_out(out *o, const tpad_tiles *t, int64_t bytes)
{
    const int32_t elem = t->elem_bytes;
    int32_t phase = 0;
    while (bytes > 0) {
        const int64_t some = bytes < TPAD_VECTOR_BYTES ? bytes : TPAD_VECTOR_BYTES;
        if (o->used + TPAD_VECTOR_BYTES > STAGE) flush(o);
        tpad_memcpy(o->stage + o->used, t->fill + phase, TPAD_VECTOR_BYTES);
        o->used += some;
        bytes -= some;
        phase = (phase + TPAD_VECTOR_BYTES) % elem;
    }
}

static int has_long_copy(const tpad_tiles *t)
{
    for (int32_t k = 0; k < t->piece_count; k++)
        if (t->pieces[k].count == 0 && t->pieces[k].bytes >= LONG) return 1;
    return 0;
}

/* A span: as many tiles at a time as fit in the stage. */
static void span_out(out *o, const tpad_maker *make, const tpad_tiles *t, const tpad_span *s,
                     unsigned char *dst, const unsigned char *src)
{
    const int64_t bytes = t->tile_bytes;
    tpad_span part = {.dst_step = bytes, .src_step = s->src_step};
    tpad_tiles staged = *t;
    staged.planes = (tpad_span){.count = 1};
    staged.spans = &part;
    staged.span_count = 1;
    for (int64_t i = 0; i < s->count; i += part.count) {
        go_on_at(o, dst + i * s->dst_step);
        if (o->used + bytes > STAGE) flush(o);
        part.count = s->dst_step == bytes ? (STAGE - o->used) / bytes : 1;
        if (part.count > s->count - i) part.count = s->count - i;
        if (part.count > 8) part.count -= part.count % 8; /* some forms make eight at a time */
        fetch_soon(o, (uintptr_t)src, s->src_step, bytes, i + 2 * part.count, i + 3 * part.count);
        staged.dst = o->stage + o->used;
        staged.src = src + i * s->src_step;
        make->tiles(make->ready, &staged);
        o->used += part.count * bytes;
    }
}

/* The same for planes with contiguous spans. */
static void planes_out(out *o, const tpad_maker *make, const tpad_tiles *t)
{
    const int64_t bytes = t->planes.dst_step, src_step = t->planes.src_step;
    tpad_tiles staged = *t;
    go_on_at(o, t->dst + (t->planes.dst + t->spans->dst));
    for (int64_t i = 0, some; i < t->planes.count; i += some) {
        if (o->used + bytes > STAGE) flush(o);
        some = (STAGE - o->used) / bytes;
        if (some > t->planes.count - i) some = t->planes.count - i;
        staged.dst = o->stage + o->used;
        staged.planes.count = some;
        staged.planes.dst = -t->spans->dst;
        staged.planes.src = t->planes.src + i * src_step;
        fetch_soon(o, (uintptr_t)t->src + (uintptr_t)(t->planes.src + t->spans->src), src_step,
                   bytes, i + 2 * some, i + 3 * some);
        make->tiles(make->ready, &staged);
        o->used += some * bytes;
    }
}

/* 1 if the spans of a plane, and the planes, are contiguous in the output. */
static int planes_join(const tpad_tiles *t)
{
    const tpad_span *s = t->spans;
    int64_t at = s->dst;
    for (; s < t->spans + t->span_count; s++) {
        const int64_t bytes = t->planes.filled || s->filled ? t->filled_bytes : t->tile_bytes;
        if (s->dst != at || (s->count > 1 && s->dst_step != bytes)) return 0;
        at += s->count * bytes;
    }
    return at - t->spans->dst == t->planes.dst_step;
}

/* Fetches the beginnings of a plane's spans, which may be anywhere. */
static void fetch_plane(const tpad_tiles *t, int64_t src)
{
    for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++) {
        const uintptr_t at = (uintptr_t)t->src + (uintptr_t)(src + s->src);
        const int64_t bytes = t->tile_bytes < MOST_FETCHED ? t->tile_bytes : MOST_FETCHED;
        for (int64_t k = 0; k < bytes && !s->filled; k += LINE)
            __builtin_prefetch((const void *)(at + (uintptr_t)k));
    }
}

void tpad_stream_tiles(const tpad_tiles *t, const tpad_maker *make)
{
    _Alignas(LINE) unsigned char room[TPAD_VECTOR_BYTES + STAGE + TPAD_VECTOR_BYTES];
    out o = {.stage = room + TPAD_VECTOR_BYTES};
    const int whole = t->tile_bytes <= STAGE - LINE && !has_long_copy(t);
    const int many = whole && t->planes.dst_step <= STAGE - LINE && planes_join(t);
    if (many) planes_out(&o, make, t);
    for (int64_t plane = 0; plane < t->planes.count && !many; plane++) {
        unsigned char *dst = t->dst + (t->planes.dst + plane * t->planes.dst_step);
        /* The plane alone may be far from the input; with the offset of a span it is not. */
        const int64_t src = t->planes.src + plane * t->planes.src_step;
        fetch_plane(t, src + 2 * t->planes.src_step);
        for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++) {
            const int filled = t->planes.filled || s->filled;
            o.dense = s->src_step <= t->tile_bytes;
            if (!filled && whole) span_out(&o, make, t, s, dst + s->dst, t->src + (src + s->src));
            for (int64_t i = 0; i < s->count && (filled || !whole); i++) {
                unsigned char *at = dst + (s->dst + i * s->dst_step);
                go_on_at(&o, at);
                if (filled)
                    fill_out(&o, t, t->filled_bytes);
                else
                    tile_out(&o, make, t, at, t->src + (src + s->src + i * s->src_step));
            }
        }
    }
    go_on_at(&o, NULL);
}

void tpad_stream_fence(void)
{
    _mm_sfence();
}

#else
typedef int tpad_no_stream; /* ISO C requires a declaration in every file */
#endif
