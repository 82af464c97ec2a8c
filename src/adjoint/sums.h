/* Adds numbers of every kind. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_ADJOINT_SUMS_H
#define TENSORPAD_ADJOINT_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "../core/axis.h"
#include "../core/plan.h"
#include "../core/port.h"

/* Planes of rows of cells, as in a tpad_block; each cell has several consecutive numbers, moved
 * from `from` to `to`. */
typedef struct sum_block {
    unsigned char *to;
    const unsigned char *from;
    int64_t planes, rows, cells, numbers; /* each >= 1 */
    int64_t to_plane, to_row, to_step;
    int64_t from_plane, from_row, from_step;
    int64_t cell; /* bytes of a cell at `to` */
} sum_block;

typedef void (*sum_kernel)(const sum_block *block);

/* A kind of numbers. 16-bit numbers are summed in a buffer of floats. */
typedef struct sum_numbers {
    int32_t bytes;    /* of a number */
    int32_t parts;    /* numbers in an element: 2 for complex ones */
    sum_kernel add;   /* to += from, each sum rounded */
    sum_kernel sum;   /* the same with a buffer as `to`; NULL: sums are computed in place */
    sum_kernel load;  /* to = from, with a buffer as `to` */
    sum_kernel store; /* to = from, rounded, with a buffer as `from` */
    /* Adds each element of the block to its total: `parts` of sums[2], doubles or, for integers,
     * uint64_t. A cell is one element. */
    void (*total)(const sum_block *block, int32_t parts, void *sums);
    /* Writes a total, rounded once; add: adds it to the present value. */
    void (*put_total)(unsigned char *to, int32_t parts, const void *sums, int add);
} sum_numbers;

/* The kind with this number, which must be one of TPAD_NUMBER_F32 ... */
TPAD_INTERNAL const sum_numbers *tpad_sum_numbers(int32_t number);

/* Inverts one axis: finds the output cells that take given input elements. */

/* An axis seen from the input. Elements are numbered from the beginning of the input. */
typedef struct taken_axis {
    axis axis;
    int64_t first, end;             /* the existing elements */
    int64_t own_first, own_end;     /* elements with a cell at their own position */
    int64_t alone_first, alone_end; /* a range of those that no other cell takes */
} taken_axis;

/* Evenly spaced cells that take evenly spaced elements, one each, or all the same element if
 * in_step is 0. Distances are in the unit of the strides. */
typedef struct takers {
    int64_t count;
    int64_t out, out_step; /* of the cells */
    int64_t in, in_step;   /* of the elements, from the first requested one */
    int own;               /* 1: each cell is at its element's own place */
} takers;

/* Reads the cells that take the elements [first, end): first those at their own places, then the
 * others in the order of their indices. */
typedef struct taker_reader {
    const taken_axis *of;
    int64_t first, end;
    int64_t in_stride; /* of the elements; may differ from the axis's */
    int64_t at;        /* the next cell; -1: first those at their own places */
} taker_reader;

static inline taker_reader tpad_read_takers(const taken_axis *of, int64_t first, int64_t end,
                                            int64_t in_stride)
{
    return (taker_reader){of, first, end, in_stride, -1};
}

/* Writes the next cells. Returns 0 after the last ones. */
TPAD_INTERNAL int tpad_next_takers(taker_reader *reader, takers *next);

/* The axis with the elements [first, end). Strides are unchanged. */
TPAD_INTERNAL taken_axis tpad_taken_axis(const axis *a, int64_t first, int64_t end);

/* A plan as loops for gradients. */

/* The sums of one call. */
typedef struct adjoint {
    const sum_numbers *numbers;
    int32_t adds;  /* TPAD_ADJOINT_ADD */
    int32_t loops; /* 1 or more */
    int64_t cell;  /* bytes that the innermost loop adds at once */
    const unsigned char *out;
    unsigned char *in;
    int64_t out_offset, in_offset; /* of cell 0 and of element 0 */
    taken_axis loop[TPAD_MAX_RANK];
} adjoint;

/* Some elements: [first, end) of every loop. */
typedef struct region {
    int64_t first[TPAD_MAX_RANK], end[TPAD_MAX_RANK];
} region;

/* Sets the loops and the cell. elements: those of the plan's input, on each axis. */
TPAD_INTERNAL void tpad_adjoint_loops(adjoint *w, const plan *p, const region *elements);

/* Writes the sums of a region of grad_in. *r is unchanged afterwards. */
TPAD_INTERNAL void tpad_sum_region(const adjoint *w, region *r);

/* Checks before gradients are summed. */

/* p: the plan, or NULL if there was none. Errors: E_NOT_A_PLAN, E_BORDER, E_ELEM, E_ARGUMENT. */
TPAD_INTERNAL int32_t tpad_adjoint_check(const plan *p, int32_t number, int32_t flags,
                                         tpad_error *error);

/* Checks that no two results share a place. counts, strides: one for each axis; no count is 0.
 * Errors: E_ARGUMENT. */
TPAD_INTERNAL int32_t tpad_adjoint_check_apart(const plan *p, const int64_t *counts,
                                               const int64_t *strides, tpad_error *error);

#endif
