/* The elements of a small array, as they stand in the cells of a picture.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "picture_file.h"
#include "show_request.h"

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

/* 1 for types whose elements have a text. */
static int has_text(const tpad_tensor *tensor)
{
    return tensor->type != 0 && tensor->type != TPAD_ONNX_STRING && tensor->elem_bits % 8 == 0 &&
           (!tensor->big_endian || tensor->elem_bits == 8);
}

int show_labels(const char ***labels, const tpad_tensor *tensor)
{
    size_t count = 1;
    for (int32_t i = 0; i < tensor->rank; i++) count *= (size_t)tensor->shape[i];
    const size_t list = (count + 1) * sizeof(char *);
    *labels = NULL;
    if (!has_text(tensor)) return EXIT_DONE;
    char *memory = calloc(1, list + count * (LONGEST + 1));
    if (memory == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    *labels = (const char **)(void *)memory;
    for (size_t i = 0; i < count && *labels; i++) {
        char *label = memory + list + i * (LONGEST + 1);
        char value[32]; /* an element may lie anywhere */
        memcpy(value, element_at(tensor, (int64_t)i), (size_t)tensor->elem_bits / 8);
        (*labels)[i] = label;
        if (!write_label(label, tensor->type, value)) *labels = NULL;
    }
    if (*labels == NULL) free(memory);
    return EXIT_DONE;
}

int show_fills(const char ***fills, const char *list)
{
    size_t count = 1, bytes = strlen(list) + 1;
    for (const char *at = list; *at; at++) count += *at == ',';
    char *memory = malloc(count * sizeof(char *) + bytes);
    if (memory == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    *fills = (const char **)(void *)memory;
    char *text = memory + count * sizeof(char *);
    memcpy(text, list, bytes);
    for (size_t i = 0; i < count; i++) {
        (*fills)[i] = text;
        text += strcspn(text, ",");
        *text++ = 0;
    }
    return EXIT_DONE;
}

/* ---- Headings -------------------------------------------------------------------------------- */

void show_spec_add(char *heading, size_t bytes, const spec *of)
{
    char version[32];
    if (of->family->takes & TAKES_SIZE) return;
    if (*heading) picture_text_add(heading, bytes, ", ");
    picture_text_add(heading, bytes, of->family->full_name);
    if (of->version <= 0 || of->version == INT32_MAX) return;
    snprintf(version, sizeof version, ", opset %d", (int)of->version);
    picture_text_add(heading, bytes, version);
}
