/* Where each place of a tile comes from. SPDX-License-Identifier: MIT
 *
 * Both kinds of tables, of bytes and of bits, are written from this. Knows loops, not axes as
 * given. */
#include "tile_map.h"
#include "checked.h"

#if TPAD_TABLE_BYTES > 0

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

void tpad_tile_input(plan *p)
{
    const tile_shape whole = {.loops = p->loop_count};
    const tile_reach all = tpad_tile_reach(p, &whole, 1);
    p->in_low = p->loop_in_offset + all.low;
    p->in_high = all.is_dense ? p->loop_in_offset + all.high : p->in_low;
}

int tpad_tile_map(tile_map *m, const plan *p, int32_t tiles)
{
    const tile_reach all = tpad_tile_reach(p, &p->tile, tiles);
    m->plan = p;
    m->inner = &p->loops[p->loop_count - 1];
    m->row_size = m->inner->extent * p->cell;
    m->size = p->tile.size * tiles;
    m->low = all.low;
    m->high = all.high;
    m->is_dense = all.is_dense;
    return all.low < all.high && all.low > -MOST_REACH && all.high < MOST_REACH;
}

int tpad_tile_row(const tile_map *m, int64_t row, int64_t *source)
{
    const plan *p = m->plan;
    const int32_t first = p->loop_count - p->tile.loops;
    *source = 0;
    for (int32_t k = p->loop_count - 2; k >= first; k--) {
        const axis *a = &p->loops[k];
        int64_t i = row, rest = 0;
        if (row >= a->extent) {
            i = row % a->extent;
            rest = row / a->extent;
        }
        const run r = tpad_axis_run(a, i);
        if (r.source < 0) return 0;
        *source += r.source * a->in_stride;
        row = rest;
    }
    *source += row * p->tile.in_stride;
    return 1;
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
        int64_t base;
        const int has_source = tpad_tile_row(m, row, &base);
        for (run r; n < count && i < a->extent; i += r.length, rest = 0) {
            r = has_source ? tpad_axis_run(a, i) : (run){a->extent - i, -1, 0, 1};
            n += gather_run(m, &r, base + r.source * a->in_stride, rest, count - n, from + n);
        }
    }
}

#endif
