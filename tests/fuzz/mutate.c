/* Every second change that libFuzzer makes is a file that contradicts itself.
 * SPDX-License-Identifier: MIT */
#include "contradict.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    const size_t made = seed % 2 ? fuzz_contradict(data, most, seed / 2) : 0;
    return made ? made : LLVMFuzzerMutate(data, size, most);
}
