/* The axes that a call speaks of, and an argument's entries for them. SPDX-License-Identifier: MIT
 */
#include "extension.h"

/* ---- axes ------------------------------------------------------------------------------------ */

/* The number of an axis from 0 on; -1 with numpy.exceptions.AxisError, TypeError ... */
static int read_axis(context *c, PyObject *item, const char *what, const char *wanted, int rank)
{
    int64_t number;
    if (!plain_integer(item, &number)) {
        PyObject *index = read_index(c, item, what, wanted);
        if (index == NULL) return -1;
        int overflow;
        number = PyLong_AsLongLongAndOverflow(index, &overflow);
        Py_DECREF(index);
        if (overflow) number = INT64_MAX;
    }
    if (number >= -rank && number < rank) return (int)(number < 0 ? number + rank : number);
    PyObject *module = helpers(c);
    PyObject *none = module ? PyObject_CallMethod(module, "refuse_axis", "(Oi)", item, rank) : NULL;
    Py_XDECREF(none);
    return -1;
}

static int refuse_twice(const char *what, PyObject *axes)
{
    PyErr_Format(PyExc_ValueError, "%s names an axis twice: %R", what, axes);
    return -1;
}

int read_chosen(context *c, PyObject *axes, const char *what, int rank, chosen_axes *chosen)
{
    chosen->count = 0;
    if (axes == NULL || axes == Py_None) {
        for (int i = 0; i < rank; i++) chosen->numbers[i] = i;
        chosen->count = rank;
        return 0;
    }
    PyObject *items = NULL;
    if (PyIndex_Check(axes)) {
        c->foreign = 1;
        PyObject *index = PyNumber_Index(axes);
        if (index != NULL) {
            items = PyTuple_Pack(1, index);
            Py_DECREF(index);
        } else if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear(); /* an array of several axes */
        }
    }
    if (items == NULL && !PyErr_Occurred()) items = read_items(c, axes, what, "integers");
    if (items == NULL) return -1;
    const Py_ssize_t count = PyTuple_Size(items);
    uint64_t seen = 0;
    int status = 0, twice = 0;
    for (Py_ssize_t i = 0; status == 0 && i < count; i++) {
        const int number = read_axis(c, PyTuple_GetItem(items, i), what, "integers", rank);
        if (number < 0) {
            status = -1;
        } else if (seen >> number & 1) {
            twice = 1;
        } else {
            seen |= (uint64_t)1 << number;
            chosen->numbers[chosen->count++] = number;
        }
    }
    Py_DECREF(items);
    return status == 0 && twice ? refuse_twice(what, axes) : status;
}

/* ---- One entry for each axis ----------------------------------------------------------------- */

/* The axes of a call: an array of structs of either kind. */
typedef struct struct_array {
    char *first;
    size_t bytes; /* of one */
} struct_array;

static void *struct_of(struct_array axes, int number)
{
    return axes.first + (size_t)number * axes.bytes;
}

/* A dict by axis. */
static int read_dict(context *c, PyObject *dict, const char *what, int rank, read_entry *read,
                     struct_array axes)
{
    if (!PyDict_CheckExact(dict)) c->foreign = 1;
    PyObject *items = PyMapping_Items(dict); /* a list of its own: entries may change the dict */
    if (items == NULL) return -1;
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < PyList_Size(items); i++) {
        PyObject *key, *entry;
        if (!PyArg_ParseTuple(PyList_GetItem(items, i), "OO", &key, &entry)) {
            status = -1;
        } else {
            const int number = read_axis(c, key, what, "a dict by integers", rank);
            status = number < 0 ? -1 : read(c, entry, number, struct_of(axes, number));
        }
    }
    Py_DECREF(items);
    return status;
}

int read_each(context *c, PyObject *value, int rank, const chosen_axes *chosen, const char *what,
              read_entry *read, void *into, size_t struct_bytes)
{
    const struct_array axes = {into, struct_bytes};
    union {
        tpad_axis axis;
        tpad_fit_axis wish;
    } unused;
    if (PyDict_Check(value)) return read_dict(c, value, what, rank, read, axes);
    const int is_array =
        PyObject_TypeCheck(value, (PyTypeObject *)c->state->ndarray) && PySequence_Size(value) >= 0;
    PyErr_Clear(); /* an array without axes is one entry */
    if (!is_array && !PyList_Check(value) && !PyTuple_Check(value)) {
        if (chosen->count == 0) return read(c, value, -1, &unused);
        int status = 0;
        for (int i = 0; status == 0 && i < chosen->count; i++) {
            const int number = chosen->numbers[i];
            status = read(c, value, number, struct_of(axes, number));
        }
        return status;
    }
    PyObject *items = plain_items(value);
    if (items == NULL && !PyErr_Occurred()) {
        c->foreign = 1;
        items = PySequence_Tuple(value);
    }
    if (items == NULL) return -1;
    const Py_ssize_t count = PyTuple_Size(items);
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < count; i++) {
        const int number = i < chosen->count ? chosen->numbers[i] : -1;
        status = read(c, PyTuple_GetItem(items, i), number,
                      number < 0 ? &unused : struct_of(axes, number));
    }
    Py_DECREF(items);
    if (status == 0 && count != chosen->count) {
        PyErr_Format(PyExc_ValueError, "%s has %zd entries, for %d axes", what, count,
                     chosen->count);
        status = -1;
    }
    return status;
}
