/* Messages that are written again with some of their fields replaced.
 * SPDX-License-Identifier: MIT
 *
 * Knows the wire format, and no message of ONNX. */
#ifndef TENSORPAD_LOWERING_ONNX_SPLICE_H
#define TENSORPAD_LOWERING_ONNX_SPLICE_H

#include "formats/protobuf/protobuf_slices.h"

/* A field with a length, anywhere inside the message, and what takes its place. */
typedef struct tpad_edit {
    tpad_string old;    /* its payload, of at least one byte */
    tpad_string fields; /* whole fields, with their tags; may be empty */
} tpad_edit;

/* Writes the message again: the fields of the edits replaced, the lengths of the messages around
 * them corrected, all other bytes as they are. Sorts the edits, and drops those that lie inside another: an
 * attribute of a node may hold a graph. It takes 8 bytes of memory for each message around an edit. path: for
 * errors.
 * Errors: E_FILE_TYPE (more than 2 GiB), E_FILE (the file changes meanwhile), E_MEMORY, E_IO. */
int32_t tpad_splice(tpad_output *output, const char *path, tpad_string body, tpad_edit *edits,
                    int64_t count, tpad_io_error *error);

#endif
