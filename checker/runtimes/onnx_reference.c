/* What the reference implementation of ONNX does with a Pad.  SPDX-License-Identifier: MIT
 *
 * Each rule was observed by running onnx.reference.ReferenceEvaluator of onnx 1.23.2 on NumPy
 * 2.4.6. It calls numpy.pad, and most of these rules are the limits of that function. */
#include "rule.h"

enum { SIGNED = INT8 | INT16 | INT32 | INT64, UNSIGNED = UINT8 | UINT16 | UINT32 | UINT64 };

static int32_t empty_axis_changes(question *q, const tpad_rules_axis *axis)
{
    if (axis->extent != 0) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is(axis->begin != 0 || axis->end != 0);
}

static int32_t an_empty_axis_changes(question *q)
{
    return fact_any_axis(q, empty_axis_changes);
}

static int32_t is_float8e8m0(question *q)
{
    return fact_type_in(q, FLOAT8E8M0);
}

/* An axis number that is too high is out of range for Python; one that is too low counts from the
 * end of the list again. */
static int32_t axis_is_too_high(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    for (int32_t i = 0; i < facts->axes_count; i++)
        if (facts->axes[i] >= facts->rank) return YES;
    return NO;
}

static int32_t is_refused_too(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t forbidden = if_forbidden(q);
    if (forbidden != YES) return forbidden;
    switch (facts->document) {
    case TPAD_RULES_FORBIDS_AXES_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_PADS_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_TYPE:
    case TPAD_RULES_FORBIDS_MODE:
    case TPAD_RULES_FORBIDS_VALUE_TYPE:
    case TPAD_RULES_FORBIDS_VALUE_RANK:
    case TPAD_RULES_FORBIDS_AXES_REPEATED:
        return NO;
    case TPAD_RULES_FORBIDS_MODE_WORD:
        return fact_opposite(if_symmetric(q));
    case TPAD_RULES_FORBIDS_VALUE_COUNT:
        return fact_is(facts->value_count != 2 && facts->mode == TPAD_RULES_CONSTANT);
    case TPAD_RULES_FORBIDS_PADS_TYPE:
        return fact_is(!fact_has_type(facts->pads_type, SIGNED));
    case TPAD_RULES_FORBIDS_AXES_TYPE:
        return fact_is(!fact_has_type(facts->axes_type, SIGNED | UNSIGNED));
    case TPAD_RULES_FORBIDS_AXES_RANGE:
        return axis_is_too_high(q);
    default:
        return YES;
    }
}

static const rule rules[] = {
    {.code = 500, READS_NO_IR},
    {.code = 516, REFUSES_FORBIDDEN},
    {
        .code = 501,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_negative_amount},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} refuses negative amounts",
        .title = "negative amounts",
        .text = "The specification says that negative amounts remove elements. numpy.pad, which "
                "does the work here, takes none: 'index can't contain negative values'.",
        .example = "Pad at opset 19, data of shape [4], pads [-1, 0]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 502,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_not_constant, an_empty_axis_changes},
        .sentence = "axis {axis} is empty and is to grow; {runtime} refuses that in mode {mode}",
        .title = "edge, reflect or wrap adds cells to an empty axis",
        .text =
            "There is nothing to repeat. The specification allows it where another axis makes the "
            "output empty; numpy.pad refuses it there, too.",
        .example = "Pad at opset 19, edge, data of shape [0, 0], pads [1, 0, 0, 0]",
        .ways_out = "Use mode constant: an output without elements is the same in every mode.",
    },
    {
        .code = 503,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_rank_0},
        .sentence = "{runtime} refuses data of rank 0",
        .title = "data of rank 0",
        .text = "Padding a scalar gives the scalar. The reference makes a list of floats from the "
                "empty pads, which numpy.pad does not take.",
        .example = "Pad at opset 19, data of shape [], pads []",
        .ways_out = "Replace the Pad by Identity.",
    },
    {
        .code = 504,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_string, if_constant, if_value_absent, if_something_is_added,
                       if_output_not_empty},
        .sentence =
            "{runtime} fills strings with '0' where no value is given; the specification says the "
            "empty string",
        .title = "strings are filled with '0'",
        .text = "Without a pad value the specification fills strings with the empty string. The "
                "reference takes the integer 0 for every type.",
        .example = "Pad at opset 19, data ['a'] of strings, pads [0, 1]",
        .ways_out = "Give the empty string as constant_value.",
    },
    {
        .code = 505,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {is_float8e8m0, if_constant, if_value_absent, if_something_is_added,
                       if_output_not_empty},
        .sentence = "{runtime} fills float8e8m0 with NaN where no value is given",
        .title = "float8e8m0 is filled with NaN",
        .text =
            "float8e8m0 has no zero. The reference converts the integer 0 to it, which gives NaN. "
            "The specification is silent; tensorpad takes the element whose bits are all zero.",
        .example = "Pad at opset 24, data of float8e8m0, pads [0, 1]",
        .ways_out = "Give a constant_value.",
    },
    {
        .code = 590,
        .kind = TPAD_RULES_ACCEPTS,
        .conditions = {if_forbidden},
        .sentence = "{runtime} answers, although the specification forbids {reason}",
        .title = "answers what the specification forbids",
        .text = "The specification gives no answer, so another runtime may give another one or "
                "refuse the model. The reference checks neither types nor versions, knows every "
                "mode of numpy.pad, and takes a pad value of two elements as one for each side.",
        .example = "Pad at opset 18, mode wrap, data of shape [3], pads [1, 1]",
        .ways_out = "Change the model so that the specification allows it.",
    },
};
const rule_table rules_of_onnx_reference = {rules, sizeof rules / sizeof *rules, NULL};
