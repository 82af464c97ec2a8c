/* Protobuf messages built by hand, so that the tests do not trust the reader's own library.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_SUPPORT_PROTOBUF_H
#define TENSORPAD_TESTS_SUPPORT_PROTOBUF_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A message that grows. Small: it must fit. */
typedef struct message {
    size_t count;
    unsigned char bytes[8192];
} message;

static inline void put_bytes(message *m, const void *bytes, size_t count)
{
    assert_true(m->count + count <= sizeof m->bytes);
    if (count) memcpy(m->bytes + m->count, bytes, count);
    m->count += count;
}

static inline void put_varint(message *m, uint64_t number)
{
    do {
        unsigned char byte = (unsigned char)((number & 0x7F) | (number > 0x7F ? 0x80 : 0));
        put_bytes(m, &byte, 1);
        number >>= 7;
    } while (number);
}

static inline void put_number(message *m, int field, int64_t number)
{
    put_varint(m, (uint64_t)field << 3);
    put_varint(m, (uint64_t)number);
}

static inline void put_field(message *m, int field, const void *bytes, size_t count)
{
    put_varint(m, (uint64_t)field << 3 | 2);
    put_varint(m, count);
    put_bytes(m, bytes, count);
}

static inline void put_text(message *m, int field, const char *text)
{
    put_field(m, field, text, strlen(text));
}

static inline void put_message(message *m, int field, const message *inner)
{
    put_field(m, field, inner->bytes, inner->count);
}

static inline void put_float(message *m, int field, float number)
{
    put_varint(m, (uint64_t)field << 3 | 5);
    put_bytes(m, &number, sizeof number);
}

#endif
