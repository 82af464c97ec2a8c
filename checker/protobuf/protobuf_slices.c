/* How nanopb reads bytes in memory: its stream and callback.  SPDX-License-Identifier: MIT */
#include "protobuf_slices.h"
#include <pb_decode.h>
#include <string.h>

/* Our own stream instead of nanopb's buffer stream. Its callback distinguishes our bytes from the
 * scratch buffer that nanopb uses for a field of the wrong wire type: a slice of that buffer would
 * outlive it. */
static bool read_slice(pb_istream_t *stream, pb_byte_t *buffer, size_t count)
{
    const pb_byte_t *at = stream->state;
    if (buffer) memcpy(buffer, at, count);
    stream->state = (void *)(uintptr_t)(at + count);
    return true;
}

/* Takes the rest of the stream without reading the bytes, which may be gigabytes of weights. */
static tpad_string take_rest(pb_istream_t *stream)
{
    const char *at = stream->state;
    const tpad_string rest = {at, (int64_t)stream->bytes_left};
    stream->state = (void *)(uintptr_t)(at + stream->bytes_left);
    stream->bytes_left = 0;
    return rest;
}

static bool keep_string(pb_istream_t *in, const pb_field_t *field)
{
    if (in->callback != read_slice) PB_RETURN_ERROR(in, "wrong wire type");
    if (PB_HTYPE(field->type) == PB_HTYPE_REPEATED) {
        tpad_strings *list = field->pData;
        const tpad_string item = take_rest(in);
        if (list->count < list->room) list->items[list->count] = item;
        list->count++;
        return true;
    }
    tpad_string *string = field->pData;
    if (PB_LTYPE(field->type) == PB_LTYPE_SUBMESSAGE && string->text)
        PB_RETURN_ERROR(in, "a message that may occur once occurs twice");
    *string = take_rest(in);
    return true;
}

static bool next_number(pb_istream_t *in, const pb_field_t *field, const tpad_numbers *list,
                        uint64_t *bits)
{
    uint32_t word;
    switch (PB_LTYPE(field->type)) {
    case PB_LTYPE_FIXED32:
        if (!pb_decode_fixed32(in, &word)) return false;
        *bits = word;
        return true;
    case PB_LTYPE_FIXED64:
        return pb_decode_fixed64(in, bits);
    default:
        break;
    }
    if (!pb_decode_varint(in, bits)) return false;
    if (list->low == 0 && list->high == 0) return true;
    /* A negative 32-bit number may be written in five bytes or in ten. */
    if (list->low < 0 && list->high <= INT32_MAX) *bits = (uint64_t)(int64_t)(int32_t)*bits;
    if ((int64_t)*bits < list->low || (int64_t)*bits > list->high)
        PB_RETURN_ERROR(in, "a number that does not fit the element type");
    return true;
}

static bool keep_numbers(pb_istream_t *in, const pb_field_t *field)
{
    tpad_numbers *list = field->pData;
    const bool single = in->callback != read_slice;
    while (in->bytes_left > 0) {
        uint64_t bits = 0;
        if (!next_number(in, field, list, &bits)) return false;
        if (list->count < list->room)
            memcpy((char *)list->items + list->count * list->item_bytes, &bits,
                   (size_t)list->item_bytes);
        list->count++;
        if (single && in->bytes_left > 0) PB_RETURN_ERROR(in, "wrong wire type");
    }
    return true;
}

bool tpad_wire_field(pb_istream_t *in, pb_ostream_t *out, const pb_field_t *field)
{
    (void)out;
    if (!in) return false;
    switch (PB_LTYPE(field->type)) {
    case PB_LTYPE_BYTES:
    case PB_LTYPE_STRING:
    case PB_LTYPE_SUBMESSAGE:
        return keep_string(in, field);
    default:
        return keep_numbers(in, field);
    }
}

int32_t tpad_strings_reserve(tpad_arena *arena, tpad_strings *list)
{
    list->room = list->count;
    list->items = tpad_arena_take(arena, list->count, sizeof *list->items);
    list->count = 0;
    return list->items != NULL;
}

static pb_istream_t stream_of(tpad_string body)
{
    return (pb_istream_t){.callback = read_slice,
                          .state = (void *)(uintptr_t)body.text,
                          .bytes_left = (size_t)body.length};
}

const char *tpad_wire_decode(const pb_msgdesc_t *fields, void *message, tpad_string body)
{
    pb_istream_t stream = stream_of(body);
    if (pb_decode(&stream, fields, message)) return NULL;
    /* Errors in nanopb's scratch buffer, which holds single numbers, have no text. */
    return stream.errmsg ? stream.errmsg : "a value that does not fit, or of the wrong wire type";
}

bool tpad_wire_next(tpad_field *field, tpad_string *rest)
{
    pb_istream_t stream = stream_of(*rest);
    pb_wire_type_t type;
    uint32_t length;
    bool at_end;
    if (!pb_decode_tag(&stream, &type, &field->number, &at_end)) return false;
    field->tag_bytes = rest->length - (int64_t)stream.bytes_left;
    field->payload = (tpad_string){0};
    if (type != PB_WT_STRING) {
        if (!pb_skip_field(&stream, type)) return false;
    } else {
        if (!pb_decode_varint32(&stream, &length) || length > stream.bytes_left) return false;
        field->payload = (tpad_string){stream.state, (int64_t)length};
        stream.bytes_left -= length;
    }
    const int64_t taken = rest->length - (int64_t)stream.bytes_left;
    field->whole = (tpad_string){rest->text, taken};
    *rest = (tpad_string){rest->text + taken, rest->length - taken};
    return true;
}
