/* What is the same on every board.  SPDX-License-Identifier: MIT */
#include "board.h"

int main(void);
extern uint32_t stack_bottom[]; /* the linker's */

#if defined(__riscv)
#define READ_STACK_POINTER "mv %0, sp"
#else
#define READ_STACK_POINTER "mov %0, sp"
#endif

void board_print(const char *text)
{
    for (; *text; text++) board_print_byte(*text);
}

void board_print_number(uint32_t number)
{
    if (number >= 10) board_print_number(number / 10);
    board_print_byte((char)('0' + number % 10));
}

/* Paints the stack below the stack pointer, and looks afterwards how far down the paint is gone. */
uint32_t board_stack_of(void (*function)(void))
{
    enum { PAINT = 0x5AA5C33C };
    uint32_t *top;
    __asm__ volatile(READ_STACK_POINTER : "=r"(top));
    volatile uint32_t *word = stack_bottom;
    while (word < top) *word++ = PAINT;
    function();
    word = stack_bottom;
    while (*word == PAINT) word++;
    return (uint32_t)((uintptr_t)top - (uintptr_t)word);
}

void board_start(void)
{
    board_end(main());
}
