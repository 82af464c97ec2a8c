/* What `tensorpad show` shows.  SPDX-License-Identifier: MIT
 *
 * command_show.c reads the words and writes the picture; show_node.c takes the words from a Pad node;
 * show_labels.c writes the elements of a small array, and headings.
 */
#ifndef TENSORPAD_CLI_SHOW_REQUEST_H
#define TENSORPAD_CLI_SHOW_REQUEST_H

#include "input_shape_option.h"
#include "spec_problem.h"

typedef struct show_options {
    pad_options pad;
    const char *file, *out, *node;
    const char *pad_word; /* an option that says how much is padded or how, which a Pad node says */
    integers shape;
    input_shapes shapes;
} show_options;

/* What is padded, in place of a file's array, and words about it. */
typedef struct show_input {
    tpad_tensor tensor;
    char heading[512]; /* printable */
    const char *fill;  /* the fill value as text; NULL: that of the words */
} show_input;

/* Reads the model, and makes input and options->pad of its node; the model, which is for the caller
 * to free, owns the texts. Returns EXIT_DONE, or the status of the error that it reported. */
int show_node(tpad_model **model, show_options *options, show_input *input);

/* Adds what is meant to a heading: "FILE, ONNX Pad, opset 19"; --spec plain has no name. */
void show_spec_add(char *heading, size_t bytes, const spec *of);

/* The elements as they stand in the cells: one text each, in one block that the caller frees.
 * *labels is NULL where they are too long, or of a type that has no short text: the cells then have
 * letters. Returns EXIT_DONE, or the status of the error that it reported. */
int show_labels(const char ***labels, const tpad_tensor *tensor);

/* The entries of --value as they stand in the cells, in one block that the caller frees. Returns as
 * show_labels does. */
int show_fills(const char ***fills, const char *list);

#endif
