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

/* tensor_pad(tensor, axes, value, torch_threads): the padded tensor, or None */
PyObject *core_tensor_pad(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("tensor_pad", count, 4)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    const int rank = read_axes(&c, args[1], axes);
    operand src, dst = {0};
    fill_values values;
    values_start(&values);
    if (rank < 0) return NULL;
    if (!open_input(&c, args[0], &src)) return Py_NewRef(Py_None);
    PyObject *result = NULL;
    if (rank != src.view.rank || !plain_fill(&src.view, args[2], values.bytes)) {
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
    const int threads = threads_for(&c, args[3], bytes);
    if (threads > 0 && make_like(&c, &src, rank, shape, &dst) == 0 &&
        move_operands(&c, axes, &src, &dst, &values, threads) == 0)
        result = Py_NewRef(dst.array);
done:
    operand_close(&src);
    operand_close(&dst);
    return result;
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
