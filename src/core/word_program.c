/* Writes the program that makes short rows by words of eight bytes. SPDX-License-Identifier: MIT
 *
 * The problem: short rows without a table. These are packed elements with a table that does not
 * fit, on any machine, and whole bytes with kernels without vectors (plain C, WebAssembly without
 * SIMD).
 *
 * The idea is that of byte_table.c, with 64-bit integers as vectors. A group of tiles that is
 * whole bytes on both sides is cut into words. Each word gets a program: load eight bytes of the
 * input, shift them, mask them, put them over the fill. Bits that move by the same distance share
 * one step. The kernel (src/kernels/words.c) applies the program to six or twelve groups at a time.
 *
 * An example: rows of three bytes a b c, mode edge, one cell on each side. The output rows are a a
 * b c c, and the first word of a group of eight rows has bytes of two rows:
 *
 *     input    a0 b0 c0 a1 b1 c1 a2 b2        load these eight bytes as x
 *     word     a0 a0 b0 c0 c0 a1 a1 b1
 *     steps    x       & 00 00 00 00 00 00 00 FF     a0 stays (the first byte is the lowest)
 *              x <<  8 & 00 00 00 00 FF FF FF 00     a0 b0 c0
 *              x << 16 & 00 00 FF FF 00 00 00 00     c0 a1
 *              x << 24 & FF FF 00 00 00 00 00 00     a1 b1
 *
 * An element that is repeated often is taken once and then doubled inside the word: six steps make
 * 64 places. Neighbouring words that are copies are one entry, and so are words that are alike and
 * evenly spaced.
 *
 * The program is made when the plan is run, on the stack of the run (about 18 KiB). It is worth the
 * time only for a part of the output above 4 KiB with at least 32 groups. A row has at most 2048
 * bytes, a tile of several rows at most 1280, a group at most 24 words, or more if so few tiles
 * read less than one word. No step reads a byte that its group does not own.
 *
 * Positions in a group count bits, for bytes too. Places of rows and cells in the input count the
 * unit of the plan's loops, because they may be too far away for bits. */
#include "word_program.h"

#include "checked.h"
#include "tiles.h"

/* The steps for one word of eight bytes, from the sources of its bits.
 *
 * Bits that move by the same distance are taken by one step, from eight bytes of the input. A
 * repeated element is taken once and then doubled, in the word itself. `grain` is the number of
 * bits that always stay together. */

enum { FEW_WORDS = 8 }; /* the most words that join_word looks back over */

typedef struct step_maker {
    words *w;
    const word_input *in;
    int32_t window; /* the first bit of the loaded eight bytes */
} step_maker;

static uint64_t mirrored(uint64_t x)
{
    uint64_t mask = ~UINT64_C(0);
    for (int32_t k = WORD_BITS / 2; k > 0; k /= 2) {
        mask ^= mask << k;
        x = (x >> k & mask) | (x & mask) << k;
    }
    return x;
}

/* The same step if the first bit is the highest. Only this makes TPAD_UP and TPAD_REPEAT_DOWN. */
static const unsigned char mirrors[] = {
    [TPAD_LOAD] = TPAD_LOAD, [TPAD_DOWN] = TPAD_UP,           [TPAD_REPEAT_UP] = TPAD_REPEAT_DOWN,
    [TPAD_TAKE] = TPAD_TAKE, [TPAD_TAKE_UP] = TPAD_TAKE_DOWN, [TPAD_TAKE_DOWN] = TPAD_TAKE_UP};

static void add_step(step_maker *m, tpad_step_kind kind, int32_t amount, uint64_t mask)
{
    words *w = m->w;
    if (w->step_count == WORDS_MOST_STEPS) {
        w->full = 1;
        return;
    }
    const int mirror = w->high_bits_first;
    w->steps[w->step_count++] =
        (tpad_step){(int16_t)(mirror ? mirrors[kind] : kind), (int16_t)amount, m->window / 8,
                    mirror ? mirrored(mask) : mask};
}

/* The bits of a grain. */
static uint64_t grain_at(const step_maker *m, int32_t bit)
{
    return (~UINT64_C(0) >> (WORD_BITS - m->in->grain)) << bit;
}

/* The bits of some grains. */
static uint64_t bits_of(const step_maker *m, uint64_t grains)
{
    uint64_t bits = 0;
    for (int32_t n = 0; n < m->in->count; n++)
        if (grains >> n & 1) bits |= grain_at(m, n << m->in->grain_shift);
    return bits;
}

/* Loads eight bytes so that bit `source` lands at `bit`, or as close as the group's bytes allow. */
static void add_load(step_maker *m, int32_t source, int32_t bit)
{
    int64_t byte = (source - bit) >> 3;
    const int64_t last = m->in->high - WORD_BITS / 8;
    if (source - byte * 8 > WORD_BITS - m->in->grain) byte++;
    if (byte > last) byte = last;
    if (byte < m->in->low) byte = m->in->low;
    m->window = (int32_t)byte * 8;
    add_step(m, TPAD_LOAD, 0, 0);
}

/* Loads the eight bytes with the lowest source and takes all grains of `wanted` that they hold, by
 * a step for each distance. Returns the grains that are still wanted. */
static uint64_t take(step_maker *m, uint64_t wanted)
{
    const word_input *in = m->in;
    int32_t ways[WORD_BITS], way_count = 0, least = 0, first = -1, lowest = WORD_BITS;
    uint64_t masks[WORD_BITS], missed = 0;
    for (int32_t n = 0; n < in->count; n++)
        if ((wanted >> n & 1) && (first < 0 || in->from[n] < in->from[first])) first = n;
    add_load(m, in->from[first], first << in->grain_shift);
    for (int32_t n = 0; n < in->count; n++) {
        if (!(wanted >> n & 1)) continue;
        const int64_t place = (int64_t)in->from[n] - m->window;
        if (place > WORD_BITS - in->grain) {
            missed |= UINT64_C(1) << n;
            continue;
        }
        const int32_t bit = n << in->grain_shift, way = bit - (int32_t)place;
        int32_t k = way_count - 1;
        while (k >= 0 && ways[k] != way) k--;
        if (k < 0) {
            k = way_count++;
            ways[k] = way;
            masks[k] = 0;
        }
        masks[k] |= grain_at(m, bit);
        if (way < least) least = way;
        if (place < lowest) lowest = (int32_t)place;
    }
    /* One shift down for all, unless it would lose a wanted bit. */
    if (way_count == 1 || lowest < -least) least = 0;
    if (least < 0) add_step(m, TPAD_DOWN, -least, 0);
    for (int32_t k = 0; k < way_count; k++) {
        ways[k] -= least;
        const tpad_step_kind kind = ways[k] == 0  ? TPAD_TAKE
                                    : ways[k] > 0 ? TPAD_TAKE_UP
                                                  : TPAD_TAKE_DOWN;
        add_step(m, kind, ways[k] < 0 ? -ways[k] : ways[k], masks[k]);
    }
    return missed;
}

/* The grains that equal the one before them. */
static uint64_t find_equals(const word_input *in)
{
    uint64_t equal = 0;
    for (int32_t n = 1; n < in->count; n++)
        if (in->from[n] != NO_BIT && in->from[n] == in->from[n - 1]) equal |= UINT64_C(1) << n;
    return equal;
}

/* Fills runs of equal grains by doubling: 1, 2, 4 ... grains at a time. equal: grains that equal
 * the one before them; made: the grains that the word has already. */
static void repeat(step_maker *m, uint64_t equal, uint64_t made)
{
    uint64_t wanted = equal;
    for (int32_t by = 1; wanted != 0; by *= 2) {
        const uint64_t up = wanted & equal & made << by;
        add_step(m, TPAD_REPEAT_UP, by * m->in->grain, bits_of(m, up));
        made |= up;
        wanted &= ~up;
        equal &= equal << by;
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* 1 if two words have the same steps, which end at a_end and b_end, and the same fill. */
static int is_alike(const tpad_word *a, const tpad_step *a_end, const tpad_word *b,
                    const tpad_step *b_end)
{
    if (a->kind != b->kind || a->length != b->length || a->steps != b->steps || a->fill != b->fill)
        return 0;
    for (int32_t k = 1; k <= a->steps; k++)
        if (a_end[-k].kind != b_end[-k].kind || a_end[-k].amount != b_end[-k].amount ||
            a_end[-k].src != b_end[-k].src || a_end[-k].mask != b_end[-k].mask)
            return 0;
    return 1;
}

/* Searches the last few words before number `before` for one that is made like `next`, and whose
 * evenly spaced places `next` continues. Adds `next` to it as one more place, or returns 0 if there
 * is no such word. The steps of all words, including `next`, end at `step_end`. */
static int join_word(words *w, const tpad_word *next, int32_t step_end, int32_t before)
{
    const tpad_step *end = w->steps + step_end, *at = end - next->steps;
    for (int32_t k = before - 1; k >= 0 && k >= before - FEW_WORDS; k--) {
        tpad_word *word = &w->words[k];
        const int32_t last = word->count - 1;
        const int32_t dst_step = next->dst - word->dst - last * word->dst_step;
        const int32_t src_step = next->src - word->src - last * word->src_step;
        if ((last == 0 || (dst_step == word->dst_step && src_step == word->src_step)) &&
            is_alike(word, at, next, end)) {
            word->dst_step = dst_step;
            word->src_step = src_step;
            word->count++;
            return 1;
        }
        at -= word->steps;
    }
    return 0;
}

/* Extends the last word if the next one continues its copy or fill. Returns 0 if it does not. */
static int lengthen_last(words *w, const tpad_word *next)
{
    if (w->word_count == 0 || next->steps > 0) return 0;
    tpad_word *last = &w->words[w->word_count - 1];
    const int32_t by = 8 * last->length;
    if (last->kind != next->kind || last->steps > 0 || last->count > 1 ||
        last->fill != next->fill || next->dst != last->dst + by ||
        (next->kind == TPAD_WORD_COPY && next->src != last->src + by))
        return 0;
    last->length = (int16_t)(last->length + next->length);
    return 1;
}

/* Adds a word; its steps are the last ones. The length of a step-less word is final once the next
 * word does not extend it; only then is it joined with words like it. */
static void add_word(words *w, tpad_word next)
{
    tpad_step *steps = w->steps + w->step_count - next.steps;
    if (w->full || lengthen_last(w, &next)) return;
    if (next.steps > 0) next.src = steps->src;
    for (int32_t k = 0; k < next.steps; k++) steps[k].src -= next.src;
    const int32_t last = w->word_count - 1;
    if (last >= 0 && w->words[last].steps == 0 && w->words[last].count == 1 &&
        join_word(w, &w->words[last], w->step_count - next.steps, last))
        w->word_count--;
    if (next.steps > 0 && join_word(w, &next, w->step_count, w->word_count))
        w->step_count -= next.steps;
    else {
        w->words[w->word_count] = next;
        w->full |= w->word_count == WORDS_MOST;
        w->word_count += !w->full;
    }
}

/* Makes a word by a few takes from one load. Returns 0 if these are not enough. */
static int take_shifts(step_maker *m, tpad_word *word, uint64_t wanted)
{
    const int32_t before = m->w->step_count, full = m->w->full;
    if (take(m, wanted) == 0 && m->w->step_count - before <= 1 + TPAD_MOST_SHIFTS) {
        word->kind = TPAD_WORD_STEPS;
        return 1;
    }
    m->w->step_count = before;
    m->w->full = full;
    return 0;
}

/* Makes a word of whole bytes from at most `most` stretches, each taken in place from eight bytes
 * of the input. Returns 0 if it needs more, or if the group does not own all of those bytes. */
static int take_bytes(step_maker *m, tpad_word *word, uint64_t wanted, int32_t most)
{
    int32_t from[TPAD_MOST_TAKES], count = 0;
    uint64_t masks[TPAD_MOST_TAKES];
    for (int32_t n = 0; n < m->in->count; n++) {
        if (!(wanted >> n & 1)) continue;
        const int32_t bit = n << m->in->grain_shift, begin = m->in->from[n] - bit;
        int32_t k = count - 1;
        while (k >= 0 && from[k] != begin) k--;
        if (k < 0) {
            if (begin < m->in->low * 8 || begin > m->in->high * 8 - WORD_BITS || count == most)
                return 0;
            k = count++;
            from[k] = begin;
            masks[k] = 0;
        }
        masks[k] |= grain_at(m, bit);
    }
    if (count == 1 && masks[0] == ~UINT64_C(0)) {
        word->kind = TPAD_WORD_COPY;
        word->src = from[0] / 8;
        return 1;
    }
    for (int32_t k = 0; k < count; k++) {
        m->window = from[k];
        add_step(m, TPAD_TAKE, 0, masks[k]);
    }
    return 1;
}

/* Adds the word at bit `at` of the group, or sets w->full. `fill`: the fill value in all of it. */
static void add_made_word(words *w, const word_input *in, int64_t at, uint64_t fill)
{
    step_maker maker = {.w = w, .in = in}, *m = &maker;
    const int32_t before = w->step_count;
    uint64_t wanted = 0, taken = 0;
    for (int32_t n = 0; n < m->in->count; n++)
        if (m->in->from[n] != NO_BIT) {
            wanted |= UINT64_C(1) << n;
            taken |= grain_at(m, n << m->in->grain_shift);
        }
    tpad_word word = {.dst = (int32_t)(at / 8), .count = 1, .length = 1, .kind = TPAD_WORD_TAKES};
    word.fill = fill & ~(w->high_bits_first ? mirrored(taken) : taken);
    const int bytes = in->grain >= 8;
    if (wanted != 0 && !(bytes && take_bytes(m, &word, wanted, 1)) &&
        !take_shifts(m, &word, wanted) &&
        !(bytes && take_bytes(m, &word, wanted, TPAD_MOST_TAKES))) {
        const uint64_t equal = find_equals(in);
        for (uint64_t left = wanted & ~equal; left != 0;) left = take(m, left);
        repeat(m, equal, wanted & ~equal);
        word.kind = TPAD_WORD_STEPS;
    }
    word.steps = (int16_t)(w->step_count - before);
    add_word(w, word);
}

/* Adds `count` words that are copies of neighbouring bytes. */
static void add_copied_words(words *w, int64_t dst, int64_t src, int64_t count)
{
    add_word(w, (tpad_word){.dst = (int32_t)dst,
                            .src = (int32_t)src,
                            .count = 1,
                            .length = (int16_t)count,
                            .kind = TPAD_WORD_COPY});
}

/* Call it after the last word: words that are made in several places become several words. */
static void end_words(words *w)
{
    for (tpad_word *word = w->words; word < w->words + w->word_count; word++)
        if (word->kind != TPAD_WORD_COPY && word->count == 1) {
            word->count = word->length;
            word->length = 1;
            word->dst_step = 8;
        }
}

enum {
    WORTH_BYTES = 4096, /* above this output size, writing the steps is worth the time */
    MOST_DISTANCE_BYTES = 1
        << 24,                  /* from the source to what a group reads: 32 bits count its bits */
    MOST_INPUT_BYTES = 1 << 15, /* from the first byte that a group reads to the last */
    FEWEST_GROUPS = 32,         /* a program for fewer costs more than it saves */
    MOST_TILE_BITS = 16384,     /* of a row; of several rows: */
    MOST_ROWS_BITS = 1280 * 8,
    MOST_GROUP_WORDS = 24, /* unless the input of so few tiles is less than a word: */
    MOST_GROUP = 64,
    /* of a group of byte tiles, if there are enough tiles: its first and last word may need more
     * steps */
    FEWEST_BYTE_WORDS = 16
};

/* The source of the next bit of the group: a run of the innermost loop, and the progress in it. */
typedef struct cursor {
    int64_t row, cell; /* the row in the group; the cell in the row where the run begins */
    int has_source;    /* 0: all of the row is fill */
    int64_t base;      /* the source of the row */
    run r;
    int64_t left;   /* bits of the run to come */
    int64_t source; /* of the current element, if the run has any */
    int64_t rest;   /* bits done of the current cell */
    int64_t gap;    /* cells done since the current element */
} cursor;

typedef struct word_maker {
    words *w;
    const plan *p;
    const axis *inner;
    int64_t cell; /* bits */
    int64_t unit; /* bits in the unit of the plan's loops */
    int64_t bits; /* of the group */
    cursor at;
    word_input in; /* for the next word */
} word_maker;

static int64_t unit_of(const plan *p)
{
    return p->cell_unit == 1 ? 1 : 8;
}

/* Finds the source of row number `row` of the group. */
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

/* Advances by `bits` bits of the run; at its end, to the group's next run, if any. */
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

/* 1 if the run's elements are contiguous in the input as in the output. */
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

/* Adds words that copy neighbouring bytes, if there are at least two. Returns their bits. */
static int64_t copy_run(word_maker *m, int64_t at)
{
    cursor *c = &m->at;
    const int64_t count = c->left / WORD_BITS, source = c->source * m->unit + c->rest;
    if (count < 2 || !runs_on(m, c) || (source & 7) != 0) return 0;
    add_copied_words(m->w, at / 8, source / 8, count);
    advance(m, c, count * WORD_BITS);
    return count * WORD_BITS;
}

/* Makes all words of the group. Returns 0 if there is no room. */
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
            /* The last word ends with the group, and writes some bytes twice. */
            begin_row(m, &m->at, 0);
            int64_t skip = m->bits - WORD_BITS;
            for (at = skip; skip > 0;) {
                done = tpad_min(skip, m->at.left);
                advance(m, &m->at, done);
                skip -= done;
            }
        }
        gather(m);
        add_made_word(m->w, &m->in, at, fill_word(at, value, value_size));
        done = WORD_BITS;
    }
    end_words(m->w);
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

/* Chooses the number of tiles in a group: whole bytes on both sides, and few words that are not
 * full. Returns 0 if there is no such group. */
static int choose_group(word_maker *m)
{
    words *w = m->w;
    const int64_t most = tpad_tile_neighbours(m->p, &w->tile), size = w->tile.size * m->unit;
    const int64_t stride = (w->tile.in_stride & 7) * m->unit; /* all of it may exceed 64 bits */
    int64_t fewest = 1, best = 0, best_words = 1;
    while (((fewest * size) & 7) + ((fewest * stride) & 7) != 0) fewest *= 2;
    for (int64_t n = fewest; n <= most; n += fewest) {
        const int64_t count = (n * size + WORD_BITS - 1) / WORD_BITS;
        /* If tiles have several rows, only packed ones can be left to blocks. */
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

/* Makes everything for tiles of at most `most` units. */
static int make_tiles(word_maker *m, int64_t most, const unsigned char *value, int32_t value_size)
{
    words *w = m->w;
    w->tile = tpad_tile_choose(m->p, most);
    return choose_group(m) && w->tile.count / w->group >= FEWEST_GROUPS &&
           make_words(m, value, value_size);
}

/* The logarithm of the largest power of two up to 64 that divides all parts of bit addresses. */
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
