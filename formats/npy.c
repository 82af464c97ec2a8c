/* Arrays in .npy files.  SPDX-License-Identifier: MIT
 *
 * The frame around the header's dictionary: magic, version, lengths, text encodings, and where the
 * elements begin. The elements stay where they are: byte order and column-major layout become
 * big_endian and strides.
 *
 * Bytes after the array are allowed, because NumPy's files may hold several arrays in a row. Only
 * the first is read, and from a pipe not a byte more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

/* The parts of the header of an .npy file. */

typedef struct tpad_npy_layout {
    const char *descr; /* inside the text: the list of a record, or a kind without its quotes */
    size_t descr_length;
    int32_t is_record;
    tpad_npy_kind kind;   /* valid if the type is not a record */
    int64_t elem_bytes;   /* of one element, records summed up */
    int32_t column_major; /* fortran_order */
    int32_t rank;
    int64_t shape[TPAD_MAX_RANK];
} tpad_npy_layout;

/* Reads the dictionary, a NUL-terminated UTF-8 text. Errors name `path`: E_FILE, E_FILE_TYPE,
 * E_RANK. */
static int32_t tpad_npy_parse(tpad_npy_layout *layout, const char *text, const char *path,
                              tpad_io_error *error);

/* The dictionary in the header of an .npy file: the small part of Python's literals that NumPy
 * writes there. Any order of keys, blanks, trailing commas, both quotes and the L of old Pythons
 * are accepted; nothing is evaluated. */

enum { MAX_NESTING = 32, SHOWN = 40 };

typedef struct reader {
    const char *at;
    const char *path;
    tpad_io_error *error;
} reader;

static int32_t broken(reader *r, const char *expected)
{
    if (*r->at == '\0')
        return tpad_io_fail(r->error, TPAD_E_FILE, "%s: the .npy header ends where %s should be",
                            r->path, expected);
    return tpad_io_fail(r->error, TPAD_E_FILE,
                        "%s: the .npy header has \"%.*s\" where %s should be", r->path, (int)SHOWN,
                        r->at, expected);
}

static void skip_blanks(reader *r)
{
    r->at += strspn(r->at, " \t\r\n\f\v");
}

/* Takes one punctuation character, with the blanks before it. */
static int take(reader *r, char wanted)
{
    skip_blanks(r);
    if (*r->at != wanted) return 0;
    r->at++;
    return 1;
}

typedef struct span {
    const char *text;
    size_t length;
} span;

static int32_t take_string(reader *r, span *out, const char *expected)
{
    skip_blanks(r);
    char quote = *r->at;
    if (quote != '\'' && quote != '"') return broken(r, expected);
    const char *end = r->at + 1;
    while (*end != quote && *end != '\0') {
        if (*end == '\\' && end[1] != '\0') end++;
        end++;
    }
    if (*end == '\0') return broken(r, "the end of a string");
    *out = (span){r->at + 1, (size_t)(end - r->at - 1)};
    r->at = end + 1;
    return TPAD_OK;
}

static int span_is(span s, const char *word)
{
    return s.length == strlen(word) && memcmp(s.text, word, s.length) == 0;
}

static int32_t take_bool(reader *r, int32_t *out)
{
    skip_blanks(r);
    if (strncmp(r->at, "True", 4) == 0)
        *out = 1, r->at += 4;
    else if (strncmp(r->at, "False", 5) == 0)
        *out = 0, r->at += 5;
    else
        return broken(r, "True or False");
    return TPAD_OK;
}

static int32_t take_extent(reader *r, int64_t *out)
{
    skip_blanks(r);
    const char *start = r->at;
    if (*start == '-')
        return tpad_io_fail(r->error, TPAD_E_FILE,
                            "%s: negative extent \"%.*s\" in the .npy header", r->path,
                            (int)(1 + strspn(start + 1, "0123456789")), start);
    if (*start < '0' || *start > '9') return broken(r, "an extent");
    *out = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *r->at - '0', out))
            return tpad_io_fail(r->error, TPAD_E_FILE,
                                "%s: extent %.*s in the .npy header is beyond the limit of %lld",
                                r->path, (int)strspn(start, "0123456789"), start,
                                (long long)TPAD_MAX_EXTENT);
    if (*r->at == 'L') r->at++;
    return TPAD_OK;
}

/* Reads "(2, 3)" and passes each extent to `add`. */
static int32_t take_tuple(reader *r, int32_t (*add)(reader *, void *, int64_t), void *context)
{
    if (!take(r, '(')) return broken(r, "a tuple of extents");
    while (!take(r, ')')) {
        int64_t extent;
        int32_t status = take_extent(r, &extent);
        if (!status) status = add(r, context, extent);
        if (status) return status;
        if (!take(r, ',')) {
            if (!take(r, ')')) return broken(r, "a comma or )");
            break;
        }
    }
    return TPAD_OK;
}

static int32_t add_axis(reader *r, void *context, int64_t extent)
{
    tpad_npy_layout *layout = context;
    if (layout->rank == TPAD_MAX_RANK)
        return tpad_io_fail(r->error, TPAD_E_RANK, "%s: has more than %d axes, which is the limit",
                            r->path, TPAD_MAX_RANK);
    layout->shape[layout->rank++] = extent;
    return TPAD_OK;
}

static int32_t too_wide(reader *r)
{
    return tpad_io_fail(r->error, TPAD_E_FILE_TYPE,
                        "%s: its elements are wider than the limit of %d bytes", r->path,
                        TPAD_MAX_ELEM_BITS / 8);
}

/* Limits sizes at every step, so that no sum or product of them can overflow. */
static int32_t multiply_bytes(reader *r, void *context, int64_t extent)
{
    int64_t *bytes = context;
    if (*bytes != 0 && extent > TPAD_MAX_ELEM_BITS / 8 / *bytes) return too_wide(r);
    *bytes *= extent;
    return TPAD_OK;
}

static int32_t take_kind(reader *r, tpad_npy_kind *kind, span *spelling)
{
    char descr[64];
    int32_t status = take_string(r, spelling, "an element type");
    if (status) return status;
    span s = *spelling;
    int shown = s.length < SHOWN ? (int)s.length : SHOWN;
    int known = s.length < sizeof descr;
    if (known) {
        memcpy(descr, s.text, s.length);
        descr[s.length] = '\0';
        known = tpad_npy_kind_parse(kind, descr);
    }
    if (!known)
        return tpad_io_fail(r->error, TPAD_E_FILE,
                            "%s: unknown element type \"%.*s\" in the .npy "
                            "header",
                            r->path, shown, s.text);
    if (kind->letter == 'O')
        return tpad_io_fail(r->error, TPAD_E_FILE_TYPE,
                            "%s: holds Python objects (dtype object), which only Python can read; "
                            "save it with a numeric or fixed-width dtype",
                            r->path);
    if (kind->size > TPAD_MAX_ELEM_BITS / 8) return too_wide(r);
    return TPAD_OK;
}

/* The name of a field, or ('title', 'name'). */
static int32_t skip_name(reader *r)
{
    span s;
    if (!take(r, '(')) return take_string(r, &s, "the name of a field");
    int32_t status = take_string(r, &s, "the title of a field");
    if (!status && !take(r, ',')) status = broken(r, "a comma");
    if (!status) status = take_string(r, &s, "the name of a field");
    if (status) return status;
    take(r, ',');
    return take(r, ')') ? TPAD_OK : broken(r, ")");
}

static int32_t take_record(reader *r, int64_t *bytes, int32_t nesting);

/* ('name', '<f4'), ('name', '<f4', (2, 3)) or ('name', [...]). */
static int32_t take_field(reader *r, int64_t *bytes, int32_t nesting)
{
    if (!take(r, '(')) return broken(r, "a field of the record type");
    int32_t status = skip_name(r);
    if (status) return status;
    if (!take(r, ',')) return broken(r, "a comma");
    skip_blanks(r);
    if (*r->at == '[')
        status = take_record(r, bytes, nesting + 1);
    else {
        tpad_npy_kind kind;
        span spelling;
        status = take_kind(r, &kind, &spelling);
        if (!status) *bytes = kind.size;
    }
    if (status) return status;
    if (take(r, ',')) {
        skip_blanks(r);
        if (*r->at == '(')
            status = take_tuple(r, multiply_bytes, bytes);
        else if (*r->at != ')') {
            int64_t extent;
            status = take_extent(r, &extent);
            if (!status) status = multiply_bytes(r, bytes, extent);
        }
        if (status) return status;
        take(r, ',');
    }
    return take(r, ')') ? TPAD_OK : broken(r, ")");
}

static int32_t take_record(reader *r, int64_t *bytes, int32_t nesting)
{
    if (nesting > MAX_NESTING)
        return tpad_io_fail(r->error, TPAD_E_FILE,
                            "%s: record types nested more than %d deep in the .npy header", r->path,
                            (int)MAX_NESTING);
    if (!take(r, '[')) return broken(r, "a record type");
    *bytes = 0;
    while (!take(r, ']')) {
        int64_t field = 0;
        int32_t status = take_field(r, &field, nesting);
        if (status) return status;
        *bytes += field;
        if (*bytes > TPAD_MAX_ELEM_BITS / 8) return too_wide(r);
        if (!take(r, ',')) {
            if (!take(r, ']')) return broken(r, "a comma or ]");
            break;
        }
    }
    return TPAD_OK;
}

static int32_t take_descr(reader *r, tpad_npy_layout *layout)
{
    int32_t status;
    span spelling = {0};
    skip_blanks(r);
    layout->is_record = *r->at == '[';
    if (layout->is_record) {
        spelling.text = r->at;
        status = take_record(r, &layout->elem_bytes, 1);
        spelling.length = (size_t)(r->at - spelling.text);
    } else {
        status = take_kind(r, &layout->kind, &spelling);
        layout->elem_bytes = layout->kind.size;
    }
    layout->descr = spelling.text;
    layout->descr_length = spelling.length;
    if (!status && layout->elem_bytes == 0)
        status = tpad_io_fail(r->error, TPAD_E_FILE_TYPE,
                              "%s: its elements are 0 bytes wide, so "
                              "there is nothing to pad",
                              r->path);
    return status;
}

static int32_t tpad_npy_parse(tpad_npy_layout *layout, const char *text, const char *path,
                              tpad_io_error *error)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    enum { DESCR, ORDER, SHAPE, KEYS };
    reader r = {text, path, error};
    int seen[KEYS] = {0};
    *layout = (tpad_npy_layout){0};
    if (!take(&r, '{')) return broken(&r, "{");
    while (!take(&r, '}')) {
        span key;
        int number = 0;
        int32_t status = take_string(&r, &key, "a key");
        if (status) return status;
        while (number < KEYS && !span_is(key, keys[number])) number++;
        if (number == KEYS || seen[number])
            return tpad_io_fail(error, TPAD_E_FILE, "%s: the .npy header has a%s key \"%.*s\"",
                                path, number == KEYS ? "n unknown" : " second",
                                key.length < SHOWN ? (int)key.length : (int)SHOWN, key.text);
        seen[number] = 1;
        if (!take(&r, ':')) return broken(&r, ":");
        status = number == DESCR   ? take_descr(&r, layout)
                 : number == ORDER ? take_bool(&r, &layout->column_major)
                                   : take_tuple(&r, add_axis, layout);
        if (status) return status;
        if (!take(&r, ',')) {
            if (!take(&r, '}')) return broken(&r, "a comma or }");
            break;
        }
    }
    for (int i = 0; i < KEYS; i++)
        if (!seen[i])
            return tpad_io_fail(error, TPAD_E_FILE, "%s: the .npy header has no \"%s\"", path,
                                keys[i]);
    skip_blanks(&r);
    return *r.at == '\0' ? TPAD_OK : broken(&r, "its end");
}

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
            return tpad_io_fail(error, TPAD_E_FILE, "%s: byte %zu of the .npy header is not text",
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

/* Keeps the spelling of the type: a record's unchanged, any other in NumPy's form. */
static int32_t keep_descr(tpad_tensor *tensor, const tpad_npy_layout *layout, const char *path,
                          tpad_io_error *error)
{
    const tpad_npy_kind *kind = &layout->kind;
    if (layout->is_record) {
        tensor->npy_descr = calloc(layout->descr_length + 1, 1);
        if (tensor->npy_descr) memcpy(tensor->npy_descr, layout->descr, layout->descr_length);
    } else {
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
                                    : "not an .npy file: it does not begin with \\x93NUMPY");
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

/* The type as NumPy writes it. ml_dtypes spells its types as raw bytes, V. NumPy ignores their byte
 * order, so they always have the low byte first. */
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

/* Turns UTF-8 into Latin-1 in place. Returns 0, and changes nothing, if Latin-1 cannot hold it. */
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

/* Writes the same bytes as NumPy: the oldest version that can hold the header, room for the first
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
