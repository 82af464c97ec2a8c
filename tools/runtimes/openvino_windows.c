/* What OpenVINO does with a Pad before a Conv or pool that pads by itself.  SPDX-License-Identifier: MIT
 *
 * It adds a Pad by 0 to the pads of a Conv or AveragePool behind it. What auto_pad makes of an open extent is not
 * known by then, and gets lost. */
#include "openvino_rules.h"

/* The cells that auto_pad adds to an axis: NO, YES, or MAYBE where its extent decides. */
static int32_t pads_by_itself(question *q, const tpad_rules_window_axis *own,
                              const tpad_rules_axis *pad)
{
    const int64_t span = (int64_t)(own->kernel - 1) * own->dilation + 1;
    if (own->kernel < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (span == 1) return NO;
    if (span > own->stride) return YES;
    if (pad->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    const int64_t rest = (pad->extent + pad->begin + pad->end) % own->stride;
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
    if (reader->axes < 1 || (q->version >= V2026_4 && reader->is_ceil) ||
        reader->passes &
            (TPAD_RULES_PASSES_CAST | TPAD_RULES_PASSES_TRANSPOSE | TPAD_RULES_PASSES_PAD) ||
        (reader->op != TPAD_RULES_CONV && reader->op != TPAD_RULES_AVERAGE_POOL))
        return NO;
    if (!ov_is_known_to_it(facts->pads_given) || !ov_is_known_to_it(facts->axes_given) ||
        !ov_is_known_to_it(facts->value_given))
        return NO;
    const int32_t takes =
        fact_both(fact_opposite(fact_value_is(q, TPAD_RULES_NOT_ZERO)), only_images_grow(q));
    if (reader->op == TPAD_RULES_CONV || reader->counts_pads) return takes;
    /* An average that leaves its pads out must have none. */
    int32_t is_padded = NO;
    for (int32_t i = 0; i < reader->axes; i++)
        if (reader->is_same && !facts->axis[i + 2].open)
            is_padded =
                fact_either(is_padded, pads_by_itself(q, &reader->axis[i], &facts->axis[i + 2]));
    if (!reader->is_same && reader->has_pads > 1) return NO;
    return fact_both(takes, fact_opposite(is_padded));
}

static int32_t any_window(question *q,
                          int32_t (*holds)(question *q, const tpad_rules_window_axis *own,
                                           const tpad_rules_axis *pad))
{
    const tpad_rules_reader *reader = &q->facts->reader;
    int32_t found = NO;
    for (int32_t i = 0; i < reader->axes; i++) {
        const tpad_rules_axis *pad = &q->facts->axis[i + 2];
        const int32_t before = q->missing;
        const int32_t answer = holds(q, &reader->axis[i], pad);
        if (before == TPAD_RULES_MISSING_NOTHING && q->missing != before) q->missing_axis = i + 2;
        if (answer == YES) q->axis = i + 2;
        found = fact_either(found, answer);
    }
    return found;
}

static int32_t loses_its_own(question *q, const tpad_rules_window_axis *own,
                             const tpad_rules_axis *pad)
{
    return pad->open ? pads_by_itself(q, own, pad) : NO;
}

int32_t ov_window_loses_its_own(question *q)
{
    return q->facts->reader.is_same ? any_window(q, loses_its_own) : NO;
}

/* The last window of a pool with ceil_mode reaches beyond what it pads. */
static int32_t reaches_beyond(question *q, const tpad_rules_window_axis *own,
                              const tpad_rules_axis *pad)
{
    const int64_t span = (int64_t)(own->kernel - 1) * own->dilation + 1;
    if (own->kernel < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (own->stride == 1) return NO;
    if (pad->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    const int64_t total = pad->extent + pad->begin + pad->end, room = total - span;
    const int64_t last = room < 0 ? -1 : (room + own->stride - 1) / own->stride * own->stride;
    /* An average of nothing but cells of the Pad is 0, whatever it is divided by. */
    return fact_is(last + span > total && (last < pad->begin + pad->extent || last >= total));
}

int32_t ov_average_reaches_beyond(question *q)
{
    if (!q->facts->reader.is_ceil || q->facts->reader.is_same || q->facts->reader.has_pads > 1)
        return NO;
    return q->facts->reader.op == TPAD_RULES_AVERAGE_POOL ? any_window(q, reaches_beyond) : NO;
}
