/* Reads the file of --shapes. SPDX-License-Identifier: MIT
 *
 * The file has the form of .editorconfig: a section per pattern of paths, with the options
 * --input-shape, --dim and --assume and their values. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/error_report.h"
#include "formats/port/system.h"
#include "model_options.h"

/* ---- Patterns -------------------------------------------------------------------------------- */

/* 1 if the pattern matches the whole text: * is any text, ? is one byte. */
static int fits(const char *pattern, const char *text)
{
    const char *star = NULL, *after = NULL; /* the last *, and the start of the text after it */
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            after = text;
        } else if (*pattern == '?' || *pattern == *text ||
                   (*pattern == '/' && strchr(SYSTEM_SLASHES, *text))) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++after;
        } else {
            return 0;
        }
    }
    while (*pattern == '*') pattern++;
    return !*pattern;
}

/* 1 if the pattern matches the path or what follows one of its slashes. */
static int matches(const char *pattern, const char *path)
{
    for (const char *at = path; at; at = strpbrk(at, SYSTEM_SLASHES)) {
        at += at != path;
        if (fits(pattern, at)) return 1;
    }
    return 0;
}

/* ---- The file -------------------------------------------------------------------------------- */

static char *trim(char *text)
{
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1])) text[--length] = 0;
    return text + strspn(text, " \t");
}

/* Begins a section, which ends the previous one. */
static int section_add(check_shapes *shapes, const char *pattern, const char *path)
{
    const size_t count = (size_t)shapes->section_count + 1;
    check_section *grown = realloc(shapes->sections, count * sizeof *grown);
    char *copy = strdup(pattern);
    if (grown) shapes->sections = grown;
    if (!grown || !copy) {
        free(copy);
        return report_refusal(TPAD_E_MEMORY, path, "out of memory");
    }
    grown[count - 1] = (check_section){copy, shapes->inputs.count};
    shapes->section_count++;
    return EXIT_DONE;
}

static const option_row settings[] = {
    {"input-shape", 0, NULL, input_shapes_add, 0, NULL, NULL},
    INPUT_DIMENSION_ROWS(0),
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

/* "dim = h=224" */
static int take_setting(check_shapes *shapes, char *line)
{
    char *equals = strchr(line, '=');
    if (!equals) return report_usage("'%s' is not a setting; write one as dim = h=224", line);
    if (shapes->section_count == 0)
        return report_usage("'%s' comes before the first section, such as [*.onnx]", line);
    *equals = 0;
    const char *name = trim(line);
    for (const option_row *row = settings; row->name; row++) {
        const given_option given = {"check", row, trim(equals + 1)};
        if (strcmp(row->name, name) == 0) return row->take(&shapes->inputs, &given);
    }
    return report_usage("unknown setting '%s'; there are input-shape, dim and assume", name);
}

static int take_line(check_shapes *shapes, char *line, const char *path)
{
    line = trim(line);
    const size_t length = strlen(line);
    if (length == 0 || strchr("#;", *line)) return EXIT_DONE;
    if (*line != '[') return take_setting(shapes, line);
    if (length < 3 || line[length - 1] != ']')
        return report_usage("'%s' is not a section; write one as [swin/*.onnx]", line);
    line[length - 1] = 0;
    return section_add(shapes, line + 1, path);
}

static int take_shape(void *shapes, char *line, int is_text, const char *path, long number)
{
    report_words_of(path, number);
    return is_text ? take_line(shapes, line, path) : report_usage("a NUL in the line");
}

int check_shapes_read(check_shapes *shapes, const char *path)
{
    const int status = check_lines_read(path, take_shape, shapes);
    report_words_of(NULL, 0);
    return status;
}

void check_shapes_free(check_shapes *shapes)
{
    for (int32_t i = 0; i < shapes->section_count; i++) free(shapes->sections[i].pattern);
    free(shapes->sections);
    input_shapes_free(&shapes->inputs);
}

/* ---- Models ---------------------------------------------------------------------------------- */

int check_shapes_of(input_shapes *inputs, const check_shapes *shapes, const input_shapes *given,
                    const char *path, int may_lack)
{
    *inputs = (input_shapes){0};
    inputs->items =
        calloc((size_t)given->count + (size_t)shapes->inputs.count + 1, sizeof *inputs->items);
    if (!inputs->items) return report_refusal(TPAD_E_MEMORY, path, "out of memory");
    for (int32_t i = 0; i < given->count; i++) inputs->items[inputs->count++] = given->items[i];
    for (int32_t k = 0; k < shapes->section_count; k++) {
        const int32_t end =
            k + 1 < shapes->section_count ? shapes->sections[k + 1].first : shapes->inputs.count;
        if (!matches(shapes->sections[k].pattern, path)) continue;
        for (int32_t i = shapes->sections[k].first; i < end; i++)
            inputs->items[inputs->count++] = shapes->inputs.items[i];
    }
    for (int32_t i = 0; i < inputs->count; i++) inputs->items[i].may_lack = may_lack;
    return EXIT_DONE;
}
