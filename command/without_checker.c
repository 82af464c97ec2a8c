/* The command without the checker of models.  SPDX-License-Identifier: MIT */
#include <string.h>

#include "error_report.h"
#include "help.h"

#ifndef TPAD_WITH_CHECKER
static const sub_command *const commands[] = {&command_pad,   &command_specs,      &command_show,
                                              &command_bench, &command_completion, NULL};

static int elsewhere(const char *name)
{
    static const char *const names[] = {"run", "inspect", "check", "lower", "explain"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return report_without_checker();
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    return command_main(argc, argv, commands, elsewhere);
}
#endif
