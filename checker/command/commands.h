/* The sub-commands of the checker.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CHECKER_COMMAND_COMMANDS_H
#define TENSORPAD_CHECKER_COMMAND_COMMANDS_H

#include "command/help.h"

extern const sub_command command_run, command_inspect, command_check, command_lower,
    command_explain;

#endif
