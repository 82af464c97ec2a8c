/* Arrays in files; FORMAT: the ending of their names; RATIO: how many bytes a byte of them may
 * cost.  SPDX-License-Identifier: MIT
 *
 * Every chunk of a .png ends with a checksum, without which nothing gets far: libFuzzer's changes
 * are followed by right checksums, mostly. */
#include "formats/formats.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

#ifdef WITH_CHECKSUMS
#include <zlib.h>

enum { SIGNATURE_BYTES = 8, HEAD_BYTES = 8, SUM_BYTES = 4 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 == 0) return size;
    for (size_t at = SIGNATURE_BYTES; at + HEAD_BYTES + SUM_BYTES <= size;) {
        size_t count = 0;
        for (int i = 0; i < 4; i++) count = count << 8 | data[at + (size_t)i];
        const size_t left = size - at - HEAD_BYTES - SUM_BYTES;
        if (count > left) return size;
        uint8_t *sum = data + at + HEAD_BYTES + count;
        const uint32_t right = (uint32_t)crc32(0, data + at + 4, (uInt)count + 4);
        for (int i = 0; i < 4; i++) sum[i] = (uint8_t)(right >> (24 - 8 * i));
        at += HEAD_BYTES + count + SUM_BYTES;
    }
    return size;
}
#endif

/* ---- One file ----------------------------------------------------------------------------------- */

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

/* Reads an array, looks at every byte of it, writes it as every format and reads that again.
 * `ratio`: bytes of memory that a byte of the file may cost. */
static void check_file(const char *path, size_t file_bytes, size_t ratio)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char weights[64] = {1, 2, 3};
    fuzz_write("weights.bin", weights, sizeof weights); /* what a .pb may name */
    fuzz_write("in." FORMAT, data, size);
    check_file("in." FORMAT, size, RATIO);
    return 0;
}
