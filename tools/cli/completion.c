/* What a shell completes, from the tables of the sub-commands.  SPDX-License-Identifier: MIT */
#include "completion.h"

#include <stdio.h>

static void write_words(const option_row *row)
{
    for (int32_t i = 0; row->word_at(i); i++) printf("%s%s", i ? " " : "", row->word_at(i));
}

/* bash, and zsh with its bashcompinit. A word that begins with a dash is an option; behind an option
 * with known words, it is one of these; all else is the name of a file. */
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
