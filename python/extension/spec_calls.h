/* What the files of the specifications share.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PYTHON_EXTENSION_SPEC_CALLS_H
#define TENSORPAD_PYTHON_EXTENSION_SPEC_CALLS_H

#include "extension.h"

#include <tensorpad/dialect.h>

enum { MOST_AMOUNTS = 2 * TPAD_MAX_RANK };

/* The two specifications that name element types. */
enum { ONNX_WORDS, OPENVINO_WORDS };
/* OpenVINO's name for an ONNX type; NULL if it has none. */
const char *openvino_word(int32_t type);

/* An argument that is a tensor in the specification. A translation takes `word`, `shape` and
 * `data`. They are in the struct or owned by it, so it must not be moved. */
typedef struct tensor_argument {
    int present;
    const char *word; /* of its element type */
    int rank;
    int64_t shape[TPAD_MAX_RANK];
    const void *data; /* NULL for texts, whose elements are not handles in NumPy */
    PyObject *array;  /* owns data, or NULL */
    PyObject *name;   /* owns word, or NULL */
    array_view view;
    int64_t integers[MOST_AMOUNTS];
    unsigned char bytes[MOST_PLAIN_BYTES];
} tensor_argument;

/* The next three fill in a zeroed struct and return 0, or -1 with an exception. This one: type and
 * shape of the data. */
int read_subject(context *c, const operand *data, int spec, tensor_argument *to);
/* Amounts or axes: a list of integers, or an array of any type. None and NULL: not present. name:
 * of the argument. */
int read_int64s(context *c, PyObject *from, const char *name, int spec, tensor_argument *to);
/* A pad value: a plain number becomes an element of `like`, whose type must hold it; a NumPy array
 * or scalar keeps its type. None and NULL: not present. name: of the argument. */
int read_value(context *c, PyObject *from, const char *name, const operand *like, int spec,
               tensor_argument *to);
void tensor_close(tensor_argument *one);

/* Reads a str such as a mode: NULL for None; `absent` for NULL. */
int read_word(PyObject *object, const char *absent, const char **word);
/* Reads the number of an operator set, clamped to 32 bits. */
int read_opset(context *c, PyObject *object, const char *name, int32_t absent, int32_t *opset);
/* 1 if the object is true, 0 if not or NULL; -1 with an exception. */
int read_flag(context *c, PyObject *object);

/* Pads `data` by the translation; closes nothing. value: the argument, for types whose elements
 * only NumPy can assign. Returns a new reference, or NULL. */
PyObject *run_translation(context *c, const tpad_translation *translation, operand *data,
                          const tensor_argument *value, PyObject *out, int threads);

/* ---- packed.c: buffers with elements of less than a byte ------------------------------------- */

/* A packed tensor is one stream of bits over the whole row-major tensor: rows need not begin on a
 * byte. The first element is in the low bits of a byte, as ONNX and OpenVINO have it; OpenVINO's u1
 * has it in the high bit. */

/* A packed tensor as a call describes it; a plain value. */
typedef struct packed_tensor {
    const char *word; /* the type, constant */
    int bits;         /* of an element */
    int high_first;   /* 1: the first element is in the high bits */
    int rank;
    int64_t shape[TPAD_MAX_RANK];
    int filled;           /* 1: the call has a constant */
    unsigned char fill;   /* the constant in the low bits */
    unsigned char stored; /* the constant as the first element of a tensor */
} packed_tensor;

/* Reads the arguments shape and dtype, and a constant (NULL and None: absent). Returns 0, or -1
 * with an exception. */
int read_packed(context *c, PyObject *shape, PyObject *dtype, PyObject *value, packed_tensor *out);

/* Pads the buffer by the translation; returns a new reference. */
PyObject *run_packed(context *c, PyObject *buffer, const packed_tensor *tensor,
                     const tpad_translation *translation, PyObject *out, int threads);

#endif
