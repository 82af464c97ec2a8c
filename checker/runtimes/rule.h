/* Rules and conditions, for this folder only.  SPDX-License-Identifier: MIT
 *
 * A runtime's file is a table of rules, in the order of the runtime's own checks. A rule holds if
 * all of its conditions hold. A condition answers NO or YES, or MAYBE if the facts do not tell. */
#ifndef TENSORPAD_RUNTIMES_RULE_H
#define TENSORPAD_RUNTIMES_RULE_H

#include <tensorpad/onnx.h>

#include "runtimes.h"

enum { NO, MAYBE, YES }; /* so that "and" is the smaller of two, and "or" the larger */

enum { MAX_CONDITIONS = 5 };
#define VERSION(major, minor) ((major) * 10000 + (minor))

/* One rule, asked about one node. */
typedef struct question {
    const tpad_rules_facts *facts;
    int32_t version;      /* of the runtime, as in tpad_rules_target.number */
    int32_t axis;         /* the axis that the rule holds for, or -1 */
    int32_t missing;      /* the first fact that was missing */
    int32_t missing_axis; /* its axis, or -1 */
    int64_t numbers[TPAD_RULES_NUMBERS];
} question;

typedef int32_t condition(question *q);
typedef int32_t axis_condition(question *q, const tpad_rules_axis *axis);

typedef struct rule {
    int32_t code;
    int32_t kind;
    int32_t since, until; /* versions of the runtime, both included; 0: no end */
    condition *conditions[MAX_CONDITIONS + 1]; /* NULL after the last */
    const char *sentence; /* {axis} {0} {1} {2} {3} {type} {mode} {opset} {reason} {runtime} */
    const char *title, *text, *example, *ways_out;
} rule;

/* Rules shared by most runtimes; the caller writes .code before the macro. */
#define READS_NO_IR                                                                                \
    .kind = TPAD_RULES_REFUSES, .conditions = {if_openvino_layer},                                 \
    .sentence = "{runtime} does not read OpenVINO IR", .title = "an OpenVINO IR",                  \
    .text = "The model is an OpenVINO IR, which only OpenVINO reads.",                             \
    .example = "model.xml with model.bin",                                                         \
    .ways_out = "Export the model to ONNX from where the IR was made."
#define REFUSES_FORBIDDEN                                                                          \
    .kind = TPAD_RULES_REFUSES, .conditions = {is_refused_too},                                    \
    .sentence = "{runtime} refuses {reason}, as the specification does",                           \
    .title = "refuses what the specification forbids",                                             \
    .text = "The specification does not allow the node, and the runtime does not load or run it.", \
    .example = "Pad at opset 19, data of shape [2, 3], pads [0, 1, 0]",                            \
    .ways_out =                                                                                    \
        "Change the node so that the specification allows it; the verdict names the argument."
#define ANSWERS_FORBIDDEN                                                                          \
    .kind = TPAD_RULES_ACCEPTS, .conditions = {if_forbidden},                                      \
    .sentence = "{runtime} answers, although the specification forbids {reason}",                  \
    .title = "answers what the specification forbids",                                             \
    .text = "The specification gives no answer, so another runtime may give another one or "       \
            "refuse the model.",                                                                   \
    .example = "Pad at opset 2, data of type int64",                                               \
    .ways_out = "Change the model so that the specification allows it."

typedef struct rule_table {
    const rule *rules;
    int32_t count;
    const char *source; /* the document they come from; NULL: measured */
} rule_table;

extern const rule_table rules_of_onnxruntime, rules_of_openvino, rules_of_opencv_4,
    rules_of_opencv_5, rules_of_tract, rules_of_onnx_reference, rules_of_coreml, rules_of_qnn,
    rules_of_webnn, rules_of_tflite, rules_of_tensorrt, rules_of_directml;

/* The rules of tpad_rules_target_at(index). */
const rule_table *rules_of_target(int32_t index);

/* judge.c. Like tpad_rules_judge, but an unknown extent may have any value. */
void rules_judge(tpad_rules_verdict *verdict, const tpad_rules_facts *facts,
                 tpad_rules_choice choice);

/* ---- Conditions that several runtimes share (conditions.c) ----------------------------------- */

/* Sets of types: a type's bit is its ONNX number. */
#define BIT(name, number, word, bits) name = 1 << number,
enum {
    TPAD_ONNX_TYPE_MAP(BIT) /* FLOAT, UINT8 ... */
        COMPLEX = COMPLEX64 |
        COMPLEX128,
    FLOAT8 = FLOAT8E4M3FN | FLOAT8E4M3FNUZ | FLOAT8E5M2 | FLOAT8E5M2FNUZ | FLOAT8E8M0,
    PACKED = UINT4 | INT4 | FLOAT4E2M1 | UINT2 | INT2 /* of 4 and 2 bits */
};
#undef BIT

/* Returns MAYBE and records the missing fact. */
int32_t fact_missing(question *q, int32_t fact);
/* YES or NO. */
int32_t fact_is(int32_t holds);
int32_t fact_either(int32_t a, int32_t b);
int32_t fact_both(int32_t a, int32_t b);
int32_t fact_opposite(int32_t a);

/* YES if any axis satisfies it; q->axis is the first such axis. MAYBE if the rank is unknown. */
int32_t fact_any_axis(question *q, axis_condition *holds);
/* The cells that negative amounts leave of an axis; its extent and amounts are known. */
int64_t fact_cells_left(const tpad_rules_axis *axis);
/* 1 if the amounts of the axis are known to be at least zero. */
int32_t fact_never_cut(const tpad_rules_axis *axis);
/* 1 if the amounts are unknown but known to be below the extent. */
int32_t fact_never_far(const tpad_rules_axis *axis);
/* 1 if extent and amounts are known; else 0, and q records the missing one. */
int32_t fact_axis_known(question *q, const tpad_rules_axis *axis);
/* 1 if an argument given this way is known when a runtime loads the model. */
int32_t fact_is_constant(int32_t given);
/* 1 if an argument given this way arrives when the model runs. An initializer that callers may
 * replace counts as known: runtimes take it as it is in the model. */
int32_t fact_comes_when_run(int32_t given);
/* 1 if the type is in the set. */
int32_t fact_has_type(int32_t type, uint32_t types);
/* The same for the type of data. */
int32_t fact_type_in(question *q, uint32_t types);
/* The rank of data is above `most`. */
int32_t fact_rank_above(question *q, int32_t most);
/* An amount is at least the extent; numbers become the larger amount and the extent. */
int32_t fact_mirror_too_far(question *q, const tpad_rules_axis *axis);
/* The pad value, or data, has one of these bits (TPAD_RULES_NOT_ZERO ...). */
int32_t fact_value_is(question *q, int32_t bits);
int32_t fact_data_is(question *q, int32_t bits);

condition if_constant, if_edge, if_reflect, if_symmetric, if_wrap, if_not_constant,
    if_edge_or_reflect;
condition if_rank_0, if_rank_1, if_rank_open, if_opset_1, if_in_a_body, if_in_a_branch,
    if_in_a_loop_or_function, if_forbidden, if_openvino_layer;
condition if_axes_given, if_axes_empty, if_an_argument_comes_when_run, if_value_absent, if_string;
condition if_input_empty, if_output_empty, if_output_not_empty, if_empty_axis_grows;
condition if_negative_amount, if_something_is_added;

/* Shared by the rules of ONNX Runtime. */

enum {
    V1_17 = VERSION(1, 17),
    V1_20 = VERSION(1, 20),
    V1_23 = VERSION(1, 23),
    V1_30 = VERSION(1, 30),
    V1_31 = VERSION(1, 31)
};

/* onnxruntime_neighbours.c */
condition ort_reader_takes_the_pads, ort_images_grow, ort_max_pool_is_behind,
    ort_average_pool_is_behind, ort_pool_counts_no_pads, ort_pool_is_too_narrow, ort_pool_is_behind,
    ort_channels_stay, ort_weight_of_a_conv, ort_conv_or_pool_is_behind, ort_cast_has_no_rank,
    ort_data_is_returned, ort_window_is_left_out, ort_average_counts_other_cells,
    ort_data_may_be_negative, ort_transposes_are_around, ort_axes_are_fewer_than_rank,
    ort_pads_go_to_other_axes;

/* Shared by versions 4 and 5 of OpenCV's dnn module. */

condition opencv_opset_1_reads_other_pairs; /* opencv4.c */

#define READS_IR_BY_OPENVINO                                                                       \
    .kind = TPAD_RULES_REFUSES, .conditions = {if_openvino_layer},                                 \
    .sentence = "{runtime} does not read this IR by itself",                                       \
    .title = "OpenCV reads an OpenVINO IR only through OpenVINO",                                  \
    .text = "The model is an OpenVINO IR. OpenCV hands such models to OpenVINO if it was "         \
            "built with it, and does not read them itself.",                                       \
    .example = "model.xml with model.bin",                                                         \
    .ways_out = "Export the model to ONNX from where the IR was made."
#define READS_PAIRS                                                                                \
    .kind = TPAD_RULES_DIFFERS, .conditions = {opencv_opset_1_reads_other_pairs},                  \
    .sentence = "axis {axis}: {runtime} reads paddings of version 1 as pairs (begin, end), so "    \
                "this axis gets other amounts",                                                    \
    .title = "paddings of version 1 are read as pairs",                                            \
    .text = "The attribute paddings of Pad-1 has first all begins, then all ends. OpenCV "         \
            "reads it as (begin, end) of each axis.",                                              \
    .example = "Pad at opset 1, data of shape [2, 3], paddings [0, 1, 0, 2]",                      \
    .ways_out = "Convert the model to opset 2 or newer."

/* Shared by the rules of OpenVINO. */

enum { V2024_6 = VERSION(2024, 6), V2025_4 = VERSION(2025, 4), V2026_4 = VERSION(2026, 4) };

/* openvino_amounts.c */

int32_t ov_is_known_to_it(int32_t given);
/* Whether OpenVINO knows extent and amounts of the axis when it loads the model. */
int32_t ov_is_known_when_loaded(const question *q, const tpad_rules_axis *axis);
int32_t ov_is_checked(const question *q, const tpad_rules_axis *axis);

condition ov_reflects_too_far_when_loaded, ov_reflects_too_far_when_run,
    ov_axes_are_fewer_than_rank, ov_count_of_pads_is_seen, ov_axes_are_in_another_order,
    ov_an_axis_is_empty_when_loaded, ov_an_axis_is_empty, ov_known_axes_are_empty,
    ov_empty_pads_are_seen, ov_one_side_is_cut_deeper, ov_an_extent_falls_below_zero,
    ov_cuts_after_the_mirror;

/* openvino_amounts.c: windows */
condition ov_window_takes_the_pads, ov_window_loses_its_own, ov_average_reaches_beyond;

#endif
