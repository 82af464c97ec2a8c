/* Pad layers of an IR. SPDX-License-Identifier: MIT
 *
 * Reads a layer's arguments from the file, describes them, replaces unknown ones by placeholders,
 * and passes them to src/specs. Checks only that they are arguments of a Pad. */
#include <string.h>

#include "ir.h"
#include "models/graph/pads.h"

enum { LEGACY_OPSET = 1 };

/* ---- Reading --------------------------------------------------------------------------------- */

/* The number of "opset12"; 0 for any other text. Old files have none: their Pad is the first. */
static int32_t opset_of(const ir_layer *layer)
{
    const size_t length = strlen("opset");
    int64_t number;
    if (layer->version.length == 0) return LEGACY_OPSET;
    if (layer->version.length <= (int64_t)length ||
        memcmp(layer->version.text, "opset", length) != 0)
        return 0;
    const tpad_string digits = {layer->version.text + length,
                                layer->version.length - (int64_t)length};
    return tpad_ir_integer(&number, digits) && number > 0 && number <= INT32_MAX ? (int32_t)number
                                                                                 : 0;
}

/* Modes are read in upper or lower case. Any other text stays as it is: inspect prints it. */
static int32_t read_mode(tpad_model *model, ir_pad *attributes, tpad_string text,
                         tpad_io_error *error)
{
    if (!text.text) return TPAD_OK;
    char *mode = tpad_arena_text(&model->arena, text);
    if (!mode) return tpad_no_memory(model, error);
    for (char *c = mode; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    attributes->mode = tpad_mode_from_name(mode) >= 0 ? mode : text.text;
    return TPAD_OK;
}

/* The lists and the value that old files have as attributes. */
static int32_t read_attributes(tpad_model *model, tpad_graph_pad *pad, ir_pad *attributes,
                               tpad_io_error *error)
{
    const ir_layer *layer = pad->node->payload;
    const tpad_string begin = tpad_ir_attribute(layer, ATTR_PADS_BEGIN);
    const tpad_string end = tpad_ir_attribute(layer, ATTR_PADS_END);
    const tpad_string value = tpad_ir_attribute(layer, ATTR_PAD_VALUE);
    if (!begin.text || !end.text || layer->in.count > 1) return TPAD_OK;
    int64_t *lists = tpad_arena_take(&model->arena, 2 * TPAD_MAX_RANK, sizeof *lists);
    int64_t *element = tpad_arena_take(&model->arena, 2, sizeof *element);
    if (!lists || !element) return tpad_no_memory(model, error);
    attributes->begin = lists;
    attributes->end = lists + TPAD_MAX_RANK;
    if (!tpad_ir_integers(lists, TPAD_MAX_RANK, &attributes->begin_count, begin) ||
        !tpad_ir_integers(lists + TPAD_MAX_RANK, TPAD_MAX_RANK, &attributes->end_count, end))
        pad->trouble = "attribute pads_begin or pads_end is not a list of whole numbers";
    if (!value.text) return TPAD_OK;
    tpad_tensor like;
    const int32_t type = pad->inputs[IN_DATA] ? pad->inputs[IN_DATA]->type : 0;
    tpad_tensor_describe(&like, type ? type : TPAD_ONNX_FLOAT, 0, NULL);
    if (tpad_value_parse(element, value.text, &like, NULL) != TPAD_OK)
        pad->trouble = "attribute pad_value is not a value of the data's type";
    attributes->value = element;
    pad->value = element;
    pad->value_type = like.type;
    return TPAD_OK;
}

int32_t tpad_ir_read_pad(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    const ir_layer *layer = pad->node->payload;
    ir_pad *attributes = tpad_arena_take(&model->arena, 1, sizeof *attributes);
    if (!attributes) return tpad_no_memory(model, error);
    pad->attributes = attributes;
    pad->unused = !layer->used;
    attributes->opset = opset_of(layer);
    int32_t status = read_mode(model, attributes, tpad_ir_attribute(layer, ATTR_PAD_MODE), error);
    if (status) return status;
    for (const ir_port *port = layer->in.first; port && port->position < IN_COUNT;
         port = port->next) {
        const int32_t i = port->position;
        pad->present[i] = 1;
        pad->inputs[i] = port->from ? port->from->value : NULL;
        pad->info.inputs[i] = model->format->arguments[i];
        if (!port->from) continue;
        status = tpad_name_text(&pad->info.inputs[i], model, port->from->value->name, error);
        if (status) return status;
    }
    status = read_attributes(model, pad, attributes, error);
    if (status) return status;
    if (layer->in.count > IN_COUNT) pad->trouble = "Pad has at most four inputs";
    if (layer->in.count == 0) pad->trouble = "input 'data' is missing";
    if (layer->out.count != 1) pad->trouble = "Pad has exactly one output";
    if (layer->out.count == 1) pad->output = layer->out.first->value;
    const tpad_openvino_version *version = tpad_openvino_version_for(attributes->opset);
    pad->info.spec = "openvino";
    pad->info.version = version ? version->version : 0;
    pad->info.mode = attributes->mode ? attributes->mode : "";
    return tpad_name_text(&pad->info.output, model, pad->node->output, error);
}

/* ---- Translating ----------------------------------------------------------------------------- */

static tpad_openvino_tensor as_openvino(const tpad_tensor *tensor)
{
    int32_t type = tpad_type_to_openvino(tensor->type);
    if (tensor->type == 0) /* not a type of ONNX: use the width */
        type = tensor->elem_bits == 1   ? TPAD_OPENVINO_U1
               : tensor->elem_bits == 3 ? TPAD_OPENVINO_U3
               : tensor->elem_bits == 4 ? TPAD_OPENVINO_NF4
                                        : TPAD_OPENVINO_U6;
    return (tpad_openvino_tensor){type, tensor->rank, tensor->shape, tensor->data};
}

int32_t tpad_ir_translate(tpad_translation *out, const tpad_graph_pad *pad,
                          const tpad_tensor *const in[IN_COUNT], int32_t lenient, tpad_error *error)
{
    const ir_pad *attributes = pad->attributes;
    const int64_t begin_count = attributes->begin_count, end_count = attributes->end_count;
    tpad_openvino_tensor tensors[IN_COUNT];
    for (int32_t i = 0; i < IN_COUNT; i++)
        if (in[i]) tensors[i] = as_openvino(in[i]);
    const tpad_openvino_tensor begin = {TPAD_OPENVINO_I64, 1, &begin_count, attributes->begin};
    const tpad_openvino_tensor end = {TPAD_OPENVINO_I64, 1, &end_count, attributes->end};
    const tpad_openvino_tensor value = {tensors[IN_DATA].type, 0, NULL, attributes->value};
    tpad_openvino_pad layer = {
        .struct_size = sizeof layer,
        .opset = attributes->opset,
        .flags = lenient ? TPAD_OPENVINO_LENIENT : 0,
        .data = tensors[IN_DATA],
        .begin = attributes->begin ? &begin
                 : in[IN_BEGIN]    ? &tensors[IN_BEGIN]
                                   : NULL,
        .end = attributes->end ? &end
               : in[IN_END]    ? &tensors[IN_END]
                               : NULL,
        .value = attributes->value ? &value
                 : in[IN_VALUE]    ? &tensors[IN_VALUE]
                                   : NULL,
        .mode = attributes->mode,
        .string_bytes = (int32_t)sizeof(tpad_string),
    };
    return tpad_openvino_translate(out, sizeof *out, &layer, error);
}

/* ---- Inspecting ------------------------------------------------------------------------------ */

/* OpenVINO's number for the element type, from the first of three ports that has it. */
static int32_t type_of(const tpad_graph_pad *pad)
{
    const tpad_value *const tellers[] = {pad->inputs[IN_DATA], pad->inputs[IN_VALUE], pad->output};
    for (int i = 0; i < 3; i++)
        if (tellers[i] && ((const ir_port *)tellers[i]->payload)->type)
            return ((const ir_port *)tellers[i]->payload)->type;
    return 0;
}

static void describe_value(tpad_inspection *inspection, int32_t type)
{
    static const int64_t zeros[2];
    const ir_pad *attributes = inspection->pad->attributes;
    const tpad_tensor *constant = inspection->constants[IN_VALUE];
    if (attributes->value) {
        tpad_inspect_value(
            inspection, inspection->pad->info.type ? inspection->pad->info.type : TPAD_ONNX_FLOAT,
            attributes->value);
    } else if (!inspection->pad->present[IN_VALUE]) {
        const int32_t known = tpad_type_from_openvino(type);
        tpad_inspect_value(inspection, known ? known : TPAD_ONNX_FLOAT, zeros);
    } else if (constant && tpad_is_single(constant)) {
        if (constant->type)
            tpad_inspect_value(inspection, constant->type, constant->data);
        else if (constant->elem_bits == 1)
            inspection->pad->info.value = *(const unsigned char *)constant->data >> 7 ? "1" : "0";
    }
}

/* OpenVINO's own compression adds a pad value of 0 in every mode, so 0 is not reported. */
static void report_unused_value(tpad_inspection *inspection)
{
    const ir_pad *attributes = inspection->pad->attributes;
    const char *text = inspection->pad->info.value;
    if (!inspection->pad->present[IN_VALUE] || (text && !strcmp(text, "0")) ||
        tpad_mode_from_name(attributes->mode ? attributes->mode : "") == TPAD_CONSTANT)
        return;
    tpad_add_finding(inspection, "pad_value is given, but only mode constant uses it");
}

void tpad_ir_describe_pad(tpad_inspection *inspection)
{
    tpad_pad_node *info = &inspection->pad->info;
    const ir_pad *attributes = inspection->pad->attributes;
    const int32_t type = type_of(inspection->pad);
    const int64_t *begin = attributes->begin, *end = attributes->end;
    int32_t begin_count = attributes->begin_count, end_count = attributes->end_count;
    info->type = tpad_type_from_openvino(type);
    info->type_name = tpad_openvino_type_name(type);
    if (!begin)
        begin = tpad_inspect_list(inspection, inspection->constants[IN_BEGIN], &begin_count);
    if (!end) end = tpad_inspect_list(inspection, inspection->constants[IN_END], &end_count);
    if (begin && end && begin_count == end_count) {
        info->pads_count = begin_count;
        info->begin = begin;
        info->end = end;
    }
    describe_value(inspection, type);
    report_unused_value(inspection);
}

static void put_zeros(tpad_probe *probe, int32_t input)
{
    const int64_t extent =
        probe->in[IN_DATA]->rank < TPAD_MAX_RANK ? probe->in[IN_DATA]->rank : TPAD_MAX_RANK;
    tpad_tensor_describe(&probe->tensors[input], TPAD_ONNX_INT64, 1, &extent);
    probe->tensors[input].data = probe->zeros;
    probe->in[input] = &probe->tensors[input];
    probe->known = 0;
}

void tpad_ir_fill_placeholders(tpad_probe *probe, const tpad_inspection *inspection)
{
    const int32_t type = type_of(inspection->pad);
    tpad_tensor *data = &probe->tensors[IN_DATA];
    if (type && !tpad_type_from_openvino(type)) {
        data->type = 0;
        data->elem_bits = tpad_openvino_type_bits(type);
    }
    for (int32_t i = IN_BEGIN; i <= IN_END; i++)
        if (inspection->pad->present[i] && !inspection->constants[i]) put_zeros(probe, i);
}

/* The facts of a Pad layer, for runtimes/. */

/* OpenVINO's types that ONNX does not have. */
static int32_t type_fact(const tpad_pad_node *info)
{
    const int32_t type = info->type_name ? tpad_openvino_type_from_name(info->type_name) : 0;
    if (info->type) return info->type;
    return type == TPAD_OPENVINO_U1    ? TPAD_RULES_TYPE_U1
           : type == TPAD_OPENVINO_U3  ? TPAD_RULES_TYPE_U3
           : type == TPAD_OPENVINO_U6  ? TPAD_RULES_TYPE_U6
           : type == TPAD_OPENVINO_NF4 ? TPAD_RULES_TYPE_NF4
                                       : TPAD_RULES_TYPE_UNKNOWN;
}

void tpad_ir_describe_facts(tpad_rules_facts *facts, const tpad_inspection *inspection,
                            const tpad_error *refusal)
{
    const ir_pad *attributes = inspection->pad->attributes;
    const int32_t begin = tpad_fact_given(inspection, IN_BEGIN);
    const int32_t end = tpad_fact_given(inspection, IN_END);
    facts->spec = TPAD_RULES_OPENVINO;
    facts->opset = inspection->pad->info.version;
    facts->type = type_fact(&inspection->pad->info);
    const tpad_rules_refusal why = {.code = refusal->code, .axis = refusal->axis};
    facts->document = tpad_rules_document(facts, &why);
    facts->pads_given = attributes->begin ? TPAD_RULES_ATTRIBUTE : begin > end ? begin : end;
    if (attributes->value) {
        tpad_tensor value;
        tpad_tensor_describe(&value, facts->type, 0, NULL);
        value.data = attributes->value;
        facts->value_given = TPAD_RULES_ATTRIBUTE;
        tpad_fact_value(facts, &value);
    } else if (inspection->pad->present[IN_VALUE]) {
        facts->value_given = tpad_fact_given(inspection, IN_VALUE);
        tpad_fact_value(facts, inspection->constants[IN_VALUE]);
    } else {
        facts->value_known = 1;
    }
}

/* Inputs, outputs and attributes of layers. */

int64_t tpad_ir_input_count(const tpad_node *node)
{
    return ((const ir_layer *)node->payload)->in.count;
}

tpad_value *tpad_ir_node_input(const tpad_graph *graph, const tpad_node *node, int64_t index)
{
    const ir_port *port = ((const ir_layer *)node->payload)->in.first;
    (void)graph;
    while (port && port->position != index) port = port->next;
    return port && port->from ? port->from->value : NULL;
}

tpad_value *tpad_ir_node_output(const tpad_graph *graph, const tpad_node *node, int64_t index)
{
    const ir_port *port = ((const ir_layer *)node->payload)->out.first;
    (void)graph;
    while (port && port->position != index) port = port->next;
    return port ? port->value : NULL;
}

int32_t tpad_ir_node_attribute(tpad_attribute *out, const tpad_graph *graph, const tpad_node *node,
                               const char *name)
{
    const tpad_string text = tpad_ir_attribute_named(node->payload, name);
    (void)graph;
    if (!text.text) return 0;
    out->word = text;
    out->count = 1;
    switch (out->want) {
    case WANT_WORD:
        return 1;
    case WANT_INT:
        out->ints[0] = tpad_string_is(text, "true");
        if (out->ints[0] || tpad_string_is(text, "false")) return 1;
        return tpad_ir_integer(out->ints, text) ? 1 : -1;
    case WANT_INTS:
        return tpad_ir_integers(out->ints, WANT_ENTRIES, &out->count, text) ? 1 : -1;
    default:
        return -1;
    }
}
