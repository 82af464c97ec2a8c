/* Walking a plan: which part of a share is written by tiles, and which by blocks.
 * SPDX-License-Identifier: MIT */
#include "walk.h"

void tpad_walk(const walk *w, int64_t begin, int64_t end)
{
    const plan *p = w->plan;
    const int by_table = PLAN_HAS_TABLE && w->tile_loops > 0;
    if (by_table || w->words) {
        const tile_shape *t = by_table ? &p->tile : &w->words->tile;
        const int64_t first = begin == 0 ? 0 : begin / t->cells + (begin % t->cells != 0);
        const int64_t last = end == p->cells ? t->count : end / t->cells;
        if (first < last) {
            if (begin < first * t->cells) tpad_walk_blocks(w, begin, first * t->cells);
            (by_table ? tpad_walk_tiles : tpad_walk_words)(w, first, last);
            begin = last * t->cells;
        }
    }
    if (begin < end) tpad_walk_blocks(w, begin, end);
}
