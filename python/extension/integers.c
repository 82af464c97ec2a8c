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

/* Raises the TypeError of an argument that is no integer, in place of the error that is set. */
static void refuse(PyObject *item, const char *what, const char *wanted)
{
    PyErr_Clear(); /* repr may run code of others */
    PyObject *shown = PyObject_Repr(item);
    if (shown == NULL) return;
    const int lines = PyUnicode_FindChar(shown, '\n', 0, PyUnicode_GetLength(shown), 1) >= 0;
    PyErr_Format(PyExc_TypeError, "%s has to be %s, got %S", what, wanted,
                 lines ? (PyObject *)Py_TYPE(item) : shown);
    Py_DECREF(shown);
}

PyObject *read_index(context *c, PyObject *item, const char *what, const char *wanted)
{
    c->foreign = 1;
    PyObject *number = PyNumber_Index(item);
    if (number == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) refuse(item, what, wanted);
    return number;
}

int read_integer(context *c, PyObject *item, const char *what, const char *wanted, int64_t *out)
{
    if (plain_integer(item, out)) return 0;
    PyObject *number = read_index(c, item, what, wanted);
    if (number == NULL) return -1;
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(number, &overflow);
    const int fits = overflow == 0 && *out > INT64_MIN;
    if (!fits)
        PyErr_Format(PyExc_ValueError, "%s is %S, which is more than 64 bits hold", what, number);
    Py_DECREF(number);
    return fits ? 0 : -1;
}

PyObject *read_items(context *c, PyObject *items, const char *what, const char *wanted)
{
    PyObject *tuple = plain_items(items);
    if (tuple != NULL || PyErr_Occurred()) return tuple;
    if (PyBytes_Check(items)) { /* b"12" would be 49 and 50 */
        refuse(items, what, wanted);
        return NULL;
    }
    c->foreign = 1;
    PyObject *iterator = PyObject_GetIter(items);
    if (iterator == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) refuse(items, what, wanted);
        return NULL;
    }
    tuple = PySequence_Tuple(iterator);
    Py_DECREF(iterator);
    return tuple;
}

int read_integers(context *c, PyObject *items, const char *what, int most, int64_t *integers)
{
    PyObject *tuple = read_items(c, items, what, "integers");
    if (tuple == NULL) return -1;
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count > most) {
        PyErr_Format(PyExc_ValueError, "at most %d axes are supported, got %zd", most, count);
        count = -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (read_integer(c, PyTuple_GetItem(tuple, i), what, "integers", &integers[i]) != 0)
            count = -1;
    Py_DECREF(tuple);
    return (int)count;
}

int extents_of(context *c, PyObject *shape, const char *what, int64_t *extents)
{
    if (PyIndex_Check(shape)) {
        c->foreign = 1;
        PyObject *index = PyNumber_Index(shape);
        if (index != NULL) {
            const int status = read_integer(c, index, what, "integers", extents);
            Py_DECREF(index);
            return status == 0 ? 1 : -1;
        }
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
        PyErr_Clear(); /* an array of several integers */
    }
    return read_integers(c, shape, what, TPAD_MAX_RANK, extents);
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

/* integer(value, what, wanted): the value as an integer of any size, as read_index reads it */
PyObject *core_integer(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("integer", count, 3)) return NULL;
    const char *what = PyUnicode_AsUTF8AndSize(args[1], NULL);
    const char *wanted = what ? PyUnicode_AsUTF8AndSize(args[2], NULL) : NULL;
    return wanted ? read_index(&c, args[0], what, wanted) : NULL;
}

/* shape(shape, what): the shape as a tuple, as extents_of reads it */
PyObject *core_shape(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("shape", count, 2)) return NULL;
    const char *what = PyUnicode_AsUTF8AndSize(args[1], NULL);
    int64_t extents[TPAD_MAX_RANK];
    const int rank = what ? extents_of(&c, args[0], what, extents) : -1;
    return rank < 0 ? NULL : make_integers(rank, extents);
}
