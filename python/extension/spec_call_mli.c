/* tensorpad.mli.padding2d.  SPDX-License-Identifier: MIT */
#include "spec_calls.h"

#include <string.h>
#include <tensorpad/mli.h>

#define MLI_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                                   \
    REQUIRED(tensor)                                                                               \
    STAR()                                                                                         \
    REQUIRED(layout)                                                                               \
    OPTIONAL(padding_left, "0")                                                                    \
    OPTIONAL(padding_right, "0")                                                                   \
    OPTIONAL(padding_top, "0")                                                                     \
    OPTIONAL(padding_bottom, "0")                                                                  \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(threads, "None")

typedef struct mli_call {
    PARAMETER_FIELDS(MLI_PARAMETERS)
} mli_call;

static const parameter mli_rows[] = {PARAMETER_ROWS(MLI_PARAMETERS)};
static const signature mli_signature = SIGNATURE("padding2d", mli_rows, 1, 0);

static int read_layout(PyObject *word)
{
    for (int32_t layout = 0; layout < tpad_mli_layout_count(); layout++)
        if (PyUnicode_Check(word) &&
            PyUnicode_CompareWithASCIIString(word, tpad_mli_limits_at(layout)->name) == 0)
            return layout;
    PyErr_Format(PyExc_ValueError, "layout has to be 'chw' or 'hwc', got %R", word);
    return -1;
}

static int read_amount(context *c, PyObject *from, const char *name, int64_t *to)
{
    *to = 0;
    return from ? read_integer(c, from, name, "an integer", to) : 0;
}

static PyObject *core_mli_padding2d(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                    PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    mli_call call;
    if (read_call(&mli_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    const int carries = operand_carries(&c, call.tensor);
    if (carries) return carries < 0 ? NULL : call_helper(&c, "mli_padding2d", args, count, names);
    const int layout = read_layout(call.layout);
    const int threads = layout < 0 ? -1 : read_threads(c.state, call.threads);
    tpad_mli_padding2d pad = {.struct_size = sizeof pad, .layout = layout};
    operand tensor;
    if (threads < 0 || read_amount(&c, call.padding_left, "padding_left", &pad.left) != 0 ||
        read_amount(&c, call.padding_right, "padding_right", &pad.right) != 0 ||
        read_amount(&c, call.padding_top, "padding_top", &pad.top) != 0 ||
        read_amount(&c, call.padding_bottom, "padding_bottom", &pad.bottom) != 0 ||
        operand_source(&c, call.tensor, &tensor) != 0)
        return NULL;
    tensor_argument subject, none;
    memset(&subject, 0, sizeof subject);
    memset(&none, 0, sizeof none);
    PyObject *result = NULL;
    if (read_subject(&c, &tensor, ONNX_WORDS, &subject) == 0) {
        pad.type = strcmp(subject.word, "int8") == 0    ? TPAD_MLI_FX8
                   : strcmp(subject.word, "int16") == 0 ? TPAD_MLI_FX16
                                                        : -1;
        pad.rank = subject.rank;
        pad.shape = subject.shape;
        const char *spec = layout == TPAD_MLI_CHW ? "mli-chw" : "mli-hwc";
        tpad_translation made;
        tpad_error error;
        if (tpad_mli_translate(&made, sizeof made, &pad, &error) != TPAD_OK)
            raise_spec_error(&c, &error, spec);
        else
            result = run_translation(&c, &made, &tensor, &none, call.out, threads);
    }
    tensor_close(&subject);
    operand_close(&tensor);
    return result;
}

PyDoc_STRVAR(
    mli_doc,
    PARAMETERS_SHOWN(
        "padding2d", MLI_PARAMETERS,
        "") "Pads the height and width of a tensor with zeros, as mli_krn_padding2d_chw_fx8 and\n"
            "the three functions beside it do (MLI's specification: \"Padding 2D\").\n"
            "\n"
            "tensor: int8 (fx8) or int16 (fx16), of rank 3.\n"
            "layout: 'chw' or 'hwc', the order of its axes.\n"
            "padding_left, padding_right, padding_top, padding_bottom: cells, 0 to 255.\n"
            "out, threads: as in tensorpad.pad.\n"
            "\n"
            "Raises SpecError if the specification does not allow the arguments.");

PyMethodDef mli_padding2d_method = PUBLIC_METHOD("padding2d", core_mli_padding2d, mli_doc);
