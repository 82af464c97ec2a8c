/* The items of a batch.  SPDX-License-Identifier: MIT
 *
 * An item is an array, a list of numbers, or a list of lists of numbers. It has one part, or as
 * many as it has lists. The numbers of all lists lie in one buffer, unless NumPy had to read them.
 */
#ifndef TENSORPAD_PYTHON_EXTENSION_BATCH_CALL_H
#define TENSORPAD_PYTHON_EXTENSION_BATCH_CALL_H

#include "extension.h"

typedef struct batch_part {
    PyObject *numbers; /* the elements of a list, mostly a tuple; NULL: an array */
    operand array;     /* array.array is NULL if the numbers lie in the buffer */
    Py_ssize_t first;  /* the first of them there */
    Py_ssize_t count;  /* how many they are */
    Py_ssize_t item;   /* the number of its item */
    Py_ssize_t list;   /* its number in an item of lists; -1: it is the whole item */
} batch_part;

typedef struct batch_source {
    Py_ssize_t items;
    batch_part *parts; /* in the order of the items */
    Py_ssize_t count;
    Py_ssize_t room;
    int nested;            /* 1: some item is a list of lists */
    int rank;              /* of the items */
    int left;              /* 1: refused for a type of which Python may pad the places */
    int converts;          /* 1: the call says the type, and items become of this type */
    PyObject *tensors;     /* torch.Tensor, if tensor_open can open tensors; else NULL */
    int recorded;          /* 1: torch records gradients of tensors that want them */
    PyObject *torch_type;  /* if a tensor has told the type: the type as torch knows it */
    operand type;          /* some array of the type that all have; type.array NULL: not known yet.
                              Its maker makes outputs that are not NumPy's. */
    Py_ssize_t type_item;  /* the item that has told the type */
    unsigned char *buffer; /* dense elements of that type */
} batch_source;

/* ---- batch_items.c: parts ------------------------------------------------------------------- */

/* Puts "item 3: " or, if list >= 0, "item 3, list 1: " in front of the TypeError, ValueError or
 * OverflowError that is set; returns -1. */
int batch_blame(Py_ssize_t item, Py_ssize_t list);
/* A new part without anything in it; NULL with MemoryError. Parts before it may move. */
batch_part *batch_add_part(batch_source *source, Py_ssize_t item, Py_ssize_t list);
/* Adds the part of an item that is no list. Returns 0, or -1 with an exception. */
int batch_add_array(context *c, batch_source *source, PyObject *thing, Py_ssize_t item);
/* Makes the type of this array that of the batch, or compares the two. Returns 0, or -1 with
 * TypeError. */
int batch_match_type(context *c, batch_source *source, operand *array, Py_ssize_t item);
/* 1 for an item [], which has as many axes as the others. */
int batch_is_empty_list(const batch_part *part);
/* Looks at all arrays again, as operand_refresh does. */
int batch_refresh(context *c, batch_source *source);
void batch_close(const context *c, batch_source *source);

/* ---- batch_lists.c --------------------------------------------------------------------------- */

/* Adds the parts of an item that is a list or tuple. Returns 0, or -1 with an exception. */
int batch_add_list(context *c, batch_source *source, PyObject *list, Py_ssize_t item);
/* Reads the numbers of all lists, when all parts are there. Their type is that of the call, or the
 * one that numpy.asarray finds for all numbers together. Returns 0, or -1 with an exception. */
int batch_read_lists(context *c, batch_source *source);

/* ---- batch_items.c: what the library gets ---------------------------------------------------- */

/* The tensors of a call of the library: the items, or, where there are lists of lists, each of the
 * lists, because each has a length of its own. */
typedef struct batch_tensors {
    tpad_batch_item *tensors;
    int64_t *integers;              /* their extents and strides */
    int64_t each;                   /* how many tensors an item of the output has */
    int of_lists;                   /* 1: they are lists, along the second axis of an item */
    int64_t *rows;                  /* lists, where most are missing: for each the row of the
                                       output, ascending, if an item has `each`. NULL: all in order */
    int64_t extents[TPAD_MAX_RANK]; /* of an item of the output: source->rank of them */
    tpad_fit_axis requests[TPAD_MAX_RANK];
    tpad_fit fit; /* for a tensor */
    tpad_batch batch;
} batch_tensors;

/* Compares the items' extents with the requests: extents of axes that are not chosen have to be
 * equal, and resolve_request decides the others. Returns 0, or -1 with ValueError. */
int batch_limit(const batch_source *source, const chosen_axes *chosen, const axis_buckets *buckets,
                tpad_fit_axis *requests);
/* Describes the items as they are now, and finds the extents. requests: for the axes of an item.
 * `out` borrows from the source and may not be copied. Returns 0, or -1 with an exception;
 * batch_free is needed in any case. */
int batch_describe(const batch_source *source, const tpad_fit_axis *requests, batch_tensors *out);
void batch_free(batch_tensors *made);
/* Runs the batch of lists of which most are missing; for others there is tpad_batch_run. blank: 0:
 * the rows of missing lists hold what is to be there. */
int32_t batch_run_rows(const batch_source *source, const batch_tensors *made, int blank,
                       const tpad_runner *runner, int64_t *tensor, tpad_error *error);
/* Runs a batch of which each item has a constant of its own, `batch.value` and those after it. Fixes
 * the extents. */
int32_t batch_run_each(const batch_source *source, batch_tensors *made, const tpad_runner *runner,
                       int64_t *tensor, tpad_error *error);
/* Raises what the library says of a tensor, or of the whole call (tensor -1); returns -1. */
int batch_refuse(const batch_tensors *made, const tpad_error *error, int64_t tensor);

#endif
