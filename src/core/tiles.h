/* Walking a plan by the tiles of its table. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_TILES_H
#define TENSORPAD_CORE_TILES_H

#include "walk.h"

/* Writes tiles [first, last), counted in the order of the output; first < last. */
TPAD_INTERNAL void tpad_walk_tiles(const walk *w, int64_t first, int64_t last);

#endif
