/* Buffers with elements of less than a byte.  SPDX-License-Identifier: MIT
 *
 * A packed tensor is one stream of bits over the whole row-major tensor: rows need not begin on a
 * byte. The first element is in the low bits of a byte, as ONNX and OpenVINO have it; OpenVINO's u1
 * has it in the high bit.
 */
#ifndef TENSORPAD_PYTHON_EXTENSION_PACKED_H
#define TENSORPAD_PYTHON_EXTENSION_PACKED_H

#include "extension.h"

#include <tensorpad/dialect.h>

/* What a call says of a packed tensor; a plain value. */
typedef struct packed_tensor {
    const char *word; /* the type, constant */
    int bits;         /* of an element */
    int high_first;   /* 1: the first element is in the high bits */
    int rank;
    int64_t shape[TPAD_MAX_RANK];
    int filled;           /* 1: the call has a constant */
    unsigned char fill;   /* it, in the low bits */
    unsigned char stored; /* it, as the first element of a tensor */
} packed_tensor;

/* Reads the arguments shape and dtype, and a constant (NULL and None: not there). Returns 0, or -1
 * with an exception. */
int read_packed(context *c, PyObject *shape, PyObject *dtype, PyObject *value, packed_tensor *out);

/* Pads the buffer as the translation says; returns a new reference. */
PyObject *run_packed(context *c, PyObject *buffer, const packed_tensor *tensor,
                     const tpad_translation *made, PyObject *out, int threads);

#endif
