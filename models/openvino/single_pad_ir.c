/* A Pad layer as its own IR.  SPDX-License-Identifier: MIT
 *
 * The data is the input x, the output is y, and all arguments are constants in the .bin. */
#include "formats/file.h"
#include "ir.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An output, until something fails. */
typedef struct text_out {
    tpad_output *output;
    tpad_io_error *error;
    int32_t status;
} text_out;

static void put(text_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text_out *out, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!out->status) out->status = tpad_output_write(out->output, text, length, out->error);
}

enum { PORT_OF_X = 0, PORT_OF_Y = 5 };

static void put_port(text_out *out, int32_t id, const char *precision, int32_t rank,
                     const int64_t *shape)
{
    put(out, "<port id=\"%d\" precision=\"%s\"%s>", (int)id, precision,
        id == PORT_OF_X   ? " names=\"x\""
        : id == PORT_OF_Y ? " names=\"y\""
                          : "");
    for (int32_t axis = 0; axis < rank; axis++) put(out, "<dim>%lld</dim>", (long long)shape[axis]);
    put(out, "</port>");
}

/* A constant, whose bytes are in the .bin from `offset` on. */
static void put_constant(text_out *out, int32_t id, const char *word, const char *precision,
                         int64_t count, int64_t offset, int64_t bytes)
{
    char shape[32] = "";
    if (count >= 0) snprintf(shape, sizeof shape, "%lld", (long long)count);
    put(out,
        "<layer id=\"%d\" name=\"a%d\" type=\"Const\" version=\"opset1\"><data element_type=\"%s\" "
        "shape=\"%s\" offset=\"%lld\" size=\"%lld\"/><output>",
        (int)id, (int)id, word, shape, (long long)offset, (long long)bytes);
    put_port(out, 9, precision, count >= 0, &count);
    put(out, "</output></layer>\n");
}

static int32_t check_layer(const tpad_pad_node *pad, tpad_io_error *error)
{
    int known = strcmp(pad->spec, "openvino") == 0 && pad->version > 0 && pad->mode && pad->value &&
                pad->type && tpad_type_to_openvino(pad->type) && pad->type != TPAD_ONNX_STRING &&
                pad->in_rank >= 0 && pad->out_rank == pad->in_rank &&
                pad->pads_count == pad->in_rank;
    for (int32_t axis = 0; known && axis < pad->in_rank; axis++)
        known = pad->in_shape[axis] >= 0 && pad->out_shape[axis] >= 0;
    if (known) return TPAD_OK;
    return tpad_io_fail(error, TPAD_E_MODEL,
                        "not all of the layer is known: type, mode, shape, amounts and value");
}

static int32_t write_weights(const tpad_pad_node *pad, tpad_output *weights, tpad_io_error *error)
{
    const int64_t bytes = pad->pads_count * (int64_t)sizeof *pad->begin;
    unsigned char element[2 * sizeof(tpad_string)] = {0};
    tpad_tensor like;
    tpad_tensor_describe(&like, pad->type, 0, NULL);
    int32_t status = tpad_value_parse(element, pad->value, &like, error);
    if (!status) status = tpad_output_write(weights, pad->begin, bytes, error);
    if (!status) status = tpad_output_write(weights, pad->end, bytes, error);
    if (!status) status = tpad_output_write(weights, element, (like.elem_bits + 7) / 8, error);
    return status;
}

static void put_layers(text_out *out, const tpad_pad_node *pad)
{
    const int32_t type = tpad_type_to_openvino(pad->type);
    const char *word = tpad_openvino_type_name(type);
    const char *precision = tpad_openvino_type_port_name(type);
    const int64_t count = pad->pads_count, bytes = count * (int64_t)sizeof *pad->begin;
    tpad_tensor like;
    tpad_tensor_describe(&like, pad->type, 0, NULL);
    put(out, "<?xml version=\"1.0\"?>\n<net name=\"pad\" version=\"11\">\n<layers>\n");
    put(out, "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"");
    for (int32_t axis = 0; axis < pad->in_rank; axis++)
        put(out, "%s%lld", axis ? "," : "", (long long)pad->in_shape[axis]);
    put(out, "\" element_type=\"%s\"/><output>", word);
    put_port(out, PORT_OF_X, precision, pad->in_rank, pad->in_shape);
    put(out, "</output></layer>\n");
    put_constant(out, 1, "i64", "I64", count, 0, bytes);
    put_constant(out, 2, "i64", "I64", count, bytes, bytes);
    if (pad->inputs[3])
        put_constant(out, 3, word, precision, -1, 2 * bytes, (like.elem_bits + 7) / 8);
    put(out,
        "<layer id=\"4\" name=\"pad\" type=\"Pad\" version=\"opset%d\"><data "
        "pad_mode=\"%s\"/><input>",
        (int)pad->version, pad->mode);
    put_port(out, 1, precision, pad->in_rank, pad->in_shape);
    put_port(out, 2, "I64", 1, &count);
    put_port(out, 3, "I64", 1, &count);
    if (pad->inputs[3]) put_port(out, 4, precision, 0, NULL);
    put(out, "</input><output>");
    put_port(out, PORT_OF_Y, precision, pad->out_rank, pad->out_shape);
    put(out, "</output></layer>\n"
             "<layer id=\"5\" name=\"y\" type=\"Result\" version=\"opset1\"><input>");
    put_port(out, 1, precision, pad->out_rank, pad->out_shape);
    put(out, "</input></layer>\n</layers>\n<edges>\n");
    put(out, "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"4\" to-port=\"1\"/>\n");
    for (int32_t id = 1; id < (pad->inputs[3] ? 4 : 3); id++)
        put(out, "<edge from-layer=\"%d\" from-port=\"9\" to-layer=\"4\" to-port=\"%d\"/>\n",
            (int)id, (int)id + 1);
    put(out, "<edge from-layer=\"4\" from-port=\"5\" to-layer=\"5\" "
             "to-port=\"1\"/>\n</edges>\n</net>\n");
}

int32_t tpad_pad_write_ir(const tpad_pad_node *pad, tpad_output *output, tpad_output *weights,
                          tpad_io_error *error)
{
    text_out out = {output, error, check_layer(pad, error)};
    if (out.status) return out.status;
    put_layers(&out, pad);
    return out.status ? out.status : write_weights(pad, weights, error);
}
