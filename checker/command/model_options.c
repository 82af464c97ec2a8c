/* The options of the sub-commands that read models.  SPDX-License-Identifier: MIT */
#include "model_options.h"

#include <stdlib.h>
#include <string.h>

#include "command/error_report.h"
#include "command/help.h"

/* --input-shape, --dim and --assume. */

/* Adds an item. Takes ownership of the numbers, also on failure. */
static int add_shape(input_shapes *shapes, const char *name, size_t length, integers numbers,
                     int32_t says)
{
    tpad_input_shape *grown = realloc(shapes->items, ((size_t)shapes->count + 1) * sizeof *grown);
    if (grown) shapes->items = grown;
    char *copy;
    if (asprintf(&copy, "%.*s", (int)length, name) < 0) copy = NULL;
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
            status =
                report_usage("--input-shape '%s': entry %d, %lld, is not an extent; extents are "
                             "0 or more",
                             text, (int)i + 1, (long long)list.items[i]);
    if (status != EXIT_DONE) {
        integers_free(&list);
        return status;
    }
    return add_shape(field, text, (size_t)(equals - text), list, TPAD_SAYS_SHAPE);
}

/* Adds the number after `sign` of the dimension before it. */
static int add_number(input_shapes *shapes, const given_option *given, const char *sign,
                      const char *form, int32_t says)
{
    char *text = given->text, *sign_at = NULL;
    integers list = {0};
    for (char *at = strstr(text, sign); at; at = strstr(at + 1, sign)) sign_at = at;
    if (sign_at == NULL || sign_at == text)
        return report_usage("--%s '%s': it is written as %s", given->row->name, text, form);
    const given_option number = {given->command, given->row, sign_at + strlen(sign)};
    int status = argument_integers(&list, &number);
    if (status == EXIT_DONE && (list.count != 1 || list.items[0] < 0))
        status = report_usage("--%s '%s': one number of cells, 0 or more, must follow %s",
                              given->row->name, text, sign);
    if (status != EXIT_DONE) {
        integers_free(&list);
        return status;
    }
    return add_shape(shapes, text, (size_t)(sign_at - text), list, says);
}

int input_extents_add(void *field, const given_option *given)
{
    return add_number(field, given, "=", "NAME=224", TPAD_SAYS_EXTENT);
}

int input_bounds_add(void *field, const given_option *given)
{
    return add_number(field, given, ">=", "'NAME>=65'", TPAD_SAYS_LEAST);
}

void input_shapes_write(FILE *out, const input_shapes *shapes)
{
    static const char *const forms[] = {
        [TPAD_SAYS_SHAPE] = " --input-shape '",
        [TPAD_SAYS_EXTENT] = " --dim '",
        [TPAD_SAYS_LEAST] = " --assume '",
    };
    for (int32_t i = 0; i < shapes->count; i++) {
        const tpad_input_shape *item = &shapes->items[i];
        fputs(forms[item->says], out);
        write_plain(out, item->name);
        for (int32_t k = 0; k < item->rank; k++)
            fprintf(out, "%s%lld",
                    k                               ? ","
                    : item->says == TPAD_SAYS_LEAST ? ">="
                                                    : "=",
                    (long long)item->shape[k]);
        if (item->rank == 0) fputc('=', out);
        fputc('\'', out);
    }
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

/* The runtimes that --target names. */

/* Adds a target, unless the list has one of that name. */
static int add_target(target_list *list, const char *command, const char *name,
                      tpad_rules_choice choice)
{
    if (choice.low == choice.high && !choice.is_nearest)
        name = tpad_rules_target_at(choice.low)->name;
    for (int32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return EXIT_DONE;
    if (list->count == TARGETS_MOST)
        return report_usage("%s: more than %d targets", command, TARGETS_MOST);
    list->items[list->count++] = (named_target){name, choice};
    return EXIT_DONE;
}

int targets_add(target_list *list, const char *command, const char *name)
{
    tpad_rules_choice choice;
    if (tpad_rules_find(&choice, name)) return add_target(list, command, name, choice);
    char known[1024];
    tpad_rules_names(known, sizeof known);
    return report_usage("%s: unknown target '%s'; known are %s, other versions of these "
                        "runtimes, and names without a version",
                        command, name, known);
}

int targets_add_list(void *field, const given_option *given)
{
    int status = EXIT_DONE;
    for (char *name = given->text, *next; name && status == EXIT_DONE; name = next) {
        next = strchr(name, ',');
        if (next) *next++ = 0;
        status = targets_add(field, given->command, name);
    }
    return status;
}

const char *target_word(int32_t index)
{
    const tpad_rules_target *target = tpad_rules_target_at(index);
    return target ? target->name : NULL;
}

void write_pad_name(FILE *out, const tpad_pad_node *pad)
{
    if (*pad->graph) write_plain(out, pad->graph);
    if (*pad->graph) fputc('/', out);
    write_plain(out, tpad_pad_name(pad));
}
