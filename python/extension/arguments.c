/* Errors, arguments, integers and strings of a call.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

/* ---- Errors of the library as Python exceptions ---------------------------------------------- */

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

/* A function of a module of the package: a new reference. */
static PyObject *python_function(const char *module, const char *function)
{
    char name[64];
    PyOS_snprintf(name, sizeof name, "tensorpad.%s", module);
    PyObject *loaded = PyImport_ImportModule(name);
    PyObject *found = loaded ? PyObject_GetAttrString(loaded, function) : NULL;
    Py_XDECREF(loaded);
    return found;
}

PyObject *call_python(context *c, const char *module, const char *function, const char *format, ...)
{
    va_list list;
    c->foreign = 1;
    va_start(list, format);
    PyObject *args = Py_VaBuildValue(format, list);
    va_end(list);
    PyObject *called = args ? python_function(module, function) : NULL;
    PyObject *result = called ? PyObject_CallObject(called, args) : NULL;
    Py_XDECREF(called);
    Py_XDECREF(args);
    return result;
}

int let_go(PyObject *result)
{
    Py_XDECREF(result);
    return result ? 0 : -1;
}

PyObject *raise_spec_error(context *c, const tpad_error *error, const char *spec)
{
    char line[LINE_BYTES];
    tpad_error_format(error, line, sizeof line);
    PyObject *exception = call_python(c, "_errors", "SpecError", "(ss)", line, spec);
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

/* ---- From the arguments of a call to the fields of a struct ---------------------------------- */

/* Errors have the texts of functions written in Python. */

/* The index of the parameter with this name, or `count`. */
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

/* Raises TypeError for missing positional arguments, or missing ones after them: "'array' and
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

/* Raises TypeError for an unknown name, with the most similar parameter. */
static int refuse_name(const signature *of, const char *name)
{
    context c = {0};
    PyObject *known = PyList_New(of->count);
    for (int i = 0; known && i < of->count; i++) {
        PyObject *name_object = PyUnicode_FromString(of->parameters[i].name);
        if (name_object == NULL || PyList_SetItem(known, i, name_object) != 0) Py_CLEAR(known);
    }
    PyObject *hint = call_python(&c, "_arguments", "did_you_mean", "(sO)", name, known);
    if (hint)
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%s'%U", of->name,
                     name, hint);
    Py_XDECREF(known);
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

PyObject *through_door(context *c, const char *function, const signature *of,
                       PyObject *const *fields, PyObject *const *args, Py_ssize_t count,
                       PyObject *names)
{
    PyObject *words = PyDict_New();
    int status = words ? 0 : -1;
    for (int i = 0; status == 0 && i < of->count; i++)
        if (fields[i]) status = PyDict_SetItemString(words, of->parameters[i].name, fields[i]);
    for (Py_ssize_t i = 0; status == 0 && names && i < PyTuple_Size(names); i++)
        status = PyDict_SetItem(words, PyTuple_GetItem(names, i), args[count + i]);
    PyObject *result =
        status == 0 ? call_python(c, "_door", "opened", "(sO)", function, words) : NULL;
    Py_XDECREF(words);
    return result;
}

/* ---- Integers and strings -------------------------------------------------------------------- */

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

/* Replaces the current error by the TypeError of an argument that is not an integer. */
static void refuse(PyObject *item, const char *what, const char *wanted)
{
    PyErr_Clear(); /* repr may run foreign code */
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
        PyErr_Clear(); /* e.g. an array of several integers */
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
        PyErr_Clear(); /* not valid UTF-8, so not one of the names */
        return -1;
    }
    return strlen(text) == (size_t)length ? from_name(text) : -1;
}

/* integer(value, what, wanted): the value as an integer of any size, as by read_index */
PyObject *core_integer(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("integer", count, 3)) return NULL;
    const char *what = PyUnicode_AsUTF8AndSize(args[1], NULL);
    const char *wanted = what ? PyUnicode_AsUTF8AndSize(args[2], NULL) : NULL;
    return wanted ? read_index(&c, args[0], what, wanted) : NULL;
}

/* shape(shape, what): the shape as a tuple, as by extents_of */
PyObject *core_shape(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("shape", count, 2)) return NULL;
    const char *what = PyUnicode_AsUTF8AndSize(args[1], NULL);
    int64_t extents[TPAD_MAX_RANK];
    const int rank = what ? extents_of(&c, args[0], what, extents) : -1;
    return rank < 0 ? NULL : make_integers(rank, extents);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* 1 if the process may be a worker of torch's DataLoader whose number of threads is not known yet.
 */
static int may_follow_torch(const module_state *state)
{
    return atomic_load_explicit(&state->ask_torch, memory_order_relaxed) &&
           atomic_load_explicit(&state->threads, memory_order_relaxed) > 1 &&
           PyDict_GetItemString(PyImport_GetModuleDict(), "torch.utils.data") != NULL;
}

int read_threads(const module_state *state, PyObject *threads)
{
    context c = {state, 0};
    if (threads == NULL || threads == Py_None) {
        if (may_follow_torch(state) &&
            let_go(call_python(&c, "_threads", "follow_torch", "()")) != 0)
            return -1;
        return atomic_load_explicit(&state->threads, memory_order_relaxed);
    }
    int64_t wanted;
    if (read_integer(&c, threads, "threads", "an integer", &wanted) != 0) return -1;
    if (wanted < 1) {
        PyErr_Format(PyExc_ValueError, "threads has to be at least 1, got %lld", (long long)wanted);
        return -1;
    }
    return wanted > TPAD_THREADS_MOST ? TPAD_THREADS_MOST : (int)wanted;
}
