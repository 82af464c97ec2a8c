/* `tensorpad show`: draws what a pad does.  SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/drawing.h"
#include "error_report.h"
#include "formats/port/system.h"
#include "help.h"
#include "output.h"
#include "show.h"
#include "spec_problem.h"
#include "specs.h"

/* Adds the specification to a heading: "FILE, ONNX Pad, opset 19"; nothing for --spec plain. */
static void show_spec_add(char *heading, size_t bytes, const spec *of);

/* The labels of the cells: one text per element, in one block that the caller frees. *labels is
 * NULL if texts are too long or the type has none; the cells then show letters. Returns EXIT_DONE,
 * or the status of the error that it reported. */
static int show_labels(const char ***labels, const tpad_tensor *tensor);

/* The entries of --value as labels, in one block that the caller frees. Returns as show_labels
 * does. */
static int show_fills(const char ***fills, const char *list);

/* Labels: the elements of a small array as texts in its cells. */

enum { LONGEST = 7 }; /* characters of a label */

/* Returns 0 if the text does not fit. Rounds long floating-point numbers to four digits. */
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

static int show_labels(const char ***labels, const tpad_tensor *tensor)
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
        char value[32]; /* elements may be unaligned */
        memcpy(value, element_at(tensor, (int64_t)i), (size_t)tensor->elem_bits / 8);
        (*labels)[i] = label;
        if (!write_label(label, tensor->type, value)) *labels = NULL;
    }
    if (*labels == NULL) free(memory);
    return EXIT_DONE;
}

static int show_fills(const char ***fills, const char *list)
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

static void show_spec_add(char *heading, size_t bytes, const spec *of)
{
    char version[32];
    if (of->family->takes & TAKES_SIZE) return;
    if (*heading) picture_text_add(heading, bytes, ", ");
    picture_text_add(heading, bytes, of->family->full_name);
    if (of->version <= 0 || of->version == INT32_MAX) return;
    snprintf(version, sizeof version, ", opset %d", (int)of->version);
    picture_text_add(heading, bytes, version);
}

/* ---- Options --------------------------------------------------------------------------------- */

static int take_shape_option(void *field, const given_option *given)
{
    const integers *shape = field;
    const int status = argument_integers_from(field, given, 0);
    if (status == EXIT_DONE && shape->count > TPAD_MAX_RANK)
        return report_usage("--shape '%s': %d axes, but at most %d are possible", given->text,
                            (int)shape->count, TPAD_MAX_RANK);
    return status;
}

static const option_row own_rows[] = {
    {"shape", 0, "LIST", take_shape_option, offsetof(show_options, shape), NULL,
     "the shape of an input, as 4,6, in place of FILE; or of the node's input, where MODEL leaves "
     "it open"},
    {"output", 'o', "FILE", argument_text, offsetof(show_options, out), NULL,
     "writes the picture, an .svg; without it, it is text on standard output"},
    {"node", 0, "NAME", argument_text, offsetof(show_options, node), NULL,
     "the Pad node of MODEL, where it has several; in a subgraph, GRAPH/NAME as tensorpad "
     "inspect shows them"},
    {"input-shape", 0, "NAME=1,3,224,224", show_add_shape, offsetof(show_options, model), NULL,
     "the shape of an input of MODEL that the file leaves open"},
    {"force", 'f', NULL, argument_flag, offsetof(show_options, pad.force), NULL, "overwrite FILE"},
    {"json", 0, NULL, NULL, 0, NULL, "errors as a JSON object"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int start(void *field, int argc)
{
    show_options *options = field;
    (void)argc;
    return pad_words_start(&options->pad, "show");
}

static void note(void *field, const option_row *row)
{
    show_options *options = field;
    for (const option_row *pad = pad_rows; pad->name; pad++)
        if (pad == row && row->value) options->pad_word = row->name;
}

static int take_file(void *field, char *name)
{
    show_options *options = field;
    if (options->file)
        return report_usage("show: '%s' is one file too many: it takes one array or model", name);
    options->file = name;
    return EXIT_DONE;
}

static int is_model(const char *path)
{
    const char *ending = path ? strrchr(path, '.') : NULL;
    return ending && (strcmp(ending, ".onnx") == 0 || strcmp(ending, ".xml") == 0);
}

static int check_file(const show_options *options)
{
    if (!options->file && !options->shape.given)
        return report_usage("show: what shape? --shape 4,6, or a file: tensorpad show [options] "
                            "FILE");
    if (is_model(options->file)) {
        if (options->pad_word)
            return report_usage(
                "show: --%s: a Pad node says that itself; to change it, give --shape "
                "in place of the model",
                options->pad_word);
        return EXIT_DONE;
    }
    if (options->node || options->model)
        return report_usage("show: --%s is for a model, .onnx or .xml, which is not given",
                            options->node ? "node" : "input-shape");
    if (options->file && options->shape.given)
        return report_usage("show: --shape replaces a file, such as '%s'", options->file);
    return EXIT_DONE;
}

static int check_words(show_options *options)
{
    int status = check_file(options);
    if (status == EXIT_DONE && !is_model(options->file)) status = pad_words_check(&options->pad);
    if (status == EXIT_DONE && options->pad.force && !options->out)
        status = report_usage("show: -f overwrites the file of -o, which is not given");
    if (status == EXIT_DONE && options->out) status = picture_check_name(options->out);
    if (status == EXIT_DONE && options->out && options->file)
        status = outputs_check_input(options->out, options->file);
    return status;
}

/* ---- The input ------------------------------------------------------------------------------- */

/* Loads the file's array, or makes one that has only a shape. */
static int take_array(const show_options *options, show_input *input)
{
    tpad_io_error error;
    if (!options->file) {
        tpad_tensor_describe(&input->tensor,
                             options->pad.dtype ? options->pad.dtype : TPAD_ONNX_FLOAT,
                             options->shape.count, options->shape.items);
        return EXIT_DONE;
    }
    if (tpad_tensor_load(&input->tensor, options->file, options->pad.dtype, &error) != TPAD_OK)
        return report_io(&error, options->file, NULL);
    picture_text_add(input->heading, sizeof input->heading,
                     strcmp(options->file, "-") == 0 ? "standard input" : options->file);
    return EXIT_DONE;
}

/* ---- The picture ----------------------------------------------------------------------------- */

static int wants_colours(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return system_is_terminal(STDOUT_FILENO) && !(no_colour && *no_colour) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static int out_of_memory(void)
{
    return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
}

static int write_text(const tpad_shown *shown)
{
    tpad_written text;
    if (tpad_shown_text(shown, wants_colours(), &text) != TPAD_OK) return out_of_memory();
    fwrite(text.bytes, 1, text.length, stdout);
    free(text.bytes);
    return report_stdout_end();
}

static int write_file(const show_options *options, const tpad_shown *shown)
{
    tpad_drawing *drawing;
    tpad_output *output;
    tpad_io_error error;
    if (tpad_shown_draw(shown, &drawing) != TPAD_OK) return out_of_memory();
    if (outputs_begin(&output, options->out, NULL, options->pad.force, &error) == TPAD_OK)
        return picture_commit(output, options->out, drawing);
    tpad_drawing_free(drawing);
    return report_io(&error, options->out, NULL);
}

static void write_fill(char *fill, size_t bytes, const show_options *options,
                       const show_input *input, int32_t axis)
{
    char along[32];
    const char *value = options->pad.value ? options->pad.value : "0";
    picture_text_add(fill, bytes, input->fill ? input->fill : value);
    snprintf(along, sizeof along, " along axis %d", (int)axis);
    if (axis >= 0) picture_text_add(fill, bytes, along);
}

static int show_problem(const show_options *options, const show_input *input,
                        const pad_problem *made)
{
    const char **labels = NULL, **fills = NULL;
    const tpad_problem *problem = &made->problem;
    char fill[64] = "";
    tpad_shown *shown = NULL;
    tpad_error error;
    int status = EXIT_DONE;
    write_fill(fill, sizeof fill, options, input, made->fill_axis);
    if (made->fill_axis >= 0) status = show_fills(&fills, options->pad.value);
    if (status == EXIT_DONE && input->tensor.data && tpad_shown_is_cells(problem))
        status = show_labels(&labels, &input->tensor);
    const tpad_shown_words words = {input->heading, fill, labels, fills, made->fill_axis};
    if (status == EXIT_DONE && tpad_shown_make(&shown, problem, &words, &error) != TPAD_OK)
        status = report_core(&error, pad_subject(&options->pad));
    if (status == EXIT_DONE) status = options->out ? write_file(options, shown) : write_text(shown);
    tpad_shown_free(shown);
    free(labels);
    free(fills);
    return status;
}

static int show(void *field)
{
    show_options *options = field;
    show_input input = {0};
    pad_problem made = {0};
    int status = check_words(options);
    if (status != EXIT_DONE) return status;
    options->pad.in = options->file;
    status = is_model(options->file) ? show_node(options, &input) : take_array(options, &input);
    if (status == EXIT_DONE) status = pad_words_join(&options->pad);
    if (status == EXIT_DONE) status = pad_problem_make(&made, &options->pad, &input.tensor);
    if (status == EXIT_DONE) {
        show_spec_add(input.heading, sizeof input.heading, &options->pad.spec);
        status = show_problem(options, &input, &made);
    }
    pad_problem_free(&made);
    tpad_tensor_free(&input.tensor);
    return status;
}

static void free_options(void *field)
{
    show_options *options = field;
    pad_words_free(&options->pad);
    integers_free(&options->shape);
    show_model_free(options);
}

const sub_command command_show = {
    .name = "show",
    .files = "FILE | --shape LIST",
    .summary = "draw what a pad does",
    .about = "       tensorpad show [options] MODEL [--node NAME]\n"
             "\n"
             "Draws what a pad does: which element of the input each cell of the output\n"
             "repeats, what is fill, what is interior, and what is cropped. Arrays of one and\n"
             "two axes are drawn cell by cell as far as they have at most 32 cells on each\n"
             "axis; others axis by axis.\n",
    .rows = own_rows,
    .shared = pad_rows,
    .shared_help = "as in tensorpad pad; --dtype also gives the type that --shape has (default "
                   "float)",
    .end = "\n"
           "FILE: .npy, .pb, .png, or - for an .npy through a pipe; small arrays show their\n"
           "values. Text has colours on a terminal, unless NO_COLOR is set.\n"
           "exit status: 0 done, 1 failed (also: the picture exists), 2 wrong usage,\n"
           "3 refused\n"
           "\n"
           "  tensorpad show --shape 4,6 --mode reflect --begin 2,1 --end 1,2\n"
           "  tensorpad show --shape 5 --mode edge --begin=-2 --end 3 -o a.svg\n"
           "  tensorpad show model.onnx --node pad_3\n",
    .bytes = sizeof(show_options),
    .start = start,
    .note = note,
    .take_file = take_file,
    .run = show,
    .free_options = free_options,
};
