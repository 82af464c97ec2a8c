/* The runs of an axis: lemmas, and the contracts of axis.c. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_PROOF_RUN_LEMMAS_H
#define TENSORPAD_CORE_PROOF_RUN_LEMMAS_H

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

    predicate moved(integer d, integer to, integer c, integer from, integer e, integer s) =
        d == c + e * from && to == from * s;

    lemma moved_there: \forall integer c, d, e, s, j, x, from, to;
        leads(x, from, e, s, j) && moved(d, to, c, from, e, s) ==>
            same_address(d, j, to, c, x, from);
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

    // The elements after and in front of element e, and the gaps between them.
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

/*@ lemma last_element_up{L}: \forall axis *a, run r, integer p;
        stands(r.source, r.spacing, p) && 1 <= r.length && r.spacing == a->spacing &&
        r.step == 1 && a->lo <= p && p + (r.length - 1) < a->hi ==>
            has_element(a, last_element(r));

    lemma last_element_down{L}: \forall axis *a, run r, integer p;
        stands(r.source, r.spacing, p) && 1 <= r.length && r.spacing == a->spacing &&
        r.step == -1 && a->lo <= p - (r.length - 1) && p < a->hi ==>
            has_element(a, last_element(r));
*/

/*@ // The last element of a run of elements lies in [lo, hi) where its last cell does.
    lemma last_element_inside{L}: \forall axis *a, run r, integer p;
        stands(r.source, r.spacing, p) && 1 <= r.length && r.spacing == a->spacing &&
        (r.step == 1 || r.step == -1) && a->lo <= p < a->hi &&
        a->lo <= p + r.step * (r.length - 1) < a->hi ==> has_element(a, last_element(r));
*/
#endif

/*@ requires 0 < m;
    assigns \nothing;
    ensures \result == modulo(a, m); */
static tpad_index floor_mod(tpad_index a, tpad_index m);

/*@ assigns \nothing;
    ensures \result.length == length && \result.source == -1;
    ensures \result.step == 0 && \result.spacing == 1; */
static run fill_run(tpad_index length);

/*@ requires \valid_read(a) && canonical_axis(a);
    requires step == 1 || step == -1;
    requires 1 <= length && a->lo <= position < a->hi;
    requires a->lo <= position + step * (length - 1) < a->hi;
    assigns \nothing;
    ensures 1 <= \result.length <= length;
    ensures valid_run(\result);
    ensures up: step == 1 ==> \forall integer j; 0 <= j < \result.length ==>
        cell_of(\result, j) == element(position + j, a->spacing);
    ensures down: step == -1 ==> \forall integer j; 0 <= j < \result.length ==>
        cell_of(\result, j) == element(position - j, a->spacing);
    ensures first: 0 <= \result.source ==> has_element(a, \result.source);
    ensures last: 0 <= \result.source ==> has_element(a, last_element(\result)); */
static run dilated_run(const axis *a, tpad_index position, tpad_index step, tpad_index length);

#endif
