/* Replaces formats whose libraries are missing in this build. SPDX-License-Identifier: MIT */
#include "file.h"

#if !defined(TPAD_WITH_NANOPB) || !defined(TPAD_WITH_PNG)
static int32_t absent(const char *path, const char *library, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: this tensorpad was built without %s; use an .npy file", path, library);
}
#endif

#ifndef TPAD_WITH_NANOPB
int32_t tpad_pb_load(tpad_tensor *tensor, const char *path, tpad_io_error *error)
{
    (void)tensor;
    return absent(path, "nanopb", error);
}

int32_t tpad_pb_header(unsigned char **header, int64_t *count, const char *path,
                       const tpad_tensor *like, tpad_io_error *error)
{
    (void)header, (void)count, (void)like;
    return absent(path, "nanopb", error);
}

int32_t tpad_pb_write_strings(int fd, const char *path, const tpad_tensor *like,
                              const tpad_string *strings, tpad_io_error *error)
{
    (void)fd, (void)like, (void)strings;
    return absent(path, "nanopb", error);
}
#endif

#ifndef TPAD_WITH_PNG
int32_t tpad_png_load(tpad_tensor *tensor, const char *path, tpad_io_error *error)
{
    (void)tensor;
    return absent(path, "libpng", error);
}

int32_t tpad_png_check(const char *path, const tpad_tensor *like, tpad_io_error *error)
{
    (void)like;
    return absent(path, "libpng", error);
}

int32_t tpad_png_write(int fd, const char *path, const tpad_tensor *like, const void *data,
                       tpad_io_error *error)
{
    (void)fd, (void)like, (void)data;
    return absent(path, "libpng", error);
}
#endif
