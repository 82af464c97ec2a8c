/* How short rows are made by words: what words do, and how many are written down.
 * SPDX-License-Identifier: MIT
 *
 * Random words and steps of src/kernels/words.h against a loop that moves one bit at a time, in
 * memory between pages that nobody may touch: all that is read belongs to the groups' input, and
 * nothing beside their output is written. Programs of src/core/word_program.c with more words than
 * are needed, or none, give the right bytes, slower, so that no other test of results can see it:
 * what is expected is counted by hand, by the rules of the head of that file. */
#include "../../../src/core/word_program.h"
#include "../../../src/kernels/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tensorpad/tensorpad.h>

#include "../../support/random_problem.h"

enum {
    CASES = 4000,
    MOST_WORDS = 5,
    MOST_STEPS = 9,
    MOST_COUNT = 70,
    MOST_GROUPS = 70,
    ROOM = 1 << 17,
    WORD = 64
};

typedef struct trial {
    tpad_words words;
    tpad_word word[MOST_WORDS];
    tpad_step steps[MOST_WORDS * MOST_STEPS];
    int32_t step_count;
    int64_t in_bytes, out_bytes; /* of one group */
} trial;

static guard in, out;
static unsigned char expected[ROOM];

/* ---- One bit at a time ----------------------------------------------------------------------- */

typedef struct bits {
    bool at[WORD];
} bits;

static bool bit_of(uint64_t x, int n)
{
    return x >> n & 1;
}

/* The bit's place in memory: the byte, and which bit of it. */
static int byte_of(const trial *t, int n)
{
    return (t->words.high_bits_first ? WORD - 1 - n : n) / 8;
}

static bits read_word(const trial *t, const unsigned char *src)
{
    bits x;
    for (int n = 0; n < WORD; n++) x.at[n] = src[byte_of(t, n)] >> n % 8 & 1;
    return x;
}

static void write_word(const trial *t, unsigned char *dst, const bits *x)
{
    for (int n = 0; n < WORD; n++) {
        unsigned char *byte = &dst[byte_of(t, n)];
        *byte = (unsigned char)((*byte & ~(1 << n % 8)) | x->at[n] << n % 8);
    }
}

static bits moved(const bits *x, int up)
{
    bits y;
    for (int n = 0; n < WORD; n++) y.at[n] = n - up >= 0 && n - up < WORD && x->at[n - up];
    return y;
}

static void naive_step(const trial *t, const tpad_step *s, const unsigned char *src, bits *x,
                       bits *made)
{
    const int by = s->amount;
    const int up = s->kind == TPAD_TAKE_UP || s->kind == TPAD_UP || s->kind == TPAD_REPEAT_UP;
    const int down =
        s->kind == TPAD_TAKE_DOWN || s->kind == TPAD_DOWN || s->kind == TPAD_REPEAT_DOWN;
    const int repeat = s->kind == TPAD_REPEAT_UP || s->kind == TPAD_REPEAT_DOWN;
    const bits y = moved(repeat ? made : x, up ? by : down ? -by : 0);
    switch (s->kind) {
    case TPAD_LOAD:
        *x = read_word(t, src + s->src);
        break;
    case TPAD_UP:
    case TPAD_DOWN:
        *x = y;
        break;
    default:
        for (int n = 0; n < WORD; n++)
            if (bit_of(s->mask, n)) made->at[n] = made->at[n] || y.at[n];
    }
}

static void naive_group(const trial *t, unsigned char *dst, const unsigned char *src)
{
    const tpad_step *s = t->steps;
    for (int32_t k = 0; k < t->words.word_count; s += t->word[k++].steps)
        for (int32_t c = 0; c < t->word[k].count; c++) {
            const tpad_word *w = &t->word[k];
            const unsigned char *from = src + w->src + c * w->src_step;
            unsigned char *to = dst + w->dst + c * w->dst_step;
            if (w->kind == TPAD_WORD_COPY) {
                memcpy(to, from, 8 * (size_t)w->length);
                continue;
            }
            bits x = {{0}}, made;
            for (int n = 0; n < WORD; n++) made.at[n] = bit_of(w->fill, n);
            for (int32_t i = 0; i < w->steps; i++) {
                if (w->kind == TPAD_WORD_TAKES) x = read_word(t, from + s[i].src);
                naive_step(t, &s[i], from, &x, &made);
            }
            for (int32_t times = 0; times < w->length; times++)
                write_word(t, to + 8 * times, &made);
        }
}

/* ---- Random words ---------------------------------------------------------------------------- */

static tpad_step random_step(rng *r, int kind)
{
    tpad_step s = {.kind = (int16_t)kind, .mask = rng_next(r)};
    if (kind != TPAD_LOAD && kind != TPAD_TAKE) s.amount = (int16_t)rng_range(r, 1, 63);
    return s;
}

static void random_word(trial *t, rng *r, tpad_word *w)
{
    static const int takes[] = {TPAD_TAKE, TPAD_TAKE_UP, TPAD_TAKE_DOWN};
    tpad_step *s = &t->steps[t->step_count];
    const int packed = t->words.high_bits_first;
    *w = (tpad_word){.dst = (int32_t)t->out_bytes,
                     .src = (int32_t)rng_range(r, 0, 40),
                     .count = rng_percent(r, 60) ? 1 : (int16_t)rng_range(r, 1, MOST_COUNT),
                     .length = rng_percent(r, 80) ? 1 : (int16_t)rng_range(r, 1, 8),
                     .src_step = (int32_t)rng_range(r, 0, 9),
                     .kind = packed ? TPAD_WORD_STEPS : (int16_t)rng_range(r, 0, TPAD_WORD_STEPS),
                     .fill = rng_next(r)};
    int64_t reach = 8;
    if (w->kind == TPAD_WORD_COPY) {
        if (w->count == 1) w->length = (int16_t)rng_range(r, 1, MOST_COUNT);
        reach = 8 * w->length;
    } else if (w->kind == TPAD_WORD_TAKES) {
        w->steps = (int16_t)rng_range(r, 0, TPAD_MOST_TAKES);
        for (int32_t k = 0; k < w->steps; k++) s[k] = random_step(r, TPAD_TAKE);
    } else {
        w->steps = (int16_t)rng_range(r, 2, MOST_STEPS);
        const int only_takes = rng_percent(r, 50), most = rng_percent(r, 50) ? 1 : 2;
        s[0] = random_step(r, TPAD_LOAD);
        for (int32_t k = 1; k < w->steps; k++) {
            if (only_takes)
                s[k] = random_step(r, k == 1 && rng_percent(r, 50) ? TPAD_DOWN
                                                                   : takes[rng_range(r, 0, most)]);
            else
                s[k] = random_step(r, (int)rng_range(r, TPAD_LOAD, TPAD_TAKE_DOWN));
        }
    }
    for (int32_t k = 0; k < w->steps; k++) {
        s[k].src = (int32_t)rng_range(r, -w->src, 20);
        if (w->kind == TPAD_WORD_STEPS && s[k].kind != TPAD_LOAD) s[k].src = 0;
        if (s[k].src + 8 > reach) reach = s[k].src + 8;
    }
    t->step_count += w->steps;
    reach += w->src + (w->count - 1) * (int64_t)w->src_step;
    if (reach > t->in_bytes) t->in_bytes = reach;
    w->dst_step = 8 * w->length + (rng_percent(r, 50) ? 0 : (int32_t)rng_range(r, 0, 9));
    t->out_bytes += (w->count - 1) * (int64_t)w->dst_step + 8 * w->length;
}

static void random_trial(trial *t, rng *r)
{
    *t = (trial){.in_bytes = 8};
    t->words.high_bits_first = rng_percent(r, 30);
    t->words.word_count = (int32_t)rng_range(r, 1, MOST_WORDS);
    for (int32_t k = 0; k < t->words.word_count; k++) random_word(t, r, &t->word[k]);
    t->words.words = t->word;
    t->words.steps = t->steps;
    t->words.group_bytes = (int32_t)t->out_bytes;
    int64_t most = ROOM / 2 / (t->out_bytes + t->in_bytes);
    if (most > MOST_GROUPS) most = MOST_GROUPS;
    t->words.groups = rng_percent(r, 30) ? rng_range(r, 1, 3) : rng_range(r, 1, most);
    t->words.dst_step = t->out_bytes + rng_range(r, 0, rng_percent(r, 50) ? 0 : 9);
    t->words.src_step = rng_range(r, 0, t->in_bytes);
    if (rng_percent(r, 20)) t->words.src_step = -t->words.src_step;
    if (rng_percent(r, 20)) t->words.dst_step = -t->words.dst_step;
}

/* A block for groups with that step; returns where the first group lies. */
static unsigned char *place(guard *g, rng *r, int64_t bytes, int64_t step, int64_t groups)
{
    const int64_t all = llabs(step) * (groups - 1);
    unsigned char *block = guard_place(g, (size_t)(bytes + all), (int)rng_range(r, 0, 2),
                                       (unsigned)rng_range(r, 0, 63));
    rng_bytes(r, block, (size_t)(bytes + all));
    return step < 0 ? block + all : block;
}

static bool check_one(trial *t, rng *r)
{
    tpad_words *w = &t->words;
    w->src = place(&in, r, t->in_bytes, w->src_step, w->groups);
    w->dst = place(&out, r, t->out_bytes, w->dst_step, w->groups);
    memcpy(expected, out.block, out.block_bytes);
    guard_read_only(&in);
    tpad_run_words(w);
    unsigned char *first = expected + (w->dst - out.block);
    for (int64_t i = 0; i < w->groups; i++)
        naive_group(t, first + i * w->dst_step, w->src + i * w->src_step);
    return guard_intact(&out) && memcmp(out.block, expected, out.block_bytes) == 0;
}

/* ---- Programs of words ----------------------------------------------------------------------- */

/* 5000 rows of `row`, of elements of so many bits. */
typedef struct program {
    const char *name;
    int32_t elem_bits, flags;
    tpad_axis row;
    int32_t group, words, steps; /* group 0: there are no words */
} program;

static const program programs[] = {
    /* Eight rows are 16 words. What a word takes lies at its place in eight bytes of the input: one
     * step. These are alike in all rows: one word for the ends of rows, one for their beginnings.
     * But the first begins before the input of the group and the last ends after it: these are
     * loaded, and moved while they are taken. */
    {"bytes in a frame", 8, 0, {.in_extent = 14, .before = 1, .after = 1}, 8, 4, 6},
    /* Four times two words of fill and a copy of two words, of which the last one is on its own. */
    {"fill and copies", 8, 0, {.in_extent = 16, .before = 16}, 4, 3, 0},
    /* One row is 16 words: fill in 14 neighbouring places, and a copy of two words. */
    {"fill on its own", 8, 0, {.in_extent = 16, .before = 112}, 1, 2, 0},
    /* 2048 bytes are the longest row that has words. */
    {"a long row", 8, 0, {.in_extent = 1024, .before = 1024}, 1, 2, 0},
    {"a row too long", 8, 0, {.in_extent = 1024, .before = 1032}, 0, 0, 0},
    /* Two rows are a word, each of whose elements is taken twice: five ways from one load. The last
     * word ends after the input of the group: it is loaded and moved down, its elements are taken
     * by four ways, and all of them are doubled by one step. */
    {"bytes between edges",
     8,
     0,
     {.in_extent = 2, .before = 1, .after = 1, .mode = TPAD_EDGE},
     30,
     2,
     13},
    /* Each of eight rows has a way of its own. The input of the second word ends with that of the
     * group, so it is moved down first. */
    {"bits in a frame", 1, 0, {.in_extent = 6, .before = 1, .after = 1}, 16, 2, 19},
    {"high bits first",
     1,
     TPAD_HIGH_BITS_FIRST,
     {.in_extent = 6, .before = 1, .after = 1},
     16,
     2,
     19},
    /* Two more ways: the padding is taken from two elements before or after it. Neither word can be
     * moved down, as its lowest source would be lost. */
    {"bits between mirrors",
     1,
     0,
     {.in_extent = 6, .before = 1, .after = 1, .mode = TPAD_REFLECT},
     16,
     2,
     22},
    /* Each bit of the mirror has a way of its own; the other word is only loaded and taken. */
    {"a mirror", 1, 0, {.in_extent = 64, .before = 64, .mode = TPAD_SYMMETRIC}, 1, 2, 67},
    {"a mirror, high bits first",
     1,
     TPAD_HIGH_BITS_FIRST,
     {.in_extent = 64, .before = 64, .mode = TPAD_SYMMETRIC},
     1,
     2,
     67},
    /* Two rows are three words: the first row; its mirror and half of the second row; the other
     * half and its mirror. The second and the third are loaded, moved down, and taken by 33 ways;
     * where the mirror begins inside a word, its first element is doubled. */
    {"half a mirror",
     1,
     0,
     {.in_extent = 64, .after = 32, .mode = TPAD_SYMMETRIC},
     2,
     3,
     2 + 35 + 35},
    /* Each of 16 words is loaded, moved down, taken by two ways, and doubled six times. The first
     * one is not moved. */
    {"an edge", 1, 0, {.in_extent = 4, .before = 60, .mode = TPAD_EDGE}, 16, 16, 16 * 10 - 1},
};

static int check_program(const program *t)
{
    enum { ROWS = 5000 };
    static const unsigned char value[1] = {0};
    const tpad_axis axes[2] = {{.in_extent = ROWS}, t->row};
    tpad_problem problem = TPAD_PROBLEM(t->elem_bits, 2, axes);
    tpad_plan plan_of_rows;
    words w;
    problem.flags |= t->flags;
    if (tpad_plan_init(&plan_of_rows, sizeof plan_of_rows, &problem, NULL) != TPAD_OK) return 1;
    const plan *p = (const plan *)(const void *)&plan_of_rows;
    if (!tpad_words_suit(p, p->cells) || !tpad_words_make(&w, p, value, sizeof value)) {
        if (t->group == 0) return 0;
        printf("%s: there are no words\n", t->name);
        return 1;
    }
    /* The places of a word that is no copy are made side by side only if each counts. */
    for (int32_t k = 0; k < w.word_count; k++)
        if (w.words[k].kind != TPAD_WORD_COPY && w.words[k].count == 1 && w.words[k].length > 1) {
            printf("%s: word %d is made in one place after the other\n", t->name, (int)k);
            return 1;
        }
    printf("%s: groups of %d rows, %d words, %d steps\n", t->name, (int)w.group, (int)w.word_count,
           (int)w.step_count);
    if (w.group == t->group && w.word_count == t->words && w.step_count == t->steps) return 0;
    printf("expected: groups of %d rows, %d words, %d steps\n", (int)t->group, (int)t->words,
           (int)t->steps);
    return 1;
}

/* The words of 1000 planes of two rows of 62 bytes in a frame. Returns 0 if there are none, -1 if
 * there is no plan. */
static int make_far(words *w, int64_t row_distance, int64_t cell_distance)
{
    static const unsigned char value[1] = {0};
    const tpad_axis axes[3] = {
        {.in_extent = 1000, .in_stride = 64},
        {.in_extent = 2, .in_stride = row_distance},
        {.in_extent = 62, .before = 1, .after = 1, .in_stride = cell_distance}};
    tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
    tpad_plan plan_of_rows;
    problem.flags = TPAD_IN_STRIDES;
    problem.in_offset = (int64_t)1 << 40;
    if (tpad_plan_init(&plan_of_rows, sizeof plan_of_rows, &problem, NULL) != TPAD_OK) return -1;
    return tpad_words_make(w, (const plan *)(const void *)&plan_of_rows, value, sizeof value);
}

/* A program's distances cannot hold these, in either direction. Rows that are so far apart are
 * tiles of their own; where cells are, there are no words. 1 if not. */
static int check_far(int64_t distance)
{
    words w;
    if (make_far(&w, distance, 1) != 1 || w.tile.loops != 1 || w.group != 1)
        return printf("far rows: tiles of %d loops in groups of %d\n", (int)w.tile.loops,
                      (int)w.group) > 0;
    if (make_far(&w, 64, distance) != 0) return printf("far cells have words, or no plan\n") > 0;
    return 0;
}

int main(void)
{
    guard_open(&in, ROOM);
    guard_open(&out, ROOM);
    for (uint64_t n = 0; n < CASES; n++) {
        rng r = rng_seeded(6, n);
        trial t;
        random_trial(&t, &r);
        if (check_one(&t, &r)) continue;
        printf("case %" PRIu64 ": differs; %d words, %" PRId64 " groups\n", n, t.words.word_count,
               t.words.groups);
        return 1;
    }
    printf("%d equal\n", CASES);
    guard_close(&in);
    guard_close(&out);
    int failed = check_far(1 << 26) + check_far(-(1 << 26));
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        failed += check_program(&programs[i]);
    return failed > 0;
}
