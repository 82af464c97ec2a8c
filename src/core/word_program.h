/* Short rows by words: the steps for one group of tiles. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_WORD_PROGRAM_H
#define TENSORPAD_CORE_WORD_PROGRAM_H

#include "../kernels/words.h"
#include "plan.h"
#include "walk.h"

/* Words and their steps. */

enum {
    NO_BIT = INT32_MIN, /* the source of a filled place */
    WORD_BITS = 64,
    WORDS_MOST = 128,
    WORDS_MOST_STEPS = 800
};

/* The words of a group and their steps. A group is a number of neighbouring tiles that is whole
 * bytes. */
typedef struct words {
    tile_shape tile;
    int32_t group;
    int32_t high_bits_first;
    int32_t word_count, step_count;
    int32_t full;                    /* 1: there was no room for all of them */
    tpad_word words[WORDS_MOST + 1]; /* the last one is for a word without room */
    tpad_step steps[WORDS_MOST_STEPS];
} words;

/* The sources of a word's bits: the first bit of each grain. A grain is 1 to 64 bits that always
 * stay together. Bits count from the group's source. Sets of grains have a bit for each. */
typedef struct word_input {
    int32_t grain, grain_shift; /* 1 << grain_shift */
    int64_t low, high;          /* the bytes that may be read: those of the group, eight or more */
    int32_t count;              /* grains in a word */
    int32_t from[WORD_BITS];
} word_input;

/* 1 if `cells` cells of a plan's output are enough for words, and its rows short enough. */
TPAD_INTERNAL int tpad_words_suit(const plan *p, int64_t cells);

/* Makes the steps for the output of such a plan, for one fill value of `value_size` bytes. Returns
 * 0 if no tile can be made this way, or if it is not worth it. */
TPAD_INTERNAL int tpad_words_make(words *w, const plan *p, const unsigned char *value,
                                  int32_t value_size);

/* Walking a plan by words. */

/* Writes tiles [first, last) of t, counted in the order of the output; first < last. */
TPAD_INTERNAL void tpad_walk_words(const walk *w, const words *t, int64_t first, int64_t last);

#endif
