/* Files of ONNX built by hand, and what is said of them.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_C_FORMATS_ONNX_FILES_H
#define TENSORPAD_TESTS_C_FORMATS_ONNX_FILES_H

#include "../../support/onnx_bytes.h"
#include "../../support/scratch.h"

#include "formats/formats.h"

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
