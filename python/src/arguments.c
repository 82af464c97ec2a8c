/* Converts integers of a call between tuples of Python and C. SPDX-License-Identifier: MIT */
#include "extension.h"

static int read_integer(PyObject *item, int64_t *out)
{
    *out = item ? PyLong_AsLongLong(item) : -1;
    return *out == -1 && PyErr_Occurred() ? -1 : 0;
}

int read_integers(PyObject *tuple, int64_t *integers)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0) return -1;
    if (count > TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "at most %d axes are supported, got %zd", TPAD_MAX_RANK,
                     count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (read_integer(PyTuple_GetItem(tuple, i), &integers[i]) != 0) return -1;
    return (int)count;
}

int read_axes(PyObject *tuple, tpad_axis *axes)
{
    Py_ssize_t rank = PyTuple_Size(tuple);
    if (rank < 0) return -1;
    if (rank > TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "at most %d axes are supported, got %zd", TPAD_MAX_RANK,
                     rank);
        return -1;
    }
    for (Py_ssize_t i = 0; i < rank; i++) {
        int64_t five[TPAD_MAX_RANK];
        int count = read_integers(PyTuple_GetItem(tuple, i), five);
        if (count < 0) return -1;
        if (count != 5) {
            PyErr_SetString(PyExc_ValueError, "an axis is five integers");
            return -1;
        }
        axes[i] = (tpad_axis){.before = five[0],
                              .after = five[1],
                              .interior = five[2],
                              .mode = (int32_t)five[3],
                              .order = (int32_t)five[4]};
    }
    return (int)rank;
}

PyObject *make_integers(int count, const int64_t *integers)
{
    PyObject *tuple = PyTuple_New(count);
    if (tuple == NULL) return NULL;
    for (int i = 0; i < count; i++) {
        PyObject *item = PyLong_FromLongLong(integers[i]);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) != 0) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    return tuple;
}

int read_threads(const module_state *state, PyObject *threads)
{
    if (threads == NULL || threads == Py_None)
        return atomic_load_explicit(&state->threads, memory_order_relaxed);
    long wanted = PyLong_AsLong(threads);
    if (wanted == -1 && PyErr_Occurred()) return -1;
    if (wanted < 1) {
        PyErr_Format(PyExc_ValueError, "threads has to be at least 1, got %ld", wanted);
        return -1;
    }
    return wanted > TPAD_THREADS_MOST ? TPAD_THREADS_MOST : (int)wanted;
}
