/* Walks a plan by blocks: planes x rows x cells, evenly spaced, for the kernels that copy and fill.
 * SPDX-License-Identifier: MIT
 *
 * A share of the output is cut into rows of the innermost loop, and rows into runs. A block is a
 * run of the innermost loop, in a run of rows, in a run of planes. Each cell is in one block. */
#include "checked.h"
#include "spans.h"
#include "walk.h"

void tpad_put_block(const walk *w, const tpad_span *planes, const tpad_span *rows,
                    const tpad_span *cells)
{
    const plan *p = w->plan;
    const int64_t dst = planes->dst + rows->dst + cells->dst;
    const int64_t src = planes->src + rows->src + cells->src;
    const int filled = planes->filled || rows->filled || cells->filled;
    /* Skips cells that are their own sources. A run holds only such cells, or none. */
    if (!filled && (p->flags & PLAN_BORDER) && dst == src) return;
    tpad_block b = {.dst = w->dst,
                    .src = w->src,
                    .planes = planes->count,
                    .rows = rows->count,
                    .cells = cells->count,
                    .dst_plane = planes->dst_step,
                    .src_plane = planes->src_step,
                    .dst_row = rows->dst_step,
                    .src_row = rows->src_step,
                    .dst_step = cells->count == 1 ? p->cell : cells->dst_step,
                    .src_step = cells->count == 1 ? p->cell : cells->src_step,
                    .cell = p->cell,
                    .value_size = w->value_size,
                    .value = w->value};
    if (p->cell_unit == 1) {
        b.dst_bit = dst;
        b.src_bit = src;
        b.high_bits_first = p->flags & PLAN_HIGH_BITS_FIRST;
        (filled ? w->kernels->fill_bits : w->kernels->copy_bits)(&b);
        return;
    }
    b.dst += dst;
    if (filled) {
        w->kernels->fill(&b);
    } else {
        b.src += src;
        w->kernels->copy(&b);
    }
}

/* Columns [begin, end) of rows with sources. */
static void put_columns(const walk *w, const tpad_span *planes, const tpad_span *rows,
                        int64_t begin, int64_t end)
{
    span_reader columns = tpad_read_spans(tpad_rows_axis(w->plan, 0), begin, end, INT64_MAX);
    tpad_span cells;
    while (tpad_next_span(&columns, &cells)) tpad_put_block(w, planes, rows, &cells);
}

void tpad_put_rows(const walk *w, const tpad_span *planes, const tpad_span *rows)
{
    put_columns(w, planes, rows, 0, tpad_rows_axis(w->plan, 0)->extent);
}

/* 1 if cells [begin, end) of an axis are one span. */
static int is_one_span(const axis *a, int64_t begin, int64_t end)
{
    const run r = tpad_axis_run(a, begin);
    return r.length >= end - begin && r.spacing == 1;
}

/* Columns [begin, end) of a frame. Work of more than one block is done in parts that stay in the
 * first-level cache until all of their blocks are written. */
static void put_frame(const walk *w, const frame *f, int64_t begin, int64_t end)
{
    const plan *p = w->plan;
    const axis *columns = tpad_rows_axis(p, 0), *rows = tpad_rows_axis(p, 1);
    const tpad_span all = tpad_filled_span(columns, begin, end);
    if (f->planes.filled) {
        const tpad_span filled = tpad_filled_span(rows, f->row_begin, f->row_end);
        tpad_put_block(w, &f->planes, &filled, &all);
        return;
    }
    int64_t most = INT64_MAX, planes = INT64_MAX;
    const int64_t row_count = f->row_end - f->row_begin, row_size = (end - begin) * p->cell;
    if (f->planes.count * row_count * row_size > BLOCK_BYTES) {
        const int64_t row_bytes = row_size / (8 / p->cell_unit) + 1;
        const int64_t block_rows = row_bytes < BLOCK_BYTES ? BLOCK_BYTES / row_bytes : 1;
        if (!is_one_span(columns, begin, end) || rows->spacing > 1) most = planes = block_rows;
        if (!is_one_span(rows, f->row_begin, f->row_end)) planes = block_rows;
        planes = planes / row_count > 1 ? planes / row_count : 1;
    }
    tpad_span part = f->planes;
    for (int64_t left = part.count; left > 0; left -= part.count) {
        part.count = tpad_min(left, planes);
        span_reader read = tpad_read_spans(rows, f->row_begin, f->row_end, most);
        tpad_span s;
        while (tpad_next_span(&read, &s)) {
            if (s.filled)
                tpad_put_block(w, &part, &s, &all);
            else
                put_columns(w, &part, &s, begin, end);
        }
        part.dst += part.count * part.dst_step;
        part.src += part.count * part.src_step;
    }
}

/* Columns [begin, end) of the rows [first, last), counted in the order of the output. */
static void walk_rows(const walk *w, int64_t first, int64_t last, int64_t begin, int64_t end)
{
    frame_reader all = tpad_read_frames(w->plan, 1, first, last);
    frame f;
    while (tpad_next_frame(&all, &f)) put_frame(w, &f, begin, end);
}

/* A part of a row, whole rows, a part of a row. */
void tpad_walk_blocks(const walk *w, int64_t begin, int64_t end)
{
    const int64_t columns = tpad_rows_axis(w->plan, 0)->extent;
    const int64_t first = begin % columns, last = end % columns;
    int64_t row = begin / columns;
    const int64_t last_row = end / columns;
    if (row == last_row) {
        walk_rows(w, row, row + 1, first, last);
        return;
    }
    if (first > 0) {
        walk_rows(w, row, row + 1, first, columns);
        row++;
    }
    if (last_row > row) walk_rows(w, row, last_row, 0, columns);
    if (last > 0) walk_rows(w, last_row, last_row + 1, 0, last);
}
