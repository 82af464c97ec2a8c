/* Attributes and tensors as messages.  SPDX-License-Identifier: MIT */
#include "proto.h"

#include <limits.h>
#include <pb_encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/onnx.h>

#include "formats/port/system.h"
#include "onnx.pb.h"
#include "onnx_file.h"

static void put(message *node, const char *name, message *attribute, int32_t kind)
{
    message_text(attribute, ATTRIBUTE_NAME, name);
    message_integer(attribute, ATTRIBUTE_TYPE, kind);
    message_add(node, NODE_ATTRIBUTE, attribute);
}

void tpad_put_text(message *node, const char *name, const char *text)
{
    message attribute = {0};
    message_text(&attribute, ATTRIBUTE_S, text);
    put(node, name, &attribute, KIND_STRING);
}

void tpad_put_integer(message *node, const char *name, int64_t value)
{
    message attribute = {0};
    message_integer(&attribute, ATTRIBUTE_I, value);
    put(node, name, &attribute, KIND_INT);
}

void tpad_put_float(message *node, const char *name, float value)
{
    message attribute = {0};
    message_float(&attribute, ATTRIBUTE_F, value);
    put(node, name, &attribute, KIND_FLOAT);
}

void tpad_put_integers(message *node, const char *name, const int64_t *first, const int64_t *second,
                       int64_t count)
{
    message attribute = {0};
    for (int64_t i = 0; i < count; i++) message_integer(&attribute, ATTRIBUTE_INTS, first[i]);
    for (int64_t i = 0; second && i < count; i++)
        message_integer(&attribute, ATTRIBUTE_INTS, second[i]);
    put(node, name, &attribute, KIND_INTS);
}

void tpad_put_tensor(message *node, const char *name, message *tensor)
{
    message attribute = {0};
    message_add(&attribute, ATTRIBUTE_T, tensor);
    put(node, name, &attribute, KIND_TENSOR);
}

void tpad_integers_tensor(message *tensor, const char *name, const int64_t *first,
                          const int64_t *second, int64_t count)
{
    message elements = {0};
    message_raw(&elements, first, (size_t)count * sizeof *first);
    if (second) message_raw(&elements, second, (size_t)count * sizeof *second);
    message_integer(tensor, TENSOR_DIMS, second ? 2 * count : count);
    message_integer(tensor, TENSOR_TYPE, TPAD_ONNX_INT64);
    if (name) message_text(tensor, TENSOR_NAME, name);
    message_add(tensor, TENSOR_RAW, &elements);
}

/* Protobuf messages built in memory. */

enum { VARINT_BYTES = 10, FLOAT_BYTES = 4, LONGEST_NAME = 4096 };

/* Makes room for `more` bytes and a tag with a length. */
static int make_room(message *out, size_t more)
{
    const size_t wanted = out->used + more + (size_t)(2 * VARINT_BYTES);
    if (out->failed || wanted <= out->room) return !out->failed;
    unsigned char *bytes = realloc(out->bytes, 2 * wanted);
    if (!bytes) {
        out->failed = 1;
        return 0;
    }
    out->bytes = bytes;
    out->room = 2 * wanted;
    return 1;
}

/* The rest of the buffer as a stream of nanopb. */
static pb_ostream_t rest(const message *out)
{
    return pb_ostream_from_buffer(out->bytes + out->used, out->room - out->used);
}

static void finish(message *out, const pb_ostream_t *stream, bool done)
{
    if (done)
        out->used += stream->bytes_written;
    else
        out->failed = 1;
}

void message_integer(message *out, uint32_t field, int64_t value)
{
    if (!make_room(out, 0)) return;
    pb_ostream_t stream = rest(out);
    finish(out, &stream,
           pb_encode_tag(&stream, PB_WT_VARINT, field) &&
               pb_encode_varint(&stream, (uint64_t)value));
}

void message_float(message *out, uint32_t field, float value)
{
    if (!make_room(out, FLOAT_BYTES)) return;
    pb_ostream_t stream = rest(out);
    finish(out, &stream,
           pb_encode_tag(&stream, PB_WT_32BIT, field) && pb_encode_fixed32(&stream, &value));
}

void message_bytes(message *out, uint32_t field, const void *bytes, size_t count)
{
    if (!make_room(out, count)) return;
    pb_ostream_t stream = rest(out);
    finish(out, &stream,
           pb_encode_tag(&stream, PB_WT_STRING, field) && pb_encode_string(&stream, bytes, count));
}

void message_raw(message *out, const void *bytes, size_t count)
{
    if (!make_room(out, count)) return;
    if (count) memcpy(out->bytes + out->used, bytes, count);
    out->used += count;
}

void message_text(message *out, uint32_t field, const char *text)
{
    message_bytes(out, field, text, strlen(text));
}

void message_add(message *out, uint32_t field, message *inner)
{
    if (inner->failed) out->failed = 1;
    message_bytes(out, field, inner->bytes, inner->used);
    message_free(inner);
}

void message_free(message *out)
{
    free(out->bytes);
    *out = (message){0};
}

/* Values in the model itself: initializers and Constant nodes. */

#define WHERE_BYTES 512

static const char *where(char *text, const tpad_model *model, const char *what, tpad_string name)
{
    snprintf(text, WHERE_BYTES, "%s: %s '%.*s'", model->path, what, TPAD_SHOW(name));
    return text;
}

static int32_t set_shape(tpad_model *model, tpad_value *value, int32_t type, int32_t rank,
                         const int64_t *shape, tpad_io_error *error)
{
    int64_t *copy = tpad_arena_take(&model->arena, rank, sizeof *copy);
    if (!copy) return tpad_no_memory(model, error);
    for (int32_t axis = 0; axis < rank; axis++) copy[axis] = shape[axis];
    value->type = type;
    value->rank = rank;
    value->shape = copy;
    return TPAD_OK;
}

static int32_t set_constant(tpad_model *model, tpad_value *value, tpad_string tensor,
                            tpad_string attribute, tpad_io_error *error)
{
    tpad_onnx_constant *constant = tpad_arena_take(&model->arena, 1, sizeof *constant);
    if (!constant) return tpad_no_memory(model, error);
    *constant = (tpad_onnx_constant){tensor, attribute};
    value->payload = constant;
    value->is_constant = 1;
    return TPAD_OK;
}

/* ---- Other files ----------------------------------------------------------------------------- */

static int32_t keep_location(tpad_model *model, tpad_string location, tpad_io_error *error)
{
    const char *slash = system_last_slash(model->path);
    const int folder = slash ? (int)(slash - model->path) + 1 : 0;
    const int length = location.length < LONGEST_NAME ? (int)location.length : LONGEST_NAME;
    const tpad_named_file *last = model->last_named;
    if (length == 0) return TPAD_OK;
    if (last && (int64_t)strlen(last->path + folder) == length &&
        memcmp(last->path + folder, location.text, (size_t)length) == 0)
        return TPAD_OK; /* most tensors are in the same file as the one before */
    tpad_named_file *file = tpad_arena_take(&model->arena, 1, sizeof *file);
    if (!file) return tpad_no_memory(model, error);
    file->path =
        tpad_arena_format(&model->arena, "%.*s%.*s", folder, model->path, length, location.text);
    if (!file->path) return tpad_no_memory(model, error);
    *(model->last_named ? &model->last_named->next : &model->named_files) = file;
    model->last_named = file;
    return TPAD_OK;
}

int32_t tpad_external_note(tpad_model *model, tpad_string tensor, tpad_io_error *error)
{
    tpad_string entries[EXTERNAL_ENTRIES], location = {0};
    tpad_pb_Tensor tensor_message = {.external_data = {.items = entries, .room = EXTERNAL_ENTRIES}};
    if (tpad_wire_decode(tpad_pb_Tensor_fields, &tensor_message, tensor)) return TPAD_OK;
    if (tensor_message.data_location != EXTERNAL) return TPAD_OK;
    for (int64_t i = 0; i < tensor_message.external_data.count && i < EXTERNAL_ENTRIES; i++) {
        tpad_pb_Entry entry = {0};
        if (tpad_wire_decode(tpad_pb_Entry_fields, &entry, entries[i])) return TPAD_OK;
        if (tpad_string_is(entry.key, "location")) location = entry.value;
    }
    return keep_location(model, location, error);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

int32_t tpad_constant_describe(tpad_model *model, tpad_value *value, tpad_string tensor,
                               const char *what, tpad_io_error *error)
{
    tpad_proto proto;
    char text[WHERE_BYTES];
    const int of_node = value->producer >= 0;
    int32_t status = tpad_proto_read(&proto, tensor, model->path, NULL);
    /* The error is written again, now that the name is known. */
    if (status)
        status = tpad_proto_read(
            &proto, tensor, where(text, model, what, of_node ? value->name : proto.name), error);
    if (!of_node) {
        value->name = proto.name;
        value->is_initializer = 1;
    }
    if (status == TPAD_E_RANK || status == TPAD_E_FILE_TYPE)
        return tpad_external_note(model, tensor, error);
    if (!status && proto.external) status = keep_location(model, proto.location, error);
    if (status) return status;
    status = set_constant(model, value, tensor, (tpad_string){0}, error);
    value->is_external = proto.external != 0;
    value->is_listed = !proto.raw && !proto.external;
    return status ? status : set_shape(model, value, proto.type, proto.rank, proto.dims, error);
}

/* ---- Constant nodes -------------------------------------------------------------------------- */

/* The attributes other than `value` that a Constant node may have. */
static const struct {
    const char *name;
    int32_t type, rank;
} forms[] = {
    {"value_float", TPAD_ONNX_FLOAT, 0},   {"value_floats", TPAD_ONNX_FLOAT, 1},
    {"value_int", TPAD_ONNX_INT64, 0},     {"value_ints", TPAD_ONNX_INT64, 1},
    {"value_string", TPAD_ONNX_STRING, 0}, {"value_strings", TPAD_ONNX_STRING, 1},
};

/* The number of elements of an attribute with that form; -1 if it has another kind. */
static int64_t count_elements(const tpad_pb_Attribute *attribute, int32_t type, int32_t rank)
{
    switch (type) {
    case TPAD_ONNX_FLOAT:
        return rank ? attribute->floats.count : attribute->has_f ? 1 : -1;
    case TPAD_ONNX_INT64:
        return rank ? attribute->ints.count : attribute->has_i ? 1 : -1;
    default:
        return rank ? attribute->strings.count : attribute->s.text ? 1 : -1;
    }
}

int32_t tpad_constant_node(tpad_model *model, tpad_value *value, const tpad_node *node,
                           tpad_io_error *error)
{
    const tpad_strings *attributes = &tpad_message_of(node)->attributes;
    for (int64_t i = 0; i < attributes->count; i++) {
        tpad_pb_Attribute attribute = {0};
        const tpad_string body = attributes->items[i];
        const char *why = tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, body);
        if (why)
            return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid ONNX model: %s", model->path,
                                why);
        if (attribute.ref_attr_name.length) continue; /* given only by the function's caller */
        if (tpad_string_is(attribute.name, "value") && attribute.t.text)
            return tpad_constant_describe(model, value, attribute.t, "Constant", error);
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            if (!tpad_string_is(attribute.name, forms[k].name)) continue;
            const int64_t count = count_elements(&attribute, forms[k].type, forms[k].rank);
            if (count < 0) continue;
            int32_t status = set_constant(model, value, (tpad_string){0}, body, error);
            return status ? status
                          : set_shape(model, value, forms[k].type, forms[k].rank, &count, error);
        }
    }
    return TPAD_OK;
}

/* Decodes such an attribute into the tensor's own memory. */
static int32_t load_attribute(tpad_tensor *tensor, const tpad_model *model, const tpad_value *value,
                              tpad_io_error *error)
{
    const tpad_onnx_constant *constant = value->payload;
    tpad_pb_Attribute attribute = {0};
    tpad_tensor_describe(tensor, value->type, value->rank, value->shape);
    const int64_t count = value->rank ? value->shape[0] : 1;
    const int64_t item_bytes = tensor->elem_bits / 8;
    tpad_memory *memory = calloc(1, sizeof *memory);
    tensor->memory = memory;
    /* The file holds `count` entries, so this is a small multiple of its size. */
    if (memory && tpad_fits_memory(count * item_bytes))
        memory->extra = malloc((size_t)(count * item_bytes) + 1);
    if (!memory || !memory->extra) return tpad_no_memory(model, error);
    tensor->data = memory->extra;
    attribute.floats = attribute.ints = (tpad_numbers){
        .items = memory->extra, .room = value->rank ? count : 0, .item_bytes = item_bytes};
    attribute.strings = (tpad_strings){.items = memory->extra, .room = value->rank ? count : 0};
    if (value->type != TPAD_ONNX_FLOAT) attribute.floats = (tpad_numbers){0};
    if (value->type != TPAD_ONNX_INT64) attribute.ints = (tpad_numbers){0};
    if (value->type != TPAD_ONNX_STRING) attribute.strings = (tpad_strings){0};
    const char *why = tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, constant->attribute);
    if (!why && count_elements(&attribute, value->type, value->rank) != count)
        why = "it changes while it is read";
    if (why)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid ONNX model: %s", model->path, why);
    if (value->rank) return TPAD_OK;
    const void *scalar = value->type == TPAD_ONNX_FLOAT   ? (const void *)&attribute.f
                         : value->type == TPAD_ONNX_INT64 ? (const void *)&attribute.i
                                                          : (const void *)&attribute.s;
    memcpy(memory->extra, scalar, (size_t)item_bytes);
    return TPAD_OK;
}

/* ---- Elements -------------------------------------------------------------------------------- */

int32_t tpad_onnx_load(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                       tpad_io_error *error)
{
    const tpad_onnx_constant *constant = value->payload;
    tpad_proto proto;
    char text[WHERE_BYTES], *path;
    const tpad_bytes *bytes;
    *tensor = (tpad_tensor){0};
    if (constant->attribute.text) return load_attribute(tensor, model, value, error);
    where(text, model, "constant", value->name);
    int32_t status = tpad_proto_read(&proto, constant->tensor, text, error);
    if (status) return status;
    if (!proto.external) return tpad_proto_load(tensor, &proto, text, error);
    status = tpad_proto_locate(&path, &proto, model->in_memory ? "-" : model->path, text, error);
    if (!status) status = tpad_weights_open(&bytes, model, path, error);
    return status ? status : tpad_proto_view(tensor, &proto, bytes, text, error);
}
