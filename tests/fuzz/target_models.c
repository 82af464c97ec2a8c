/* Models in files: ONNX, or with OF_IR OpenVINO IR, where the text up to the first NUL is the .xml,
 * the rest the .bin.  SPDX-License-Identifier: MIT */
#include <string.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef OF_IR
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    const size_t text = end ? (size_t)(end - data) : size;
    fuzz_write("in.xml", data, text);
    fuzz_write("in.bin", end ? end + 1 : data, end ? size - text - 1 : 0);
    fuzz_model_file("in.xml", size);
#else
    static const unsigned char weights[64] = {1, 0, 1, 0, 2};
    fuzz_write("weights.bin", weights, sizeof weights);
    fuzz_write("in.onnx", data, size);
    fuzz_model_file("in.onnx", size);
#endif
    return 0;
}
