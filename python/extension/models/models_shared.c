/* What the files of tensorpad._models share.  SPDX-License-Identifier: MIT */
#include "models_shared.h"

#include <string.h>

const char models_capsule[] = "tensorpad._models.model";

PyObject *models_raise(const tpad_io_error *error)
{
    PyObject *type = error->code == TPAD_E_IO       ? PyExc_OSError
                     : error->code == TPAD_E_MEMORY ? PyExc_MemoryError
                                                    : PyExc_ValueError;
    PyErr_SetString(type, error->text);
    return NULL;
}

int models_find_target(models_target *found, PyObject *name)
{
    char known[1024];
    found->name = PyUnicode_AsUTF8AndSize(name, NULL);
    if (found->name == NULL) return -1;
    if (tpad_rules_find(&found->choice, found->name)) {
        if (found->choice.low == found->choice.high && !found->choice.is_nearest)
            found->name = tpad_rules_target_at(found->choice.low)->name;
        return 0;
    }
    tpad_rules_names(known, sizeof known);
    PyErr_Format(PyExc_ValueError,
                 "unknown target '%s'; known are %s, other versions of these runtimes, and names "
                 "without a version",
                 found->name, known);
    return -1;
}

PyObject *models_text(const char *text)
{
    if (text == NULL) return Py_NewRef(Py_None);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

int models_put(PyObject *dict, const char *name, PyObject *value)
{
    int status = value ? PyDict_SetItemString(dict, name, value) : -1;
    Py_XDECREF(value);
    return status;
}

PyObject *models_integers(int32_t count, const int64_t *items, int extents)
{
    if (count < 0) return Py_NewRef(Py_None);
    PyObject *tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple && i < count; i++) {
        PyObject *item =
            extents && items[i] < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(items[i]);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}
