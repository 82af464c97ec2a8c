/* The OpenVINO dialect through its C interface: which amounts a layer may have, and in which types.
 * SPDX-License-Identifier: MIT
 * Expected values: the documents' own sentences, typed in here by hand. */
#include "openvino_layers.h"

/* ---- Amounts --------------------------------------------------------------------------------- */

static void an_extent_below_zero_becomes_zero(void **state)
{
    (void)state;
    static const char *const modes[] = {"constant", "edge", "reflect", "symmetric"};
    static const int64_t deep[] = {-9, 0}, more[] = {1, 1}, out[] = {0, 5};
    const tpad_openvino_tensor b = list(deep, two), e = list(more, two);
    for (int mode = 0; mode < 4; mode++) {
        tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_I32, 2, shape_3x4, modes[mode]);
        pad.begin = &b;
        pad.end = &e;
        expect(&pad, data_3x4, "", out);
        pad.begin = &e;
        pad.end = &b;
        expect(&pad, data_3x4, "", out);
    }
}

static void amounts_that_no_tensor_has(void **state)
{
    (void)state;
    static const int64_t zeros[] = {0, 0}, huge[] = {0, INT64_MAX}, least[] = {INT64_MIN, 0};
    static const uint64_t beyond[] = {0, UINT64_C(1) << 63};
    const tpad_openvino_tensor none = list(zeros, two), most = list(huge, two);
    const tpad_openvino_tensor low = list(least, two);
    const tpad_openvino_tensor wide = {TPAD_OPENVINO_U64, 1, two, beyond};
    tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_I32, 2, shape_3x4, "constant");
    pad.begin = &most;
    pad.end = &none;
    assert_int_equal(refused(&pad, TPAD_E_AMOUNT).axis, 1);
    pad.begin = &none;
    pad.end = &most;
    assert_int_equal(refused(&pad, TPAD_E_AMOUNT).axis, 1);
    pad.begin = &low;
    pad.end = &none;
    assert_int_equal(refused(&pad, TPAD_E_AMOUNT).axis, 0);
    pad.begin = &none;
    pad.end = &low;
    assert_int_equal(refused(&pad, TPAD_E_AMOUNT).axis, 0);
    pad.begin = &wide;
    pad.end = &none;
    tpad_error e = refused(&pad, TPAD_E_AMOUNT);
    assert_string_equal(e.name, "pads_begin");
    assert_int_equal(e.axis, 1);
    assert_int_equal(e.limit, TPAD_MAX_EXTENT);
    pad.begin = &none;
    pad.end = &wide;
    assert_string_equal(refused(&pad, TPAD_E_AMOUNT).name, "pads_end");
    pad.mode = "reflect"; /* before its limit is looked at */
    assert_string_equal(refused(&pad, TPAD_E_AMOUNT).name, "pads_end");
    pad.mode = "constant";

    static const int64_t negative[] = {-3, 4}, too_long[] = {3, INT64_MAX};
    pad.end = &none;
    for (int strict = 0; strict < 2; strict++) {
        pad.flags = strict ? 0 : TPAD_OPENVINO_LENIENT;
        pad.mode = "reflect";
        pad.data.shape = negative;
        assert_int_equal(refused(&pad, TPAD_E_EXTENT).axis, 0);
        pad.data.shape = too_long;
        assert_int_equal(refused(&pad, TPAD_E_EXTENT).axis, 1);
    }
}

static void amounts_of_every_integer_type(void **state)
{
    (void)state;
    static const int32_t types[] = {TPAD_OPENVINO_I8,  TPAD_OPENVINO_I16, TPAD_OPENVINO_I32,
                                    TPAD_OPENVINO_I64, TPAD_OPENVINO_U8,  TPAD_OPENVINO_U16,
                                    TPAD_OPENVINO_U32, TPAD_OPENVINO_U64};
    static const int64_t out[] = {3, 107}, cropped[] = {2, 3};
    for (int i = 0; i < 8; i++) {
        const int size = tpad_openvino_type_bits(types[i]) / 8;
        /* Odd addresses: a byte in front of each list. */
        unsigned char begin[17] = {0}, end[17] = {0};
        const uint16_t probe = 1;
        const int low = *(const unsigned char *)&probe ? 0 : size - 1;
        begin[1 + size + low] = 100;
        end[1 + size + low] = 3;
        const tpad_openvino_tensor b = {types[i], 1, two, begin + 1},
                                   e = {types[i], 1, two, end + 1};
        tpad_openvino_pad pad = layer(1, TPAD_OPENVINO_U8, 2, shape_3x4, "edge");
        pad.begin = &b;
        pad.end = &e;
        int64_t got[2];
        assert_int_equal(tpad_openvino_shape(&pad, got, NULL), TPAD_OK);
        assert_memory_equal(got, out, sizeof got);
        if (types[i] > TPAD_OPENVINO_I64) continue;
        memset(begin + 1, 0xFF, (size_t)size * 2); /* -1, -1 */
        memset(end + 1, 0, sizeof end - 1);
        pad.opset = 12;
        assert_int_equal(tpad_openvino_shape(&pad, got, NULL), TPAD_OK);
        assert_memory_equal(got, cropped, sizeof got);
    }
}

static void pad_1_takes_no_negative_amounts(void **state)
{
    (void)state;
    static const int64_t zeros[] = {0, 0}, crop[] = {0, -2};
    const tpad_openvino_tensor none = list(zeros, two), some = list(crop, two);
    tpad_openvino_pad pad = layer(11, TPAD_OPENVINO_I32, 2, shape_3x4, "constant");
    pad.begin = &some;
    pad.end = &none;
    tpad_error e = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(e.axis, 1);
    assert_int_equal(e.got, -2);
    assert_int_equal(e.limit, 12);
    assert_int_equal(e.before, -2);
    char line[300];
    tpad_error_format(&e, line, sizeof line);
    assert_non_null(strstr(line, "Pad-12 takes negative pads"));
    pad.begin = &none;
    pad.end = &some;
    e = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(e.got, -2);
    assert_int_equal(e.after, -2);
    pad.flags = TPAD_OPENVINO_LENIENT;
    assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL), TPAD_OK);
}

/* "must be not greater than data.shape[D] - 1" and "... data.shape[D] for any valid D". */
static void mirrors_have_limits(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        int64_t shape[2], begin[2], end[2], limit;
        int32_t axis; /* -1: allowed */
    } cases[] = {
        {"reflect", {3, 4}, {2, 3}, {2, 3}, 0, -1},
        {"reflect", {3, 4}, {3, 0}, {0, 0}, 2, 0},
        {"reflect", {3, 4}, {0, 0}, {0, 4}, 3, 1},
        {"reflect", {1, 4}, {0, 0}, {0, 0}, 0, -1},
        {"reflect", {1, 4}, {1, 0}, {0, 0}, 0, 0},
        {"reflect", {0, 4}, {0, 0}, {0, 0}, -1, 0}, /* 0 is greater than 0 - 1 */
        {"symmetric", {3, 4}, {3, 4}, {3, 4}, 0, -1},
        {"symmetric", {3, 4}, {0, 5}, {0, 0}, 4, 1},
        {"symmetric", {3, 4}, {0, 0}, {4, 0}, 3, 0},
        {"symmetric", {0, 4}, {0, 0}, {0, 0}, 0, -1},
        {"symmetric", {0, 4}, {0, 0}, {1, 0}, 0, 0},
        {"edge", {3, 4}, {99, 0}, {0, 99}, 0, -1},
        {"constant", {0, 4}, {99, 0}, {0, 99}, 0, -1},
    };
    for (int v = 0; v < 2; v++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const tpad_openvino_tensor b = list(cases[i].begin, two), e = list(cases[i].end, two);
            tpad_openvino_pad pad =
                layer(both_versions[v], TPAD_OPENVINO_U8, 2, cases[i].shape, cases[i].mode);
            pad.begin = &b;
            pad.end = &e;
            if (cases[i].axis < 0) {
                assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL), TPAD_OK);
                continue;
            }
            const tpad_error error = refused(&pad, TPAD_E_SPEC_PADS);
            assert_int_equal(error.axis, cases[i].axis);
            assert_int_equal(error.limit, cases[i].limit);
            assert_int_equal(error.before, cases[i].begin[error.axis]);
            assert_int_equal(error.after, cases[i].end[error.axis]);
            assert_string_equal(error.name, cases[i].mode);
            pad.flags = TPAD_OPENVINO_LENIENT;
            const int empty = cases[i].shape[0] == 0 && (cases[i].begin[0] || cases[i].end[0]);
            assert_int_equal(tpad_openvino_shape(&pad, NULL, NULL),
                             empty ? TPAD_E_NO_SOURCE : TPAD_OK);
        }
}

static void edge_needs_a_cell(void **state)
{
    (void)state;
    static const int64_t shape[] = {0, 4}, ones[] = {1, 0}, zeros[] = {0, 0};
    const tpad_openvino_tensor b = list(ones, two), e = list(zeros, two);
    tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_U8, 2, shape, "edge");
    pad.begin = &b;
    pad.end = &e;
    assert_int_equal(refused(&pad, TPAD_E_NO_SOURCE).axis, 0);
}

static void lenient_mirrors_bounce(void **state)
{
    (void)state;
    static const int64_t three[] = {3}, one[] = {1}, amount[] = {5}, out[] = {13};
    static const char in[] = "abc", *const expected[] = {"babcbabcbabcb", "bccbaabccbaab"};
    const tpad_openvino_tensor p = list(amount, one);
    for (int mirror = 0; mirror < 2; mirror++) {
        tpad_openvino_pad pad =
            layer(1, TPAD_OPENVINO_U8, 1, three, mirror ? "symmetric" : "reflect");
        pad.begin = pad.end = &p;
        refused(&pad, TPAD_E_SPEC_PADS);
        pad.flags = TPAD_OPENVINO_LENIENT;
        expect(&pad, in, expected[mirror], out);
    }
}

static void malformed_pads(void **state)
{
    (void)state;
    static const int64_t zeros[] = {0, 0, 0}, three[] = {3}, row[] = {1, 2};
    const tpad_openvino_tensor good = list(zeros, two);
    tpad_openvino_tensor bad;
    tpad_openvino_pad pad = layer(12, TPAD_OPENVINO_F32, 2, shape_3x4, "edge");
    assert_string_equal(refused(&pad, TPAD_E_SPEC_INPUT).name, "pads_begin");
    pad.begin = &good;
    assert_string_equal(refused(&pad, TPAD_E_SPEC_INPUT).name, "pads_end");
    pad.end = &bad;
    bad = list(zeros, three);
    tpad_error e = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(e.got, 3);
    assert_int_equal(e.limit, 2);
    assert_string_equal(e.name, "pads_end");
    bad = (tpad_openvino_tensor){TPAD_OPENVINO_I64, 2, row, zeros};
    e = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(e.got, 2);
    assert_int_equal(e.limit, 1);
    bad = (tpad_openvino_tensor){TPAD_OPENVINO_I64, 0, NULL, zeros};
    refused(&pad, TPAD_E_SPEC_PADS);
    bad = (tpad_openvino_tensor){TPAD_OPENVINO_I64, 1, NULL, zeros};
    refused(&pad, TPAD_E_ARGUMENT);
    static const int32_t not_integers[] = {
        TPAD_OPENVINO_F32, TPAD_OPENVINO_BOOLEAN, TPAD_OPENVINO_I4, 0, -1, 32};
    for (int i = 0; i < 6; i++) {
        bad = (tpad_openvino_tensor){not_integers[i], 1, two, zeros};
        e = refused(&pad, TPAD_E_SPEC_PADS);
        assert_int_equal(e.got, not_integers[i]);
        assert_string_equal(e.name, "pads_end");
    }
    bad = list(NULL, two);
    refused(&pad, TPAD_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_extent_below_zero_becomes_zero),
        cmocka_unit_test(amounts_that_no_tensor_has),
        cmocka_unit_test(amounts_of_every_integer_type),
        cmocka_unit_test(pad_1_takes_no_negative_amounts),
        cmocka_unit_test(mirrors_have_limits),
        cmocka_unit_test(edge_needs_a_cell),
        cmocka_unit_test(lenient_mirrors_bounce),
        cmocka_unit_test(malformed_pads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
