/* Tensor arguments of the specifications; padding by a translation. SPDX-License-Identifier: MIT */
#include "spec_calls.h"

#include <string.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

/* NumPy's own numbers: kind, width, ONNX's type. tensorpad._spec names other types. */
static const struct {
    char kind;
    int8_t bytes, type;
} types[] = {
    {'b', 1, TPAD_ONNX_BOOL},      {'i', 1, TPAD_ONNX_INT8},        {'i', 2, TPAD_ONNX_INT16},
    {'i', 4, TPAD_ONNX_INT32},     {'i', 8, TPAD_ONNX_INT64},       {'u', 1, TPAD_ONNX_UINT8},
    {'u', 2, TPAD_ONNX_UINT16},    {'u', 4, TPAD_ONNX_UINT32},      {'u', 8, TPAD_ONNX_UINT64},
    {'f', 2, TPAD_ONNX_FLOAT16},   {'f', 4, TPAD_ONNX_FLOAT},       {'f', 8, TPAD_ONNX_DOUBLE},
    {'c', 8, TPAD_ONNX_COMPLEX64}, {'c', 16, TPAD_ONNX_COMPLEX128},
};

const char *openvino_word(int32_t type)
{
#define TYPE_OF(openvino, onnx) [TPAD_ONNX_##onnx] = TPAD_OPENVINO_##openvino,
    static const int8_t numbers[] = {TPAD_OPENVINO_ONNX_MAP(TYPE_OF)};
#undef TYPE_OF
    return type < (int32_t)sizeof numbers ? tpad_openvino_type_name(numbers[type]) : NULL;
}

static const char *word_of(const array_view *view, int spec)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].kind == view->kind && types[i].bytes == view->item_bytes)
            return spec == ONNX_WORDS ? tpad_onnx_type_name(types[i].type)
                                      : openvino_word(types[i].type);
    return NULL;
}

static int set_shape(const array_view *view, tensor_argument *to)
{
    if (view->rank > TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "at most %d axes are supported, got %d", TPAD_MAX_RANK,
                     view->rank);
        return -1;
    }
    to->present = 1;
    to->rank = view->rank;
    for (int i = 0; i < view->rank; i++) to->shape[i] = view->shape[i];
    return 0;
}

/* Sets the type's name; takes the reference. */
static int set_name(PyObject *name, tensor_argument *to)
{
    to->name = name;
    to->word = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    return to->word ? 0 : -1;
}

int read_subject(context *c, const operand *data, int spec, tensor_argument *to)
{
    to->word = word_of(&data->view, spec);
    if (set_shape(&data->view, to) != 0) return -1;
    if (to->word) return 0;
    return set_name(call_python(c, "_spec", "type_word", "(Oi)", data->dtype, spec), to);
}

/* Opens a NumPy array or scalar that can be read in place: 1, 0, or -1 with an exception. */
static int open_numbers(context *c, PyObject *from, int spec, tensor_argument *to)
{
    if (Py_TYPE(from) != (PyTypeObject *)c->state->ndarray && !array_is_scalar(c->state, from))
        return 0;
    if (array_open(c->state, from, &to->view) != 0) return -1;
    const int readable = ARRAY_C_CONTIGUOUS | ARRAY_NOT_SWAPPED;
    to->word = word_of(&to->view, spec);
    if (to->word == NULL || (to->view.flags & readable) != readable ||
        to->view.rank > TPAD_MAX_RANK) {
        array_close(&to->view);
        return 0;
    }
    to->array = Py_NewRef(from);
    to->data = to->view.data;
    return set_shape(&to->view, to) == 0 ? 1 : -1;
}

/* Opens (type, array) from a function of tensorpad._spec; takes the reference. */
static int open_pair(context *c, PyObject *pair, tensor_argument *to)
{
    PyObject *name, *array;
    int status = -1;
    if (pair && PyArg_ParseTuple(pair, "OO", &name, &array) &&
        array_open(c->state, array, &to->view) == 0) {
        to->array = Py_NewRef(array);
        status = set_name(Py_NewRef(name), to) == 0 ? set_shape(&to->view, to) : -1;
        if (status == 0 && strcmp(to->word, "string") != 0) to->data = to->view.data;
    }
    Py_XDECREF(pair);
    return status;
}

int read_int64s(context *c, PyObject *from, const char *name, int spec, tensor_argument *to)
{
    if (from == NULL || from == Py_None) return 0;
    PyObject *items = plain_items(from);
    if (items == NULL && PyErr_Occurred()) return -1;
    const Py_ssize_t count = items ? PyTuple_Size(items) : MOST_AMOUNTS + 1;
    int plain = count <= MOST_AMOUNTS;
    for (Py_ssize_t i = 0; plain && i < count; i++)
        plain = plain_integer(PyTuple_GetItem(items, i), &to->integers[i]);
    Py_XDECREF(items);
    if (plain) {
        to->present = 1;
        to->word = spec == ONNX_WORDS ? "int64" : "i64";
        to->rank = 1;
        to->shape[0] = count;
        to->data = to->integers;
        return 0;
    }
    const int opened = open_numbers(c, from, spec, to);
    if (opened != 0) return opened < 0 ? -1 : 0;
    return open_pair(c, call_python(c, "_spec", "int64s", "(Osi)", from, name, spec), to);
}

int read_value(context *c, PyObject *from, const char *name, const operand *like, int spec,
               tensor_argument *to)
{
    if (from == NULL || from == Py_None) return 0;
    to->word = word_of(&like->view, spec);
    if (to->word && plain_fill(&like->view, from, to->bytes)) {
        to->present = 1;
        to->data = to->bytes;
        return 0;
    }
    const int opened = open_numbers(c, from, spec, to);
    if (opened != 0) return opened < 0 ? -1 : 0;
    return open_pair(
        c, call_python(c, "_spec", "constant", "(OOsi)", from, like->dtype, name, spec), to);
}

void tensor_close(tensor_argument *one)
{
    array_close(&one->view);
    Py_CLEAR(one->array);
    Py_CLEAR(one->name);
}

int read_word(PyObject *object, const char *absent, const char **word)
{
    *word = object ? NULL : absent;
    if (object == NULL || object == Py_None) return 0;
    Py_ssize_t length;
    *word = PyUnicode_AsUTF8AndSize(object, &length);
    if (*word == NULL) return -1;
    if (strlen(*word) == (size_t)length) return 0;
    PyErr_SetString(PyExc_ValueError, "embedded null character");
    return -1;
}

int read_flag(context *c, PyObject *object)
{
    if (object == NULL) return 0;
    if (!PyBool_Check(object)) c->foreign = 1;
    return PyObject_IsTrue(object);
}

int read_opset(context *c, PyObject *object, const char *name, int32_t absent, int32_t *opset)
{
    int64_t number;
    *opset = absent;
    if (object == NULL) return 0;
    if (read_integer(c, object, name, "an integer", &number) != 0) return -1;
    *opset = number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? -1 : (int32_t)number;
    return 0;
}

/* ---- Padding --------------------------------------------------------------------------------- */

/* Finds the fill of elements that only NumPy can assign: texts, references, other byte orders.
 * Texts may have to become wider; then the data becomes a new array. */
static int find_fill(context *c, const tpad_translation *translation, operand *data,
                     const tensor_argument *value, fill_values *fill)
{
    PyObject *bytes =
        translation->fill_bytes > 0
            ? PyBytes_FromStringAndSize((const char *)translation->fill, translation->fill_bytes)
            : Py_NewRef(Py_None);
    PyObject *given = value->array ? value->array : Py_None;
    PyObject *pair = call_python(c, "_spec", "spec_fill", "(OOO)", data->array, given, bytes);
    Py_XDECREF(bytes);
    PyObject *array, *element;
    int status = -1;
    if (pair && PyArg_ParseTuple(pair, "OO", &array, &element)) {
        status = 0;
        if (array != data->array) {
            operand wider;
            status = operand_take(c, Py_NewRef(array), &wider);
            if (status == 0) {
                operand_close(data);
                *data = wider;
            }
        }
        if (status == 0) status = take_values(c, Py_NewRef(element), fill);
    }
    Py_XDECREF(pair);
    return status;
}

PyObject *run_translation(context *c, const tpad_translation *translation, operand *data,
                          const tensor_argument *value, PyObject *out, int threads)
{
    const tpad_problem problem = tpad_translation_problem(translation);
    int64_t shape[TPAD_MAX_RANK];
    tpad_error error;
    if (tpad_shape(&problem, shape, NULL, NULL, &error) != TPAD_OK)
        return raise_error(&error); /* the translation refuses whatever tpad_shape does */
    fill_values fill;
    values_start(&fill);
    fill.elements = tpad_translation_value(translation);
    operand dst = {0};
    PyObject *result = NULL;
    tpad_axis axes[TPAD_TRANSLATION_AXES];
    memcpy(axes, translation->axes, sizeof axes);
    const int plain = data->movable && strchr("SU", data->view.kind) == NULL &&
                      (data->view.flags & ARRAY_NOT_SWAPPED);
    int status = plain ? 0 : find_fill(c, translation, data, value, &fill);
    if (status == 0) status = operand_result(c, out, data, translation->rank, shape, &dst, &result);
    if (status == 0) status = operand_separate(c, data, &dst);
    if (status == 0) status = move_operands(c, axes, data, &dst, &fill, threads);
    values_close(&fill);
    operand_close(&dst);
    if (status != 0) Py_CLEAR(result);
    return result;
}
