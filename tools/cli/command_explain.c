/* `tensorpad explain`: a rule of check at length.  SPDX-License-Identifier: MIT */
#include <string.h>

#include "arguments.h"
#include "check_results.h"
#include "commands.h"
#include "error_report.h"

enum { COLUMNS = 80 };

/* A paragraph in lines of at most COLUMNS characters. */
static void print_paragraph(const char *text)
{
    size_t column = 0;
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (column && column + 1 + word > COLUMNS) {
            putchar('\n');
            column = 0;
        }
        if (column) putchar(' ');
        column += (column > 0) + word;
        fwrite(text, 1, word, stdout);
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_page(const tpad_rules_page *page)
{
    printf("TP%d  %s  (%s)\n\n", (int)page->code, page->title, tpad_rules_kind_name(page->kind));
    print_paragraph(page->text);
    printf("\nSmallest example\n  %s\n\nWhat to do\n", page->example);
    print_paragraph(page->ways_out);
    fputs(page->source ? "\nDocumented, not measured\n  " : "\nMeasured on\n  ", stdout);
    const char *between = "";
    for (int32_t i = 0; i < tpad_rules_target_count(); i++) {
        const tpad_rules_target *target = tpad_rules_target_at(i);
        if (!(page->targets >> i & 1)) continue;
        printf("%s%s%s%s", between, target->runtime, target->version ? " " : "",
               target->version ? target->version : "");
        between = ", ";
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

static const struct option explain_words[] = {
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

int command_explain(int argc, char **argv)
{
    arguments words = {"explain", argc, argv, explain_words, NULL, 0};
    const char *given = NULL;
    tpad_rules_page page;
    int word;
    while ((word = arguments_next(&words)) != ARGUMENT_END) {
        if (word == ARGUMENT_BAD) return EXIT_USAGE;
        if (word == 'h') return help("explain");
        if (given) return report_usage("explain: '%s' is one CODE too many", words.text);
        given = words.text;
    }
    if (!given) {
        list_pages();
        return report_stdout_end();
    }
    if (!tpad_rules_page_of(&page, tpad_rules_code_from_text(given)))
        return report_usage("explain: there is no rule '%s': tensorpad explain lists all", given);
    print_page(&page);
    return report_stdout_end();
}
