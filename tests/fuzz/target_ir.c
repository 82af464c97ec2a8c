/* OpenVINO IR: the text up to the first NUL is the .xml, the rest the .bin.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    const size_t text = end ? (size_t)(end - data) : size;
    fuzz_write("in.xml", data, text);
    fuzz_write("in.bin", end ? end + 1 : data, end ? size - text - 1 : 0);
    fuzz_model_file("in.xml", size);
    return 0;
}
