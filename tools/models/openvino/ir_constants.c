/* Constants of an IR.  SPDX-License-Identifier: MIT
 *
 * Owns the layers Const and Convert: where their elements are in the .bin, and whether the file
 * contains them. Knows what a tensor is, not what it is used for. */
#include "ir.h"
#include "port/system.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHERE_BYTES = 512, MAX_CONVERTS = 16, STRING_HEAD_BYTES = 4 };

static const char *where(char *text, const tpad_model *model, const ir_layer *layer)
{
    snprintf(text, WHERE_BYTES, "%s: layer %lld '%.*s'", model->path, (long long)layer->id,
             TPAD_SHOW(layer->name));
    return text;
}

/* ---- The .bin -------------------------------------------------------------------------------- */

static int32_t open_bin(const tpad_bytes **bytes, tpad_model *model, tpad_io_error *error)
{
    char *path = tpad_bin_path(model->path);
    return path ? tpad_weights_open(bytes, model, path, error) : tpad_no_memory(model, error);
}

int32_t tpad_ir_weights(const tpad_bytes **bytes, tpad_model *model, tpad_io_error *error)
{
    static const tpad_bytes none = {.data = (const unsigned char *)""};
    char *path = tpad_bin_path(model->path);
    if (path && access(path, F_OK) != 0 && errno == ENOENT) {
        free(path);
        *bytes = &none;
        return TPAD_OK;
    }
    return path ? tpad_weights_open(bytes, model, path, error) : tpad_no_memory(model, error);
}

/* Finds the layer's bytes, which must be at least `wanted`. More are allowed, because some files
 * have more. */
static int32_t find_elements(tpad_string *elements, tpad_model *model, const ir_layer *layer,
                             int64_t wanted, const char *text, tpad_io_error *error)
{
    const tpad_bytes *bin;
    int64_t offset, size;
    if (!tpad_ir_integer(&offset, tpad_ir_attribute(layer, ATTR_OFFSET)) ||
        !tpad_ir_integer(&size, tpad_ir_attribute(layer, ATTR_SIZE)) || offset < 0 || size < 0)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: its offset or size is missing or is no valid number", text);
    if (size < wanted)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: its shape takes %lld bytes, but it has %lld",
                            text, (long long)wanted, (long long)size);
    int32_t status = open_bin(&bin, model, error);
    if (status) return status;
    if (offset > bin->count || size > bin->count - offset)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: %lld bytes from %lld on are not in the .bin of %lld bytes", text,
                            (long long)size, (long long)offset, (long long)bin->count);
    *elements = (tpad_string){(const char *)bin->data + offset, size};
    return TPAD_OK;
}

/* ---- Strings --------------------------------------------------------------------------------- */

/* A number of a packed string tensor. The first is the count of strings, the second is where the
 * first string begins, and the others are where each string ends. */
static int64_t string_number(tpad_string elements, int64_t index)
{
    uint32_t number = 0;
    for (int k = 3; k >= 0; k--)
        number = number << 8 | (unsigned char)elements.text[STRING_HEAD_BYTES * index + k];
    return (int32_t)number;
}

static int32_t check_strings(tpad_string elements, int64_t count, const char *text,
                             tpad_io_error *error)
{
    const int64_t numbers = elements.length / STRING_HEAD_BYTES;
    if (numbers < 1 || string_number(elements, 0) != count || numbers - 2 < count)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: its strings are not the %lld of its shape",
                            text, (long long)count);
    const int64_t room = elements.length - STRING_HEAD_BYTES * (2 + count);
    int64_t begin = string_number(elements, 1);
    for (int64_t i = 0; i < count; i++) {
        const int64_t end = string_number(elements, 2 + i);
        if (begin < 0 || end < begin || end > room)
            return tpad_io_fail(error, TPAD_E_FILE,
                                "%s: string %lld goes from %lld to %lld, of %lld bytes", text,
                                (long long)i, (long long)begin, (long long)end, (long long)room);
        begin = end;
    }
    return TPAD_OK;
}

static void take_strings(tpad_string *strings, tpad_string elements, int64_t count)
{
    const char *first = elements.text + STRING_HEAD_BYTES * (2 + count);
    for (int64_t i = 0; i < count; i++) {
        const int64_t begin = string_number(elements, 1 + i);
        strings[i] = (tpad_string){first + begin, string_number(elements, 2 + i) - begin};
    }
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* 1 if the elements of that type can be read. */
static int32_t is_readable(int32_t type)
{
    return type > 0 && type != TPAD_OPENVINO_U3 && type != TPAD_OPENVINO_U6;
}

static int32_t set_shape(tpad_model *model, tpad_value *value, int32_t type, int32_t rank,
                         const int64_t *shape, tpad_io_error *error)
{
    int64_t *copy = tpad_arena_take(&model->arena, rank, sizeof *copy);
    if (!copy) return tpad_no_memory(model, error);
    for (int32_t axis = 0; axis < rank; axis++) copy[axis] = shape[axis];
    value->type = tpad_type_from_openvino(type);
    value->rank = rank;
    value->shape = copy;
    return TPAD_OK;
}

int32_t tpad_ir_constant(tpad_model *model, const ir_layer *layer, tpad_io_error *error)
{
    char text[WHERE_BYTES];
    ir_port *out = layer->out.first;
    int64_t shape[TPAD_MAX_RANK], elems, bytes;
    int32_t rank;
    const tpad_string said = tpad_ir_attribute(layer, ATTR_SHAPE);
    const tpad_string type = tpad_ir_attribute(layer, ATTR_ELEMENT_TYPE);
    if (!out) return TPAD_OK;
    where(text, model, layer);
    if (type.text) out->type = tpad_ir_type(type);
    if (!said.text) { /* old files have it only at the port */
        rank = out->rank;
        if (rank > 0) memcpy(shape, out->shape, (size_t)rank * sizeof *shape);
    } else if (!tpad_ir_integers(shape, TPAD_MAX_RANK, &rank, said)) {
        if (rank < TPAD_MAX_RANK)
            return tpad_io_fail(error, TPAD_E_FILE, "%s: '%.*s' is no shape", text,
                                TPAD_SHOW(said));
        rank = -1;
    }
    if (rank < 0) return TPAD_OK;
    int32_t status = set_shape(model, out->value, out->type, rank, shape, error);
    if (status || !is_readable(out->type)) return status;
    const int32_t is_string = out->type == TPAD_OPENVINO_STRING;
    const int32_t bits = is_string ? 8 * STRING_HEAD_BYTES : tpad_openvino_type_bits(out->type);
    status = tpad_shape_size(text, rank, shape, bits, &elems, &bytes, error);
    if (!status && elems > 0)
        status = find_elements(&out->elements, model, layer, bytes, text, error);
    if (!status && elems > 0 && is_string)
        status = check_strings(out->elements, elems, text, error);
    out->value->is_constant = 1;
    return status;
}

int32_t tpad_ir_convert(tpad_model *model, const ir_layer *layer, tpad_io_error *error)
{
    ir_port *out = layer->out.first;
    const ir_port *in = layer->in.first;
    const tpad_string type = tpad_ir_attribute(layer, ATTR_DESTINATION_TYPE);
    if (out && type.text) out->type = tpad_ir_type(type);
    if (!out || !in || !in->from || !in->from->value->is_constant) return TPAD_OK;
    if (in->from->converts == MAX_CONVERTS || !tpad_ir_can_convert(out->type, in->from->type))
        return TPAD_OK;
    out->converts = in->from->converts + 1;
    out->value->is_constant = 1;
    return set_shape(model, out->value, out->type, in->from->value->rank, in->from->value->shape,
                     error);
}

/* ---- Elements -------------------------------------------------------------------------------- */

static void describe(tpad_tensor *tensor, const tpad_value *value, int32_t type)
{
    tpad_tensor_describe(tensor, value->type, value->rank, value->shape);
    if (value->type) return;
    tensor->elem_bits = tpad_openvino_type_bits(type);
    tpad_dense_strides(tensor);
}

/* Gives the tensor memory of its own for its elements. */
static int32_t make_room(tpad_tensor *tensor, const tpad_model *model, const char *text,
                         int64_t *elems, tpad_io_error *error)
{
    int64_t bytes;
    int32_t status =
        tpad_shape_size(text, tensor->rank, tensor->shape, tensor->elem_bits, elems, &bytes, error);
    if (status) return status;
    tpad_memory *memory = calloc(1, sizeof *memory);
    tensor->memory = memory;
    if (memory && tpad_fits_memory(bytes)) memory->extra = calloc(1, (size_t)bytes + 1);
    if (!memory || !memory->extra) return tpad_no_memory(model, error);
    tensor->data = memory->extra;
    return TPAD_OK;
}

int32_t tpad_ir_load(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                     tpad_io_error *error)
{
    const ir_port *out = value->payload;
    char text[WHERE_BYTES];
    int64_t elems;
    where(text, model, out->layer);
    describe(tensor, value, out->type);
    if (out->converts == 0 && out->type != TPAD_OPENVINO_STRING) {
        tensor->big_endian = 0; /* as in the file */
        tensor->data = out->elements.text ? out->elements.text : "";
        return TPAD_OK;
    }
    int32_t status = make_room(tensor, model, text, &elems, error);
    if (status) return status;
    if (out->converts == 0) {
        if (elems > 0) take_strings(((tpad_memory *)tensor->memory)->extra, out->elements, elems);
        return TPAD_OK;
    }
    tpad_tensor source;
    const ir_port *from = out->layer->in.first->from;
    status = tpad_ir_load(&source, model, from->value, error);
    const char *why = NULL;
    if (!status)
        why = tpad_ir_convert_elements(((tpad_memory *)tensor->memory)->extra, out->type,
                                       source.data, from->type, source.big_endian, elems);
    tpad_tensor_free(&source);
    return why ? tpad_io_fail(error, TPAD_E_MODEL, "%s: %s", text, why) : status;
}
