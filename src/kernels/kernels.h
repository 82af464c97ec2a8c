/* Kernels: moving and filling bytes. SPDX-License-Identifier: MIT
 *
 * There are two ways to say what is to be moved. A block is rows x cells of the output, each cell
 * `cell` units wide: for long runs. A tile is a short piece of the output whose bytes are all a
 * fixed permutation of the bytes near them in the input, or fill: written down once as a table of
 * pieces (src/core/table.c) and applied to every tile like it.
 *
 * A kernel knows nothing of axes, modes, plans or element types, reads nothing but what the cells
 * or pieces name and writes nothing but the cells or tiles of the destination. */
#ifndef TPAD_KERNELS_H
#define TPAD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "../core/port.h"

/* Cell (p, r, c) lies plane * p + row * r + step * c behind dst (and src). The unit is a byte,
 * except for the kernels of packed cells: there it is a bit, and dst_bit and src_bit say where cell
 * (0, 0, 0) begins. Where there is one plane or one row, its distance to the next may be any. */
typedef struct tpad_block {
    unsigned char *dst;
    const unsigned char *src;
    int64_t planes, rows, cells; /* each >= 1 */
    int64_t dst_plane, dst_row, dst_step;
    int64_t src_plane, src_row, src_step;
    int64_t cell;
    int64_t dst_bit, src_bit; /* packed only; may be negative */
    int32_t high_bits_first;  /* packed only */
    int32_t value_size;       /* fill: bytes of `value`; a cell holds it a whole number of times */
    const unsigned char *value;
} tpad_block;

/* A vector of output: each byte is one byte of a window of the input as long as the vector, or
 * fill. The `count` vectors of a piece are alike but for their places.
 *
 * index: for byte i of the vector, the byte of the window it takes, or TPAD_INDEX_FILL. `load`,
 * `store` and `take` have a bit for every byte: which of the window are wanted, which of the vector
 * are to be written, and which of these come from the window. With `load_far` there is a second
 * window, whose bytes count on in the index where those of the first one end. A variant without
 * masks cannot write a part of a vector: it leaves the other bytes as they are by reading them
 * first. It also reads all of the window, which then is input, and knows no second one. */
typedef struct tpad_piece {
    int32_t dst, src; /* the first vector in the tile's output, its window in the tile's input */
    int32_t count;
    int32_t dst_step, src_step; /* from one vector to the next */
    int32_t phase;              /* where in `fill` the vector's fill begins */
    int32_t far;                /* from the window to the second one */
    uint64_t load, store, take;
    uint64_t load_far; /* of the second window; 0: there is none */
} tpad_piece;

enum { TPAD_INDEX_FILL = 0x80, TPAD_VECTOR_BYTES = 64 /* of any variant, at most */ };

/* A vector of packed output is made in passes. `phase` is how many the piece has, all from its
 * window, each bit of whose bytes is first moved as `take` says (gf2p8affineqb), unless that is 0.
 * A pass has three vectors: which byte of the window comes into each byte of a lane of eight; from
 * which bit of its lane on each byte of the result takes eight; and which bits of these are put
 * over what the passes before made, or over fill. The last piece of a vector has `store`. */
enum { TPAD_PASS_BYTES = 3 * TPAD_VECTOR_BYTES };

/* Things evenly spaced: how many, where the first lies in output and input, how far they are apart.
 * `filled`: they have no place in the input, all of them is fill. */
typedef struct tpad_span {
    int64_t count, dst, src, dst_step, src_step;
    int64_t filled;
} tpad_span;

typedef struct tpad_tiles {
    unsigned char *dst;
    const unsigned char *src;
    const tpad_span *spans; /* of tiles */
    int32_t span_count;
    int32_t piece_count;
    int64_t block; /* how many tiles of a span are done piece by piece */
    const tpad_piece *pieces;
    const unsigned char *index; /* a vector for each piece, or its passes */
    const unsigned char *fill;  /* the fill value over and over, from phase 0 on */
    int32_t large;              /* the output is too large for the caches: write it around them */
} tpad_tiles;

typedef struct tpad_kernels {
    const char *name;
    int (*usable)(void); /* 1 if this machine can run them */
    /* Cells from src to dst. They do not overlap. src_step 0 repeats a cell, -cell reverses. */
    void (*copy)(const tpad_block *block);
    /* Every cell filled with `value`, over and over. */
    void (*fill)(const tpad_block *block);
    /* The same for cells of 1, 2 or 4 bits, or several of them. `value` is one byte that holds the
     * element in every place. */
    void (*copy_bits)(const tpad_block *block);
    void (*fill_bits)(const tpad_block *block);
    /* The tables. vector_bytes: of a vector; 0: there is no such kernel. masked: it loads and
     * stores only what the masks of a piece name. */
    int32_t vector_bytes;
    int32_t masked;
    void (*tiles)(const tpad_tiles *tiles);
    void (*bit_tiles)(const tpad_tiles *tiles); /* of packed output, masked; or NULL */
    void (*fence)(void);                        /* to be called after large tiles; or NULL */
} tpad_kernels;

TPAD_INTERNAL const tpad_kernels tpad_kernels_plain; /* plain C, for every machine; the reference */
#if defined(TPAD_SIMD_X86)
TPAD_INTERNAL const tpad_kernels tpad_kernels_ssse3, tpad_kernels_avx2, tpad_kernels_avx512;
#elif defined(TPAD_SIMD_NEON)
TPAD_INTERNAL const tpad_kernels tpad_kernels_neon;
#endif

/* Variant number `index` of this build, slowest first, or NULL behind the last one (variants.c). */
TPAD_INTERNAL const tpad_kernels *tpad_kernels_at(int index);

/* The number of the fastest that this machine can run. */
TPAD_INTERNAL int tpad_kernels_best(void);

/* 1 if a test says which variant to take. Plans then have no lists, which would hide the variant's
 * kernels. */
TPAD_INTERNAL int tpad_kernels_forced(void);

/* What the variants share: the block kernels in plain C (plain.c, bits.c). */
TPAD_INTERNAL void tpad_copy_plain(const tpad_block *block);
TPAD_INTERNAL void tpad_fill_plain(const tpad_block *block);
TPAD_INTERNAL void tpad_copy_bits_plain(const tpad_block *block);
TPAD_INTERNAL void tpad_fill_bits_plain(const tpad_block *block);

/* Small outputs: copying what is listed by its places (cells.c). */

/* Where something lies in the output and where it comes from in the input, in bytes. */
typedef struct tpad_place {
    int32_t dst, src;
} tpad_place;

/* So many neighbouring bytes of every row, counted from its place. */
typedef struct tpad_stretch {
    tpad_place at;
    int32_t bytes;
} tpad_stretch;

/* Copies every stretch of every row; the places of rows count from dst and src. Reads and writes
 * nothing else. */
TPAD_INTERNAL void tpad_copy_cells(unsigned char *dst, const unsigned char *src,
                                   const tpad_place *rows, int32_t row_count,
                                   const tpad_stretch *stretches, int32_t stretch_count);

#endif
