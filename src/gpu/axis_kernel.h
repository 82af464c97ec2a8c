/* One axis on a GPU: which element a cell takes, and which cells take an element.
 * SPDX-License-Identifier: MIT
 *
 * The second definition of the modes, after src/core/axis.c, without branches between periodic
 * modes; tests/c/gpu/test_gpu_axes.c shows that both agree. */
#ifndef TPAD_GPU_AXIS_KERNEL_H
#define TPAD_GPU_AXIS_KERNEL_H

#include "language.h"
#include "parameters.h"

/* n / d for 0 <= n < 2^31 (2^63). */
TPAD_DEVICE tpad_idx tpad_divide(tpad_idx n, tpad_idx factor, tpad_idx shift)
{
    return (tpad_idx)((TPAD_HIGH((tpad_udx)n, (tpad_udx)factor) + (tpad_udx)n) >> shift);
}

/* The work of a thread. */
typedef struct tpad_item {
    tpad_idx row;    /* tiles.rows or more: nothing to do */
    tpad_idx column; /* of a vector, relative to the first one; or of a word beside the vectors */
    int whole, two;  /* 1: a vector; 1: and another one `pairs` vectors after it */
} tpad_item;

TPAD_DEVICE tpad_item tpad_find_item(TPAD_CONST tpad_gpu_tiles *g, tpad_idx t, tpad_idx lanes)
{
    tpad_item item;
    const tpad_idx tile = tpad_divide(t, g->per_tile_factor, g->per_tile_shift);
    tpad_idx in_tile = t - tile * g->per_tile, row;
    const tpad_idx whole = g->rows_per_tile * g->pairs;
    item.whole = in_tile < whole;
    if (item.whole) {
        row = tpad_divide(in_tile, g->pairs_factor, g->pairs_shift);
        item.column = in_tile - row * g->pairs;
        item.two = item.column + g->pairs < g->vectors;
        item.column *= lanes;
    } else {
        in_tile -= whole;
        row = tpad_divide(in_tile, g->beside_factor, g->beside_shift);
        item.column = in_tile - row * g->beside;
        item.two = 0;
    }
    item.row = tile * g->rows_per_tile + row;
    return item;
}

/* The item's column in a row with its vectors beginning at `first`. */
TPAD_DEVICE tpad_idx tpad_column_of(const tpad_item *item, TPAD_CONST tpad_gpu_tiles *g,
                                    tpad_idx first, tpad_idx lanes)
{
    if (item->whole) return first + item->column;
    return item->column < first ? item->column : item->column + g->vectors * lanes;
}

/* The element that cell i takes, or -1. */
TPAD_DEVICE tpad_idx tpad_element_of(TPAD_CONST tpad_gpu_axis *a, tpad_idx i)
{
    tpad_idx u = a->origin + i - a->lo;
    const tpad_idx size = a->size;
    if ((tpad_udx)u >= (tpad_udx)size) {
        if (a->kind == TPAD_FILLS) return -1;
        if (a->kind == TPAD_REPEATS) {
            u = u < 0 ? 0 : size - 1;
        } else {
            u = i + a->phase;
            u -= tpad_divide(u, a->period_factor, a->period_shift) * a->period;
            if (u >= size) u = a->mirror - u;
        }
    }
    u += a->lo;
    if (a->spacing > 1) {
        const tpad_idx q = tpad_divide(u, a->spacing_factor, a->spacing_shift);
        return u == q * a->spacing ? q : -1;
    }
    return u;
}

/* The number of cells that take element e (m < 0), or the m-th: its own place first, then
 * ascending. */
TPAD_DEVICE tpad_idx tpad_taker(TPAD_CONST tpad_gpu_axis *a, tpad_idx e, tpad_idx m)
{
    const tpad_idx extent = a->extent, size = a->size, origin = a->origin;
    const tpad_idx at = e * a->spacing, u = at - a->lo, own = at - origin;
    if ((tpad_udx)u >= (tpad_udx)size) return 0;
    const tpad_idx has_own = (tpad_udx)own < (tpad_udx)extent;
    if (a->kind != TPAD_PERIODIC) {
        tpad_idx left = 0, right = 0, from = 0;
        if (a->kind == TPAD_REPEATS && u == 0) {
            left = a->lo - origin;
            left = left < 0 ? 0 : left > extent ? extent : left;
        }
        if (a->kind == TPAD_REPEATS && u == size - 1) {
            from = a->lo + size - origin;
            if (from < 0) from = 0;
            right = extent > from ? extent - from : 0;
        }
        if (m < 0) return has_own + left + right;
        if (has_own && m == 0) return own;
        m -= has_own;
        return m < left ? m : from + (m - left);
    }
    /* Two sequences with one period: of the element itself, and of its mirror image. */
    const tpad_idx period = a->period, image = a->mirror - u;
    const tpad_idx two = image >= size && image < period;
    tpad_idx x = u - a->phase, y = image - a->phase;
    if (x < 0) x += period;
    if (y < 0) y += period;
    if (m < 0) {
        tpad_idx count = 0;
        if (x < extent) count += tpad_divide(extent - 1 - x, a->period_factor, a->period_shift) + 1;
        if (two && y < extent)
            count += tpad_divide(extent - 1 - y, a->period_factor, a->period_shift) + 1;
        return count;
    }
    if (has_own) {
        tpad_idx rank = tpad_divide(own - x, a->period_factor, a->period_shift);
        if (two) rank = 2 * rank + (x > y);
        if (m == 0) return own;
        if (m <= rank) m--;
    }
    if (!two) return x + m * period;
    return ((m & 1) != (x > y) ? y : x) + (m >> 1) * period;
}

#endif
