/* What OpenVINO does with the amounts of a Pad and its axes.  SPDX-License-Identifier: MIT
 *
 * It checks the amounts of an axis when it loads the model, if it can compute them by then and the
 * extent is static. Otherwise 2024.6 checks them at run time, and newer versions never. */
#include "rule.h"

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

/* Where it checks nothing, all extents of the output are 0. */
static int32_t unchecked_mirror_is_too_far(question *q, const tpad_rules_axis *axis)
{
    return ov_is_checked(q, axis) ? NO : fact_mirror_too_far(q, axis);
}

int32_t ov_reflects_too_far_when_run(question *q)
{
    return fact_any_axis(q, unchecked_mirror_is_too_far);
}

/* An empty axis with amounts; for reflect, any empty axis. */
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

/* 2025.4 checks the number of pads only at load time. Empty pads that nodes compute come from
 * constants. */
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

/* The IR specification makes such an extent 0. */
static int32_t falls_below_zero(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis) || (axis->amounts_known && axis->begin + axis->end >= 0)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is(axis->extent + axis->begin + axis->end < 0);
}

int32_t ov_an_extent_falls_below_zero(question *q)
{
    return if_openvino_layer(q) == YES ? fact_any_axis(q, falls_below_zero) : NO;
}

/* It mirrors the whole axis, then cuts; the document cuts first. */
static int32_t mirrors_another_cell(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis) || (axis->amounts_known && (axis->begin >= 0 || axis->end <= 0) &&
                                 (axis->begin <= 0 || axis->end >= 0)))
        return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = axis->begin;
    q->numbers[1] = axis->end;
    /* The mirror at the uncut end shows the same cells until it reaches the cut. */
    const int64_t left = fact_cells_left(axis), grows = axis->begin > 0 ? axis->begin : axis->end;
    return fact_is(grows >= left);
}

int32_t ov_cuts_after_the_mirror(question *q)
{
    return fact_any_axis(q, mirrors_another_cell);
}

/* ---- The input axes, which versions before 2026.4 do not read -------------------------------- */

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

/* What OpenVINO does with a Pad before a Conv or pool with pads of its own.
 *
 * It adds a Pad by 0 to the pads of a Conv or AveragePool after it. The pads that auto_pad computes
 * from an open extent are not known by then, and get lost. */

/* Whether auto_pad adds cells to an axis: MAYBE if its extent decides. */
static int32_t pads_by_itself(question *q, const tpad_rules_window_axis *window,
                              const tpad_rules_axis *pad)
{
    const int64_t span = (int64_t)(window->kernel - 1) * window->dilation + 1;
    if (window->kernel < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (span == 1) return NO;
    if (span > window->stride) return YES;
    if (pad->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    const int64_t rest = (pad->extent + pad->begin + pad->end) % window->stride;
    return fact_is(rest && rest < span);
}

static int32_t only_images_grow(question *q)
{
    int32_t grows = NO;
    for (int32_t i = 0; i < q->facts->rank; i++) {
        const tpad_rules_axis *axis = &q->facts->axis[i];
        if (axis->begin < 0 || axis->end < 0) return NO;
        if (axis->begin == 0 && axis->end == 0) continue;
        if (i < 2) return NO;
        grows = YES;
    }
    return grows;
}

int32_t ov_window_takes_the_pads(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const tpad_rules_reader *reader = &facts->reader;
    if (reader->op < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (reader->axes < 1 || (q->version >= V2026_4 && reader->is_ceil == 1) ||
        reader->passes &
            (TPAD_RULES_PASSES_CAST | TPAD_RULES_PASSES_TRANSPOSE | TPAD_RULES_PASSES_PAD) ||
        (reader->op != TPAD_RULES_CONV && reader->op != TPAD_RULES_AVERAGE_POOL))
        return NO;
    if (!ov_is_known_to_it(facts->pads_given) || !ov_is_known_to_it(facts->axes_given) ||
        !ov_is_known_to_it(facts->value_given))
        return NO;
    int32_t takes =
        fact_both(fact_opposite(fact_value_is(q, TPAD_RULES_NOT_ZERO)), only_images_grow(q));
    /* It takes them if it knows the extents that the Shape returns. */
    if (takes == YES && reader->passes & TPAD_RULES_PASSES_SHAPE)
        takes = fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (reader->op == TPAD_RULES_CONV || reader->counts_pads) return takes;
    /* An average that does not count its pads must have none. */
    int32_t is_padded = NO;
    for (int32_t i = 0; i < reader->axes; i++)
        if (reader->is_same && !facts->axis[i + 2].open)
            is_padded =
                fact_either(is_padded, pads_by_itself(q, &reader->axis[i], &facts->axis[i + 2]));
    if (!reader->is_same && reader->has_pads > 1) return NO;
    return fact_both(takes, fact_opposite(is_padded));
}

static int32_t any_window(question *q,
                          int32_t (*holds)(question *q, const tpad_rules_window_axis *window,
                                           const tpad_rules_axis *pad))
{
    const tpad_rules_reader *reader = &q->facts->reader;
    int32_t any = NO;
    for (int32_t i = 0; i < reader->axes; i++) {
        const tpad_rules_axis *pad = &q->facts->axis[i + 2];
        const int32_t before = q->missing;
        const int32_t answer = holds(q, &reader->axis[i], pad);
        if (before == TPAD_RULES_MISSING_NOTHING && q->missing != before) q->missing_axis = i + 2;
        if (answer == YES) q->axis = i + 2;
        any = fact_either(any, answer);
    }
    return any;
}

static int32_t loses_its_own(question *q, const tpad_rules_window_axis *window,
                             const tpad_rules_axis *pad)
{
    return pad->open ? pads_by_itself(q, window, pad) : NO;
}

int32_t ov_window_loses_its_own(question *q)
{
    return q->facts->reader.is_same ? any_window(q, loses_its_own) : NO;
}

/* The last window of a pool with ceil_mode reaches past the padded data. */
static int32_t reaches_beyond(question *q, const tpad_rules_window_axis *window,
                              const tpad_rules_axis *pad)
{
    const int64_t span = (int64_t)(window->kernel - 1) * window->dilation + 1;
    if (window->kernel < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (window->stride == 1) return NO;
    if (pad->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    const int64_t total = pad->extent + pad->begin + pad->end, room = total - span;
    const int64_t last =
        room < 0 ? -1 : (room + window->stride - 1) / window->stride * window->stride;
    /* The cells that auto_pad adds end where the windows end. */
    if (q->facts->reader.is_same && (total - 1) / window->stride * window->stride + span > total)
        return NO;
    /* An average of padded cells only is 0, whatever the divisor. */
    const int32_t keeps = q->facts->reader.is_ceil == TPAD_RULES_CEIL_KEEPS;
    const int32_t is_behind = keeps ? last == total : last >= total;
    return fact_is(last + span > total && (last < pad->begin + pad->extent || is_behind));
}

int32_t ov_average_reaches_beyond(question *q)
{
    const tpad_rules_reader *reader = &q->facts->reader;
    const int32_t keeps = reader->is_ceil == TPAD_RULES_CEIL_KEEPS;
    if (!reader->is_ceil || (reader->is_same && !keeps) || reader->has_pads > 1) return NO;
    return reader->op == TPAD_RULES_AVERAGE_POOL ? any_window(q, reaches_beyond) : NO;
}
