/* The arrays of a call: inputs, also torch tensors, and outputs. SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

/* ---- Torch tensors, opened without calling Python -------------------------------------------- */

/* Since version 1.3 DLPack has a table of C functions, in a capsule on the tensors' type; one of
 * them describes a tensor. Names and layout are those of DLPack 1. */

enum { DL_MAJOR = 1, DL_CPU = 1 };
enum {
    DL_INT,
    DL_UINT,
    DL_FLOAT,
    DL_BFLOAT = 4,
    DL_COMPLEX,
    DL_BOOL,
    DL_FLOAT8,
    DL_FLOAT8_LAST = 14
};

typedef struct dl_tensor {
    char *data;
    int32_t device_type;
    int32_t device_id;
    int32_t ndim;
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
    const int64_t *shape;
    const int64_t *strides; /* in elements */
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_exchange {
    uint32_t major;
    uint32_t minor;
    const struct dl_exchange *older;
    void *managed[3]; /* three functions that also pass ownership of the memory */
    int (*describe)(void *tensor, dl_tensor *out);
    void *work_stream;
} dl_exchange;

/* dtype.kind for NumPy's types, or KIND_...; else 0. */
static char kind_of(const dl_tensor *seen)
{
    static const char kinds[] = {[DL_INT] = 'i',     [DL_UINT] = 'u',
                                 [DL_FLOAT] = 'f',   [DL_BFLOAT] = KIND_BFLOAT,
                                 [DL_COMPLEX] = 'c', [DL_BOOL] = 'b'};
    if (seen->lanes != 1 || seen->code > DL_FLOAT8_LAST || seen->bits < 8) return 0;
    if (seen->code >= DL_FLOAT8) return seen->bits == 8 ? KIND_FLOAT8 : 0;
    if (seen->code == DL_COMPLEX && seen->bits == 32) return KIND_COMPLEX32;
    if (seen->bits < (seen->code == DL_FLOAT ? 16 : seen->code == DL_COMPLEX ? 64 : 8)) return 0;
    return kinds[seen->code];
}

/* Fills in the view. Its capsule holds memory for shape and strides. */
static int show(const dl_tensor *seen, array_view *view)
{
    const Py_ssize_t rank = seen->ndim;
    PyObject *memory = PyBytes_FromStringAndSize(NULL, 2 * rank * (Py_ssize_t)sizeof(Py_ssize_t));
    if (memory == NULL) return 0;
    Py_ssize_t *integers = (Py_ssize_t *)(void *)PyBytes_AsString(memory);
    for (Py_ssize_t i = 0; i < rank; i++) {
        integers[i] = (Py_ssize_t)seen->shape[i];
        integers[rank + i] = (Py_ssize_t)(seen->strides[i] * (seen->bits / 8));
    }
    *view = (array_view){.capsule = memory,
                         .data = seen->data ? seen->data + seen->byte_offset : NULL,
                         .shape = integers,
                         .strides = integers + rank,
                         .rank = (int)rank,
                         .item_bytes = seen->bits / 8,
                         .flags = ARRAY_NOT_SWAPPED,
                         .kind = kind_of(seen)};
    return 1;
}

int tensor_open_on(const module_state *state, PyObject *tensor, int kind, array_view *view,
                   int *number)
{
    view->capsule = NULL;
    PyObject *capsule = PyObject_GetAttr((PyObject *)Py_TYPE(tensor), state->word_exchange);
    const dl_exchange *table =
        capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
    Py_XDECREF(capsule); /* the type keeps it alive */
    dl_tensor seen;
    const int shown = table && table->major == DL_MAJOR && table->describe(tensor, &seen) == 0 &&
                      seen.device_type == kind && kind_of(&seen) && seen.strides &&
                      show(&seen, view);
    if (!shown) PyErr_Clear();
    if (shown && number) *number = seen.device_id;
    return shown;
}

int tensor_open(const module_state *state, PyObject *tensor, array_view *view)
{
    return tensor_open_on(state, tensor, DL_CPU, view, NULL);
}

int tensor_is_plain(const module_state *state, PyObject *tensor, const array_view *view,
                    int recorded)
{
    if (strchr("biu", view->kind))
        return 1; /* integers have neither a gradient nor a pending negation */
    if (view->kind == 'c' || view->kind == KIND_COMPLEX32) return 0;
    PyObject *wanted = recorded ? PyObject_GetAttr(tensor, state->word_requires_grad) : NULL;
    PyObject *negated = PyObject_CallMethodObjArgs(tensor, state->word_is_neg, NULL);
    const int plain = (!recorded || wanted == Py_False) && negated == Py_False;
    Py_XDECREF(wanted);
    Py_XDECREF(negated);
    PyErr_Clear();
    return plain;
}

/* ---- Inputs and outputs ---------------------------------------------------------------------- */

static int open_view(const module_state *state, operand *out)
{
    if (array_open(state, out->array, &out->view) != 0) return -1;
    out->movable = array_movable(state, &out->view, out->array);
    out->dtype = out->movable < 0 ? NULL : PyObject_GetAttr(out->array, state->word_dtype);
    return out->dtype ? 0 : -1;
}

int operand_take(context *c, PyObject *array, operand *out)
{
    *out = (operand){.array = array};
    if (array == NULL) return -1;
    if (open_view(c->state, out) == 0) return 0;
    operand_close(out);
    return -1;
}

static int is_list(PyObject *thing)
{
    return PyList_CheckExact(thing) || PyTuple_CheckExact(thing);
}

/* 1 if the first innermost element of a list is a number or a NumPy array, so that it has no mask
 * and no units. */
static int begins_plainly(const module_state *state, PyObject *list)
{
    enum { MOST_LISTS = 64 }; /* more than arrays have axes */
    PyObject *first = Py_NewRef(list);
    for (int i = 0; first != NULL && i < MOST_LISTS && is_list(first); i++) {
        PyObject *next = PySequence_GetItem(first, 0);
        Py_DECREF(first);
        first = next;
    }
    if (first == NULL) PyErr_Clear(); /* an empty list */
    const int plain = first == NULL || PyLong_Check(first) || PyFloat_Check(first) ||
                      Py_TYPE(first) == (PyTypeObject *)state->ndarray ||
                      array_is_scalar(state, first);
    Py_XDECREF(first);
    return plain;
}

/* The attribute of a type whose objects make an output, in place of `out`: method(shape) returns
 * (what the caller gets, the NumPy array that writes it). */
static const char makes_output[] = "_output_of_shape";

int is_foreign(const module_state *state, PyObject *array, PyObject *out)
{
    if (out && out != Py_None && Py_TYPE(out) != (PyTypeObject *)state->ndarray &&
        !PyObject_HasAttrString((PyObject *)Py_TYPE(out), makes_output))
        return 1;
    return array && Py_TYPE(array) != (PyTypeObject *)state->ndarray &&
           !(is_list(array) && begins_plainly(state, array));
}

int operand_source(context *c, PyObject *thing, operand *out)
{
    if (!is_list(thing)) return operand_take(c, Py_NewRef(thing), out);
    c->foreign = 1;
    PyObject *array = PyObject_CallFunctionObjArgs(c->state->asarray, thing, NULL);
    if (array == NULL && PyErr_ExceptionMatches(PyExc_ValueError))
        PyErr_SetString(PyExc_ValueError,
                        "lists of different lengths: pad_batch pads them to one length");
    return operand_take(c, array, out);
}

/* Makes an output for `source`. *result: what the caller returns, a new reference. */
static int make_output(context *c, const operand *source, int rank, const int64_t *shape,
                       operand *out, PyObject **result)
{
    const int layout = source->view.flags & (ARRAY_F_CONTIGUOUS | ARRAY_C_CONTIGUOUS);
    PyObject *array = array_output(c->state, rank, shape, source->view.item_bytes, source->dtype,
                                   layout == ARRAY_F_CONTIGUOUS);
    if (array == NULL || array_open(c->state, array, &out->view) != 0) {
        Py_XDECREF(array);
        return -1;
    }
    out->view.is_new = 1;
    out->array = array;
    out->dtype = Py_NewRef(source->dtype);
    out->movable = source->movable;
    *result = Py_NewRef(array);
    return 0;
}

int operand_make(context *c, PyObject *maker, const operand *source, int rank, const int64_t *shape,
                 operand *out, PyObject **result)
{
    *result = NULL;
    if (maker == NULL || maker == Py_None) return make_output(c, source, rank, shape, out, result);
    c->foreign = 1;
    PyObject *extents = make_integers(rank, shape);
    PyObject *pair = extents ? PyObject_CallMethod(maker, makes_output, "(O)", extents) : NULL;
    PyObject *result_array, *array;
    int status = -1;
    if (pair && PyArg_ParseTuple(pair, "OO", &result_array, &array)) {
        status = operand_take(c, Py_NewRef(array), out);
        if (status == 0) *result = Py_NewRef(result_array);
        out->view.is_new = status == 0;
    }
    Py_XDECREF(pair);
    Py_XDECREF(extents);
    return status;
}

int operand_refresh(context *c, operand *one)
{
    array_view now;
    if (!c->foreign) return 0;
    const int opened = one->is_tensor ? tensor_open(c->state, one->array, &now)
                                      : array_open(c->state, one->array, &now) == 0;
    if (!opened && PyErr_Occurred()) return -1;
    int same = opened && now.rank == one->view.rank && now.item_bytes == one->view.item_bytes &&
               now.kind == one->view.kind;
    for (int i = 0; same && i < now.rank; i++) same = now.shape[i] == one->view.shape[i];
    if (!same) {
        array_close(&now);
        PyErr_SetString(PyExc_RuntimeError,
                        "an array was changed while the call read its arguments");
        return -1;
    }
    now.is_new = one->view.is_new;
    array_close(&one->view);
    one->view = now;
    return 0;
}

int operand_copy(context *c, operand *source)
{
    operand copy;
    if (operand_take(c, PyObject_CallMethod(source->array, "copy", NULL), &copy) != 0) return -1;
    operand_close(source);
    *source = copy;
    return 0;
}

int operand_separate(context *c, operand *source, const operand *target)
{
    /* Refresh first: the old view of a changed array may overlap by chance. */
    if (operand_refresh(c, source) != 0) return -1;
    return array_overlap(&source->view, &target->view) ? operand_copy(c, source) : 0;
}

int operand_same_type(const operand *a, const operand *b)
{
    return a->dtype == b->dtype ? 1 : PyObject_RichCompareBool(a->dtype, b->dtype, Py_EQ);
}

int operand_has_shape(const operand *one, int rank, const int64_t *shape)
{
    int same = one->view.rank == rank;
    for (int i = 0; same && i < rank; i++) same = one->view.shape[i] == shape[i];
    return same;
}

int operand_result(context *c, PyObject *given, const operand *src, int rank, const int64_t *shape,
                   operand *dst, PyObject **result)
{
    if (given == NULL || Py_TYPE(given) != (PyTypeObject *)c->state->ndarray)
        return operand_make(c, given, src, rank, shape, dst, result);
    if (operand_take(c, Py_NewRef(given), dst) != 0) return -1;
    const int same = operand_same_type(dst, src);
    if (same == 0) {
        PyErr_Format(PyExc_TypeError, "out has type %S, the array %S", dst->dtype, src->dtype);
    } else if (same > 0 && !operand_has_shape(dst, rank, shape)) {
        PyObject *has = array_shape(&dst->view), *wanted = has ? make_integers(rank, shape) : NULL;
        if (wanted) PyErr_Format(PyExc_ValueError, "out has shape %R, the result %R", has, wanted);
        Py_XDECREF(has);
        Py_XDECREF(wanted);
    } else if (same > 0 && array_check_output(&dst->view) == 0) {
        *result = Py_NewRef(given);
        return 0;
    }
    return -1;
}

void operand_close(operand *one)
{
    array_close(&one->view);
    Py_CLEAR(one->array);
    Py_CLEAR(one->dtype);
}
