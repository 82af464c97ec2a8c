/* What takes the place of parts of an ONNX file, as messages.  SPDX-License-Identifier: MIT
 *
 * Between onnx_nodes.c, onnx_inputs.c and onnx_unused.c, which make them, and onnx_rewritten.c. */
#ifndef TENSORPAD_LOWERING_ONNX_NODES_H
#define TENSORPAD_LOWERING_ONNX_NODES_H

#include "models/onnx/message_writer.h"
#include "onnx_splice.h"
#include "rewrite.h"

/* Adds the nodes of the rewrite of that index to `out`, as fields of the graph or function in which
 * the Pad stands. The caller releases `out`, also after a failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_rewrite(message *out, const tpad_lowering *lowering, int64_t index,
                              tpad_io_error *error);

/* Adds an edit for each input of the model that was given a shape, and counts it. inputs: room for a
 * message of each input of the graph; the caller releases them, also after a failure. Errors:
 * E_MEMORY. */
int32_t tpad_onnx_put_inputs(tpad_edit *edits, message *inputs, int64_t *count,
                             const tpad_model *model, tpad_io_error *error);

/* Adds an edit for each node that only the arguments of rewritten Pads needed, and counts it. edits:
 * malloc'ed; it moves. Errors: E_MEMORY. */
int32_t tpad_onnx_drop_unused(tpad_edit **edits, int64_t *count, const tpad_lowering *lowering,
                              tpad_io_error *error);

#endif
