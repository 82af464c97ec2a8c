/* What a shell completes, from the tables of the sub-commands.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_COMPLETION_H
#define TENSORPAD_CLI_COMPLETION_H

#include "sub_command.h"

/* The names of the shells, from 0; NULL behind the last one. */
const char *completion_shell(int32_t index);
/* Writes the script for a shell to standard output. commands: NULL behind the last one. */
void completion_write(int32_t shell, const sub_command *const *commands);

#endif
