/* Stands in for the formats whose libraries were not there when tensorpad was built.
 * SPDX-License-Identifier: MIT */
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

int32_t tpad_model_load(tpad_model **model, const char *path, tpad_io_error *error)
{
    *model = NULL;
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: this tensorpad was built without nanopb and reads no models", path);
}

/* Without a model these are never reached with anything but NULL. */
void tpad_model_free(tpad_model *model)
{
    (void)model;
}

int64_t tpad_model_pad_count(const tpad_model *model)
{
    (void)model;
    return 0;
}

const tpad_pad_node *tpad_model_pad_at(const tpad_model *model, int64_t index)
{
    (void)model, (void)index;
    return NULL;
}

int32_t tpad_job_open(tpad_job **job, tpad_model *model, const char *node, tpad_io_error *error)
{
    (void)model;
    *job = NULL;
    return absent(node ? node : "model", "nanopb", error);
}

void tpad_job_free(tpad_job *job)
{
    (void)job;
}

int32_t tpad_job_input_count(const tpad_job *job)
{
    (void)job;
    return 0;
}

int32_t tpad_job_output_count(const tpad_job *job)
{
    (void)job;
    return 0;
}

const tpad_port *tpad_job_input(const tpad_job *job, int32_t index)
{
    (void)job, (void)index;
    return NULL;
}

const tpad_port *tpad_job_output(const tpad_job *job, int32_t index)
{
    (void)job, (void)index;
    return NULL;
}

int32_t tpad_job_execute(tpad_job *job, const tpad_job_run *run, tpad_io_error *error)
{
    (void)job, (void)run;
    return absent("model", "nanopb", error);
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
