/* What the files of the specifications share.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PYTHON_EXTENSION_SPEC_CALLS_H
#define TENSORPAD_PYTHON_EXTENSION_SPEC_CALLS_H

#include "extension.h"

#include <tensorpad/dialect.h>

enum { MOST_AMOUNTS = 2 * TPAD_MAX_RANK };

/* The two specifications that give names to element types. */
enum { ONNX_WORDS, OPENVINO_WORDS };
/* OpenVINO's word for a type of ONNX, NULL if it has none. */
const char *openvino_word(int32_t type);

/* An argument that the specification calls a tensor. `word`, `shape` and `data` are what a
 * translation takes; they lie in the struct or belong to it, so it must stay where it is. */
typedef struct tensor_argument {
    int present;
    const char *word; /* of its element type */
    int rank;
    int64_t shape[TPAD_MAX_RANK];
    const void *data; /* NULL for the elements of texts, which are no handles in NumPy */
    PyObject *array;  /* owns data, or NULL */
    PyObject *name;   /* owns word, or NULL */
    array_view view;
    int64_t integers[MOST_AMOUNTS];
    unsigned char bytes[MOST_PLAIN_BYTES];
} tensor_argument;

/* These three fill in a struct of zeros. They return 0, or -1 with an exception.
 * The type and shape of the data. */
int read_subject(context *c, const operand *data, int words, tensor_argument *to);
/* Amounts or axes: a list of integers, or an array of any type. None and NULL: not present. name:
 * of the argument. */
int read_int64s(context *c, PyObject *from, const char *name, int words, tensor_argument *to);
/* A pad value: a plain number becomes an element of `like`, which has to hold it; an array or a
 * scalar of NumPy keeps its type. None and NULL: not present. name: of the argument. */
int read_value(context *c, PyObject *from, const char *name, const operand *like, int words,
               tensor_argument *to);
void tensor_close(tensor_argument *one);

/* A word such as a mode: NULL for None; `absent` for NULL. */
int read_word(PyObject *object, const char *absent, const char **word);
/* The number of an operator set; what 32 bits do not hold becomes the nearest number. */
int read_opset(context *c, PyObject *object, const char *name, int32_t absent, int32_t *opset);
/* Whether the object is true; NULL is not. -1 with an exception. */
int read_flag(context *c, PyObject *object);

/* Pads `data` as the translation says; closes nothing. value: the argument that was given, for
 * types whose elements only NumPy can assign. Returns a new reference, or NULL. */
PyObject *run_translation(context *c, const tpad_translation *made, operand *data,
                          const tensor_argument *value, PyObject *out, int threads);

/* ---- packed.c: buffers with elements of less than a byte ------------------------------------- */

/* A packed tensor is one stream of bits over the whole row-major tensor: rows need not begin on a
 * byte. The first element is in the low bits of a byte, as ONNX and OpenVINO have it; OpenVINO's u1
 * has it in the high bit. */

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
