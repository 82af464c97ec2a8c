/* ONNX's operators for tools/folding/fold.h.  SPDX-License-Identifier: MIT
 *
 * Shared by onnx_attributes.c, onnx_operators.c (the table, and small tensors) and onnx_layers.c. */
#ifndef TPAD_ONNX_OPERATORS_H
#define TPAD_ONNX_OPERATORS_H

#include "fold.h"
#include "models/onnx/onnx_reader.h"

/* onnx_operators.c: the functions of tpad_format. */
const tpad_operator *tpad_onnx_operator(const tpad_graph *graph, const tpad_node *node);
/* onnx_attributes.c */
int32_t tpad_onnx_attribute(tpad_attribute *out, const tpad_graph *graph, const tpad_node *node,
                            const char *name);
int64_t tpad_onnx_input_count(const tpad_node *node);
tpad_value *tpad_onnx_node_input(const tpad_graph *graph, const tpad_node *node, int64_t index);
tpad_value *tpad_onnx_node_output(const tpad_graph *graph, const tpad_node *node, int64_t index);
/* The message of an attribute, taken from the caller if the node of a function refers to it: 1 if
 * it is there, 0 if not, -1 if it is not known. */
int32_t tpad_onnx_attribute_find(tpad_string *body, const tpad_graph *graph, const tpad_node *node,
                                 tpad_string name);

/* onnx_layers.c: the shapes of layers. */
void tpad_onnx_conv(tpad_fold *fold, int32_t which);
void tpad_onnx_conv_transpose(tpad_fold *fold, int32_t which);
void tpad_onnx_pool(tpad_fold *fold, int32_t which);
void tpad_onnx_global_pool(tpad_fold *fold, int32_t which);
void tpad_onnx_matmul(tpad_fold *fold, int32_t which);
void tpad_onnx_gemm(tpad_fold *fold, int32_t which);
void tpad_onnx_resize(tpad_fold *fold, int32_t which);
void tpad_onnx_blocks(tpad_fold *fold, int32_t which);
void tpad_onnx_recurrent(tpad_fold *fold, int32_t which);
void tpad_onnx_pad_shape(tpad_fold *fold, int32_t which);

#endif
