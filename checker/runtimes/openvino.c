/* What OpenVINO does with a Pad of ONNX or of its own IR.  SPDX-License-Identifier: MIT
 *
 * Each rule was observed by running OpenVINO with the CPU plugin. */
#include "rule.h"

/* ---- The node -------------------------------------------------------------------------------- */

static int32_t is_in_a_function(question *q)
{
    return fact_is(q->facts->inside == TPAD_RULES_INSIDE_FUNCTION);
}

static int32_t type_is_unknown_to_it(question *q)
{
    const int32_t type = q->facts->type;
    if (fact_has_type(type, UINT2)) return fact_opposite(if_openvino_layer(q));
    if (type >= TPAD_RULES_TYPE_U1) return YES;
    return fact_type_in(q, COMPLEX | FLOAT8E4M3FNUZ | FLOAT8E5M2FNUZ | INT2);
}

static int32_t type_is_unknown_to_2024_and_2025(question *q)
{
    const int32_t small = fact_type_in(q, FLOAT4E2M1 | FLOAT8E8M0);
    if (q->version <= V2024_6)
        return fact_either(small, fact_type_in(q, FLOAT8E4M3FN | FLOAT8E5M2 | UINT2));
    if (if_openvino_layer(q) == NO) return small;
    /* A layer without a pad value pads by 0, which float8e8m0 cannot hold. */
    return fact_either(fact_type_in(q, UINT2),
                       fact_both(fact_type_in(q, FLOAT8E8M0), if_value_absent(q)));
}

static int32_t is_layer_of_u2(question *q)
{
    const int32_t layer = if_openvino_layer(q), type = fact_type_in(q, UINT2);
    return layer < type ? layer : type;
}

static int32_t is_of_onnx(question *q)
{
    return fact_is(q->facts->spec == TPAD_RULES_ONNX);
}

/* The ONNX importer requires the value; a layer of an IR does not. */
static int32_t needs_a_value_of_strings(question *q)
{
    const int32_t absent = if_value_absent(q) == YES && is_of_onnx(q) == YES;
    return fact_either(if_not_constant(q), fact_is(absent));
}

/* In a body or a branch it may learn the rank later, unless axes need it. */
static int32_t rank_is_open(question *q)
{
    if ((q->facts->inside == TPAD_RULES_INSIDE_BODY || q->facts->inside == TPAD_RULES_INSIDE_SCAN ||
         q->facts->inside == TPAD_RULES_INSIDE_BRANCH) &&
        q->facts->axes_given == TPAD_RULES_ABSENT)
        return NO;
    return if_rank_open(q);
}

/* ---- Elements -------------------------------------------------------------------------------- */

static int32_t value_loses_digits(question *q)
{
    const int32_t value = fact_value_is(q, TPAD_RULES_BEYOND_FLOAT32 | TPAD_RULES_BEYOND_INT32 |
                                               TPAD_RULES_INFINITE | TPAD_RULES_NAN_PAYLOAD);
    const int32_t type = fact_type_in(q, INT32 | UINT32 | INT64 | UINT64 | DOUBLE);
    return value < type ? value : type;
}

static int32_t value_is_not_zero(question *q)
{
    return fact_value_is(q, TPAD_RULES_NOT_ZERO);
}

static int32_t data_is_constant(question *q)
{
    return fact_is(q->facts->data_constant);
}

static int32_t is_of_4_bits(question *q)
{
    return fact_type_in(q, INT4 | UINT4);
}

static int32_t uint32_is_beyond_int32(question *q)
{
    const int32_t type = fact_type_in(q, UINT32);
    return type == YES ? fact_data_is(q, TPAD_RULES_BEYOND_INT32) : type;
}

static int32_t value_is_minus_zero(question *q)
{
    return fact_value_is(q, TPAD_RULES_MINUS_ZERO);
}

static int32_t value_is_an_attribute(question *q)
{
    return fact_is(q->facts->value_given == TPAD_RULES_ATTRIBUTE);
}

/* A double becomes the largest float instead. */
static int32_t value_is_not_finite(question *q)
{
    return fact_both(fact_opposite(fact_type_in(q, DOUBLE)),
                     fact_value_is(q, TPAD_RULES_INFINITE | TPAD_RULES_NAN));
}

static int32_t data_loses_digits(question *q)
{
    const int32_t wide = fact_type_in(q, DOUBLE);
    const int32_t type = fact_either(wide, fact_type_in(q, INT64 | UINT64));
    if (type != YES) return type;
    return fact_data_is(q, wide == YES ? TPAD_RULES_BEYOND_FLOAT32 | TPAD_RULES_INFINITE |
                                             TPAD_RULES_NAN_PAYLOAD
                                       : TPAD_RULES_BEYOND_INT32);
}

/* Unknown data is assumed to have no NaN and no -0. */
static int32_t data_loses_bits(question *q)
{
    const int32_t bits = q->facts->data_known ? q->facts->data_bits : 0;
    const int32_t payload = bits & TPAD_RULES_NAN_PAYLOAD,
                  minus_zero = bits & TPAD_RULES_MINUS_ZERO;
    return fact_type_in(q, (payload ? FLOAT16 | FLOAT8E5M2 : 0) | (minus_zero ? FLOAT8E4M3FN : 0));
}

static int32_t is_open(question *q, const tpad_rules_axis *axis)
{
    return fact_is(!ov_is_known_when_loaded(q, axis));
}

static int32_t some_cell_may_get_it(question *q)
{
    return fact_is(if_something_is_added(q) != NO);
}

static int32_t only_the_value_comes_when_run(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (ov_is_known_to_it(facts->value_given) || fact_has_type(facts->type, STRING)) return NO;
    /* An unknown value is assumed to be other than 0. */
    if (facts->value_known && !(facts->value_bits & TPAD_RULES_NOT_ZERO)) return NO;
    return fact_opposite(fact_any_axis(q, is_open));
}

/* ---- Quantised data -------------------------------------------------------------------------- */

/* OpenVINO moves the scale and the zero point of integers past a Pad of one axis with known extent.
 * YES if exactly one axis has amounts, and its extent is known. may_be_cut: 1 if several axes may
 * have amounts, provided that none is above 0. */
static int32_t one_axis_is_changed(question *q, int32_t may_be_cut)
{
    int32_t changed = 0, grown = 0, is_open = 0;
    if (!(q->facts->data_from & TPAD_RULES_FROM_QUANTISED)) return NO;
    if (q->facts->rank < 0) return fact_missing(q, TPAD_RULES_MISSING_RANK);
    for (int32_t i = 0; i < q->facts->rank; i++) {
        const tpad_rules_axis *axis = &q->facts->axis[i];
        if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
        if (axis->begin == 0 && axis->end == 0) continue;
        is_open |= axis->open;
        grown |= axis->begin > 0 || axis->end > 0;
        changed++;
        q->axis = i;
    }
    return fact_is(grown ? changed == 1 && !is_open : may_be_cut && changed);
}

static int32_t one_axis_is_padded(question *q)
{
    return one_axis_is_changed(q, 0);
}

/* A scale per channel does not move past cells that are added on another axis. */
static int32_t scales_move(const question *q)
{
    const tpad_rules_facts *facts = q->facts;
    if (!(facts->data_from & (TPAD_RULES_FROM_CHANNELS | TPAD_RULES_FROM_SCALES)) || q->axis < 0)
        return YES;
    const tpad_rules_axis *axis = &facts->axis[q->axis];
    return fact_is(q->axis == 1 || (axis->begin <= 0 && axis->end <= 0));
}

static int32_t value_is_outside_the_integers(question *q)
{
    const int32_t from = q->facts->data_from;
    const int32_t changed = one_axis_is_changed(q, 1);
    if (changed == NO || !(from & TPAD_RULES_FROM_INTEGERS)) return NO;
    if (from & TPAD_RULES_FROM_UNSURE) {
        const int32_t outside = fact_value_is(q, TPAD_RULES_OUTSIDE_INT8 | TPAD_RULES_OUTSIDE_BYTE);
        return outside == NO ? NO : fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    }
    return fact_both(fact_both(changed, scales_move(q)),
                     fact_value_is(q, from & TPAD_RULES_FROM_INT8 ? TPAD_RULES_OUTSIDE_INT8
                                                                  : TPAD_RULES_OUTSIDE_BYTE));
}

static int32_t value_is_no_integer(question *q)
{
    if (!(q->facts->data_from & TPAD_RULES_FROM_INTEGERS)) return NO;
    const int32_t fraction = fact_value_is(q, TPAD_RULES_FRACTION);
    if (fraction != NO && q->facts->data_from & TPAD_RULES_FROM_UNSURE && scales_move(q) == NO)
        return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return fact_both(fraction, scales_move(q));
}

static int32_t the_axis_is_shifted(question *q)
{
    const int32_t from = q->facts->data_from;
    const int32_t has_zero = from & TPAD_RULES_FROM_ZERO_POINT;
    if (q->axis < 0) return MAYBE; /* the axis is unknown */
    /* It changes the zero point for all of its readers. */
    if (has_zero && from & TPAD_RULES_FROM_SHARED)
        return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (q->facts->axis[q->axis].extent < 0) return fact_missing(q, TPAD_RULES_MISSING_EXTENT);
    if (q->facts->axis[q->axis].extent != 1) return NO;
    if (from & TPAD_RULES_FROM_UNSURE) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    if (from & TPAD_RULES_FROM_CHANNELS) return NO;
    return fact_either(fact_is(has_zero),
                       from & TPAD_RULES_FROM_SCALES ? NO : value_is_not_zero(q));
}

static int32_t shifted_data_is_averaged(question *q)
{
    const int32_t from = q->facts->data_from;
    if (!(from & TPAD_RULES_FROM_QUANTISED) || q->facts->reader.op != TPAD_RULES_AVERAGE_POOL)
        return NO;
    if (from & TPAD_RULES_FROM_ZERO_POINT) return YES;
    return from & TPAD_RULES_FROM_UNSURE ? fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS) : NO;
}

/* A window that reads an open value of an If reads other memory, whatever the branches do. */
static int32_t a_branch_gives_an_open_value(question *q)
{
    if (!(q->facts->reader.passes & TPAD_RULES_PASSES_IF)) return NO;
    for (int32_t i = 0; i < q->facts->rank; i++)
        if (q->facts->axis[i].open) return fact_missing(q, TPAD_RULES_MISSING_NEIGHBOURS);
    return q->facts->rank < 0 ? fact_missing(q, TPAD_RULES_MISSING_RANK) : NO;
}

static int32_t an_argument_is_of_numbers_at_12(question *q)
{
    if (!(q->facts->made_by & TPAD_RULES_BY_NUMBERS)) return NO;
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return fact_is(q->facts->opset == 12);
}

/* ---- What the document forbids --------------------------------------------------------------- */

static int32_t checked_extent_is_negative(question *q, const tpad_rules_axis *axis)
{
    if (!ov_is_checked(q, axis) || fact_never_cut(axis)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is(axis->extent + axis->begin + axis->end < 0);
}

/* The document allows up to as many cells as there are. */
static int32_t is_mirrored_too_far(question *q, const tpad_rules_axis *axis)
{
    if (q->facts->mode != TPAD_RULES_SYMMETRIC || !ov_is_checked(q, axis) || fact_never_far(axis))
        return NO;
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    return fact_is(axis->begin > axis->extent || axis->end > axis->extent);
}

/* Forbidden nodes that OpenVINO rejects. Rules for types, modes and empty axes are more precise. */
static int32_t is_refused_too(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t forbidden = if_forbidden(q);
    if (forbidden != YES) return forbidden;
    switch (facts->document) {
    case TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE:
        return fact_is(facts->value_given != TPAD_RULES_ATTRIBUTE);
    case TPAD_RULES_FORBIDS_VALUE_TYPE:
        return if_constant(q);
    case TPAD_RULES_FORBIDS_VALUE_COUNT:
        return fact_is(facts->value_count != 0 || !ov_is_known_to_it(facts->value_given) ||
                       q->version == V2025_4);
    case TPAD_RULES_FORBIDS_PADS_TYPE:
        return fact_is(!fact_has_type(facts->pads_type, ov_is_known_to_it(facts->pads_given)
                                                            ? UINT64
                                                            : INT8 | INT32 | UINT64));
    case TPAD_RULES_FORBIDS_PADS_ROW:
    case TPAD_RULES_FORBIDS_PADS_SHAPE:
        return fact_is(!ov_is_known_to_it(facts->pads_given));
    case TPAD_RULES_FORBIDS_AXES_TYPE:
        return fact_is(fact_has_type(facts->axes_type, FLOAT | FLOAT16 | DOUBLE));
    case TPAD_RULES_FORBIDS_AXES_RANGE:
        return fact_is(ov_is_known_to_it(facts->axes_given));
    case TPAD_RULES_FORBIDS_NEGATIVE_EXTENT:
        return fact_any_axis(q, checked_extent_is_negative);
    case TPAD_RULES_FORBIDS_OTHER:
        return fact_any_axis(q, is_mirrored_too_far);
    case TPAD_RULES_FORBIDS_MODE_WORD:
    case TPAD_RULES_FORBIDS_DATA_MISSING:
    case TPAD_RULES_FORBIDS_AXES_SHAPE:
    case TPAD_RULES_FORBIDS_PADS_COUNT:
        return YES;
    default:
        return NO;
    }
}

static int32_t pads_are_missing(question *q)
{
    if (q->facts->document != TPAD_RULES_FORBIDS_PADS_MISSING &&
        q->facts->document != TPAD_RULES_FORBIDS_PADS_ATTRIBUTE)
        return NO;
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return fact_is(q->facts->opset >= 11);
}

/* ---- The rules ------------------------------------------------------------------------------- */

static const rule rules[] = {
    {
        .code = 220,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {is_in_a_function},
        .sentence = "the Pad is in a function of the model, which {runtime} does not read",
        .title = "a Pad in a function of the model",
        .text = "OpenVINO does not know functions that a model of ONNX brings along.",
        .example = "a ModelProto with functions",
        .ways_out = "Inline the functions: onnx.inliner.inline_local_functions.",
    },
    {
        .code = 202,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {type_is_unknown_to_it},
        .sentence = "{runtime} does not pad {type}",
        .title = "a type that OpenVINO does not have or does not pad",
        .text =
            "OpenVINO does not load models of ONNX with complex64, complex128, float8e4m3fnuz, "
            "float8e5m2fnuz, uint2 or int2, and its CPU plugin does not pad u1, u3, u6 and nf4.",
        .example = "Pad at opset 19, data of type complex64",
        .ways_out =
            "Pad the real and the imaginary part as a tensor of their own, or another type that "
            "holds all numbers.",
    },
    {
        .code = 224,
        .kind = TPAD_RULES_REFUSES,
        .until = V2025_4,
        .conditions = {type_is_unknown_to_2024_and_2025},
        .sentence = "{runtime} does not pad {type}",
        .title = "small types that older versions of OpenVINO do not have",
        .text =
            "OpenVINO 2025.4 does not load models of ONNX with float4e2m1 or float8e8m0, and does "
            "not pad u2 in an IR. The CPU plugin of 2024.6 takes no float8 and no type of 4 bits "
            "but int4 and uint4.",
        .example = "Pad at opset 23, data of type float4e2m1",
        .ways_out = "Pad as another type that holds all numbers, such as float16, or use OpenVINO "
                    "2026.4.",
    },
    {
        .code = 201,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_wrap},
        .sentence = "{runtime} does not know mode wrap",
        .title = "mode wrap",
        .text =
            "OpenVINO has constant, edge, reflect and symmetric. It does not load a model of ONNX "
            "with mode wrap ('Unsupported padding mode').",
        .example = "Pad at opset 19, wrap, data of shape [3], pads [1, 1]",
        .ways_out = "For each axis a Concat of Slices, or a Gather with constant indices.",
    },
    {
        .code = 217,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {pads_are_missing},
        .sentence = "{runtime} crashes where Pad has no input pads",
        .title = "a Pad without the input pads",
        .text =
            "From version 11 on, pads are an input. Where it is missing, OpenVINO reads beyond its "
            "list of inputs and the process ends.",
        .example = "Pad at opset 19 with one input",
        .ways_out = "Give the pads as the second input, as the specification requires.",
    },
    {.code = 216, REFUSES_FORBIDDEN},
    {
        .code = 225,
        .kind = TPAD_RULES_REFUSES,
        .until = V2025_4,
        .conditions = {ov_axes_are_fewer_than_rank, ov_count_of_pads_is_seen},
        .sentence = "{runtime} does not read the input axes, and wants pads for every axis",
        .title = "fewer axes than data has, before OpenVINO 2026.4",
        .text = "OpenVINO 2025.4 and older take no notice of the input axes, which Pad has since "
                "version 18. They refuse pads that are too few for data ('length of pads_begin "
                "mismatches with rank of input').",
        .example = "Pad at opset 18, data of shape [2, 3], pads [1, 1], axes [1]",
        .ways_out = "Write pads for all axes, without axes.",
    },
    {
        .code = 232,
        .kind = TPAD_RULES_CRASHES,
        .until = V2025_4,
        .conditions = {if_openvino_layer, if_string, data_is_constant},
        .sentence = "{runtime} crashes on constant strings",
        .title = "an IR's Pad of constant strings, before OpenVINO 2026.4",
        .text =
            "Where data is a Const of strings, OpenVINO 2025.4 and older end the process when they "
            "load the IR. Other strings are refused (TP229).",
        .example = "Pad-12, data a Const of strings",
        .ways_out = "Write the padded strings as the constant.",
    },
    {
        .code = 229,
        .kind = TPAD_RULES_REFUSES,
        .until = V2025_4,
        .conditions = {if_string},
        .sentence = "{runtime} does not pad strings",
        .title = "strings, before OpenVINO 2026.4",
        .text = "OpenVINO 2025.4 and older pad no strings, also with a pad value (TP203).",
        .example = "Pad at opset 19, strings of shape [2], pads [1, 1], constant_value 'v'",
        .ways_out = "Pad numbers that stand for the strings.",
    },
    {
        .code = 203,
        .kind = TPAD_RULES_REFUSES,
        .since = V2026_4,
        .conditions = {if_string, needs_a_value_of_strings},
        .sentence = "{runtime} pads strings only in mode constant with a pad value",
        .title = "strings without a pad value, or in another mode than constant",
        .text =
            "OpenVINO loads a Pad of strings only in mode constant and only with constant_value.",
        .example = "Pad at opset 19, strings of shape [2], pads [1, 1], without constant_value",
        .ways_out =
            "Give the empty string as constant_value; for another mode use Slice and Concat.",
    },
    {
        .code = 204,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {rank_is_open},
        .sentence = "{runtime} refuses data whose rank the model does not give",
        .title = "data of unknown rank",
        .text = "The rank of data must be known when the model is loaded.",
        .example = "data from a Reshape whose shape is an input of any length",
        .ways_out = "Declare the shape of the input, or use Model.reshape before it is compiled.",
    },
    {
        .code = 205,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_rank_0, ov_empty_pads_are_seen},
        .sentence = "{runtime} refuses data of rank 0",
        .title = "data of rank 0",
        .text = "Padding a scalar gives the scalar. OpenVINO does not load such a Pad.",
        .example = "Pad at opset 19, data of shape [], pads []",
        .ways_out = "Replace the Pad by Identity.",
    },
    {
        .code = 206,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {ov_known_axes_are_empty},
        .sentence = "{runtime} refuses axes without entries",
        .title = "axes without entries",
        .text =
            "With empty axes and empty pads the output is the input. OpenVINO does not load it.",
        .example = "Pad at opset 19, data of shape [2, 3], pads [], axes []",
        .ways_out = "Replace the Pad by Identity, or write pads of 0 for all axes.",
    },
    {
        .code = 212,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_not_constant, ov_an_axis_is_empty_when_loaded},
        .sentence = "axis {axis} is empty; {runtime} refuses mode {mode} then",
        .title = "edge or reflect of an empty axis",
        .text =
            "An axis of extent 0 that has amounts, in mode reflect also one without, is "
            "refused when the model is loaded, in 2024.6 also when it runs, although the output is "
            "only empty.",
        .example = "Pad at opset 19, reflect, data of shape [0], pads [0, 0]",
        .ways_out = "Use mode constant: an output without elements is the same in every mode.",
    },
    {
        .code = 207,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_reflect, ov_reflects_too_far_when_loaded},
        .sentence =
            "axis {axis}: reflect adds {0} cells to the {1} there are; {runtime} adds at most "
            "one less than there are",
        .title = "reflect adds as many cells as there are, or more",
        .text = "A mirror at the first cell shows all cells but that one. To add more, the "
                "reflection goes back and forth, as example 2 of the ONNX specification does. "
                "OpenVINO refuses that when it loads the model, if it knows extents and amounts "
                "there. Else 2024.6 refuses it when it runs; for newer versions see TP208.",
        .example = "Pad at opset 19, reflect, data of shape [3], pads [3, 0]",
        .ways_out = "For each axis a Gather with constant indices, or several Pads that each add "
                    "fewer cells than the axis has by then.",
    },
    {
        .code = 222,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {ov_an_extent_falls_below_zero},
        .sentence = "axis {axis}: its extent falls below 0 and so becomes 0; {runtime} fails then",
        .title = "the amounts of an IR's Pad cut off more than there is",
        .text =
            "The specification of Pad-12 makes an extent 0 that would fall below 0. The CPU plugin "
            "fails there: 'Pad executor has undefined source memory' when it loads the model, or "
            "'Can't clone desc if new dims are undefined' when it runs.",
        .example = "Pad-12, constant, data of shape [3], pads_begin [-5], pads_end [1]",
        .ways_out = "Cut off as many cells as there are: the output is empty, too.",
    },
    {
        .code = 233,
        .kind = TPAD_RULES_DIFFERS,
        .since = V2025_4,
        .until = V2025_4,
        .conditions = {if_rank_0},
        .sentence = "{runtime} answers data of rank 0 with uninitialised memory",
        .title = "data of rank 0, and pads that come at run time",
        .text =
            "OpenVINO 2025.4 refuses data of rank 0 (TP205) only where it knows pads when it loads "
            "the model. Else it gives a scalar that it did not write.",
        .example = "Pad at opset 13, data of shape [], pads as an input of shape [0]",
        .ways_out = "Replace the Pad by Identity.",
    },
    {
        .code = 226,
        .kind = TPAD_RULES_DIFFERS,
        .since = V2025_4,
        .until = V2025_4,
        .conditions = {ov_axes_are_fewer_than_rank},
        .sentence = "{runtime} does not read the input axes; the output has only extents of 0",
        .title = "fewer axes than data has, and pads that come at run time",
        .text =
            "OpenVINO 2025.4 takes no notice of the input axes, and does not see that pads are too "
            "few for data when they come at run time. It gives an output whose extents are all 0, "
            "without an error.",
        .example = "Pad at opset 18, data of shape [2, 3], pads as an input, axes [1]",
        .ways_out = "Give pads for all axes, without axes.",
    },
    {
        .code = 227,
        .kind = TPAD_RULES_DIFFERS,
        .until = V2025_4,
        .conditions = {ov_axes_are_in_another_order},
        .sentence = "axis {axis}: {runtime} does not read the input axes, and gives this axis the "
                    "amounts of another one",
        .title = "all axes in another order, before OpenVINO 2026.4",
        .text =
            "OpenVINO 2025.4 and older take no notice of the input axes: the first amounts go to "
            "axis 0, the next ones to axis 1.",
        .example = "Pad at opset 18, data of shape [2, 3], pads [0, 1, 0, 1], axes [1, 0]",
        .ways_out = "Write pads in the order of the axes, without axes.",
    },
    {
        .code = 210,
        .kind = TPAD_RULES_CRASHES,
        .conditions = {ov_one_side_is_cut_deeper, if_output_not_empty},
        .sentence =
            "axis {axis}: one side is cut deeper than its {0} cells; {runtime} mostly crashes then",
        .title = "one side is cut deeper than the axis, the other one makes up for it",
        .text = "A negative amount that cuts more than the extent, beside a positive one that "
                "adds more, makes it write outside of its memory. In most cases the process ends "
                "or hangs; in others there is an answer, right or wrong.",
        .example = "Pad at opset 19, constant, data of shape [4], pads [-5, 6]",
        .ways_out = "Replace the Pad by a constant: no cell of data is left.",
    },
    {
        .code = 208,
        .kind = TPAD_RULES_DIFFERS,
        .since = V2025_4,
        .conditions = {if_reflect, ov_reflects_too_far_when_run},
        .sentence =
            "axis {axis}: reflect adds {0} cells to the {1} there are, which {runtime} does not "
            "see when it loads the model; the output has only extents of 0",
        .title = "reflect adds too many cells, seen only at run time",
        .text = "Where extents or amounts come at run time, OpenVINO does not refuse a reflection "
                "that is too long for it (TP207). It gives an output whose extents are all 0, "
                "without an error.",
        .example = "Pad at opset 19, reflect, data of shape [n], pads [3, 0], run with n = 3",
        .ways_out =
            "Give the model static shapes, so that it is refused, or several Pads that each add "
            "fewer cells than the axis has by then.",
    },
    {
        .code = 209,
        .kind = TPAD_RULES_DIFFERS,
        .since = V2025_4,
        .conditions = {if_not_constant, ov_an_axis_is_empty},
        .sentence =
            "axis {axis} is empty, which {runtime} does not see when it loads the model; the "
            "output has only extents of 0",
        .title = "edge or reflect of an axis that is empty at run time",
        .text = "Where extents or amounts come at run time, OpenVINO does not refuse mode edge or "
                "reflect of an empty axis (TP212). It gives an output whose extents are all 0, "
                "without an error, and a model that runs after it in the same process may crash.",
        .example =
            "Pad at opset 19, edge, data of shape [n, 2], pads [-1, 0, 1, 1], run with n = 0",
        .ways_out = "Do not run the Pad on empty data: put it into an If.",
    },
    {
        .code = 211,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {is_of_onnx, if_reflect, ov_cuts_after_the_mirror, if_output_not_empty},
        .sentence =
            "axis {axis}: amounts {0} and {1}; {runtime} mirrors the whole axis before it cuts, "
            "ONNX cuts first",
        .title = "reflect with a cut on the other side",
        .text =
            "Where an axis is cut on one side and extended on the other as far as the cut, ONNX "
            "mirrors what is left; OpenVINO's own specification mirrors the whole axis. The "
            "importer of ONNX does not distinguish the two.",
        .example = "Pad at opset 19, reflect, data of shape [2], pads [-1, 1]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {
        .code = 228,
        .kind = TPAD_RULES_DIFFERS,
        .until = V2025_4,
        .conditions = {if_constant, if_axes_given, value_is_not_zero},
        .sentence = "{runtime} fills with 0 instead of the pad value where axes are given",
        .title = "a pad value beside the input axes, before OpenVINO 2026.4",
        .text =
            "OpenVINO 2025.4 and older read constant_value only where it is the last input. With "
            "axes after it they fill with 0.",
        .example = "Pad at opset 18, data of shape [3], pads [1, 1], constant_value 5, axes [0]",
        .ways_out = "Leave out axes, and write pads for all of them.",
    },
    {
        .code = 230,
        .kind = TPAD_RULES_DIFFERS,
        .until = V2025_4,
        .conditions = {if_constant, is_of_4_bits, value_is_not_zero},
        .sentence = "the pad value of {type} is not 0; {runtime} answers with wrong elements",
        .title = "a pad value of int4 or uint4, before OpenVINO 2026.4",
        .text =
            "The CPU plugin of OpenVINO 2025.4 and older reads a pad value of 4 bits wrongly. 0 is "
            "right.",
        .example = "Pad at opset 21, data of int4, pads [1, 1], constant_value 5",
        .ways_out = "Cast to int8 or uint8 before, and back after.",
    },
    {
        .code = 213,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, only_the_value_comes_when_run, some_cell_may_get_it},
        .sentence =
            "the pad value comes at run time; {runtime} fills with 0 where pads and shape are "
            "known before",
        .title = "the pad value comes at run time",
        .text =
            "Where pads and extents are known when the model is loaded but the pad value is not, "
            "OpenVINO fills with 0.",
        .example = "Pad at opset 19, pads [1, 1] as an initializer, constant_value as an input",
        .ways_out = "Pad by 0 and put the value in with Where, or Expand and Concat.",
    },
    {
        .code = 240,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {an_argument_is_of_numbers_at_12},
        .sentence =
            "a Constant with value_ints or value_float at opset 12, which {runtime} does not read",
        .title = "Constants with numbers as attributes, at opset 12",
        .text =
            "OpenVINO reads value_int, value_ints, value_float and value_floats of a Constant only "
            "from opset 13 on, though opset 12 has them.",
        .example = "Pad at opset 12, pads from a Constant with value_ints [1, 1]",
        .ways_out = "Give the Constant a tensor (value), or raise the opset to 13.",
    },
    {
        .code = 241,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_constant, value_is_outside_the_integers},
        .sentence =
            "axis {axis}: the pad value is none of the integers of the quantised data before, "
            "among which {runtime} puts it",
        .title = "quantised data, and a pad value that int8 or uint8 does not have",
        .text =
            "After QuantizeLinear and DequantizeLinear, or a FakeQuantize of an IR, OpenVINO pads "
            "the integers themselves if one axis is padded or all are cut, and moves the scale "
            "and the zero point after the Pad. It does not load a model whose pad value these "
            "integers cannot have ('PadTransformation').",
        .example = "QuantizeLinear and DequantizeLinear of uint8, Pad of one axis by -inf",
        .ways_out = "Pad before QuantizeLinear, or Concat with a constant.",
    },
    {
        .code = 242,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, one_axis_is_padded, value_is_no_integer},
        .sentence =
            "axis {axis}: the pad value is not an integer; {runtime} puts it among the integers of "
            "the quantised data before, without its fraction",
        .title = "quantised data, and a pad value with a fraction",
        .text = "As for TP241; a pad value of 1.5 becomes 1.",
        .example = "QuantizeLinear and DequantizeLinear of uint8, Pad of one axis by 1.5",
        .ways_out = "Pad before QuantizeLinear, or Concat with a constant.",
    },
    {
        .code = 243,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, one_axis_is_padded, the_axis_is_shifted},
        .sentence = "axis {axis} has one cell; {runtime} applies the zero point and the scale of "
                    "the quantised data before to the cells that the Pad adds, too",
        .title = "quantised data that is padded along an axis of one cell",
        .text = "As for TP241; where the axis has one cell, the scale and the zero point of the "
                "data apply to the added cells, too. A pad value of 0 then becomes -64 with a "
                "scale of 0.5 and a zero point of 128.",
        .example = "QuantizeLinear and DequantizeLinear of uint8, [1, 3], Pad of axis 0 by 0",
        .ways_out = "Pad before QuantizeLinear, or Concat with a constant.",
    },
    {
        .code = 244,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, shifted_data_is_averaged, ov_window_takes_the_pads},
        .sentence =
            "the zeros become pads of the AveragePool after it; {runtime} averages the integers of "
            "the quantised data before, whose zero is another number",
        .title = "quantised data, and a Pad by 0 before an AveragePool",
        .text =
            "OpenVINO gives the Pad to the AveragePool after it, and moves the zero point of the "
            "data after both: the pads are 0 among integers whose zero is another number.",
        .example =
            "QuantizeLinear and DequantizeLinear of int8, zero point -2, Pad by 0, AveragePool",
        .ways_out = "Pad before QuantizeLinear, or Concat with a constant.",
    },
    {
        .code = 223,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {value_is_an_attribute, value_is_not_finite},
        .sentence = "{runtime} does not read an infinity or NaN in the attribute value",
        .title = "an infinity or NaN as an attribute",
        .text =
            "Below opset 11 the pad value is an attribute. OpenVINO does not convert such a node "
            "if the value is infinite or NaN, in any mode.",
        .example = "Pad at opset 10, constant, pads [1, 1], value inf",
        .ways_out = "Raise the opset to 11: as an input, these values are read.",
    },
    {
        .code = 214,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, value_is_minus_zero, some_cell_may_get_it},
        .sentence = "the pad value is -0.0; {runtime} fills with 0.0",
        .title = "a pad value of -0.0",
        .text = "The CPU plugin takes a pad value of -0.0 for 0 and fills with 0.0.",
        .example = "Pad at opset 19, data of float, constant_value -0.0",
        .ways_out = "None is needed unless the sign of zero means something.",
    },
    {
        .code = 215,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, value_loses_digits, some_cell_may_get_it},
        .sentence = "a float does not hold the pad value of {type}; {runtime} moves it through "
                    "float and int32",
        .title = "a pad value that a float does not hold",
        .text =
            "The CPU plugin reads the pad value as float, whatever its type is, and integers of 64 "
            "bits become int32: digits are lost, and large numbers become other ones.",
        .example = "Pad at opset 19, data of int32, constant_value 16777217",
        .ways_out =
            "No rewrite keeps the digits of 64-bit types on this plugin; for int32 use Concat.",
    },
    {
        .code = 218,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {data_loses_digits},
        .sentence =
            "{runtime} moves {type} through a narrower type: numbers that it cannot hold change",
        .title = "elements of 64 bits go through 32 bits",
        .text = "The CPU plugin converts int64 and uint64 to int32 and double to float, and back: "
                "numbers beyond int32, and doubles that a float does not hold (infinity becomes "
                "the largest float), come out as other ones.",
        .example = "Pad at opset 19, edge, data [2147483648] of int64, pads [1, 1]",
        .ways_out = "None in the model: all operators of this plugin do so.",
    },
    {
        .code = 231,
        .kind = TPAD_RULES_DIFFERS,
        .until = V2024_6,
        .conditions = {uint32_is_beyond_int32},
        .sentence = "{runtime} moves {type} through int32: larger numbers become 2147483647",
        .title = "uint32 in OpenVINO 2024.6",
        .text =
            "The CPU plugin of OpenVINO 2024.6 converts uint32 to int32 and back. Numbers beyond "
            "int32 come out as 2147483647. For types of 64 bits see TP218.",
        .example = "Pad at opset 19, edge, data [4000000000] of uint32, pads [1, 1]",
        .ways_out =
            "None in the model: all operators of this plugin do so. OpenVINO 2025.4 is right.",
    },
    {
        .code = 219,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {data_loses_bits},
        .sentence =
            "{runtime} moves {type} through another type: bits of a NaN or the sign of -0 change",
        .title = "NaNs or -0 of small floats change",
        .text = "The CPU plugin converts float16 and the float8 types on the way: a signalling "
                "NaN becomes quiet, and -0 of float8e4m3fn becomes 0.",
        .example = "Pad at opset 19, edge, data of float16 with the bits 0x7c01",
        .ways_out = "None is needed unless the payloads of NaNs mean something.",
    },
    {
        .code = 221,
        .kind = TPAD_RULES_DIFFERS,
        .since = V2026_4,
        .conditions = {is_layer_of_u2},
        .sentence = "{runtime} answers with wrong elements for u2",
        .title = "an IR's Pad of u2",
        .text =
            "The CPU plugin takes u2 into another type and back, and mixes up the elements, also "
            "where the amounts are all 0. A model of ONNX with uint2 is refused (TP202).",
        .example = "Pad-12, edge, data of u2 of shape [8], pads_begin [4], pads_end [0]",
        .ways_out = "Pad as u8 between two Converts.",
    },
    {
        .code = 245,
        .kind = TPAD_RULES_DIFFERS,
        .since = V2025_4,
        .conditions = {a_branch_gives_an_open_value},
        .sentence = "an If gives an open value to a Conv, pool or Cast; {runtime} may read other "
                    "memory",
        .title = "an If that gives an open value to a Conv, pool or Cast",
        .text = "Where an extent is open and the condition is known at run time only, OpenVINO "
                "gives pools, and some others, numbers that no branch computed.",
        .example = "an If on the size of data [n, 3, 8, 8], Pad in both branches, MaxPool after",
        .ways_out = "Fix the shapes (model.reshape), or export with a constant condition.",
    },
    {
        .code = 236,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, ov_window_takes_the_pads, ov_window_loses_its_own},
        .sentence =
            "axis {axis} is open in the file; {runtime} gives the pads to the node after it, and "
            "what auto_pad would add there is lost",
        .title = "Pad by 0 before a Conv or AveragePool with auto_pad, of open extents",
        .text = "OpenVINO removes a Pad by 0 before a Conv or AveragePool and adds its amounts to "
                "the pads of that node. With auto_pad SAME_UPPER or SAME_LOWER the node's own pads "
                "are not known where the file leaves an extent of the image open, and are taken as "
                "0: the output is smaller, without an error. Shapes that are fixed in the file "
                "give the right answer; a shape that only the input has when the model runs does "
                "not.",
        .example = "data of shape [1, 3, h, w], pads [0, 0, 1, 1, 0, 0, 1, 1]; Conv: kernel 3x3, "
                   "SAME_UPPER",
        .ways_out =
            "Fix height and width in the file, or with Model.reshape before it is compiled; or "
            "write the pads of the Conv as numbers.",
    },
    {
        .code = 237,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_constant, ov_window_takes_the_pads, ov_average_reaches_beyond},
        .sentence =
            "axis {axis}: {runtime} gives the pads to the AveragePool after it, whose last window "
            "(ceil_mode) reaches beyond them",
        .title = "Pad by 0 before AveragePool with ceil_mode",
        .text =
            "OpenVINO removes a Pad by 0 before AveragePool and lets the pool count its own pads. "
            "With ceil_mode (in an IR: rounding_type ceil) a last window that reaches beyond "
            "the pads is then divided by all its cells, or is not left out where it begins "
            "after the data. From 2026.4 on only in an IR, and not with ceil_torch.",
        .example =
            "data of shape [1, 1, 5], pads [0, 0, 1, 0, 0, 0]; AveragePool: kernel 2, stride 3, "
            "ceil_mode 1",
        .ways_out =
            "Take OpenVINO 2026.4 and a model of ONNX, or pad at the end until ceil_mode changes "
            "nothing and leave it out.",
    },
    {.code = 290, ANSWERS_FORBIDDEN},
};
const rule_table rules_of_openvino = {rules, sizeof rules / sizeof *rules, NULL};
