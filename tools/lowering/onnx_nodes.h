/* The nodes that stand in for a Pad, as messages.  SPDX-License-Identifier: MIT
 *
 * Between onnx_nodes.c and onnx_rewritten.c. */
#ifndef TENSORPAD_LOWERING_ONNX_NODES_H
#define TENSORPAD_LOWERING_ONNX_NODES_H

#include "models/onnx/message_writer.h"
#include "rewrite.h"

/* Adds the nodes of the rewrite of that index to `out`, as fields of the graph or function in which
 * the Pad stands. The caller releases `out`, also after a failure. Errors: E_MEMORY. */
int32_t tpad_onnx_put_rewrite(message *out, const tpad_lowering *lowering, int64_t index,
                              tpad_io_error *error);

#endif
