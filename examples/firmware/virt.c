/* QEMU's board `virt` with a RISC-V of 32 bits: reset, serial line, counter, end, and the two functions of
 * a C library that tensorpad needs.  SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "board.h"

void reset(void);

uint32_t board_instructions(void)
{
    uint32_t count;
    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
}

void board_print_byte(char byte)
{
    *(volatile uint8_t *)0x10000000 = (uint8_t)byte;
}

/* The device that ends the emulator. */
void board_end(int status)
{
    *(volatile uint32_t *)0x100000 = status == 0 ? 0x5555 : (uint32_t)status << 16 | 0x3333;
    for (;;) {
    }
}

/* QEMU has cleared the memory and loaded the data. */
__attribute__((section(".reset"), naked)) void reset(void)
{
    __asm__ volatile("la sp, stack_top\n la t0, fault\n csrw mtvec, t0\n j board_start");
}

__attribute__((used, aligned(4))) static void fault(void)
{
    board_print("fault\n");
    board_end(1);
}

/* Words, where both sides are aligned alike. The compiler must not see a memcpy in it. */
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *
memcpy(void *restrict to, const void *restrict from, size_t count)
{
    unsigned char *dst = to;
    const unsigned char *src = from;
    if ((((uintptr_t)dst | (uintptr_t)src) & 3) == 0)
        for (; count >= 4; count -= 4, dst += 4, src += 4)
            *(uint32_t *)(void *)dst = *(const uint32_t *)(const void *)src;
    for (; count > 0; count--) *dst++ = *src++;
    return to;
}

__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memset(void *to, int byte,
                                                                           size_t count)
{
    unsigned char *dst = to;
    const uint32_t word = 0x01010101u * (uint8_t)byte;
    for (; count > 0 && ((uintptr_t)dst & 3) != 0; count--) *dst++ = (uint8_t)byte;
    for (; count >= 4; count -= 4, dst += 4) *(uint32_t *)(void *)dst = word;
    for (; count > 0; count--) *dst++ = (uint8_t)byte;
    return to;
}
