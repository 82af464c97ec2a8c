/* `tensorpad explain`: a rule of check at length.  SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "command/arguments.h"
#include "command/error_report.h"
#include "command/help.h"
#include "model_options.h"
#include "runtimes/runtimes.h"

static void print_page(const tpad_rules_page *page)
{
    printf("TP%d  %s  (%s)\n\n", (int)page->code, page->title, tpad_rules_kind_name(page->kind));
    help_paragraph(stdout, page->text, 0, 0);
    printf("\nSmallest example\n  %s\n\nWhat to do\n", page->example);
    help_paragraph(stdout, page->ways_out, 0, 0);
    fputs(page->source ? "\nDocumented, not measured\n  " : "\nMeasured on\n  ", stdout);
    const char *between = "", *runtime = "";
    for (int32_t i = 0; i < tpad_rules_target_count(); i++) {
        const tpad_rules_target *target = tpad_rules_target_at(i);
        if (!(page->targets >> i & 1)) continue;
        const int again = strcmp(target->runtime, runtime) == 0; /* as the previous one */
        printf("%s%s%s%s", between, again ? "" : target->runtime,
               target->version && !again ? " " : "", target->version ? target->version : "");
        between = ", ";
        runtime = target->runtime;
    }
    putchar('\n');
    if (page->source) printf("  %s\n", page->source);
}

static void list_pages(void)
{
    tpad_rules_page page;
    for (int32_t i = 0; tpad_rules_page_at(&page, i); i++)
        printf("TP%-4d %-8s %s\n", (int)page.code, tpad_rules_kind_name(page.kind), page.title);
}

typedef struct explain_options {
    const char *code; /* NULL: all rules */
} explain_options;

static int take_code(void *field, char *name)
{
    explain_options *options = field;
    if (options->code)
        return report_usage("explain: '%s' is one argument too many: it takes one CODE", name);
    options->code = name;
    return EXIT_DONE;
}

static int explain(void *field)
{
    const explain_options *options = field;
    tpad_rules_page page;
    if (!options->code) {
        list_pages();
    } else if (tpad_rules_page_of(&page, tpad_rules_code_from_text(options->code))) {
        print_page(&page);
    } else {
        return report_usage("explain: there is no rule '%s': tensorpad explain lists all",
                            options->code);
    }
    return report_stdout_end();
}

const sub_command command_explain = {
    .name = "explain",
    .files = "[CODE]",
    .summary = "a rule of check at length",
    .about = "\n"
             "Prints a rule of tensorpad check at length: what happens and why, the smallest\n"
             "example, what to do, and on which versions it was measured or where it is\n"
             "documented. Without CODE it lists all rules.\n"
             "\n"
             "  tensorpad explain TP104\n",
    .end = "",
    .bytes = sizeof(explain_options),
    .take_file = take_code,
    .run = explain,
};
