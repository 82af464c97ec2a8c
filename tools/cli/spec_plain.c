/* `--spec plain`: the words of `tensorpad pad` as the engine takes them.
 * SPDX-License-Identifier: MIT */
#include "spec_problem.h"

#include <string.h>

/* 1 if the input is a picture, whose channels nobody means to pad. */
static int is_picture(const pad_options *options)
{
    const char *ending = options->in ? strrchr(options->in, '.') : NULL;
    return ending && strcmp(ending, ".png") == 0;
}

static int32_t check_counts(pad_problem *made, const pad_options *options, const tpad_tensor *input,
                            int32_t entries)
{
    const char *each = options->axes.given ? "one for each of --axes"
                       : is_picture(options)
                           ? "one for each of height, width and channels; --axes 0,1 leaves the "
                             "channels alone"
                           : "one for each axis";
    if (options->axes.count > input->rank)
        return pad_refuse(made, TPAD_E_SPEC_AXES,
                          "--axes has %d entries, but there are only %d axes",
                          (int)options->axes.count, (int)input->rank);
    if (options->begin.given && options->begin.count != entries)
        return pad_wrong_count(made, TPAD_E_SPEC_PADS, "--begin", options->begin.count, entries,
                               each);
    if (options->end.given && options->end.count != entries)
        return pad_wrong_count(made, TPAD_E_SPEC_PADS, "--end", options->end.count, entries, each);
    if (options->pads.given && options->pads.count != 2 * entries)
        return pad_wrong_count(made, TPAD_E_SPEC_PADS, "--pads", options->pads.count, 2 * entries,
                               options->axes.given ? "two for each of --axes"
                               : is_picture(options)
                                   ? "two for each of height, width and channels; --axes 0,1 "
                                     "leaves the channels alone"
                                   : "two for each axis");
    if (options->interior.given && options->interior.count != entries)
        return pad_wrong_count(made, TPAD_E_INTERIOR, "--interior", options->interior.count,
                               entries, each);
    if (options->modes.count > 1 && options->modes.count != entries)
        return pad_wrong_count(made, TPAD_E_MODE, "--mode", options->modes.count, entries, each);
    return TPAD_OK;
}

int32_t pad_make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    const int32_t entries = options->axes.given ? options->axes.count : input->rank;
    int32_t places[TPAD_MAX_RANK];
    uint32_t seen = 0;
    int32_t code = check_counts(made, options, input, entries);

    for (int32_t i = 0; i < input->rank; i++)
        translation->axes[i] = (tpad_axis){.in_extent = input->shape[i], .order = options->order};
    for (int32_t k = 0; code == TPAD_OK && k < entries; k++) {
        const int64_t wanted = options->axes.given ? options->axes.items[k] : k;
        code = pad_find_axis(&places[k], made, "--axes", input, wanted, &seen);
        if (code != TPAD_OK) break;
        tpad_axis *axis = &translation->axes[places[k]];
        if (options->pads.given) {
            axis->before = options->pads.items[k];
            axis->after = options->pads.items[entries + k];
        }
        if (options->interior.given) axis->interior = options->interior.items[k];
        if (options->modes.given)
            axis->mode = (int32_t)options->modes.items[options->modes.count > 1 ? k : 0];
    }
    if (code == TPAD_OK && pad_fit_wanted(options))
        code = pad_fit(made, options, input, places, entries);
    if (code == TPAD_OK && options->value) code = pad_parse_value(made, options, input);
    translation->rank = input->rank;
    translation->elem_bits = input->elem_bits;
    translation->value = made->value_memory;
    pad_problem_finish(made, input);
    return code;
}
