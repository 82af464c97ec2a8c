/* From the arguments of a call to the fields of a struct.  SPDX-License-Identifier: MIT
 *
 * The errors are those of functions that are written in Python.
 */
#include "extension.h"

#include <string.h>

/* The number of the parameter with this name, or `count`. */
static int find(const signature *of, const char *name)
{
    int i = 0;
    while (i < of->count && strcmp(of->parameters[i].name, name) != 0) i++;
    return i;
}

static int refuse_count(const signature *of, Py_ssize_t count)
{
    int least = 0;
    while (least < of->positional && of->parameters[least].required) least++;
    if (least == of->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d positional argument%s but %zd were given",
                     of->name, least, least == 1 ? "" : "s", count);
    } else {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes from %d to %d positional arguments but %zd were given", of->name,
                     least, of->positional, count);
    }
    return -1;
}

/* Names what is missing of the positional arguments, or of those behind them: "'array' and
 * 'pad_width'". */
static int refuse_missing(const signature *of, PyObject *const *fields, int first, int end)
{
    char list[256] = "";
    int missing = 0, named = 0;
    for (int i = first; i < end; i++) missing += of->parameters[i].required && fields[i] == NULL;
    if (missing == 0) return 0;
    for (int i = first; i < end; i++) {
        if (!of->parameters[i].required || fields[i] != NULL) continue;
        const size_t used = strlen(list);
        const char *between = named == 0            ? ""
                              : named < missing - 1 ? ", "
                              : missing == 2        ? " and "
                                                    : ", and ";
        PyOS_snprintf(list + used, sizeof list - used, "%s'%s'", between, of->parameters[i].name);
        named++;
    }
    PyErr_Format(PyExc_TypeError, "%s() missing %d required %s argument%s: %s", of->name, missing,
                 first == 0 ? "positional" : "keyword-only", missing == 1 ? "" : "s", list);
    return -1;
}

/* A name that no parameter has, with the one that is most like it. */
static int refuse_name(const signature *of, const char *name)
{
    PyObject *module = PyImport_ImportModule("tensorpad._arguments");
    PyObject *known = module ? PyList_New(of->count) : NULL;
    for (int i = 0; known && i < of->count; i++) {
        PyObject *one = PyUnicode_FromString(of->parameters[i].name);
        if (one == NULL || PyList_SetItem(known, i, one) != 0) Py_CLEAR(known);
    }
    PyObject *hint =
        known ? PyObject_CallMethod(module, "did_you_mean", "(sO)", name, known) : NULL;
    if (hint)
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%s'%U", of->name,
                     name, hint);
    Py_XDECREF(known);
    Py_XDECREF(module);
    Py_XDECREF(hint);
    return -1;
}

int read_call(const signature *of, PyObject *const *args, Py_ssize_t count, PyObject *names,
              PyObject **fields)
{
    memset(fields, 0, sizeof *fields * (size_t)of->count);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (i == of->positional) return refuse_count(of, count);
        fields[i] = args[i];
    }
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    int more = 0;
    for (Py_ssize_t i = 0; i < named; i++) {
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), NULL);
        if (name == NULL) return -1;
        const int number = find(of, name);
        if (number == of->count) {
            more++;
            if (of->takes_more) continue;
            return refuse_name(of, name);
        }
        if (fields[number] != NULL) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%s'", of->name,
                         name);
            return -1;
        }
        fields[number] = args[count + i];
    }
    int i = 0;
    while (i < of->count && (fields[i] != NULL || !of->parameters[i].required)) i++;
    if (i < of->count && (refuse_missing(of, fields, 0, of->positional) != 0 ||
                          refuse_missing(of, fields, of->positional, of->count) != 0))
        return -1;
    return more;
}

PyObject *call_helper(context *c, const char *function, PyObject *const *args, Py_ssize_t count,
                      PyObject *names)
{
    PyObject *module = helpers(c);
    PyObject *called = module ? PyObject_GetAttrString(module, function) : NULL;
    PyObject *positional = called ? PyTuple_New(count) : NULL;
    PyObject *named = positional ? PyDict_New() : NULL;
    PyObject *result = NULL;
    if (named == NULL) goto done;
    for (Py_ssize_t i = 0; i < count; i++)
        if (PyTuple_SetItem(positional, i, Py_NewRef(args[i])) != 0) goto done;
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++)
        if (PyDict_SetItem(named, PyTuple_GetItem(names, i), args[count + i]) != 0) goto done;
    result = PyObject_Call(called, positional, named);
done:
    Py_XDECREF(named);
    Py_XDECREF(positional);
    Py_XDECREF(called);
    return result;
}
