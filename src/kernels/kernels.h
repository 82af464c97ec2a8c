/* Kernels: moving and filling bytes. SPDX-License-Identifier: MIT
 *
 * A kernel gets a block: rows x cells of the output, each cell `cell` units wide. It knows nothing
 * of axes, modes, plans or element types, reads nothing but the cells of the source and writes
 * nothing but the cells of the destination. */
#ifndef TPAD_KERNELS_H
#define TPAD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "../core/port.h"

/* Cell (r, c) lies row * r + step * c behind dst (and src). The unit is a byte, except for the
 * kernels of packed cells: there it is a bit, and dst_bit and src_bit say where cell (0, 0) begins.
 */
typedef struct tpad_block {
    unsigned char *dst;
    const unsigned char *src;
    int64_t rows, cells; /* both >= 1 */
    int64_t dst_row, dst_step;
    int64_t src_row, src_step;
    int64_t cell;
    int64_t dst_bit, src_bit; /* packed only; may be negative */
    int32_t high_bits_first;  /* packed only */
    int32_t value_size;       /* fill: bytes of `value`; a cell holds it a whole number of times */
    const unsigned char *value;
} tpad_block;

typedef struct tpad_kernels {
    const char *name;
    /* Cells from src to dst. They do not overlap. src_step 0 repeats a cell, -cell reverses. */
    void (*copy)(const tpad_block *block);
    /* Every cell filled with `value`, over and over. */
    void (*fill)(const tpad_block *block);
    /* The same for cells of 1, 2 or 4 bits, or several of them. `value` is one byte that holds the
     * element in every place. */
    void (*copy_bits)(const tpad_block *block);
    void (*fill_bits)(const tpad_block *block);
} tpad_kernels;

TPAD_INTERNAL const tpad_kernels tpad_kernels_plain; /* plain C, for every machine; the reference */

/* Variant number `index` of this build, slowest first, or NULL behind the last one (table.c). */
TPAD_INTERNAL const tpad_kernels *tpad_kernels_at(int index);

/* The fastest that this machine can run. */
TPAD_INTERNAL const tpad_kernels *tpad_kernels_best(void);

/* The packed kernels in plain C (bits.c). */
TPAD_INTERNAL void tpad_copy_bits_plain(const tpad_block *block);
TPAD_INTERNAL void tpad_fill_bits_plain(const tpad_block *block);

#endif
