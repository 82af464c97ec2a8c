/* `tensorpad lower`: a model whose Pads the targets run correctly.  SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/arguments.h"
#include "command/error_report.h"
#include "command/help.h"
#include "command/json_writer.h"
#include "command/output.h"
#include "model_options.h"
#include "models/folding/folding.h"
#include "models/lowering/lowering.h"

enum { LOWER_OUTCOMES = TPAD_LOWER_FOLDED + 1 };

/* The whole call. */
typedef struct lower_run {
    target_list targets;
    input_shapes shapes;
    const char *path, *out; /* MODEL, OUT */
    int partial, lenient, plugin, fold, overwrite, quiet, as_json;

    tpad_model *model;
    tpad_lowering *lowering;
    int64_t counts[LOWER_OUTCOMES]; /* of nodes */
    int refused;                    /* 1: nothing is written */
    char *weights_path;             /* of an IR: OUT's .bin; owned */
    tpad_output *output, *weights;  /* until they are committed */
    tpad_data_copy *data;           /* external data, copied into the folder of OUT */
    int written;                    /* 1: OUT was committed */
} lower_run;

/* Prints the outcome of each node. */
static void lower_print(const lower_run *run);
static void lower_print_json(const lower_run *run);

/* ---- Options --------------------------------------------------------------------------------- */

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
     "first make Pads a part of the Conv, pool or Pad after them where no answer changes"},
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

/* Checks that need all options. */
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

/* Writes OUT and, for an IR, its .bin as temporary files. External data is committed already. */
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

/* Reports that some nodes cannot be lowered, and names the first one. */
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

/* Commits OUT only after printing the report, so that a failed call leaves no OUT. */
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

/* The report of `tensorpad lower`. */

static const char *target_name(const lower_run *run, const tpad_lowered_node *node)
{
    return node->target < 0 ? NULL : run->targets.items[node->target].name;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* pad_1: refuses on ort-1.17 (TP104), now Slice x2, Concat */
static void print_node(const lower_run *run, const tpad_pad_node *pad,
                       const tpad_lowered_node *node)
{
    const int32_t kind = node->finding ? node->finding->verdict.kind : TPAD_RULES_SAME;
    write_pad_name(stdout, pad);
    if (!node->finding && run->plugin) fputs(": the plug-in is faster", stdout);
    if (!node->finding && run->fold) fputs(": takes in a Pad before it", stdout);
    /* For a node that the document forbids, `same` means that the target refuses it, too. */
    if (kind != TPAD_RULES_SAME)
        printf(": %s on %s (%s)", tpad_rules_kind_name(kind), target_name(run, node),
               node->finding->code);
    if (node->outcome == TPAD_LOWER_REWRITTEN) {
        printf(", now %s\n", node->operators);
        return;
    }
    fputs(kind == TPAD_RULES_SAME ? ": stays: " : ", stays: ", stdout);
    write_plain(stdout, node->reason);
    putchar('\n');
}

/* pad_1: now part of Conv conv_1
 * pad_2: not folded: its value is not 0, ... */
static void print_fold(const tpad_pad_node *pad, const tpad_lowered_node *node)
{
    const char *text = node->into ? node->into : node->not_folded;
    if (!text) return;
    write_pad_name(stdout, pad);
    if (node->not_folded)
        fputs(": not folded: ", stdout);
    else
        fputs(*text ? ": now part of " : ": adds nothing, and is left out", stdout);
    write_plain(stdout, text);
    putchar('\n');
}

/* 1 if OUT relies on an option of this kind (TPAD_SAYS_...) about the inputs. */
static int says(const lower_run *run, int32_t way)
{
    if (!tpad_lowering_is_shaped(run->lowering)) return 0;
    for (int32_t i = 0; i < run->shapes.count; i++)
        if (run->shapes.items[i].says == way) return 1;
    return 0;
}

static void lower_print(const lower_run *run)
{
    const int64_t count = tpad_model_pad_count(run->model);
    for (int64_t i = 0; i < count; i++) {
        const tpad_lowered_node *node = tpad_lowering_at(run->lowering, i);
        const tpad_pad_node *pad = tpad_model_pad_at(run->model, i);
        if (node->outcome == TPAD_LOWER_REWRITTEN || node->outcome == TPAD_LOWER_CANNOT)
            print_node(run, pad, node);
        print_fold(pad, node);
    }
    printf("%" PRId64 " Pad node%s: ", count, count == 1 ? "" : "s");
    if (run->fold) printf("%" PRId64 " folded, ", run->counts[TPAD_LOWER_FOLDED]);
    printf("%" PRId64 " kept, %" PRId64 " rewritten, %" PRId64 " cannot be lowered; ",
           run->counts[TPAD_LOWER_KEPT], run->counts[TPAD_LOWER_REWRITTEN],
           run->counts[TPAD_LOWER_CANNOT]);
    if (run->refused) {
        fputs("nothing is written", stdout);
    } else {
        write_plain(stdout, run->out);
        const int is_shaped = says(run, TPAD_SAYS_SHAPE) || says(run, TPAD_SAYS_EXTENT);
        const int is_new = is_shaped || run->counts[TPAD_LOWER_REWRITTEN] > 0 ||
                           run->counts[TPAD_LOWER_FOLDED] > 0;
        fputs(is_new ? " is written" : " is a copy", stdout);
        if (is_shaped) fputs(", whose inputs have the shapes that were given", stdout);
        if (is_new && says(run, TPAD_SAYS_LEAST)) fputs("; it relies on --assume", stdout);
    }
    putchar('\n');
}

/* ---- For programs ----------------------------------------------------------------------------
 *
 * {"model", "output", "written", "targets": [...], "input_shapes": [{"name", "shape"}], "dims":
 * [{"name", "extent"}], "assumed": [{"name", "least"}],
 *   "nodes": [{"graph", "name", "outcome", "target", "verdict", "code", "text", "operators",
 *   "reason", "into", "not_folded"}], "kept", "rewritten", "cannot", "folded"} */

static void write_node(json *writer, const lower_run *run, int64_t index)
{
    static const char *const outcomes[LOWER_OUTCOMES] = {"kept", "rewritten", "cannot", "folded"};
    const tpad_pad_node *pad = tpad_model_pad_at(run->model, index);
    const tpad_lowered_node *node = tpad_lowering_at(run->lowering, index);
    const tpad_rules_finding *finding = node->finding;
    json_open(writer, '{');
    json_text_field(writer, "graph", pad->graph);
    json_text_field(writer, "name", tpad_pad_name(pad));
    json_text_field(writer, "outcome", outcomes[node->outcome]);
    json_text_field(writer, "target", target_name(run, node));
    json_text_field(writer, "verdict",
                    finding ? tpad_rules_kind_name(finding->verdict.kind) : NULL);
    json_text_field(writer, "code", finding && *finding->code ? finding->code : NULL);
    json_text_field(writer, "text", finding && *finding->text ? finding->text : NULL);
    json_text_field(writer, "operators", node->operators);
    json_text_field(writer, "reason", node->reason);
    json_text_field(writer, "into", node->into);
    json_text_field(writer, "not_folded", node->not_folded);
    json_close(writer, '}');
}

/* The options of one kind about the inputs, if OUT relies on them. */
static void write_said(json *writer, const lower_run *run, int32_t way, const char *key,
                       const char *number)
{
    const int32_t count = tpad_lowering_is_shaped(run->lowering) ? run->shapes.count : 0;
    json_key(writer, key);
    json_open(writer, '[');
    for (int32_t i = 0; i < count; i++) {
        const tpad_input_shape *shape = &run->shapes.items[i];
        if (shape->says != way) continue;
        json_open(writer, '{');
        json_text_field(writer, "name", shape->name);
        json_key(writer, number);
        if (way == TPAD_SAYS_SHAPE) json_open(writer, '[');
        for (int32_t k = 0; k < shape->rank; k++) json_integer(writer, shape->shape[k]);
        if (way == TPAD_SAYS_SHAPE) json_close(writer, ']');
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

static void write_shapes(json *writer, const lower_run *run)
{
    write_said(writer, run, TPAD_SAYS_SHAPE, "input_shapes", "shape");
    write_said(writer, run, TPAD_SAYS_EXTENT, "dims", "extent");
    write_said(writer, run, TPAD_SAYS_LEAST, "assumed", "least");
}

static void write_count(json *writer, const char *name, int64_t count)
{
    json_key(writer, name);
    json_integer(writer, count);
}

static void lower_print_json(const lower_run *run)
{
    json writer = {stdout, 0};
    json_open(&writer, '{');
    json_text_field(&writer, "model", run->path);
    json_text_field(&writer, "output", run->out);
    json_key(&writer, "written");
    json_boolean(&writer, !run->refused);
    json_key(&writer, "targets");
    json_open(&writer, '[');
    for (int32_t i = 0; i < run->targets.count; i++) json_text(&writer, run->targets.items[i].name);
    json_close(&writer, ']');
    write_shapes(&writer, run);
    json_key(&writer, "nodes");
    json_open(&writer, '[');
    for (int64_t i = 0; i < tpad_model_pad_count(run->model); i++) write_node(&writer, run, i);
    json_close(&writer, ']');
    write_count(&writer, "kept", run->counts[TPAD_LOWER_KEPT]);
    write_count(&writer, "rewritten", run->counts[TPAD_LOWER_REWRITTEN]);
    write_count(&writer, "cannot", run->counts[TPAD_LOWER_CANNOT]);
    write_count(&writer, "folded", run->counts[TPAD_LOWER_FOLDED]);
    json_close(&writer, '}');
    putchar('\n');
}
