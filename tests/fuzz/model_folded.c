/* Targets of the readers with folding.  SPDX-License-Identifier: MIT */
#include "model_loader.h"
#include "models/folding/folding.h"

int32_t fuzz_load(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                  int32_t count, tpad_io_error *error)
{
    return tpad_model_load_shaped(model, path, shapes, count, error);
}
