/* The option --input-shape of the sub-commands that read models. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_INPUT_SHAPE_OPTION_H
#define TENSORPAD_CLI_INPUT_SHAPE_OPTION_H

#include "arguments.h"
#include "models/models.h"

/* All of them, in their order. Freed with input_shapes_free. */
typedef struct input_shapes {
    tpad_input_shape *items;
    int32_t count;
} input_shapes;

/* Adds NAME=1,3,224,224 to input_shapes, as a row's `take`. */
int input_shapes_add(void *field, const given_option *given);
void input_shapes_free(input_shapes *shapes);

#endif
