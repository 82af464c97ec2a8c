/* What takes the place of parts of an ONNX file, as messages.  SPDX-License-Identifier: MIT
 *
 * Between onnx_nodes.c, onnx_shapes.c and onnx_unused.c, which make them, and onnx_rewritten.c. */
#ifndef TENSORPAD_LOWERING_ONNX_NODES_H
#define TENSORPAD_LOWERING_ONNX_NODES_H

#include "models/onnx/message_writer.h"
#include "onnx_splice.h"
#include "rewrite.h"

/* Adds the nodes of the rewrite of that index to `out`, as fields of the graph or function in which
 * the Pad stands. The caller releases `out`, also after a failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_rewrite(message *out, const tpad_lowering *lowering, int64_t index,
                              tpad_io_error *error);

/* If inputs of the model were given shapes, adds an edit for each of them, for each output and for what
 * the file says of other values in names of dimensions, and counts them. edits: malloc'ed; it moves.
 * infos: room for a message of each input and output of the graph; the caller releases them, also after a
 * failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_shapes(tpad_edit **edits, message *infos, int64_t *count,
                             const tpad_model *model, tpad_io_error *error);

/* Adds the edits that take folded Pads out and change their readers, and counts them. edits: malloc'ed; it
 * moves. *fields: what they bring along: for the caller to release, also after a failure; NULL if there is
 * none, else as many as edits were added. Errors: E_MEMORY. */
int32_t tpad_onnx_put_folds(tpad_edit **edits, message **fields, int64_t *count,
                            const tpad_lowering *lowering, tpad_io_error *error);

/* Adds an edit for each node that only the arguments of rewritten and folded Pads needed, and counts it. edits:
 * malloc'ed; it moves. Errors: E_MEMORY. */
int32_t tpad_onnx_drop_unused(tpad_edit **edits, int64_t *count, const tpad_lowering *lowering,
                              tpad_io_error *error);

#endif
