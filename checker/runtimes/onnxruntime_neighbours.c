/* What ONNX Runtime does with a Pad and the operators beside it.  SPDX-License-Identifier: MIT
 *
 * When it loads a model, it merges Pads into Convs and pools and moves Transposes past them. */
#include "rule.h"

/* An argument whose value it knows at load time. Before IR version 4 nobody can replace an
 * initializer. */
static int32_t is_known(const question *q, int32_t given)
{
    const int32_t version = q->facts->ir_version;
    return fact_is_constant(given) ||
           (given == TPAD_RULES_OVERRIDABLE && version > 0 && version < 4);
}

/* From opset 11 on it compares the bytes of the pad value with 0; it does not fuse a Pad whose
 * input value has an empty name. */
static int32_t value_is_zero(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t is_input = facts->opset >= 11;
    if (is_input && facts->value_nameless) return NO;
    if (facts->value_given != TPAD_RULES_ABSENT && !is_known(q, facts->value_given)) return NO;
    return fact_opposite(
        fact_value_is(q, TPAD_RULES_NOT_ZERO | (is_input ? TPAD_RULES_MINUS_ZERO : 0)));
}

/* Whether it removes the nodes between the Pad and its reader. */
static int32_t comes_together(const question *q)
{
    const int32_t passes = q->facts->reader.passes;
    if (passes & (TPAD_RULES_PASSES_SINGLE | TPAD_RULES_PASSES_STILL | TPAD_RULES_PASSES_AXES |
                  TPAD_RULES_PASSES_SHAPE))
        return NO;
    if (!(passes & TPAD_RULES_PASSES_CAST)) return YES;
    return fact_is(q->version >= V1_20 && (q->version > V1_23 || q->facts->opset < 19));
}

/* Whether the Conv or pool takes over the pads: their numbers and value are known at load time. */
int32_t ort_reader_takes_the_pads(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const tpad_rules_reader *reader = &facts->reader;
    const int32_t is_average = reader->op == TPAD_RULES_AVERAGE_POOL;
    if (reader->is_same || reader->is_valid || comes_together(q) == NO) return NO;
    if (facts->made_by & TPAD_RULES_BY_OPEN_SHAPE) return NO; /* it folds only a known Shape */
    if (facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    if (q->version <= V1_17 && (!reader->has_pads || is_average)) return NO;
    if (q->version > V1_17 && q->version <= V1_23 && facts->opset >= 21) return NO;
    if (q->version > V1_31 && (reader->op == TPAD_RULES_MAX_POOL || reader->is_ceil)) return NO;
    if (q->version > V1_20 && is_average && reader->has_pads > 1 &&
        (!reader->counts_pads || q->version > V1_31))
        return NO;
    if ((!is_known(q, facts->pads_given) && facts->pads_given != TPAD_RULES_FROM_CONSTANTS) ||
        facts->axes_given != TPAD_RULES_ABSENT)
        return NO;
    if (q->version > V1_31 && is_average && ort_pool_is_too_narrow(q) == YES) return NO;
    return fact_both(value_is_zero(q), fact_opposite(if_negative_amount(q)));
}

/* The axis of data that becomes this axis once the Transposes around the Pad are removed. */
static int32_t source_of(const tpad_rules_facts *facts, int32_t axis)
{
    if (!(facts->reader.passes & TPAD_RULES_PASSES_TRANSPOSE)) return axis;
    for (int32_t i = 0; i < facts->perm_count; i++)
        if (facts->perm[i] == axis) return i;
    return axis;
}

/* YES if only axes of images are padded; *grows: whether any is. */
static int32_t channels_stay(question *q, int32_t *grows)
{
    *grows = NO;
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    for (int32_t i = 0; i < q->facts->rank; i++) {
        const tpad_rules_axis *axis = &q->facts->axis[source_of(q->facts, i)];
        if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
        if (axis->begin == 0 && axis->end == 0) continue;
        if (i < 2) return NO; /* batch or channels: the pool cannot take these over */
        *grows = YES;
    }
    return YES;
}

int32_t ort_channels_stay(question *q)
{
    int32_t grows;
    return channels_stay(q, &grows);
}

int32_t ort_images_grow(question *q)
{
    int32_t grows;
    const int32_t stay = channels_stay(q, &grows);
    return fact_both(stay, stay == YES ? grows : stay);
}

static int32_t reader_is(question *q, int32_t op)
{
    if (q->facts->reader.op < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return fact_is(q->facts->reader.op == op);
}

int32_t ort_max_pool_is_behind(question *q)
{
    return reader_is(q, TPAD_RULES_MAX_POOL);
}

int32_t ort_average_pool_is_behind(question *q)
{
    return reader_is(q, TPAD_RULES_AVERAGE_POOL);
}

int32_t ort_pool_counts_no_pads(question *q)
{
    return fact_is(!q->facts->reader.counts_pads);
}

int32_t ort_pool_is_behind(question *q)
{
    return fact_either(ort_max_pool_is_behind(q), ort_average_pool_is_behind(q));
}

int32_t ort_conv_or_pool_is_behind(question *q)
{
    return fact_either(ort_pool_is_behind(q), reader_is(q, TPAD_RULES_CONV));
}

int32_t ort_weight_of_a_conv(question *q)
{
    return fact_is(q->facts->reader.is_weighted);
}

/* It reads the shape of the Cast's output without checking that there is one. */
int32_t ort_cast_has_no_rank(question *q)
{
    const int32_t computed = q->version < V1_31 ? TPAD_RULES_FROM_COMPUTED_RANK : 0;
    return fact_is(q->facts->reader.passes & TPAD_RULES_PASSES_CAST &&
                   q->facts->data_from & (TPAD_RULES_FROM_OPEN_RANK | computed));
}

int32_t ort_data_is_returned(question *q)
{
    return fact_is(q->facts->data_returned);
}

/* ---- The windows of a pool ------------------------------------------------------------------- */

/* One axis of the images: the window of the pool and the axis of the Pad. */
typedef int32_t window_condition(question *q, int32_t i, const tpad_rules_window_axis *window,
                                 const tpad_rules_axis *pad);

static int32_t any_window(question *q, window_condition *holds)
{
    const tpad_rules_reader *reader = &q->facts->reader;
    int32_t any = NO;
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    if (reader->axes + 2 != q->facts->rank) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    for (int32_t i = 0; i < reader->axes; i++) {
        const int32_t axis = source_of(q->facts, i + 2);
        const tpad_rules_axis *pad = &q->facts->axis[axis];
        if (reader->axis[i].kernel < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
        if (!pad->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
        if (q->missing == TPAD_RULES_MISSING_NOTHING) q->missing_axis = axis;
        const int32_t answer = holds(q, i, &reader->axis[i], pad);
        if (answer == YES) q->axis = axis;
        any = fact_either(any, answer);
        if (any == YES) return YES;
    }
    return any;
}

static int32_t is_too_narrow(question *q, int32_t i, const tpad_rules_window_axis *window,
                             const tpad_rules_axis *pad)
{
    (void)q, (void)i;
    return fact_is(pad->begin >= (int64_t)window->kernel - window->begin ||
                   pad->end >= (int64_t)window->kernel - window->end);
}

int32_t ort_pool_is_too_narrow(question *q)
{
    return any_window(q, is_too_narrow);
}

/* The cells that a window covers, and those that all windows may cover; both above 0. */
static int64_t span_of(const tpad_rules_window_axis *window)
{
    return (int64_t)(window->kernel - 1) * window->dilation + 1;
}

static int64_t total_of(const tpad_rules_window_axis *window, const tpad_rules_axis *pad)
{
    return pad->extent + pad->begin + pad->end + window->begin + window->end;
}

/* Start of the last window; below 0: there is none. */
static int64_t last_window(const question *q, const tpad_rules_window_axis *window,
                           const tpad_rules_axis *pad)
{
    const int64_t room = total_of(window, pad) - span_of(window);
    const int64_t more = q->facts->reader.is_ceil ? window->stride - 1 : 0;
    const int64_t last = room < 0 ? -1 : (room + more) / window->stride * window->stride;
    /* A window that begins in the pads at the end is left out. */
    return more && last >= total_of(window, pad) - window->end ? last - window->stride : last;
}

/* With ceil_mode it drops the last window if that starts after the data and the pads in front: the
 * cells of the Pad no longer count as data. */
static int32_t is_left_out(question *q, int32_t i, const tpad_rules_window_axis *window,
                           const tpad_rules_axis *pad)
{
    (void)i;
    if (!q->facts->reader.is_ceil || window->stride < 2 || pad->end == 0) return NO;
    if (window->stride - 1 < span_of(window) - pad->end - window->end)
        return NO; /* whatever the extent is */
    if (pad->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    return fact_is(last_window(q, window, pad) >= total_of(window, pad) - window->end - pad->end);
}

int32_t ort_window_is_left_out(question *q)
{
    return any_window(q, is_left_out);
}

/* Its kernel of opset 19 takes entries 1, 3 and 5 of the list [begins, ends] as the ends: only the
 * last axis gets the right one. */
static int64_t end_that_counts(question *q, int32_t i)
{
    const tpad_rules_reader *reader = &q->facts->reader;
    const int32_t entry = 2 * i + 1, at = entry % reader->axes;
    const tpad_rules_axis *pad = &q->facts->axis[source_of(q->facts, at + 2)];
    return entry < reader->axes ? pad->begin + reader->axis[at].begin
                                : pad->end + reader->axis[at].end;
}

static int32_t counts_other_cells(question *q, int32_t i, const tpad_rules_window_axis *window,
                                  const tpad_rules_axis *pad)
{
    const int64_t taken = end_that_counts(q, i), meant = pad->end + window->end;
    if (taken == meant) return NO;
    if (window->stride == 1) return fact_is(taken < meant);
    if (pad->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    const int64_t covered = last_window(q, window, pad) + span_of(window),
                  real = total_of(window, pad) - meant;
    const int64_t counted = covered < real + taken ? covered : real + taken;
    return fact_is(counted != (covered < real + meant ? covered : real + meant));
}

/* Its older kernel divides by the whole window even if that reaches past the pads (ceil_mode). */
static int32_t is_divided_by_all(question *q, int32_t i, const tpad_rules_window_axis *window,
                                 const tpad_rules_axis *pad)
{
    (void)i;
    if (!q->facts->reader.is_ceil || q->facts->reader.counts_pads || window->stride == 1) return NO;
    if (pad->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    const int64_t last = last_window(q, window, pad), total = total_of(window, pad);
    return fact_is(last + span_of(window) > total &&
                   last < window->begin + pad->begin + pad->extent);
}

int32_t ort_average_counts_other_cells(question *q)
{
    window_condition *counts = q->facts->opset < 19 ? is_divided_by_all : counts_other_cells;
    return fact_both(ort_channels_stay(q), any_window(q, counts));
}

/* Only a number below zero is smaller than the zeros of the Pad. Data is assumed to have some
 * unless it is known not to. */
int32_t ort_data_may_be_negative(question *q)
{
    const int32_t is_unsigned = fact_type_in(q, UINT8 | UINT16 | BOOL | UINT32 | UINT64);
    if (is_unsigned != NO) return fact_opposite(is_unsigned);
    if (q->facts->data_known) return fact_is(q->facts->data_bits & TPAD_RULES_NEGATIVE);
    return fact_is(!q->facts->data_not_negative);
}

int32_t ort_transposes_are_around(question *q)
{
    if (q->facts->before < 0 || q->facts->after < 0)
        return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return fact_is(q->facts->perm_count > 0); /* if set, it is the rank of data */
}

int32_t ort_axes_are_fewer_than_rank(question *q)
{
    if (q->facts->axes_count < 0) return fact_missing(q, TPAD_RULES_MISSING_AXES);
    q->numbers[0] = q->facts->axes_count;
    /* With unknown neighbours: the rank of data. */
    q->numbers[1] = q->facts->perm_count ? q->facts->perm_count : q->facts->rank;
    return fact_is(q->facts->axes_count < q->numbers[1]);
}

/* It moves the first Transpose after the Pad and sorts the pads as if `axes` were 0, 1, 2 ... */
int32_t ort_pads_go_to_other_axes(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    int32_t named[TPAD_RULES_MAX_RANK], back[TPAD_RULES_MAX_RANK];
    if (facts->axes_count < 0) return fact_missing(q, TPAD_RULES_MISSING_AXES);
    if (facts->before < 0 || facts->after < 0)
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
