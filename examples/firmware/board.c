/* ARM's MPS2 boards with a Cortex-M3, M4 or M7, as QEMU has them: what keywords.c asks of a board,
 * and reset, serial line, counter, end.  SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>

int main(void);
void board_print(const char *text);
void board_print_number(uint32_t number);
uint32_t board_instructions(void);
uint32_t board_stack_of(void (*function)(void));
void reset(void);
extern uint32_t stack_bottom[];
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

static void print_byte(char byte)
{
    while (REGISTER(SERIAL_STATE) & 1) {
    }
    REGISTER(SERIAL_DATA) = (uint8_t)byte;
}

void board_print(const char *text)
{
    for (; *text; text++) print_byte(*text);
}

void board_print_number(uint32_t number)
{
    if (number >= 10) board_print_number(number / 10);
    print_byte((char)('0' + number % 10));
}

/* Paints the stack below the stack pointer, and looks afterwards how far down the paint is gone. */
uint32_t board_stack_of(void (*function)(void))
{
    enum { PAINT = 0x5AA5C33C };
    uint32_t *top;
    __asm__ volatile("mov %0, sp" : "=r"(top));
    volatile uint32_t *word = stack_bottom;
    while (word < top) *word++ = PAINT;
    function();
    word = stack_bottom;
    while (*word == PAINT) word++;
    return (uint32_t)((uintptr_t)top - (uintptr_t)word);
}

/* Semihosting: SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit and the status. */
static void end(int status)
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
    end(main());
}

static void fault(void)
{
    board_print("fault\n");
    end(1);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[7])(void) = {
    (void (*)(void))(uintptr_t)stack_top, reset, fault, fault, fault, fault, fault};
