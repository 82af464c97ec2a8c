/* tensorpad.openvino: pad and pad_packed.  SPDX-License-Identifier: MIT */
#include "spec_calls.h"

#include <stdio.h>
#include <string.h>
#include <tensorpad/openvino.h>

/* The parameters of both functions after the data. */
#define OPENVINO_LAYER_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                        \
    REQUIRED(pads_begin)                                                                           \
    REQUIRED(pads_end)                                                                             \
    OPTIONAL(pad_value, "None")                                                                    \
    OPTIONAL(pad_mode, "None")                                                                     \
    STAR()                                                                                         \
    OPTIONAL(version, "1")                                                                         \
    OPTIONAL(lenient, "False")                                                                     \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(threads, "None")

#define OPENVINO_PAD_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                          \
    REQUIRED(data)                                                                                 \
    OPENVINO_LAYER_PARAMETERS(REQUIRED, OPTIONAL, STAR)

typedef struct openvino_call {
    PARAMETER_FIELDS(OPENVINO_PAD_PARAMETERS)
} openvino_call;

static const parameter openvino_rows[] = {PARAMETER_ROWS(OPENVINO_PAD_PARAMETERS)};
static const signature openvino_signature = SIGNATURE("pad", openvino_rows, 5, 0);

/* A layer, and the memory that it points to. */
typedef struct openvino_layer {
    tpad_openvino_pad pad;
    tpad_openvino_tensor begin, end, value;
    tensor_argument data_read, begin_read, end_read, value_read;
} openvino_layer;

static tpad_openvino_tensor openvino_tensor(const tensor_argument *from)
{
    return (tpad_openvino_tensor){.type = tpad_openvino_type_from_name(from->word),
                                  .rank = from->rank,
                                  .shape = from->shape,
                                  .data = from->data};
}

/* Reads version, flags, mode and amounts, for data of any kind. */
static int read_layer(context *c, const openvino_call *call, openvino_layer *layer)
{
    memset(layer, 0, sizeof *layer);
    layer->pad.struct_size = sizeof layer->pad;
    layer->pad.string_bytes = 8;
    if (read_opset(c, call->version, "version", 1, &layer->pad.opset) != 0) return -1;
    const int lenient = read_flag(c, call->lenient);
    if (lenient < 0 || read_word(call->pad_mode, NULL, &layer->pad.mode) != 0) return -1;
    layer->pad.flags = lenient ? TPAD_OPENVINO_LENIENT : 0;
    if (read_int64s(c, call->pads_begin, "pads_begin", OPENVINO_WORDS, &layer->begin_read) != 0 ||
        read_int64s(c, call->pads_end, "pads_end", OPENVINO_WORDS, &layer->end_read) != 0)
        return -1;
    if (layer->begin_read.present) {
        layer->begin = openvino_tensor(&layer->begin_read);
        layer->pad.begin = &layer->begin;
    }
    if (layer->end_read.present) {
        layer->end = openvino_tensor(&layer->end_read);
        layer->pad.end = &layer->end;
    }
    return 0;
}

static int translate(context *c, const openvino_layer *layer, tpad_translation *translation)
{
    tpad_error error;
    if (tpad_openvino_translate(translation, sizeof *translation, &layer->pad, &error) == TPAD_OK)
        return 0;
    const tpad_openvino_version *version = tpad_openvino_version_for(layer->pad.opset);
    char spec[32] = "openvino";
    if (version) snprintf(spec, sizeof spec, "openvino-%d", (int)version->version);
    raise_spec_error(c, &error, spec);
    return -1;
}

static void close_layer(openvino_layer *layer)
{
    tensor_close(&layer->data_read);
    tensor_close(&layer->begin_read);
    tensor_close(&layer->end_read);
    tensor_close(&layer->value_read);
}

static PyObject *core_openvino_pad(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                   PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    openvino_call call;
    openvino_layer layer;
    if (read_call(&openvino_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    if (is_foreign(c.state, call.data, call.out))
        return through_door(&c, "openvino_pad", &openvino_signature, (PyObject **)&call, args,
                            count, NULL);
    const int threads = read_threads(c.state, call.threads);
    operand data;
    if (threads < 0 || operand_source(&c, call.data, &data) != 0) return NULL;
    PyObject *result = NULL;
    tpad_translation translation;
    if (read_layer(&c, &call, &layer) == 0 &&
        read_subject(&c, &data, OPENVINO_WORDS, &layer.data_read) == 0 &&
        read_value(&c, call.pad_value, "pad_value", &data, OPENVINO_WORDS, &layer.value_read) ==
            0) {
        layer.pad.data = openvino_tensor(&layer.data_read);
        if (layer.value_read.present) {
            layer.value = openvino_tensor(&layer.value_read);
            layer.pad.value = &layer.value;
        }
        if (translate(&c, &layer, &translation) == 0)
            result = run_translation(&c, &translation, &data, &layer.value_read, call.out, threads);
    }
    close_layer(&layer);
    operand_close(&data);
    return result;
}

PyDoc_STRVAR(
    openvino_pad_doc,
    PARAMETERS_SHOWN(
        "pad", OPENVINO_PAD_PARAMETERS, "",
        "Pad as the OpenVINO layer of this version does it (operation specifications: \"Pad-1\",\n"
        "\"Pad-12\").\n"
        "\n"
        "data: an array; the version of Pad must allow its type.\n"
        "pads_begin, pads_end: one amount for each axis; from version 12 on, a negative amount\n"
        "    crops.\n"
        "pad_value: a scalar of data's type; a plain number is converted to it.\n"
        "pad_mode: 'constant', 'edge', 'reflect' or 'symmetric'; the specification has no\n"
        "    default.\n"
        "version: 1 or 12, or the number of an operator set.\n"
        "lenient: True also computes what the version forbids, if its meaning is clear.\n"
        "out, threads: as in tensorpad.pad.\n"
        "\n"
        "Raises SpecError if the version does not allow the arguments."));

PyMethodDef openvino_pad_method = PUBLIC_METHOD("pad", core_openvino_pad, openvino_pad_doc);

/* ---- Packed ---------------------------------------------------------------------------------- */

#define OPENVINO_PACKED_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                       \
    REQUIRED(data)                                                                                 \
    REQUIRED(shape)                                                                                \
    REQUIRED(dtype)                                                                                \
    OPENVINO_LAYER_PARAMETERS(REQUIRED, OPTIONAL, STAR)

typedef struct openvino_packed_call {
    PARAMETER_FIELDS(OPENVINO_PACKED_PARAMETERS)
} openvino_packed_call;

static const parameter openvino_packed_rows[] = {PARAMETER_ROWS(OPENVINO_PACKED_PARAMETERS)};
static const signature openvino_packed_signature =
    SIGNATURE("pad_packed", openvino_packed_rows, 7, 0);

static PyObject *core_openvino_packed(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                      PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    openvino_packed_call call;
    openvino_layer layer;
    if (read_call(&openvino_packed_signature, args, count, names, (PyObject **)&call) < 0)
        return NULL;
    const openvino_call rest = {.pads_begin = call.pads_begin,
                                .pads_end = call.pads_end,
                                .pad_mode = call.pad_mode,
                                .version = call.version,
                                .lenient = call.lenient};
    const int threads = read_threads(c.state, call.threads);
    packed_tensor tensor;
    PyObject *result = NULL;
    tpad_translation translation;
    if (threads < 0 || read_packed(&c, call.shape, call.dtype, call.pad_value, &tensor) != 0)
        return NULL;
    if (read_layer(&c, &rest, &layer) == 0) {
        const int32_t type = tpad_openvino_type_from_name(tensor.word);
        layer.pad.data =
            (tpad_openvino_tensor){.type = type, .rank = tensor.rank, .shape = tensor.shape};
        layer.value = (tpad_openvino_tensor){.type = type, .data = &tensor.stored};
        if (tensor.filled) layer.pad.value = &layer.value;
        if (translate(&c, &layer, &translation) == 0)
            result = run_packed(&c, call.data, &tensor, &translation, call.out, threads);
    }
    close_layer(&layer);
    return result;
}

PyDoc_STRVAR(
    openvino_pad_packed_doc,
    PARAMETERS_SHOWN(
        "pad_packed", OPENVINO_PACKED_PARAMETERS, "",
        "Pad a tensor whose elements have 1, 2 or 4 bits, in a buffer of bytes.\n"
        "\n"
        "data: the buffer, with the first element in the low bits of the first byte (u1: in the\n"
        "    high bit).\n"
        "shape: the extents of the tensor in it, in elements.\n"
        "dtype: 'u1', 'u2', 'u4', 'i4', 'nf4' or 'f4e2m1'.\n"
        "pad_value: an integer of this type; for nf4 and f4e2m1 its bits.\n"
        "out: a buffer of as many bytes as the result; it is returned.\n"
        "pads_begin, pads_end, pad_mode, version, lenient, threads: those of `pad`.\n"
        "\n"
        "Returns a new buffer, a numpy.ndarray of uint8. Raises SpecError if the version does\n"
        "not allow the arguments, and ValueError if data or out do not have the number of bytes\n"
        "that the shape needs."));

PyMethodDef openvino_packed_method =
    PUBLIC_METHOD("pad_packed", core_openvino_packed, openvino_pad_packed_doc);
