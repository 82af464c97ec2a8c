/* `--spec ngraph`: the words of `tensorpad pad` as the arguments of an nGraph Pad.
 * SPDX-License-Identifier: MIT */
#include "error_report.h"
#include "mode_names.h"
#include "spec_problem.h"

/* The document's name of a mode, or NULL if it does not have the mode. */
static const char *mode_word(int32_t mode)
{
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++)
        if (tpad_ngraph_mode_at(i)->mode == mode) return tpad_ngraph_mode_at(i)->word;
    return NULL;
}

int pad_make_ngraph(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int64_t zeros[TPAD_MAX_RANK] = {0};
    tpad_ngraph_tensor value = {input->type, 0, NULL, NULL};
    tpad_error error;
    const int32_t mode = options->modes.given ? (int32_t)options->modes.items[0] : TPAD_CONSTANT;

    if (input->type == TPAD_ONNX_STRING)
        return report_refusal(TPAD_E_SPEC_TYPE, options->in,
                              "%s: nGraph has no elements of type string: --spec onnx pads them",
                              options->in);
    if (options->value == NULL)
        return report_refusal(TPAD_E_SPEC_INPUT, options->in,
                              "%s: nGraph Pad requires arg_pad_value in every mode, it has no "
                              "default: give --value",
                              options->in);
    if (mode_word(mode) == NULL) {
        char modes[MODES_BYTES];
        modes_list(modes, modes_of_ngraph(), "and");
        return report_refusal(TPAD_E_SPEC_MODE, options->in,
                              "%s: nGraph Pad has no mode '%s': it has %s; --spec plain has all",
                              options->in, tpad_mode_name(mode), modes);
    }
    int status = pad_parse_value(made, options, input);
    if (status != EXIT_DONE) return status;
    value.data = made->value_memory;

    tpad_ngraph_pad pad = {
        .struct_size = sizeof pad,
        .arg = {input->type, input->rank, input->shape, NULL},
        .arg_pad_value = &value,
        .padding_below = zeros,
        .padding_above = zeros,
        .padding_below_count = input->rank,
        .padding_above_count = input->rank,
        .padding_interior = options->interior.items,
        .padding_interior_count = options->interior.count,
        .elem_bits = input->elem_bits,
        .pad_mode = mode_word(mode),
    };
    if (options->pads.given) {
        const int32_t count = options->pads.count / 2;
        pad.padding_below = options->pads.items;
        pad.padding_above = options->pads.items + count;
        pad.padding_below_count = pad.padding_above_count = count;
    }
    if (tpad_ngraph_translate(&made->translation, sizeof made->translation, &pad, &error) !=
        TPAD_OK)
        return report_core(&error, options->in);

    pad_problem_finish(made, input);
    return EXIT_DONE;
}
