/* The words of `tensorpad pad`, applied to an array.  SPDX-License-Identifier: MIT
 *
 * Makes a problem for the core from options and an input's type and shape. Of files it knows only
 * the name, for errors.
 */
#ifndef TENSORPAD_CLI_PAD_PROBLEM_H
#define TENSORPAD_CLI_PAD_PROBLEM_H

#include "models/models.h"
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>

#include "arguments.h"
#include "spec.h"

struct pad_options {
    const char *in;
    const char *out;
    spec spec;
    integers modes; /* not given: constant */
    integers pads;  /* begins, then ends; from --pads or from --begin and --end */
    integers begin;
    integers end;
    integers interior;
    integers axes;
    const char *value;
    int32_t dtype;
    int32_t order;
    int order_given;
    tpad_threads *threads; /* not given: NULL until the options are read, then all */
    int lenient;
    int force;
    int quiet;
};

/* It contains pointers into itself, so it may not be moved. */
struct pad_problem {
    tpad_problem problem;
    const void *value; /* for tpad_run */
    tpad_translation translation;
    void *value_memory;
};

/* Returns EXIT_DONE, or the status of the error that it reported. The caller frees it in both
 * cases. */
int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input);
void pad_problem_free(pad_problem *made);

/* Reads --value as one element of like's type into made->value_memory. Returns the same. */
int pad_parse_value(pad_problem *made, const pad_options *options, const tpad_tensor *like);

/* Makes the problem from the translation, with the strides of the input. */
void pad_problem_finish(pad_problem *made, const tpad_tensor *input);

/* The families of spec.c, each in a file of its own. */
int pad_make_ngraph(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int pad_make_onnx(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int pad_make_openvino(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int pad_make_mli_chw(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int pad_make_mli_hwc(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int pad_make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input);

#endif
