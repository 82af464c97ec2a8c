/* What OpenVINO does with the amounts of a Pad and its axes.  SPDX-License-Identifier: MIT
 *
 * It checks the amounts of an axis when it loads the model, if it can compute them there and the axis is
 * static. Else 2024.6 checks them when it runs, and newer versions nowhere. */
#include "openvino_rules.h"

int32_t ov_is_known_to_it(int32_t given)
{
    return !fact_comes_when_run(given);
}

int32_t ov_is_known_when_loaded(const question *q, const tpad_rules_axis *axis)
{
    return ov_is_known_to_it(q->facts->pads_given) && ov_is_known_to_it(q->facts->axes_given) &&
           !axis->open;
}

int32_t ov_is_checked(const question *q, const tpad_rules_axis *axis)
{
    return q->version <= V2024_6 || ov_is_known_when_loaded(q, axis);
}

static int32_t checked_mirror_is_too_far(question *q, const tpad_rules_axis *axis)
{
    return ov_is_checked(q, axis) ? fact_mirror_too_far(q, axis) : NO;
}

int32_t ov_reflects_too_far_when_loaded(question *q)
{
    return fact_any_axis(q, checked_mirror_is_too_far);
}

/* Where it checks nothing, an output whose extents are all 0 comes out. */
static int32_t unchecked_mirror_is_too_far(question *q, const tpad_rules_axis *axis)
{
    return ov_is_checked(q, axis) ? NO : fact_mirror_too_far(q, axis);
}

int32_t ov_reflects_too_far_when_run(question *q)
{
    return fact_any_axis(q, unchecked_mirror_is_too_far);
}

/* An empty axis with amounts; for reflect any empty axis. */
static int32_t is_empty(question *q, const tpad_rules_axis *axis)
{
    if (axis->extent != 0) return NO;
    if (axis->amounts_known && (axis->begin != 0 || axis->end != 0)) return YES;
    const int32_t reflect = if_reflect(q);
    if (reflect == YES || axis->amounts_known) return reflect;
    return fact_missing(q, TPAD_RULES_MISSING_PADS);
}

static int32_t is_empty_when_loaded(question *q, const tpad_rules_axis *axis)
{
    return ov_is_checked(q, axis) ? is_empty(q, axis) : NO;
}

int32_t ov_an_axis_is_empty_when_loaded(question *q)
{
    return fact_any_axis(q, is_empty_when_loaded);
}

int32_t ov_an_axis_is_empty(question *q)
{
    return fact_any_axis(q, is_empty);
}

static int32_t cut_deeper_than_extent(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis)) return NO;
    if (axis->amounts_known && axis->extent < 0 && axis->begin <= 0 && axis->end <= 0) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = axis->extent;
    return fact_is(axis->extent > 0 && (-axis->begin > axis->extent || -axis->end > axis->extent));
}

/* 2025.4 looks at the number of pads only when it loads the model. Pads without entries that nodes compute come
 * from constants. */
int32_t ov_empty_pads_are_seen(question *q)
{
    return fact_is(q->version != V2025_4 || q->facts->pads_given != TPAD_RULES_GRAPH_INPUT);
}

int32_t ov_known_axes_are_empty(question *q)
{
    if (!ov_is_known_to_it(q->facts->axes_given)) return NO;
    return fact_both(ov_empty_pads_are_seen(q), if_axes_empty(q));
}

int32_t ov_one_side_is_cut_deeper(question *q)
{
    return fact_any_axis(q, cut_deeper_than_extent);
}

/* The IR's document makes it 0 then. */
static int32_t falls_below_zero(question *q, const tpad_rules_axis *axis)
{
    if (axis->amounts_known && axis->begin + axis->end >= 0) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is(axis->extent + axis->begin + axis->end < 0);
}

int32_t ov_an_extent_falls_below_zero(question *q)
{
    return if_openvino_layer(q) == YES ? fact_any_axis(q, falls_below_zero) : NO;
}

/* It mirrors the whole axis and cuts then; the document cuts first. */
static int32_t mirrors_another_cell(question *q, const tpad_rules_axis *axis)
{
    if (axis->amounts_known && !(axis->begin < 0 && axis->end > 0) &&
        !(axis->begin > 0 && axis->end < 0))
        return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = axis->begin;
    q->numbers[1] = axis->end;
    /* The mirror at the end that was not cut shows the same cells until it reaches the cut. */
    const int64_t left = fact_cells_left(axis), grows = axis->begin > 0 ? axis->begin : axis->end;
    return fact_is(grows >= left);
}

int32_t ov_cuts_after_the_mirror(question *q)
{
    return fact_any_axis(q, mirrors_another_cell);
}

/* ---- The input axes, which it does not read before 2026.4 ---------------------------------------- */

int32_t ov_axes_are_fewer_than_rank(question *q)
{
    if (q->facts->axes_given == TPAD_RULES_ABSENT) return NO;
    if (q->facts->axes_count < 0) return fact_missing(q, TPAD_RULES_MISSING_AXES);
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    return fact_is(q->facts->axes_count < q->facts->rank);
}

int32_t ov_count_of_pads_is_seen(question *q)
{
    return fact_is(q->version <= V2024_6 || ov_is_known_to_it(q->facts->pads_given));
}

int32_t ov_axes_are_in_another_order(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (facts->axes_given == TPAD_RULES_ABSENT) return NO;
    if (facts->axes_count < 0) return fact_missing(q, TPAD_RULES_MISSING_AXES);
    if (facts->axes_count != facts->rank) return NO;
    for (int32_t i = 0; i < facts->rank; i++) {
        const int32_t named = facts->axes[i] < 0 ? facts->axes[i] + facts->rank : facts->axes[i];
        if (named < 0 || named >= facts->rank) return NO;
        const tpad_rules_axis *read = &facts->axis[named], *meant = &facts->axis[i];
        if (named == i) continue;
        if (!read->amounts_known || !meant->amounts_known)
            return fact_missing(q, TPAD_RULES_MISSING_PADS);
        if (read->begin != meant->begin || read->end != meant->end) {
            q->axis = i;
            return YES;
        }
    }
    return NO;
}
