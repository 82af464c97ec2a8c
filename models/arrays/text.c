/* Error lines and UTF-8.  SPDX-License-Identifier: MIT
 *
 * Owns the one place where words of strangers (paths, names, type spellings) become a line for
 * people: nothing that moves a cursor, ends the line or reorders it gets through. Knows no format.
 */
#include "file.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_BYTES = 200 };

size_t tpad_utf8_next(const char *text, size_t count, uint32_t *code)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (count == 0) return 0;
    if (bytes[0] < 0x80) {
        *code = bytes[0];
        return 1;
    }
    size_t length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    if (bytes[0] < 0xC2 || bytes[0] > 0xF4 || count < length) return 0;
    uint32_t value = bytes[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return 0;
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    uint32_t smallest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    if (value < smallest || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return 0;
    *code = value;
    return length;
}

/* Controls, line ends, and the marks that turn the reading direction of what follows. */
static int harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

size_t tpad_printable_next(char piece[TPAD_PRINTABLE_BYTES], const char *text, size_t count)
{
    uint32_t code;
    size_t taken = tpad_utf8_next(text, count, &code);
    int escape = taken == 0 || harmful(code);
    if (taken == 0) taken = 1;
    if (escape)
        for (size_t i = 0; i < taken; i++)
            snprintf(piece + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
    else {
        memcpy(piece, text, taken);
        piece[taken] = '\0';
    }
    return taken;
}

static void copy_line(char *line, size_t room, const char *raw, size_t count)
{
    size_t used = 0;
    while (count > 0) {
        char piece[TPAD_PRINTABLE_BYTES];
        size_t taken = tpad_printable_next(piece, raw, count), length = strlen(piece);
        if (used + length >= room) break;
        memcpy(line + used, piece, length);
        used += length;
        raw += taken;
        count -= taken;
    }
    line[used] = '\0';
}

int32_t tpad_io_fail(tpad_io_error *error, int32_t code, const char *format, ...)
{
    if (!error) return code;
    /* Longer than the line itself, so that a long path is cut only once, after escaping. */
    char raw[2 * sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    size_t count = length < 0 ? 0 : (size_t)length;
    error->code = code;
    copy_line(error->text, sizeof error->text, raw, count < sizeof raw ? count : sizeof raw - 1);
    return code;
}

int tpad_show_length(tpad_string string)
{
    return string.length < SHOWN_BYTES ? (int)string.length : SHOWN_BYTES;
}

const char *tpad_show_text(tpad_string string)
{
    return string.text ? string.text : "";
}

int32_t tpad_string_is(tpad_string string, const char *text)
{
    const size_t count = strlen(text);
    return string.length == (int64_t)count && (count == 0 || !memcmp(string.text, text, count));
}
