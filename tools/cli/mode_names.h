/* The names of the modes in messages and help, from the table of modes. SPDX-License-Identifier:
 * MIT */
#ifndef TENSORPAD_CLI_MODE_NAMES_H
#define TENSORPAD_CLI_MODE_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MODES_BYTES = 256 };

/* Writes the names of the modes whose bits are set: "constant, edge or wrap". between: "or", "and".
 */
void modes_list(char text[MODES_BYTES], uint32_t modes, const char *between);

/* The bits of all modes, and of those of nGraph. */
uint32_t modes_all(void);
uint32_t modes_of_ngraph(void);

/* As a row's `word_at`. */
const char *modes_word(int32_t index);
/* Writes a line for each mode: its name, what it makes of abcd, and which
 * specifications have it. */
void modes_print(FILE *out, int indent);

#endif
