/* The parameters of a kernel. SPDX-License-Identifier: MIT
 *
 * All fields of a struct have one type, so that one loop narrows them from 64 bits. A divisor is a
 * number, a factor and a shift: n / d = (high(n * factor) + n) >> shift. Places and strides count
 * words; origin, lo, size and the period count positions of the dilated input, as in
 * src/core/axis.h. */
#ifndef TPAD_GPU_PARAMETERS_H
#define TPAD_GPU_PARAMETERS_H

enum { TPAD_FILLS = 0, TPAD_REPEATS = 1, TPAD_PERIODIC = 2 }; /* kind: beyond [lo, lo + size) */

enum { /* flags */
       TPAD_GPU_BORDER = 1,
       TPAD_GPU_ARRAY = 2, /* the fill is an array */
       TPAD_GPU_HIGH_FIRST = 4,
       TPAD_GPU_PLAIN_FILL = 8, /* every vector of fill is `value` */
       TPAD_GPU_ADD = 16,
       TPAD_GPU_FLAT = 32 /* short contiguous rows */
};

typedef struct tpad_gpu_axis {
    tpad_idx extent, extent_factor, extent_shift;
    tpad_idx origin, lo, size, kind;
    tpad_idx phase, period, period_factor, period_shift;
    tpad_idx mirror; /* place u >= size of a period is place mirror - u */
    tpad_idx spacing, spacing_factor, spacing_shift;
    tpad_idx in_stride, out_stride, fill_stride;
} tpad_gpu_axis;

/* How threads share the work. Every row has the same number of whole vectors, that of the worst
 * alignment, and a thread writes up to two of them, or one of the row's other words. A tile is some
 * rows: first the threads of its vectors, then those of its words, so that a warp does only one of
 * the two, and the words meet their vectors in the cache. */
typedef struct tpad_gpu_tiles {
    tpad_idx rows, threads, rows_per_tile;
    tpad_idx per_tile, per_tile_factor, per_tile_shift; /* threads */
    tpad_idx vectors, pairs, pairs_factor, pairs_shift; /* of a row; threads that write them */
    tpad_idx beside, beside_factor, beside_shift;       /* words of a row outside its vectors */
} tpad_gpu_tiles;

typedef struct tpad_gpu_pad_params {
    tpad_gpu_tiles tiles;
    tpad_idx flags, rank;                /* of `outer` */
    tpad_idx row, row_factor, row_shift; /* words of a row */
    tpad_idx head; /* words between a 16-byte boundary and the output's first word */
    tpad_idx cell, cell_factor, cell_shift; /* words of a cell of `inner` */
    tpad_idx own_first, own_source; /* the row's own elements, in order: first column, place */
    tpad_idx in_base, out_base, fill_base;
    tpad_idx in_first, in_end; /* the input's bytes, for words of 1 and 2 bytes */
    tpad_idx fill_period;      /* words after which the values of a cell repeat */
    tpad_idx bits;             /* of a packed element */
    tpad_idx value[4];
    tpad_gpu_axis inner, outer[16]; /* innermost first */
} tpad_gpu_pad_params;

/* An axis seen from its elements. */
typedef struct tpad_gpu_taken {
    tpad_idx elements, elements_factor, elements_shift;
    tpad_idx alone_first, alone_end; /* elements that only their own cell takes */
    tpad_gpu_axis axis;
} tpad_gpu_taken;

typedef struct tpad_gpu_adjoint_params {
    tpad_gpu_tiles tiles;
    tpad_idx flags, rank;
    tpad_idx out_base, in_base;
    tpad_gpu_taken axes[17]; /* innermost first */
} tpad_gpu_adjoint_params;

#endif
