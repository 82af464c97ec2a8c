/* The parts of a batch: arrays, and what all parts share. SPDX-License-Identifier: MIT */
#include "batch_call.h"

#include <string.h>

int batch_blame(Py_ssize_t item, Py_ssize_t list)
{
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    if (type != PyExc_TypeError && type != PyExc_ValueError && type != PyExc_OverflowError) {
        PyErr_Restore(type, error, trace);
        return -1;
    }
    PyErr_NormalizeException(&type, &error, &trace);
    if (list < 0) {
        PyErr_Format(type, "item %zd: %S", item, error);
    } else {
        PyErr_Format(type, "item %zd, list %zd: %S", item, list, error);
    }
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    return -1;
}

batch_part *batch_add_part(batch_source *source, Py_ssize_t item, Py_ssize_t list)
{
    if (source->count == source->room) {
        const size_t room = 2 * (size_t)source->room + 64;
        batch_part *parts = room <= PY_SSIZE_T_MAX / sizeof *parts
                                ? PyMem_Realloc(source->parts, room * sizeof *parts)
                                : NULL;
        if (parts == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        source->parts = parts;
        source->room = (Py_ssize_t)room;
    }
    batch_part *part = &source->parts[source->count++];
    *part = (batch_part){.item = item, .list = list};
    return part;
}

/* ---- Types ----------------------------------------------------------------------------------- */

/* 1 if NumPy has one type only of this kind and size, so that the views tell whether types are the
 * same. */
static int is_common(const array_view *view)
{
    return strchr("biu", view->kind) || (view->item_bytes > 1 && strchr("fc", view->kind));
}

/* The type of an array, which may have been opened without it. */
static PyObject *type_of(context *c, operand *array)
{
    if (array->dtype == NULL) array->dtype = PyObject_GetAttr(array->array, c->state->word_dtype);
    return array->dtype;
}

/* 1 if both have the same type, 0 if not, -1 with an exception. */
static int same_type(context *c, const operand *type, operand *array)
{
    if (is_common(&type->view) && is_common(&array->view))
        return type->view.kind == array->view.kind &&
               type->view.item_bytes == array->view.item_bytes &&
               ((type->view.flags ^ array->view.flags) & ARRAY_NOT_SWAPPED) == 0;
    return type_of(c, array) ? operand_same_type(type, array) : -1;
}

int batch_match_type(context *c, batch_source *source, operand *array, Py_ssize_t item)
{
    operand *type = &source->type;
    if (type->array == NULL) {
        source->type_item = item;
        if (operand_take(c, Py_NewRef(array->array), type) != 0) return -1;
        type->view.flags &= ~ARRAY_F_CONTIGUOUS; /* what is made like it is in C order */
        return 0;
    }
    const int same = same_type(c, type, array);
    if (same != 0) return same < 0 ? -1 : 0;
    if (type_of(c, array) != NULL)
        PyErr_Format(PyExc_TypeError,
                     "item %zd has type %S, item %zd has %S: make them alike, or give dtype", item,
                     array->dtype, source->type_item, type->dtype);
    return -1;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* Opens a plain tensor of torch without its type: 1, or 0. The first item has to be an array of
 * NumPy, because it tells the type. */
static int open_tensor(context *c, const batch_source *source, PyObject *thing, operand *tensor)
{
    if ((PyObject *)Py_TYPE(thing) != source->tensors || source->type.array == NULL) return 0;
    if (!tensor_open(c->state, thing, &tensor->view)) return 0;
    if (!tensor_is_plain(thing, &tensor->view)) {
        array_close(&tensor->view);
        return 0;
    }
    tensor->array = Py_NewRef(thing);
    tensor->movable = tensor->is_tensor = 1;
    return 1;
}

/* Opens anything that is no list. An array of NumPy is opened without its type. */
static int open_array(context *c, const batch_source *source, PyObject *thing, operand *array)
{
    if (open_tensor(c, source, thing, array)) return 0;
    if (Py_TYPE(thing) == (PyTypeObject *)c->state->ndarray) {
        *array = (operand){.array = Py_NewRef(thing)};
        if (array_open(c->state, thing, &array->view) != 0) return -1;
        array->movable = array_movable(c->state, &array->view, thing);
        return array->movable < 0 ? -1 : 0;
    }
    PyObject *module = helpers(c);
    PyObject *view = module ? PyObject_CallMethod(module, "batch_array", "(O)", thing) : NULL;
    return operand_take(c, view, array);
}

/* Replaces the array by one of the type of the batch. */
static int convert(context *c, const batch_source *source, PyObject *thing, operand *array)
{
    const int same = same_type(c, &source->type, array);
    if (same != 0) return same < 0 ? -1 : 0;
    PyObject *module = helpers(c);
    PyObject *converted = module ? PyObject_CallMethod(module, "batch_converted", "(OOO)", thing,
                                                       array->array, source->type.dtype)
                                 : NULL;
    operand_close(array);
    return operand_take(c, converted, array);
}

int batch_add_array(context *c, batch_source *source, PyObject *thing, Py_ssize_t item)
{
    batch_part *part = batch_add_part(source, item, -1);
    if (part == NULL) return -1;
    int status = open_array(c, source, thing, &part->array);
    if (status == 0 && source->converts) status = convert(c, source, thing, &part->array);
    if (status == 0 && !part->array.movable) {
        if (type_of(c, &part->array) != NULL)
            PyErr_Format(PyExc_TypeError, "elements of type %S cannot be padded in a batch",
                         part->array.dtype);
        status = -1;
    }
    if (status != 0) return batch_blame(item, -1);
    return source->converts ? 0 : batch_match_type(c, source, &part->array, item);
}

/* ---- All parts ------------------------------------------------------------------------------- */

int batch_is_empty_list(const batch_part *part)
{
    return part->list < 0 && part->numbers && part->array.array == NULL && part->count == 0;
}

int batch_refresh(context *c, batch_source *source)
{
    for (Py_ssize_t i = 0; c->foreign && i < source->count; i++) {
        operand *array = &source->parts[i].array;
        if (array->array != NULL && operand_refresh(c, array) != 0) return -1;
    }
    return 0;
}

void batch_close(const context *c, batch_source *source)
{
    for (Py_ssize_t i = 0; i < source->count; i++) {
        Py_XDECREF(source->parts[i].numbers);
        operand_close(&source->parts[i].array);
    }
    PyMem_Free(source->parts);
    Py_XDECREF(source->tensors);
    scratch_give(c->state->scratch, source->buffer);
    operand_close(&source->type);
}
