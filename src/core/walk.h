/* The walk from a plan's loops to the kernels. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_WALK_H
#define TPAD_CORE_WALK_H

#include "../kernels/kernels.h"
#include "plan.h"
#include "word_program.h"

typedef struct walk {
    const plan *plan;
    const tpad_kernels *kernels;
    int32_t tile_loops; /* the plan's, or 0: its table is not to be used */
    const words *words; /* for tiles by words, or NULL */
    const unsigned char *src;
    unsigned char *dst;
    const unsigned char *value; /* value_size bytes, not all alike unless it is one */
    int32_t value_size;
    const unsigned char *fill; /* the value over and over, for the tables */
} walk;

/* Blocks that take only a part of each row hold so few rows that these stay in the first-level
 * cache until the neighbouring blocks have filled the rest. */
enum { BLOCK_BYTES = 16384 };

/* Writes cells [begin, end) of the output, counted in the order of the loops; begin < end. */
TPAD_INTERNAL void tpad_walk(const walk *w, int64_t begin, int64_t end);

/* The same, by blocks alone (blocks.c). */
TPAD_INTERNAL void tpad_walk_blocks(const walk *w, int64_t begin, int64_t end);

/* Writes planes x rows x cells as one block; the input is not used if one of them is filled. Rows
 * and cells count from the place of their plane and row. */
TPAD_INTERNAL void tpad_put_block(const walk *w, const tpad_span *planes, const tpad_span *rows,
                                  const tpad_span *cells);

/* Writes whole rows of the innermost loop, in one plane, by blocks. */
TPAD_INTERNAL void tpad_put_rows(const walk *w, const tpad_span *planes, const tpad_span *rows);

/* Writes tiles [first, last), counted in the order of the output, by the plan's table (tiles.c). */
TPAD_INTERNAL void tpad_walk_tiles(const walk *w, int64_t first, int64_t last);

/* The same by words (word_tiles.c). */
TPAD_INTERNAL void tpad_walk_words(const walk *w, int64_t first, int64_t last);

#endif
