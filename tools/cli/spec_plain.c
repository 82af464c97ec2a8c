/* `--spec plain`: the words of `tensorpad pad` as the engine takes them.
 * SPDX-License-Identifier: MIT */
#include "spec_problem.h"

#include <stdio.h>

/* What the lists have entries for. */
static const char *entries_of(const pad_options *options)
{
    if (options->axes.given) return "of --axes";
    if (!pad_is_picture(options)) return "axis";
    return options->border.given ? "of height and width"
                                 : "of height, width and channels; --axes 0,1 leaves the channels "
                                   "alone";
}

static int32_t check_counts(pad_problem *made, const pad_options *options, const tpad_tensor *input,
                            int32_t entries)
{
    const struct {
        const char *option;
        const integers *list;
        int32_t code;
        int each;    /* how many entries for each */
        int for_all; /* 1: a single entry is for all */
    } lists[] = {{"--begin", &options->begin, TPAD_E_SPEC_PADS, 1, 0},
                 {"--end", &options->end, TPAD_E_SPEC_PADS, 1, 0},
                 {"--pads", &options->pads, TPAD_E_SPEC_PADS, 2, 0},
                 {"--border", &options->border, TPAD_E_SPEC_PADS, 1, 1},
                 {"--interior", &options->interior, TPAD_E_INTERIOR, 1, 0},
                 {"--mode", &options->modes, TPAD_E_MODE, 1, 1}};
    if (options->axes.count > input->rank)
        return pad_refuse(made, TPAD_E_SPEC_AXES,
                          "--axes has %d entries, but there are only %d axes",
                          (int)options->axes.count, (int)input->rank);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        char each[128];
        const int32_t count = lists[i].list->count, needed = lists[i].each * entries;
        if (!lists[i].list->given || count == needed || (lists[i].for_all && count == 1)) continue;
        snprintf(each, sizeof each, "%s for each %s%s", lists[i].each == 1 ? "one" : "two",
                 entries_of(options), lists[i].for_all ? ", or one for all" : "");
        return pad_wrong_count(made, lists[i].code, lists[i].option, count, needed, each);
    }
    return TPAD_OK;
}

/* How many axes the lists are for: a border leaves a picture's channels alone. */
static int32_t count_axes(const pad_options *options, const tpad_tensor *input)
{
    if (options->axes.given) return options->axes.count;
    return input->rank - (options->border.given && pad_is_picture(options));
}

int32_t pad_make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    const int32_t entries = count_axes(options, input);
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
        if (options->border.given)
            axis->before = axis->after = options->border.items[options->border.count > 1 ? k : 0];
        if (options->interior.given) axis->interior = options->interior.items[k];
        if (options->modes.given)
            axis->mode = (int32_t)options->modes.items[options->modes.count > 1 ? k : 0];
    }
    if (code == TPAD_OK && pad_fit_wanted(options))
        code = pad_fit(made, options, input, places, entries);
    const int is_list = pad_values_wanted(options);
    if (code == TPAD_OK && options->value && !is_list) code = pad_parse_value(made, options, input);
    translation->rank = input->rank;
    translation->elem_bits = input->elem_bits;
    translation->value = made->value_memory;
    pad_problem_finish(made, input);
    return code == TPAD_OK && is_list ? pad_parse_values(made, options, input) : code;
}
