/* How a word of eight bytes is made: the steps for one word, from where each of its bits comes.
 * SPDX-License-Identifier: MIT
 *
 * Bits that have the same way to go are taken by one step, from eight bytes of the input. An element
 * that is repeated is taken once and then doubled, in the word itself. `grain` is the number of bits
 * that always stay together. Knows no loops and no axes. */
#include "word_steps.h"

enum { FEW_WORDS = 8 }; /* join_word looks back over so many words at most */

typedef struct step_maker {
    words *w;
    const word_input *in;
    int32_t window; /* the bit at which the eight bytes begin that were loaded */
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

/* The same step where the first bit is the highest. TPAD_UP and TPAD_REPEAT_DOWN are only made so. */
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

/* Loads the eight bytes in which the bit `source` stands at `bit`, or as near to that as whole bytes
 * allow of which the group owns all. */
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

/* Takes from the eight bytes that hold the lowest source whatever they hold of `wanted`, by a step
 * for each way. Returns what is still wanted. */
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
    /* One shift down for all, unless a wanted bit would fall off. */
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

/* The grains that are as the one before them. */
static uint64_t find_equals(const word_input *in)
{
    uint64_t equal = 0;
    for (int32_t n = 1; n < in->count; n++)
        if (in->from[n] != NO_BIT && in->from[n] == in->from[n - 1]) equal |= UINT64_C(1) << n;
    return equal;
}

/* Makes the grains of `equal`, each of which is as the one before it, from those that are `made`:
 * first those beside one that is made, then those two grains away from one, four, and so on. */
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

/* 1 if a word's steps, which end at `end`, and its fill are those of another one. */
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

/* Looks among the last few words before number `before` for one that is made as `next` is and whose
 * places `next` continues, evenly spaced. Counts `next` there as one place more, or returns 0 if
 * there is no such word. The steps of all words, with those of `next`, end at `step_end`. */
static int join_word(words *w, const tpad_word *next, int32_t step_end, int32_t before)
{
    const tpad_step *end = w->steps + step_end, *at = end - next->steps;
    for (int32_t k = before - 1; k >= 0 && k >= before - FEW_WORDS; k--) {
        tpad_word *one = &w->words[k];
        const int32_t last = one->count - 1;
        const int32_t dst_step = next->dst - one->dst - last * one->dst_step;
        const int32_t src_step = next->src - one->src - last * one->src_step;
        if ((last == 0 || (dst_step == one->dst_step && src_step == one->src_step)) &&
            is_alike(one, at, next, end)) {
            one->dst_step = dst_step;
            one->src_step = src_step;
            one->count++;
            return 1;
        }
        at -= one->steps;
    }
    return 0;
}

/* If the next word continues the copy or the fill of the last one, makes the last one longer.
 * Returns 0 if it does not. */
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

/* Adds a word whose steps are the last ones. How long a word without steps is, is known when the
 * next one does not lengthen it: only then it is joined with others like it. */
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

/* Makes a word by a few takes from one load. Returns 0 if they do not take all. */
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

/* Makes a word of whole bytes of at most `most` stretches, each of which eight bytes of the input
 * hold at its place. Returns 0 if it has more, or if the group does not own all of those bytes. */
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

void tpad_word_make(words *w, const word_input *in, int64_t at, uint64_t fill)
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

void tpad_word_copy(words *w, int64_t dst, int64_t src, int64_t count)
{
    add_word(w, (tpad_word){.dst = (int32_t)dst,
                            .src = (int32_t)src,
                            .count = 1,
                            .length = (int16_t)count,
                            .kind = TPAD_WORD_COPY});
}

void tpad_words_end(words *w)
{
    for (tpad_word *word = w->words; word < w->words + w->word_count; word++)
        if (word->kind != TPAD_WORD_COPY && word->count == 1) {
            word->count = word->length;
            word->length = 1;
            word->dst_step = 8;
        }
}
