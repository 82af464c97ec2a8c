/* From loops to evenly spaced spans: of one axis, and of the loops outside a row.
 * SPDX-License-Identifier: MIT
 *
 * Defines the order of the walk over the output. */
#include "spans.h"
#include "checked.h"
#include "walk.h"

/* The elements of a run of `length` cells from index i on. */
static tpad_span run_elements(const axis *a, int64_t i, const run *r, int64_t length)
{
    const int64_t count = r->spacing == 1 ? length : (length - 1) / r->spacing + 1;
    tpad_span s = {count, i * a->out_stride, r->source * a->in_stride, 0, 0, 0};
    if (count > 1) {
        s.dst_step = a->out_stride * r->spacing;
        s.src_step = a->in_stride * r->step;
    }
    return s;
}

/* The interior cells of a run as the fewest evenly spaced spans: one per gap, or one per position
 * in a gap. Returns span number k, with count 0 after the last one. */
static tpad_span run_gaps(const axis *a, int64_t i, int64_t spacing, int64_t length, int64_t k)
{
    const int64_t elements = (length - 1) / spacing + 1, gap = spacing - 1;
    const int by_place = gap <= elements;
    tpad_span s = {.filled = 1};
    if (k >= (by_place ? gap : elements)) return s;
    const int64_t first = by_place ? k + 1 : k * spacing + 1;
    if (first >= length) return s;
    s.count = by_place ? (length - 1 - first) / spacing + 1 : tpad_min(gap, length - first);
    s.dst = (i + first) * a->out_stride;
    if (s.count > 1) s.dst_step = a->out_stride * (by_place ? spacing : 1);
    return s;
}

tpad_span tpad_filled_span(const axis *a, int64_t begin, int64_t end)
{
    return (tpad_span){end - begin, begin * a->out_stride, 0, a->out_stride, 0, 1};
}

int tpad_next_span(span_reader *s, tpad_span *span)
{
    if (s->spacing > 1) {
        *span = run_gaps(s->axis, s->at - s->length, s->spacing, s->length, s->gap++);
        if (span->count > 0) return 1;
    }
    if (s->at == s->end) return 0;
    const run r = tpad_axis_run(s->axis, s->at);
    int64_t length = tpad_min(r.length, s->end - s->at);
    s->spacing = r.spacing;
    if (r.source < 0) {
        *span = tpad_filled_span(s->axis, s->at, s->at + length);
    } else {
        /* At most `most` elements, and the gaps after them. */
        if (tpad_quotient(length - 1, r.spacing) >= s->most) length = s->most * r.spacing;
        *span = run_elements(s->axis, s->at, &r, length);
    }
    s->length = length;
    s->gap = 0;
    s->at += length;
    return 1;
}

/* The loop `loops` levels outside the innermost one; if there is none, a single cell. */
static const axis *loop_outside(const plan *p, int32_t loops)
{
    static const axis single = {.extent = 1, .hi = 1, .spacing = 1};
    return loops < p->loop_count ? &p->loops[p->loop_count - 1 - loops] : &single;
}

const axis *tpad_rows_axis(const plan *p, int32_t loops)
{
    return loop_outside(p, loops);
}

frame_reader tpad_read_frames(const plan *p, int32_t loops, int64_t begin, int64_t end)
{
    frame_reader f;
    f.plan = p;
    f.rows = loop_outside(p, loops);
    f.planes = loop_outside(p, loops + 1);
    f.outer_loops = p->loop_count - loops - 2;
    f.row = begin;
    f.end = end;
    f.reader = tpad_read_spans(f.planes, 0, 0, 1);
    return f;
}

/* The place of cell number `index` of the outer loops. Only the two places and `filled` of the span
 * are used. */
static tpad_span outer_place(const frame_reader *f, int64_t index)
{
    const plan *p = f->plan;
    tpad_span s = {1, p->loop_out_offset, p->loop_in_offset, 0, 0, 0};
    for (int32_t k = f->outer_loops - 1; k >= 0; k--) {
        const axis *a = &p->loops[k];
        const int64_t i = tpad_remainder(index, a->extent);
        const run r = tpad_axis_run(a, i);
        index = tpad_quotient(index, a->extent);
        s.dst += i * a->out_stride;
        s.src += r.source * a->in_stride;
        if (r.source < 0) s.filled = 1;
    }
    return s;
}

/* Takes the next rows: a part of one plane, or all whole planes until the outer loops advance. */
static void take_rows(frame_reader *f)
{
    const int64_t rows = f->rows->extent, planes = f->planes->extent, left = f->end - f->row;
    const int64_t plane = tpad_quotient(f->row, rows), begin = tpad_remainder(plane, planes);
    int64_t count = 1;
    f->row_begin = f->row - plane * rows;
    f->row_end = tpad_min(rows, f->row_begin + left);
    if (f->row_begin == 0 && left >= rows)
        count = tpad_min(tpad_quotient(left, rows), planes - begin);
    f->row += count > 1 ? count * rows : f->row_end - f->row_begin;
    f->outer = outer_place(f, tpad_quotient(plane, planes));
    f->reader = tpad_read_spans(f->planes, begin, begin + count, INT64_MAX);
}

int tpad_next_frame(frame_reader *f, frame *next)
{
    while (!tpad_next_span(&f->reader, &next->planes)) {
        if (f->row == f->end) return 0;
        take_rows(f);
        if (f->outer.filled) {
            next->planes = tpad_filled_span(f->planes, f->reader.at, f->reader.end);
            f->reader.at = f->reader.end;
            break;
        }
    }
    next->planes.dst += f->outer.dst;
    next->planes.src += f->outer.src;
    next->row_begin = f->row_begin;
    next->row_end = f->row_end;
    return 1;
}
