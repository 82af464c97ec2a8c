/* What main.c asks of a board.  SPDX-License-Identifier: MIT */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Instructions since some moment, modulo 2^32. */
uint32_t board_instructions(void);

void board_print_byte(char byte);
void board_print(const char *text);
void board_print_number(uint32_t number);

/* The bytes of stack that the function needs: those that it changes. */
uint32_t board_stack_of(void (*function)(void));

/* Calls main and ends the program with its status. The code at reset calls it, with a stack and with
 * memory that is initialised. */
void board_start(void);
void board_end(int status);

/* Those of a C library, or of a board that has none. */
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int byte, size_t count);

#endif
