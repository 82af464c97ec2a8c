/* Runtimes known from their documentation only.  SPDX-License-Identifier: MIT
 *
 * These rules were not tested. Each table names its documents, and the verdicts are marked as not
 * measured. */
#include "rule.h"

/* Nothing is known about nodes that the ONNX document forbids. */
static int32_t nobody_has_tried(question *q)
{
    return if_forbidden(q) == NO ? NO : fact_missing(q, TPAD_RULES_MISSING_MEASUREMENT);
}

static int32_t neither_constant_nor_reflect(question *q)
{
    return fact_opposite(fact_either(if_constant(q), if_reflect(q)));
}

static int32_t symmetric_or_wrap(question *q)
{
    return fact_either(if_symmetric(q), if_wrap(q));
}

static int32_t edge_or_wrap(question *q)
{
    return fact_either(if_edge(q), if_wrap(q));
}

static int32_t is_padded_before_the_last_two(question *q, const tpad_rules_axis *axis)
{
    if (axis - q->facts->axis >= q->facts->rank - 2) return NO;
    if (!axis->amounts_known) return fact_missing(q, TPAD_RULES_MISSING_PADS);
    return fact_is(axis->begin != 0 || axis->end != 0);
}

static int32_t another_axis_is_padded(question *q)
{
    return fact_any_axis(q, is_padded_before_the_last_two);
}

static int32_t rank_is_above_4(question *q)
{
    return fact_rank_above(q, 4);
}

static int32_t rank_is_above_5(question *q)
{
    return fact_rank_above(q, 5);
}

static int32_t reflects_too_far(question *q)
{
    return fact_any_axis(q, fact_mirror_too_far);
}

static int32_t is_no_type_of_coreml(question *q)
{
    return fact_opposite(fact_type_in(q, FLOAT | FLOAT16));
}

static int32_t axes_are_no_initializer(question *q)
{
    return fact_is(q->facts->axes_given > TPAD_RULES_CONSTANT_NUMBERS);
}

static int32_t constant_amounts_are_negative(question *q)
{
    return fact_comes_when_run(q->facts->pads_given) ? NO : if_negative_amount(q);
}

static int32_t is_no_type_of_directml(question *q)
{
    return fact_type_in(q, BFLOAT16 | STRING | COMPLEX | FLOAT8 | PACKED);
}

static int32_t is_no_type_of_tensorrt(question *q)
{
    return fact_opposite(fact_type_in(q, FLOAT | INT32 | INT64 | FLOAT16 | BFLOAT16));
}

/* ---- The rules ------------------------------------------------------------------------------- */

#define NOBODY_HAS_TRIED                                                                           \
    .kind = TPAD_RULES_UNKNOWN, .conditions = {nobody_has_tried},                                  \
    .sentence = "what {runtime} does with nodes that the specification forbids is not known",      \
    .title = "the specification forbids the node",                                                 \
    .text = "The specification gives no answer, and nobody has run such a node there.",            \
    .example = "Pad at opset 18, mode wrap, data of shape [3], pads [1, 1]",                       \
    .ways_out = "Change the node so that the specification allows it."

#define TAKES_NO_NEGATIVE                                                                          \
    .kind = TPAD_RULES_REFUSES, .conditions = {if_negative_amount},                                \
    .sentence = "axis {axis}: amounts {0} and {1}; {runtime} does not take negative amounts",      \
    .title = "negative amounts", .text = "The operator only adds elements.",                       \
    .example = "Pad at opset 19, data of shape [4], pads [-1, 0]",                                 \
    .ways_out = "Slice first and Pad what is left."
#define REFLECTS_TOO_FAR                                                                           \
    .kind = TPAD_RULES_REFUSES, .conditions = {if_reflect, reflects_too_far},                      \
    .sentence = "axis {axis}: reflect adds {0} cells to the {1} there are; {runtime} adds at "     \
                "most one less than there are",                                                    \
    .title = "reflect adds as many cells as there are, or more",                                   \
    .text = "The amounts of mode reflect must be below the extent.",                               \
    .example = "Pad at opset 19, reflect, data of shape [3], pads [3, 0]",                         \
    .ways_out = "Several Pads that each add fewer cells than the axis has by then."
#define NEEDS_INITIALIZERS                                                                         \
    .kind = TPAD_RULES_REFUSES, .conditions = {if_an_argument_comes_when_run},                     \
    .sentence = "{runtime} needs pads, axes and pad value as initializers",                        \
    .title = "pads, axes or a pad value that is not a constant",                                   \
    .text = "ONNX Runtime's provider reads them when it loads the model, and leaves such a Pad "   \
            "to the CPU, which cuts the model into pieces.",                                       \
    .example = "Pad at opset 19, pads as an input of the graph",                                   \
    .ways_out = "Fold the arguments into initializers."
#define PADS_UP_TO_RANK_5                                                                          \
    .kind = TPAD_RULES_REFUSES, .conditions = {rank_is_above_5},                                   \
    .sentence = "rank {rank}: {runtime} pads up to rank 5", .title = "rank above 5",               \
    .text = "The operator takes up to five axes.", .example = "Pad at opset 19, data of rank 6",   \
    .ways_out = "Join axes without pads by Reshape, before and after."
#define HAS_NO_MODE                                                                                \
    .kind = TPAD_RULES_REFUSES, .sentence = "{runtime} has no mode {mode}",                        \
    .title = "a mode that is not there", .example = "Pad at opset 19, wrap, pads [1, 1]",          \
    .ways_out = "Concat of Slices for each axis."
#define PADS_NO_SUCH_TYPE                                                                          \
    .kind = TPAD_RULES_REFUSES, .sentence = "{runtime} does not pad {type}",                       \
    .title = "a type that is not padded", .example = "Pad at opset 19, data of type uint8",        \
    .ways_out = "Cast before and back after."

static const rule coreml[] = {
    {.code = 600, READS_NO_IR},
    {
        .code = 601,
        HAS_NO_MODE,
        .conditions = {neither_constant_nor_reflect},
        .text = "ONNX Runtime's provider for CoreML takes constant and reflect, and leaves another "
                "Pad to the CPU, which cuts the model into pieces. CoreML's own operator also has "
                "replicate, which is edge.",
    },
    {
        .code = 603,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_reflect, another_axis_is_padded},
        .sentence = "axis {axis}: {runtime} takes mode {mode} only on the last two axes",
        .title = "reflect on an axis other than the last two",
        .text = "Only the last two axes may be padded in mode reflect. ONNX "
                "Runtime's provider for CoreML leaves such a Pad to the CPU, which cuts the model "
                "into pieces.",
        .example = "Pad at opset 19, reflect, data of shape [2, 3, 4], pads [1, 0, 0, 1, 0, 0]",
        .ways_out = "Transpose so that the padded axes are the last two.",
    },
    {
        .code = 604,
        PADS_NO_SUCH_TYPE,
        .conditions = {is_no_type_of_coreml},
        .text = "The operator takes float and float16.",
    },
    {.code = 605, TAKES_NO_NEGATIVE},
    {.code = 606, REFLECTS_TOO_FAR},
    {.code = 607, NEEDS_INITIALIZERS},
    {.code = 640, NOBODY_HAS_TRIED},
};
const rule_table rules_of_coreml = {coreml, sizeof coreml / sizeof *coreml,
                                    "coremltools, operator pad of MIL; ONNX Runtime, "
                                    "coreml/builders/impl/pad_op_builder.cc"};

static const rule qnn[] = {
    {.code = 650, READS_NO_IR},
    {
        .code = 651,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_axes_given},
        .sentence = "{runtime} does not take the input axes",
        .title = "Pad with axes",
        .text = "The provider for QNN takes pads for all axes.",
        .example = "Pad at opset 19, pads [1, 1], axes [1]",
        .ways_out = "Write pads for all axes, without axes.",
    },
    {
        .code = 652,
        HAS_NO_MODE,
        .conditions = {if_wrap},
        .text = "The operator has constant, edge and two kinds of mirrors.",
    },
    {
        .code = 653,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_reflect, rank_is_above_4},
        .sentence = "rank {rank}: {runtime} mirrors up to rank 4",
        .title = "reflect of rank above 4",
        .text = "The mirroring modes take up to four axes.",
        .example = "Pad at opset 19, reflect, data of rank 5",
        .ways_out = "Join axes without pads by Reshape, before and after.",
    },
    {.code = 654, PADS_UP_TO_RANK_5},
    {
        .code = 655,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {if_reflect, if_negative_amount},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} takes no negative ones in mode "
                    "reflect",
        .title = "negative amounts in mode reflect",
        .text = "The operator only adds elements. In modes constant and edge, ONNX Runtime's "
                "provider for QNN cuts the result; older versions of it take no negative amounts.",
        .example = "Pad at opset 19, reflect, data of shape [4], pads [-1, 0]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {.code = 656, REFLECTS_TOO_FAR},
    {.code = 657, NEEDS_INITIALIZERS},
    {.code = 690, NOBODY_HAS_TRIED},
};
const rule_table rules_of_qnn = {qnn, sizeof qnn / sizeof *qnn,
                                 "Qualcomm AI Engine Direct, operator Pad; ONNX Runtime, "
                                 "qnn/builder/opbuilder/pad_op_builder.cc"};

/* The method takes unsigned amounts. ONNX Runtime's provider cuts with Slice instead. */
static const rule webnn[] = {
    {.code = 700, READS_NO_IR},
    {
        .code = 701,
        HAS_NO_MODE,
        .conditions = {symmetric_or_wrap},
        .text = "The method has constant, edge and reflection.",
    },
    {.code = 702, REFLECTS_TOO_FAR},
    {.code = 703, NEEDS_INITIALIZERS},
    {.code = 740, NOBODY_HAS_TRIED},
};
const rule_table rules_of_webnn = {webnn, sizeof webnn / sizeof *webnn,
                                   "W3C, Web Neural Network API, method pad; ONNX Runtime, "
                                   "webnn/builders/impl/pad_op_builder.cc"};

static const rule tflite[] = {
    {.code = 750, READS_NO_IR},
    {
        .code = 751,
        HAS_NO_MODE,
        .conditions = {edge_or_wrap},
        .text = "The operators fill with a constant or mirror; there is none for edge and wrap.",
    },
    {.code = 752, PADS_UP_TO_RANK_5},
    {.code = 753, REFLECTS_TOO_FAR},
    {.code = 754, TAKES_NO_NEGATIVE},
    {.code = 790, NOBODY_HAS_TRIED},
};
const rule_table rules_of_tflite = {tflite, sizeof tflite / sizeof *tflite,
                                    "TensorFlow Lite, operators PAD, PADV2 and MIRROR_PAD"};

static const rule tensorrt[] = {
    {.code = 800, READS_NO_IR},
    {
        .code = 801,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {axes_are_no_initializer},
        .sentence = "{runtime} needs axes as an initializer",
        .title = "axes that are not an initializer",
        .text = "The importer of ONNX reads axes when it builds the engine.",
        .example = "Pad at opset 19, axes as an input of the graph",
        .ways_out = "Fold the axes into an initializer.",
    },
    {
        .code = 802,
        PADS_NO_SUCH_TYPE,
        .conditions = {is_no_type_of_tensorrt},
        .text = "The list of operators names float, float16, bfloat16, int32 and int64 for Pad.",
    },
    {
        .code = 803,
        .kind = TPAD_RULES_REFUSES,
        .conditions = {constant_amounts_are_negative},
        .sentence = "axis {axis}: amounts {0} and {1}; {runtime} takes no negative amounts that "
                    "are constants",
        .title = "negative amounts that are constants",
        .text =
            "The importer of ONNX refuses pads from an initializer or an attribute if one is "
            "negative ('Failed to convert padding!'). It does not look at pads that are computed "
            "when the engine runs.",
        .example = "Pad at opset 19, data of shape [4], pads [-1, 0]",
        .ways_out = "Slice first and Pad what is left.",
    },
    {.code = 840, NOBODY_HAS_TRIED},
};
const rule_table rules_of_tensorrt = {tensorrt, sizeof tensorrt / sizeof *tensorrt,
                                      "onnx-tensorrt 10.1, list of operators and "
                                      "importerUtils.cpp"};

static const rule directml[] = {
    {.code = 850, READS_NO_IR},
    {.code = 851, TAKES_NO_NEGATIVE},
    {
        .code = 852,
        HAS_NO_MODE,
        .conditions = {if_wrap},
        .text = "ONNX Runtime's provider for DirectML knows constant, edge and reflect, and does "
                "not load another mode ('Unknown Pad mode attribute').",
    },
    {.code = 853, NEEDS_INITIALIZERS},
    {
        .code = 854,
        PADS_NO_SUCH_TYPE,
        .conditions = {is_no_type_of_directml},
        .text = "The provider takes floats of 16, 32 and 64 bits, integers of 8 to 64 bits, and "
                "bool.",
    },
    {.code = 890, NOBODY_HAS_TRIED},
};
const rule_table rules_of_directml = {directml, sizeof directml / sizeof *directml,
                                      "DirectML, DML_PADDING1_OPERATOR_DESC; ONNX Runtime, "
                                      "dml/DmlExecutionProvider, DmlOperatorPadding.cpp"};
