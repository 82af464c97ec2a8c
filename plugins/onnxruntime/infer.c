/* Shapes before a model runs.  SPDX-License-Identifier: MIT
 *
 * ONNX Runtime tells an operator the shapes of its inputs and its attributes, but no elements of its
 * inputs. So of the output follow the type and the rank and, before opset 11, the extents. Other
 * extents get names, because ONNX Runtime would take -1 for an extent. */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 40 };

/* Types with higher numbers are not told: up to 1.30, ONNX Runtime takes the number that it gives here
 * for another type when it gets it back, and refuses the model. */
enum { LAST_TYPE = TPAD_ONNX_FLOAT4E2M1 };

/* Each extent that is not known has a name of its own: the same name would say that two are equal. */
static atomic_uint_least64_t names_given;

/* The amounts that an attribute gives: 1, or 0 if it does not give one for each axis. */
static int32_t read_amounts(int64_t *amounts, size_t rank, const ort_api *api,
                            const ort_inference *context, const char *name)
{
    const ort_attribute *attribute = NULL;
    const size_t bytes = 2 * rank * sizeof *amounts;
    size_t needed = 0;
    ort_status *status = api->inference_attribute(context, name, &attribute);
    if (!status && attribute)
        status = api->read_attribute(attribute, ORT_ATTRIBUTE_INTS, amounts, bytes, &needed);
    const int32_t found = !status && attribute && needed == bytes;
    if (status) api->release_status(status);
    return found;
}

/* Sets the extents that are known; the others are -1. */
static void add_amounts(int64_t *extents, size_t rank, const ort_api *api,
                        const ort_inference *context)
{
    int64_t amounts[2 * TPAD_MAX_RANK];
    const int32_t known = read_amounts(amounts, rank, api, context, "pads") ||
                          read_amounts(amounts, rank, api, context, "paddings");
    for (size_t i = 0; i < rank; i++) {
        int64_t sum;
        if (!known || extents[i] < 0 || __builtin_add_overflow(extents[i], amounts[i], &sum) ||
            __builtin_add_overflow(sum, amounts[rank + i], &extents[i]) || extents[i] < 0)
            extents[i] = -1;
    }
}

static ort_status *give(const ort_api *api, const ort_inference *context, int type,
                        const int64_t *extents, size_t rank)
{
    char names[TPAD_MAX_RANK][NAME_BYTES] = {{0}};
    const char *pointers[TPAD_MAX_RANK];
    ort_shape *shape = NULL;
    for (size_t i = 0; i < rank; i++) {
        pointers[i] = names[i];
        if (extents[i] < 0)
            snprintf(names[i], NAME_BYTES, "tensorpad_%llu",
                     (unsigned long long)atomic_fetch_add(&names_given, 1));
    }
    ort_status *status = api->create_shape(&shape);
    if (status) return status;
    status = api->set_type(shape, type);
    if (!status) status = api->set_extents(shape, extents, rank);
    if (!status) status = api->set_names(shape, pointers, rank);
    if (!status) status = api->inference_give(context, 0, shape);
    api->release_shape(shape);
    return status;
}

ort_status *pad_infer(const ort_op *op, ort_inference *context)
{
    const ort_api *api = ((const pad_op *)op)->api;
    ort_shape *data = NULL;
    int64_t extents[TPAD_MAX_RANK];
    size_t rank = 0;
    int type = 0;
    ort_status *status = api->inference_shape(context, 0, &data);
    if (!status) status = api->type_of(data, &type); /* `op` may be of another type */
    if (!status) status = api->rank_of(data, &rank);
    /* Rank 0 stands for an unknown rank too: then the output's rank must stay unknown. */
    if (status || rank == 0 || rank > TPAD_MAX_RANK || type > LAST_TYPE) return status;
    status = api->extents_of(data, extents, rank);
    if (status) return status;
    add_amounts(extents, rank, api, context);
    return give(api, context, type, extents, rank);
}
