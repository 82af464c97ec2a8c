/* What ONNX Runtime does with a Pad, on the CPU and on the web.  SPDX-License-Identifier: MIT
 *
 * Each rule was observed in versions 1.17.3, 1.20.1, 1.23.2, 1.31.1 and 1.32.0 with the CPU
 * provider and in onnxruntime-web 1.30 with WebAssembly, all with their default optimisations. */
#include "rule.h"

/* ---- When the model is loaded ---------------------------------------------------------------- */

/* The newest formats that versions up to `until` read. */
typedef struct release {
    int32_t until, ir_version, opset, ml_opset, own_opset;
} release;

static const release *release_of(const question *q)
{
    static const release releases[] = {
        {V1_17, 9, 20, 4, 1},  {V1_20, 10, 21, 5, 1},     {V1_23, 11, 23, 5, 1},
        {V1_31, 13, 26, 5, 1}, {INT32_MAX, 14, 28, 5, 1},
    };
    const release *row = releases;
    while (q->version > row->until) row++;
    return row;
}

static int32_t is_newer(question *q, int32_t version, int32_t newest)
{
    q->numbers[0] = newest;
    q->numbers[1] = version;
    return fact_is(version > newest);
}

static int32_t ir_version_is_too_new(question *q)
{
    return is_newer(q, q->facts->ir_version, release_of(q)->ir_version);
}

static int32_t opset_is_too_new(question *q)
{
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return is_newer(q, q->facts->opset, release_of(q)->opset);
}

static int32_t ml_opset_is_too_new(question *q)
{
    return is_newer(q, q->facts->ml_opset, release_of(q)->ml_opset);
}

static int32_t own_opset_is_too_new(question *q)
{
    return is_newer(q, q->facts->own_opset, release_of(q)->own_opset);
}

/* The types that it pads, directly or (float16) between two Casts that it inserts. */
static int32_t type_has_no_kernel(question *q)
{
    static const struct {
        int32_t since; /* opset */
        uint32_t types;
        int32_t from; /* version; 0: all */
    } kernels[] = {
        {21, BFLOAT16, VERSION(1, 32)},
        {13, BOOL, 0},
        {11, UINT8 | INT8 | INT32 | INT64 | UINT32 | UINT64, 0},
        {6, FLOAT16, 0},
        {2, FLOAT | DOUBLE, 0},
    };
    uint32_t types = 0;
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (q->facts->opset >= kernels[i].since && q->version >= kernels[i].from)
            types |= kernels[i].types;
    return fact_opposite(fact_type_in(q, types));
}

static int32_t axes_are_constant_int32(question *q)
{
    if (!fact_has_type(q->facts->axes_type, INT32) || !fact_is_constant(q->facts->axes_given))
        return NO;
    return fact_opposite(if_rank_open(q));
}

/* ---- When it runs ---------------------------------------------------------------------------- */

static int32_t input_is_not_empty(question *q)
{
    return fact_opposite(if_input_empty(q));
}

static int32_t nothing_is_left(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    return fact_is(fact_cells_left(axis) == 0);
}

static int32_t nothing_is_left_somewhere(question *q)
{
    return fact_any_axis(q, nothing_is_left);
}

/* Up to 1.23 an axis without cells is an error only if cells are added to it. */
static int32_t nothing_is_left_to_repeat(question *q, const tpad_rules_axis *axis)
{
    if (axis->amounts_known && axis->begin <= 0 && axis->end <= 0) return NO;
    return nothing_is_left(q, axis);
}

static int32_t something_to_repeat_is_missing(question *q)
{
    return fact_any_axis(q, nothing_is_left_to_repeat);
}

static int32_t cut_deeper_than_extent(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis)) return NO;
    if (axis->amounts_known && axis->extent < 0 && axis->begin <= 0 && axis->end <= 0) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = axis->extent;
    return fact_is(
        axis->extent + (axis->begin < 0 ? axis->begin : 0) + (axis->end < 0 ? axis->end : 0) < 0);
}

static int32_t more_is_cut_than_there_is(question *q)
{
    return fact_any_axis(q, cut_deeper_than_extent);
}

/* It multiplies the remaining extents from the last axis; a negative one counts as overflow. */
static int32_t last_is_cut_deeper(question *q, const tpad_rules_axis *axis)
{
    return axis - q->facts->axis == q->facts->rank - 1 ? cut_deeper_than_extent(q, axis) : NO;
}

static int32_t more_is_cut_of_the_last_axis(question *q)
{
    return fact_any_axis(q, last_is_cut_deeper);
}

static int32_t exactly_all_is_cut(question *q, const tpad_rules_axis *axis)
{
    if (fact_never_cut(axis)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    const int64_t begin = axis->begin < 0 ? axis->begin : 0, end = axis->end < 0 ? axis->end : 0;
    return fact_is(axis->extent + begin + end == 0);
}

static int32_t no_axis_is_cut_exactly(question *q)
{
    return fact_opposite(fact_any_axis(q, exactly_all_is_cut));
}

static int32_t mirror_is_too_far(question *q, const tpad_rules_axis *axis)
{
    const int64_t most = axis->begin > axis->end ? axis->begin : axis->end;
    if ((axis->amounts_known && most <= 0) || (fact_never_far(axis) && axis->never_cut)) return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = most;
    q->numbers[1] = fact_cells_left(axis);
    return fact_is(most >= q->numbers[1]);
}

static int32_t reflects_too_far(question *q)
{
    return fact_any_axis(q, mirror_is_too_far);
}

/* Up to 1.23 the cells at the end are copied last, from everything written so far. */
static int32_t mirror_reads_foreign_memory(question *q, const tpad_rules_axis *axis)
{
    const int64_t begin = axis->begin > 0 ? axis->begin : 0;
    const int32_t answer = mirror_is_too_far(q, axis);
    if (answer != YES) return answer;
    return fact_is((begin && begin >= q->numbers[1]) || axis->end > q->numbers[1] - 1 + begin);
}

static int32_t reflects_foreign_memory(question *q)
{
    return fact_any_axis(q, mirror_reads_foreign_memory);
}

static int32_t wrap_reads_foreign_memory(question *q, const tpad_rules_axis *axis)
{
    if ((axis->amounts_known && axis->begin <= 0) || (fact_never_far(axis) && axis->never_cut))
        return NO;
    if (!fact_axis_known(q, axis)) return MAYBE;
    q->numbers[0] = axis->begin;
    q->numbers[1] = fact_cells_left(axis);
    return fact_is(axis->begin > q->numbers[1]);
}

static int32_t wraps_foreign_memory(question *q)
{
    return fact_any_axis(q, wrap_reads_foreign_memory);
}

static int32_t is_float16(question *q)
{
    return fact_type_in(q, FLOAT16);
}

static int32_t value_is_overridable(question *q)
{
    return fact_is(q->facts->value_given == TPAD_RULES_OVERRIDABLE);
}

static int32_t is_float16_with_nan_payload(question *q)
{
    const int32_t type = fact_type_in(q, FLOAT16);
    if (type == NO) return NO;
    const int32_t value = q->facts->value_known && (q->facts->value_bits & TPAD_RULES_NAN_PAYLOAD);
    const int32_t data = q->facts->data_known && (q->facts->data_bits & TPAD_RULES_NAN_PAYLOAD);
    return value || data ? type : NO;
}

/* ONNX's shape inference reads pads and axes if the rank of data is known; from opset 15 on, also
 * after a Reshape to a Shape of open extents. */
static int32_t amounts_are_external(question *q)
{
    const int32_t ranks_lost =
        TPAD_RULES_FROM_LOOP | (q->facts->opset < 15 ? TPAD_RULES_FROM_OPEN_RANK : 0);
    if (q->facts->made_by & TPAD_RULES_BY_EXTERNAL_SHAPE) return YES;
    if (!(q->facts->made_by & TPAD_RULES_BY_EXTERNAL) || q->facts->data_from & ranks_lost)
        return NO;
    return fact_opposite(if_rank_open(q));
}

static int32_t an_argument_is_quantised_at_23(question *q)
{
    if (!(q->facts->made_by & TPAD_RULES_BY_QUANTISE)) return NO;
    if (q->facts->opset == 0) return fact_missing(q, TPAD_RULES_MISSING_OPSET);
    return fact_is(q->facts->opset >= 23);
}

static int32_t pads_are_ints_of_a_function(question *q)
{
    return fact_is(q->facts->inside == TPAD_RULES_INSIDE_FUNCTION && q->facts->rank_open != 1 &&
                   q->facts->pads_given == TPAD_RULES_CONSTANT_NUMBERS);
}

/* ---- What the document forbids --------------------------------------------------------------- */

/* Forbidden nodes that ONNX Runtime rejects, at load time or at run time. Rules for axes without
 * cells are more precise. */
static int32_t is_refused_too(question *q)
{
    const tpad_rules_facts *facts = q->facts;
    const int32_t forbidden = if_forbidden(q);
    if (forbidden != YES) return forbidden;
    switch (facts->document) {
    case TPAD_RULES_FORBIDS_MODE:
    case TPAD_RULES_FORBIDS_VALUE_RANK:
    case TPAD_RULES_FORBIDS_NOTHING_LEFT:
        return NO;
    case TPAD_RULES_FORBIDS_PADS_ROW:
        return fact_is(fact_is_constant(facts->pads_given));
    case TPAD_RULES_FORBIDS_AXES_REPEATED:
        return fact_is(fact_is_constant(facts->axes_given));
    case TPAD_RULES_FORBIDS_PADS_COUNT:
        return fact_is(q->version > V1_17 || facts->axes_given == TPAD_RULES_ABSENT ||
                       (fact_is_constant(facts->pads_given) && facts->axes_count != 0));
    default:
        return YES;
    }
}

/* ---- The rules ------------------------------------------------------------------------------- */

static const rule rules[] = {
    {.code = 100, READS_NO_IR},
    {
        .code = 117,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {ir_version_is_too_new},
        .sentence = "{runtime} reads files up to IR version {0}, and this one has version {1}",
        .title = "the file's IR version is newer than ONNX Runtime",
        .text = "The IR version says how an ONNX file is built, not which operators it has. ONNX "
                "Runtime 1.17 reads files up to version 9, 1.20 up to 10, 1.23 up to 11, 1.30 and "
                "1.31 up to 13, 1.32 up to 14. It does not load a file of a newer version.",
        .example = "ir_version 11, ONNX Runtime 1.20",
        .ways_out = "Lower the number (model.ir_version = 9 in Python) and check the model with "
                    "onnx.checker; only newer types and functions need a newer version.",
    },
    {
        .code = 101,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {opset_is_too_new},
        .sentence = "{runtime} reads models up to opset {0}, and this one has opset {opset}",
        .title = "the opset is newer than ONNX Runtime",
        .text = "A version of ONNX Runtime knows the opsets that were released before it: 1.17 up "
                "to 20, 1.20 up to 21, 1.23 up to 23, 1.30 and 1.31 up to 26, 1.32 up to 28. It "
                "does not load a model of a newer opset.",
        .example = "Pad at opset 25, ONNX Runtime 1.23",
        .ways_out =
            "Export the model at an older opset, or take a newer ONNX Runtime. From Pad-19 to "
            "Pad-25 only types were added, so for a type that Pad-19 has the number in "
            "opset_import may be lowered if the other operators allow it.",
    },
    {
        .code = 118,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {ml_opset_is_too_new},
        .sentence = "{runtime} knows the domain ai.onnx.ml up to opset {0}, and this model imports "
                    "opset {1}",
        .title = "the opset of ai.onnx.ml is newer than ONNX Runtime",
        .text = "ONNX Runtime 1.17 knows the domain ai.onnx.ml up to opset 4, the later versions "
                "up to 5. It does not load a model that imports a newer one, even if no node is of "
                "that domain.",
        .example = "opset_import ai.onnx.ml 5, ONNX Runtime 1.17",
        .ways_out = "Remove the import if no node needs it, or export for an older opset.",
    },
    {
        .code = 119,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {own_opset_is_too_new},
        .sentence = "{runtime} knows its own domains up to opset {0}, and this model imports opset "
                    "{1}",
        .title = "the opset of one of ONNX Runtime's own domains is newer than it",
        .text = "ONNX Runtime brings the domains com.microsoft, com.microsoft.nchwc, "
                "com.microsoft.experimental, ai.onnx.training, ai.onnx.preview.training and "
                "org.pytorch.aten along, all at opset 1. It does not load a model that imports "
                "another one, even if no node is of that domain.",
        .example = "opset_import com.microsoft 2",
        .ways_out = "Import opset 1 of that domain.",
    },
    {
        .code = 138,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {amounts_are_external},
        .sentence = "pads, axes, or shapes and axes of nodes that compute an argument are external "
                    "data, which {runtime} does not read in time",
        .title = "pads or axes in external data",
        .text = "ONNX Runtime infers shapes before it reads external data ('Cannot parse data from "
                "external tensors'). A pad value may be external, and pads of data without a "
                "rank; where nodes compute the arguments, the shape of a Reshape, the axes of a "
                "Squeeze and their like may not.",
        .example = "a model saved with size_threshold=0",
        .ways_out = "Keep small tensors in the model: onnx.save with size_threshold=1024.",
    },
    {
        .code = 139,
        .kind = TPAD_RULES_REFUSES,
        .until = V1_23,
        .conditions = {pads_are_ints_of_a_function},
        .sentence =
            "pads are a Constant with value_ints in a function, whose shape {runtime} loses",
        .title = "pads from a Constant with value_ints in a function, before ONNX Runtime 1.31",
        .text = "In functions of the model, ONNX Runtime 1.23 and older infer no shape for "
                "value_ints (\"'pads' input must be a 1D\"), and do not load the model.",
        .example = "a function with Constant value_ints [1, 1] and Pad",
        .ways_out =
            "Give the Constant a tensor (value), or inline the functions with onnx.inliner.",
    },
    {
        .code = 140,
        .kind = TPAD_RULES_REFUSES,
        .since = V1_23,
        .until = V1_23,
        .conditions = {an_argument_is_quantised_at_23},
        .sentence =
            "the pad value goes through QuantizeLinear of opset 23, which {runtime} does not have",
        .title = "a pad value through QuantizeLinear of opset 23, in ONNX Runtime 1.23",
        .text = "ONNX Runtime 1.23 takes models of opset 23, but has no QuantizeLinear of it "
                "('Could not find an implementation').",
        .example = "Pad at opset 23, constant_value from QuantizeLinear and DequantizeLinear",
        .ways_out = "Write the pad value as an initializer, or lower the opset to 22.",
    },
    {
        .code = 102,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_opset_1},
        .sentence = "{runtime} has no kernel for Pad-1",
        .title = "ONNX Runtime has no kernel for Pad-1",
        .text = "At opset 1 Pad has the attribute paddings. ONNX Runtime begins with Pad-2.",
        .example = "Pad at opset 1, paddings [0, 1]",
        .ways_out = "Convert the model to opset 2 or newer: the attribute is called pads there.",
    },
    {
        .code = 103,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {type_has_no_kernel},
        .sentence = "{runtime} has no kernel that pads {type} at opset {opset}",
        .title = "ONNX Runtime has no kernel for the type",
        .text = "ONNX Runtime pads float and double from opset 2, float16 from opset 6 (it "
                "inserts Casts), int8, uint8, int32, uint32, int64 and uint64 from opset 11, "
                "bool from opset 13, and from 1.32 on bfloat16 from opset 21. It does not load a "
                "model that pads another type.",
        .example = "Pad at opset 19, data of type int16",
        .ways_out =
            "Cast to a type that holds all numbers of it, Pad, and Cast back: int16 and uint16 "
            "as int32, bfloat16 as float. Slice and Concat pad strings.",
    },
    {
        .code = 113,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {axes_are_constant_int32},
        .sentence = "{runtime} does not load constant axes of type int32",
        .title = "constant axes of type int32",
        .text = "The specification allows int32 and int64. The shape inference of ONNX, which ONNX "
                "Runtime calls, reads constant axes as int64 whatever they are and fails with "
                "'ParseData type mismatch'. Axes of int32 that are an input of the graph work.",
        .example = "Pad at opset 19, data of shape [2, 3], pads [1, 1], axes [1] as an int32 "
                   "initializer",
        .ways_out = "Write the axes as int64.",
    },
    {.code = 116, REFUSES_FORBIDDEN},
    {
        .code = 141,
        .kind = TPAD_RULES_CRASHES,
        .since = V1_20,
        .until = V1_31,
        .conditions = {if_constant, ort_cast_has_no_rank, ort_conv_or_pool_is_behind,
                       ort_reader_takes_the_pads, ort_channels_stay},
        .sentence =
            "a Cast is between the Pad and the Conv or pool, and {runtime} does not know the "
            "rank of the data: it reads a shape that is not there",
        .title =
            "a Cast after the Pad, and data of a rank that is not known when the model is loaded",
        .text = "ONNX Runtime removes a Pad by 0 before a Conv or pool, also beyond a Cast. Where "
                "an input without a shape, or a Reshape to a computed shape, leaves the rank open, "
                "the process ends.",
        .example = "Reshape to the Shape of another value, Pad, Cast to float, Conv",
        .ways_out =
            "Give the shape as a constant, Cast before the Pad, or switch the optimisations off.",
    },
    {
        .code = 133,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_constant, ort_data_is_returned, ort_conv_or_pool_is_behind,
                       ort_reader_takes_the_pads, ort_channels_stay},
        .sentence =
            "an Identity makes an output of the graph of the data; {runtime} removes it after "
            "it has given the pads to the Conv or pool after it, and does not load the model",
        .title = "data that is an output of the graph, too",
        .text = "ONNX Runtime removes a Pad by 0 before a Conv or pool (MaxPool up to 1.31) and "
                "forgets that the node after reads the data now. If the only other reader of the "
                "data is an Identity that makes an output of the graph, it removes that one, too, "
                "and gives the data the name of the output: the node after reads a name that "
                "nothing makes. It depends on the order of the nodes: not where the last nodes of "
                "the graph need the Identity only.",
        .example = "d = Relu(x), Identity(d) as an output, Pad(d) by 0, then Conv",
        .ways_out = "Make d itself the output, or switch off the optimizer PadFusion "
                    "(disabled_optimizers=['Pad_Fusion']).",
    },
    {
        .code = 142,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_constant, ort_weight_of_a_conv, ort_reader_takes_the_pads,
                       ort_channels_stay},
        .sentence = "the output is the weight of a Conv; {runtime} takes it for the image, and "
                    "does not load the model, or is wrong",
        .title = "Pad by 0 of the weight of a Conv",
        .text = "ONNX Runtime removes a Pad by 0 before a Conv and adds its amounts to the pads of "
                "the Conv, without looking which input the Pad makes. The Conv then gets the "
                "weight as its image, and no weight. With a Cast between it gives a wrong answer.",
        .example = "Pad at opset 18, pads [0, 0, 1, 1, 0, 0, 1, 1], output as input W of a Conv",
        .ways_out = "Give the axes to Pad as its input, pad the weight when the model is made, or "
                    "switch off the optimizer PadFusion (disabled_optimizers=['Pad_Fusion']).",
    },
    {
        .code = 122,
        .kind = TPAD_RULES_REFUSES,
        .until = V1_31,
        .conditions = {if_constant, ort_pool_is_behind, ort_reader_takes_the_pads, ort_images_grow,
                       ort_pool_is_too_narrow},
        .sentence =
            "{runtime} adds the pads to those of the pool after it, which may not be as wide as "
            "its kernel",
        .title = "pads as wide as the kernel of the pool after it",
        .text = "A Pad by 0 before MaxPool or AveragePool is removed when the model is loaded, and "
                "its amounts are added to the pads of the pool (MaxPool from 1.20 on, before that "
                "only if it has the attribute pads; AveragePool from 1.20 on, after that version "
                "only if its pads are 0 or it has count_include_pad). A pool may not pad as much "
                "as its kernel is wide, and so the model is not loaded.",
        .example = "Pad at opset 19, pads [0, 0, 2, 2, 0, 0, 2, 2], then MaxPool with "
                   "kernel_shape [2, 2]",
        .ways_out = "Give the axes to Pad as its input, or switch off the optimizer PadFusion "
                    "(disabled_optimizers=['Pad_Fusion']).",
    },
    {
        .code = 123,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_axes_given, ort_transposes_are_around, ort_axes_are_fewer_than_rank},
        .sentence =
            "axes name {0} of {1} axes between two Transposes; {runtime} moves the first one "
            "after the Pad and fails",
        .title = "Pad with some axes between two Transposes",
        .text =
            "To remove a pair of Transposes, ONNX Runtime moves the first one after the Pad "
            "and sorts the pads anew. It takes them as if they were of all axes, and fails "
            "with 'indices element out of data bounds': when the model is loaded up to 1.23, "
            "when it runs in 1.31 and 1.32. Models that were converted from NHWC have such Pads.",
        .example = "Transpose to NHWC, Pad at opset 19 with axes [1, 2], Transpose to NCHW",
        .ways_out = "Write pads for all axes, without axes. Or switch the optimisations off "
                    "(graph_optimization_level).",
    },
    {
        .code = 125,
        .kind = TPAD_RULES_REFUSES,
        .since = V1_30,
        .until = V1_30,
        .conditions = {if_axes_given, ort_transposes_are_around, ort_pads_go_to_other_axes},
        .sentence =
            "axis {axis}: {runtime} moves the Transpose after the Pad, where this axis gets the "
            "pads of another one, and refuses the other shape",
        .title = "Pad with axes in another order between two Transposes, on the web",
        .text = "The same mistake as TP124; the build for the web sees that the output has "
                "another shape and does not load the model.",
        .example = "Transpose to NHWC, Pad at opset 19 with axes [3, 2, 1, 0], Transpose to NCHW",
        .ways_out = "Write pads for all axes, without axes. Or switch the optimisations off "
                    "(graphOptimizationLevel).",
    },
    {
        .code = 126,
        .kind = TPAD_RULES_CRASHES,
        .since = V1_23,
        .until = V1_23,
        .conditions = {is_float16, value_is_overridable},
        .sentence = "the pad value of float16 is an initializer and an input of the graph, too; "
                    "{runtime} crashes when it loads the model",
        .title = "a pad value of float16 that callers may replace",
        .text = "ONNX Runtime 1.23 pads float16 between Casts that it inserts. Where the pad "
                "value is an initializer that is also listed as an input of the graph, it crashes "
                "(SIGSEGV).",
        .example =
            "Pad at opset 19, data of float16, constant_value as an initializer and an input",
        .ways_out = "Remove the value from the inputs of the graph, or take another version.",
    },
    {
        .code = 112,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_rank_0},
        .sentence = "{runtime} refuses data of rank 0",
        .title = "data of rank 0",
        .text =
            "Padding a scalar gives the scalar. ONNX Runtime fails when it runs: 'Input tensor has "
            "no dimensions'.",
        .example = "Pad at opset 19, data of shape [], pads []",
        .ways_out = "Replace the Pad by Identity.",
    },
    {
        .code = 110,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_wrap, if_input_empty},
        .sentence =
            "axis {axis} is empty; {runtime} refuses wrap then, also where nothing is added",
        .title = "wrap of a tensor without elements",
        .text = "Where an axis of data has the extent 0, mode wrap fails when it runs "
                "('Unexpected mode of 3'), on whichever axis the pads are.",
        .example = "Pad at opset 19, wrap, data of shape [0, 3], pads [0, 0, 0, 0]",
        .ways_out = "Use mode edge, which gives the same where nothing is added to the empty axis.",
    },
    {
        .code = 111,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_edge_or_reflect, if_empty_axis_grows},
        .sentence =
            "axis {axis} is empty and is to grow; {runtime} refuses that in mode {mode}, also "
            "where the output stays empty",
        .title = "edge or reflect adds cells to an empty axis",
        .text = "There is nothing to repeat. The specification allows it only where another axis "
                "makes the output empty; ONNX Runtime refuses it there, too, when it runs.",
        .example = "Pad at opset 19, edge, data of shape [0, 0], pads [1, 0, 0, 0]",
        .ways_out = "Use mode constant: an output without elements is the same in every mode.",
    },
    {
        .code = 108,
        .kind = TPAD_RULES_REFUSES,
        .until = V1_23,
        .conditions = {input_is_not_empty, more_is_cut_of_the_last_axis},
        .sentence = "axis {axis}: more is cut off than its {0} cells; {runtime} refuses that",
        .title = "more is cut off the last axis than it has, and added again",
        .text = "Negative amounts that cut more than the extent, beside a positive amount that "
                "makes up for it, fail with 'Integer overflow' when it runs. From 1.24 on the "
                "answer is right.",
        .example = "Pad at opset 19, constant, data of shape [4], pads [-5, 5]",
        .ways_out = "Replace the Pad by a constant: no cell of data is left.",
    },
    {
        .code = 127,
        .kind = TPAD_RULES_CRASHES,
        .until = V1_23,
        .conditions = {input_is_not_empty, no_axis_is_cut_exactly, more_is_cut_than_there_is},
        .sentence =
            "axis {axis}: more is cut off than its {0} cells; {runtime} mostly crashes then",
        .title = "more is cut off an axis than it has, and it is not the last one",
        .text =
            "Like TP108, but on another axis than the last one: ONNX Runtime does not notice the "
            "negative number of cells, and in most cases the process ends (SIGSEGV). From 1.24 on "
            "the answer is right.",
        .example = "Pad at opset 19, constant, data of shape [1, 3], pads [1, 0, -2, 0]",
        .ways_out = "Replace the Pad by a constant: no cell of data is left.",
    },
    {
        .code = 107,
        .kind = TPAD_RULES_DIFFERS,
        .until = V1_23,
        .conditions = {input_is_not_empty, something_to_repeat_is_missing, if_output_not_empty},
        .sentence = "axis {axis}: all cells are cut off and others added; {runtime} answers with "
                    "uninitialised memory",
        .title = "all cells of an axis are cut off, and others added",
        .text =
            "Where negative amounts leave nothing of an axis, and a positive amount adds cells to "
            "it, the added cells are whatever the memory held, in every mode.",
        .example = "Pad at opset 19, constant, data of shape [2], pads [-2, 3]",
        .ways_out = "Take ONNX Runtime 1.24 or newer, or replace the Pad by a constant.",
    },
    {
        .code = 106,
        .kind = TPAD_RULES_REFUSES,
        .since = V1_30,
        .conditions = {if_not_constant, input_is_not_empty, nothing_is_left_somewhere},
        .sentence =
            "axis {axis}: nothing is left of it after the cut; {runtime} refuses that in mode "
            "{mode}",
        .title = "all cells of an axis are cut off, in mode edge, reflect or wrap",
        .text = "Where negative amounts leave nothing of an axis, every mode but constant fails "
                "when it runs ('zero effective input extent'), although the output is only empty.",
        .example = "Pad at opset 19, edge, data of shape [4], pads [-2, -2]",
        .ways_out = "Use mode constant if nothing is added to that axis: the output is the same.",
    },
    {
        .code = 104,
        .kind = TPAD_RULES_REFUSES,
        .since = V1_30,
        .conditions = {if_reflect, input_is_not_empty, reflects_too_far},
        .sentence =
            "axis {axis}: reflect adds {0} cells to the {1} there are; {runtime} adds at most "
            "one less than there are",
        .title = "reflect adds as many cells as there are, or more",
        .text =
            "A mirror at the first cell shows all cells but that one. To add more, the reflection "
            "goes back and forth, as example 2 of the ONNX specification does. ONNX Runtime since "
            "1.24 refuses that when it runs; 1.23 and older returned uninitialised memory "
            "(TP105). The limit is for the extent that negative amounts leave.",
        .example = "Pad at opset 19, reflect, data of shape [3], pads [3, 0]",
        .ways_out = "For each axis a Gather with constant indices, or several Pads that each add "
                    "fewer cells than the axis has by then.",
    },
    {
        .code = 105,
        .kind = TPAD_RULES_DIFFERS,
        .until = V1_23,
        .conditions = {if_reflect, reflects_foreign_memory, if_output_not_empty},
        .sentence =
            "axis {axis}: reflect adds {0} cells to the {1} there are; {runtime} answers with "
            "uninitialised memory",
        .title = "reflect reads uninitialised memory",
        .text =
            "A reflection further than all cells but one has to go back and forth. ONNX "
            "Runtime up to 1.23 goes on reading outside of the row instead, and does not say "
            "so. At the end of an axis it may read into the cells that it has just added at the "
            "front. From 1.24 on it refuses the node (TP104).",
        .example = "Pad at opset 19, reflect, data of shape [3], pads [3, 0]",
        .ways_out = "For each axis a Gather with constant indices, or several Pads that each add "
                    "fewer cells than the axis has by then.",
    },
    {
        .code = 109,
        .kind = TPAD_RULES_DIFFERS,
        .until = V1_30,
        .conditions = {if_wrap, wraps_foreign_memory, if_output_not_empty},
        .sentence =
            "axis {axis}: wrap adds {0} cells in front of the {1} there are; {runtime} answers "
            "with uninitialised memory",
        .title = "wrap adds more cells in front than there are",
        .text = "Wrap by more cells than the axis has repeats it several times. At the end ONNX "
                "Runtime does so; in front it reads outside of the row, up to 1.30, and does not "
                "say so.",
        .example = "Pad at opset 19, wrap, data of shape [3], pads [5, 0]",
        .ways_out =
            "Take ONNX Runtime 1.31, or write a Gather with constant indices for each axis.",
    },
    {
        .code = 115,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {is_float16_with_nan_payload},
        .sentence = "{runtime} pads float16 as float: NaNs lose their payloads",
        .title = "NaNs of float16 lose their payloads",
        .text =
            "ONNX Runtime has no kernel that pads float16. It inserts a Cast to float and a Cast "
            "back. All numbers come back as they were, but a signalling NaN becomes quiet and the "
            "bits of its payload may change.",
        .example = "Pad at opset 19, edge, data of float16 with the bits 0x7c01",
        .ways_out = "None is needed unless the payloads of NaNs mean something.",
    },
    {
        .code = 124,
        .kind = TPAD_RULES_DIFFERS,
        .conditions = {if_axes_given, ort_transposes_are_around, ort_pads_go_to_other_axes},
        .sentence =
            "axis {axis}: {runtime} moves the Transpose after the Pad, and this axis gets the "
            "pads of another one",
        .title = "Pad with axes in another order between two Transposes",
        .text = "To remove a pair of Transposes, ONNX Runtime moves the first one after the Pad "
                "and sorts the pads anew, as if axes were 0, 1, 2 and so on. If axes name all axes "
                "in another order, the pads go to other axes, and the output has another shape or "
                "other cells.",
        .example = "Transpose to NHWC, Pad at opset 19 with axes [3, 2, 1, 0], Transpose to NCHW",
        .ways_out = "Write pads for all axes, without axes. Or switch the optimisations off "
                    "(graph_optimization_level).",
    },
    {
        .code = 120,
        .kind = TPAD_RULES_DIFFERS,
        .until = V1_31,
        .conditions = {if_constant, ort_max_pool_is_behind, ort_reader_takes_the_pads,
                       ort_images_grow, ort_data_may_be_negative},
        .sentence =
            "{runtime} gives the pads to the MaxPool after it, which pads with minus infinity, "
            "not with 0: wrong where all numbers of a window are below zero",
        .title = "Pad by 0 before MaxPool",
        .text = "ONNX Runtime removes a Pad by 0 before MaxPool when the model is loaded, and adds "
                "its amounts to the pads of the pool (from 1.20 on; before that only if the pool "
                "has the attribute pads; up to 1.23 not from opset 21 on). But a MaxPool never "
                "takes a padded cell as the largest one. Where the real cells of a window are all "
                "below zero, the answer should be 0 and is one of them.",
        .example =
            "Pad at opset 19, data [[[[-1.0]]]], pads [0, 0, 1, 1, 0, 0, 0, 0], then MaxPool with "
            "kernel_shape [2, 2]",
        .ways_out =
            "Give the axes to Pad as its input, or switch off the optimizer PadFusion "
            "(disabled_optimizers=['Pad_Fusion']). Nothing is wrong, and check says so, where the "
            "operators before the Pad leave no number below zero, such as Relu, Sigmoid or a Clip "
            "from 0 on.",
    },
    {
        .code = 121,
        .kind = TPAD_RULES_DIFFERS,
        .since = V1_20,
        .until = V1_20,
        .conditions = {if_constant, ort_average_pool_is_behind, ort_pool_counts_no_pads,
                       ort_reader_takes_the_pads, ort_images_grow},
        .sentence =
            "{runtime} gives the pads to the AveragePool after it, which does not count them",
        .title = "Pad by 0 before AveragePool",
        .text = "ONNX Runtime 1.20 removes a Pad by 0 before AveragePool and adds its amounts to "
                "the pads of the pool, which then divides by the number of real cells only, unless "
                "it has count_include_pad=1. Newer versions set that; from opset 21 on 1.20 leaves "
                "the Pad.",
        .example =
            "Pad at opset 19, pads [0, 0, 1, 1, 0, 0, 1, 1], then AveragePool with kernel_shape "
            "[2, 2]",
        .ways_out = "Give the axes to Pad as its input, or take ONNX Runtime 1.23 or newer.",
    },
    {
        .code = 131,
        .kind = TPAD_RULES_DIFFERS,
        .until = V1_31,
        .conditions = {if_constant, ort_pool_is_behind, ort_reader_takes_the_pads, ort_images_grow,
                       ort_window_is_left_out},
        .sentence =
            "axis {axis}: {runtime} gives the pads to the pool after it, which has ceil_mode "
            "and leaves out a window that begins in its pads",
        .title = "Pad by 0 before a pool with ceil_mode",
        .text = "ONNX Runtime removes a Pad by 0 before MaxPool or AveragePool and adds its "
                "amounts to the pads of the pool. With ceil_mode a pool leaves out a last window "
                "that begins in its pads at the end, and before that the cells there were data: "
                "the output is one cell shorter.",
        .example =
            "data of shape [1, 1, 4], pads [0, 0, 0, 0, 0, 1]; AveragePool: kernel 2, stride 2, "
            "ceil_mode 1",
        .ways_out = "Give the axes to Pad as its input, or switch off the optimizer PadFusion "
                    "(disabled_optimizers=['Pad_Fusion']).",
    },
    {
        .code = 132,
        .kind = TPAD_RULES_DIFFERS,
        .since = V1_23,
        .until = V1_23,
        .conditions = {if_constant, ort_average_pool_is_behind, ort_reader_takes_the_pads,
                       ort_average_counts_other_cells},
        .sentence =
            "axis {axis}: {runtime} gives the pads to the AveragePool after it, which divides "
            "a window by another number",
        .title = "Pad by 0 before AveragePool, uneven or with ceil_mode",
        .text = "ONNX Runtime 1.23 removes a Pad by 0 before AveragePool and lets the pool count "
                "its own pads. Its AveragePool of opset 19 and 20 mixes up begins and ends where "
                "images have two axes or more, so that uneven pads give other averages; that of "
                "older opsets divides by the whole kernel where a window reaches beyond "
                "(ceil_mode).",
        .example =
            "data of shape [1, 1, 3, 3], pads [0, 0, 0, 0, 0, 0, 1, 0]; AveragePool: kernel 2x1",
        .ways_out = "Give the axes to Pad as its input, or switch off the optimizer PadFusion "
                    "(disabled_optimizers=['Pad_Fusion']).",
    },
    {.code = 190, ANSWERS_FORBIDDEN},
};
const rule_table rules_of_onnxruntime = {rules, sizeof rules / sizeof *rules, NULL};
