/* Walking a plan: which part of a share is written by tiles, and which by blocks.
 * SPDX-License-Identifier: MIT */
#include "walk.h"

void tpad_walk(const walk *w, int64_t begin, int64_t end)
{
    const plan *p = w->plan;
    const int by_table = PLAN_HAS_TABLE && w->tile_loops > 0;
    if (by_table || w->words) {
        const int64_t cells = by_table ? p->tile_cells : w->words->tile_cells;
        const int64_t tiles = by_table ? p->tile_count : w->words->tile_count;
        const int64_t first = begin == 0 ? 0 : begin / cells + (begin % cells != 0);
        const int64_t last = end == p->cells ? tiles : end / cells;
        if (first < last) {
            if (begin < first * cells) tpad_walk_blocks(w, begin, first * cells);
            (by_table ? tpad_walk_tiles : tpad_walk_words)(w, first, last);
            begin = last * cells;
        }
    }
    if (begin < end) tpad_walk_blocks(w, begin, end);
}
