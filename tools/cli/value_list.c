/* --value as a list of elements along an axis of the output.  SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "spec_problem.h"

/* A .png knows where its colours are. */
int pad_values_wanted(const pad_options *options)
{
    return options->value_axis.given ||
           (options->value && strchr(options->value, ',') && pad_is_picture(options));
}

static int32_t count_entries(const char *list)
{
    int32_t count = 1;
    for (; *list; list++) count += *list == ',';
    return count;
}

/* Reads the entries into made->value_memory. list: is written to. */
static int32_t parse_entries(pad_problem *made, char *list, int32_t count, const tpad_tensor *like)
{
    const size_t bytes = (size_t)like->elem_bits / 8;
    tpad_io_error error;
    for (int32_t i = 0; i < count; i++) {
        const size_t length = strcspn(list, ",");
        list[length] = 0;
        if (tpad_value_parse((char *)made->value_memory + (size_t)i * bytes, list, like, &error) !=
            TPAD_OK)
            return pad_refuse(made, error.code, "--value, entry %d: %s", (int)i + 1, error.text);
        list += length + 1;
    }
    return TPAD_OK;
}

/* One entry for each cell of the axis. A problem without a shape is refused when its plan is made. */
static int32_t check_extent(pad_problem *made, int32_t count, int32_t axis)
{
    int64_t extents[TPAD_MAX_RANK];
    if (tpad_shape(&made->problem, extents, NULL, NULL, NULL) != TPAD_OK || extents[axis] == count)
        return TPAD_OK;
    return pad_refuse(made, TPAD_E_SPEC_VALUE,
                      "--value has %d %s, but axis %d of the output has %lld cells: one entry for "
                      "each is needed",
                      (int)count, count == 1 ? "entry" : "entries", (int)axis,
                      (long long)extents[axis]);
}

int32_t pad_parse_values(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    int32_t axis = input->rank - 1;
    uint32_t seen = 0;
    if (options->value_axis.given) {
        const int32_t code =
            pad_find_axis(&axis, made, "--value-axis", input, options->value_axis.items[0], &seen);
        if (code != TPAD_OK) return code;
    }
    if (input->type == TPAD_ONNX_STRING || input->elem_bits % 8 != 0)
        return pad_refuse(made, TPAD_E_SPEC_VALUE,
                          "--value is one value for strings and for elements of less than a byte, "
                          "and no list along an axis");
    const int32_t count = count_entries(options->value);
    char *list = strdup(options->value);
    made->value_memory = calloc((size_t)count, (size_t)input->elem_bits / 8);
    int32_t code = list && made->value_memory ? parse_entries(made, list, count, input)
                                              : pad_refuse(made, TPAD_E_MEMORY, "out of memory");
    free(list);
    if (code != TPAD_OK) return code;
    made->fill.values = made->value_memory;
    made->fill.strides = made->fill_strides;
    made->fill_strides[axis] = input->elem_bits / 8;
    made->fill_axis = axis;
    return check_extent(made, count, axis);
}
