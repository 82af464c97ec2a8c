/* Kernels: moving and filling bytes. SPDX-License-Identifier: MIT
 *
 * There are four ways to describe the work. A block is planes x rows x cells of the output, each
 * cell `cell` units wide: for long runs, of bytes and of bits. A tile is a short piece of the
 * output whose bytes (or bits) are a fixed permutation of nearby ones in the input, or fill:
 * described once by a table (src/core/byte_table.c, bit_table.c), which is applied to every tile
 * like it. Words do the same without a table in the plan (words.h). Places are the rows and
 * stretches of a small output that are copied.
 *
 * A kernel knows nothing of axes, modes, plans or element types. It reads only what the cells or
 * pieces name, and writes only the cells or tiles of the destination. */
#ifndef TENSORPAD_KERNELS_KERNELS_H
#define TENSORPAD_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "../core/port.h"

/* Cell (p, r, c) is plane * p + row * r + step * c after dst (and src). The unit is a byte, except
 * for the kernels of packed cells: there it is a bit, and cell (0, 0, 0) begins at dst_bit and
 * src_bit. The distance between planes is ignored if there is one plane; likewise for rows. */
typedef struct tpad_block {
    unsigned char *dst;
    const unsigned char *src;
    int64_t planes, rows, cells; /* each >= 1 */
    int64_t dst_plane, dst_row, dst_step;
    int64_t src_plane, src_row, src_step;
    int64_t cell;
    int64_t dst_bit, src_bit; /* packed only; may be negative */
    int32_t high_bits_first;  /* packed only */
    int32_t value_size;       /* fill: bytes of `value`; it divides the cell */
    const unsigned char *value;
} tpad_block;

/* A tile is written piece by piece. A piece is a long copy, or one or several vectors of output.
 *
 * Each byte of a vector is one byte of a nearby window of the input, or fill. In a form with
 * several lanes (see tpad_form) each lane of the vector has a window of its own. If one window does
 * not hold everything that a vector needs, the vector has several terms: each takes other bytes.
 *
 * A copy: `bytes` bytes from `src` to `dst`, at least a vector; `count` is 0, and it has no terms.
 * Vectors: `count` of them. Vector k begins `k * dst_step` after `dst`, and only its first `bytes`
 * bytes count: the others are overwritten by what follows, or are in the place of the next piece
 * with the same values. Its windows are `k * src_step` after those of the terms. If `count` is
 * above 1, there is at most one term. Pieces of whole vectors may interleave: then dst_step exceeds
 * `bytes`, and the other pieces make the vectors between.
 *
 * dst and src count from the tile's place in output and input. */
typedef struct tpad_piece {
    int32_t dst, src;
    int32_t bytes;
    int32_t count;
    int32_t dst_step, src_step;
    int32_t terms;  /* their number; the terms of all pieces are consecutive. 0: all is fill */
    int32_t phase;  /* where in `fill` the vector's fill begins */
    int32_t filled; /* 1 if some byte is fill */
    uint64_t store; /* masked forms: the bytes of the vector that are written; others write all */
} tpad_piece;

enum { TPAD_MOST_LANES = 2 };

/* One window (per lane) for a vector. For each byte (or unit of the form) of the vector, the index
 * has the number of the byte (unit) in the lane's window that it takes: a number of that size, low
 * byte first; or TPAD_INDEX_FILL in each byte if this term takes none for it. An unmasked form
 * reads the whole window, so all of it must be input. */
typedef struct tpad_term {
    int32_t src[TPAD_MOST_LANES]; /* where the window of each lane begins */
    uint64_t load;                /* masked forms: the bytes of the window that are read */
} tpad_term;

enum { TPAD_INDEX_FILL = 0x80, TPAD_VECTOR_BYTES = 64 /* of any form, at most */ };

/* A vector of packed output is made in passes, all from windows of the input. A pass makes a byte
 * for each byte of the vector, and has a mask: the bits to put over the result of earlier passes,
 * or over fill. Its bytes are made in one of two ways (tpad_bit_form):
 *
 * By quadwords: a byte is eight neighbouring bits of a quadword, eight bytes that a vector's eight
 * bytes share. A pass has three vectors: the byte of the window for each byte of a quadword; the
 * bit of its quadword from which each byte takes eight; and the mask.
 *
 * By pairs: a byte is bits 8 to 15 of a product. One factor is some bits of two bytes of the
 * window; the other one has a bit for each distance that these bits must move. A pass has seven
 * vectors. For the even bytes: the two bytes of the window, low one first; the bits of them; and
 * the other factor. The same for the odd bytes, which have a window of their own. Then the mask;
 * the masks of a vector share no bit. */
enum {
    TPAD_PASS_VECTORS_QUADWORDS = 3,
    TPAD_PASS_VECTORS_PAIRS = 7,
    TPAD_MOST_PAIR_PASSES = 16 /* of a vector */
};

/* One window of a packed tile, and its passes. */
typedef struct tpad_bit_window {
    int32_t dst;    /* place of the vector in the tile's output, in bytes */
    int32_t src[2]; /* of the window in its input; by pairs, for the even and for the odd bytes */
    int32_t passes;
    int16_t last;  /* 1 for the last window of its vector */
    int16_t picks; /* by pairs: 0 if all passes take all bits of their bytes */
    /* By quadwords: the bytes of the window to read, and, in the last window of a vector, the bytes
     * of the vector to write. By pairs, all of them. */
    uint64_t load, store;
    /* 0, or how to move the bits of each byte of the window first. By quadwords: a matrix
     * (gf2p8affineqb). By pairs: reverses the order of elements of 1, 2 or 4 bits. */
    uint64_t turn;
} tpad_bit_window;

/* Evenly spaced items: their number, the first one's offset in output and input, the distances.
 * filled: 1: all fill, no input. */
typedef struct tpad_span {
    int64_t count, dst, src, dst_step, src_step;
    int64_t filled;
} tpad_span;

/* How tiles are written. The maker of the table chooses a way that its pieces allow. */
enum {
    TPAD_IN_ORDER, /* one tile after another, piece by piece: any pieces */
    TPAD_HELD,     /* the same; at most TPAD_MOST_HELD pieces of one vector, with one term each */
    TPAD_ROWS,     /* the same; a copy, with at most one vector of two terms on each side, or with
                    * two vectors of one term on both */
    TPAD_ALIKE,    /* the same with vectors of one pattern, of one term, in place of the copy */
    TPAD_EIGHT     /* eight tiles at a time for each piece; pieces of one vector, of any terms */
};
enum { TPAD_MOST_HELD = 4, TPAD_MOST_PIECES = 48, TPAD_MOST_TERMS = 64 /* of a table */ };

/* Tiles of one table: spans of them in each of several planes. All spans of a plane are written
 * before the next plane. */
typedef struct tpad_tiles {
    unsigned char *dst;
    const unsigned char *src;
    tpad_span planes;
    const tpad_span *spans;
    int32_t span_count;
    int32_t scheme; /* TPAD_IN_ORDER ... */
    /* 1: stores bypass the caches, in whole cache lines while tiles, spans and planes are
     * contiguous in the output. Pieces do not interleave then: their dst_step is `bytes`. */
    int32_t streamed;
    int32_t piece_count;
    int32_t elem_bytes;   /* of the fill value */
    int64_t tile_bytes;   /* of each tile that the pieces make */
    int64_t filled_bytes; /* of each tile of a filled span; may differ */
    const tpad_piece *pieces;
    const tpad_term *terms;
    const unsigned char *index; /* a vector for each term */
    const unsigned char *fill;  /* the fill value, repeated from phase 0 on, for TPAD_VECTOR_BYTES
                                   and one more element */
} tpad_tiles;

/* A span of packed tiles; its steps count bytes. */
typedef struct tpad_bit_tiles {
    unsigned char *dst;
    const unsigned char *src;
    tpad_span span;
    int64_t block; /* the number of tiles to do window by window */
    int32_t window_count;
    const tpad_bit_window *windows;
    const unsigned char *passes;
    const unsigned char *fill;
} tpad_bit_tiles;

/* A shuffle instruction, and the tiles it makes. */
typedef struct tpad_form {
    int32_t vector_bytes;
    int32_t lanes;        /* parts of the vector, each with a window of its own */
    int32_t window_bytes; /* of each lane */
    int32_t unit;         /* of the index: bytes that move together, at any place */
    int32_t masked;       /* 1: it reads and writes only what the masks name */
    int64_t stream_bytes; /* from this output size on streaming is faster; 0: it cannot stream */
    void (*tiles)(const tpad_tiles *tiles);
} tpad_form;

/* A way to make vectors of packed output, and the tiles it makes. */
typedef struct tpad_bit_form {
    int32_t vector_bytes; /* of the output, of a window, and of a vector of a pass */
    int32_t pass_vectors; /* TPAD_PASS_VECTORS_QUADWORDS or ..._PAIRS */
    void (*tiles)(const tpad_bit_tiles *tiles);
} tpad_bit_form;

struct tpad_words;
typedef struct tpad_kernels {
    const char *name;
    int (*usable)(void); /* 1 if this machine can run them */
    /* Cells from src to dst. They do not overlap. src_step 0 repeats a cell, -cell reverses. */
    void (*copy)(const tpad_block *block);
    /* Fills every cell with `value`, repeated. */
    void (*fill)(const tpad_block *block);
    /* The same for cells of one or more elements of 1, 2 or 4 bits. `value` is one byte that holds
     * the element in every place. */
    void (*copy_bits)(const tpad_block *block);
    void (*fill_bits)(const tpad_block *block);
    /* Tiles by words of eight bytes, without a table (words.h). */
    void (*words)(const struct tpad_words *words);
    /* The forms of the shuffle, best first; a table is for the first form whose unit divides all of
     * its places. The unit of the last form is 1. */
    const tpad_form *forms;
    int32_t form_count;
    const tpad_bit_form *bits; /* for packed output, or NULL */
    void (*fence)(void);       /* call after streamed tiles; NULL if no form streams */
} tpad_kernels;

TPAD_INTERNAL const tpad_kernels tpad_kernels_plain; /* plain C, for every machine; the reference */
#if defined(TPAD_SIMD_X86)
TPAD_INTERNAL const tpad_kernels tpad_kernels_ssse3, tpad_kernels_avx2, tpad_kernels_avx512bw,
    tpad_kernels_avx512;
#elif defined(TPAD_SIMD_NEON)
TPAD_INTERNAL const tpad_kernels tpad_kernels_neon;
#elif defined(TPAD_SIMD_WASM)
TPAD_INTERNAL const tpad_kernels tpad_kernels_wasm;
TPAD_INTERNAL int tpad_has_wasm(void);
TPAD_INTERNAL void tpad_tiles_wasm(const tpad_tiles *tiles); /* wasm_tiles.c */
#endif

/* Variant number `index` of this build, slowest first, or NULL after the last one (variants.c). */
TPAD_INTERNAL const tpad_kernels *tpad_kernels_at(int index);

/* The number of the fastest variant that this machine can run. */
TPAD_INTERNAL int tpad_kernels_best(void);

/* 1 if a test forces a variant. Plans then have no lists, which would hide the variant's
 * kernels. */
TPAD_INTERNAL int tpad_kernels_forced(void);

/* Shared by the variants: the block kernels in plain C (plain.c). */
TPAD_INTERNAL void tpad_copy_plain(const tpad_block *block);
TPAD_INTERNAL void tpad_fill_plain(const tpad_block *block);
TPAD_INTERNAL void tpad_copy_bits_plain(const tpad_block *block);
TPAD_INTERNAL void tpad_fill_bits_plain(const tpad_block *block);

/* Small outputs: copies that are listed by their places (plain.c). */

/* A place in the output and its source in the input, in bytes. */
typedef struct tpad_place {
    int32_t dst, src;
} tpad_place;

/* Neighbouring bytes of every row; `at` counts from the row's place. */
typedef struct tpad_stretch {
    tpad_place at;
    int32_t bytes;
} tpad_stretch;

/* Copies every stretch of every row; the places of rows count from dst and src. Reads and writes
 * nothing else. src is an address: it may be outside the input, or beyond the end of memory. */
TPAD_INTERNAL void tpad_copy_cells(unsigned char *dst, uintptr_t src, const tpad_place *rows,
                                   int32_t row_count, const tpad_stretch *stretches,
                                   int32_t stretch_count);

#endif
