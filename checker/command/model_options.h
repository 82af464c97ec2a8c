/* The options of the sub-commands that read models: shapes of inputs, and runtimes.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CHECKER_COMMAND_MODEL_OPTIONS_H
#define TENSORPAD_CHECKER_COMMAND_MODEL_OPTIONS_H

#include "command/arguments.h"
#include "models/models.h"
#include "runtimes/runtimes.h"

/* --input-shape, --dim and --assume. */

/* All of them, in order. Freed with input_shapes_free. */
typedef struct input_shapes {
    tpad_input_shape *items;
    int32_t count;
} input_shapes;

/* Add NAME=1,3,224,224 for an input, NAME=224 and NAME>=65 for a dimension to input_shapes, as a
 * row's `take`. */
int input_shapes_add(void *field, const given_option *given);
int input_extents_add(void *field, const given_option *given);
int input_bounds_add(void *field, const given_option *given);

/* The rows of --dim and --assume; `at`: the offset of the input_shapes. */
#define INPUT_DIMENSION_ROWS(at)                                                                   \
    {"dim",                                                                                        \
     0,                                                                                            \
     "NAME=224",                                                                                   \
     input_extents_add,                                                                            \
     at,                                                                                           \
     NULL,                                                                                         \
     "the extent of a dimension of the inputs: its name in the file, or INPUT:AXIS"},              \
        {"assume",                                                                                 \
         0,                                                                                        \
         "'NAME>=65'",                                                                             \
         input_bounds_add,                                                                         \
         at,                                                                                       \
         NULL,                                                                                     \
         "a dimension's least extent in every run, or 'PAD.pads>=0'; shapes stay open"}
void input_shapes_free(input_shapes *shapes);
/* Writes the options again, each after a space. */
void input_shapes_write(FILE *out, const input_shapes *shapes);

/* The runtimes that --target names. */

enum { TARGETS_MOST = 64 };

/* A target as given: "ort-1.25" may lie between two that were measured. */
typedef struct named_target {
    const char *name; /* lives as long as the process */
    tpad_rules_choice choice;
} named_target;

typedef struct target_list {
    named_target items[TARGETS_MOST];
    int32_t count;
} target_list;

/* Adds a target unless it is there; EXIT_DONE, or the status of the error that it reported.
 * command: "check", for errors. */
int targets_add(target_list *list, const char *command, const char *name);
/* Adds a comma-separated list to target_list, as a row's `take`. The names point into the option's
 * text. */
int targets_add_list(void *field, const given_option *given);
/* As a row's `word_at`. */
const char *target_word(int32_t index);

/* Writes "graph/name", or the name alone in the top graph, as `run --node` takes it; escaped by
 * write_plain. */
void write_pad_name(FILE *out, const tpad_pad_node *pad);

#endif
