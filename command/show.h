/* What `tensorpad show` draws: an array, a shape, or a Pad node of a model.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_COMMAND_SHOW_H
#define TENSORPAD_COMMAND_SHOW_H

#include "options.h"

typedef struct show_options {
    pad_options pad;
    const char *file, *out, *node;
    const char *pad_word; /* a given option that a Pad node determines itself: amounts, mode, ... */
    integers shape;
    struct show_model *model; /* show_node.c; NULL: no --input-shape was given, and none is read */
} show_options;

/* What is padded, and texts about it. */
typedef struct show_input {
    tpad_tensor tensor;
    char heading[512]; /* printable */
    const char *fill;  /* the fill value as text; NULL: that of the options */
} show_input;

/* Adds to options->model, as a row's `take`. */
int show_add_shape(void *field, const given_option *given);
/* Reads the model and fills in input and options->pad from its node; the texts live until
 * show_model_free. EXIT_DONE, or the status of the error that it reported. */
int show_node(show_options *options, show_input *input);
void show_model_free(show_options *options);

#endif
