/* `tensorpad pad`: one array under a named specification.  SPDX-License-Identifier: MIT */
#include <string.h>

#include "commands.h"
#include "outputs.h"
#include "pad_problem.h"
#include "progress.h"
#include "report.h"

/* ---- Words ----------------------------------------------------------------------------------- */

enum {
    OPTION_SPEC = 256,
    OPTION_MODE,
    OPTION_BEGIN,
    OPTION_END,
    OPTION_PADS,
    OPTION_AXES,
    OPTION_INTERIOR,
    OPTION_ORDER,
    OPTION_VALUE,
    OPTION_DTYPE,
    OPTION_THREADS,
    OPTION_LENIENT,
    OPTION_JSON
};

static const struct option pad_words[] = {
    {"spec", required_argument, NULL, OPTION_SPEC},
    {"mode", required_argument, NULL, OPTION_MODE},
    {"begin", required_argument, NULL, OPTION_BEGIN},
    {"end", required_argument, NULL, OPTION_END},
    {"pads", required_argument, NULL, OPTION_PADS},
    {"axes", required_argument, NULL, OPTION_AXES},
    {"interior", required_argument, NULL, OPTION_INTERIOR},
    {"order", required_argument, NULL, OPTION_ORDER},
    {"value", required_argument, NULL, OPTION_VALUE},
    {"dtype", required_argument, NULL, OPTION_DTYPE},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"lenient", no_argument, NULL, OPTION_LENIENT},
    {"force", no_argument, NULL, 'f'},
    {"quiet", no_argument, NULL, 'q'},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int take_file(pad_options *options, const char *text)
{
    if (options->in == NULL) {
        options->in = text;
    } else if (options->out == NULL) {
        options->out = text;
    } else {
        return report_usage("pad: '%s' is one file too many: IN and OUT are all it takes", text);
    }
    return EXIT_DONE;
}

static int take_word(pad_options *options, int word, const char *text)
{
    switch (word) {
    case ARGUMENT_FILE:
        return take_file(options, text);
    case OPTION_SPEC:
        return spec_parse(&options->spec, text);
    case OPTION_MODE:
        return arguments_modes(&options->modes, text);
    case OPTION_BEGIN:
        return arguments_integers(&options->begin, "begin", text);
    case OPTION_END:
        return arguments_integers(&options->end, "end", text);
    case OPTION_PADS:
        return arguments_integers(&options->pads, "pads", text);
    case OPTION_AXES:
        return arguments_integers(&options->axes, "axes", text);
    case OPTION_INTERIOR:
        return arguments_integers(&options->interior, "interior", text);
    case OPTION_ORDER:
        options->order_given = 1;
        return arguments_order(&options->order, text);
    case OPTION_VALUE:
        options->value = text;
        return EXIT_DONE;
    case OPTION_DTYPE:
        return arguments_type(&options->dtype, text);
    case OPTION_THREADS:
        return arguments_threads(&options->threads, text);
    case OPTION_LENIENT:
        options->lenient = 1;
        return EXIT_DONE;
    case 'f':
        options->force = 1;
        return EXIT_DONE;
    case 'q':
        options->quiet = 1;
        return EXIT_DONE;
    default: /* --json, which main has seen */
        return EXIT_DONE;
    }
}

/* Refuses options that may not stand together. */
static int check_words(const pad_options *options)
{
    int amounts = options->begin.given || options->end.given;
    if (options->out == NULL)
        return report_usage("pad: %s missing: tensorpad pad [options] IN OUT (see tensorpad pad "
                            "--help)",
                            options->in ? "OUT is" : "IN and OUT are");
    if (amounts && options->pads.given)
        return report_usage("pad: --pads is begin and end in one: give it, or --begin and --end");
    if (!amounts && !options->pads.given &&
        !(options->interior.given && (options->spec.family->takes & TAKES_INTERIOR)))
        return report_usage("pad: how much? give --begin and --end, or --pads; zeros are allowed");
    int32_t used = 0;
    if (options->pads.given) used |= TAKES_PADS;
    if (options->axes.given) used |= TAKES_AXES;
    if (options->interior.given) used |= TAKES_INTERIOR;
    if (options->order_given) used |= TAKES_ORDER;
    if (options->modes.count > 1) used |= TAKES_MODE_PER_AXIS;
    if (options->lenient) used |= TAKES_LENIENT;
    int status = spec_check(&options->spec, used);
    if (status != EXIT_DONE) return status;
    status = outputs_check_input(options->out, options->in);
    return status ? status : outputs_check_terminal(options->out);
}

/* Joins --begin and --end in one list, in ONNX's order. */
static int join_amounts(pad_options *options)
{
    const integers *begin = &options->begin, *end = &options->end;
    int32_t count = begin->given ? begin->count : end->count;
    if (!begin->given && !end->given) return EXIT_DONE;
    if (begin->given && end->given && begin->count != end->count)
        return report_refusal(TPAD_E_SPEC_PADS, options->in,
                              "%s: --begin has %d entries and --end %d: both need one for each "
                              "axis, or for each of --axes",
                              options->in, (int)begin->count, (int)end->count);
    int status = integers_make(&options->pads, 2 * count);
    for (int32_t i = 0; status == EXIT_DONE && i < count; i++) {
        if (begin->given) options->pads.items[i] = begin->items[i];
        if (end->given) options->pads.items[count + i] = end->items[i];
    }
    return status;
}

/* ---- Work ------------------------------------------------------------------------------------ */

/* A smaller output is done before anybody could see a progress. */
enum { WORTH_WATCHING_BYTES = 16 << 20 };

static int write_output(const pad_options *options, const pad_problem *made, const tpad_plan *plan,
                        const tpad_tensor *input, const tpad_tensor *like, int64_t bytes)
{
    tpad_output *output = NULL;
    tpad_io_error error;
    progress shown;
    if (outputs_begin(&output, options->out, like, options->force, &error) != TPAD_OK)
        return report_io(&error, options->out, NULL);
    const tpad_runner *threads = tpad_threads_runner(options->threads);
    const tpad_runner *watched = progress_begin(&shown, options->quiet, threads);
    int32_t code = tpad_run_with(plan, input->data, tpad_output_data(output), made->value,
                                 bytes >= WORTH_WATCHING_BYTES ? watched : threads);
    progress_end(&shown);
    if (code != TPAD_OK) {
        outputs_discard(output);
        return report_refusal(code, options->in, "%s: the plan did not run", options->in);
    }
    if (outputs_commit(output, &error) != TPAD_OK) return report_io(&error, options->out, NULL);
    outputs_remark(options->quiet, options->out, like, input);
    return EXIT_DONE;
}

static int pad_tensor(const pad_options *options, const tpad_tensor *input)
{
    pad_problem made;
    tpad_plan plan;
    tpad_error error;
    tpad_tensor like = *input;
    int64_t bytes = 0;
    int status = pad_problem_make(&made, options, input);
    like.data = NULL;
    if (status == EXIT_DONE &&
        (tpad_shape(&made.problem, like.shape, NULL, &bytes, &error) != TPAD_OK ||
         tpad_plan_init(&plan, sizeof plan, &made.problem, &error) != TPAD_OK))
        status = report_core(&error, options->in);
    if (status == EXIT_DONE) status = write_output(options, &made, &plan, input, &like, bytes);
    pad_problem_free(&made);
    return status;
}

static int pad_files(pad_options *options)
{
    tpad_tensor input = {0};
    tpad_io_error error;
    int status = check_words(options);
    if (status == EXIT_DONE) status = join_amounts(options);
    if (status != EXIT_DONE) return status;
    if (tpad_tensor_load(&input, options->in, options->dtype, &error) != TPAD_OK)
        return report_io(&error, options->in, NULL);
    status = pad_tensor(options, &input);
    tpad_tensor_free(&input);
    return status;
}

int command_pad(int argc, char **argv)
{
    arguments words = {"pad", argc, argv, pad_words, NULL, 0};
    pad_options options = {0};
    int status = spec_parse(&options.spec, "onnx");
    int word = ARGUMENT_END;
    while (status == EXIT_DONE && (word = arguments_next(&words)) != ARGUMENT_END && word != 'h')
        status = word == ARGUMENT_BAD ? EXIT_USAGE : take_word(&options, word, words.text);
    if (status == EXIT_DONE && !options.threads) tpad_threads_create(&options.threads, 0, NULL);
    if (status == EXIT_DONE) status = word == 'h' ? help("pad") : pad_files(&options);
    tpad_threads_destroy(options.threads);
    integers_free(&options.modes);
    integers_free(&options.pads);
    integers_free(&options.begin);
    integers_free(&options.end);
    integers_free(&options.interior);
    integers_free(&options.axes);
    return status;
}
