/* What version 5 of OpenCV's dnn module does with a Pad.  SPDX-License-Identifier: MIT
 *
 * Each rule was observed by running OpenCV 5.0.0 with readNetFromONNX and its default engine, which
 * is new in this version. */
#include "rule.h"

/* ---- The node -------------------------------------------------------------------------------- */

static int32_t a_value_is_given(question *q)
{
    return fact_opposite(if_value_absent(q));
}

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
    if ((last->amounts_known && last->extent < 0) || (fact_never_cut(last) && last->extent != 0))
        return NO;
    if (!fact_axis_known(q, last)) return MAYBE;
    return fact_is(last->extent + last->begin + last->end == 0);
}

static int32_t type_is_half(question *q)
{
    return fact_type_in(q, FLOAT16 | BFLOAT16);
}

/* It extends the whole axis, then cuts; the document cuts first. */
static int32_t repeats_other_cells(question *q, const tpad_rules_axis *axis)
{
    const int64_t grows = axis->begin > axis->end ? axis->begin : axis->end;
    if (fact_never_cut(axis) || (axis->amounts_known && grows <= 0)) return NO;
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

/* 64-bit inputs of the graph go through int32. */
static int32_t is_wide(question *q)
{
    return fact_type_in(q, INT64 | UINT64);
}

static int32_t data_comes_from_outside(question *q)
{
    return fact_is(!q->facts->data_constant);
}

static int32_t an_argument_is_a_unary_of_integers(question *q)
{
    return fact_is(q->facts->made_by & TPAD_RULES_BY_INTEGER_UNARY);
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
        return fact_value_is(q, TPAD_RULES_NEGATIVE);
    case 4: /* uint16 */
        return fact_value_is(q, TPAD_RULES_BEYOND_UINT8);
    default:
        return NO;
    }
}

/* ---- Ifs ------------------------------------------------------------------------------------- */

static int32_t an_end_has_no_shape(question *q)
{
    return fact_is(q->facts->end_without_shape);
}

static int32_t condition_is_listed(question *q)
{
    return fact_is(q->facts->condition_listed);
}

/* ---- What the document forbids --------------------------------------------------------------- */

static int32_t axes_end_at_the_rank(const tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < facts->axes_count; i++)
        if (facts->axes[i] < -facts->rank || facts->axes[i] > facts->rank) return 0;
    return facts->rank > 0;
}

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

/* ---- The rules ------------------------------------------------------------------------------- */

static const rule rules[] = {
    {.code = 300, READS_IR_BY_OPENVINO},
    {
        .code = 320,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_in_a_loop_or_function},
        .sentence = "the Pad is in a Loop, a Scan or a function of the model, which {runtime} "
                    "does not read",
        .title = "a Pad in Loop, Scan or a function",
        .text = "OpenCV 5 reads the branches of an If, but no other subgraphs, and no functions of "
                "the model.",
        .example = "a Pad in the body of a Loop",
        .ways_out = "Inline functions with onnx.inliner.",
    },
    {
        .code = 322,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {if_in_a_branch, condition_is_listed},
        .sentence =
            "the condition of the If is a constant in int32_data; {runtime} crashes when it "
            "reads it",
        .title = "an If whose condition is a constant in int32_data",
        .text = "OpenCV 5 takes the elements of a tensor of bool from raw_data. Where they are in "
                "int32_data, as onnx.helper.make_tensor writes them, the process ends (SIGSEGV).",
        .example =
            "a Pad in the branch of an If whose condition is make_tensor('c', BOOL, [], [1])",
        .ways_out = "Write the constant with onnx.numpy_helper.from_array, or fold the If with a "
                    "simplifier.",
    },
    {
        .code = 321,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_in_a_branch, an_end_has_no_shape},
        .sentence = "an input or output of the graph or of a branch has no shape; {runtime} does "
                    "not read an If then",
        .title = "an If in a model whose inputs and outputs have no shape",
        .text = "OpenCV 5 reads an If only if every input and output of the graph and of the "
                "branches has a shape in the file; extents may be open.",
        .example = "a Pad in the branch of an If whose output has a type and no shape",
        .ways_out = "Run onnx.shape_inference.infer_shapes, or give the shapes when the model is "
                    "exported.",
    },
    {
        .code = 323,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_argument_is_a_unary_of_integers},
        .sentence = "Neg, Abs, Relu or Sign of integers computes an argument, which {runtime} does "
                    "not take",
        .title = "arguments through Neg, Abs, Relu or Sign of integers",
        .text = "OpenCV 5 takes Neg of int64, but not of int32, and Abs, Relu and Sign of no "
                "integers, also if all comes from constants. tf2onnx pads to a multiple by Neg of "
                "int32.",
        .example = "Pad at opset 13, pads from Shape, Cast to int32, Neg, Mod and Cast to int64",
        .ways_out = "Fold the constants with a simplifier.",
    },
    {.code = 316, REFUSES_FORBIDDEN},
    {
        .code = 302,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {type_is_unknown_to_5},
        .sentence = "{runtime} does not take {type}",
        .title = "a type that OpenCV 5 does not take",
        .text = "OpenCV 5 has no strings, no complex numbers, no float8 and no type of less than "
                "8 bits.",
        .example = "Pad at opset 19, data of type string",
        .ways_out = "Use another type that holds all numbers.",
    },
    {
        .code = 303,
        .kind = TPAD_RULES_REFUSES,
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
        .conditions = {rank_is_above_5},
        .sentence = "rank {rank}; {runtime} pads up to rank 5",
        .title = "rank above 5",
        .text = "The Pad of OpenCV 5 has at most five axes.",
        .example = "Pad at opset 19, data of shape [1, 1, 1, 1, 1, 2]",
        .ways_out = "Join axes without pads by Reshape, before and after.",
    },
    {
        .code = 305,
        .kind = TPAD_RULES_REFUSES,
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
        .conditions = {if_rank_1, if_input_empty},
        .sentence = "{runtime} refuses an empty list as data",
        .title = "data of shape [0]",
        .text = "OpenCV 5 loses the rank of a tensor of shape [0] and refuses the pads then.",
        .example = "Pad at opset 19, data of shape [0], pads [1, 1]",
        .ways_out = "Do not run the model on empty data.",
    },
    {
        .code = 308,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {if_reflect, if_empty_axis_grows},
        .sentence = "axis {axis} is empty and is to grow; {runtime} never returns in mode reflect",
        .title = "reflect adds cells to an empty axis",
        .text = "OpenCV 5 looks for the mirrored cell without end.",
        .example = "Pad at opset 19, reflect, data of shape [0, 0], pads [1, 0, 0, 0]",
        .ways_out = "Use mode constant: an output without elements is the same in every mode.",
    },
    {
        .code = 309,
        .kind = TPAD_RULES_REFUSES,
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
        .conditions = {if_edge, if_empty_axis_grows, if_output_not_empty},
        .sentence = "axis {axis} is empty and is to grow; {runtime} reads memory that is not there",
        .title = "edge adds cells to an empty axis",
        .text =
            "There is nothing to repeat, and the specification forbids it. OpenCV 5 reads beyond "
            "the data: the process ends, or the answer is whatever lay there.",
        .example = "Pad at opset 19, edge, data of shape [0, 2], pads [1, 0, 0, 0]",
        .ways_out = "Do not run the model on empty data.",
    },
    {
        .code = 311,
        .kind = TPAD_RULES_REFUSES,
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
        .conditions = {if_output_empty},
        .sentence = "axis {axis} of the output is empty; {runtime} gives the shape [0]",
        .title = "an output without elements loses its shape",
        .text = "An output without elements comes out with the shape [0], whatever its rank is.",
        .example = "Pad at opset 19, data of shape [0, 3], pads [0, 1, 0, 2]",
        .ways_out = "Replace the Pad by an empty constant, if that keeps the shape.",
    },
    {
        .code = 313,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {type_is_half},
        .sentence = "{runtime} gives float instead of {type}",
        .title = "float16 and bfloat16 come out as float",
        .text = "OpenCV 5 converts float16 and bfloat16 to float and gives that out.",
        .example = "Pad at opset 19, data of float16",
        .ways_out = "Convert the output in the program: no number has changed.",
    },
    {.code = 314, READS_PAIRS},
    {
        .code = 315,
        .kind = TPAD_RULES_DIFFERS,
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
        .conditions = {if_constant, is_wide, value_comes_from_outside, value_is_beyond_int32},
        .sentence = "{runtime} takes a pad value of {type} from outside through int32",
        .title = "a 64-bit pad value from outside goes through int32",
        .text = "A pad value of int64 or uint64 that is an input of the network loses all bits "
                "above the 32nd. A constant of the model keeps its value.",
        .example = "Pad at opset 19, data of int64, constant_value 2147483648 as an input",
        .ways_out = "None in the model.",
    },
    {
        .code = 318,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, value_is_clamped},
        .sentence = "{runtime} changes this pad value of {type}",
        .title = "pad values that change",
        .text = "A pad value of uint16 keeps only its low byte, one of int8 below 0 becomes 127, "
                "and a subnormal float becomes 0.",
        .example = "Pad at opset 19, data of uint16, constant_value 257",
        .ways_out = "Concat with a constant.",
    },
    {.code = 390, ANSWERS_FORBIDDEN},
};
const rule_table rules_of_opencv_5 = {rules, sizeof rules / sizeof *rules, NULL};
