/* A TensorProto: where its elements are, after checking their number.
 * SPDX-License-Identifier: MIT
 *
 * Shared by tensor_proto.c (.pb files) and the model reader. */
#ifndef TENSORPAD_PROTOBUF_TENSOR_PROTO_H
#define TENSORPAD_PROTOBUF_TENSOR_PROTO_H

#include "protobuf_slices.h"

/* data_location of elements in another file, and the most entries that may say where. */
enum { EXTERNAL = 1, EXTERNAL_ENTRIES = 16 };

/* The contents of a message, after the checks: the message has exactly as many elements as the
 * shape needs, or they are in another file. The texts point into the bytes that were read. */
typedef struct tpad_proto {
    tpad_string body; /* the whole message */
    tpad_string name;
    int32_t type; /* TPAD_ONNX_... */
    int32_t rank;
    int64_t dims[TPAD_MAX_RANK];
    int64_t elems, bytes;
    const void *raw;  /* the elements in the message as they are, or NULL: decode them */
    int32_t external; /* 1: the elements are in the file `location`, from `offset` on */
    tpad_string location;
    int64_t offset;
} tpad_proto;

/* Errors: E_FILE (damaged or self-contradictory), E_RANK, E_FILE_TYPE (an element type newer than
 * this program). `where` begins the error's text. */
int32_t tpad_proto_read(tpad_proto *proto, tpad_string body, const char *where,
                        tpad_io_error *error);

/* Fills a zeroed tensor with the elements inside the message: as a view of them, or decoded into
 * memory of its own (then tensor->memory is set). The caller frees it, also on failure. */
int32_t tpad_proto_load(tpad_tensor *tensor, const tpad_proto *proto, const char *where,
                        tpad_io_error *error);

/* The same for elements in another file, which the caller has opened and keeps open. */
int32_t tpad_proto_view(tpad_tensor *tensor, const tpad_proto *proto, const tpad_bytes *file,
                        const char *where, tpad_io_error *error);

/* The path of that file, malloc'ed: a regular file in the folder of `origin` (the path of the file
 * that holds the message), even after symbolic links are followed. */
int32_t tpad_proto_locate(char **path, const tpad_proto *proto, const char *origin,
                          const char *where, tpad_io_error *error);

#endif
