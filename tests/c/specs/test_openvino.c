/* The OpenVINO dialect through its C interface: the documents' examples, modes, values and types.
 * The amounts are in test_openvino_amounts.c. SPDX-License-Identifier: MIT
 * Expected values: the documents' own examples and sentences, typed in here by hand. */
#include "openvino_layers.h"

/* ---- The documents' examples ----------------------------------------------------------------- */

/* Both editions of Pad-1 have these four; Pad-12 has them too. */
static void the_four_modes(void **state)
{
    (void)state;
    static const int64_t begin[] = {0, 1}, end[] = {2, 3}, out[] = {5, 8};
    static const struct {
        const char *mode;
        int32_t cells[40];
    } cases[] = {
        {"constant", {0,  1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0, 0, 9, 10, 11,
                      12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0}},
        {"edge", {1,  1,  2,  3,  4, 4, 4,  4,  5,  5,  6,  7,  8, 8, 8,  8,  9,  9,  10, 11,
                  12, 12, 12, 12, 9, 9, 10, 11, 12, 12, 12, 12, 9, 9, 10, 11, 12, 12, 12, 12}},
        {"reflect", {2,  1,  2,  3, 4, 3, 2, 1, 6, 5, 6, 7, 8, 7, 6, 5, 10, 9, 10, 11,
                     12, 11, 10, 9, 6, 5, 6, 7, 8, 7, 6, 5, 2, 1, 2, 3, 4,  3, 2,  1}},
        {"symmetric", {1,  1,  2,  3,  4, 4, 3,  2,  5,  5,  6,  7,  8, 8, 7, 6, 9, 9, 10, 11,
                       12, 12, 11, 10, 9, 9, 10, 11, 12, 12, 11, 10, 5, 5, 6, 7, 8, 8, 7,  6}},
    };
    const tpad_openvino_tensor b = list(begin, two), e = list(end, two);
    for (int v = 0; v < 2; v++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            tpad_openvino_pad pad =
                layer(both_versions[v], TPAD_OPENVINO_I32, 2, shape_3x4, cases[i].mode);
            pad.begin = &b;
            pad.end = &e;
            expect(&pad, data_3x4, cases[i].cells, out);
        }
}

/* The layers at the end of the document: 1x3x32x40, begin 0 5 2 1, end 1 0 3 7, value 15. */
static void the_four_axes(void **state)
{
    (void)state;
    static const int64_t shape[] = {1, 3, 32, 40}, begin[] = {0, 5, 2, 1}, end[] = {1, 0, 3, 7};
    static const int64_t four[] = {4}, expected[] = {2, 8, 37, 48};
    static const char *const modes[] = {"constant", "edge"};
    static float data[3 * 32 * 40], out[2 * 8 * 37 * 48];
    static const float fifteen = 15.0f;
    const tpad_openvino_tensor b = list(begin, four), e = list(end, four);
    const tpad_openvino_tensor value = {TPAD_OPENVINO_F32, 0, NULL, &fifteen};
    for (int i = 0; i < 3 * 32 * 40; i++) data[i] = (float)i;
    for (int v = 0; v < 2; v++)
        for (int mode = 0; mode < 2; mode++) {
            tpad_openvino_pad pad =
                layer(both_versions[v], TPAD_OPENVINO_F32, 4, shape, modes[mode]);
            pad.begin = &b;
            pad.end = &e;
            if (mode == 0) pad.value = &value;
            tpad_translation made;
            tpad_plan plan;
            int64_t extents[4];
            assert_int_equal(tpad_openvino_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
            assert_int_equal(tpad_openvino_shape(&pad, extents, NULL), TPAD_OK);
            assert_memory_equal(extents, expected, sizeof expected);
            assert_int_equal(plan_of(&plan, &made), TPAD_OK);
            assert_int_equal(tpad_run(&plan, data, out, tpad_translation_value(&made)), TPAD_OK);
            const float *at = out;
            for (int n = 0; n < 2; n++)
                for (int c = -5; c < 3; c++)
                    for (int y = -2; y < 35; y++)
                        for (int x = -1; x < 47; x++) {
                            const int inside =
                                n == 0 && c >= 0 && y >= 0 && y < 32 && x >= 0 && x < 40;
                            const int cc = c < 0 ? 0 : c, yy = y < 0 ? 0 : y > 31 ? 31 : y;
                            const int xx = x < 0 ? 0 : x > 39 ? 39 : x;
                            const float cell = data[(cc * 32 + yy) * 40 + xx];
                            assert_true(*at++ == (inside || mode ? cell : fifteen));
                        }
        }
}

/* Pad-12: begin and end of both signs on one axis are a window onto the extension. */
static void mixed_amounts(void **state)
{
    (void)state;
    static const int64_t begin[] = {2, -1}, end[] = {-1, 3}, out[] = {4, 6};
    static const struct {
        const char *mode;
        int32_t cells[24];
    } cases[] = {
        {"constant", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 0, 0, 0, 6, 7, 8, 0, 0, 0}},
        {"edge", {2, 3, 4, 4, 4, 4, 2, 3, 4, 4, 4, 4, 2, 3, 4, 4, 4, 4, 6, 7, 8, 8, 8, 8}},
        {"reflect", {10, 11, 12, 11, 10, 9, 6, 7, 8, 7, 6, 5, 2, 3, 4, 3, 2, 1, 6, 7, 8, 7, 6, 5}},
        {"symmetric", {6, 7, 8, 8, 7, 6, 2, 3, 4, 4, 3, 2, 2, 3, 4, 4, 3, 2, 6, 7, 8, 8, 7, 6}},
    };
    const tpad_openvino_tensor b = list(begin, two), e = list(end, two);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_I32, 2, shape_3x4, cases[i].mode);
        pad.begin = &b;
        pad.end = &e;
        expect(&pad, data_3x4, cases[i].cells, out);
        pad.opset = 1;
        pad.flags = TPAD_OPENVINO_LENIENT;
        expect(&pad, data_3x4, cases[i].cells, out);
    }
}

static void negative_amounts(void **state)
{
    (void)state;
    static const int64_t ones[] = {-1, -1}, out[] = {1, 2};
    static const int32_t cells[] = {6, 7};
    static const char *const modes[] = {"constant", "edge", "reflect", "symmetric"};
    const tpad_openvino_tensor b = list(ones, two);
    for (int mode = 0; mode < 4; mode++) {
        tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_I32, 2, shape_3x4, modes[mode]);
        pad.begin = pad.end = &b;
        expect(&pad, data_3x4, cells, out);
    }
}

/* ---- Modes, values, types -------------------------------------------------------------------- */

static void modes_and_versions(void **state)
{
    (void)state;
    static const int64_t zeros[] = {0, 0};
    const tpad_openvino_tensor p = list(zeros, two);
    tpad_openvino_pad pad = layer(1, TPAD_OPENVINO_F32, 2, shape_3x4, NULL);
    pad.begin = pad.end = &p;
    assert_string_equal(refused(&pad, TPAD_E_SPEC_INPUT).name, "pad_mode");
    pad.mode = "mirror";
    refused(&pad, TPAD_E_SPEC_MODE);
    pad.mode = "Edge";
    refused(&pad, TPAD_E_SPEC_MODE);
    pad.mode = "wrap";
    assert_string_equal(refused(&pad, TPAD_E_SPEC_MODE).name, "wrap");
    pad.flags = TPAD_OPENVINO_LENIENT;
    assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL), TPAD_OK);

    static const int32_t expected[][2] = {{1, 1},   {2, 1},   {11, 1},
                                          {12, 12}, {16, 12}, {INT32_MAX, 12}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(tpad_openvino_version_for(expected[i][0])->version, expected[i][1]);
    assert_null(tpad_openvino_version_for(0));
    assert_int_equal(tpad_openvino_version_count(), 2);
    assert_int_equal(tpad_openvino_version_at(1)->first_opset, 12);
    assert_int_equal(tpad_openvino_version_at(0)->last_opset, 11);
    assert_null(tpad_openvino_version_at(-1));
    assert_null(tpad_openvino_version_at(2));
}

static void values(void **state)
{
    (void)state;
    static const int64_t zeros[] = {0, 0}, ones[] = {1, 0}, one[] = {1};
    static const float number = 1.5f;
    const tpad_openvino_tensor b = list(ones, two), e = list(zeros, two);
    tpad_openvino_tensor value = {TPAD_OPENVINO_F32, 0, NULL, &number};
    tpad_openvino_pad pad = layer(1, TPAD_OPENVINO_F32, 2, shape_3x4, "constant");
    tpad_translation made;
    pad.begin = &b;
    pad.end = &e;
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
    assert_null(tpad_translation_value(&made));
    pad.value = &value;
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
    assert_memory_equal(tpad_translation_value(&made), &number, sizeof number);
    value.rank = 1;
    value.shape = one;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_VALUE).got, 1);
    pad.flags = TPAD_OPENVINO_LENIENT;
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
    assert_memory_equal(tpad_translation_value(&made), &number, sizeof number);
    value.rank = 2;
    value.shape = (int64_t[]){2, 1};
    refused(&pad, TPAD_E_SPEC_VALUE);
    value.shape = NULL;
    refused(&pad, TPAD_E_ARGUMENT);
    value.rank = -1;
    refused(&pad, TPAD_E_SPEC_VALUE);
    pad.flags = 0;
    value = (tpad_openvino_tensor){TPAD_OPENVINO_F64, 0, NULL, &number};
    assert_string_equal(refused(&pad, TPAD_E_SPEC_VALUE).name, "f32");
    pad.mode = "edge"; /* any value is accepted there, and not used */
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
    assert_null(tpad_translation_value(&made));
}

static void type_names(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"f32", "FP32"}, {"i64", "I64"},   {"u1", "BIN"},        {"boolean", "BOOL"},
        {"nf4", "NF4"},  {"bf16", "BF16"}, {"string", "STRING"}, {"f8e8m0", "F8E8M0"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const int32_t type = tpad_openvino_type_from_name(words[i][0]);
        assert_int_not_equal(type, 0);
        assert_int_equal(tpad_openvino_type_from_name(words[i][1]), type);
        assert_string_equal(tpad_openvino_type_name(type), words[i][0]);
        assert_string_equal(tpad_openvino_type_port_name(type), words[i][1]);
    }
    assert_int_equal(tpad_openvino_type_from_name("U1"), TPAD_OPENVINO_U1);
    assert_int_equal(tpad_openvino_type_from_name("bin"), TPAD_OPENVINO_U1);
    assert_int_equal(tpad_openvino_type_from_name("dynamic"), 0);
    assert_int_equal(tpad_openvino_type_from_name(NULL), 0);
    assert_int_equal(tpad_openvino_type_from_name("f3"), 0);
    assert_int_equal(tpad_openvino_type_from_name("f322"), 0);
    assert_int_equal(tpad_openvino_type_from_name("[32"), 0);
    assert_int_equal(tpad_openvino_type_from_name(""), 0);
    assert_null(tpad_openvino_type_name(0));
    assert_null(tpad_openvino_type_port_name(26));
    static const int32_t bits[] = {8, 16, 16, 32, 64, 4, 8, 16, 32, 64, 1, 2, 4,
                                   8, 16, 32, 64, 4,  4, 8, 8,  8,  0,  3, 6};
    for (int32_t type = 1; type <= 25; type++)
        assert_int_equal(tpad_openvino_type_bits(type), bits[type - 1]);
    assert_int_equal(tpad_openvino_type_bits(26), 0);
}

static void types_of_data(void **state)
{
    (void)state;
    static const int64_t ones[] = {1, 1};
    const tpad_openvino_tensor p = list(ones, two);
    for (int v = 0; v < 2; v++)
        for (int32_t type = 0; type <= 26; type++) {
            tpad_openvino_pad pad = layer(both_versions[v], type, 2, shape_3x4, "constant");
            pad.begin = pad.end = &p;
            const int known = tpad_openvino_type_name(type) != NULL;
            const int settled = known && type != TPAD_OPENVINO_U3 && type != TPAD_OPENVINO_U6;
            if (!settled || (v == 0 && type == TPAD_OPENVINO_STRING))
                refused(&pad, TPAD_E_SPEC_TYPE);
            else
                assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL), TPAD_OK);
            pad.flags = TPAD_OPENVINO_LENIENT;
            assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL),
                             settled ? TPAD_OK : TPAD_E_SPEC_TYPE);
        }
    tpad_openvino_pad pad = layer(11, TPAD_OPENVINO_STRING, 2, shape_3x4, "constant");
    pad.begin = pad.end = &p;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_TYPE).limit, 12);
}

static void strings_in_constant_mode(void **state)
{
    (void)state;
    static const int64_t shape[] = {2}, one[] = {1}, amount[] = {1}, out[] = {4};
    const char *words[] = {"a", "b"}, *fill = "x";
    const tpad_openvino_tensor p = list(amount, one);
    const tpad_openvino_tensor value = {TPAD_OPENVINO_STRING, 0, NULL, &fill};
    tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_STRING, 1, shape, "constant");
    pad.begin = pad.end = &p;
    const char *const empty[] = {NULL, words[0], words[1], NULL};
    expect(&pad, words, empty, out);
    pad.value = &value;
    const char *const filled[] = {fill, words[0], words[1], fill};
    expect(&pad, words, filled, out);
    pad.mode = "edge";
    assert_string_equal(refused(&pad, TPAD_E_SPEC_MODE).name, "edge");
    pad.flags = TPAD_OPENVINO_LENIENT;
    const char *const repeated[] = {words[0], words[0], words[1], words[1]};
    expect(&pad, words, repeated, out);
    pad.string_bytes = 24;
    tpad_translation made;
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
    assert_int_equal(made.elem_bits, 192);
}

/* u1 has its first element in the high bit, the other packed types in the low bits. */
static void packed_types(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 3}, begin[] = {0, 2}, end[] = {1, 0}, out[] = {3, 5};
    const tpad_openvino_tensor b = list(begin, two), e = list(end, two);
    const unsigned char one = 0x80;
    const tpad_openvino_tensor value = {TPAD_OPENVINO_U1, 0, NULL, &one};
    tpad_openvino_pad pad = layer(1, TPAD_OPENVINO_U1, 2, shape, "constant");
    pad.begin = &b;
    pad.end = &e;
    /* 101 011 (then unused bits) */
    const unsigned char bits[] = {0xAF};
    /* 00101 00011 00000, and with ones 11101 11011 11111 */
    expect(&pad, bits, (const unsigned char[]){0x28, 0xC0}, out);
    pad.value = &value;
    expect(&pad, bits, (const unsigned char[]){0xEE, 0xFE}, out);
    tpad_openvino_tensor unknown = value; /* shape inference needs no data */
    unknown.data = NULL;
    pad.value = &unknown;
    assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL), TPAD_OK);
    pad.value = NULL;
    pad.mode = "reflect";
    static const int64_t one_row[] = {1, 0};
    const tpad_openvino_tensor rows = list(one_row, two);
    pad.end = &rows;
    /* 10101 11011 10101 */
    expect(&pad, bits, (const unsigned char[]){0xAE, 0xEA}, out);

    const unsigned char nibbles[] = {0x21, 0x43, 0x65}, nine = 0xF9;
    const tpad_openvino_tensor low = {TPAD_OPENVINO_NF4, 0, NULL, &nine};
    pad = layer(12, TPAD_OPENVINO_NF4, 2, shape, "constant");
    pad.begin = &b;
    pad.end = &e;
    pad.value = &low;
    /* 99123 99456 99999 */
    expect(&pad, nibbles, (const unsigned char[]){0x99, 0x21, 0x93, 0x49, 0x65, 0x99, 0x99, 0x09},
           out);
    /* Without a value it is 0, which nf4 writes as 7. */
    pad.value = NULL;
    expect(&pad, nibbles, (const unsigned char[]){0x77, 0x21, 0x73, 0x47, 0x65, 0x77, 0x77, 0x07},
           out);
}

static void rank_0_is_a_copy(void **state)
{
    (void)state;
    static const int64_t zero[] = {0};
    static const char *const modes[] = {"constant", "edge", "reflect", "symmetric"};
    static const double in = -0.0;
    const tpad_openvino_tensor p = list(NULL, zero);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < 4; i++) {
            tpad_openvino_pad pad = layer(both_versions[v], TPAD_OPENVINO_F64, 0, NULL, modes[i]);
            pad.begin = pad.end = &p;
            expect(&pad, &in, &in, NULL);
        }
}

static void malformed_calls(void **state)
{
    (void)state;
    static const int64_t zeros[] = {0, 0};
    const tpad_openvino_tensor p = list(zeros, two);
    tpad_translation made;
    tpad_error error;
    tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_F32, 2, shape_3x4, "edge");
    pad.begin = pad.end = &p;
    assert_int_equal(tpad_openvino_translate(NULL, sizeof(tpad_translation), &pad, &error),
                     TPAD_E_ARGUMENT);
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, NULL, &error), TPAD_E_ARGUMENT);
    pad.struct_size--;
    refused(&pad, TPAD_E_ARGUMENT);
    pad.struct_size++;
    pad.opset = 0;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_VERSION).got, 0);
    pad.opset = 12;
    pad.data.shape = NULL;
    refused(&pad, TPAD_E_ARGUMENT);
    pad.data.rank = -1;
    refused(&pad, TPAD_E_RANK);
    pad.data.rank = TPAD_MAX_RANK + 1;
    assert_int_equal(refused(&pad, TPAD_E_RANK).limit, TPAD_MAX_RANK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_modes),
        cmocka_unit_test(the_four_axes),
        cmocka_unit_test(mixed_amounts),
        cmocka_unit_test(negative_amounts),
        cmocka_unit_test(modes_and_versions),
        cmocka_unit_test(values),
        cmocka_unit_test(type_names),
        cmocka_unit_test(types_of_data),
        cmocka_unit_test(strings_in_constant_mode),
        cmocka_unit_test(packed_types),
        cmocka_unit_test(rank_0_is_a_copy),
        cmocka_unit_test(malformed_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
