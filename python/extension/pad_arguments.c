/* Reads axes, pad_width, mode, interior and order.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

/* ---- axes, and entries for them -------------------------------------------------------------- */

/* ---- axes ------------------------------------------------------------------------------------ */

/* The number of an axis, from 0; -1 with numpy.exceptions.AxisError, TypeError ... */
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
    return let_go(call_python(c, "_arguments", "refuse_axis", "(Oi)", item, rank));
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
            PyErr_Clear(); /* e.g. an array of several axes */
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

/* An array of tpad_axis or tpad_fit_axis. */
typedef struct struct_array {
    char *first;
    size_t bytes; /* of a struct */
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
    PyObject *items = PyMapping_Items(dict); /* a copy: entries may change the dict */
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
        tpad_fit_axis request;
    } unused;
    if (PyDict_Check(value)) return read_dict(c, value, what, rank, read, axes);
    const int is_array =
        PyObject_TypeCheck(value, (PyTypeObject *)c->state->ndarray) && PySequence_Size(value) >= 0;
    PyErr_Clear(); /* e.g. an array without axes: one entry */
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
        const int is_pair = count == 2 && chosen->count == rank && rank > 2;
        PyErr_Format(PyExc_ValueError, "%s has %zd entries, for %d axes%s", what, count,
                     chosen->count,
                     is_pair ? ": axes=(0, 1) or axes=(-2, -1) says which they are for" : "");
        status = -1;
    }
    return status;
}

/* ---- pad_width, mode, interior and order ----------------------------------------------------- */

/* Reads plain integers, lists and tuples of them, and dicts. Anything else that NumPy may
 * understand goes to tensorpad._arguments, and so does a name that is not a mode of the engine, for
 * the error. */

/* ---- pad_width ------------------------------------------------------------------------------- */

/* Reads a tuple or list of two plain integers: 1, else 0. */
static int plain_pair(PyObject *pair, int64_t *before, int64_t *after)
{
    PyObject *items = plain_items(pair);
    const int is = items && PyTuple_Size(items) == 2 &&
                   plain_integer(PyTuple_GetItem(items, 0), before) &&
                   plain_integer(PyTuple_GetItem(items, 1), after);
    Py_XDECREF(items);
    return is;
}

static void set_width(tpad_axis *axis, int64_t before, int64_t after)
{
    axis->before = before;
    axis->after = after;
}

/* Reads one integer, a pair, a list of one pair, or a pair per axis: 1, else 0. */
static int plain_widths(PyObject *pad_width, const chosen_axes *chosen, tpad_axis *axes)
{
    int64_t before, after;
    int same = plain_integer(pad_width, &before);
    if (same) after = before;
    PyObject *items = same ? NULL : plain_items(pad_width);
    const Py_ssize_t count = items ? PyTuple_Size(items) : 0;
    int understood = same;
    if (!same && count == 2)
        same = understood = plain_integer(PyTuple_GetItem(items, 0), &before) &&
                            plain_integer(PyTuple_GetItem(items, 1), &after);
    if (!same && count == 1)
        same = understood = plain_pair(PyTuple_GetItem(items, 0), &before, &after);
    if (!same && items && count == chosen->count) {
        understood = 1;
        for (int i = 0; understood && i < chosen->count; i++) {
            understood = plain_pair(PyTuple_GetItem(items, i), &before, &after);
            set_width(&axes[chosen->numbers[i]], before, after);
        }
    }
    for (int i = 0; same && i < chosen->count; i++)
        set_width(&axes[chosen->numbers[i]], before, after);
    Py_XDECREF(items);
    return understood;
}

/* The same for an array of signed integers: 1, 0, or -1 with an exception. */
static int array_widths(context *c, PyObject *pad_width, const chosen_axes *chosen, tpad_axis *axes)
{
    array_view view;
    if (Py_TYPE(pad_width) != (PyTypeObject *)c->state->ndarray) return 0;
    if (array_open(c->state, pad_width, &view) != 0) return -1;
    const int is_signed = view.kind == 'i';
    array_close(&view);
    PyObject *list = is_signed ? PyObject_CallMethod(pad_width, "tolist", NULL) : NULL;
    if (list == NULL) return is_signed ? -1 : 0;
    const int understood = plain_widths(list, chosen, axes);
    Py_DECREF(list);
    return PyErr_Occurred() ? -1 : understood;
}

/* Reads pad_width through numpy.asarray: a pair for each chosen axis. */
static int numpys_widths(context *c, PyObject *pad_width, const chosen_axes *chosen,
                         tpad_axis *axes)
{
    PyObject *list = call_python(c, "_arguments", "widths", "(Oi)", pad_width, chosen->count);
    if (list == NULL) return -1;
    int status = 0;
    for (int i = 0; status == 0 && i < chosen->count; i++) {
        int64_t before, after;
        if (plain_pair(PyList_GetItem(list, i), &before, &after)) {
            set_width(&axes[chosen->numbers[i]], before, after);
        } else {
            PyErr_SetString(PyExc_ValueError, "an amount is more than 64 bits hold");
            status = -1;
        }
    }
    Py_DECREF(list);
    return status;
}

static int not_integral(void)
{
    PyErr_SetString(PyExc_TypeError, "`pad_width` must be of integral type.");
    return -1;
}

/* Reads the width of one axis in a dict: one integer or two. */
static int read_width(context *c, PyObject *width, int number, void *into)
{
    (void)number;
    tpad_axis *axis = into;
    int64_t before, after;
    if (plain_integer(width, &before)) {
        set_width(axis, before, before);
        return 0;
    }
    if (plain_pair(width, &before, &after)) {
        set_width(axis, before, after);
        return 0;
    }
    c->foreign = 1;
    PyObject *index = PyNumber_Index(width);
    if (index != NULL) {
        const int status = read_integer(c, index, "pad_width", "integers", &before);
        if (status == 0) set_width(axis, before, before);
        Py_DECREF(index);
        return status;
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
    PyErr_Clear();
    PyObject *items = PySequence_Tuple(width);
    int status = -1;
    if (items != NULL && PyTuple_Size(items) == 2) {
        status = read_integer(c, PyTuple_GetItem(items, 0), "pad_width", "integers", &before);
        if (status == 0)
            status = read_integer(c, PyTuple_GetItem(items, 1), "pad_width", "integers", &after);
        if (status == 0) set_width(axis, before, after);
        if (status != 0 && PyErr_ExceptionMatches(PyExc_TypeError)) status = not_integral();
    } else if (items != NULL || PyErr_ExceptionMatches(PyExc_TypeError) ||
               PyErr_ExceptionMatches(PyExc_ValueError)) {
        status = not_integral();
    }
    Py_XDECREF(items);
    return status;
}

/* ---- interior and mode ----------------------------------------------------------------------- */

static int read_interior(context *c, PyObject *entry, int number, void *into)
{
    (void)number;
    tpad_axis *axis = into;
    return read_integer(c, entry, "interior", "integers", &axis->interior);
}

int engine_mode(PyObject *word)
{
    return number_of_word(word, tpad_mode_from_name);
}

int read_mode(context *c, PyObject *word)
{
    const int mode = engine_mode(word);
    if (mode >= 0) return mode;
    return let_go(call_python(c, "_arguments", "refuse_mode", "(O)", word));
}

static int read_mode_of(context *c, PyObject *entry, int number, void *into)
{
    (void)number;
    tpad_axis *axis = into;
    axis->mode = read_mode(c, entry);
    return axis->mode < 0 ? -1 : 0;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static int read_order(PyObject *order)
{
    if (order == NULL) return TPAD_WINDOW;
    if (PyUnicode_Check(order)) {
        if (PyUnicode_CompareWithASCIIString(order, "window") == 0) return TPAD_WINDOW;
        if (PyUnicode_CompareWithASCIIString(order, "crop") == 0) return TPAD_CROP;
    }
    PyErr_Format(PyExc_ValueError, "order has to be 'window' or 'crop', got %R", order);
    return -1;
}

int read_amounts(context *c, const axis_words *words, int rank, tpad_axis *axes)
{
    memset(axes, 0, sizeof *axes * (size_t)rank);
    const int order = read_order(words->order);
    if (order < 0) return -1;
    const int by_axis = PyDict_Check(words->pad_width);
    if (by_axis && words->axes && words->axes != Py_None) {
        PyErr_SetString(PyExc_ValueError,
                        "axes cannot be given when pad_width is a dict: its keys are the axes");
        return -1;
    }
    chosen_axes chosen;
    if (read_chosen(c, words->axes, "axes", rank, &chosen) != 0) return -1;
    if (by_axis) {
        if (read_each(c, words->pad_width, rank, &chosen, "pad_width", read_width, axes,
                      sizeof *axes) != 0)
            return -1;
    } else if (!plain_widths(words->pad_width, &chosen, axes)) {
        if (PyErr_Occurred()) return -1;
        const int understood = array_widths(c, words->pad_width, &chosen, axes);
        if (understood < 0) return -1;
        if (!understood && numpys_widths(c, words->pad_width, &chosen, axes) != 0) return -1;
    }
    if (words->interior && read_each(c, words->interior, rank, &chosen, "interior", read_interior,
                                     axes, sizeof *axes) != 0)
        return -1;
    if (words->mode && PyUnicode_CheckExact(words->mode)) { /* the same for all axes: read once */
        const int mode = read_mode(c, words->mode);
        if (mode < 0) return -1;
        for (int i = 0; i < chosen.count; i++) axes[chosen.numbers[i]].mode = mode;
    } else if (words->mode && read_each(c, words->mode, rank, &chosen, "mode", read_mode_of, axes,
                                        sizeof *axes) != 0) {
        return -1;
    }
    for (int i = 0; i < rank; i++) axes[i].order = order;
    return 0;
}

int read_amounts_of_engine(context *c, const axis_words *words, int rank, tpad_axis *axes)
{
    if (rank <= TPAD_MAX_RANK) return read_amounts(c, words, rank, axes);
    PyErr_Format(PyExc_ValueError, "at most %d axes are supported, got %d", TPAD_MAX_RANK, rank);
    return -1;
}

int some_interior(int rank, const tpad_axis *axes)
{
    int some = 0;
    for (int i = 0; i < rank; i++) some |= axes[i].interior != 0;
    return some;
}

/* ---- As Python tuples ------------------------------------------------------------------------ */

PyObject *make_axes(int rank, const tpad_axis *axes)
{
    PyObject *tuple = PyTuple_New(rank);
    for (int i = 0; tuple && i < rank; i++) {
        const tpad_axis *a = &axes[i];
        const int64_t five[5] = {a->before, a->after, a->interior, a->mode, a->order};
        PyObject *item = make_integers(5, five);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

int read_axes(context *c, PyObject *tuple, tpad_axis *axes)
{
    Py_ssize_t rank = PyTuple_Size(tuple);
    if (rank < 0) return -1;
    if (rank > TPAD_MAX_RANK) {
        PyErr_SetString(PyExc_ValueError, "too many axes");
        return -1;
    }
    for (Py_ssize_t i = 0; i < rank; i++) {
        int64_t five[5];
        int count = read_integers(c, PyTuple_GetItem(tuple, i), "an amount", 5, five);
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

/* axes(rank, pad_width, mode, interior, order, axes): five integers for each axis */
PyObject *core_axes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("axes", count, 6)) return NULL;
    const long rank = PyLong_AsLong(args[0]);
    if (rank < 0 || rank > MOST_AXES) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "too many axes");
        return NULL;
    }
    tpad_axis axes[MOST_AXES];
    const axis_words words = {args[1], args[2], args[3], args[4], args[5]};
    return read_amounts(&c, &words, (int)rank, axes) == 0 ? make_axes((int)rank, axes) : NULL;
}
