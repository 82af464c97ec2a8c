/* Declarations that the files of the extension module share. SPDX-License-Identifier: MIT
 *
 * The extension is CPython C in the limited API of 3.11 and the public headers of tensorpad; it
 * includes no NumPy header. It sees NumPy arrays through `__array_struct__`, NumPy's documented
 * C struct, which tells address, shape and strides of every element type alike.
 */
#ifndef TENSORPAD_PYTHON_H
#define TENSORPAD_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <tensorpad/tensorpad.h>
#include <tensorpad/threads.h>

/* The module's state: constants that are looked up once. There are no static variables. */
typedef struct module_state {
    PyObject *ndarray;    /* numpy.ndarray */
    PyObject *empty;      /* numpy.empty */
    PyObject *spec_error; /* tensorpad.SpecError */
    PyObject *general;    /* tensorpad._general.pad, for calls that the fast path does not take */
    PyObject *word_array_struct;
    PyObject *word_dtype;
    PyObject *word_hasobject;
    PyObject *word_mode;
    PyObject *word_constant_values;
    PyObject *word_out;
    PyObject *word_threads;
    PyObject *word_fortran; /* "F" */
    tpad_threads *pool;     /* for every run; NULL is one thread */
    atomic_int threads;     /* how many share the work if a call does not say it */
} module_state;

/* ---- arguments.c: integers of a call --------------------------------------------------------- */

/* Reads ((before, after, interior, mode, order), ...) into `axes`. Returns the rank or -1. */
int read_axes(PyObject *tuple, tpad_axis *axes);
/* Reads a tuple of at most TPAD_MAX_RANK integers. Returns how many, or -1. */
int read_integers(PyObject *tuple, int64_t *integers);
/* A new tuple of integers. */
PyObject *make_integers(int count, const int64_t *integers);
/* How many threads an argument `threads` allows, at least 1, or -1 with an exception. NULL and None
 * are the default number. */
int read_threads(const module_state *state, PyObject *threads);

/* ---- arrays.c: arrays of NumPy --------------------------------------------------------------- */

/* An array as NumPy describes it. `capsule` keeps it alive and must be released with
 * array_close. */
typedef struct array_view {
    PyObject *capsule;
    char *data;
    const Py_ssize_t *shape;
    const Py_ssize_t *strides;
    int rank;
    int item_bytes;
    int flags; /* ARRAY_... */
    char kind; /* as dtype.kind, but V for user-defined types */
} array_view;

/* Flags of NumPy's struct: names and numbers of its interface. */
enum {
    ARRAY_C_CONTIGUOUS = 0x0001,
    ARRAY_F_CONTIGUOUS = 0x0002,
    ARRAY_NOT_SWAPPED = 0x0200,
    ARRAY_WRITEABLE = 0x0400
};

/* 0, or -1 with an exception. The array is a numpy.ndarray (TypeError for other things). */
int array_open(const module_state *state, PyObject *array, array_view *view);
void array_close(array_view *view);

/* 1 if the elements hold references to objects, which may not be moved as bytes; 0 if not; -1 with
 * an exception. */
int array_has_objects(const module_state *state, const array_view *view, PyObject *array);

/* Its shape as a new tuple. */
PyObject *array_shape(const array_view *view);

/* A new reference to an uninitialised array. */
PyObject *array_empty(const module_state *state, int rank, const int64_t *shape, PyObject *dtype,
                      int fortran);

/* 0 if the array may be written to: it is writeable and no two of its elements share memory; else
 * -1 with ValueError. */
int array_check_output(const array_view *view);

/* 1 if the memory of the two may have bytes in common, from their outermost addresses. */
int array_overlap(const array_view *a, const array_view *b);

/* ---- moves.c: running plans ------------------------------------------------------------------ */

/* Fills in extents and strides of `axes` (amounts and modes are there) and runs. fill: one element
 * or NULL. Returns 0, or -1 with an exception. */
int move_elements(const module_state *state, tpad_axis *axes, const array_view *src,
                  const array_view *dst, const void *fill, int threads);

/* Runs a plan, and releases the GIL if the output is large. `bytes`: about how many it writes.
 * threads: how many may work at most, as read_threads gives it. */
int run_plan(const module_state *state, const tpad_plan *plan, const void *src, void *dst,
             const void *fill, int64_t bytes, int threads);

PyObject *core_move(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_move_packed(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_border(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_shape(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* ---- errors.c -------------------------------------------------------------------------------- */

/* Raises ValueError, or MemoryError or OverflowError if the error means that; always returns
 * NULL. */
PyObject *raise_error(const tpad_error *error);
/* Raises tensorpad.SpecError with its attributes; always returns NULL. */
PyObject *raise_spec_error(const module_state *state, const tpad_error *error, const char *spec);
/* NULL with TypeError unless there are `wanted` arguments; else not NULL. */
const void *check_count(const char *function, Py_ssize_t count, Py_ssize_t wanted);

/* ---- pad.c, plans.c, dialects.c: what Python calls ------------------------------------------- */

PyObject *core_pad(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names);

PyObject *core_plan(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_plan_run(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_plan_box(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_plan_needs(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_plan_sources(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_plan_describe(PyObject *module, PyObject *const *args, Py_ssize_t count);

PyObject *core_onnx(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_openvino(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_ngraph(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_mli(PyObject *module, PyObject *const *args, Py_ssize_t count);

#endif
