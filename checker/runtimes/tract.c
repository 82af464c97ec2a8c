/* What tract does with a Pad.  SPDX-License-Identifier: MIT
 *
 * Each rule was observed by running tract with the optimisations that it does before it runs a
 * model. A panic ends the process of a program that does not catch it. */
#include "rule.h"

enum { V0_21 = VERSION(0, 21), V0_22 = VERSION(0, 22) };

enum {
    PADDED = FLOAT | FLOAT16 | DOUBLE | INT8 | INT16 | INT32 | INT64 | UINT8 | UINT16 | UINT32 |
    UINT64
};

/* ---- When the model is loaded ---------------------------------------------------------------- */

static int32_t type_is_unknown_to_0_22(question *q)
{
    return fact_type_in(q, FLOAT8 | PACKED);
}

static int32_t a_name_is_no_formula(question *q)
{
    return fact_is(q->facts->extent_names == TPAD_RULES_NAMES_OTHER);
}

static int32_t a_name_is_a_chain(question *q)
{
    return fact_is(q->facts->extent_names == TPAD_RULES_NAMES_CHAINED);
}

static int32_t axes_are_an_input(question *q)
{
    return fact_is(q->facts->axes_given > TPAD_RULES_ATTRIBUTE);
}

static int32_t value_has_no_name(question *q)
{
    return fact_is(q->facts->value_nameless);
}

static int32_t is_in_a_loop_or_function(question *q)
{
    return q->facts->inside == TPAD_RULES_INSIDE_SCAN ? NO : if_in_a_loop_or_function(q);
}

/* It compares computed values with themselves; an Identity has been removed by then. */
static int32_t value_is_a_computed_nan(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if ((facts->value_given != TPAD_RULES_FOLDED &&
         facts->value_given != TPAD_RULES_FROM_CONSTANTS) ||
        facts->made_by & TPAD_RULES_BY_IDENTITY)
        return NO;
    return fact_value_is(q, TPAD_RULES_NAN);
}

static int32_t pads_are_written_as_ints(question *q)
{
    return fact_is(q->facts->pads_given == TPAD_RULES_CONSTANT_NUMBERS);
}

static int32_t opset_is_below_11(question *q)
{
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return fact_is(q->facts->opset < 11);
}

static int32_t has_amounts(question *q, const tpad_rules_axis *axis)
{
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    return fact_is(axis->begin != 0 || axis->end != 0);
}

/* A Pad of bool that pads nothing is removed before its type is checked, but not always in a
 * branch. */
static int32_t type_is_not_padded(question *q)
{
    if (fact_has_type(q->facts->type, BOOL)) {
        const int32_t pads = fact_any_axis(q, has_amounts);
        const int32_t is_branch = q->facts->inside == TPAD_RULES_INSIDE_BRANCH;
        return pads == NO && is_branch ? fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS) : pads;
    }
    return fact_opposite(fact_type_in(q, PADDED));
}

static int32_t data_is_from_a_cast(question *q)
{
    return fact_is(q->facts->data_from & TPAD_RULES_FROM_CAST);
}

static int32_t value_comes_when_run(question *q)
{
    return fact_is(fact_comes_when_run(q->facts->value_given));
}

static int32_t amounts_come_when_run(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (!fact_comes_when_run(facts->pads_given) && !fact_comes_when_run(facts->axes_given))
        return NO;
    /* It computes with extents symbolically: their difference may be a number. */
    if (facts->made_by & TPAD_RULES_BY_CANCELLING) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    if (facts->axes_given == TPAD_RULES_ABSENT) return fact_is(facts->rank != 0);
    return fact_opposite(if_axes_empty(q)); /* empty pads and axes are known */
}

static int32_t an_argument_comes_when_run(question *q)
{
    return value_comes_when_run(q) == YES ? YES : amounts_come_when_run(q);
}

static int32_t value_has_a_rank(question *q)
{
    if (q->facts->value_given <= TPAD_RULES_ATTRIBUTE) return NO;
    if (q->facts->value_rank < 0) return fact_missing(q, TPAD_RULES_MISSING_VALUE);
    return fact_is(q->facts->value_rank > 0);
}

static int32_t branches_give_different_shapes(question *q)
{
    if (q->facts->branches_differ < 0) return fact_missing(q, TPAD_RULES_MISSING_BRANCHES);
    return fact_is(q->facts->branches_differ);
}

static int32_t an_input_has_no_name(question *q)
{
    return fact_is(q->facts->inputs_unnamed);
}

/* An extent of 1 broadcasts everywhere, so a cut of its one cell passes in mode constant. */
static int32_t is_cut(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis)) return NO;
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    const int64_t least = axis->begin < axis->end ? axis->begin : axis->end;
    const int64_t most = axis->begin < axis->end ? axis->end : axis->begin;
    q->numbers[0] = axis->begin;
    q->numbers[1] = axis->end;
    if (least < -1 || most < 1 || (axis->extent >= 0 && axis->extent != 1)) return YES;
    if (axis->extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    return if_not_constant(q);
}

/* Batch and channels, which have no pads in a Conv. */
static int32_t is_changed_beside_the_image(question *q, const tpad_rules_axis *axis)
{
    if (axis - q->facts->axis >= 2) return NO;
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    return fact_is(axis->begin != 0 || axis->end != 0);
}

static int32_t is_open(question *q, const tpad_rules_axis *axis)
{
    (void)q;
    return fact_is(axis->open != 0);
}

/* If an extent is open, it adds zeros to the pads of the next Conv at load time, and a Conv's pads
 * may be negative. If all extents are known, it computes the Pad first. */
static int32_t goes_into_a_conv(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (facts->after != TPAD_RULES_CONV || facts->reader.op != TPAD_RULES_CONV ||
        facts->reader.is_same)
        return NO;
    return fact_both(
        fact_both(if_constant(q), fact_opposite(fact_value_is(q, TPAD_RULES_NOT_ZERO))),
        fact_both(fact_opposite(fact_any_axis(q, is_changed_beside_the_image)),
                  fact_any_axis(q, is_open)));
}

static int32_t an_axis_is_cut(question *q)
{
    return fact_both(fact_opposite(goes_into_a_conv(q)), fact_any_axis(q, is_cut));
}

/* The Conv pads by the sum of its own pads and the negative amounts: cells that should be cut off
 * are kept, and zeros are missing. */
static int32_t is_cut_before_a_padded_conv(question *q)
{
    return fact_both(fact_both(fact_is(q->facts->reader.has_pads > 1), goes_into_a_conv(q)),
                     fact_any_axis(q, is_cut));
}

static int32_t is_of_bytes(question *q)
{
    return fact_type_in(q, INT8 | UINT8);
}

/* It adds zeros to the pads of an integer Conv, which pads by the zero point. */
static int32_t goes_into_a_shifted_conv(question *q)
{
    const tpad_rules_reader *reader = &q->facts->reader;
    if (reader->op < 0) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (reader->op != TPAD_RULES_INTEGER_CONV || reader->is_same || !reader->is_shifted ||
        reader->passes & ~TPAD_RULES_PASSES_AXES)
        return NO;
    return fact_both(fact_opposite(fact_value_is(q, TPAD_RULES_NOT_ZERO)),
                     fact_both(fact_opposite(fact_any_axis(q, is_changed_beside_the_image)),
                               if_something_is_added(q)));
}

/* tract multiplies extents symbolically and drops sums next to a symbolic batch size. */
static int32_t open_sums_are_reshaped(question *q)
{
    int32_t sums = 0, opens = 0;
    if (!q->facts->reader.is_reshaped || q->facts->rank < 1 || !q->facts->axis[0].open) return NO;
    for (int32_t i = 1; i < q->facts->rank; i++) {
        opens += q->facts->axis[i].open;
        sums += q->facts->axis[i].open && has_amounts(q, &q->facts->axis[i]) != NO;
    }
    if (q->version > V0_22 ? sums < 2 : sums != 1 || opens != 1) return NO;
    return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
}

static int32_t an_argument_is_a_remainder(question *q)
{
    return fact_is(q->facts->made_by & TPAD_RULES_BY_REMAINDER);
}

/* ---- When it runs ---------------------------------------------------------------------------- */

static int32_t a_value_is_given(question *q)
{
    return fact_is(q->facts->value_given > TPAD_RULES_ATTRIBUTE);
}

/* The cells in front are read from everything after them, including cells at the end that are not
 * written yet; the cells at the end are read from everything before them. */
static int32_t mirror_is_outside(question *q, const tpad_rules_axis *axis)
{
    const int64_t begin = axis->begin > 0 ? axis->begin : 0, end = axis->end > 0 ? axis->end : 0;
    if ((axis->amounts_known && begin == 0 && end == 0) || fact_never_far(axis)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = begin > end ? begin : end;
    q->numbers[1] = axis->extent;
    return fact_is((begin && begin >= axis->extent + end) || (end && end >= begin + axis->extent));
}

static int32_t reflects_from_outside(question *q)
{
    return fact_any_axis(q, mirror_is_outside);
}

static int32_t mirror_is_not_written_yet(question *q, const tpad_rules_axis *axis)
{
    if ((axis->amounts_known && axis->begin <= 0) || fact_never_far(axis)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = axis->begin;
    q->numbers[1] = axis->extent;
    return fact_is(axis->begin >= axis->extent);
}

static int32_t reflects_zeros(question *q)
{
    return fact_any_axis(q, mirror_is_not_written_yet);
}

static int32_t edge_is_outside(question *q, const tpad_rules_axis *axis)
{
    if (axis->extent != 0) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is((axis->begin > 0) != (axis->end > 0));
}

static int32_t edge_of_nothing(question *q)
{
    return fact_any_axis(q, edge_is_outside);
}

/* ---- What the document forbids --------------------------------------------------------------- */

static int32_t axis_is_below_the_range(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (facts->document != TPAD_RULES_FORBIDS_AXES_RANGE) return NO;
    for (int32_t i = 0; i < facts->axes_count; i++)
        if (facts->axes[i] < -facts->rank) return YES;
    return NO;
}

static int32_t is_refused_too(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t forbidden = if_forbidden(q);
    if (forbidden != YES) return forbidden;
    switch (facts->document) {
    case TPAD_RULES_FORBIDS_TYPE:
    case TPAD_RULES_FORBIDS_AXES_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_PADS_TYPE:
    case TPAD_RULES_FORBIDS_AXES_TYPE:
    case TPAD_RULES_FORBIDS_NEGATIVE_EXTENT:
    case TPAD_RULES_FORBIDS_NOTHING_LEFT:
        return NO;
    case TPAD_RULES_FORBIDS_AXES_RANGE:
        return fact_opposite(axis_is_below_the_range(q));
    case TPAD_RULES_FORBIDS_ATTRIBUTE_NAME:
        return fact_is(facts->opset < 11);
    case TPAD_RULES_FORBIDS_INPUT_COUNT:
        return fact_is(facts->opset < 11 || facts->opset >= 18);
    default:
        return YES;
    }
}

/* ---- The rules ------------------------------------------------------------------------------- */

static const rule rules[] = {
    {.code = 400, READS_NO_IR},
    {
        .code = 420,
        .kind = TPAD_RULES_CRASHES,
        .until = V0_22,
        .conditions = {type_is_unknown_to_0_22},
        .sentence = "{runtime} panics on the type {type}",
        .title = "a type of 8 bits or fewer that tract before 0.23 does not know",
        .text =
            "tract before 0.23 panics where the model declares a value of a float8 type, or of a "
            "type of 4 or 2 bits. From 0.23 on it refuses them (TP403).",
        .example = "Pad at opset 21, data of type int4",
        .ways_out = "Use a type that tract pads, such as int8 or float16.",
    },
    {
        .code = 424,
        .kind = TPAD_RULES_REFUSES,
        .until = V0_22,
        .conditions = {a_name_is_no_formula},
        .sentence = "the model names an extent by a formula that {runtime} cannot read",
        .title = "the name of an extent that is not a simple formula, before tract 0.23",
        .text =
            "tract reads the name of an open extent (dim_param) as a formula of words, numbers, "
            "+ - * /, min and max. torch's exporter writes others, such as 'Max(1, h)' and "
            "'h//2'. Before 0.23 tract does not load a model with such a name of an input or in "
            "value_info ('Parsing as TDim'). Names of outputs are not read.",
        .example = "a value between two nodes that is declared as of shape [n, 'h//2']",
        .ways_out = "Clear value_info of the graph, and give the inputs' extents plain names.",
    },
    {
        .code = 425,
        .kind = TPAD_RULES_REFUSES,
        .until = V0_21,
        .conditions = {a_name_is_a_chain},
        .sentence = "the model names an extent by a formula that {runtime} cannot read",
        .title = "the name of an extent with several sums or a dot, in tract 0.21",
        .text = "tract 0.21 reads formulas in the names of open extents (dim_param) unless two "
                "operators of one kind follow each other. It knows neither 'floor' nor a dot.",
        .example = "a value between two nodes that is declared as of shape [n, 'h + w + 1']",
        .ways_out = "Clear value_info of the graph, and give the inputs' extents plain names.",
    },
    {
        .code = 401,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_opset_1},
        .sentence = "{runtime} has no Pad-1",
        .title = "tract has no Pad-1",
        .text = "At opset 1 Pad has the attribute paddings. tract begins with Pad-2.",
        .example = "Pad at opset 1, paddings [0, 1]",
        .ways_out = "Convert the model to opset 2 or newer: the attribute is called pads there.",
    },
    {
        .code = 402,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_wrap},
        .sentence = "{runtime} does not know mode wrap",
        .title = "mode wrap",
        .text = "tract has constant, edge and reflect.",
        .example = "Pad at opset 19, wrap, data of shape [3], pads [1, 1]",
        .ways_out = "For each axis a Concat of Slices, or a Gather with constant indices.",
    },
    {
        .code = 403,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {type_is_not_padded},
        .sentence = "{runtime} does not pad {type}",
        .title = "a type that tract does not pad",
        .text = "tract pads float, float16, double and the integers of 8 to 64 bits.",
        .example = "Pad at opset 19, data of type bool",
        .ways_out = "Cast to another type before, and back after.",
    },
    {
        .code = 404,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {is_in_a_loop_or_function},
        .sentence = "the Pad is in a Loop, a Scan in a Scan or a function of the model, which "
                    "{runtime} does not take",
        .title = "a Pad in a Loop, a Scan in a Scan or a function",
        .text = "tract does not know functions of a model, Loop, or a Scan in a Scan.",
        .example = "a Pad in the body of a Loop",
        .ways_out = "Inline functions with onnx.inliner.",
    },
    {
        .code = 415,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_in_a_branch, branches_give_different_shapes},
        .sentence = "the branches of the If give different shapes; {runtime} wants one",
        .title = "an If whose branches give different shapes",
        .text = "tract takes an If whose branches give the same shape. Where one branch pads and "
                "the other one does not, it does not load the model, also if the condition is a "
                "constant.",
        .example = "an If with a Pad in one branch and Identity in the other one",
        .ways_out = "Fold an If whose condition is constant with a simplifier.",
    },
    {
        .code = 405,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_rank_open},
        .sentence = "{runtime} needs the rank of data when it loads the model",
        .title = "data of unknown rank",
        .text = "tract cannot load a Reshape to a shape that is an input.",
        .example = "data from a Reshape whose shape is an input",
        .ways_out = "Declare the shape of the input.",
    },
    {
        .code = 406,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_input_has_no_name},
        .sentence = "an input of the model has no shape, or an extent with neither a number nor a "
                    "name that {runtime} can read; it refuses that",
        .title = "an input with an extent without number and name",
        .text =
            "tract takes inputs with extents that are open if these have a name (dim_param) that "
            "is a word, or a formula of words, numbers, + - * /, min and max. That holds for "
            "every input, also for one that nothing uses.",
        .example = "an input of shape [?, 3] without dim_param",
        .ways_out = "Give the extent a name, or a number (with_input_fact).",
    },
    {
        .code = 407,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_argument_comes_when_run},
        .sentence = "{runtime} needs pads, axes and pad value as constants",
        .title = "pads, axes or a pad value that is not a constant",
        .text = "tract reads them when it loads the model. It folds what is computed from "
                "constants and from extents that are numbers.",
        .example = "Pad at opset 19, pads as an input of the graph",
        .ways_out =
            "Give the inputs the extents that the amounts are computed from (--input-shape, "
            "with_input_fact), or write pads as an initializer.",
    },
    {
        .code = 427,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {data_is_from_a_cast},
        .sentence = "a Cast to int64 makes the data, or what it is computed from; {runtime} takes "
                    "it for an extent, and does not pad extents",
        .title = "int64 that a Cast makes",
        .text = "tract takes int64 that a Cast makes, and what is computed from it, for extents of "
                "tensors ('TDim is not a number'). int64 of an input of the graph is padded.",
        .example = "Pad at opset 13 after a Cast to int64",
        .ways_out = "Cast to int32 instead, or Concat with a constant.",
    },
    {
        .code = 421,
        .kind = TPAD_RULES_REFUSES,
        .until = V0_22,
        .conditions = {axes_are_an_input},
        .sentence = "{runtime} does not know the input axes of Pad",
        .title = "the input axes, before tract 0.23",
        .text =
            "Pad has the input axes since version 18. tract before 0.23 does not load a Pad with "
            "it ('Wrong input number').",
        .example = "Pad at opset 18, pads [1, 1], axes [1]",
        .ways_out = "Write pads for all axes, without axes.",
    },
    {
        .code = 423,
        .kind = TPAD_RULES_REFUSES,
        .until = V0_22,
        .conditions = {value_has_no_name},
        .sentence =
            "the input constant_value is an empty name; {runtime} counts it, and wants one more",
        .title = "a pad value that is an empty name, before tract 0.23",
        .text = "An empty name means that the input is absent; torch's older exporter writes one "
                "after pads. tract before 0.23 does not load such a Pad ('Wrong input number. "
                "Rules expect 3, node has 2').",
        .example = "Pad at opset 13, inputs 'x', 'pads' and ''",
        .ways_out = "Remove the empty name, as a simplifier does.",
    },
    {
        .code = 422,
        .kind = TPAD_RULES_REFUSES,
        .until = V0_21,
        .conditions = {pads_are_written_as_ints},
        .sentence = "pads are a Constant with value_ints, which {runtime} does not read",
        .title = "pads from a Constant with value_ints, in tract 0.21",
        .text = "tract 0.21 reads the attributes value and value_float of a Constant, but not "
                "value_ints ('Could not extract value out of Constant node').",
        .example = "Pad at opset 13, pads from a Constant with value_ints [1, 1]",
        .ways_out = "Write the numbers as an initializer.",
    },
    {
        .code = 426,
        .kind = TPAD_RULES_REFUSES,
        .until = V0_21,
        .conditions = {value_is_a_computed_nan},
        .sentence =
            "nodes compute the pad value, a NaN, from constants; {runtime} does not load that",
        .title = "a pad value that is computed and not a number, in tract 0.21",
        .text =
            "tract 0.21 folds constants and compares the results with each other. A NaN is not "
            "equal to itself, so it ends with 'Impossible to unify'. A NaN in an initializer is "
            "right.",
        .example = "Pad at opset 13, constant_value from DequantizeLinear with an infinite scale",
        .ways_out = "Write the value as an initializer.",
    },
    {.code = 416, REFUSES_FORBIDDEN},
    {
        .code = 417,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {axis_is_below_the_range},
        .sentence = "{runtime} panics on {reason}",
        .title = "an axis below the range",
        .text = "An axis below -rank, which the specification forbids, panics.",
        .example = "Pad at opset 19, data of shape [2, 3], pads [1, 1], axes [-3]",
        .ways_out = "Write an axis from -rank to rank - 1.",
    },
    {
        .code = 408,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {value_has_a_rank},
        .sentence = "{runtime} takes only a scalar as pad value",
        .title = "a pad value of shape [1]",
        .text =
            "The specification wants a scalar, and most runtimes take one element of any shape. "
            "tract refuses all but rank 0.",
        .example = "Pad at opset 19, constant_value of shape [1]",
        .ways_out = "Reshape the value to shape [].",
    },
    {
        .code = 409,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {opset_is_below_11, if_negative_amount},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} refuses negative amounts in an "
                    "attribute",
        .title = "negative amounts before version 11",
        .text = "The specification says that negative amounts remove elements. tract reads the "
                "attribute pads as numbers that are not negative.",
        .example = "Pad at opset 2, data of shape [4], pads [-1, 0]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 410,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {an_axis_is_cut},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} panics on negative amounts",
        .title = "negative amounts",
        .text =
            "The specification says that negative amounts remove elements. tract takes them for "
            "very large ones and panics. Where an extent of the model is open, it takes a Pad of "
            "zeros into the Conv after it, and is right.",
        .example = "Pad at opset 19, data of shape [4], pads [-1, 0]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 418,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {is_cut_before_a_padded_conv},
        .sentence = "axis {axis}: amounts {0} and {1} go into the Conv after it, which has pads "
                    "of its own; {runtime} adds them up, and is wrong",
        .title = "negative amounts before a Conv with pads",
        .text =
            "Where an extent of the model is open, tract takes a Pad of zeros into the Conv after "
            "it, and adds its amounts to the pads of the Conv. A cut of one cell and a pad of one "
            "zero then cancel out.",
        .example =
            "Pad at opset 13, data of shape [n, 3, h, w], pads [0, 0, -1, 0, 0, 0, 0, 0], before "
            "a Conv with pads [1, 1, 1, 1]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 428,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, is_of_bytes, goes_into_a_shifted_conv},
        .sentence = "the zeros go into the ConvInteger or QLinearConv after it, where {runtime} "
                    "pads by the zero point",
        .title = "zeros before a ConvInteger or QLinearConv with a zero point",
        .text = "tract takes a Pad of zeros into an integer convolution after it, whose own pads "
                "are the zero point of the data.",
        .example = "Pad at opset 13, uint8, before a ConvInteger with x_zero_point 128",
        .ways_out = "Pad by the zero point, if that is meant; otherwise Concat with a constant.",
    },
    {
        .code = 429,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {open_sums_are_reshaped},
        .sentence = "a Reshape after joins open extents that the Pad changes; {runtime} may "
                    "refuse",
        .title = "a Reshape that joins open extents which a Pad changes",
        .text = "tract computes with open extents as formulas, and with some sums in them does not "
                "find what a Reshape to -1 leaves ('Reshaping'), or panics.",
        .example = "data [n, 4, h, w], Pad of h and w, Reshape to [0, 0, -1]",
        .ways_out = "Give the batch a number (with_input_fact).",
    },
    {
        .code = 419,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {an_argument_is_a_remainder},
        .sentence =
            "pads, axes or the pad value come through Mod of an extent made negative; {runtime} "
            "gives another remainder, and pads by another amount or panics",
        .title = "amounts through Mod of an extent made negative",
        .text =
            "ONNX's Mod has the sign of the divisor. Of numbers that come from a shape, tract's "
            "has the sign of the dividend: -10 by 4 is -2, not 2. Of constants it is right.",
        .example = "Pad at opset 13, pads from Shape, Gather, Neg and Mod by 4",
        .ways_out =
            "Fold the constants with a simplifier; in the program, pad to a multiple by other "
            "arithmetic.",
    },
    {
        .code = 411,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_not_constant, a_value_is_given, if_something_is_added,
                       if_output_not_empty},
        .sentence = "a pad value is given in mode {mode}; {runtime} writes it instead of "
                    "repeating cells",
        .title = "a pad value in mode edge or reflect",
        .text = "The pad value means nothing in modes edge and reflect. tract pads with it as in "
                "mode constant.",
        .example = "Pad at opset 19, edge, constant_value 5, pads [1, 1]",
        .ways_out = "Remove the input constant_value.",
    },
    {
        .code = 412,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {if_reflect, reflects_from_outside},
        .sentence = "axis {axis}: reflect adds {0} cells to the {1} there are; {runtime} panics",
        .title = "reflect adds as many cells as there are, or more",
        .text = "A mirror at the first cell shows all cells but that one. To add more, the "
                "reflection goes back and forth. tract reads outside of the tensor and panics.",
        .example = "Pad at opset 19, reflect, data of shape [3], pads [3, 0]",
        .ways_out = "For each axis a Gather with constant indices, or several Pads that each add "
                    "fewer cells than the axis has by then.",
    },
    {
        .code = 413,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_reflect, reflects_zeros},
        .sentence = "axis {axis}: reflect adds {0} cells in front of the {1} there are; {runtime} "
                    "writes zeros among them",
        .title = "reflect adds too many cells in front, and others at the end",
        .text = "Where cells are added at the end, too, a reflection that is too long in front "
                "does not panic (TP412): it reads cells that are not written yet.",
        .example = "Pad at opset 19, reflect, data of shape [1], pads [1, 1]",
        .ways_out = "For each axis a Gather with constant indices, or several Pads that each add "
                    "fewer cells than the axis has by then.",
    },
    {
        .code = 414,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {if_edge, edge_of_nothing},
        .sentence = "axis {axis} is empty and is to grow; {runtime} panics in mode edge",
        .title = "edge adds cells to an empty axis",
        .text = "There is nothing to repeat. tract panics, also where the output stays empty.",
        .example = "Pad at opset 19, edge, data of shape [0, 0], pads [1, 0, 0, 0]",
        .ways_out = "Use mode constant: an output without elements is the same in every mode.",
    },
    {.code = 490, ANSWERS_FORBIDDEN},
};
const rule_table rules_of_tract = {rules, sizeof rules / sizeof *rules, NULL};
