/* `--spec plain`: the words of `tensorpad pad` as the engine takes them.
 * SPDX-License-Identifier: MIT */
#include "error_report.h"
#include "spec_problem.h"

static int check_counts(const pad_options *options, const tpad_tensor *input, int32_t entries)
{
    const char *each = options->axes.given ? "one for each of --axes" : "one for each axis";
    if (options->axes.count > input->rank)
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: --axes has %d entries, but there are only %d axes", options->in,
                              (int)options->axes.count, (int)input->rank);
    if (options->begin.given && options->begin.count != entries)
        return pad_wrong_count(options, TPAD_E_SPEC_PADS, "--begin", options->begin.count, entries,
                               each);
    if (options->end.given && options->end.count != entries)
        return pad_wrong_count(options, TPAD_E_SPEC_PADS, "--end", options->end.count, entries,
                               each);
    if (options->pads.given && options->pads.count != 2 * entries)
        return pad_wrong_count(
            options, TPAD_E_SPEC_PADS, "--pads", options->pads.count, 2 * entries,
            options->axes.given ? "two for each of --axes" : "two for each axis");
    if (options->interior.given && options->interior.count != entries)
        return pad_wrong_count(options, TPAD_E_INTERIOR, "--interior", options->interior.count,
                               entries, each);
    if (options->modes.count > 1 && options->modes.count != entries)
        return pad_wrong_count(options, TPAD_E_MODE, "--mode", options->modes.count, entries, each);
    return EXIT_DONE;
}

int pad_make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    const int32_t entries = options->axes.given ? options->axes.count : input->rank;
    int32_t places[TPAD_MAX_RANK];
    uint32_t seen = 0;
    int status = check_counts(options, input, entries);

    for (int32_t i = 0; i < input->rank; i++)
        translation->axes[i] = (tpad_axis){.in_extent = input->shape[i], .order = options->order};
    for (int32_t k = 0; status == EXIT_DONE && k < entries; k++) {
        const int64_t wanted = options->axes.given ? options->axes.items[k] : k;
        status = pad_find_axis(&places[k], options, "--axes", input, wanted, &seen);
        if (status != EXIT_DONE) break;
        tpad_axis *axis = &translation->axes[places[k]];
        if (options->pads.given) {
            axis->before = options->pads.items[k];
            axis->after = options->pads.items[entries + k];
        }
        if (options->interior.given) axis->interior = options->interior.items[k];
        if (options->modes.given)
            axis->mode = (int32_t)options->modes.items[options->modes.count > 1 ? k : 0];
    }
    if (status == EXIT_DONE && pad_fit_wanted(options))
        status = pad_fit(translation->axes, options, input, places, entries);
    if (status == EXIT_DONE && options->value) status = pad_parse_value(made, options, input);
    translation->rank = input->rank;
    translation->elem_bits = input->elem_bits;
    translation->value = made->value_memory;
    pad_problem_finish(made, input);
    return status;
}
