/* Walking a plan by blocks. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_BLOCKS_H
#define TENSORPAD_CORE_BLOCKS_H

#include "walk.h"

/* Writes cells [begin, end) of the output, counted in the order of the loops; begin < end. */
TPAD_INTERNAL void tpad_walk_blocks(const walk *w, int64_t begin, int64_t end);

/* Writes planes x rows x cells as one block; the input is not used if one of them is filled. Rows
 * and cells count from the place of their plane and row. */
TPAD_INTERNAL void tpad_put_block(const walk *w, const tpad_span *planes, const tpad_span *rows,
                                  const tpad_span *cells);

/* Writes whole rows of the innermost loop, in one plane. */
TPAD_INTERNAL void tpad_put_rows(const walk *w, const tpad_span *planes, const tpad_span *rows);

#endif
