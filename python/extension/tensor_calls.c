/* Pads and gradients of torch tensors, for tensorpad.torch. SPDX-License-Identifier: MIT
 *
 * For a small tensor, a NumPy view takes longer than the pad. So contiguous tensors of common types
 * are read without one; for all others the answer is None, and Python takes the slow path.
 */
#include "extension.h"

#include <string.h>

/* Opens a C-contiguous tensor: 1; else 0, and there is nothing to close. */
static int open_dense(context *c, PyObject *tensor, operand *out)
{
    *out = (operand){.is_tensor = 1, .movable = 1};
    const int kind = gpu_kind(c->state);
    int number;
    if (kind && tensor_open_on(c->state, tensor, kind, &out->view, &number))
        out->gpu = 1 + number;
    else if (!tensor_open(c->state, tensor, &out->view))
        return 0;
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
    out->view.flags |= ARRAY_C_CONTIGUOUS;
    out->array = Py_NewRef(tensor);
    return 1;
}

/* The same for an input. If channels may be last, Python decides the result's layout. */
static int open_input(context *c, PyObject *tensor, operand *out)
{
    if (!open_dense(c, tensor, out)) return 0;
    const array_view *view = &out->view;
    if ((view->rank != 4 && view->rank != 5) || view->strides[1] > view->strides[view->rank - 1])
        return 1;
    operand_close(out);
    return 0;
}

/* A new tensor of the same type: 0, or -1 with an exception. Runs no foreign code: tensorpad.torch
 * has checked that no mode of torch would. */
static int make_like(context *c, const operand *source, int rank, const int64_t *shape,
                     operand *out)
{
    /* Separate integer arguments are read faster than a tuple. */
    PyObject *extents = rank > 0 ? make_integers(rank, shape) : Py_BuildValue("(())");
    PyObject *method = extents ? PyObject_GetAttr(source->array, c->state->word_new_empty) : NULL;
    PyObject *tensor = method ? PyObject_Call(method, extents, NULL) : NULL;
    Py_XDECREF(method);
    Py_XDECREF(extents);
    if (tensor == NULL) return -1;
    const int opened = open_dense(c, tensor, out);
    Py_DECREF(tensor);
    if (!opened) PyErr_SetString(PyExc_TypeError, "torch has made a tensor of another kind");
    out->view.is_new = opened;
    return opened ? 0 : -1;
}

/* The number of threads for an output of `bytes` that both the package and torch allow; -1 with an
 * exception. torch_threads: torch.get_num_threads, called only if it matters.
 */
static int threads_for(context *c, PyObject *torch_threads, int64_t bytes)
{
    const int threads = bytes < WORTH_RELEASING ? 1 : read_threads(c->state, NULL);
    if (threads <= 1) return threads;
    PyObject *most = PyObject_CallNoArgs(torch_threads);
    const long allowed = most ? PyLong_AsLong(most) : -1;
    Py_XDECREF(most);
    return PyErr_Occurred() ? -1 : allowed < threads ? (int)allowed : threads;
}

/* 1 if numpy.pad may refuse the call: a constant in another mode, or an empty axis. */
static int is_doubtful(const operand *src, const tpad_axis *axes, PyObject *value)
{
    int64_t zero;
    const int given = !plain_integer(value, &zero) || zero != 0;
    for (int i = 0; i < src->view.rank; i++)
        if (axes[i].mode != TPAD_CONSTANT && (given || src->view.shape[i] == 0)) return 1;
    return 0;
}

/* Runs a call on a GPU. number: as in gpu_call. Returns GPU_..., and GPU_CAPTURES also if the
 * driver refuses, which Python reports to the user. axes: with extents. */
static int run_on_gpu(context *c, tpad_axis *axes, int number, const operand *src,
                      const operand *dst, const void *value, PyObject *stream_of)
{
    PyObject *stream = PyObject_CallFunction(stream_of, "i", src->gpu - 1);
    const gpu_call call = {.number = number,
                           .device = src->gpu - 1,
                           .src = (uint64_t)(uintptr_t)src->view.data,
                           .dst = (uint64_t)(uintptr_t)dst->view.data,
                           .value = value,
                           .stream = stream ? PyLong_AsUnsignedLongLong(stream) : 0};
    Py_XDECREF(stream);
    if (PyErr_Occurred()) return GPU_FAILED;
    const array_view *const in = number > 0 ? &dst->view : &src->view;
    const array_view *const out = number > 0 ? &src->view : &dst->view;
    for (int i = 0; i < in->rank; i++) {
        axes[i].in_stride = in->strides[i];
        axes[i].out_stride = out->strides[i];
    }
    const int done = gpu_run(c, &call, axes, in->rank, in->item_bytes);
    if (done != GPU_FAILED || !PyErr_ExceptionMatches(PyExc_RuntimeError)) return done;
    PyErr_Clear();
    return GPU_CAPTURES;
}

/* 1 if torch.nn.functional.pad gives the same result faster. axes: with extents; shape: of the
 * result. recorded: except for constant, its backward differs from run to run. */
static int is_sooner_on_gpu(context *c, const operand *src, const tpad_axis *axes,
                            const int64_t *shape, int64_t bytes, int recorded)
{
    const int rank = src->view.rank;
    int first = rank, last = -1, mode = -1, plain = bytes > 0;
    for (int i = 0; i < rank; i++) {
        const tpad_axis *a = &axes[i];
        if (a->before == 0 && a->after == 0 && a->interior == 0) continue;
        const int64_t most = a->mode == TPAD_CONSTANT                          ? INT64_MAX
                             : a->mode == TPAD_REFLECT || a->mode == TPAD_EDGE ? a->in_extent - 1
                                                                               : -1;
        plain &= a->interior == 0 && (mode < 0 || mode == a->mode) && a->before >= 0 &&
                 a->after >= 0 && a->before <= most && a->after <= most;
        mode = a->mode;
        last = i;
        if (first == rank) first = i;
    }
    if (!plain || last < 0) return 0;
    int64_t row = src->view.item_bytes, planes = 1;
    for (int i = last; i < rank; i++) row *= shape[i];
    for (int i = 0; i < first; i++) planes *= shape[i];
    if (!gpu_is_small(c->state, bytes, row)) return 0;
    return mode == TPAD_CONSTANT ||
           (!recorded && (src->view.kind == 'f' || src->view.kind == KIND_BFLOAT) &&
            rank - first <= 3 && first >= 1 && first <= 2 &&
            planes < 65536); /* torch's kernels do not support more rows */
}

/* Pads by known amounts: a new tensor; None: left to Python; or False, on a GPU: left to
 * torch.nn.functional.pad. axes: without extents. torch_threads: as in threads_for; for a tensor on
 * a GPU, the function that gives a device's stream. recorded: Pad.apply of tensorpad.torch if a
 * gradient is wanted, else NULL. */
static PyObject *pad_dense(context *c, operand *src, tpad_axis *axes, PyObject *value,
                           PyObject *torch_threads, PyObject *recorded, int may_be_torchs)
{
    const int rank = src->view.rank;
    fill_values values;
    values_start(&values);
    if (is_doubtful(src, axes, value) || !plain_fill(&src->view, value, values.bytes))
        return Py_NewRef(Py_None);
    int64_t shape[TPAD_MAX_RANK], bytes;
    for (int i = 0; i < rank; i++) axes[i].in_extent = src->view.shape[i];
    const tpad_problem problem = dense_problem(axes, rank, 8 * src->view.item_bytes);
    if ((src->gpu || !recorded) && plans_shape(c->state->scratch, &problem, shape, &bytes) != 0)
        return NULL;
    if (src->gpu && may_be_torchs && is_sooner_on_gpu(c, src, axes, shape, bytes, recorded != NULL))
        return Py_NewRef(Py_False);
    if (recorded) {
        PyObject *amounts = make_axes(rank, axes);
        PyObject *padded =
            amounts ? PyObject_CallFunctionObjArgs(recorded, src->array, amounts, value, NULL)
                    : NULL;
        Py_XDECREF(amounts);
        return padded;
    }
    values.elements = values.bytes;
    operand dst = {0};
    PyObject *result = NULL;
    if (src->gpu) {
        if (make_like(c, src, rank, shape, &dst) == 0) {
            const int done = run_on_gpu(c, axes, 0, src, &dst, values.bytes, torch_threads);
            if (done != GPU_FAILED) result = Py_NewRef(done == GPU_LAUNCHED ? dst.array : Py_None);
        }
        operand_close(&dst);
        return result;
    }
    const int threads = threads_for(c, torch_threads, bytes);
    if (threads > 0 && make_like(c, src, rank, shape, &dst) == 0 &&
        move_operands(c, axes, src, &dst, &values, threads) == 0)
        result = Py_NewRef(dst.array);
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
    operand src;
    if (rank < 0) return NULL;
    if (!open_input(&c, args[0], &src)) return Py_NewRef(Py_None);
    PyObject *result = rank == src.view.rank ? pad_dense(&c, &src, axes, args[2], args[3], NULL, 0)
                                             : Py_NewRef(Py_None);
    operand_close(&src);
    return result;
}

/* The tuple of torch's functions from tensorpad.torch: names and order as in its _pad.ASKED. */
enum {
    TENSOR,
    PARAMETER,
    KEYS_OF,
    KEYS_OF_THREAD,
    WATCHED,
    ON_GPU, /* the bits of WATCHED that GPU tensors have */
    GRAD_ENABLED,
    FORWARD_AD,
    RAW_REPR, /* attribute names */
    CURRENT_LEVEL,
    REQUIRES_GRAD,
    RECORDED,
    STREAM_OF,
    THREADS,
    SEEN
};

/* Adds the bits of a set of dispatch keys, and takes its reference: 0, or -1 with an exception. */
static int add_keys(PyObject *set, PyObject *torch, unsigned long long *keys)
{
    PyObject *bits =
        set ? PyObject_CallMethodObjArgs(set, PyTuple_GetItem(torch, RAW_REPR), NULL) : NULL;
    const unsigned long long set_bits = bits ? PyLong_AsUnsignedLongLong(bits) : 0;
    Py_XDECREF(set);
    Py_XDECREF(bits);
    if (PyErr_Occurred()) return -1;
    *keys |= set_bits;
    return 0;
}

int torch_is_asked(PyObject *torch)
{
    if (PyTuple_Check(torch) && PyTuple_Size(torch) == SEEN) return 1;
    PyErr_SetString(PyExc_TypeError, "torch must be the tuple of torch's functions");
    return 0;
}

/* 1 if torch intercepts this thread's calls (a mode, tracing, a transform, forward derivatives); 0
 * if not, -1 with an exception. */
static int thread_seen(PyObject *torch, unsigned long long watched)
{
    unsigned long long keys = 0;
    if (add_keys(PyObject_CallNoArgs(PyTuple_GetItem(torch, KEYS_OF_THREAD)), torch, &keys) != 0)
        return -1;
    if (keys & watched) return 1;
    PyObject *level =
        PyObject_GetAttr(PyTuple_GetItem(torch, FORWARD_AD), PyTuple_GetItem(torch, CURRENT_LEVEL));
    const long depth = level ? PyLong_AsLong(level) : -1;
    Py_XDECREF(level);
    return PyErr_Occurred() ? -1 : depth >= 0;
}

/* tensors_seen for a thread that torch does not intercept. */
static int items_seen(PyObject *const *tensors, Py_ssize_t count, PyObject *torch,
                      unsigned long long watched)
{
    PyObject *const type = PyTuple_GetItem(torch, TENSOR);
    int recorded = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const kind = (PyObject *)Py_TYPE(tensors[i]);
        if (PyList_Check(tensors[i]) || PyTuple_Check(tensors[i])) continue;
        unsigned long long keys = 0;
        if (kind != type && kind != PyTuple_GetItem(torch, PARAMETER)) return LEFT_TO_PYTHON;
        if (add_keys(
                PyObject_CallFunctionObjArgs(PyTuple_GetItem(torch, KEYS_OF), tensors[i], NULL),
                torch, &keys) != 0)
            return -1;
        if (keys & watched) return LEFT_TO_PYTHON;
        PyObject *wanted = PyObject_GetAttr(tensors[i], PyTuple_GetItem(torch, REQUIRES_GRAD));
        recorded |= wanted == Py_True;
        Py_XDECREF(wanted);
        if (wanted == NULL) return -1;
    }
    if (!recorded) return ONLY_READ;
    PyObject *enabled = PyObject_CallNoArgs(PyTuple_GetItem(torch, GRAD_ENABLED));
    const int access = enabled == Py_True ? RECORD : ONLY_READ;
    Py_XDECREF(enabled);
    return enabled ? access : -1;
}

/* The same for any thread, ignoring the keys `unwatched`. */
static int seen_beside(PyObject *const *tensors, Py_ssize_t count, PyObject *torch,
                       unsigned long long unwatched)
{
    const unsigned long long watched =
        PyLong_AsUnsignedLongLong(PyTuple_GetItem(torch, WATCHED)) & ~unwatched;
    const int seen = PyErr_Occurred() ? -1 : items_seen(tensors, count, torch, watched);
    const int thread = seen > LEFT_TO_PYTHON ? thread_seen(torch, watched) : 0;
    return thread == 0 ? seen : thread < 0 ? -1 : LEFT_TO_PYTHON;
}

int tensors_seen(PyObject *const *tensors, Py_ssize_t count, PyObject *torch)
{
    return seen_beside(tensors, count, torch, 0);
}

/* The same for one tensor, which may be on a GPU. */
static int tensor_seen(context *c, PyObject *tensor, PyObject *torch)
{
    PyObject *const keys = PyTuple_GetItem(torch, ON_GPU);
    return seen_beside(&tensor, 1, torch, gpu_kind(c->state) ? PyLong_AsUnsignedLongLong(keys) : 0);
}

/* The mode for a name of torch.nn.functional.pad, or -1. */
static int32_t mode_of_torch(const char *word)
{
    if (strcmp(word, "circular") == 0) return TPAD_WRAP;
    if (strcmp(word, "replicate") == 0) return TPAD_EDGE;
    const int32_t mode = tpad_mode_from_name(word);
    return mode == TPAD_WRAP || mode == TPAD_EDGE ? -1 : mode;
}

/* Reads `pad` of torch.nn.functional.pad, (before, after) from the last axis on: the number of its
 * entries, or -1 if left to Python. */
static int read_torch_pad(PyObject *pad, PyObject *word, PyObject *value, int rank, tpad_axis *axes)
{
    const int32_t mode = number_of_word(word, mode_of_torch);
    PyObject *items = plain_items(pad);
    const Py_ssize_t count = items ? PyTuple_Size(items) : -1;
    int64_t zero = 0;
    int plain = mode >= 0 && count % 2 == 0 && count / 2 <= rank &&
                (mode == TPAD_CONSTANT || (plain_integer(value, &zero) && zero == 0));
    memset(axes, 0, sizeof *axes * (size_t)rank);
    for (int i = 0; plain && i < count / 2; i++) {
        tpad_axis *axis = &axes[rank - 1 - i];
        axis->mode = mode;
        axis->order = mode == TPAD_WRAP ? TPAD_CROP : TPAD_WINDOW;
        plain = plain_integer(PyTuple_GetItem(items, 2 * i), &axis->before) &&
                plain_integer(PyTuple_GetItem(items, 2 * i + 1), &axis->after);
    }
    Py_XDECREF(items);
    return plain ? (int)count : -1;
}

enum { ON_HOST = 1 }; /* of gpu_kind, in tests: host memory stands in for a GPU */

/* 1 if torch's own kernel does a call of torch.nn.functional.pad faster: it repeats elements, and
 * there are so few that the checks here would take longer. */
static int is_sooner_by_torch(context *c, PyObject *const *args, PyObject *torch)
{
    enum { MOST = 2048 };
    const int32_t mode = number_of_word(args[2], mode_of_torch);
    PyObject *const kind = (PyObject *)Py_TYPE(args[0]);
    array_view view;
    if ((mode != TPAD_REFLECT && mode != TPAD_EDGE) ||
        (kind != PyTuple_GetItem(torch, TENSOR) && kind != PyTuple_GetItem(torch, PARAMETER)) ||
        !tensor_open(c->state, args[0], &view))
        return 0;
    tpad_axis axes[TPAD_MAX_RANK];
    const int64_t size = array_size(&view);
    int sooner = (view.kind == 'f' || view.kind == KIND_BFLOAT) && view.rank >= 3 &&
                 view.rank <= 5 && size > 0 && size <= MOST &&
                 read_torch_pad(args[1], args[2], args[6], view.rank, axes) == 2 * (view.rank - 2);
    for (int i = 2; sooner && i < view.rank; i++) {
        const int64_t most = mode == TPAD_EDGE ? MOST : view.shape[i] - 1;
        sooner = axes[i].before >= 0 && axes[i].before <= most && axes[i].after >= 0 &&
                 axes[i].after <= most;
    }
    array_close(&view);
    return sooner;
}

/* tensor_call(tensor, pad_width, mode, interior, order, axes, value, torch, as_torch): the whole
 * call, if it is a plain one; False if torch.nn.functional.pad is faster; else None. as_torch
 * True: pad_width and mode are those of torch.nn.functional.pad, and interior, order and axes are
 * ignored */
PyObject *core_tensor_call(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("tensor_call", count, 9)) return NULL;
    PyObject *const value = args[6], *const torch = args[7];
    if (!torch_is_asked(torch)) return NULL;
    const int is_torchs = args[8] == Py_True;
    if (is_torchs && gpu_kind(c.state) != ON_HOST && is_sooner_by_torch(&c, args, torch))
        return Py_NewRef(Py_False);
    const int is_number = PyLong_CheckExact(value) || PyFloat_CheckExact(value);
    const int seen = is_number ? tensor_seen(&c, args[0], torch) : LEFT_TO_PYTHON;
    operand src;
    if (seen < 0) return NULL;
    if (seen == LEFT_TO_PYTHON || !open_input(&c, args[0], &src)) return Py_NewRef(Py_None);
    tpad_axis axes[TPAD_MAX_RANK];
    const axis_words words = {args[1], args[2], args[3], args[4], args[5]};
    const int understood = is_torchs
                               ? read_torch_pad(args[1], args[2], value, src.view.rank, axes) >= 0
                               : read_amounts(&c, &words, src.view.rank, axes) == 0;
    PyObject *result = NULL;
    if (understood)
        result =
            pad_dense(&c, &src, axes, value, PyTuple_GetItem(torch, src.gpu ? STREAM_OF : THREADS),
                      seen == RECORD ? PyTuple_GetItem(torch, RECORDED) : NULL, 1);
    else if (!PyErr_Occurred())
        result = Py_NewRef(Py_None);
    operand_close(&src);
    return result;
}

PyObject *tensor_padded(context *c, PyObject *tensor, read_tensor_axes *read, const void *call,
                        PyObject *value, int *rank, tpad_axis *axes)
{
    PyObject *const torch = c->state->torch;
    if (torch == NULL) return NULL;
    PyObject *const number = value ? Py_NewRef(value) : PyLong_FromLong(0);
    const int is_number = number && (PyLong_CheckExact(number) || PyFloat_CheckExact(number));
    const int seen = is_number ? tensor_seen(c, tensor, torch) : LEFT_TO_PYTHON;
    operand src;
    PyObject *result = NULL;
    if (seen > LEFT_TO_PYTHON && open_input(c, tensor, &src)) {
        *rank = src.view.rank;
        for (int i = 0; i < *rank; i++) axes[i] = (tpad_axis){.in_extent = src.view.shape[i]};
        if (read(c, call, *rank, axes) == 0)
            result = pad_dense(c, &src, axes, number,
                               PyTuple_GetItem(torch, src.gpu ? STREAM_OF : THREADS),
                               seen == RECORD ? PyTuple_GetItem(torch, RECORDED) : NULL, 1);
        operand_close(&src);
    }
    Py_XDECREF(number);
    if (result == Py_None || result == Py_False) Py_CLEAR(result);
    return result;
}

/* tensors_seen(items, torch): 1 if tensorpad.torch's pads may read all of these tensors, 2 if a
 * gradient is also wanted, else 0. Skips lists */
PyObject *core_tensors_seen(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (!check_count("tensors_seen", count, 2) || !torch_is_asked(args[1])) return NULL;
    PyObject *items = PySequence_Tuple(args[0]);
    if (items == NULL) return NULL;
    PyObject **all = PyMem_Calloc((size_t)PyTuple_Size(items) + 1, sizeof *all);
    for (Py_ssize_t i = 0; all && i < PyTuple_Size(items); i++) all[i] = PyTuple_GetItem(items, i);
    const int seen = all ? tensors_seen(all, PyTuple_Size(items), args[1]) : -1;
    if (all == NULL) PyErr_NoMemory();
    PyMem_Free(all);
    Py_DECREF(items);
    return seen < 0 ? NULL : PyLong_FromLong(seen);
}

/* tensor_adjoint(grad, shape, axes, torch_threads): the gradient of a tensor of this shape, or None
 */
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
    if (grad.gpu) {
        if (check_gradient(&grad, rank, axes) != 0 || make_like(&c, &grad, rank, shape, &dst) != 0)
            goto done;
        const int done = run_on_gpu(&c, axes, number, &grad, &dst, NULL, args[3]);
        if (done != GPU_FAILED) result = Py_NewRef(done == GPU_LAUNCHED ? dst.array : Py_None);
        goto done;
    }
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
