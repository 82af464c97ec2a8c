/* Which specifications accept the words.  SPDX-License-Identifier: MIT */
#include "spec_choice.h"

#include <stdio.h>
#include <string.h>

#include "error_report.h"
#include "spec_option.h"

/* 1 if the specification and the core accept the words. Otherwise `made` says why not. */
static int accepts(pad_problem *made, const pad_options *options, const char *name, int lenient,
                   const tpad_tensor *input)
{
    pad_options words = *options;
    tpad_error error;
    words.lenient = lenient;
    *made = (pad_problem){0};
    if (name) spec_parse(&words.spec, name);
    if (!spec_takes(&words.spec, words.used)) return 0;
    if (words.spec.family->make(made, &words, input) != TPAD_OK) return 0;
    if (tpad_plan_init(&made->plan, sizeof made->plan, &made->problem, &error) == TPAD_OK) return 1;
    pad_refuse_core(made, &error);
    return 0;
}

/* " (--lenient and --spec plain accept it)", of what does; "" if nothing does, but for what the reason
 * names already. */
static void write_ways(char *text, size_t bytes, const char *reason, const pad_options *options,
                       const tpad_tensor *input)
{
    const spec *now = &options->spec;
    const int may_name = !options->is_node;
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

int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    char ways[128] = "", line[8192];
    if (accepts(made, options, NULL, options->lenient, input)) return EXIT_DONE;
    if (made->error.code != TPAD_E_MEMORY)
        write_ways(ways, sizeof ways, made->reason, options, input);
    snprintf(line, sizeof line, "%s: %s%s", pad_subject(options), made->reason, ways);
    return report_numbers(&made->error, options->in, line);
}

int32_t pad_problem_try(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    return accepts(made, options, NULL, options->lenient, input) ? TPAD_OK : made->error.code;
}
