/* What runtimes do that we have only read about.  SPDX-License-Identifier: MIT */
#include "rule.h"

static const rule coreml[] = {
    {
        .code = 600,
        .kind = TPAD_RULES_UNKNOWN,
        .until = EVERY_VERSION,
        .conditions = {if_forbidden},
        .sentence = "{runtime}: it is not known what it does with {reason}",
        .title = "the document forbids the node",
        .text = "The document gives no answer here.",
        .example = "Pad-18, pads [1, 1], axes [0], data of shape [2], mode wrap",
        .ways_out = "Change the model so that the document allows it.",
        .source = "",
    },
};
const rule_table rules_of_coreml = {coreml, sizeof coreml / sizeof *coreml};

static const rule qnn[] = {
    {
        .code = 650,
        .kind = TPAD_RULES_UNKNOWN,
        .until = EVERY_VERSION,
        .conditions = {if_forbidden},
        .sentence = "{runtime}: it is not known what it does with {reason}",
        .title = "the document forbids the node",
        .text = "The document gives no answer here.",
        .example = "Pad-18, pads [1, 1], axes [0], data of shape [2], mode wrap",
        .ways_out = "Change the model so that the document allows it.",
        .source = "",
    },
};
const rule_table rules_of_qnn = {qnn, sizeof qnn / sizeof *qnn};

static const rule webnn[] = {
    {
        .code = 700,
        .kind = TPAD_RULES_UNKNOWN,
        .until = EVERY_VERSION,
        .conditions = {if_forbidden},
        .sentence = "{runtime}: it is not known what it does with {reason}",
        .title = "the document forbids the node",
        .text = "The document gives no answer here.",
        .example = "Pad-18, pads [1, 1], axes [0], data of shape [2], mode wrap",
        .ways_out = "Change the model so that the document allows it.",
        .source = "",
    },
};
const rule_table rules_of_webnn = {webnn, sizeof webnn / sizeof *webnn};

static const rule tflite[] = {
    {
        .code = 750,
        .kind = TPAD_RULES_UNKNOWN,
        .until = EVERY_VERSION,
        .conditions = {if_forbidden},
        .sentence = "{runtime}: it is not known what it does with {reason}",
        .title = "the document forbids the node",
        .text = "The document gives no answer here.",
        .example = "Pad-18, pads [1, 1], axes [0], data of shape [2], mode wrap",
        .ways_out = "Change the model so that the document allows it.",
        .source = "",
    },
};
const rule_table rules_of_tflite = {tflite, sizeof tflite / sizeof *tflite};

static const rule tensorrt[] = {
    {
        .code = 800,
        .kind = TPAD_RULES_UNKNOWN,
        .until = EVERY_VERSION,
        .conditions = {if_forbidden},
        .sentence = "{runtime}: it is not known what it does with {reason}",
        .title = "the document forbids the node",
        .text = "The document gives no answer here.",
        .example = "Pad-18, pads [1, 1], axes [0], data of shape [2], mode wrap",
        .ways_out = "Change the model so that the document allows it.",
        .source = "",
    },
};
const rule_table rules_of_tensorrt = {tensorrt, sizeof tensorrt / sizeof *tensorrt};

static const rule directml[] = {
    {
        .code = 850,
        .kind = TPAD_RULES_UNKNOWN,
        .until = EVERY_VERSION,
        .conditions = {if_forbidden},
        .sentence = "{runtime}: it is not known what it does with {reason}",
        .title = "the document forbids the node",
        .text = "The document gives no answer here.",
        .example = "Pad-18, pads [1, 1], axes [0], data of shape [2], mode wrap",
        .ways_out = "Change the model so that the document allows it.",
        .source = "",
    },
};
const rule_table rules_of_directml = {directml, sizeof directml / sizeof *directml};
