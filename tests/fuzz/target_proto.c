/* Arrays in .pb files.  SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char weights[64] = {1, 2, 3};
    fuzz_write("weights.bin", weights, sizeof weights);
    fuzz_write("in.pb", data, size);
    fuzz_tensor_file("in.pb", size, 24);
    return 0;
}
