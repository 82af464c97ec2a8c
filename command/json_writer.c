/* A small JSON writer.  SPDX-License-Identifier: MIT */
#include "json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "formats/formats.h"

static void separate(json *writer)
{
    if (writer->comma) fputc(',', writer->out);
    writer->comma = 1;
}

/* Characters that are unsafe on a terminal are written as \uXXXX, in UTF-16. Bytes that are not
 * UTF-8 cannot be written in JSON. */
static void quote(FILE *out, const char *text)
{
    size_t left = strlen(text);
    fputc('"', out);
    while (left > 0) {
        uint32_t code = 0;
        size_t length = tpad_utf8_next(text, left, &code);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (code == '"' || code == '\\') {
            fprintf(out, "\\%c", (int)code);
        } else if (!tpad_utf8_is_unsafe(code)) {
            fwrite(text, 1, length, out);
        } else if (code < 0x10000) {
            fprintf(out, "\\u%04x", (unsigned)code);
        } else {
            code -= 0x10000;
            fprintf(out, "\\u%04x\\u%04x", 0xD800 | code >> 10, 0xDC00 | (code & 0x3FF));
        }
        text += length;
        left -= length;
    }
    fputc('"', out);
}

void json_open(json *writer, char kind)
{
    separate(writer);
    fputc(kind, writer->out);
    writer->comma = 0;
}

void json_close(json *writer, char kind)
{
    fputc(kind, writer->out);
    writer->comma = 1;
}

void json_key(json *writer, const char *name)
{
    separate(writer);
    quote(writer->out, name);
    fputc(':', writer->out);
    writer->comma = 0;
}

void json_integer(json *writer, int64_t value)
{
    separate(writer);
    fprintf(writer->out, "%" PRId64, value);
}

void json_number(json *writer, double value)
{
    if (!isfinite(value)) {
        json_null(writer);
        return;
    }
    separate(writer);
    fprintf(writer->out, "%.6g", value);
}

void json_text(json *writer, const char *text)
{
    if (text == NULL) {
        json_null(writer);
        return;
    }
    separate(writer);
    quote(writer->out, text);
}

void json_null(json *writer)
{
    separate(writer);
    fputs("null", writer->out);
}

void json_boolean(json *writer, int value)
{
    separate(writer);
    fputs(value ? "true" : "false", writer->out);
}

void json_text_field(json *writer, const char *name, const char *text)
{
    json_key(writer, name);
    json_text(writer, text);
}

void json_number_field(json *writer, const char *name, double value)
{
    json_key(writer, name);
    json_number(writer, value);
}

void json_integer_field(json *writer, const char *name, int known, int64_t value)
{
    json_key(writer, name);
    if (known)
        json_integer(writer, value);
    else
        json_null(writer);
}

void json_integers_field(json *writer, const char *name, int32_t count, const int64_t *items,
                         int is_shape)
{
    json_key(writer, name);
    if (count < 0) {
        json_null(writer);
        return;
    }
    json_open(writer, '[');
    for (int32_t i = 0; i < count; i++) {
        if (is_shape && items[i] < 0)
            json_null(writer);
        else
            json_integer(writer, items[i]);
    }
    json_close(writer, ']');
}
