/* `tensorpad run`: a model made of Pad nodes, or one Pad node of any model.
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/arguments.h"
#include "command/error_report.h"
#include "command/help.h"
#include "command/output.h"
#include "formats/port/system.h"
#include "model_options.h"
#include "models/folding/folding.h"

/* ---- Options --------------------------------------------------------------------------------- */

/* The values of all --input options, or of all --output options. */
typedef struct word_list {
    const char **items;
    int count;
} word_list;

typedef struct run_options {
    const char *model;
    const char *node;
    word_list inputs;
    word_list outputs;
    input_shapes shapes;
    tpad_threads *threads; /* not given: NULL until the options are read, then all */
    int64_t max_bytes;
    int lenient;
    int force;
    int quiet;
} run_options;

static int add_word(void *field, const given_option *given)
{
    word_list *list = field;
    list->items[list->count++] = given->text;
    return EXIT_DONE;
}

static int take_max_bytes(void *field, const given_option *given)
{
    integers list = {0};
    int status = argument_integers_from(&list, given, 1);
    if (status == EXIT_DONE && list.count != 1)
        status = report_usage("--%s '%s': it takes one number", given->row->name, given->text);
    if (status == EXIT_DONE) *(int64_t *)field = list.items[0];
    integers_free(&list);
    return status;
}

static const option_row run_rows[] = {
    {"node", 0, "NAME", argument_text, offsetof(run_options, node), NULL,
     "the node; where it has no name, its output's name; in a subgraph, GRAPH/NAME as "
     "tensorpad inspect shows them"},
    {"input", 0, "[NAME=]FILE", add_word, offsetof(run_options, inputs), NULL,
     "an input that is not a constant in the model; NAME may be left out if there is only "
     "one, and with --node may be the specification's name of the input: pads"},
    {"input-shape", 0, "NAME=1,3,224,224", input_shapes_add, offsetof(run_options, shapes), NULL,
     "the shape of an input of the model that the file leaves open, from which a node's "
     "amounts may follow"},
    {"output", 'o', "[NAME=]FILE", add_word, offsetof(run_options, outputs), NULL,
     "an output, at least one; the others are computed and dropped"},
    {"threads", 0, "N", argument_threads, offsetof(run_options, threads), NULL,
     "how many threads work; default all there are, 1: one"},
    {"max-bytes", 0, "N", take_max_bytes, offsetof(run_options, max_bytes), NULL,
     "how many bytes all results of the model together may have, those between its nodes too; "
     "default a quarter of the machine's memory"},
    {"lenient", 0, NULL, argument_flag, offsetof(run_options, lenient), NULL,
     "compute also what the version forbids, where it has a meaning"},
    {"force", 'f', NULL, argument_flag, offsetof(run_options, force), NULL, "overwrite outputs"},
    {"quiet", 'q', NULL, argument_flag, offsetof(run_options, quiet), NULL, "errors only"},
    {"json", 0, NULL, NULL, 0, NULL, "errors as a JSON object"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int start(void *field, int argc)
{
    run_options *options = field;
    options->inputs.items = calloc((size_t)argc, sizeof *options->inputs.items);
    options->outputs.items = calloc((size_t)argc, sizeof *options->outputs.items);
    if (options->inputs.items == NULL || options->outputs.items == NULL)
        return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    return EXIT_DONE;
}

static int take_model(void *field, char *name)
{
    run_options *options = field;
    if (options->model)
        return report_usage("run: '%s' is one file too many: it takes one MODEL, the others as "
                            "--input and --output",
                            name);
    options->model = name;
    return EXIT_DONE;
}

/* ---- Names and files ------------------------------------------------------------------------- */

typedef struct port_file {
    const tpad_port *port;
    const char *file;   /* NULL: not given */
    tpad_tensor tensor; /* of an output: type and shape only */
    tpad_output *output;
    void *dropped; /* memory for an output that no option names */
} port_file;

typedef struct side {
    const char *kind; /* "input" or "output" */
    port_file *items;
    int32_t count;
} side;

typedef struct run_state {
    const run_options *options;
    tpad_model *model;
    tpad_job *job;
    side inputs;
    side outputs;
} run_state;

/* Writes the names of a side as "a, b, c", truncated to the buffer. */
static void list_names(const side *ports, char *buffer, size_t bytes)
{
    size_t used = 0;
    buffer[0] = 0;
    for (int32_t i = 0; i < ports->count && used < bytes; i++) {
        int wrote = snprintf(buffer + used, bytes - used, "%s%s", i ? ", " : "",
                             ports->items[i].port->name);
        if (wrote > 0) used += (size_t)wrote;
    }
}

/* The length of NAME= if the word begins with it, else 0. */
static size_t named_length(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? length + 1 : 0;
}

/* The port whose NAME= the word begins with; if two match, the longer one. A name in the model
 * takes precedence over the specification's name of an input. *skip: the length of NAME=. */
static port_file *find_named(const side *ports, const char *word, size_t *skip)
{
    port_file *port = NULL;
    *skip = 0;
    for (int32_t i = 0; i < ports->count; i++) {
        const size_t length = named_length(word, ports->items[i].port->name);
        if (length <= *skip) continue;
        port = &ports->items[i];
        *skip = length;
    }
    for (int32_t i = 0; i < ports->count && !port; i++) {
        const char *const *names = ports->items[i].port->arguments;
        for (int k = 0; k < 4 && names[k] && !port; k++) {
            *skip = named_length(word, names[k]);
            if (*skip > 0) port = &ports->items[i];
        }
    }
    return port;
}

static int bind_word(const run_state *state, const side *ports, const char *word, int reading)
{
    const char *model = state->options->model;
    char names[512];
    size_t skip;
    system_entry entry;
    port_file *port = find_named(ports, word, &skip);
    const char *file = word + skip;
    list_names(ports, names, sizeof names);
    if (ports->count == 0)
        return report_refusal(TPAD_E_MODEL, model, "%s: --%s '%s': the model has no %s", model,
                              ports->kind, word, ports->kind);
    if (port == NULL && ports->count > 1)
        return report_refusal(TPAD_E_MODEL, model,
                              "%s: --%s '%s' does not say which of %d: write NAME=FILE with one of "
                              "%s",
                              model, ports->kind, word, (int)ports->count, names);
    /* A file may have a '=' in its name, but it is more likely that the NAME is wrong. */
    if (port == NULL && reading && strchr(word, '=') &&
        (system_look(word, &entry) != 0 || entry.kind == SYSTEM_ABSENT))
        return report_refusal(TPAD_E_MODEL, model, "%s: --%s '%s' names no %s: there is %s", model,
                              ports->kind, word, ports->kind, names);
    if (port == NULL) port = &ports->items[0];
    if (port->file)
        return report_refusal(TPAD_E_MODEL, model, "%s: %s '%s' is given twice: '%s' and '%s'",
                              model, ports->kind, port->port->name, port->file, file);
    port->file = file;
    return EXIT_DONE;
}

static int make_side(side *ports, const char *kind, const tpad_job *job, int32_t count,
                     const tpad_port *(*at)(const tpad_job *, int32_t))
{
    ports->kind = kind;
    ports->items = calloc((size_t)count + 1, sizeof *ports->items);
    if (ports->items == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    ports->count = count;
    for (int32_t i = 0; i < count; i++) ports->items[i].port = at(job, i);
    return EXIT_DONE;
}

static int bind_side(const run_state *state, const side *ports, const word_list *words, int reading)
{
    int status = EXIT_DONE;
    for (int i = 0; status == EXIT_DONE && i < words->count; i++)
        status = bind_word(state, ports, words->items[i], reading);
    return status;
}

static int check_inputs(const run_state *state)
{
    const side *inputs = &state->inputs;
    int pipes = 0;
    for (int32_t i = 0; i < inputs->count; i++) {
        const port_file *at = &inputs->items[i];
        if (at->file == NULL) {
            const char *type = tpad_onnx_type_name(at->port->type);
            const char *argument = at->port->arguments[0];
            return report_refusal(TPAD_E_MODEL, state->options->model,
                                  "%s: input '%s' (%s%s%s) is missing: --input %s=FILE",
                                  state->options->model, at->port->name, argument ? argument : "",
                                  argument ? ", " : "", type ? type : "of unknown type",
                                  at->port->name);
        }
        pipes += strcmp(at->file, "-") == 0;
    }
    if (pipes > 1)
        return report_usage("run: standard input holds one array: only one --input may "
                            "be -");
    return EXIT_DONE;
}

static int check_outputs(const run_state *state)
{
    const side *inputs = &state->inputs, *outputs = &state->outputs;
    for (int32_t i = 0; i < outputs->count; i++) {
        const char *out = outputs->items[i].file;
        if (out == NULL) continue;
        int status = outputs_check_terminal(out);
        if (status == EXIT_DONE) status = outputs_check_input(out, state->options->model);
        for (int32_t k = 0; status == EXIT_DONE && k < inputs->count; k++)
            status = outputs_check_input(out, inputs->items[k].file);
        for (int32_t k = 0; status == EXIT_DONE && k < i; k++)
            if (outputs->items[k].file) status = outputs_check_pair(outputs->items[k].file, out);
        if (status != EXIT_DONE) return status;
    }
    return EXIT_DONE;
}

/* ---- Work ------------------------------------------------------------------------------------ */

static int32_t allocate(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *error)
{
    run_state *state = context;
    port_file *at = &state->outputs.items[index];
    if (at->file == NULL) {
        /* Memory for an output that no option names. `like` has passed the size checks of a
         * plan. */
        uint64_t bits = (uint64_t)like->elem_bits, bytes;
        for (int32_t i = 0; i < like->rank; i++)
            if (__builtin_mul_overflow(bits, (uint64_t)like->shape[i], &bits)) bits = UINT64_MAX;
        bytes = bits / 8 + 1;
        if (bytes <= INT64_MAX && tpad_fits_memory((int64_t)bytes))
            at->dropped = malloc((size_t)bytes);
        *data = at->dropped;
        if (at->dropped) return TPAD_OK;
        error->code = TPAD_E_MEMORY;
        snprintf(
            error->text, sizeof error->text,
            "output '%s', which was not asked for, needs %llu bytes of memory: --output %s=FILE "
            "writes it to a file",
            at->port->name, (unsigned long long)bytes, at->port->name);
        return TPAD_E_MEMORY;
    }
    int32_t code = outputs_begin(&at->output, at->file, like, state->options->force, error);
    if (code != TPAD_OK) return code;
    *data = tpad_output_data(at->output);
    /* Copied for the remark at the end, because `like` belongs to the run. */
    at->tensor = *like;
    at->tensor.name = NULL;
    at->tensor.npy_descr = NULL;
    return TPAD_OK;
}

/* 1 for types that NumPy has. For these the file's type counts: otherwise integers mistaken for
 * floats would go unnoticed. For others the model's type replaces the file's. */
static int npy_can_say(int32_t type)
{
    return type < TPAD_ONNX_BFLOAT16;
}

static int load_inputs(const run_state *state)
{
    tpad_io_error error;
    for (int32_t i = 0; i < state->inputs.count; i++) {
        port_file *at = &state->inputs.items[i];
        int32_t wanted = at->port->type;
        if (tpad_tensor_load(&at->tensor, at->file, npy_can_say(wanted) ? 0 : wanted, &error) !=
            TPAD_OK)
            return report_io(&error, at->file, NULL);
        if (wanted != 0 && at->tensor.type != wanted)
            return report_refusal(TPAD_E_SPEC_TYPE, at->file,
                                  "%s: holds %s, but input '%s' of the model is %s", at->file,
                                  tpad_tensor_type_text(&at->tensor), at->port->name,
                                  tpad_onnx_type_name(wanted));
    }
    return EXIT_DONE;
}

static int execute(run_state *state)
{
    const run_options *options = state->options;
    tpad_io_error error;
    progress shown;
    int32_t lenient_accepts = 0;
    const tpad_tensor **tensors = calloc((size_t)state->inputs.count + 1, sizeof *tensors);
    if (tensors == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    for (int32_t i = 0; i < state->inputs.count; i++) tensors[i] = &state->inputs.items[i].tensor;
    const tpad_job_run run = {
        .inputs = tensors,
        .lenient = options->lenient,
        .runner = progress_begin(&shown, options->quiet, tpad_threads_runner(options->threads)),
        .allocate = allocate,
        .context = state,
        .lenient_accepts = &lenient_accepts,
        .most_bytes = options->max_bytes,
    };
    int32_t code = tpad_job_execute(state->job, &run, &error);
    progress_end(&shown);
    free(tensors);
    if (lenient_accepts) {
        const size_t used = strlen(error.text);
        snprintf(error.text + used, sizeof error.text - used, " (--lenient accepts it)");
    }
    return code == TPAD_OK ? EXIT_DONE : report_io(&error, options->model, options->node);
}

static int commit_outputs(run_state *state)
{
    tpad_io_error error;
    for (int32_t i = 0; i < state->outputs.count; i++) {
        port_file *at = &state->outputs.items[i];
        tpad_output *output = at->output;
        if (output == NULL) continue;
        at->output = NULL;
        if (outputs_commit(output, &error) != TPAD_OK) return report_io(&error, at->file, NULL);
        outputs_remark(state->options->quiet, at->file, &at->tensor, NULL);
    }
    return EXIT_DONE;
}

static int run_job(run_state *state)
{
    const tpad_job *job = state->job;
    int status = make_side(&state->inputs, "input", job, tpad_job_input_count(job), tpad_job_input);
    if (status == EXIT_DONE)
        status =
            make_side(&state->outputs, "output", job, tpad_job_output_count(job), tpad_job_output);
    if (status == EXIT_DONE) status = bind_side(state, &state->inputs, &state->options->inputs, 1);
    if (status == EXIT_DONE)
        status = bind_side(state, &state->outputs, &state->options->outputs, 0);
    if (status == EXIT_DONE) status = check_inputs(state);
    if (status == EXIT_DONE) status = check_outputs(state);
    if (status == EXIT_DONE) status = load_inputs(state);
    if (status == EXIT_DONE) status = execute(state);
    if (status == EXIT_DONE) status = commit_outputs(state);
    return status;
}

static void free_state(run_state *state)
{
    /* Outputs of strings point into inputs and model, so they are released first. */
    for (int32_t i = 0; i < state->outputs.count; i++) {
        outputs_discard(state->outputs.items[i].output);
        free(state->outputs.items[i].dropped);
    }
    for (int32_t i = 0; i < state->inputs.count; i++)
        tpad_tensor_free(&state->inputs.items[i].tensor);
    free(state->outputs.items);
    free(state->inputs.items);
    tpad_job_free(state->job);
    tpad_model_free(state->model);
}

static int run_model(void *field)
{
    run_options *options = field;
    run_state state = {.options = options};
    tpad_io_error error;
    int status = EXIT_DONE;
    if (options->model == NULL)
        return report_usage("run: MODEL is missing: tensorpad run [options] MODEL (see tensorpad "
                            "run --help)");
    if (options->outputs.count == 0)
        return report_usage("run: --output is missing: at least one says where a result goes");
    if (!options->threads) tpad_threads_create(&options->threads, 0, NULL);
    if (tpad_model_load_shaped(&state.model, options->model, options->shapes.items,
                               options->shapes.count, &error) != TPAD_OK ||
        tpad_job_open(&state.job, state.model, options->node, &error) != TPAD_OK)
        status = report_io(&error, options->model, options->node);
    if (status == EXIT_DONE) status = run_job(&state);
    free_state(&state);
    return status;
}

static void free_options(void *field)
{
    run_options *options = field;
    tpad_threads_destroy(options->threads);
    input_shapes_free(&options->shapes);
    free(options->inputs.items);
    free(options->outputs.items);
}

const sub_command command_run = {
    .name = "run",
    .files = "MODEL",
    .summary = "run a model of Pads, or one Pad of any model",
    .about = "\n"
             "Runs an ONNX model (.onnx) or OpenVINO IR (.xml) made only of Pad nodes and\n"
             "constants, or with --node one Pad node of any model. The model says version,\n"
             "mode and types.\n",
    .rows = run_rows,
    .end = "\n"
           "FILE: .npy, .pb (an ONNX TensorProto), .png (height x width x channels), or -\n"
           "for an .npy through a pipe. If anything fails while computing, no output is\n"
           "written.\n"
           "exit status: 0 done, 1 failed (also: an output exists), 2 wrong usage,\n"
           "3 refused\n"
           "\n"
           "  tensorpad run model.onnx --input in.npy --output out.npy\n"
           "  tensorpad run model.onnx --node if_0/then_branch/pad_1 --input x=in.npy \\\n"
           "      --input pads=pads.npy --output out.npy\n",
    .bytes = sizeof(run_options),
    .start = start,
    .take_file = take_model,
    .run = run_model,
    .free_options = free_options,
};
