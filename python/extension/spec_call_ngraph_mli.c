/* tensorpad.ngraph and tensorpad.mli.  SPDX-License-Identifier: MIT */
#include "spec_calls.h"

#include <string.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>

/* ---- tensorpad.ngraph.pad -------------------------------------------------------------------- */

#define NGRAPH_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                                \
    REQUIRED(arg)                                                                                  \
    REQUIRED(arg_pad_value)                                                                        \
    REQUIRED(padding_below)                                                                        \
    REQUIRED(padding_above)                                                                        \
    OPTIONAL(padding_interior, "None")                                                             \
    OPTIONAL(pad_mode, "'CONSTANT'")                                                               \
    STAR()                                                                                         \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(threads, "None")

typedef struct ngraph_call {
    PARAMETER_FIELDS(NGRAPH_PARAMETERS)
} ngraph_call;

static const parameter ngraph_rows[] = {PARAMETER_ROWS(NGRAPH_PARAMETERS)};
static const signature ngraph_signature = SIGNATURE("pad", ngraph_rows, 6, 0);

/* The arguments besides the data, and the memory that they point to. */
typedef struct ngraph_node {
    tpad_ngraph_pad pad;
    tpad_ngraph_tensor value;
    tensor_argument arg_read, value_read;
    int64_t below[TPAD_MAX_RANK], above[TPAD_MAX_RANK], interior[TPAD_MAX_RANK];
} ngraph_node;

static int read_amounts_of(context *c, PyObject *from, const char *name, int64_t *to,
                           int32_t *count)
{
    *count = read_integers(c, from, name, TPAD_MAX_RANK, to);
    return *count < 0 ? -1 : 0;
}

static int read_node(context *c, const ngraph_call *call, const operand *arg, ngraph_node *node)
{
    tpad_ngraph_pad *pad = &node->pad;
    pad->struct_size = sizeof *pad;
    if (call->padding_below == Py_None || call->padding_above == Py_None) {
        PyErr_SetString(PyExc_TypeError, "padding_below and padding_above are required");
        return -1;
    }
    if (read_subject(c, arg, ONNX_WORDS, &node->arg_read) != 0 ||
        read_value(c, call->arg_pad_value, "arg_pad_value", arg, ONNX_WORDS, &node->value_read) !=
            0 ||
        read_amounts_of(c, call->padding_below, "padding_below", node->below,
                        &pad->padding_below_count) != 0 ||
        read_amounts_of(c, call->padding_above, "padding_above", node->above,
                        &pad->padding_above_count) != 0 ||
        read_word(call->pad_mode, "CONSTANT", &pad->pad_mode) != 0)
        return -1;
    pad->padding_below = node->below;
    pad->padding_above = node->above;
    if (call->padding_interior && call->padding_interior != Py_None) {
        if (read_amounts_of(c, call->padding_interior, "padding_interior", node->interior,
                            &pad->padding_interior_count) != 0)
            return -1;
        pad->padding_interior = node->interior;
    }
    pad->arg =
        (tpad_ngraph_tensor){.type = 1, .rank = node->arg_read.rank, .shape = node->arg_read.shape};
    pad->elem_bits = arg->view.item_bytes ? 8 * arg->view.item_bytes : 8;
    if (node->value_read.present) {
        const tensor_argument *value = &node->value_read;
        const int same = strcmp(node->arg_read.word, value->word) == 0;
        node->value = (tpad_ngraph_tensor){.type = same ? 1 : 2,
                                           .rank = value->rank,
                                           .shape = value->shape,
                                           .data = same ? value->data : NULL};
        pad->arg_pad_value = &node->value;
    }
    return 0;
}

static PyObject *core_ngraph_pad(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                 PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    ngraph_call call;
    if (read_call(&ngraph_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    if (is_foreign(c.state, call.arg, call.out))
        return through_door(&c, "ngraph_pad", &ngraph_signature, (PyObject **)&call, args, count,
                            NULL);
    const int threads = read_threads(c.state, call.threads);
    operand arg;
    if (threads < 0 || operand_source(&c, call.arg, &arg) != 0) return NULL;
    ngraph_node node;
    memset(&node, 0, sizeof node);
    PyObject *result = NULL;
    tpad_translation translation;
    tpad_error error;
    if (read_node(&c, &call, &arg, &node) == 0) {
        if (tpad_ngraph_translate(&translation, sizeof translation, &node.pad, &error) != TPAD_OK)
            raise_spec_error(&c, &error, "ngraph");
        else
            result = run_translation(&c, &translation, &arg, &node.value_read, call.out, threads);
    }
    tensor_close(&node.arg_read);
    tensor_close(&node.value_read);
    operand_close(&arg);
    return result;
}

PyDoc_STRVAR(
    ngraph_pad_doc,
    PARAMETERS_SHOWN(
        "pad", NGRAPH_PARAMETERS, "",
        "Pad as nGraph's operator does it (nGraph's specification: \"Pad\").\n"
        "\n"
        "arg: an array of any type.\n"
        "arg_pad_value: a scalar of arg's type, required in every mode; a plain number is\n"
        "    converted.\n"
        "padding_below, padding_above: one amount for each axis; a negative amount crops.\n"
        "    \"Below\" means lower indices: in front in memory, at the top of a picture.\n"
        "padding_interior: cells between neighbours, one number for each axis, not negative.\n"
        "pad_mode: 'CONSTANT', 'EDGE', 'REFLECT' or 'SYMMETRIC'.\n"
        "out, threads: as in tensorpad.pad.\n"
        "\n"
        "Raises SpecError if the specification does not allow the arguments."));

PyMethodDef ngraph_pad_method = PUBLIC_METHOD("pad", core_ngraph_pad, ngraph_pad_doc);

/* ---- tensorpad.mli.padding2d ----------------------------------------------------------------- */

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
    if (is_foreign(c.state, call.tensor, call.out))
        return through_door(&c, "mli_padding2d", &mli_signature, (PyObject **)&call, args, count,
                            NULL);
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
        tpad_translation translation;
        tpad_error error;
        if (tpad_mli_translate(&translation, sizeof translation, &pad, &error) != TPAD_OK)
            raise_spec_error(&c, &error, spec);
        else
            result = run_translation(&c, &translation, &tensor, &none, call.out, threads);
    }
    tensor_close(&subject);
    operand_close(&tensor);
    return result;
}

PyDoc_STRVAR(
    mli_padding2d_doc,
    PARAMETERS_SHOWN(
        "padding2d", MLI_PARAMETERS, "",
        "Pads the height and width of a tensor with zeros, as mli_krn_padding2d_chw_fx8 and the\n"
        "three functions beside it do (MLI's specification: \"Padding 2D\").\n"
        "\n"
        "tensor: int8 (fx8) or int16 (fx16), of rank 3.\n"
        "layout: 'chw' or 'hwc', the order of its axes.\n"
        "padding_left, padding_right, padding_top, padding_bottom: cells, 0 to 255.\n"
        "out, threads: as in tensorpad.pad.\n"
        "\n"
        "Raises SpecError if the specification does not allow the arguments."));

PyMethodDef mli_padding2d_method =
    PUBLIC_METHOD("padding2d", core_mli_padding2d, mli_padding2d_doc);
