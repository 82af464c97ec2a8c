/* Short rows by words: the steps for one group of tiles. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_WORD_PROGRAM_H
#define TENSORPAD_CORE_WORD_PROGRAM_H

#include "word_steps.h"

/* Writes down the steps for a plan's output, for one fill value of `value_size` bytes. The tile
 * has no loops afterwards where there is none that can be made so, or where it would not be worth it. */
TPAD_INTERNAL void tpad_words_make(words *w, const plan *p, const unsigned char *value,
                                   int32_t value_size);

#endif
