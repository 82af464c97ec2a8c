/* Text of strangers on its way to people.  SPDX-License-Identifier: MIT
 *
 * Names in models and paths may hold anything. This is the one place that decides what of it gets
 * to a terminal or into a JSON document.
 */
#ifndef TENSORPAD_CLI_TEXT_H
#define TENSORPAD_CLI_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the well-formed UTF-8 character that text (ended by NUL) begins with; 0 if none does. */
size_t utf8_character(const char *text);

/* Writes text with control characters and broken UTF-8 as \xNN: always one line, never a command to
 * the terminal. */
void write_plain(FILE *out, const char *text);

#endif
