/* `--spec plain`: the words of `tensorpad pad` as the engine takes them.
 * SPDX-License-Identifier: MIT */
#include "pad_problem.h"
#include "report.h"

static int wrong_count(const pad_options *options, int32_t code, const char *option, int32_t got,
                       int32_t entries, const char *each)
{
    return report_refusal(code, options->in, "%s: %s has %d entries, but %d are needed: %s",
                          options->in, option, (int)got, (int)entries, each);
}

static int check_counts(const pad_options *options, const tpad_tensor *input, int32_t entries)
{
    const char *each = options->axes.given ? "one for each of --axes" : "one for each axis";
    if (options->axes.count > input->rank)
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: --axes has %d entries, but there are only %d axes", options->in,
                              (int)options->axes.count, (int)input->rank);
    if (options->begin.given && options->begin.count != entries)
        return wrong_count(options, TPAD_E_SPEC_PADS, "--begin", options->begin.count, entries,
                           each);
    if (options->end.given && options->end.count != entries)
        return wrong_count(options, TPAD_E_SPEC_PADS, "--end", options->end.count, entries, each);
    if (options->pads.given && options->pads.count != 2 * entries)
        return wrong_count(options, TPAD_E_SPEC_PADS, "--pads", options->pads.count, 2 * entries,
                           options->axes.given ? "two for each of --axes" : "two for each axis");
    if (options->interior.given && options->interior.count != entries)
        return wrong_count(options, TPAD_E_INTERIOR, "--interior", options->interior.count, entries,
                           each);
    if (options->modes.count > 1 && options->modes.count != entries)
        return wrong_count(options, TPAD_E_MODE, "--mode", options->modes.count, entries, each);
    return EXIT_DONE;
}

/* Finds the axis that entry k of the lists is for. */
static int find_axis(int32_t *axis, const pad_options *options, const tpad_tensor *input, int32_t k,
                     uint32_t *seen)
{
    int64_t wanted = options->axes.given ? options->axes.items[k] : k;
    if (wanted < -input->rank || wanted >= input->rank)
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: --axes names axis %lld, but the axes are %d to %d", options->in,
                              (long long)wanted, -(int)input->rank, (int)input->rank - 1);
    *axis = (int32_t)(wanted < 0 ? wanted + input->rank : wanted);
    if (*seen & (1u << *axis))
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: --axes names axis %d twice: once each is allowed", options->in,
                              (int)*axis);
    *seen |= 1u << *axis;
    return EXIT_DONE;
}

int pad_make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    const int32_t entries = options->axes.given ? options->axes.count : input->rank;
    uint32_t seen = 0;
    int status = check_counts(options, input, entries);

    for (int32_t i = 0; i < input->rank; i++)
        translation->axes[i] = (tpad_axis){.in_extent = input->shape[i], .order = options->order};
    for (int32_t k = 0; status == EXIT_DONE && k < entries; k++) {
        int32_t at = 0;
        status = find_axis(&at, options, input, k, &seen);
        if (status != EXIT_DONE) break;
        tpad_axis *axis = &translation->axes[at];
        if (options->pads.given) {
            axis->before = options->pads.items[k];
            axis->after = options->pads.items[entries + k];
        }
        if (options->interior.given) axis->interior = options->interior.items[k];
        if (options->modes.given)
            axis->mode = (int32_t)options->modes.items[options->modes.count > 1 ? k : 0];
    }
    if (status == EXIT_DONE && options->value) status = pad_parse_value(made, options, input);
    translation->rank = input->rank;
    translation->elem_bits = input->elem_bits;
    translation->value = made->value_memory;
    pad_problem_finish(made, input);
    return status;
}
