/* What TensorFlow Lite Micro offers its kernels: only the functions that ours calls. The tensors of a
 * context are an array, and the indices of a node lead into it.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_TFLM_KERNEL_UTIL_H
#define TENSORPAD_TESTS_TFLM_KERNEL_UTIL_H

#include "tensorflow/lite/c/common.h"

namespace tflite
{

class MicroContext
{
  public:
    TfLiteEvalTensor tensors[4];
    TfLiteTensor output;
    int temporary = 0;

    TfLiteTensor *AllocateTempOutputTensor(const TfLiteNode *, int)
    {
        temporary++;
        return &output;
    }
    void DeallocateTempTfLiteTensor(TfLiteTensor *) { temporary--; }
};

inline MicroContext *GetMicroContext(const TfLiteContext *context)
{
    return static_cast<MicroContext *>(context->impl_);
}

namespace micro
{

inline const TfLiteEvalTensor *GetEvalInput(const TfLiteContext *context, const TfLiteNode *node,
                                            int index)
{
    if (index >= node->inputs->size || node->inputs->data[index] < 0) return nullptr;
    return &GetMicroContext(context)->tensors[node->inputs->data[index]];
}

inline TfLiteEvalTensor *GetEvalOutput(const TfLiteContext *context, const TfLiteNode *node,
                                       int index)
{
    return &GetMicroContext(context)->tensors[node->outputs->data[index]];
}

template <typename T> const T *GetTensorData(const TfLiteEvalTensor *tensor)
{
    return reinterpret_cast<const T *>(tensor->data.raw_const);
}

inline TFLMRegistration RegisterOp(void *(*init)(TfLiteContext *, const char *, size_t),
                                   TfLiteStatus (*prepare)(TfLiteContext *, TfLiteNode *),
                                   TfLiteStatus (*invoke)(TfLiteContext *, TfLiteNode *))
{
    return {init, prepare, invoke};
}

} // namespace micro
} // namespace tflite

#endif
