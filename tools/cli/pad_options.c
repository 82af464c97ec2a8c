/* The words that say how an array is padded.  SPDX-License-Identifier: MIT */
#include "pad_options.h"

#include "error_report.h"

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

int pad_words_start(pad_options *options, const char *command)
{
    options->command = command;
    return spec_parse(&options->spec, "onnx");
}

int pad_words_take(pad_options *options, int word, const char *text)
{
    switch (word) {
    case PAD_WORD_SPEC:
        options->spec_given = 1;
        return spec_parse(&options->spec, text);
    case PAD_WORD_MODE:
        return arguments_modes(&options->modes, text);
    case PAD_WORD_BEGIN:
        return arguments_integers(&options->begin, "begin", text);
    case PAD_WORD_END:
        return arguments_integers(&options->end, "end", text);
    case PAD_WORD_PADS:
        return arguments_integers(&options->pads, "pads", text);
    case PAD_WORD_AXES:
        return arguments_integers(&options->axes, "axes", text);
    case PAD_WORD_INTERIOR:
        return arguments_integers(&options->interior, "interior", text);
    case PAD_WORD_TO:
        return arguments_extents(&options->to, "to", text);
    case PAD_WORD_MULTIPLE:
        return take_multiple(&options->multiple, text);
    case PAD_WORD_SQUARE:
        return take_square(&options->square, text);
    case PAD_WORD_ALIGN:
        return arguments_aligns(&options->align, text);
    case PAD_WORD_TOO_LONG:
        return arguments_too_longs(&options->too_long, text);
    case PAD_WORD_ORDER:
        options->order_given = 1;
        return arguments_order(&options->order, text);
    case PAD_WORD_VALUE:
        options->value = text;
        return EXIT_DONE;
    case PAD_WORD_DTYPE:
        return arguments_type(&options->dtype, text);
    case PAD_WORD_LENIENT:
        options->lenient = 1;
        return EXIT_DONE;
    case 'f':
        options->force = 1;
        return EXIT_DONE;
    default: /* --json, which main has seen */
        return EXIT_DONE;
    }
}

/* Amounts or a size. */
static int check_amounts(const pad_options *options)
{
    const char *command = options->command;
    const int amounts = options->begin.given || options->end.given;
    if (pad_fit_wanted(options)) {
        const char *other = options->pads.given       ? "--pads"
                            : options->begin.given    ? "--begin"
                            : options->end.given      ? "--end"
                            : options->interior.given ? "--interior"
                            : options->order_given    ? "--order"
                                                      : NULL;
        if (other == NULL) return EXIT_DONE;
        return report_usage("%s: %s does not go together with --to, --multiple and --square, from "
                            "which the amounts follow",
                            command, other);
    }
    if (options->align.given || options->too_long.given)
        return report_usage("%s: %s needs a size: --to, --multiple or --square", command,
                            options->align.given ? "--align" : "--too-long");
    if (amounts && options->pads.given)
        return report_usage("%s: --pads is begin and end in one: give it, or --begin and --end",
                            command);
    if (!amounts && !options->pads.given &&
        !(options->interior.given && (options->spec.family->takes & TAKES_INTERIOR)))
        return report_usage("%s: how much? give --begin and --end, or --pads; zeros are allowed; "
                            "or a size: --to, --multiple",
                            command);
    return EXIT_DONE;
}

int pad_words_check(pad_options *options)
{
    int status = check_amounts(options);
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
    return spec_check(&options->spec, options->command, used);
}

const char *pad_words_given(const pad_options *options)
{
    const struct {
        int given;
        const char *word;
    } all[] = {
        {options->spec_given, "--spec"},         {options->modes.given, "--mode"},
        {options->begin.given, "--begin"},       {options->end.given, "--end"},
        {options->pads.given, "--pads"},         {options->axes.given, "--axes"},
        {options->interior.given, "--interior"}, {options->to.given, "--to"},
        {options->multiple.given, "--multiple"}, {options->square.given, "--square"},
        {options->align.given, "--align"},       {options->too_long.given, "--too-long"},
        {options->order_given, "--order"},       {options->value != NULL, "--value"},
        {options->dtype != 0, "--dtype"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].given) return all[i].word;
    return NULL;
}

int pad_words_join(pad_options *options)
{
    const integers *begin = &options->begin, *end = &options->end;
    int32_t count = begin->given ? begin->count : end->count;
    if (!begin->given && !end->given) return EXIT_DONE;
    if (begin->given && end->given && begin->count != end->count)
        return report_refusal(TPAD_E_SPEC_PADS, options->in,
                              "%s: --begin has %d entries and --end %d: both need one for each "
                              "axis, or for each of --axes",
                              options->in ? options->in : options->command, (int)begin->count,
                              (int)end->count);
    int status = integers_make(&options->pads, 2 * count);
    for (int32_t i = 0; status == EXIT_DONE && i < count; i++) {
        if (begin->given) options->pads.items[i] = begin->items[i];
        if (end->given) options->pads.items[count + i] = end->items[i];
    }
    return status;
}

void pad_words_free(pad_options *options)
{
    integers *lists[] = {&options->modes,    &options->pads,  &options->begin,   &options->end,
                         &options->interior, &options->axes,  &options->to,      &options->multiple,
                         &options->square,   &options->align, &options->too_long};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) integers_free(lists[i]);
}
