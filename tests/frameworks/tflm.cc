// The kernels for TensorFlow Lite Micro, run as its interpreter does; prints what they write. What they need of
// its headers stands here: the headers themselves, which the test makes, are empty.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstdio>

enum TfLiteStatus { kTfLiteOk = 0, kTfLiteError = 1 };
enum TfLiteType {
    kTfLiteFloat32 = 1,
    kTfLiteInt32 = 2,
    kTfLiteInt64 = 4,
    kTfLiteBool = 6,
    kTfLiteInt16 = 7,
    kTfLiteInt8 = 9
};
enum TfLiteMirrorPaddingMode {
    kTfLiteMirrorPaddingUnknown = 0,
    kTfLiteMirrorPaddingReflect,
    kTfLiteMirrorPaddingSymmetric
};
struct TfLiteMirrorPaddingParams {
    TfLiteMirrorPaddingMode mode;
};
struct TfLiteIntArray {
    int size;
    int data[3];
};
struct TfLiteTensor {
    struct {
        float scale;
        int32_t zero_point;
    } params;
};
struct TfLiteEvalTensor {
    union {
        void *data;
    } data;
    TfLiteIntArray *dims;
    TfLiteType type;
};
struct TfLiteNode {
    TfLiteIntArray *inputs;
    TfLiteIntArray *outputs;
    void *user_data;
    void *builtin_data;
};
struct TfLiteContext {
    void *impl_;
    void *(*AllocatePersistentBuffer)(TfLiteContext *context, size_t bytes);
};
struct TFLMRegistration {
    void *(*init)(TfLiteContext *context, const char *buffer, size_t length);
    TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
    TfLiteStatus (*invoke)(TfLiteContext *context, TfLiteNode *node);
};

namespace tflite
{
// The tensors of a context are an array, and the indices of a node lead into it.
struct MicroContext {
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
template <typename T> T *GetTensorData(const TfLiteEvalTensor *tensor)
{
    return static_cast<T *>(tensor->data.data);
}
inline TFLMRegistration RegisterOp(decltype(TFLMRegistration::init) init,
                                   decltype(TFLMRegistration::prepare) prepare,
                                   decltype(TFLMRegistration::invoke) invoke)
{
    return {init, prepare, invoke};
}
} // namespace micro
} // namespace tflite

#include "tflm_register.cc"

static int32_t persistent[1];
static void *Allocate(TfLiteContext *, size_t bytes)
{
    return bytes <= sizeof persistent ? persistent : nullptr;
}

// values: how many the third input has; -1: an optional one that is absent
static void Run(const TFLMRegistration &kernel, int inputs, TfLiteMirrorPaddingMode mode,
                TfLiteType pads_type, TfLiteType value_type, int pads_rows = 2, int values = 1,
                bool has_parameters = true)
{
    int8_t frame[12] = {11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34}, padded[30], value = 7;
    int32_t paddings[4] = {1, 1, 1, 1};
    TfLiteIntArray from = {2, {3, 4}}, to = {2, {5, 6}}, of_paddings = {2, {pads_rows, 2}};
    TfLiteIntArray of_value = {1, {values}}, outputs = {1, {3}};
    TfLiteIntArray all_inputs = {inputs, {0, 1, values < 0 ? -1 : 2}};
    TfLiteMirrorPaddingParams parameters = {mode};
    tflite::MicroContext micro = {{{{frame}, &from, kTfLiteInt8},
                                   {{paddings}, &of_paddings, pads_type},
                                   {{&value}, &of_value, value_type},
                                   {{padded}, &to, kTfLiteInt8}},
                                  {{0.5f, -1}}};
    TfLiteContext context = {&micro, Allocate};
    TfLiteNode node = {&all_inputs, &outputs, nullptr, has_parameters ? &parameters : nullptr};
    node.user_data = kernel.init(&context, nullptr, 0);
    if (kernel.prepare(&context, &node) != kTfLiteOk || micro.temporary != 0)
        std::puts("not prepared");
    if (kernel.invoke(&context, &node) != kTfLiteOk) {
        std::puts("refused");
        return;
    }
    for (int i = 0; i < 30; i++) std::printf("%d%c", padded[i], i % 6 < 5 ? ' ' : '\n');
}

int main()
{
    const auto none = kTfLiteMirrorPaddingUnknown, reflect = kTfLiteMirrorPaddingReflect;
    const auto pad = tensorpad::Register_PAD(), padv2 = tensorpad::Register_PADV2(),
               mirror = tensorpad::Register_MIRROR_PAD();
    Run(pad, 2, none, kTfLiteInt32, kTfLiteInt8);
    Run(padv2, 3, none, kTfLiteInt32, kTfLiteInt8, 2, -1);
    Run(padv2, 3, none, kTfLiteInt32, kTfLiteInt8);
    Run(mirror, 2, reflect, kTfLiteInt32, kTfLiteInt8);
    Run(mirror, 2, kTfLiteMirrorPaddingSymmetric, kTfLiteInt32, kTfLiteInt8);
    Run(pad, 2, none, kTfLiteInt64, kTfLiteInt8);
    Run(padv2, 3, none, kTfLiteInt32, kTfLiteInt16);
    Run(pad, 2, none, kTfLiteInt32, kTfLiteInt8, 1);
    Run(padv2, 3, none, kTfLiteInt32, kTfLiteInt8, 2, 0);
    Run(pad, 1, none, kTfLiteInt32, kTfLiteInt8);
    Run(mirror, 2, none, kTfLiteInt32, kTfLiteInt8);
    Run(mirror, 2, reflect, kTfLiteInt32, kTfLiteInt8, 2, 1, false);
}
