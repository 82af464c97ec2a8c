/* `tensorpad lower`: a model whose Pads the targets run right. SPDX-License-Identifier: MIT */
#include "lower_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "output_files.h"
#include "error_report.h"

/* ---- Words ----------------------------------------------------------------------------------- */

enum { OPTION_JSON = 256, OPTION_TARGET, OPTION_PARTIAL, OPTION_INPUT_SHAPE };

static const struct option lower_words[] = {
    {"target", required_argument, NULL, OPTION_TARGET},
    {"input-shape", required_argument, NULL, OPTION_INPUT_SHAPE},
    {"partial", no_argument, NULL, OPTION_PARTIAL},
    {"force", no_argument, NULL, 'f'},
    {"quiet", no_argument, NULL, 'q'},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int take_file(lower_run *run, const char *name)
{
    if (run->out)
        return report_usage("lower: '%s' is one file too many: it takes MODEL and OUT", name);
    if (run->path)
        run->out = name;
    else
        run->path = name;
    return EXIT_DONE;
}

static int take_word(lower_run *run, int word, char *text)
{
    switch (word) {
    case OPTION_TARGET:
        return targets_add_list(&run->targets, "lower", text);
    case OPTION_INPUT_SHAPE:
        return input_shapes_add(&run->shapes, text);
    case OPTION_PARTIAL:
        run->partial = 1;
        return EXIT_DONE;
    case OPTION_JSON:
        run->as_json = 1;
        return EXIT_DONE;
    case 'f':
        run->overwrite = 1;
        return EXIT_DONE;
    case 'q':
        run->quiet = 1;
        return EXIT_DONE;
    default:
        return take_file(run, text);
    }
}

/* What is wrong with all words together. */
static int check_words(const lower_run *run)
{
    if (!run->out)
        return report_usage("lower: %s is missing: tensorpad lower MODEL OUT --target T,...",
                            run->path ? "OUT" : "MODEL");
    if (run->targets.count == 0)
        return report_usage("lower: --target is missing: it names the runtimes that are to run OUT "
                            "right, as ort-1.31,openvino");
    if (strcmp(run->out, "-") == 0)
        return report_usage("lower: OUT must be the name of a file: standard output takes the "
                            "report");
    return outputs_check_input(run->out, run->path);
}

/* ---- Work ------------------------------------------------------------------------------------ */

static int plan(lower_run *run)
{
    tpad_io_error error;
    tpad_lower_target targets[TARGETS_MOST];
    const int32_t count = run->targets.count;
    for (int32_t i = 0; i < count; i++)
        targets[i] = (tpad_lower_target){run->targets.items[i].name, &run->targets.items[i].choice};
    if (tpad_lowering_plan(&run->lowering, run->model, targets, count, &error) != TPAD_OK)
        return report_io(&error, run->path, NULL);
    for (int64_t i = 0; i < tpad_model_pad_count(run->model); i++)
        run->counts[tpad_lowering_at(run->lowering, i)->outcome]++;
    run->refused = run->counts[TPAD_LOWER_CANNOT] > 0 && !run->partial;
    return EXIT_DONE;
}

/* Makes OUT and, of an IR, its .bin as temporary files. */
static int write_outputs(lower_run *run)
{
    tpad_io_error error;
    const char *path = run->out;
    int32_t code = outputs_begin(&run->output, path, NULL, run->overwrite, &error);
    if (code == TPAD_OK && run->weights_path) {
        path = run->weights_path;
        code = outputs_begin(&run->weights, path, NULL, run->overwrite, &error);
    }
    if (code == TPAD_OK) {
        path = run->path;
        code = tpad_lowering_write(run->lowering, run->output, run->weights, &error);
    }
    return code == TPAD_OK ? EXIT_DONE : report_io(&error, path, NULL);
}

static int commit(tpad_output **output, const char *path)
{
    tpad_io_error error;
    tpad_output *done = *output;
    *output = NULL;
    if (!done || outputs_commit(done, &error) == TPAD_OK) return EXIT_DONE;
    return report_io(&error, path, NULL);
}

static int print(const lower_run *run)
{
    if (run->as_json)
        lower_print_json(run);
    else if (!run->quiet)
        lower_print(run);
    return report_stdout_end();
}

/* The error of a model with nodes that cannot be lowered. It names the first of them. */
static int refuse(const lower_run *run)
{
    int64_t first = 0;
    while (tpad_lowering_at(run->lowering, first)->outcome != TPAD_LOWER_CANNOT) first++;
    const tpad_pad_node *pad = tpad_model_pad_at(run->model, first);
    return report_refusal(
        TPAD_E_MODEL, run->path,
        "%s: %" PRId64 " of %" PRId64 " Pad node%s cannot be lowered, and nothing "
        "is written; the first is '%s%s%s': %s; --partial lowers the others",
        run->path, run->counts[TPAD_LOWER_CANNOT], tpad_model_pad_count(run->model),
        tpad_model_pad_count(run->model) == 1 ? "" : "s", pad->graph, *pad->graph ? "/" : "",
        tpad_pad_name(pad), tpad_lowering_at(run->lowering, first)->reason);
}

/* OUT gets its name only after the report was printed: a call that fails leaves no OUT. */
static int lower_model(lower_run *run)
{
    tpad_io_error error;
    int status = check_words(run);
    if (status != EXIT_DONE) return status;
    if (tpad_model_load_shaped(&run->model, run->path, run->shapes.items, run->shapes.count,
                               &error) != TPAD_OK)
        return report_io(&error, run->path, NULL);
    if (tpad_lowered_place(&run->weights_path, run->model, run->out, &error) != TPAD_OK)
        return report_io(&error, run->out, NULL);
    status = plan(run);
    if (status == EXIT_DONE && !run->refused) status = write_outputs(run);
    if (status == EXIT_DONE) status = print(run);
    if (status == EXIT_DONE && run->refused) status = refuse(run);
    if (status == EXIT_DONE) status = commit(&run->weights, run->weights_path);
    if (status == EXIT_DONE) status = commit(&run->output, run->out);
    return status;
}

int command_lower(int argc, char **argv)
{
    arguments words = {"lower", argc, argv, lower_words, NULL, 0};
    lower_run run = {0};
    int status = EXIT_DONE, word = ARGUMENT_END;
    /* getopt gives words of argv, which may be written to. */
    while (status == EXIT_DONE && (word = arguments_next(&words)) != ARGUMENT_END && word != 'h')
        status = word == ARGUMENT_BAD ? EXIT_USAGE : take_word(&run, word, (char *)words.text);
    if (status == EXIT_DONE) status = word == 'h' ? help("lower") : lower_model(&run);
    outputs_discard(run.weights);
    outputs_discard(run.output);
    free(run.weights_path);
    tpad_lowering_free(run.lowering);
    tpad_model_free(run.model);
    input_shapes_free(&run.shapes);
    return status;
}
