/* Reading a Pad node.  SPDX-License-Identifier: MIT
 *
 * Reads its arguments from the file and passes them to the dialect. It checks only whether they are
 * arguments of a Pad node. */
#include "formats/protobuf/onnx_fields.h"
#include "onnx.pb.h"
#include "onnx_file.h"
#include <string.h>

static int32_t keep_ints(tpad_model *model, tpad_string body, int64_t count, const int64_t **ints,
                         int32_t *ints_count, tpad_io_error *error)
{
    int64_t *items = tpad_arena_take(&model->arena, count, sizeof *items);
    if (!items) return tpad_no_memory(model, error);
    tpad_pb_Attribute again = {
        .ints = {.items = items, .room = count, .item_bytes = sizeof *items}};
    const char *why = tpad_wire_decode(tpad_pb_Attribute_fields, &again, body);
    if (why || again.ints.count != count || count > INT32_MAX)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: no valid ONNX model: %s", model->path,
                            why ? why : "a list is too long");
    *ints = items;
    *ints_count = (int32_t)count;
    return TPAD_OK;
}

static int32_t read_attribute(tpad_model *model, tpad_graph_pad *pad,
                              tpad_onnx_attributes *attributes, tpad_string body,
                              tpad_io_error *error)
{
    tpad_pb_Attribute attribute = {0};
    const char *why = tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, body);
    if (why)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: no valid ONNX model: %s", model->path, why);
    int32_t computed = attribute.ref_attr_name.length > 0;
    if (computed) {
        /* The attribute of the function's caller stands for it, under this name. */
        const tpad_string name = attribute.name;
        if (tpad_onnx_attribute_find(&body, pad->graph, pad->node, name) > 0) {
            attribute = (tpad_pb_Attribute){0};
            why = tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, body);
            attribute.name = name;
            computed = 0;
        }
    }
    const int32_t is_mode = tpad_string_is(attribute.name, "mode");
    const int32_t is_value = tpad_string_is(attribute.name, "value");
    const int32_t is_pads = tpad_string_is(attribute.name, "pads");
    const int32_t kind = is_mode ? KIND_STRING : is_value ? KIND_FLOAT : KIND_INTS;
    if (!is_mode && !is_value && !is_pads && !tpad_string_is(attribute.name, "paddings")) {
        attributes->wrong_name = 1;
        if (tpad_string_is(attribute.name, "axes")) attributes->has_axes = 1;
        pad->trouble = tpad_arena_format(&model->arena, "Pad has no attribute '%.*s'",
                                         TPAD_SHOW(attribute.name));
        return pad->trouble ? TPAD_OK : tpad_no_memory(model, error);
    }
    if (attribute.type && attribute.type != kind) {
        attributes->wrong_type = 1;
        if (is_value) attributes->wrong_value = 1;
        if (is_mode) attributes->wrong_mode = 1;
        pad->trouble = tpad_arena_format(&model->arena, "attribute '%.*s' must be %s",
                                         TPAD_SHOW(attribute.name),
                                         is_mode    ? "a string"
                                         : is_value ? "a float"
                                                    : "a list of integers");
        return pad->trouble ? TPAD_OK : tpad_no_memory(model, error);
    }
    if (is_mode) {
        attributes->mode_computed = (uint8_t)computed;
        return computed ? TPAD_OK : tpad_name_text(&attributes->mode, model, attribute.s, error);
    }
    if (is_value) {
        float *value = tpad_arena_take(&model->arena, 1, sizeof *value);
        if (!value) return tpad_no_memory(model, error);
        *value = attribute.f;
        attributes->value_computed = (uint8_t)computed;
        attributes->value = value;
        pad->value = computed ? NULL : value;
        pad->value_type = TPAD_ONNX_FLOAT;
        return TPAD_OK;
    }
    if (is_pads) attributes->pads_computed = (uint8_t)computed;
    if (!is_pads) attributes->paddings_computed = (uint8_t)computed;
    return keep_ints(model, body, attribute.ints.count,
                     is_pads ? &attributes->pads : &attributes->paddings,
                     is_pads ? &attributes->pads_count : &attributes->paddings_count, error);
}

/* Lists the attributes that only the caller of a function gives. */
static void list_computed(tpad_graph_pad *pad, const tpad_onnx_attributes *attributes)
{
    int32_t count = 0;
    if (attributes->mode_computed) pad->computed[count++] = "mode";
    if (attributes->pads_computed || attributes->paddings_computed) pad->computed[count++] = "pads";
    if (attributes->value_computed) pad->computed[count++] = "value";
}

int32_t tpad_onnx_read_pad(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    const tpad_onnx_message *message = tpad_message_of(pad->node);
    const tpad_onnx_version *version = tpad_onnx_version_for(pad->graph->opset);
    tpad_onnx_attributes *attributes = tpad_arena_take(&model->arena, 1, sizeof *attributes);
    if (!attributes) return tpad_no_memory(model, error);
    pad->attributes = attributes;
    for (int64_t i = 0; i < message->attributes.count; i++) {
        int32_t status =
            read_attribute(model, pad, attributes, message->attributes.items[i], error);
        if (status) return status;
    }
    for (int64_t i = 0; i < message->inputs.count && i < IN_COUNT; i++) {
        const tpad_string name = message->inputs.items[i];
        if (name.length == 0) continue;
        int32_t status = tpad_name_text(&pad->info.inputs[i], model, name, error);
        if (status) return status;
        pad->present[i] = 1;
        pad->inputs[i] = tpad_graph_find(pad->graph, name);
    }
    if (message->inputs.count > IN_COUNT) pad->trouble = "Pad has at most four inputs";
    if (!pad->present[IN_DATA]) pad->trouble = "input 'data' is missing";
    if (message->outputs.count != 1 || pad->node->output.length == 0)
        pad->trouble = "Pad has exactly one output";
    if (pad->node->output.length) pad->output = tpad_graph_find(pad->graph, pad->node->output);
    list_computed(pad, attributes);
    pad->info.spec = "onnx";
    pad->info.version = version ? version->since : 0;
    pad->info.mode = attributes->mode_computed ? NULL
                     : attributes->mode        ? attributes->mode
                                               : "constant";
    return tpad_name_text(&pad->info.output, model, pad->node->output, error);
}

static tpad_onnx_tensor as_onnx(const tpad_tensor *tensor)
{
    return (tpad_onnx_tensor){tensor->type, tensor->rank, tensor->shape, tensor->data};
}

int32_t tpad_onnx_translate_pad(tpad_translation *out, const tpad_graph_pad *pad,
                                const tpad_tensor *const in[IN_COUNT], int32_t lenient,
                                tpad_error *error)
{
    const tpad_onnx_attributes *attributes = tpad_attributes_of(pad);
    tpad_onnx_tensor tensors[IN_COUNT];
    for (int32_t i = 0; i < IN_COUNT; i++)
        if (in[i]) tensors[i] = as_onnx(in[i]);
    const tpad_onnx_pad node = {
        .struct_size = sizeof node,
        .opset = pad->graph->opset,
        .flags = lenient ? TPAD_ONNX_LENIENT : 0,
        .data = tensors[IN_DATA],
        .pads = in[IN_PADS] ? &tensors[IN_PADS] : NULL,
        .value = in[IN_VALUE] ? &tensors[IN_VALUE] : NULL,
        .axes = in[IN_AXES] ? &tensors[IN_AXES] : NULL,
        .mode = attributes->mode,
        .attribute_paddings = attributes->paddings,
        .attribute_pads = attributes->pads,
        .attribute_value = attributes->value,
        .attribute_paddings_count = attributes->paddings_count,
        .attribute_pads_count = attributes->pads_count,
        .string_bytes = (int32_t)sizeof(tpad_string),
    };
    return tpad_onnx_translate(out, sizeof *out, &node, error);
}
