/* A small JSON writer.  SPDX-License-Identifier: MIT */
#include "json.h"

#include <inttypes.h>
#include <math.h>

#include "text.h"

static void separate(json *writer)
{
    if (writer->comma) fputc(',', writer->out);
    writer->comma = 1;
}

static void quote(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        size_t length = utf8_character(text);
        unsigned char byte = (unsigned char)*text;
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (byte == '"' || byte == '\\') {
            fprintf(out, "\\%c", byte);
        } else if (byte < 0x20 || byte == 0x7F) {
            fprintf(out, "\\u%04x", byte);
        } else {
            fwrite(text, 1, length, out);
        }
        text += length;
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
