/* tensorpad.pad, and padding once the amounts are known. SPDX-License-Identifier: MIT
 *
 * Calls that NumPy computes or that only numpy.pad supports (its keywords, array types with their
 * own pad, more than 16 axes) go unchanged to tensorpad._numpy.pad; so do masks and units.
 */
#include "extension.h"

#define PAD_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                                   \
    REQUIRED(array)                                                                                \
    REQUIRED(pad_width)                                                                            \
    OPTIONAL(mode, "'constant'")                                                                   \
    STAR()                                                                                         \
    OPTIONAL(constant_values, "0")                                                                 \
    OPTIONAL(constant_axis, "None")                                                                \
    OPTIONAL(interior, "0")                                                                        \
    OPTIONAL(order, "'window'")                                                                    \
    OPTIONAL(axes, "None")                                                                         \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(threads, "None")

typedef struct pad_call {
    PARAMETER_FIELDS(PAD_PARAMETERS)
} pad_call;

static const parameter pad_rows[] = {PARAMETER_ROWS(PAD_PARAMETERS)};
static const signature pad_signature = SIGNATURE("pad", pad_rows, 3, 1);

int left_to_numpy(context *c, PyObject *mode)
{
    return mode && engine_mode(mode) < 0 && !PyDict_Check(mode) && !PyList_Check(mode) &&
           !PyTuple_Check(mode) && !PyObject_TypeCheck(mode, (PyTypeObject *)c->state->ndarray);
}

/* 1 if the constants contain arrays, which only numpy.pad broadcasts over each side; 0 if not, -1
 * with an exception. */
static int holds_arrays(context *c, PyObject *values)
{
    array_view view;
    if (values == NULL || Py_TYPE(values) != (PyTypeObject *)c->state->ndarray) return 0;
    if (array_open(c->state, values, &view) != 0) return -1;
    const int holds_objects = view.kind == 'O';
    array_close(&view);
    if (!holds_objects) return 0;
    PyObject *answer = call_python(c, "_numpy", "holds_arrays", "(O)", values);
    const int is = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is;
}

/* Refuses what numpy.pad refuses, with its messages. */
static int check_words(const pad_words *words, int rank, const tpad_axis *axes,
                       const array_view *src)
{
    if (words->constant_values && words->mode && engine_mode(words->mode) > TPAD_CONSTANT &&
        !some_interior(rank, axes)) {
        PyErr_Format(PyExc_ValueError,
                     "unsupported keyword arguments for mode '%S': {'constant_values'}",
                     words->mode);
        return -1;
    }
    for (int i = 0; i < rank; i++) {
        if (src->shape[i] == 0 && axes[i].mode != TPAD_CONSTANT &&
            (axes[i].before > 0 ? axes[i].after > -axes[i].before
                                : axes[i].before > -axes[i].after)) {
            PyErr_Format(PyExc_ValueError,
                         "can't extend empty axis %d using modes other than 'constant' or 'empty'",
                         i);
            return -1;
        }
    }
    return 0;
}

/* Checks everything that does not need the output, and reads the constants; call values_close
 * afterwards. shape: of the output. Returns 0, or -1 with an exception. */
static int read_pad(context *c, const operand *src, tpad_axis *axes, const pad_words *words,
                    int64_t *shape, fill_values *values)
{
    const int rank = src->view.rank;
    values_start(values);
    if (check_words(words, rank, axes, &src->view) != 0) return -1;
    int used = 0;
    for (int i = 0; i < rank; i++) {
        axes[i].in_extent = src->view.shape[i];
        used |= axes[i].interior != 0 || axes[i].mode == TPAD_CONSTANT;
    }
    const int bits = src->movable ? 8 * src->view.item_bytes : 8;
    const tpad_problem problem = dense_problem(axes, rank, bits);
    int64_t bytes;
    if (plans_shape(c->state->scratch, &problem, shape, &bytes) != 0) return -1;
    if (words->constant_axis && words->constant_axis != Py_None)
        return read_axis_values(c, src, words->constant_values, words->constant_axis, rank, shape,
                                values);
    if (!used) return 0;
    if (read_values(c, src, words->constant_values, words->axes, words->exact, values) != 0)
        return -1;
    if (!values->sides || !some_interior(rank, axes)) return 0;
    PyErr_SetString(PyExc_ValueError, "with interior there can be only one constant value");
    return -1;
}

PyObject *pad_by_amounts(context *c, operand *src, tpad_axis *axes, const pad_words *words)
{
    int64_t shape[TPAD_MAX_RANK];
    fill_values values;
    operand dst = {0};
    PyObject *result = NULL;
    int status = read_pad(c, src, axes, words, shape, &values);
    if (status == 0)
        status = operand_result(c, words->out, src, src->view.rank, shape, &dst, &result);
    if (status == 0) status = operand_separate(c, src, &dst);
    if (status == 0) status = move_operands(c, axes, src, &dst, &values, words->threads);
    values_close(&values);
    operand_close(&dst);
    if (status != 0) Py_CLEAR(result);
    return result;
}

/* pad_values(array, axes, mode, constant_values, constant_axis, axes of constant_values, exact):
 * makes the checks of `pad` or, if exact, pad_to for these amounts, and returns the constants as an
 * array: one, two for each axis, or one for each cell of constant_axis. The constant 0 counts as
 * none. Reads no element of the array. */
PyObject *core_pad_values(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    tpad_axis axes[TPAD_MAX_RANK];
    int64_t shape[TPAD_MAX_RANK], zero;
    const int rank = check_count("pad_values", count, 7) ? read_axes(&c, args[1], axes) : -1;
    operand like;
    if (rank < 0 || operand_source(&c, args[0], &like) != 0) return NULL;
    const int given = !plain_integer(args[3], &zero) || zero != 0;
    const pad_words words = {
        args[2], given ? args[3] : NULL, args[4], args[5], args[6] == Py_True, NULL, 1};
    fill_values values;
    PyObject *result = NULL;
    values_start(&values);
    if (rank != like.view.rank) {
        PyErr_SetString(PyExc_ValueError, "amounts are not for this array");
    } else if (read_pad(&c, &like, axes, &words, shape, &values) == 0) {
        result = values_array(&c, &like, rank, shape, &values);
    }
    values_close(&values);
    operand_close(&like);
    return result;
}

static PyObject *pad_source(context *c, const pad_call *call, operand *src, int threads)
{
    tpad_axis axes[TPAD_MAX_RANK];
    const axis_words amounts = {call->pad_width, call->mode, call->interior, call->order,
                                call->axes};
    const pad_words words = {
        call->mode, call->constant_values, call->constant_axis, call->axes, 0, call->out, threads};
    return read_amounts(c, &amounts, src->view.rank, axes) == 0
               ? pad_by_amounts(c, src, axes, &words)
               : NULL;
}

static int read_tensor(context *c, const void *call, int rank, tpad_axis *axes)
{
    return read_amounts(c, call, rank, axes);
}

/* Pads a torch tensor, if the only arguments are amounts and a number; returns as tensor_padded. */
static PyObject *pad_tensor(context *c, const pad_call *call)
{
    PyTypeObject *const kind = Py_TYPE(call->array);
    if (c->state->torch == NULL || kind == (PyTypeObject *)c->state->ndarray || call->out ||
        call->threads || call->constant_axis ||
        (call->mode && (call->constant_values || engine_mode(call->mode) < 0)))
        return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    const axis_words amounts = {call->pad_width, call->mode, call->interior, call->order,
                                call->axes};
    int rank;
    return tensor_padded(c, call->array, read_tensor, &amounts, call->constant_values, &rank, axes);
}

static PyObject *core_pad(PyObject *module, PyObject *const *args, Py_ssize_t count,
                          PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    pad_call call;
    const int more = read_call(&pad_signature, args, count, names, (PyObject **)&call);
    PyObject *padded = more == 0 ? pad_tensor(&c, &call) : NULL;
    if (padded || PyErr_Occurred()) return padded;
    int numpys =
        more != 0 || left_to_numpy(&c, call.mode) || is_foreign(c.state, call.array, call.out);
    if (more < 0) return NULL;
    if (numpys == 0) numpys = holds_arrays(&c, call.constant_values);
    if (numpys < 0) return NULL;
    if (numpys > 0)
        return through_door(&c, "pad", &pad_signature, (PyObject **)&call, args, count, names);
    const int threads = read_threads(c.state, call.threads);
    operand src;
    if (threads < 0 || operand_source(&c, call.array, &src) != 0) return NULL;
    PyObject *result =
        src.view.rank > TPAD_MAX_RANK
            ? through_door(&c, "pad", &pad_signature, (PyObject **)&call, args, count, names)
            : pad_source(&c, &call, &src, threads);
    operand_close(&src);
    return result;
}

PyDoc_STRVAR(
    pad_doc,
    PARAMETERS_SHOWN(
        "pad", PAD_PARAMETERS, ", **kwargs",
        "Pad, crop or dilate an array. The arguments are those of numpy.pad, and more.\n"
        "\n"
        "array: a NumPy array, a torch tensor (then the result is one), or any object that has\n"
        "    the buffer protocol or DLPack on the CPU; with TENSORPAD_GPU=1 an array of CuPy. A\n"
        "    masked array and a Quantity (astropy, pint) keep their mask and unit, also in all\n"
        "    other functions.\n"
        "pad_width: as numpy.pad takes it, or a dict by axis; negative amounts crop.\n"
        "mode: 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'; one, or one for each axis:\n"
        "    a list or a dict. NumPy computes 'linear_ramp', 'maximum', 'mean', 'median',\n"
        "    'minimum', 'empty', callables and reflect_type='odd', also with axes and out, but\n"
        "    without negative amounts and interior.\n"
        "constant_values: one value, or one per side and axis, as numpy.pad takes them; two are\n"
        "    those before and after each axis. NumPy also runs calls whose constants are\n"
        "    arrays, one for each side, in an array of objects.\n"
        "constant_axis: an axis of the result; constant_values then is a list with a value for\n"
        "    each of its cells: a colour for axis -1 of images whose channels come last. A\n"
        "    value that the type cannot hold is an error then.\n"
        "interior: cells to insert between neighbours, one number or one for each axis: a list\n"
        "    or a dict. They hold the constant in every mode, and there can be only one\n"
        "    constant.\n"
        "order: it matters only on an axis that is cropped on one side and extended on the\n"
        "    other. With 'window' the result is a window onto the endless extension of the\n"
        "    whole axis. With 'crop' the axis is cropped first, and then the rest is extended.\n"
        "axes: the axes to which pad_width, mode and interior apply; None: all axes.\n"
        "out: the array to write into, of the right shape and type, with any strides; it is\n"
        "    returned. If it shares memory with array, the input is copied first.\n"
        "threads: how many threads may share the work; None: thread_count().\n"
        "kwargs: what numpy.pad takes for the modes that it computes.\n"
        "\n"
        "Raises the errors of numpy.pad."));

PyMethodDef pad_method = PUBLIC_METHOD("pad", core_pad, pad_doc);
