/* A TensorProto: where its elements are, and whether they are as many as it says.
 * SPDX-License-Identifier: MIT
 *
 * Shared by tensor_proto.c (.pb files) and the files of the model reader. */
#ifndef TPAD_ONNX_TENSOR_PROTO_H
#define TPAD_ONNX_TENSOR_PROTO_H

#include "wire.h"

/* What the message says, checked: the elements are there, exactly as many as the shape takes, or
 * they are in another file. Slices of the bytes that were read. */
typedef struct tpad_proto {
    tpad_string body; /* the whole message */
    tpad_string name;
    int32_t type; /* TPAD_ONNX_... */
    int32_t rank;
    int64_t dims[TPAD_MAX_RANK];
    int64_t elems, bytes;
    const void *raw;      /* the elements in the message as they are, or NULL: decode them */
    int32_t external;     /* 1: in the file `location`, from `offset` on */
    tpad_string location; /* */
    int64_t offset;       /* */
} tpad_proto;

/* Errors: E_FILE (damaged or contradicts itself), E_RANK, E_FILE_TYPE (an element type that is
 * newer than we are). `where` begins the error's text. */
int32_t tpad_proto_read(tpad_proto *proto, tpad_string body, const char *where,
                        tpad_io_error *error);

/* Makes a zeroed tensor of elements inside the message: a view, or decoded into memory of its own
 * (then with tensor->memory). For the caller to free, on failure too. */
int32_t tpad_proto_load(tpad_tensor *tensor, const tpad_proto *proto, const char *where,
                        tpad_io_error *error);

/* The same of elements in another file, which the caller has opened and keeps. */
int32_t tpad_proto_view(tpad_tensor *tensor, const tpad_proto *proto, const tpad_bytes *file,
                        const char *where, tpad_io_error *error);

/* The path of that file, malloc'ed: a regular file in the folder of `origin` (the path of the file
 * that holds the message), also once symbolic links are followed. */
int32_t tpad_proto_locate(char **path, const tpad_proto *proto, const char *origin,
                          const char *where, tpad_io_error *error);

#endif
