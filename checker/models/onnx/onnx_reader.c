/* Reads an ONNX model.  SPDX-License-Identifier: MIT
 *
 * Reads the operator sets and the list of functions; onnx_graph.c reads the graphs. */
#include "onnx.pb.h"
#include "onnx_file.h"

#define FIRST_IR_WITH_OPSETS      3
#define FIRST_IR_WITH_OPEN_INPUTS 4

static int32_t damaged(const tpad_model *model, const char *why, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid ONNX model: %s", model->path, why);
}

static int32_t is_own_domain(tpad_string domain)
{
    return tpad_string_is(domain, "") || tpad_string_is(domain, "ai.onnx");
}

/* The version of ONNX's own domain among the imports, or 0. */
static int32_t find_opset(const tpad_model *model, const tpad_strings *imports, int32_t *opset,
                          tpad_io_error *error)
{
    int32_t seen = 0;
    for (int64_t i = 0; i < imports->count; i++) {
        tpad_pb_OpsetId import = {0};
        const char *why = tpad_wire_decode(tpad_pb_OpsetId_fields, &import, imports->items[i]);
        if (why) return damaged(model, why, error);
        if (!is_own_domain(import.domain)) continue;
        if (import.version < 1 || import.version > INT32_MAX)
            return tpad_io_fail(error, TPAD_E_FILE, "%s: imports opset %lld, which cannot exist",
                                model->path, (long long)import.version);
        if (seen && *opset != (int32_t)import.version)
            return tpad_io_fail(error, TPAD_E_FILE, "%s: imports two opsets, %d and %lld",
                                model->path, (int)*opset, (long long)import.version);
        *opset = (int32_t)import.version;
        seen = 1;
    }
    return TPAD_OK;
}

/* Notes the imported versions of domains that runtimes only know in some versions. */
static void note_domains(tpad_model *model, const tpad_strings *imports)
{
    static const char *const domains[] = {
        "com.microsoft",    "com.microsoft.nchwc",      "com.microsoft.experimental",
        "ai.onnx.training", "ai.onnx.preview.training", "org.pytorch.aten",
    };
    for (int64_t i = 0; i < imports->count; i++) {
        tpad_pb_OpsetId import = {0};
        if (tpad_wire_decode(tpad_pb_OpsetId_fields, &import, imports->items[i])) continue;
        const int32_t version = import.version < 0           ? 0
                                : import.version < INT32_MAX ? (int32_t)import.version
                                                             : INT32_MAX;
        if (tpad_string_is(import.domain, "ai.onnx.ml") && version > model->ml_opset)
            model->ml_opset = version;
        for (size_t k = 0; k < sizeof domains / sizeof *domains; k++)
            if (tpad_string_is(import.domain, domains[k]) && version > model->own_opset)
                model->own_opset = version;
    }
}

static int32_t read_function(tpad_model *model, tpad_graph *graph, tpad_string body,
                             tpad_io_error *error)
{
    tpad_pb_Function message = {0};
    const char *why = tpad_wire_decode(tpad_pb_Function_fields, &message, body);
    if (why) return damaged(model, why, error);
    graph->is_function = 1;
    graph->label_index = -1;
    graph->label = message.name;
    graph->domain = message.domain;
    graph->overload = message.overload;
    graph->is_hidden = is_own_domain(message.domain);
    tpad_pb_Function again = {.opset_import = message.opset_import};
    if (!tpad_strings_reserve(&model->arena, &again.opset_import))
        return tpad_no_memory(model, error);
    why = tpad_wire_decode(tpad_pb_Function_fields, &again, body);
    if (why || again.opset_import.count != again.opset_import.room)
        return damaged(model, why ? why : "it changes while it is read", error);
    /* A function must have imports. If it has none, the model's are the best guess. */
    graph->opset = model->top->opset;
    note_domains(model, &again.opset_import);
    int32_t status = find_opset(model, &again.opset_import, &graph->opset, error);
    return status ? status : tpad_graph_read(model, graph, body, error);
}

static int32_t read_functions(tpad_model *model, const tpad_strings *functions,
                              tpad_io_error *error)
{
    tpad_graph **last = &model->functions;
    for (int64_t i = 0; i < functions->count; i++) {
        tpad_graph *graph = tpad_arena_take(&model->arena, 1, sizeof *graph);
        if (!graph) return tpad_no_memory(model, error);
        *last = graph;
        last = &graph->next;
        int32_t status = read_function(model, graph, functions->items[i], error);
        if (status) return status;
    }
    return TPAD_OK;
}

static int32_t read_model(tpad_model *model, tpad_io_error *error)
{
    const tpad_string body = {(const char *)model->bytes.data, model->bytes.count};
    tpad_pb_Model message = {0};
    const char *why = tpad_wire_decode(tpad_pb_Model_fields, &message, body);
    if (why) return damaged(model, why, error);
    if (!message.graph.text) return damaged(model, "it has no graph", error);
    tpad_pb_Model again = {.opset_import = message.opset_import, .functions = message.functions};
    if (!tpad_strings_reserve(&model->arena, &again.opset_import) ||
        !tpad_strings_reserve(&model->arena, &again.functions))
        return tpad_no_memory(model, error);
    why = tpad_wire_decode(tpad_pb_Model_fields, &again, body);
    if (why || again.opset_import.count != again.opset_import.room ||
        again.functions.count != again.functions.room)
        return damaged(model, why ? why : "it changes while it is read", error);

    tpad_graph *top = tpad_arena_take(&model->arena, 1, sizeof *top);
    if (!top) return tpad_no_memory(model, error);
    model->top = top;
    top->label_index = -1;
    top->path = "";
    model->ir_version = message.ir_version < 0           ? 0
                        : message.ir_version < INT32_MAX ? (int32_t)message.ir_version
                                                         : INT32_MAX;
    model->inputs_are_open = message.ir_version >= FIRST_IR_WITH_OPEN_INPUTS;
    note_domains(model, &again.opset_import);
    /* Files older than imports have opset 1. */
    top->opset = message.ir_version < FIRST_IR_WITH_OPSETS && again.opset_import.count == 0;
    int32_t status = find_opset(model, &again.opset_import, &top->opset, error);
    if (!status) status = tpad_graph_read(model, top, message.graph, error);
    return status ? status : read_functions(model, &again.functions, error);
}

static const tpad_format onnx = {
    .kind = FORMAT_ONNX,
    .title = "ONNX",
    .runnable = "Pad and Constant nodes",
    .arguments = {"data", "pads", "constant_value", "axes"},
    .value_input = IN_VALUE,
    .types = {TYPE_OF_DATA, TPAD_ONNX_INT64, TYPE_OF_DATA, 0},
    .load = tpad_onnx_load,
    .translate = tpad_onnx_translate_pad,
    .read_pad = tpad_onnx_read_pad,
    .describe_pad = tpad_onnx_describe_pad,
    .fill_placeholders = tpad_onnx_fill_placeholders,
    .runtimes = {"ort", "openvino"},
    .describe_facts = tpad_onnx_describe_facts,
    .input_count = tpad_onnx_input_count,
    .node_input = tpad_onnx_node_input,
    .node_output = tpad_onnx_node_output,
    .attribute = tpad_onnx_attribute,
};

int32_t tpad_onnx_read(tpad_model *model, tpad_io_error *error)
{
    model->format = &onnx;
    const int32_t status = tpad_model_open(model, error);
    return status ? status : read_model(model, error);
}
