/* A small JSON writer.  SPDX-License-Identifier: MIT
 *
 * Writes directly to a stream and stores only whether a comma is needed. Write errors stay in the
 * stream's error flag.
 */
#ifndef TENSORPAD_COMMAND_JSON_WRITER_H
#define TENSORPAD_COMMAND_JSON_WRITER_H

#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *out;
    int comma; /* 1: the next key or element is not the first of its container */
} json;

/* A container: kind is '{' or '[', its end '}' or ']'. */
void json_open(json *writer, char kind);
void json_close(json *writer, char kind);
/* The name of the next value inside an object. */
void json_key(json *writer, const char *name);

void json_integer(json *writer, int64_t value);
/* With six digits; infinities and NaN become null. */
void json_number(json *writer, double value);
/* NULL becomes null; bytes that are not UTF-8 become U+FFFD. */
void json_text(json *writer, const char *text);
void json_null(json *writer);
void json_boolean(json *writer, int value);
/* A key and its text. */
void json_text_field(json *writer, const char *name, const char *text);
/* A key and its integer, or null if it is not known. */
void json_integer_field(json *writer, const char *name, int known, int64_t value);
/* A key and a list; null if count is below 0. In a shape, extents below 0 are unknown: null. */
void json_integers_field(json *writer, const char *name, int32_t count, const int64_t *items,
                         int is_shape);
/* A key and its number. */
void json_number_field(json *writer, const char *name, double value);

#endif
