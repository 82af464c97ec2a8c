/* Text that grows.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_DRAWING_TEXT_BUFFER_H
#define TENSORPAD_DRAWING_TEXT_BUFFER_H

#include "drawing.h"

/* Starts as {0}. If memory is missing, nothing more is added, and writing_end says so. */
typedef struct writing {
    char *text;
    size_t length, room;
    int failed;
} writing;

void write_bytes(writing *to, const void *bytes, size_t count);
void write_text(writing *to, const char *text);
/* %s %d and the like; no floating point, which would follow the language of the process. */
void write_format(writing *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_repeated(writing *to, char character, int count);

/* Hands the text over, or frees it. TPAD_OK or TPAD_E_MEMORY. */
int32_t writing_end(writing *to, tpad_written *out);

/* How many characters the UTF-8 text has. */
int text_width(const char *text);

#endif
