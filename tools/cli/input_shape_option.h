/* The option --input-shape of the sub-commands that read models. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_INPUT_SHAPES_H
#define TENSORPAD_CLI_INPUT_SHAPES_H

#include "models/models.h"

/* All of them, in their order. Freed with input_shapes_free. */
typedef struct input_shapes {
    tpad_input_shape *items;
    int32_t count;
} input_shapes;

/* Adds NAME=1,3,224,224; returns EXIT_DONE, or the status of the error that it reported. */
int input_shapes_add(input_shapes *shapes, const char *text);
void input_shapes_free(input_shapes *shapes);

#endif
