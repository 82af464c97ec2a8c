/* Targets of models: how they read one.  SPDX-License-Identifier: MIT
 *
 * model_read.c and model_folded.c define it, for model_file.c. */
#ifndef TENSORPAD_TESTS_FUZZ_MODEL_LOADER_H
#define TENSORPAD_TESTS_FUZZ_MODEL_LOADER_H

#include "models/models.h"

/* As tpad_model_read. */
int32_t fuzz_load(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                  int32_t count, tpad_io_error *error);

#endif
