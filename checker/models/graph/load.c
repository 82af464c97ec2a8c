/* Loads a model.  SPDX-License-Identifier: MIT
 *
 * Chooses the format by the path, reads the model and describes its Pad nodes: from the file alone,
 * or with a function of the caller that knows more. Only this file of the folder lists the formats.
 */
#include "pads.h"
#include <stdlib.h>
#include <string.h>

typedef int32_t describer(tpad_model *model, tpad_io_error *error);

static int32_t load(tpad_model **out, const tpad_model_source *source,
                    const tpad_input_shape *shapes, int32_t count, describer *describe,
                    tpad_io_error *error)
{
    const char *path = source->path;
    *out = NULL;
    tpad_model *model = calloc(1, sizeof *model);
    char *copy = strdup(path);
    if (!model || !copy) {
        free(model);
        free(copy);
        return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", path);
    }
    model->path = copy;
    model->in_memory = source->bytes != NULL;
    model->bytes = (tpad_bytes){.data = source->bytes, .count = source->count};
    int32_t status = !model->in_memory && tpad_path_is_ir(path) ? tpad_ir_read(model, error)
                                                                : tpad_onnx_read(model, error);
    if (!status) status = tpad_pads_list(model, error);
    if (!status) status = tpad_input_shapes_apply(model, shapes, count, error);
    if (!status) status = describe(model, error);
    if (!status) tpad_describe_neighbours(model);
    if (status)
        tpad_model_free(model);
    else
        *out = model;
    return status;
}

int32_t tpad_model_make(tpad_model **out, const tpad_model_source *source,
                        const tpad_input_shape *shapes, int32_t count, describer *describe,
                        tpad_io_error *error)
{
    int32_t status = load(out, source, shapes, count, describe, error);
    if (status || count == 0) return status;
    status = load(&(*out)->plain, source, NULL, 0, describe, error);
    if (status) {
        tpad_model_free(*out);
        *out = NULL;
        return status;
    }
    tpad_facts_left_open(*out, (*out)->plain);
    return TPAD_OK;
}

/* Describes each Pad node from the file alone. */
static int32_t describe_pads(tpad_model *model, tpad_io_error *error)
{
    int32_t status = TPAD_OK;
    for (int64_t i = 0; i < model->pad_count && !status; i++) {
        status = tpad_pad_read(model, &model->pads[i], error);
        if (!status) status = tpad_pad_describe(model, &model->pads[i], error);
    }
    return status;
}

int32_t tpad_model_read(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                        int32_t count, tpad_io_error *error)
{
    const tpad_model_source source = {.path = path};
    return tpad_model_make(model, &source, shapes, count, describe_pads, error);
}
