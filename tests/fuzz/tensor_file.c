/* What every target for arrays does with a file.  SPDX-License-Identifier: MIT
 * See target.h. */
#include "formats/formats.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

enum { MOST_OUTPUT = 1 << 20, SMALL_CHANGE = 1 << 18 };

static int is_string(const tpad_tensor *tensor)
{
    return tensor->type == TPAD_ONNX_STRING;
}

/* A dense copy of exactly its size, made by the library: reads every element where it lies. */
static void *dense_copy(const tpad_tensor *tensor, size_t *bytes)
{
    tpad_axis axes[TPAD_MAX_RANK];
    for (int32_t i = 0; i < tensor->rank; i++)
        axes[i] = (tpad_axis){.in_extent = tensor->shape[i], .in_stride = tensor->strides[i]};
    tpad_problem problem = TPAD_PROBLEM(tensor->elem_bits, tensor->rank, axes);
    problem.flags |= TPAD_IN_STRIDES;
    tpad_plan plan;
    int64_t size;
    MUST(tpad_shape(&problem, NULL, NULL, &size, NULL) == TPAD_OK);
    if (size > MOST_OUTPUT) return NULL;
    void *copy = malloc((size_t)size);
    MUST(copy || size == 0);
    MUST(tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK);
    MUST(tpad_run(&plan, tensor->data, copy, NULL) == TPAD_OK);
    *bytes = (size_t)size;
    return copy;
}

static int same_strings(const tpad_string *a, const tpad_string *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].length != b[i].length ||
            (a[i].length && memcmp(a[i].text, b[i].text, (size_t)a[i].length) != 0))
            return 0;
    return 1;
}

static int same_values(const tpad_tensor *a, const void *a_data, const tpad_tensor *b,
                       const void *b_data, size_t bytes)
{
    /* An order that a format does not have was turned. */
    if (a->big_endian != b->big_endian) return 1;
    return is_string(a) ? same_strings(a_data, b_data, bytes / sizeof(tpad_string))
                        : memcmp(a_data, b_data, bytes) == 0;
}

/* Writes the array, and reads back what it wrote: the same. */
static void round_trip(const tpad_tensor *tensor, const void *data, size_t bytes, const char *path)
{
    tpad_io_error error;
    tpad_output *output;
    tpad_tensor back;
    int32_t status = tpad_output_begin(&output, path, tensor, 1, &error);
    if (status == TPAD_E_FILE_TYPE) return;
    MUST(status == TPAD_OK);
    if (bytes) memcpy(tpad_output_data(output), data, bytes);
    MUST(tpad_output_commit(output, &error) == TPAD_OK);
    MUST(tpad_tensor_load(&back, path, 0, &error) == TPAD_OK);
    MUST(back.elem_bits == tensor->elem_bits);
    size_t back_bytes = 0;
    void *copy = dense_copy(&back, &back_bytes);
    MUST(back_bytes == bytes);
    MUST(same_values(tensor, data, &back, copy, bytes));
    free(copy);
    tpad_tensor_free(&back);
}

void fuzz_tensor_file(const char *path, size_t file_bytes, size_t ratio)
{
    tpad_tensor tensor;
    tpad_io_error error = {0};
    fuzz_memory_begin();
    int32_t status = tpad_tensor_load(&tensor, path, 0, &error);
    MUST(fuzz_memory_peak() <= SMALL_CHANGE + file_bytes * ratio);
    if (status != TPAD_OK) {
        MUST(status != TPAD_E_MEMORY || file_bytes * ratio > FUZZ_BLOCK_BYTES);
        MUST(error.code == status);
        MUST(strlen(error.text) > 0 && !strchr(error.text, '\n'));
        MUST(tensor.memory == NULL && tensor.name == NULL);
        return;
    }
    MUST(tensor.rank >= 0 && tensor.rank <= TPAD_MAX_RANK);
    MUST(strlen(tpad_tensor_type_text(&tensor)) > 0);
    size_t bytes = 0;
    void *data = dense_copy(&tensor, &bytes);
    if (data || bytes == 0) {
        round_trip(&tensor, data, bytes, "out.npy");
        round_trip(&tensor, data, bytes, "out.pb");
        round_trip(&tensor, data, bytes, "out.png");
    }
    free(data);
    tpad_tensor_free(&tensor);
    /* The same bytes taken for another type, where that is allowed. */
    const int32_t taken_for = (int32_t)(file_bytes % 27);
    if (tpad_tensor_load(&tensor, path, taken_for, &error) == TPAD_OK) tpad_tensor_free(&tensor);
}
