/* The command with the checker: its sub-commands in the order of --help.
 * SPDX-License-Identifier: MIT */
#include "commands.h"

static const sub_command *const commands[] = {
    &command_pad,        &command_run,   &command_inspect,
    &command_check,      &command_lower, &command_explain,
    &command_specs,      &command_show,  &command_bench,
    &command_completion, NULL,
};

int main(int argc, char **argv)
{
    return command_main(argc, argv, commands, NULL);
}
