/* What versions 4 and 5 of OpenCV's dnn module have in common.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_RUNTIMES_OPENCV_RULES_H
#define TENSORPAD_RUNTIMES_OPENCV_RULES_H

#include "rule.h"

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

#endif
