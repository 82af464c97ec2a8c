/* The items of a batch.  SPDX-License-Identifier: MIT
 *
 * An item is an array, a list of numbers, or a list of lists of numbers. It has one part, or one
 * per inner list. The numbers of all lists are in one buffer, unless NumPy had to read them.
 */
#ifndef TENSORPAD_PYTHON_EXTENSION_BATCH_CALL_H
#define TENSORPAD_PYTHON_EXTENSION_BATCH_CALL_H

#include "extension.h"

typedef struct batch_part {
    PyObject *numbers; /* the elements of a list, mostly a tuple; NULL: an array */
    operand array;     /* array.array is NULL if the numbers are in the buffer */
    Py_ssize_t first;  /* index of the first number there */
    Py_ssize_t count;  /* how many numbers */
    Py_ssize_t item;   /* the number of its item */
    Py_ssize_t list;   /* its number in an item of lists; -1: the part is the whole item */
} batch_part;

typedef struct batch_source {
    Py_ssize_t items;
    batch_part *parts; /* in the order of the items */
    Py_ssize_t count;
    Py_ssize_t room;
    int nested;   /* 1: some item is a list of lists */
    int rank;     /* of the items */
    int left;     /* 1: refused, but Python may pad this type by its places (batch_by_places) */
    int converts; /* 1: the call gives the type, and items are converted */
    PyObject *tensors;     /* torch.Tensor, if tensor_open can open tensors; else NULL */
    int recorded;          /* 1: torch records gradients */
    PyObject *torch_type;  /* torch's dtype, if the type comes from a tensor */
    PyObject *maker;       /* of outputs, as in operand_make; NULL: NumPy's */
    operand type;          /* some array of the common type; type.array NULL: not known yet */
    Py_ssize_t type_item;  /* the item that the type comes from */
    unsigned char *buffer; /* dense elements of that type */
} batch_source;

/* ---- batch_items.c: parts ------------------------------------------------------------------- */

/* Prefixes the current TypeError, ValueError or OverflowError with "item 3: " or, if list >= 0,
 * "item 3, list 1: "; returns -1. */
int batch_blame(Py_ssize_t item, Py_ssize_t list);
/* A new empty part; NULL with MemoryError. Earlier parts may move. */
batch_part *batch_add_part(batch_source *source, Py_ssize_t item, Py_ssize_t list);
/* Adds the part of an item that is not a list. Returns 0, or -1 with an exception. */
int batch_add_array(context *c, batch_source *source, PyObject *thing, Py_ssize_t item);
/* Makes this array's type the batch's, or compares the two. Returns 0, or -1 with TypeError. */
int batch_match_type(context *c, batch_source *source, operand *array, Py_ssize_t item);
/* 1 for an item [], which has as many axes as the other items. */
int batch_is_empty_list(const batch_part *part);
/* operand_refresh of all arrays. */
int batch_refresh(context *c, batch_source *source);
void batch_close(const context *c, batch_source *source);

/* ---- batch_lists.c --------------------------------------------------------------------------- */

/* Adds the parts of an item that is a list or tuple. Returns 0, or -1 with an exception. */
int batch_add_list(context *c, batch_source *source, PyObject *list, Py_ssize_t item);
/* Reads the numbers of all lists, after all parts were added. Their type is the call's, or the one
 * that numpy.asarray finds for all numbers together. Returns 0, or -1 with an exception. */
int batch_read_lists(context *c, batch_source *source);

/* ---- batch_items.c: the library's arguments ------------------------------------------------- */

/* The tensors of a library call: the items, or for lists of lists each inner list, because each has
 * its own length. */
typedef struct batch_tensors {
    tpad_batch_item *tensors;
    int64_t *integers; /* their extents and strides */
    int64_t each;      /* tensors per item of the output */
    int of_lists;      /* 1: the tensors are inner lists, along the second axis of an item */
    /* If most lists are missing: each list's row of the output, `each` rows per item, ascending.
     * NULL: all in order. */
    int64_t *rows;
    int64_t extents[TPAD_MAX_RANK]; /* of an item of the output: source->rank */
    tpad_fit_axis requests[TPAD_MAX_RANK];
    tpad_fit fit; /* for a tensor */
    tpad_batch batch;
} batch_tensors;

/* Checks the items' extents against the requests: axes that are not chosen must have equal extents;
 * resolve_request decides the others. Returns 0, or -1 with ValueError. */
int batch_limit(const batch_source *source, const chosen_axes *chosen, const axis_buckets *buckets,
                tpad_fit_axis *requests);
/* Describes the items as they are now, and finds the extents. requests: for the axes of an item.
 * `out` borrows from the source and must not be copied. Returns 0, or -1 with an exception; call
 * batch_free in either case. */
int batch_describe(const batch_source *source, const tpad_fit_axis *requests, batch_tensors *out);
void batch_free(batch_tensors *layout);
/* Runs a batch of lists if most are missing; for others there is tpad_batch_run. blank 0: the rows
 * of missing lists already have their contents. */
int32_t batch_run_rows(const batch_source *source, const batch_tensors *layout, int blank,
                       const tpad_runner *runner, int64_t *tensor, tpad_error *error);
/* Runs a batch whose items have constants of their own: `batch.value` and the values after it.
 * Fixes the extents. */
int32_t batch_run_each(const batch_source *source, batch_tensors *layout, const tpad_runner *runner,
                       int64_t *tensor, tpad_error *error);
/* Raises the library's error about a tensor, or about the whole call (tensor -1); returns -1. */
int batch_refuse(const batch_tensors *layout, const tpad_error *error, int64_t tensor);

#endif
