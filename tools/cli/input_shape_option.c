/* What a user says of the shapes of inputs. SPDX-License-Identifier: MIT */
#include "input_shape_option.h"

#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "error_report.h"
#include "port/system.h"

/* Adds an item, which takes over the numbers also on failure. */
static int add_shape(input_shapes *shapes, const char *name, size_t length, integers numbers,
               int32_t says)
{
    tpad_input_shape *grown = realloc(shapes->items, ((size_t)shapes->count + 1) * sizeof *grown);
    if (grown) shapes->items = grown;
    char *copy = strndup(name, length);
    if (grown == NULL || copy == NULL) {
        free(copy);
        integers_free(&numbers);
        return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    }
    shapes->items[shapes->count++] = (tpad_input_shape){
        .name = copy, .rank = numbers.count, .shape = numbers.items, .says = says};
    return EXIT_DONE;
}

int input_shapes_add(void *field, const given_option *given)
{
    /* A name may contain '=', a shape cannot. */
    char *text = given->text, *equals = strrchr(text, '=');
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
    if (status != EXIT_DONE) {
        integers_free(&list);
        return status;
    }
    return add_shape(field, text, (size_t)(equals - text), list, TPAD_SAYS_SHAPE);
}

/* Adds the number behind `sign` of the dimension before it. */
static int add_number(input_shapes *shapes, const given_option *given, const char *sign,
                      const char *form, int32_t says)
{
    char *text = given->text, *found = NULL;
    integers list = {0};
    for (char *at = strstr(text, sign); at; at = strstr(at + 1, sign)) found = at;
    if (found == NULL || found == text)
        return report_usage("--%s '%s': it is written as %s", given->row->name, text, form);
    const given_option number = {given->command, given->row, found + strlen(sign)};
    int status = argument_integers(&list, &number);
    if (status == EXIT_DONE && (list.count != 1 || list.items[0] < 0))
        status = report_usage("--%s '%s': one number of cells, 0 or more, stands behind %s",
                              given->row->name, text, sign);
    if (status != EXIT_DONE) {
        integers_free(&list);
        return status;
    }
    return add_shape(shapes, text, (size_t)(found - text), list, says);
}

int input_extents_add(void *field, const given_option *given)
{
    return add_number(field, given, "=", "NAME=224", TPAD_SAYS_EXTENT);
}

int input_bounds_add(void *field, const given_option *given)
{
    return add_number(field, given, ">=", "'NAME>=65'", TPAD_SAYS_LEAST);
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
