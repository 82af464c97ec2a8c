/* Short rows by words: the steps for one group of tiles. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_WORD_PROGRAM_H
#define TPAD_CORE_WORD_PROGRAM_H

#include "../kernels/words.h"
#include "plan.h"

enum { WORDS_MOST = 128, WORDS_MOST_STEPS = 352 };

/* A group is as many neighbouring tiles as are whole bytes. */
typedef struct words {
    tile_shape tile; /* without loops: there are no steps */
    int32_t group;
    int32_t high_bits_first;
    int32_t word_count, step_count;
    int32_t full; /* there was no room for all of them */
    tpad_word words[WORDS_MOST + 1]; /* the last one is for a word that has no room */
    tpad_step steps[WORDS_MOST_STEPS];
} words;

/* Writes down the steps for a plan's output, for one fill value of `value_size` bytes. The tile
 * has no loops afterwards where there is none that can be made so, or where it would not be worth it. */
TPAD_INTERNAL void tpad_words_make(words *w, const plan *p, const unsigned char *value,
                                   int32_t value_size);

#endif
