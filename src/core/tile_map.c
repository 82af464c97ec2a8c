/* Tiles: which part of the output is a fixed permutation of a small part of the input, and where
 * each place of it comes from. SPDX-License-Identifier: MIT
 *
 * Whatever the modes, a place of every tile comes from the same place relative to the tile's
 * source, or is fill. Both kinds of tables, of bytes and of bits, are written from this. Knows
 * loops, not axes as given. */
#include "tile_map.h"
#include "checked.h"

#if TPAD_TABLE_BYTES > 0

void tpad_tile_choose(plan *p, int64_t most)
{
    p->tile_loops = 1;
    p->tile_bytes = p->loops[p->loop_count - 1].extent * p->cell;
    while (p->tile_loops < p->loop_count) {
        const axis *a = &p->loops[p->loop_count - p->tile_loops - 1];
        if (a->out_stride != p->tile_bytes || a->extent > most / p->tile_bytes) return;
        p->tile_bytes *= a->extent;
        p->tile_loops++;
    }
}

int64_t tpad_tile_neighbours(plan *p)
{
    p->tile_in_stride = 0;
    if (p->tile_loops == p->loop_count) return 1;
    const axis *rows = &p->loops[p->loop_count - p->tile_loops - 1];
    const int64_t end = tpad_min(rows->hi, rows->origin + rows->extent);
    const int64_t begin = rows->lo > rows->origin ? rows->lo : rows->origin;
    p->tile_in_stride = rows->in_stride;
    return rows->spacing == 1 && rows->out_stride == p->tile_bytes ? end - begin : 1;
}

int64_t tpad_tile_best_group(int64_t tile_size, int64_t fewest, int64_t step, int64_t most,
                             int64_t vector, int64_t room)
{
    int64_t best = 0, best_vectors = 1;
    for (int64_t n = fewest; n <= most && n * tile_size <= room * vector; n += step) {
        const int64_t vectors = (n * tile_size + vector - 1) / vector;
        /* Vectors for each tile, compared crosswise. */
        if (best == 0 || vectors * best < best_vectors * n) {
            best = n;
            best_vectors = vectors;
        }
        if (n * tile_size * 10 >= vectors * vector * 9) break;
    }
    return best;
}

/* What some loops reach over: from which place to which, and whether without a gap. */
typedef struct reach {
    int64_t low, high;
    int is_dense;
} reach;

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

/* What the loops from number `first` on reach, `tiles` times at a distance of tile_in_stride. The
 * sums fit, because the plan was checked for it. Empty if they take nothing. */
static reach reach_of(const plan *p, int32_t first_loop, int64_t tiles)
{
    steps loops[TPAD_MAX_RANK + 1];
    int32_t used = 0;
    reach all = {0, p->cell, 0};
    for (int32_t k = first_loop - 1; k < p->loop_count; k++) {
        int64_t first = 0, count = tiles, stride = p->tile_in_stride;
        if (k >= first_loop) {
            tpad_axis_needs(&p->loops[k], &first, &count);
            stride = p->loops[k].in_stride;
        }
        if (count == 0) return (reach){0, 0, 0};
        const int64_t distance = stride < 0 ? -stride : stride, last = first + count - 1;
        all.low += (stride < 0 ? last : first) * stride;
        all.high += (stride < 0 ? first : last) * stride;
        if (count > 1) loops[used++] = (steps){distance, distance * (count - 1)};
    }
    all.is_dense = is_dense(p->cell, loops, used);
    return all;
}

void tpad_tile_input(plan *p)
{
    p->tile_in_stride = 0;
    const reach all = reach_of(p, 0, 1);
    p->in_low = p->loop_in_offset + all.low;
    p->in_high = all.is_dense ? p->loop_in_offset + all.high : p->in_low;
}

int tpad_tile_map(tile_map *m, const plan *p, int32_t tiles)
{
    const reach all = reach_of(p, p->loop_count - p->tile_loops, tiles);
    m->plan = p;
    m->inner = &p->loops[p->loop_count - 1];
    m->row_size = m->inner->extent * p->cell;
    m->size = p->tile_bytes * tiles;
    m->low = all.low;
    m->high = all.high;
    m->is_dense = all.is_dense;
    return all.low < all.high && all.low > -MOST_REACH && all.high < MOST_REACH;
}

int64_t tpad_tile_row(const tile_map *m, int64_t row)
{
    const plan *p = m->plan;
    const int32_t first = p->loop_count - p->tile_loops;
    int64_t source = 0;
    for (int32_t k = p->loop_count - 2; k >= first; k--) {
        const axis *a = &p->loops[k];
        int64_t i = row, rest = 0;
        if (row >= a->extent) {
            i = row % a->extent;
            rest = row / a->extent;
        }
        const run r = tpad_axis_run(a, i);
        if (r.source < 0) return NO_SOURCE;
        source += r.source * a->in_stride;
        row = rest;
    }
    return source + row * p->tile_in_stride;
}

/* The sources of at most `most` grains of a run, from `rest` units behind its beginning on;
 * `source`: of its first cell. Returns how many. */
static int32_t gather_run(const tile_map *m, const run *r, int64_t source, int64_t rest,
                          int32_t most, int32_t *from)
{
    const int64_t cell = m->plan->cell, step = r->step * m->inner->in_stride;
    const int32_t count = (int32_t)tpad_min(most, (r->length * cell - rest) >> m->grain_shift);
    if (r->source < 0) {
        for (int32_t i = 0; i < count; i++) from[i] = NO_SOURCE;
    } else if (r->spacing == 1 && step == cell) {
        for (int32_t i = 0; i < count; i++) from[i] = (int32_t)(source + rest) + i * m->grain;
    } else {
        for (int32_t i = 0, gap = 0; i < count; i++) {
            from[i] = gap == 0 ? (int32_t)(source + rest) : NO_SOURCE;
            rest += m->grain;
            if (rest < cell) continue;
            rest = 0;
            if (++gap < r->spacing) continue;
            gap = 0;
            source += step;
        }
    }
    return count;
}

void tpad_tile_gather(const tile_map *m, int64_t at, int32_t count, int32_t *from)
{
    const axis *a = m->inner;
    int64_t row = 0;
    if (at >= m->row_size) {
        row = at / m->row_size;
        at %= m->row_size;
    }
    int64_t i = at / m->plan->cell, rest = at % m->plan->cell;
    for (int32_t n = 0; n < count; row++, i = 0) {
        const int64_t base = tpad_tile_row(m, row);
        for (run r; n < count && i < a->extent; i += r.length, rest = 0) {
            r = base == NO_SOURCE ? (run){a->extent - i, -1, 0, 1} : tpad_axis_run(a, i);
            n += gather_run(m, &r, base + r.source * a->in_stride, rest, count - n, from + n);
        }
    }
}

#endif
