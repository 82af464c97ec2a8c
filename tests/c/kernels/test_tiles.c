/* The tiles of every variant against the bytes that they stand for. SPDX-License-Identifier: MIT
 *
 * A random tile is a list of places in the input, or fill, for its bytes; a small maker writes it
 * as a table for the form, and the tiles are made by every scheme that may apply that table. Input,
 * output, index and fill lie between pages that nobody may touch. Some tiles lie on both sides of
 * such pages, so that reading or writing between tiles shows as well. The loop of tile_oracle.h,
 * which stands in for kernels in other tests, is tested the same way. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/guard.h"
#include "tile_oracle.h"

enum {
    CASES = 30000,
    ROOM = 1 << 18,
    MOST_BYTES = 9000, /* of a tile */
    MOST_TILES = 30,
    MOST_SPANS = 4,
    SCHEMES = TPAD_EIGHT + 1,
    FILL = INT32_MIN
};

static uint64_t seed = 31;

static int64_t pick(int64_t low, int64_t high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (int64_t)(seed % (uint64_t)(high - low + 1));
}

static int one_in(int64_t n)
{
    return pick(1, n) == 1;
}

/* Bytes [low, high) on one side of a tile; empty while low >= high. */
typedef struct reach {
    int64_t low, high;
} reach;

static void widen(reach *r, int64_t low, int64_t high)
{
    if (low < r->low) r->low = low;
    if (high > r->high) r->high = high;
}

typedef struct trial {
    const char *name;
    const tpad_form *form;
    tpad_tiles tiles;
    tpad_span spans[MOST_SPANS];
    tpad_piece pieces[TPAD_MOST_PIECES];
    tpad_term terms[TPAD_MOST_TERMS];
    unsigned char index[TPAD_MOST_TERMS * TPAD_VECTOR_BYTES];
    int32_t term_count;
    int32_t from[MOST_BYTES + TPAD_VECTOR_BYTES]; /* for each byte of the tile */
    reach in;                                     /* of one tile */
} trial;

/* ---- A tile ---------------------------------------------------------------------------------- */

/* Fills in where the bytes [at, at + bytes) come from, unit by unit. */
static void random_run(trial *t, int32_t at, int32_t bytes)
{
    const int32_t unit = t->form->unit, base = (int32_t)pick(-50, 50) * unit,
                  kind = (int32_t)pick(0, 4);
    const int64_t fill_percent = one_in(2) ? 0 : pick(0, 100);
    int32_t step = kind == 0 ? unit : kind == 1 ? -unit : 0;
    const int32_t spread = (int32_t)(one_in(3) ? pick(0, 60) : pick(0, 7));
    for (int32_t b = 0; b < bytes; b += unit) {
        int32_t from = base + (at + b) / unit * step;
        if (kind == 2) from += (int32_t)pick(0, spread) * unit;
        if (kind == 3) from += b / (3 * unit) * unit;
        if (kind == 4 || (kind != 0 && pick(1, 100) <= fill_percent)) from = FILL;
        for (int32_t k = 0; k < unit; k++) t->from[at + b + k] = from == FILL ? FILL : from + k;
    }
}

static void random_tile(trial *t)
{
    const int32_t vector = t->form->vector_bytes, unit = t->form->unit;
    const int32_t most[] = {2 * vector, 4 * vector, 700, one_in(8) ? MOST_BYTES : 700};
    const int32_t kind = (int32_t)pick(0, 3), least = t->form->masked ? unit : vector;
    const int32_t bytes = (int32_t)pick(least, most[kind]) / unit * unit;
    t->tiles.tile_bytes = t->tiles.filled_bytes = bytes;
    t->tiles.elem_bytes = (int32_t)(unit * pick(1, 16 / unit));
    if (one_in(2)) {
        const int32_t most_end = (int32_t)pick(0, (one_in(2) ? 1 : 2) * vector / unit) * unit;
        const int32_t end = most_end < bytes / 2 ? most_end : 0;
        random_run(t, 0, end);
        random_run(t, end, bytes - 2 * end);
        for (int32_t at = end; kind > 1 && at < bytes - end; at++) t->from[at] = at;
        random_run(t, bytes - end, end);
    } else {
        for (int32_t at = 0, some; at < bytes; at += some) {
            some = (int32_t)pick(1, 3 * vector / unit) * unit;
            if (some > bytes - at) some = bytes - at;
            random_run(t, at, some);
        }
    }
    if (one_in(3)) { /* alike vectors */
        const int32_t some = (int32_t)pick(1, vector / unit) * unit;
        const int32_t step = (int32_t)pick(-9, 9) * unit;
        for (int32_t at = some; at < bytes; at++)
            t->from[at] = t->from[at - some] == FILL ? FILL : t->from[at - some] + step;
    }
}

/* ---- Its table ------------------------------------------------------------------------------- */

/* One term for the bytes of the vector at `at` that are still wanted, of which it takes those that
 * lie in one window (of each lane), and sometimes fewer. */
static void add_term(trial *t, tpad_piece *p, int32_t at, unsigned char *wanted)
{
    const tpad_form *f = t->form;
    const int32_t lane = f->vector_bytes / f->lanes;
    tpad_term *term = &t->terms[t->term_count];
    unsigned char *index = t->index + t->term_count++ * f->vector_bytes;
    *term = (tpad_term){{0, 0}, 0};
    memset(index, TPAD_INDEX_FILL, (size_t)f->vector_bytes);
    for (int32_t l = 0; l < f->lanes; l++) {
        int32_t low = INT32_MAX;
        for (int32_t b = l * lane; b < (l + 1) * lane; b++)
            if (wanted[b] && t->from[at + b] < low) low = t->from[at + b];
        if (low == INT32_MAX) {
            low = p->terms > 0 ? p->src + term[-1].src[l] : l > 0 ? p->src + term->src[0] : p->src;
        } else if (one_in(3)) {
            low -= (int32_t)pick(0, f->window_bytes / f->unit - 1) * f->unit;
        }
        term->src[l] = low - p->src;
        for (int32_t b = l * lane; b < (l + 1) * lane; b += f->unit) {
            const int32_t from = wanted[b] ? t->from[at + b] - low : -1;
            if (from < 0 || from > f->window_bytes - f->unit) continue;
            memset(index + b, 0, (size_t)f->unit);
            index[b] = (unsigned char)(from / f->unit);
            memset(wanted + b, 0, (size_t)f->unit);
            term->load |= (((uint64_t)1 << f->unit) - 1) << from;
        }
    }
    p->terms++;
}

/* What a piece that is `k` vectors long reads in addition. */
static void note_reads(trial *t, const tpad_piece *p, int64_t first)
{
    if (p->count == 0) widen(&t->in, p->src, p->src + p->bytes);
    for (int32_t k = 0; k < p->count; k++)
        for (int64_t n = first; n < first + p->terms; n++)
            for (int32_t l = 0; l < t->form->lanes; l++) {
                const int64_t src = p->src + k * p->src_step + t->terms[n].src[l];
                if (!t->form->masked) widen(&t->in, src, src + t->form->window_bytes);
                for (int32_t b = 0; t->form->masked && b < t->form->window_bytes; b++)
                    if (t->terms[n].load >> b & 1) widen(&t->in, src + b, src + b + 1);
            }
}

/* A vector at `at`, of which `bytes` count; NULL if there is no room for its terms. */
static tpad_piece *add_vector(trial *t, int32_t at, int32_t bytes)
{
    const int32_t vector = t->form->vector_bytes, masked = t->form->masked;
    const int32_t written = masked ? bytes : vector, first = t->term_count;
    unsigned char wanted[TPAD_VECTOR_BYTES] = {0};
    tpad_piece *p = &t->pieces[t->tiles.piece_count++];
    *p = (tpad_piece){.dst = at,
                      .src = (int32_t)pick(-99, 99),
                      .bytes = bytes,
                      .dst_step = bytes,
                      .count = 1,
                      .phase = at % t->tiles.elem_bytes,
                      .store = written < 64 ? ((uint64_t)1 << written) - 1 : UINT64_MAX};
    for (int32_t b = 0; b < written; b++) {
        wanted[b] = t->from[at + b] != FILL;
        p->filled |= !wanted[b];
        if (wanted[b] && t->term_count == first) p->src = t->from[at + b];
    }
    while (memchr(wanted, 1, sizeof wanted)) {
        if (t->term_count == TPAD_MOST_TERMS) return NULL;
        add_term(t, p, at, wanted);
    }
    return p;
}

/* How many bytes from `at` on lie in the input as they stand. */
static int32_t run_at(const trial *t, int32_t at)
{
    int32_t n = 0;
    while (at + n < t->tiles.tile_bytes && t->from[at] != FILL &&
           t->from[at + n] == t->from[at] + n)
        n++;
    return n;
}

/* Lets vector p stand for what follows as far as that is alike; says where this ends. */
static int32_t repeat(const trial *t, tpad_piece *p)
{
    const int32_t end = (int32_t)t->tiles.tile_bytes;
    int32_t next = p->dst + p->bytes, step = FILL;
    if (p->terms > 1 || (p->filled && p->bytes % t->tiles.elem_bytes != 0)) return next;
    for (;; next += p->bytes, p->count++) {
        const int32_t written = t->form->masked ? p->bytes : t->form->vector_bytes;
        if (next + written > end || one_in(20)) return next;
        for (int32_t b = 0; b < p->bytes; b++) {
            const int32_t was = t->from[next - p->bytes + b], is = t->from[next + b];
            if ((was == FILL) != (is == FILL)) return next;
            if (was != FILL && step == FILL) step = is - was;
            if (was != FILL && is - was != step) return next;
        }
        p->src_step = step == FILL ? 0 : step;
    }
}

/* Lets two pieces make the vectors of one by turns, if there is room. */
static void split(trial *t, tpad_piece *p)
{
    const int32_t terms = t->term_count, vector = t->form->vector_bytes;
    if (p->count == 1 || (p->bytes < vector && !t->form->masked) ||
        t->tiles.piece_count == TPAD_MOST_PIECES || terms + p->terms > TPAD_MOST_TERMS)
        return;
    tpad_piece *second = &t->pieces[t->tiles.piece_count++];
    *second = *p;
    second->dst += p->dst_step;
    second->src += p->src_step;
    second->count = p->count / 2;
    p->count -= second->count;
    p->dst_step = second->dst_step = 2 * p->dst_step;
    p->src_step = second->src_step = 2 * p->src_step;
    if (p->terms == 0) return;
    t->terms[terms] = t->terms[terms - 1];
    memcpy(t->index + terms * vector, t->index + (terms - 1) * vector, (size_t)vector);
    t->term_count++;
}

/* Says whether the tile has room in a table. */
static int make_table(trial *t)
{
    const int32_t vector = t->form->vector_bytes, end = (int32_t)t->tiles.tile_bytes;
    const int copies = !one_in(4), repeats = one_in(2), shorter = one_in(3);
    const int exact = one_in(2); /* copies begin where they can, and not before */
    t->tiles.piece_count = t->term_count = 0;
    t->in = (reach){INT32_MAX, INT32_MIN};
    for (int32_t at = 0; at < end;) {
        const int32_t run = run_at(t, at), first = t->term_count;
        tpad_piece *p;
        if (t->tiles.piece_count == TPAD_MOST_PIECES) return 0;
        if (copies && run >= 2 * vector) {
            const int32_t less =
                run == end - at || one_in(2) ? 0 : (int32_t)pick(0, run - 2 * vector);
            const int32_t bytes = (run - less) / t->form->unit * t->form->unit;
            int32_t back = 0; /* of what was written already */
            while (!exact && back < vector / 2 && back < at &&
                   run_at(t, at - back - 1) > run + back)
                back++;
            p = &t->pieces[t->tiles.piece_count++];
            *p = (tpad_piece){.dst = at - back, .src = t->from[at - back], .bytes = bytes + back};
            at += bytes;
        } else {
            int32_t bytes = end - at < vector ? end - at : vector, back = 0;
            if (shorter && at + vector < end)
                bytes = (int32_t)pick(1, vector / t->form->unit) * t->form->unit;
            if (bytes < vector && !t->form->masked && at + vector > end) back = vector - bytes;
            if (exact && back == 0 && copies && at + vector < end)
                for (int32_t k = t->form->unit; k < bytes; k += t->form->unit)
                    if (run_at(t, at + k) >= 2 * vector) bytes = k;
            p = add_vector(t, at - back, bytes + back);
            if (!p) return 0;
            at += bytes;
            if (repeats && back == 0) at = repeat(t, p);
        }
        note_reads(t, p, first);
        if (p->count > 1 && one_in(3)) split(t, p);
    }
    return 1;
}

/* ---- Where tiles lie ------------------------------------------------------------------------- */

static void random_span(tpad_span *s, int64_t count, int64_t bytes, int64_t *next)
{
    const int filled = one_in(8);
    const int64_t gap = one_in(2) ? 0 : pick(0, 100);
    *s = (tpad_span){count, *next, 0, bytes + gap, 0, filled};
    *next += count * s->dst_step;
    if (one_in(6)) {
        s->dst = *next - s->dst_step;
        s->dst_step = -s->dst_step;
    }
    if (filled) return;
    s->src = pick(-1000, 1000);
    s->src_step = one_in(6) ? 0 : pick(-800, 800);
}

static void random_trial(trial *t, const char *name, const tpad_form *form)
{
    tpad_tiles *tiles = &t->tiles;
    const int64_t begin = one_in(2) ? 0 : pick(-100, 100);
    int64_t next = begin;
    memset(t, 0, sizeof *t);
    t->name = name;
    t->form = form;
    tiles->pieces = t->pieces;
    tiles->terms = t->terms;
    tiles->spans = t->spans;
    do random_tile(t);
    while (!make_table(t));
    const int64_t most = tiles->tile_bytes > 700 ? 2 : one_in(3) ? MOST_TILES : 5;
    tiles->span_count = (int32_t)pick(1, MOST_SPANS);
    for (int32_t i = 0; i < tiles->span_count; i++)
        random_span(&t->spans[i], pick(1, most), tiles->tile_bytes, &next);
    random_span(&tiles->planes, pick(1, next - begin < 1000 ? 12 : 3), next - begin, &(int64_t){0});
    for (int32_t i = 0; i < tiles->span_count; i++) /* filled tiles hold whole values */
        if (tiles->tile_bytes % tiles->elem_bytes != 0)
            t->spans[i].filled = tiles->planes.filled = 0;
    if (tiles->span_count > 1 && one_in(6)) {
        const tpad_span first = t->spans[0];
        t->spans[0] = t->spans[1];
        t->spans[1] = first;
    }
}

/* Which schemes the table allows. */
static int allowed(const trial *t, int32_t scheme)
{
    const tpad_tiles *tiles = &t->tiles;
    int32_t longs = 0, at = 0, terms = 0, single = 1;
    for (int32_t k = 0; k < tiles->piece_count; k++) {
        const tpad_piece *p = &t->pieces[k];
        if (p->count != 1) longs++, at = k;
        if (p->count == 1) single = single && p->terms == 1;
        if (p->terms > terms) terms = p->terms;
    }
    const int middle = longs == 1 && at <= 1 && tiles->piece_count - at <= 2 && terms <= 2;
    const int of_5 = longs == 1 && at == 2 && tiles->piece_count == 5 && single;
    if (scheme == TPAD_HELD) return longs == 0 && tiles->piece_count <= TPAD_MOST_HELD && single;
    if (scheme == TPAD_ROWS) return (middle || of_5) && t->pieces[at].count == 0;
    if (scheme == TPAD_ALIKE) return middle && t->pieces[at].count > 1 && t->pieces[at].terms == 1;
    return scheme == TPAD_IN_ORDER || longs == 0;
}

/* 1 if the pieces follow each other, so that they may go around the caches. */
static int may_stream(const trial *t)
{
    for (int32_t k = 0; k < t->tiles.piece_count; k++)
        if (t->pieces[k].count > 1 && t->pieces[k].dst_step != t->pieces[k].bytes) return 0;
    return t->form->stream_bytes > 0;
}

static reach all_of(const tpad_span *s, reach one, int output)
{
    const int64_t first = output ? s->dst : s->src, step = output ? s->dst_step : s->src_step;
    reach all = {INT32_MAX, INT32_MIN};
    widen(&all, one.low + first, one.high + first);
    widen(&all, one.low + first + (s->count - 1) * step, one.high + first + (s->count - 1) * step);
    return all;
}

/* What all tiles together reach on one side. */
static reach all_tiles(const trial *t, int output)
{
    const reach one = output ? (reach){0, t->tiles.tile_bytes} : t->in;
    reach all = {INT32_MAX, INT32_MIN};
    for (const tpad_span *s = t->spans; s < t->spans + t->tiles.span_count; s++) {
        if (!output && (s->filled || t->tiles.planes.filled || one.low >= one.high)) continue;
        const reach tiles = all_of(s, one, output);
        widen(&all, tiles.low, tiles.high);
    }
    return all.low < all.high ? all_of(&t->tiles.planes, all, output) : (reach){0, 0};
}

/* ---- Running it ------------------------------------------------------------------------------ */

static guard in[2], out[2], index_guard, fill_guard;
static unsigned char before[2][ROOM], expected[2][ROOM];

static void fill_random(unsigned char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++) at[i] = (unsigned char)pick(0, 255);
}

/* `bytes` in a place of their own: against a page that must not be touched, or between paint. */
static unsigned char *place(guard *g, int64_t bytes, int where)
{
    return guard_place(g, (size_t)bytes, where, (unsigned)pick(0, 1000));
}

static void place_table(trial *t)
{
    const int64_t bytes = (int64_t)t->term_count * t->form->vector_bytes;
    const int64_t fill_bytes = TPAD_VECTOR_BYTES + t->tiles.elem_bytes;
    unsigned char *index = place(&index_guard, bytes, GUARD_AT_END);
    unsigned char *fill = place(&fill_guard, fill_bytes, GUARD_AT_END);
    memcpy(index, t->index, (size_t)bytes);
    fill_random(fill, t->tiles.elem_bytes);
    for (int64_t i = t->tiles.elem_bytes; i < fill_bytes; i++)
        fill[i] = fill[i - t->tiles.elem_bytes];
    t->tiles.index = index;
    t->tiles.fill = fill;
    guard_read_only(&index_guard);
    guard_read_only(&fill_guard);
}

static void place_room(int room, reach from, reach to, int where)
{
    const int64_t in_bytes = from.high - from.low, out_bytes = to.high - to.low;
    fill_random(place(&in[room], in_bytes, (int)pick(GUARD_AT_END, GUARD_BETWEEN)), in_bytes);
    guard_read_only(&in[room]);
    fill_random(place(&out[room], out_bytes, where), out_bytes);
    memcpy(before[room], out[room].block, (size_t)out_bytes);
    memcpy(expected[room], out[room].block, (size_t)out_bytes);
}

static int complain(const trial *t, int64_t n, int64_t at, const char *what)
{
    printf("%s, unit %d, scheme %d%s, case %" PRId64 ": %s, byte %" PRId64
           " of the output; tiles of %" PRId64 ", fill of %d\n",
           t->name, t->form->unit, t->tiles.scheme, t->tiles.streamed ? " streamed" : "", n, what,
           at, t->tiles.tile_bytes, t->tiles.elem_bytes);
    for (int32_t i = -1; i < t->tiles.span_count; i++) {
        const tpad_span *s = i < 0 ? &t->tiles.planes : &t->spans[i];
        printf("  %s: %" PRId64 " from %" PRId64 " + %" PRId64 " to %" PRId64 " + %" PRId64 "%s\n",
               i < 0 ? "planes" : "span", s->count, s->src, s->src_step, s->dst, s->dst_step,
               s->filled ? ", filled" : "");
    }
    for (int32_t k = 0; k < t->tiles.piece_count; k++) {
        const tpad_piece *p = &t->pieces[k];
        printf("  %d x %d to %d + %d from %d + %d, %d terms, phase %d, store %" PRIx64 "\n",
               p->count, p->bytes, p->dst, p->dst_step, p->src, p->src_step, p->terms, p->phase,
               p->store);
    }
    return 1;
}

/* An address `first` bytes before the block: that of a tile's beginning, which may be outside. */
static unsigned char *base(const unsigned char *block, int64_t first)
{
    return (unsigned char *)((uintptr_t)block - (uintptr_t)first);
}

/* Writes what is to be in one tile. */
static void expect(const trial *t, unsigned char *to, const unsigned char *src, int filled)
{
    for (int64_t b = 0; b < t->tiles.tile_bytes; b++)
        to[b] = filled || t->from[b] == FILL ? t->tiles.fill[b % t->tiles.elem_bytes]
                                             : *(base(src, -t->from[b]));
}

/* Every scheme that the table allows, and around the caches as well. */
static int run_all(trial *t, int64_t n, int rooms)
{
    for (int32_t way = 0; way < 2 * SCHEMES; way++) {
        t->tiles.scheme = way / 2;
        t->tiles.streamed = way % 2;
        if (!allowed(t, t->tiles.scheme) || (t->tiles.streamed && !may_stream(t))) continue;
        for (int room = 0; room < rooms; room++)
            memcpy(out[room].block, before[room], out[room].block_bytes);
        if (t->form->tiles)
            t->form->tiles(&t->tiles);
        else
            naive_tiles(t->form, &t->tiles);
        for (int room = 0; room < rooms; room++) {
            const guard *g = &out[room];
            if (!guard_intact(g)) return complain(t, n, 0, "bytes beside the output were written");
            for (size_t k = 0; k < g->block_bytes; k++)
                if (g->block[k] != expected[room][k])
                    return complain(t, n, (int64_t)k, "not what is expected");
        }
    }
    return 0;
}

/* All tiles in one room. */
static int check_spans(trial *t, int64_t n)
{
    const reach to = all_tiles(t, 1), from = all_tiles(t, 0);
    const tpad_span *planes = &t->tiles.planes;
    place_room(0, from, to, (int)pick(GUARD_AT_END, GUARD_BETWEEN));
    t->tiles.src = base(in[0].block, from.low);
    t->tiles.dst = base(out[0].block, to.low);
    for (int64_t plane = 0; plane < planes->count; plane++)
        for (const tpad_span *s = t->spans; s < t->spans + t->tiles.span_count; s++)
            for (int64_t i = 0; i < s->count; i++)
                expect(t,
                       expected[0] + planes->dst + plane * planes->dst_step + s->dst +
                           i * s->dst_step - to.low,
                       base(t->tiles.src,
                            -(planes->src + plane * planes->src_step + s->src + i * s->src_step)),
                       planes->filled || s->filled);
    return run_all(t, n, 1);
}

/* Two tiles, and forbidden pages between them. */
static int check_rooms(trial *t, int64_t n)
{
    const reach none = {0, 0}, to = {0, t->tiles.tile_bytes};
    const reach from = t->in.low < t->in.high ? t->in : none;
    const int where = (int)pick(GUARD_AT_END, GUARD_BETWEEN);
    for (int room = 0; room < 2; room++) place_room(room, from, to, where);
    t->tiles.src = base(in[0].block, from.low);
    t->tiles.dst = out[0].block;
    t->tiles.planes = (tpad_span){1, 0, 0, 0, 0, 0};
    t->tiles.span_count = 1;
    t->spans[0] = (tpad_span){2,
                              0,
                              0,
                              (int64_t)((uintptr_t)out[1].block - (uintptr_t)out[0].block),
                              (int64_t)((uintptr_t)in[1].block - (uintptr_t)in[0].block),
                              0};
    for (int room = 0; room < 2; room++)
        expect(t, expected[room], base(in[room].block, from.low), 0);
    return run_all(t, n, 2);
}

static int check_form(const char *name, const tpad_form *form)
{
    static trial t;
    int64_t schemes[SCHEMES] = {0}, streamed = 0;
    for (int64_t n = 0; n < CASES; n++) {
        random_trial(&t, name, form);
        place_table(&t);
        for (int32_t i = 0; i < SCHEMES; i++) schemes[i] += allowed(&t, i);
        streamed += may_stream(&t);
        if (one_in(4) ? check_rooms(&t, n) : check_spans(&t, n)) return 1;
    }
    printf("%s, unit %d: %d tables equal (in order %" PRId64 ", held %" PRId64 ", rows %" PRId64
           ", alike %" PRId64 ", eight %" PRId64 ", streamed %" PRId64 ")\n",
           name, form->unit, CASES, schemes[0], schemes[1], schemes[2], schemes[3], schemes[4],
           streamed);
    return 0;
}

int main(void)
{
    guard *const all[] = {&in[0], &in[1], &out[0], &out[1], &index_guard, &fill_guard};
    static const tpad_form naive[] = {{64, 1, 64, 1, 1, 1, NULL}, {32, 2, 16, 2, 0, 1, NULL}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_open(all[i], ROOM);
    for (int i = 0; i < 2; i++)
        if (check_form("naive", &naive[i])) return 1;
    for (int i = 0; tpad_kernels_at(i); i++) {
        const tpad_kernels *kernels = tpad_kernels_at(i);
        if (kernels->form_count == 0)
            printf("%s: has no tiles\n", kernels->name);
        else if (!kernels->usable())
            printf("%s: not tested, this machine cannot run it\n", kernels->name);
        else
            for (int32_t k = 0; k < kernels->form_count; k++)
                if (check_form(kernels->name, &kernels->forms[k])) return 1;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guard_close(all[i]);
    return 0;
}
