/* Pad layers of an IR.  SPDX-License-Identifier: MIT
 *
 * Owns a layer's arguments as the file has them, what of them is shown, what may stand in for what
 * is not known, and handing them to the dialect. Judges nothing but whether they are Pad's. */
#include "ir.h"
#include <string.h>

enum { LEGACY_OPSET = 1 };

/* ---- Reading --------------------------------------------------------------------------------- */

/* "opset12"; 0 for any other text. Old files have none: their Pad is the first. */
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

/* Modes are read in any case. A word that is none stays as it is, to be shown. */
static int32_t read_mode(tpad_model *model, ir_pad *own, tpad_string text, tpad_io_error *error)
{
    if (!text.text) return TPAD_OK;
    char *mode = tpad_arena_text(&model->arena, text);
    if (!mode) return tpad_no_memory(model, error);
    for (char *c = mode; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    own->mode = tpad_mode_from_name(mode) >= 0 ? mode : text.text;
    return TPAD_OK;
}

/* The lists and the value that old files have as attributes. */
static int32_t read_attributes(tpad_model *model, tpad_graph_pad *pad, ir_pad *own, tpad_io_error *error)
{
    const ir_layer *layer = pad->node->own;
    const tpad_string begin = tpad_ir_attribute(layer, ATTR_PADS_BEGIN);
    const tpad_string end = tpad_ir_attribute(layer, ATTR_PADS_END);
    const tpad_string value = tpad_ir_attribute(layer, ATTR_PAD_VALUE);
    if (!begin.text || !end.text || layer->in.count > 1) return TPAD_OK;
    int64_t *lists = tpad_arena_take(&model->arena, 2 * TPAD_MAX_RANK, sizeof *lists);
    int64_t *element = tpad_arena_take(&model->arena, 2, sizeof *element);
    if (!lists || !element) return tpad_no_memory(model, error);
    own->begin = lists;
    own->end = lists + TPAD_MAX_RANK;
    if (!tpad_ir_integers(lists, TPAD_MAX_RANK, &own->begin_count, begin) ||
        !tpad_ir_integers(lists + TPAD_MAX_RANK, TPAD_MAX_RANK, &own->end_count, end))
        pad->trouble = "attribute pads_begin or pads_end is no list of whole numbers";
    if (!value.text) return TPAD_OK;
    tpad_tensor like;
    const int32_t type = pad->inputs[IN_DATA] ? pad->inputs[IN_DATA]->type : 0;
    tpad_tensor_describe(&like, type ? type : TPAD_ONNX_FLOAT, 0, NULL);
    if (tpad_value_parse(element, value.text, &like, NULL) != TPAD_OK)
        pad->trouble = "attribute pad_value is no value of the data's type";
    own->value = element;
    return TPAD_OK;
}

int32_t tpad_ir_read_pad(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    const ir_layer *layer = pad->node->own;
    ir_pad *own = tpad_arena_take(&model->arena, 1, sizeof *own);
    if (!own) return tpad_no_memory(model, error);
    pad->own = own;
    pad->unused = !layer->used;
    own->opset = opset_of(layer);
    int32_t status = read_mode(model, own, tpad_ir_attribute(layer, ATTR_PAD_MODE), error);
    if (status) return status;
    for (const ir_port *port = layer->in.first; port && port->position < IN_COUNT;
         port = port->next) {
        const int32_t i = port->position;
        pad->present[i] = 1;
        pad->inputs[i] = port->from ? port->from->value : NULL;
        pad->shown.inputs[i] = model->format->arguments[i];
        if (!port->from) continue;
        status = tpad_name_text(&pad->shown.inputs[i], model, port->from->value->name, error);
        if (status) return status;
    }
    status = read_attributes(model, pad, own, error);
    if (status) return status;
    if (layer->in.count > IN_COUNT) pad->trouble = "Pad has at most four inputs";
    if (layer->in.count == 0) pad->trouble = "input 'data' is missing";
    if (layer->out.count != 1) pad->trouble = "Pad has exactly one output";
    if (layer->out.count == 1) pad->output = layer->out.first->value;
    const tpad_openvino_version *version = tpad_openvino_version_for(own->opset);
    pad->shown.spec = "openvino";
    pad->shown.version = version ? version->version : 0;
    pad->shown.mode = own->mode ? own->mode : "";
    return tpad_name_text(&pad->shown.output, model, pad->node->output, error);
}

/* ---- Translating ----------------------------------------------------------------------------- */

static tpad_openvino_tensor as_openvino(const tpad_tensor *tensor)
{
    int32_t type = tpad_type_to_openvino(tensor->type);
    if (tensor->type == 0) /* no type of ONNX: the width tells */
        type = tensor->elem_bits == 1   ? TPAD_OPENVINO_U1
               : tensor->elem_bits == 3 ? TPAD_OPENVINO_U3
               : tensor->elem_bits == 4 ? TPAD_OPENVINO_NF4
                                        : TPAD_OPENVINO_U6;
    return (tpad_openvino_tensor){type, tensor->rank, tensor->shape, tensor->data};
}

int32_t tpad_ir_translate(tpad_translation *out, const tpad_graph_pad *pad,
                          const tpad_tensor *const in[IN_COUNT], int32_t lenient, tpad_error *error)
{
    const ir_pad *own = pad->own;
    const int64_t begin_count = own->begin_count, end_count = own->end_count;
    tpad_openvino_tensor tensors[IN_COUNT];
    for (int32_t i = 0; i < IN_COUNT; i++)
        if (in[i]) tensors[i] = as_openvino(in[i]);
    const tpad_openvino_tensor begin = {TPAD_OPENVINO_I64, 1, &begin_count, own->begin};
    const tpad_openvino_tensor end = {TPAD_OPENVINO_I64, 1, &end_count, own->end};
    const tpad_openvino_tensor value = {tensors[IN_DATA].type, 0, NULL, own->value};
    tpad_openvino_pad layer = {
        .struct_size = sizeof layer,
        .opset = own->opset,
        .flags = lenient ? TPAD_OPENVINO_LENIENT : 0,
        .data = tensors[IN_DATA],
        .begin = own->begin     ? &begin
                 : in[IN_BEGIN] ? &tensors[IN_BEGIN]
                                : NULL,
        .end = own->end     ? &end
               : in[IN_END] ? &tensors[IN_END]
                            : NULL,
        .value = own->value     ? &value
                 : in[IN_VALUE] ? &tensors[IN_VALUE]
                                : NULL,
        .mode = own->mode,
        .string_bytes = (int32_t)sizeof(tpad_string),
    };
    tpad_openvino_problem *made = &out->as.openvino;
    const int32_t status = tpad_openvino_translate(made, &layer, error);
    out->problem = &made->problem;
    out->axes = made->axes;
    out->value = made->value;
    return status;
}

/* ---- Showing --------------------------------------------------------------------------------- */

/* The type as OpenVINO numbers it, from whoever tells it. */
static int32_t type_of(const tpad_graph_pad *pad)
{
    const tpad_value *const tellers[] = {pad->inputs[IN_DATA], pad->inputs[IN_VALUE], pad->output};
    for (int i = 0; i < 3; i++)
        if (tellers[i] && ((const ir_port *)tellers[i]->own)->type)
            return ((const ir_port *)tellers[i]->own)->type;
    return 0;
}

static void show_value(tpad_look *look, int32_t type)
{
    static const int64_t zeros[2];
    const ir_pad *own = look->pad->own;
    const tpad_tensor *constant = look->constants[IN_VALUE];
    if (own->value) {
        tpad_look_value(look, look->pad->shown.type ? look->pad->shown.type : TPAD_ONNX_FLOAT,
                        own->value);
    } else if (!look->pad->present[IN_VALUE]) {
        const int32_t known = tpad_type_from_openvino(type);
        tpad_look_value(look, known ? known : TPAD_ONNX_FLOAT, zeros);
    } else if (constant && tpad_is_single(constant)) {
        if (constant->type)
            tpad_look_value(look, constant->type, constant->data);
        else if (constant->elem_bits == 1)
            look->pad->shown.value = *(const unsigned char *)constant->data >> 7 ? "1" : "0";
    }
}

void tpad_ir_show(tpad_look *look)
{
    tpad_pad_node *shown = &look->pad->shown;
    const ir_pad *own = look->pad->own;
    const int32_t type = type_of(look->pad);
    const int64_t *begin = own->begin, *end = own->end;
    int32_t begin_count = own->begin_count, end_count = own->end_count;
    shown->type = tpad_type_from_openvino(type);
    shown->type_name = tpad_openvino_type_name(type);
    if (!begin) begin = tpad_look_list(look, look->constants[IN_BEGIN], &begin_count);
    if (!end) end = tpad_look_list(look, look->constants[IN_END], &end_count);
    if (begin && end && begin_count == end_count) {
        shown->pads_count = begin_count;
        shown->begin = begin;
        shown->end = end;
    }
    show_value(look, type);
}

static void put_zeros(tpad_trial *t, int32_t input)
{
    const int64_t extent =
        t->in[IN_DATA]->rank < TPAD_MAX_RANK ? t->in[IN_DATA]->rank : TPAD_MAX_RANK;
    tpad_tensor_describe(&t->tensors[input], TPAD_ONNX_INT64, 1, &extent);
    t->tensors[input].data = t->zeros;
    t->in[input] = &t->tensors[input];
    t->known = 0;
}

void tpad_ir_stand_in(tpad_trial *t, const tpad_look *look)
{
    const int32_t type = type_of(look->pad);
    tpad_tensor *data = &t->tensors[IN_DATA];
    if (type && !tpad_type_from_openvino(type)) {
        data->type = 0;
        data->elem_bits = tpad_openvino_type_bits(type);
    }
    for (int32_t i = IN_BEGIN; i <= IN_END; i++)
        if (look->pad->present[i] && !look->constants[i]) put_zeros(t, i);
}
