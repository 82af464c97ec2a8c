/* Writing a message again.  SPDX-License-Identifier: MIT
 *
 * Goes through the message twice, and each time only into the fields that contain an edit. The first
 * time it finds the new lengths, the second time it writes. What lies between two changes is written
 * in one piece. */
#include "onnx_splice.h"
#include <pb_encode.h>
#include <stdlib.h>

enum { MAX_DEPTH = 512, VARINT_BYTES = 10 };

typedef struct splice {
    const char *path;
    const tpad_edit *edits;
    int64_t count;
    int64_t next;        /* the first edit that was not reached yet */
    int64_t *lengths;    /* of the messages around edits, in the order in which they begin */
    int64_t entered;     /* how many of them were reached */
    int64_t room;        /* in lengths; while it writes, how many there are */
    tpad_output *output; /* NULL while the lengths are found */
    const char *from;    /* the first byte that was not written yet */
} splice;

static int32_t changed(const splice *s, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE, "%s: it changes while it is read", s->path);
}

static int32_t put(const splice *s, const void *bytes, int64_t count, tpad_io_error *error)
{
    return s->output && count ? tpad_output_write(s->output, bytes, count, error) : TPAD_OK;
}

/* Writes what stands before `until` as it is, and goes on at `next`. */
static int32_t copy(splice *s, const char *until, const char *next, tpad_io_error *error)
{
    const int32_t status = put(s, s->from, until - s->from, error);
    s->from = next;
    return status;
}

/* Makes room for one more length. */
static int32_t grow(splice *s, tpad_io_error *error)
{
    if (s->entered < s->room) return TPAD_OK;
    const int64_t room = 2 * s->room + 64;
    int64_t *lengths = realloc(s->lengths, (size_t)room * sizeof *lengths);
    if (!lengths) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", s->path);
    s->lengths = lengths;
    s->room = room;
    return TPAD_OK;
}

static int32_t walk(splice *s, tpad_string body, int32_t depth, int64_t *bytes,
                    tpad_io_error *error);

/* Goes into a field that contains an edit. Adds to *bytes what the field grows by. */
static int32_t enter(splice *s, const tpad_field *field, int32_t depth, int64_t *bytes,
                     tpad_io_error *error)
{
    pb_byte_t head[VARINT_BYTES];
    const int64_t slot = s->entered;
    int64_t length;
    int32_t status = TPAD_OK;
    if (depth >= MAX_DEPTH || (s->output && slot >= s->room)) return changed(s, error);
    if (s->output) {
        pb_ostream_t stream = pb_ostream_from_buffer(head, sizeof head);
        pb_encode_varint(&stream, (uint64_t)s->lengths[slot]);
        status = copy(s, field->whole.text + field->tag_bytes, field->payload.text, error);
        if (!status) status = put(s, head, (int64_t)stream.bytes_written, error);
    } else {
        status = grow(s, error);
    }
    s->entered++;
    if (!status) status = walk(s, field->payload, depth + 1, &length, error);
    if (status) return status;
    if (s->output && length != s->lengths[slot]) return changed(s, error);
    s->lengths[slot] = length;
    pb_ostream_t count = PB_OSTREAM_SIZING;
    pb_encode_varint(&count, (uint64_t)length);
    *bytes += field->tag_bytes + (int64_t)count.bytes_written + length - field->whole.length;
    return TPAD_OK;
}

/* Goes through a message until no more edit lies in it. *bytes: its new length. */
static int32_t walk(splice *s, tpad_string body, int32_t depth, int64_t *bytes,
                    tpad_io_error *error)
{
    const char *const end = body.text + body.length;
    *bytes = body.length;
    while (s->next < s->count && s->edits[s->next].old.text < end) {
        const tpad_edit *edit = &s->edits[s->next];
        tpad_field field;
        int32_t status = TPAD_OK;
        if (!tpad_wire_next(&field, &body)) return changed(s, error);
        if (edit->old.text >= body.text) continue; /* it lies behind this field */
        if (field.payload.text == edit->old.text && field.payload.length == edit->old.length) {
            s->next++;
            *bytes += edit->fields.length - field.whole.length;
            status = copy(s, field.whole.text, body.text, error);
            if (!status) status = put(s, edit->fields.text, edit->fields.length, error);
        } else if (field.payload.text) {
            status = enter(s, &field, depth, bytes, error);
        }
        if (status) return status;
    }
    return TPAD_OK;
}

static int32_t write_all(splice *s, tpad_output *output, tpad_string body, tpad_io_error *error)
{
    int64_t bytes, again;
    int32_t status = walk(s, body, 0, &bytes, error);
    if (status) return status;
    if (s->count && bytes > INT32_MAX)
        return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                            "%s: its copy would have %lld bytes, of which a model file holds at "
                            "most %d; let its weights be external data",
                            s->path, (long long)bytes, INT32_MAX);
    s->output = output;
    s->room = s->entered;
    s->next = s->entered = 0;
    s->from = body.text;
    status = walk(s, body, 0, &again, error);
    if (!status && again != bytes) status = changed(s, error);
    return status ? status : copy(s, body.text + body.length, NULL, error);
}

static int compare_edits(const void *a, const void *b)
{
    const tpad_edit *left = a, *right = b;
    return (left->old.text > right->old.text) - (left->old.text < right->old.text);
}

/* Sorts them, and drops those that lie inside another. Returns how many are left. */
static int64_t order_edits(tpad_edit *edits, int64_t count)
{
    const char *end = NULL;
    int64_t kept = 0;
    qsort(edits, (size_t)count, sizeof *edits, compare_edits);
    for (int64_t i = 0; i < count; i++) {
        if (end && edits[i].old.text < end) continue;
        end = edits[i].old.text + edits[i].old.length;
        edits[kept++] = edits[i];
    }
    return kept;
}

int32_t tpad_splice(tpad_output *output, const char *path, tpad_string body, tpad_edit *edits,
                    int64_t count, tpad_io_error *error)
{
    splice s = {.path = path, .edits = edits, .count = order_edits(edits, count)};
    const int32_t status = write_all(&s, output, body, error);
    free(s.lengths);
    return status;
}
