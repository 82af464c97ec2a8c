/* Reading a Pad node.  SPDX-License-Identifier: MIT
 *
 * Owns its arguments as the file has them, and what graphs are called. Judges nothing but whether
 * they are a Pad node's. */
#include "model.h"
#include "onnx.pb.h"
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 1000 };

/* AttributeProto.type */
enum { KIND_FLOAT = 1, KIND_STRING = 3, KIND_INTS = 7 };

/* ---- Texts ----------------------------------------------------------------------------------- */

int32_t tpad_name_text(const char **text, tpad_model *model, tpad_string name, tpad_io_error *error)
{
    if (name.length && memchr(name.text, 0, (size_t)name.length))
        return tpad_io_fail(error, TPAD_E_FILE, "%s: a name with a NUL in it", model->path);
    *text = tpad_arena_text(&model->arena, name);
    return *text ? TPAD_OK : tpad_no_memory(model, error);
}

/* The path of the graph around it, the node that holds it ("If_3" where that has no name) and the
 * attribute; of a function its name. */
int32_t tpad_graph_name(tpad_model *model, tpad_graph *graph, tpad_io_error *error)
{
    tpad_arena *arena = &model->arena;
    if (graph->path) return TPAD_OK;
    if (!graph->is_function) {
        int32_t status = tpad_graph_name(model, graph->parent, error);
        if (status) return status;
    }
    const char *outer = graph->is_function ? "" : graph->parent->path;
    const tpad_string holder = graph->is_function ? (tpad_string){0} : graph->holder->name;
    /* Every graph has its own path: a long name shared by many would be a small file that takes
     * much memory. */
    if (graph->label.length + graph->domain.length + graph->overload.length + holder.length +
            (int64_t)strlen(outer) >
        PATH_BYTES)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: the path of a graph is longer than %d bytes, in node '%.*s'",
                            model->path, PATH_BYTES, TPAD_SHOW(holder));
    const char *slash = *outer ? "/" : "";
    const int label = (int)graph->label.length;
    const char *label_text = tpad_show_text(graph->label);
    char list[24] = "";
    if (graph->label_index >= 0)
        snprintf(list, sizeof list, "_%lld", (long long)graph->label_index);
    if (graph->is_function)
        graph->path = tpad_arena_format(
            arena, "function:%.*s:%.*s%s%.*s", (int)graph->domain.length,
            tpad_show_text(graph->domain), label, label_text, graph->overload.length ? ":" : "",
            (int)graph->overload.length, tpad_show_text(graph->overload));
    else if (holder.length)
        graph->path = tpad_arena_format(arena, "%s%s%.*s/%.*s%s", outer, slash, (int)holder.length,
                                        holder.text, label, label_text, list);
    else
        graph->path = tpad_arena_format(
            arena, "%s%s%.*s_%lld/%.*s%s", outer, slash, TPAD_SHOW(graph->holder->op_type),
            (long long)(graph->holder - graph->parent->nodes), label, label_text, list);
    return graph->path ? TPAD_OK : tpad_no_memory(model, error);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

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

static int32_t read_attribute(tpad_model *model, tpad_pad *pad, tpad_string body,
                              tpad_io_error *error)
{
    tpad_pb_Attribute attribute = {0};
    const char *why = tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, body);
    if (why)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: no valid ONNX model: %s", model->path, why);
    const int32_t computed = attribute.ref_attr_name.length > 0;
    const int32_t is_mode = tpad_string_is(attribute.name, "mode");
    const int32_t is_value = tpad_string_is(attribute.name, "value");
    const int32_t is_pads = tpad_string_is(attribute.name, "pads");
    const int32_t kind = is_mode ? KIND_STRING : is_value ? KIND_FLOAT : KIND_INTS;
    if (!is_mode && !is_value && !is_pads && !tpad_string_is(attribute.name, "paddings")) {
        pad->trouble = tpad_arena_format(&model->arena, "Pad has no attribute '%.*s'",
                                         TPAD_SHOW(attribute.name));
        return pad->trouble ? TPAD_OK : tpad_no_memory(model, error);
    }
    if (attribute.type && attribute.type != kind) {
        pad->trouble = tpad_arena_format(&model->arena, "attribute '%.*s' must be %s",
                                         TPAD_SHOW(attribute.name),
                                         is_mode    ? "a string"
                                         : is_value ? "a float"
                                                    : "a list of integers");
        return pad->trouble ? TPAD_OK : tpad_no_memory(model, error);
    }
    if (is_mode) {
        pad->mode_computed = (uint8_t)computed;
        return computed ? TPAD_OK : tpad_name_text(&pad->mode, model, attribute.s, error);
    }
    if (is_value) {
        float *value = tpad_arena_take(&model->arena, 1, sizeof *value);
        if (!value) return tpad_no_memory(model, error);
        *value = attribute.f;
        pad->value_computed = (uint8_t)computed;
        pad->value = value;
        return TPAD_OK;
    }
    if (is_pads) pad->pads_computed = (uint8_t)computed;
    if (!is_pads) pad->paddings_computed = (uint8_t)computed;
    return keep_ints(model, body, attribute.ints.count, is_pads ? &pad->pads : &pad->paddings,
                     is_pads ? &pad->pads_count : &pad->paddings_count, error);
}

int32_t tpad_pad_read(tpad_model *model, tpad_pad *pad, tpad_io_error *error)
{
    const tpad_node *node = pad->node;
    for (int64_t i = 0; i < node->attributes.count; i++) {
        int32_t status = read_attribute(model, pad, node->attributes.items[i], error);
        if (status) return status;
    }
    for (int64_t i = 0; i < node->inputs.count && i < IN_COUNT; i++) {
        const tpad_string name = node->inputs.items[i];
        if (name.length == 0) continue;
        int32_t status = tpad_name_text(&pad->shown.inputs[i], model, name, error);
        if (status) return status;
        pad->present[i] = 1;
        pad->inputs[i] = tpad_graph_find(pad->graph, name);
    }
    if (node->inputs.count > IN_COUNT) pad->trouble = "Pad has at most four inputs";
    if (!pad->present[IN_DATA]) pad->trouble = "input 'data' is missing";
    if (node->outputs.count != 1 || node->outputs.items[0].length == 0)
        pad->trouble = "Pad has exactly one output";
    const tpad_string none = {0};
    return tpad_name_text(&pad->shown.output, model,
                          node->outputs.count ? node->outputs.items[0] : none, error);
}

void tpad_pad_begin(tpad_onnx_pad *out, const tpad_pad *pad, int32_t flags)
{
    *out = (tpad_onnx_pad){
        .struct_size = sizeof *out,
        .opset = pad->graph->opset,
        .flags = flags,
        .mode = pad->mode,
        .attribute_paddings = pad->paddings,
        .attribute_pads = pad->pads,
        .attribute_value = pad->value,
        .attribute_paddings_count = pad->paddings_count,
        .attribute_pads_count = pad->pads_count,
        .string_bytes = (int32_t)sizeof(tpad_string),
    };
}
