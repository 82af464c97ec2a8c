/* `tensorpad inspect`: every Pad node of a model.  SPDX-License-Identifier: MIT */
#include "models/models.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "input_shape_option.h"
#include "json_writer.h"
#include "error_report.h"

/* ---- For programs ---------------------------------------------------------------------------- */

/* An unknown extent is -1 in a shape and null in JSON. Amounts and axes are written as they are. */
static void write_integers(json *writer, const char *name, int32_t count, const int64_t *items,
                           int shape)
{
    json_key(writer, name);
    if (count < 0) {
        json_null(writer);
        return;
    }
    json_open(writer, '[');
    for (int32_t i = 0; i < count; i++) {
        if (shape && items[i] < 0) {
            json_null(writer);
        } else {
            json_integer(writer, items[i]);
        }
    }
    json_close(writer, ']');
}

static void write_texts(json *writer, const char *name, int32_t count, const char *const *texts)
{
    json_key(writer, name);
    json_open(writer, '[');
    for (int32_t i = 0; i < count; i++) json_text(writer, texts[i]);
    json_close(writer, ']');
}

static void write_node(json *writer, const tpad_pad_node *node)
{
    json_open(writer, '{');
    json_text_field(writer, "name", node->name);
    json_text_field(writer, "graph", node->graph);
    json_text_field(writer, "spec", node->spec);
    json_key(writer, "version");
    if (node->version > 0) {
        json_integer(writer, node->version);
    } else {
        json_null(writer);
    }
    json_text_field(writer, "mode", node->mode);
    json_text_field(writer, "type", node->type_name);
    write_integers(writer, "input_shape", node->in_rank, node->in_shape, 1);
    write_integers(writer, "output_shape", node->out_rank, node->out_shape, 1);
    write_integers(writer, "begin", node->pads_count, node->begin, 0);
    write_integers(writer, "end", node->pads_count, node->end, 0);
    write_integers(writer, "axes", node->axes_count, node->axes, 0);
    json_text_field(writer, "value", node->value);
    write_texts(writer, "computed", node->computed_count, node->computed);
    write_texts(writer, "findings", node->findings_count, node->findings);
    json_close(writer, '}');
}

static void write_json(const tpad_model *model, const char *path)
{
    json writer = {stdout, 0};
    json_open(&writer, '{');
    json_text_field(&writer, "model", path);
    json_key(&writer, "nodes");
    json_open(&writer, '[');
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++)
        write_node(&writer, tpad_model_pad_at(model, i));
    json_close(&writer, ']');
    json_close(&writer, '}');
    putchar('\n');
}

/* ---- For people ------------------------------------------------------------------------------ */

static void print_integers(int32_t count, const int64_t *items, int shape)
{
    if (count < 0) {
        fputs("[...]", stdout);
        return;
    }
    putchar('[');
    for (int32_t i = 0; i < count; i++) {
        if (i) putchar(',');
        if (shape && items[i] < 0) {
            putchar('?');
        } else {
            printf("%" PRId64, items[i]);
        }
    }
    putchar(']');
}

static void print_heading(const tpad_pad_node *node)
{
    if (node->name && *node->name) {
        write_plain(stdout, node->name);
    } else {
        fputs("(no name) -> ", stdout);
        write_plain(stdout, node->output ? node->output : "");
    }
    if (*node->graph) {
        fputs("  in ", stdout);
        write_plain(stdout, node->graph);
    }
    putchar('\n');
}

/* Pad-13 constant(0) float [1,3,?] -> [1,7,?] */
static void print_summary(const tpad_pad_node *node)
{
    const char *mode = node->mode ? node->mode : "mode ?";
    const char *type = node->type_name;
    if (node->version > 0) {
        printf("    Pad-%d ", (int)node->version);
    } else {
        fputs("    Pad-? ", stdout);
    }
    write_plain(stdout, mode);
    if (node->value && strcmp(mode, "constant") == 0) {
        putchar('(');
        write_plain(stdout, node->value);
        putchar(')');
    }
    if (type == NULL && node->in_rank < 0 && node->out_rank < 0) {
        fputs(" (type and shapes unknown)", stdout);
    } else {
        putchar(' ');
        write_plain(stdout, type ? type : "type ?");
        putchar(' ');
        print_integers(node->in_rank, node->in_shape, 1);
        fputs(" -> ", stdout);
        print_integers(node->out_rank, node->out_shape, 1);
    }
    putchar('\n');
}

static void print_amounts(const tpad_pad_node *node)
{
    if (node->pads_count < 0 && node->axes_count < 0) return;
    fputs("    ", stdout);
    if (node->pads_count >= 0) {
        fputs("begin ", stdout);
        print_integers(node->pads_count, node->begin, 0);
        fputs(" end ", stdout);
        print_integers(node->pads_count, node->end, 0);
    }
    if (node->axes_count >= 0) {
        fputs(node->pads_count >= 0 ? " axes " : "axes ", stdout);
        print_integers(node->axes_count, node->axes, 0);
    }
    putchar('\n');
}

/* The name to give to `run --input`, next to what the specification calls the argument. */
static void print_computed(const tpad_pad_node *node, const char *argument)
{
    fputs("    ", stdout);
    write_plain(stdout, argument);
    fputs(": computed at run time", stdout);
    for (int i = 0; i < 4; i++) {
        if (strcmp(argument, node->arguments[i]) != 0 || node->inputs[i] == NULL) continue;
        fputs(" (input ", stdout);
        write_plain(stdout, node->inputs[i]);
        putchar(')');
    }
    putchar('\n');
}

static void print_node(const tpad_pad_node *node)
{
    print_heading(node);
    print_summary(node);
    print_amounts(node);
    for (int32_t i = 0; i < node->computed_count; i++) print_computed(node, node->computed[i]);
    for (int32_t i = 0; i < node->findings_count; i++) {
        fputs("    note: ", stdout);
        write_plain(stdout, node->findings[i]);
        putchar('\n');
    }
}

static void print_text(const tpad_model *model)
{
    int64_t count = tpad_model_pad_count(model);
    for (int64_t i = 0; i < count; i++) print_node(tpad_model_pad_at(model, i));
    printf("%" PRId64 " Pad node%s\n", count, count == 1 ? "" : "s");
}

/* ---- The command ----------------------------------------------------------------------------- */

enum { OPTION_JSON = 256, OPTION_INPUT_SHAPE };

static const struct option inspect_words[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"input-shape", required_argument, NULL, OPTION_INPUT_SHAPE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int inspect_model(const char *path, const input_shapes *shapes, int as_json)
{
    tpad_model *model = NULL;
    tpad_io_error error;
    if (path == NULL) return report_usage("inspect: MODEL is missing: tensorpad inspect MODEL");
    if (tpad_model_load_shaped(&model, path, shapes->items, shapes->count, &error) != TPAD_OK)
        return report_io(&error, path, NULL);
    if (as_json) {
        write_json(model, path);
    } else {
        print_text(model);
    }
    tpad_model_free(model);
    return report_stdout_end();
}

int command_inspect(int argc, char **argv)
{
    arguments words = {"inspect", argc, argv, inspect_words, NULL, 0};
    input_shapes shapes = {0};
    const char *path = NULL;
    int as_json = 0, status = EXIT_DONE, word = ARGUMENT_END;
    while (status == EXIT_DONE && (word = arguments_next(&words)) != ARGUMENT_END && word != 'h') {
        if (word == ARGUMENT_BAD) {
            status = EXIT_USAGE;
        } else if (word == OPTION_JSON) {
            as_json = 1;
        } else if (word == OPTION_INPUT_SHAPE) {
            status = input_shapes_add(&shapes, words.text);
        } else if (path) {
            status =
                report_usage("inspect: '%s' is one file too many: it takes one MODEL", words.text);
        } else {
            path = words.text;
        }
    }
    if (status == EXIT_DONE)
        status = word == 'h' ? help("inspect") : inspect_model(path, &shapes, as_json);
    input_shapes_free(&shapes);
    return status;
}
