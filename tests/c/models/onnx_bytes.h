/* Files of ONNX built by hand.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_C_MODELS_ONNX_BYTES_H
#define TENSORPAD_TESTS_C_MODELS_ONNX_BYTES_H

#include "../../support/protobuf.h"
#include "scratch.h"

#include "formats/formats.h"

/* A TensorProto's dims, data_type and (unless NULL) name. */
static inline message tensor_head(int32_t type, int rank, const int64_t *shape, const char *name)
{
    message m = {0};
    for (int i = 0; i < rank; i++) put_number(&m, 1, shape[i]);
    put_number(&m, 2, type);
    if (name) put_text(&m, 8, name);
    return m;
}

static inline void save(const char *path, const message *m)
{
    scratch_write(path, m->bytes, m->count);
}

/* Words that an error must have. */
static inline void says(const tpad_io_error *error, int32_t code, const char *words)
{
    if (error->code != code || !strstr(error->text, words))
        fail_msg("%s '%s', wanted %s '%s'", tpad_status_name(error->code), error->text,
                 tpad_status_name(code), words);
}

#endif
