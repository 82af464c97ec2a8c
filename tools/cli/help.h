/* The texts of --help of the sub-commands.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_HELP_H
#define TENSORPAD_CLI_HELP_H

#include "sub_command.h"

/* Writes the help to standard output and returns the exit status. */
int help_print(const sub_command *command);
/* Writes the text in lines of 80 columns, each behind `indent` spaces. The first line has `column`
 * characters already. */
void help_paragraph(FILE *out, const char *text, int column, int indent);

#endif
