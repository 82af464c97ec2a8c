/* Pads that become a part of the node behind them.  SPDX-License-Identifier: MIT
 *
 * Private to this folder, between onnx_folds.c, onnx_windows.c and onnx_folded.c. */
#ifndef TENSORPAD_LOWERING_FOLDS_H
#define TENSORPAD_LOWERING_FOLDS_H

#include "recipe.h"

/* A Conv or a pool that has taken Pads over, and its attributes since. */
typedef struct tpad_folded_window {
    const tpad_node *node;
    int32_t op;         /* TPAD_RULES_WINDOW_CONV ... */
    int32_t weights;    /* which input has them; 0: none */
    int32_t zero_input; /* which input is the zero point of the cells that it adds; 0: none */
    int32_t axes;       /* of the images */
    int64_t pads[2 * TPAD_RULES_MAX_RANK]; /* all begins, then all ends */
    int64_t kernel[TPAD_RULES_MAX_RANK];   /* -1 where it is not known */
    int64_t dilation[TPAD_RULES_MAX_RANK]; /* of a MaxPool */
} tpad_folded_window;

/* Of one Pad that is TPAD_LOWER_FOLDED. */
typedef struct tpad_folded {
    tpad_folded_window *window; /* NULL: it has become a part of another Pad, or added nothing */
    const tpad_value *source;   /* what is read in place of its output, if asked before; or NULL */
} tpad_folded;

/* The only node that reads what a Pad makes. */
typedef struct tpad_folded_reader {
    const tpad_node *node;
    const tpad_graph *graph;
    tpad_graph_pad *pad;        /* the node, if it is a Pad */
    tpad_folded_window *window; /* what has taken that Pad over; NULL: nothing */
} tpad_folded_reader;

/* ---- onnx_windows.c -------------------------------------------------------------------------- */

/* 1 if the rank and all amounts are known. */
int32_t tpad_amounts_are_known(const tpad_rules_facts *facts);
/* 1 if they are, and all are 0. */
int32_t tpad_adds_nothing(const tpad_rules_facts *facts);
/* 1 if they are known, but who runs the model may give others. */
int32_t tpad_amounts_are_open(const tpad_lowering *lowering, const tpad_rules_facts *facts);
/* 1 if an amount is below 0, or so large that sums of them could be none. */
int32_t tpad_is_out_of_range(const tpad_rules_facts *facts);
/* The element that the Pad writes, in native byte order; NULL: it is not known, or no memory. */
const void *tpad_folded_value(tpad_lowering *lowering, const tpad_graph_pad *pad);
/* Says in what the Pad of that index has become a part. Errors: E_MEMORY. */
int32_t tpad_folded_set_name(tpad_lowering *lowering, int64_t index, const tpad_node *into,
                             tpad_io_error *error);

/* Makes the Pad of that index, whose amounts are known and not below 0, pads of its reader. Sets *why if
 * that cannot be. Errors: E_MEMORY. */
int32_t tpad_folded_into_window(tpad_lowering *lowering, int64_t index,
                                const tpad_folded_reader *reader, const char **why,
                                tpad_io_error *error);

/* Says of a Pad that stays that this window is behind it. */
void tpad_folded_describe_window(tpad_rules_facts *facts, const tpad_folded_window *window);

#endif
