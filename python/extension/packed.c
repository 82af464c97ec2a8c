/* Buffers with elements of less than a byte; tensorpad.pad_packed. SPDX-License-Identifier: MIT */
#include "spec_calls.h"

#include <string.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

/* ONNX's types, then OpenVINO's. float: the constant is given as its bits. */
static const struct {
    int8_t onnx, openvino; /* exactly one is set */
    enum { UNSIGNED, SIGNED, FLOAT } kind;
    int high_first;
} types[] = {
    {TPAD_ONNX_UINT4, 0, UNSIGNED, 0},   {TPAD_ONNX_INT4, 0, SIGNED, 0},
    {TPAD_ONNX_FLOAT4E2M1, 0, FLOAT, 0}, {TPAD_ONNX_UINT2, 0, UNSIGNED, 0},
    {TPAD_ONNX_INT2, 0, SIGNED, 0},      {0, TPAD_OPENVINO_U4, UNSIGNED, 0},
    {0, TPAD_OPENVINO_I4, SIGNED, 0},    {0, TPAD_OPENVINO_NF4, FLOAT, 0},
    {0, TPAD_OPENVINO_F4E2M1, FLOAT, 0}, {0, TPAD_OPENVINO_U2, UNSIGNED, 0},
    {0, TPAD_OPENVINO_U1, UNSIGNED, 1},
};
enum { TYPES = sizeof types / sizeof types[0] };

static const char *word_of(int type)
{
    return types[type].onnx ? tpad_onnx_type_name(types[type].onnx)
                            : tpad_openvino_type_name(types[type].openvino);
}

static int bits_of(int type)
{
    return types[type].onnx ? tpad_onnx_type_bits(types[type].onnx)
                            : tpad_openvino_type_bits(types[type].openvino);
}

static int find_type(PyObject *dtype)
{
    int number = 0;
    while (number < TYPES && !(PyUnicode_Check(dtype) &&
                               PyUnicode_CompareWithASCIIString(dtype, word_of(number)) == 0))
        number++;
    if (number < TYPES) return number;
    char list[128] = "";
    for (int i = 0; i < TYPES; i++) {
        const size_t used = strlen(list);
        PyOS_snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", word_of(i));
    }
    PyErr_Format(PyExc_ValueError, "dtype has to be one of %s, got %R", list, dtype);
    return -1;
}

/* Reads a constant's bits: an integer of the type or, for the float kinds, the bits themselves. */
static int read_constant(context *c, PyObject *value, int type, packed_tensor *out)
{
    const long range = 1L << bits_of(type);
    const long low = types[type].kind == SIGNED ? -range / 2 : 0, high = low + range - 1;
    int64_t number;
    int fits = plain_integer(value, &number), no_number = 0;
    if (!fits) {
        c->foreign = 1;
        PyObject *integer = PyNumber_Long(value);
        const int same = integer ? PyObject_RichCompareBool(integer, value, Py_EQ) : -1;
        fits = same > 0 && plain_integer(integer, &number);
        Py_XDECREF(integer);
        no_number = same < 0 && PyErr_ExceptionMatches(PyExc_TypeError);
        if (same < 0 && !no_number && !PyErr_ExceptionMatches(PyExc_ValueError) &&
            !PyErr_ExceptionMatches(PyExc_OverflowError))
            return -1;
        PyErr_Clear();
    }
    if (!fits || number < low || number > high) {
        PyErr_Format(no_number ? PyExc_TypeError : PyExc_ValueError,
                     "constant value %R: %s holds %ld to %ld%s", value, word_of(type), low, high,
                     types[type].kind == FLOAT ? " (its bits, as an integer)" : "");
        return -1;
    }
    out->filled = 1;
    out->fill = (unsigned char)((unsigned long)number & (unsigned long)(range - 1));
    out->stored =
        (unsigned char)(types[type].high_first ? out->fill << (8 - bits_of(type)) : out->fill);
    return 0;
}

int read_packed(context *c, PyObject *shape, PyObject *dtype, PyObject *value, packed_tensor *out)
{
    memset(out, 0, sizeof *out);
    const int type = find_type(dtype);
    if (type < 0) return -1;
    out->word = word_of(type);
    out->bits = bits_of(type);
    out->high_first = types[type].high_first;
    out->rank = extents_of(c, shape, "shape", out->shape);
    if (out->rank < 0) return -1;
    for (int i = 0; i < out->rank; i++) {
        if (out->shape[i] >= 0) continue;
        PyErr_Format(PyExc_ValueError, "shape has a negative extent: %R", shape);
        return -1;
    }
    return value && value != Py_None ? read_constant(c, value, type, out) : 0;
}

/* The bytes of a packed tensor. A plan accepted it, so the product fits in 64 bits. */
static int64_t packed_bytes(const packed_tensor *tensor)
{
    int64_t elements = 1;
    for (int i = 0; i < tensor->rank; i++)
        if (tensor->shape[i] == 0) return 0;
    for (int i = 0; i < tensor->rank; i++) elements *= tensor->shape[i];
    return elements / 8 * tensor->bits + (elements % 8 * tensor->bits + 7) / 8;
}

/* Opens the input: contiguous bytes, exactly as many as the tensor has. */
static int open_buffer(context *c, PyObject *buffer, const packed_tensor *tensor, operand *src)
{
    const int64_t wanted = packed_bytes(tensor);
    if (Py_TYPE(buffer) == (PyTypeObject *)c->state->ndarray) {
        if (operand_take(c, Py_NewRef(buffer), src) != 0) return -1;
    } else {
        PyObject *array = call_python(c, "_arrays", "bytes_of", "(O)", buffer);
        if (operand_take(c, array, src) != 0) return -1;
    }
    if (src->view.item_bytes != 1 || !src->movable) {
        PyErr_Format(PyExc_TypeError, "a packed array is a buffer of bytes, got %S", src->dtype);
        return -1;
    }
    if (array_size(&src->view) != wanted) {
        PyObject *shape = make_integers(tensor->rank, tensor->shape);
        if (shape)
            PyErr_Format(PyExc_ValueError, "%s of shape %R is %lld bytes, got %lld", tensor->word,
                         shape, (long long)wanted, (long long)array_size(&src->view));
        Py_XDECREF(shape);
        return -1;
    }
    if (src->view.flags & ARRAY_C_CONTIGUOUS) return 0;
    operand copy;
    if (operand_take(c, PyObject_CallMethod(src->array, "copy", NULL), &copy) != 0) return -1;
    operand_close(src);
    *src = copy;
    return 0;
}

/* Opens `out`, or makes a buffer of `bytes`. *result: a new reference. */
static int open_out(context *c, PyObject *given, int64_t bytes, operand *dst, PyObject **result)
{
    if (given == NULL || given == Py_None) {
        PyObject *word = PyUnicode_FromString("uint8");
        PyObject *buffer = word ? array_empty(c->state, 1, &bytes, word, 0) : NULL;
        Py_XDECREF(word);
        if (operand_take(c, buffer, dst) != 0) return -1;
        *result = Py_NewRef(buffer);
        return 0;
    }
    PyObject *array = Py_TYPE(given) == (PyTypeObject *)c->state->ndarray
                          ? Py_NewRef(given)
                          : call_python(c, "_arrays", "target", "(O)", given);
    if (operand_take(c, array, dst) != 0) return -1;
    if (dst->view.item_bytes != 1 || !dst->movable || array_size(&dst->view) != bytes ||
        !(dst->view.flags & ARRAY_C_CONTIGUOUS)) {
        PyErr_Format(PyExc_ValueError, "out has to be %lld contiguous bytes", (long long)bytes);
        return -1;
    }
    if (array_check_output(&dst->view) != 0) return -1;
    *result = Py_NewRef(given);
    return 0;
}

PyObject *run_packed(context *c, PyObject *buffer, const packed_tensor *tensor,
                     const tpad_translation *translation, PyObject *out, int threads)
{
    const tpad_problem problem = tpad_translation_problem(translation);
    tpad_plan plan;
    tpad_error error;
    int64_t bytes;
    if (tpad_shape(&problem, NULL, NULL, &bytes, &error) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK)
        return raise_error(&error);
    operand src = {0}, dst = {0};
    PyObject *result = NULL;
    const tpad_fill fill = {sizeof fill, tpad_translation_value(translation), NULL};
    int status = -1;
    if (open_buffer(c, buffer, tensor, &src) == 0 && open_out(c, out, bytes, &dst, &result) == 0 &&
        operand_separate(c, &src, &dst) == 0 && operand_refresh(c, &src) == 0 &&
        operand_refresh(c, &dst) == 0)
        status = run_plan(c->state, &plan, src.view.data, dst.view.data, &fill, bytes, threads);
    if (status == 0 && result != dst.array)
        status = let_go(call_python(c, "_arrays", "tell_written", "(O)", result));
    operand_close(&src);
    operand_close(&dst);
    if (status != 0) Py_CLEAR(result);
    return result;
}

/* ---- tensorpad.pad_packed -------------------------------------------------------------------- */

#define PAD_PACKED_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                            \
    REQUIRED(data)                                                                                 \
    REQUIRED(shape)                                                                                \
    REQUIRED(dtype)                                                                                \
    REQUIRED(pad_width)                                                                            \
    OPTIONAL(mode, "'constant'")                                                                   \
    STAR()                                                                                         \
    OPTIONAL(constant_values, "0")                                                                 \
    OPTIONAL(interior, "0")                                                                        \
    OPTIONAL(order, "'window'")                                                                    \
    OPTIONAL(axes, "None")                                                                         \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(threads, "None")

typedef struct pad_packed_call {
    PARAMETER_FIELDS(PAD_PACKED_PARAMETERS)
} pad_packed_call;

static const parameter pad_packed_rows[] = {PARAMETER_ROWS(PAD_PACKED_PARAMETERS)};
static const signature pad_packed_signature = SIGNATURE("pad_packed", pad_packed_rows, 5, 0);

static PyObject *core_pad_packed(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                 PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    pad_packed_call call;
    if (read_call(&pad_packed_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    const int threads = read_threads(c.state, call.threads);
    packed_tensor tensor;
    tpad_translation translation;
    const axis_words words = {call.pad_width, call.mode, call.interior, call.order, call.axes};
    if (threads < 0 ||
        read_packed(&c, call.shape, call.dtype, call.constant_values, &tensor) != 0 ||
        read_amounts(&c, &words, tensor.rank, translation.axes) != 0)
        return NULL;
    for (int i = 0; i < tensor.rank; i++) translation.axes[i].in_extent = tensor.shape[i];
    translation.rank = tensor.rank;
    translation.elem_bits = tensor.bits;
    translation.flags = tensor.high_first ? TPAD_HIGH_BITS_FIRST : 0;
    translation.fill_bytes = tensor.filled;
    translation.fill[0] = tensor.fill;
    translation.value = NULL;
    return run_packed(&c, call.data, &tensor, &translation, call.out, threads);
}

PyDoc_STRVAR(
    pad_packed_doc,
    PARAMETERS_SHOWN(
        "pad_packed", PAD_PACKED_PARAMETERS, "",
        "Pad, crop or dilate a tensor whose elements have 1, 2 or 4 bits, in a buffer of bytes.\n"
        "\n"
        "data: the buffer: one stream of bits over the whole tensor, so a row need not begin at\n"
        "    a byte, with the first element in the low bits of the first byte (u1: in the high\n"
        "    bit). Arrays of ml_dtypes have a byte for each element: `pad` takes them.\n"
        "shape: the extents of the tensor in it, in elements.\n"
        "dtype: one of ONNX's names 'int4', 'uint4', 'int2', 'uint2', 'float4e2m1', or one of\n"
        "    OpenVINO's names 'i4', 'u4', 'u2', 'u1', 'nf4', 'f4e2m1'.\n"
        "constant_values: one integer of this type; for float4e2m1, f4e2m1 and nf4 its bits.\n"
        "out: a buffer of as many bytes as the result; it is returned.\n"
        "pad_width, mode, interior, order, axes, threads: as `pad` takes them.\n"
        "\n"
        "Returns a new buffer, a numpy.ndarray of uint8; the unused bits of its last byte are\n"
        "0. Raises TypeError if data is not bytes, and ValueError if data or out do not have\n"
        "the number of bytes that the shape needs."));

PyMethodDef pad_packed_method = PUBLIC_METHOD("pad_packed", core_pad_packed, pad_packed_doc);
