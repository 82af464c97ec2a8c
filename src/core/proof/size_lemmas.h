/* The size of an output: a lemma, and the contracts of problem.c. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_PROOF_SIZE_LEMMAS_H
#define TENSORPAD_CORE_PROOF_SIZE_LEMMAS_H

/*@ lemma longer_than_spacing: \forall integer n, m; 1 < n && 0 < m ==> m < dilated_extent(n, m);

    // What tpad_axis_check makes is what axis.c may rely on, and reads nothing that is not there.
    lemma made_canonical{L}: \forall axis *out, tpad_axis given;
        acceptable(given) && made_of(out, given) ==> canonical_axis(out);

    lemma made_within{L}: \forall axis *out, tpad_axis given;
        acceptable(given) && made_of(out, given) ==> within_input(out, given.in_extent);

    lemma some_elements: \forall integer a, b; 0 < a && 0 < b ==> 0 < a * b;
*/

/*@ assigns \nothing;
    ensures \result == 0 || \result == 1;
    ensures \result == 0 <==> -TPAD_MAX_EXTENT <= amount <= TPAD_MAX_EXTENT; */
static int out_of_range(tpad_index amount);

/*@ requires error == \null || \valid(error);
    requires \valid_read(a);
    assigns *error;
    ensures \result == code; */
static int32_t axis_error(tpad_error *error, int32_t code, int32_t i, const tpad_axis *a,
                          tpad_index got, tpad_index limit, const char *text);

/*@ requires \valid(s) && 0 <= s->problem.rank <= TPAD_MAX_RANK;
    requires 1 <= s->problem.elem_bits <= TPAD_MAX_ELEM_BITS;
    requires \valid_read(axes + (0 .. s->problem.rank - 1)) && (error == \null || \valid(error));
    requires \valid_read(s->problem.axes + (0 .. s->problem.rank - 1));
    requires \separated(s, error, axes + (0 .. TPAD_MAX_RANK - 1),
                        s->problem.axes + (0 .. TPAD_MAX_RANK - 1));
    requires \forall integer k; 0 <= k < s->problem.rank ==> 0 <= axes[k].extent;
    assigns s->elems, s->bytes, *error;
    ensures elems: \result == TPAD_OK ==> 0 <= s->elems;
    ensures none: \result == TPAD_OK ==>
        (s->elems == 0 <==> \exists integer k; 0 <= k < s->problem.rank && axes[k].extent == 0);
    ensures bytes: \result == TPAD_OK ==> s->bytes ==
        (s->problem.elem_bits >= 8 ? s->elems * (s->problem.elem_bits / 8)
                                   : (s->elems * s->problem.elem_bits + 7) / 8); */
static int32_t output_size(solution *s, const axis *axes, tpad_error *error);

#endif
