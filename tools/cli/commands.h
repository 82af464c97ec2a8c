/* The sub-commands.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_COMMANDS_H
#define TENSORPAD_CLI_COMMANDS_H

#include "sub_command.h"

extern const sub_command command_pad, command_run, command_inspect, command_check, command_lower,
    command_explain, command_specs, command_show, command_bench;

#endif
