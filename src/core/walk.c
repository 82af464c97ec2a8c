/* Walking a plan: which part of a share is written by tiles, and which by blocks.
 * SPDX-License-Identifier: MIT */
#include "walk.h"

void tpad_walk(const walk *w, int64_t begin, int64_t end)
{
    const plan *p = w->plan;
    if (PLAN_HAS_TABLE && w->tile_loops > 0) {
        const int64_t cells = p->tile_cells;
        const int64_t first = begin == 0 ? 0 : begin / cells + (begin % cells != 0);
        const int64_t last = end == p->cells ? p->tile_count : end / cells;
        if (first < last) {
            if (begin < first * cells) tpad_walk_blocks(w, begin, first * cells);
            tpad_walk_tiles(w, first, last);
            begin = last * cells;
        }
    }
    if (begin < end) tpad_walk_blocks(w, begin, end);
}
