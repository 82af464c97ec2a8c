/* Writes text to a caller's buffer. SPDX-License-Identifier: MIT */
#include "text.h"

text tpad_text_begin(char *buffer, size_t bytes)
{
    if (bytes > 0) buffer[0] = '\0';
    return (text){buffer, bytes, 0};
}

void tpad_text_char(text *t, char c)
{
    if (t->length + 1 < t->bytes) {
        t->buffer[t->length] = c;
        t->buffer[t->length + 1] = '\0';
    }
    t->length++;
}

void tpad_text_put(text *t, const char *string)
{
    while (*string) tpad_text_char(t, *string++);
}

void tpad_text_number(text *t, int64_t number)
{
    char digits[20];
    int count = 0;
    /* Negated as unsigned, so that INT64_MIN has its magnitude too. */
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[count++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (number < 0) tpad_text_char(t, '-');
    while (count > 0) tpad_text_char(t, digits[--count]);
}
