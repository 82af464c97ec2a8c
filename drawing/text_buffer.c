/* Text that grows.  SPDX-License-Identifier: MIT */
#include "text_buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `count` bytes more, and a NUL. */
static int make_room(writing *to, size_t count)
{
    if (!to->failed && to->length + count >= to->room) {
        const size_t room = (to->length + count + 1) * 2;
        char *text = realloc(to->text, room);
        to->failed = text == NULL;
        if (text) {
            to->text = text;
            to->room = room;
        }
    }
    return !to->failed;
}

void write_bytes(writing *to, const void *bytes, size_t count)
{
    if (!make_room(to, count)) return;
    memcpy(to->text + to->length, bytes, count);
    to->length += count;
    to->text[to->length] = 0;
}

void write_text(writing *to, const char *text)
{
    write_bytes(to, text, strlen(text));
}

void write_repeated(writing *to, char character, int count)
{
    for (int i = 0; i < count; i++) write_bytes(to, &character, 1);
}

void write_format(writing *to, const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, values);
    if (length < 0) to->failed = 1;
    if (make_room(to, length < 0 ? 0 : (size_t)length)) {
        vsnprintf(to->text + to->length, (size_t)length + 1, format, again);
        to->length += (size_t)length;
    }
    va_end(again);
    va_end(values);
}

int32_t writing_end(writing *to, tpad_written *out)
{
    write_bytes(to, "", 0);
    if (to->failed) {
        free(to->text);
        *to = (writing){0};
        return TPAD_E_MEMORY;
    }
    *out = (tpad_written){to->text, to->length};
    return TPAD_OK;
}

int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}
