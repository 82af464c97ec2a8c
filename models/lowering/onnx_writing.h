/* Messages that are written again with some of their fields replaced.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_LOWERING_ONNX_WRITING_H
#define TENSORPAD_LOWERING_ONNX_WRITING_H

#include "formats/protobuf/protobuf_slices.h"
#include "models/onnx/proto.h"
#include "rewrite.h"

/* A field with a length, anywhere inside the message, and what takes its place. */
typedef struct tpad_edit {
    tpad_string old;    /* its payload, of at least one byte */
    tpad_string fields; /* whole fields, with their tags; may be empty */
} tpad_edit;

/* Writes the message again: the fields of the edits replaced, the lengths of the messages around
 * them corrected, all other bytes as they are. Sorts the edits, and drops those that lie inside
 * another: an attribute of a node may hold a graph. It takes 8 bytes of memory for each message
 * around an edit. path: for errors.
 * Errors: E_FILE_TYPE (more than 2 GiB), E_FILE (the file changes meanwhile), E_MEMORY, E_IO. */
int32_t tpad_splice(tpad_output *output, const char *path, tpad_string body, tpad_edit *edits,
                    int64_t count, tpad_io_error *error);

/* What takes the place of parts of an ONNX file, as messages (onnx_nodes.c). */

/* Adds the nodes of the rewrite of that index to `out`, as fields of the graph or function in which
 * the Pad stands. The caller releases `out`, also after a failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_rewrite(message *out, const tpad_lowering *lowering, int64_t index,
                              tpad_io_error *error);

/* If inputs of the model were given shapes, adds an edit for each of them, for each output and for
 * what the file says of other values in names of dimensions, and counts them. edits: malloc'ed; it
 * moves.
 * infos: room for a message of each input and output of the graph; the caller releases them, also
 * after a failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_shapes(tpad_edit **edits, message *infos, int64_t *count,
                             const tpad_model *model, tpad_io_error *error);

/* Adds the edits that take folded Pads out and change their readers, and counts them. edits:
 * malloc'ed; it moves. *fields: what they bring along: for the caller to release, also after a
 * failure; NULL if there is none, else as many as edits were added. Errors: E_MEMORY. */
int32_t tpad_onnx_put_folds(tpad_edit **edits, message **fields, int64_t *count,
                            const tpad_lowering *lowering, tpad_io_error *error);

/* Adds an edit for each node that only the arguments of rewritten and folded Pads needed, and
 * counts it. edits: malloc'ed; it moves. Errors: E_MEMORY. */
int32_t tpad_onnx_drop_unused(tpad_edit **edits, int64_t *count, const tpad_lowering *lowering,
                              tpad_io_error *error);

/* Pads that become a part of the node after them.
 *
 * Private to this folder, between onnx_folds.c and onnx_windows.c. */

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

/* The only node that reads what a Pad makes. */
typedef struct tpad_folded_reader {
    const tpad_node *node;
    const tpad_graph *graph;
    tpad_graph_pad *pad;        /* the node, if it is a Pad */
    tpad_folded_window *window; /* what has taken that Pad over; NULL: nothing */
} tpad_folded_reader;

/* ---- onnx_windows.c -------------------------------------------------------------------------- */

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

/* Makes the Pad of that index, whose amounts are known and not below 0, pads of its reader. Sets
 * *why if that cannot be. Errors: E_MEMORY. */
int32_t tpad_folded_into_window(tpad_lowering *lowering, int64_t index,
                                const tpad_folded_reader *reader, const char **why,
                                tpad_io_error *error);

/* Says of a Pad that stays that this window is after it. */
void tpad_folded_describe_window(tpad_rules_facts *facts, const tpad_folded_window *window);

#endif
