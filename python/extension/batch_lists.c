/* Lists of numbers as items of a batch.  SPDX-License-Identifier: MIT
 *
 * Lists of plain ints, floats, bools and NumPy integers are read here into one buffer. A memoryview
 * in place of a list is an array. If a list has anything else, NumPy makes arrays of all lists.
 */
#include "batch_call.h"

#include <float.h>
#include <math.h>

/* ---- From lists to parts --------------------------------------------------------------------- */

static int is_list(PyObject *thing)
{
    return PyList_Check(thing) || PyTuple_Check(thing);
}

/* The elements of a list or tuple: a tuple, or with the GIL the list itself, which only this thread
 * can change. */
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

/* Returns a borrowed reference to an element. */
typedef PyObject *get_element(PyObject *elements, Py_ssize_t i);
static get_element *getter_of(PyObject *elements)
{
    return PyList_Check(elements) ? PyList_GetItem : PyTuple_GetItem;
}

/* The first element of a list or tuple that is not None, a new reference; NULL without an exception
 * if there is none. */
static PyObject *first_of(context *c, PyObject *list)
{
    PyObject *elements = elements_of(c, list), *first = Py_None;
    for (Py_ssize_t i = 0; elements && first == Py_None && i < size_of(elements); i++)
        first = getter_of(elements)(elements, i);
    first = first == Py_None ? NULL : Py_NewRef(first);
    Py_XDECREF(elements);
    return first;
}

/* 1 for a list of lists of numbers, 0 for other lists, -1 with an exception. */
static int has_lists(context *c, PyObject *list)
{
    PyObject *first = first_of(c, list);
    const int lists = first && (is_list(first) || PyMemoryView_Check(first));
    PyObject *inner = lists && is_list(first) ? first_of(c, first) : NULL;
    const int deeper = inner && is_list(inner);
    Py_XDECREF(inner);
    Py_XDECREF(first);
    return PyErr_Occurred() ? -1 : lists && !deeper;
}

/* Adds one part: a list of numbers or a substitute for one. None has no numbers. */
static int add_numbers(context *c, batch_source *source, PyObject *thing, Py_ssize_t item,
                       Py_ssize_t list)
{
    PyObject *numbers = thing == Py_None ? PyTuple_New(0)
                        : is_list(thing) ? elements_of(c, thing)
                                         : Py_NewRef(thing);
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
    const int nested = list == Py_None ? 0 : has_lists(c, list);
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

/* Between counting a list's elements and reading the last one, nothing runs that could change it:
 * plain numbers run no foreign code. */

/* Results of reading plain numbers. */
enum { READ, NOT_PLAIN, NOT_INTEGERS };

/* Counts of what has been read. */
typedef struct tally {
    const module_state *state;
    Py_ssize_t booleans;
    Py_ssize_t wide;   /* Python ints, and numpy.int64 */
    Py_ssize_t narrow; /* NumPy's other integers except uint64 */
    PyObject *type;    /* of the first narrow one, borrowed */
    int mixed;         /* 1: narrow ones have several types */
} tally;

/* A NumPy integer as a Python int, a new reference; NULL without an exception for anything else.
 * Runs no foreign code. */
static PyObject *numpys_integer(const module_state *state, PyObject *element)
{
    if (!PyObject_TypeCheck(element, (PyTypeObject *)state->integer) ||
        !array_is_scalar(state, element))
        return NULL;
    PyObject *number = PyNumber_Index(element);
    if (number == NULL) PyErr_Clear(); /* timedelta64 */
    return number;
}

/* 1 for a Python float or numpy.float64. */
static int is_float(const module_state *state, PyObject *element)
{
    return PyFloat_CheckExact(element) || (PyObject *)Py_TYPE(element) == state->float64;
}

/* Converts a Python int to 64 bits: 1, else 0. Takes the reference, which may be NULL. */
static int take_long(PyObject *number, int64_t *out)
{
    int overflow = 1;
    if (number != NULL) *out = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_XDECREF(number);
    return overflow == 0;
}

/* Types that lists are read as; without a dtype, one of the first three. */
enum { BOOLEANS, INTEGERS, REALS, OWN_TYPES, INTEGERS_32 = OWN_TYPES, REALS_32, OTHERS };
static const char *const own_types[OWN_TYPES] = {"bool", "int64", "float64"};

static int read_booleans(PyObject *numbers, Py_ssize_t count, unsigned char *to)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *element = get(numbers, i);
        if (!PyBool_Check(element)) return NOT_PLAIN;
        to[i] = element == Py_True;
    }
    return READ;
}

static int read_integers_64(PyObject *numbers, Py_ssize_t first, Py_ssize_t count, int64_t *to,
                            tally *seen)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *element = get(numbers, first + i);
        if (PyLong_CheckExact(element)) {
            int overflow;
            to[i] = PyLong_AsLongLongAndOverflow(element, &overflow);
            if (overflow != 0) return NOT_PLAIN;
            seen->wide++;
        } else if (PyBool_Check(element)) {
            to[i] = element == Py_True;
            seen->booleans++;
        } else if (is_float(seen->state, element)) {
            return NOT_INTEGERS;
        } else {
            PyObject *type = (PyObject *)Py_TYPE(element);
            if (type == seen->state->uint64 ||
                !take_long(numpys_integer(seen->state, element), &to[i]))
                return NOT_PLAIN;
            if (type == seen->state->int64) {
                seen->wide++;
            } else {
                if (seen->narrow++ == 0) seen->type = type;
                seen->mixed |= seen->type != type;
            }
        }
    }
    return READ;
}

static int read_reals_64(PyObject *numbers, Py_ssize_t first, Py_ssize_t count, double *to,
                         const tally *seen)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *element = get(numbers, first + i);
        if (is_float(seen->state, element)) {
            to[i] = PyFloat_AsDouble(element);
        } else if (PyLong_CheckExact(element)) {
            int overflow;
            to[i] = (double)PyLong_AsLongLongAndOverflow(element, &overflow);
            if (overflow != 0) return NOT_PLAIN;
        } else if (PyBool_Check(element)) {
            to[i] = element == Py_True;
        } else {
            int64_t integer;
            if (!take_long(numpys_integer(seen->state, element), &integer)) return NOT_PLAIN;
            to[i] = (double)integer;
        }
    }
    return READ;
}

/* Types of half the size are read in chunks that stay in the cache. */
enum { CHUNK = 256 };

static int read_integers_32(PyObject *numbers, Py_ssize_t count, int32_t *to, tally *seen)
{
    int64_t chunk[CHUNK];
    for (Py_ssize_t first = 0; first < count; first += CHUNK) {
        const Py_ssize_t part = count - first < CHUNK ? count - first : CHUNK;
        if (read_integers_64(numbers, first, part, chunk, seen) != READ) return NOT_PLAIN;
        for (Py_ssize_t i = 0; i < part; i++) {
            if (chunk[i] < INT32_MIN || chunk[i] > INT32_MAX) return NOT_PLAIN;
            to[first + i] = (int32_t)chunk[i];
        }
    }
    return READ;
}

static int read_reals_32(PyObject *numbers, Py_ssize_t count, float *to, const tally *seen)
{
    double chunk[CHUNK];
    for (Py_ssize_t first = 0; first < count; first += CHUNK) {
        const Py_ssize_t part = count - first < CHUNK ? count - first : CHUNK;
        if (read_reals_64(numbers, first, part, chunk, seen) != READ) return NOT_PLAIN;
        for (Py_ssize_t i = 0; i < part; i++) {
            if (isfinite(chunk[i]) && fabs(chunk[i]) > FLT_MAX) return NOT_PLAIN;
            to[first + i] = (float)chunk[i];
        }
    }
    return READ;
}

static int read_others(const array_view *type, PyObject *numbers, Py_ssize_t count,
                       unsigned char *to, const tally *seen)
{
    get_element *get = getter_of(numbers);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *element = get(numbers, i), *number = numpys_integer(seen->state, element);
        const int read = plain_fill(type, number ? number : element, to + i * type->item_bytes);
        Py_XDECREF(number);
        if (!read) return NOT_PLAIN;
    }
    return READ;
}

/* 1 for a list that is not an array yet. */
static int is_unread(const batch_part *part)
{
    return part->numbers != NULL && part->array.array == NULL;
}

/* Reads one list into its place in the buffer. */
static int read_list(const batch_source *source, const batch_part *part, int kind, tally *seen)
{
    static const int widths[] = {1, 8, 8, 4, 4};
    PyObject *numbers = part->numbers;
    const Py_ssize_t count = part->count;
    const int width = kind == OTHERS ? source->type.view.item_bytes : widths[kind];
    void *to = source->buffer + part->first * width;
    return kind == BOOLEANS      ? read_booleans(numbers, count, to)
           : kind == INTEGERS    ? read_integers_64(numbers, 0, count, to, seen)
           : kind == REALS       ? read_reals_64(numbers, 0, count, to, seen)
           : kind == INTEGERS_32 ? read_integers_32(numbers, count, to, seen)
           : kind == REALS_32    ? read_reals_32(numbers, count, to, seen)
                                 : read_others(&source->type.view, numbers, count, to, seen);
}

static int read_all(const batch_source *source, int kind, tally *seen)
{
    int done = READ;
    *seen = (tally){.state = seen->state};
    for (Py_ssize_t i = 0; done == READ && i < source->count; i++)
        if (is_unread(&source->parts[i])) done = read_list(source, &source->parts[i], kind, seen);
    return done;
}

/* How lists are read to become elements of this type. */
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

/* Reads all lists as the call's dtype: READ or NOT_PLAIN. */
static int read_converted(const module_state *state, const batch_source *source)
{
    const array_view *type = &source->type.view;
    tally seen = {.state = state};
    return array_numeric(type) && read_all(source, kind_of(type), &seen) == READ ? READ : NOT_PLAIN;
}

/* Reads all lists without a given dtype. *kind: of own_types. *narrow: set if all numbers have one
 * other NumPy integer type and must be read again as that; borrowed. */
static int read_own(const module_state *state, const batch_source *source, Py_ssize_t total,
                    int *kind, PyObject **narrow)
{
    tally seen = {.state = state};
    *kind = INTEGERS;
    *narrow = NULL;
    int done = read_all(source, *kind, &seen);
    if (done == NOT_INTEGERS || (done == READ && total == 0)) {
        *kind = REALS; /* also without any number, as numpy.asarray([]) */
        done = read_all(source, *kind, &seen);
    } else if (done == READ && seen.booleans == total) {
        *kind = BOOLEANS;
        done = read_all(source, *kind, &seen);
    } else if (done == READ && seen.wide == 0 && seen.narrow > 0) {
        if (seen.mixed || seen.booleans > 0) return NOT_PLAIN; /* NumPy finds their type */
        *narrow = seen.type;
    }
    return done;
}

/* ---- Other things ---------------------------------------------------------------------------- */

/* Lets NumPy convert the elements of a part into part->array. dtype NULL: the type that NumPy
 * finds. */
static int read_by_numpy(context *c, batch_source *source, batch_part *part, PyObject *dtype)
{
    c->foreign = 1;
    PyObject *array =
        dtype ? PyObject_CallFunctionObjArgs(c->state->asarray, part->numbers, dtype, NULL)
              : call_python(c, "_batch", "batch_list", "(O)", part->numbers);
    if (operand_take(c, array, &part->array) != 0) return batch_blame(part->item, part->list);
    const array_view *view = &part->array.view;
    if (!part->array.movable || (dtype == NULL && (view->kind == 'U' || view->kind == 'S'))) {
        source->left = 1;
        PyErr_Format(
            PyExc_TypeError,
            "NumPy makes elements of type %S of this list, and no numbers: give dtype=float, "
            "for which None is NaN, dtype=str or dtype=object",
            part->array.dtype);
        return batch_blame(part->item, part->list);
    }
    if (part->list < 0 || view->rank == 1) return 0;
    PyErr_Format(PyExc_ValueError, "a list of numbers is wanted, this has %d axes", view->rank);
    return batch_blame(part->item, part->list);
}

/* Converts the lists that are arrays now to the common type of all lists. */
static int convert_lists(context *c, batch_source *source, PyObject *dtype)
{
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < source->count; i++) {
        batch_part *part = &source->parts[i];
        if (part->numbers == NULL || part->array.array == NULL) continue;
        PyObject *array = PyObject_CallMethod(part->array.array, "astype", "(O)", dtype);
        operand_close(&part->array);
        status = operand_take(c, array, &part->array);
        if (status == 0) status = batch_match_type(c, source, &part->array, part->item);
    }
    return status;
}

/* The common type of all lists that are arrays, and of one more array, which may be NULL. */
static PyObject *common_type(context *c, const batch_source *source, PyObject *extra)
{
    PyObject *arrays = PyList_New(0);
    if (arrays && extra && PyList_Append(arrays, extra) != 0) Py_CLEAR(arrays);
    for (Py_ssize_t i = 0; arrays && i < source->count; i++) {
        const batch_part *part = &source->parts[i];
        if (part->numbers && part->array.array && PyList_Append(arrays, part->array.array) != 0)
            Py_CLEAR(arrays);
    }
    PyObject *dtype = call_python(c, "_batch", "common_type", "(O)", arrays);
    Py_XDECREF(arrays);
    return dtype;
}

/* The first part that is a list to read, or NULL. */
static const batch_part *first_list(const batch_source *source)
{
    for (Py_ssize_t i = 0; i < source->count; i++)
        if (is_unread(&source->parts[i])) return &source->parts[i];
    return NULL;
}

/* Lets NumPy read all lists. */
static int leave_to_numpy(context *c, batch_source *source)
{
    PyObject *dtype = source->converts ? source->type.dtype : NULL;
    for (Py_ssize_t i = 0; i < source->count; i++) {
        PyObject *numbers = source->parts[i].numbers;
        if (!is_unread(&source->parts[i]) || !PyList_Check(numbers)) continue;
        source->parts[i].numbers = PyList_AsTuple(numbers);
        Py_DECREF(numbers);
        if (source->parts[i].numbers == NULL) return -1;
    }
    for (Py_ssize_t i = 0; i < source->count; i++) {
        batch_part *part = &source->parts[i];
        if (is_unread(part) && !batch_is_empty_list(part) &&
            read_by_numpy(c, source, part, dtype) != 0)
            return -1;
    }
    if (source->converts) return 0;
    dtype = common_type(c, source, NULL);
    const int status = dtype ? convert_lists(c, source, dtype) : -1;
    Py_XDECREF(dtype);
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Gives each list its place in the buffer. *plain: set to 0 if something is not a list. Returns the
 * number of numbers, or -1 if memory cannot hold them. */
static Py_ssize_t place_lists(batch_source *source, int *plain)
{
    Py_ssize_t total = 0;
    *plain = 1;
    for (Py_ssize_t i = 0; i < source->count; i++) {
        batch_part *part = &source->parts[i];
        if (!is_unread(part)) continue;
        const int understood = is_list(part->numbers);
        *plain &= understood;
        part->count = understood ? size_of(part->numbers) : 0;
        part->first = total;
        if (part->count > PY_SSIZE_T_MAX / MOST_PLAIN_BYTES - total) return -1;
        total += part->count;
    }
    return total;
}

/* Opens memoryviews in place of lists as arrays. *some: set to 1 if there is one. */
static int open_memoryviews(context *c, batch_source *source, int *some)
{
    *some = 0;
    for (Py_ssize_t i = 0; i < source->count; i++) {
        batch_part *part = &source->parts[i];
        if (!is_unread(part) || !PyMemoryView_Check(part->numbers)) continue;
        *some = 1;
        if (read_by_numpy(c, source, part, source->converts ? source->type.dtype : NULL) != 0)
            return -1;
    }
    return 0;
}

/* Compares the type that the lists got without a dtype with the arrays. 0, or 1 if lists and
 * memoryviews together have another type, *common; -1 with an exception. */
static int match_own_type(context *c, batch_source *source, PyObject *dtype, int memoryviews,
                          PyObject **common)
{
    operand opened;
    const batch_part *first = first_list(source);
    PyObject *sample = PyObject_CallFunction(c->state->empty, "iO", 1, dtype);
    if (operand_take(c, sample, &opened) != 0) return -1;
    int status = 0;
    if (memoryviews) {
        *common = common_type(c, source, opened.array);
        status = *common ? PyObject_RichCompareBool(*common, opened.dtype, Py_EQ) : -1;
        if (status >= 0) status = !status;
    }
    if (status == 0) status = batch_match_type(c, source, &opened, first->item);
    if (status == 0 && memoryviews) status = convert_lists(c, source, opened.dtype);
    operand_close(&opened);
    return status;
}

/* Reads the lists again, as the common type with the memoryviews. */
static int read_again(context *c, batch_source *source, PyObject *common)
{
    operand opened;
    PyObject *sample = PyObject_CallFunction(c->state->empty, "iO", 0, common);
    if (operand_take(c, sample, &opened) != 0) return -1;
    int status = batch_match_type(c, source, &opened, first_list(source)->item);
    operand_close(&opened);
    if (status == 0 && (source->type.view.item_bytes > (int)sizeof(int64_t) ||
                        read_converted(c->state, source) != READ))
        return leave_to_numpy(c, source);
    return status == 0 ? convert_lists(c, source, common) : -1;
}

int batch_read_lists(context *c, batch_source *source)
{
    int plain, kind = -1, memoryviews;
    PyObject *narrow, *common = NULL;
    if (open_memoryviews(c, source, &memoryviews) != 0) return -1;
    if (first_list(source) == NULL)
        return memoryviews && !source->converts ? leave_to_numpy(c, source) : 0;
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
    if (plain && source->converts && read_converted(c->state, source) == READ) return 0;
    if (plain && !source->converts && read_own(c->state, source, total, &kind, &narrow) == READ) {
        if (total == 0 && (source->type.array || memoryviews))
            return memoryviews ? leave_to_numpy(c, source) : 0;
        PyObject *dtype = narrow ? Py_NewRef(narrow) : PyUnicode_FromString(own_types[kind]);
        int status = dtype ? match_own_type(c, source, dtype, memoryviews, &common) : -1;
        if (status == 1 || (status == 0 && narrow))
            status = read_again(c, source, status == 1 ? common : dtype);
        Py_XDECREF(dtype);
        Py_XDECREF(common);
        return status;
    }
    return leave_to_numpy(c, source);
}
