/* Converts integers and words of a call between Python and C.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

int plain_integer(PyObject *item, int64_t *out)
{
    if (!PyLong_CheckExact(item)) return 0;
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(item, &overflow);
    return overflow == 0 && *out > INT64_MIN;
}

PyObject *plain_items(PyObject *items)
{
    if (PyTuple_CheckExact(items)) return Py_NewRef(items);
    return PyList_CheckExact(items) ? PyList_AsTuple(items) : NULL;
}

int read_integer(context *c, PyObject *item, const char *what, int64_t *out)
{
    if (plain_integer(item, out)) return 0;
    c->foreign = 1;
    PyObject *number = PyNumber_Index(item);
    if (number == NULL) return -1;
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(number, &overflow);
    const int fits = overflow == 0 && *out > INT64_MIN;
    if (!fits)
        PyErr_Format(PyExc_ValueError, "%s is %S, which is more than 64 bits hold", what, number);
    Py_DECREF(number);
    return fits ? 0 : -1;
}

int read_integers(context *c, PyObject *items, const char *what, int most, int64_t *integers)
{
    PyObject *tuple = plain_items(items);
    if (tuple == NULL && !PyErr_Occurred()) {
        c->foreign = 1;
        tuple = PySequence_Tuple(items);
    }
    if (tuple == NULL) return -1;
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count > most) {
        PyErr_Format(PyExc_ValueError, "at most %d axes are supported, got %zd", most, count);
        count = -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (read_integer(c, PyTuple_GetItem(tuple, i), what, &integers[i]) != 0) count = -1;
    Py_DECREF(tuple);
    return (int)count;
}

PyObject *make_integers(int count, const int64_t *integers)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *item = PyLong_FromLongLong(integers[i]);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

int number_of_word(PyObject *word, int32_t (*from_name)(const char *name))
{
    Py_ssize_t length;
    const char *text = PyUnicode_Check(word) ? PyUnicode_AsUTF8AndSize(word, &length) : NULL;
    if (text == NULL) {
        PyErr_Clear(); /* UTF-8 cannot hold it: it is none of the names */
        return -1;
    }
    return strlen(text) == (size_t)length ? from_name(text) : -1;
}
