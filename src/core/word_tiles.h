/* Walking a plan by words. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_WORD_TILES_H
#define TENSORPAD_CORE_WORD_TILES_H

#include "walk.h"
#include "word_steps.h"

/* Writes tiles [first, last) of t, counted in the order of the output; first < last. */
TPAD_INTERNAL void tpad_walk_words(const walk *w, const words *t, int64_t first, int64_t last);

#endif
