/* Protobuf messages as slices of the file's bytes.  SPDX-License-Identifier: MIT
 *
 * The header that nanopb makes of onnx.proto includes this: the types of all members without a
 * fixed size. Only numbers are copied. */
#ifndef TENSORPAD_PROTOBUF_PROTOBUF_SLICES_H
#define TENSORPAD_PROTOBUF_PROTOBUF_SLICES_H

#include "formats/file.h"
#include <pb.h>

/* A string, bytes, or a message that is not decoded yet is a tpad_string; its text is NULL if it is
 * absent. */

/* A list of strings. All are counted, but only the first `room` are kept: decode once to count,
 * reserve room, set count to 0 and decode again. If the second count differs, the file is being
 * changed. */
typedef struct tpad_strings {
    tpad_string *items;
    int64_t count;
    int64_t room;
} tpad_strings;

/* A list of numbers, packed in the file or not, counted and kept like tpad_strings. An integer
 * outside [low, high] is an error, unless both are 0. */
typedef struct tpad_numbers {
    void *items;
    int64_t count;
    int64_t room;
    int64_t low, high;
    int64_t item_bytes; /* the low bytes of a number that an item keeps */
} tpad_numbers;

/* Gives list->items room for the counted entries and sets count to 0; returns 0 if there is no
 * memory. */
int32_t tpad_strings_reserve(tpad_arena *arena, tpad_strings *list);

/* Decodes one message into a struct that nanopb generated, which the caller has zeroed or whose
 * lists it has given room. A single message field that occurs twice is an error; of a text field
 * the last one counts, as everywhere. Returns NULL, or a short description of the error. */
const char *tpad_wire_decode(const pb_msgdesc_t *fields, void *message, tpad_string body);

/* One field of a message. */
typedef struct tpad_field {
    uint32_t number;
    tpad_string whole; /* tag and contents */
    int64_t tag_bytes;
    tpad_string payload; /* of a field with a length; others have a NULL text */
} tpad_field;

/* Takes the first field off the rest of a message. Returns false at its end, and if the bytes are
 * not a field: then rest->length is not 0. */
bool tpad_wire_next(tpad_field *field, tpad_string *rest);

/* Named in onnx.options: decodes every field of the types above. */
bool tpad_wire_field(pb_istream_t *in, pb_ostream_t *out, const pb_field_t *field);

#endif
