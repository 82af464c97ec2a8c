/* What ONNX Runtime does with a Pad and the operators beside it.  SPDX-License-Identifier: MIT
 *
 * Before a model runs, it merges Pads with pools and moves Transposes around them. */
#include "onnxruntime_rules.h"

/* Pads whose numbers and value it knows when the model is loaded, so that a pool takes them over. */
int32_t ort_pool_takes_the_pads(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (q->version <= V1_17 && (!facts->pool_has_pads || facts->behind == TPAD_RULES_AVERAGE_POOL))
        return NO;
    if (q->version > V1_17 && q->version <= V1_23 && facts->opset >= 21) return NO;
    if (!fact_is_constant(facts->pads_given) || facts->axes_given != TPAD_RULES_ABSENT) return NO;
    if (facts->value_given != TPAD_RULES_ABSENT && !fact_is_constant(facts->value_given)) return NO;
    return fact_opposite(fact_either(fact_value_is(q, TPAD_RULES_NOT_ZERO), if_negative_amount(q)));
}

int32_t ort_images_grow(question *q)
{
    int32_t grows = NO;
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    for (int32_t i = 0; i < q->facts->rank; i++) {
        const tpad_rules_axis *axis = &q->facts->axis[i];
        if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
        if (axis->begin == 0 && axis->end == 0) continue;
        if (i < 2) return NO; /* channels: the pool cannot take that over */
        grows = YES;
    }
    return grows;
}

static int32_t behind_is(question *q, int32_t op)
{
    if (q->facts->behind < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return fact_is(q->facts->behind == op);
}

int32_t ort_max_pool_is_behind(question *q)
{
    return behind_is(q, TPAD_RULES_MAX_POOL);
}

int32_t ort_average_pool_is_behind(question *q)
{
    return behind_is(q, TPAD_RULES_AVERAGE_POOL);
}

int32_t ort_pool_counts_no_pads(question *q)
{
    return fact_is(!q->facts->pool_counts_pads);
}

int32_t ort_pool_is_too_narrow(question *q)
{
    const int32_t average = ort_average_pool_is_behind(q);
    if (average == YES && q->facts->pool_has_pads > 1 && !q->facts->pool_counts_pads &&
        q->version > V1_20)
        return NO;
    if (q->facts->pool_too_narrow < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return fact_is(q->facts->pool_too_narrow);
}

int32_t ort_pool_is_behind(question *q)
{
    return fact_either(ort_max_pool_is_behind(q), ort_average_pool_is_behind(q));
}

/* Only a number below zero is smaller than what the pad writes. Data is taken to have some unless it
 * is known not to. */
int32_t ort_data_may_be_negative(question *q)
{
    const int32_t is_unsigned = fact_type_in(q, UINT8 | UINT16 | BOOL | UINT32 | UINT64);
    if (is_unsigned != NO) return fact_opposite(is_unsigned);
    if (q->facts->data_known) return fact_is(q->facts->data_bits & TPAD_RULES_NEGATIVE);
    return fact_is(!q->facts->data_not_negative);
}

int32_t ort_transposes_are_around(question *q)
{
    if (q->facts->before < 0 || q->facts->behind < 0)
        return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return fact_is(q->facts->perm_count > 0); /* as many as data has axes */
}

int32_t ort_axes_are_fewer_than_rank(question *q)
{
    if (q->facts->axes_count < 0) return fact_missing(q, TPAD_RULES_MISSING_AXES);
    q->numbers[0] = q->facts->axes_count;
    /* Where the neighbours are not known: as many as data has. */
    q->numbers[1] = q->facts->perm_count ? q->facts->perm_count : q->facts->rank;
    return fact_is(q->facts->axes_count < q->numbers[1]);
}

/* It moves the first Transpose behind the Pad and sorts the pads as if `axes` were 0, 1, 2 ... */
int32_t ort_pads_go_to_other_axes(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    int32_t named[TPAD_RULES_MAX_RANK], back[TPAD_RULES_MAX_RANK];
    if (facts->axes_count < 0) return fact_missing(q, TPAD_RULES_MISSING_AXES);
    if (facts->before < 0 || facts->behind < 0)
        return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (facts->axes_count != facts->perm_count) return NO;
    for (int32_t i = 0; i < facts->perm_count; i++) back[i] = 0;
    for (int32_t i = 0; i < facts->perm_count; i++) {
        named[i] = facts->axes[i] < 0 ? facts->axes[i] + facts->perm_count : facts->axes[i];
        if (named[i] < 0 || named[i] >= facts->perm_count) return NO;
        if (facts->perm[i] < 0 || facts->perm[i] >= facts->perm_count) return NO;
        back[facts->perm[i]] = i;
    }
    for (int32_t i = 0; i < facts->perm_count; i++) {
        const tpad_rules_axis *written = &facts->axis[named[back[i]]];
        const tpad_rules_axis *meant = &facts->axis[back[named[i]]];
        if (!written->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
        if (written->begin != meant->begin || written->end != meant->end) {
            q->axis = back[named[i]];
            return YES;
        }
    }
    return NO;
}
