/* The choice of a rewrite.  SPDX-License-Identifier: MIT */
#include "lower.h"

int32_t tpad_recipe_choose(tpad_lowering *lowering, int64_t index, tpad_io_error *error)
{
    (void)error;
    lowering->nodes[index].reason = "no rewrite is known that the target runs right";
    return TPAD_OK;
}
