/* What the C interface of src/specs rejects beside the kit's cases. SPDX-License-Identifier: MIT
 *
 * A row for each call: status and sentence, as a user reads it. A rejected call writes neither a
 * translation nor a shape, and says the same status without an error to fill. Rows that the lenient
 * form accepts say so; it rejects the others alike. Which Pads the documents forbid is the kit's
 * subject (test_kit.c); here are the numbers in the errors, and calls that no model can make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

#include "../../support/expect.h"

#define ROWS(rows) (sizeof(rows) / sizeof(rows)[0])

typedef int32_t translator(tpad_translation *made, const void *pad, tpad_error *error);
typedef int32_t shaper(const void *pad, int64_t *extents, tpad_error *error);

#define FUNCTIONS(spec)                                                                            \
    static int32_t spec##_translate(tpad_translation *made, const void *pad, tpad_error *error)    \
    {                                                                                              \
        return tpad_##spec##_translate(made, sizeof *made, pad, error);                            \
    }                                                                                              \
    static int32_t spec##_shape(const void *pad, int64_t *extents, tpad_error *error)              \
    {                                                                                              \
        return tpad_##spec##_shape(pad, extents, error);                                           \
    }

FUNCTIONS(onnx)
FUNCTIONS(openvino)
FUNCTIONS(ngraph)
FUNCTIONS(mli)

static void check_error(const tpad_error *error, int32_t code, const char *text)
{
    char line[300];
    int axis;
    tpad_error_format(error, line, sizeof line);
    assert_string_equal(line, text);
    assert_int_equal(error->code, code);
    assert_whole_line(error, 0);
    if (sscanf(line, "axis %d:", &axis) == 1) assert_int_equal(error->axis, axis);
}

static void check_refused(translator *translate, shaper *shape, const void *pad, int32_t code,
                          const char *text)
{
    tpad_translation made, before;
    tpad_error error;
    int64_t extents[TPAD_MAX_RANK];
    memset(&made, 0x5A, sizeof made);
    memset(&error, 0x55, sizeof error);
    memset(extents, 0x5A, sizeof extents);
    before = made;
    assert_int_equal(translate(&made, pad, &error), code);
    check_error(&error, code, text);
    assert_int_equal(translate(&made, pad, NULL), code);
    assert_memory_equal(&made, &before, sizeof made);
    memset(&error, 0x55, sizeof error);
    assert_int_equal(shape(pad, extents, &error), code);
    check_error(&error, code, text);
    assert_int_equal(shape(pad, NULL, NULL), code);
    for (int32_t i = 0; i < TPAD_MAX_RANK; i++)
        assert_int_equal(extents[i], INT64_C(0x5A5A5A5A5A5A5A5A));
}

/* A row: the status, the sentence, the arguments. */
#define REFUSED(status, line, ...) {{__VA_ARGS__}, TPAD_E_##status, line, 0}
#define LENIENT(status, line, ...) {{__VA_ARGS__}, TPAD_E_##status, line, 1}
#define LIST(...)                  ((const int64_t[]){__VA_ARGS__})

/* ---- ONNX ------------------------------------------------------------------------------------ */

#define ONNX(kind, rank, shape, data) &(const tpad_onnx_tensor){TPAD_ONNX_##kind, rank, shape, data}
#define OF(kind)                      .data = {TPAD_ONNX_##kind, 2, LIST(3, 2), NULL}
#define OF_RANK(rank)                 .data = {TPAD_ONNX_FLOAT, rank, NULL, NULL}
#define IMAGE                         OF(FLOAT)
#define FRAME                         LIST(0, 2, 0, 0)
#define PADS                          .pads = ONNX(INT64, 1, LIST(4), FRAME)
#define VALUE                         ONNX(FLOAT, 0, NULL, &(const float){1})
#define AT(number)                    .opset = number, IMAGE
#define AXES(count, numbers)          .axes = ONNX(INT64, 1, LIST(count), numbers)
#define ATTRIBUTE(name)               .attribute_##name = FRAME, .attribute_##name##_count = 4
#define ONNX_2                        .opset = 2, ATTRIBUTE(pads)

static const struct {
    tpad_onnx_pad pad;
    int32_t code;
    const char *line;
    int lenient; /* 1: the lenient form accepts it */
} onnx_rows[] = {
    REFUSED(SPEC_VERSION, "opset 0: ONNX begins with 1", AT(0), PADS),
    REFUSED(SPEC_VERSION, "opset -2147483648: ONNX begins with 1", .opset = INT32_MIN, IMAGE, PADS),
    REFUSED(RANK, "data: rank -1 is not between 0 and 16", .opset = 13, OF_RANK(-1), PADS),
    REFUSED(RANK, "data: rank 17 is not between 0 and 16", .opset = 13, OF_RANK(17), PADS),
    REFUSED(ARGUMENT, "data: the shape is missing", .opset = 13, OF_RANK(1), PADS),
    REFUSED(ARGUMENT, "flags 2: only those of 1 are known", .opset = 13, .flags = 2, IMAGE, PADS),
    REFUSED(ARGUMENT, "flags -2147483648: only those of 1 are known", .opset = 13,
            .flags = INT32_MIN, IMAGE, PADS),
    REFUSED(ARGUMENT, "reserved is 1, not 0", .opset = 13, .reserved = 1, IMAGE, PADS),
    /* types */
    REFUSED(SPEC_TYPE, "data: 27 is not the number of an ONNX type", .opset = 25,
            .data = {27, 2, LIST(3, 2), NULL}, PADS),
    REFUSED(SPEC_TYPE, "data: 0 is not the number of an ONNX type", .opset = 25,
            .data = {0, 2, LIST(3, 2), NULL}, PADS),
    LENIENT(SPEC_TYPE,
            "data: Pad-11 does not allow type bfloat16; Pad-13 is the first version that does",
            .opset = 12, OF(BFLOAT16), PADS),
    LENIENT(SPEC_TYPE,
            "data: Pad-24 does not allow type int2; Pad-25 is the first version that does",
            .opset = 24, OF(INT2), PADS),
    /* modes */
    LENIENT(SPEC_MODE, "mode: Pad-18 has no mode 'wrap'; Pad-19 is the first version that has it",
            .opset = 18, .mode = "wrap", IMAGE, PADS),
    LENIENT(SPEC_MODE,
            "mode: no version of ONNX Pad has mode 'symmetric'; the lenient form computes it",
            .opset = 19, .mode = "symmetric", IMAGE, PADS),
    REFUSED(SPEC_MODE,
            "mode: Pad-19 has no mode 'constants'; ONNX has constant, reflect, edge, and wrap from "
            "Pad-19 on",
            .opset = 19, .mode = "constants", IMAGE, PADS),
    REFUSED(
        SPEC_MODE,
        "mode: Pad-19 has no mode ''; ONNX has constant, reflect, edge, and wrap from Pad-19 on",
        .opset = 19, .mode = "", IMAGE, PADS),
    /* inputs and attributes */
    REFUSED(SPEC_INPUT, "paddings: Pad-1 requires this attribute", AT(1)),
    LENIENT(SPEC_INPUT, "pads: in Pad-1 the attribute is called 'paddings'", AT(1),
            ATTRIBUTE(pads)),
    LENIENT(SPEC_INPUT, "pads: in Pad-2 the attribute is called 'pads'", AT(2),
            ATTRIBUTE(paddings)),
    LENIENT(SPEC_INPUT, "pads: Pad-2 has no such input; Pad-11 is the first version that has it",
            AT(10), PADS),
    LENIENT(SPEC_INPUT,
            "constant_value: Pad-2 has no such input; Pad-11 is the first version that has it",
            ONNX_2, IMAGE, .value = VALUE),
    LENIENT(SPEC_INPUT, "axes: Pad-2 has no such input; Pad-18 is the first version that has it",
            ONNX_2, IMAGE, AXES(2, LIST(0, 1))),
    REFUSED(SPEC_INPUT, "pads: Pad-11 requires this input", AT(11)),
    LENIENT(
        SPEC_INPUT,
        "pads: Pad-11 takes pads as an input; Pad-2 is the last version with an attribute for them",
        AT(11), ATTRIBUTE(pads)),
    LENIENT(SPEC_INPUT,
            "paddings: Pad-11 takes pads as an input; Pad-2 is the last version with an attribute "
            "for them",
            AT(11), ATTRIBUTE(paddings)),
    LENIENT(SPEC_INPUT,
            "value: Pad-11 takes the pad value as input constant_value; Pad-2 is the last version "
            "with an attribute for it",
            AT(11), PADS, .attribute_value = &(const float){1}),
    LENIENT(SPEC_INPUT, "axes: Pad-13 has no such input; Pad-18 is the first version that has it",
            AT(13), PADS, AXES(2, LIST(0, 1))),
    /* pads */
    REFUSED(SPEC_PADS, "pads: 3 entries; a begin and an end for each axis make 4", AT(13),
            .pads = ONNX(INT64, 1, LIST(3), FRAME)),
    LENIENT(SPEC_PADS, "pads: rank 2; it must be a tensor of rank 1", AT(13),
            .pads = ONNX(INT64, 2, LIST(1, 4), FRAME)),
    REFUSED(SPEC_PADS, "pads: rank 2; it must be a tensor of rank 1", AT(13),
            .pads = ONNX(INT64, 2, LIST(2, 2), FRAME)),
    REFUSED(SPEC_PADS, "pads: rank 2; it must be a tensor of rank 1", AT(13),
            .pads = ONNX(INT64, 2, NULL, FRAME)),
    REFUSED(SPEC_PADS, "pads: rank 0; it must be a tensor of rank 1", AT(13),
            .pads = ONNX(INT64, 0, NULL, FRAME)),
    REFUSED(ARGUMENT, "pads: the shape is missing", AT(13), .pads = ONNX(INT64, 1, NULL, FRAME)),
    REFUSED(ARGUMENT, "pads: the data is missing", AT(13), .pads = ONNX(INT64, 1, LIST(4), NULL)),
    LENIENT(SPEC_PADS, "pads: the type is int32; it must be int64", AT(13),
            .pads = ONNX(INT32, 1, LIST(4), FRAME)),
    REFUSED(SPEC_PADS, "pads: the type is float; it must be int64", AT(13),
            .pads = ONNX(FLOAT, 1, LIST(4), FRAME)),
    /* axes */
    REFUSED(SPEC_AXES, "axes: axis 1 is named more than once (again by -1)", AT(18), PADS,
            AXES(2, LIST(1, -1))),
    REFUSED(SPEC_AXES, "axes: -3 is not an axis of a tensor of rank 2", AT(18), PADS,
            AXES(2, LIST(-3, 0))),
    REFUSED(SPEC_AXES, "axes: 2 is not an axis of a tensor of rank 2", AT(18), PADS,
            AXES(2, LIST(2, 0))),
    REFUSED(SPEC_PADS, "pads: 4 entries; a begin and an end for each axis make 2", AT(18), PADS,
            AXES(1, LIST(0))),
    REFUSED(SPEC_AXES, "axes: 3 entries for a tensor of rank 2", AT(18), PADS, AXES(3, FRAME)),
    REFUSED(SPEC_AXES, "axes: -1 entries for a tensor of rank 2", AT(18), PADS, AXES(-1, FRAME)),
    REFUSED(ARGUMENT, "axes: the data is missing", AT(18), PADS, AXES(2, NULL)),
    REFUSED(ARGUMENT, "axes: the shape is missing", AT(18), PADS,
            .axes = ONNX(INT64, 1, NULL, FRAME)),
    REFUSED(SPEC_AXES, "axes: rank 0; it must be a tensor of rank 1", AT(18), PADS,
            .axes = ONNX(INT64, 0, NULL, FRAME)),
    REFUSED(SPEC_AXES, "axes: the type is float; it must be int32 or int64", AT(18), PADS,
            .axes = ONNX(FLOAT, 1, LIST(2), FRAME)),
    REFUSED(SPEC_AXES, "axes: the type is ?; it must be int32 or int64", AT(18), PADS,
            .axes = &(const tpad_onnx_tensor){99, 1, LIST(2), FRAME}),
    /* the value */
    REFUSED(SPEC_VALUE,
            "constant_value: it must be one element, a scalar or of shape [1]; this one has rank 1 "
            "and an extent of 2",
            AT(25), PADS, .value = ONNX(FLOAT, 1, LIST(2), FRAME)),
    LENIENT(SPEC_VALUE,
            "constant_value: it must be one element, a scalar or of shape [1]; this one has rank 2 "
            "and an extent of 1",
            AT(25), PADS, .value = ONNX(FLOAT, 2, LIST(1, 1), FRAME)),
    REFUSED(SPEC_VALUE,
            "constant_value: it must be one element, a scalar or of shape [1]; this one has rank 2 "
            "and an extent of 2",
            AT(25), PADS, .value = ONNX(FLOAT, 2, LIST(2, 1), FRAME)),
    REFUSED(ARGUMENT, "constant_value: the shape is missing", AT(25), PADS,
            .value = ONNX(FLOAT, 2, NULL, FRAME)),
    REFUSED(SPEC_VALUE,
            "constant_value: it must be one element, a scalar or of shape [1]; this one has rank "
            "-1 and an extent of 0",
            AT(25), PADS, .value = ONNX(FLOAT, -1, NULL, FRAME)),
    REFUSED(SPEC_VALUE, "constant_value: type number 11; it must be that of data, float (1)",
            AT(25), PADS, .value = ONNX(DOUBLE, 0, NULL, FRAME)),
    REFUSED(SPEC_VALUE, "value: a float attribute has no conversion to type int8",
            .flags = TPAD_ONNX_LENIENT, ONNX_2, OF(INT8), .attribute_value = &(const float){3}),
    REFUSED(ELEM, "string_bytes: -1 is not between 0 and 65536", .opset = 25, OF(STRING), PADS,
            .string_bytes = -1),
    REFUSED(ELEM, "string_bytes: 65537 is not between 0 and 65536", .opset = 25, OF(STRING), PADS,
            .string_bytes = 65537),
    REFUSED(ELEM, "string_bytes: 536870913 is not between 0 and 65536", .opset = 25, OF(STRING),
            PADS, .string_bytes = 0x20000001),
    /* amounts */
    REFUSED(NEGATIVE, "axis 1: output extent -2 is below 0 (before -3, after -1); crop less",
            AT(25), .pads = ONNX(INT64, 1, LIST(4), LIST(0, -3, 0, -1))),
    REFUSED(AMOUNT, "axis 0: amount 9223372036854775807 is beyond 2305843009213693951 in magnitude",
            AT(25), .pads = ONNX(INT64, 1, LIST(4), LIST(INT64_MAX, 0, 0, 0))),
    REFUSED(NO_SOURCE,
            "axis 1: the crop leaves mode edge no element to fill 1 cells from (before -3, after "
            "2); crop less, or use mode constant",
            AT(25), .mode = "edge", .pads = ONNX(INT64, 1, LIST(4), LIST(0, -3, 0, 2))),
};

static void refuses_onnx(void **state)
{
    (void)state;
    check_refused(onnx_translate, onnx_shape, NULL, TPAD_E_ARGUMENT,
                  "tpad_onnx_pad: the arguments are missing");
    for (size_t i = 0; i < ROWS(onnx_rows); i++) {
        tpad_onnx_pad pad = onnx_rows[i].pad;
        pad.struct_size = sizeof pad;
        check_refused(onnx_translate, onnx_shape, &pad, onnx_rows[i].code, onnx_rows[i].line);
        pad.flags |= TPAD_ONNX_LENIENT;
        assert_int_equal(tpad_onnx_shape(&pad, NULL, NULL),
                         onnx_rows[i].lenient ? TPAD_OK : onnx_rows[i].code);
    }
}

/* ---- OpenVINO -------------------------------------------------------------------------------- */

#undef OF_RANK
#define OF_RANK(rank) .data = {TPAD_OPENVINO_F32, rank, NULL, NULL}
#define VINO(kind, rank, shape, data)                                                              \
    &(const tpad_openvino_tensor){TPAD_OPENVINO_##kind, rank, shape, data}
#define LAYER               .data = {TPAD_OPENVINO_F32, 2, LIST(3, 4), NULL}
#define LAYER_OF(number)    .opset = number, LAYER, CONSTANT
#define NUMBERED(type)      &(const tpad_openvino_tensor){type, 1, LIST(2), FRAME}
#define CONSTANT            .mode = "constant"
#define AMOUNTS(numbers)    VINO(I64, 1, LIST(2), numbers)
#define NONE                AMOUNTS(LIST(0, 0))
#define BEGIN_END           .begin = NONE, .end = NONE
#define PADDED(first, last) .begin = AMOUNTS(first), .end = AMOUNTS(last)
#define OF_TYPE(kind)       .data = {TPAD_OPENVINO_##kind, 2, LIST(3, 4), NULL}
#define BEYOND              ((const uint64_t[]){0, UINT64_C(1) << 63})

static const struct {
    tpad_openvino_pad pad;
    int32_t code;
    const char *line;
    int lenient; /* 1: the lenient form accepts it */
} openvino_rows[] = {
    REFUSED(SPEC_VERSION, "opset 0: OpenVINO begins with 1", LAYER_OF(0), BEGIN_END),
    REFUSED(RANK, "data: rank -1 is not between 0 and 16", .opset = 12, OF_RANK(-1), CONSTANT,
            BEGIN_END),
    REFUSED(RANK, "data: rank 17 is not between 0 and 16", .opset = 12, OF_RANK(17), CONSTANT,
            BEGIN_END),
    REFUSED(ARGUMENT, "data: the shape is missing", .opset = 12, OF_RANK(1), CONSTANT, BEGIN_END),
    REFUSED(ARGUMENT, "flags 2: only those of 1 are known", .opset = 12, .flags = 2, LAYER,
            CONSTANT, BEGIN_END),
    REFUSED(ARGUMENT, "flags -2: only those of 1 are known", .opset = 12, .flags = -2, LAYER,
            CONSTANT, BEGIN_END),
    REFUSED(ARGUMENT, "reserved is -1, not 0", .opset = 12, .reserved = -1, LAYER, CONSTANT,
            BEGIN_END),
    /* types */
    REFUSED(SPEC_TYPE, "data: 0 is not the number of an OpenVINO type", .opset = 12,
            .data = {0, 2, LIST(3, 4), NULL}, CONSTANT, BEGIN_END),
    REFUSED(SPEC_TYPE, "data: 26 is not the number of an OpenVINO type", .opset = 12,
            .data = {26, 2, LIST(3, 4), NULL}, CONSTANT, BEGIN_END),
    REFUSED(SPEC_TYPE,
            "data: elements of type u3 have no settled packing: releases of OpenVINO are believed "
            "to differ, so tensorpad does not guess",
            .opset = 12, OF_TYPE(U3), CONSTANT, BEGIN_END),
    REFUSED(SPEC_TYPE,
            "data: elements of type u6 have no settled packing: releases of OpenVINO are believed "
            "to differ, so tensorpad does not guess",
            .opset = 1, OF_TYPE(U6), CONSTANT, BEGIN_END),
    LENIENT(SPEC_TYPE, "data: Pad-1 does not allow type string; Pad-12 does, in mode constant",
            .opset = 11, OF_TYPE(STRING), CONSTANT, BEGIN_END),
    /* modes */
    REFUSED(SPEC_INPUT,
            "pad_mode: Pad-1 requires this attribute: constant, edge, reflect or symmetric",
            .opset = 1, LAYER, BEGIN_END),
    REFUSED(
        SPEC_MODE,
        "pad_mode: Pad-1 has no mode 'Edge'; OpenVINO has constant, edge, reflect and symmetric",
        .opset = 1, LAYER, .mode = "Edge", BEGIN_END),
    LENIENT(SPEC_MODE,
            "pad_mode: no version of OpenVINO Pad has mode 'wrap'; the lenient form computes it",
            .opset = 12, LAYER, .mode = "wrap", BEGIN_END),
    LENIENT(SPEC_MODE,
            "pad_mode: Pad-12 pads strings in mode constant only, not in 'edge'; the lenient form "
            "computes it",
            .opset = 12, OF_TYPE(STRING), .mode = "edge", BEGIN_END),
    /* the tensors of amounts */
    REFUSED(SPEC_INPUT, "pads_begin: Pad-12 requires this input", LAYER_OF(12)),
    REFUSED(SPEC_INPUT, "pads_end: Pad-12 requires this input", LAYER_OF(12), .begin = NONE),
    REFUSED(SPEC_PADS, "pads_end: 3 entries; there must be one for each axis of data, 2",
            LAYER_OF(12), .begin = NONE, .end = VINO(I64, 1, LIST(3), FRAME)),
    REFUSED(SPEC_PADS, "pads_begin: rank 2; it must be a tensor of rank 1", LAYER_OF(12),
            .begin = VINO(I64, 2, LIST(1, 2), FRAME), .end = NONE),
    REFUSED(SPEC_PADS, "pads_end: rank 0; it must be a tensor of rank 1", LAYER_OF(12),
            .begin = NONE, .end = VINO(I64, 0, NULL, FRAME)),
    REFUSED(ARGUMENT, "pads_end: the shape is missing", LAYER_OF(12), .begin = NONE,
            .end = VINO(I64, 1, NULL, FRAME)),
    REFUSED(ARGUMENT, "pads_end: the data is missing", LAYER_OF(12), .begin = NONE,
            .end = VINO(I64, 1, LIST(2), NULL)),
    REFUSED(SPEC_PADS,
            "pads_end: the type must be an integer of 8 to 64 bits; type number 4 is none",
            LAYER_OF(12), .begin = NONE, .end = NUMBERED(TPAD_OPENVINO_F32)),
    REFUSED(SPEC_PADS,
            "pads_end: the type must be an integer of 8 to 64 bits; type number 1 is none",
            LAYER_OF(12), .begin = NONE, .end = NUMBERED(TPAD_OPENVINO_BOOLEAN)),
    REFUSED(SPEC_PADS,
            "pads_begin: the type must be an integer of 8 to 64 bits; type number 6 is none",
            LAYER_OF(12), .begin = NUMBERED(TPAD_OPENVINO_I4), .end = NONE),
    REFUSED(SPEC_PADS,
            "pads_end: the type must be an integer of 8 to 64 bits; type number -1 is none",
            LAYER_OF(12), .begin = NONE, .end = NUMBERED(-1)),
    REFUSED(SPEC_PADS,
            "pads_end: the type must be an integer of 8 to 64 bits; type number 0 is none",
            LAYER_OF(12), .begin = NONE, .end = NUMBERED(0)),
    REFUSED(SPEC_PADS,
            "pads_end: the type must be an integer of 8 to 64 bits; type number 32 is none",
            LAYER_OF(12), .begin = NONE, .end = NUMBERED(32)),
    /* amounts */
    REFUSED(AMOUNT, "axis 1: amount 9223372036854775807 is beyond 2305843009213693951 in magnitude",
            LAYER_OF(12), PADDED(LIST(0, INT64_MAX), LIST(0, 0))),
    REFUSED(AMOUNT, "axis 1: amount 9223372036854775807 is beyond 2305843009213693951 in magnitude",
            LAYER_OF(12), PADDED(LIST(0, 0), LIST(0, INT64_MAX))),
    REFUSED(AMOUNT,
            "axis 0: amount -9223372036854775808 is beyond 2305843009213693951 in magnitude",
            LAYER_OF(12), PADDED(LIST(INT64_MIN, 0), LIST(0, 0))),
    REFUSED(AMOUNT,
            "axis 0: amount -9223372036854775808 is beyond 2305843009213693951 in magnitude",
            LAYER_OF(12), PADDED(LIST(0, 0), LIST(INT64_MIN, 0))),
    REFUSED(AMOUNT, "axis 1: pads_begin is 2^63 or more; an amount is at most 2305843009213693951",
            LAYER_OF(12), .begin = VINO(U64, 1, LIST(2), BEYOND), .end = NONE),
    REFUSED(AMOUNT, "axis 1: pads_end is 2^63 or more; an amount is at most 2305843009213693951",
            .opset = 12, LAYER, .mode = "reflect", .begin = NONE,
            .end = VINO(U64, 1, LIST(2), BEYOND)),
    REFUSED(EXTENT, "axis 0: input extent -3 is not between 0 and 2305843009213693951", .opset = 12,
            .data = {TPAD_OPENVINO_F32, 2, LIST(-3, 4), NULL}, .mode = "reflect", BEGIN_END),
    REFUSED(EXTENT,
            "axis 1: input extent 9223372036854775807 is not between 0 and 2305843009213693951",
            .opset = 12, .data = {TPAD_OPENVINO_F32, 2, LIST(3, INT64_MAX), NULL},
            .mode = "reflect", BEGIN_END),
    LENIENT(SPEC_PADS,
            "axis 1: begin -2 and end 1: Pad-1 takes no negative amounts, such as -2; Pad-12 takes "
            "negative pads, and so does the lenient form",
            LAYER_OF(11), PADDED(LIST(0, -2), LIST(0, 1))),
    LENIENT(SPEC_PADS,
            "axis 0: begin 0 and end -2: Pad-1 takes no negative amounts, such as -2; Pad-12 takes "
            "negative pads, and so does the lenient form",
            LAYER_OF(1), PADDED(LIST(0, 1), LIST(-2, 0))),
    LENIENT(SPEC_PADS,
            "axis 0: begin 3 and end 1: in mode reflect an amount is at most the extent less one, "
            "2, not 3; the lenient form has no limit",
            .opset = 12, LAYER, .mode = "reflect", PADDED(LIST(3, 0), LIST(1, 0))),
    LENIENT(SPEC_PADS,
            "axis 1: begin 3 and end 4: in mode reflect an amount is at most the extent less one, "
            "3, not 4; the lenient form has no limit",
            .opset = 1, LAYER, .mode = "reflect", PADDED(LIST(2, 3), LIST(2, 4))),
    LENIENT(SPEC_PADS,
            "axis 1: begin 5 and end 0: in mode symmetric an amount is at most the extent, 4, not "
            "5; the lenient form has no limit",
            .opset = 12, LAYER, .mode = "symmetric", PADDED(LIST(3, 5), LIST(3, 0))),
    LENIENT(SPEC_PADS,
            "axis 0: begin 0 and end 4: in mode symmetric an amount is at most the extent, 3, not "
            "4; the lenient form has no limit",
            .opset = 1, LAYER, .mode = "symmetric", PADDED(LIST(0, 0), LIST(4, 0))),
    REFUSED(NO_SOURCE,
            "axis 0: mode edge has no element to fill 1 cells from (before 1, after 0); mode "
            "constant can",
            .opset = 12, .data = {TPAD_OPENVINO_U8, 2, LIST(0, 4), NULL}, .mode = "edge",
            PADDED(LIST(1, 0), LIST(0, 0))),
    /* the value */
    LENIENT(SPEC_VALUE,
            "pad_value: rank 1; it must be a scalar, of rank 0 (the lenient form takes any tensor "
            "of one element)",
            LAYER_OF(1), BEGIN_END, .value = VINO(F32, 1, LIST(1), FRAME)),
    REFUSED(SPEC_VALUE,
            "pad_value: rank 2; it must be a scalar, of rank 0 (the lenient form takes any tensor "
            "of one element)",
            LAYER_OF(1), BEGIN_END, .value = VINO(F32, 2, LIST(2, 1), FRAME)),
    REFUSED(ARGUMENT, "pad_value: the shape is missing", LAYER_OF(1), BEGIN_END,
            .value = VINO(F32, 2, NULL, FRAME)),
    REFUSED(SPEC_VALUE,
            "pad_value: rank -1; it must be a scalar, of rank 0 (the lenient form takes any tensor "
            "of one element)",
            LAYER_OF(1), BEGIN_END, .value = VINO(F32, -1, NULL, FRAME)),
    REFUSED(SPEC_VALUE, "pad_value: type number 5; it must be that of data, f32 (4)", LAYER_OF(1),
            BEGIN_END, .value = VINO(F64, 0, NULL, FRAME)),
    REFUSED(ELEM, "string_bytes: 65537 is not between 0 and 65536", .opset = 12, OF_TYPE(STRING),
            CONSTANT, BEGIN_END, .string_bytes = 65537),
    REFUSED(ELEM, "string_bytes: -2147483648 is not between 0 and 65536", .opset = 12,
            OF_TYPE(STRING), CONSTANT, BEGIN_END, .string_bytes = INT32_MIN),
};

static void refuses_openvino(void **state)
{
    (void)state;
    check_refused(openvino_translate, openvino_shape, NULL, TPAD_E_ARGUMENT,
                  "tpad_openvino_pad: the arguments are missing");
    for (size_t i = 0; i < ROWS(openvino_rows); i++) {
        tpad_openvino_pad pad = openvino_rows[i].pad;
        pad.struct_size = sizeof pad;
        check_refused(openvino_translate, openvino_shape, &pad, openvino_rows[i].code,
                      openvino_rows[i].line);
        pad.flags |= TPAD_OPENVINO_LENIENT;
        assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL),
                         openvino_rows[i].lenient ? TPAD_OK : openvino_rows[i].code);
    }
}

/* ---- nGraph ---------------------------------------------------------------------------------- */

#define NGRAPH(kind, rank, shape)                                                                  \
    &(const tpad_ngraph_tensor){kind, rank, shape, &(const int32_t){42}}
#define ARG  .arg = {7, 2, LIST(3, 3), NULL}, .elem_bits = 32
#define FILL .arg_pad_value = NGRAPH(7, 0, NULL)
#define LISTS(below, above, interior)                                                              \
    .padding_below = below, .padding_above = above, .padding_interior = interior
#define COUNTS(below, above, interior)                                                             \
    .padding_below_count = below, .padding_above_count = above, .padding_interior_count = interior
#define ZEROS LISTS(FRAME, FRAME, NULL), COUNTS(2, 2, 0)

static const struct {
    tpad_ngraph_pad pad;
    int32_t code;
    const char *line;
    int lenient;
} ngraph_rows[] = {
    REFUSED(RANK, "arg: rank -1 is not between 0 and 16", .arg = {7, -1, NULL, NULL},
            .elem_bits = 32, FILL, ZEROS),
    REFUSED(RANK, "arg: rank 17 is not between 0 and 16", .arg = {7, 17, NULL, NULL},
            .elem_bits = 32, FILL, ZEROS),
    REFUSED(ARGUMENT, "arg: the shape is missing", .arg = {7, 1, NULL, NULL}, .elem_bits = 32, FILL,
            ZEROS),
    REFUSED(ELEM, "elements of 3 bits: possible are 1, 2, 4 and whole bytes up to 524288 bits",
            .arg = {7, 2, LIST(3, 3), NULL}, .elem_bits = 3, FILL, ZEROS),
    REFUSED(SPEC_MODE,
            "pad_mode: 'edge' is none of CONSTANT, EDGE, REFLECT and SYMMETRIC, in upper case", ARG,
            FILL, ZEROS, .pad_mode = "edge"),
    REFUSED(SPEC_MODE,
            "pad_mode: 'CONSTANTS' is none of CONSTANT, EDGE, REFLECT and SYMMETRIC, in upper case",
            ARG, FILL, ZEROS, .pad_mode = "CONSTANTS"),
    REFUSED(SPEC_MODE,
            "pad_mode: '' is none of CONSTANT, EDGE, REFLECT and SYMMETRIC, in upper case", ARG,
            FILL, ZEROS, .pad_mode = ""),
    /* the value */
    REFUSED(SPEC_INPUT,
            "arg_pad_value: this input is required, also in modes that do not use it; it has no "
            "default",
            ARG, ZEROS, .pad_mode = "EDGE"),
    REFUSED(SPEC_VALUE, "arg_pad_value: its element type is number 9; it must be that of arg, 7",
            ARG, ZEROS, .arg_pad_value = NGRAPH(9, 0, NULL)),
    REFUSED(SPEC_VALUE, "arg_pad_value: its element type is number 9; it must be that of arg, 7",
            ARG, ZEROS, .arg_pad_value = NGRAPH(9, 0, NULL), .pad_mode = "EDGE"),
    REFUSED(SPEC_VALUE, "arg_pad_value: it has rank 1; it must be a scalar, of rank 0", ARG, ZEROS,
            .arg_pad_value = NGRAPH(7, 1, LIST(1))),
    REFUSED(SPEC_VALUE, "arg_pad_value: it has rank -1; it must be a scalar, of rank 0", ARG, ZEROS,
            .arg_pad_value = NGRAPH(7, -1, NULL)),
    /* lengths of the lists */
    REFUSED(SPEC_PADS,
            "padding_below has 1 entries, padding_above 2 and padding_interior 2: each needs one "
            "for each of 2 axes",
            ARG, FILL, LISTS(FRAME, FRAME, FRAME), COUNTS(1, 2, 2)),
    REFUSED(SPEC_PADS,
            "padding_below has 2 entries, padding_above 3 and padding_interior 2: each needs one "
            "for each of 2 axes",
            ARG, FILL, LISTS(FRAME, FRAME, FRAME), COUNTS(2, 3, 2)),
    REFUSED(SPEC_PADS,
            "padding_below has 2 entries, padding_above 2 and padding_interior 0: each needs one "
            "for each of 2 axes",
            ARG, FILL, LISTS(FRAME, FRAME, FRAME), COUNTS(2, 2, 0)),
    REFUSED(SPEC_PADS,
            "padding_below has 2 entries, padding_above 2 and padding_interior 1: each needs one "
            "for each of 2 axes",
            ARG, FILL, LISTS(FRAME, FRAME, NULL), COUNTS(2, 2, 1)),
    REFUSED(SPEC_PADS,
            "padding_below has 2 entries and padding_above 1: each needs one for each of 2 axes",
            ARG, FILL, LISTS(FRAME, FRAME, NULL), COUNTS(2, 1, 0)),
    REFUSED(SPEC_PADS,
            "padding_below and padding_above have 1 entries, but arg has rank 2: one for each axis",
            ARG, FILL, LISTS(FRAME, FRAME, NULL), COUNTS(1, 1, 0)),
    REFUSED(SPEC_PADS,
            "padding_below, padding_above and padding_interior have 3 entries, but arg has rank 2: "
            "one for each axis",
            ARG, FILL, LISTS(FRAME, FRAME, FRAME), COUNTS(3, 3, 3)),
    REFUSED(ARGUMENT, "padding_below: the list is missing; it has 2 entries", ARG, FILL,
            LISTS(NULL, FRAME, FRAME), COUNTS(2, 2, 2)),
    REFUSED(ARGUMENT, "padding_above: the list is missing; it has 2 entries", ARG, FILL,
            LISTS(FRAME, NULL, FRAME), COUNTS(2, 2, 2)),
    REFUSED(ARGUMENT, "padding_interior: the list is missing; it has 2 entries", ARG, FILL,
            LISTS(FRAME, FRAME, NULL), COUNTS(2, 2, 2)),
    /* amounts */
    REFUSED(NEGATIVE, "axis 1: output extent -1 is below 0 (before -4, after -2); crop less", ARG,
            FILL, LISTS(LIST(0, -4), LIST(0, -2), LIST(0, 1)), COUNTS(2, 2, 2)),
    REFUSED(INTERIOR,
            "axis 1: padding_interior is -1, below 0 (padding_below -4, padding_above -2); only "
            "those two may be negative",
            ARG, FILL, LISTS(LIST(0, -4), LIST(0, -2), LIST(0, -1)), COUNTS(2, 2, 2)),
    REFUSED(INTERIOR,
            "axis 1: interior 9223372036854775807 is not between 0 and 2305843009213693951", ARG,
            FILL, LISTS(FRAME, FRAME, LIST(0, INT64_MAX)), COUNTS(2, 2, 2)),
    REFUSED(AMOUNT, "axis 1: amount 9223372036854775807 is beyond 2305843009213693951 in magnitude",
            ARG, FILL, LISTS(LIST(0, INT64_MAX), FRAME, NULL), COUNTS(2, 2, 0)),
    /* the extent is checked before what a mode needs of it */
    REFUSED(NEGATIVE, "axis 0: output extent -1 is below 0 (before -4, after 0); crop less",
            .arg = {7, 2, LIST(3, 1), NULL}, .elem_bits = 32, FILL, LISTS(LIST(-4, 1), FRAME, NULL),
            COUNTS(2, 2, 0), .pad_mode = "REFLECT"),
    REFUSED(NO_SOURCE,
            "axis 1: REFLECT needs an extent of at least 2 where it pads; this one is 1 "
            "(padding_below 1, padding_above -1); CONSTANT has no limit",
            .arg = {7, 2, LIST(3, 1), NULL}, .elem_bits = 32, FILL,
            LISTS(LIST(0, 1), LIST(0, -1), NULL), COUNTS(2, 2, 0), .pad_mode = "REFLECT"),
    REFUSED(NO_SOURCE,
            "axis 1: EDGE needs an extent of at least 1 where it pads; this one is 0 "
            "(padding_below 2, padding_above 1); CONSTANT has no limit",
            .arg = {7, 2, LIST(3, 0), NULL}, .elem_bits = 32, FILL, LISTS(FRAME, LIST(0, 1), NULL),
            COUNTS(2, 2, 0), .pad_mode = "EDGE"),
};

static void refuses_ngraph(void **state)
{
    (void)state;
    check_refused(ngraph_translate, ngraph_shape, NULL, TPAD_E_ARGUMENT,
                  "tpad_ngraph_pad: the arguments are missing");
    for (size_t i = 0; i < ROWS(ngraph_rows); i++) {
        tpad_ngraph_pad pad = ngraph_rows[i].pad;
        pad.struct_size = sizeof pad;
        check_refused(ngraph_translate, ngraph_shape, &pad, ngraph_rows[i].code,
                      ngraph_rows[i].line);
    }
}

/* ---- MLI ------------------------------------------------------------------------------------- */

#define CHW           .layout = TPAD_MLI_CHW, .rank = 3, .shape = LIST(2, 4, 8)
#define HWC           .layout = TPAD_MLI_HWC, .rank = 3, .shape = LIST(4, 8, 2)
#define OF_SHAPE(...) .rank = 3, .shape = LIST(__VA_ARGS__)

static const struct {
    tpad_mli_padding2d pad;
    int32_t code;
    const char *line;
    int lenient;
} mli_rows[] = {
    REFUSED(SPEC_VERSION, "layout number 2 is not between 0 (chw) and 1 (hwc)", .layout = 2,
            .rank = 3, .shape = FRAME),
    REFUSED(SPEC_VERSION, "layout number -1 is not between 0 (chw) and 1 (hwc)", .layout = -1,
            .rank = 3, .shape = FRAME),
    REFUSED(ARGUMENT, "reserved is 1, not 0", CHW, .reserved = 1),
    REFUSED(ARGUMENT, "the shape is missing", .layout = TPAD_MLI_CHW, .rank = 3),
    REFUSED(SPEC_TYPE, "type number -1: MLI's padding2d_hwc has fx8 (0) and fx16 (1)", HWC,
            .type = -1),
    REFUSED(SPEC_TYPE, "type number 2: MLI's padding2d_chw has fx8 (0) and fx16 (1)", CHW,
            .type = 2),
    REFUSED(SPEC_TYPE, "type number 31: MLI's padding2d_chw has fx8 (0) and fx16 (1)", CHW,
            .type = 31),
    REFUSED(SPEC_TYPE, "type number 32: MLI's padding2d_chw has fx8 (0) and fx16 (1)", CHW,
            .type = 32),
    REFUSED(RANK, "rank 2: MLI's padding2d_chw takes tensors of rank 3, one image each", .rank = 2,
            .shape = FRAME),
    REFUSED(RANK, "rank 4: MLI's padding2d_hwc takes tensors of rank 3, one image each",
            .layout = TPAD_MLI_HWC, .rank = 4, .shape = FRAME),
    REFUSED(RANK, "rank -1: MLI's padding2d_chw takes tensors of rank 3, one image each",
            .rank = -1, .shape = FRAME),
    /* amounts */
    REFUSED(AMOUNT, "axis 0: amount -1 is below 0 (before -1, after 0); MLI pads and does not crop",
            HWC, .top = -1),
    REFUSED(AMOUNT, "axis 0: amount -1 is below 0 (before 0, after -1); MLI pads and does not crop",
            HWC, .bottom = -1),
    REFUSED(AMOUNT, "axis 1: amount -1 is below 0 (before -1, after 0); MLI pads and does not crop",
            HWC, .left = -1),
    REFUSED(AMOUNT, "axis 2: amount -1 is below 0 (before 0, after -1); MLI pads and does not crop",
            CHW, .right = -1),
    REFUSED(AMOUNT,
            "axis 1: amount 256 exceeds 255 (before 256, after 0); MLI keeps it in a byte, so pad "
            "in several steps",
            CHW, .top = 256),
    REFUSED(AMOUNT,
            "axis 1: amount 256 exceeds 255 (before 0, after 256); MLI keeps it in a byte, so pad "
            "in several steps",
            CHW, .bottom = 256),
    REFUSED(AMOUNT,
            "axis 1: amount 256 exceeds 255 (before 256, after 0); MLI keeps it in a byte, so pad "
            "in several steps",
            HWC, .left = 256),
    REFUSED(AMOUNT,
            "axis 1: amount 256 exceeds 255 (before 0, after 256); MLI keeps it in a byte, so pad "
            "in several steps",
            HWC, .right = 256),
    /* extents */
    REFUSED(EXTENT, "axis 0: input extent 0 is below 1; MLI has no empty tensors",
            OF_SHAPE(0, 4, 8)),
    REFUSED(EXTENT, "axis 1: input extent 0 is below 1; MLI has no empty tensors",
            OF_SHAPE(2, 0, 8)),
    REFUSED(EXTENT, "axis 2: input extent 0 is below 1; MLI has no empty tensors",
            OF_SHAPE(2, 4, 0)),
    REFUSED(EXTENT,
            "axis 2: input extent 9223372036854775807 is not between 0 and 2305843009213693951",
            OF_SHAPE(2, 4, INT64_MAX)),
    REFUSED(
        OVERFLOW,
        "an output of 4294967296 bytes exceeds 4294967295, the most that a tensor of MLI can have",
        OF_SHAPE(1, 1, 0xFFFFFFFF), .right = 1),
    REFUSED(
        OVERFLOW,
        "an output of 8589934590 bytes exceeds 4294967295, the most that a tensor of MLI can have",
        OF_SHAPE(1, 1, 0xFFFFFFFF), .type = TPAD_MLI_FX16),
    REFUSED(
        OVERFLOW,
        "an output of 4294967296 bytes exceeds 4294967295, the most that a tensor of MLI can have",
        OF_SHAPE(1, 1, 0x100000000)),
};

static void refuses_mli(void **state)
{
    (void)state;
    check_refused(mli_translate, mli_shape, NULL, TPAD_E_ARGUMENT,
                  "tpad_mli_padding2d: the arguments are missing");
    tpad_mli_padding2d pad;
    for (size_t i = 0; i < ROWS(mli_rows); i++) {
        pad = mli_rows[i].pad;
        pad.struct_size = sizeof pad;
        check_refused(mli_translate, mli_shape, &pad, mli_rows[i].code, mli_rows[i].line);
    }
    /* As many bytes as a capacity can say. */
    pad = (tpad_mli_padding2d){.struct_size = sizeof pad, OF_SHAPE(1, 1, 0xFFFFFFFF)};
    assert_int_equal(tpad_mli_shape(&pad, NULL, NULL), TPAD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_onnx),
        cmocka_unit_test(refuses_openvino),
        cmocka_unit_test(refuses_ngraph),
        cmocka_unit_test(refuses_mli),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
