/* A specification of `tensorpad pad --spec`: its names, the options that it takes, and the function
 * that makes a problem of them.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_SPEC_FAMILY_H
#define TENSORPAD_CLI_SPEC_FAMILY_H

#include "formats/formats.h"
#include <stdint.h>

typedef struct pad_options pad_options;
typedef struct pad_problem pad_problem;

/* Options that not every specification takes. */
enum {
    TAKES_PADS = 1, /* ONNX's one list */
    TAKES_AXES = 2,
    TAKES_INTERIOR = 4, /* which may then be given without amounts */
    TAKES_ORDER = 8,
    TAKES_MODE_PER_AXIS = 16,
    TAKES_LENIENT = 32,
    TAKES_SIZE = 64, /* instead of amounts */
    TAKES_BORDER = 128,
    TAKES_VALUES = 256 /* a list of values, along --value-axis */
};

typedef struct spec_family {
    const char *name; /* the word, without its version */
    const char *full_name;
    int32_t default_version; /* of the name alone (INT32_MAX: the newest); 0: no versions */
    int32_t takes;
    int32_t (*make)(pad_problem *made, const pad_options *options, const tpad_tensor *input);
} spec_family;

typedef struct spec {
    const spec_family *family;
    int32_t version;
} spec;

#endif
