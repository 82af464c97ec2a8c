/* What OpenCV's dnn module does with a Pad.  SPDX-License-Identifier: MIT
 *
 * Each rule was seen by running OpenCV 4.14.0 and 5.0.0 with readNetFromONNX and the engine that it
 * chooses itself. Version 4 computes in float32 and was made for images; version 5 has a new engine. */
#include "rule.h"

enum { V4 = VERSION(4, 999), V5 = VERSION(5, 0) };

/* ---- Both versions ----------------------------------------------------------------------------- */

static int32_t a_value_is_given(question *q)
{
    return fact_opposite(if_value_absent(q));
}

/* The attribute paddings of version 1 is (begin, end) of each axis for it; in the document all
 * begins come first. */
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

static int32_t opset_1_reads_other_pairs(question *q)
{
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return q->facts->opset == 1 ? fact_any_axis(q, paddings_are_other_pairs) : NO;
}

static int32_t is_rank_1(question *q)
{
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    return fact_is(q->facts->rank == 1);
}

/* ---- Version 4 --------------------------------------------------------------------------------- */

static int32_t type_is_unknown_to_4(question *q)
{
    return fact_type_in(q, STRING | BOOL | UINT32 | COMPLEX | FLOAT8 | PACKED);
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
                   facts->pads_given == TPAD_RULES_CONSTANT_NUMBERS ||
                   facts->value_given == TPAD_RULES_CONSTANT_NUMBERS);
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

static int32_t type_is_not_float(question *q)
{
    return fact_opposite(fact_type_in(q, FLOAT));
}

/* ---- Version 5 --------------------------------------------------------------------------------- */

static int32_t type_is_unknown_to_5(question *q)
{
    return fact_type_in(q, STRING | COMPLEX | FLOAT8 | PACKED);
}

static int32_t rank_is_above_5(question *q)
{
    return fact_rank_above(q, 5);
}

static int32_t is_uint64(question *q)
{
    return fact_type_in(q, UINT64);
}

static int32_t last_extent_is_zero(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (facts->rank < 1) return fact_either(if_rank_0(q), NO);
    const tpad_rules_axis *last = &facts->axis[facts->rank - 1];
    if (last->amounts_known && last->extent < 0) return NO;
    if (!fact_axis_known(q, last)) return MAYBE;
    return fact_is(last->extent + last->begin + last->end == 0);
}

static int32_t type_is_half(question *q)
{
    return fact_type_in(q, FLOAT16 | BFLOAT16);
}

/* It extends the whole axis and cuts then; the document cuts first. */
static int32_t repeats_other_cells(question *q, const tpad_rules_axis *axis)
{
    const int64_t grows = axis->begin > axis->end ? axis->begin : axis->end;
    if (axis->amounts_known && (grows <= 0 || (axis->begin >= 0 && axis->end >= 0))) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = axis->begin;
    q->numbers[1] = axis->end;
    return grows >= fact_cells_left(axis) ? YES : if_wrap(q);
}

static int32_t cuts_last(question *q)
{
    return fact_any_axis(q, repeats_other_cells);
}

static int32_t reflect_or_wrap(question *q)
{
    return fact_either(if_reflect(q), if_wrap(q));
}

/* Elements of a graph's input go through int32. */
static int32_t is_wide(question *q)
{
    return fact_type_in(q, INT64 | UINT64);
}

static int32_t data_comes_from_outside(question *q)
{
    return fact_is(!q->facts->data_constant);
}

static int32_t data_is_beyond_int32(question *q)
{
    return fact_data_is(q, TPAD_RULES_BEYOND_INT32);
}

static int32_t value_comes_from_outside(question *q)
{
    return fact_is(fact_comes_when_run(q->facts->value_given));
}

static int32_t value_is_beyond_int32(question *q)
{
    return fact_value_is(q, TPAD_RULES_BEYOND_INT32);
}

static int32_t value_is_clamped(question *q)
{
    switch (q->facts->type) {
    case TPAD_RULES_TYPE_UNKNOWN:
        return fact_missing(q, TPAD_RULES_MISSING_TYPE);
    case 1: /* float */
        return fact_value_is(q, TPAD_RULES_SUBNORMAL);
    case 3: /* int8 */
        return fact_value_is(q, TPAD_RULES_BELOW_INT8);
    case 4: /* uint16 */
        return fact_value_is(q, TPAD_RULES_BEYOND_UINT8);
    default:
        return NO;
    }
}

/* ---- What the document forbids ----------------------------------------------------------------- */

static int32_t axes_end_at_the_rank(const tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < facts->axes_count; i++)
        if (facts->axes[i] < -facts->rank || facts->axes[i] > facts->rank) return 0;
    return facts->rank > 0;
}

static int32_t is_refused_by_4(const tpad_rules_facts *facts)
{
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

static int32_t is_refused_by_5(const tpad_rules_facts *facts)
{
    switch (facts->document) {
    case TPAD_RULES_FORBIDS_AXES_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_ATTRIBUTE_NAME:
    case TPAD_RULES_FORBIDS_PADS_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE:
    case TPAD_RULES_FORBIDS_TYPE:
    case TPAD_RULES_FORBIDS_MODE:
    case TPAD_RULES_FORBIDS_VALUE_RANK:
    case TPAD_RULES_FORBIDS_NOTHING_LEFT:
        return NO;
    case TPAD_RULES_FORBIDS_VALUE_TYPE:
        return fact_is(fact_has_type(facts->type, STRING));
    case TPAD_RULES_FORBIDS_VALUE_COUNT:
        return fact_is(facts->value_count != 0);
    case TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE:
        return fact_is(facts->value_given != TPAD_RULES_ATTRIBUTE);
    case TPAD_RULES_FORBIDS_PADS_TYPE:
        return fact_is(!fact_has_type(facts->pads_type, INT32));
    case TPAD_RULES_FORBIDS_INPUT_COUNT:
        return fact_is(!fact_has_type(facts->pads_type, INT64) || facts->opset >= 18);
    case TPAD_RULES_FORBIDS_AXES_RANGE:
        return fact_is(!axes_end_at_the_rank(facts));
    default:
        return YES;
    }
}

static int32_t is_refused_too(question *q)
{
    const int32_t forbidden = if_forbidden(q);
    if (forbidden != YES) return forbidden;
    return q->version <= V4 ? is_refused_by_4(q->facts) : is_refused_by_5(q->facts);
}

static int32_t forbidden_argument_crashes(question *q)
{
    const int32_t document = q->facts->document;
    return fact_is(
        (document == TPAD_RULES_FORBIDS_VALUE_COUNT && q->facts->value_count == 0) ||
        (document == TPAD_RULES_FORBIDS_PADS_TYPE && fact_has_type(q->facts->pads_type, INT8)));
}

/* ---- The rules --------------------------------------------------------------------------------- */

static const rule rules[] = {
    {
        .code = 300,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_openvino_layer},
        .sentence = "{runtime} does not read this IR by itself",
        .title = "OpenCV reads an OpenVINO IR only through OpenVINO",
        .text = "The model is an OpenVINO IR. OpenCV hands such models to OpenVINO if it was "
                "built with it, and does not read them itself.",
        .example = "model.xml with model.bin",
        .ways_out = "Export the model to ONNX from where the IR was made.",
    },
    {
        .code = 301,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_in_a_body},
        .sentence = "the Pad stands in a body or a function of the model, which {runtime} does "
                    "not read",
        .title = "a Pad in If, Loop, Scan or a function",
        .text = "OpenCV does not load models of ONNX with subgraphs or with functions of their "
                "own.",
        .example = "a Pad in the branch of an If",
        .ways_out = "Inline functions with onnx.inliner; fold an If whose condition is constant "
                    "with a simplifier.",
    },
    {
        .code = 340,
        .kind = TPAD_RULES_CRASHES,
        .until = V4,
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
        .until = V4,
        .conditions = {type_is_unknown_to_4},
        .sentence = "{runtime} does not take {type}",
        .title = "a type that OpenCV 4 does not take",
        .text = "OpenCV 4 takes float, float16, double, int8, uint8, int16, uint16, int32, int64, "
                "uint64 and bfloat16 as input, and computes in float.",
        .example = "Pad at opset 19, data of type bool",
        .ways_out = "Cast to float before, and back behind.",
    },
    {
        .code = 342,
        .kind = TPAD_RULES_REFUSES,
        .until = V4,
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
        .until = V4,
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
        .until = V4,
        .conditions = {an_argument_is_not_constant},
        .sentence = "{runtime} needs pads and pad value as constants",
        .title = "pads or a pad value that is no constant",
        .text = "OpenCV 4 reads pads and the pad value when it loads the model. It takes "
                "initializers, Constant nodes with the attribute value, and some chains of nodes "
                "over them.",
        .example = "Pad at opset 19, pads as an input of the graph",
        .ways_out = "Fold the constants with a simplifier, or write them as initializers.",
    },
    {
        .code = 345,
        .kind = TPAD_RULES_REFUSES,
        .until = V4,
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
        .until = V4,
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
        .until = V4,
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
        .until = V4,
        .conditions = {if_negative_amount},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} refuses negative amounts",
        .title = "negative amounts",
        .text = "The document says that negative amounts remove elements. OpenCV 4 does not load "
                "them.",
        .example = "Pad at opset 19, data of shape [4], pads [-1, 0]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 357,
        .kind = TPAD_RULES_CRASHES,
        .until = V4,
        .conditions = {forbidden_argument_crashes},
        .sentence = "{runtime} crashes on {reason}",
        .title = "arguments that end the process",
        .text = "An empty pad value, or pads of int8, which the document forbids, end the process "
                "or never end.",
        .example = "Pad at opset 19, constant_value of shape [0]",
        .ways_out = "Change the node so that the document allows it.",
    },
    {.code = 316, REFUSES_FORBIDDEN},
    {
        .code = 349,
        .kind = TPAD_RULES_REFUSES,
        .until = V4,
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
        .until = V4,
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
        .until = V4,
        .conditions = {if_edge_or_reflect, it_is_no_image},
        .sentence = "{runtime} knows mode {mode} only for rank 4 and its last two axes",
        .title = "edge or reflect of something else than an image",
        .text = "OpenCV 4 does edge and reflect only on the last two axes of a tensor of rank 4.",
        .example = "Pad at opset 19, edge, data of shape [2, 3], pads [0, 1, 0, 1]",
        .ways_out = "Reshape to rank 4, or Slice and Concat.",
    },
    {
        .code = 302,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {type_is_unknown_to_5},
        .sentence = "{runtime} does not take {type}",
        .title = "a type that OpenCV 5 does not take",
        .text = "OpenCV 5 has no strings, no complex numbers, no float8 and no type of less than "
                "8 bits.",
        .example = "Pad at opset 19, data of type string",
        .ways_out = "Another type that holds all numbers.",
    },
    {
        .code = 303,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {if_rank_0},
        .sentence = "{runtime} refuses data of rank 0",
        .title = "data of rank 0",
        .text = "Padding a scalar gives the scalar. OpenCV 5 fails when it runs.",
        .example = "Pad at opset 19, data of shape [], pads []",
        .ways_out = "Replace the Pad by Identity.",
    },
    {
        .code = 304,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {rank_is_above_5},
        .sentence = "rank {rank}; {runtime} pads up to rank 5",
        .title = "rank above 5",
        .text = "The Pad of OpenCV 5 has at most five axes.",
        .example = "Pad at opset 19, data of shape [1, 1, 1, 1, 1, 2]",
        .ways_out = "Join axes without pads by Reshape, before and behind.",
    },
    {
        .code = 305,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {if_axes_empty},
        .sentence = "{runtime} refuses axes without entries",
        .title = "axes without entries",
        .text = "With empty axes and empty pads the output is the input. OpenCV 5 fails when it "
                "runs.",
        .example = "Pad at opset 19, data of shape [2, 3], pads [], axes []",
        .ways_out = "Replace the Pad by Identity.",
    },
    {
        .code = 306,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {is_uint64, a_value_is_given},
        .sentence = "{runtime} does not take a pad value of uint64",
        .title = "a pad value of uint64",
        .text = "OpenCV 5 pads uint64 by 0 only.",
        .example = "Pad at opset 19, data of uint64, constant_value 5",
        .ways_out = "Concat with a constant.",
    },
    {
        .code = 307,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {is_rank_1, if_input_empty},
        .sentence = "{runtime} refuses an empty list as data",
        .title = "data of shape [0]",
        .text = "OpenCV 5 loses the rank of a tensor of shape [0] and refuses the pads then.",
        .example = "Pad at opset 19, data of shape [0], pads [1, 1]",
        .ways_out = "Do not run the model on empty data.",
    },
    {
        .code = 308,
        .kind = TPAD_RULES_CRASHES,
        .since = V5,
        .conditions = {if_reflect, if_empty_axis_grows},
        .sentence = "axis {axis} is empty and is to grow; {runtime} never ends in mode reflect",
        .title = "reflect adds cells to an empty axis",
        .text = "OpenCV 5 looks for the mirrored cell without end.",
        .example = "Pad at opset 19, reflect, data of shape [0, 0], pads [1, 0, 0, 0]",
        .ways_out = "Use mode constant: an output without elements is the same in every mode.",
    },
    {
        .code = 309,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {if_wrap, if_empty_axis_grows},
        .sentence = "axis {axis} is empty and is to grow; {runtime} refuses that in mode wrap",
        .title = "wrap adds cells to an empty axis",
        .text = "There is nothing to repeat. OpenCV 5 fails when it runs, also where the output "
                "stays empty.",
        .example = "Pad at opset 19, wrap, data of shape [0, 0], pads [1, 0, 0, 0]",
        .ways_out = "Use mode constant: an output without elements is the same in every mode.",
    },
    {
        .code = 310,
        .kind = TPAD_RULES_CRASHES,
        .since = V5,
        .conditions = {if_edge, if_empty_axis_grows, if_output_not_empty},
        .sentence = "axis {axis} is empty and is to grow; {runtime} reads memory that is not there",
        .title = "edge adds cells to an empty axis",
        .text = "There is nothing to repeat, and the document forbids it. OpenCV 5 reads beyond "
                "the data: the process ends, or the answer is whatever lay there.",
        .example = "Pad at opset 19, edge, data of shape [0, 2], pads [1, 0, 0, 0]",
        .ways_out = "Do not run the model on empty data.",
    },
    {
        .code = 311,
        .kind = TPAD_RULES_REFUSES,
        .since = V5,
        .conditions = {last_extent_is_zero},
        .sentence = "nothing is left of the last axis; {runtime} refuses that",
        .title = "the last axis of the output is empty",
        .text = "OpenCV 5 fails when it runs where the last axis of the output has no cells.",
        .example = "Pad at opset 19, data of shape [2, 3], pads [0, 0, 0, -3]",
        .ways_out = "Replace the Pad by an empty constant.",
    },
    {
        .code = 312,
        .kind = TPAD_RULES_DIFFERS,
        .since = V5,
        .conditions = {if_output_empty},
        .sentence = "axis {axis} of the output is empty; {runtime} gives the shape [0]",
        .title = "an output without elements loses its shape",
        .text = "An output without elements comes out with the shape [0], whatever its rank is.",
        .example = "Pad at opset 19, data of shape [0, 3], pads [0, 1, 0, 2]",
        .ways_out = "Replace the Pad by an empty constant, if that keeps the shape.",
    },
    {
        .code = 352,
        .kind = TPAD_RULES_DIFFERS,
        .until = V4,
        .conditions = {type_is_not_float},
        .sentence = "{runtime} gives float instead of {type}",
        .title = "OpenCV 4 computes in float",
        .text = "Whatever goes in, float comes out. Numbers that a float does not hold change.",
        .example = "Pad at opset 19, data of int32",
        .ways_out = "Cast behind the network; for integers beyond 2^24 there is no way.",
    },
    {
        .code = 353,
        .kind = TPAD_RULES_DIFFERS,
        .until = V4,
        .conditions = {is_rank_1},
        .sentence = "{runtime} gives the shape [n, 1] instead of [n]",
        .title = "rank 1 becomes rank 2",
        .text = "OpenCV 4 has no tensors of rank 1 and gives a column.",
        .example = "Pad at opset 19, data of shape [3], pads [1, 1]",
        .ways_out = "Reshape the output in the program.",
    },
    {
        .code = 313,
        .kind = TPAD_RULES_DIFFERS,
        .since = V5,
        .conditions = {type_is_half},
        .sentence = "{runtime} gives float instead of {type}",
        .title = "float16 and bfloat16 come out as float",
        .text = "OpenCV 5 converts float16 and bfloat16 to float and gives that out.",
        .example = "Pad at opset 19, data of float16",
        .ways_out = "Convert the output in the program: no number has changed.",
    },
    {
        .code = 314,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {opset_1_reads_other_pairs},
        .sentence = "axis {axis}: {runtime} reads paddings of version 1 as pairs (begin, end), so "
                    "this axis gets other amounts",
        .title = "paddings of version 1 are read as pairs",
        .text = "The attribute paddings of Pad-1 has all begins first and all ends then. OpenCV "
                "reads it as (begin, end) of each axis.",
        .example = "Pad at opset 1, data of shape [2, 3], paddings [0, 1, 0, 2]",
        .ways_out = "Convert the model to opset 2 or newer.",
    },
    {
        .code = 315,
        .kind = TPAD_RULES_DIFFERS,
        .since = V5,
        .conditions = {reflect_or_wrap, cuts_last, if_output_not_empty},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} repeats cells of the whole axis, "
                    "ONNX cuts first",
        .title = "reflect or wrap with a cut on the other side",
        .text = "Where an axis is cut on one side and extended on the other, ONNX repeats what is "
                "left; OpenCV repeats the whole axis and cuts then.",
        .example = "Pad at opset 19, wrap, data of shape [3], pads [-1, 1]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 317,
        .kind = TPAD_RULES_DIFFERS,
        .since = V5,
        .conditions = {is_wide, data_comes_from_outside, data_is_beyond_int32},
        .sentence = "{runtime} takes {type} from outside through int32: larger numbers change",
        .title = "64-bit integers from outside go through int32",
        .text = "Numbers of int64 and uint64 that are given to the network lose all bits above "
                "the 32nd. Constants of the model keep theirs.",
        .example = "Pad at opset 19, edge, data [2147483648] of int64 as an input",
        .ways_out = "None in the model.",
    },
    {
        .code = 319,
        .kind = TPAD_RULES_DIFFERS,
        .since = V5,
        .conditions = {if_constant, is_wide, value_comes_from_outside, value_is_beyond_int32},
        .sentence = "{runtime} takes a pad value of {type} from outside through int32",
        .title = "a 64-bit pad value from outside goes through int32",
        .text = "Numbers of int64 and uint64 that are given to the network lose all bits above "
                "the 32nd. Constants of the model keep theirs.",
        .example = "Pad at opset 19, edge, data [2147483648] of int64 as an input",
        .ways_out = "None in the model.",
    },
    {
        .code = 318,
        .kind = TPAD_RULES_DIFFERS,
        .since = V5,
        .conditions = {if_constant, value_is_clamped},
        .sentence = "{runtime} changes this pad value of {type}",
        .title = "pad values that change",
        .text = "A pad value of uint16 keeps only its low byte, one of int8 below -127 becomes "
                "127, and a subnormal float becomes 0.",
        .example = "Pad at opset 19, data of uint16, constant_value 257",
        .ways_out = "Concat with a constant.",
    },
    {.code = 390, ANSWERS_FORBIDDEN},
};
const rule_table rules_of_opencv = {rules, sizeof rules / sizeof *rules, NULL};
