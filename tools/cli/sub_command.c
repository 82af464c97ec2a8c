/* The rows of a sub-command.  SPDX-License-Identifier: MIT */
#include "sub_command.h"

const option_row *sub_command_row(const sub_command *command, int index)
{
    const option_row *const tables[] = {command->shared, command->rows};
    for (int i = 0; i < 2; i++)
        for (const option_row *row = tables[i]; row && row->name; row++)
            if (index-- == 0) return row;
    return NULL;
}
