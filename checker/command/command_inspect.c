/* `tensorpad inspect`: every Pad node of a model.  SPDX-License-Identifier: MIT */
#include "models/folding/folding.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/arguments.h"
#include "command/error_report.h"
#include "command/help.h"
#include "command/json_writer.h"
#include "model_options.h"

/* ---- For programs ---------------------------------------------------------------------------- */

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
    json_integer_field(writer, "version", node->version > 0, node->version);
    json_text_field(writer, "mode", node->mode);
    json_text_field(writer, "type", node->type_name);
    json_integers_field(writer, "input_shape", node->in_rank, node->in_shape, 1);
    json_integers_field(writer, "output_shape", node->out_rank, node->out_shape, 1);
    json_integers_field(writer, "begin", node->pads_count, node->begin, 0);
    json_integers_field(writer, "end", node->pads_count, node->end, 0);
    json_integers_field(writer, "axes", node->axes_count, node->axes, 0);
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

/* The name for `run --input`, and the specification's name of the argument. */
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

typedef struct inspect_options {
    const char *path;
    input_shapes shapes;
    int as_json;
} inspect_options;

static const option_row inspect_rows[] = {
    {"input-shape", 0, "NAME=1,3,224,224", input_shapes_add, offsetof(inspect_options, shapes),
     NULL, "the shape of an input that the file leaves open; for several inputs, several times"},
    INPUT_DIMENSION_ROWS(offsetof(inspect_options, shapes)),
    {"json", 0, NULL, argument_flag, offsetof(inspect_options, as_json), NULL,
     "one JSON object, errors too: {\"model\": ..., \"nodes\": [{\"name\", \"graph\" (\"\" for "
     "the top), \"spec\", \"version\", \"mode\", \"type\", \"input_shape\", \"output_shape\", "
     "\"begin\", \"end\", \"axes\", \"value\", \"computed\", \"findings\"}, ...]}; unknown "
     "things are null"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int take_model(void *field, char *name)
{
    inspect_options *options = field;
    if (options->path)
        return report_usage("inspect: '%s' is one file too many: it takes one MODEL", name);
    options->path = name;
    return EXIT_DONE;
}

static int inspect(void *field)
{
    const inspect_options *options = field;
    tpad_model *model = NULL;
    tpad_io_error error;
    if (options->path == NULL)
        return report_usage("inspect: MODEL is missing: tensorpad inspect MODEL");
    if (tpad_model_load_shaped(&model, options->path, options->shapes.items, options->shapes.count,
                               &error) != TPAD_OK)
        return report_io(&error, options->path, NULL);
    if (options->as_json) {
        write_json(model, options->path);
    } else {
        print_text(model);
    }
    tpad_model_free(model);
    return report_stdout_end();
}

static void free_options(void *field)
{
    inspect_options *options = field;
    input_shapes_free(&options->shapes);
}

const sub_command command_inspect = {
    .name = "inspect",
    .files = "MODEL",
    .summary = "list every Pad node of a model",
    .about = "\n"
             "Lists every Pad node of an ONNX model (.onnx) or OpenVINO IR (.xml), also those\n"
             "inside subgraphs (If, Loop ...) and local functions: name, version of Pad, mode,\n"
             "type, shapes (? where the file does not say), begin, end, value, and findings:\n"
             "what the specification forbids, and what known runtimes do. \"computed at run\n"
             "time\" marks arguments that do not follow from constants and shapes of the\n"
             "model; tensorpad run --node takes them with --input.\n",
    .rows = inspect_rows,
    .end = "\n"
           "exit status: 0 done, 1 failed, 2 wrong usage, 3 a bad model\n"
           "\n"
           "  tensorpad inspect model.onnx\n"
           "  tensorpad inspect --json model.onnx | python3 -m json.tool\n",
    .bytes = sizeof(inspect_options),
    .take_file = take_model,
    .run = inspect,
    .free_options = free_options,
};
