/* What the specifications of `tensorpad pad` share.  SPDX-License-Identifier: MIT */
#include "spec_problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/fit.h>

const char *pad_subject(const pad_options *options)
{
    return options->in ? options->in : options->command;
}

int pad_is_picture(const pad_options *options)
{
    const char *ending = options->in ? strrchr(options->in, '.') : NULL;
    return ending && strcmp(ending, ".png") == 0;
}

int32_t pad_refuse(pad_problem *made, int32_t code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(made->reason, sizeof made->reason, format, list);
    va_end(list);
    made->error = (tpad_error){.code = code, .axis = -1};
    return code;
}

int32_t pad_refuse_core(pad_problem *made, const tpad_error *error)
{
    tpad_error_format(error, made->reason, sizeof made->reason);
    made->error = *error;
    return error->code;
}

int32_t pad_parse_value(pad_problem *made, const pad_options *options, const tpad_tensor *like)
{
    tpad_io_error error;
    made->value_memory = calloc(1, ((size_t)like->elem_bits + 7) / 8);
    if (made->value_memory == NULL) return pad_refuse(made, TPAD_E_MEMORY, "out of memory");
    if (tpad_value_parse(made->value_memory, options->value, like, &error) == TPAD_OK)
        return TPAD_OK;
    return pad_refuse(made, error.code, "--value: %s", error.text);
}

void pad_problem_finish(pad_problem *made, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    translation->flags |= TPAD_IN_STRIDES;
    for (int32_t i = 0; i < input->rank; i++) translation->axes[i].in_stride = input->strides[i];
    made->problem = tpad_translation_problem(translation);
    made->fill_axis = -1;
    made->fill = (tpad_fill){sizeof made->fill, tpad_translation_value(translation), NULL};
}

int32_t pad_wrong_count(pad_problem *made, int32_t code, const char *option, int32_t got,
                        int32_t entries, const char *each)
{
    return pad_refuse(made, code, "%s has %d entries, but %d are needed: %s", option, (int)got,
                      (int)entries, each);
}

int32_t pad_find_axis(int32_t *axis, pad_problem *made, const char *option,
                      const tpad_tensor *input, int64_t wanted, uint32_t *seen)
{
    if (wanted < -input->rank || wanted >= input->rank)
        return pad_refuse(made, TPAD_E_SPEC_AXES, "%s names axis %lld, but the axes are %d to %d",
                          option, (long long)wanted, -(int)input->rank, (int)input->rank - 1);
    *axis = (int32_t)(wanted < 0 ? wanted + input->rank : wanted);
    if (*seen & (1u << *axis))
        return pad_refuse(made, TPAD_E_SPEC_AXES,
                          "%s names axis %d twice: each axis may be named once", option,
                          (int)*axis);
    *seen |= 1u << *axis;
    return TPAD_OK;
}

void pad_problem_free(pad_problem *made)
{
    free(made->value_memory);
}

/* --value as a list of elements along an axis of the output. */

/* In a .png the axis of the colours is known. */
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

/* Reads the entries into made->value_memory. Modifies `list`. */
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

/* Checks for one entry per cell of the axis. A problem without a shape is refused at plan time.
 */
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

/* Sizes instead of amounts: --to, --multiple, --square, --align and --too-long, applied to an
 * array. */

int pad_fit_wanted(const pad_options *options)
{
    return options->to.given || options->multiple.given || options->square.given;
}

/* A list has one entry, which is for every axis, or one for each. */
static int64_t entry_of(const integers *list, int32_t k)
{
    return list->items[list->count > 1 ? k : 0];
}

static int32_t check_counts(pad_problem *made, const pad_options *options, int32_t entries)
{
    const struct {
        const char *option;
        const integers *list;
    } lists[] = {{"--to", &options->to},
                 {"--multiple", &options->multiple},
                 {"--align", &options->align},
                 {"--too-long", &options->too_long}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const integers *list = lists[i].list;
        if (!list->given || list->count == 1 || list->count == entries) continue;
        const char *each = "one for each axis, or one for all";
        if (options->axes.given) each = "one for each of --axes, or one for all";
        if (entries == 3 && list->count == 2)
            each = "one for each axis, or one for all; the height and width of a picture are "
                   "--axes 0,1";
        return pad_wrong_count(made, TPAD_E_SPEC_PADS, lists[i].option, list->count, entries, each);
    }
    return TPAD_OK;
}

/* Finds the two axes whose extents become equal. They must be among the axes of the lists, which
 * also say how the input is aligned. */
static int32_t find_square(tpad_fit *fit, pad_problem *made, const pad_options *options,
                           const tpad_tensor *input, const int32_t *places, int32_t entries)
{
    uint32_t chosen = 0, seen = 0;
    for (int32_t k = 0; k < entries; k++) chosen |= 1u << places[k];
    for (int i = 0; i < 2; i++) {
        const int32_t code = pad_find_axis(&fit->aspect_axes[i], made, "--square", input,
                                           options->square.items[i], &seen);
        if (code != TPAD_OK) return code;
        if (!(chosen & (1u << fit->aspect_axes[i])))
            return pad_refuse(made, TPAD_E_SPEC_AXES,
                              "--square names axis %d, which --axes does not name",
                              (int)fit->aspect_axes[i]);
        fit->aspect[i] = 1;
    }
    return TPAD_OK;
}

int32_t pad_fit(pad_problem *made, const pad_options *options, const tpad_tensor *input,
                const int32_t *places, int32_t entries)
{
    tpad_axis *axes = made->translation.axes;
    tpad_fit_axis requests[TPAD_MAX_RANK] = {{0}};
    tpad_fit fit = TPAD_FIT(input->rank, requests);
    tpad_error error;
    int32_t code = check_counts(made, options, entries);
    if (code != TPAD_OK) return code;
    for (int32_t k = 0; k < entries; k++) {
        tpad_fit_axis *request = &requests[places[k]];
        request->mode = axes[places[k]].mode;
        request->align = TPAD_ALIGN_CENTER;
        if (options->to.given && entry_of(&options->to, k) >= 0) {
            request->sized = 1;
            request->extent = entry_of(&options->to, k);
        }
        if (options->multiple.given) request->multiple = entry_of(&options->multiple, k);
        if (options->align.given) request->align = (int32_t)entry_of(&options->align, k);
        if (options->too_long.given) request->too_long = (int32_t)entry_of(&options->too_long, k);
    }
    if (options->square.given) code = find_square(&fit, made, options, input, places, entries);
    if (code == TPAD_OK && tpad_fit_amounts(&fit, NULL, axes, &error) != TPAD_OK)
        code = pad_refuse_core(made, &error);
    return code;
}
