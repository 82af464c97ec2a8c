/* Which value takes the place of one that folded Pads made.  SPDX-License-Identifier: MIT */
#include "rewrite.h"

int32_t tpad_is_folded(const tpad_lowering *lowering, const tpad_graph_pad *pad)
{
    return lowering->nodes[pad - lowering->model->pads].outcome == TPAD_LOWER_FOLDED;
}

const tpad_value *tpad_folded_source(const tpad_lowering *lowering, const tpad_value *value)
{
    while (value && value->pad && tpad_is_folded(lowering, value->pad))
        value = value->pad->inputs[IN_DATA];
    return value;
}
