/* Writes messages with some of their fields replaced.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_LOWERING_ONNX_WRITING_H
#define TENSORPAD_LOWERING_ONNX_WRITING_H

#include "models/onnx/proto.h"
#include "protobuf/protobuf_slices.h"
#include "rewrite.h"

/* A field with a length, anywhere inside the message, and its replacement. */
typedef struct tpad_edit {
    tpad_string old;    /* its payload, of at least one byte */
    tpad_string fields; /* whole fields, with their tags; may be empty */
} tpad_edit;

/* Writes the message with the edited fields replaced, the lengths of the messages around them
 * corrected, and all other bytes as they are. Sorts the edits, and drops those inside another: an
 * attribute of a node may hold a graph. Takes 8 bytes of memory for each message around an edit.
 * path: for errors.
 * Errors: E_FILE_TYPE (more than 2 GiB), E_FILE (the file is being changed), E_MEMORY, E_IO. */
int32_t tpad_splice(tpad_output *output, const char *path, tpad_string body, tpad_edit *edits,
                    int64_t count, tpad_io_error *error);

/* Replacements for parts of an ONNX file, as messages. */

/* Adds the nodes of the rewrite of that index to `out`, as fields of the Pad's graph or function.
 * The caller releases `out`, even after a failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_rewrite(message *out, const tpad_lowering *lowering, int64_t index,
                              tpad_io_error *error);

/* If inputs of the model were given shapes, adds and counts an edit for each of them, for each
 * output, and for each info of another value with names of dimensions. edits: malloc'ed; it moves.
 * infos: room for a message of each input and output of the graph; the caller releases them, even
 * after a failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_shapes(tpad_edit **edits, message *infos, int64_t *count,
                             const tpad_model *model, tpad_io_error *error);

/* Adds and counts the edits that remove folded Pads and change their readers. edits: malloc'ed; it
 * moves. *fields: the contents of the edits, for the caller to release, even after a failure; NULL
 * if there are none, else as many as edits were added. Errors: E_MEMORY. */
int32_t tpad_onnx_put_folds(tpad_edit **edits, message **fields, int64_t *count,
                            const tpad_lowering *lowering, tpad_io_error *error);

/* Adds and counts an edit for each node that only arguments of rewritten and folded Pads needed.
 * edits: malloc'ed; it moves. Errors: E_MEMORY. */
int32_t tpad_onnx_drop_unused(tpad_edit **edits, int64_t *count, const tpad_lowering *lowering,
                              tpad_io_error *error);

/* Folding Pads into the node after them: private to onnx_folds.c and onnx_windows.c. */

/* A Conv or a pool that has taken over Pads, and its new attributes. */
typedef struct tpad_folded_window {
    const tpad_node *node;
    int32_t op;         /* TPAD_RULES_WINDOW_CONV ... */
    int32_t weights;    /* the input with the weights; 0: none */
    int32_t zero_input; /* the input with the zero point of the added cells; 0: none */
    int32_t axes;       /* of the images */
    int64_t pads[2 * TPAD_RULES_MAX_RANK]; /* all begins, then all ends */
    int64_t kernel[TPAD_RULES_MAX_RANK];   /* -1 where it is not known */
    int64_t dilation[TPAD_RULES_MAX_RANK]; /* of a MaxPool */
} tpad_folded_window;

/* The only reader of a Pad's output. */
typedef struct tpad_folded_reader {
    const tpad_node *node;
    const tpad_graph *graph;
    tpad_graph_pad *pad;        /* the node, if it is a Pad */
    tpad_folded_window *window; /* took over that Pad; NULL: none did */
} tpad_folded_reader;

/* ---- onnx_windows.c -------------------------------------------------------------------------- */

/* 1 if all amounts are known to be 0. */
int32_t tpad_adds_nothing(const tpad_rules_facts *facts);
/* 1 if the amounts are known, but callers of the model may give others. */
int32_t tpad_amounts_are_open(const tpad_lowering *lowering, const tpad_rules_facts *facts);
/* 1 if an amount is below 0, or so large that sums could overflow. */
int32_t tpad_is_out_of_range(const tpad_rules_facts *facts);
/* The pad value, in native byte order; NULL: it is not known, or no memory. */
const void *tpad_folded_value(tpad_lowering *lowering, const tpad_graph_pad *pad);
/* Notes the node that the Pad of that index became part of. Errors: E_MEMORY. */
int32_t tpad_folded_set_name(tpad_lowering *lowering, int64_t index, const tpad_node *into,
                             tpad_io_error *error);

/* Turns the Pad of that index, whose amounts are known and not below 0, into pads of its reader, or
 * sets *why. Errors: E_MEMORY. */
int32_t tpad_folded_into_window(tpad_lowering *lowering, int64_t index,
                                const tpad_folded_reader *reader, const char **why,
                                tpad_io_error *error);

/* Notes in the facts of a Pad that stays that this window reads it. */
void tpad_folded_describe_window(tpad_rules_facts *facts, const tpad_folded_window *window);

#endif
