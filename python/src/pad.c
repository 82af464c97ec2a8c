/* tensorpad.pad for the most common calls. SPDX-License-Identifier: MIT
 *
 * A NumPy array, amounts as integers or pairs of them, one mode that moves elements, at most
 * constant_values, out and threads: such a call runs here, within a microsecond. Every other call,
 * and every call that will fail, is passed unchanged to tensorpad._general.pad, which knows all
 * forms of NumPy's arguments and its errors.
 */
#include "extension.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The arguments of a call, as far as the fast path understands them. */
typedef struct pad_call {
    PyObject *array;
    PyObject *pad_width;
    PyObject *mode; /* NULL: constant */
    PyObject *constant_values;
    PyObject *out;
    PyObject *threads;
} pad_call;

enum { NOT_HERE = 1 }; /* a third return value beside 0 and -1: the general case */

static int read_call(const module_state *state, pad_call *call, PyObject *const *args,
                     Py_ssize_t count, PyObject *names)
{
    if (count < 2 || count > 3) return NOT_HERE;
    *call = (pad_call){.array = args[0], .pad_width = args[1]};
    if (count == 3) call->mode = args[2];
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < named; i++) {
        const PyObject *name = PyTuple_GetItem(names, i);
        PyObject *value = args[count + i];
        if (name == state->word_mode && call->mode == NULL) {
            call->mode = value;
        } else if (name == state->word_constant_values) {
            call->constant_values = value;
        } else if (name == state->word_out) {
            call->out = value == Py_None ? NULL : value;
        } else if (name == state->word_threads) {
            call->threads = value;
        } else {
            return NOT_HERE;
        }
    }
    if (Py_TYPE(call->array) != (PyTypeObject *)state->ndarray) return NOT_HERE;
    if (call->out && Py_TYPE(call->out) != (PyTypeObject *)state->ndarray) return NOT_HERE;
    return 0;
}

/* ---- Amounts --------------------------------------------------------------------------------- */

/* Reads a plain Python integer; 0 if the object is not one. */
static int plain_integer(PyObject *item, int64_t *out)
{
    if (!PyLong_CheckExact(item)) return 0;
    *out = PyLong_AsLongLong(item);
    if (*out != -1 || !PyErr_Occurred()) return 1;
    PyErr_Clear();
    return 0;
}

static Py_ssize_t plain_length(PyObject *items)
{
    if (PyTuple_CheckExact(items)) return PyTuple_Size(items);
    return PyList_CheckExact(items) ? PyList_Size(items) : -1;
}

static PyObject *plain_item(PyObject *items, Py_ssize_t i)
{
    return PyTuple_CheckExact(items) ? PyTuple_GetItem(items, i) : PyList_GetItem(items, i);
}

static int plain_pair(PyObject *pair, int64_t *before, int64_t *after)
{
    return plain_length(pair) == 2 && plain_integer(plain_item(pair, 0), before) &&
           plain_integer(plain_item(pair, 1), after);
}

static int read_amounts(PyObject *pad_width, tpad_axis *axes, int rank)
{
    int64_t before, after;
    int all = plain_integer(pad_width, &before);
    if (all) {
        after = before;
    } else {
        all = plain_pair(pad_width, &before, &after);
    }
    Py_ssize_t length = all ? 0 : plain_length(pad_width);
    if (length == 1) all = plain_pair(plain_item(pad_width, 0), &before, &after);
    if (!all && (length != rank || rank == 0)) return NOT_HERE;
    for (int i = 0; i < rank; i++) {
        if (!all && !plain_pair(plain_item(pad_width, i), &before, &after)) return NOT_HERE;
        axes[i].before = before;
        axes[i].after = after;
    }
    return 0;
}

/* ---- The fill value -------------------------------------------------------------------------- */

/* Converts a plain number as NumPy does, if that cannot fail, wrap or warn; else NOT_HERE. */
static int convert_fill(const array_view *view, PyObject *value, unsigned char *fill)
{
    int64_t integer = 0;
    double number = 0;
    int is_integer = plain_integer(value, &integer);
    if (!is_integer) {
        if (!PyFloat_CheckExact(value)) return NOT_HERE;
        number = PyFloat_AsDouble(value);
    } else if (integer == 0 && strchr("biufcmM", view->kind) != NULL) {
        memset(fill, 0, (size_t)view->item_bytes);
        return 0;
    }
    if (!(view->flags & ARRAY_NOT_SWAPPED)) return NOT_HERE;
    if (view->kind == 'f') {
        if (is_integer) number = (double)integer;
        float single = (float)number;
        if (view->item_bytes == 8) {
            memcpy(fill, &number, 8);
        } else if (view->item_bytes == 4 && (fabs(number) <= FLT_MAX || !isfinite(number))) {
            memcpy(fill, &single, 4);
        } else {
            return NOT_HERE;
        }
        return is_integer && fabs(number) > 1e15 ? NOT_HERE : 0;
    }
    if (is_integer && integer >= 0 && integer <= 127 && view->item_bytes <= 8 &&
        (view->kind == 'i' || view->kind == 'u')) {
        const uint64_t wide = (uint64_t)integer;
        const uint8_t narrow = (uint8_t)integer;
        const uint16_t two = (uint16_t)integer;
        const uint32_t four = (uint32_t)integer;
        const void *from[9] = {[1] = &narrow, [2] = &two, [4] = &four, [8] = &wide};
        if (from[view->item_bytes] == NULL) return NOT_HERE;
        memcpy(fill, from[view->item_bytes], (size_t)view->item_bytes);
        return 0;
    }
    return NOT_HERE;
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Reads the input and the amounts: fills in `axes` and the shape of the output. */
static int understand(const module_state *state, const pad_call *call, const array_view *src,
                      tpad_axis *axes, int64_t *shape, unsigned char *fill)
{
    if (src->rank > TPAD_MAX_RANK || src->item_bytes == 0 ||
        src->item_bytes > TPAD_MAX_ELEM_BITS / 8)
        return NOT_HERE;
    int has = array_has_objects(state, src, call->array);
    if (has != 0) return has < 0 ? -1 : NOT_HERE;
    memset(axes, 0, sizeof(tpad_axis) * (size_t)src->rank);
    if (read_amounts(call->pad_width, axes, src->rank) != 0) return NOT_HERE;
    int mode = TPAD_CONSTANT;
    if (call->mode) {
        if (!PyUnicode_CheckExact(call->mode)) return NOT_HERE;
        const char *word = PyUnicode_AsUTF8AndSize(call->mode, NULL);
        if (word == NULL) return -1;
        mode = tpad_mode_from_name(word);
        if (mode < 0) return NOT_HERE;
    }
    if (mode == TPAD_CONSTANT) {
        /* In text, records and user-defined types, NumPy's zero is not all bits zero. */
        if (strchr("biufcmM", src->kind) == NULL || src->item_bytes > 16) return NOT_HERE;
        if (call->constant_values == NULL) {
            memset(fill, 0, (size_t)src->item_bytes);
        } else if (convert_fill(src, call->constant_values, fill) != 0) {
            return NOT_HERE;
        }
    } else if (call->constant_values) {
        return NOT_HERE;
    }
    for (int i = 0; i < src->rank; i++) {
        axes[i].mode = mode;
        axes[i].in_extent = src->shape[i];
        if (mode != TPAD_CONSTANT && src->shape[i] == 0) return NOT_HERE;
    }
    const tpad_problem problem = {.struct_size = sizeof problem,
                                  .axis_size = sizeof(tpad_axis),
                                  .axes = axes,
                                  .rank = src->rank,
                                  .elem_bits = 8 * src->item_bytes};
    return tpad_shape(&problem, shape, NULL, NULL, NULL) == TPAD_OK ? 0 : NOT_HERE;
}

/* The result: a new reference to an array, or NULL with *status other than 0. */
static PyObject *pad_fast(const module_state *state, const pad_call *call, const array_view *src,
                          int *status)
{
    tpad_axis axes[TPAD_MAX_RANK];
    int64_t shape[TPAD_MAX_RANK];
    unsigned char fill[16];
    *status = understand(state, call, src, axes, shape, fill);
    if (*status != 0) return NULL;
    *status = -1;
    int threads = read_threads(state, call->threads);
    PyObject *dtype = threads > 0 ? PyObject_GetAttr(call->array, state->word_dtype) : NULL;
    if (dtype == NULL) return NULL;
    PyObject *out;
    if (call->out) {
        /* NumPy's own types have one dtype object each. For other types, Python compares them. */
        out = Py_NewRef(call->out);
        PyObject *given = PyObject_GetAttr(out, state->word_dtype);
        if (given != dtype) {
            *status = given ? NOT_HERE : -1;
            Py_CLEAR(out);
        }
        Py_XDECREF(given);
    } else {
        int fortran =
            (src->flags & (ARRAY_F_CONTIGUOUS | ARRAY_C_CONTIGUOUS)) == ARRAY_F_CONTIGUOUS;
        out = array_empty(state, src->rank, shape, dtype, fortran);
    }
    Py_DECREF(dtype);
    if (out == NULL) return NULL;
    array_view dst;
    if (array_open(state, out, &dst) == 0) {
        if (call->out && array_overlap(src, &dst)) {
            *status = NOT_HERE;
        } else if (call->out == NULL || array_check_output(&dst) == 0) {
            *status = move_elements(state, axes, src, &dst, fill, threads);
        }
        array_close(&dst);
    }
    if (*status != 0) Py_CLEAR(out);
    return out;
}

/* Passes the call unchanged to tensorpad._general.pad. */
static PyObject *pad_general(const module_state *state, PyObject *const *args, Py_ssize_t count,
                             PyObject *names)
{
    PyObject *positional = PyTuple_New(count);
    PyObject *named = PyDict_New();
    PyObject *result = NULL;
    if (positional == NULL || named == NULL) goto done;
    for (Py_ssize_t i = 0; i < count; i++)
        if (PyTuple_SetItem(positional, i, Py_NewRef(args[i])) != 0) goto done;
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++)
        if (PyDict_SetItem(named, PyTuple_GetItem(names, i), args[count + i]) != 0) goto done;
    if (state->general == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "import tensorpad, not tensorpad._core");
        goto done;
    }
    result = PyObject_Call(state->general, positional, named);
done:
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return result;
}

PyObject *core_pad(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const module_state *state = PyModule_GetState(module);
    pad_call call;
    array_view src;
    if (read_call(state, &call, args, count, names) != 0)
        return pad_general(state, args, count, names);
    if (array_open(state, call.array, &src) != 0) return NULL;
    int status;
    PyObject *result = pad_fast(state, &call, &src, &status);
    array_close(&src);
    return status == NOT_HERE ? pad_general(state, args, count, names) : result;
}
