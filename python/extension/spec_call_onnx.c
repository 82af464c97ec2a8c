/* tensorpad.onnx: pad and pad_packed.  SPDX-License-Identifier: MIT */
#include "spec_calls.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tensorpad/onnx.h>

#define TEXT_OF_THAT(number) #number
#define TEXT_OF(number)      TEXT_OF_THAT(number)

/* The parameters of both functions after the data. */
#define ONNX_NODE_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                             \
    REQUIRED(pads)                                                                                 \
    OPTIONAL(constant_value, "None")                                                               \
    OPTIONAL(axes, "None")                                                                         \
    OPTIONAL(mode, "'constant'")                                                                   \
    STAR()                                                                                         \
    OPTIONAL(opset, TEXT_OF(TPAD_ONNX_NEWEST))                                                     \
    OPTIONAL(lenient, "False")                                                                     \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(threads, "None")

#define ONNX_PAD_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                              \
    REQUIRED(data)                                                                                 \
    ONNX_NODE_PARAMETERS(REQUIRED, OPTIONAL, STAR)

typedef struct onnx_call {
    PARAMETER_FIELDS(ONNX_PAD_PARAMETERS)
} onnx_call;

static const parameter onnx_rows[] = {PARAMETER_ROWS(ONNX_PAD_PARAMETERS)};
static const signature onnx_signature = SIGNATURE("pad", onnx_rows, 5, 0);

/* A node, and the memory that it points to. */
typedef struct onnx_node {
    tpad_onnx_pad pad;
    tpad_onnx_tensor pads, value, axes;
    tensor_argument data_read, pads_read, value_read, axes_read;
    int64_t list[MOST_AMOUNTS];
    float number;
} onnx_node;

static tpad_onnx_tensor onnx_tensor(const tensor_argument *from)
{
    return (tpad_onnx_tensor){.type = tpad_onnx_type_from_name(from->word),
                              .rank = from->rank,
                              .shape = from->shape,
                              .data = from->data};
}

/* Reads opset, flags, mode and axes, for data of any kind. */
static int read_node(context *c, const onnx_call *call, onnx_node *node)
{
    memset(node, 0, sizeof *node);
    node->pad.struct_size = sizeof node->pad;
    node->pad.string_bytes = 8;
    if (read_opset(c, call->opset, "opset", TPAD_ONNX_NEWEST, &node->pad.opset) != 0) return -1;
    const int lenient = read_flag(c, call->lenient);
    if (lenient < 0 || read_word(call->mode, "constant", &node->pad.mode) != 0) return -1;
    node->pad.flags = lenient ? TPAD_ONNX_LENIENT : 0;
    if (read_int64s(c, call->axes, "axes", ONNX_WORDS, &node->axes_read) != 0) return -1;
    if (!node->axes_read.present) return 0;
    node->axes = onnx_tensor(&node->axes_read);
    node->pad.axes = &node->axes;
    return 0;
}

static int has_attributes(const onnx_node *node)
{
    const tpad_onnx_version *version = tpad_onnx_version_for(node->pad.opset);
    return version && version->pads_attribute;
}

/* Reads the pads of versions 1 and 2, an attribute. */
static int read_attribute_pads(context *c, const onnx_call *call, onnx_node *node)
{
    PyObject *items = plain_items(call->pads);
    if (items == NULL && !PyErr_Occurred()) {
        items = call_python(c, "_spec", "flat", "(O)", call->pads);
    }
    if (items == NULL) return -1;
    const int count = read_integers(c, items, "pads", MOST_AMOUNTS, node->list);
    Py_DECREF(items);
    if (count < 0) return -1;
    const tpad_onnx_version *version = tpad_onnx_version_for(node->pad.opset);
    if (strcmp(version->pads_attribute, "paddings") == 0) {
        node->pad.attribute_paddings = node->list;
        node->pad.attribute_paddings_count = count;
    } else {
        node->pad.attribute_pads = node->list;
        node->pad.attribute_pads_count = count;
    }
    return 0;
}

/* Reads the pads, an attribute or an input. */
static int read_pads(context *c, const onnx_call *call, onnx_node *node)
{
    if (has_attributes(node)) return read_attribute_pads(c, call, node);
    if (read_int64s(c, call->pads, "pads", ONNX_WORDS, &node->pads_read) != 0) return -1;
    if (!node->pads_read.present) return 0;
    node->pads = onnx_tensor(&node->pads_read);
    node->pad.pads = &node->pads;
    return 0;
}

/* A number rounded to float32, as a Python float: a new reference. */
static PyObject *plain_number(context *c, PyObject *value)
{
    if (PyFloat_CheckExact(value) && !(fabs(PyFloat_AsDouble(value)) > FLT_MAX))
        return Py_NewRef(value);
    return call_python(c, "_spec", "number", "(O)", value);
}

/* Reads the constant, an attribute or an input. */
static int read_constant(context *c, const onnx_call *call, const operand *data, onnx_node *node)
{
    if (has_attributes(node)) {
        if (call->constant_value == NULL || call->constant_value == Py_None) return 0;
        PyObject *plain = plain_number(c, call->constant_value);
        const double wide = plain ? PyFloat_AsDouble(plain) : -1;
        Py_XDECREF(plain);
        if (wide == -1 && PyErr_Occurred()) return -1;
        node->number = (float)wide;
        node->pad.attribute_value = &node->number;
        return 0;
    }
    if (read_value(c, call->constant_value, "constant_value", data, ONNX_WORDS,
                   &node->value_read) != 0)
        return -1;
    if (!node->value_read.present) return 0;
    node->value = onnx_tensor(&node->value_read);
    node->pad.value = &node->value;
    return 0;
}

static int translate(context *c, const onnx_node *node, tpad_translation *translation)
{
    tpad_error error;
    if (tpad_onnx_translate(translation, sizeof *translation, &node->pad, &error) == TPAD_OK)
        return 0;
    const tpad_onnx_version *version = tpad_onnx_version_for(node->pad.opset);
    char spec[32] = "onnx";
    if (version) snprintf(spec, sizeof spec, "onnx-%d", (int)version->since);
    raise_spec_error(c, &error, spec);
    return -1;
}

static void close_node(onnx_node *node)
{
    tensor_close(&node->data_read);
    tensor_close(&node->pads_read);
    tensor_close(&node->value_read);
    tensor_close(&node->axes_read);
}

static PyObject *core_onnx_pad(PyObject *module, PyObject *const *args, Py_ssize_t count,
                               PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    onnx_call call;
    onnx_node node;
    if (read_call(&onnx_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    if (is_foreign(c.state, call.data, call.out))
        return through_door(&c, "onnx_pad", &onnx_signature, (PyObject **)&call, args, count, NULL);
    const int threads = read_threads(c.state, call.threads);
    operand data;
    if (threads < 0 || operand_source(&c, call.data, &data) != 0) return NULL;
    PyObject *result = NULL;
    tpad_translation translation;
    if (read_node(&c, &call, &node) == 0 && read_pads(&c, &call, &node) == 0 &&
        read_subject(&c, &data, ONNX_WORDS, &node.data_read) == 0 &&
        read_constant(&c, &call, &data, &node) == 0) {
        node.pad.data = onnx_tensor(&node.data_read);
        if (translate(&c, &node, &translation) == 0)
            result = run_translation(&c, &translation, &data, &node.value_read, call.out, threads);
    }
    close_node(&node);
    operand_close(&data);
    return result;
}

PyDoc_STRVAR(
    onnx_pad_doc,
    PARAMETERS_SHOWN(
        "pad", ONNX_PAD_PARAMETERS, "",
        "Pad as a model of this opset does it (ONNX's operator reference: \"Pad\").\n"
        "\n"
        "data: an array; the version of Pad must allow its type.\n"
        "pads: all begins, then all ends; a negative amount crops. Up to opset 10, pads and\n"
        "    constant_value are attributes.\n"
        "constant_value: one element of data's type; a plain number is converted to it.\n"
        "axes: the axes to which pads apply, from opset 18 on.\n"
        "mode: 'constant', 'reflect', 'edge' or, from opset 19 on, 'wrap'.\n"
        "opset: the version of ONNX's operators.\n"
        "lenient: True also computes what the version forbids, if its meaning is clear.\n"
        "out, threads: as in tensorpad.pad.\n"
        "\n"
        "Raises SpecError if the version does not allow the arguments."));

PyMethodDef onnx_pad_method = PUBLIC_METHOD("pad", core_onnx_pad, onnx_pad_doc);

/* ---- Packed ---------------------------------------------------------------------------------- */

#define ONNX_PACKED_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                           \
    REQUIRED(data)                                                                                 \
    REQUIRED(shape)                                                                                \
    REQUIRED(dtype)                                                                                \
    ONNX_NODE_PARAMETERS(REQUIRED, OPTIONAL, STAR)

typedef struct onnx_packed_call {
    PARAMETER_FIELDS(ONNX_PACKED_PARAMETERS)
} onnx_packed_call;

static const parameter onnx_packed_rows[] = {PARAMETER_ROWS(ONNX_PACKED_PARAMETERS)};
static const signature onnx_packed_signature = SIGNATURE("pad_packed", onnx_packed_rows, 7, 0);

static PyObject *core_onnx_packed(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                  PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    onnx_packed_call call;
    onnx_node node;
    if (read_call(&onnx_packed_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    const onnx_call rest = {.pads = call.pads,
                            .axes = call.axes,
                            .mode = call.mode,
                            .opset = call.opset,
                            .lenient = call.lenient};
    const int threads = read_threads(c.state, call.threads);
    packed_tensor tensor;
    PyObject *result = NULL;
    tpad_translation translation;
    if (threads < 0 || read_packed(&c, call.shape, call.dtype, call.constant_value, &tensor) != 0)
        return NULL;
    if (read_node(&c, &rest, &node) == 0 && read_pads(&c, &rest, &node) == 0) {
        const int32_t type = tpad_onnx_type_from_name(tensor.word);
        node.pad.data =
            (tpad_onnx_tensor){.type = type, .rank = tensor.rank, .shape = tensor.shape};
        node.value = (tpad_onnx_tensor){.type = type, .data = &tensor.fill};
        if (tensor.filled) node.pad.value = &node.value;
        if (translate(&c, &node, &translation) == 0)
            result = run_packed(&c, call.data, &tensor, &translation, call.out, threads);
    }
    close_node(&node);
    return result;
}

PyDoc_STRVAR(
    onnx_pad_packed_doc,
    PARAMETERS_SHOWN(
        "pad_packed", ONNX_PACKED_PARAMETERS, "",
        "Pad a tensor whose elements have 2 or 4 bits, in a buffer of bytes.\n"
        "\n"
        "data: the buffer, with the first element in the low bits of the first byte.\n"
        "shape: the extents of the tensor in it, in elements.\n"
        "dtype: 'int4', 'uint4', 'float4e2m1', 'int2' or 'uint2'.\n"
        "constant_value: an integer of this type; for float4e2m1 its bits.\n"
        "out: a buffer of as many bytes as the result; it is returned.\n"
        "pads, axes, mode, opset, lenient, threads: those of `pad`.\n"
        "\n"
        "Returns a new buffer, a numpy.ndarray of uint8. Raises SpecError if the version does\n"
        "not allow the arguments, and ValueError if data or out do not have the number of bytes\n"
        "that the shape needs."));

PyMethodDef onnx_packed_method = PUBLIC_METHOD("pad_packed", core_onnx_packed, onnx_pad_packed_doc);
