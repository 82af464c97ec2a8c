/* `--spec onnx`: the words of `tensorpad pad` as the arguments of an ONNX Pad node.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "spec_problem.h"

static void reverse_bytes(unsigned char *bytes, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        unsigned char byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}

int32_t pad_make_onnx(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const tpad_onnx_version *version = tpad_onnx_version_for(options->spec.version);
    const int64_t pads_count = options->pads.count, axes_count = options->axes.count;
    const tpad_onnx_tensor pads = {TPAD_ONNX_INT64, 1, &pads_count, options->pads.items};
    const tpad_onnx_tensor axes = {TPAD_ONNX_INT64, 1, &axes_count, options->axes.items};
    tpad_onnx_tensor value = {input->type, 0, NULL, NULL};
    tpad_error error;
    int by_attributes = version->pads_attribute != NULL;
    int32_t code = TPAD_OK;

    if (input->type == 0)
        return pad_refuse(
            made, TPAD_E_SPEC_TYPE,
            "elements of type '%s' do not exist in ONNX; --dtype names what raw bytes "
            "are",
            tpad_tensor_type_text(input));
    tpad_onnx_pad pad = {
        .struct_size = sizeof pad,
        .opset = options->spec.version,
        .flags = options->lenient ? TPAD_ONNX_LENIENT : 0,
        .data = {input->type, input->rank, input->shape, NULL},
        .axes = options->axes.given ? &axes : NULL,
        .string_bytes = sizeof(tpad_string),
    };
    if (options->modes.given) pad.mode = tpad_mode_name((int32_t)options->modes.items[0]);
    if (options->value) {
        tpad_tensor like = *input;
        if (by_attributes) tpad_tensor_describe(&like, TPAD_ONNX_FLOAT, 0, NULL);
        code = pad_parse_value(made, options, &like);
        if (code != TPAD_OK) return code;
    }
    value.data = made->value_memory;
    if (!by_attributes) {
        pad.pads = &pads;
        if (options->value) pad.value = &value;
    } else {
        pad.attribute_value = made->value_memory;
        if (strcmp(version->pads_attribute, "paddings") == 0) {
            pad.attribute_paddings = options->pads.items;
            pad.attribute_paddings_count = options->pads.count;
        } else {
            pad.attribute_pads = options->pads.items;
            pad.attribute_pads_count = options->pads.count;
        }
    }
    if (tpad_onnx_translate(&made->translation, sizeof made->translation, &pad, &error) != TPAD_OK)
        return pad_refuse_core(made, &error);

    /* A value given as a tensor was parsed in the file's byte order. The dialect made this one in
     * native order. */
    if (by_attributes && input->big_endian)
        reverse_bytes(made->translation.fill, made->translation.fill_bytes);
    pad_problem_finish(made, input);
    return TPAD_OK;
}
