/* The texts of --help of the sub-commands.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_HELP_H
#define TENSORPAD_CLI_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A sub-command, with the one table of its options.
 *
 * From the table follow the reading of the words (arguments.c), --help (help.c), what shells
 * complete, and the page for `man`, which consists of the texts of --help. */

/* An option as it was given. */
typedef struct given_option {
    const char *command; /* for errors: "pad" */
    const struct option_row *row;
    char *text; /* its value, a word of argv, which may be written to */
} given_option;

typedef struct option_row {
    const char *name;  /* "mode"; NULL ends a table */
    char letter;       /* of the short form; 0: none */
    const char *value; /* as the help names it: "LIST"; "[=full]" may be left out; NULL: no value */
    /* Takes the option into a field of the command's options; EXIT_DONE, or the status of the error
     * that it reported. NULL: nothing is to do, as for a --json that main has seen. */
    int (*take)(void *field, const given_option *given);
    size_t field; /* where it lies in the command's options */
    /* The words that the value can be, from 0; NULL after the last one. No function: any value. */
    const char *(*word_at)(int32_t index);
    const char *help; /* sentences, which the help breaks into lines */
} option_row;

typedef struct sub_command {
    const char *name;
    const char *files;   /* after its options: "IN OUT" */
    const char *summary; /* one line */
    const char *about;   /* the help above the options, in lines: what it does */
    const option_row *rows;
    const option_row *shared;              /* rows that another sub-command has as well, or NULL */
    const char *shared_help;               /* in place of the helps of shared rows; NULL: these */
    const char *end;                       /* the help below the options, in lines */
    size_t bytes;                          /* of its options, which are zero at first */
    int (*start)(void *options, int argc); /* NULL: zeros are what options begin with */
    void (*note)(void *options, const option_row *row); /* called for each option; or NULL */
    int (*take_file)(void *options, char *name);        /* a word that is no option */
    int (*run)(void *options);
    void (*free_options)(void *options); /* called in all cases; or NULL */
} sub_command;

/* Its row number `index`, shared ones first; NULL after the last one. */
const option_row *sub_command_row(const sub_command *command, int index);

/* Writes the help to standard output and returns the exit status. */
int help_print(const sub_command *command);
/* Writes the text in lines of 80 columns, each after `indent` spaces. The first line has `column`
 * characters already. */
void help_paragraph(FILE *out, const char *text, int column, int indent);

/* What a shell completes, from the tables of the sub-commands. */

/* The names of the shells, from 0; NULL after the last one. */
const char *completion_shell(int32_t index);
/* Writes the script for a shell to standard output. commands: NULL after the last one. */
void completion_write(int32_t shell, const sub_command *const *commands);

/* The names of the modes in messages and help, from the table of modes.
 * SPDX-License-Identifier: MIT */

enum { MODES_BYTES = 256 };

/* Writes the names of the modes whose bits are set: "constant, edge or wrap". between: "or", "and".
 */
void modes_list(char text[MODES_BYTES], uint32_t modes, const char *between);

/* The bits of all modes, and of those of nGraph. */
uint32_t modes_all(void);
uint32_t modes_of_ngraph(void);

/* As a row's `word_at`. */
const char *modes_word(int32_t index);
/* Writes a line for each mode: its name, what it makes of abcd, and which
 * specifications have it. */
void modes_print(FILE *out, int indent);

/* The sub-commands. */

extern const sub_command command_pad, command_run, command_inspect, command_check, command_lower,
    command_explain, command_specs, command_show, command_bench;

#endif
