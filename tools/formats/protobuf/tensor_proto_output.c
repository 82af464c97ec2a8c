/* Writing a TensorProto.  SPDX-License-Identifier: MIT
 *
 * Owns the order of the fields: raw_data is last, so that the elements follow the header as they
 * are and an output can be mapped in place. Knows nothing of reading. */
#include "formats/file.h"
#include "onnx_fields.h"
#include <pb_encode.h>
#include <stdlib.h>
#include <string.h>

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

/* Makes a buffer that contains the head and has room for one more field. */
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
