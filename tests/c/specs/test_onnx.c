/* The ONNX dialect through its C interface. SPDX-License-Identifier: MIT
 * Expected values: the ONNX document's own examples and sentences, typed in here by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/onnx.h>

#include "plan_of.h"
#include "whole_line.h"

static const int64_t shape_3x2[] = {3, 2};
static const float data_3x2[] = {1.0f, 1.2f, 2.3f, 3.4f, 4.5f, 5.7f};

static tpad_onnx_tensor ints(const int64_t *values, const int64_t *count)
{
    return (tpad_onnx_tensor){TPAD_ONNX_INT64, 1, count, values};
}

static tpad_onnx_pad node(int32_t opset, int32_t type, int32_t rank, const int64_t *shape)
{
    tpad_onnx_pad pad = {.struct_size = sizeof pad, .opset = opset};
    pad.data = (tpad_onnx_tensor){type, rank, shape, NULL};
    return pad;
}

/* Runs a node on the document's data and compares with the document's output. */
static void expect_floats(const tpad_onnx_pad *pad, const float *expected, int64_t rows,
                          int64_t columns)
{
    tpad_translation onnx;
    tpad_plan plan;
    float out[64];
    int64_t extents[2];
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, pad, NULL), TPAD_OK);
    assert_int_equal(tpad_onnx_shape(pad, extents, NULL), TPAD_OK);
    assert_int_equal(extents[0], rows);
    assert_int_equal(extents[1], columns);
    assert_int_equal(plan_of(&plan, &onnx), TPAD_OK);
    assert_int_equal(tpad_run(&plan, data_3x2, out, tpad_translation_value(&onnx)), TPAD_OK);
    assert_memory_equal(out, expected, (size_t)(rows * columns) * sizeof *out);
}

static const int64_t pads_2d[] = {0, 2, 0, 0};
static const int64_t four[] = {4};

static void document_examples(void **state)
{
    (void)state;
    static const float zero = 0.0f;
    static const float constant[] = {0, 0, 1.0f, 1.2f, 0, 0, 2.3f, 3.4f, 0, 0, 4.5f, 5.7f};
    static const float reflect[] = {1.0f, 1.2f, 1.0f, 1.2f, 2.3f, 3.4f,
                                    2.3f, 3.4f, 4.5f, 5.7f, 4.5f, 5.7f};
    static const float edge[] = {1.0f, 1.0f, 1.0f, 1.2f, 2.3f, 2.3f,
                                 2.3f, 3.4f, 4.5f, 4.5f, 4.5f, 5.7f};
    static const float wrap[] = {3.4f, 2.3f, 3.4f, 2.3f, 5.7f, 4.5f, 5.7f, 4.5f,
                                 1.2f, 1.0f, 1.2f, 1.0f, 3.4f, 2.3f, 3.4f, 2.3f,
                                 5.7f, 4.5f, 5.7f, 4.5f, 1.2f, 1.0f, 1.2f, 1.0f};
    static const int64_t pads_wrap[] = {2, 1, 1, 1};
    const tpad_onnx_tensor pads = ints(pads_2d, four), wrap_pads = ints(pads_wrap, four);
    const tpad_onnx_tensor value = {TPAD_ONNX_FLOAT, 0, NULL, &zero};

    for (int32_t i = 0; i < tpad_onnx_version_count(); i++) {
        const tpad_onnx_version *version = tpad_onnx_version_at(i);
        tpad_onnx_pad pad = node(version->since, TPAD_ONNX_FLOAT, 2, shape_3x2);
        if (version->since == 1) {
            pad.attribute_paddings = pads_2d;
            pad.attribute_paddings_count = 4;
        } else if (version->since == 2) {
            pad.attribute_pads = pads_2d;
            pad.attribute_pads_count = 4;
        } else {
            pad.pads = &pads;
        }
        expect_floats(&pad, constant, 3, 4);
        pad.mode = "reflect";
        expect_floats(&pad, reflect, 3, 4);
        pad.mode = "edge";
        expect_floats(&pad, edge, 3, 4);
        pad.mode = "constant";
        if (version->since >= 11) pad.value = &value;
        expect_floats(&pad, constant, 3, 4);
        if (version->since >= 19) {
            pad.mode = "wrap";
            pad.pads = &wrap_pads;
            expect_floats(&pad, wrap, 6, 4);
        }
    }
}

static void opset_chooses_the_version(void **state)
{
    (void)state;
    static const int32_t expected[][2] = {
        {1, 1},   {2, 2},   {3, 2},   {10, 2},  {11, 11}, {12, 11}, {13, 13}, {17, 13}, {18, 18},
        {19, 19}, {20, 19}, {21, 21}, {22, 21}, {23, 23}, {24, 24}, {25, 25}, {27, 25}, {1000, 25}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(tpad_onnx_version_for(expected[i][0])->since, expected[i][1]);
    assert_null(tpad_onnx_version_for(0));
    assert_null(tpad_onnx_version_for(INT32_MIN));
    assert_int_equal(tpad_onnx_version_count(), 10);
    assert_null(tpad_onnx_version_at(-1));
    assert_null(tpad_onnx_version_at(10));
}

static void type_names(void **state)
{
    (void)state;
    assert_string_equal(tpad_onnx_type_name(1), "float");
    assert_string_equal(tpad_onnx_type_name(26), "int2");
    assert_null(tpad_onnx_type_name(0));
    assert_null(tpad_onnx_type_name(27));
    assert_int_equal(tpad_onnx_type_from_name("float8e8m0"), TPAD_ONNX_FLOAT8E8M0);
    assert_int_equal(tpad_onnx_type_from_name("float8"), 0);
    assert_int_equal(tpad_onnx_type_from_name(NULL), 0);
    assert_int_equal(tpad_onnx_type_from_name(""), 0);
    static const int bits[] = {0,  32,  8,  8, 16, 16, 32, 64, 0, 8, 16, 64, 32, 64,
                               64, 128, 16, 8, 8,  8,  8,  4,  4, 4, 8,  2,  2};
    for (int32_t type = 0; type < 27; type++)
        assert_int_equal(tpad_onnx_type_bits(type), bits[type]);
    assert_int_equal(tpad_onnx_type_bits(TPAD_ONNX_STRING), 0);
    assert_int_equal(tpad_onnx_type_bits(99), 0);
}

static tpad_error refused(const tpad_onnx_pad *pad, int32_t code)
{
    tpad_translation onnx;
    tpad_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, pad, &error), code);
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, pad, NULL), code);
    assert_int_equal(error.code, code);
    assert_whole_line(&error, 1);
    return error;
}

static void refusals_of_types(void **state)
{
    (void)state;
    const tpad_onnx_tensor pads = ints(pads_2d, four);
    tpad_onnx_pad pad = node(11, TPAD_ONNX_BFLOAT16, 2, shape_3x2);
    pad.pads = &pads;
    tpad_error e = refused(&pad, TPAD_E_SPEC_TYPE);
    assert_int_equal(e.got, 11);
    assert_int_equal(e.limit, 13);
    assert_string_equal(e.name, "bfloat16");
    pad.flags = TPAD_ONNX_LENIENT;
    assert_int_equal(tpad_onnx_shape(&pad, NULL, NULL), TPAD_OK);
    pad.data.type = 27;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_TYPE).got, 27);
    pad.data.type = 0;
    refused(&pad, TPAD_E_SPEC_TYPE);
}

static void refusals_of_modes(void **state)
{
    (void)state;
    const tpad_onnx_tensor pads = ints(pads_2d, four);
    tpad_onnx_pad pad = node(18, TPAD_ONNX_FLOAT, 2, shape_3x2);
    pad.pads = &pads;
    pad.mode = "wrap";
    const tpad_error e = refused(&pad, TPAD_E_SPEC_MODE);
    assert_int_equal(e.limit, 19);
    assert_string_equal(e.name, "wrap");
    pad.mode = "symmetric";
    assert_int_equal(refused(&pad, TPAD_E_SPEC_MODE).limit, 0);
    pad.mode = "";
    refused(&pad, TPAD_E_SPEC_MODE);
    pad.mode = "constants";
    refused(&pad, TPAD_E_SPEC_MODE);
    pad.flags = TPAD_ONNX_LENIENT;
    refused(&pad, TPAD_E_SPEC_MODE);
    pad.mode = "symmetric";
    assert_int_equal(tpad_onnx_shape(&pad, NULL, NULL), TPAD_OK);
    pad.mode = "wrap";
    assert_int_equal(tpad_onnx_shape(&pad, NULL, NULL), TPAD_OK);
}

static void refusals_of_arguments(void **state)
{
    (void)state;
    static const float number = 1.0f;
    const tpad_onnx_tensor pads = ints(pads_2d, four), axes = ints(pads_2d, shape_3x2);
    const tpad_onnx_tensor value = {TPAD_ONNX_FLOAT, 0, NULL, &number};

    tpad_onnx_pad v1 = node(1, TPAD_ONNX_FLOAT, 2, shape_3x2);
    assert_string_equal(refused(&v1, TPAD_E_SPEC_INPUT).name, "paddings");
    v1.attribute_pads = pads_2d;
    v1.attribute_pads_count = 4;
    assert_string_equal(refused(&v1, TPAD_E_SPEC_INPUT).name, "paddings");
    v1.flags = TPAD_ONNX_LENIENT;
    assert_int_equal(tpad_onnx_shape(&v1, NULL, NULL), TPAD_OK);

    tpad_onnx_pad v2 = node(2, TPAD_ONNX_FLOAT, 2, shape_3x2);
    v2.attribute_paddings = pads_2d;
    v2.attribute_paddings_count = 4;
    assert_string_equal(refused(&v2, TPAD_E_SPEC_INPUT).name, "pads");
    v2.attribute_paddings = NULL;
    v2.pads = &pads;
    assert_int_equal(refused(&v2, TPAD_E_SPEC_INPUT).limit, 11);
    v2.pads = NULL;
    v2.attribute_pads = pads_2d;
    v2.attribute_pads_count = 4;
    v2.value = &value;
    assert_string_equal(refused(&v2, TPAD_E_SPEC_INPUT).name, "constant_value");
    v2.value = NULL;
    v2.axes = &axes;
    assert_int_equal(refused(&v2, TPAD_E_SPEC_INPUT).limit, 18);

    tpad_onnx_pad v11 = node(11, TPAD_ONNX_FLOAT, 2, shape_3x2);
    assert_string_equal(refused(&v11, TPAD_E_SPEC_INPUT).name, "pads");
    v11.attribute_pads = pads_2d;
    v11.attribute_pads_count = 4;
    assert_int_equal(refused(&v11, TPAD_E_SPEC_INPUT).limit, 2);
    v11.attribute_pads = NULL;
    v11.attribute_paddings = pads_2d;
    assert_string_equal(refused(&v11, TPAD_E_SPEC_INPUT).name, "paddings");
    v11.attribute_paddings = NULL;
    v11.pads = &pads;
    v11.attribute_value = &number;
    assert_string_equal(refused(&v11, TPAD_E_SPEC_INPUT).name, "value");
    v11.attribute_value = NULL;
    v11.axes = &axes;
    assert_string_equal(refused(&v11, TPAD_E_SPEC_INPUT).name, "axes");
}

static void refusals_of_pads(void **state)
{
    (void)state;
    static const int64_t three[] = {3}, row[] = {1, 4}, rows[] = {2, 2};
    static const int32_t narrow[] = {0, 2, 0, 0};
    tpad_onnx_tensor pads = ints(pads_2d, three);
    tpad_onnx_pad pad = node(13, TPAD_ONNX_FLOAT, 2, shape_3x2);
    pad.pads = &pads;
    const tpad_error e = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(e.got, 3);
    assert_int_equal(e.limit, 4);
    pads = (tpad_onnx_tensor){TPAD_ONNX_INT64, 2, row, pads_2d};
    const tpad_error rank = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(rank.got, 2);
    assert_int_equal(rank.limit, 1);
    pad.flags = TPAD_ONNX_LENIENT;
    assert_int_equal(tpad_onnx_shape(&pad, NULL, NULL), TPAD_OK);
    pads.shape = rows;
    refused(&pad, TPAD_E_SPEC_PADS);
    pads.shape = NULL;
    refused(&pad, TPAD_E_SPEC_PADS);
    pads = (tpad_onnx_tensor){TPAD_ONNX_INT64, 0, NULL, pads_2d};
    refused(&pad, TPAD_E_SPEC_PADS);
    pads = (tpad_onnx_tensor){TPAD_ONNX_INT32, 1, four, narrow};
    int64_t extents[2];
    assert_int_equal(tpad_onnx_shape(&pad, extents, NULL), TPAD_OK);
    assert_int_equal(extents[1], 4);
    pad.flags = 0;
    assert_string_equal(refused(&pad, TPAD_E_SPEC_PADS).name, "int32");
    pads.type = TPAD_ONNX_FLOAT;
    pad.flags = TPAD_ONNX_LENIENT;
    assert_string_equal(refused(&pad, TPAD_E_SPEC_PADS).name, "float");
    pad.flags = 0;
    pads = (tpad_onnx_tensor){TPAD_ONNX_INT64, 1, NULL, pads_2d};
    refused(&pad, TPAD_E_ARGUMENT);
    pads.type = 77;
    assert_string_equal(refused(&pad, TPAD_E_SPEC_PADS).name, "?");
    pads = (tpad_onnx_tensor){TPAD_ONNX_INT64, 1, four, NULL};
    refused(&pad, TPAD_E_ARGUMENT);
}

static void axes_of_every_form(void **state)
{
    (void)state;
    static const int64_t shape[] = {1, 3, 4, 5}, two[] = {2}, one[] = {1}, five[] = {5},
                         zero[] = {0};
    static const int64_t amounts[] = {0, 3, 0, 4}, wide[] = {-3, -1};
    static const int32_t narrow[] = {1, 3};
    static const int64_t repeated[] = {1, -3}, low[] = {-5, 0}, high[] = {4, 0};
    const tpad_onnx_tensor pads = ints(amounts, four), empty = ints(NULL, zero);
    tpad_onnx_tensor axes = ints(wide, two);
    tpad_onnx_pad pad = node(18, TPAD_ONNX_FLOAT, 4, shape);
    pad.pads = &pads;
    pad.axes = &axes;
    int64_t extents[4];
    assert_int_equal(tpad_onnx_shape(&pad, extents, NULL), TPAD_OK);
    assert_int_equal(extents[1], 3);
    assert_int_equal(extents[3], 12);
    axes = (tpad_onnx_tensor){TPAD_ONNX_INT32, 1, two, narrow};
    extents[3] = 0;
    assert_int_equal(tpad_onnx_shape(&pad, extents, NULL), TPAD_OK);
    assert_int_equal(extents[3], 12);

    static const int64_t backwards[] = {3, 1};
    axes = ints(backwards, two);
    assert_int_equal(tpad_onnx_shape(&pad, extents, NULL), TPAD_OK);
    assert_int_equal(extents[1], 10);
    assert_int_equal(extents[3], 5);

    axes = ints(repeated, two);
    assert_int_equal(refused(&pad, TPAD_E_SPEC_AXES).axis, 1);
    axes = ints(low, two);
    assert_int_equal(refused(&pad, TPAD_E_SPEC_AXES).got, -5);
    axes = ints(high, two);
    assert_int_equal(refused(&pad, TPAD_E_SPEC_AXES).got, 4);
    axes = ints(wide, one);
    assert_int_equal(refused(&pad, TPAD_E_SPEC_PADS).limit, 2);
    axes = ints(wide, five);
    assert_int_equal(refused(&pad, TPAD_E_SPEC_AXES).got, 5);
    axes = ints(NULL, two);
    refused(&pad, TPAD_E_ARGUMENT);
    axes = (tpad_onnx_tensor){TPAD_ONNX_INT64, 0, NULL, wide};
    refused(&pad, TPAD_E_SPEC_AXES);
    axes = (tpad_onnx_tensor){TPAD_ONNX_INT64, 1, NULL, wide};
    refused(&pad, TPAD_E_ARGUMENT);
    axes = (tpad_onnx_tensor){TPAD_ONNX_FLOAT, 1, two, wide};
    assert_string_equal(refused(&pad, TPAD_E_SPEC_AXES).name, "float");
    axes.type = 99;
    assert_string_equal(refused(&pad, TPAD_E_SPEC_AXES).name, "?");
    axes = ints(wide, (const int64_t[]){-1});
    refused(&pad, TPAD_E_SPEC_AXES);

    /* No axes, no pads: the identity. */
    pad.axes = &empty;
    pad.pads = &empty;
    assert_int_equal(tpad_onnx_shape(&pad, extents, NULL), TPAD_OK);
    assert_int_equal(extents[3], 5);
}

static void values_of_every_form(void **state)
{
    (void)state;
    static const float number = 1.0f;
    static const int64_t one[] = {1}, two[] = {2}, matrix[] = {1, 1};
    const tpad_onnx_tensor pads = ints(pads_2d, four);
    tpad_onnx_tensor value = {TPAD_ONNX_FLOAT, 1, one, &number};
    tpad_onnx_pad pad = node(25, TPAD_ONNX_FLOAT, 2, shape_3x2);
    tpad_translation onnx;
    pad.pads = &pads;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    assert_null(tpad_translation_value(&onnx));
    pad.value = &value;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    assert_memory_equal(tpad_translation_value(&onnx), &number, sizeof number);
    assert_null(onnx.value); /* a copy */
    value.shape = two;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_VALUE).got, 2);
    pad.mode = "edge"; /* unused there */
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    pad.mode = NULL;
    value.rank = 2;
    value.shape = matrix;
    refused(&pad, TPAD_E_SPEC_VALUE);
    pad.flags = TPAD_ONNX_LENIENT;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    value.shape = (int64_t[]){2, 1};
    assert_int_equal(refused(&pad, TPAD_E_SPEC_VALUE).got, 2);
    value.shape = NULL;
    refused(&pad, TPAD_E_ARGUMENT);
    value.rank = -1;
    refused(&pad, TPAD_E_SPEC_VALUE);
    value = (tpad_onnx_tensor){TPAD_ONNX_DOUBLE, 0, NULL, &number};
    assert_string_equal(refused(&pad, TPAD_E_SPEC_VALUE).name, "float");
}

/* The nearest float16, found with the arithmetic of doubles. */
static uint16_t nearest_half(float x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    const double magnitude = fabs((double)x);
    if (magnitude == 0) return sign;
    int exponent = ilogb(magnitude);
    if (exponent < -14) exponent = -14;
    const double ulps = nearbyint(ldexp(magnitude, 10 - exponent));
    const double rounded = ldexp(ulps, exponent - 10);
    if (rounded > 65504) return sign | 0x7C00;
    if (rounded < ldexp(1, -14)) return (uint16_t)(sign | (int)ldexp(rounded, 24));
    const int e = ilogb(rounded);
    return (uint16_t)(sign | (e + 15) << 10 | ((int)ldexp(rounded, 10 - e) - 1024));
}

static void attribute_values(void **state)
{
    (void)state;
    float number = 0.1f;
    tpad_translation onnx;
    tpad_onnx_pad pad = node(2, TPAD_ONNX_DOUBLE, 2, shape_3x2);
    pad.attribute_pads = pads_2d;
    pad.attribute_pads_count = 4;
    pad.attribute_value = &number;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    double wide;
    memcpy(&wide, tpad_translation_value(&onnx), sizeof wide);
    assert_true(wide == 0.100000001490116119384765625);

    pad.data.type = TPAD_ONNX_FLOAT;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    assert_memory_equal(tpad_translation_value(&onnx), &number, sizeof number);

    pad.data.type = TPAD_ONNX_FLOAT16;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 1009) {
        const uint32_t narrow = (uint32_t)bits;
        memcpy(&number, &narrow, sizeof number);
        assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
        uint16_t half;
        memcpy(&half, tpad_translation_value(&onnx), sizeof half);
        if (isnan(number))
            assert_true((half & 0x7E00) == 0x7E00 && half >> 15 == narrow >> 31);
        else if (half != nearest_half(number))
            fail_msg("%a became %04x, not %04x", (double)number, half, nearest_half(number));
    }
    static const float edges[] = {65504.0f,     65519.996f,      65520.0f,   0x1p-24f,
                                  0x1p-25f,     0x1.000002p-25f, 0x1.8p-24f, 0x1.ffcp-15f,
                                  0x1.ffep-15f, INFINITY,        -INFINITY,  -0.0f};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        number = edges[i];
        assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
        uint16_t half;
        memcpy(&half, tpad_translation_value(&onnx), sizeof half);
        assert_int_equal(half, nearest_half(number));
    }

    pad.data.type = TPAD_ONNX_INT8; /* lenient: only zero has a meaning */
    pad.flags = TPAD_ONNX_LENIENT;
    number = 3.7f;
    assert_string_equal(refused(&pad, TPAD_E_SPEC_VALUE).name, "int8");
    number = 0;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    assert_null(tpad_translation_value(&onnx));
}

static void strings_are_handles(void **state)
{
    (void)state;
    static const int64_t shape[] = {2}, amounts[] = {1, 1}, two[] = {2};
    const char *words[] = {"a", "b"}, *fill = "x", *out[4];
    const tpad_onnx_tensor pads = ints(amounts, two);
    const tpad_onnx_tensor value = {TPAD_ONNX_STRING, 0, NULL, &fill};
    tpad_onnx_pad pad = node(13, TPAD_ONNX_STRING, 1, shape);
    pad.pads = &pads;
    pad.value = &value;
    tpad_translation onnx;
    tpad_plan plan;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    assert_int_equal(plan_of(&plan, &onnx), TPAD_OK);
    assert_int_equal(tpad_run(&plan, words, out, tpad_translation_value(&onnx)), TPAD_OK);
    assert_string_equal(out[0], "x");
    assert_string_equal(out[1], "a");
    assert_string_equal(out[2], "b");
    assert_string_equal(out[3], "x");
    pad.string_bytes = 24;
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    assert_int_equal(onnx.elem_bits, 192);
}

static void malformed_calls(void **state)
{
    (void)state;
    const tpad_onnx_tensor pads = ints(pads_2d, four);
    tpad_translation onnx;
    tpad_error error;
    tpad_onnx_pad pad = node(13, TPAD_ONNX_FLOAT, 2, shape_3x2);
    pad.pads = &pads;
    assert_int_equal(tpad_onnx_translate(NULL, sizeof(tpad_translation), &pad, &error),
                     TPAD_E_ARGUMENT);
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, NULL, &error), TPAD_E_ARGUMENT);
    pad.struct_size--;
    refused(&pad, TPAD_E_ARGUMENT);
    pad.struct_size++;
    pad.opset = 0;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_VERSION).got, 0);
    pad.opset = 13;
    pad.data.shape = NULL;
    refused(&pad, TPAD_E_ARGUMENT);
    pad.data.rank = 1;
    refused(&pad, TPAD_E_ARGUMENT);
    pad.data.rank = -1;
    refused(&pad, TPAD_E_RANK);
    pad.data.rank = TPAD_MAX_RANK + 1;
    assert_int_equal(refused(&pad, TPAD_E_RANK).limit, TPAD_MAX_RANK);
}

/* The order of crop and pad is crop first; what the core refuses keeps its axis. */
static void crop_first_and_limits(void **state)
{
    (void)state;
    static const int64_t shape[] = {4}, two[] = {2};
    static const float data[] = {1, 2, 3, 4}, expected[] = {2, 3, 4, 3, 2, 3};
    int64_t amounts[] = {-1, 3};
    const tpad_onnx_tensor pads = ints(amounts, two);
    tpad_onnx_pad pad = node(19, TPAD_ONNX_FLOAT, 1, shape);
    pad.pads = &pads;
    pad.mode = "reflect";
    tpad_translation onnx;
    tpad_plan plan;
    float out[6];
    assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
    assert_int_equal(plan_of(&plan, &onnx), TPAD_OK);
    assert_int_equal(tpad_run(&plan, data, out, tpad_translation_value(&onnx)), TPAD_OK);
    assert_memory_equal(out, expected, sizeof out);
    amounts[0] = -3;
    amounts[1] = -3;
    const tpad_error e = refused(&pad, TPAD_E_NEGATIVE);
    assert_int_equal(e.axis, 0);
    assert_int_equal(e.got, -2);
    assert_int_equal(e.before, -3);
    amounts[0] = INT64_MAX;
    refused(&pad, TPAD_E_AMOUNT);
    amounts[0] = -5;
    amounts[1] = 3;
    refused(&pad, TPAD_E_NO_SOURCE);
    assert_int_not_equal(tpad_onnx_shape(&pad, NULL, NULL), TPAD_OK);
}

static void rank_0_is_a_copy(void **state)
{
    (void)state;
    static const int64_t zero[] = {0};
    static const char *const modes[] = {"constant", "edge", "reflect", "wrap"};
    const tpad_onnx_tensor pads = ints(NULL, zero);
    for (int i = 0; i < 4; i++) {
        tpad_onnx_pad pad = node(25, TPAD_ONNX_INT4, 0, NULL);
        pad.pads = &pads;
        pad.mode = modes[i];
        tpad_translation onnx;
        tpad_plan plan;
        const unsigned char in = 0xA7;
        unsigned char out = 0xFF;
        assert_int_equal(tpad_onnx_translate(&onnx, sizeof onnx, &pad, NULL), TPAD_OK);
        assert_int_equal(plan_of(&plan, &onnx), TPAD_OK);
        assert_int_equal(tpad_run(&plan, &in, &out, tpad_translation_value(&onnx)), TPAD_OK);
        assert_int_equal(out, 0x07);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document_examples),
        cmocka_unit_test(opset_chooses_the_version),
        cmocka_unit_test(type_names),
        cmocka_unit_test(refusals_of_types),
        cmocka_unit_test(refusals_of_modes),
        cmocka_unit_test(refusals_of_arguments),
        cmocka_unit_test(refusals_of_pads),
        cmocka_unit_test(axes_of_every_form),
        cmocka_unit_test(values_of_every_form),
        cmocka_unit_test(attribute_values),
        cmocka_unit_test(strings_are_handles),
        cmocka_unit_test(malformed_calls),
        cmocka_unit_test(crop_first_and_limits),
        cmocka_unit_test(rank_0_is_a_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
