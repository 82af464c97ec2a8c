/* OpenVINO's operations for tools/folding/fold.h.  SPDX-License-Identifier: MIT */
#ifndef TPAD_OPENVINO_OPERATORS_H
#define TPAD_OPENVINO_OPERATORS_H

#include "fold.h"

/* ir_operators.c: the functions of tpad_format. */
const tpad_operator *tpad_ir_operator(const tpad_graph *graph, const tpad_node *node);
int64_t tpad_ir_input_count(const tpad_node *node);
tpad_value *tpad_ir_node_input(const tpad_graph *graph, const tpad_node *node, int64_t index);
tpad_value *tpad_ir_node_output(const tpad_graph *graph, const tpad_node *node, int64_t index);
int32_t tpad_ir_node_attribute(tpad_attribute *out, const tpad_graph *graph, const tpad_node *node,
                               const char *name);

#endif
