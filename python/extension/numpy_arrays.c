/* NumPy arrays, and memory for new ones.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

/* ---- Access to NumPy arrays through NumPy's array struct ------------------------------------- */

/* The struct of `__array_struct__`, as NumPy documents it ("The array interface protocol"). */
typedef struct array_struct {
    int two; /* 2, a sanity check */
    int rank;
    char kind;
    int item_bytes;
    int flags;
    Py_ssize_t *shape;
    Py_ssize_t *strides;
    void *data;
    PyObject *descr;
} array_struct;

/* For records, NumPy's struct tells neither whether the array is writeable nor its layout. */
static int flags_of_records(PyObject *array, int *out)
{
    PyObject *flags = PyObject_GetAttrString(array, "flags");
    PyObject *number = flags ? PyObject_GetAttrString(flags, "num") : NULL;
    long value = number ? PyLong_AsLong(number) : -1;
    Py_XDECREF(flags);
    Py_XDECREF(number);
    *out = (int)value;
    return value == -1 && PyErr_Occurred() ? -1 : 0;
}

int array_is_scalar(const module_state *state, PyObject *thing)
{
    return PyObject_TypeCheck(thing, (PyTypeObject *)state->generic) &&
           !(PyType_GetFlags(Py_TYPE(thing)) & Py_TPFLAGS_HEAPTYPE);
}

int array_open(const module_state *state, PyObject *array, array_view *view)
{
    view->capsule = NULL;
    if (!PyObject_TypeCheck(array, (PyTypeObject *)state->ndarray) &&
        !array_is_scalar(state, array)) {
        PyErr_Format(PyExc_TypeError, "expected a numpy.ndarray, got %R", Py_TYPE(array));
        return -1;
    }
    PyObject *capsule = PyObject_GetAttr(array, state->word_array_struct);
    if (capsule == NULL) return -1;
    const array_struct *seen = PyCapsule_GetPointer(capsule, NULL);
    if (seen == NULL || seen->two != 2) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "__array_struct__ is not of the known layout");
        Py_DECREF(capsule);
        return -1;
    }
    view->capsule = capsule;
    view->data = seen->data;
    view->shape = seen->shape;
    view->strides = seen->strides;
    view->rank = seen->rank;
    view->item_bytes = seen->item_bytes;
    view->flags = seen->flags;
    view->is_new = 0;
    view->kind = seen->kind;
    if (view->kind != 'V' || flags_of_records(array, &view->flags) == 0) return 0;
    array_close(view);
    return -1;
}

void array_close(array_view *view)
{
    Py_CLEAR(view->capsule);
}

int array_numeric(const array_view *view)
{
    return view->item_bytes <= MOST_PLAIN_BYTES && strchr("biufcmMEQH", view->kind) != NULL;
}

int array_movable(const module_state *state, const array_view *view, PyObject *array)
{
    if (view->item_bytes < 1 || view->item_bytes > TPAD_MAX_ELEM_BITS / 8) return 0;
    if (strchr("biufcmMSU", view->kind) != NULL) return 1;
    PyObject *dtype = PyObject_GetAttr(array, state->word_dtype);
    if (dtype == NULL) return -1;
    PyObject *answer = PyObject_GetAttr(dtype, state->word_hasobject);
    Py_DECREF(dtype);
    if (answer == NULL) return -1;
    int has = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return has < 0 ? -1 : !has;
}

int64_t array_size(const array_view *view)
{
    int64_t size = 1;
    for (int i = 0; i < view->rank; i++) size *= view->shape[i];
    return size;
}

PyObject *array_shape(const array_view *view)
{
    PyObject *tuple = PyTuple_New(view->rank);
    for (int i = 0; tuple && i < view->rank; i++) {
        PyObject *extent = PyLong_FromSsize_t(view->shape[i]);
        if (extent == NULL || PyTuple_SetItem(tuple, i, extent) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *make_array(PyObject *maker, int rank, const int64_t *shape, PyObject *dtype,
                            PyObject *order)
{
    PyObject *extents = make_integers(rank, shape);
    if (extents == NULL) return NULL;
    PyObject *array = PyObject_CallFunctionObjArgs(maker, extents, dtype, order, NULL);
    Py_DECREF(extents);
    return array;
}

PyObject *array_empty(const module_state *state, int rank, const int64_t *shape, PyObject *dtype,
                      int fortran)
{
    return make_array(state->empty, rank, shape, dtype, fortran ? state->word_fortran : NULL);
}

PyObject *array_zeros(const module_state *state, int rank, const int64_t *shape, PyObject *dtype,
                      int fortran)
{
    return make_array(state->zeros, rank, shape, dtype, fortran ? state->word_fortran : NULL);
}

/* The array's range of bytes relative to data: the first, and one past the last. */
static void array_reach(const array_view *view, Py_ssize_t *low, Py_ssize_t *high)
{
    *low = 0;
    *high = view->item_bytes;
    for (int i = 0; i < view->rank; i++) {
        if (view->shape[i] == 0) {
            *high = *low;
            return;
        }
        Py_ssize_t last = (view->shape[i] - 1) * view->strides[i];
        if (last < 0) {
            *low += last;
        } else {
            *high += last;
        }
    }
}

int array_overlap(const array_view *a, const array_view *b)
{
    Py_ssize_t a_low, a_high, b_low, b_high;
    array_reach(a, &a_low, &a_high);
    array_reach(b, &b_low, &b_high);
    if (a_low == a_high || b_low == b_high) return 0;
    uintptr_t a_data = (uintptr_t)a->data, b_data = (uintptr_t)b->data;
    return a_data + (uintptr_t)a_low < b_data + (uintptr_t)b_high &&
           b_data + (uintptr_t)b_low < a_data + (uintptr_t)a_high;
}

int array_check_output(const array_view *view)
{
    if (!(view->flags & ARRAY_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    if (view->flags & (ARRAY_C_CONTIGUOUS | ARRAY_F_CONTIGUOUS)) return 0;
    /* In ascending order, each stride must be at least the reach of the smaller ones. */
    Py_ssize_t reach = view->item_bytes, done = -1;
    int left = 0;
    for (int i = 0; i < view->rank; i++) {
        if (view->shape[i] == 0) return 0;
        left += view->shape[i] > 1;
    }
    while (left > 0) {
        Py_ssize_t least = PY_SSIZE_T_MAX, extent = 1;
        int same = 0;
        for (int i = 0; i < view->rank; i++) {
            if (view->shape[i] < 2) continue;
            Py_ssize_t step = view->strides[i] < 0 ? -view->strides[i] : view->strides[i];
            if (step <= done || step > least) continue;
            same = step == least;
            least = step;
            extent = view->shape[i];
        }
        if (same || least < reach) {
            PyErr_SetString(PyExc_ValueError, "elements of the output array share memory");
            return -1;
        }
        reach += (extent - 1) * least;
        done = least;
        left--;
    }
    return 0;
}

/* ---- Memory for new outputs ------------------------------------------------------------------ */

/* The system clears new memory page by page at the first write: half the time of a pad with huge
 * pages, more with small ones. NumPy requests huge pages from 4 MB on, but gets only whole ones,
 * and malloc's memory begins and ends inside one. So the package gives NumPy memory that begins on
 * a huge page, through NumPy's interface for this (NEP 49): the array owns it, and can be resized
 * and freed like any other. malloc keeps freed memory as usual. */

enum { HUGE_PAGE = 2 << 20 }; /* with pages of 4 KiB */

#if defined(__linux__)
#include <stdlib.h>
#include <sys/mman.h>

/* As NumPy declares it; indices in its function table are fixed since 1.22. */
typedef struct numpy_handler {
    char name[127];
    uint8_t version;
    void *unused;
    void *(*malloc)(void *unused, size_t bytes);
    void *(*calloc)(void *unused, size_t count, size_t bytes);
    void *(*realloc)(void *unused, void *memory, size_t bytes);
    void (*free)(void *unused, void *memory, size_t bytes);
} numpy_handler;
enum { PLACE_OF_SET_HANDLER = 304, PLACE_OF_DEFAULT_HANDLER = 306 };

/* Precedes the memory that NumPy gets. */
typedef struct block {
    void *begin;
    size_t bytes;
} block;

/* The last huge page is allocated whole if half of it is used. */
static void *take(void *unused, size_t bytes)
{
    (void)unused;
    const size_t page = HUGE_PAGE, alignment = bytes < page ? 64 : page;
    if (bytes > PY_SSIZE_T_MAX - 2 * page) return NULL;
    const size_t advised = bytes < page ? 0 : (bytes + page / 2) / page * page;
    const size_t room = advised > bytes ? advised : bytes;
    char *begin = malloc(sizeof(block) + alignment - 1 + room);
    if (begin == NULL) return NULL;
    const size_t past = ((uintptr_t)begin + sizeof(block)) % alignment;
    char *memory = begin + sizeof(block) + (past ? alignment - past : 0);
    if (advised) madvise(memory, advised, MADV_HUGEPAGE);
    const block told = {begin, bytes};
    memcpy(memory - sizeof told, &told, sizeof told);
    return memory;
}

static void *take_zeros(void *unused, size_t count, size_t bytes)
{
    void *memory = bytes && count > PY_SSIZE_T_MAX / bytes ? NULL : take(unused, count * bytes);
    return memory ? memset(memory, 0, count * bytes) : NULL;
}

static void give_back(void *unused, void *memory, size_t bytes)
{
    (void)unused;
    (void)bytes;
    block told = {NULL, 0};
    if (memory) memcpy(&told, (char *)memory - sizeof told, sizeof told);
    free(told.begin);
}

static void *take_other(void *unused, void *memory, size_t bytes)
{
    void *other = take(unused, bytes);
    if (memory == NULL || other == NULL) return other;
    block told;
    memcpy(&told, (char *)memory - sizeof told, sizeof told);
    memcpy(other, memory, told.bytes < bytes ? told.bytes : bytes);
    free(told.begin);
    return other;
}

static const numpy_handler handler = {"tensorpad", 1,          NULL,     take,
                                      take_zeros,  take_other, give_back};

int new_memory_start(module_state *state)
{
    const char *wanted = getenv("NUMPY_MADVISE_HUGEPAGE");
    if (wanted && strcmp(wanted, "0") == 0) return 0;
    PyObject *module = PyImport_ImportModule("numpy._core._multiarray_umath");
    PyObject *capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : NULL;
    void **table = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    if (table == NULL) return -1;
    memcpy(&state->set_memory, &table[PLACE_OF_SET_HANDLER], sizeof state->set_memory);
    state->numpys_memory = *(PyObject **)table[PLACE_OF_DEFAULT_HANDLER];
    state->memory = PyCapsule_New((void *)(uintptr_t)&handler, "mem_handler", NULL);
    return state->memory ? 0 : -1;
}
#else
int new_memory_start(module_state *state)
{
    (void)state;
    return 0;
}
#endif

PyObject *array_output(const module_state *state, int rank, const int64_t *shape, int item_bytes,
                       PyObject *dtype, int fortran)
{
    double bytes = item_bytes;
    for (int i = 0; i < rank; i++) bytes *= (double)shape[i];
    const int large = state->memory && bytes >= HUGE_PAGE;
    PyObject *before = large ? state->set_memory(state->memory) : NULL;
    if (before == NULL)
        return PyErr_Occurred() ? NULL : array_empty(state, rank, shape, dtype, fortran);
    /* Keeps a handler that the program has set itself. */
    PyObject *ours = before == state->numpys_memory ? NULL : state->set_memory(before);
    PyObject *array = array_empty(state, rank, shape, dtype, fortran);
    if (ours == NULL) ours = state->set_memory(before);
    Py_DECREF(before);
    if (ours == NULL) Py_CLEAR(array);
    Py_XDECREF(ours);
    return array;
}
