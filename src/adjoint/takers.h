/* The cells of an axis that take given elements of the input. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_ADJOINT_TAKERS_H
#define TENSORPAD_ADJOINT_TAKERS_H

#include "../core/axis.h"

/* An axis seen from the input. Elements are numbered from the beginning of the input. */
typedef struct taken_axis {
    axis axis;
    int64_t first, end;             /* the elements that there are */
    int64_t own_first, own_end;     /* those that some cell holds at their own place */
    int64_t alone_first, alone_end; /* a range of these that no other cell takes */
} taken_axis;

/* Evenly spaced cells that take evenly spaced elements, one each; or all of them one element, if
 * in_step is 0. Distances are in the unit of the strides. */
typedef struct takers {
    int64_t count;
    int64_t out, out_step; /* of the cells */
    int64_t in, in_step;   /* of the elements, from the first one that is asked for */
    int own;               /* 1 if each cell is its element's own place */
} takers;

/* Reads the cells that take the elements [first, end): first those at their own places, then the
 * others in the order of their indices. */
typedef struct taker_reader {
    const taken_axis *of;
    int64_t first, end;
    int64_t in_stride; /* of the elements, which may lie elsewhere than the axis says */
    int64_t at;        /* the next cell; -1: those at their own places come first */
} taker_reader;

static inline taker_reader tpad_read_takers(const taken_axis *of, int64_t first, int64_t end,
                                            int64_t in_stride)
{
    return (taker_reader){of, first, end, in_stride, -1};
}

/* Writes the next cells. Returns 0 behind the last ones. */
TPAD_INTERNAL int tpad_next_takers(taker_reader *reader, takers *next);

/* The axis with the elements [first, end). Strides stay. */
TPAD_INTERNAL taken_axis tpad_taken_axis(const axis *a, int64_t first, int64_t end);

#endif
