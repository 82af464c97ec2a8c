/* The contents of a tpad_plan. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_PLAN_H
#define TENSORPAD_CORE_PLAN_H

#include "../kernels/kernels.h"
#include "axis.h"

enum {
    PLAN_HAS_TABLE = TPAD_TABLE_BYTES > 0 ? 1 : 0, /* without room, the compiler omits the code for
                                                      tables */
    PLAN_HAS_BIT_TABLE = PLAN_HAS_TABLE && TPAD_BIT_TILES, /* the same for packed elements */

    PLAN_MAGIC = 0x54506164, /* marks memory that holds a plan */

    PLAN_SMALL_BYTES = 2048, /* below this output size a table costs more than it saves in one
                              * run */
    PLAN_LIST_BYTES = 8192,  /* the largest output of a list */
    PLAN_ROWS = 96,
    PLAN_STRETCHES = 16,
    PLAN_COPIES = 256, /* stretches of all rows together */

    /* Flags: the caller's requests, and properties of the caller's memory. */
    PLAN_HIGH_BITS_FIRST = 1,
    PLAN_BORDER = 2,    /* cells that are their own source are not written */
    PLAN_READ_SOON = 4, /* the caller reads the output soon */
    PLAN_READ_LATE = 8,
    PLAN_APART = 16, /* src and dst may be equal: the two sides share no byte, or the plan is a box
                        with memory of its own, for which the caller is responsible */
    PLAN_OWN_INPUT = 32 /* a box with input memory that has only what the box reads */
};

/* How a plan runs. A list is for the whole output only; parts are then written by blocks. */
enum {
    PLAN_BLOCKS,
    PLAN_LIST,
    PLAN_TABLE, /* tiles by the table, the rest by blocks */
    PLAN_WORDS  /* tiles by words, if the part is large enough, the rest by blocks */
};

/* A part of the output that repeats: the `loops` innermost loops, which are contiguous in memory.
 * Tiles that are neighbours there are in_stride apart in the input. Sizes and distances are in the
 * unit of the plan's loops. */
typedef struct tile_shape {
    int32_t loops;
    int64_t size, in_stride;
    int64_t cells, count; /* cells in a tile, whole tiles in the output */
} tile_shape;

/* Neighbouring tiles that the table describes as one. Its pieces and terms begin at `first_piece`
 * and `first_term` of the table; if there are none, the tile is not described. */
typedef struct plan_tile {
    int32_t tiles;
    int32_t scheme; /* TPAD_IN_ORDER ... */
    int32_t pieces, first_piece, first_term;
    /* The input that the tiles take, relative to the first one's source. If that is shorter than a
     * whole window, windows end `beyond` bytes after it. */
    int32_t low, high, beyond;
} plan_tile;

/* A plan holds the problem twice: `axes` as given (boxes are cut from these), and `loops` as
 * walked, after merging. Strides, offsets and `cell` count bytes; bits if elem_bits < 8 and, for
 * the loops, if `cell_unit` is 1. */
typedef struct plan {
    int32_t magic;
    int32_t rank;
    int32_t loop_count; /* 1 or more, unless there is nothing to write */
    int32_t elem_bits;
    int32_t flags;
    int32_t bit_stream; /* packed and dense: cells follow each other in memory, bit by bit */
    int32_t cell_unit;  /* bits in the unit of the loops: 8 or 1 */
    int32_t kernels;    /* the chosen variant */
    int32_t how;        /* PLAN_BLOCKS ... */
    int64_t cell;       /* the bytes or bits that the innermost loop moves at once */
    int64_t cells;      /* the product of the loops' extents; 0: nothing to write */
    int64_t in_offset, out_offset;
    int64_t loop_in_offset, loop_out_offset;
    int64_t tail; /* the bit at which the output ends and the rest of its byte is cleared; or -1 */
    axis axes[TPAD_MAX_RANK];
    axis loops[TPAD_MAX_RANK];
    int64_t first[TPAD_MAX_RANK]; /* the output's first cell in the output that boxes were cut from:
                                     an index for each axis */
    int64_t in_extents[TPAD_MAX_RANK]; /* of the whole input */
    union {
        /* PLAN_LIST: a small dense output is filled completely if some cells are filled, then the
         * others are copied. A row is a cell of all loops but the innermost one; a stretch is some
         * cells of the innermost one. Filled ones are not listed. */
        struct {
            int32_t row_count, stretch_count;
            int32_t list_fills;
            tpad_place rows[PLAN_ROWS];
            tpad_stretch stretches[PLAN_STRETCHES];
        };
        /* PLAN_TABLE: the table describes a tile, and a group of tiles. Packed tiles have a table
         * only as groups of whole bytes on both sides. */
        struct {
            int32_t form;     /* of the variant */
            int32_t streamed; /* the output is written around the caches */
            tile_shape tile;
            plan_tile single, group;
            int64_t in_low, in_high; /* the input, if it has no gap; otherwise in_low is in_high */
        };
    };
} plan;

/* The plan in the caller's memory, or NULL if none was made there. */
static inline const plan *tpad_plan_open(const tpad_plan *opaque)
{
    const plan *p = (const plan *)(const void *)opaque;
    return p && p->magic == PLAN_MAGIC ? p : NULL;
}

/* 1 if the output of a merged plan has at most `bytes` bytes. The product fits, because the bytes
 * of a dense output do. */
static inline int tpad_plan_is_within(const plan *p, int64_t bytes)
{
    return p->cells * p->cell <= (p->cell_unit == 8 ? bytes : bytes * 8);
}

/* The byte after bit `end` - 1, both counted from the same place; `end` may be negative. */
static inline int64_t tpad_bytes_of_bits(int64_t end)
{
    return (end + 7) >> 3;
}

/* Making a plan of a problem. */

/* Checks that no two elements can share a place: sorted by size, each stride must lead beyond
 * everything that the smaller ones reach. counts, strides: of each axis, in the plan's unit, with a
 * reach that 64 bits hold. text: of the error, with %g for the stride and %l for the least one, in
 * the caller's unit. Errors: E_ARGUMENT. */
TPAD_INTERNAL int32_t tpad_check_apart(const int64_t *counts, const int64_t *strides, int32_t rank,
                                       int32_t elem_bits, const char *text, tpad_error *error);

/* Makes a plan of a problem, without a table. It sets the magic number last.
 * Errors: as tpad_plan_init, except E_PLAN_SIZE. */
TPAD_INTERNAL int32_t tpad_plan_make(plan *p, const tpad_problem *problem, tpad_error *error);

/* Finishes a new plan with axes, offsets and flags set; how it runs is chosen later. */
TPAD_INTERNAL void tpad_plan_finish(plan *p);

/* Adds to *reach the distance that a stride covers over `count` elements; 0 if that is too far.
 * Once all strides of a side are added, every sum of steps along them fits in 64 bits, because each
 * partial sum is at most the reach. */
TPAD_INTERNAL int tpad_add_reach(int64_t *reach, int64_t stride, int64_t count);

/* How a plan runs. */

/* Choose how a merged plan runs, and make its list or its table. tpad_plan_tabulate requires a plan
 * in a tabled_plan; a list requires a dense output. */
TPAD_INTERNAL void tpad_plan_choose(plan *p, int is_dense);
TPAD_INTERNAL void tpad_plan_tabulate(plan *p);

/* The list of a small output. */

/* Makes the list of a merged plan with a dense output. Returns 0 if it is empty or too long. */
TPAD_INTERNAL int tpad_plan_list(plan *p);

/* Merging axes into loops. */

/* Makes the loops of a plan from its axes: drops, sorts and joins axes, and widens the cell. */
TPAD_INTERNAL void tpad_plan_merge(plan *p);

/* Tables for elements of whole bytes. */

#if TPAD_TABLE_BYTES > 0

/* Makes the table of a merged plan in a tabled_plan, with something to write. Returns 0 if there is
 * none. */
TPAD_INTERNAL int tpad_table_of_bytes(plan *p);

#endif

/* Tables for packed elements. */

#if TPAD_TABLE_BYTES > 0

/* Makes the table of a merged plan in a tabled_plan, with something to write. Returns 0 if there is
 * none. */
TPAD_INTERNAL int tpad_table_of_bits(plan *p);

#endif

#endif
