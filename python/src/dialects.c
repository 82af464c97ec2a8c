/* Translates the arguments of the specifications to amounts and modes. SPDX-License-Identifier: MIT
 *
 * Each function passes the arguments of one operator to the dialect's translation and returns
 * (axes, output shape, fill): axes as moves.c reads them; fill is the pad value as bytes if the
 * translation made one, else None. The data itself is moved by the Python side with `move`.
 */
#include "extension.h"

#include <stdio.h>
#include <string.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

/* A tensor argument: (type word, shape) or (type word, shape, array), or None. */
typedef struct tensor_argument {
    int present;
    const char *word;
    int rank;
    int64_t shape[TPAD_MAX_RANK];
    array_view view; /* its data */
} tensor_argument;

static int read_tensor(const module_state *state, PyObject *from, tensor_argument *to)
{
    memset(to, 0, sizeof *to);
    if (from == Py_None) return 0;
    PyObject *word = PyTuple_GetItem(from, 0);
    PyObject *shape = word ? PyTuple_GetItem(from, 1) : NULL;
    if (shape == NULL) return -1;
    to->present = 1;
    to->word = PyUnicode_AsUTF8AndSize(word, NULL);
    if (to->word == NULL || (to->rank = read_integers(shape, to->shape)) < 0) return -1;
    if (PyTuple_Size(from) < 3) return 0;
    if (array_open(state, PyTuple_GetItem(from, 2), &to->view) != 0) return -1;
    if (to->view.flags & ARRAY_C_CONTIGUOUS) return 0;
    PyErr_SetString(PyExc_ValueError, "the array of an argument has to be contiguous");
    return -1;
}

static int read_word(PyObject *object, const char **word)
{
    *word = NULL;
    if (object == Py_None) return 0;
    *word = PyUnicode_AsUTF8AndSize(object, NULL);
    return *word ? 0 : -1;
}

/* (axes, output shape, fill) of a translation. with_fill: the translation made the pad value. */
static PyObject *make_result(const module_state *state, const char *spec,
                             const tpad_translation *made, int with_fill)
{
    const tpad_problem problem = tpad_translation_problem(made);
    int64_t extents[TPAD_MAX_RANK];
    tpad_error error;
    if (tpad_shape(&problem, extents, NULL, NULL, &error) != TPAD_OK)
        return raise_spec_error(state, &error, spec);
    PyObject *axes = PyTuple_New(made->rank);
    for (int i = 0; axes && i < made->rank; i++) {
        const tpad_axis *a = &made->axes[i];
        const int64_t five[5] = {a->before, a->after, a->interior, a->mode, a->order};
        PyObject *item = make_integers(5, five);
        if (item == NULL || PyTuple_SetItem(axes, i, item) != 0) Py_CLEAR(axes);
    }
    if (axes == NULL) return NULL;
    PyObject *shape = make_integers(made->rank, extents);
    PyObject *value = with_fill && made->fill_bytes > 0
                          ? PyBytes_FromStringAndSize((const char *)made->fill, made->fill_bytes)
                          : Py_NewRef(Py_None);
    PyObject *result = shape && value ? PyTuple_Pack(3, axes, shape, value) : NULL;
    Py_DECREF(axes);
    Py_XDECREF(shape);
    Py_XDECREF(value);
    return result;
}

/* ---- ONNX ------------------------------------------------------------------------------------ */

/* Without the elements of texts: NumPy's are not handles, and the Python side has the value. */
static tpad_onnx_tensor onnx_tensor(const tensor_argument *from)
{
    const int32_t type = tpad_onnx_type_from_name(from->word);
    return (tpad_onnx_tensor){.type = type,
                              .rank = from->rank,
                              .shape = from->shape,
                              .data = type == TPAD_ONNX_STRING ? NULL : from->view.data};
}

/* Versions 1 and 2 have attributes for what later versions take as inputs. */
static int onnx_attributes(tpad_onnx_pad *pad, const tpad_onnx_version *version, PyObject *amounts,
                           PyObject *value, int64_t *list, int32_t *listed, float *number)
{
    int named = version && strcmp(version->pads_attribute, "paddings") == 0;
    Py_ssize_t count = PyTuple_Size(amounts);
    if (count < 0) return -1;
    if (count > 2 * TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "pads: %zd entries are more than two for each of %d axes",
                     count, TPAD_MAX_RANK);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        list[i] = PyLong_AsLongLong(PyTuple_GetItem(amounts, i));
        if (list[i] == -1 && PyErr_Occurred()) return -1;
    }
    *listed = (int32_t)count;
    if (named) {
        pad->attribute_paddings = list;
        pad->attribute_paddings_count = *listed;
    } else {
        pad->attribute_pads = list;
        pad->attribute_pads_count = *listed;
    }
    if (value == Py_None) return 0;
    double wide = PyFloat_AsDouble(value);
    if (wide == -1 && PyErr_Occurred()) return -1;
    *number = (float)wide;
    pad->attribute_value = number;
    return 0;
}

/* onnx(opset, lenient, data, pads, value, axes, mode, attribute_pads, attribute_value) */
PyObject *core_onnx(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("onnx", count, 9)) return NULL;
    long opset = PyLong_AsLong(args[0]);
    if (opset == -1 && PyErr_Occurred()) return NULL;
    if (opset > INT32_MAX || opset < INT32_MIN) opset = opset < 0 ? -1 : INT32_MAX;
    tensor_argument read[4];
    memset(read, 0, sizeof read);
    tpad_onnx_pad pad = {.struct_size = sizeof pad,
                         .opset = (int32_t)opset,
                         .flags = PyObject_IsTrue(args[1]) == 1 ? TPAD_ONNX_LENIENT : 0,
                         .string_bytes = 8};
    PyObject *result = NULL;
    int64_t list[2 * TPAD_MAX_RANK];
    int32_t listed;
    float number;
    tpad_onnx_tensor tensors[4];
    for (int i = 0; i < 4; i++) {
        if (read_tensor(state, args[2 + i], &read[i]) != 0) goto done;
        tensors[i] = read[i].present ? onnx_tensor(&read[i]) : (tpad_onnx_tensor){0};
    }
    pad.data = tensors[0];
    if (read[1].present) pad.pads = &tensors[1];
    if (read[2].present) pad.value = &tensors[2];
    if (read[3].present) pad.axes = &tensors[3];
    const tpad_onnx_version *version = tpad_onnx_version_for(pad.opset);
    if (read_word(args[6], &pad.mode) != 0) goto done;
    if (args[7] != Py_None &&
        onnx_attributes(&pad, version, args[7], args[8], list, &listed, &number) != 0)
        goto done;
    char spec[32] = "onnx";
    if (version) snprintf(spec, sizeof spec, "onnx-%d", (int)version->since);
    tpad_translation made;
    tpad_error error;
    if (tpad_onnx_translate(&made, sizeof made, &pad, &error) != TPAD_OK)
        raise_spec_error(state, &error, spec);
    else
        result = make_result(state, spec, &made, pad.attribute_value != NULL);
done:
    for (int i = 0; i < 4; i++) array_close(&read[i].view);
    return result;
}

/* ---- OpenVINO -------------------------------------------------------------------------------- */

/* As onnx_tensor. */
static tpad_openvino_tensor openvino_tensor(const tensor_argument *from)
{
    const int32_t type = tpad_openvino_type_from_name(from->word);
    return (tpad_openvino_tensor){.type = type,
                                  .rank = from->rank,
                                  .shape = from->shape,
                                  .data = type == TPAD_OPENVINO_STRING ? NULL : from->view.data};
}

/* openvino(version, lenient, data, pads_begin, pads_end, pad_value, pad_mode) */
PyObject *core_openvino(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("openvino", count, 7)) return NULL;
    long opset = PyLong_AsLong(args[0]);
    if (opset == -1 && PyErr_Occurred()) return NULL;
    if (opset > INT32_MAX || opset < INT32_MIN) opset = opset < 0 ? -1 : INT32_MAX;
    tensor_argument read[4];
    memset(read, 0, sizeof read);
    tpad_openvino_pad pad = {.struct_size = sizeof pad,
                             .opset = (int32_t)opset,
                             .flags = PyObject_IsTrue(args[1]) == 1 ? TPAD_OPENVINO_LENIENT : 0,
                             .string_bytes = 8};
    PyObject *result = NULL;
    tpad_openvino_tensor tensors[4];
    for (int i = 0; i < 4; i++) {
        if (read_tensor(state, args[2 + i], &read[i]) != 0) goto done;
        tensors[i] = read[i].present ? openvino_tensor(&read[i]) : (tpad_openvino_tensor){0};
    }
    pad.data = tensors[0];
    if (read[1].present) pad.begin = &tensors[1];
    if (read[2].present) pad.end = &tensors[2];
    if (read[3].present) pad.value = &tensors[3];
    if (read_word(args[6], &pad.mode) != 0) goto done;
    const tpad_openvino_version *version = tpad_openvino_version_for(pad.opset);
    char spec[32] = "openvino";
    if (version) snprintf(spec, sizeof spec, "openvino-%d", (int)version->version);
    tpad_translation made;
    tpad_error error;
    /* For packed elements the translation makes the value (u1, and nf4, whose zero is not all bits
     * zero). */
    if (tpad_openvino_translate(&made, sizeof made, &pad, &error) != TPAD_OK)
        raise_spec_error(state, &error, spec);
    else
        result = make_result(state, spec, &made, made.elem_bits < 8);
done:
    for (int i = 0; i < 4; i++) array_close(&read[i].view);
    return result;
}

/* ---- nGraph and MLI -------------------------------------------------------------------------- */

/* ngraph(shape, bits, value shape or None, same type, below, above, interior or None, mode) */
PyObject *core_ngraph(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("ngraph", count, 8)) return NULL;
    int64_t shape[TPAD_MAX_RANK], value_shape[TPAD_MAX_RANK];
    int64_t below[TPAD_MAX_RANK], above[TPAD_MAX_RANK], interior[TPAD_MAX_RANK];
    int rank = read_integers(args[0], shape);
    long bits = rank < 0 ? -1 : PyLong_AsLong(args[1]);
    if (bits < 0) return NULL;
    int value_rank = args[2] == Py_None ? 0 : read_integers(args[2], value_shape);
    int below_count = value_rank < 0 ? -1 : read_integers(args[4], below);
    int above_count = below_count < 0 ? -1 : read_integers(args[5], above);
    int interior_count = above_count < 0      ? -1
                         : args[6] == Py_None ? 0
                                              : read_integers(args[6], interior);
    if (interior_count < 0) return NULL;
    static const unsigned char zeros[TPAD_FILL_BYTES]; /* the Python side has the value */
    const tpad_ngraph_tensor value = {.type = PyObject_IsTrue(args[3]) == 1 ? 1 : 2,
                                      .rank = value_rank,
                                      .shape = value_shape,
                                      .data = zeros};
    tpad_ngraph_pad pad = {.struct_size = sizeof pad,
                           .arg = {.type = 1, .rank = rank, .shape = shape},
                           .arg_pad_value = args[2] == Py_None ? NULL : &value,
                           .padding_below = below,
                           .padding_above = above,
                           .padding_interior = args[6] == Py_None ? NULL : interior,
                           .padding_below_count = below_count,
                           .padding_above_count = above_count,
                           .padding_interior_count = interior_count,
                           .elem_bits = (int32_t)bits};
    if (read_word(args[7], &pad.pad_mode) != 0) return NULL;
    tpad_translation made;
    tpad_error error;
    if (tpad_ngraph_translate(&made, sizeof made, &pad, &error) != TPAD_OK)
        return raise_spec_error(state, &error, "ngraph");
    return make_result(state, "ngraph", &made, 0);
}

/* mli(layout word, type word, shape, left, right, top, bottom) */
PyObject *core_mli(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("mli", count, 7)) return NULL;
    const char *layout, *type;
    int64_t shape[TPAD_MAX_RANK], amounts[4];
    if (read_word(args[0], &layout) != 0 || read_word(args[1], &type) != 0) return NULL;
    int rank = read_integers(args[2], shape);
    if (rank < 0) return NULL;
    for (int i = 0; i < 4; i++) {
        amounts[i] = PyLong_AsLongLong(args[3 + i]);
        if (amounts[i] == -1 && PyErr_Occurred()) return NULL;
    }
    tpad_mli_padding2d pad = {.struct_size = sizeof pad,
                              .layout = strcmp(layout, "chw") == 0 ? TPAD_MLI_CHW : TPAD_MLI_HWC,
                              .type = strcmp(type, "fx8") == 0    ? TPAD_MLI_FX8
                                      : strcmp(type, "fx16") == 0 ? TPAD_MLI_FX16
                                                                  : -1,
                              .rank = rank,
                              .shape = shape,
                              .left = amounts[0],
                              .right = amounts[1],
                              .top = amounts[2],
                              .bottom = amounts[3]};
    tpad_translation made;
    tpad_error error;
    const char *spec = pad.layout == TPAD_MLI_CHW ? "mli-chw" : "mli-hwc";
    if (tpad_mli_translate(&made, sizeof made, &pad, &error) != TPAD_OK)
        return raise_spec_error(state, &error, spec);
    return make_result(state, spec, &made, 0);
}
