/* The texts of --help of the sub-commands.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_COMMAND_HELP_H
#define TENSORPAD_COMMAND_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A sub-command, with the one table of its options.
 *
 * The table drives parsing (arguments.c), --help (help.c), shell completion, and the man page,
 * which consists of the texts of --help. */

/* An option as it was given. */
typedef struct given_option {
    const char *command; /* for errors: "pad" */
    const struct option_row *row;
    char *text; /* its value, from argv; may be modified */
} given_option;

typedef struct option_row {
    const char *name;  /* "mode"; NULL ends a table */
    char letter;       /* the short option; 0: none */
    const char *value; /* its name in the help: "LIST"; "[=full]": optional; NULL: no value */
    /* Stores the option in a field of the command's options; EXIT_DONE, or the status of the error
     * that it reported. NULL: nothing to do, as for --json, which main handles. */
    int (*take)(void *field, const given_option *given);
    size_t field; /* its offset in the command's options */
    /* The keywords that the value can be, from 0; NULL after the last. No function: any value. */
    const char *(*word_at)(int32_t index);
    const char *help; /* text, which the help wraps */
} option_row;

typedef struct sub_command {
    const char *name;
    const char *files;   /* after its options: "IN OUT" */
    const char *summary; /* one line */
    const char *about;   /* the help above the options, in lines: what it does */
    const option_row *rows;
    const option_row *shared;              /* rows shared with another sub-command, or NULL */
    const char *shared_help;               /* replaces the helps of shared rows, unless NULL */
    const char *end;                       /* the help below the options, in lines */
    size_t bytes;                          /* size of its options, which start as zeros */
    int (*start)(void *options, int argc); /* sets defaults; NULL: zeros */
    void (*note)(void *options, const option_row *row); /* called for each option; or NULL */
    int (*take_file)(void *options, char *name);        /* an argument that is not an option */
    int (*run)(void *options);
    void (*free_options)(void *options); /* called in all cases; or NULL */
} sub_command;

/* Row number `index`, shared ones first; NULL after the last. */
const option_row *sub_command_row(const sub_command *command, int index);

/* Writes the help to standard output and returns the exit status. */
int help_print(const sub_command *command);
/* Wraps the text at 80 columns, each line indented by `indent`. The first line already has `column`
 * characters. */
void help_paragraph(FILE *out, const char *text, int column, int indent);

/* Shell completion, from the tables of the sub-commands. */

/* The names of the shells, from 0; NULL after the last. */
const char *completion_shell(int32_t index);
/* Writes the script for a shell to standard output. commands: NULL after the last. */
void completion_write(int32_t shell, const sub_command *const *commands);

/* The names of the modes in messages and help, from the table of modes.
 * SPDX-License-Identifier: MIT */

enum { MODES_BYTES = 256 };

/* Writes the modes whose bits are set: "constant, edge or wrap". between: "or", "and".
 */
void modes_list(char text[MODES_BYTES], uint32_t modes, const char *between);

/* The bits of all modes, and of those of nGraph. */
uint32_t modes_all(void);
uint32_t modes_of_ngraph(void);

/* As a row's `word_at`. */
const char *modes_word(int32_t index);
/* Writes a line per mode: its name, abcd padded, and which specifications have it. */
void modes_print(FILE *out, int indent);

/* The sub-commands. */

extern const sub_command command_pad, command_specs, command_show, command_bench,
    command_completion;
/* The command with these sub-commands, NULL after the last; returns its exit status. elsewhere, or
 * NULL: for a name that is not among them EXIT_DONE, or the status of an error that it reported. */
int command_main(int argc, char **argv, const sub_command *const *commands,
                 int (*elsewhere)(const char *name));

#endif
