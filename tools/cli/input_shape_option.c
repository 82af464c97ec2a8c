/* The option --input-shape of the sub-commands that read models. SPDX-License-Identifier: MIT */
#include "input_shape_option.h"

#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "error_report.h"

int input_shapes_add(void *field, const given_option *given)
{
    input_shapes *shapes = field;
    const char *text = given->text;
    /* A name may contain '=', a shape cannot. */
    char *equals = strrchr(given->text, '=');
    integers list = {0};
    if (equals == NULL || equals == text)
        return report_usage("--input-shape '%s': it is written as NAME=1,3,224,224", text);
    const given_option shape = {given->command, given->row, equals + 1};
    int status = argument_integers(&list, &shape);
    for (int32_t i = 0; status == EXIT_DONE && i < list.count; i++)
        if (list.items[i] < 0)
            status = report_usage("--input-shape '%s': entry %d, %lld, is no extent; extents are 0 "
                                  "or more",
                                  text, (int)i + 1, (long long)list.items[i]);
    tpad_input_shape *grown = NULL;
    char *name = NULL;
    if (status == EXIT_DONE) {
        grown = realloc(shapes->items, ((size_t)shapes->count + 1) * sizeof *grown);
        if (grown) shapes->items = grown;
        name = strndup(text, (size_t)(equals - text));
        if (grown == NULL || name == NULL)
            status = report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    }
    if (status != EXIT_DONE) {
        free(name);
        integers_free(&list);
        return status;
    }
    shapes->items[shapes->count++] = (tpad_input_shape){name, list.count, list.items};
    return EXIT_DONE;
}

void input_shapes_free(input_shapes *shapes)
{
    for (int32_t i = 0; i < shapes->count; i++) {
        free((char *)(uintptr_t)shapes->items[i].name);
        free((int64_t *)(uintptr_t)shapes->items[i].shape);
    }
    free(shapes->items);
    *shapes = (input_shapes){0};
}
