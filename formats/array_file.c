/* Arrays in files, whatever their format.  SPDX-License-Identifier: MIT
 *
 * Chooses the format by the path, frees what a tensor owns, and reads elements as another type of
 * the same width. */
#include "file.h"

#include "formats/port/system.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

int32_t tpad_format_of(int32_t *format, const char *path, tpad_io_error *error)
{
    system_entry entry;
    *format = ends_in(path, ".pb")    ? TPAD_FORMAT_PB
              : ends_in(path, ".png") ? TPAD_FORMAT_PNG
                                      : TPAD_FORMAT_NPY;
    if (*format != TPAD_FORMAT_NPY || ends_in(path, ".npy") || strcmp(path, "-") == 0)
        return TPAD_OK;
    if (system_look(path, &entry) != 0)
        return tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
    if (entry.kind == SYSTEM_STREAM || entry.kind == SYSTEM_DISK) return TPAD_OK;
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: unknown ending; arrays are .npy, .pb or .png, or - for a pipe", path);
}

/* 1 for a type of whole bytes that .npy cannot name: users store its bits under another type. */
static int npy_cannot_say(int32_t type)
{
    return type == TPAD_ONNX_BFLOAT16 ||
           (type >= TPAD_ONNX_FLOAT8E4M3FN && type <= TPAD_ONNX_FLOAT8E5M2FNUZ) ||
           type == TPAD_ONNX_FLOAT8E8M0;
}

/* Changes the type of raw bytes to `type`, or of unsigned integers if .npy cannot name `type`. */
static int32_t reinterpret(tpad_tensor *tensor, const char *path, int32_t type,
                           tpad_io_error *error)
{
    tpad_npy_kind kind;
    int raw = tensor->type == 0 && tensor->npy_descr &&
              tpad_npy_kind_parse(&kind, tensor->npy_descr) && kind.letter == 'V';
    if (type == tensor->type) return TPAD_OK;
    int bits = tpad_type_is_unsigned(tensor->type) && npy_cannot_say(type);
    if (!(raw || bits) || tpad_onnx_type_bits(type) != tensor->elem_bits)
        return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                            "%s: holds %s, which cannot be read as %s: only raw bytes (V1, V2 "
                            "...) can, and unsigned integers for bfloat16 and the float8 kinds%s",
                            path, tpad_tensor_type_text(tensor), tpad_onnx_type_name(type),
                            type == TPAD_ONNX_STRING || tpad_onnx_type_bits(type) < 8
                                ? "; a .pb file holds this type"
                                : "");
    /* V has no byte order, but a file may have its writer's order sign. Without one, this machine's
     * order is assumed. */
    if (raw)
        tensor->big_endian = kind.order == '>' || (kind.order == '|' && tpad_host_big_endian());
    tensor->type = type;
    free(tensor->npy_descr);
    tensor->npy_descr = NULL;
    return TPAD_OK;
}

int32_t tpad_tensor_load(tpad_tensor *tensor, const char *path, int32_t type, tpad_io_error *error)
{
    int32_t format;
    *tensor = (tpad_tensor){0};
    int32_t status = tpad_format_of(&format, path, error);
    if (status) return status;
    status = format == TPAD_FORMAT_NPY  ? tpad_npy_load(tensor, path, error)
             : format == TPAD_FORMAT_PB ? tpad_pb_load(tensor, path, error)
                                        : tpad_png_load(tensor, path, error);
    if (!status && type) status = reinterpret(tensor, path, type, error);
    if (status) tpad_tensor_free(tensor);
    return status;
}

void tpad_tensor_free(tpad_tensor *tensor)
{
    tpad_memory *memory = tensor->memory;
    free(tensor->name);
    free(tensor->npy_descr);
    if (memory) {
        tpad_bytes_close(&memory->bytes);
        free(memory->extra);
        free(memory);
    }
    *tensor = (tpad_tensor){0};
}
