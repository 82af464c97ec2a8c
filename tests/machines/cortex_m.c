/* From reset to main on a Cortex-M with semihosting.  SPDX-License-Identifier: MIT
 *
 * The vectors, the words of the command line, and the end of a program that faults. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYS_GET_CMDLINE = 0x15, MOST_WORDS = 16 };

int main(int argc, char **argv);
void initialise_monitor_handles(void); /* newlib's: standard input, output and errors */
void reset(void);
extern char stack_top[];

static int semihosting(int number, void *block)
{
    register int r0 __asm__("r0") = number;
    register void *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void reset(void)
{
    static char line[512];
    static char *words[MOST_WORDS + 1];
    struct {
        char *text;
        uint32_t bytes;
    } command = {line, sizeof line};
    int count = 0;
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: the floating-point unit may be used */
#if defined(TRAP_UNALIGNED)
    *(volatile uint32_t *)0xE000ED14 |= 1u << 3; /* CCR.UNALIGN_TRP */
#endif
    __asm__ volatile("dsb\n isb");
    initialise_monitor_handles();
    if (semihosting(SYS_GET_CMDLINE, &command) != 0) exit(1);
    for (char *word = strtok(line, " "); word && count < MOST_WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    exit(main(count, words));
}

/* Calls the program's handler of a signal, which does not return. */
static void fault(void)
{
    fprintf(stderr, "fault: CFSR %08lx, address %08lx\n",
            (unsigned long)*(volatile uint32_t *)0xE000ED28,
            (unsigned long)*(volatile uint32_t *)0xE000ED38);
    raise(SIGSEGV);
    _Exit(1);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))(uintptr_t)stack_top, reset, fault, fault, fault, fault, fault};

#if defined(TRAP_UNALIGNED)
/* newlib's for these processors reads words at any address. The compiler must not see a memcpy in
 * it. */
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *
memcpy(void *restrict to, const void *restrict from, size_t count)
{
    unsigned char *dst = to;
    for (const unsigned char *src = from; count > 0; count--) *dst++ = *src++;
    return to;
}
#endif
