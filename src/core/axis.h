/* One axis in the form in which it is computed with, and its runs. SPDX-License-Identifier: MIT
 *
 * Knows indices only: no pointers, no element widths, no other axes. */
#ifndef TPAD_CORE_AXIS_H
#define TPAD_CORE_AXIS_H

#include <stdint.h>
#include <tensorpad/tensorpad.h>

#include "port.h"

/* Output cell i stands at t = origin + i of the dilated input. [lo, hi) is the part of the dilated
 * input that the mode extends to both sides (all of it in window order, what the crop leaves in
 * crop order); where t lies in it, the cell is the input's own. A position that is no multiple of
 * `spacing` is an interior cell.
 *
 * Every number is at most TPAD_MAX_EXTENT (2^61 - 1) in magnitude, hence |t| < 2^62 and t - lo as
 * well as twice hi - lo stay inside 64 bits. */
typedef struct axis {
    tpad_index extent; /* of the output */
    tpad_index origin;
    tpad_index lo, hi;
    tpad_index spacing;               /* interior + 1 */
    tpad_index in_stride, out_stride; /* in bytes, or in bits for packed elements */
    tpad_index mode;
} axis;

/* Neighbouring output cells that one rule describes. source < 0: they hold the fill value.
 * Otherwise every spacing-th of them, from the first on, holds an input element: source, source +
 * step ...; the cells between hold the fill value. step is 1, -1, or 0 (one element for all). */
typedef struct run {
    tpad_index length; /* cells, >= 1 */
    tpad_index source;
    tpad_index step;
    tpad_index spacing;
} run;

#ifdef __FRAMAC__
#include "axis_acsl.h"
#endif

/* The run that begins at output cell i, 0 <= i < extent, as far as it goes: the next one begins at
 * i + length, and none crosses lo or hi. A closed form: no loop, no table. */
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

/* An axis on which nothing happens: output cell i is input element i. */
TPAD_INTERNAL int tpad_axis_is_plain(const axis *a);

/* Of an axis with cells. Makes *a plain if one run of evenly spaced elements covers it all (a crop, a piece of a mirror, a
 * repeated edge, a single cell). Adds to *in_offset what the new element 0 lies further on. */
TPAD_INTERNAL void tpad_axis_simplify(axis *a, tpad_index *in_offset);

#endif
