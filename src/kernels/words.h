/* Words: short pieces of output made eight bytes at a time, on any machine.
 * SPDX-License-Identifier: MIT
 *
 * A group is one tile, or neighbouring tiles, whose output is whole bytes. Each of its words is
 * fill and the result of a few steps on nearby input; src/core/word_program.c writes the steps when
 * a plan is run, and tpad_run_words applies them to every group. The bits of a word are counted in
 * the order of the output's elements, so bit 0 is the first one of the first byte. */
#ifndef TENSORPAD_KERNELS_WORDS_H
#define TENSORPAD_KERNELS_WORDS_H

#include "kernels.h"

/* The effect of a step on x, eight bytes of the input, and on `made`, the word. TPAD_UP and
 * TPAD_REPEAT_DOWN are for packed elements with the first one in the high bits, where each step is
 * mirrored. */
typedef enum tpad_step_kind {
    TPAD_LOAD,        /* x = the eight bytes at src */
    TPAD_UP,          /* x <<= amount */
    TPAD_DOWN,        /* x >>= amount */
    TPAD_REPEAT_UP,   /* made |= (made << amount) & mask */
    TPAD_REPEAT_DOWN, /* made |= (made >> amount) & mask */
    TPAD_TAKE,        /* made |= x & mask */
    TPAD_TAKE_UP,     /* made |= (x << amount) & mask */
    TPAD_TAKE_DOWN    /* made |= (x >> amount) & mask */
} tpad_step_kind;

typedef struct tpad_step {
    int16_t kind, amount;
    int32_t src; /* relative to the word's */
    uint64_t mask;
} tpad_step;

/* How a word is made: */
typedef enum tpad_word_kind {
    TPAD_WORD_COPY,  /* it is the eight bytes at src */
    TPAD_WORD_TAKES, /* at most TPAD_MOST_TAKES steps; each takes `mask` of the eight bytes at its
                        src; none: the word is fill */
    TPAD_WORD_STEPS  /* a load and at least one more */
} tpad_word_kind;

enum {
    TPAD_MOST_TAKES = 6,
    TPAD_MOST_SHIFTS = 5 /* the most takes from one load, possibly shifted down, with a fast path */
};

/* `count` words with the same steps, evenly spaced. length: the number of neighbouring words of a
 * copy, or of neighbouring places that any other word is made in. */
typedef struct tpad_word {
    int32_t dst, src; /* bytes, relative to the group's */
    int32_t dst_step, src_step;
    int16_t count, length;
    int16_t kind, steps;
    uint64_t fill; /* 0 in the bits that steps take */
} tpad_word;

typedef struct tpad_words {
    const tpad_word *words;
    const tpad_step *steps; /* those of the first word, then of the next ... */
    int32_t word_count;
    int32_t high_bits_first;
    int32_t group_bytes; /* of output */
    unsigned char *dst;  /* of the first group */
    const unsigned char *src;
    int64_t groups, dst_step, src_step;
} tpad_words;

/* Makes all words of all groups. Groups do not overlap. */
TPAD_INTERNAL void tpad_run_words(const tpad_words *w);

#endif
