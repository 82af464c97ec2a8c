/* The words of the contracts of axis_words.h and problem.h. SPDX-License-Identifier: MIT
 *
 * Read by Frama-C alone (prove.sh): docs/semantics.md once more, as logic over unbounded
 * integers. */
#ifndef TENSORPAD_CORE_PROOF_AXIS_WORDS_H
#define TENSORPAD_CORE_PROOF_AXIS_WORDS_H

/*@ // ---- A mode: from a position on the dilated axis to one that holds the same -------------------

    logic integer modulo(integer a, integer m) = a % m < 0 ? a % m + m : a % m;

    // The cell of [0, size) that the endless extension holds at u.
    logic integer fold(integer mode, integer u, integer size) =
        mode == TPAD_EDGE ? (u < 0 ? 0 : u < size ? u : size - 1)
      : mode == TPAD_WRAP ? modulo(u, size)
      : mode == TPAD_REFLECT ? (modulo(u, 2 * (size - 1)) < size
                                    ? modulo(u, 2 * (size - 1))
                                    : 2 * (size - 1) - modulo(u, 2 * (size - 1)))
      : (modulo(u, 2 * size) < size ? modulo(u, 2 * size) : 2 * size - 1 - modulo(u, 2 * size));

    // The position that t holds the same as, or -1: the fill value.
    logic integer position(integer mode, integer lo, integer hi, integer t) =
        lo <= t < hi ? t : mode == TPAD_CONSTANT ? -1 : lo + fold(mode, t - lo, hi - lo);

    // The element at a position, or -1: an interior cell.
    logic integer element(integer p, integer spacing) =
        p >= 0 && p % spacing == 0 ? p / spacing : -1;

    // ---- What axis.c is to compute: the element that output cell i takes, or -1 ------------------

    logic integer source{L}(axis *a, integer i) =
        element(position(a->mode, a->lo, a->hi, a->origin + i), a->spacing);

    // What a run says of its cell j.
    logic integer spaced(integer first, integer step, integer spacing, integer j) =
        j % spacing == 0 ? first + step * (j / spacing) : -1;

    logic integer cell_of(run r, integer j) =
        r.source < 0 ? -1 : spaced(r.source, r.step, r.spacing, j);

    logic integer last(integer first, integer step, integer spacing, integer length) =
        first + step * ((length - 1) / spacing);
    logic integer last_element(run r) = last(r.source, r.step, r.spacing, r.length);

    predicate valid_run(run r) =
        1 <= r.length && -1 <= r.source && -1 <= r.step <= 1 && 1 <= r.spacing;

    // The extent of n elements with spacing - 1 cells between neighbours.
    logic integer dilated_extent(integer n, integer spacing) = n == 0 ? 0 : (n - 1) * spacing + 1;

    // ---- What problem.c accepts, with D as in docs/semantics.md --------------------------------

    logic integer output_extent(tpad_axis a) =
        a.before + dilated_extent(a.in_extent, a.interior + 1) + a.after;

    predicate acceptable(tpad_axis a) =
        0 <= a.in_extent <= TPAD_MAX_EXTENT && 0 <= a.interior <= TPAD_MAX_EXTENT &&
        -TPAD_MAX_EXTENT <= a.before <= TPAD_MAX_EXTENT &&
        -TPAD_MAX_EXTENT <= a.after <= TPAD_MAX_EXTENT && 0 <= a.mode < TPAD_MODE_COUNT &&
        (a.order == TPAD_WINDOW || a.order == TPAD_CROP) &&
        dilated_extent(a.in_extent, a.interior + 1) <= TPAD_MAX_EXTENT &&
        0 <= output_extent(a) <= TPAD_MAX_EXTENT;

    // What it makes of that: [lo, hi) is what the order says. One cell can only be repeated.
    predicate made_of{L}(axis *out, tpad_axis a) =
        out->extent == output_extent(a) && out->origin == -a.before &&
        out->lo == (a.order == TPAD_CROP && a.before < 0 ? -a.before : 0) &&
        out->hi == dilated_extent(a.in_extent, a.interior + 1) +
                       (a.order == TPAD_CROP && a.after < 0 ? a.after : 0) &&
        out->spacing == (a.in_extent > 1 ? a.interior + 1 : 1) &&
        out->mode == (a.mode != TPAD_CONSTANT && out->hi - out->lo == 1 ? TPAD_EDGE : a.mode);

    // ---- What axis.c may rely on --------------------------------------------------------------

    // The bounds of every axis from problem.c. Boxes move the origin. A mirror has at least
    // two cells or none.
    predicate canonical_axis{L}(axis *a) =
        0 <= a->extent <= TPAD_MAX_EXTENT && -TPAD_MAX_EXTENT <= a->origin &&
        a->origin + a->extent <= 2 * TPAD_MAX_EXTENT && 0 <= a->lo <= TPAD_MAX_EXTENT &&
        -TPAD_MAX_EXTENT <= a->hi <= TPAD_MAX_EXTENT && 1 <= a->spacing <= TPAD_MAX_EXTENT &&
        0 <= a->mode < TPAD_MODE_COUNT && (a->mode == TPAD_REFLECT ==> a->hi - a->lo != 1);

    // And of the axes of an output with cells: a mode that extends has something to extend.
    predicate valid_axis{L}(axis *a) =
        canonical_axis(a) && (a->mode == TPAD_CONSTANT || a->lo < a->hi);

    // No element after the input's last one lies in [lo, hi).
    predicate within_input{L}(axis *a, integer in_extent) =
        a->hi <= dilated_extent(in_extent, a->spacing);

    // Element e stands at position p.
    predicate stands(integer e, integer m, integer p) = 0 <= p && 0 < m && p == e * m;

    // Element s lies in [lo, hi).
    predicate has_element{L}(axis *a, integer s) = a->lo <= s * a->spacing < a->hi;

    // Nothing is there beyond the last element.
    lemma elements_end: \forall axis *a, integer s, n; 0 <= n && canonical_axis(a) &&
        within_input(a, n) && has_element(a, s) ==> 0 <= s < n;

    // Element y after offset d is where x was after offset c.
    predicate same_address(integer d, integer y, integer to, integer c, integer x, integer from) =
        d + y * to == c + x * from;
*/

#endif
