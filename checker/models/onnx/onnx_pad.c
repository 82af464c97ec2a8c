/* Reads a Pad node. SPDX-License-Identifier: MIT
 *
 * Reads its arguments from the file and passes them to src/specs. Checks only that they are
 * arguments of a Pad node. */
#include <string.h>

#include "models/graph/pads.h"
#include "onnx.pb.h"
#include "onnx_file.h"
#include "protobuf/onnx_fields.h"

static int32_t keep_ints(tpad_model *model, tpad_string body, int64_t count, const int64_t **ints,
                         int32_t *ints_count, tpad_io_error *error)
{
    int64_t *items = tpad_arena_take(&model->arena, count, sizeof *items);
    if (!items) return tpad_no_memory(model, error);
    tpad_pb_Attribute again = {
        .ints = {.items = items, .room = count, .item_bytes = sizeof *items}};
    const char *why = tpad_wire_decode(tpad_pb_Attribute_fields, &again, body);
    if (why || again.ints.count != count || count > INT32_MAX)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid ONNX model: %s", model->path,
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
        return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid ONNX model: %s", model->path, why);
    int32_t computed = attribute.ref_attr_name.length > 0;
    if (computed) {
        /* The function's caller has the attribute, under this name. */
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

/* The arguments of an ONNX Pad node before anything runs. */

_Static_assert(sizeof(tpad_onnx_attributes) <= sizeof(((tpad_probe *)0)->attributes),
               "room for a copy");

static void describe_amounts(tpad_inspection *inspection)
{
    tpad_pad_node *info = &inspection->pad->info;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    const int64_t *list = NULL;
    int32_t count = 0;
    if (inspection->pad->present[IN_PADS])
        list = tpad_inspect_list(inspection, inspection->constants[IN_PADS], &count);
    else if (attributes->pads && !attributes->pads_computed)
        list = attributes->pads, count = attributes->pads_count;
    else if (attributes->paddings && !attributes->paddings_computed)
        list = attributes->paddings, count = attributes->paddings_count;
    if (list && count % 2 == 0) {
        info->pads_count = count / 2;
        info->begin = list;
        info->end = list + count / 2;
    }
    list = tpad_inspect_list(inspection, inspection->constants[IN_AXES], &count);
    if (list) {
        info->axes_count = count;
        info->axes = list;
    }
}

void tpad_onnx_describe_pad(tpad_inspection *inspection)
{
    const tpad_graph_pad *pad = inspection->pad;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(pad);
    static const float no_value;
    static const int64_t zeros[2];
    const tpad_tensor *constant = inspection->constants[IN_VALUE];
    describe_amounts(inspection);
    if (pad->present[IN_VALUE]) {
        if (constant && tpad_is_single(constant))
            tpad_inspect_value(inspection, constant->type, constant->data);
    } else if (pad->info.version && pad->info.version < 11) {
        if (!attributes->value_computed)
            tpad_inspect_value(inspection, TPAD_ONNX_FLOAT,
                               attributes->value ? attributes->value : &no_value);
    } else {
        tpad_inspect_value(inspection, pad->info.type ? pad->info.type : TPAD_ONNX_FLOAT, zeros);
    }
}

static void put_list(tpad_probe *probe, int32_t input, const int64_t *list, int32_t count)
{
    const int64_t extent = count;
    tpad_tensor_describe(&probe->tensors[input], TPAD_ONNX_INT64, 1, &extent);
    probe->tensors[input].data = list;
    probe->in[input] = &probe->tensors[input];
}

/* Puts in amounts if only some are known: the others are zeros, with unknown axes. */
static void put_amounts(tpad_probe *probe, const tpad_pad_node *info, const tpad_value *pads,
                        int32_t axes)
{
    const int32_t count = pads && pads->rank == 1 && pads->element_count == 2 * axes ? axes : 0;
    uint32_t unsure = count ? 0 : UINT32_MAX;
    for (int32_t i = 0; i < count; i++) {
        const tpad_element *begin = &pads->elements[i], *end = &pads->elements[axes + i];
        const int64_t axis = info->axes_count < 0 ? i : info->axes[i];
        if (begin->known) probe->zeros[i] = begin->integer;
        if (end->known) probe->zeros[axes + i] = end->integer;
        if (begin->known && end->known) continue;
        const int32_t at = tpad_axis_from_front(axis, probe->in[IN_DATA]->rank);
        unsure |= at < 0 ? UINT32_MAX : 1u << at;
    }
    probe->known &= ~unsure;
    put_list(probe, IN_PADS, probe->zeros, 2 * axes);
}

void tpad_onnx_fill_placeholders(tpad_probe *probe, const tpad_inspection *inspection)
{
    static const float zero;
    const tpad_graph_pad *pad = inspection->pad;
    const tpad_pad_node *info = &pad->info;
    tpad_onnx_attributes *attributes = (tpad_onnx_attributes *)probe->attributes.bytes;
    if (probe->guessed && pad->present[IN_AXES]) probe->tensors[IN_DATA].rank = 1;
    const int32_t rank = probe->in[IN_DATA]->rank;
    *attributes = *tpad_attributes_of(pad);
    probe->pad.attributes = attributes;
    const int32_t pads_computed = attributes->pads_computed || attributes->paddings_computed;
    const int32_t no_pads = pad->present[IN_PADS] && !inspection->constants[IN_PADS];
    const int32_t no_axes = pad->present[IN_AXES] && !inspection->constants[IN_AXES];
    if (attributes->mode_computed || pads_computed || attributes->value_computed)
        probe->complete = 0;
    if (no_axes || pads_computed) probe->known = 0;
    if (no_axes && info->pads_count > TPAD_MAX_RANK) probe->in[IN_AXES] = NULL;

    const int32_t most = rank < TPAD_MAX_RANK ? rank : TPAD_MAX_RANK;
    const int32_t axes = info->axes_count >= 0 ? info->axes_count
                         : no_axes && info->pads_count >= 0 && info->pads_count <= most
                             ? info->pads_count
                             : most;
    for (int32_t i = 0; i < TPAD_MAX_RANK; i++) probe->axes[i] = i;
    if (no_axes && info->pads_count <= TPAD_MAX_RANK) put_list(probe, IN_AXES, probe->axes, axes);
    if (no_pads)
        put_amounts(probe, info, pad->inputs[IN_PADS], axes < TPAD_MAX_RANK ? axes : TPAD_MAX_RANK);
    if (attributes->pads_computed)
        attributes->pads = probe->zeros, attributes->pads_count = 2 * most;
    if (attributes->paddings_computed)
        attributes->paddings = probe->zeros, attributes->paddings_count = 2 * most;
    if (attributes->value_computed) attributes->value = &zero;
}

/* The facts of an ONNX Pad node, for runtimes/. */

/* -1 if unknown, or beyond INT32_MAX. */
static int32_t element_count(const tpad_value *value)
{
    int64_t count = value->rank < 0 ? -1 : 1;
    for (int32_t axis = 0; axis < value->rank && count >= 0; axis++) {
        const int64_t extent = value->shape[axis];
        count = extent < 0 || (count > 0 && extent > INT32_MAX / count) ? -1 : count * extent;
    }
    return (int32_t)count;
}

/* A Constant node has a tensor, or numbers in other attributes. */
static int32_t given(const tpad_inspection *inspection, int32_t input)
{
    const int32_t way = tpad_fact_given(inspection, input);
    if (way != TPAD_RULES_CONSTANT_NODE) return way;
    const tpad_onnx_constant *constant = inspection->pad->inputs[input]->payload;
    return constant->attribute.text ? TPAD_RULES_CONSTANT_NUMBERS : way;
}

static void describe_value(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    const tpad_value *value = inspection->pad->inputs[IN_VALUE];
    if (inspection->pad->present[IN_VALUE]) {
        facts->value_given = given(inspection, IN_VALUE);
        facts->value_type = value ? value->type : TPAD_RULES_TYPE_UNKNOWN;
        facts->value_rank = value ? value->rank : -1;
        facts->value_count = value ? element_count(value) : -1;
        tpad_fact_value(facts, inspection->constants[IN_VALUE]);
        return;
    }
    facts->value_known = 1;
    facts->value_nameless = tpad_message_of(inspection->pad->node)->inputs.count > IN_VALUE;
    if (attributes->value_computed || attributes->wrong_value) {
        facts->value_given = TPAD_RULES_ATTRIBUTE;
        facts->value_known = 0;
    } else if (attributes->value) {
        tpad_tensor number;
        tpad_tensor_describe(&number, TPAD_ONNX_FLOAT, 0, NULL);
        number.data = attributes->value;
        tpad_fact_value(facts, &number);
        if (facts->value_bits) facts->value_given = TPAD_RULES_ATTRIBUTE;
    }
}

static void describe_arguments(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_pad_node *info = &inspection->pad->info;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    const tpad_value *axes = inspection->pad->inputs[IN_AXES];
    const tpad_value *pads = inspection->pad->inputs[IN_PADS];
    facts->pads_given = given(inspection, IN_PADS);
    facts->pads_type = pads ? pads->type : TPAD_RULES_TYPE_UNKNOWN;
    if (!facts->pads_given && (attributes->pads || attributes->paddings ||
                               attributes->pads_computed || attributes->paddings_computed))
        facts->pads_given = TPAD_RULES_ATTRIBUTE;
    facts->axes_given = given(inspection, IN_AXES);
    if (!facts->axes_given) return;
    facts->axes_type = axes ? axes->type : TPAD_RULES_TYPE_UNKNOWN;
    if (axes && axes->rank == 1 && axes->shape[0] == 0) facts->axes_count = 0;
    if (info->axes_count >= 0 && info->axes_count <= TPAD_RULES_MAX_RANK) {
        facts->axes_count = info->axes_count;
        for (int32_t i = 0; i < info->axes_count; i++) facts->axes[i] = (int32_t)info->axes[i];
    }
    for (int32_t axis = 0; axis < facts->rank && info->axes_count < 0; axis++)
        facts->axis[axis].amounts_known = 0;
}

/* The reason that forbids the node, if its version does not have its attributes or inputs. */
static int32_t forbidden_form(const tpad_graph_pad *pad)
{
    const tpad_onnx_attributes *attributes = tpad_attributes_of(pad);
    const int32_t version = pad->info.version;
    const int32_t has_pads = attributes->pads || attributes->pads_computed;
    const int32_t has_paddings = attributes->paddings || attributes->paddings_computed;
    const int32_t has_value = attributes->value || attributes->value_computed;
    if (version == 0) return TPAD_RULES_FORBIDS_OPSET;
    if (attributes->has_axes) return TPAD_RULES_FORBIDS_AXES_ATTRIBUTE;
    if (attributes->wrong_name || (version > 1 && has_paddings) || (version == 1 && has_pads))
        return TPAD_RULES_FORBIDS_ATTRIBUTE_NAME;
    if (attributes->wrong_type) return TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE;
    if (version >= 11 && has_value) return TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE;
    if (version >= 11 && has_pads) return TPAD_RULES_FORBIDS_PADS_ATTRIBUTE;
    if ((version < 11 && (pad->present[IN_PADS] || pad->present[IN_VALUE])) ||
        (version < 18 && pad->present[IN_AXES]) ||
        tpad_message_of(pad->node)->inputs.count > IN_COUNT)
        return TPAD_RULES_FORBIDS_INPUT_COUNT;
    if (!pad->present[IN_DATA]) return TPAD_RULES_FORBIDS_DATA_MISSING;
    if (!pad->present[IN_PADS] && !has_pads && !has_paddings)
        return TPAD_RULES_FORBIDS_PADS_MISSING;
    return TPAD_RULES_ANSWERS;
}

/* The reason that forbids the node by the type or shape of its inputs. */
static int32_t forbidden_input(const tpad_inspection *inspection)
{
    const tpad_graph_pad *pad = inspection->pad;
    const tpad_value *pads = pad->inputs[IN_PADS], *axes = pad->inputs[IN_AXES];
    const tpad_value *value = pad->inputs[IN_VALUE];
    if (value && value->type && pad->info.type && value->type != pad->info.type)
        return TPAD_RULES_FORBIDS_VALUE_TYPE;
    const int32_t elements = value ? element_count(value) : -1;
    if (elements >= 0 && elements != 1) return TPAD_RULES_FORBIDS_VALUE_COUNT;
    if (value && value->rank >= 2) return TPAD_RULES_FORBIDS_VALUE_RANK;
    if (pads && pads->type && pads->type != TPAD_ONNX_INT64) return TPAD_RULES_FORBIDS_PADS_TYPE;
    if (pads && pads->rank == 2 && pads->shape[0] == 1) return TPAD_RULES_FORBIDS_PADS_ROW;
    if (pads && pads->rank >= 0 && pads->rank != 1) return TPAD_RULES_FORBIDS_PADS_SHAPE;
    if (axes && axes->type && axes->type != TPAD_ONNX_INT64 && axes->type != TPAD_ONNX_INT32)
        return TPAD_RULES_FORBIDS_AXES_TYPE;
    if (axes && axes->rank >= 0 && axes->rank != 1) return TPAD_RULES_FORBIDS_AXES_SHAPE;
    return TPAD_RULES_ANSWERS;
}

/* 1 if some input has no shape in the file, or an extent without even a name. */
static int32_t has_unnamed_input(const tpad_graph *top)
{
    for (int64_t i = 0; i < top->input_count; i++) {
        const tpad_value *value = top->inputs[i].value;
        if (!value->is_initializer && (value->rank < 0 || value->nameless)) return 1;
    }
    return 0;
}

void tpad_onnx_describe_facts(tpad_rules_facts *facts, const tpad_inspection *inspection,
                              const tpad_error *refusal)
{
    facts->spec = TPAD_RULES_ONNX;
    facts->opset = inspection->pad->graph->opset;
    facts->ir_version = inspection->model->ir_version;
    facts->ml_opset = inspection->model->ml_opset;
    facts->own_opset = inspection->model->own_opset;
    facts->inputs_unnamed = has_unnamed_input(inspection->model->top);
    facts->extent_names = inspection->model->extent_names;
    const tpad_onnx_version *version = tpad_onnx_version_for(facts->opset);
    const tpad_rules_refusal why = {
        .code = refusal->code,
        .axis = refusal->axis,
        .types = version ? version->types : 0,
        .form = forbidden_form(inspection->pad),
        .input = forbidden_input(inspection), /* even of inputs that are given later */
    };
    facts->document = tpad_rules_document(facts, &why);
    if (tpad_attributes_of(inspection->pad)->wrong_mode) facts->mode = TPAD_RULES_NO_MODE;
    describe_arguments(facts, inspection);
    describe_value(facts, inspection);
}
