/* The shapes of ONNX's layers, for the table in onnx_operators.c.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_FOLDING_ONNX_LAYERS_H
#define TENSORPAD_FOLDING_ONNX_LAYERS_H

#include "fold.h"

void tpad_onnx_conv(tpad_fold *fold, int32_t argument);
void tpad_onnx_conv_transpose(tpad_fold *fold, int32_t argument);
void tpad_onnx_pool(tpad_fold *fold, int32_t argument);
void tpad_onnx_global_pool(tpad_fold *fold, int32_t argument);
void tpad_onnx_matmul(tpad_fold *fold, int32_t transposed);
void tpad_onnx_gemm(tpad_fold *fold, int32_t argument);
void tpad_onnx_resize(tpad_fold *fold, int32_t upsample);
void tpad_onnx_blocks(tpad_fold *fold, int32_t to_space);
void tpad_onnx_recurrent(tpad_fold *fold, int32_t argument);
void tpad_onnx_pad_shape(tpad_fold *fold, int32_t argument);

#endif
