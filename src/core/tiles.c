/* Walking a plan by the tiles of its table. SPDX-License-Identifier: MIT
 *
 * Rows of tiles become spans for the kernels: of groups of tiles as far as they go, else of single
 * ones, which wait to be handed over together. What no tile takes is left to blocks. Only tiles of
 * one group may be written twice, with the same values. */
#include "checked.h"
#include "spans.h"
#include "walk.h"

#if TPAD_TABLE_BYTES > 0

/* Tiles that wait to be handed to a kernel together. */
enum { MOST_WAITING = 16 };
typedef struct waiting {
    int32_t count;
    tpad_span spans[MOST_WAITING];
} waiting;

/* Hands tiles to the kernel: by the single tile's pieces, or the tiles are groups. Tiles are done
 * by blocks that stay in the first-level cache, piece by piece; where memory is the limit, one by
 * one, since it likes to be written in order. */
static void emit_tiles(const walk *w, const tpad_span *spans, int32_t count, int groups)
{
    const plan *p = w->plan;
    const int32_t vector = w->kernels->vector_bytes, first = groups ? p->single_pieces : 0;
    const int64_t bytes = p->tile_bytes * (groups ? p->group : 1);
    const int one_by_one = bytes > (p->flags & PLAN_LARGE ? 256 : BLOCK_BYTES);
    const tpad_tiles t = {w->dst,
                          w->src,
                          spans,
                          count,
                          groups ? p->group_pieces : p->single_pieces,
                          one_by_one ? 1 : BLOCK_BYTES / bytes,
                          tpad_plan_pieces(p) + first,
                          tpad_plan_index(p, vector) + first * vector,
                          w->fill,
                          p->flags & PLAN_LARGE};
    w->kernels->tiles(&t);
}

static void emit_waiting(const walk *w, waiting *tiles)
{
    if (tiles->count > 0) emit_tiles(w, tiles->spans, tiles->count, 0);
    tiles->count = 0;
}

/* How many tiles there are before one that begins with a vector's alignment; 0 if none does. */
static int64_t tiles_to_alignment(const walk *w, const tpad_span *tiles)
{
    const plan *p = w->plan;
    const uintptr_t at = (uintptr_t)w->dst + (uintptr_t)(tiles->dst);
    for (int64_t n = 0; n < p->group; n++)
        if ((at + (uintptr_t)(n * p->tile_bytes)) % (uintptr_t)w->kernels->vector_bytes == 0)
            return n;
    return 0;
}

/* Takes the first `count` tiles off a span. */
static tpad_span take_tiles(tpad_span *tiles, int64_t count)
{
    tpad_span first = *tiles;
    first.count = count;
    tiles->count -= count;
    tiles->dst += count * tiles->dst_step;
    tiles->src += count * tiles->src_step;
    return first;
}

/* The cells of packed tiles, tile by tile, since the next one need not follow. */
static void walk_bit_rows(const walk *w, const tpad_span *tiles)
{
    const plan *p = w->plan;
    for (int64_t i = 0; i < tiles->count; i++) {
        const int64_t first = (tiles->dst + i * tiles->dst_step) / p->cell;
        tpad_walk_blocks(w, first, first + p->tile_cells);
    }
}

/* Packed tiles: groups as soon as one begins on a byte of the output and of the input, the tiles
 * before and behind these by blocks. The kernel likes blocks of eight, and groups are small. */
static void walk_bit_tiles(const walk *w, tpad_span tiles)
{
    const plan *p = w->plan;
    const int64_t group = p->group;
    int64_t before = 0;
    while (before < 8 && ((tiles.dst + before * tiles.dst_step) & 7) +
                                 ((tiles.src + before * tiles.src_step) & 7) !=
                             0)
        before++;
    if (before < 8 && tiles.count >= before + group && tiles.dst_step == p->tile_bytes &&
        tiles.src_step == p->tile_in_stride) {
        const tpad_span first = take_tiles(&tiles, before);
        walk_bit_rows(w, &first);
        const tpad_span taken = take_tiles(&tiles, tiles.count / group * group);
        const tpad_span groups = {taken.count / group,
                                  taken.dst / 8,
                                  taken.src / 8,
                                  taken.dst_step * group / 8,
                                  taken.src_step * group / 8,
                                  0};
        /* Eight at a time. It is not 0, since a group is at most 6 vectors. */
        const int64_t block = BLOCK_BYTES / groups.dst_step / 8 * 8;
        const tpad_tiles t = {w->dst,
                              w->src,
                              &groups,
                              1,
                              p->group_pieces,
                              block,
                              tpad_plan_pieces(p),
                              (const unsigned char *)(tpad_plan_pieces(p) + TPAD_BIT_PIECES),
                              w->fill,
                              0};
        w->kernels->bit_tiles(&t);
    }
    walk_bit_rows(w, &tiles);
}

/* Rows that are tiles, by groups as far as they go; the others wait. The last group may begin
 * inside the one before and then writes the same once more. */
static void walk_byte_tiles(const walk *w, waiting *singles, tpad_span tiles)
{
    const plan *p = w->plan;
    const int64_t group = p->group;
    const int aligned = (p->flags & PLAN_LARGE) && p->single_pieces > 0;
    if (group > 1 && tiles.count >= (aligned ? 2 * group : group) &&
        tiles.src_step == p->tile_in_stride) {
        if (aligned) {
            const tpad_span first = take_tiles(&tiles, tiles_to_alignment(w, &tiles));
            if (first.count > 0) emit_tiles(w, &first, 1, 0);
        }
        tpad_span groups = take_tiles(&tiles, tiles.count / group * group);
        groups.count /= group;
        groups.dst_step *= group;
        groups.src_step *= group;
        emit_tiles(w, &groups, 1, 1);
        if (tiles.count == 0) return;
        if (!aligned) {
            take_tiles(&tiles, tiles.count - group);
            tiles.count = 1;
            emit_tiles(w, &tiles, 1, 1);
            return;
        }
    }
    if (p->single_pieces == 0) {
        const tpad_span plane = {.count = 1};
        tpad_put_rows(w, &plane, &tiles);
        return;
    }
    if (singles->count == MOST_WAITING) emit_waiting(w, singles);
    singles->spans[singles->count++] = tiles;
}

void tpad_walk_tiles(const walk *w, int64_t first, int64_t last)
{
    const plan *p = w->plan;
    const axis *rows = tpad_rows_axis(p, w->tile_loops);
    const tpad_span cells = {p->tile_cells, 0, 0, p->cell, 0, 0};
    frame_reader all = tpad_read_frames(p, w->tile_loops, first, last);
    frame f;
    waiting singles;
    singles.count = 0;
    while (tpad_next_frame(&all, &f)) {
        tpad_span plane = f.planes;
        plane.count = 1;
        for (int64_t i = 0; i < f.planes.count; i++) {
            span_reader read = tpad_read_spans(rows, f.row_begin, f.row_end, INT64_MAX);
            tpad_span tiles;
            while (tpad_next_span(&read, &tiles)) {
                if (plane.filled || tiles.filled) {
                    tpad_put_block(w, &plane, &tiles, &cells);
                    continue;
                }
                tiles.dst += plane.dst;
                tiles.src += plane.src;
                if (p->cell_unit == 1)
                    walk_bit_tiles(w, tiles);
                else
                    walk_byte_tiles(w, &singles, tiles);
            }
            plane.dst += plane.dst_step;
            plane.src += plane.src_step;
        }
    }
    emit_waiting(w, &singles);
}

#else

void tpad_walk_tiles(const walk *w, int64_t first, int64_t last)
{
    (void)w;
    (void)first;
    (void)last;
}

#endif
