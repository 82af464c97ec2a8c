/* Error lines and UTF-8.  SPDX-License-Identifier: MIT
 *
 * This is the only file that escapes text from files (paths, names, spellings of types) for people:
 * in errors, in the command's lines and, by tpad_utf8_is_unsafe, in its JSON. */
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "formats.h"

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

/* Unicode's categories Cc, Cf, Zl and Zp, and the other Default_Ignorable_Code_Points: first and
 * last code point of each range. */
static const uint32_t unsafe[][2] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},
    {0x0600, 0x0605},   {0x061C, 0x061C},   {0x06DD, 0x06DD},   {0x070F, 0x070F},
    {0x0890, 0x0891},   {0x08E2, 0x08E2},   {0x115F, 0x1160},   {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

int32_t tpad_utf8_is_unsafe(uint32_t code)
{
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
        if (unsafe[i][0] <= code && code <= unsafe[i][1]) return 1;
    return 0;
}

size_t tpad_printable_next(char piece[TPAD_PRINTABLE_BYTES], const char *text, size_t count)
{
    uint32_t code;
    const size_t taken = tpad_utf8_next(text, count, &code);
    if (taken == 0 || (code < 0x80 && tpad_utf8_is_unsafe(code))) {
        snprintf(piece, TPAD_PRINTABLE_BYTES, "\\x%02x", (unsigned char)text[0]);
        return 1;
    }
    if (tpad_utf8_is_unsafe(code)) {
        snprintf(piece, TPAD_PRINTABLE_BYTES, code > 0xFFFF ? "\\U%08x" : "\\u%04x",
                 (unsigned)code);
        return taken;
    }
    memcpy(piece, text, taken);
    piece[taken] = '\0';
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
    /* Longer than the line, so that a long path is cut only once, after it is escaped. */
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

/* The built-in libraries. */

#ifdef TPAD_WITH_NANOPB
#include <pb.h>
#define NANOPB_PART ", pb and onnx (" NANOPB_VERSION ")"
#else
#define NANOPB_PART ""
#endif

#ifdef TPAD_WITH_PNG
#include <png.h>
#include <zlib.h> /* which libpng needs */
#define PNG_PART ", png (libpng-" PNG_LIBPNG_VER_STRING ", zlib-" ZLIB_VERSION ")"
#else
#define PNG_PART ""
#endif

#ifdef TPAD_WITH_EXPAT
#include <expat.h>
#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number
#define EXPAT_PART                                                                                 \
    ", xml (expat-" TEXT_OF(XML_MAJOR_VERSION) "." TEXT_OF(XML_MINOR_VERSION) "." TEXT_OF(         \
        XML_MICRO_VERSION) ")"
#else
#define EXPAT_PART ""
#endif

const char *tpad_io_features(void)
{
    return "npy" NANOPB_PART EXPAT_PART PNG_PART;
}
