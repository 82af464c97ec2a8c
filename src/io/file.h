/* What the files of this folder share: error lines, mapped bytes, names, the element types.
 * Private to src/io. Knows the public headers only, never the core's internals. */
#ifndef TPAD_IO_FILE_H
#define TPAD_IO_FILE_H

#include <stdarg.h>
#include <tensorpad/io.h>

/* Writes one line into error (may be NULL), with control characters and broken UTF-8 of strangers
 * escaped as \xNN, and returns code. */
int32_t tpad_io_fail(tpad_io_error *error, int32_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Bytes of a file: mapped read-only where it is a regular file, else read into memory piece by piece.
 * Never believes a size that is not there. path "-" is standard input. */
typedef struct tpad_bytes {
    const unsigned char *data; /* never NULL after success */
    int64_t count;
    int32_t mapped;
} tpad_bytes;
int32_t tpad_bytes_open(tpad_bytes *bytes, const char *path, tpad_io_error *error);
void tpad_bytes_close(tpad_bytes *bytes);

/* elements and bytes of a shape, checked: E_FILE if an extent is negative, or the size leaves 64 bits,
 * naming `path`. Packed types round up to whole bytes. */
int32_t tpad_shape_size(const char *path, int32_t rank, const int64_t *shape, int32_t elem_bits,
                        int64_t *elems, int64_t *bytes, tpad_io_error *error);

/* Fills dense row-major strides (bytes; elements when elem_bits < 8). */
void tpad_dense_strides(tpad_tensor *tensor);

/* Reverses the bytes of every element in place. Complex numbers are two units. */
void tpad_swap_bytes(void *data, int64_t elems, const tpad_tensor *like);

/* One format: .npy (npy.c), .pb (tensor_proto.c), .png (png.c). */
int32_t tpad_npy_load(tpad_tensor *tensor, const char *path, int32_t type, tpad_io_error *error);
int32_t tpad_pb_load(tpad_tensor *tensor, const char *path, tpad_io_error *error);
int32_t tpad_png_load(tpad_tensor *tensor, const char *path, tpad_io_error *error);

/* Headers of an output whose elements follow as they are: malloc'ed bytes for the caller to free.
 * E_FILE_TYPE if the format cannot hold it. */
int32_t tpad_npy_header(unsigned char **header, int64_t *count, const char *path,
                        const tpad_tensor *like, tpad_io_error *error);
int32_t tpad_pb_header(unsigned char **header, int64_t *count, const char *path,
                       const tpad_tensor *like, tpad_io_error *error);

/* Formats that are written whole at the end, from elements in memory: E_FILE_TYPE for a shape or type
 * that does not fit is found by ..._check before anything is computed. */
int32_t tpad_png_check(const char *path, const tpad_tensor *like, tpad_io_error *error);
int32_t tpad_png_write(int fd, const char *path, const tpad_tensor *like, const void *data,
                       tpad_io_error *error);
int32_t tpad_pb_write_strings(int fd, const char *path, const tpad_tensor *like,
                              const tpad_string *strings, tpad_io_error *error);

/* Writes all bytes or fails with E_IO, however short single writes are. */
int32_t tpad_write_all(int fd, const char *path, const void *data, int64_t count,
                       tpad_io_error *error);

#endif
