/* `tensorpad pad`: its words.  SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "commands.h"
#include "outputs.h"
#include "pad_files.h"
#include "report.h"

enum {
    OPTION_SPEC = 256,
    OPTION_MODE,
    OPTION_BEGIN,
    OPTION_END,
    OPTION_PADS,
    OPTION_AXES,
    OPTION_INTERIOR,
    OPTION_TO,
    OPTION_MULTIPLE,
    OPTION_SQUARE,
    OPTION_ALIGN,
    OPTION_TOO_LONG,
    OPTION_ORDER,
    OPTION_VALUE,
    OPTION_DTYPE,
    OPTION_THREADS,
    OPTION_LENIENT,
    OPTION_OUT_DIR,
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
    {"to", required_argument, NULL, OPTION_TO},
    {"multiple", required_argument, NULL, OPTION_MULTIPLE},
    {"square", required_argument, NULL, OPTION_SQUARE},
    {"align", required_argument, NULL, OPTION_ALIGN},
    {"too-long", required_argument, NULL, OPTION_TOO_LONG},
    {"order", required_argument, NULL, OPTION_ORDER},
    {"value", required_argument, NULL, OPTION_VALUE},
    {"dtype", required_argument, NULL, OPTION_DTYPE},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"lenient", no_argument, NULL, OPTION_LENIENT},
    {"out-dir", required_argument, NULL, OPTION_OUT_DIR},
    {"force", no_argument, NULL, 'f'},
    {"quiet", no_argument, NULL, 'q'},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int take_multiple(integers *list, const char *text)
{
    int status = arguments_integers(list, "multiple", text);
    for (int32_t i = 0; status == EXIT_DONE && i < list->count; i++)
        if (list->items[i] < 1)
            status = report_usage("--multiple '%s': entry %d, %lld, is below 1", text, (int)i + 1,
                                  (long long)list->items[i]);
    return status;
}

static int take_square(integers *list, const char *text)
{
    const int status = arguments_integers(list, "square", text);
    if (status != EXIT_DONE || list->count == 2) return status;
    return report_usage("--square '%s': it has %d entries, but two axes are needed, as 0,1", text,
                        (int)list->count);
}

static int take_word(pad_options *options, int word, const char *text)
{
    switch (word) {
    case ARGUMENT_FILE:
        options->files[options->file_count++] = text;
        return EXIT_DONE;
    case OPTION_SPEC:
        options->spec_given = 1;
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
    case OPTION_TO:
        return arguments_extents(&options->to, "to", text);
    case OPTION_MULTIPLE:
        return take_multiple(&options->multiple, text);
    case OPTION_SQUARE:
        return take_square(&options->square, text);
    case OPTION_ALIGN:
        return arguments_aligns(&options->align, text);
    case OPTION_TOO_LONG:
        return arguments_too_longs(&options->too_long, text);
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
    case OPTION_OUT_DIR:
        options->out_dir = text;
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

/* IN and OUT, or any number of files for --out-dir. */
static int check_files(pad_options *options)
{
    const int64_t count = options->file_count;
    if (options->out_dir) {
        if (count == 0)
            return report_usage("pad: no file is named: tensorpad pad [options] --out-dir DIR "
                                "FILE...");
        if (*options->out_dir == 0)
            return report_usage("pad: --out-dir '' is no folder; . is the current one");
        return EXIT_DONE;
    }
    if (count < 2)
        return report_usage("pad: %s missing: tensorpad pad [options] IN OUT (see tensorpad pad "
                            "--help)",
                            count ? "OUT is" : "IN and OUT are");
    if (count > 2)
        return report_usage("pad: '%s' is one file too many: IN and OUT are all it takes; several "
                            "files need --out-dir DIR",
                            options->files[2]);
    options->in = options->files[0];
    options->out = options->files[1];
    return EXIT_DONE;
}

/* Amounts or a size. */
static int check_amounts(const pad_options *options)
{
    const int amounts = options->begin.given || options->end.given;
    if (pad_fit_wanted(options)) {
        const char *other = options->pads.given       ? "--pads"
                            : options->begin.given    ? "--begin"
                            : options->end.given      ? "--end"
                            : options->interior.given ? "--interior"
                            : options->order_given    ? "--order"
                                                      : NULL;
        if (other == NULL) return EXIT_DONE;
        return report_usage("pad: %s does not go together with --to, --multiple and --square, from "
                            "which the amounts follow",
                            other);
    }
    if (options->align.given || options->too_long.given)
        return report_usage("pad: %s needs a size: --to, --multiple or --square",
                            options->align.given ? "--align" : "--too-long");
    if (amounts && options->pads.given)
        return report_usage("pad: --pads is begin and end in one: give it, or --begin and --end");
    if (!amounts && !options->pads.given &&
        !(options->interior.given && (options->spec.family->takes & TAKES_INTERIOR)))
        return report_usage("pad: how much? give --begin and --end, or --pads; zeros are allowed; "
                            "or a size: --to, --multiple");
    return EXIT_DONE;
}

/* Refuses options that may not stand together. */
static int check_words(pad_options *options)
{
    int status = check_files(options);
    if (status == EXIT_DONE) status = check_amounts(options);
    if (status == EXIT_DONE && pad_fit_wanted(options) && !options->spec_given)
        status = spec_parse(&options->spec, "plain");
    if (status != EXIT_DONE) return status;
    int32_t used = 0;
    if (options->pads.given) used |= TAKES_PADS;
    if (options->axes.given) used |= TAKES_AXES;
    if (options->interior.given) used |= TAKES_INTERIOR;
    if (options->order_given) used |= TAKES_ORDER;
    if (options->modes.count > 1) used |= TAKES_MODE_PER_AXIS;
    if (options->lenient) used |= TAKES_LENIENT;
    if (pad_fit_wanted(options)) used |= TAKES_SIZE;
    status = spec_check(&options->spec, used);
    if (status != EXIT_DONE || options->out_dir) return status;
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
                              options->in ? options->in : "pad", (int)begin->count,
                              (int)end->count);
    int status = integers_make(&options->pads, 2 * count);
    for (int32_t i = 0; status == EXIT_DONE && i < count; i++) {
        if (begin->given) options->pads.items[i] = begin->items[i];
        if (end->given) options->pads.items[count + i] = end->items[i];
    }
    return status;
}

static int pad(pad_options *options)
{
    int status = check_words(options);
    if (status == EXIT_DONE) status = join_amounts(options);
    if (status != EXIT_DONE) return status;
    if (!options->threads) tpad_threads_create(&options->threads, 0, NULL);
    return options->out_dir ? pad_files(options) : pad_file(options);
}

static void free_words(pad_options *options)
{
    tpad_threads_destroy(options->threads);
    integers *lists[] = {&options->modes,    &options->pads,  &options->begin,   &options->end,
                         &options->interior, &options->axes,  &options->to,      &options->multiple,
                         &options->square,   &options->align, &options->too_long};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) integers_free(lists[i]);
    free(options->files);
}

int command_pad(int argc, char **argv)
{
    arguments words = {"pad", argc, argv, pad_words, NULL, 0};
    pad_options options = {.files = calloc((size_t)argc, sizeof(const char *))};
    int status = spec_parse(&options.spec, "onnx");
    int word = ARGUMENT_END;
    if (!options.files) status = report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    while (status == EXIT_DONE && (word = arguments_next(&words)) != ARGUMENT_END && word != 'h')
        status = word == ARGUMENT_BAD ? EXIT_USAGE : take_word(&options, word, words.text);
    if (status == EXIT_DONE) status = word == 'h' ? help("pad") : pad(&options);
    free_words(&options);
    return status;
}
