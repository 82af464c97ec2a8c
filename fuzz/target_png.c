/* Arrays in .png files.  SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_write("in.png", data, size);
    fuzz_tensor_file("in.png", size, 1100);
    return 0;
}
