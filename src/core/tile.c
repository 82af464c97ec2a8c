/* Tiles: parts of the output that repeat. SPDX-License-Identifier: MIT
 *
 * Whatever the modes, each place of every tile comes from the same place relative to the tile's
 * source, or is fill. Tables and programs of words describe one tile and apply that to all. Knows
 * loops, not axes as given. */
#include "tile.h"
#include "checked.h"

/* The loop that counts the tiles, if they are not all of the output. */
static const axis *tiles_axis(const plan *p, const tile_shape *t)
{
    return t->loops < p->loop_count ? &p->loops[p->loop_count - 1 - t->loops] : NULL;
}

tile_shape tpad_tile_choose(const plan *p, int64_t most)
{
    tile_shape t = {.loops = 1, .size = p->loops[p->loop_count - 1].extent * p->cell};
    const axis *a = tiles_axis(p, &t);
    for (; a && a->out_stride == t.size && a->extent <= most / t.size; a = tiles_axis(p, &t)) {
        t.size *= a->extent;
        t.loops++;
    }
    if (a) t.in_stride = a->in_stride;
    t.cells = t.size / p->cell;
    t.count = p->cells / t.cells;
    return t;
}

int64_t tpad_tile_neighbours(const plan *p, const tile_shape *t)
{
    const axis *a = tiles_axis(p, t);
    if (!a || a->spacing > 1 || a->out_stride != t->size) return 1;
    const int64_t end = tpad_min(a->hi, a->origin + a->extent);
    const int64_t begin = a->lo > a->origin ? a->lo : a->origin;
    return end - begin > 1 ? end - begin : 1;
}

/* A loop over elements of the input: how far apart two neighbours are, and the first and the last.
 */
typedef struct steps {
    int64_t distance, reach;
} steps;

/* 1 if there is no gap between the elements that the loops reach together from one cell on: in
 * ascending order, the neighbours of each loop are at most as far apart as the loops before it
 * reach. As many elements as there is room for are no sign of it: where some lie over each other,
 * there may be gaps between others. */
static int is_dense(int64_t cell, steps *loops, int32_t count)
{
    for (int64_t reached = cell; count > 0; count--) {
        int32_t k = count - 1;
        while (k >= 0 && loops[k].distance > reached) k--;
        if (k < 0) return 0;
        reached += loops[k].reach;
        loops[k] = loops[count - 1];
    }
    return 1;
}

tile_reach tpad_tile_reach(const plan *p, const tile_shape *t, int64_t tiles)
{
    steps loops[TPAD_MAX_RANK + 1];
    int32_t used = 0;
    tile_reach all = {0, p->cell, 0};
    /* The sums fit, because the plan was checked for it. */
    for (int32_t n = 0; n <= t->loops; n++) {
        int64_t first = 0, count = tiles, stride = t->in_stride;
        if (n > 0) {
            const axis *a = &p->loops[p->loop_count - n];
            tpad_axis_needs(a, &first, &count);
            stride = a->in_stride;
        }
        if (count == 0) return (tile_reach){0, 0, 0};
        const int64_t distance = stride < 0 ? -stride : stride, last = first + count - 1;
        all.low += (stride < 0 ? last : first) * stride;
        all.high += (stride < 0 ? first : last) * stride;
        if (count > 1) loops[used++] = (steps){distance, distance * (count - 1)};
    }
    all.is_dense = is_dense(p->cell, loops, used);
    return all;
}
