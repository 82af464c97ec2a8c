/* Writes arrays to files.  SPDX-License-Identifier: MIT
 *
 * The result is written to a temporary file beside the target, which has its full size from the
 * start and is renamed when it is complete. For pipes and devices the elements wait in memory. This
 * file knows nothing of a format but its header, or which file writes it. */
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/port/system.h"

struct tpad_output {
    tpad_tensor like; /* without data, owns its name and spelling; zeros: not an array */
    int32_t format;   /* 0: not an array */
    int32_t overwrite;
    int64_t elems;
    int64_t bytes;    /* of all elements; of string handles */
    char *path;       /* as given, for errors */
    char *target;     /* links followed; NULL: a pipe or device */
    char *temporary;  /* NULL until it exists */
    int fd;           /* of the temporary file, the pipe or the device */
    int32_t replaces; /* 1: an old file, whose owner and mode are in `old` */
    system_entry old;
    unsigned char *header; /* the bytes before the elements, or NULL */
    int64_t header_bytes;
    unsigned char *map; /* the mapped file, or NULL */
    void *data;
};

enum { NAME_SHOWN = 200, TRIES = 100 };

static int32_t system_failed(const char *path, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
}

static int32_t no_memory(const char *path, int64_t bytes, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_MEMORY, "%s: no memory for %lld bytes", path,
                        (long long)bytes);
}

static int64_t file_bytes(const tpad_output *out)
{
    return out->header_bytes + out->bytes;
}

static void unmap(tpad_output *out)
{
    if (out->map)
        system_unmap(out->map, file_bytes(out));
    else
        free(out->data);
    out->map = NULL;
    out->data = NULL;
}

void tpad_output_discard(tpad_output *out)
{
    if (!out) return;
    unmap(out);
    if (out->fd >= 0) close(out->fd);
    if (out->temporary) system_remove(out->temporary);
    free(out->temporary);
    free(out->target);
    free(out->path);
    free(out->header);
    tpad_tensor_free(&out->like);
    free(out);
}

/* ---- The target ------------------------------------------------------------------------------ */

/* How many bytes of the target's name the temporary file's name repeats: whole characters, because
 * some systems refuse parts of one. */
static int shown_bytes(const char *name)
{
    int count = (int)strnlen(name, NAME_SHOWN);
    while (count > 0 && ((unsigned char)name[count] & 0xC0) == 0x80) count--;
    return count;
}

/* Makes the temporary file. It gets the mode of a new file in this folder (umask, the folder's
 * default rules), which mkstemp would not give it. If it replaces a file, only the owner may use it
 * until system_take_access: others may be forbidden to read the old file. */
static int32_t make_temporary(tpad_output *out, tpad_io_error *error)
{
    const char *slash = system_last_slash(out->target);
    const char *base = slash ? slash + 1 : out->target;
    for (int i = 0; i < TRIES; i++) {
        uint32_t number;
        char *name;
        if (system_random(&number) != 0) return system_failed(out->path, error);
        if (asprintf(&name, "%.*s.%.*s.%06x", (int)(base - out->target), out->target,
                     shown_bytes(base), base, number & 0xFFFFFF) < 0)
            return no_memory(out->path, (int64_t)strlen(out->target), error);
        out->fd = system_open(name, out->replaces ? SYSTEM_CREATE_PRIVATE : SYSTEM_CREATE);
        if (out->fd >= 0) {
            out->temporary = name;
            return TPAD_OK;
        }
        free(name);
        if (errno != EEXIST) break;
    }
    return system_failed(out->path, error);
}

/* Opens the target. A link is followed: the file that it names is replaced and the link stays, as
 * with cp. A pipe or device loses nothing when it is written to, so it needs no `overwrite`; a
 * block device does. */
static int32_t open_target(tpad_output *out, tpad_io_error *error)
{
    const system_entry *old = &out->old;
    const char *path = out->path;
    if (strcmp(path, "-") == 0) {
        out->fd = system_duplicate_stdout();
        return out->fd < 0 ? system_failed(path, error) : TPAD_OK;
    }
    if (system_look(path, &out->old) != 0) return system_failed(path, error);
    if (old->kind == SYSTEM_ABSENT && !old->is_link) {
        out->target = strdup(path);
        return out->target ? make_temporary(out, error)
                           : no_memory(path, (int64_t)strlen(path) + 1, error);
    }
    if (old->kind == SYSTEM_FOLDER) return tpad_io_fail(error, TPAD_E_IO, "%s: is a folder", path);
    if (!out->overwrite && old->kind != SYSTEM_STREAM)
        return tpad_io_fail(error, TPAD_E_EXISTS, "%s: exists; -f overwrites it", path);
    if (old->kind == SYSTEM_ABSENT)
        return tpad_io_fail(error, TPAD_E_IO, "%s: is a link to a file that does not exist", path);
    if (old->kind != SYSTEM_FILE) {
        out->fd = system_open(path, SYSTEM_WRITE);
        return out->fd < 0 ? system_failed(path, error) : TPAD_OK;
    }
    out->replaces = 1;
    out->target = system_real_path(path);
    return out->target ? make_temporary(out, error) : system_failed(path, error);
}

/* ---- Room for the elements ------------------------------------------------------------------- */

/* Reserves the disk space now, so that a full disk is an error here, not a signal while the mapping
 * is written. */
static int32_t reserve(tpad_output *out, tpad_io_error *error)
{
    if (system_reserve(out->fd, file_bytes(out)) != 0)
        return tpad_io_fail(error, TPAD_E_IO, "%s: no room for %lld bytes: %s", out->path,
                            (long long)file_bytes(out), strerror(errno));
    out->map = system_map(out->fd, file_bytes(out), 1);
    if (!out->map) return system_failed(out->path, error);
    memcpy(out->map, out->header, (size_t)out->header_bytes);
    out->data = out->map + out->header_bytes;
    return TPAD_OK;
}

static int32_t make_room(tpad_output *out, tpad_io_error *error)
{
    /* A file is mapped, so it must fit into the address space, not into memory. */
    if ((uint64_t)file_bytes(out) > SIZE_MAX / 2) return no_memory(out->path, out->bytes, error);
    if (out->header && out->target) return reserve(out, error);
    /* Zeroed, because string handles that nobody sets must be empty. */
    const int64_t bytes = out->bytes ? out->bytes : 1;
    if (tpad_fits_memory(bytes)) out->data = calloc((size_t)bytes, 1);
    return out->data ? TPAD_OK : no_memory(out->path, bytes, error);
}

static int is_text_file(const tpad_output *out)
{
    return out->format == TPAD_FORMAT_PB && out->like.type == TPAD_ONNX_STRING;
}

/* Makes all checks that are possible before a file is touched. */
static int32_t prepare(tpad_output *out, const tpad_tensor *like, tpad_io_error *error)
{
    const char *path = out->path;
    if (like == NULL) return TPAD_OK;
    out->like = *like;
    out->like.data = out->like.memory = NULL;
    out->like.name = like->name ? strdup(like->name) : NULL;
    out->like.npy_descr = like->npy_descr ? strdup(like->npy_descr) : NULL;
    if (like->name && !out->like.name)
        return no_memory(path, (int64_t)strlen(like->name) + 1, error);
    if (like->npy_descr && !out->like.npy_descr)
        return no_memory(path, (int64_t)strlen(like->npy_descr) + 1, error);
    int32_t status = tpad_shape_size(path, like->rank, like->shape, like->elem_bits, &out->elems,
                                     &out->bytes, error);
    if (status) return status;
    status = tpad_format_of(&out->format, path, error);
    if (status) return status;
    if (out->format == TPAD_FORMAT_PNG) return tpad_png_check(path, like, error);
    if (out->format == TPAD_FORMAT_NPY)
        status = tpad_npy_header(&out->header, &out->header_bytes, path, like, error);
    else if (!is_text_file(out))
        status = tpad_pb_header(&out->header, &out->header_bytes, path, like, error);
    if (!status && out->bytes > INT64_MAX - out->header_bytes)
        status = tpad_io_fail(error, TPAD_E_IO, "%s: no file holds %lld bytes", path,
                              (long long)out->bytes);
    return status;
}

int32_t tpad_output_begin(tpad_output **output, const char *path, const tpad_tensor *like,
                          int32_t overwrite, tpad_io_error *error)
{
    *output = NULL;
    tpad_output *out = calloc(1, sizeof *out);
    if (!out) return no_memory(path, (int64_t)sizeof *out, error);
    out->fd = -1;
    out->overwrite = overwrite;
    out->path = strdup(path);
    int32_t status =
        out->path ? prepare(out, like, error) : no_memory(path, (int64_t)strlen(path) + 1, error);
    if (!status) status = open_target(out, error);
    if (!status) status = make_room(out, error);
    if (status)
        tpad_output_discard(out);
    else
        *output = out;
    return status;
}

void *tpad_output_data(tpad_output *output)
{
    return output->data;
}

const char *tpad_output_temporary(const tpad_output *output)
{
    return output->temporary;
}

int32_t tpad_output_write(tpad_output *out, const void *bytes, int64_t count, tpad_io_error *error)
{
    return tpad_write_all(out->fd, out->path, bytes, count, error);
}

/* ---- The end --------------------------------------------------------------------------------- */

/* 1 if the bytes of the elements, which are in like's byte order, must be reversed. A TensorProto
 * has the low byte first, and so does bfloat16 in an .npy file, whose V names no order; png.c
 * reverses the bytes itself. */
static int has_wrong_order(const tpad_output *out)
{
    int fixed = out->format == TPAD_FORMAT_PB ||
                (out->format == TPAD_FORMAT_NPY && out->like.type == TPAD_ONNX_BFLOAT16 &&
                 !out->like.npy_descr);
    return fixed && out->like.big_endian && out->like.type != TPAD_ONNX_STRING;
}

static int32_t write_elements(tpad_output *out, tpad_io_error *error)
{
    if (has_wrong_order(out)) tpad_swap_bytes(out->data, out->elems, &out->like);
    if (is_text_file(out))
        return tpad_pb_write_strings(out->fd, out->path, &out->like, out->data, error);
    if (out->format == TPAD_FORMAT_PNG)
        return tpad_png_write(out->fd, out->path, &out->like, out->data, error);
    if (out->map) return TPAD_OK;
    int32_t status = tpad_write_all(out->fd, out->path, out->header, out->header_bytes, error);
    return status ? status : tpad_write_all(out->fd, out->path, out->data, out->bytes, error);
}

/* Gives the temporary file its name. Without `overwrite`, a file that another program has made in
 * the meantime must stay. */
static int32_t give_name(tpad_output *out, tpad_io_error *error)
{
    const int failed = system_rename(out->temporary, out->target, out->overwrite);
    if (failed && errno == EEXIST && !out->overwrite)
        return tpad_io_fail(error, TPAD_E_EXISTS,
                            "%s: was made by someone else meanwhile; -f "
                            "overwrites it",
                            out->path);
    if (failed) return system_failed(out->path, error);
    free(out->temporary);
    out->temporary = NULL;
    return TPAD_OK;
}

int32_t tpad_output_commit(tpad_output *out, tpad_io_error *error)
{
    int32_t status = write_elements(out, error);
    unmap(out);
    if (!status && out->replaces && system_take_access(out->fd, &out->old) != 0)
        status = system_failed(out->path, error);
    /* Some file systems report a failed write only here. */
    int closed = close(out->fd);
    out->fd = -1;
    if (!status && closed != 0) status = system_failed(out->path, error);
    if (!status && out->target) status = give_name(out, error);
    tpad_output_discard(out);
    return status;
}

int32_t tpad_same_file(const char *a, const char *b)
{
    system_entry first, second;
    if (system_look(a, &first) != 0 || system_look(b, &second) != 0) return -1;
    return first.kind == SYSTEM_FILE && second.kind == SYSTEM_FILE &&
           first.device == second.device && first.number == second.number;
}
