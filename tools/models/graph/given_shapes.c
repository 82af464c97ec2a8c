/* Shapes that the user gives to inputs.  SPDX-License-Identifier: MIT
 *
 * Owns the checks against what the file says, gives the shapes to the inputs of the top graph before
 * anything follows from them, and says which inputs have theirs from there. */
#include "model.h"
#include <stdio.h>
#include <string.h>

enum { NAMES_BYTES = 400, SHAPE_BYTES = 256 };

/* The input of that name: of the end, or, in an IR, of its tensor. */
static tpad_value *find_input(const tpad_graph *graph, const char *name)
{
    for (int64_t i = 0; i < graph->input_count; i++)
        if (tpad_string_is(graph->inputs[i].name, name) ||
            tpad_string_is(graph->inputs[i].value->name, name))
            return graph->inputs[i].value;
    return NULL;
}

/* Writes the names of the inputs, quoted, as many as fit. */
static void list_inputs(char *text, size_t bytes, const tpad_graph *graph)
{
    size_t used = 0;
    *text = 0;
    for (int64_t i = 0; i < graph->input_count; i++) {
        const int length = snprintf(text + used, bytes - used, "%s'%.*s'", i ? ", " : "",
                                    TPAD_SHOW(graph->inputs[i].name));
        if (length < 0 || (size_t)length >= bytes - used) break;
        used += (size_t)length;
    }
    text[used] = 0;
}

static int32_t apply(tpad_model *model, const tpad_input_shape *given, tpad_io_error *error)
{
    char names[NAMES_BYTES], said[SHAPE_BYTES], wanted[SHAPE_BYTES];
    tpad_value *value = find_input(model->top, given->name);
    if (!value) {
        list_inputs(names, sizeof names, model->top);
        return tpad_io_fail(
            error, TPAD_E_MODEL, "%s: a shape is given for '%s', but no input is called that; %s%s",
            model->path, given->name, *names ? "the inputs are " : "it has no inputs", names);
    }
    if (given->rank < 0 || given->rank > TPAD_MAX_RANK)
        return tpad_io_fail(error, TPAD_E_RANK, "%s: input '%s': a shape of %d axes, at most %d",
                            model->path, given->name, (int)given->rank, TPAD_MAX_RANK);
    int32_t fits = value->rank < 0 || value->rank == given->rank;
    for (int32_t axis = 0; axis < given->rank; axis++) {
        if (given->shape[axis] < 0)
            return tpad_io_fail(error, TPAD_E_MODEL,
                                "%s: input '%s': extent %lld on axis %d; extents are 0 or more",
                                model->path, given->name, (long long)given->shape[axis], (int)axis);
        fits = fits && (value->rank < 0 || value->shape[axis] < 0 ||
                        value->shape[axis] == given->shape[axis]);
    }
    if (!fits) {
        tpad_shape_text(said, sizeof said, value->rank, value->shape);
        tpad_shape_text(wanted, sizeof wanted, given->rank, given->shape);
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: input '%s' has shape %s in the file, but %s is given", model->path,
                            given->name, said, wanted);
    }
    int64_t *shape = tpad_arena_take(&model->arena, given->rank, sizeof *shape);
    if (!shape) return tpad_no_memory(model, error);
    for (int32_t axis = 0; axis < given->rank; axis++) shape[axis] = given->shape[axis];
    value->rank = given->rank;
    value->shape = shape;
    return TPAD_OK;
}

int32_t tpad_input_shapes_apply(tpad_model *model, const tpad_input_shape *shapes, int32_t count,
                                tpad_io_error *error)
{
    int32_t status = TPAD_OK;
    for (int32_t i = 0; i < count && !status; i++) status = apply(model, &shapes[i], error);
    return status;
}

const tpad_value *tpad_input_shaped(const tpad_model *model, int64_t index)
{
    if (!model->plain || index >= model->plain->top->input_count) return NULL;
    const tpad_value *shaped = model->top->inputs[index].value;
    const tpad_value *left = model->plain->top->inputs[index].value;
    int32_t same = shaped->rank == left->rank;
    for (int32_t axis = 0; same && axis < shaped->rank; axis++)
        same = shaped->shape[axis] == left->shape[axis];
    return same ? NULL : shaped;
}
