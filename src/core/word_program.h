/* Short rows by words: the steps for one group of tiles. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_WORD_PROGRAM_H
#define TPAD_CORE_WORD_PROGRAM_H

#include "../kernels/words.h"
#include "plan.h"

enum { WORDS_MOST = 128, WORDS_MOST_STEPS = 352 };

/* A tile is the `tile_loops` innermost loops, which lie together in the output; a group is as many
 * neighbouring tiles as are whole bytes, each tile_in_stride further on in the input. Sizes are in
 * the unit of the plan's loops. */
typedef struct words {
    int32_t tile_loops; /* 0: there are no steps */
    int32_t group;
    int32_t high_bits_first;
    int32_t word_count, step_count;
    int32_t full; /* there was no room for all of them */
    int64_t tile_size, tile_in_stride;
    int64_t tile_cells, tile_count;
    tpad_word words[WORDS_MOST];
    tpad_step steps[WORDS_MOST_STEPS];
} words;

/* Writes down the steps for a plan's output, for one fill value of `value_size` bytes. tile_loops
 * is 0 afterwards where there is no tile that can be made so, or where it would not be worth it. */
TPAD_INTERNAL void tpad_words_make(words *w, const plan *p, const unsigned char *value,
                                   int32_t value_size);

#endif
