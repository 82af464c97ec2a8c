/* `--spec ngraph`: the words of `tensorpad pad` as the arguments of an nGraph Pad.
 * SPDX-License-Identifier: MIT */
#include "mode_names.h"
#include "spec_problem.h"

/* The document's name of a mode, or NULL if it does not have the mode. */
static const char *mode_word(int32_t mode)
{
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++)
        if (tpad_ngraph_mode_at(i)->mode == mode) return tpad_ngraph_mode_at(i)->word;
    return NULL;
}

int32_t pad_make_ngraph(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int64_t zeros[TPAD_MAX_RANK] = {0};
    tpad_ngraph_tensor value = {input->type, 0, NULL, NULL};
    tpad_error error;
    const int32_t mode = options->modes.given ? (int32_t)options->modes.items[0] : TPAD_CONSTANT;

    if (input->type == TPAD_ONNX_STRING)
        return pad_refuse(made, TPAD_E_SPEC_TYPE, "nGraph has no elements of type string");
    if (options->value == NULL)
        return pad_refuse(
            made, TPAD_E_SPEC_INPUT,
            "nGraph Pad requires arg_pad_value in every mode, it has no default: give "
            "--value");
    if (mode_word(mode) == NULL) {
        char modes[MODES_BYTES];
        modes_list(modes, modes_of_ngraph(), "and");
        return pad_refuse(made, TPAD_E_SPEC_MODE, "nGraph Pad has no mode '%s': it has %s",
                          tpad_mode_name(mode), modes);
    }
    const int32_t code = pad_parse_value(made, options, input);
    if (code != TPAD_OK) return code;
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
        return pad_refuse_core(made, &error);

    pad_problem_finish(made, input);
    return TPAD_OK;
}
