// Kernels of TensorFlow Lite Micro that call tflm_pad.h.  SPDX-License-Identifier: MIT
//
//     resolver.AddPad(tensorpad::Register_PAD());
//     resolver.AddPadV2(tensorpad::Register_PADV2());
//     resolver.AddMirrorPad(tensorpad::Register_MIRROR_PAD());
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"
#include "tflm_pad.h"

namespace tensorpad
{
namespace
{

tpad_tflm_tensor Describe(const TfLiteEvalTensor *tensor, int32_t zero_point)
{
    return {tensor->type, zero_point, tensor->dims->size, tensor->dims->data};
}

// Only Prepare sees the zero point. The node's memory keeps it.
void *Init(TfLiteContext *context, const char *, size_t)
{
    return context->AllocatePersistentBuffer(context, sizeof(int32_t));
}

TfLiteStatus Prepare(TfLiteContext *context, TfLiteNode *node)
{
    tflite::MicroContext *micro = tflite::GetMicroContext(context);
    TfLiteTensor *output = micro->AllocateTempOutputTensor(node, 0);
    if (output == nullptr || node->user_data == nullptr) return kTfLiteError;
    *static_cast<int32_t *>(node->user_data) = output->params.zero_point;
    micro->DeallocateTempTfLiteTensor(output);
    return kTfLiteOk;
}

bool HasOneElement(const TfLiteEvalTensor *tensor)
{
    for (int i = 0; i < tensor->dims->size; i++)
        if (tensor->dims->data[i] != 1) return false;
    return true;
}

// PAD has two inputs, PADV2 a third one, which may be absent; MIRROR_PAD has parameters.
TfLiteStatus Run(TfLiteContext *context, TfLiteNode *node, bool mirrors)
{
    const TfLiteEvalTensor *input = tflite::micro::GetEvalInput(context, node, 0);
    const TfLiteEvalTensor *pads = tflite::micro::GetEvalInput(context, node, 1);
    const TfLiteEvalTensor *value =
        mirrors ? nullptr : tflite::micro::GetEvalInput(context, node, 2);
    TfLiteEvalTensor *output = tflite::micro::GetEvalOutput(context, node, 0);
    if (input == nullptr || pads == nullptr) return kTfLiteError;
    if (pads->type != kTfLiteInt32 || pads->dims->size != 2 ||
        pads->dims->data[0] != input->dims->size || pads->dims->data[1] != 2)
        return kTfLiteError;
    const tpad_tflm_tensor from = Describe(input, 0);
    const tpad_tflm_tensor to = Describe(output, *static_cast<const int32_t *>(node->user_data));
    const void *src = input->data.data;
    void *dst = output->data.data;
    const int32_t *paddings = tflite::micro::GetTensorData<int32_t>(pads);
    int32_t status;
    if (mirrors) {
        const auto *mirror = static_cast<const TfLiteMirrorPaddingParams *>(node->builtin_data);
        if (mirror == nullptr) return kTfLiteError;
        status = tpad_tflm_mirror_pad(&from, src, paddings, mirror->mode, &to, dst);
    } else if (value != nullptr) {
        if (value->type != input->type || !HasOneElement(value)) return kTfLiteError;
        status = tpad_tflm_padv2(&from, src, paddings, value->data.data, &to, dst);
    } else {
        status = tpad_tflm_pad(&from, src, paddings, &to, dst);
    }
    return status == 0 ? kTfLiteOk : kTfLiteError;
}

TfLiteStatus EvalPad(TfLiteContext *context, TfLiteNode *node)
{
    return Run(context, node, false);
}

TfLiteStatus EvalMirrorPad(TfLiteContext *context, TfLiteNode *node)
{
    return Run(context, node, true);
}

} // namespace

TFLMRegistration Register_PAD()
{
    return tflite::micro::RegisterOp(Init, Prepare, EvalPad);
}
TFLMRegistration Register_PADV2()
{
    return tflite::micro::RegisterOp(Init, Prepare, EvalPad);
}
TFLMRegistration Register_MIRROR_PAD()
{
    return tflite::micro::RegisterOp(Init, Prepare, EvalMirrorPad);
}

} // namespace tensorpad
