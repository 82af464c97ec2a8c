/* A TensorProto whose parts disagree.  SPDX-License-Identifier: MIT */
#include "contradict.h"

size_t fuzz_contradict(uint8_t *bytes, size_t room, uint32_t number)
{
    maker m = {.bytes = bytes, .room = room, .random = number};
    put_tensor(&m, "x");
    for (int i = 0; i < 2 && rarely(&m, 3); i++) put_tensor(&m, "x"); /* its fields once more */
    return m.full ? 0 : m.used;
}
