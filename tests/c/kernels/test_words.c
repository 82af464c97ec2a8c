/* The words of src/kernels/words.h against a loop that moves one bit at a time.
 * SPDX-License-Identifier: MIT
 *
 * Random words and steps, in memory between pages that nobody may touch: all that is read belongs
 * to the groups' input, and nothing beside their output is written. */
#include "../../../src/kernels/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return 0;
}
