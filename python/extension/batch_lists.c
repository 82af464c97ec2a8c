/* Lists of numbers as items of a batch.  SPDX-License-Identifier: MIT
 *
 * Lists of plain ints, floats and bools are read here into one buffer. If there is anything else in
 * a list, NumPy makes arrays of all lists.
 */
#include "batch_call.h"

#include <float.h>
#include <math.h>

/* ---- From lists to parts --------------------------------------------------------------------- */

static int is_list(PyObject *thing)
{
    return PyList_Check(thing) || PyTuple_Check(thing);
}

/* The elements of a list or tuple: a tuple, or the list itself where only this thread can change it
 * (it has the GIL). */
static PyObject *elements_of(context *c, PyObject *list)
{
#ifndef Py_GIL_DISABLED
    if (PyList_CheckExact(list)) return Py_NewRef(list);
#endif
    PyObject *elements = plain_items(list);
    if (elements != NULL || PyErr_Occurred()) return elements;
    c->foreign = 1;
    return PySequence_Tuple(list);
}

static Py_ssize_t size_of(PyObject *elements)
{
    return PyList_Check(elements) ? PyList_Size(elements) : PyTuple_Size(elements);
}

/* What gives a borrowed reference to an element. */
typedef PyObject *get_element(PyObject *elements, Py_ssize_t i);
static get_element *getter_of(PyObject *elements)
{
    return PyList_Check(elements) ? PyList_GetItem : PyTuple_GetItem;
}

/* The first element of a list or tuple, a new reference; NULL without an exception if there is
 * none. */
static PyObject *first_of(context *c, PyObject *list)
{
    PyObject *elements = elements_of(c, list);
    PyObject *first =
        elements && size_of(elements) > 0 ? Py_NewRef(getter_of(elements)(elements, 0)) : NULL;
    Py_XDECREF(elements);
    return first;
}

/* 1 for a list of lists of numbers, 0 for other lists, -1 with an exception. */
static int has_lists(context *c, PyObject *list)
{
    PyObject *first = first_of(c, list);
    const int lists = first && is_list(first);
    PyObject *inner = lists ? first_of(c, first) : NULL;
    const int deeper = inner && is_list(inner);
    Py_XDECREF(inner);
    Py_XDECREF(first);
    return PyErr_Occurred() ? -1 : lists && !deeper;
}

/* Adds one part: a list of numbers, or what is to be one. */
static int add_numbers(context *c, batch_source *source, PyObject *thing, Py_ssize_t item,
                       Py_ssize_t list)
{
    PyObject *numbers = is_list(thing) ? elements_of(c, thing) : Py_NewRef(thing);
    batch_part *part = numbers ? batch_add_part(source, item, list) : NULL;
    if (part != NULL) {
        part->numbers = numbers;
    } else {
        Py_XDECREF(numbers);
    }
    return part ? 0 : -1;
}

int batch_add_list(context *c, batch_source *source, PyObject *list, Py_ssize_t item)
{
    const int nested = has_lists(c, list);
    if (nested <= 0) return nested < 0 ? -1 : add_numbers(c, source, list, item, -1);
    PyObject *lists = PySequence_Tuple(list); /* adding parts may run code that changes the list */
    int status = lists ? 0 : -1;
    for (Py_ssize_t i = 0; status == 0 && i < PyTuple_Size(lists); i++)
        status = add_numbers(c, source, PyTuple_GetItem(lists, i), item, i);
    if (status == 0 && PyTuple_Size(lists) == 0) status = add_numbers(c, source, lists, item, -1);
    Py_XDECREF(lists);
    source->nested = 1;
    return status;
}

/* ---- Plain numbers --------------------------------------------------------------------------- */

/* Nothing that could change a list runs between the counting of its elements and the end of their
 * reading: plain numbers have no code of others. */

/* What reading plain numbers ends with. */
enum { READ, NOT_PLAIN, NOT_INTEGERS };

/* What lists are read as; the first three are what lists become by themselves. */
enum { BOOLEANS, INTEGERS, REALS, OWN_TYPES, INTEGERS_32 = OWN_TYPES, REALS_32, OTHERS };
static const char *const own_types[OWN_TYPES] = {"bool", "int64", "float64"};

static int read_booleans(PyObject *numbers, Py_ssize_t count, unsigned char *to)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = get(numbers, i);
        if (!PyBool_Check(one)) return NOT_PLAIN;
        to[i] = one == Py_True;
    }
    return READ;
}

/* *booleans grows by how many of them are bools. */
static int read_integers_64(PyObject *numbers, Py_ssize_t first, Py_ssize_t count, int64_t *to,
                            Py_ssize_t *booleans)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = get(numbers, first + i);
        if (PyLong_CheckExact(one)) {
            int overflow;
            to[i] = PyLong_AsLongLongAndOverflow(one, &overflow);
            if (overflow != 0) return NOT_PLAIN;
        } else if (PyBool_Check(one)) {
            to[i] = one == Py_True;
            *booleans += 1;
        } else {
            return PyFloat_CheckExact(one) ? NOT_INTEGERS : NOT_PLAIN;
        }
    }
    return READ;
}

static int read_reals_64(PyObject *numbers, Py_ssize_t first, Py_ssize_t count, double *to)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = get(numbers, first + i);
        if (PyFloat_CheckExact(one)) {
            to[i] = PyFloat_AsDouble(one);
        } else if (PyLong_CheckExact(one)) {
            int overflow;
            to[i] = (double)PyLong_AsLongLongAndOverflow(one, &overflow);
            if (overflow != 0) return NOT_PLAIN;
        } else if (PyBool_Check(one)) {
            to[i] = one == Py_True;
        } else {
            return NOT_PLAIN;
        }
    }
    return READ;
}

/* The types of half the size are read in parts that stay in the cache. */
enum { CHUNK = 256 };

static int read_integers_32(PyObject *numbers, Py_ssize_t count, int32_t *to)
{
    int64_t chunk[CHUNK];
    Py_ssize_t booleans = 0;
    for (Py_ssize_t first = 0; first < count; first += CHUNK) {
        const Py_ssize_t part = count - first < CHUNK ? count - first : CHUNK;
        if (read_integers_64(numbers, first, part, chunk, &booleans) != READ) return NOT_PLAIN;
        for (Py_ssize_t i = 0; i < part; i++) {
            if (chunk[i] < INT32_MIN || chunk[i] > INT32_MAX) return NOT_PLAIN;
            to[first + i] = (int32_t)chunk[i];
        }
    }
    return READ;
}

static int read_reals_32(PyObject *numbers, Py_ssize_t count, float *to)
{
    double chunk[CHUNK];
    for (Py_ssize_t first = 0; first < count; first += CHUNK) {
        const Py_ssize_t part = count - first < CHUNK ? count - first : CHUNK;
        if (read_reals_64(numbers, first, part, chunk) != READ) return NOT_PLAIN;
        for (Py_ssize_t i = 0; i < part; i++) {
            if (isfinite(chunk[i]) && fabs(chunk[i]) > FLT_MAX) return NOT_PLAIN;
            to[first + i] = (float)chunk[i];
        }
    }
    return READ;
}

static int read_others(const array_view *type, PyObject *numbers, Py_ssize_t count,
                       unsigned char *to)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!plain_fill(type, get(numbers, i), to + i * type->item_bytes)) return NOT_PLAIN;
    return READ;
}

/* Reads one list into its place in the buffer. */
static int read_list(const batch_source *source, const batch_part *part, int kind,
                     Py_ssize_t *booleans)
{
    static const int widths[] = {1, 8, 8, 4, 4};
    PyObject *numbers = part->numbers;
    const Py_ssize_t count = part->count;
    const int width = kind == OTHERS ? source->type.view.item_bytes : widths[kind];
    void *to = source->buffer + part->first * width;
    return kind == BOOLEANS      ? read_booleans(numbers, count, to)
           : kind == INTEGERS    ? read_integers_64(numbers, 0, count, to, booleans)
           : kind == REALS       ? read_reals_64(numbers, 0, count, to)
           : kind == INTEGERS_32 ? read_integers_32(numbers, count, to)
           : kind == REALS_32    ? read_reals_32(numbers, count, to)
                                 : read_others(&source->type.view, numbers, count, to);
}

static int read_all(const batch_source *source, int kind, Py_ssize_t *booleans)
{
    int done = READ;
    *booleans = 0;
    for (Py_ssize_t i = 0; done == READ && i < source->count; i++)
        if (source->parts[i].numbers != NULL)
            done = read_list(source, &source->parts[i], kind, booleans);
    return done;
}

/* What lists are read as to become elements of this type. */
static int kind_of(const array_view *type)
{
    if (!(type->flags & ARRAY_NOT_SWAPPED)) return OTHERS;
    if (type->kind == 'b') return BOOLEANS;
    if (type->kind == 'i' && type->item_bytes >= 4)
        return type->item_bytes == 8 ? INTEGERS : INTEGERS_32;
    if (type->kind == 'f' && (type->item_bytes == 8 || type->item_bytes == 4))
        return type->item_bytes == 8 ? REALS : REALS_32;
    return OTHERS;
}

/* Reads all lists as the type of the call: READ or NOT_PLAIN. */
static int read_converted(const batch_source *source)
{
    const array_view *type = &source->type.view;
    Py_ssize_t booleans;
    return array_numeric(type) && read_all(source, kind_of(type), &booleans) == READ ? READ
                                                                                     : NOT_PLAIN;
}

/* Reads all lists as what they are. *kind: of own_types. */
static int read_own(batch_source *source, Py_ssize_t total, int *kind)
{
    Py_ssize_t booleans;
    *kind = INTEGERS;
    int done = read_all(source, *kind, &booleans);
    if (done == NOT_INTEGERS || (done == READ && total == 0)) {
        *kind = REALS; /* also where there is no number at all, as numpy.asarray([]) */
        done = read_all(source, *kind, &booleans);
    } else if (done == READ && booleans == total) {
        *kind = BOOLEANS;
        done = read_all(source, *kind, &booleans);
    }
    return done;
}

/* ---- Other things ---------------------------------------------------------------------------- */

/* What NumPy makes of the elements of a part, in part->array. dtype: NULL for the type that it
 * finds. */
static int read_by_numpy(context *c, batch_part *part, PyObject *dtype)
{
    c->foreign = 1;
    PyObject *array = PyObject_CallFunctionObjArgs(c->state->asarray, part->numbers, dtype, NULL);
    if (operand_take(c, array, &part->array) != 0) return batch_blame(part->item, part->list);
    const array_view *view = &part->array.view;
    if (!part->array.movable || (dtype == NULL && (view->kind == 'U' || view->kind == 'S'))) {
        PyErr_Format(PyExc_TypeError,
                     "NumPy makes elements of type %S of this list, and no numbers",
                     part->array.dtype);
        return batch_blame(part->item, part->list);
    }
    if (part->list < 0 || view->rank == 1) return 0;
    PyErr_Format(PyExc_ValueError, "a list of numbers is wanted, this has %d axes", view->rank);
    return batch_blame(part->item, part->list);
}

/* The one type of all lists that have been read. */
static PyObject *common_type(context *c, const batch_source *source)
{
    PyObject *arrays = PyList_New(0);
    for (Py_ssize_t i = 0; arrays && i < source->count; i++) {
        const batch_part *part = &source->parts[i];
        if (part->numbers && part->array.array && PyList_Append(arrays, part->array.array) != 0)
            Py_CLEAR(arrays);
    }
    PyObject *module = arrays ? helpers(c) : NULL;
    PyObject *dtype = module ? PyObject_CallMethod(module, "common_type", "(O)", arrays) : NULL;
    Py_XDECREF(arrays);
    return dtype;
}

/* The first part that is a list, or NULL. */
static const batch_part *first_list(const batch_source *source)
{
    for (Py_ssize_t i = 0; i < source->count; i++)
        if (source->parts[i].numbers != NULL) return &source->parts[i];
    return NULL;
}

/* Makes NumPy read all lists. */
static int leave_to_numpy(context *c, batch_source *source)
{
    PyObject *dtype = source->converts ? source->type.dtype : NULL;
    for (Py_ssize_t i = 0; i < source->count; i++) {
        PyObject *numbers = source->parts[i].numbers;
        if (numbers == NULL || !PyList_Check(numbers)) continue;
        source->parts[i].numbers = PyList_AsTuple(numbers);
        Py_DECREF(numbers);
        if (source->parts[i].numbers == NULL) return -1;
    }
    for (Py_ssize_t i = 0; i < source->count; i++) {
        batch_part *part = &source->parts[i];
        if (part->numbers && !batch_is_empty_list(part) && read_by_numpy(c, part, dtype) != 0)
            return -1;
    }
    if (source->converts) return 0;
    dtype = common_type(c, source);
    int status = dtype ? 0 : -1;
    for (Py_ssize_t i = 0; status == 0 && i < source->count; i++) {
        batch_part *part = &source->parts[i];
        if (part->numbers == NULL || part->array.array == NULL) continue;
        PyObject *array = PyObject_CallMethod(part->array.array, "astype", "(O)", dtype);
        operand_close(&part->array);
        status = operand_take(c, array, &part->array);
        if (status == 0) status = batch_match_type(c, source, &part->array, part->item);
    }
    Py_XDECREF(dtype);
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Gives each list its place in the buffer. plain: becomes 0 if something is no list at all. Returns
 * how many numbers there are, or -1 if memory has no room for so many. */
static Py_ssize_t place_lists(batch_source *source, int *plain)
{
    Py_ssize_t total = 0;
    *plain = 1;
    for (Py_ssize_t i = 0; i < source->count; i++) {
        batch_part *part = &source->parts[i];
        if (part->numbers == NULL) continue;
        const int understood = is_list(part->numbers);
        *plain &= understood;
        part->count = understood ? size_of(part->numbers) : 0;
        part->first = total;
        if (part->count > PY_SSIZE_T_MAX / MOST_PLAIN_BYTES - total) return -1;
        total += part->count;
    }
    return total;
}

/* What the lists became by themselves is compared with the arrays. */
static int match_own_type(context *c, batch_source *source, int kind)
{
    operand own;
    PyObject *array = PyObject_CallFunction(c->state->empty, "is", 0, own_types[kind]);
    if (operand_take(c, array, &own) != 0) return -1;
    const int status = batch_match_type(c, source, &own, first_list(source)->item);
    operand_close(&own);
    return status;
}

int batch_read_lists(context *c, batch_source *source)
{
    int plain, kind = -1;
    if (first_list(source) == NULL) return 0;
    const Py_ssize_t total = place_lists(source, &plain);
    const int width = source->converts ? source->type.view.item_bytes : (int)sizeof(int64_t);
    if (total < 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (width <= MOST_PLAIN_BYTES) {
        source->buffer = scratch_take(c->state->scratch, (size_t)(total * width));
        if (source->buffer == NULL) return -1;
    }
    if (plain && source->converts && read_converted(source) == READ) return 0;
    if (plain && !source->converts && read_own(source, total, &kind) == READ)
        return total == 0 && source->type.array ? 0 : match_own_type(c, source, kind);
    return leave_to_numpy(c, source);
}
