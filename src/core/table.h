/* What the two makers of tables share: of bytes (table.c) and of packed bits (bit_table.c).
 * SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_TABLE_H
#define TPAD_CORE_TABLE_H

#include "plan.h"

#if TPAD_TABLE_BYTES > 0

enum {
    NO_SOURCE = INT32_MIN, /* a place that is fill */
    MOST_REACH = 1 << 30   /* units of output or input in one tile, so that 32 bits hold them */
};

/* What is being written down: neighbouring tiles as one. Sizes and places are in the unit of the
 * plan's loops: bits where the cells are packed, else bytes. `vector` and below: bytes. */
typedef struct maker {
    plan *p;
    const axis *inner;
    int32_t grain, grain_shift; /* units that always move together: 1 << grain_shift */
    int32_t elem;               /* the size of the fill value */
    int64_t row_bytes, bytes;
    int64_t low, high; /* the input in reach, relative to the tile's source */
    int32_t vector, masked;
    int32_t used, capacity;
    tpad_piece *pieces;
    unsigned char *index;
} maker;

/* Loops from the innermost one on whose cells lie together, as many as make a tile of at most
 * `most` units. */
TPAD_INTERNAL void tpad_table_choose_loops(plan *p, int64_t most);

/* Finds tile_in_stride of the tile that was chosen. Returns how many tiles at most follow each
 * other in the output and in the input. */
TPAD_INTERNAL int64_t tpad_table_neighbours(plan *p);

/* How many tiles, a multiple of `fewest` and not above `most`, fill at most `room` vectors best:
 * the fewest that waste less than a tenth. 0 if there is no such group. */
TPAD_INTERNAL int64_t tpad_table_best_group(int64_t tile_size, int64_t fewest, int64_t most,
                                            int64_t vector, int64_t room);

/* Sets up the table of `tiles` neighbouring tiles. Returns 0 if there cannot be one. */
TPAD_INTERNAL int tpad_table_begin(maker *m, int32_t tiles);

/* The sources of `count` grains from place `at` of the tile on. */
TPAD_INTERNAL void tpad_table_gather(const maker *m, int64_t at, int32_t count, int32_t *from);

/* Writes the table of a plan of packed cells, where there can be one. */
TPAD_INTERNAL void tpad_table_of_bits(plan *p);

#endif
#endif
