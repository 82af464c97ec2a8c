/* The elements of a small array, as they stand in the cells of a picture.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

enum { LONGEST = 7 }; /* characters of a label */

/* Returns 0 if the element has no short text. Floating-point numbers are cut to four digits. */
static int write_label(char label[LONGEST + 1], int32_t type, const void *value)
{
    char whole[64];
    int length = tpad_value_format(whole, sizeof whole, type, value);
    if (length > LONGEST && length < (int)sizeof whole && strpbrk(whole, ".e") &&
        !strchr(whole, 'j'))
        length = snprintf(whole, sizeof whole, "%.4g", strtod(whole, NULL));
    if (length > LONGEST) return 0;
    memcpy(label, whole, (size_t)length + 1);
    return 1;
}

static const void *element_at(const tpad_tensor *tensor, int64_t index)
{
    const char *at = tensor->data;
    for (int32_t i = tensor->rank - 1; i >= 0; i--) {
        at += index % tensor->shape[i] * tensor->strides[i];
        index /= tensor->shape[i];
    }
    return at;
}

const char **show_labels(const tpad_tensor *tensor)
{
    size_t count = 1;
    for (int32_t i = 0; i < tensor->rank; i++) count *= (size_t)tensor->shape[i];
    const int plain = tensor->type != 0 && tensor->type != TPAD_ONNX_STRING &&
                      tensor->elem_bits % 8 == 0 && (!tensor->big_endian || tensor->elem_bits == 8);
    const size_t list = (count + 1) * sizeof(char *);
    char *memory = plain ? calloc(1, list + count * (LONGEST + 1)) : NULL;
    if (memory == NULL) return NULL;
    const char **labels = (const char **)(void *)memory;
    for (size_t i = 0; i < count; i++) {
        char *label = memory + list + i * (LONGEST + 1);
        char value[32]; /* an element may lie anywhere */
        memcpy(value, element_at(tensor, (int64_t)i), (size_t)tensor->elem_bits / 8);
        if (!write_label(label, tensor->type, value)) {
            free(memory);
            return NULL;
        }
        labels[i] = label;
    }
    return labels;
}
