/* `--spec mli-chw`, `--spec mli-hwc`: the words of `tensorpad pad` as a call of MLI's padding2d.
 * SPDX-License-Identifier: MIT */
#include "spec_problem.h"

/* Refuses what the document has no word for: other modes and values. */
static int32_t check_zeros(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int32_t mode = options->modes.given ? (int32_t)options->modes.items[0] : TPAD_CONSTANT;
    int32_t code = TPAD_OK;
    if (mode != TPAD_CONSTANT)
        return pad_refuse(made, TPAD_E_SPEC_MODE,
                          "mode '%s': MLI pads with zeros only; --spec plain has the other modes",
                          tpad_mode_name(mode));
    if (!options->value) return TPAD_OK;
    code = pad_parse_value(made, options, input);
    const unsigned char *value = made->value_memory;
    for (int32_t i = 0; code == TPAD_OK && i < input->elem_bits / 8; i++)
        if (value[i] != 0)
            code =
                pad_refuse(made, TPAD_E_SPEC_VALUE,
                           "value %s: MLI pads with zeros only; --spec plain pads with any value",
                           options->value);
    return code;
}

static int32_t find_type(int32_t *type, pad_problem *made, const tpad_tensor *input)
{
    if (input->type == TPAD_ONNX_INT8 || input->type == TPAD_ONNX_INT16) {
        *type = input->type == TPAD_ONNX_INT8 ? TPAD_MLI_FX8 : TPAD_MLI_FX16;
        return TPAD_OK;
    }
    return pad_refuse(made, TPAD_E_SPEC_TYPE,
                      "elements of type '%s': MLI's padding2d has fx8 (int8) and fx16 (int16); "
                      "--spec plain pads any type",
                      tpad_tensor_type_text(input));
}

/* Reads the amounts. Two entries in a list are height and width, as in MLI's configuration; three
 * are one for each axis. The channels are never padded. */
static int32_t read_amounts(tpad_mli_padding2d *call, pad_problem *made, const pad_options *options,
                            const tpad_mli_limits *limits)
{
    const int32_t count = options->pads.count / 2, each = count == 3;
    const int64_t *begin = options->pads.items, *end = begin + count;
    if (count != 2 && count != limits->rank)
        return pad_refuse(made, TPAD_E_SPEC_PADS,
                          "--begin and --end have %d entries, but MLI takes 2 (height, width) or 3 "
                          "(one for each axis, 0 for the channels)",
                          (int)count);
    if (each && (begin[limits->channels] != 0 || end[limits->channels] != 0))
        return pad_refuse(
            made, TPAD_E_AMOUNT,
            "axis %d: the channels (before %lld, after %lld) cannot be padded in MLI: "
            "0 is all they take; --spec plain pads every axis",
            (int)limits->channels, (long long)begin[limits->channels],
            (long long)end[limits->channels]);
    call->top = begin[each ? limits->height : 0];
    call->bottom = end[each ? limits->height : 0];
    call->left = begin[each ? limits->width : 1];
    call->right = end[each ? limits->width : 1];
    return TPAD_OK;
}

static int32_t make(pad_problem *made, const pad_options *options, const tpad_tensor *input,
                    int32_t layout)
{
    tpad_error error;
    tpad_mli_padding2d call = {
        .struct_size = sizeof call, .layout = layout, .rank = input->rank, .shape = input->shape};
    int32_t code = find_type(&call.type, made, input);
    if (code == TPAD_OK) code = check_zeros(made, options, input);
    if (code == TPAD_OK) code = read_amounts(&call, made, options, tpad_mli_limits_at(layout));
    if (code != TPAD_OK) return code;
    if (tpad_mli_translate(&made->translation, sizeof made->translation, &call, &error) != TPAD_OK)
        return pad_refuse_core(made, &error);
    pad_problem_finish(made, input);
    return TPAD_OK;
}

int32_t pad_make_mli_chw(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    return make(made, options, input, TPAD_MLI_CHW);
}

int32_t pad_make_mli_hwc(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    return make(made, options, input, TPAD_MLI_HWC);
}
