/* The texts of --help of the sub-commands, from their tables.  SPDX-License-Identifier: MIT
 *
 * Each fits a screen: at most 40 lines of 80 columns.
 */
#include "help.h"

#include <string.h>

#include "error_report.h"
#include "mode_names.h"

enum { COLUMNS = 80, WIDEST_LABEL = 24, LABEL_BYTES = 64 };

void help_paragraph(FILE *out, const char *text, int column, int indent)
{
    int begun = 0; /* a word stands in this line */
    while (*text) {
        const int word = (int)strcspn(text, " ");
        if (begun && column + 1 + word > COLUMNS) {
            putc('\n', out);
            column = begun = 0;
        }
        if (begun) column += fprintf(out, " ");
        if (column < indent) column += fprintf(out, "%*s", indent - column, "");
        column += fprintf(out, "%.*s", word, text);
        begun = 1;
        text += word;
        text += strspn(text, " ");
    }
    putc('\n', out);
}

/* "-f, --force", "--mode MODE". Returns its length. */
static int write_label(char label[LABEL_BYTES], const option_row *row)
{
    const char letter[] = {'-', row->letter, ',', ' ', '\0'};
    const char *value = row->value ? row->value : "";
    return snprintf(label, LABEL_BYTES, "%s--%s%s%s", row->letter ? letter : "", row->name,
                    *value && strncmp(value, "[=", 2) != 0 ? " " : "", value);
}

static void print_row(const option_row *row, int indent)
{
    char label[LABEL_BYTES];
    const int length = write_label(label, row);
    printf("  %s", label);
    if (length > WIDEST_LABEL) putchar('\n');
    help_paragraph(stdout, row->help, length > WIDEST_LABEL ? 0 : length + 2, indent);
    if (row->word_at == modes_word) modes_print(stdout, indent + 2);
}

static void print_rows(const option_row *row, int indent)
{
    for (; row && row->name; row++) print_row(row, indent);
}

/* The names of the shared rows, in place of their helps. */
static void print_shared(const sub_command *command, int indent)
{
    int column = printf(" ");
    for (const option_row *row = command->shared; row->name; row++) {
        if (column + 3 + (int)strlen(row->name) > COLUMNS) column = printf("\n ") - 1;
        column += printf(" --%s", row->name);
    }
    putchar('\n');
    help_paragraph(stdout, command->shared_help, 0, indent);
}

int help_print(const sub_command *command)
{
    const option_row *row;
    int widest = 0;
    for (int i = 0; (row = sub_command_row(command, i)) != NULL; i++) {
        char label[LABEL_BYTES];
        const int length = write_label(label, row);
        if (length <= WIDEST_LABEL && length > widest) widest = length;
    }
    printf("usage: tensorpad %s%s%s%s\n%s", command->name, widest ? " [options]" : "",
           *command->files ? " " : "", command->files, command->about);
    if (widest) putchar('\n');
    if (!command->shared_help) print_rows(command->shared, widest + 4);
    print_rows(command->rows, widest + 4);
    if (command->shared_help) print_shared(command, widest + 4);
    fputs(command->end, stdout);
    return report_stdout_end();
}
