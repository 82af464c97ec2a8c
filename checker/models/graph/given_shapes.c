/* Input shapes given by the user.  SPDX-License-Identifier: MIT
 *
 * Checks them against the file, gives shapes, extents and bounds to the inputs of the top graph
 * before anything is computed from them, and knows which inputs got their shape so. */
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_BYTES = 400, SHAPE_BYTES = 256 };

/* The input with that name, or, in an IR, with a tensor of that name. */
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

/* ---- Whole shapes ---------------------------------------------------------------------------- */

static int32_t apply_shape(tpad_model *model, const tpad_input_shape *given, uint8_t *lacks,
                           tpad_io_error *error)
{
    char names[NAMES_BYTES], said[SHAPE_BYTES], wanted[SHAPE_BYTES];
    tpad_value *value = find_input(model->top, given->name);
    *lacks = !value && given->may_lack;
    if (*lacks) return TPAD_OK;
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
        fits = fits && (value->rank < 0 ||
                        (value->shape[axis] < 0
                             ? given->shape[axis] >= tpad_extent_least(value->shape[axis])
                             : value->shape[axis] == given->shape[axis]));
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

/* ---- Single extents -------------------------------------------------------------------------- */

/* 1 if `name` means this axis of the input: by its name, or as "INPUT:AXIS". */
static int32_t is_meant(const tpad_end *input, int32_t axis, const char *name)
{
    const tpad_value *value = input->value;
    const char *colon = strrchr(name, ':');
    if (value->axis_names && value->axis_names[axis].length &&
        tpad_string_is(value->axis_names[axis], name))
        return 1;
    if (!colon || colon == name || !colon[1]) return 0;
    char *end;
    const long number = strtol(colon + 1, &end, 10);
    const size_t length = (size_t)(colon - name);
    return *end == 0 && colon[1] >= '0' && colon[1] <= '9' && number == axis &&
           (size_t)input->name.length == length && memcmp(input->name.text, name, length) == 0;
}

/* Writes the names of dimensions, quoted, as many as fit. */
static void list_dimensions(char *text, size_t bytes, const tpad_graph *graph)
{
    size_t used = 0;
    *text = 0;
    for (int64_t i = 0; i < graph->input_count; i++) {
        const tpad_value *value = graph->inputs[i].value;
        for (int32_t axis = 0; axis < value->rank && value->axis_names; axis++) {
            const tpad_string name = value->axis_names[axis];
            if (!name.length) continue;
            const int length =
                snprintf(text + used, bytes - used, "%s'%.*s'", used ? ", " : "", TPAD_SHOW(name));
            if (length < 0 || (size_t)length >= bytes - used) break;
            used += (size_t)length;
        }
    }
    text[used] = 0;
}

static int32_t set_extent(tpad_model *model, tpad_end *input, int32_t axis,
                          const tpad_input_shape *given, tpad_io_error *error)
{
    tpad_value *value = input->value;
    const int64_t number = given->shape[0], before = value->shape[axis];
    const int32_t is_least = given->says == TPAD_SAYS_LEAST;
    const int32_t fits = before >= 0 ? (is_least ? before >= number : before == number)
                                     : is_least || number >= tpad_extent_least(before);
    if (!fits)
        return tpad_io_fail(
            error, TPAD_E_MODEL,
            "%s: '%s' is said to be %s%lld, but axis %d of input '%.*s' has %s%lld cells",
            model->path, given->name, is_least ? "at least " : "", (long long)number, (int)axis,
            TPAD_SHOW(input->name), before < 0 ? "at least " : "",
            (long long)tpad_extent_least(before));
    if (before >= 0 || (is_least && number <= tpad_extent_least(before))) return TPAD_OK;
    int64_t *shape = tpad_arena_take(&model->arena, value->rank, sizeof *shape);
    if (!shape) return tpad_no_memory(model, error);
    memcpy(shape, value->shape, (size_t)value->rank * sizeof *shape);
    shape[axis] = is_least ? tpad_extent_from(number) : number;
    value->shape = shape;
    return TPAD_OK;
}

/* The Pad node of "NODE.pads", or NULL. */
static tpad_graph_pad *find_amounts(tpad_model *model, const char *name)
{
    static const char end[] = ".pads";
    const tpad_graph_pad *pad;
    const size_t length = strlen(name), most = sizeof end - 1;
    if (length <= most || strcmp(name + length - most, end) != 0) return NULL;
    char *node = tpad_arena_text(&model->arena, (tpad_string){name, (int64_t)(length - most)});
    return node && !tpad_named_pad(model, node, &pad, NULL) ? &model->pads[pad - model->pads]
                                                            : NULL;
}

static int32_t apply_extent(tpad_model *model, const tpad_input_shape *given, uint8_t *lacks,
                            tpad_io_error *error)
{
    char names[NAMES_BYTES];
    int32_t status = TPAD_OK, found = 0;
    for (int64_t i = 0; i < model->top->input_count && !status; i++) {
        tpad_end *input = &model->top->inputs[i];
        for (int32_t axis = 0; axis < input->value->rank && !status; axis++) {
            if (!is_meant(input, axis, given->name)) continue;
            found = 1;
            status = set_extent(model, input, axis, given, error);
        }
    }
    tpad_graph_pad *pad =
        found || given->says != TPAD_SAYS_LEAST ? NULL : find_amounts(model, given->name);
    *lacks = !found && !pad && given->may_lack;
    if (found || *lacks) return status;
    if (pad && given->shape[0])
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: '%s>=%lld': for amounts only >=0 can be promised", model->path,
                            given->name, (long long)given->shape[0]);
    if (pad) {
        pad->never_cut = 1;
        return TPAD_OK;
    }
    list_dimensions(names, sizeof names, model->top);
    return tpad_io_fail(error, TPAD_E_MODEL,
                        "%s: no input has a dimension '%s'; %s%s, and 'INPUT:AXIS' means an axis",
                        model->path, given->name,
                        *names ? "the dimensions are " : "its dimensions have no names", names);
}

int32_t tpad_input_shapes_apply(tpad_model *model, const tpad_input_shape *shapes, int32_t count,
                                tpad_io_error *error)
{
    int32_t status = TPAD_OK;
    if (count > 0) model->lacks = tpad_arena_take(&model->arena, count, sizeof *model->lacks);
    if (count > 0 && !model->lacks) return tpad_no_memory(model, error);
    for (int32_t i = 0; i < count && !status; i++) {
        uint8_t *lacks = &model->lacks[i];
        status = shapes[i].says == TPAD_SAYS_SHAPE ? apply_shape(model, &shapes[i], lacks, error)
                                                   : apply_extent(model, &shapes[i], lacks, error);
    }
    return status;
}

int32_t tpad_model_lacks(const tpad_model *model, int32_t index)
{
    return model->lacks[index];
}

const tpad_value *tpad_input_shaped(const tpad_model *model, int64_t index)
{
    if (!model->plain || index >= model->plain->top->input_count) return NULL;
    const tpad_value *shaped = model->top->inputs[index].value;
    const tpad_value *left = model->plain->top->inputs[index].value;
    int32_t same = shaped->rank == left->rank;
    for (int32_t axis = 0; same && axis < shaped->rank; axis++)
        same = shaped->shape[axis] < 0 || shaped->shape[axis] == left->shape[axis];
    return same ? NULL : shaped;
}
