/* Strides that stay within 64 bits: words, lemmas, and the contracts of make_plan.c.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_PROOF_STRIDE_LEMMAS_H
#define TENSORPAD_CORE_PROOF_STRIDE_LEMMAS_H

/*@ lemma factor: \forall integer a, b; 0 <= a && 1 <= b ==> a <= a * b;

    predicate within(integer stride, integer count) = -MAX_REACH <= stride * count <= MAX_REACH;

    lemma within_one: \forall integer s, n; 1 <= n && within(s, n) ==> within(s, 1);

    lemma within_scaled: \forall integer s, n, scale; within(s, n * scale) ==>
        within(s * scale, n);

    predicate valid_side{L}(side *s, integer rank, integer elem_bits) =
        \valid(s) && 0 <= rank <= TPAD_MAX_RANK && (elem_bits == 1 || elem_bits == 2 ||
        elem_bits == 4 || 8 <= elem_bits <= TPAD_MAX_ELEM_BITS) &&
        \forall integer k; 0 <= k < rank ==> 0 <= s->extents[k] <= TPAD_MAX_EXTENT; */

/*@ requires \valid(reach) && 0 <= *reach <= MAX_REACH && 0 <= count;
    assigns *reach;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 <==>
        INT64_MIN < stride && \old(*reach) + \abs(stride) * count <= MAX_REACH;
    ensures \result == 1 ==> *reach == \old(*reach) + \abs(stride) * count; */
int tpad_add_reach(int64_t *reach, int64_t stride, int64_t count);

/*@ requires error == \null || \valid(error);
    assigns *error;
    ensures \result == TPAD_E_OVERFLOW; */
static int32_t reach_error(tpad_error *error, int32_t i, int64_t stride);

/*@ requires valid_side(s, rank, elem_bits);
    requires (error == \null || \valid(error)) && \separated(s, error);
    assigns s->strides[0 .. rank - 1], s->offset, *error;
    ensures \result == TPAD_OK ==> \abs(s->offset) <= MAX_REACH;
    ensures \result == TPAD_OK ==>
        \forall integer k; 0 <= k < rank ==> within(s->strides[k], s->extents[k]); */
static int32_t scale_side(side *s, int32_t rank, int32_t elem_bits, tpad_error *error);

/*@ requires valid_side(s, rank, elem_bits);
    requires (error == \null || \valid(error)) && \valid(units) && \separated(s, error, units);
    assigns s->strides[0 .. rank - 1], *error, *units;
    ensures \result == TPAD_OK ==> 0 <= *units;
    ensures \result == TPAD_OK ==> \forall integer k; 0 <= k < rank ==> 0 <= s->strides[k]; */
static int32_t dense_side(side *s, int32_t rank, int32_t elem_bits, int64_t *units,
                          tpad_error *error);

#endif
