/* Arrays in files; FORMAT: the ending of their names; RATIO: how many bytes a byte of them may
 * cost.  SPDX-License-Identifier: MIT
 *
 * Every chunk of a .png ends with a checksum, without which nothing gets far: libFuzzer's changes
 * are followed by right checksums, mostly. */
#include "target.h"

#ifdef WITH_CHECKSUMS
#include <zlib.h>

enum { SIGNATURE_BYTES = 8, HEAD_BYTES = 8, SUM_BYTES = 4 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 == 0) return size;
    for (size_t at = SIGNATURE_BYTES; at + HEAD_BYTES + SUM_BYTES <= size;) {
        size_t count = 0;
        for (int i = 0; i < 4; i++) count = count << 8 | data[at + (size_t)i];
        const size_t left = size - at - HEAD_BYTES - SUM_BYTES;
        if (count > left) return size;
        uint8_t *sum = data + at + HEAD_BYTES + count;
        const uint32_t right = (uint32_t)crc32(0, data + at + 4, (uInt)count + 4);
        for (int i = 0; i < 4; i++) sum[i] = (uint8_t)(right >> (24 - 8 * i));
        at += HEAD_BYTES + count + SUM_BYTES;
    }
    return size;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char weights[64] = {1, 2, 3};
    fuzz_write("weights.bin", weights, sizeof weights); /* what a .pb may name */
    fuzz_write("in." FORMAT, data, size);
    fuzz_tensor_file("in." FORMAT, size, RATIO);
    return 0;
}
