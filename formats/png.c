/* Arrays in PNG files.  SPDX-License-Identifier: MIT
 *
 * An image is an array of height x width x channels (grey, grey and alpha, RGB, RGBA) of uint8 or
 * uint16 in this machine's order. Palettes, 1 to 4 bit greys and transparent colours are expanded;
 * no colour is corrected. libpng prints nothing on stderr. It reports errors by longjmp, so all
 * that is needed afterwards is in a struct of the caller. */
#include "file.h"

#ifdef TPAD_WITH_PNG

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIGNATURE_BYTES = 8,
    LARGEST_RATIO = 1032, /* the most bytes that one byte of deflate becomes */
    WRITE_BUFFER = 1 << 16,
    LARGEST_SIDE = 0x7FFFFFFF
};

/* What libpng's callbacks share with this file. */
typedef struct session {
    const char *path;
    tpad_io_error *error;
    int32_t status;
    const tpad_bytes *bytes; /* reading */
    int64_t at;              /* the next byte of it */
    int fd;                  /* writing */
    unsigned char *pixels;
} session;

static int32_t out_of_memory(session *s)
{
    s->status = tpad_io_fail(s->error, TPAD_E_MEMORY, "%s: no memory for the image", s->path);
    return s->status;
}

/* libpng treats a lack of memory as an error of the file. This remembers the real cause. */
static png_voidp on_malloc(png_structp png, png_alloc_size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) out_of_memory(png_get_mem_ptr(png));
    return memory;
}

static void on_free(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void on_error(png_structp png, png_const_charp text)
{
    session *s = png_get_error_ptr(png);
    if (!s->status) s->status = tpad_io_fail(s->error, TPAD_E_FILE, "%s: %s", s->path, text);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void on_read(png_structp png, png_bytep data, size_t count)
{
    session *s = png_get_io_ptr(png);
    if ((uint64_t)(s->bytes->count - s->at) < count) png_error(png, "the file ends too early");
    memcpy(data, s->bytes->data + s->at, count);
    s->at += (int64_t)count;
}

/* Reads the header and sets up the conversion. Returns 0 if libpng reports an error. */
static int read_header(session *s, png_structp png, png_infop info, tpad_tensor *tensor)
{
    if (setjmp(png_jmpbuf(png))) return 0;
    png_set_read_fn(png, s, on_read);
    png_set_user_limits(png, LARGEST_SIDE, LARGEST_SIDE);
    /* Skip texts and colour profiles: libpng would allocate the length that they claim. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, info);
    uint64_t height = png_get_image_height(png, info);
    uint64_t packed = png_get_rowbytes(png, info); /* as in the file, before expansion */
    if (packed > (uint64_t)s->bytes->count * LARGEST_RATIO / height) {
        s->status = tpad_io_fail(
            s->error, TPAD_E_FILE,
            "%s: claims %llu rows of %llu bytes, more than its %lld bytes hold", s->path,
            (unsigned long long)height, (unsigned long long)packed, (long long)s->bytes->count);
        return 0;
    }
    png_set_expand(png);
    if (!tpad_host_big_endian()) png_set_swap(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    int wide = png_get_bit_depth(png, info) == 16;
    int64_t shape[3] = {(int64_t)height, png_get_image_width(png, info),
                        png_get_channels(png, info)};
    tpad_tensor_describe(tensor, wide ? TPAD_ONNX_UINT16 : TPAD_ONNX_UINT8, 3, shape);
    return 1;
}

static int read_pixels(session *s, png_structp png, png_infop info, const tpad_tensor *tensor)
{
    if (setjmp(png_jmpbuf(png))) return 0;
    int passes = png_get_interlace_type(png, info) == PNG_INTERLACE_NONE ? 1 : 7;
    for (int pass = 0; pass < passes; pass++)
        for (int64_t y = 0; y < tensor->shape[0]; y++)
            png_read_row(png, s->pixels + y * tensor->strides[0], NULL);
    png_read_end(png, NULL);
    return 1;
}

static int32_t decode(session *s, png_structp png, png_infop info, tpad_tensor *tensor)
{
    void *memory = tensor->memory;
    int64_t elems, size;
    int fine = read_header(s, png, info, tensor);
    tensor->memory = memory;
    if (!fine) return s->status;
    s->status =
        tpad_shape_size(s->path, 3, tensor->shape, tensor->elem_bits, &elems, &size, s->error);
    if (s->status) return s->status;
    s->pixels = tpad_fits_memory(size) ? malloc((size_t)size) : NULL;
    if (!s->pixels) return out_of_memory(s);
    ((tpad_memory *)memory)->extra = s->pixels;
    tensor->data = s->pixels;
    read_pixels(s, png, info, tensor);
    return s->status;
}

int32_t tpad_png_load(tpad_tensor *tensor, const char *path, tpad_io_error *error)
{
    session s = {.path = path, .error = error};
    tpad_bytes bytes;
    tensor->memory = calloc(1, sizeof(tpad_memory));
    if (!tensor->memory) return out_of_memory(&s);
    s.status = tpad_bytes_open(&bytes, path, error);
    if (s.status) return s.status;
    s.bytes = &bytes;
    if (bytes.count < SIGNATURE_BYTES || png_sig_cmp(bytes.data, 0, SIGNATURE_BYTES) != 0)
        s.status = tpad_io_fail(error, TPAD_E_FILE, "%s: is not a .png file", path);
    else {
        png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning,
                                                   &s, on_malloc, on_free);
        png_infop info = png ? png_create_info_struct(png) : NULL;
        if (info)
            decode(&s, png, info, tensor);
        else
            out_of_memory(&s);
        png_destroy_read_struct(&png, &info, NULL);
    }
    tpad_bytes_close(&bytes);
    return s.status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

int32_t tpad_png_check(const char *path, const tpad_tensor *like, tpad_io_error *error)
{
    if ((like->type != TPAD_ONNX_UINT8 && like->type != TPAD_ONNX_UINT16) ||
        (like->rank != 2 && like->rank != 3))
        return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                            "%s: .png holds uint8 or uint16 of height x width x channels, not %s "
                            "of rank %d; write an .npy file",
                            path, tpad_tensor_type_text(like), (int)like->rank);
    if (like->rank == 3 && (like->shape[2] < 1 || like->shape[2] > 4))
        return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                            "%s: .png holds 1 to 4 channels (the last axis), not %lld; write an "
                            ".npy file",
                            path, (long long)like->shape[2]);
    for (int32_t i = 0; i < 2; i++)
        if (like->shape[i] < 1 || like->shape[i] > LARGEST_SIDE)
            return tpad_io_fail(
                error, TPAD_E_FILE_TYPE, "%s: .png holds 1 to %d %s, not %lld; write an .npy file",
                path, (int)LARGEST_SIDE, i ? "columns" : "rows", (long long)like->shape[i]);
    return TPAD_OK;
}

static void on_write(png_structp png, png_bytep data, size_t count)
{
    session *s = png_get_io_ptr(png);
    s->status = tpad_write_all(s->fd, s->path, data, (int64_t)count, s->error);
    if (s->status) png_error(png, "not written");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static void encode(session *s, png_structp png, png_infop info, const tpad_tensor *like,
                   const unsigned char *pixels)
{
    static const int colours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                  PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(png))) return;
    int64_t channels = like->rank == 3 ? like->shape[2] : 1;
    int64_t row_bytes = like->shape[1] * channels * (like->elem_bits / 8);
    png_set_write_fn(png, s, on_write, on_flush);
    png_set_user_limits(png, LARGEST_SIDE, LARGEST_SIDE);
    png_set_compression_buffer_size(png, WRITE_BUFFER);
    png_set_IHDR(png, info, (png_uint_32)like->shape[1], (png_uint_32)like->shape[0],
                 like->elem_bits, colours[channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (!like->big_endian) png_set_swap(png);
    for (int64_t y = 0; y < like->shape[0]; y++) png_write_row(png, pixels + y * row_bytes);
    png_write_end(png, NULL);
}

int32_t tpad_png_write(int fd, const char *path, const tpad_tensor *like, const void *data,
                       tpad_io_error *error)
{
    session s = {.path = path, .error = error, .fd = fd};
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning, &s,
                                                on_malloc, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        encode(&s, png, info, like, data);
    else
        out_of_memory(&s);
    png_destroy_write_struct(&png, &info);
    return s.status;
}

#endif
