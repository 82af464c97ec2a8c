/* Short rows by words: the steps for one group of tiles. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_WORD_PROGRAM_H
#define TENSORPAD_CORE_WORD_PROGRAM_H

#include "word_steps.h"

/* 1 if so many cells of a plan's output are enough for words, and its rows short enough. */
TPAD_INTERNAL int tpad_words_suit(const plan *p, int64_t cells);

/* Writes down the steps for the output of such a plan, for one fill value of `value_size` bytes.
 * Returns 0 if no tile can be made so, or if it would not be worth it. */
TPAD_INTERNAL int tpad_words_make(words *w, const plan *p, const unsigned char *value,
                                  int32_t value_size);

#endif
