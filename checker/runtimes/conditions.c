/* Conditions that the rules of several runtimes share.  SPDX-License-Identifier: MIT */
#include "rule.h"

int32_t fact_missing(question *q, int32_t fact)
{
    if (q->missing == TPAD_RULES_MISSING_NOTHING) q->missing = fact;
    return MAYBE;
}

int32_t fact_is(int32_t holds)
{
    return holds ? YES : NO;
}

int32_t fact_either(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

int32_t fact_both(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

int32_t fact_opposite(int32_t a)
{
    return YES - a;
}

/* ---- Axes ------------------------------------------------------------------------------------ */

int32_t fact_any_axis(question *q, axis_condition *holds)
{
    int32_t any = NO;
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    for (int32_t i = 0; i < q->facts->rank; i++) {
        const int32_t before = q->missing;
        const int32_t answer = holds(q, &q->facts->axis[i]);
        if (before == TPAD_RULES_MISSING_NOTHING && q->missing != before) q->missing_axis = i;
        if (answer == YES) {
            q->axis = i;
            return YES;
        }
        any = fact_either(any, answer);
    }
    return any;
}

int64_t fact_cells_left(const tpad_rules_axis *axis)
{
    const int64_t cut = (axis->begin < 0 ? axis->begin : 0) + (axis->end < 0 ? axis->end : 0);
    return axis->extent + cut > 0 ? axis->extent + cut : 0;
}

int32_t fact_axis_known(question *q, const tpad_rules_axis *axis)
{
    if (!axis->amounts_known)
        fact_missing(q, TPAD_RULES_MISSING_PADS);
    else if (axis->extent < 0)
        fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    return axis->amounts_known && axis->extent >= 0;
}

static int32_t becomes_empty(question *q, const tpad_rules_axis *axis)
{
    if (axis->amounts_known && axis->begin == 0 && axis->end == 0)
        return fact_is(axis->extent == 0); /* an unknown extent is at least 1 */
    if (axis->amounts_known && axis->begin + axis->end >= 0 && axis->extent < 0) return NO;
    if (fact_never_cut(axis) && axis->extent != 0) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is(axis->extent + axis->begin + axis->end <= 0);
}

int32_t if_output_empty(question *q)
{
    return fact_any_axis(q, becomes_empty);
}

int32_t if_output_not_empty(question *q)
{
    return fact_opposite(if_output_empty(q));
}

static int32_t is_empty(question *q, const tpad_rules_axis *axis)
{
    (void)q;
    return fact_is(axis->extent == 0);
}

int32_t if_input_empty(question *q)
{
    return fact_any_axis(q, is_empty);
}

static int32_t empty_axis_grows(question *q, const tpad_rules_axis *axis)
{
    if (axis->extent != 0) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is(axis->begin + axis->end > 0);
}

int32_t if_empty_axis_grows(question *q)
{
    return fact_any_axis(q, empty_axis_grows);
}

static int32_t grows(question *q, const tpad_rules_axis *axis)
{
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    return fact_is(axis->begin > 0 || axis->end > 0);
}

int32_t if_something_is_added(question *q)
{
    return fact_any_axis(q, grows);
}

int32_t fact_mirror_too_far(question *q, const tpad_rules_axis *axis)
{
    const int64_t most = axis->begin > axis->end ? axis->begin : axis->end;
    if ((axis->amounts_known && most <= 0) || fact_never_far(axis)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = most;
    q->numbers[1] = axis->extent;
    return fact_is(most >= axis->extent);
}

int32_t fact_never_cut(const tpad_rules_axis *axis)
{
    return axis->amounts_known ? axis->begin >= 0 && axis->end >= 0 : axis->never_cut;
}

int32_t fact_never_far(const tpad_rules_axis *axis)
{
    return !axis->amounts_known &&
           (axis->never_far || (axis->most > 0 && axis->extent > axis->most));
}

static int32_t has_negative(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis)) return NO;
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    q->numbers[0] = axis->begin;
    q->numbers[1] = axis->end;
    return fact_is(axis->begin < 0 || axis->end < 0);
}

int32_t if_negative_amount(question *q)
{
    return fact_any_axis(q, has_negative);
}

/* ---- The node -------------------------------------------------------------------------------- */

static int32_t mode_is(question *q, int32_t mode)
{
    if (q->facts->mode == TPAD_RULES_MODE_UNKNOWN) return fact_missing(q, TPAD_RULES_MISSING_MODE);
    return fact_is(q->facts->mode == mode);
}

int32_t if_constant(question *q)
{
    return mode_is(q, TPAD_RULES_CONSTANT);
}

int32_t if_edge(question *q)
{
    return mode_is(q, TPAD_RULES_EDGE);
}

int32_t if_reflect(question *q)
{
    return mode_is(q, TPAD_RULES_REFLECT);
}

int32_t if_symmetric(question *q)
{
    return mode_is(q, TPAD_RULES_SYMMETRIC);
}

int32_t if_wrap(question *q)
{
    return mode_is(q, TPAD_RULES_WRAP);
}

int32_t if_not_constant(question *q)
{
    return fact_opposite(if_constant(q));
}

int32_t if_edge_or_reflect(question *q)
{
    return fact_either(if_edge(q), if_reflect(q));
}

int32_t if_rank_0(question *q)
{
    return fact_is(q->facts->rank == 0); /* an unknown rank is at least 1 */
}

int32_t if_rank_1(question *q)
{
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    return fact_is(q->facts->rank == 1);
}

int32_t if_rank_open(question *q)
{
    if (q->facts->rank_open < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    return fact_is(q->facts->rank_open);
}

int32_t fact_rank_above(question *q, int32_t most)
{
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    return fact_is(q->facts->rank > most);
}

int32_t if_opset_1(question *q)
{
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return fact_is(q->facts->opset == 1);
}

int32_t if_in_a_body(question *q)
{
    return fact_is(q->facts->inside != TPAD_RULES_INSIDE_GRAPH);
}

int32_t if_in_a_branch(question *q)
{
    return fact_is(q->facts->inside == TPAD_RULES_INSIDE_BRANCH);
}

int32_t if_in_a_loop_or_function(question *q)
{
    return fact_is(q->facts->inside == TPAD_RULES_INSIDE_BODY ||
                   q->facts->inside == TPAD_RULES_INSIDE_SCAN ||
                   q->facts->inside == TPAD_RULES_INSIDE_FUNCTION);
}

int32_t if_openvino_layer(question *q)
{
    return fact_is(q->facts->spec == TPAD_RULES_OPENVINO);
}

int32_t if_forbidden(question *q)
{
    if (q->facts->document == TPAD_RULES_DOCUMENT_UNKNOWN)
        return fact_missing(q, TPAD_RULES_MISSING_DOCUMENT);
    return fact_is(q->facts->document > TPAD_RULES_ANSWERS);
}

int32_t fact_is_constant(int32_t given)
{
    return given == TPAD_RULES_ATTRIBUTE || given == TPAD_RULES_INITIALIZER ||
           given == TPAD_RULES_CONSTANT_NODE || given == TPAD_RULES_CONSTANT_NUMBERS ||
           given == TPAD_RULES_FOLDED;
}

int32_t fact_comes_when_run(int32_t given)
{
    return given != TPAD_RULES_ABSENT && given != TPAD_RULES_OVERRIDABLE &&
           given != TPAD_RULES_FROM_CONSTANTS && !fact_is_constant(given);
}

int32_t if_an_argument_comes_when_run(question *q)
{
    return fact_is(fact_comes_when_run(q->facts->pads_given) ||
                   fact_comes_when_run(q->facts->value_given) ||
                   fact_comes_when_run(q->facts->axes_given));
}

int32_t if_value_absent(question *q)
{
    return fact_is(q->facts->value_given == TPAD_RULES_ABSENT);
}

int32_t if_axes_given(question *q)
{
    return fact_is(q->facts->axes_given != TPAD_RULES_ABSENT);
}

int32_t if_axes_empty(question *q)
{
    if (q->facts->axes_given == TPAD_RULES_ABSENT) return NO;
    if (q->facts->axes_count < 0) return fact_missing(q, TPAD_RULES_MISSING_AXES);
    return fact_is(q->facts->axes_count == 0);
}

int32_t fact_has_type(int32_t type, uint32_t types)
{
    return type > 0 && type < 32 && (types >> type & 1);
}

int32_t fact_type_in(question *q, uint32_t types)
{
    const int32_t type = q->facts->type;
    if (type == TPAD_RULES_TYPE_UNKNOWN) return fact_missing(q, TPAD_RULES_MISSING_TYPE);
    return fact_is(fact_has_type(type, types));
}

int32_t if_string(question *q)
{
    return fact_type_in(q, STRING);
}

int32_t fact_value_is(question *q, int32_t bits)
{
    if (q->facts->value_given == TPAD_RULES_ABSENT) return NO;
    if (!q->facts->value_known) return fact_missing(q, TPAD_RULES_MISSING_VALUE);
    return fact_is(q->facts->value_bits & bits);
}

int32_t fact_data_is(question *q, int32_t bits)
{
    if (!q->facts->data_known) return fact_missing(q, TPAD_RULES_MISSING_DATA);
    return fact_is(q->facts->data_bits & bits);
}
