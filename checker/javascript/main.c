/* The sub-commands `check`, `lower` and `explain` of the command, as a WebAssembly module for WASI.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../command/commands.h"
#include "command/arguments.h"
#include "command/error_report.h"

int main(int argc, char **argv)
{
    static const sub_command *const commands[] = {&command_check, &command_lower, &command_explain};
    report_as_json(1);
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return sub_command_run(commands[i], argc - 1, argv + 1);
    return report_usage("there are check, lower and explain");
}
