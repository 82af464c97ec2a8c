/* The words of the contracts of axis.c. SPDX-License-Identifier: MIT
 *
 * Read by Frama-C alone (make prove): docs/semantics.md once more, as logic over unbounded integers.
 * Knows no code. / and % are C's: they round towards 0. */
#ifndef TPAD_PROOF_AXIS_H
#define TPAD_PROOF_AXIS_H

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

    // No element behind the input's last one lies in [lo, hi).
    predicate within_input{L}(axis *a, integer in_extent) =
        a->hi <= dilated_extent(in_extent, a->spacing);

    // Element e stands at position p.
    predicate stands(integer e, integer m, integer p) = 0 <= p && 0 < m && p == e * m;

    // Element s lies in [lo, hi).
    predicate has_element{L}(axis *a, integer s) = a->lo <= s * a->spacing < a->hi;
*/

/* What the proofs of the code need of arithmetic, and the steps to it. Each is proved itself; the
 * steps are shown to the provers only then, as they would lose their way among them. */
#ifdef PROVE_LEMMAS
/*@ predicate splits(integer a, integer m, integer q, integer r) = 0 <= r < m && a == q * m + r;

    // a / m rounded down.
    logic integer turns(integer a, integer m) = a % m < 0 ? a / m - 1 : a / m;

    lemma no_multiple: \forall integer k, m; 0 < m && -m < k * m < m ==> k == 0;

    lemma one_split: \forall integer a, m, p, q, r, s;
        splits(a, m, p, r) && splits(a, m, q, s) ==> p == q && r == s;

    lemma division: \forall integer a, m; 0 <= a && 0 < m ==> splits(a, m, a / m, a % m);

    lemma modulo_turns: \forall integer a, m; 0 < m ==> splits(a, m, turns(a, m), modulo(a, m));

    lemma modulo_unique: \forall integer a, m, q, r; splits(a, m, q, r) ==> modulo(a, m) == r;

    lemma quotient_unique: \forall integer a, m, q, r; 0 <= a && splits(a, m, q, r) ==>
        a / m == q && a % m == r;

    lemma later_split: \forall integer a, b, m, q, r;
        splits(a, m, q, r) && a <= b && b - a < m - r ==> splits(b, m, q, r + (b - a));
*/
#endif

/*@ // x is the j-th of the numbers that begin at e and step by s; its address, counted from e's.
    predicate counts_to(integer x, integer e, integer s, integer j) = x == e + s * j;

    predicate leads(integer x, integer stride, integer e, integer s, integer j) =
        x * stride == e * stride + j * (stride * s);

    lemma leads_there: \forall integer x, stride, e, s, j; counts_to(x, e, s, j) ==>
        leads(x, stride, e, s, j);

    // Element y behind offset d is where x was behind offset c.
    predicate same_address(integer d, integer y, integer to, integer c, integer x, integer from) =
        d + y * to == c + x * from;

    predicate moved(integer d, integer to, integer c, integer from, integer e, integer s) =
        d == c + e * from && to == from * s;

    lemma moved_there: \forall integer c, d, e, s, j, x, from, to;
        leads(x, from, e, s, j) && moved(d, to, c, from, e, s) ==>
            same_address(d, j, to, c, x, from);

    lemma longer_than_spacing: \forall integer n, m; 1 < n && 0 < m ==> m < dilated_extent(n, m);

    // Nothing is there beyond the last element.
    lemma elements_end: \forall axis *a, integer s, n; 0 <= n && canonical_axis(a) &&
        within_input(a, n) && has_element(a, s) ==> 0 <= s < n;
*/

#ifdef PROVE_DIVISION
/*@ lemma modulo_range: \forall integer a, m; 0 < m ==> 0 <= modulo(a, m) < m;

    // Within a period the remainder counts up.
    lemma modulo_counts: \forall integer a, b, m;
        0 < m && a <= b && modulo(a, m) + (b - a) < m ==> modulo(b, m) == modulo(a, m) + (b - a);
*/

#ifdef PROVE_LEMMAS
/*@ lemma element_splits: \forall integer p, m, q, r; 0 <= p && splits(p, m, q, r) ==>
        element(p, m) == (r == 0 ? q : -1);

    lemma up_splits: \forall integer e, m, p, j, q, r; stands(e, m, p) && splits(j, m, q, r) ==>
        splits(p + j, m, e + q, r);

    lemma down_splits: \forall integer e, m, p, j, q, r;
        stands(e, m, p) && 0 <= j <= p && splits(j, m, q, r) ==>
            (r == 0 ? splits(p - j, m, e - q, 0) : splits(p - j, m, e - q - 1, m - r));

    lemma element_beyond: \forall integer e, m, p, j; stands(e, m, p) && 0 <= j ==>
        element(p + j, m) == spaced(e, 1, m, j);

    lemma element_before: \forall integer e, m, p, j; stands(e, m, p) && 0 <= j <= p ==>
        element(p - j, m) == spaced(e, -1, m, j);

    lemma whole_steps: \forall integer e, m, p, n; stands(e, m, p) && 0 <= n ==>
        p <= (e + n / m) * m <= p + n && p - n <= (e - n / m) * m <= p;
*/
#endif

/*@ lemma stands_there: \forall integer p, m; 0 <= p && 0 < m && p % m == 0 ==> stands(p / m, m, p);

    // The elements behind and in front of element e, and the gaps between them.
    lemma element_up: \forall integer e, m, p, b; stands(e, m, p) && p <= b ==>
        element(b, m) == spaced(e, 1, m, b - p);

    lemma element_down: \forall integer e, m, p, b; stands(e, m, p) && 0 <= b <= p ==>
        element(b, m) == spaced(e, -1, m, p - b);

    lemma gap_up: \forall integer p, b, m; 0 <= p <= b && 0 < m && p % m != 0 &&
        b - p < m - p % m ==> element(b, m) == -1;

    lemma gap_down: \forall integer p, b, m; 0 <= b <= p && 0 < m && p - b < p % m ==>
        element(b, m) == -1;

    lemma last_up: \forall integer e, m, p, n; stands(e, m, p) && 1 <= n ==>
        p <= last(e, 1, m, n) * m <= p + (n - 1);

    lemma last_down: \forall integer e, m, p, n; stands(e, m, p) && 1 <= n ==>
        p - (n - 1) <= last(e, -1, m, n) * m <= p;
*/
#endif

#endif
