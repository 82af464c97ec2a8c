/* Tiles: the choice of one, and what it reads. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_TILE_H
#define TENSORPAD_CORE_TILE_H

#include "plan.h"

/* The loops from the innermost one on that lie together and have at most `most` units; always at
 * least that one. The plan has something to write. */
TPAD_INTERNAL tile_shape tpad_tile_choose(const plan *p, int64_t most);

/* How many tiles at most follow each other in the output and in the input; 1 or more. */
TPAD_INTERNAL int64_t tpad_tile_neighbours(const plan *p, const tile_shape *t);

/* The input that is taken, relative to the source of the first tile: nothing if low is high.
 * is_dense: there is no gap in it. */
typedef struct tile_reach {
    int64_t low, high;
    int is_dense;
} tile_reach;

/* What `tiles` neighbouring tiles take. */
TPAD_INTERNAL tile_reach tpad_tile_reach(const plan *p, const tile_shape *t, int64_t tiles);

#endif
