/* A vector of packed output while its passes are written down. SPDX-License-Identifier: MIT
 *
 * A byte of a vector is fill and a few stretches: elements that are neighbours in the input as well,
 * or in a window of it that is turned round. */
#ifndef TENSORPAD_CORE_BIT_VECTOR_H
#define TENSORPAD_CORE_BIT_VECTOR_H

#include "tile_map.h"

#if TPAD_TABLE_BYTES > 0

/* The table of a group. */
typedef struct bit_table {
    tile_map map;
    plan *p;
    int high_first;    /* bit 0 is the highest of a byte */
    int32_t vector;    /* bytes, of the output and of a window of the input */
    int pairs;         /* made by pairs, else by quadwords (kernels.h) */
    int64_t low, high; /* by pairs: windows must lie between these bytes, relative to the group */
    int32_t windows, passes, most_passes, most_in_vector, pass_bytes;
    tpad_bit_window *window;
    unsigned char *pass;
} bit_table;

typedef struct bit_vector {
    bit_table *t;
    int32_t bytes, in_byte;              /* of the vector; elements in each */
    int32_t from[TPAD_VECTOR_BYTES * 8]; /* where each element comes from; NO_SOURCE: it is fill, or
                                            was taken */
    int32_t low[2]; /* the window's first byte; by pairs, of the even bytes and of the odd ones */
    int turned;     /* the window's bytes, and the elements in each, stand in reverse order */
    int turns;      /* windows are turned where that helps */
    int32_t most_passes; /* of the table, up to the end of this vector */
    uint64_t load;       /* by quadwords: the bytes that were taken from the window */
    int picks;           /* by pairs: some pass takes not all bits of its bytes */
} bit_vector;

/* A stretch of a byte of the vector: `count` elements from number `first` on. They begin `skip` bits
 * farther on in their byte of the input, the one at `place` of the window, than in that of the
 * vector. `pair`: the rest of them is in the next byte. */
typedef struct bit_stretch {
    int32_t first, count, place, skip;
    int pair;
} bit_stretch;

/* Finds the first stretch of byte i, from element s->first on, that its window holds. Returns 0 if
 * there is none. */
TPAD_INTERNAL int tpad_bits_find(const bit_vector *v, int32_t i, bit_stretch *s);

/* Leaves of a stretch what is in its first byte. */
TPAD_INTERNAL void tpad_bits_shorten(const bit_vector *v, bit_stretch *s);

/* Where a stretch comes to be in its byte of the vector. */
TPAD_INTERNAL unsigned char tpad_bits_wanted(const bit_vector *v, const bit_stretch *s);

/* Marks the elements of a stretch of byte i as taken. Returns how many. */
TPAD_INTERNAL int32_t tpad_bits_take(bit_vector *v, int32_t i, const bit_stretch *s);

/* Where a byte at `place` of the window lies in memory, from the window's first byte on. */
TPAD_INTERNAL unsigned char tpad_bits_place(const bit_vector *v, int32_t place);

/* Write down a pass, which is zeros before. Both return the elements that it takes. */
TPAD_INTERNAL int32_t tpad_pass_by_quadwords(bit_vector *v, unsigned char *pass);
TPAD_INTERNAL int32_t tpad_pass_by_pairs(bit_vector *v, unsigned char *pass);

#endif
#endif
