/* The options --input-shape, --dim and --assume of the sub-commands that read models.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_INPUT_SHAPE_OPTION_H
#define TENSORPAD_CLI_INPUT_SHAPE_OPTION_H

#include "arguments.h"
#include "models/models.h"

/* All of them, in their order. Freed with input_shapes_free. */
typedef struct input_shapes {
    tpad_input_shape *items;
    int32_t count;
} input_shapes;

/* Add NAME=1,3,224,224 for an input, NAME=224 and NAME>=65 for a dimension to input_shapes, as a row's
 * `take`. */
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
         "what the extent of a dimension is at least, in every run; the shapes stay open"}
void input_shapes_free(input_shapes *shapes);

#endif
