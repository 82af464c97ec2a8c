/* Sizes instead of amounts: --to, --multiple, --square, --align and --too-long, applied to an array.
 * SPDX-License-Identifier: MIT */
#include <tensorpad/fit.h>

#include "spec_problem.h"

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

/* The two axes whose extents become equal. They must be among those that the lists speak of, which
 * say where the input then lies. */
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
    tpad_fit_axis wishes[TPAD_MAX_RANK] = {{0}};
    tpad_fit fit = TPAD_FIT(input->rank, wishes);
    tpad_error error;
    int32_t code = check_counts(made, options, entries);
    if (code != TPAD_OK) return code;
    for (int32_t k = 0; k < entries; k++) {
        tpad_fit_axis *wish = &wishes[places[k]];
        wish->mode = axes[places[k]].mode;
        wish->align = TPAD_ALIGN_CENTER;
        if (options->to.given && entry_of(&options->to, k) >= 0) {
            wish->sized = 1;
            wish->extent = entry_of(&options->to, k);
        }
        if (options->multiple.given) wish->multiple = entry_of(&options->multiple, k);
        if (options->align.given) wish->align = (int32_t)entry_of(&options->align, k);
        if (options->too_long.given) wish->too_long = (int32_t)entry_of(&options->too_long, k);
    }
    if (options->square.given) code = find_square(&fit, made, options, input, places, entries);
    if (code == TPAD_OK && tpad_fit_amounts(&fit, NULL, axes, &error) != TPAD_OK)
        code = pad_refuse_core(made, &error);
    return code;
}
