/* The sub-commands.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_COMMANDS_H
#define TENSORPAD_CLI_COMMANDS_H

/* argv[0] is the sub-command's own name. Each returns the exit status. */
int command_pad(int argc, char **argv);
int command_run(int argc, char **argv);
int command_inspect(int argc, char **argv);
int command_check(int argc, char **argv);
int command_lower(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_specs(int argc, char **argv);
int command_show(int argc, char **argv);
int command_bench(int argc, char **argv);

/* Writes the help of a sub-command ("" for all) to standard output and returns the exit status. */
int help(const char *command);
/* Writes a short help to standard error, for a call without a sub-command. */
void help_usage(void);

#endif
