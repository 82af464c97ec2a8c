/* `tensorpad lower`: a model whose Pads the targets run right. SPDX-License-Identifier: MIT */
#include "lower_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "error_report.h"
#include "folding/folding.h"
#include "output_signals.h"

/* ---- Words ----------------------------------------------------------------------------------- */

static const option_row lower_rows[] = {
    {"target", 0, "LIST", targets_add_list, offsetof(lower_run, targets), target_word,
     "these runtimes, as ort-1.31,openvino-2026.4; a name without a version is the newest"},
    {"partial", 0, NULL, argument_flag, offsetof(lower_run, partial), NULL,
     "write OUT also if some Pads cannot be lowered: they stay"},
    {"lenient", 0, NULL, argument_flag, offsetof(lower_run, lenient), NULL,
     "take mode wrap below opset 19, as torch writes it, for what it means there"},
    {"plugin", 0, NULL, argument_flag, offsetof(lower_run, plugin), NULL,
     "for ONNX Runtime with the plug-in: Pads that it gets wrong, refuses or does slower than the "
     "plug-in get the plug-in's domain; nothing else is rewritten"},
    {"fold", 0, NULL, argument_flag, offsetof(lower_run, fold), NULL,
     "first make Pads a part of the Conv, pool or Pad behind them where no answer changes"},
    {"input-shape", 0, "NAME=1,3,224,224", input_shapes_add, offsetof(lower_run, shapes), NULL,
     "the shape of an input that the file leaves open; OUT's input has it, unless OUT is "
     "right for all shapes"},
    INPUT_DIMENSION_ROWS(offsetof(lower_run, shapes)),
    {"force", 'f', NULL, argument_flag, offsetof(lower_run, overwrite), NULL, "overwrite OUT"},
    {"quiet", 'q', NULL, argument_flag, offsetof(lower_run, quiet), NULL, "errors only"},
    {"json", 0, NULL, argument_flag, offsetof(lower_run, as_json), NULL,
     "one JSON object, errors too: {\"model\", \"output\", \"written\", \"targets\", "
     "\"input_shapes\": [{\"name\", \"shape\"}], \"dims\": [{\"name\", \"extent\"}], \"assumed\": "
     "[{\"name\", \"least\"}], \"nodes\": [{\"graph\", \"name\", "
     "\"outcome\" (kept, rewritten, cannot, folded), \"target\", \"verdict\", \"code\", \"text\", "
     "\"operators\", \"reason\", \"into\", \"not_folded\"}, ...], \"kept\", \"rewritten\", "
     "\"cannot\", "
     "\"folded\"}"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int take_file(void *field, char *name)
{
    lower_run *run = field;
    if (run->out)
        return report_usage("lower: '%s' is one file too many: it takes MODEL and OUT", name);
    if (run->path)
        run->out = name;
    else
        run->path = name;
    return EXIT_DONE;
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
    if (run->fold && run->plugin)
        return report_usage(
            "lower: --fold and --plugin exclude each other: ONNX Runtime folds the Pads "
            "that the plug-in leaves to it");
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
    const int32_t ways = (run->lenient ? TPAD_LOWER_LENIENT : 0) |
                         (run->plugin ? TPAD_LOWER_FOR_PLUGIN : 0) |
                         (run->fold ? TPAD_LOWER_FOLD : 0);
    for (int32_t i = 0; i < count; i++)
        targets[i] = (tpad_lower_target){run->targets.items[i].name, &run->targets.items[i].choice};
    const int32_t code =
        tpad_lowering_plan(&run->lowering, run->model, targets, count, ways, &error);
    if (code == TPAD_E_ARGUMENT) return report_usage("lower: %s", error.text);
    if (code != TPAD_OK) return report_io(&error, run->path, NULL);
    for (int64_t i = 0; i < tpad_model_pad_count(run->model); i++)
        run->counts[tpad_lowering_at(run->lowering, i)->outcome]++;
    run->refused = run->counts[TPAD_LOWER_CANNOT] > 0 && !run->partial;
    return EXIT_DONE;
}

/* Makes OUT and, of an IR, its .bin as temporary files. External data gets its names before. */
static int write_outputs(lower_run *run)
{
    static const tpad_output_calls calls = {outputs_begin, outputs_commit, outputs_discard};
    tpad_io_error error;
    const char *path = run->out;
    int32_t code = outputs_begin(&run->output, path, NULL, run->overwrite, &error);
    if (code == TPAD_OK) code = tpad_lowered_data(&run->data, run->model, path, &calls, &error);
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
static int lower_model(void *field)
{
    lower_run *run = field;
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
    run->written = status == EXIT_DONE;
    return status;
}

static void free_run(void *field)
{
    lower_run *run = field;
    outputs_discard(run->weights);
    outputs_discard(run->output);
    tpad_lowered_data_end(run->data, run->written);
    free(run->weights_path);
    tpad_lowering_free(run->lowering);
    tpad_model_free(run->model);
    input_shapes_free(&run->shapes);
}

const sub_command command_lower = {
    .name = "lower",
    .files = "MODEL OUT --target T,...",
    .summary = "rewrite what a runtime gets wrong",
    .about = "\n"
             "Writes MODEL as OUT with other operators in place of each Pad that a target does\n"
             "not run as the specification says (tensorpad check). It uses only operators that\n"
             "every target was seen to run right. Everything else stays, byte for byte. If a\n"
             "Pad cannot be lowered, nothing is written and the status is 3.\n",
    .rows = lower_rows,
    .end = "\n"
           "MODEL and OUT are ONNX (.onnx) or OpenVINO IR (.xml, with the .bin beside it).\n"
           "exit status: 0 written, 1 failed (also: OUT exists), 2 wrong usage, 3 a bad\n"
           "model, or a Pad that cannot be lowered\n"
           "\n"
           "  tensorpad lower model.onnx lowered.onnx --target ort-1.23,openvino\n",
    .bytes = sizeof(lower_run),
    .take_file = take_file,
    .run = lower_model,
    .free_options = free_run,
};
