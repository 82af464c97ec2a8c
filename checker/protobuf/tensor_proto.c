/* Reads a TensorProto.  SPDX-License-Identifier: MIT
 *
 * ONNX's rules for tensors: which field holds which type, how elements are packed, where external
 * data may be. */
#include "tensor_proto.h"

#include <errno.h>
#include <pb_encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/file.h"
#include "formats/port/system.h"
#include "onnx.pb.h"
#include "onnx_fields.h"

/* raw_data has the low byte first; a tpad_tensor is in native order. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw_data would have to be swapped here");

enum { PATH_BYTES = 4096 };

enum { NO_FIELD, FLOATS, INT32S, STRINGS, INT64S, DOUBLES, UINT64S, FIELD_COUNT };

static const char *const field_names[FIELD_COUNT] = {"raw_data",    "float_data", "int32_data",
                                                     "string_data", "int64_data", "double_data",
                                                     "uint64_data"};

/* The field that holds a type's elements if raw_data does not, the bytes that one entry fills, and
 * the range of an entry: a file may write bit patterns as signed numbers. */
typedef struct field_rule {
    int32_t type;
    int32_t field;
    int64_t entry_bytes;
    int64_t low, high;
} field_rule;

static const field_rule rules[] = {
    {TPAD_ONNX_FLOAT, FLOATS, 4, 0, 0},
    {TPAD_ONNX_COMPLEX64, FLOATS, 4, 0, 0},
    {TPAD_ONNX_DOUBLE, DOUBLES, 8, 0, 0},
    {TPAD_ONNX_COMPLEX128, DOUBLES, 8, 0, 0},
    {TPAD_ONNX_INT64, INT64S, 8, 0, 0},
    {TPAD_ONNX_UINT64, UINT64S, 8, 0, 0},
    {TPAD_ONNX_UINT32, UINT64S, 4, 0, UINT32_MAX},
    {TPAD_ONNX_STRING, STRINGS, (int64_t)sizeof(tpad_string), 0, 0},
    {TPAD_ONNX_INT32, INT32S, 4, INT32_MIN, INT32_MAX},
    {TPAD_ONNX_INT16, INT32S, 2, INT16_MIN, INT16_MAX},
    {TPAD_ONNX_INT8, INT32S, 1, INT8_MIN, INT8_MAX},
    {TPAD_ONNX_UINT16, INT32S, 2, 0, UINT16_MAX},
    {TPAD_ONNX_UINT8, INT32S, 1, 0, UINT8_MAX},
    {TPAD_ONNX_BOOL, INT32S, 1, 0, 1},
    {TPAD_ONNX_FLOAT16, INT32S, 2, INT16_MIN, UINT16_MAX},
    {TPAD_ONNX_BFLOAT16, INT32S, 2, INT16_MIN, UINT16_MAX},
    {TPAD_ONNX_FLOAT8E4M3FN, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_FLOAT8E4M3FNUZ, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_FLOAT8E5M2, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_FLOAT8E5M2FNUZ, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_FLOAT8E8M0, INT32S, 1, INT8_MIN, UINT8_MAX},
    /* An entry is a byte of packed elements: two of 4 bits, or four of 2 bits. */
    {TPAD_ONNX_UINT4, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_INT4, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_FLOAT4E2M1, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_UINT2, INT32S, 1, INT8_MIN, UINT8_MAX},
    {TPAD_ONNX_INT2, INT32S, 1, INT8_MIN, UINT8_MAX},
};

static const field_rule *rule_for(int32_t type)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].type == type) return &rules[i];
    return NULL;
}

static int32_t damaged(const char *where, const char *why, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid TensorProto: %s", where, why);
}

/* A decimal number as external_data writes it. */
static int32_t parse_count(tpad_string text, int64_t *count)
{
    int64_t number = 0;
    if (text.length < 1 || text.length > 18) return 0;
    for (int64_t i = 0; i < text.length; i++) {
        if (text.text[i] < '0' || text.text[i] > '9') return 0;
        number = number * 10 + (text.text[i] - '0');
    }
    *count = number;
    return 1;
}

static int32_t read_external(tpad_proto *proto, const tpad_strings *entries, const char *where,
                             tpad_io_error *error)
{
    int64_t length = -1;
    if (entries->count > entries->room)
        return damaged(where, "too many entries in external_data", error);
    for (int64_t i = 0; i < entries->count; i++) {
        tpad_pb_Entry entry = {0};
        const char *why = tpad_wire_decode(tpad_pb_Entry_fields, &entry, entries->items[i]);
        if (why) return damaged(where, why, error);
        if (tpad_string_is(entry.key, "location")) proto->location = entry.value;
        if ((tpad_string_is(entry.key, "offset") && !parse_count(entry.value, &proto->offset)) ||
            (tpad_string_is(entry.key, "length") && !parse_count(entry.value, &length)))
            return tpad_io_fail(error, TPAD_E_FILE,
                                "%s: external_data has %.*s '%.*s', which is not a count of bytes",
                                where, TPAD_SHOW(entry.key), TPAD_SHOW(entry.value));
    }
    if (proto->location.length == 0)
        return damaged(where, "external_data names no location", error);
    if (proto->type == TPAD_ONNX_STRING)
        return damaged(where, "strings cannot lie in an external file", error);
    if (length >= 0 && length != proto->bytes)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: external_data has %lld bytes, but its type and shape take %lld",
                            where, (long long)length, (long long)proto->bytes);
    return TPAD_OK;
}

/* Checks that exactly one field holds elements, and exactly as many as the shape needs. */
static int32_t check_elements(tpad_proto *proto, const tpad_pb_Tensor *message, const char *where,
                              tpad_io_error *error)
{
    const field_rule *rule = rule_for(proto->type);
    const int64_t counts[FIELD_COUNT] = {
        [NO_FIELD] = message->raw_data.length,  [FLOATS] = message->float_data.count,
        [INT32S] = message->int32_data.count,   [STRINGS] = message->string_data.count,
        [INT64S] = message->int64_data.count,   [DOUBLES] = message->double_data.count,
        [UINT64S] = message->uint64_data.count,
    };
    int32_t used = rule->field;
    if (counts[NO_FIELD]) used = NO_FIELD;
    for (int32_t field = 0; field < FIELD_COUNT; field++) {
        if (counts[field] && (field != used || proto->external))
            return tpad_io_fail(error, TPAD_E_FILE, "%s: has data in %s as well as in %s", where,
                                field_names[field],
                                proto->external ? "an external file" : field_names[used]);
    }
    if (used == NO_FIELD && proto->type == TPAD_ONNX_STRING)
        return damaged(where, "strings cannot be raw_data", error);
    if (proto->external) return TPAD_OK;
    const int64_t needed = used == NO_FIELD ? proto->bytes : proto->bytes / rule->entry_bytes;
    if (counts[used] != needed)
        return tpad_io_fail(
            error, TPAD_E_FILE, "%s: %s has %lld %s, but its type (%s) and shape take %lld", where,
            field_names[used], (long long)counts[used], used == NO_FIELD ? "bytes" : "entries",
            tpad_onnx_type_name(proto->type), (long long)needed);
    if (used == NO_FIELD) proto->raw = message->raw_data.text;
    return TPAD_OK;
}

int32_t tpad_proto_read(tpad_proto *proto, tpad_string body, const char *where,
                        tpad_io_error *error)
{
    tpad_string entries[EXTERNAL_ENTRIES];
    *proto = (tpad_proto){.body = body};
    tpad_pb_Tensor message = {
        .dims = {.items = proto->dims, .room = TPAD_MAX_RANK, .item_bytes = 8},
        .external_data = {.items = entries, .room = EXTERNAL_ENTRIES},
    };
    const char *why = tpad_wire_decode(tpad_pb_Tensor_fields, &message, body);
    if (why) return damaged(where, why, error);
    if (message.segment.text)
        return damaged(where, "it is a segment of a tensor, or a sequence instead of a tensor",
                       error);
    if (message.data_location != 0 && message.data_location != EXTERNAL)
        return damaged(where, "its data_location is unknown", error);
    proto->name = message.name;
    proto->type = message.data_type;
    proto->external = message.data_location == EXTERNAL;
    if (proto->type == 0) return damaged(where, "it has no data_type", error);
    if (!rule_for(proto->type))
        return tpad_io_fail(error, proto->type < 0 ? TPAD_E_FILE : TPAD_E_FILE_TYPE,
                            "%s: data_type %d is unknown, the newest known one is %d (int2)", where,
                            (int)proto->type, TPAD_ONNX_INT2);
    if (message.dims.count > TPAD_MAX_RANK)
        return tpad_io_fail(error, TPAD_E_RANK, "%s: has %lld dims, at most %d are possible", where,
                            (long long)message.dims.count, TPAD_MAX_RANK);
    proto->rank = (int32_t)message.dims.count;
    int32_t bits = tpad_onnx_type_bits(proto->type);
    if (proto->type == TPAD_ONNX_STRING) bits = 8 * (int32_t)sizeof(tpad_string);
    int32_t status =
        tpad_shape_size(where, proto->rank, proto->dims, bits, &proto->elems, &proto->bytes, error);
    if (status) return status;
    status = check_elements(proto, &message, where, error);
    if (!status && proto->external)
        status = read_external(proto, &message.external_data, where, error);
    return status;
}

int32_t tpad_proto_load(tpad_tensor *tensor, const tpad_proto *proto, const char *where,
                        tpad_io_error *error)
{
    tpad_tensor_describe(tensor, proto->type, proto->rank, proto->dims);
    tensor->data = proto->raw ? proto->raw : "";
    if (proto->raw || proto->elems == 0) return TPAD_OK;
    const field_rule *rule = rule_for(proto->type);
    tpad_memory *memory = calloc(1, sizeof *memory);
    tensor->memory = memory;
    if (memory && tpad_fits_memory(proto->bytes)) memory->extra = malloc((size_t)proto->bytes);
    if (!memory || !memory->extra)
        return tpad_io_fail(error, TPAD_E_MEMORY, "%s: no memory for %lld bytes", where,
                            (long long)proto->bytes);
    const int64_t entries = proto->bytes / rule->entry_bytes;
    tpad_pb_Tensor message = {0};
    tpad_strings *strings = &message.string_data;
    tpad_numbers none, *numbers = rule->field == FLOATS    ? &message.float_data
                                  : rule->field == INT32S  ? &message.int32_data
                                  : rule->field == INT64S  ? &message.int64_data
                                  : rule->field == DOUBLES ? &message.double_data
                                  : rule->field == UINT64S ? &message.uint64_data
                                                           : &none;
    if (rule->field == STRINGS)
        *strings = (tpad_strings){.items = memory->extra, .room = entries};
    else
        *numbers = (tpad_numbers){.items = memory->extra,
                                  .room = entries,
                                  .low = rule->low,
                                  .high = rule->high,
                                  .item_bytes = rule->entry_bytes};
    const char *why = tpad_wire_decode(tpad_pb_Tensor_fields, &message, proto->body);
    if (why) return damaged(where, why, error);
    if ((rule->field == STRINGS ? strings->count : numbers->count) != entries)
        return damaged(where, "it changes while it is read", error);
    tensor->data = memory->extra;
    return TPAD_OK;
}

int32_t tpad_proto_view(tpad_tensor *tensor, const tpad_proto *proto, const tpad_bytes *file,
                        const char *where, tpad_io_error *error)
{
    if (proto->offset > file->count || proto->bytes > file->count - proto->offset)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: needs %lld bytes from %lld on of '%.*s', which has only %lld",
                            where, (long long)proto->bytes, (long long)proto->offset,
                            TPAD_SHOW(proto->location), (long long)file->count);
    tpad_tensor_describe(tensor, proto->type, proto->rank, proto->dims);
    tensor->data = file->data + proto->offset;
    return TPAD_OK;
}

/* 1 if the location is not absolute, has no step upwards and no NUL. */
static int32_t stays_inside(tpad_string location)
{
    const char *text = location.text;
    const int64_t length = location.length;
    if (length == 0 || text[0] == '/' || memchr(text, 0, (size_t)length)) return 0;
    for (int64_t first = 0, at = 0; at <= length; at++) {
        if (at < length && text[at] != '/') continue;
        if (at - first == 2 && text[first] == '.' && text[first + 1] == '.') return 0;
        first = at + 1;
    }
    return 1;
}

int32_t tpad_proto_locate(char **path, const tpad_proto *proto, const char *origin,
                          const char *where, tpad_io_error *error)
{
    char joined[PATH_BYTES];
    system_entry entry;
    const char *slash = system_last_slash(origin);
    const int folder_length = slash ? (int)(slash - origin) + 1 : 0;
    *path = NULL;
    if (!strcmp(origin, "-"))
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: it has external data '%.*s', but it is not in a folder", where,
                            TPAD_SHOW(proto->location));
    if (!stays_inside(proto->location))
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: external data '%.*s' is outside the folder of %s", where,
                            TPAD_SHOW(proto->location), origin);
    if (proto->location.length + folder_length + 3 > PATH_BYTES)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: the name of its external data is too long",
                            where);
    snprintf(joined, sizeof joined, "%.*s.", folder_length, origin);
    char *folder = system_real_path(joined);
    if (!folder) return tpad_io_fail(error, TPAD_E_IO, "%s: %s", joined, strerror(errno));
    snprintf(joined, sizeof joined, "%.*s%.*s", folder_length, origin, (int)proto->location.length,
             proto->location.text);
    char *target = system_real_path(joined);
    int32_t status = TPAD_OK;
    size_t inside = strlen(folder);
    if (folder[inside - 1] == '/') inside--; /* the root, or a drive's */
    if (!target || system_look(target, &entry) != 0)
        status = tpad_io_fail(error, TPAD_E_IO, "%s: external data '%.*s': %s", where,
                              TPAD_SHOW(proto->location), strerror(errno));
    else if (strncmp(folder, target, inside) || target[inside] != '/')
        status = tpad_io_fail(error, TPAD_E_FILE,
                              "%s: external data '%.*s' leads out of the folder of %s", where,
                              TPAD_SHOW(proto->location), origin);
    else if (entry.kind != SYSTEM_FILE)
        status = tpad_io_fail(error, TPAD_E_FILE, "%s: external data '%.*s' is not a regular file",
                              where, TPAD_SHOW(proto->location));
    free(folder);
    if (status)
        free(target);
    else
        *path = target;
    return status;
}

/* Replaces the message's file by the file with the elements. */
static int32_t load_external(tpad_tensor *tensor, const tpad_proto *proto, tpad_bytes *bytes,
                             const char *path, tpad_io_error *error)
{
    tpad_bytes file;
    char *target;
    int32_t status = tpad_proto_locate(&target, proto, path, path, error);
    if (status) return status;
    status = tpad_bytes_open(&file, target, error);
    free(target);
    if (status) return status;
    status = tpad_proto_view(tensor, proto, &file, path, error);
    tpad_bytes_close(bytes);
    *bytes = file;
    return status;
}

static int32_t load_file(tpad_tensor *tensor, tpad_bytes *bytes, const char *path,
                         tpad_io_error *error)
{
    tpad_proto proto;
    char *name = NULL;
    const tpad_string body = {(const char *)bytes->data, bytes->count};
    int32_t status = tpad_proto_read(&proto, body, path, error);
    if (status) return status;
    if (proto.name.length) {
        if (memchr(proto.name.text, 0, (size_t)proto.name.length))
            return damaged(path, "a NUL in its name", error);
        name = calloc((size_t)proto.name.length + 1, 1);
        if (!name) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", path);
        memcpy(name, proto.name.text, (size_t)proto.name.length);
    }
    status = proto.external ? load_external(tensor, &proto, bytes, path, error)
                            : tpad_proto_load(tensor, &proto, path, error);
    tensor->name = name;
    return status;
}

int32_t tpad_pb_load(tpad_tensor *tensor, const char *path, tpad_io_error *error)
{
    tpad_bytes bytes;
    int32_t status = tpad_bytes_open(&bytes, path, error);
    if (status) return status;
    status = load_file(tensor, &bytes, path, error);
    if (!status && !tensor->memory) {
        tensor->memory = calloc(1, sizeof(tpad_memory));
        if (!tensor->memory) status = tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", path);
    }
    if (status)
        tpad_bytes_close(&bytes);
    else
        ((tpad_memory *)tensor->memory)->bytes = bytes;
    return status;
}

/* Writing a TensorProto: raw_data is the last field, so that the elements follow the header as they
 * are and an output can be mapped in place. */

enum {
    VARINT_BYTES = 10,
    FIELD_BYTES = 1 + VARINT_BYTES, /* the most, with a one-byte tag */
    CHUNK_BYTES = 1 << 16
};

/* Writes the dims, the type and the name. */
static bool put_head(pb_ostream_t *out, const tpad_tensor *like)
{
    for (int32_t axis = 0; axis < like->rank; axis++)
        if (!pb_encode_tag(out, PB_WT_VARINT, TENSOR_DIMS) ||
            !pb_encode_varint(out, (uint64_t)like->shape[axis]))
            return false;
    if (!pb_encode_tag(out, PB_WT_VARINT, TENSOR_TYPE) ||
        !pb_encode_varint(out, (uint64_t)like->type))
        return false;
    return !like->name ||
           (pb_encode_tag(out, PB_WT_STRING, TENSOR_NAME) &&
            pb_encode_string(out, (const pb_byte_t *)like->name, strlen(like->name)));
}

static int32_t too_large(const char *path, int64_t bytes, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: %lld bytes are more than a .pb file can hold (%d); write an .npy file",
                        path, (long long)bytes, INT32_MAX);
}

/* Makes a buffer with the head and room for one more field. */
static int32_t begin_head(unsigned char **buffer, pb_ostream_t *out, const char *path,
                          const tpad_tensor *like, tpad_io_error *error)
{
    const size_t name = like->name ? strlen(like->name) : 0;
    if (!tpad_onnx_type_name(like->type))
        return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                            "%s: a .pb file cannot hold elements of type %s; write an .npy file",
                            path, tpad_tensor_type_text(like));
    if (name > INT32_MAX) return too_large(path, (int64_t)name, error);
    const size_t room = (size_t)(like->rank + 3) * FIELD_BYTES + name;
    *buffer = malloc(room);
    if (!*buffer) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", path);
    *out = pb_ostream_from_buffer(*buffer, room);
    if (put_head(out, like)) return TPAD_OK;
    free(*buffer);
    *buffer = NULL;
    return tpad_io_fail(error, TPAD_E_FILE_TYPE, "%s: %s", path, PB_GET_ERROR(out));
}

int32_t tpad_pb_header(unsigned char **header, int64_t *count, const char *path,
                       const tpad_tensor *like, tpad_io_error *error)
{
    pb_ostream_t out;
    int64_t elems, bytes;
    if (like->type == TPAD_ONNX_STRING)
        return tpad_io_fail(error, TPAD_E_FILE_TYPE, "%s: strings have no raw elements", path);
    int32_t status =
        tpad_shape_size(path, like->rank, like->shape, like->elem_bits, &elems, &bytes, error);
    if (!status) status = begin_head(header, &out, path, like, error);
    if (status) return status;
    if (bytes > INT32_MAX - (int64_t)out.bytes_written - FIELD_BYTES)
        status = too_large(path, bytes, error);
    else if (!pb_encode_tag(&out, PB_WT_STRING, TENSOR_RAW) ||
             !pb_encode_varint(&out, (uint64_t)bytes))
        status = tpad_io_fail(error, TPAD_E_FILE_TYPE, "%s: %s", path, PB_GET_ERROR(&out));
    if (status) {
        free(*header);
        *header = NULL;
        return status;
    }
    *count = (int64_t)out.bytes_written;
    return TPAD_OK;
}

/* Collects small writes. */
typedef struct sink {
    int fd;
    const char *path;
    int64_t used;
    unsigned char chunk[CHUNK_BYTES];
} sink;

static int32_t put(sink *to, const void *data, int64_t count, tpad_io_error *error)
{
    if (count > CHUNK_BYTES - to->used) {
        int32_t status = tpad_write_all(to->fd, to->path, to->chunk, to->used, error);
        to->used = 0;
        if (status || count > CHUNK_BYTES)
            return status ? status : tpad_write_all(to->fd, to->path, data, count, error);
    }
    if (count) memcpy(to->chunk + to->used, data, (size_t)count);
    to->used += count;
    return TPAD_OK;
}

static int32_t put_strings(sink *to, const tpad_string *strings, int64_t count,
                           tpad_io_error *error)
{
    int32_t status = TPAD_OK;
    for (int64_t i = 0; i < count && !status; i++) {
        pb_byte_t head[FIELD_BYTES];
        pb_ostream_t out = pb_ostream_from_buffer(head, sizeof head);
        if (!pb_encode_tag(&out, PB_WT_STRING, TENSOR_STRINGS) ||
            !pb_encode_varint(&out, (uint64_t)strings[i].length))
            return tpad_io_fail(error, TPAD_E_FILE_TYPE, "%s: %s", to->path, PB_GET_ERROR(&out));
        status = put(to, head, (int64_t)out.bytes_written, error);
        if (!status) status = put(to, strings[i].text, strings[i].length, error);
    }
    return status;
}

int32_t tpad_pb_write_strings(int fd, const char *path, const tpad_tensor *like,
                              const tpad_string *strings, tpad_io_error *error)
{
    unsigned char *head;
    pb_ostream_t out;
    int64_t elems, bytes;
    int32_t status =
        tpad_shape_size(path, like->rank, like->shape, like->elem_bits, &elems, &bytes, error);
    if (status) return status;
    int64_t total = 0;
    for (int64_t i = 0; i < elems; i++) {
        total += FIELD_BYTES + strings[i].length;
        if (total > INT32_MAX) return too_large(path, total, error);
    }
    status = begin_head(&head, &out, path, like, error);
    if (status) return status;
    sink *to = malloc(sizeof *to);
    if (to) {
        to->fd = fd;
        to->path = path;
        to->used = 0;
        status = put(to, head, (int64_t)out.bytes_written, error);
        if (!status) status = put_strings(to, strings, elems, error);
        if (!status) status = tpad_write_all(fd, path, to->chunk, to->used, error);
    } else {
        status = tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", path);
    }
    free(to);
    free(head);
    return status;
}
