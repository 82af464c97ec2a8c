/* Strings, which only ONNX Runtime can copy.  SPDX-License-Identifier: MIT
 *
 * The plan moves handles: which string of the input each string of the output is, counted from 1; 0
 * is the empty string, -1 the pad value. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* The strings of a tensor: one after the other, the one with that index from offsets[index] to
 * offsets[index + 1]. */
typedef struct texts {
    char *bytes;
    size_t *offsets;
    size_t count;
} texts;

static ort_status *count_elements(size_t *count, const ort_api *api, const ort_value *value)
{
    ort_shape *shape = NULL;
    size_t rank = 0;
    int64_t extents[TPAD_MAX_RANK];
    ort_status *status = api->shape_of(value, &shape);
    if (status) return status;
    status = api->rank_of(shape, &rank); /* compute.c has seen that it is small */
    if (!status) status = api->extents_of(shape, extents, rank);
    api->release_shape(shape);
    *count = 1;
    for (size_t i = 0; i < rank && !status; i++) *count *= (size_t)extents[i];
    return status;
}

static ort_status *read_texts(texts *from, const ort_api *api, const ort_value *value)
{
    size_t bytes = 0;
    ort_status *status = count_elements(&from->count, api, value);
    if (!status && from->count) status = api->strings_length(value, &bytes);
    if (status) return status;
    from->bytes = malloc(bytes + 1);
    from->offsets = malloc((from->count + 1) * sizeof *from->offsets);
    if (!from->bytes || !from->offsets)
        return api->create_status(ORT_CODE_RUNTIME_EXCEPTION, "Pad: out of memory");
    from->offsets[from->count] = bytes;
    return from->count ? api->strings(value, from->bytes, bytes, from->offsets, from->count) : NULL;
}

static ort_status *write_text(const ort_api *api, ort_value *output, size_t index,
                              const texts *from, size_t string)
{
    const size_t bytes = from->offsets[string + 1] - from->offsets[string];
    char *buffer = NULL;
    ort_status *status = api->string_buffer(output, index, bytes, &buffer);
    if (!status && bytes) memcpy(buffer, from->bytes + from->offsets[string], bytes);
    return status;
}

/* Writes the empty strings too: a program may hand in an output that holds other strings. */
static ort_status *write_texts(const ort_api *api, ort_value *output, const int64_t *handles,
                               size_t count, const texts *data, const texts *value)
{
    ort_status *status = NULL;
    size_t offsets_of_empty[2] = {0, 0};
    const texts empty = {NULL, offsets_of_empty, 1};
    for (size_t i = 0; i < count && !status; i++) {
        const texts *from = handles[i] > 0 ? data : handles[i] < 0 ? value : &empty;
        const size_t string = handles[i] > 0 ? (size_t)handles[i] - 1 : 0;
        status = write_text(api, output, i, from, string);
    }
    return status;
}

ort_status *pad_strings(const ort_api *api, const pad_planned *planned, const ort_value *data,
                        const ort_value *value, ort_value *output)
{
    texts from = {0}, fill = {0};
    size_t count = 1;
    for (int32_t i = 0; i < planned->rank; i++) count *= (size_t)planned->extents[i];
    ort_status *status = read_texts(&from, api, data);
    if (!status && value) status = read_texts(&fill, api, value);
    int64_t *in = malloc((from.count + 1) * sizeof *in), *out = malloc((count + 1) * sizeof *out);
    if (!status && (!in || !out))
        status = api->create_status(ORT_CODE_RUNTIME_EXCEPTION, "Pad: out of memory");
    if (!status) {
        for (size_t i = 0; i < from.count; i++) in[i] = (int64_t)i + 1;
        const int32_t done =
            tpad_run(&planned->plan, in, out, planned->has_fill ? planned->fill : NULL);
        status = done == TPAD_OK ? NULL : api->create_status(ORT_CODE_FAIL, tpad_status_text(done));
        if (!status) status = write_texts(api, output, out, count, &from, &fill);
    }
    free(in);
    free(out);
    free(from.bytes);
    free(from.offsets);
    free(fill.bytes);
    free(fill.offsets);
    return status;
}
