// Runs the three kernels as an interpreter does, and prints what they write.  SPDX-License-Identifier: MIT
#include <cstdio>

#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tensorpad
{
TFLMRegistration Register_PAD();
TFLMRegistration Register_PADV2();
TFLMRegistration Register_MIRROR_PAD();
} // namespace tensorpad

template <int N> struct Ints {
    int size = N;
    int data[N];
    TfLiteIntArray *get() { return reinterpret_cast<TfLiteIntArray *>(this); }
};

static int32_t persistent[1];
static void *Allocate(TfLiteContext *, size_t bytes)
{
    return bytes <= sizeof persistent ? persistent : nullptr;
}

static void Run(const TFLMRegistration &kernel, int inputs, TfLiteMirrorPaddingMode mode,
                TfLiteType pads_type, TfLiteType value_type, int pads_rows = 2, int values = 1,
                bool has_parameters = true)
{
    int8_t frame[12] = {11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34}, padded[30], value = 7;
    int32_t paddings[4] = {1, 1, 1, 1};
    Ints<2> from = {2, {3, 4}}, to = {2, {5, 6}}, of_paddings = {2, {pads_rows, 2}};
    Ints<1> of_value = {1, {values}}, outputs = {1, {3}};
    Ints<3> all_inputs = {inputs, {0, 1, values < 0 ? -1 : 2}}; // -1: an optional one that is absent
    TfLiteMirrorPaddingParams parameters = {mode};
    tflite::MicroContext micro;
    micro.tensors[0] = {{reinterpret_cast<char *>(frame)}, from.get(), kTfLiteInt8};
    micro.tensors[1] = {{reinterpret_cast<char *>(paddings)}, of_paddings.get(), pads_type};
    micro.tensors[2] = {{reinterpret_cast<char *>(&value)}, of_value.get(), value_type};
    micro.tensors[3] = {{reinterpret_cast<char *>(padded)}, to.get(), kTfLiteInt8};
    micro.output.params = {0.5f, -1};
    TfLiteContext context = {&micro, Allocate};
    TfLiteNode node = {all_inputs.get(), outputs.get(), nullptr,
                       has_parameters ? &parameters : nullptr};
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
    const auto none = kTfLiteMirrorPaddingUnknown;
    Run(tensorpad::Register_PAD(), 2, none, kTfLiteInt32, kTfLiteInt8);
    Run(tensorpad::Register_PADV2(), 3, none, kTfLiteInt32, kTfLiteInt8, 2, -1);
    Run(tensorpad::Register_PADV2(), 3, none, kTfLiteInt32, kTfLiteInt8);
    Run(tensorpad::Register_MIRROR_PAD(), 2, kTfLiteMirrorPaddingReflect, kTfLiteInt32,
        kTfLiteInt8);
    Run(tensorpad::Register_MIRROR_PAD(), 2, kTfLiteMirrorPaddingSymmetric, kTfLiteInt32,
        kTfLiteInt8);
    Run(tensorpad::Register_PAD(), 2, none, kTfLiteInt64, kTfLiteInt8);
    Run(tensorpad::Register_PADV2(), 3, none, kTfLiteInt32, kTfLiteInt16);
    Run(tensorpad::Register_PAD(), 2, none, kTfLiteInt32, kTfLiteInt8, 1);
    Run(tensorpad::Register_PADV2(), 3, none, kTfLiteInt32, kTfLiteInt8, 2, 0);
    Run(tensorpad::Register_PAD(), 1, none, kTfLiteInt32, kTfLiteInt8);
    Run(tensorpad::Register_MIRROR_PAD(), 2, none, kTfLiteInt32, kTfLiteInt8);
    Run(tensorpad::Register_MIRROR_PAD(), 2, kTfLiteMirrorPaddingReflect, kTfLiteInt32, kTfLiteInt8,
        2, 1, false);
}
