/* Arrays in files.  SPDX-License-Identifier: MIT
 *
 * This header is not installed: the command, the Python package, the fuzz targets and the tests are
 * built together with it, so it may change, and its structs have no size member.
 *
 * Formats: .npy, .pb (an ONNX TensorProto), .png (an array of height x width x channels).
 * Inputs are mapped where the system can, so arrays may be larger than memory. Outputs are written
 * to a mapped temporary file beside the target, which is renamed at the end: a failure leaves no
 * trace.
 *
 * Functions that can fail return a status of tensorpad.h (TPAD_OK or TPAD_E_...). On failure they
 * also write a line that says what went wrong and where, the value, the limit and what to do. */
#ifndef TENSORPAD_FORMATS_FORMATS_H
#define TENSORPAD_FORMATS_FORMATS_H

#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>
#include <tensorpad/tensorpad.h>

typedef struct tpad_io_error {
    int32_t code;
    char text[1020]; /* one line without a newline, escaped as tpad_printable_next does */
} tpad_io_error;

/* ---- Text from files -------------------------------------------------------------------------
 *
 * Names in models and paths may contain any bytes. Control characters would change the state of a
 * terminal, and characters that reverse the reading direction or are invisible would mislead a
 * reader. The structs here hold such text as it is in the file; code that shows it to people
 * escapes it with these functions. */

/* Reads the first code point of `count` bytes of UTF-8. Returns its number of bytes; 0 if they are
 * not valid (overlong, a surrogate) or count is 0. */
size_t tpad_utf8_next(const char *text, size_t count, uint32_t *code);

/* 1 for a code point that must not reach a terminal: control characters, line and paragraph
 * separators, format characters (among them those that reverse the reading direction, the byte
 * order mark and tags) and other characters that show nothing (fillers, variation selectors). */
int32_t tpad_utf8_is_unsafe(uint32_t code);

/* The first character of `count` >= 1 bytes as text that is safe on one line: the character itself,
 * \x0a, \u202e or \U000e0041 for an unsafe one, or \xff for a byte that is not UTF-8. Returns how
 * many bytes of `text` the character takes. */
enum { TPAD_PRINTABLE_BYTES = 11 };
size_t tpad_printable_next(char piece[TPAD_PRINTABLE_BYTES], const char *text, size_t count);

/* The built-in libraries for --version: "npy, pb and onnx (nanopb 0.4.7), xml (...), png (...)". */
const char *tpad_io_features(void);

/* 1 if a block of that size can be allocated. Called before every allocation whose size a file
 * decides, because systems promise memory that they do not have. Returns 0 if size_t cannot hold
 * the size, and for more than half of the memory that the system says is left. */
int32_t tpad_fits_memory(int64_t bytes);

/* The bytes of the machine's memory; INT64_MAX if not known. */
int64_t tpad_memory_bytes(void);

/* ---- Tensors --------------------------------------------------------------------------------- */

/* An element of a string tensor. The tensor (or value) that it came from owns the bytes. */
typedef struct tpad_string {
    const char *text; /* not NUL-terminated; may be NULL when length is 0 */
    int64_t length;   /* bytes */
} tpad_string;

/* An array as a file holds it. Without data, it describes an output to be made. */
typedef struct tpad_tensor {
    int32_t type;       /* TPAD_ONNX_..., or 0 if ONNX has no such type (dates, records, raw) */
    int32_t elem_bits;  /* 1 to 524288; strings: 8 * sizeof(tpad_string) */
    int32_t big_endian; /* 1: elements of more than a byte are stored high byte first */
    int32_t rank;       /* at most TPAD_MAX_RANK */
    int64_t shape[TPAD_MAX_RANK];
    int64_t strides[TPAD_MAX_RANK]; /* in bytes (packed types: in elements), as in tpad_axis */
    const void *data;               /* the first element; any alignment */
    char *name;                     /* the name in a TensorProto, or NULL; owned */
    char *npy_descr;                /* the type in the spelling of the .npy header, or NULL;
                                       owned */
    void *memory;                   /* the memory that holds the data; private */
} tpad_tensor;

/* Reads an array. path: ends in .npy, .pb or .png, or is "-" (an .npy on standard input). type: 0,
 * or the type of the elements (--dtype) for files that cannot name it. The file must then hold that
 * type, or raw bytes (V1, V2 ...) of its width, or, for bfloat16 and the float8 types, unsigned
 * integers of its width. On success the caller releases the tensor with tpad_tensor_free. It never
 * allocates more than the file's own size times a small constant.
 * Errors: E_IO, E_MEMORY, E_FILE, E_FILE_TYPE, E_RANK. */
int32_t tpad_tensor_load(tpad_tensor *tensor, const char *path, int32_t type, tpad_io_error *error);

/* Releases what a tensor owns and sets the tensor to zero. A zeroed tensor is allowed. */
void tpad_tensor_free(tpad_tensor *tensor);

/* Makes `like` the description of a dense tensor of this type in native byte order, without data
 * and names. */
void tpad_tensor_describe(tpad_tensor *like, int32_t type, int32_t rank, const int64_t *shape);

/* The name of the type for messages: "float", "int4", or the .npy spelling ("<M8[ns]"). */
const char *tpad_tensor_type_text(const tpad_tensor *tensor);

/* The type with a name of ONNX ("float16", "bfloat16", "int4"), of NumPy ("float32", "complex64"),
 * or a short name ("f32", "bf16", "u8", "i4", "c64", "f8e4m3fn", "f4e2m1"); 0 for any other
 * word. */
int32_t tpad_type_from_text(const char *text);

/* The mode that another program calls `word` (case is ignored), as text for messages: "this mode or
 * that one" for some names. NULL if no mode has that name. */
const char *tpad_mode_elsewhere(const char *word);

/* The OpenVINO type with the same elements as an ONNX type, and the reverse; 0 if there is none. */
int32_t tpad_type_to_openvino(int32_t type);
int32_t tpad_type_from_openvino(int32_t type);

/* ---- Values ---------------------------------------------------------------------------------- */

/* Reads text as one element of like's type, in like's byte order: 1.5 1e-3 inf nan 0x1p-3 -7 true
 * 1.5-2j, or the text itself for strings. A packed element goes into the low bits of its byte. An
 * integer that the type cannot hold exactly is an error. A float is rounded once, to nearest even;
 * a finite number beyond the largest of the type is an error. value: room for elem_bits rounded up
 * to bytes. An element of a string tensor points to `text`.
 * Errors: E_TEXT. */
int32_t tpad_value_parse(void *value, const char *text, const tpad_tensor *like,
                         tpad_io_error *error);

/* Writes one element of that ONNX type, in native byte order, as text (%.9g for float ...); strings
 * are quoted. Returns as snprintf does. */
int tpad_value_format(char *buffer, size_t bytes, int32_t type, const void *value);

/* ---- Outputs --------------------------------------------------------------------------------- */

typedef struct tpad_output tpad_output;

/* Begins an output file. `like` gives type, byte order, rank, shape, name and .npy spelling; its
 * strides are ignored, since an output is dense. path: its ending decides the format as in
 * tpad_tensor_load; "-" writes an .npy to standard output. If the path exists and is not a regular
 * file (a pipe, a device), it is written directly. overwrite 0: E_EXISTS if the path exists. The
 * space on the disk is reserved in this call. `like` NULL: the file is not an array, its ending
 * means nothing, and tpad_output_write adds its bytes.
 * Errors: E_EXISTS, E_IO, E_MEMORY, E_FILE_TYPE (the format cannot hold this type or shape). */
int32_t tpad_output_begin(tpad_output **output, const char *path, const tpad_tensor *like,
                          int32_t overwrite, tpad_io_error *error);

/* The memory for the elements, which the caller writes: dense, in like's type and byte order. */
void *tpad_output_data(tpad_output *output);

/* Adds bytes to an output that was begun without `like`. After a failure (E_IO) the caller discards
 * the output. */
int32_t tpad_output_write(tpad_output *output, const void *bytes, int64_t count,
                          tpad_io_error *error);

/* Completes the file, gives it its name and releases the output. On failure no file is left. */
int32_t tpad_output_commit(tpad_output *output, tpad_io_error *error);

/* Removes the temporary file and releases the output. NULL is allowed. */
void tpad_output_discard(tpad_output *output);

/* The path of the temporary file, for signal handlers to remove, or NULL. */
const char *tpad_output_temporary(const tpad_output *output);

/* 1 if both paths exist and are the same regular file, 0 if not, -1 if the system cannot tell
 * (errno says why). */
int32_t tpad_same_file(const char *a, const char *b);

#endif
