/* Text that grows.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_DRAWING_TEXT_BUFFER_H
#define TENSORPAD_DRAWING_TEXT_BUFFER_H

#include "drawing.h"

/* Starts as {0}. Without memory, nothing more is added, and writing_end reports it. */
typedef struct writing {
    char *text;
    size_t length, room;
    int failed;
} writing;

void write_bytes(writing *to, const void *bytes, size_t count);
void write_text(writing *to, const char *text);
/* %s %d and the like; no floating point, whose decimal point depends on the locale. */
void write_format(writing *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_repeated(writing *to, char character, int count);

/* Hands the text over, or frees it. TPAD_OK or TPAD_E_MEMORY. */
int32_t writing_end(writing *to, tpad_written *out);

/* The number of characters of a UTF-8 text. */
int text_width(const char *text);

#endif
