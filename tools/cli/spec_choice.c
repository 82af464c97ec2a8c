/* Which specification is meant, and which others would accept the words.  SPDX-License-Identifier: MIT
 *
 * The default is plain, and was onnx before 0.3. Words that the two understand in different ways, or that
 * only one of them accepts, are refused without --spec, so that no call changes its meaning unnoticed.
 */
#include "spec_choice.h"

#include <stdio.h>
#include <string.h>

#include "error_report.h"
#include "spec_option.h"

/* Sizes were of plain before, too; borders and lists of values are newer. */
static int is_by_default(const pad_options *options)
{
    return options->spec_by == SPEC_BY_DEFAULT && !pad_fit_wanted(options) &&
           !options->border.given && !pad_values_wanted(options);
}

/* 1 if it was not refused, but could not be made. */
static int is_failure(const pad_problem *made)
{
    return made->error.code == TPAD_E_MEMORY;
}

/* 1 if the specification and the core accept the words. Otherwise `made` says why not. */
static int accepts(pad_problem *made, const pad_options *options, const char *name, int lenient,
                   const tpad_tensor *input)
{
    pad_options words = *options;
    tpad_error error;
    words.lenient = lenient;
    *made = (pad_problem){0};
    if (name) spec_parse(&words.spec, name);
    if (spec_lacks(&words.spec, words.used)) return 0;
    if (words.spec.family->make(made, &words, input) != TPAD_OK) return 0;
    if (tpad_plan_init(&made->plan, sizeof made->plan, &made->problem, &error) == TPAD_OK) return 1;
    pad_refuse_core(made, &error);
    return 0;
}

/* ---- Words that were refused ----------------------------------------------------------------- */

/* " (--lenient and --spec plain accept it)", of what does; "" if nothing does, but for what the reason
 * names already. */
static void write_ways(char *text, size_t bytes, const char *reason, const pad_options *options,
                       const tpad_tensor *input)
{
    const spec *now = &options->spec;
    const int may_name = options->spec_by != SPEC_BY_NODE;
    const struct {
        int possible;
        const char *option, *spec; /* spec: with --spec, another one */
    } ways[] = {{may_name, "--spec ", now->family->name},
                {(now->family->takes & TAKES_LENIENT) && !options->lenient, "--lenient", NULL},
                {may_name && !strstr(reason, "--spec plain"), "--spec ", "plain"}};
    enum { WAYS = sizeof ways / sizeof *ways };
    int found[WAYS], count = 0;
    size_t used = 0;
    for (int i = 0; i < WAYS; i++) {
        pad_problem tried;
        if (!ways[i].possible) continue;
        if (accepts(&tried, options, ways[i].spec, options->lenient || !ways[i].spec, input))
            found[count++] = i;
        pad_problem_free(&tried);
    }
    *text = 0;
    for (int k = 0; k < count; k++)
        used +=
            (size_t)snprintf(text + used, bytes - used, "%s%s%s",
                             k == 0           ? " ("
                             : k + 1 == count ? " and "
                                              : ", ",
                             ways[found[k]].option, ways[found[k]].spec ? ways[found[k]].spec : "");
    if (count > 0) snprintf(text + used, bytes - used, " accept%s it)", count == 1 ? "s" : "");
}

static int report_refused(const pad_problem *made, const pad_options *options, const char *ways)
{
    char line[8192];
    snprintf(line, sizeof line, "%s: %s%s", pad_subject(options), made->reason, ways);
    return report_numbers(&made->error, options->in, line);
}

/* ---- Words without --spec -------------------------------------------------------------------- */

int pad_check_taken(const pad_options *options)
{
    spec onnx;
    if (!is_by_default(options)) return spec_check(&options->spec, options->command, options->used);
    spec_parse(&onnx, "onnx");
    const char *plain_lacks = spec_lacks(&options->spec, options->used);
    const char *onnx_lacks = spec_lacks(&onnx, options->used);
    if (!plain_lacks == !onnx_lacks)
        return spec_check(&options->spec, options->command, options->used);
    if (plain_lacks)
        return report_usage("%s: --spec plain, the default from 0.3 on, has no %s, and --spec "
                            "onnx, the default before, has it: add --spec onnx",
                            options->command, plain_lacks);
    return report_usage("%s: --spec plain, the default from 0.3 on, has %s, and --spec onnx, the "
                        "default before, has not: add --spec plain",
                        options->command, onnx_lacks);
}

/* The first axis on which the two plans read different parts of the input, or -1. They differ only in the
 * order of crop and pad. Both read all that is left. What is cropped is never read by onnx, and by plain
 * where onnx reads something else: so where they read as much, each cell reads the same element. */
static int32_t find_other_axis(const pad_problem *plain, const pad_problem *onnx)
{
    int64_t first[2][TPAD_MAX_RANK], extents[2][TPAD_MAX_RANK];
    tpad_plan_needs(&plain->plan, first[0], extents[0]);
    tpad_plan_needs(&onnx->plan, first[1], extents[1]);
    for (int32_t i = 0; i < plain->problem.rank; i++)
        if (extents[0][i] != extents[1][i]) return i;
    return -1;
}

static int report_other_axis(const pad_options *options, const pad_problem *made, int32_t i)
{
    const tpad_axis *axis = &made->translation.axes[i];
    return report_usage("%s: axis %d, mode %s, begin %lld and end %lld: --spec plain, the default "
                        "from 0.3 on, repeats cells of the whole input, and --spec onnx, the "
                        "default before, only of what is left after the crop: name one of "
                        "the two",
                        pad_subject(options), (int)i, tpad_mode_name(axis->mode),
                        (long long)axis->before, (long long)axis->after);
}

/* Plain accepts whatever onnx does. */
static int make_by_default(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    pad_problem onnx = {0};
    int status = EXIT_DONE;
    int32_t i = -1;
    if (!accepts(made, options, "plain", 0, input))
        status = report_refused(made, options, "");
    else if (accepts(&onnx, options, "onnx", 0, input))
        i = find_other_axis(made, &onnx);
    else if (is_failure(&onnx))
        status = report_refused(&onnx, options, "");
    else
        status = report_usage("%s: --spec plain, the default from 0.3 on, accepts this, and --spec "
                              "onnx, the default before, does not: add --spec plain (%s)",
                              pad_subject(options), onnx.reason);
    if (i >= 0) status = report_other_axis(options, made, i);
    pad_problem_free(&onnx);
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    char ways[128] = "";
    if (is_by_default(options)) return make_by_default(made, options, input);
    if (accepts(made, options, NULL, options->lenient, input)) return EXIT_DONE;
    if (!is_failure(made)) write_ways(ways, sizeof ways, made->reason, options, input);
    return report_refused(made, options, ways);
}

int32_t pad_problem_try(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    return accepts(made, options, NULL, options->lenient, input) ? TPAD_OK : made->error.code;
}
