/* Which value takes the place of one that folded Pads made.  SPDX-License-Identifier: MIT */
#include "folds.h"

int32_t tpad_is_folded(const tpad_lowering *lowering, const tpad_graph_pad *pad)
{
    return lowering->nodes[pad - lowering->model->pads].outcome == TPAD_LOWER_FOLDED;
}

/* The Pad that made it, if it is folded; or NULL. */
static tpad_folded *fold_of(const tpad_lowering *lowering, const tpad_value *value)
{
    if (!value || !value->pad || !tpad_is_folded(lowering, value->pad)) return NULL;
    return &lowering->folds[value->pad - lowering->model->pads];
}

/* Notes what it found, so that a long chain is not walked for each of its readers. */
const tpad_value *tpad_folded_source(const tpad_lowering *lowering, const tpad_value *value)
{
    const tpad_value *source = value;
    for (const tpad_folded *fold; (fold = fold_of(lowering, source)) != NULL;)
        source = fold->source ? fold->source : source->pad->inputs[IN_DATA];
    while (value != source) {
        tpad_folded *fold = fold_of(lowering, value);
        value = fold->source ? fold->source : value->pad->inputs[IN_DATA];
        fold->source = source;
    }
    return source;
}
