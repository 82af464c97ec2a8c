/* ONNX models.  SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char weights[64] = {1, 0, 1, 0, 2};
    fuzz_write("weights.bin", weights, sizeof weights);
    fuzz_write("in.onnx", data, size);
    fuzz_model_file("in.onnx", size);
    return 0;
}
