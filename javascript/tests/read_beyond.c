/* Reads the byte after a block at the memory's end, where WebAssembly has to trap: so the other
 * programs notice it, too. SPDX-License-Identifier: MIT */
#include "../../tests/support/guard.h"

int main(void)
{
    guard memory;
    guard_open(&memory, 100);
    const volatile unsigned char *block = guard_place(&memory, 10, GUARD_AT_END, 0);
    const int inside = block[9];
    return block[10] == inside ? 0 : 1;
}
