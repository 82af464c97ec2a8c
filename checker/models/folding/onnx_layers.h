/* Shapes of ONNX's layers, for the table in onnx_operators.c.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_FOLDING_ONNX_LAYERS_H
#define TENSORPAD_FOLDING_ONNX_LAYERS_H

#include "fold.h"

void tpad_onnx_conv(tpad_fold *fold, int32_t weights);
void tpad_onnx_conv_transpose(tpad_fold *fold, int32_t argument);
void tpad_onnx_pool(tpad_fold *fold, int32_t argument);
void tpad_onnx_global_pool(tpad_fold *fold, int32_t argument);
void tpad_onnx_matmul(tpad_fold *fold, int32_t transposed);
void tpad_onnx_gemm(tpad_fold *fold, int32_t argument);
void tpad_onnx_recurrent(tpad_fold *fold, int32_t argument);
void tpad_onnx_pad_shape(tpad_fold *fold, int32_t argument);

/* Quantised layers. */
void tpad_onnx_integer_conv(tpad_fold *fold, int32_t type);
void tpad_onnx_integer_matmul(tpad_fold *fold, int32_t type);
void tpad_onnx_quantize(tpad_fold *fold, int32_t type);
void tpad_onnx_quantized_pair(tpad_fold *fold, int32_t second);
void tpad_onnx_quantized_global_pool(tpad_fold *fold, int32_t argument);
void tpad_onnx_quantized_concat(tpad_fold *fold, int32_t first);

/* Sampling, boxes, blocks. */
void tpad_onnx_resize(tpad_fold *fold, int32_t upsample);
void tpad_onnx_blocks(tpad_fold *fold, int32_t to_space);
void tpad_onnx_grid_sample(tpad_fold *fold, int32_t argument);
void tpad_onnx_affine_grid(tpad_fold *fold, int32_t argument);
void tpad_onnx_roi_align(tpad_fold *fold, int32_t argument);
void tpad_onnx_roi_pool(tpad_fold *fold, int32_t argument);
void tpad_onnx_col2im(tpad_fold *fold, int32_t argument);
void tpad_onnx_center_crop_pad(tpad_fold *fold, int32_t argument);

/* Choices. */
void tpad_onnx_top_k(tpad_fold *fold, int32_t input);
void tpad_onnx_one_hot(tpad_fold *fold, int32_t input);
void tpad_onnx_non_zero(tpad_fold *fold, int32_t argument);
void tpad_onnx_compress(tpad_fold *fold, int32_t argument);
void tpad_onnx_boxes(tpad_fold *fold, int32_t numbers);
void tpad_onnx_gather_nd(tpad_fold *fold, int32_t input);
void tpad_onnx_det(tpad_fold *fold, int32_t axes);
void tpad_onnx_like(tpad_fold *fold, int32_t argument);
void tpad_onnx_random(tpad_fold *fold, int32_t type);
void tpad_onnx_dft(tpad_fold *fold, int32_t input);

/* onnx_elements.c: the same, with elements */
void tpad_onnx_gather_elements(tpad_fold *fold, int32_t input);
void tpad_onnx_gather_nd_elements(tpad_fold *fold, int32_t input);
void tpad_onnx_scatter_nd(tpad_fold *fold, int32_t input);
void tpad_onnx_trilu(tpad_fold *fold, int32_t input);
void tpad_onnx_cum_sum(tpad_fold *fold, int32_t input);
void tpad_onnx_matmul_elements(tpad_fold *fold, int32_t transposed);
void tpad_onnx_pow(tpad_fold *fold, int32_t argument);
void tpad_onnx_one_hot_elements(tpad_fold *fold, int32_t input);
void tpad_onnx_top_k_elements(tpad_fold *fold, int32_t input);
void tpad_onnx_non_zero_elements(tpad_fold *fold, int32_t argument);
void tpad_onnx_unique(tpad_fold *fold, int32_t argument);
void tpad_onnx_sequence_at(tpad_fold *fold, int32_t input);
void tpad_onnx_sequence_length(tpad_fold *fold, int32_t argument);
void tpad_onnx_sequence_concat(tpad_fold *fold, int32_t argument);

/* onnx_einsum.c */
void tpad_onnx_einsum(tpad_fold *fold, int32_t argument);

#endif
