/* One axis in the form that the core computes with, and its runs.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_AXIS_H
#define TENSORPAD_CORE_AXIS_H

#include <stdint.h>
#include <tensorpad/tensorpad.h>

#include "port.h"

/* Output cell i has the position t = origin + i on the dilated input. [lo, hi) is the part of the
 * dilated input that the mode extends to both sides: all of it in window order, the part that the
 * crop leaves in crop order. If t is in it, the cell takes the input's own element. A position that
 * is not a multiple of `spacing` is an interior cell. Every number except t is at most
 * TPAD_MAX_EXTENT (2^61 - 1) in magnitude; the origin of a box and t are at most twice that. Hence
 * t - lo and twice hi - lo fit in 64 bits. */
typedef struct axis {
    tpad_index extent; /* of the output */
    tpad_index origin;
    tpad_index lo, hi;
    tpad_index spacing;               /* interior + 1 */
    tpad_index in_stride, out_stride; /* in bytes, or in bits for packed elements */
    tpad_index mode;
} axis;

/* Consecutive output cells described by one rule. If source < 0, they hold the fill value.
 * Otherwise every spacing-th of them, from the first on, holds an input element (source, source +
 * step ...) and the cells between hold the fill value. step is 1, -1, or 0 (one element for all).
 */
typedef struct run {
    tpad_index length; /* cells, >= 1 */
    tpad_index source;
    tpad_index step;
    tpad_index spacing;
} run;

#ifdef __FRAMAC__
#include "proof/axis_words.h"
#endif

/* The longest run that begins at output cell i, 0 <= i < extent. The next one begins at i + length;
 * none crosses lo or hi. A closed form: no loop, no table. */
/*@ requires \valid_read(a) && valid_axis(a) && 0 <= i < a->extent;
    assigns \nothing;
    ensures tiles: 1 <= \result.length <= a->extent - i;
    ensures \let t = a->origin + i; t < a->lo && t + \result.length > a->lo ==> a->hi <= a->lo;
    ensures form: valid_run(\result);
    ensures closed_form: \forall integer j; 0 <= j < \result.length ==>
        cell_of(\result, j) == source(a, i + j);
    ensures first_in_range: 0 <= \result.source ==> has_element(a, \result.source);
    ensures last_in_range: 0 <= \result.source ==> has_element(a, last_element(\result)); */
TPAD_INTERNAL run tpad_axis_run(const axis *a, tpad_index i);

#if !defined(TPAD_SMALL)
/* The cell at which to split an axis so that both parts read few elements: where the source jumps
 * from the end of [lo, hi) to its beginning. Returns the extent (no split) if it never does, or if
 * all of [lo, hi) is read anyway. */
TPAD_INTERNAL tpad_index tpad_axis_seam(const axis *a);

/* The elements that the cells of an axis read: first and how many (0: none). */
TPAD_INTERNAL void tpad_axis_needs(const axis *a, tpad_index *first, tpad_index *count);
#endif

/* 1 for an axis without any padding: output cell i is input element i. The input may have more
 * elements after them, which order crop has cut off. */
/*@ requires \valid_read(a);
    assigns \nothing;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 <==> a->origin == 0 && a->hi == a->extent && a->spacing == 1; */
TPAD_INTERNAL int tpad_axis_is_plain(const axis *a);

/* For an axis with cells. Makes *a plain if one run of evenly spaced elements covers it all (a
 * crop, a piece of a mirror, a repeated edge, a single cell). Adds the distance from the old
 * element 0 to the new one to *in_offset. */
/*@ requires \valid(a) && \valid(in_offset) && \separated(a, in_offset);
    requires valid_axis(a) && 1 <= a->extent && -TPAD_INDEX_MAX <= a->in_stride;
    requires \forall integer s; has_element(a, s) ==>
        -TPAD_INDEX_MAX <= s * a->in_stride <= TPAD_INDEX_MAX &&
        -TPAD_INDEX_MAX <= *in_offset + s * a->in_stride <= TPAD_INDEX_MAX;
    assigns a->origin, a->lo, a->hi, a->spacing, a->mode, a->in_stride, *in_offset;
    ensures valid: valid_axis(a);
    ensures same_cells: \forall integer i; 0 <= i < a->extent ==>
        (source(a, i) < 0 <==> \old(source(a, i)) < 0);
    ensures same_addresses: \forall integer i; 0 <= i < a->extent && 0 <= source(a, i) ==>
        same_address(*in_offset, source(a, i), a->in_stride,
                     \old(*in_offset), \old(source(a, i)), \old(a->in_stride)); */
TPAD_INTERNAL void tpad_axis_simplify(axis *a, tpad_index *in_offset);

#endif
