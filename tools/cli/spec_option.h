/* The specifications that `tensorpad pad --spec` knows.  SPDX-License-Identifier: MIT
 *
 * One table: the names of each, the options that it takes, and the function that makes a problem of
 * them. The meaning of the options is in spec_ngraph.c, spec_onnx.c, spec_plain.c ...
 */
#ifndef TENSORPAD_CLI_SPEC_OPTION_H
#define TENSORPAD_CLI_SPEC_OPTION_H

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
    TAKES_SIZE = 64 /* instead of amounts */
};

typedef struct spec_family {
    const char *name; /* the word, without its version */
    const char *full_name;
    int32_t default_version; /* of the name alone (INT32_MAX: the newest); 0: no versions */
    int32_t takes;
    int (*make)(pad_problem *made, const pad_options *options, const tpad_tensor *input);
} spec_family;

typedef struct spec {
    const spec_family *family;
    int32_t version;
} spec;

/* The name of a family, as a row's `word_at`. */
const char *spec_word(int32_t index);

/* Reads "onnx", "onnx-19", "plain". EXIT_DONE, or the status of the error that it reported. */
int spec_parse(spec *out, const char *text);

/* Reports an option that the family does not take, and names a specification that does. command: "pad",
 * for the error. */
int spec_check(const spec *given, const char *command, int32_t used);

#endif
