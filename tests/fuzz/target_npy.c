/* Arrays in .npy files.  SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_write("in.npy", data, size);
    fuzz_tensor_file("in.npy", size, 24);
    return 0;
}
