/* What tract does with a Pad.  SPDX-License-Identifier: MIT */
#include "rule.h"

static const rule rules[] = {
    {
        .code = 490,
        .kind = TPAD_RULES_ACCEPTS,
        .until = EVERY_VERSION,
        .conditions = {if_forbidden},
        .sentence = "{runtime} answers, although the document forbids {reason}",
        .title = "answers what the document forbids",
        .text = "The document gives no answer here, so every runtime may give another one.",
        .example = "Pad-18, pads [1, 1], axes [0], data of shape [2], mode wrap",
        .ways_out = "Change the model so that the document allows it.",
    },
};
const rule_table rules_of_tract = {rules, sizeof rules / sizeof *rules};
