/* pad_shape, unpad and pad_border.  SPDX-License-Identifier: MIT */
#include "extension.h"

/* ---- pad_shape ------------------------------------------------------------------------------- */

#define PAD_SHAPE_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                             \
    REQUIRED(shape)                                                                                \
    REQUIRED(pad_width)                                                                            \
    OPTIONAL(mode, "'constant'")                                                                   \
    STAR()                                                                                         \
    OPTIONAL(interior, "0")                                                                        \
    OPTIONAL(order, "'window'")                                                                    \
    OPTIONAL(axes, "None")

typedef struct pad_shape_call {
    PARAMETER_FIELDS(PAD_SHAPE_PARAMETERS)
} pad_shape_call;

static const parameter pad_shape_rows[] = {PARAMETER_ROWS(PAD_SHAPE_PARAMETERS)};
static const signature pad_shape_signature = SIGNATURE("pad_shape", pad_shape_rows, 3, 0);

static PyObject *core_pad_shape(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    pad_shape_call call;
    if (read_call(&pad_shape_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    int64_t extents[TPAD_MAX_RANK];
    tpad_axis axes[TPAD_MAX_RANK];
    const axis_words words = {call.pad_width, call.mode, call.interior, call.order, call.axes};
    const int rank = extents_of(&c, call.shape, "shape", extents);
    if (rank < 0 || read_amounts(&c, &words, rank, axes) != 0) return NULL;
    for (int i = 0; i < rank; i++) axes[i].in_extent = extents[i];
    const tpad_problem problem = dense_problem(axes, rank, 8);
    tpad_error error;
    if (tpad_shape(&problem, extents, NULL, NULL, &error) != TPAD_OK) return raise_error(&error);
    return make_integers(rank, extents);
}

PyDoc_STRVAR(pad_shape_doc,
             PARAMETERS_SHOWN(
                 "pad_shape", PAD_SHAPE_PARAMETERS, "",
                 "The shape of the result of `pad` for an array of this shape. It needs no data.\n"
                 "\n"
                 "shape: the extents, at most 16; an integer is a shape of one axis.\n"
                 "pad_width, mode, interior, order, axes: as `pad` takes them.\n"
                 "\n"
                 "Raises the errors of `pad`."));

PyMethodDef pad_shape_method = PUBLIC_METHOD("pad_shape", core_pad_shape, pad_shape_doc);

/* ---- unpad ----------------------------------------------------------------------------------- */

#define UNPAD_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                                 \
    REQUIRED(array)                                                                                \
    REQUIRED(pad_width)                                                                            \
    STAR()                                                                                         \
    OPTIONAL(interior, "0")                                                                        \
    OPTIONAL(axes, "None")

typedef struct unpad_call {
    PARAMETER_FIELDS(UNPAD_PARAMETERS)
} unpad_call;

static const parameter unpad_rows[] = {PARAMETER_ROWS(UNPAD_PARAMETERS)};
static const signature unpad_signature = SIGNATURE("unpad", unpad_rows, 2, 0);

/* Sets the extent of the inside so that the padded axis has `extent`. */
static int set_inside(int number, int64_t extent, tpad_axis *axis)
{
    const int64_t before = axis->before, after = axis->after, between = axis->interior;
    if (before < 0 || after < 0) {
        PyErr_Format(PyExc_ValueError,
                     "axis %d: the amounts (%lld, %lld) are negative: the cells that they cropped "
                     "are gone",
                     number, (long long)before, (long long)after);
        return -1;
    }
    if (between < 0) {
        PyErr_Format(PyExc_ValueError, "axis %d: interior %lld is negative", number,
                     (long long)between);
        return -1;
    }
    const int64_t dilated =
        before > extent || after > extent - before ? -1 : extent - before - after;
    const int fits = dilated >= 0 && (between == 0 || dilated < 2 ||
                                      (between < dilated && (dilated - 1) % (between + 1) == 0));
    if (!fits) {
        PyErr_Format(PyExc_ValueError,
                     "axis %d: no array padded by (%lld, %lld) with interior %lld has extent %lld",
                     number, (long long)before, (long long)after, (long long)between,
                     (long long)extent);
        return -1;
    }
    axis->in_extent = dilated == 0 ? 0 : (dilated - 1) / (between + 1) + 1;
    return 0;
}

/* array[before : -after : between + 1, ..., ...]: a new reference. What torch records of it is
 * valid for all extents. */
static PyObject *view_inside(PyObject *array, int rank, const tpad_axis *axes)
{
    PyObject *index = PyTuple_New(rank + 1);
    if (index && PyTuple_SetItem(index, rank, Py_NewRef(Py_Ellipsis)) != 0) Py_CLEAR(index);
    for (int i = 0; index && i < rank; i++) {
        PyObject *start = PyLong_FromLongLong(axes[i].before);
        PyObject *stop = start == NULL        ? NULL
                         : axes[i].after == 0 ? Py_NewRef(Py_None)
                                              : PyLong_FromLongLong(-axes[i].after);
        PyObject *step = stop ? PyLong_FromLongLong(axes[i].interior + 1) : NULL;
        PyObject *slice = step ? PySlice_New(start, stop, step) : NULL;
        Py_XDECREF(start);
        Py_XDECREF(stop);
        Py_XDECREF(step);
        if (slice == NULL || PyTuple_SetItem(index, i, slice) != 0) Py_CLEAR(index);
    }
    PyObject *inside = index ? PyObject_GetItem(array, index) : NULL;
    Py_XDECREF(index);
    return inside;
}

/* The extents of an array from its attribute `shape`: the rank, or -1. */
static int read_extents(context *c, PyObject *array, int64_t *extents)
{
    PyObject *shape = PyObject_GetAttrString(array, "shape");
    const int rank = shape ? read_integers(c, shape, "an extent", MOST_AXES, extents) : -1;
    Py_XDECREF(shape);
    return rank;
}

/* The array to take a view of: NumPy's or a torch tensor, a new reference. */
static PyObject *viewed(context *c, PyObject *array)
{
    if (Py_TYPE(array) == (PyTypeObject *)c->state->ndarray) return Py_NewRef(array);
    return call_python(c, "_arrays", "viewed", "(O)", array);
}

static PyObject *core_unpad(PyObject *module, PyObject *const *args, Py_ssize_t count,
                            PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    unpad_call call;
    if (read_call(&unpad_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    PyObject *array = viewed(&c, call.array);
    int64_t extents[MOST_AXES];
    tpad_axis axes[MOST_AXES];
    const axis_words words = {call.pad_width, NULL, call.interior, NULL, call.axes};
    const int rank = array ? read_extents(&c, array, extents) : -1;
    int status = rank < 0 ? -1 : read_amounts(&c, &words, rank, axes);
    for (int i = 0; status == 0 && i < rank; i++) status = set_inside(i, extents[i], &axes[i]);
    PyObject *inside = status == 0 ? view_inside(array, rank, axes) : NULL;
    Py_XDECREF(array);
    return inside;
}

PyDoc_STRVAR(
    unpad_doc,
    PARAMETERS_SHOWN(
        "unpad", UNPAD_PARAMETERS, "",
        "The array inside a padded one, as a view. With the amounts of a call of `pad`, or\n"
        "those that `pad_to` returned, it is the array before this call.\n"
        "\n"
        "array: a padded array, as `pad` takes it.\n"
        "pad_width, interior, axes: those of this call. Amounts must not be negative\n"
        "    (ValueError), because the cropped cells are gone."));

PyMethodDef unpad_method = PUBLIC_METHOD("unpad", core_unpad, unpad_doc);

/* ---- pad_border ------------------------------------------------------------------------------ */

#define PAD_BORDER_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                            \
    REQUIRED(out)                                                                                  \
    REQUIRED(pad_width)                                                                            \
    OPTIONAL(mode, "'constant'")                                                                   \
    STAR()                                                                                         \
    OPTIONAL(constant_values, "0")                                                                 \
    OPTIONAL(constant_axis, "None")                                                                \
    OPTIONAL(interior, "0")                                                                        \
    OPTIONAL(axes, "None")                                                                         \
    OPTIONAL(threads, "None")

typedef struct pad_border_call {
    PARAMETER_FIELDS(PAD_BORDER_PARAMETERS)
} pad_border_call;

static const parameter pad_border_rows[] = {PARAMETER_ROWS(PAD_BORDER_PARAMETERS)};
static const signature pad_border_signature = SIGNATURE("pad_border", pad_border_rows, 3, 0);

/* Runs the plan of the border; the array is its own input. */
static int run_border(context *c, tpad_axis *axes, operand *dst, const fill_values *values,
                      int threads)
{
    if (operand_refresh(c, dst) != 0) return -1;
    const array_view *view = &dst->view;
    for (int i = 0; i < view->rank; i++) {
        axes[i].in_stride = view->strides[i];
        axes[i].out_stride = view->strides[i];
    }
    const tpad_problem problem = strided_problem(axes, view->rank, 8 * view->item_bytes);
    tpad_plan plan, border;
    tpad_error error;
    if (tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK ||
        tpad_plan_border(&border, sizeof border, &plan, &error) != TPAD_OK) {
        raise_error(&error);
        return -1;
    }
    const tpad_fill fill = fill_of(values);
    return run_plan(c->state, &border, view->data, view->data, &fill,
                    array_size(view) * view->item_bytes, threads);
}

/* For elements that are not plain bytes: moves all of them, from a copy of the inside. */
static int move_border(context *c, tpad_axis *axes, operand *dst, const fill_values *values,
                       int threads)
{
    PyObject *inside = view_inside(dst->array, dst->view.rank, axes);
    PyObject *copy = inside ? PyObject_CallMethod(inside, "copy", NULL) : NULL;
    Py_XDECREF(inside);
    operand src;
    if (operand_take(c, copy, &src) != 0) return -1;
    const int status = move_operands(c, axes, &src, dst, values, threads);
    operand_close(&src);
    return status;
}

static int read_constants(context *c, const pad_border_call *call, const operand *dst,
                          fill_values *values)
{
    int64_t shape[TPAD_MAX_RANK];
    for (int i = 0; i < dst->view.rank; i++) shape[i] = dst->view.shape[i];
    return call->constant_axis && call->constant_axis != Py_None
               ? read_axis_values(c, dst, call->constant_values, call->constant_axis,
                                  dst->view.rank, shape, values)
               : read_one_value(c, dst, call->constant_values, "pad_border", values);
}

static PyObject *core_pad_border(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                 PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    pad_border_call call;
    if (read_call(&pad_border_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    if (Py_TYPE(call.out) != (PyTypeObject *)c.state->ndarray)
        return through_door(&c, "pad_border", &pad_border_signature, (PyObject **)&call, args,
                            count, NULL);
    const int threads = read_threads(c.state, call.threads);
    operand dst;
    if (threads < 0 || operand_take(&c, Py_NewRef(call.out), &dst) != 0) return NULL;
    const int rank = dst.view.rank;
    tpad_axis axes[TPAD_MAX_RANK];
    fill_values values;
    const axis_words words = {call.pad_width, call.mode, call.interior, NULL, call.axes};
    values_start(&values);
    int status = read_amounts_of_engine(&c, &words, rank, axes);
    for (int i = 0; status == 0 && i < rank; i++)
        status = set_inside(i, dst.view.shape[i], &axes[i]);
    if (status == 0) status = read_constants(&c, &call, &dst, &values);
    if (status == 0) status = array_check_output(&dst.view);
    if (status == 0)
        status = dst.movable ? run_border(&c, axes, &dst, &values, threads)
                             : move_border(&c, axes, &dst, &values, threads);
    values_close(&values);
    operand_close(&dst);
    return status == 0 ? Py_NewRef(call.out) : NULL;
}

PyDoc_STRVAR(
    pad_border_doc,
    PARAMETERS_SHOWN(
        "pad_border", PAD_BORDER_PARAMETERS, "",
        "Writes the cells that `pad` would write around and between the elements of an array.\n"
        "The array already lies in its place in `out`, where `unpad` finds it. Returns `out`.\n"
        "If it is a masked array, its mask is written as well.\n"
        "\n"
        "pad_width, mode, constant_values, constant_axis, interior, axes, threads: those of\n"
        "    `pad`, with one constant, or constant_axis. Amounts must not be negative\n"
        "    (ValueError)."));

PyMethodDef pad_border_method = PUBLIC_METHOD("pad_border", core_pad_border, pad_border_doc);
