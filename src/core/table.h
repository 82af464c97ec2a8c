/* The layout of the table after a plan. SPDX-License-Identifier: MIT
 *
 * A table describes one tile, a part of the output that repeats, and is applied to every tile. An
 * example: 1000 rows of three floats, the first of them 1 2 3, in mode reflect with two cells on
 * each side, by the SSSE3 kernels, whose vectors and windows have 16 bytes. The tile is one row of
 * the output. It has two pieces, of one vector each:
 *
 *     input     1   2   3             bytes 0 to 11, then the next row
 *     output    3   2   1   2   3   2   1        bytes 0 to 27
 *     piece 0  |--------------|
 *     piece 1              |--------------|
 *
 * A vector here has one term: the kernel loads the term's window of the input, and the index says
 * which byte of the window each byte of the vector is. (TPAD_INDEX_FILL would say: none, it is
 * fill. A second term would take bytes from a second window.)
 *
 *     a tile of 28 bytes takes bytes 0 to 11; its windows end 4 bytes beyond these
 *     piece 0: bytes 0 to 15 of the tile
 *       term 0: the window of 16 bytes from byte 0 on, index  8 9 10 11  4 5 6 7  0 1 2 3  4 5 6 7
 *     piece 1: bytes 12 to 27 of the tile
 *       term 1: the window of 16 bytes from byte 0 on, index  4 5 6 7  8 9 10 11  4 5 6 7  0 1 2 3
 *
 * Piece 1 begins inside piece 0, so that it ends with the tile: the fourth float is written twice,
 * with the same value. A window is longer than a row of the input, so it holds a float of the next
 * row, which is not used. After the last row there is none: windows_are_input in tiles.c says why
 * nothing is read there. */
#ifndef TENSORPAD_CORE_TABLE_H
#define TENSORPAD_CORE_TABLE_H

#include "plan.h"

#if TPAD_TABLE_BYTES > 0
/* The contents of a table. Every entry is read and written by its type here. */
typedef union plan_table {
    tpad_piece pieces[TPAD_TABLE_BYTES / sizeof(tpad_piece)];
    tpad_term terms[TPAD_TABLE_BYTES / sizeof(tpad_term)];
    tpad_bit_window windows[TPAD_TABLE_BYTES / sizeof(tpad_bit_window)];
    unsigned char bytes[TPAD_TABLE_BYTES]; /* indices and passes */
} plan_table;
#else
typedef int64_t plan_table; /* a plan without a table needs no room for it */
#endif

/* The contents of the caller's memory. */
typedef struct tabled_plan {
    plan plan;
    plan_table table;
} tabled_plan;

#if TPAD_TABLE_BYTES > 0
static inline plan_table *tpad_plan_table(const plan *p)
{
    return &((tabled_plan *)(void *)(uintptr_t)p)->table;
}

/* The table of a form: pieces, terms, and an index of one vector for each term. There is room for
 * as many pieces as terms. */
static inline int32_t tpad_plan_capacity(const tpad_form *form)
{
    return (int32_t)(TPAD_TABLE_BYTES /
                     (sizeof(tpad_piece) + sizeof(tpad_term) + (size_t)form->vector_bytes));
}

static inline tpad_piece *tpad_plan_pieces(const plan *p)
{
    return tpad_plan_table(p)->pieces;
}

static inline tpad_term *tpad_plan_terms(const plan *p, const tpad_form *form)
{
    const size_t pieces = (size_t)tpad_plan_capacity(form) * sizeof(tpad_piece);
    return (tpad_term *)(void *)(tpad_plan_table(p)->bytes + pieces);
}

static inline unsigned char *tpad_plan_index(const plan *p, const tpad_form *form)
{
    return tpad_plan_table(p)->bytes +
           (size_t)tpad_plan_capacity(form) * (sizeof(tpad_piece) + sizeof(tpad_term));
}

/* The table of packed cells: an eighth of it for windows, then all passes. */
enum { TPAD_BIT_WINDOWS = TPAD_TABLE_BYTES / 8 / (int)sizeof(tpad_bit_window) };

static inline tpad_bit_window *tpad_plan_windows(const plan *p)
{
    return tpad_plan_table(p)->windows;
}

static inline unsigned char *tpad_plan_passes(const plan *p)
{
    return tpad_plan_table(p)->bytes + TPAD_BIT_WINDOWS * sizeof(tpad_bit_window);
}

/* The number of passes that there is room for. */
static inline int32_t tpad_plan_pass_capacity(int32_t pass_bytes)
{
    return (TPAD_TABLE_BYTES - TPAD_BIT_WINDOWS * (int32_t)sizeof(tpad_bit_window)) / pass_bytes;
}
#endif

#endif
