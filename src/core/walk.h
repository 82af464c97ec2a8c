/* State of one run (plan, buffers, fill value), and walking by blocks. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_WALK_H
#define TENSORPAD_CORE_WALK_H

#include "../kernels/kernels.h"
#include "plan.h"

typedef struct walk {
    const plan *plan;
    const tpad_kernels *kernels;
    const unsigned char *src;
    unsigned char *dst;
    const unsigned char *value; /* value_size bytes; if several, not all equal */
    int32_t value_size;
    const unsigned char *fill; /* the value, repeated, for the tables */
} walk;

/* Blocks of only a part of each row have few rows, so that these stay in the first-level cache
 * until the neighbouring blocks have written the rest. */
enum { BLOCK_BYTES = 16384 };

/* Writes cells [begin, end) of the output, counted in the order of the loops; begin < end. */
TPAD_INTERNAL void tpad_walk_blocks(const walk *w, int64_t begin, int64_t end);

/* Writes planes x rows x cells as one block; the input is not used if one of them is filled. Places
 * of rows count from their plane, places of cells from their row. */
TPAD_INTERNAL void tpad_put_block(const walk *w, const tpad_span *planes, const tpad_span *rows,
                                  const tpad_span *cells);

/* Writes whole rows of the innermost loop, in one plane. */
TPAD_INTERNAL void tpad_put_rows(const walk *w, const tpad_span *planes, const tpad_span *rows);

#endif
