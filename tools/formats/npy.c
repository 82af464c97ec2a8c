/* Arrays in .npy files.  SPDX-License-Identifier: MIT
 *
 * Owns the frame around the header's dictionary: magic, version, lengths, text encodings, and where
 * the elements begin. The elements stay where they are: byte order and column-major layout become
 * big_endian and strides. Knows no other format.
 *
 * Bytes after the array are allowed, because files of NumPy may hold several arrays in a row. Only
 * the first array is read, and from a pipe not a byte more.
 */
#include "npy_header.h"

#include "port/system.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC_BYTES = 6,
    ALIGNMENT = 64,
    MAX_HEADER = 1 << 20, /* some 30,000 fields of a record */
    MAX_SHAPE_TEXT = TPAD_MAX_RANK * 22 + 4
};

static const char magic[MAGIC_BYTES + 1] = "\x93NUMPY";

/* ---- Reading --------------------------------------------------------------------------------- */

/* The header's text in UTF-8 with a NUL: versions 1 and 2 are in Latin-1, 3 is in UTF-8. */
static int32_t header_text(char **text, const unsigned char *raw, size_t count, int utf8,
                           const char *path, tpad_io_error *error)
{
    char *copy = malloc(2 * count + 1);
    if (!copy) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: no memory for its header", path);
    size_t used = 0;
    uint32_t code;
    for (size_t i = 0, taken; i < count; i += taken) {
        taken = utf8 ? tpad_utf8_next((const char *)raw + i, count - i, &code) : 1;
        if (taken == 0 || raw[i] == '\0') {
            free(copy);
            return tpad_io_fail(error, TPAD_E_FILE, "%s: byte %zu of the .npy header is no text",
                                path, i);
        }
        if (utf8 || raw[i] < 0x80) {
            memcpy(copy + used, raw + i, taken);
            used += taken;
        } else {
            copy[used++] = (char)(0xC0 | raw[i] >> 6);
            copy[used++] = (char)(0x80 | (raw[i] & 0x3F));
        }
    }
    while (used > 0 && (copy[used - 1] == ' ' || copy[used - 1] == '\n')) used--;
    copy[used] = '\0';
    *text = copy;
    return TPAD_OK;
}

static void column_major_strides(tpad_tensor *tensor)
{
    int64_t stride = tensor->elem_bits / 8;
    for (int32_t i = 0; i < tensor->rank; i++) {
        tensor->strides[i] = stride;
        stride *= tensor->shape[i];
    }
}

/* Keeps the spelling of the type: of a record unchanged, of other types in NumPy's form. */
static int32_t keep_descr(tpad_tensor *tensor, const tpad_npy_layout *layout, const char *path,
                          tpad_io_error *error)
{
    const tpad_npy_kind *kind = &layout->kind;
    if (layout->is_record)
        tensor->npy_descr = strndup(layout->descr, layout->descr_length);
    else {
        /* A date carries its unit: <M8[ns]. */
        const char *unit = memchr(layout->descr, '[', layout->descr_length);
        int unit_length = unit ? (int)(layout->descr + layout->descr_length - unit) : 0;
        int64_t size = kind->letter == 'U' ? kind->size / 4 : kind->size;
        if (asprintf(&tensor->npy_descr, "%c%c%lld%.*s", kind->order, kind->letter, (long long)size,
                     unit_length, unit ? unit : "") < 0)
            tensor->npy_descr = NULL;
    }
    return tensor->npy_descr
               ? TPAD_OK
               : tpad_io_fail(error, TPAD_E_MEMORY, "%s: no memory for its header", path);
}

/* Reads up to `count` bytes; fails if the file has fewer. */
static int32_t reach(tpad_bytes *bytes, const char *path, int64_t count, const char *what,
                     tpad_io_error *error)
{
    int32_t status = tpad_bytes_reach(bytes, path, count, error);
    if (status || bytes->count >= count) return status;
    return tpad_io_fail(error, TPAD_E_FILE, "%s: ends after %lld bytes, within its %s", path,
                        (long long)bytes->count, what);
}

/* Where the header's text begins and how long it is. */
static int32_t find_header(tpad_bytes *bytes, int64_t *begin, int64_t *count, const char *path,
                           tpad_io_error *error)
{
    int32_t status = tpad_bytes_reach(bytes, path, MAGIC_BYTES, error);
    if (status) return status;
    if (bytes->count < MAGIC_BYTES || memcmp(bytes->data, magic, MAGIC_BYTES) != 0) {
        int archive = bytes->count >= 2 && memcmp(bytes->data, "PK", 2) == 0;
        return tpad_io_fail(error, TPAD_E_FILE, "%s: is %s", path,
                            archive ? "an archive (.npz): unpack the .npy file you mean"
                                    : "no .npy file, it does not begin with \\x93NUMPY");
    }
    status = reach(bytes, path, MAGIC_BYTES + 4, "header", error);
    if (status) return status;
    const unsigned char *version = bytes->data + MAGIC_BYTES;
    if (version[0] < 1 || version[0] > 3 || version[1] != 0)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: is of .npy version %d.%d; 1.0, 2.0 and 3.0 can be read", path,
                            version[0], version[1]);
    int32_t wide = version[0] > 1;
    *begin = MAGIC_BYTES + 2 + (wide ? 4 : 2);
    status = reach(bytes, path, *begin, "header", error);
    if (status) return status;
    const unsigned char *length = bytes->data + MAGIC_BYTES + 2;
    *count = length[0] | length[1] << 8;
    if (wide) *count |= (int64_t)length[2] << 16 | (int64_t)length[3] << 24;
    if (*count > MAX_HEADER)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: its header claims %lld bytes; the limit is %d",
                            path, (long long)*count, (int)MAX_HEADER);
    return reach(bytes, path, *begin + *count, "header", error);
}

static int32_t load(tpad_tensor *tensor, tpad_bytes *bytes, const char *path, tpad_io_error *error)
{
    int64_t begin = 0, count = 0, elems, size;
    int32_t status = find_header(bytes, &begin, &count, path, error);
    if (status) return status;
    char *text = NULL;
    int utf8 = bytes->data[MAGIC_BYTES] == 3;
    status = header_text(&text, bytes->data + begin, (size_t)count, utf8, path, error);
    if (status) return status;
    tpad_npy_layout layout;
    status = tpad_npy_parse(&layout, text, path, error);
    if (!status) status = keep_descr(tensor, &layout, path, error);
    free(text);
    if (status) return status;

    tensor->rank = layout.rank;
    memcpy(tensor->shape, layout.shape, sizeof tensor->shape);
    tensor->elem_bits = (int32_t)layout.elem_bytes * 8;
    if (!layout.is_record) {
        tensor->type = tpad_npy_kind_type(&layout.kind);
        tensor->big_endian = layout.kind.order == '>' && layout.kind.letter != 'V';
        /* ml_dtypes writes float8_e5m2 as f1, which NumPy alone cannot read back: write V1. */
        if (tensor->type == TPAD_ONNX_FLOAT8E5M2) {
            free(tensor->npy_descr);
            tensor->npy_descr = NULL;
        }
    }
    status =
        tpad_shape_size(path, tensor->rank, tensor->shape, tensor->elem_bits, &elems, &size, error);
    if (status) return status;
    begin += count;
    if (size > INT64_MAX - begin)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: its shape needs %lld bytes, which no file holds", path,
                            (long long)size);
    status = tpad_bytes_reach(bytes, path, begin + size, error);
    if (status) return status;
    if (bytes->count - begin < size)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: holds %lld bytes of elements, its shape needs %lld", path,
                            (long long)(bytes->count - begin), (long long)size);
    tensor->data = bytes->data + begin;
    tpad_dense_strides(tensor);
    if (layout.column_major && elems > 0) column_major_strides(tensor);
    return TPAD_OK;
}

int32_t tpad_npy_load(tpad_tensor *tensor, const char *path, tpad_io_error *error)
{
    tpad_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: no memory", path);
    tensor->memory = memory;
    int32_t status = tpad_bytes_start(&memory->bytes, path, error);
    return status ? status : load(tensor, &memory->bytes, path, error);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* The type as NumPy writes it. ml_dtypes spells its types as raw bytes, V. NumPy reads these
 * without regard to byte order, so they always have the low byte first. */
static const char *spell(char text[16], const tpad_tensor *like)
{
    static const struct {
        int8_t type;
        char letter;
    } letters[] = {
        {TPAD_ONNX_BOOL, 'b'},      {TPAD_ONNX_INT8, 'i'},       {TPAD_ONNX_INT16, 'i'},
        {TPAD_ONNX_INT32, 'i'},     {TPAD_ONNX_INT64, 'i'},      {TPAD_ONNX_UINT8, 'u'},
        {TPAD_ONNX_UINT16, 'u'},    {TPAD_ONNX_UINT32, 'u'},     {TPAD_ONNX_UINT64, 'u'},
        {TPAD_ONNX_FLOAT16, 'f'},   {TPAD_ONNX_FLOAT, 'f'},      {TPAD_ONNX_DOUBLE, 'f'},
        {TPAD_ONNX_COMPLEX64, 'c'}, {TPAD_ONNX_COMPLEX128, 'c'},
    };
    char letter = 'V';
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].type == like->type) letter = letters[i].letter;
    int bytes = like->elem_bits / 8;
    char order = letter == 'V' ? '<' : bytes == 1 ? '|' : like->big_endian ? '>' : '<';
    snprintf(text, 16, "%c%c%d", order, letter, bytes);
    return text;
}

static void shape_text(char text[MAX_SHAPE_TEXT], const tpad_tensor *like)
{
    char *at = text;
    *at++ = '(';
    for (int32_t i = 0; i < like->rank; i++)
        at += sprintf(at, i ? ", %lld" : "%lld", (long long)like->shape[i]);
    strcpy(at, like->rank == 1 ? ",)" : ")");
}

/* Turns UTF-8 into Latin-1 in place; 0, and nothing changed, if it does not fit. */
static int to_latin1(char *text, size_t *length)
{
    uint32_t code;
    for (size_t i = 0, taken; i < *length; i += taken) {
        taken = tpad_utf8_next(text + i, *length - i, &code);
        if (taken == 0 || code > 0xFF) return 0;
    }
    size_t used = 0;
    for (size_t i = 0; i < *length;) {
        i += tpad_utf8_next(text + i, *length - i, &code);
        text[used++] = (char)code;
    }
    *length = used;
    return 1;
}

/* The same bytes as NumPy writes: the oldest version that can hold the header, room for the first
 * extent to grow to 21 digits, at least one blank, and the elements at a multiple of 64. */
int32_t tpad_npy_header(unsigned char **header, int64_t *count, const char *path,
                        const tpad_tensor *like, tpad_io_error *error)
{
    if (like->type == TPAD_ONNX_STRING || like->elem_bits < 8)
        return tpad_io_fail(error, TPAD_E_FILE_TYPE, "%s: .npy cannot hold %s; write a .pb file",
                            path, tpad_tensor_type_text(like));
    char spelled[16], shape[MAX_SHAPE_TEXT], *text = NULL;
    const char *descr = like->npy_descr ? like->npy_descr : spell(spelled, like);
    const char *quote = *descr == '[' ? "" : "'";
    shape_text(shape, like);
    int growth = 0;
    if (like->rank > 0) growth = 21 - snprintf(NULL, 0, "%lld", (long long)like->shape[0]);
    int printed = asprintf(&text, "{'descr': %s%s%s, 'fortran_order': False, 'shape': %s, }%*s",
                           quote, descr, quote, shape, growth, "");
    size_t room = (size_t)(printed < 0 ? 0 : printed) + MAGIC_BYTES + 2 + 4 + 1 + ALIGNMENT;
    unsigned char *out = printed < 0 ? NULL : malloc(room);
    if (!out) {
        if (printed >= 0) free(text);
        return tpad_io_fail(error, TPAD_E_MEMORY, "%s: no memory for its header", path);
    }
    size_t length = (size_t)printed;
    int latin1 = to_latin1(text, &length);
    size_t begin = MAGIC_BYTES + 2 + 2;
    size_t blanks = ALIGNMENT - (begin + length + 1) % ALIGNMENT;
    int version = latin1 ? 1 : 3;
    if (!latin1 || length + blanks + 1 > 0xFFFF) {
        if (latin1) version = 2;
        begin += 2;
        blanks = ALIGNMENT - (begin + length + 1) % ALIGNMENT;
    }
    size_t claimed = length + blanks + 1;
    memcpy(out, magic, MAGIC_BYTES);
    out[MAGIC_BYTES] = (unsigned char)version;
    out[MAGIC_BYTES + 1] = 0;
    for (size_t i = MAGIC_BYTES + 2; i < begin; i++, claimed >>= 8) out[i] = claimed & 0xFF;
    memcpy(out + begin, text, length);
    memset(out + begin + length, ' ', blanks);
    out[begin + length + blanks] = '\n';
    free(text);
    *header = out;
    *count = (int64_t)(begin + length + blanks + 1);
    return TPAD_OK;
}
