/* The specifications that `tensorpad pad --spec` knows.  SPDX-License-Identifier: MIT */
#include "spec_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "spec_problem.h"

static const spec_family families[] = {
    {"onnx", "ONNX Pad", INT32_MAX, TAKES_PADS | TAKES_AXES | TAKES_LENIENT, pad_make_onnx},
    {"openvino", "OpenVINO Pad", INT32_MAX, TAKES_LENIENT, pad_make_openvino},
    {"mli-chw", "MLI padding2d", 0, 0, pad_make_mli_chw},
    {"mli-hwc", "MLI padding2d", 0, 0, pad_make_mli_hwc},
    {"plain", "--spec plain", 0,
     TAKES_PADS | TAKES_AXES | TAKES_INTERIOR | TAKES_ORDER | TAKES_MODE_PER_AXIS | TAKES_SIZE |
         TAKES_BORDER | TAKES_VALUES,
     pad_make_plain},
    {"ngraph", "nGraph Pad", 0, TAKES_INTERIOR, pad_make_ngraph},
};
enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

/* The bits of `takes`, with the options that they stand for. */
static const struct {
    int32_t bit;
    const char *words;
} options[] = {
    {TAKES_PADS, "--pads"},
    {TAKES_AXES, "--axes"},
    {TAKES_ORDER, "--order"},
    {TAKES_MODE_PER_AXIS, "--mode with a mode for each axis"},
    {TAKES_INTERIOR, "--interior"},
    {TAKES_LENIENT, "--lenient"},
    {TAKES_SIZE, "--to, --multiple or --square"},
    {TAKES_BORDER, "--border"},
    {TAKES_VALUES, "--value-axis"},
};
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

const char *spec_word(int32_t index)
{
    return index < FAMILY_COUNT ? families[index].name : NULL;
}

/* The number after the dash; 0 if there is none or it is not a version. */
static int32_t parse_version(const char *text)
{
    char *end;
    if (text[0] != '-' || text[1] < '1' || text[1] > '9') return 0;
    errno = 0;
    long number = strtol(text + 1, &end, 10);
    return *end == 0 && errno == 0 && number <= INT32_MAX ? (int32_t)number : 0;
}

int spec_parse(spec *out, const char *text)
{
    for (int i = 0; i < FAMILY_COUNT; i++) {
        const spec_family *family = &families[i];
        const size_t length = strlen(family->name);
        if (strncmp(text, family->name, length) != 0) continue;
        *out =
            (spec){family, text[length] ? parse_version(text + length) : family->default_version};
        if (text[length] == 0 || (out->version > 0 && family->default_version > 0))
            return EXIT_DONE;
    }
    return report_usage("unknown spec '%s': onnx, onnx-N, openvino, openvino-N (N is an opset, "
                        "from 1), mli-chw, mli-hwc, ngraph or plain",
                        text);
}

/* The place in `options` of the first one that the specification does not take, or OPTION_COUNT. */
static int find_lacking(const spec *given, int32_t used)
{
    int k = 0;
    while (k < OPTION_COUNT && !(used & options[k].bit & ~given->family->takes)) k++;
    return k;
}

int spec_takes(const spec *given, int32_t used)
{
    return find_lacking(given, used) == OPTION_COUNT;
}

int spec_check(const spec *given, const char *command, int32_t used)
{
    const int k = find_lacking(given, used);
    int i = 0;
    if (k == OPTION_COUNT) return EXIT_DONE;
    while (!(families[i].takes & options[k].bit)) i++;
    return report_usage("%s: %s has no %s: --spec %s has it", command, given->family->full_name,
                        options[k].words, families[i].name);
}
