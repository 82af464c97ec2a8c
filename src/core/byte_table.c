/* Makes the table of a tile of whole bytes. SPDX-License-Identifier: MIT
 *
 * The problem: thousands of short rows. A frame of one cell around maps of 14 x 14 floats makes
 * rows of 64 bytes; if they are copied one by one, the calls and branches take longer than the
 * copying itself.
 *
 * The idea: in every mode, each byte of every row comes from the same place relative to the row's
 * source, or it is fill. So one row, or one small plane, is described once, when the plan is made:
 * the tile. A run applies this table to every tile by shuffles of whole vectors. table.h begins
 * with an example in numbers.
 *
 * The tile is cut into pieces, in the order of the output. A piece is a long copy, or one vector of
 * output, or several vectors that are alike: a mirror, a repeated edge, evenly spaced elements,
 * fill. A vector is fill and terms. A term is a window of the input and an index, which says for
 * each byte of the vector which byte of the window it is. With wide elements or many interior
 * cells, the pattern that repeats may be longer than a vector. Then there is one piece for each
 * vector of the pattern, which writes that vector in every repetition in the tile.
 *
 * The scheme says how a kernel goes through tiles. It follows from the pieces:
 *
 *     held      at most 4 single vectors of one term        tile by tile, all indices in registers
 *     rows      a copy, with at most one vector of at       the same
 *               most two terms on each side, or with
 *               two of one term on both
 *     alike     the same, with vectors that are alike,      the same
 *               of one term, in place of the copy
 *     eight     single vectors of any terms                 eight tiles at a time; an index is read once
 *     in order  any                                         tile by tile, piece by piece
 *
 * A row of more than three vectors is first described with long pieces. This description is kept in
 * three cases: the scheme is "rows"; it is "alike" and the row has more than four vectors; it is
 * "in order" and the row has more than 400 bytes (eight such rows would leave the first-level cache
 * before their last vectors are written). Otherwise the row is described again by single vectors,
 * if these fit into the table.
 *
 * A variant of the kernels lists its forms, best first: the length of a vector and of a window, the
 * unit of the index, whether loads and stores can be masked. The table is made for the first form
 * whose unit divides all places of the tile; the last form has the unit 1. Forms without masks
 * write whole vectors and read whole windows, so a tile may write some bytes twice, with the same
 * values, and a window may hold bytes that nobody takes. It never reaches outside the input. If no
 * window fits, or the table is full, the plan has no table.
 *
 * What bounds it: the table has TPAD_TABLE_BYTES, so long rows without a pattern do not fit. On
 * rows of one or two vectors the stores are the limit. */
#include "../kernels/kernels.h"
#include "checked.h"
#include "plan.h"
#include "table.h"
#include "tiles.h"

#if TPAD_TABLE_BYTES > 0

enum {
    MOST_TILE_BYTES = 400,    /* of several rows; eight such tiles stay in the first-level cache */
    MOST_BORDER_VECTORS = 32, /* the same where rows repeat others: they are no span of their own */
    SHORT_VECTORS = 3,        /* rows of more have a middle that is one piece */
    FEWEST_ALIKE = 2,         /* vectors that are worth a piece of their own */
    ROUND_VECTORS = 8,        /* vectors, where the pattern is longer than one */
    ROUNDS_TILE_BYTES = 16384, /* bytes of a tile with rounds, which is gone over for each vector */
    WHOLE_OUTPUT_BYTES = 256,  /* an output up to this size is one tile; a larger one at least
                                * four */
    LATE_STREAM_BYTES = 4 << 20 /* streamed if it is read late: measured in docs/performance.md */
};

/* State while the table is generated. */
typedef struct byte_table {
    plan *p;
    const tpad_form *form;
    tile_map map;
    int32_t elem, vector, lane; /* bytes of the fill value, of a vector, of a lane of it */
    int64_t low, high;          /* whole windows must lie between these, relative to the tile */
    int32_t reach;              /* where the last of them ends */
    int32_t upwards;            /* vectors follow that are alike, from windows after this one's */
    int32_t pieces, terms, capacity;
    tpad_piece *piece;
    tpad_term *term;
    unsigned char *index;
} byte_table;

static uint64_t ones(int64_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
}

/* Writes the index of one grain that begins at byte `place` of the window: of each byte of it, or
 * of each unit of 2 or 4 bytes. The machines that have tables are little-endian. */
static void put_index(const byte_table *t, unsigned char *index, int64_t place)
{
    const int32_t unit = t->form->unit, grain = t->map.grain;
    for (int32_t k = 0; k < grain; k += unit) {
        const uint32_t number = (uint32_t)((place + k) / unit);
        if (unit == 1)
            index[k] = (unsigned char)number;
        else if (unit == 2)
            tpad_memcpy(index + k, &number, 2);
        else
            tpad_memcpy(index + k, &number, 4);
    }
}

/* Where the window for what a lane still has to take begins; `other` if that is nothing. */
static int64_t window_begin(const byte_table *t, const int32_t *from, int32_t count, int64_t other)
{
    const int64_t window = t->form->window_bytes, grain = t->map.grain;
    int64_t low = INT64_MAX, end = t->low + window;
    for (int32_t i = 0; i < count; i++)
        if (from[i] != NO_SOURCE && from[i] < low) low = from[i];
    if (low == INT64_MAX) return other;
    if (t->form->masked) return low;
    /* A window that is read whole ends where the input does. */
    low = tpad_min(low, t->high - window);
    if (!t->upwards) return low;
    /* It ends as early as it can, so that many like it can follow. */
    for (int32_t i = 0; i < count; i++)
        if (from[i] != NO_SOURCE && from[i] + grain > end && from[i] + grain <= low + window)
            end = from[i] + grain;
    return end - window;
}

/* Adds a term: the next window of each lane. Marks what it holds of `from` as taken. Returns how
 * many grains that is, or 0 if there is no room. */
static int32_t add_term(byte_table *t, int32_t *from, int32_t count)
{
    if (t->terms == t->capacity) return 0;
    const int32_t grain = t->map.grain, window = t->form->window_bytes;
    const int32_t in_lane = t->lane / grain;
    unsigned char *index = t->index + (int64_t)t->terms * t->vector;
    tpad_term *term = &t->term[t->terms++];
    int32_t taken = 0;
    int64_t begin = t->low;
    *term = (tpad_term){.load = 0};
    tpad_memset(index, TPAD_INDEX_FILL, (size_t)t->vector);
    for (int32_t lane = 0; lane < t->form->lanes; lane++) {
        const int32_t first = lane * in_lane;
        const int32_t most = first < count ? (int32_t)tpad_min(in_lane, count - first) : 0;
        begin = window_begin(t, from + first, most, begin);
        term->src[lane] = (int32_t)begin;
        if (begin + window > t->reach) t->reach = (int32_t)(begin + window);
        for (int32_t i = first; i < first + most; i++) {
            const int64_t place = from[i] - begin;
            if (from[i] == NO_SOURCE || place > window - grain) continue;
            put_index(t, index + i * grain, place);
            term->load |= ones(grain) << place;
            from[i] = NO_SOURCE;
            taken++;
        }
    }
    return taken;
}

/* Adds the vector that begins at byte `at` of the tile; its first `bytes` bytes count. It has one
 * term or more. Returns 0 if there is no room. */
static int add_vector(byte_table *t, int64_t at, int64_t bytes)
{
    int32_t from[TPAD_VECTOR_BYTES], left = 0;
    const int32_t count = (int32_t)bytes >> t->map.grain_shift;
    if (t->pieces == t->capacity) return 0;
    tpad_piece piece = {.dst = (int32_t)at,
                        .bytes = (int32_t)bytes,
                        .count = 1,
                        .phase = (int32_t)(at % t->elem),
                        .store = ones(bytes)};
    tpad_tile_gather(&t->map, at, count, from);
    for (int32_t i = 0; i < count; i++) left += from[i] != NO_SOURCE;
    piece.filled = left < count;
    do {
        const int32_t taken = add_term(t, from, count);
        if (taken == 0 && (left > 0 || t->terms == t->capacity)) return 0;
        piece.terms++;
        left -= taken;
    } while (left > 0);
    t->piece[t->pieces++] = piece;
    return 1;
}

/* Cells of a row that one rule describes, from some place of the tile on: a copy, or vectors that
 * are alike, in rounds of one vector or more. */
typedef struct section {
    int64_t bytes; /* as far as it goes */
    int is_copy;
    int64_t src; /* of a copy, which has nothing of what follows */
    /* Period of its pattern in bytes; 0: none, and the fields below are unused. */
    int64_t unit;
    int32_t vectors;  /* of a round */
    int64_t step;     /* the bytes that a round makes */
    int64_t src_step; /* from one round to the next */
} section;

/* The section that begins at byte `at` of the tile. */
static section section_at(const byte_table *t, int64_t at)
{
    const tile_map *m = &t->map;
    const axis *a = m->inner;
    const int64_t cell = m->plan->cell;
    const int64_t in_row = at % m->row_size, rest = in_row % cell;
    int64_t base;
    run r = {(m->row_size - in_row) / cell, -1, 0, 1};
    if (tpad_tile_row(m, at / m->row_size, &base)) r = tpad_axis_run(a, in_row / cell);
    const int is_fill = r.source < 0;
    section s = {.bytes = r.length * cell - rest};
    const int64_t step = r.step * a->in_stride;
    s.is_copy = !is_fill && r.spacing == 1 && step == cell;
    if (s.is_copy) {
        s.src = base + r.source * a->in_stride + rest;
        return s;
    }
    if (rest != 0) return s;
    /* No row has more than MOST_REACH / cell cells, so a larger spacing has no second cell; its
     * bytes may be more than 64 bits hold. */
    s.unit = is_fill ? t->elem : tpad_min(r.spacing, MOST_REACH / cell) * cell;
    s.vectors = 1;
    s.step = t->vector / s.unit * s.unit;
    if (s.step == 0 && t->map.size <= ROUNDS_TILE_BYTES) {
        s.step = s.unit * tpad_tile_best_group(s.unit, 1, 1, INT64_MAX, t->vector, ROUND_VECTORS);
        s.vectors = (int32_t)((s.step + t->vector - 1) / t->vector);
    }
    /* Where a second round follows. A single element may have any stride. */
    if (!is_fill && s.bytes >= 2 * s.step) s.src_step = s.step / s.unit * step;
    if (s.step == 0) s.unit = 0;
    return s;
}

/* How many vectors of a section may stand there. */
static int64_t vectors_of(const byte_table *t, const section *s, int64_t at)
{
    if (s->unit == 0) return 0;
    if (t->form->masked || s->vectors > 1) return s->bytes / s->step;
    /* What the last vector writes beyond its step must be part of the tile. */
    const int64_t room = t->map.size - at - t->vector;
    return room < 0 ? 0 : tpad_min(s->bytes / s->step, room / s->step + 1);
}

/* How many vectors like the piece that was added last can follow it, so that all of their windows
 * are input; at most `count`. */
static int64_t alike_in_reach(const byte_table *t, const section *s, int64_t count)
{
    const int64_t window = t->form->window_bytes;
    for (int32_t lane = 0; lane < t->form->lanes && !t->form->masked; lane++) {
        const int64_t src = t->term[t->terms - 1].src[lane];
        if (s->src_step > 0)
            count = tpad_min(count, (t->high - window - src) / s->src_step + 1);
        else if (s->src_step < 0)
            count = tpad_min(count, (src - t->low) / -s->src_step + 1);
    }
    return count;
}

/* Writes down vectors that are alike as one piece, or as one for each vector of a round. Returns
 * the bytes that they make, or 0. */
static int64_t add_alike(byte_table *t, int64_t at, const section *s, int64_t count)
{
    const int32_t pieces = t->pieces, terms = t->terms;
    for (int32_t v = 0; v < s->vectors; v++) {
        /* The last vector of several ends where the round does. */
        const int64_t bytes = tpad_min(t->vector, s->step);
        t->upwards = s->src_step > 0;
        const int added = add_vector(t, at + tpad_min(v * bytes, s->step - bytes), bytes);
        t->upwards = 0;
        if (!added || t->piece[t->pieces - 1].terms > 1) {
            t->pieces = pieces;
            t->terms = terms;
            return 0;
        }
        tpad_piece *piece = &t->piece[t->pieces - 1];
        if (t->term[t->terms - 1].load == 0) {
            piece->terms = 0; /* all of it is fill */
            t->terms--;
        } else {
            count = alike_in_reach(t, s, count);
        }
        piece->dst_step = (int32_t)s->step;
        piece->src_step = (int32_t)s->src_step;
    }
    for (int32_t k = pieces; k < t->pieces; k++) t->piece[k].count = (int32_t)count;
    for (int32_t k = terms; k < t->terms; k++) {
        for (int32_t lane = 0; lane < t->form->lanes; lane++) {
            const int64_t last = t->term[k].src[lane] + (count - 1) * s->src_step;
            if (last + t->form->window_bytes > t->reach)
                t->reach = (int32_t)(last + t->form->window_bytes);
        }
    }
    return count * s->step;
}

/* Writes down a copy. Returns its bytes, or 0. A remainder shorter than a vector is covered by one
 * that ends with the tile. */
static int64_t add_copy(byte_table *t, int64_t at, const section *s)
{
    int64_t bytes = s->bytes;
    const int64_t after = t->map.size - at - bytes;
    if (after > 0 && after < t->vector) bytes += after - t->vector;
    if (bytes < t->vector) bytes = s->bytes;
    if (bytes < t->vector || t->pieces == t->capacity) return 0;
    t->piece[t->pieces++] =
        (tpad_piece){.dst = (int32_t)at, .src = (int32_t)s->src, .bytes = (int32_t)bytes};
    return bytes;
}

/* Length of the mixed vector at `at`, shortened so that vectors of one pattern can follow. */
static int64_t mixed_bytes(const byte_table *t, int64_t at)
{
    const int64_t row_left = t->map.row_size - at % t->map.row_size;
    for (int64_t before = 0; before < t->vector && before < row_left;) {
        const section s = section_at(t, at + before);
        const int64_t units = s.unit > 0 ? (t->vector - before) / s.unit : 0;
        const int64_t bytes = before + units * s.unit;
        if (bytes > 0 && vectors_of(t, &s, at + before) >= FEWEST_ALIKE) return bytes;
        before += s.bytes;
    }
    return t->vector;
}

/* Writes down the next piece of a long row, if it is more than one vector. Returns its bytes. */
static int64_t add_long(byte_table *t, int64_t at)
{
    const section s = section_at(t, at);
    if (s.is_copy) return add_copy(t, at, &s);
    const int64_t count = vectors_of(t, &s, at);
    return count >= FEWEST_ALIKE ? add_alike(t, at, &s, count) : 0;
}

/* 0 if a long non-copy section starts here that add_long could not place and that would fill the
 * table: single vectors mostly have two terms, and writing as many as fit would take longer than
 * most outputs. */
static int fits_vectors(const byte_table *t, int64_t at)
{
    const section s = section_at(t, at);
    const int begins = at % t->map.row_size % t->p->cell == 0;
    return s.is_copy || !begins || s.bytes / t->vector <= TPAD_MOST_TERMS / 2;
}

/* Writes down all pieces of the tile; by vectors alone, or with copies and vectors that are alike
 * in one piece. Returns 0 if it cannot. */
static int write_pieces(byte_table *t, int long_rows)
{
    const int64_t size = t->map.size, vector = t->vector;
    const int once = t->p->tile.loops == t->p->loop_count;
    for (int64_t at = 0, made; at < size; at += made) {
        made = long_rows ? add_long(t, at) : 0;
        if (made > 0) continue;
        if (long_rows && !fits_vectors(t, at)) return 0;
        made = tpad_min(long_rows ? mixed_bytes(t, at) : vector, size - at);
        if (size - at < vector && size >= vector && !(t->form->masked && once)) {
            /* The last vector ends where the tile does and writes some bytes twice: parts of
             * vectors are slower, where they can be written at all. */
            at = size - vector;
            made = vector;
        }
        if (!add_vector(t, at, made)) return 0;
    }
    return 1;
}

/* The scheme for `count` pieces. */
static int32_t scheme_of(const tpad_piece *pieces, int32_t count)
{
    int32_t copies = 0, singles = 0, held = 0, at = 0;
    for (int32_t k = 0; k < count; k++) {
        if (pieces[k].count != 1) at = k;
        copies += pieces[k].count == 0;
        singles += pieces[k].count == 1;
        held += pieces[k].count == 1 && pieces[k].terms == 1;
    }
    if (held == count && count <= TPAD_MOST_HELD) return TPAD_HELD;
    if (singles == count) return TPAD_EIGHT;
    if (copies == 1 && held == 4 && count == 5 && at == 2) return TPAD_ROWS;
    /* One that is not a single vector, and at most one of two terms on each side of it. */
    if (singles == count - 1 && at <= 1 && count - at <= 2 && (at == 0 || pieces[0].terms <= 2) &&
        (at == count - 1 || pieces[at + 1].terms <= 2)) {
        if (copies == 1) return TPAD_ROWS;
        if (pieces[at].terms == 1) return TPAD_ALIKE;
    }
    return TPAD_IN_ORDER;
}

/* Writes down the tile, in the way that `long_rows` says (write_pieces). Returns 0, and the tile
 * has no pieces, if it cannot. */
static int write_tile(byte_table *t, plan_tile *made, int long_rows)
{
    t->pieces = made->first_piece;
    t->terms = made->first_term;
    t->reach = INT32_MIN;
    made->pieces = 0;
    if (!long_rows && t->map.size > TPAD_MOST_PIECES * (int64_t)t->vector) return 0;
    if (write_pieces(t, long_rows) && t->pieces - made->first_piece <= TPAD_MOST_PIECES &&
        t->terms - made->first_term <= TPAD_MOST_TERMS) {
        made->pieces = t->pieces - made->first_piece;
        made->scheme = scheme_of(t->piece + made->first_piece, made->pieces);
        return 1;
    }
    t->pieces = made->first_piece;
    t->terms = made->first_term;
    return 0;
}

/* 1 if a long row is written faster in order than with seven others at a time, which are kept in
 * the first-level cache until their last vectors are written. */
static int is_worth_long(const byte_table *t, int32_t scheme)
{
    const int64_t size = t->map.row_size;
    if (scheme == TPAD_IN_ORDER) return size > MOST_TILE_BYTES;
    return scheme == TPAD_ROWS || (scheme == TPAD_ALIKE && size > (SHORT_VECTORS + 1) * t->vector);
}

/* Writes down `tiles` neighbouring tiles as one. Without pieces if it cannot. */
static plan_tile describe(byte_table *t, int32_t tiles)
{
    const tpad_form *form = t->form;
    plan_tile made = {.tiles = tiles, .first_piece = t->pieces, .first_term = t->terms};
    if (!tpad_tile_map(&t->map, t->p, tiles)) return made;
    t->low = t->map.low;
    t->high = t->map.high;
    if (!form->masked) {
        const int64_t least = t->low + form->window_bytes;
        if (t->map.size < t->vector) return made;
        /* Windows that are read whole must hold nothing but input. They may go beyond the tile's
         * own if there is no gap in all of the input; the walk sees to the last tiles. */
        if (t->high < least && t->p->in_low < t->p->in_high)
            t->high = least;
        else if (t->high < least || !(t->map.is_dense || t->p->in_low < t->p->in_high))
            return made;
    }
    const int long_rows = t->map.row_size > SHORT_VECTORS * t->vector;
    if (!(long_rows && write_tile(t, &made, 1) && is_worth_long(t, made.scheme)) &&
        !write_tile(t, &made, 0) && long_rows)
        write_tile(t, &made, 1);
    if (made.pieces == 0) return made;
    made.low = (int32_t)t->map.low;
    made.high = (int32_t)t->map.high;
    if (!form->masked && t->reach > made.high) made.beyond = t->reach - made.high;
    return made;
}

/* The tables of the tile that was chosen: of a single one, and of a group. */
static int make_tables(byte_table *t)
{
    plan *p = t->p;
    const int64_t most = tpad_tile_neighbours(p, &p->tile);
    t->pieces = t->terms = 0;
    p->single = describe(t, 1);
    p->group = (plan_tile){.tiles = 1};
    /* What no group takes is done tile by tile, or else row by row. */
    if (p->single.pieces == 0 && p->tile.loops > 1) return 0;
    if (t->map.row_size <= SHORT_VECTORS * t->vector) {
        /* Only masked forms can write less than a vector. */
        const int64_t fewest = t->form->masked ? 1 : (t->vector - 1) / p->tile.size + 1;
        const int64_t group =
            tpad_tile_best_group(p->tile.size, fewest, 1, most, t->vector, TPAD_MOST_HELD);
        if (group > 1) p->group = describe(t, (int32_t)group);
    }
    return p->single.pieces > 0 || p->group.pieces > 0;
}

/* The largest power of two, at most 16, that divides whatever the tile's addresses are made of: its
 * logarithm. */
static int32_t grain_shift_of(const plan *p, int32_t elem)
{
    uint64_t all = 16 | (uint64_t)p->cell | (uint64_t)elem;
    for (int32_t k = 0; k < p->loop_count; k++) all |= (uint64_t)p->loops[k].in_stride;
    int32_t shift = 0;
    while ((all >> shift & 1) == 0) shift++;
    return shift;
}

/* The bytes of a tile of several rows, or of several planes, at most. Rows with others before or
 * after them that repeat them would be three spans or more. */
static int64_t most_tile(const plan *p, int32_t vector)
{
    if (p->loop_count < 2) return MOST_TILE_BYTES;
    const axis *rows = &p->loops[p->loop_count - 2];
    int32_t runs = 0;
    for (int64_t i = 0; i < rows->extent && runs < 2;) {
        const run r = tpad_axis_run(rows, i);
        runs += r.source >= 0;
        i += r.length;
    }
    return runs < 2 ? MOST_TILE_BYTES : MOST_BORDER_VECTORS * (int64_t)vector;
}

/* 1 if the output is better written around the caches, and the pieces allow it (kernels.h). */
static int is_streamed(const byte_table *t)
{
    const int32_t said = t->p->flags & (PLAN_READ_SOON | PLAN_READ_LATE);
    const int64_t own = t->form->stream_bytes;
    const int64_t from = said == PLAN_READ_LATE ? LATE_STREAM_BYTES : own;
    for (int32_t k = 0; k < t->pieces; k++)
        if (t->piece[k].count > 1 && t->piece[k].dst_step > t->piece[k].bytes) return 0;
    return own > 0 && said != PLAN_READ_SOON && t->p->cells >= from / t->p->cell;
}

/* Cells of a vector and more that lie apart in the input, as the rows of a crop do, are rows of one
 * cell: so each of them is a tile. Returns 1 if they are. A cell of several elements was a loop
 * once, so there is room for one. */
static int make_cells_rows(plan *p, int32_t elem, int32_t vector)
{
    const axis *cells = &p->loops[p->loop_count - 1];
    if (p->cell == elem || p->cell < vector || cells->extent == 1 || cells->in_stride == p->cell ||
        !tpad_axis_is_plain(cells))
        return 0;
    p->loops[p->loop_count++] =
        (axis){.extent = 1, .hi = 1, .spacing = 1, .in_stride = p->cell, .out_stride = p->cell};
    return 1;
}

int tpad_table_of_bytes(plan *p)
{
    const tpad_kernels *kernels = tpad_kernels_at(p->kernels);
    const axis *inner = &p->loops[p->loop_count - 1];
    const int32_t elem = p->elem_bits < 8 ? 1 : p->elem_bits / 8;
    byte_table t = {.p = p, .elem = elem};
    if (inner->out_stride != p->cell) return 0;
    t.map.grain_shift = grain_shift_of(p, elem);
    t.map.grain = 1 << t.map.grain_shift;
    p->form = 0;
    while (t.map.grain % kernels->forms[p->form].unit != 0) p->form++;
    t.form = &kernels->forms[p->form];
    t.vector = t.form->vector_bytes;
    t.lane = t.vector / t.form->lanes;
    if (elem > t.vector) return 0;
    t.capacity = tpad_plan_capacity(t.form);
    t.piece = tpad_plan_pieces(p);
    t.term = tpad_plan_terms(p, t.form);
    t.index = tpad_plan_index(p, t.form);

    const int rows = make_cells_rows(p, elem, t.vector);
    if (p->loops[p->loop_count - 1].extent > MOST_REACH / p->cell) return 0;
    tpad_tile_input(p);
    const int64_t bytes = p->cells < MOST_REACH ? p->cells * p->cell : MOST_REACH;
    const int64_t most = bytes <= WHOLE_OUTPUT_BYTES ? bytes : bytes / 4;
    p->tile = tpad_tile_choose(p, tpad_min(most, most_tile(p, t.vector)));
    int made = make_tables(&t);
    if (!made && p->tile.loops > 1) {
        p->tile = tpad_tile_choose(p, 0);
        made = make_tables(&t);
    }
    if (!made) p->loop_count -= rows;
    p->streamed = is_streamed(&t);
    return made;
}

#endif
