/* `tensorpad show`: draws what a pad does.  SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "output_files.h"
#include "pad_options.h"
#include "picture_file.h"
#include "error_report.h"
#include "show_request.h"

enum { OPTION_SHAPE = PAD_WORDS_END, OPTION_NODE, OPTION_INPUT_SHAPE };

static const struct option show_words[] = {
    PAD_WORDS,
    {"shape", required_argument, NULL, OPTION_SHAPE},
    {"node", required_argument, NULL, OPTION_NODE},
    {"input-shape", required_argument, NULL, OPTION_INPUT_SHAPE},
    {"output", required_argument, NULL, 'o'},
    {NULL, 0, NULL, 0},
};

/* ---- Words ----------------------------------------------------------------------------------- */

static int take_shape(integers *shape, const char *text)
{
    int status = arguments_integers(shape, "shape", text);
    for (int32_t i = 0; status == EXIT_DONE && i < shape->count; i++)
        if (shape->items[i] < 0)
            status = report_usage("--shape '%s': entry %d, %lld, is below 0", text, (int)i + 1,
                                  (long long)shape->items[i]);
    if (status == EXIT_DONE && shape->count > TPAD_MAX_RANK)
        status = report_usage("--shape '%s': %d axes, but at most %d are possible", text,
                              (int)shape->count, TPAD_MAX_RANK);
    return status;
}

static int take_word(show_options *options, int word, const char *text)
{
    switch (word) {
    case ARGUMENT_FILE:
        if (options->file)
            return report_usage("show: '%s' is one file too many: it takes one array or model",
                                text);
        options->file = text;
        return EXIT_DONE;
    case OPTION_SHAPE:
        return take_shape(&options->shape, text);
    case OPTION_NODE:
        options->node = text;
        return EXIT_DONE;
    case OPTION_INPUT_SHAPE:
        return input_shapes_add(&options->shapes, text);
    case 'o':
        options->out = text;
        return EXIT_DONE;
    default:
        return pad_words_take(&options->pad, word, text);
    }
}

static int is_model(const char *path)
{
    const char *ending = path ? strrchr(path, '.') : NULL;
    return ending && (strcmp(ending, ".onnx") == 0 || strcmp(ending, ".xml") == 0);
}

static int check_file(const show_options *options)
{
    const char *given = pad_words_given(&options->pad);
    if (!options->file && !options->shape.given)
        return report_usage("show: what shape? --shape 4,6, or a file: tensorpad show [options] "
                            "FILE");
    if (is_model(options->file)) {
        if (given)
            return report_usage("show: %s: a Pad node says that itself; to change it, give --shape "
                                "in place of the model",
                                given);
        return EXIT_DONE;
    }
    if (options->node || options->shapes.count)
        return report_usage("show: --%s is for a model, .onnx or .xml, which is not given",
                            options->node ? "node" : "input-shape");
    if (options->file && options->shape.given)
        return report_usage("show: --shape stands in place of a file, such as '%s'", options->file);
    return EXIT_DONE;
}

static int check_words(show_options *options)
{
    int status = check_file(options);
    if (status == EXIT_DONE && !is_model(options->file)) status = pad_words_check(&options->pad);
    if (status == EXIT_DONE && options->pad.force && !options->out)
        status = report_usage("show: -f overwrites the file of -o, which is not given");
    if (status == EXIT_DONE && options->out) status = picture_check_name("show: -o", options->out);
    if (status == EXIT_DONE && options->out && options->file)
        status = outputs_check_input(options->out, options->file);
    return status;
}

/* ---- The input ------------------------------------------------------------------------------- */

/* An array of a file, or one that has only a shape. */
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

/* "FILE, ONNX Pad, opset 19"; --spec plain has no name. */
static void add_spec(const spec *of, char *heading, size_t bytes)
{
    char version[32];
    if (of->family->takes & TAKES_SIZE) return;
    if (*heading) picture_text_add(heading, bytes, ", ");
    picture_text_add(heading, bytes, of->family->full_name);
    if (of->version <= 0 || of->version == INT32_MAX) return;
    snprintf(version, sizeof version, ", opset %d", (int)of->version);
    picture_text_add(heading, bytes, version);
}

/* ---- The picture ----------------------------------------------------------------------------- */

static int wants_colours(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) &&
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

static int show_problem(const show_options *options, const show_input *input,
                        const tpad_problem *problem)
{
    const char **labels = NULL;
    char fill[64] = "";
    tpad_shown *shown = NULL;
    tpad_error error;
    int status = EXIT_DONE;
    picture_text_add(fill, sizeof fill,
                     input->fill          ? input->fill
                     : options->pad.value ? options->pad.value
                                          : "0");
    if (input->tensor.data && tpad_shown_is_cells(problem))
        status = show_labels(&labels, &input->tensor);
    const tpad_shown_words words = {input->heading, fill, labels};
    if (status == EXIT_DONE && tpad_shown_make(&shown, problem, &words, &error) != TPAD_OK)
        status = report_core(&error, options->pad.in);
    if (status == EXIT_DONE) status = options->out ? write_file(options, shown) : write_text(shown);
    tpad_shown_free(shown);
    free(labels);
    return status;
}

static int show(show_options *options)
{
    show_input input = {0};
    tpad_model *model = NULL;
    pad_problem made = {0};
    int status = check_words(options);
    if (status != EXIT_DONE) return status;
    options->pad.in = options->file ? options->file : "--shape";
    status =
        is_model(options->file) ? show_node(&model, options, &input) : take_array(options, &input);
    if (status == EXIT_DONE) status = pad_words_join(&options->pad);
    if (status == EXIT_DONE) status = pad_problem_make(&made, &options->pad, &input.tensor);
    if (status == EXIT_DONE) {
        add_spec(&options->pad.spec, input.heading, sizeof input.heading);
        status = show_problem(options, &input, &made.problem);
    }
    pad_problem_free(&made);
    tpad_tensor_free(&input.tensor);
    tpad_model_free(model);
    return status;
}

int command_show(int argc, char **argv)
{
    arguments words = {"show", argc, argv, show_words, NULL, 0};
    show_options options = {0};
    int status = pad_words_start(&options.pad, "show");
    int word = ARGUMENT_END;
    while (status == EXIT_DONE && (word = arguments_next(&words)) != ARGUMENT_END && word != 'h')
        status = word == ARGUMENT_BAD ? EXIT_USAGE : take_word(&options, word, words.text);
    if (status == EXIT_DONE) status = word == 'h' ? help("show") : show(&options);
    pad_words_free(&options.pad);
    integers_free(&options.shape);
    input_shapes_free(&options.shapes);
    return status;
}
