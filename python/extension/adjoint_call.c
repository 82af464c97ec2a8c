/* tensorpad.pad_adjoint.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <tensorpad/adjoint.h>

#define PAD_ADJOINT_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                           \
    REQUIRED(grad)                                                                                 \
    REQUIRED(shape)                                                                                \
    REQUIRED(pad_width)                                                                            \
    OPTIONAL(mode, "'constant'")                                                                   \
    STAR()                                                                                         \
    OPTIONAL(interior, "0")                                                                        \
    OPTIONAL(order, "'window'")                                                                    \
    OPTIONAL(axes, "None")                                                                         \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(add, "False")                                                                         \
    OPTIONAL(threads, "None")

typedef struct pad_adjoint_call {
    PARAMETER_FIELDS(PAD_ADJOINT_PARAMETERS)
} pad_adjoint_call;

static const parameter pad_adjoint_rows[] = {PARAMETER_ROWS(PAD_ADJOINT_PARAMETERS)};
static const signature pad_adjoint_signature = SIGNATURE("pad_adjoint", pad_adjoint_rows, 4, 0);

int32_t adjoint_number(const array_view *view)
{
    const struct {
        char kind, kind_too;
        int item_bytes;
        int32_t number;
    } all[] = {
        {'f', 'f', 4, TPAD_NUMBER_F32}, {'f', 'f', 8, TPAD_NUMBER_F64},
        {'f', 'f', 2, TPAD_NUMBER_F16}, {'c', 'c', 8, TPAD_NUMBER_COMPLEX64},
        {'i', 'u', 1, TPAD_NUMBER_I8},  {'c', 'c', 16, TPAD_NUMBER_COMPLEX128},
        {'i', 'u', 2, TPAD_NUMBER_I16}, {'i', 'u', 4, TPAD_NUMBER_I32},
        {'i', 'u', 8, TPAD_NUMBER_I64}, {KIND_BFLOAT, KIND_BFLOAT, 2, TPAD_NUMBER_BF16},
    };
    if (!(view->flags & ARRAY_NOT_SWAPPED)) return 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((view->kind == all[i].kind || view->kind == all[i].kind_too) &&
            view->item_bytes == all[i].item_bytes)
            return all[i].number;
    return 0;
}

/* The same for any array; NumPy has no bfloat16. 0 with TypeError for types that cannot be
 * added. */
static int32_t number_of(context *c, const operand *grad)
{
    const int32_t number = adjoint_number(&grad->view);
    if (number != 0) return number;
    return let_go(call_python(c, "_arguments", "check_bfloat16", "(O)", grad->dtype)) == 0
               ? TPAD_NUMBER_BF16
               : 0;
}

int check_gradient(const operand *grad, int rank, const tpad_axis *axes)
{
    int64_t extents[TPAD_MAX_RANK], padded[TPAD_MAX_RANK];
    const tpad_problem problem = dense_problem(axes, rank, 8);
    tpad_error error;
    if (tpad_shape(&problem, padded, NULL, NULL, &error) != TPAD_OK) {
        raise_error(&error);
        return -1;
    }
    if (operand_has_shape(grad, rank, padded)) return 0;
    for (int i = 0; i < rank; i++) extents[i] = axes[i].in_extent;
    PyObject *has = array_shape(&grad->view);
    PyObject *wanted = has ? make_integers(rank, padded) : NULL;
    PyObject *shape = wanted ? make_integers(rank, extents) : NULL;
    if (shape)
        PyErr_Format(PyExc_ValueError, "grad has shape %R, an array of shape %R is padded to %R",
                     has, shape, wanted);
    Py_XDECREF(has);
    Py_XDECREF(wanted);
    Py_XDECREF(shape);
    return -1;
}

/* Copies a broadcast gradient, so that no two cells share memory, as in outputs of plans. */
static int spread(context *c, operand *grad)
{
    const array_view *view = &grad->view;
    for (int i = 0; i < view->rank; i++)
        if (view->shape[i] > 1 && view->strides[i] == 0) return operand_copy(c, grad);
    return 0;
}

int add_cells(context *c, tpad_axis *axes, int32_t number, int32_t flags, operand *grad,
              operand *dst, int threads)
{
    if (operand_refresh(c, grad) != 0 || operand_refresh(c, dst) != 0) return -1;
    const array_view *from = &grad->view, *to = &dst->view;
    for (int i = 0; i < to->rank; i++) {
        axes[i].in_stride = to->strides[i];
        axes[i].out_stride = from->strides[i];
    }
    const tpad_problem problem = strided_problem(axes, to->rank, 8 * to->item_bytes);
    const int64_t bytes = (array_size(from) + array_size(to)) * to->item_bytes;
    tpad_runner room;
    const tpad_runner *with = runner_for(c->state, threads, &room);
    kept_plan *kept = plans_take(c->state->scratch, &problem);
    if (kept == NULL) return -1;
    tpad_error error;
    int32_t status = plans_make(kept, &error);
    if (status == TPAD_OK && bytes < WORTH_RELEASING) {
        status = tpad_adjoint(&kept->plan, number, flags, from->data, to->data, NULL, &error);
    } else if (status == TPAD_OK) {
        Py_BEGIN_ALLOW_THREADS
        status = tpad_adjoint(&kept->plan, number, flags, from->data, to->data, with, &error);
        Py_END_ALLOW_THREADS
    }
    plans_give(c->state->scratch, kept);
    if (status == TPAD_OK) return 0;
    raise_error(&error);
    return -1;
}

static PyObject *adjoint_of(context *c, const pad_adjoint_call *call, operand *grad, int rank,
                            const int64_t *shape, int32_t flags, int threads)
{
    tpad_axis axes[TPAD_MAX_RANK];
    const axis_words words = {call->pad_width, call->mode, call->interior, call->order, call->axes};
    if (read_amounts(c, &words, rank, axes) != 0) return NULL;
    for (int i = 0; i < rank; i++) axes[i].in_extent = shape[i];
    const int32_t number = check_gradient(grad, rank, axes) == 0 ? number_of(c, grad) : 0;
    if (number == 0) return NULL;
    operand dst = {0};
    PyObject *result = NULL;
    int status = operand_result(c, call->out, grad, rank, shape, &dst, &result);
    if (status == 0) status = operand_separate(c, grad, &dst);
    if (status == 0) status = spread(c, grad);
    if (status == 0) status = add_cells(c, axes, number, flags, grad, &dst, threads);
    operand_close(&dst);
    if (status != 0) Py_CLEAR(result);
    return result;
}

static PyObject *core_pad_adjoint(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                  PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    pad_adjoint_call call;
    if (read_call(&pad_adjoint_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    if (is_foreign(c.state, call.grad, call.out))
        return through_door(&c, "pad_adjoint", &pad_adjoint_signature, (PyObject **)&call, args,
                            count, NULL);
    const int add = call.add ? PyObject_IsTrue(call.add) : 0;
    if (add < 0) return NULL;
    if (add && (call.out == NULL || call.out == Py_None)) {
        PyErr_SetString(PyExc_ValueError, "add=True adds to what is in out: there is no out");
        return NULL;
    }
    int64_t shape[TPAD_MAX_RANK];
    const int rank = extents_of(&c, call.shape, "shape", shape);
    const int threads = rank < 0 ? -1 : read_threads(c.state, call.threads);
    operand grad;
    if (threads < 0 || operand_source(&c, call.grad, &grad) != 0) return NULL;
    PyObject *result =
        adjoint_of(&c, &call, &grad, rank, shape, add ? TPAD_ADJOINT_ADD : 0, threads);
    operand_close(&grad);
    return result;
}

/* move_back(grad, dst, axes, bfloat16, threads): NumPy arrays of one type; bfloat16: true if their
 * 16-bit integers are bfloat16 numbers */
PyObject *core_move_back(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("move_back", count, 5)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    const int rank = read_axes(&c, args[2], axes);
    const int threads = rank < 0 ? -1 : read_threads(c.state, args[4]);
    operand grad = {0}, dst = {0};
    int status = -1;
    if (threads < 0 || operand_take(&c, Py_NewRef(args[0]), &grad) != 0 ||
        operand_take(&c, Py_NewRef(args[1]), &dst) != 0)
        goto done;
    const int32_t number = args[3] == Py_True ? TPAD_NUMBER_BF16 : adjoint_number(&grad.view);
    if (number == 0 || rank != grad.view.rank || rank != dst.view.rank ||
        grad.view.item_bytes != dst.view.item_bytes) {
        PyErr_SetString(PyExc_TypeError, "elements of this type, or of two types, are not added");
        goto done;
    }
    for (int i = 0; i < rank; i++) axes[i].in_extent = dst.view.shape[i];
    status = check_gradient(&grad, rank, axes);
    if (status == 0) status = array_check_output(&dst.view);
    if (status == 0) status = operand_separate(&c, &grad, &dst);
    if (status == 0) status = spread(&c, &grad);
    if (status == 0) status = add_cells(&c, axes, number, 0, &grad, &dst, threads);
done:
    operand_close(&grad);
    operand_close(&dst);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}

PyDoc_STRVAR(
    pad_adjoint_doc,
    PARAMETERS_SHOWN(
        "pad_adjoint", PAD_ADJOINT_PARAMETERS, "",
        "The transpose of `pad`: each element gets the sum of all cells that `pad` made of it.\n"
        "This is the gradient of a pad, and it adds borders, ghost cells and overlapping tiles\n"
        "back to where they came from.\n"
        "\n"
        "grad: an array of the shape that `pad` returns, of integers (which wrap around),\n"
        "    float16, bfloat16, float32, float64, complex64 or complex128, in the byte order of\n"
        "    the machine. Others are a TypeError: grad.astype(...) converts them. float16 and\n"
        "    bfloat16 are added as float32, and rounded once.\n"
        "shape: that of the array that was padded, and of the result.\n"
        "pad_width, mode, interior, order, axes: those of `pad`. Cells with a constant go\n"
        "    nowhere, and elements without a cell get 0.\n"
        "out: the array to write into; it is returned. If it shares memory with grad, grad is\n"
        "    copied first: it may be the inside of grad.\n"
        "add: True: out, which is needed then, keeps what it has, and the cells are added to\n"
        "    it: one call for each tile adds overlapping tiles.\n"
        "threads: how many threads may share the work; None: thread_count(). The sums are the\n"
        "    same to the bit.\n"
        "\n"
        "The order of the additions is fixed: on each axis the cell at its element's own place\n"
        "comes first, then the others by their index, and the axis with the largest stride is\n"
        "the outermost one. A transposed grad may change the last bits.\n"
        "\n"
        "Returns an array of the type of grad, with its unit. Raises the errors of `pad`, and\n"
        "TypeError for a masked array (grad.filled(0) adds nothing for masked cells) and for a\n"
        "tensor that requires grad (tensorpad.torch.pad has all derivatives)."));

PyMethodDef pad_adjoint_method = PUBLIC_METHOD("pad_adjoint", core_pad_adjoint, pad_adjoint_doc);
