/* An axis as spans, and the outer loops of a plan as frames. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_SPANS_H
#define TENSORPAD_CORE_SPANS_H

#include "../kernels/kernels.h"
#include "plan.h"

/* Splits the cells [at, end) of an axis into evenly spaced spans. */
typedef struct span_reader {
    const axis *axis;
    int64_t at, end;
    int64_t most; /* elements in a span, at most; >= 1 */
    /* State of the current run: */
    int64_t spacing;
    int64_t length; /* cells taken; valid if spacing > 1 */
    int64_t gap;    /* spans of gaps taken; valid if spacing > 1 */
} span_reader;

/* Inline, and sets only the fields needed at first, because small outputs call it often. */
static inline span_reader tpad_read_spans(const axis *a, int64_t begin, int64_t end, int64_t most)
{
    span_reader s;
    s.axis = a;
    s.at = begin;
    s.end = end;
    s.most = most;
    s.spacing = 1;
    return s;
}

/* Writes the next span. Returns 0 after the last one. */
TPAD_INTERNAL int tpad_next_span(span_reader *s, tpad_span *span);

/* Some cells of an axis as one filled span. */
TPAD_INTERNAL tpad_span tpad_filled_span(const axis *a, int64_t begin, int64_t end);

/* The loops of a plan outside a row are walked in frames: planes, each with the same rows. A row
 * consists of innermost loops (the walk chooses how many); the loop around it counts the rows of a
 * plane, and the next one the planes. */
typedef struct frame {
    tpad_span planes; /* the place of row 0 of each plane; filled: all of its rows are filled */
    int64_t row_begin, row_end;
} frame;

typedef struct frame_reader {
    const plan *plan;
    const axis *rows, *planes;
    int32_t outer_loops;
    int64_t row, end;   /* the next row, and the end, in the order of the output */
    span_reader reader; /* of the planes */
    /* Valid once rows were taken: the place of the outer loops, and the rows of the planes. */
    tpad_span outer;
    int64_t row_begin, row_end;
} frame_reader;

/* Frames of the rows [begin, end), counted in the order of the output; a row is `loops` loops. */
TPAD_INTERNAL frame_reader tpad_read_frames(const plan *p, int32_t loops, int64_t begin,
                                            int64_t end);

/* Writes the next frame. Returns 0 after the last one. */
TPAD_INTERNAL int tpad_next_frame(frame_reader *f, frame *next);

/* The axis that counts the rows of a plane, if a row is `loops` loops. */
TPAD_INTERNAL const axis *tpad_rows_axis(const plan *p, int32_t loops);

#endif
