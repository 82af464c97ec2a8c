/* Adding numbers, of every kind. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_ADJOINT_SUMS_H
#define TENSORPAD_ADJOINT_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "../core/port.h"

/* Cells in planes and rows, as in a tpad_block, each of so many neighbouring numbers: those at `from`
 * go to those at `to`. */
typedef struct sum_block {
    unsigned char *to;
    const unsigned char *from;
    int64_t planes, rows, cells, numbers; /* each >= 1 */
    int64_t to_plane, to_row, to_step;
    int64_t from_plane, from_row, from_step;
    int64_t cell; /* bytes of a cell at `to` */
} sum_block;

typedef void (*sum_kernel)(const sum_block *block);

/* A kind of numbers. Those of 16 bits are summed in a buffer of floats. */
typedef struct sum_numbers {
    int32_t bytes;    /* of a number */
    int32_t parts;    /* numbers in an element: 2 of a complex one */
    sum_kernel add;   /* to += from, each sum rounded */
    sum_kernel sum;   /* the same, where `to` is a buffer; NULL: sums are made in place */
    sum_kernel load;  /* to = from, where `to` is a buffer */
    sum_kernel store; /* to = from, rounded, where `from` is a buffer */
    /* Adds each element of the block to its total: `parts` of sums[2], doubles or, of integers, of 64
     * bits. A cell is one element. */
    void (*total)(const sum_block *block, int32_t parts, void *sums);
    /* Writes a total, rounded once; add: adds it to what is there. */
    void (*put_total)(unsigned char *to, int32_t parts, const void *sums, int add);
} sum_numbers;

/* The kind with this number: TPAD_NUMBER_F32 ..., and no other. */
TPAD_INTERNAL const sum_numbers *tpad_sum_numbers(int32_t number);

#endif
