/* Calls of ONNX, OpenVINO, nGraph and MLI: the slate's arguments to a problem, or why not.
 * SPDX-License-Identifier: MIT */
#include "slate.h"

#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

enum { OPSETS_WITH_ATTRIBUTES = 10 }; /* up to this one, pads and value are attributes in ONNX */

/* The lists of a call as integers. */
typedef struct lists {
    int64_t extents[SLATE_LIST], before[SLATE_LIST], after[SLATE_LIST], interior[SLATE_LIST];
} lists;

static void read_lists(lists *to)
{
    const slate *from = &engine_slate;
    engine_integers(to->extents, from->extents, from->rank, SLATE_LIST);
    engine_integers(to->before, from->before, from->before_count, SLATE_LIST);
    engine_integers(to->after, from->after, from->after_count, SLATE_LIST);
    engine_integers(to->interior, from->interior, from->interior_count, SLATE_LIST);
}

static const char *mode_word(void)
{
    return engine_slate.has_word ? engine_slate.word : NULL;
}

/* The number of the type that slate.word names, or 0. */
int32_t EXPORT(onnx_type)(void);
int32_t onnx_type(void)
{
    return tpad_onnx_type_from_name(engine_slate.word);
}

int32_t EXPORT(openvino_type)(void);
int32_t openvino_type(void)
{
    return tpad_openvino_type_from_name(engine_slate.word);
}

/* Each of these makes a problem, as make_problem does, with the checks of its specification. Of the
 * slate they read extents, rank, type, the lists that are named, value and value_type, word. */

/* before: pads. interior: axes. version: the opset. Up to opset 10 the value is a float. */
int32_t EXPORT(make_onnx)(void);
int32_t make_onnx(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const int64_t pads_shape = from->before_count, axes_shape = from->interior_count;
    const tpad_onnx_tensor pads = {TPAD_ONNX_INT64, 1, &pads_shape, read.before};
    const tpad_onnx_tensor axes = {TPAD_ONNX_INT64, 1, &axes_shape, read.interior};
    const tpad_onnx_tensor value = {from->value_type, 0, NULL, from->value};
    float number;
    __builtin_memcpy(&number, from->value, sizeof number);
    tpad_onnx_pad pad = {.struct_size = sizeof pad,
                         .opset = from->version,
                         .flags = from->lenient ? TPAD_ONNX_LENIENT : 0,
                         .data = {from->type, from->rank, read.extents, NULL},
                         .axes = axes_shape >= 0 ? &axes : NULL,
                         .mode = mode_word()};
    const tpad_onnx_version *version = tpad_onnx_version_for(from->version);
    if (from->version < 1 || from->version > OPSETS_WITH_ATTRIBUTES) {
        pad.pads = pads_shape >= 0 ? &pads : NULL;
        pad.value = from->value_type >= 0 ? &value : NULL;
    } else {
        pad.attribute_value = from->value_type >= 0 ? &number : NULL;
        const int64_t *amounts = pads_shape >= 0 ? read.before : NULL;
        const int32_t count = pads_shape >= 0 ? from->before_count : 0;
        if (version->since == 1)
            pad.attribute_paddings = amounts, pad.attribute_paddings_count = count;
        else
            pad.attribute_pads = amounts, pad.attribute_pads_count = count;
    }
    tpad_error error;
    const int32_t status =
        tpad_onnx_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}

/* before: pads_begin. after: pads_end. */
int32_t EXPORT(make_openvino)(void);
int32_t make_openvino(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const int64_t begin_shape = from->before_count, end_shape = from->after_count;
    const tpad_openvino_tensor begin = {TPAD_OPENVINO_I64, 1, &begin_shape, read.before};
    const tpad_openvino_tensor end = {TPAD_OPENVINO_I64, 1, &end_shape, read.after};
    const tpad_openvino_tensor value = {from->value_type, 0, NULL, from->value};
    const tpad_openvino_pad pad = {.struct_size = sizeof pad,
                                   .opset = from->version,
                                   .flags = from->lenient ? TPAD_OPENVINO_LENIENT : 0,
                                   .data = {from->type, from->rank, read.extents, NULL},
                                   .begin = begin_shape >= 0 ? &begin : NULL,
                                   .end = end_shape >= 0 ? &end : NULL,
                                   .value = from->value_type >= 0 ? &value : NULL,
                                   .mode = mode_word()};
    tpad_error error;
    const int32_t status =
        tpad_openvino_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}

/* before, after, interior: padding_below, padding_above, padding_interior. elem_bits instead of a
 * type; value_type is that of the data, 1, or another. */
int32_t EXPORT(make_ngraph)(void);
int32_t make_ngraph(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const int32_t interiors = from->interior_count;
    const tpad_ngraph_tensor value = {from->value_type, 0, NULL, from->value};
    const tpad_ngraph_pad pad = {.struct_size = sizeof pad,
                                 .arg = {1, from->rank, read.extents, NULL},
                                 .arg_pad_value = from->value_type >= 0 ? &value : NULL,
                                 .padding_below = read.before,
                                 .padding_above = read.after,
                                 .padding_interior = interiors >= 0 ? read.interior : NULL,
                                 .padding_below_count = from->before_count,
                                 .padding_above_count = from->after_count,
                                 .padding_interior_count = interiors >= 0 ? interiors : 0,
                                 .elem_bits = from->elem_bits,
                                 .pad_mode = mode_word()};
    tpad_error error;
    const int32_t status =
        tpad_ngraph_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}

/* version: the layout. before: left, right, top, bottom. */
int32_t EXPORT(make_mli)(void);
int32_t make_mli(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const tpad_mli_padding2d pad = {.struct_size = sizeof pad,
                                    .layout = from->version,
                                    .type = from->type,
                                    .rank = from->rank,
                                    .shape = read.extents,
                                    .left = read.before[0],
                                    .right = read.before[1],
                                    .top = read.before[2],
                                    .bottom = read.before[3]};
    tpad_error error;
    const int32_t status = tpad_mli_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}
