/* Protobuf messages that are built in memory.  SPDX-License-Identifier: MIT */
#include "message_writer.h"
#include <pb_encode.h>
#include <stdlib.h>
#include <string.h>

enum { VARINT_BYTES = 10, FLOAT_BYTES = 4 };

/* Makes room for `more` bytes and a tag with a length. */
static int make_room(message *out, size_t more)
{
    const size_t wanted = out->used + more + (size_t)(2 * VARINT_BYTES);
    if (out->failed || wanted <= out->room) return !out->failed;
    unsigned char *bytes = realloc(out->bytes, 2 * wanted);
    if (!bytes) {
        out->failed = 1;
        return 0;
    }
    out->bytes = bytes;
    out->room = 2 * wanted;
    return 1;
}

/* The rest of the buffer as a stream of nanopb. */
static pb_ostream_t rest(const message *out)
{
    return pb_ostream_from_buffer(out->bytes + out->used, out->room - out->used);
}

static void finish(message *out, const pb_ostream_t *stream, bool done)
{
    if (done)
        out->used += stream->bytes_written;
    else
        out->failed = 1;
}

void message_integer(message *out, uint32_t field, int64_t value)
{
    if (!make_room(out, 0)) return;
    pb_ostream_t stream = rest(out);
    finish(out, &stream,
           pb_encode_tag(&stream, PB_WT_VARINT, field) &&
               pb_encode_varint(&stream, (uint64_t)value));
}

void message_float(message *out, uint32_t field, float value)
{
    if (!make_room(out, FLOAT_BYTES)) return;
    pb_ostream_t stream = rest(out);
    finish(out, &stream,
           pb_encode_tag(&stream, PB_WT_32BIT, field) && pb_encode_fixed32(&stream, &value));
}

void message_bytes(message *out, uint32_t field, const void *bytes, size_t count)
{
    if (!make_room(out, count)) return;
    pb_ostream_t stream = rest(out);
    finish(out, &stream,
           pb_encode_tag(&stream, PB_WT_STRING, field) && pb_encode_string(&stream, bytes, count));
}

void message_raw(message *out, const void *bytes, size_t count)
{
    if (!make_room(out, count)) return;
    if (count) memcpy(out->bytes + out->used, bytes, count);
    out->used += count;
}

void message_text(message *out, uint32_t field, const char *text)
{
    message_bytes(out, field, text, strlen(text));
}

void message_add(message *out, uint32_t field, message *inner)
{
    if (inner->failed) out->failed = 1;
    message_bytes(out, field, inner->bytes, inner->used);
    message_free(inner);
}

void message_free(message *out)
{
    free(out->bytes);
    *out = (message){0};
}
