/* Arrays as ONNX TensorProto files.  SPDX-License-Identifier: MIT */
#include "../../../../tests/support/onnx_bytes.h"
#include "../../../../tests/support/scratch.h"

#include "formats/formats.h"

static tpad_io_error error;

static void save(const char *path, const message *m)
{
    scratch_write(path, m->bytes, m->count);
}

/* Words that an error must have. */
static void says(const tpad_io_error *got, int32_t code, const char *words)
{
    if (got->code != code || !strstr(got->text, words))
        fail_msg("%s '%s', wanted %s '%s'", tpad_status_name(got->code), got->text,
                 tpad_status_name(code), words);
}

/* TensorProto fields. */
enum { SEGMENT = 3, FLOATS, INT32S, STRINGS, INT64S, NAME, RAW, DOUBLES, UINT64S };
enum { EXTERNAL_DATA = 13, DATA_LOCATION = 14 };

static const int64_t two[] = {2};

static int32_t load(tpad_tensor *t, const message *m)
{
    save("a.pb", m);
    memset(&error, 0, sizeof error);
    int32_t status = tpad_tensor_load(t, "a.pb", 0, &error);
    assert_int_equal(error.code, status);
    return status;
}

static void refused(const message *m, int32_t code, const char *words)
{
    tpad_tensor t;
    load(&t, m);
    says(&error, code, words);
    assert_null(t.memory);
}

static void loads(const message *m, int32_t type, int32_t rank, const void *bytes, size_t count)
{
    tpad_tensor t;
    if (load(&t, m)) fail_msg("%s", error.text);
    assert_int_equal(t.type, type);
    assert_int_equal(t.rank, rank);
    if (count) assert_memory_equal(t.data, bytes, count);
    tpad_tensor_free(&t);
}

static void test_raw(void **state)
{
    (void)state;
    const int64_t shape[] = {2, 3};
    const unsigned char bytes[] = {1, 2, 3, 4, 5, 6};
    message m = tensor_head(TPAD_ONNX_UINT8, 2, shape, "weights");
    put_field(&m, RAW, bytes, sizeof bytes);
    tpad_tensor t;
    assert_int_equal(load(&t, &m), TPAD_OK);
    assert_string_equal(t.name, "weights");
    assert_int_equal(t.elem_bits, 8);
    assert_int_equal(t.strides[0], 3);
    assert_int_equal(t.shape[1], 3);
    assert_memory_equal(t.data, bytes, sizeof bytes);
    tpad_tensor_free(&t);
}

/* Each type's own field, one entry per number and packed. */
static void typed(int32_t type, int field, const int64_t *numbers, int count, const void *bytes,
                  size_t size, int64_t elems)
{
    message packed = {0}, single = tensor_head(type, 1, &elems, NULL);
    message m = single;
    for (int i = 0; i < count; i++) {
        put_number(&single, field, numbers[i]);
        put_varint(&packed, (uint64_t)numbers[i]);
    }
    put_message(&m, field, &packed);
    loads(&single, type, 1, bytes, size);
    loads(&m, type, 1, bytes, size);
    put_number(&m, field, numbers[0]);
    refused(&m, TPAD_E_FILE, "entries, but its type");
}

static void test_typed_integers(void **state)
{
    (void)state;
    const int64_t some[] = {-1, 5};
    typed(TPAD_ONNX_INT32, INT32S, some, 2, (const int32_t[]){-1, 5}, 8, 2);
    typed(TPAD_ONNX_INT16, INT32S, some, 2, (const int16_t[]){-1, 5}, 4, 2);
    typed(TPAD_ONNX_INT8, INT32S, some, 2, (const int8_t[]){-1, 5}, 2, 2);
    typed(TPAD_ONNX_INT64, INT64S, some, 2, some, 16, 2);
    const int64_t large[] = {UINT32_MAX, 5};
    typed(TPAD_ONNX_UINT32, UINT64S, large, 2, (const uint32_t[]){UINT32_MAX, 5}, 8, 2);
    typed(TPAD_ONNX_UINT64, UINT64S, some, 2, some, 16, 2);
    const int64_t words[] = {0xFFFF, 5};
    typed(TPAD_ONNX_UINT16, INT32S, words, 2, (const uint16_t[]){0xFFFF, 5}, 4, 2);
    typed(TPAD_ONNX_FLOAT16, INT32S, words, 2, (const uint16_t[]){0xFFFF, 5}, 4, 2);
    typed(TPAD_ONNX_BFLOAT16, INT32S, words, 2, (const uint16_t[]){0xFFFF, 5}, 4, 2);
    const int64_t bytes[] = {200, 1};
    static const int32_t byte_types[] = {TPAD_ONNX_UINT8,          TPAD_ONNX_FLOAT8E4M3FN,
                                         TPAD_ONNX_FLOAT8E4M3FNUZ, TPAD_ONNX_FLOAT8E5M2,
                                         TPAD_ONNX_FLOAT8E5M2FNUZ, TPAD_ONNX_FLOAT8E8M0};
    for (size_t i = 0; i < sizeof byte_types / sizeof *byte_types; i++)
        typed(byte_types[i], INT32S, bytes, 2, (const uint8_t[]){200, 1}, 2, 2);
    const int64_t truths[] = {0, 1};
    typed(TPAD_ONNX_BOOL, INT32S, truths, 2, (const uint8_t[]){0, 1}, 2, 2);
}

static void test_typed_packed(void **state)
{
    (void)state;
    const int64_t entries[] = {0x21, 0x03};
    const uint8_t bytes[] = {0x21, 0x03};
    typed(TPAD_ONNX_INT4, INT32S, entries, 2, bytes, 2, 3);
    typed(TPAD_ONNX_UINT4, INT32S, entries, 2, bytes, 2, 4);
    typed(TPAD_ONNX_FLOAT4E2M1, INT32S, entries, 2, bytes, 2, 3);
    typed(TPAD_ONNX_INT2, INT32S, entries, 2, bytes, 2, 5);
    typed(TPAD_ONNX_UINT2, INT32S, entries, 2, bytes, 2, 8);
}

static void test_typed_floats(void **state)
{
    (void)state;
    const float floats[] = {1.5f, -2.0f, 3.0f, 4.0f};
    const double doubles[] = {1.5, -2.0, 3.0, 4.0};
    message m = tensor_head(TPAD_ONNX_COMPLEX64, 1, two, NULL);
    put_field(&m, FLOATS, floats, sizeof floats);
    loads(&m, TPAD_ONNX_COMPLEX64, 1, floats, sizeof floats);
    m = tensor_head(TPAD_ONNX_COMPLEX128, 1, two, NULL);
    put_field(&m, DOUBLES, doubles, sizeof doubles);
    loads(&m, TPAD_ONNX_COMPLEX128, 1, doubles, sizeof doubles);
    m = tensor_head(TPAD_ONNX_DOUBLE, 1, two, NULL);
    put_field(&m, DOUBLES, doubles, 16);
    loads(&m, TPAD_ONNX_DOUBLE, 1, doubles, 16);
    m = tensor_head(TPAD_ONNX_FLOAT, 1, two, NULL);
    put_float(&m, FLOATS, 1.5f);
    put_float(&m, FLOATS, -2.0f);
    loads(&m, TPAD_ONNX_FLOAT, 1, floats, 8);
}

static void test_out_of_range(void **state)
{
    (void)state;
    static const struct {
        int32_t type;
        int field;
        int64_t number;
    } cases[] = {{TPAD_ONNX_INT8, INT32S, 128},          {TPAD_ONNX_UINT8, INT32S, -1},
                 {TPAD_ONNX_UINT8, INT32S, 256},         {TPAD_ONNX_INT16, INT32S, -32769},
                 {TPAD_ONNX_UINT16, INT32S, 65536},      {TPAD_ONNX_BOOL, INT32S, 2},
                 {TPAD_ONNX_UINT32, UINT64S, 1LL << 32}, {TPAD_ONNX_FLOAT16, INT32S, 65536}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        message m = tensor_head(cases[i].type, 0, NULL, NULL);
        put_number(&m, cases[i].field, cases[i].number);
        refused(&m, TPAD_E_FILE, "does not fit");
    }
}

static void test_strings(void **state)
{
    (void)state;
    const int64_t shape[] = {3};
    message m = tensor_head(TPAD_ONNX_STRING, 1, shape, NULL);
    put_text(&m, STRINGS, "ab");
    put_text(&m, STRINGS, "");
    put_field(&m, STRINGS, "c\0d", 3);
    tpad_tensor t;
    assert_int_equal(load(&t, &m), TPAD_OK);
    const tpad_string *strings = t.data;
    assert_int_equal(t.elem_bits, 8 * (int)sizeof(tpad_string));
    assert_int_equal(strings[1].length, 0);
    assert_int_equal(strings[2].length, 3);
    assert_memory_equal(strings[2].text, "c\0d", 3);

    tpad_output *out;
    assert_int_equal(tpad_output_begin(&out, "b.pb", &t, 1, &error), TPAD_OK);
    memcpy(tpad_output_data(out), t.data, 3 * sizeof(tpad_string));
    assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
    unsigned char written[100];
    assert_int_equal(scratch_read("b.pb", written, sizeof written), m.count);
    assert_memory_equal(written, m.bytes, m.count);
    tpad_tensor_free(&t);

    message raw = tensor_head(TPAD_ONNX_STRING, 1, two, NULL);
    put_text(&raw, RAW, "abcdefgh");
    refused(&raw, TPAD_E_FILE, "strings cannot be raw_data");
}

static void test_empty(void **state)
{
    (void)state;
    const int64_t none[] = {INT64_C(1) << 60, 0, INT64_C(1) << 60};
    message m = tensor_head(TPAD_ONNX_DOUBLE, 3, none, NULL);
    loads(&m, TPAD_ONNX_DOUBLE, 3, NULL, 0);
    put_field(&m, RAW, "", 0);
    loads(&m, TPAD_ONNX_DOUBLE, 3, NULL, 0);
    m = tensor_head(TPAD_ONNX_STRING, 3, none, NULL);
    loads(&m, TPAD_ONNX_STRING, 3, NULL, 0);
}

static void test_contradictions(void **state)
{
    (void)state;
    message m = tensor_head(TPAD_ONNX_FLOAT, 1, two, NULL);
    refused(&m, TPAD_E_FILE, "float_data has 0 entries");
    put_field(&m, RAW, "1234567", 7);
    refused(&m, TPAD_E_FILE, "raw_data has 7 bytes");
    m = tensor_head(TPAD_ONNX_FLOAT, 1, two, NULL);
    put_field(&m, RAW, "12345678", 8);
    put_float(&m, FLOATS, 1);
    refused(&m, TPAD_E_FILE, "as well as");
    m = tensor_head(TPAD_ONNX_INT32, 0, NULL, NULL);
    put_float(&m, FLOATS, 1);
    refused(&m, TPAD_E_FILE, "as well as");
    m = tensor_head(TPAD_ONNX_UINT8, 1, (const int64_t[]){-1}, NULL);
    refused(&m, TPAD_E_FILE, "extent -1");
    const int64_t huge[] = {INT64_C(1) << 40, INT64_C(1) << 40};
    m = tensor_head(TPAD_ONNX_UINT8, 2, huge, NULL);
    refused(&m, TPAD_E_FILE, "does not fit");
    m = tensor_head(TPAD_ONNX_UINT8, 1, huge, NULL);
    refused(&m, TPAD_E_FILE, "take 1099511627776");
    m = tensor_head(0, 0, NULL, NULL);
    refused(&m, TPAD_E_FILE, "no data_type");
    m = tensor_head(27, 0, NULL, NULL);
    refused(&m, TPAD_E_FILE_TYPE, "data_type 27");
    m = tensor_head(-1, 0, NULL, NULL);
    refused(&m, TPAD_E_FILE, "data_type -1");
    m = tensor_head(TPAD_ONNX_STRING, 1, two, NULL);
    put_text(&m, STRINGS, "one");
    refused(&m, TPAD_E_FILE, "string_data has 1 entries");
    m = tensor_head(TPAD_ONNX_UINT8, 0, NULL, NULL);
    put_field(&m, SEGMENT, "", 0);
    refused(&m, TPAD_E_FILE, "segment");
    m = tensor_head(TPAD_ONNX_UINT8, 0, NULL, NULL);
    put_number(&m, DATA_LOCATION, 2);
    refused(&m, TPAD_E_FILE, "data_location");
    m = tensor_head(TPAD_ONNX_UINT8, 0, NULL, NULL);
    put_field(&m, NAME, "a\0b", 3);
    put_field(&m, RAW, "x", 1);
    refused(&m, TPAD_E_FILE, "NUL");
    const int64_t ones[17] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    m = tensor_head(TPAD_ONNX_UINT8, 17, ones, NULL);
    refused(&m, TPAD_E_RANK, "17 dims");
}

static void test_wire(void **state)
{
    (void)state;
    /* A number where bytes belong: what nanopb hands over then must not be kept. */
    message m = tensor_head(TPAD_ONNX_UINT8, 0, NULL, NULL);
    put_number(&m, RAW, 1);
    refused(&m, TPAD_E_FILE, "wire type");
    m = tensor_head(TPAD_ONNX_FLOAT, 0, NULL, NULL);
    put_number(&m, FLOATS, 1);
    refused(&m, TPAD_E_FILE, "wire type");
    m = tensor_head(TPAD_ONNX_INT64, 0, NULL, NULL);
    put_float(&m, INT64S, 0);
    refused(&m, TPAD_E_FILE, "wire type");

    const float floats[] = {1, 2};
    m = tensor_head(TPAD_ONNX_FLOAT, 1, two, "name");
    put_field(&m, FLOATS, floats, sizeof floats);
    const size_t whole = m.count;
    for (m.count = 0; m.count < whole; m.count++) {
        tpad_tensor t;
        assert_int_not_equal(load(&t, &m), TPAD_OK);
    }
    /* Fields that we do not know are skipped. */
    put_text(&m, 12, "documentation");
    put_number(&m, 99, 1);
    loads(&m, TPAD_ONNX_FLOAT, 1, floats, sizeof floats);
}

static message external(const char *location, const char *offset, const char *length)
{
    const char *const pairs[][2] = {{"location", location}, {"offset", offset}, {"length", length}};
    message m = tensor_head(TPAD_ONNX_UINT16, 1, two, NULL);
    for (int i = 0; i < 3; i++) {
        message entry = {0};
        if (!pairs[i][1]) continue;
        put_text(&entry, 1, pairs[i][0]);
        put_text(&entry, 2, pairs[i][1]);
        put_message(&m, EXTERNAL_DATA, &entry);
    }
    put_number(&m, DATA_LOCATION, 1);
    return m;
}

static void test_external(void **state)
{
    (void)state;
    scratch_write("data.bin", "12345678", 8);
    assert_int_equal(mkdir("sub", 0777), 0);
    scratch_write("sub/data.bin", "abcd", 4);
    assert_int_equal(symlink("data.bin", "inner"), 0);
    assert_int_equal(symlink("/dev/null", "outer"), 0);
    assert_int_equal(symlink("/etc", "folder"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    message m = external("data.bin", NULL, NULL);
    loads(&m, TPAD_ONNX_UINT16, 1, "1234", 4);
    m = external("data.bin", "4", "4");
    loads(&m, TPAD_ONNX_UINT16, 1, "5678", 4);
    m = external("sub/data.bin", NULL, NULL);
    loads(&m, TPAD_ONNX_UINT16, 1, "abcd", 4);
    m = external("inner", NULL, NULL);
    loads(&m, TPAD_ONNX_UINT16, 1, "1234", 4);

    static const struct {
        const char *location, *offset, *length, *words;
        int32_t code;
    } cases[] = {
        {"data.bin", "5", NULL, "has only 8", TPAD_E_FILE},
        {"data.bin", "9", NULL, "has only 8", TPAD_E_FILE},
        {"data.bin", "0", "5", "has 5 bytes", TPAD_E_FILE},
        {"data.bin", "-1", NULL, "not a count", TPAD_E_FILE},
        {"data.bin", "9223372036854775807", NULL, "not a count", TPAD_E_FILE},
        {"data.bin", NULL, "", "not a count", TPAD_E_FILE},
        {"data.bin", "x", NULL, "not a count", TPAD_E_FILE},
        {"data.bin", NULL, "0x4", "not a count", TPAD_E_FILE},
        {"data.bin", "99999999999999999999", NULL, "not a count", TPAD_E_FILE},
        {"data.bin", "4611686018427387904", "4", "not a count", TPAD_E_FILE},
        {NULL, NULL, NULL, "no location", TPAD_E_FILE},
        {"", NULL, NULL, "no location", TPAD_E_FILE},
        {".", NULL, NULL, "leads out", TPAD_E_FILE},
        {"/dev/null", NULL, NULL, "outside", TPAD_E_FILE},
        {"../data.bin", NULL, NULL, "outside", TPAD_E_FILE},
        {"sub/../data.bin", NULL, NULL, "outside", TPAD_E_FILE},
        {"..", NULL, NULL, "outside", TPAD_E_FILE},
        {"outer", NULL, NULL, "leads out", TPAD_E_FILE},
        {"folder/passwd", NULL, NULL, "leads out", TPAD_E_FILE},
        {"pipe", NULL, NULL, "regular", TPAD_E_FILE},
        {"sub", NULL, NULL, "regular", TPAD_E_FILE},
        {"missing", NULL, NULL, "missing", TPAD_E_IO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        m = external(cases[i].location, cases[i].offset, cases[i].length);
        refused(&m, cases[i].code, cases[i].words);
    }
    m = external("data.bin", NULL, NULL);
    put_field(&m, RAW, "1234", 4);
    refused(&m, TPAD_E_FILE, "as well as");
}

/* What is written reads back the same, byte by byte where it was written as we write it. */
static void test_write(void **state)
{
    (void)state;
    const int64_t shapes[][3] = {{3, 0, 2}, {1, 2, 3}};
    for (int32_t type = 1; tpad_onnx_type_name(type); type++)
        for (int k = 0; k < 2; k++) {
            if (type == TPAD_ONNX_STRING) continue;
            tpad_tensor like, back;
            tpad_output *out;
            tpad_tensor_describe(&like, type, 3, shapes[k]);
            like.name = (char[]){"result"};
            const size_t bytes = k ? (6 * (size_t)like.elem_bits + 7) / 8 : 0;
            assert_int_equal(tpad_output_begin(&out, "w.pb", &like, 1, &error), TPAD_OK);
            for (size_t i = 0; i < bytes; i++)
                ((unsigned char *)tpad_output_data(out))[i] = (unsigned char)(i + 1);
            assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
            assert_int_equal(tpad_tensor_load(&back, "w.pb", 0, &error), TPAD_OK);
            assert_int_equal(back.type, type);
            assert_memory_equal(back.shape, shapes[k], sizeof shapes[k]);
            assert_string_equal(back.name, "result");
            for (size_t i = 0; i < bytes; i++)
                assert_int_equal(((const unsigned char *)back.data)[i], (unsigned char)(i + 1));
            tpad_tensor_free(&back);
        }
}

static void test_write_limits(void **state)
{
    (void)state;
    tpad_tensor like;
    tpad_output *out;
    tpad_tensor_describe(&like, TPAD_ONNX_UINT8, 1, (const int64_t[]){INT64_C(1) << 31});
    tpad_output_begin(&out, "large.pb", &like, 1, &error);
    says(&error, TPAD_E_FILE_TYPE, ".npy");
    tpad_tensor_describe(&like, TPAD_ONNX_UINT8, 1, two);
    like.type = 0;
    tpad_output_begin(&out, "large.pb", &like, 1, &error);
    says(&error, TPAD_E_FILE_TYPE, ".npy");
    assert_int_not_equal(access("large.pb", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raw),          cmocka_unit_test(test_typed_integers),
        cmocka_unit_test(test_typed_packed), cmocka_unit_test(test_typed_floats),
        cmocka_unit_test(test_out_of_range), cmocka_unit_test(test_strings),
        cmocka_unit_test(test_empty),        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_wire),         cmocka_unit_test(test_external),
        cmocka_unit_test(test_write),        cmocka_unit_test(test_write_limits),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
