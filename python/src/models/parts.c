/* What the files of tensorpad._models share.  SPDX-License-Identifier: MIT */
#include "parts.h"

#include <string.h>

const char models_capsule[] = "tensorpad._models.model";

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
