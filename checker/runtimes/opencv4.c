/* What version 4 of OpenCV's dnn module does with a Pad.  SPDX-License-Identifier: MIT
 *
 * Each rule was observed by running OpenCV with readNetFromONNX. It computes in float32 and is made
 * for images. */
#include "rule.h"

enum { V4_6 = VERSION(4, 6), V4_10 = VERSION(4, 10) };

/* ---- The node -------------------------------------------------------------------------------- */

/* It reads the attribute paddings of version 1 as (begin, end) per axis; in the document all begins
 * come first. */
static int32_t paddings_are_other_pairs(question *q, const tpad_rules_axis *axis)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t first = 2 * (int32_t)(axis - facts->axis);
    for (int32_t end = 0; end < 2; end++) {
        const int32_t place = first + end, count = facts->rank;
        const tpad_rules_axis *from = &facts->axis[place < count ? place : place - count];
        if (!from->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
        if ((place < count ? from->begin : from->end) != (end ? axis->end : axis->begin))
            return YES;
    }
    return NO;
}

int32_t opencv_opset_1_reads_other_pairs(question *q)
{
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return q->facts->opset == 1 ? fact_any_axis(q, paddings_are_other_pairs) : NO;
}

static int32_t type_is_unknown_to_4(question *q)
{
    return fact_type_in(q, STRING | BOOL | UINT32 | COMPLEX | FLOAT8 | PACKED);
}

static int32_t type_is_unknown_to_4_6(question *q)
{
    return fact_type_in(q, FLOAT16);
}

static int32_t value_is_double(question *q)
{
    return fact_is(fact_has_type(q->facts->value_type, DOUBLE));
}

static int32_t value_type_is_unknown_to_4(question *q)
{
    if (q->facts->value_given == TPAD_RULES_ABSENT) return NO;
    return fact_type_in(q, BOOL | INT16 | UINT16 | UINT32 | UINT64 | BFLOAT16);
}

static int32_t is_string_with_a_value(question *q)
{
    const int32_t given = q->facts->value_given;
    if (given == TPAD_RULES_ABSENT || given >= TPAD_RULES_FOLDED) return NO;
    return fact_type_in(q, STRING);
}

static int32_t axes_are_an_input(question *q)
{
    return fact_is(q->facts->axes_given > TPAD_RULES_ATTRIBUTE);
}

static int32_t an_argument_is_not_constant(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    return fact_is(fact_comes_when_run(facts->pads_given) ||
                   fact_comes_when_run(facts->value_given) ||
                   facts->pads_given == TPAD_RULES_FROM_CONSTANTS ||
                   facts->value_given == TPAD_RULES_FROM_CONSTANTS ||
                   facts->pads_given == TPAD_RULES_CONSTANT_NUMBERS ||
                   facts->value_given == TPAD_RULES_CONSTANT_NUMBERS);
}

static int32_t an_argument_is_reshaped(question *q)
{
    return fact_is(q->facts->made_by & TPAD_RULES_BY_OPEN_RESHAPE);
}

static int32_t an_argument_is_from_an_open_shape(question *q)
{
    return fact_is(q->facts->made_by & TPAD_RULES_BY_OPEN_SHAPE);
}

static int32_t an_argument_is_by_a_unary_node(question *q)
{
    return fact_is(q->facts->made_by & (TPAD_RULES_BY_UNARY | TPAD_RULES_BY_SCATTER));
}

static int32_t an_argument_is_by_identity(question *q)
{
    return fact_is(q->facts->made_by & TPAD_RULES_BY_IDENTITY);
}

static int32_t amounts_are_external(question *q)
{
    return fact_is(q->facts->made_by & TPAD_RULES_BY_EXTERNAL);
}

static int32_t value_is_external(question *q)
{
    return fact_is(q->facts->made_by & TPAD_RULES_BY_EXTERNAL_VALUE);
}

static int32_t is_longer_than_the_data(question *q, const tpad_rules_axis *axis)
{
    const int64_t most = axis->begin > axis->end ? axis->begin : axis->end;
    /* An unknown extent is at least 1. */
    if ((axis->amounts_known && most <= 1) || fact_never_far(axis)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = most;
    q->numbers[1] = axis->extent;
    return fact_is(most > axis->extent);
}

static int32_t more_is_added_than_there_is(question *q)
{
    return fact_any_axis(q, is_longer_than_the_data);
}

static int32_t data_is_constant(question *q)
{
    return fact_is(q->facts->data_constant);
}

static int32_t is_padded_beside_the_image(question *q, const tpad_rules_axis *axis)
{
    if (q->facts->rank != 4) return YES;
    if (axis - q->facts->axis >= 2) return NO;
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    return fact_is(axis->begin != 0 || axis->end != 0);
}

static int32_t it_is_no_image(question *q)
{
    return fact_any_axis(q, is_padded_beside_the_image);
}

static int32_t is_of_rank_3(question *q)
{
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    return fact_is(q->facts->rank == 3);
}

/* Between quantised operators it keeps 8-bit numbers in a form of its own; whether a Pad among them
 * is right depends on all of them. */
static int32_t is_among_quantised(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t stands_between =
        facts->before != TPAD_RULES_NO_OPERATOR && facts->after != TPAD_RULES_NO_OPERATOR;
    return stands_between ? fact_type_in(q, INT8 | UINT8) : NO;
}

static int32_t type_is_not_float(question *q)
{
    if (is_among_quantised(q) == YES) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return fact_opposite(fact_type_in(q, FLOAT));
}

/* ---- What the document forbids --------------------------------------------------------------- */

static int32_t is_refused_too(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t forbidden = if_forbidden(q);
    if (forbidden != YES) return forbidden;
    switch (facts->document) {
    case TPAD_RULES_FORBIDS_AXES_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_ATTRIBUTE_NAME:
    case TPAD_RULES_FORBIDS_PADS_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_TYPE:
    case TPAD_RULES_FORBIDS_PADS_ROW:
    case TPAD_RULES_FORBIDS_PADS_SHAPE:
    case TPAD_RULES_FORBIDS_VALUE_RANK:
    case TPAD_RULES_FORBIDS_VALUE_COUNT:
        return NO;
    case TPAD_RULES_FORBIDS_VALUE_TYPE:
        return fact_is(fact_has_type(facts->type, STRING));
    case TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE:
        return fact_is(facts->mode == TPAD_RULES_NO_MODE);
    case TPAD_RULES_FORBIDS_PADS_TYPE:
        return fact_is(!fact_has_type(facts->pads_type, INT32));
    case TPAD_RULES_FORBIDS_INPUT_COUNT:
        return fact_is(!fact_has_type(facts->pads_type, INT64));
    default:
        return YES;
    }
}

static int32_t forbidden_argument_crashes(question *q)
{
    const int32_t document = q->facts->document;
    return fact_is((document == TPAD_RULES_FORBIDS_VALUE_COUNT && q->facts->value_count == 0) ||
                   (document == TPAD_RULES_FORBIDS_PADS_TYPE && q->version > V4_10 &&
                    fact_has_type(q->facts->pads_type, INT8)));
}

/* ---- The rules ------------------------------------------------------------------------------- */

static const rule rules[] = {
    {.code = 300, READS_IR_BY_OPENVINO},
    {
        .code = 301,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_in_a_body},
        .sentence = "the Pad is in a body or a function of the model, which {runtime} does "
                    "not read",
        .title = "a Pad in If, Loop, Scan or a function",
        .text = "OpenCV 4 does not load models of ONNX with subgraphs or with functions of their "
                "own.",
        .example = "a Pad in the branch of an If",
        .ways_out = "Inline functions with onnx.inliner; fold an If whose condition is constant "
                    "with a simplifier.",
    },
    {
        .code = 340,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {is_string_with_a_value},
        .sentence = "{runtime} crashes on a pad value of strings",
        .title = "a pad value of strings",
        .text = "OpenCV 4 ends the process when it reads a constant of strings.",
        .example = "Pad at opset 19, strings of shape [2], constant_value 'v'",
        .ways_out = "Keep strings out of the model.",
    },
    {
        .code = 341,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {type_is_unknown_to_4},
        .sentence = "{runtime} does not take {type}",
        .title = "a type that OpenCV 4 does not take",
        .text = "OpenCV 4 takes float, float16, double, int8, uint8, int16, uint16, int32, int64, "
                "uint64 and bfloat16 as input, and computes in float.",
        .example = "Pad at opset 19, data of type bool",
        .ways_out = "Cast to float before, and back after.",
    },
    {
        .code = 359,
        .kind = TPAD_RULES_REFUSES,
        .until = V4_6,
        .conditions = {type_is_unknown_to_4_6},
        .sentence = "{runtime} does not take {type}",
        .title = "float16 in OpenCV 4.6",
        .text =
            "The Python package of OpenCV 4.6 takes no input of float16, and OpenCV 4.6 reads no "
            "constant of it.",
        .example = "Pad at opset 13, data of type float16",
        .ways_out = "Cast the model to float, or use OpenCV 4.10 or newer.",
    },
    {
        .code = 364,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_edge, more_is_added_than_there_is},
        .sentence =
            "axis {axis}: edge adds {0} cells to the {1} there are; {runtime} adds at most as "
            "many as there are",
        .title = "edge adds more cells than there are",
        .text = "OpenCV 4 fails when it runs a Pad in mode edge that adds more cells at one side "
                "than the axis has.",
        .example =
            "Pad at opset 13, edge, data of shape [1, 4, 1, 1], pads [0, 0, 0, 2, 0, 0, 0, 0]",
        .ways_out = "Several Pads that each add as many cells as the axis has by then.",
    },
    {
        .code = 362,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {amounts_are_external},
        .sentence = "pads are external data, which {runtime} does not read",
        .title = "pads in external data",
        .text = "OpenCV 4 takes a tensor in another file for an empty one ('The matrix is not "
                "continuous').",
        .example = "a model saved with size_threshold=0",
        .ways_out = "Keep small tensors in the model: onnx.save with size_threshold=1024.",
    },
    {
        .code = 363,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {value_is_external},
        .sentence = "the pad value is external data, which {runtime} does not read",
        .title = "a pad value in external data",
        .text = "OpenCV 4 takes a tensor in another file for an empty one, and the process ends.",
        .example = "a model saved with size_threshold=0",
        .ways_out = "Keep small tensors in the model: onnx.save with size_threshold=1024.",
    },
    {
        .code = 360,
        .kind = TPAD_RULES_REFUSES,
        .until = V4_6,
        .conditions = {value_is_double},
        .sentence = "{runtime} does not read a pad value of double",
        .title = "a pad value of double in OpenCV 4.6",
        .text =
            "OpenCV 4.6 does not find the bytes of a constant of double ('!field.empty()') where "
            "exporters write them (raw_data).",
        .example = "Pad at opset 13, data of double, constant_value 5",
        .ways_out = "Leave out a pad value of 0; otherwise Cast to float.",
    },
    {
        .code = 342,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {value_type_is_unknown_to_4},
        .sentence = "{runtime} does not read a pad value of {type}",
        .title = "a pad value of a type that OpenCV 4 does not read",
        .text = "OpenCV 4 reads constants of float, float16, double, int8, uint8, int32 and int64.",
        .example = "Pad at opset 19, data of uint16, constant_value 5",
        .ways_out = "Leave out a pad value of 0; otherwise Cast to float.",
    },
    {
        .code = 343,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {axes_are_an_input},
        .sentence = "{runtime} does not know the input axes of Pad",
        .title = "Pad with axes",
        .text = "OpenCV 4 does not read the input axes, which Pad has since version 18.",
        .example = "Pad at opset 19, pads [1, 1], axes [1]",
        .ways_out = "Write pads for all axes, without axes.",
    },
    {
        .code = 344,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_argument_is_not_constant},
        .sentence = "{runtime} needs pads and pad value as constants",
        .title = "pads or a pad value that is not a constant",
        .text = "OpenCV 4 reads pads and the pad value when it loads the model. It takes "
                "initializers, Constant nodes with the attribute value, and some chains of nodes "
                "over them.",
        .example = "Pad at opset 19, pads as an input of the graph",
        .ways_out = "Give the inputs the extents that the amounts are computed from, or write pads "
                    "as an initializer; fold what is computed from constants with a simplifier.",
    },
    {
        .code = 354,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_argument_is_reshaped},
        .sentence =
            "pads, axes or the pad value come through a Reshape with -1, and the model has an "
            "open extent; {runtime} does not read such a model",
        .title = "amounts through a Reshape with -1, in a model of open extents",
        .text = "torch's older exporter computes pads in a chain of nodes over constants, with a "
                "Reshape to [-1]. OpenCV 4 folds it if all inputs of the model have shapes, and "
                "stops if one has not ('s >= 0 in function setSize').",
        .example = "Pad at opset 13, data of shape [n, 3, h, w], pads from a Reshape to [-1]",
        .ways_out = "Fold the constants with a simplifier, or declare all shapes of inputs.",
    },
    {
        .code = 355,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_argument_is_by_a_unary_node},
        .sentence = "pads, axes or the pad value come through Neg, Abs or another node of one "
                    "input, or through ScatterElements, which {runtime} does not fold",
        .title = "amounts through Neg, Abs or the like, or ScatterElements",
        .text = "OpenCV 4 folds Add, Sub, Mul, Div, Mod and Max of constants, and what only moves "
                "them. It stops at arithmetic with one input ('inputs.size()'), and at "
                "ScatterElements of integers.",
        .example = "Pad at opset 13, pads from Neg of an initializer",
        .ways_out = "Fold the constants with a simplifier.",
    },
    {
        .code = 361,
        .kind = TPAD_RULES_REFUSES,
        .until = V4_6,
        .conditions = {an_argument_is_by_identity},
        .sentence =
            "pads, axes or the pad value come through Identity, which {runtime} does not fold",
        .title = "amounts through Identity in OpenCV 4.6",
        .text = "OpenCV 4.6 takes Identity of a constant for a layer, and stops at it "
                "('inputs.size()').",
        .example = "Pad at opset 13, pads from Identity of an initializer",
        .ways_out = "Fold the constants with a simplifier.",
    },
    {
        .code = 356,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_argument_is_from_an_open_shape},
        .sentence =
            "pads, axes or the pad value come from the shape of a value, and the model has an "
            "open extent; {runtime} does not read such a model",
        .title = "amounts from a shape, in a model of open extents",
        .text =
            "OpenCV 4 wants to know the whole shape of a value whose Shape is taken, also where "
            "the entry that matters is known ('!isDynamicShape').",
        .example = "Pad at opset 13, data of shape [n, 3], pads from Shape, Gather and Sub",
        .ways_out = "Declare all shapes of inputs, or fold the constants with a simplifier.",
    },
    {
        .code = 345,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {data_is_constant},
        .sentence = "{runtime} does not pad a constant",
        .title = "data is a constant of the model",
        .text = "OpenCV 4 wants a layer as the input of Pad.",
        .example = "Pad at opset 19, data as an initializer",
        .ways_out = "Fold the Pad into a constant with a simplifier.",
    },
    {
        .code = 346,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_rank_open},
        .sentence = "{runtime} needs the rank of data when it loads the model",
        .title = "data of unknown rank",
        .text = "OpenCV 4 cannot load a Reshape to a shape that is an input.",
        .example = "data from a Reshape whose shape is an input",
        .ways_out = "Declare the shape of the input.",
    },
    {
        .code = 347,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_rank_0},
        .sentence = "{runtime} refuses data of rank 0",
        .title = "data of rank 0",
        .text = "Padding a scalar gives the scalar. OpenCV 4 does not load such a Pad.",
        .example = "Pad at opset 19, data of shape [], pads []",
        .ways_out = "Replace the Pad by Identity.",
    },
    {
        .code = 348,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_negative_amount},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} refuses negative amounts",
        .title = "negative amounts",
        .text =
            "The specification says that negative amounts remove elements. OpenCV 4 does not load "
            "them.",
        .example = "Pad at opset 19, data of shape [4], pads [-1, 0]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 357,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {forbidden_argument_crashes},
        .sentence = "{runtime} crashes on {reason}",
        .title = "arguments that end the process",
        .text =
            "An empty pad value, or pads of int8, which the specification forbids, end the process "
            "or never end.",
        .example = "Pad at opset 19, constant_value of shape [0]",
        .ways_out = "Change the node so that the specification allows it.",
    },
    {.code = 316, REFUSES_FORBIDDEN},
    {
        .code = 349,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_wrap},
        .sentence = "{runtime} does not know mode wrap",
        .title = "mode wrap",
        .text = "OpenCV 4 has constant, edge and reflect.",
        .example = "Pad at opset 19, wrap, data of shape [3], pads [1, 1]",
        .ways_out = "For each axis a Concat of Slices.",
    },
    {
        .code = 350,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_input_empty},
        .sentence = "axis {axis} is empty; {runtime} refuses data without elements",
        .title = "data without elements",
        .text = "OpenCV 4 refuses an input without elements.",
        .example = "Pad at opset 19, data of shape [0, 3]",
        .ways_out = "Do not run the model on empty data.",
    },
    {
        .code = 351,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_edge_or_reflect, it_is_no_image},
        .sentence = "{runtime} knows mode {mode} only for rank 4 and its last two axes",
        .title = "edge or reflect of something other than an image",
        .text = "OpenCV 4 does edge and reflect only on the last two axes of a tensor of rank 4.",
        .example = "Pad at opset 19, edge, data of shape [2, 3], pads [0, 1, 0, 1]",
        .ways_out = "Reshape to rank 4, or Slice and Concat.",
    },
    {
        .code = 358,
        .kind = TPAD_RULES_REFUSES,
        .until = V4_10,
        .conditions = {is_of_rank_3},
        .sentence = "{runtime} refuses data of rank 3",
        .title = "data of rank 3 in OpenCV 4.10",
        .text = "OpenCV 4.10 loads a Pad of data of rank 3, and stops when it runs "
                "('inpShape.size() >= paddings.size()'). 4.14 is right.",
        .example = "Pad at opset 13, data of shape [2, 3, 4], pads [0, 0, 1, 0, 0, 1]",
        .ways_out = "Reshape to rank 4 before, and back after.",
    },
    {
        .code = 352,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {type_is_not_float},
        .sentence = "{runtime} gives float instead of {type}",
        .title = "OpenCV 4 computes in float",
        .text =
            "The output is float for every type of input. Numbers that a float does not hold "
            "change. Between quantised operators OpenCV 4 keeps int8 and uint8 in a form of its "
            "own; whether a Pad there is right is unknown.",
        .example = "Pad at opset 19, data of int32",
        .ways_out = "Cast after the network; for integers beyond 2^24 there is no way.",
    },
    {
        .code = 353,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_rank_1},
        .sentence = "{runtime} gives the shape [n, 1] instead of [n]",
        .title = "rank 1 becomes rank 2",
        .text = "OpenCV 4 has no tensors of rank 1 and gives a column.",
        .example = "Pad at opset 19, data of shape [3], pads [1, 1]",
        .ways_out = "Reshape the output in the program.",
    },
    {.code = 314, READS_PAIRS},
    {.code = 390, ANSWERS_FORBIDDEN},
};
const rule_table rules_of_opencv_4 = {rules, sizeof rules / sizeof *rules, NULL};
