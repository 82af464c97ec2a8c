/* The shapes of quantised layers, of ONNX and of ONNX Runtime.  SPDX-License-Identifier: MIT
 *
 * Their inputs are those of the plain layers, with a scale and a zero point behind each. */
#include "onnx_layers.h"

/* Where QLinearConv, QLinearMatMul and the like have their second operand and the zero point of the
 * result, whose type is the result's. */
enum { SECOND = 3, ZERO_POINT = 7 };

static void give_type(tpad_fold *fold, int32_t output, int32_t type)
{
    const tpad_inferred only = tpad_inferred_none(type);
    tpad_fold_give(fold, output, &only);
}

/* type: of the result; 0: that of the zero point. */
void tpad_onnx_integer_conv(tpad_fold *fold, int32_t type)
{
    tpad_onnx_conv(fold, type ? 1 : SECOND);
    give_type(fold, 0, type ? type : tpad_fold_in(fold, ZERO_POINT).type);
}

void tpad_onnx_integer_matmul(tpad_fold *fold, int32_t type)
{
    tpad_fold_matmul(fold, type ? 1 : SECOND, 0, 0);
    give_type(fold, 0, type ? type : tpad_fold_in(fold, ZERO_POINT).type);
}

/* Outputs: the numbers, their scale, their zero point. */
void tpad_onnx_quantize(tpad_fold *fold, int32_t type)
{
    tpad_inferred numbers = tpad_fold_in(fold, 0);
    const tpad_inferred scale = {.type = TPAD_ONNX_FLOAT}, zero = {.type = type};
    numbers.type = type;
    tpad_fold_give(fold, 0, &numbers);
    tpad_fold_give(fold, 1, &scale);
    tpad_fold_give(fold, 2, &zero);
}

/* QLinearAdd, QLinearMul. */
void tpad_onnx_quantized_pair(tpad_fold *fold, int32_t second)
{
    const tpad_inferred a = tpad_fold_in(fold, 0), b = tpad_fold_in(fold, second);
    const tpad_inferred out = tpad_fold_broadcast(&a, &b);
    tpad_fold_give(fold, 0, &out);
}

/* channels_last is an attribute of the pools of ONNX Runtime. */
void tpad_onnx_quantized_global_pool(tpad_fold *fold, int32_t argument)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t last = tpad_fold_int(fold, "channels_last", 0) != 0;
    (void)argument;
    for (int32_t i = last ? 1 : 2; i < out.rank - last; i++) out.shape[i] = 1;
    tpad_fold_give(fold, 0, &out);
}

/* QLinearConcat: scale and zero point of the result, then three inputs for each part. */
void tpad_onnx_quantized_concat(tpad_fold *fold, int32_t first)
{
    tpad_inferred out = tpad_fold_in(fold, first);
    const int32_t axis = tpad_axis_from_front(tpad_fold_int(fold, "axis", 1), out.rank);
    for (int32_t i = first + 3; tpad_fold_has(fold, i); i += 3) {
        const tpad_inferred part = tpad_fold_in(fold, i);
        if (axis < 0 || part.rank != out.rank) {
            out.rank = -1;
            break;
        }
        for (int32_t k = 0; k < out.rank; k++) {
            const int64_t one = out.shape[k], other = part.shape[k];
            if (k != axis)
                out.shape[k] = one < 0 ? other : one;
            else if (one < 0 || other < 0 || __builtin_add_overflow(one, other, &out.shape[k]))
                out.shape[k] = -1;
        }
    }
    if (axis < 0) out.rank = -1;
    tpad_fold_give(fold, 0, &out);
}
