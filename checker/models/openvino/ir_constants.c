/* Constants of an IR.  SPDX-License-Identifier: MIT
 *
 * The layers Const and Convert: where their elements are in the .bin, after checking that the file
 * contains them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/port/system.h"
#include "ir.h"

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
    system_entry entry;
    char *path = tpad_bin_path(model->path);
    if (path && system_look(path, &entry) == 0 && entry.kind == SYSTEM_ABSENT) {
        free(path);
        *bytes = &none;
        return TPAD_OK;
    }
    return path ? tpad_weights_open(bytes, model, path, error) : tpad_no_memory(model, error);
}

/* Finds the layer's bytes, at least `wanted` of them. More are allowed, because some files have
 * more. */
static int32_t find_elements(tpad_string *elements, tpad_model *model, const ir_layer *layer,
                             int64_t wanted, const char *text, tpad_io_error *error)
{
    const tpad_bytes *bin;
    int64_t offset, size;
    if (!tpad_ir_integer(&offset, tpad_ir_attribute(layer, ATTR_OFFSET)) ||
        !tpad_ir_integer(&size, tpad_ir_attribute(layer, ATTR_SIZE)) || offset < 0 || size < 0)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: its offset or size is missing or not a valid number", text);
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

/* A number of a packed string tensor. The first is the count of strings, the second the beginning
 * of the first string, and the others are the ends of the strings. */
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

/* 1 if elements of that type can be read. */
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
    if (!said.text) { /* old files only have it at the port */
        rank = out->rank;
        if (rank > 0) memcpy(shape, out->shape, (size_t)rank * sizeof *shape);
    } else if (!tpad_ir_integers(shape, TPAD_MAX_RANK, &rank, said)) {
        if (rank < TPAD_MAX_RANK)
            return tpad_io_fail(error, TPAD_E_FILE, "%s: '%.*s' is not a shape", text,
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

/* Gives the tensor its own memory for its elements. */
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

/* Conversions of elements: the layer Convert on constants.
 *
 * To floats: rounded once, to nearest even. To integers: from floats towards zero, from integers
 * modulo the width. To boolean: 1 unless zero. */

enum { DOUBLE_BITS = 53 };

/* A number after reading: an integer with a sign, or a double. */
typedef struct number {
    int32_t is_integer, negative;
    uint64_t magnitude;
    double real;
} number;

static int32_t is_integer(int32_t type)
{
    return (type >= TPAD_OPENVINO_I4 && type <= TPAD_OPENVINO_U64) || type == TPAD_OPENVINO_BOOLEAN;
}

static int32_t is_signed(int32_t type)
{
    return type >= TPAD_OPENVINO_I4 && type <= TPAD_OPENVINO_I64;
}

int32_t tpad_ir_can_convert(int32_t to, int32_t from)
{
    const int32_t types[] = {to, from};
    for (int i = 0; i < 2; i++)
        if (types[i] <= 0 || types[i] >= TPAD_OPENVINO_STRING || types[i] == TPAD_OPENVINO_NF4)
            return 0;
    return 1;
}

/* ---- Bits ------------------------------------------------------------------------------------ */

/* The first bit of a packed element in its byte. */
static int32_t shift_of(int32_t type, int32_t bits, int64_t index)
{
    const int32_t shift = (int32_t)(index % (8 / bits)) * bits;
    return type == TPAD_OPENVINO_U1 ? 8 - bits - shift : shift;
}

static uint64_t get_bits(const void *data, int32_t type, int32_t big_endian, int64_t index)
{
    const int32_t bits = tpad_openvino_type_bits(type), size = bits / 8;
    const unsigned char *bytes = data;
    uint64_t code = 0;
    if (bits < 8)
        return (uint32_t)bytes[index / (8 / bits)] >> shift_of(type, bits, index) &
               ((1u << bits) - 1);
    for (int32_t k = 0; k < size; k++)
        code = code << 8 | bytes[index * size + (big_endian ? k : size - 1 - k)];
    return code;
}

/* Writes an element to zeroed memory, in this machine's byte order. */
static void put_bits(void *data, int32_t type, int64_t index, uint64_t code)
{
    const int32_t bits = tpad_openvino_type_bits(type), size = bits / 8;
    const int32_t big_endian = tpad_host_big_endian();
    unsigned char *bytes = data;
    if (bits < 8) {
        code = (code & ((1u << bits) - 1)) << shift_of(type, bits, index);
        bytes[index / (8 / bits)] |= (unsigned char)code;
        return;
    }
    for (int32_t k = 0; k < size; k++, code >>= 8)
        bytes[index * size + (big_endian ? size - 1 - k : k)] = (unsigned char)code;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static number read_number(uint64_t code, int32_t type)
{
    number n = {.is_integer = is_integer(type), .magnitude = code};
    const int32_t bits = tpad_openvino_type_bits(type);
    if (type == TPAD_OPENVINO_BOOLEAN) n.magnitude = code != 0;
    if (is_signed(type) && (code >> (bits - 1) & 1)) {
        n.negative = 1;
        n.magnitude = (0 - code) & (UINT64_MAX >> (64 - bits));
    }
    if (n.is_integer) return n;
    if (type == TPAD_OPENVINO_F64)
        memcpy(&n.real, &code, sizeof code);
    else
        n.real = tpad_float_decode((uint32_t)code, tpad_type_from_openvino(type));
    return n;
}

/* The integer as a double. If a double cannot hold it, the neighbour with an odd last bit, because
 * rounding that to any shorter type gives the right result. */
static double odd_double(const number *n)
{
    int32_t shift = 0;
    while (n->magnitude >> shift >> DOUBLE_BITS) shift++;
    uint64_t kept = n->magnitude >> shift;
    kept |= (kept << shift) != n->magnitude;
    const double real = ldexp((double)kept, shift);
    return n->negative ? -real : real;
}

static const char *to_float(uint64_t *code, int32_t type, const number *n)
{
    uint32_t narrow;
    double real = n->real;
    if (type == TPAD_OPENVINO_F64) {
        if (n->is_integer) real = n->negative ? -(double)n->magnitude : (double)n->magnitude;
        memcpy(code, &real, sizeof real);
        return NULL;
    }
    if (n->is_integer) real = odd_double(n);
    const char *why = tpad_float_encode(&narrow, tpad_type_from_openvino(type), real);
    *code = narrow;
    return why ? "Convert gets a number that has no value near it in the new type" : NULL;
}

static const char *to_integer(uint64_t *code, int32_t type, const number *n)
{
    const int32_t bits = tpad_openvino_type_bits(type);
    if (type == TPAD_OPENVINO_BOOLEAN) {
        *code = n->is_integer ? n->magnitude != 0 : n->real != 0;
        return NULL;
    }
    if (n->is_integer) {
        *code = n->negative ? 0 - n->magnitude : n->magnitude;
        return NULL;
    }
    const double whole = trunc(n->real), above = ldexp(1, is_signed(type) ? bits - 1 : bits);
    if (!(whole < above) || !(whole >= (is_signed(type) ? -above : 0)))
        return "Convert gets a number that the new type cannot hold";
    *code = whole < 0 ? 0 - (uint64_t)-whole : (uint64_t)whole;
    return NULL;
}

const char *tpad_ir_convert_elements(void *to, int32_t to_type, const void *from, int32_t from_type,
                                     int32_t big_endian, int64_t count)
{
    const char *why = NULL;
    for (int64_t i = 0; i < count && !why; i++) {
        const number n = read_number(get_bits(from, from_type, big_endian, i), from_type);
        uint64_t code = 0;
        why = is_integer(to_type) ? to_integer(&code, to_type, &n) : to_float(&code, to_type, &n);
        put_bits(to, to_type, i, code);
    }
    return why;
}
