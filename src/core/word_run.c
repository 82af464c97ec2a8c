/* Walks a plan by the words of a group of tiles. SPDX-License-Identifier: MIT
 *
 * Rows of tiles become runs of groups for the kernel. Tiles that are not a whole group, or do not
 * begin on a byte, are left to blocks. Only tiles of one group may be written twice, with the same
 * values. */
#include "checked.h"
#include "spans.h"
#include "walk.h"
#include "word_program.h"

/* The kernel makes six or twelve groups at a time, so fewer are less efficient. */
enum { FEW_GROUPS = 8 };

/* The size of neighbouring planes that are written together before the next ones. */
enum { PLANES_BYTES = 1 << 18 };

static void run_groups(const walk *w, const words *t, const tpad_span *tiles, int64_t groups)
{
    const int64_t unit = w->plan->cell_unit == 1 ? 8 : 1;
    const tpad_words all = {.words = t->words,
                            .steps = t->steps,
                            .word_count = t->word_count,
                            .high_bits_first = t->high_bits_first,
                            .group_bytes = (int32_t)(t->tile.size * t->group / unit),
                            .dst = w->dst + tiles->dst / unit,
                            .src = w->src + tiles->src / unit,
                            .groups = groups,
                            .dst_step = tiles->dst_step * t->group / unit,
                            .src_step = tiles->src_step * t->group / unit};
    w->kernels->words(&all);
}

/* Writes the first `count` tiles of a span by blocks, and removes them from it. */
static void leave_tiles(const walk *w, const words *t, tpad_span *tiles, int64_t count)
{
    const plan *p = w->plan;
    if (count == 0) return;
    if (p->cell_unit == 8) {
        const tpad_span plane = {.count = 1},
                        rows = {count, tiles->dst, tiles->src, tiles->dst_step, tiles->src_step, 0};
        tpad_put_rows(w, &plane, &rows);
    } else {
        /* The next tile need not follow, but the output is dense. */
        for (int64_t i = 0; i < count; i++) {
            const int64_t first = (tiles->dst + i * tiles->dst_step) / p->cell;
            tpad_walk_blocks(w, first, first + t->tile.cells);
        }
    }
    tiles->count -= count;
    tiles->dst += count * tiles->dst_step;
    tiles->src += count * tiles->src_step;
}

/* Tiles that have a source, evenly spaced. */
static void put_groups(const walk *w, const words *t, tpad_span tiles)
{
    const int64_t group = t->group;
    const int bits = w->plan->cell_unit == 1;
    if (group > 1 && tiles.src_step != t->tile.in_stride) {
        leave_tiles(w, t, &tiles, tiles.count);
        return;
    }
    int64_t before = 0;
    while (bits && before < 8 &&
           ((tiles.dst + before * tiles.dst_step) & 7) +
                   ((tiles.src + before * tiles.src_step) & 7) !=
               0)
        before++;
    if (before == 8 || tiles.count < before + group) {
        leave_tiles(w, t, &tiles, tiles.count);
        return;
    }
    leave_tiles(w, t, &tiles, before);
    const int64_t groups = tiles.count / group;
    run_groups(w, t, &tiles, groups);
    int64_t done = groups * group;
    if (!bits && done < tiles.count) {
        /* The last group begins inside the one before and rewrites the same values. */
        tpad_span last = tiles;
        last.dst += (tiles.count - group) * tiles.dst_step;
        last.src += (tiles.count - group) * tiles.src_step;
        run_groups(w, t, &last, 1);
        done = tiles.count;
    }
    tiles.count -= done;
    tiles.dst += done * tiles.dst_step;
    tiles.src += done * tiles.src_step;
    leave_tiles(w, t, &tiles, tiles.count);
}

/* The same tiles of several planes: plane by plane, or tile by tile if a plane has few. */
static void put_planes(const walk *w, const words *t, const tpad_span *planes,
                       const tpad_span *tiles)
{
    const int on_bytes =
        w->plan->cell_unit == 8 || ((planes->dst_step | planes->src_step) & 7) == 0;
    const int across =
        t->group == 1 && on_bytes && tiles->count < FEW_GROUPS && planes->count > tiles->count;
    const tpad_span *outer = across ? tiles : planes, *inner = across ? planes : tiles;
    for (int64_t i = 0; i < outer->count; i++) {
        tpad_span s = *inner;
        s.dst += outer->dst + i * outer->dst_step;
        s.src += outer->src + i * outer->src_step;
        put_groups(w, t, s);
    }
}

void tpad_walk_words(const walk *w, const words *t, int64_t first, int64_t last)
{
    const plan *p = w->plan;
    const axis *rows = tpad_rows_axis(p, t->tile.loops);
    const tpad_span cells = {t->tile.cells, 0, 0, p->cell, 0, 0};
    frame_reader all = tpad_read_frames(p, t->tile.loops, first, last);
    frame f;
    while (tpad_next_frame(&all, &f)) {
        const int64_t plane = (f.row_end - f.row_begin) * t->tile.size;
        const int64_t most = PLANES_BYTES / plane > FEW_GROUPS ? PLANES_BYTES / plane : FEW_GROUPS;
        tpad_span part = f.planes;
        for (int64_t left = part.count; left > 0; left -= part.count) {
            part.count = tpad_min(left, most);
            span_reader read = tpad_read_spans(rows, f.row_begin, f.row_end, INT64_MAX);
            tpad_span tiles;
            while (tpad_next_span(&read, &tiles)) {
                if (part.filled || tiles.filled)
                    tpad_put_block(w, &part, &tiles, &cells);
                else
                    put_planes(w, t, &part, &tiles);
            }
            part.dst += part.count * part.dst_step;
            part.src += part.count * part.src_step;
        }
    }
}
