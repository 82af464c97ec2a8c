/* Writes text to a caller's buffer, without the C library. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_TEXT_H
#define TENSORPAD_CORE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "port.h"

/* Counts all characters and writes those that fit, like snprintf: NUL-terminated if bytes > 0. */
typedef struct text {
    char *buffer;
    size_t bytes;
    size_t length; /* of the whole text, without the NUL */
} text;

TPAD_INTERNAL text tpad_text_begin(char *buffer, size_t bytes);
TPAD_INTERNAL void tpad_text_char(text *t, char c);
TPAD_INTERNAL void tpad_text_put(text *t, const char *string);
TPAD_INTERNAL void tpad_text_number(text *t, int64_t number);

#endif
