/* The texts of --help of the sub-commands, from their tables.  SPDX-License-Identifier: MIT
 *
 * Each fits on a screen: at most 40 lines of 80 columns.
 */
#include "help.h"

#include <stdio.h>
#include <string.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>
#include <tensorpad/tensorpad.h>

#include "error_report.h"

enum { COLUMNS = 80, WIDEST_LABEL = 24, LABEL_BYTES = 64 };

void help_paragraph(FILE *out, const char *text, int column, int indent)
{
    int begun = 0; /* 1: this line has a word */
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

/* "-f, --force", "--mode MODE". Returns the length. */
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

/* Prints the names of the shared rows, in place of their helps. */
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

/* Shell completion, from the tables of the sub-commands. */

static void write_words(const option_row *row)
{
    for (int32_t i = 0; row->word_at(i); i++) printf("%s%s", i ? " " : "", row->word_at(i));
}

/* bash, and zsh with its bashcompinit. A word that begins with a dash is an option; after an option
 * with keywords it is one of those; all else is a file name. */
static void write_bash(const sub_command *const *commands)
{
    const option_row *row;
    puts("_tensorpad()\n{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} choices=\n"
         "    [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]} # --mode=edge is three "
         "words\n"
         "    [ \"$word\" = = ] && word=\n"
         "    case \"${COMP_WORDS[1]} $before $word\" in");
    for (int k = 0; commands[k]; k++) {
        const sub_command *command = commands[k];
        for (int i = 0; (row = sub_command_row(command, i)) != NULL; i++) {
            if (!row->word_at) continue;
            printf("    '%s --%s '*) choices='", command->name, row->name);
            write_words(row);
            puts("' ;;");
        }
        printf("    '%s '*' -'*) choices='--help", command->name);
        for (int i = 0; (row = sub_command_row(command, i)) != NULL; i++)
            printf(" --%s", row->name);
        puts("' ;;");
    }
    fputs("    esac\n    [ \"$COMP_CWORD\" = 1 ] && choices='--help --version", stdout);
    for (int k = 0; commands[k]; k++) printf(" %s", commands[k]->name);
    puts("'\n"
         "    COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _tensorpad tensorpad");
}

static void write_zsh(const sub_command *const *commands)
{
    puts("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit");
    write_bash(commands);
}

/* In single quotes. */
static void write_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    putchar('\'');
}

static void write_fish(const sub_command *const *commands)
{
    const option_row *row;
    for (int k = 0; commands[k]; k++) {
        const sub_command *command = commands[k];
        printf("complete -c tensorpad -n __fish_use_subcommand -a %s -d ", command->name);
        write_quoted(command->summary);
        putchar('\n');
        for (int i = 0; (row = sub_command_row(command, i)) != NULL; i++) {
            printf("complete -c tensorpad -n '__fish_seen_subcommand_from %s' -l %s", command->name,
                   row->name);
            if (row->letter) printf(" -s %c", row->letter);
            if (row->value && *row->value != '[') fputs(" -r", stdout);
            if (row->word_at) {
                fputs(" -a '", stdout);
                write_words(row);
                putchar('\'');
            }
            fputs(" -d ", stdout);
            write_quoted(row->help);
            putchar('\n');
        }
    }
}

static const struct {
    const char *name;
    void (*write)(const sub_command *const *commands);
} shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
enum { SHELLS = sizeof shells / sizeof *shells };

const char *completion_shell(int32_t index)
{
    return index < SHELLS ? shells[index].name : NULL;
}

void completion_write(int32_t shell, const sub_command *const *commands)
{
    shells[shell].write(commands);
}

/* The rows of a sub-command. */

const option_row *sub_command_row(const sub_command *command, int index)
{
    const option_row *const tables[] = {command->shared, command->rows};
    for (int i = 0; i < 2; i++)
        for (const option_row *row = tables[i]; row && row->name; row++)
            if (index-- == 0) return row;
    return NULL;
}

/* The names of the modes in messages and help, from the table of modes.
 * SPDX-License-Identifier: MIT
 *
 * A mode added to TPAD_MODE_MAP appears in messages and help automatically: the library computes
 * its picture, and the specifications' tables say which of them have it. */

enum { NOTE_BYTES = 64 };

uint32_t modes_all(void)
{
    return (UINT32_C(1) << TPAD_MODE_COUNT) - 1;
}

const char *modes_word(int32_t index)
{
    return index < TPAD_MODE_COUNT ? tpad_mode_name(index) : NULL;
}

void modes_list(char text[MODES_BYTES], uint32_t modes, const char *between)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT && used < MODES_BYTES; mode++) {
        if (!(modes >> mode & 1)) continue;
        const uint32_t after = modes >> mode >> 1;
        used += (size_t)snprintf(text + used, MODES_BYTES - used, "%s", tpad_mode_name(mode));
        if (after == 0 || used >= MODES_BYTES) return;
        if (after & (after - 1))
            used += (size_t)snprintf(text + used, MODES_BYTES - used, ", ");
        else
            used += (size_t)snprintf(text + used, MODES_BYTES - used, " %s ", between);
    }
}

uint32_t modes_of_ngraph(void)
{
    uint32_t modes = 0;
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++)
        modes |= UINT32_C(1) << tpad_ngraph_mode_at(i)->mode;
    return modes;
}

/* Writes which specifications have a mode: " (plain, onnx from 19)"; nothing if all have it in all
 * versions. */
static void write_note(char note[NOTE_BYTES], int32_t mode)
{
    const int32_t last = tpad_openvino_version_count() - 1;
    const int openvino = tpad_openvino_version_at(last)->modes >> mode & 1;
    const int ngraph = modes_of_ngraph() >> mode & 1;
    char onnx[24] = "";
    int32_t i = 0;
    while (i < tpad_onnx_version_count() && !(tpad_onnx_version_at(i)->modes >> mode & 1)) i++;
    note[0] = '\0';
    if (i == 0 && openvino && ngraph) return;
    if (i == 0)
        snprintf(onnx, sizeof onnx, ", onnx");
    else if (i < tpad_onnx_version_count())
        snprintf(onnx, sizeof onnx, ", onnx from %d", (int)tpad_onnx_version_at(i)->since);
    snprintf(note, NOTE_BYTES, " (plain%s%s%s)", onnx, openvino ? ", openvino" : "",
             ngraph ? ", ngraph" : "");
}

void modes_print(FILE *out, int indent)
{
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
        char picture[8], note[NOTE_BYTES];
        tpad_axis axis = {.in_extent = 4, .before = 2, .after = 2, .mode = mode};
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
        if (tpad_pad(&problem, "abcd", picture, "k", NULL) != TPAD_OK) continue;
        write_note(note, mode);
        fprintf(out, "%*s%-10s %.2s %.4s %.2s%s\n", indent, "", tpad_mode_name(mode), picture,
                picture + 2, picture + 6, mode == TPAD_CONSTANT ? " (default)" : note);
    }
}
