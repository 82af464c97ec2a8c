/* One element from and to text: every type, every limit.  SPDX-License-Identifier: MIT */
#include "formats/formats.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "formats/file.h"

enum { ROOM = 64 };

/* Parses and gives the bytes in hex, or the error after a "!". */
static const char *parsed(const tpad_tensor *like, const char *text)
{
    static char line[1100];
    unsigned char value[ROOM];
    tpad_io_error error;
    memset(value, 0xEE, sizeof value);
    int32_t status = tpad_value_parse(value, text, like, &error);
    if (status) {
        assert_int_equal(status, TPAD_E_TEXT);
        assert_int_equal(error.code, TPAD_E_TEXT);
        snprintf(line, sizeof line, "!%s", error.text);
        return line;
    }
    size_t count = ((size_t)like->elem_bits + 7) / 8;
    for (size_t i = 0; i < count; i++) snprintf(line + 2 * i, 3, "%02x", value[i]);
    for (size_t i = count; i < sizeof value; i++) assert_int_equal(value[i], 0xEE);
    return line;
}

/* What NumPy spells, without an ONNX type. */
static tpad_tensor npy_like(char *descr, int32_t bytes)
{
    return (tpad_tensor){.elem_bits = 8 * bytes, .npy_descr = descr, .big_endian = descr[0] == '>'};
}

static tpad_tensor little(int32_t type)
{
    tpad_tensor like;
    tpad_tensor_describe(&like, type, 0, NULL);
    like.big_endian = 0;
    return like;
}

typedef struct sample {
    const char *type, *text, *bytes; /* hex, low byte first; or "!" and a part of the error */
} sample;

static void check(const sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t type = tpad_type_from_text(samples[i].type);
        assert_int_not_equal(type, 0);
        tpad_tensor like = little(type);
        const char *got = parsed(&like, samples[i].text), *want = samples[i].bytes;
        int same = *want == '!' ? *got == '!' && strstr(got, want + 1) : strcmp(got, want) == 0;
        if (!same) fail_msg("%s \"%s\": %s, not %s", samples[i].type, samples[i].text, got, want);
    }
}

#define CHECK(samples) check(samples, sizeof(samples) / sizeof *(samples))

static void integers(void **state)
{
    static const sample samples[] = {
        {"int32", "7", "07000000"},
        {"int32", "-7", "f9ffffff"},
        {"int32", "+7", "07000000"},
        {"int32", "1e3", "e8030000"},
        {"int32", "2.0", "02000000"},
        {"int32", "2.50e1", "19000000"},
        {"int32", "250e-1", "19000000"},
        {"int32", "5.", "05000000"},
        {"int32", "0x1F", "1f000000"},
        {"int32", "-0x80000000", "00000080"},
        {"int32", "0e99999999999999999999", "00000000"},
        {"int32", "1.5", "!int32 cannot hold 1.5"},
        {"int32", "25e-1", "!cannot hold"},
        {"int32", "1e-99999999999999999999", "!cannot hold"},
        {"int32", "1e99999999999999999999", "!cannot hold"},
        {"int32", "2147483648", "!from -2147483648 to 2147483647"},
        {"int32", "-2147483649", "!cannot hold"},
        {"int32", "nan", "!int32 cannot hold nan"},
        {"int32", "-inf", "!int32 cannot hold -inf"},
        {"int32", "0x1p3", "!not a value"},
        {"int32", "0x", "!not a value"},
        {"int32", "0x1ffffffffffffffff", "!cannot hold"},
        {"int32", "", "!not a value"},
        {"int32", ".", "!not a value"},
        {"int32", "1e", "!not a value"},
        {"int32", " 1", "!not a value"},
        {"int32", "1 ", "!not a value"},
        {"int32", "--1", "!not a value"},
        {"int32", "\x1b[31m", "!\"\\x1b[31m\" is not a value"},
        {"int64", "9223372036854775807", "ffffffffffffff7f"},
        {"int64", "-9223372036854775808", "0000000000000080"},
        {"int64", "9223372036854775808", "!cannot hold"},
        {"uint64", "18446744073709551615", "ffffffffffffffff"},
        {"uint64", "1.8446744073709551615e19", "ffffffffffffffff"},
        {"uint64", "18446744073709551616", "!to 18446744073709551615"},
        {"uint64", "-1", "!cannot hold"},
        {"uint64", "-0", "0000000000000000"},
        {"int16", "-32768", "0080"},
        {"uint16", "65535", "ffff"},
        {"uint16", "65536", "!from 0 to 65535"},
        {"int8", "-128", "80"},
        {"int8", "128", "!from -128 to 127"},
        {"uint8", "255", "ff"},
        {"uint32", "4294967295", "ffffffff"},
        {"int4", "-8", "08"},
        {"int4", "-3", "0d"},
        {"int4", "8", "!from -8 to 7"},
        {"uint4", "15", "0f"},
        {"uint4", "16", "!from 0 to 15"},
        {"int2", "-2", "02"},
        {"int2", "2", "!from -2 to 1"},
        {"uint2", "3", "03"},
        {"bool", "true", "01"},
        {"bool", "False", "00"},
        {"bool", "1", "01"},
        {"bool", "0", "00"},
        {"bool", "2", "!true, false, 1 or 0"},
    };
    (void)state;
    CHECK(samples);
}

static void floats(void **state)
{
    static const sample samples[] = {
        {"float", "1.5", "0000c03f"},
        {"float", "1e-3", "6f12833a"},
        {"float", "0x1p-3", "0000003e"},
        {"float", "-0", "00000080"},
        {"float", "inf", "0000807f"},
        {"float", "-Infinity", "000080ff"},
        {"float", "nan", "0000c07f"},
        {"float", "3.4028235677973365e38", "ffff7f7f"},
        {"float", "3.40282356779733661637539395458142568447e38", "ffff7f7f"},
        {"float", "3.40282356779733661637539395458142568448e38",
         "!from -3.4028235e+38 to 3.4028235e+38"},
        {"float", "-1e39", "!from -3.4028235e+38"},
        {"float", "1e999", "!to 3.4028235e+38"},
        {"float", "1e-999", "00000000"},
        {"float", "1.4e-45", "01000000"},
        /* Between 1 and its neighbour: a tie, and a tie plus a little that a double cannot see. */
        {"float", "1.000000059604644775390625", "0000803f"},
        {"float", "1.0000000596046447753906250000000000001", "0100803f"},
        {"float", "1.0000000596046447753906249999999999999", "0000803f"},
        {"float", "", "!not a value"},
        {"float", "1,5", "!not a value"},
        {"float", "1_5", "!not a value"},
        {"float", "nan(5)", "!not a value"},
        {"float", "1.5f", "!not a value"},
        {"float", "1e", "!not a value"},
        {"float", "0x", "!not a value"},
        {"double", "0.1", "9a9999999999b93f"},
        {"double", "1.797693134862315807e308", "ffffffffffffef7f"},
        {"double", "-1.797693134862315808e308", "!from -1.7976931e+308"},
        {"double", "1e400", "!to 1.7976931e+308"},
        {"double", "+inf", "000000000000f07f"},
        {"double", "-INFINITY", "000000000000f0ff"},
        {"float16", "65504", "ff7b"},
        {"float16", "65519.9", "ff7b"},
        {"float16", "65520", "!from -65504 to 65504"},
        {"float16", "-1e9", "!from -65504 to 65504"},
        {"float16", "-inf", "00fc"},
        {"float16", "1.00048828125", "003c"},
        {"float16", "1.000488281250000000000000000001", "013c"},
        {"float16", "5.9604644775390625e-8", "0100"},
        {"float16", "2.98023223876953125e-8", "0000"},
        {"float16", "2.980232238769531250000000000001e-8", "0100"},
        {"float16", "nan", "007e"},
        {"bfloat16", "1.00390625", "803f"},
        {"bfloat16", "1.003906250000000000000000000001", "813f"},
        {"bfloat16", "1e40", "!from -3.3895314e+38"},
        {"bfloat16", "inf", "807f"},
        {"float8e4m3fn", "464", "7e"},
        {"float8e4m3fn", "464.00000000000000000001", "!from -448 to 448"},
        {"float8e4m3fn", "-448", "fe"},
        {"float8e4m3fn", "inf", "!has no infinity"},
        {"float8e4m3fn", "nan", "7f"},
        {"float8e4m3fnuz", "240", "7f"},
        {"float8e4m3fnuz", "248", "!from -240 to 240"},
        {"float8e4m3fnuz", "-0", "00"},
        {"float8e4m3fnuz", "-1e-9", "00"},
        {"float8e4m3fnuz", "nan", "80"},
        {"float8e5m2", "57344", "7b"},
        {"float8e5m2", "61440", "!from -57344 to 57344"},
        {"float8e5m2", "-inf", "fc"},
        {"float8e5m2", "nan", "7e"},
        {"float8e5m2fnuz", "57344", "7f"},
        {"float8e5m2fnuz", "61440", "!from -57344 to 57344"},
        {"float8e5m2fnuz", "nan", "80"},
        {"float4e2m1", "-6", "0f"},
        {"float4e2m1", "5", "06"},
        {"float4e2m1", "5.000000000000000000000001", "07"},
        {"float4e2m1", "7", "!from -6 to 6"},
        {"float4e2m1", "nan", "!has no NaN"},
        {"float4e2m1", "inf", "!has no infinity"},
        {"float8e8m0", "1", "7f"},
        {"float8e8m0", "1.5", "80"},
        {"float8e8m0", "1.4999999999999999999999", "7f"},
        {"float8e8m0", "1e-60", "00"},
        {"float8e8m0", "0x1p127", "fe"},
        {"float8e8m0", "0x1.8p127", "!only powers of two"},
        {"float8e8m0", "0", "!only powers of two"},
        {"float8e8m0", "-1", "!only powers of two"},
        {"float8e8m0", "inf", "!has no infinity"},
        {"float8e8m0", "nan", "ff"},
        {"complex64", "1.5-2j", "0000c03f000000c0"},
        {"complex64", "2j", "0000000000000040"},
        {"complex64", "-1", "000080bf00000000"},
        {"complex64", "(1+2j)", "0000803f00000040"},
        {"complex64", "inf-nanj", "0000807f0000c0ff"},
        {"complex64", "1+2", "!not a value"},
        {"complex64", "(1+2j", "!not a value"},
        {"complex64", "1+2j3", "!not a value"},
        {"complex64", "()", "!not a value"},
        {"complex64", "", "!not a value"},
        {"complex64", "1-1e39j", "!from -3.4028235e+38"},
        {"complex64", "inf-infj", "0000807f000080ff"},
        {"complex128", "0.5+1j", "000000000000e03f000000000000f03f"},
        {"complex128", "1e400j", "!to 1.7976931e+308"},
    };
    (void)state;
    CHECK(samples);
}

static void npy_kinds(void **state)
{
    char bytes[] = "|S5", text[] = "<U3", text_high[] = ">U3", date[] = "<M8[ns]",
         span_high[] = ">m8", raw[] = "|V3", record[] = "[('a', '<f4')]";
    tpad_tensor like = npy_like(bytes, 5);
    (void)state;
    assert_string_equal(parsed(&like, "abc"), "6162630000");
    assert_non_null(strstr(parsed(&like, "abcdef"), "ends at 5 bytes"));
    like = npy_like(text, 12);
    assert_string_equal(parsed(&like, "a\xc3\xa9"), "61000000e900000000000000");
    assert_non_null(strstr(parsed(&like, "abcd"), "ends at 3 characters"));
    assert_non_null(strstr(parsed(&like, "\xff"), "!\"\\xff\" is not a value"));
    like = npy_like(text_high, 12);
    assert_string_equal(parsed(&like, "a\xf0\x9f\x98\x80"), "000000610001f60000000000");
    like = npy_like(date, 8);
    assert_string_equal(parsed(&like, "NaT"), "0000000000000080");
    assert_string_equal(parsed(&like, "-2"), "feffffffffffffff");
    assert_non_null(strstr(parsed(&like, "1.5"), "<M8[ns] cannot hold 1.5"));
    like = npy_like(span_high, 8);
    assert_string_equal(parsed(&like, "1"), "0000000000000001");
    like = npy_like(raw, 3);
    assert_string_equal(parsed(&like, "0"), "000000");
    assert_int_equal(parsed(&like, "1")[0], '!');
    like = npy_like(record, 4);
    assert_string_equal(parsed(&like, "0"), "00000000");
    assert_int_equal(parsed(&like, "0.0")[0], '!');
#if LDBL_MANT_DIG == 64
    char wide[] = "<f16";
    if (sizeof(long double) != 16) return;
    like = npy_like(wide, 16);
    assert_string_equal(parsed(&like, "1"), "0000000000000080ff3f000000000000");
    assert_string_equal(parsed(&like, "-inf"), "0000000000000080ffff000000000000");
    assert_non_null(strstr(parsed(&like, "1e5000"), "holds numbers from -1.189731"));
#endif
}

static void high_byte_first(void **state)
{
    static const struct {
        int32_t type;
        const char *text, *bytes;
    } samples[] = {
        {TPAD_ONNX_INT32, "1", "00000001"},
        {TPAD_ONNX_FLOAT, "1.5", "3fc00000"},
        {TPAD_ONNX_DOUBLE, "1.5", "3ff8000000000000"},
        {TPAD_ONNX_BFLOAT16, "1.5", "3fc0"},
        {TPAD_ONNX_COMPLEX64, "1.5-2j", "3fc00000c0000000"},
        {TPAD_ONNX_UINT8, "1", "01"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        tpad_tensor like = little(samples[i].type);
        like.big_endian = 1;
        assert_string_equal(parsed(&like, samples[i].text), samples[i].bytes);
    }
}

static void strings(void **state)
{
    tpad_tensor like;
    tpad_string value;
    const char *text = "a\"b\n";
    char line[32];
    (void)state;
    tpad_tensor_describe(&like, TPAD_ONNX_STRING, 0, NULL);
    assert_int_equal(like.elem_bits, 8 * sizeof value);
    assert_int_equal(tpad_value_parse(&value, text, &like, NULL), TPAD_OK);
    assert_ptr_equal(value.text, text);
    assert_int_equal(value.length, 4);
    assert_int_equal(tpad_value_format(line, sizeof line, TPAD_ONNX_STRING, &value), 10);
    assert_string_equal(line, "\"a\\\"b\\x0a\"");
    assert_int_equal(tpad_value_format(line, 4, TPAD_ONNX_STRING, &value), 10);
    assert_string_equal(line, "\"a\\");
    value = (tpad_string){NULL, 0};
    assert_int_equal(tpad_value_format(line, sizeof line, TPAD_ONNX_STRING, &value), 2);
}

/* Every number of every type up to 16 bits survives text; NaN stays NaN. */
static void there_and_back(void **state)
{
    (void)state;
    for (int32_t type = 1; type <= TPAD_ONNX_INT2; type++) {
        int32_t bits = tpad_onnx_type_bits(type);
        tpad_tensor like;
        tpad_tensor_describe(&like, type, 0, NULL);
        if (bits == 0 || bits > 16) continue;
        for (uint32_t code = 0; code < 1u << bits; code++) {
            char line[32], again[32];
            uint16_t wide = (uint16_t)code, wide_back = 0;
            uint8_t narrow = (uint8_t)code, narrow_back = 0;
            void *back = bits == 16 ? (void *)&wide_back : &narrow_back;
            if (type == TPAD_ONNX_BOOL && code > 1) break;
            tpad_value_format(line, sizeof line, type, bits == 16 ? (void *)&wide : &narrow);
            assert_int_equal(tpad_value_parse(back, line, &like, NULL), TPAD_OK);
            if (strstr(line, "nan")) {
                tpad_value_format(again, sizeof again, type, back);
                assert_string_equal(line, again);
            } else
                assert_int_equal(bits == 16 ? wide_back : narrow_back, code);
        }
    }
}

static void formats(void **state)
{
    char line[64];
    float single = 1.2f, parts[2] = {1.5f, -2};
    double number = 0.1;
    int64_t least = INT64_MIN;
    uint8_t packed = 0xFD, yes = 1;
    (void)state;
    tpad_value_format(line, sizeof line, TPAD_ONNX_FLOAT, &single);
    assert_string_equal(line, "1.20000005");
    tpad_value_format(line, sizeof line, TPAD_ONNX_DOUBLE, &number);
    assert_string_equal(line, "0.10000000000000001");
    tpad_value_format(line, sizeof line, TPAD_ONNX_COMPLEX64, parts);
    assert_string_equal(line, "1.5-2j");
    tpad_value_format(line, sizeof line, TPAD_ONNX_INT64, &least);
    assert_string_equal(line, "-9223372036854775808");
    tpad_value_format(line, sizeof line, TPAD_ONNX_INT4, &packed);
    assert_string_equal(line, "-3");
    tpad_value_format(line, sizeof line, TPAD_ONNX_UINT2, &packed);
    assert_string_equal(line, "1");
    tpad_value_format(line, sizeof line, TPAD_ONNX_BOOL, &yes);
    assert_string_equal(line, "true");
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(tpad_type_from_text("float"), TPAD_ONNX_FLOAT);
    assert_int_equal(tpad_type_from_text("float32"), TPAD_ONNX_FLOAT);
    assert_int_equal(tpad_type_from_text("f64"), TPAD_ONNX_DOUBLE);
    assert_int_equal(tpad_type_from_text("i8"), TPAD_ONNX_INT8);
    assert_int_equal(tpad_type_from_text("bf16"), TPAD_ONNX_BFLOAT16);
    assert_int_equal(tpad_type_from_text("float8_e8m0fnu"), TPAD_ONNX_FLOAT8E8M0);
    assert_int_equal(tpad_type_from_text("c128"), TPAD_ONNX_COMPLEX128);
    assert_int_equal(tpad_type_from_text("f4"), 0);
    assert_int_equal(tpad_type_from_text(""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),  cmocka_unit_test(floats),
        cmocka_unit_test(npy_kinds), cmocka_unit_test(high_byte_first),
        cmocka_unit_test(strings),   cmocka_unit_test(there_and_back),
        cmocka_unit_test(formats),   cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
