/* Writes down how short rows are made by words of eight bytes. SPDX-License-Identifier: MIT
 *
 * A group of neighbouring tiles is a fixed arrangement of the bits of its input. This file chooses
 * the group, goes through it word by word and asks for each bit where it comes from; word_steps.c
 * makes steps of that. Positions in a group are bits, for bytes too; where a row or a cell lies in the
 * input counts the unit of the plan's loops, as it may be too far for bits. Knows loops, not axes as
 * given. */
#include "word_program.h"
#include "checked.h"
#include "tile.h"

enum {
    WORTH_BYTES = 4096, /* above so much output the steps are worth the time to write them down */
    MOST_DISTANCE_BYTES = 1
        << 24,                  /* from the source to what a group reads: 32 bits count its bits */
    MOST_INPUT_BYTES = 1 << 15, /* from the first byte that a group reads to the last */
    FEWEST_GROUPS = 32,         /* a program for fewer costs more than it saves */
    MOST_TILE_BITS = 16384,     /* of a row; of several rows: */
    MOST_ROWS_BITS = 1280 * 8,
    MOST_GROUP_WORDS = 24, /* unless the input of so few tiles is less than a word: */
    MOST_GROUP = 64,
    FEWEST_BYTE_WORDS = 16 /* of a group of byte tiles, where there are so many tiles: its first and
                              last word may need more steps */
};

/* Where the next bit of the group comes from: a run of the innermost loop, and how far it is
 * done. */
typedef struct cursor {
    int64_t row, cell; /* the row in the group; the cell in the row where the run begins */
    int has_source;    /* not all of the row is fill */
    int64_t base;      /* the source of the row */
    run r;
    int64_t left;      /* bits of the run */
    int64_t source;    /* of the cell that is in work, if the run has any, */
    int64_t rest, gap; /* of which so many bits are done, and so many cells behind an element */
} cursor;

typedef struct word_maker {
    words *w;
    const plan *p;
    const axis *inner;
    int64_t cell; /* bits */
    int64_t unit; /* bits in the unit of the plan's loops */
    int64_t bits; /* of the group */
    cursor at;
    word_input in; /* of the next word */
} word_maker;

static int64_t unit_of(const plan *p)
{
    return p->cell_unit == 1 ? 1 : 8;
}

/* Finds where row number `row` of the group comes from. */
static void find_row(const word_maker *m, cursor *c, int64_t row)
{
    const plan *p = m->p;
    const int32_t first = p->loop_count - m->w->tile.loops;
    c->has_source = 0;
    c->base = 0;
    for (int32_t k = p->loop_count - 2; k >= first; k--) {
        const axis *a = &p->loops[k];
        const int64_t i = row % a->extent;
        const run r = tpad_axis_run(a, i);
        if (r.source < 0) return;
        c->base += r.source * a->in_stride;
        row /= a->extent;
    }
    c->base += row * m->w->tile.in_stride;
    c->has_source = 1;
}

static void begin_run(const word_maker *m, cursor *c)
{
    const axis *a = m->inner;
    c->r = c->has_source ? tpad_axis_run(a, c->cell) : (run){a->extent - c->cell, -1, 0, 1};
    c->left = c->r.length * m->cell;
    c->source = c->r.source < 0 ? 0 : c->base + c->r.source * a->in_stride;
    c->rest = c->gap = 0;
}

static void begin_row(const word_maker *m, cursor *c, int64_t row)
{
    c->row = row;
    c->cell = 0;
    find_row(m, c, row);
    begin_run(m, c);
}

/* Goes on by `bits` bits of the run, and to the group's next run, if any, if that is all of it. */
static void advance(const word_maker *m, cursor *c, int64_t bits)
{
    c->left -= bits;
    c->rest += bits;
    if (c->left == 0) {
        c->cell += c->r.length;
        if (c->cell < m->inner->extent)
            begin_run(m, c);
        else if ((c->row + 1) * m->inner->extent * m->cell < m->bits)
            begin_row(m, c, c->row + 1);
    } else if (c->rest >= m->cell) {
        const int64_t cells = c->rest == m->cell ? 1 : c->rest / m->cell;
        c->rest -= cells * m->cell;
        c->gap += cells;
        if (c->gap >= c->r.spacing) {
            const int64_t elements = cells == 1 ? 1 : c->gap / c->r.spacing;
            c->gap -= elements * c->r.spacing;
            c->source += elements * c->r.step * m->inner->in_stride;
        }
    }
}

/* 1 if the run's elements follow each other in the input as they do in the output. */
static int runs_on(const word_maker *m, const cursor *c)
{
    return c->r.source >= 0 && c->r.spacing == 1 && c->r.step * m->inner->in_stride == m->p->cell;
}

/* Finds the sources of the word. */
static void gather(word_maker *m)
{
    cursor *c = &m->at;
    for (int32_t n = 0; n < m->in.count; n++) {
        m->in.from[n] =
            c->r.source < 0 || c->gap > 0 ? NO_BIT : (int32_t)(c->source * m->unit + c->rest);
        advance(m, c, m->in.grain);
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The fill value's bytes from bit `at` of the group on. */
static uint64_t fill_word(int64_t at, const unsigned char *value, int32_t size)
{
    uint64_t fill = 0;
    int64_t phase = at / 8 % size;
    for (int32_t k = 0; k < WORD_BITS; k += 8) {
        fill |= (uint64_t)value[phase] << k;
        if (++phase == size) phase = 0;
    }
    return fill;
}

/* Words that are copies of neighbours, if there are at least two of them. Returns the bits. */
static int64_t copy_run(word_maker *m, int64_t at)
{
    cursor *c = &m->at;
    const int64_t count = c->left / WORD_BITS, source = c->source * m->unit + c->rest;
    if (count < 2 || !runs_on(m, c) || (source & 7) != 0) return 0;
    tpad_word_copy(m->w, at / 8, source / 8, count);
    advance(m, c, count * WORD_BITS);
    return count * WORD_BITS;
}

/* Writes down all words of the group. Returns 0 if there is no room. */
static int make_words(word_maker *m, const unsigned char *value, int32_t value_size)
{
    m->w->word_count = m->w->step_count = 0;
    m->w->full = 0;
    m->in.count = WORD_BITS >> m->in.grain_shift;
    begin_row(m, &m->at, 0);
    for (int64_t at = 0, done; at < m->bits && !m->w->full; at += done) {
        done = copy_run(m, at);
        if (done > 0) continue;
        if (m->bits - at < WORD_BITS) {
            /* The last word ends where the group does, and writes some bytes twice. */
            begin_row(m, &m->at, 0);
            int64_t skip = m->bits - WORD_BITS;
            for (at = skip; skip > 0;) {
                done = tpad_min(skip, m->at.left);
                advance(m, &m->at, done);
                skip -= done;
            }
        }
        gather(m);
        tpad_word_make(m->w, &m->in, at, fill_word(at, value, value_size));
        done = WORD_BITS;
    }
    tpad_words_end(m->w);
    return !m->w->full;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Finds the bytes of the input that a group owns. Returns 0 if they are fewer than eight, or not
 * all of them are input. */
static int find_reach(word_maker *m)
{
    const tile_reach all = tpad_tile_reach(m->p, &m->w->tile, m->w->group);
    const int64_t most = MOST_DISTANCE_BYTES * INT64_C(8) / m->unit;
    if (all.low < -most || all.high > most) return 0;
    m->in.low = (all.low * m->unit) >> 3;
    m->in.high = tpad_bytes_of_bits(all.high * m->unit);
    const int64_t bytes = m->in.high - m->in.low;
    return bytes >= WORD_BITS / 8 && bytes <= MOST_INPUT_BYTES && all.is_dense;
}

/* Chooses how many tiles are a group: whole bytes on both sides, and few words that are not full.
 * Returns 0 if there is no such group. */
static int choose_group(word_maker *m)
{
    words *w = m->w;
    const int64_t most = tpad_tile_neighbours(m->p, &w->tile), size = w->tile.size * m->unit;
    const int64_t stride = (w->tile.in_stride & 7) * m->unit; /* all of it may exceed 64 bits */
    int64_t fewest = 1, best = 0, best_words = 1;
    while (((fewest * size) & 7) + ((fewest * stride) & 7) != 0) fewest *= 2;
    for (int64_t n = fewest; n <= most; n += fewest) {
        const int64_t count = (n * size + WORD_BITS - 1) / WORD_BITS;
        /* Of tiles of several rows, only packed ones can be left to blocks. */
        if (n > 1 && w->tile.loops > 1 && m->unit == 8) break;
        if (count > MOST_GROUP_WORDS && (best > 0 || n > MOST_GROUP)) break;
        w->group = (int32_t)n;
        if (n * size < WORD_BITS || !find_reach(m)) continue;
        if (best == 0 || count * best <= best_words * n) {
            best = n;
            best_words = count;
        }
        if (n * size * 10 >= count * WORD_BITS * 9 &&
            (m->unit == 1 || count >= FEWEST_BYTE_WORDS || n >= most / 4))
            break;
    }
    if (best == 0) return 0;
    w->group = (int32_t)best;
    m->bits = best * size;
    find_reach(m);
    return 1;
}

/* Everything for tiles of loops of at most `most` units. */
static int make_tiles(word_maker *m, int64_t most, const unsigned char *value, int32_t value_size)
{
    words *w = m->w;
    w->tile = tpad_tile_choose(m->p, most);
    return choose_group(m) && w->tile.count / w->group >= FEWEST_GROUPS &&
           make_words(m, value, value_size);
}

/* The largest power of two, at most 64, that divides the bits of whatever addresses are made of:
 * its logarithm. */
static int32_t common_grain(const word_maker *m)
{
    uint64_t all = (uint64_t)(m->cell | m->p->elem_bits);
    for (int32_t k = 0; k < m->p->loop_count; k++)
        all |= (uint64_t)m->p->loops[k].in_stride * (uint64_t)m->unit;
    int32_t shift = 0;
    while (shift < 6 && (all >> shift & 1) == 0) shift++;
    return shift;
}

int tpad_words_suit(const plan *p, int64_t cells)
{
    if (p->loop_count < 2 || cells <= WORTH_BYTES * INT64_C(8) / p->cell_unit / p->cell) return 0;
    const axis *inner = &p->loops[p->loop_count - 1];
    return !(p->flags & PLAN_BORDER) && (p->cell_unit == 8 || p->bit_stream) &&
           inner->out_stride == p->cell && inner->extent <= MOST_TILE_BITS / (p->cell * unit_of(p));
}

int tpad_words_make(words *w, const plan *p, const unsigned char *value, int32_t value_size)
{
    word_maker m;
    m.w = w;
    m.p = p;
    m.inner = &p->loops[p->loop_count - 1];
    m.unit = unit_of(p);
    m.cell = p->cell * m.unit;
    w->high_bits_first = m.unit == 1 && (p->flags & PLAN_HIGH_BITS_FIRST);
    m.in.grain_shift = common_grain(&m);
    m.in.grain = 1 << m.in.grain_shift;
    const int64_t most = tpad_min(p->cells / 64, MOST_ROWS_BITS / m.cell) * p->cell;
    if (make_tiles(&m, most, value, value_size)) return 1;
    return w->tile.loops > 1 && make_tiles(&m, 0, value, value_size);
}
