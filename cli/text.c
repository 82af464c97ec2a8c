/* Text of strangers on its way to people.  SPDX-License-Identifier: MIT */
#include "text.h"

static int in_range(char byte, unsigned low, unsigned high)
{
    unsigned value = (unsigned char)byte;
    return low <= value && value <= high;
}

size_t utf8_character(const char *text)
{
    /* The second byte carries the rules against overlong forms, surrogates and what is above
     * U+10FFFF. A NUL fails every range, so nothing behind the end is looked at. */
    unsigned lead = (unsigned char)text[0];
    size_t length;
    unsigned low = 0x80, high = 0xBF;
    if (lead == 0) return 0;
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    if (!in_range(text[1], low, high)) return 0;
    for (size_t i = 2; i < length; i++)
        if (!in_range(text[i], 0x80, 0xBF)) return 0;
    return length;
}

static int is_control(const char *text, size_t length)
{
    if (length == 1) return in_range(text[0], 0x00, 0x1F) || text[0] == 0x7F;
    return length == 2 && in_range(text[0], 0xC2, 0xC2) && in_range(text[1], 0x80, 0x9F);
}

void write_plain(FILE *out, const char *text)
{
    while (*text) {
        size_t length = utf8_character(text);
        if (length && !is_control(text, length)) {
            fwrite(text, 1, length, out);
        } else {
            if (length == 0) length = 1;
            for (size_t i = 0; i < length; i++) fprintf(out, "\\x%02X", (unsigned char)text[i]);
        }
        text += length;
    }
}
