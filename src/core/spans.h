/* An axis as spans, and the outer loops of a plan as frames. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_SPANS_H
#define TENSORPAD_CORE_SPANS_H

#include "../kernels/kernels.h"
#include "plan.h"

/* Reads the cells [at, end) of an axis as evenly spaced spans, each cell in one of them. */
typedef struct span_reader {
    const axis *axis;
    int64_t at, end;
    int64_t most; /* elements in a span, at most; >= 1 */
    /* Of the run that was read last: its spacing and, if that is more than 1, */
    int64_t spacing;
    int64_t length; /* how many of its cells were taken, */
    int64_t gap;    /* and how many spans of its gaps */
} span_reader;

/* It is inline, and leaves out what is not yet used, because small outputs need it often. */
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

/* Writes the next span. Returns 0 behind the last one. */
TPAD_INTERNAL int tpad_next_span(span_reader *s, tpad_span *span);

/* Some cells of an axis as one span that is filled. */
TPAD_INTERNAL tpad_span tpad_filled_span(const axis *a, int64_t begin, int64_t end);

/* The loops of a plan outside a row are walked in frames: planes, each with the same rows. A row is
 * the innermost loops, as many as the walk says; the loop around it counts the rows of a plane and
 * the next one the planes. */
typedef struct frame {
    tpad_span planes; /* where row 0 of each plane lies; filled: all its rows are */
    int64_t row_begin, row_end;
} frame;

typedef struct frame_reader {
    const plan *plan;
    const axis *rows, *planes;
    int32_t outer_loops;
    int64_t row, end;   /* the next row, the end: in the order of the output */
    span_reader reader; /* of the planes */
    /* Set once rows were taken: where the outer loops lead, and which rows of the planes. */
    tpad_span outer;
    int64_t row_begin, row_end;
} frame_reader;

/* Frames of the rows [begin, end), counted in the order of the output; a row is `loops` loops. */
TPAD_INTERNAL frame_reader tpad_read_frames(const plan *p, int32_t loops, int64_t begin,
                                            int64_t end);

/* Writes the next frame. Returns 0 behind the last one. */
TPAD_INTERNAL int tpad_next_frame(frame_reader *f, frame *next);

/* The axis that counts the rows of a plane, if a row is `loops` loops. */
TPAD_INTERNAL const axis *tpad_rows_axis(const plan *p, int32_t loops);

#endif
