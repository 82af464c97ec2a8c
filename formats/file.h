/* Helpers that the files of this folder share: error lines, mapped bytes, names, the element types.
 * SPDX-License-Identifier: MIT
 *
 * Private to formats/ and models/, which is built on it. */
#ifndef TENSORPAD_FORMATS_FILE_H
#define TENSORPAD_FORMATS_FILE_H

#include <stdarg.h>

#include "formats.h"

/* ---- error_lines.c ------------------------------------------------------------------- */

/* Writes one line into error (may be NULL), escaped by tpad_printable_next, and returns code. */
int32_t tpad_io_fail(tpad_io_error *error, int32_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Text from a file as arguments for "%.*s": its beginning, never NULL. */
#define TPAD_SHOW(string) tpad_show_length(string), tpad_show_text(string)
int tpad_show_length(tpad_string string);
const char *tpad_show_text(tpad_string string);

/* 1 if the slice holds exactly this text. */
int32_t tpad_string_is(tpad_string string, const char *text);

/* ---- file_bytes.c -------------------------------------------------------------------- */

/* Bytes of a file: a regular file is mapped read-only, any other is read into memory piece by piece
 * without relying on a size that it claims. path "-" is standard input. A struct of zeros holds
 * nothing and may be closed. */
typedef struct tpad_bytes {
    const unsigned char *data; /* never NULL after success */
    int64_t count;
    int64_t room; /* of the memory after data; 0 where it is mapped */
    int32_t mapped;
    int32_t more; /* 1 + the descriptor of the unread rest; 0 when everything was read */
} tpad_bytes;

/* The whole file. */
int32_t tpad_bytes_open(tpad_bytes *bytes, const char *path, tpad_io_error *error);
/* The same in steps, for formats that say how long they are: a pipe is read no further than needed.
 * After tpad_bytes_start a mapped file is complete, any other has count 0; tpad_bytes_reach reads
 * up to `count` bytes or the end (bytes->count tells which), and may move bytes->data. */
int32_t tpad_bytes_start(tpad_bytes *bytes, const char *path, tpad_io_error *error);
int32_t tpad_bytes_reach(tpad_bytes *bytes, const char *path, int64_t count, tpad_io_error *error);
void tpad_bytes_close(tpad_bytes *bytes);

/* Writes all bytes or fails with E_IO, however short single writes are. */
int32_t tpad_write_all(int fd, const char *path, const void *data, int64_t count,
                       tpad_io_error *error);

/* ---- element_types.c ----------------------------------------------------------------- */

/* Computes the elements and bytes of a shape. E_FILE, with `path` in its text, if an extent is
 * negative or the size does not fit in 64 bits. Packed types round up to whole bytes. */
int32_t tpad_shape_size(const char *path, int32_t rank, const int64_t *shape, int32_t elem_bits,
                        int64_t *elems, int64_t *bytes, tpad_io_error *error);

/* Fills in dense row-major strides (in bytes; in elements when elem_bits < 8). They are all 0 if
 * the shape has no elements. */
void tpad_dense_strides(tpad_tensor *tensor);

/* Reverses the bytes of every element in place. Complex numbers are two units. */
void tpad_swap_bytes(void *data, int64_t elems, const tpad_tensor *like);

/* The parts of a type in the spelling of .npy, other than records: "<f4", "|S5", "<M8[ns]". */
typedef struct tpad_npy_kind {
    char order;   /* '<', '>' or '|' */
    char letter;  /* b i u f c S U V M m O */
    int64_t size; /* bytes of one element; 0 to INT32_MAX */
} tpad_npy_kind;
/* 1, or 0 if the text is not such a type. '=' and a missing order become this machine's order. */
int32_t tpad_npy_kind_parse(tpad_npy_kind *kind, const char *descr);
/* The ONNX type of the same elements, or 0. */
int32_t tpad_npy_kind_type(const tpad_npy_kind *kind);

/* Integer types of ONNX, packed ones included. */
int32_t tpad_type_is_signed(int32_t type);
int32_t tpad_type_is_unsigned(int32_t type);

/* 1 if this machine stores the high byte first. */
int32_t tpad_host_big_endian(void);

/* ---- element_types.c: elements as numbers ---------------------------------------------------- */

/* One element as a number. Integers and booleans are in `integer` (uint64 as its bits), floats in
 * `real`. */
typedef struct tpad_element {
    union {
        int64_t integer;
        double real;
        int64_t over; /* if not known: the divisor of its size */
    };
    int32_t known;
    int32_t size; /* if not known: its size (models/folding/fold.h), or 0. If known: 1 if it follows
                     from extents that are not */
} tpad_element;

/* Kinds of types. Elements of ELEM_OTHER are not such numbers. */
enum { ELEM_OTHER, ELEM_SIGNED, ELEM_UNSIGNED, ELEM_BOOL, ELEM_FLOAT, ELEM_HALF };
int32_t tpad_type_kind(int32_t type);
/* 1 if elements of the type use `real`. */
int32_t tpad_type_is_real(int32_t type);
/* An element of a dense tensor of such a type, and the reverse: in native byte order. */
tpad_element tpad_element_read(const tpad_tensor *tensor, int64_t index);
void tpad_element_write(void *data, int32_t type, int64_t index, tpad_element element);

/* ---- element_types.c: the bits of floats ----------------------------------------------------- */

/* Every float type but double. tpad_float_encode rounds once, to nearest even, so `value` must be
 * the exact number or, where double cannot hold it, the neighbour with an odd last bit. Returns
 * NULL, or why the type cannot hold it ("has no infinity"). */
const char *tpad_float_encode(uint32_t *code, int32_t type, double value);
double tpad_float_decode(uint32_t code, int32_t type);

/* ---- array_file.c -------------------------------------------------------------------- */

/* tensor->memory points to this struct. It is malloc'ed, and tpad_tensor_free releases it. */
typedef struct tpad_memory {
    tpad_bytes bytes; /* the file that holds the elements (of strings: their text); may be zero */
    void *extra;      /* malloc'ed: decoded elements, string handles; may be NULL */
} tpad_memory;

/* Formats by the ending of a path, for inputs and outputs. */
enum { TPAD_FORMAT_NPY = 1, TPAD_FORMAT_PB, TPAD_FORMAT_PNG };
/* Fails with E_FILE_TYPE if the ending is unknown. A pipe or device without an ending ("-",
 * /dev/fd/63) counts as .npy. */
int32_t tpad_format_of(int32_t *format, const char *path, tpad_io_error *error);

/* ---- One file for each format: npy.c, tensor_proto.c, png.c -----------------------------
 * without_libraries.c replaces those whose library is missing (TPAD_WITH_NANOPB, TPAD_WITH_PNG). */

/* Fills a zeroed tensor from the file. The caller frees what the tensor owns, also on failure. */
int32_t tpad_npy_load(tpad_tensor *tensor, const char *path, tpad_io_error *error);
int32_t tpad_pb_load(tpad_tensor *tensor, const char *path, tpad_io_error *error);
int32_t tpad_png_load(tpad_tensor *tensor, const char *path, tpad_io_error *error);

/* Makes the header of an output whose elements follow it unchanged: malloc'ed bytes for the caller
 * to free. E_FILE_TYPE if the format cannot hold it. */
int32_t tpad_npy_header(unsigned char **header, int64_t *count, const char *path,
                        const tpad_tensor *like, tpad_io_error *error);
int32_t tpad_pb_header(unsigned char **header, int64_t *count, const char *path,
                       const tpad_tensor *like, tpad_io_error *error);

/* Formats that are written whole at the end, from elements in memory. ..._check refuses a shape or
 * type that the format cannot hold (E_FILE_TYPE) before anything is computed. */
int32_t tpad_png_check(const char *path, const tpad_tensor *like, tpad_io_error *error);
int32_t tpad_png_write(int fd, const char *path, const tpad_tensor *like, const void *data,
                       tpad_io_error *error);
int32_t tpad_pb_write_strings(int fd, const char *path, const tpad_tensor *like,
                              const tpad_string *strings, tpad_io_error *error);

/* Memory that is released all at once, for models and jobs. */

typedef struct tpad_arena {
    struct tpad_arena_block *blocks;
    int64_t used, room; /* of the newest block */
    int64_t total;      /* of all blocks */
    int64_t limit;      /* the most that total may become; 0: no limit */
    int32_t refused;    /* 1: a request exceeded the limit; all later ones are refused */
    int32_t failed;     /* 1: the system had no memory for a request */
} tpad_arena;

/* Zeroed memory for count items, or NULL. A request for 0 items does not fail. */
void *tpad_arena_take(tpad_arena *arena, int64_t count, size_t item_bytes);
/* The text with a NUL after it, or NULL. */
char *tpad_arena_text(tpad_arena *arena, tpad_string text);
char *tpad_arena_format(tpad_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tpad_arena_free(tpad_arena *arena);

/* All memory taken after a mark can be given back at once. */
typedef struct tpad_arena_mark {
    struct tpad_arena_block *blocks;
    int64_t used, room, total;
} tpad_arena_mark;
tpad_arena_mark tpad_arena_here(const tpad_arena *arena);
void tpad_arena_back(tpad_arena *arena, tpad_arena_mark mark);

#endif
