/* Pads and gradients of tensors of torch, for the package tensorpad.torch. SPDX-License-Identifier: MIT
 *
 * For a small tensor, a view of NumPy's takes longer than the pad. So contiguous tensors of common
 * types are read without one; all else gets None as an answer, and Python takes the long way.
 */
#include "extension.h"

/* Opens a tensor that is contiguous as C has it: 1, else 0, and then there is nothing to close. */
static int open_dense(context *c, PyObject *tensor, operand *out)
{
    *out = (operand){.is_tensor = 1, .movable = 1};
    if (!tensor_open(c->state, tensor, &out->view)) return 0;
    int64_t stride = out->view.item_bytes;
    int dense = 1;
    for (int i = out->view.rank - 1; dense && i >= 0; i--) {
        dense = out->view.shape[i] <= 1 || out->view.strides[i] == stride;
        stride *= out->view.shape[i] > 0 ? out->view.shape[i] : 1;
    }
    if (!dense || out->view.rank > TPAD_MAX_RANK) {
        array_close(&out->view);
        return 0;
    }
    out->array = Py_NewRef(tensor);
    return 1;
}

/* The same of an input. Where channels may come last, Python decides what the result is like. */
static int open_input(context *c, PyObject *tensor, operand *out)
{
    if (!open_dense(c, tensor, out)) return 0;
    const array_view *view = &out->view;
    if ((view->rank != 4 && view->rank != 5) || view->strides[1] > view->strides[view->rank - 1])
        return 1;
    operand_close(out);
    return 0;
}

/* A new tensor of the same type: 0, or -1 with an exception. No code of others runs: torch has no mode
 * in which it would (tensorpad.torch asks that before). */
static int make_like(context *c, const operand *source, int rank, const int64_t *shape,
                     operand *out)
{
    PyObject *extents = make_integers(rank, shape);
    PyObject *made =
        extents ? PyObject_CallMethod(source->array, "new_empty", "(O)", extents) : NULL;
    Py_XDECREF(extents);
    if (made == NULL) return -1;
    const int opened = open_dense(c, made, out);
    Py_DECREF(made);
    if (!opened) PyErr_SetString(PyExc_TypeError, "torch has made a tensor of another kind");
    out->view.is_new = opened;
    return opened ? 0 : -1;
}

/* How many threads may work for an output of so many bytes: as many as the package and torch allow, or
 * -1 with an exception. torch_threads: torch.get_num_threads, which is asked only if it matters. */
static int threads_for(context *c, PyObject *torch_threads, int64_t bytes)
{
    const int threads = bytes < WORTH_RELEASING ? 1 : read_threads(c->state, NULL);
    if (threads <= 1) return threads;
    PyObject *most = PyObject_CallNoArgs(torch_threads);
    const long found = most ? PyLong_AsLong(most) : -1;
    Py_XDECREF(most);
    return PyErr_Occurred() ? -1 : found < threads ? (int)found : threads;
}

/* Pads by amounts that are read: a new tensor, or None if it is left to Python. axes: without extents. */
static PyObject *pad_dense(context *c, PyObject *tensor, int rank, tpad_axis *axes, PyObject *value,
                           PyObject *torch_threads)
{
    operand src, dst = {0};
    fill_values values;
    values_start(&values);
    if (!open_input(c, tensor, &src)) return Py_NewRef(Py_None);
    PyObject *result = NULL;
    if (rank != src.view.rank || !plain_fill(&src.view, value, values.bytes)) {
        result = Py_NewRef(Py_None);
        goto done;
    }
    values.elements = values.bytes;
    for (int i = 0; i < rank; i++) axes[i].in_extent = src.view.shape[i];
    const tpad_problem problem = dense_problem(axes, rank, 8 * src.view.item_bytes);
    int64_t shape[TPAD_MAX_RANK], bytes;
    tpad_error error;
    if (tpad_shape(&problem, shape, NULL, &bytes, &error) != TPAD_OK) {
        raise_error(&error);
        goto done;
    }
    const int threads = threads_for(c, torch_threads, bytes);
    if (threads > 0 && make_like(c, &src, rank, shape, &dst) == 0 &&
        move_operands(c, axes, &src, &dst, &values, threads) == 0)
        result = Py_NewRef(dst.array);
done:
    operand_close(&src);
    operand_close(&dst);
    return result;
}

/* tensor_pad(tensor, axes, value, torch_threads): the padded tensor, or None */
PyObject *core_tensor_pad(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("tensor_pad", count, 4)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    const int rank = read_axes(&c, args[1], axes);
    return rank < 0 ? NULL : pad_dense(&c, args[0], rank, axes, args[2], args[3]);
}

/* Adds the bits of a set of dispatch keys, which is taken over: 0, or -1 with an exception. */
static int add_keys(PyObject *set, unsigned long long *keys)
{
    PyObject *bits = set ? PyObject_CallMethod(set, "raw_repr", NULL) : NULL;
    const unsigned long long found = bits ? PyLong_AsUnsignedLongLong(bits) : 0;
    Py_XDECREF(set);
    Py_XDECREF(bits);
    if (PyErr_Occurred()) return -1;
    *keys |= found;
    return 0;
}

/* What tensorpad.torch hands over of torch, a tuple: names and order as in tensorpad.torch._function. */
enum {
    TENSOR,
    PARAMETER,
    KEYS_OF,
    KEYS_OF_THREAD,
    WATCHED,
    GRAD_ENABLED,
    FORWARD_AD,
    THREADS,
    SEEN
};

/* 1 if torch sees nothing of a pad but the memory of its result; 0 if it does, -1 with an exception. */
static int is_only_read(PyObject *tensor, PyObject *torch)
{
    PyObject *const kind = (PyObject *)Py_TYPE(tensor);
    if (kind != PyTuple_GetItem(torch, TENSOR) && kind != PyTuple_GetItem(torch, PARAMETER))
        return 0;
    unsigned long long keys = 0;
    const unsigned long long watched = PyLong_AsUnsignedLongLong(PyTuple_GetItem(torch, WATCHED));
    if (PyErr_Occurred() ||
        add_keys(PyObject_CallFunctionObjArgs(PyTuple_GetItem(torch, KEYS_OF), tensor, NULL),
                 &keys) != 0 ||
        add_keys(PyObject_CallNoArgs(PyTuple_GetItem(torch, KEYS_OF_THREAD)), &keys) != 0)
        return -1;
    if (keys & watched) return 0;
    PyObject *level = PyObject_GetAttrString(PyTuple_GetItem(torch, FORWARD_AD), "_current_level");
    const long depth = level ? PyLong_AsLong(level) : -1;
    Py_XDECREF(level);
    if (PyErr_Occurred()) return -1;
    PyObject *wanted = depth < 0 ? PyObject_GetAttrString(tensor, "requires_grad") : NULL;
    if (wanted == Py_True) {
        Py_DECREF(wanted);
        wanted = PyObject_CallNoArgs(PyTuple_GetItem(torch, GRAD_ENABLED));
    }
    const int only = wanted == Py_False;
    Py_XDECREF(wanted);
    return PyErr_Occurred() ? -1 : only;
}

/* tensor_call(tensor, pad_width, mode, interior, order, axes, value, torch): the whole call, where it is a
 * plain one; else None */
PyObject *core_tensor_call(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("tensor_call", count, 8)) return NULL;
    if (!PyTuple_Check(args[7]) || PyTuple_Size(args[7]) != SEEN) {
        PyErr_SetString(PyExc_TypeError, "torch is a tuple of what is asked");
        return NULL;
    }
    const int only = PyLong_CheckExact(args[6]) || PyFloat_CheckExact(args[6])
                         ? is_only_read(args[0], args[7])
                         : 0;
    if (only <= 0) return only < 0 ? NULL : Py_NewRef(Py_None);
    PyObject *dim = PyObject_CallMethod(args[0], "dim", NULL);
    const long rank = dim ? PyLong_AsLong(dim) : -1;
    Py_XDECREF(dim);
    if (rank < 0) return NULL;
    if (rank > TPAD_MAX_RANK) return Py_NewRef(Py_None);
    tpad_axis axes[TPAD_MAX_RANK];
    const axis_words words = {args[1], args[2], args[3], args[4], args[5]};
    return read_amounts(&c, &words, (int)rank, axes) == 0
               ? pad_dense(&c, args[0], (int)rank, axes, args[6], PyTuple_GetItem(args[7], THREADS))
               : NULL;
}

/* tensor_adjoint(grad, shape, axes, torch_threads): the gradient of a tensor of this shape, or None */
PyObject *core_tensor_adjoint(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("tensor_adjoint", count, 4)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    int64_t shape[TPAD_MAX_RANK];
    const int rank = read_axes(&c, args[2], axes);
    const int extents = rank < 0 ? -1 : extents_of(&c, args[1], "shape", shape);
    operand grad, dst = {0};
    if (extents < 0) return NULL;
    if (!open_input(&c, args[0], &grad)) return Py_NewRef(Py_None);
    const int32_t number = rank == extents ? adjoint_number(&grad.view) : 0;
    PyObject *result = NULL;
    if (number == 0) {
        result = Py_NewRef(Py_None);
        goto done;
    }
    for (int i = 0; i < rank; i++) axes[i].in_extent = shape[i];
    const int threads = threads_for(&c, args[3], array_size(&grad.view) * grad.view.item_bytes);
    if (threads > 0 && check_gradient(&grad, rank, axes) == 0 &&
        make_like(&c, &grad, rank, shape, &dst) == 0 &&
        add_cells(&c, axes, number, 0, &grad, &dst, threads) == 0)
        result = Py_NewRef(dst.array);
done:
    operand_close(&grad);
    operand_close(&dst);
    return result;
}
