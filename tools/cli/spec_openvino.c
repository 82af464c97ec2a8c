/* `--spec openvino`: the words of `tensorpad pad` as the arguments of an OpenVINO Pad layer.
 * SPDX-License-Identifier: MIT */
#include "spec_problem.h"

int32_t pad_make_openvino(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int64_t count = options->pads.count / 2;
    const tpad_openvino_tensor begin = {TPAD_OPENVINO_I64, 1, &count, options->pads.items};
    const tpad_openvino_tensor end = {TPAD_OPENVINO_I64, 1, &count, options->pads.items + count};
    const int32_t type = tpad_type_to_openvino(input->type);
    tpad_error error;
    int32_t code = TPAD_OK;
    if (type == 0)
        return pad_refuse(made, TPAD_E_SPEC_TYPE,
                          "elements of type '%s' do not exist in OpenVINO; --dtype names what raw "
                          "bytes are",
                          tpad_tensor_type_text(input));
    if (options->value) code = pad_parse_value(made, options, input);
    if (code != TPAD_OK) return code;
    const tpad_openvino_tensor value = {type, 0, NULL, made->value_memory};
    const tpad_openvino_pad pad = {
        .struct_size = sizeof pad,
        .opset = options->spec.version,
        .flags = options->lenient ? TPAD_OPENVINO_LENIENT : 0,
        .data = {type, input->rank, input->shape, NULL},
        .begin = &begin,
        .end = &end,
        .value = options->value ? &value : NULL,
        .mode = options->modes.given ? tpad_mode_name((int32_t)options->modes.items[0])
                                     : tpad_mode_name(TPAD_CONSTANT),
        .string_bytes = sizeof(tpad_string),
    };
    if (tpad_openvino_translate(&made->translation, sizeof made->translation, &pad, &error) !=
        TPAD_OK)
        return pad_refuse_core(made, &error);
    pad_problem_finish(made, input);
    return TPAD_OK;
}
