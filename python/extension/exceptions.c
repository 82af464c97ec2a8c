/* Errors of the library as Python exceptions.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

enum { LINE_BYTES = 512 };

PyObject *raise_error(const tpad_error *error)
{
    char line[LINE_BYTES];
    tpad_error_format(error, line, sizeof line);
    PyErr_SetString(error->code == TPAD_E_MEMORY ? PyExc_MemoryError : PyExc_ValueError, line);
    return NULL;
}

PyObject *raise_item_error(const tpad_error *error, int64_t item)
{
    char line[LINE_BYTES];
    if (item < 0) return raise_error(error);
    tpad_error_format(error, line, sizeof line);
    PyErr_Format(PyExc_ValueError,
                 strncmp(line, "axis ", 5) == 0 ? "item %lld, %s" : "item %lld: %s",
                 (long long)item, line);
    return NULL;
}

static int set_integer(PyObject *object, const char *name, int present, int64_t value)
{
    PyObject *item = present ? PyLong_FromLongLong(value) : Py_NewRef(Py_None);
    int status = item ? PyObject_SetAttrString(object, name, item) : -1;
    Py_XDECREF(item);
    return status;
}

PyObject *helpers(context *c)
{
    c->foreign = 1;
    if (c->state->helpers == NULL)
        PyErr_SetString(PyExc_RuntimeError, "import tensorpad, not tensorpad._core");
    return c->state->helpers;
}

PyObject *raise_spec_error(context *c, const tpad_error *error, const char *spec)
{
    char line[LINE_BYTES];
    tpad_error_format(error, line, sizeof line);
    PyObject *module = helpers(c);
    PyObject *exception =
        module ? PyObject_CallMethod(module, "SpecError", "(ss)", line, spec) : NULL;
    if (exception == NULL) return NULL;
    int on_axis = error->axis >= 0;
    if (set_integer(exception, "axis", on_axis, error->axis) == 0 &&
        set_integer(exception, "got", 1, error->got) == 0 &&
        set_integer(exception, "limit", 1, error->limit) == 0)
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_DECREF(exception);
    return NULL;
}

const void *check_count(const char *function, Py_ssize_t count, Py_ssize_t wanted)
{
    if (count == wanted) return function;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", function, wanted, count);
    return NULL;
}
