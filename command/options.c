/* The options that say how an array is padded.  SPDX-License-Identifier: MIT */
#include "options.h"

#include <stdlib.h>
#include <string.h>
#include <tensorpad/fit.h>

#include "arguments.h"
#include "error_report.h"
#include "help.h"
#include "output.h"
#include "spec_problem.h"

/* ---- The rows -------------------------------------------------------------------------------- */

static int take_spec(void *field, const given_option *given)
{
    return spec_parse(field, given->text);
}

static int take_multiple(void *field, const given_option *given)
{
    return argument_integers_from(field, given, 1);
}

static int take_square(void *field, const given_option *given)
{
    const integers *list = field;
    const int status = argument_integers(field, given);
    if (status != EXIT_DONE || list->count == 2) return status;
    return report_usage("--square '%s': it has %d entries, but two axes are needed, as 0,1",
                        given->text, (int)list->count);
}

static int take_value_axis(void *field, const given_option *given)
{
    const integers *list = field;
    const int status = argument_integers(field, given);
    if (status != EXIT_DONE || list->count == 1) return status;
    return report_usage("--value-axis '%s': it has %d entries, but the values lie along one axis",
                        given->text, (int)list->count);
}

static int take_order(void *field, const given_option *given)
{
    pad_options *options = field;
    options->order_given = 1;
    return argument_word(&options->order, given);
}

/* All alignments but "offset", the last, which needs a number. */
static const char *align_word(int32_t index)
{
    return index < TPAD_ALIGN_OFFSET ? tpad_align_name(index) : NULL;
}

static const char *too_long_word(int32_t index)
{
    return index < TPAD_TOO_LONG_COUNT ? tpad_too_long_name(index) : NULL;
}

static const char *order_word(int32_t index)
{
    static const char *const names[] = {[TPAD_WINDOW] = "window", [TPAD_CROP] = "crop", NULL};
    return names[index];
}

const option_row pad_rows[] = {
    {"spec", 0, "SPEC", take_spec, offsetof(pad_options, spec), spec_word,
     "plain (default); onnx, onnx-OPSET; openvino, openvino-N; ngraph; mli-chw, mli-hwc (see: "
     "tensorpad specs)"},
    {"mode", 0, "MODE", argument_words, offsetof(pad_options, modes), modes_word,
     "one, or for plain one per axis; abcd padded by two:"},
    {"begin", 0, "LIST", argument_integers, offsetof(pad_options, begin), NULL,
     "cells before each axis: 0,2; -1 crops (ngraph: padding_below)"},
    {"end", 0, "LIST", argument_integers, offsetof(pad_options, end), NULL,
     "cells to add after it; begin or end alone: the other is 0 (mli: TOP,LEFT and BOTTOM,RIGHT; "
     "or each axis, channels 0)"},
    {"pads", 0, "LIST", argument_integers, offsetof(pad_options, pads), NULL,
     "all begins, then all ends, in one list, as in ONNX"},
    {"border", 0, "LIST", argument_integers, offsetof(pad_options, border), NULL,
     "cells on all sides, but not a picture's channels (plain)"},
    {"to", 0, "LIST", argument_targets, offsetof(pad_options, to), NULL,
     "extents of OUT, - for one that stays (plain): 512,512,-"},
    {"multiple", 0, "LIST", take_multiple, offsetof(pad_options, multiple), NULL,
     "extents of IN or of --to are rounded up to multiples"},
    {"square", 0, "A,B", take_square, offsetof(pad_options, square), NULL,
     "axes A and B of OUT get the extent of the longer one"},
    {"align", 0, "WORD", argument_words, offsetof(pad_options, align), align_word,
     "where IN lies in OUT then: start, center (default), end"},
    {"too-long", 0, "WORD", argument_words, offsetof(pad_options, too_long), too_long_word,
     "longer: error (default) crop_end crop_start crop_center keep"},
    {"axes", 0, "LIST", argument_integers, offsetof(pad_options, axes), NULL,
     "axes that the lists are for (onnx from 18; plain); -1: last"},
    {"interior", 0, "LIST", argument_integers, offsetof(pad_options, interior), NULL,
     "cells to insert between neighbours (plain, ngraph)"},
    {"order", 0, "ORDER", take_order, 0, order_word,
     "window (default) or crop: cut first, extend the rest (plain)"},
    {"value", 0, "TEXT", argument_text, offsetof(pad_options, value), NULL,
     "the constant: 1.5 1e-3 inf nan 0x1p-3 -7 true 1.5-2j, or the text itself for "
     "strings; default 0 (ngraph: required)"},
    {"value-axis", 0, "A", take_value_axis, offsetof(pad_options, value_axis), NULL,
     "--value: a list, as 255,0,0, along axis A (plain; .png: last)"},
    {"dtype", 0, "TYPE", argument_type, offsetof(pad_options, dtype), NULL,
     "the element type where the file cannot say it: bf16 f8e4m3fn"},
    {"lenient", 0, NULL, argument_flag, offsetof(pad_options, lenient), NULL,
     "compute also what this version forbids, if it has a meaning"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

/* ---- Checks ---------------------------------------------------------------------------------- */

int pad_words_start(pad_options *options, const char *command)
{
    options->command = command;
    return spec_parse(&options->spec, "plain");
}

/* Either amounts or a size. */
static int check_amounts(const pad_options *options)
{
    const char *command = options->command;
    const int amounts = options->begin.given || options->end.given;
    if (pad_fit_wanted(options)) {
        const char *conflict = options->pads.given       ? "--pads"
                               : options->begin.given    ? "--begin"
                               : options->end.given      ? "--end"
                               : options->border.given   ? "--border"
                               : options->interior.given ? "--interior"
                               : options->order_given    ? "--order"
                                                         : NULL;
        if (conflict == NULL) return EXIT_DONE;
        return report_usage("%s: %s cannot be combined with --to, --multiple and --square, which "
                            "determine the amounts",
                            command, conflict);
    }
    if (options->align.given || options->too_long.given)
        return report_usage("%s: %s needs a size: --to, --multiple or --square", command,
                            options->align.given ? "--align" : "--too-long");
    if (amounts && options->pads.given)
        return report_usage("%s: --pads is begin and end in one: give it, or --begin and --end",
                            command);
    if (options->border.given && (amounts || options->pads.given))
        return report_usage("%s: --border is begin and end in one: give it, or %s", command,
                            amounts ? "--begin and --end" : "--pads");
    if (!amounts && !options->pads.given && !options->border.given &&
        !(options->interior.given && (options->spec.family->takes & TAKES_INTERIOR)))
        return report_usage("%s: how much? give --begin and --end, --pads or --border; zeros are "
                            "allowed; or a size: --to, --multiple",
                            command);
    return EXIT_DONE;
}

int pad_words_check(pad_options *options)
{
    const int status = check_amounts(options);
    if (status != EXIT_DONE) return status;
    if (options->value_axis.given && !options->value)
        return report_usage("%s: --value-axis needs --value, with one entry for each cell of the "
                            "axis",
                            options->command);
    if (options->pads.given) options->used |= TAKES_PADS;
    if (options->axes.given) options->used |= TAKES_AXES;
    if (options->interior.given) options->used |= TAKES_INTERIOR;
    if (options->order_given) options->used |= TAKES_ORDER;
    if (options->modes.count > 1) options->used |= TAKES_MODE_PER_AXIS;
    if (options->lenient) options->used |= TAKES_LENIENT;
    if (pad_fit_wanted(options)) options->used |= TAKES_SIZE;
    if (options->border.given) options->used |= TAKES_BORDER;
    if (options->value_axis.given) options->used |= TAKES_VALUES;
    return spec_check(&options->spec, options->command, options->used);
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
                              pad_subject(options), (int)begin->count, (int)end->count);
    int status = integers_make(&options->pads, 2 * count);
    for (int32_t i = 0; status == EXIT_DONE && i < count; i++) {
        if (begin->given) options->pads.items[i] = begin->items[i];
        if (end->given) options->pads.items[count + i] = end->items[i];
    }
    return status;
}

void pad_words_free(pad_options *options)
{
    integers *lists[] = {&options->modes,    &options->pads,       &options->begin,
                         &options->end,      &options->border,     &options->interior,
                         &options->axes,     &options->value_axis, &options->to,
                         &options->multiple, &options->square,     &options->align,
                         &options->too_long};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) integers_free(lists[i]);
}
