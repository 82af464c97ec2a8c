/* Tiles: how one is chosen, and what it reads. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_TILES_H
#define TENSORPAD_CORE_TILES_H

#include "plan.h"
#include "walk.h"

/* The loops from the innermost one on that are contiguous and have at most `most` units; always at
 * least that one. The plan has something to write. */
TPAD_INTERNAL tile_shape tpad_tile_choose(const plan *p, int64_t most);

/* Maximum number of consecutive tiles in output and input; 1 or more. */
TPAD_INTERNAL int64_t tpad_tile_neighbours(const plan *p, const tile_shape *t);

/* The input that is taken, relative to the source of the first tile; nothing if low == high.
 * is_dense: there is no gap in it. */
typedef struct tile_reach {
    int64_t low, high;
    int is_dense;
} tile_reach;

/* The input that `tiles` neighbouring tiles take. */
TPAD_INTERNAL tile_reach tpad_tile_reach(const plan *p, const tile_shape *t, int64_t tiles);

/* The source of each place of a tile. */

#if TPAD_TABLE_BYTES > 0

enum {
    NO_SOURCE = INT32_MIN, /* the source of a filled grain; no input of a tile is that far away */
    MOST_REACH = 1 << 30   /* units of output or input in one tile, so that 32 bits hold them */
};

/* Neighbouring tiles as one. Sizes and places are in the unit of the plan's loops: bits if the
 * cells are packed, otherwise bytes. */
typedef struct tile_map {
    const plan *plan;
    const axis *inner;
    int32_t grain, grain_shift; /* units that always move together: 1 << grain_shift of them */
    int64_t row_size, size;     /* of a row, and of the tiles together */
    int64_t low, high;          /* the input in reach, relative to the tile's source */
    int is_dense;               /* 1 if there is no gap in it */
} tile_map;

/* The number of tiles (`fewest` plus a multiple of `step`, at most `most`) that fill at most `room`
 * vectors best: the smallest that wastes less than a tenth. 0 if there is no such group. */
TPAD_INTERNAL int64_t tpad_tile_best_group(int64_t tile_size, int64_t fewest, int64_t step,
                                           int64_t most, int64_t vector, int64_t room);

/* Sets up the map of `tiles` neighbouring tiles of p; m->grain and its shift are set already.
 * Returns 0 if they take nothing from the input, or reach too far. */
TPAD_INTERNAL int tpad_tile_map(tile_map *m, const plan *p, int32_t tiles);

/* The whole input that the plan takes, relative to its first place: sets p->in_low and in_high. */
TPAD_INTERNAL void tpad_tile_input(plan *p);

/* Finds the source of row number `row` of the tile. Returns 0 if all of it is fill. The sources of
 * its cells may be far from there, back towards the tile's source. */
TPAD_INTERNAL int tpad_tile_row(const tile_map *m, int64_t row, int64_t *source);

/* The sources of `count` grains from place `at` of the tile on. */
TPAD_INTERNAL void tpad_tile_gather(const tile_map *m, int64_t at, int32_t count, int32_t *from);

#endif

/* Writes tiles [first, last), counted in the order of the output; first < last. */
TPAD_INTERNAL void tpad_walk_tiles(const walk *w, int64_t first, int64_t last);

#endif
