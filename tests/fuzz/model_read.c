/* Targets of the readers alone.  SPDX-License-Identifier: MIT */
#include "model_loader.h"

int32_t fuzz_load(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                  int32_t count, tpad_io_error *error)
{
    return tpad_model_read(model, path, shapes, count, error);
}
