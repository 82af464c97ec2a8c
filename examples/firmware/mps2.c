/* ARM's MPS2 boards with a Cortex-M3, M4 or M7, as QEMU has them: reset, serial line, counter, end.
 * SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "board.h"

void reset(void);
extern char stack_top[], data_begin[], data_end[], data_load[], bss_begin[], bss_end[];

#define REGISTER(address) (*(volatile uint32_t *)(address))

enum {
    TIMER_CONTROL = 0x40000000,
    TIMER_VALUE = 0x40000004,
    TIMER_RELOAD = 0x40000008,
    SERIAL_DATA = 0x40004000,
    SERIAL_STATE = 0x40004004,
    SERIAL_CONTROL = 0x40004008,
    SERIAL_DIVISOR = 0x40004010
};

/* The timer counts down with 25 MHz, and an instruction takes 1,024 ns (-icount shift=10). */
uint32_t board_instructions(void)
{
    const uint32_t ticks = UINT32_MAX - REGISTER(TIMER_VALUE);
    return (uint32_t)((uint64_t)ticks * 40 / 1024);
}

void board_print_byte(char byte)
{
    while (REGISTER(SERIAL_STATE) & 1) {
    }
    REGISTER(SERIAL_DATA) = (uint8_t)byte;
}

/* Semihosting: SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit and the status. */
void board_end(int status)
{
    const uint32_t block[2] = {0x20026, (uint32_t)status};
    register uint32_t r0 __asm__("r0") = 0x20;
    register const uint32_t *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xAB" : : "r"(r0), "r"(r1) : "memory");
    for (;;) {
    }
}

void reset(void)
{
    for (char *to = data_begin, *from = data_load; to < data_end;) *to++ = *from++;
    for (char *to = bss_begin; to < bss_end;) *to++ = 0;
    REGISTER(0xE000ED88) |= 0xF << 20; /* CPACR: the floating-point unit may be used */
    REGISTER(SERIAL_DIVISOR) = 16;
    REGISTER(SERIAL_CONTROL) = 1;
    REGISTER(TIMER_RELOAD) = UINT32_MAX;
    REGISTER(TIMER_VALUE) = UINT32_MAX;
    REGISTER(TIMER_CONTROL) = 1;
    board_start();
}

static void fault(void)
{
    board_print("fault\n");
    board_end(1);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[7])(void) = {
    (void (*)(void))(uintptr_t)stack_top, reset, fault, fault, fault, fault, fault};
