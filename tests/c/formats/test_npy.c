/* .npy files: what is read, what is refused, what is written.  SPDX-License-Identifier: MIT */
#include "../../support/scratch.h"

#include "formats/formats.h"
#include <fcntl.h>

enum { ROOM = 1 << 17 };

/* Writes a file of that version with that header, then `count` bytes of elements 0, 1, 2 ... */
static void make(const char *path, int version, const char *header, size_t count)
{
    static unsigned char bytes[ROOM];
    size_t length = strlen(header), begin = version == 1 ? 10 : 12;
    assert_true(begin + length + count <= sizeof bytes);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)version;
    bytes[7] = 0;
    for (size_t i = 8; i < begin; i++) bytes[i] = (unsigned char)(length >> 8 * (i - 8));
    memcpy(bytes + begin, header, length);
    for (size_t i = 0; i < count; i++) bytes[begin + length + i] = (unsigned char)i;
    scratch_write(path, bytes, begin + length + count);
}

static void loads(tpad_tensor *tensor, const char *path, int32_t type)
{
    tpad_io_error error = {0};
    if (tpad_tensor_load(tensor, path, type, &error)) fail_msg("%s", error.text);
}

static void refused(const char *path, int32_t type, int32_t status, const char *part)
{
    tpad_tensor tensor;
    tpad_io_error error = {0};
    assert_int_equal(tpad_tensor_load(&tensor, path, type, &error), status);
    assert_int_equal(error.code, status);
    if (!strstr(error.text, part) || strstr(error.text, path) != error.text)
        fail_msg("\"%s\" has no \"%s\"", error.text, part);
    assert_null(strchr(error.text, '\n'));
    tpad_tensor_free(&tensor);
}

static void headers(void **state)
{
    static const struct {
        const char *header, *descr;
        int32_t type, bits, big_endian, rank;
    } samples[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n", "<f4", TPAD_ONNX_FLOAT,
         32, 0, 2},
        {"{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"<i1\"}", "|i1", TPAD_ONNX_INT8, 8, 0,
         1},
        {" {\t'descr' : '>i2' ,\n'fortran_order':True,'shape':( 1 , 2 , )\n} ", ">i2",
         TPAD_ONNX_INT16, 16, 1, 2},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "|b1", TPAD_ONNX_BOOL, 8, 0, 0},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "<c8", TPAD_ONNX_COMPLEX64, 64,
         0, 1},
        {"{'descr': '<f1', 'fortran_order': False, 'shape': (1,)}", NULL, TPAD_ONNX_FLOAT8E5M2, 8,
         0, 1},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "<f16", 0, 128, 0, 1},
        {"{'descr': '>c24', 'fortran_order': False, 'shape': (1,)}", ">c24", 0, 192, 1, 1},
        {"{'descr': '<M8[25s]', 'fortran_order': False, 'shape': (1,)}", "<M8[25s]", 0, 64, 0, 1},
        {"{'descr': '>m8', 'fortran_order': False, 'shape': (1,)}", ">m8", 0, 64, 1, 1},
        {"{'descr': '|a3', 'fortran_order': False, 'shape': (1,)}", "|S3", 0, 24, 0, 1},
        {"{'descr': '>U2', 'fortran_order': False, 'shape': (1,)}", ">U2", 0, 64, 1, 1},
        {"{'descr': '<V2', 'fortran_order': False, 'shape': (1,)}", "<V2", 0, 16, 0, 1},
        {"{'descr': [('a', '<f4'), ('b', '>i2', (2, 3))], 'fortran_order': False, 'shape': (1,)}",
         "[('a', '<f4'), ('b', '>i2', (2, 3))]", 0, 128, 0, 1},
        {"{'descr': [(('t', 'n\\''), '|i1'), ('', '|V7'), ('c', [('d', '<f8', 2,)], (1,),),], "
         "'fortran_order': False, 'shape': (1,)}",
         "[(('t', 'n\\''), '|i1'), ('', '|V7'), ('c', [('d', '<f8', 2,)], (1,),),]", 0, 192, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (int version = 1; version <= 3; version++) {
            tpad_tensor t;
            make("a.npy", version, samples[i].header, 64);
            loads(&t, "a.npy", 0);
            assert_int_equal(t.type, samples[i].type);
            assert_int_equal(t.elem_bits, samples[i].bits);
            assert_int_equal(t.big_endian, samples[i].big_endian);
            assert_int_equal(t.rank, samples[i].rank);
            assert_int_equal(*(const unsigned char *)t.data, 0);
            if (samples[i].descr)
                assert_string_equal(t.npy_descr, samples[i].descr);
            else
                assert_null(t.npy_descr);
            tpad_tensor_free(&t);
            assert_null(t.memory);
        }
}

static void layouts(void **state)
{
    tpad_tensor t;
    (void)state;
    make("c.npy", 1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3, 4)}", 48);
    loads(&t, "c.npy", 0);
    assert_true(t.strides[0] == 24 && t.strides[1] == 8 && t.strides[2] == 2);
    tpad_tensor_free(&t);
    make("f.npy", 1, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3, 4)}", 48);
    loads(&t, "f.npy", 0);
    assert_true(t.strides[0] == 2 && t.strides[1] == 4 && t.strides[2] == 12);
    tpad_tensor_free(&t);
    /* An extent of 0 hides any other, however large. */
    make("z.npy", 1,
         "{'descr': '<i2', 'fortran_order': True, 'shape': (2305843009213693951, 0, 9)}", 0);
    loads(&t, "z.npy", 0);
    assert_int_equal(t.shape[1], 0);
    tpad_tensor_free(&t);
}

static void other_types(void **state)
{
    tpad_tensor t;
    (void)state;
    make("v2.npy", 1, "{'descr': '<V2', 'fortran_order': False, 'shape': (2,)}", 4);
    make("v2b.npy", 1, "{'descr': '>V2', 'fortran_order': False, 'shape': (2,)}", 4);
    make("u2b.npy", 1, "{'descr': '>u2', 'fortran_order': False, 'shape': (2,)}", 4);
    make("i1.npy", 1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2,)}", 4);
    make("u1.npy", 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}", 4);
    make("i4.npy", 1, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,)}", 4);
    make("f2.npy", 1, "{'descr': '<f2', 'fortran_order': False, 'shape': (2,)}", 4);
    loads(&t, "v2.npy", TPAD_ONNX_BFLOAT16);
    assert_true(t.type == TPAD_ONNX_BFLOAT16 && !t.big_endian && !t.npy_descr);
    assert_string_equal(tpad_tensor_type_text(&t), "bfloat16");
    tpad_tensor_free(&t);
    loads(&t, "v2b.npy", TPAD_ONNX_BFLOAT16);
    assert_true(t.big_endian);
    tpad_tensor_free(&t);
    loads(&t, "u2b.npy", TPAD_ONNX_BFLOAT16);
    assert_true(t.type == TPAD_ONNX_BFLOAT16 && t.big_endian);
    tpad_tensor_free(&t);
    loads(&t, "u1.npy", TPAD_ONNX_FLOAT8E8M0);
    assert_int_equal(t.type, TPAD_ONNX_FLOAT8E8M0);
    tpad_tensor_free(&t);
    loads(&t, "f2.npy", TPAD_ONNX_FLOAT16);
    tpad_tensor_free(&t);
    loads(&t, "v2.npy", 0);
    assert_string_equal(tpad_tensor_type_text(&t), "<V2");
    tpad_tensor_free(&t);
    refused("f2.npy", TPAD_ONNX_BFLOAT16, TPAD_E_FILE_TYPE, "cannot be read as bfloat16");
    refused("v2.npy", TPAD_ONNX_FLOAT8E4M3FN, TPAD_E_FILE_TYPE, "cannot be read");
    refused("i1.npy", TPAD_ONNX_FLOAT8E8M0, TPAD_E_FILE_TYPE, "unsigned integers");
    refused("i4.npy", TPAD_ONNX_FLOAT, TPAD_E_FILE_TYPE, "cannot be read as float");
    refused("i1.npy", TPAD_ONNX_INT4, TPAD_E_FILE_TYPE, ".pb");
    refused("i1.npy", TPAD_ONNX_STRING, TPAD_E_FILE_TYPE, ".pb");
}

static void bad_headers(void **state)
{
#define WITH(descr, shape) "{'descr': " descr ", 'fortran_order': False, 'shape': " shape "}"
    static const struct {
        const char *header;
        int32_t status;
        const char *part;
    } samples[] = {
        {WITH("'<f4'", "(9223372036854775807,)"), TPAD_E_FILE, "extent 9223372036854775807"},
        {WITH("'<f4'", "(9223372036854775808,)"), TPAD_E_FILE, "extent 9223372036854775808"},
        {WITH("'<f4'", "(-1,)"), TPAD_E_FILE, "negative extent \"-1\""},
        {WITH("'<f4'", "(4294967296, 4294967296)"), TPAD_E_FILE, "does not fit in 64 bits"},
        {WITH("'<f4'", "(1000000000000,)"), TPAD_E_FILE, "its shape needs 4000000000000"},
        {WITH("'<f4'", "(2305843009213693951,)"), TPAD_E_FILE, "which no file holds"},
        {WITH("'|i1'", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), TPAD_E_RANK, "more than 16 axes"},
        {WITH("'|O'", "(1,)"), TPAD_E_FILE_TYPE, "Python objects"},
        {WITH("[('a', 'O')]", "(1,)"), TPAD_E_FILE_TYPE, "Python objects"},
        {WITH("'|S0'", "(1,)"), TPAD_E_FILE_TYPE, "0 bytes wide"},
        {WITH("'<U0'", "(1,)"), TPAD_E_FILE_TYPE, "0 bytes wide"},
        {WITH("[]", "(1,)"), TPAD_E_FILE_TYPE, "0 bytes wide"},
        {WITH("'|S65537'", "(1,)"), TPAD_E_FILE_TYPE, "65536 bytes"},
        {WITH("'<U99999999999999999999'", "(1,)"), TPAD_E_FILE_TYPE, "65536 bytes"},
        {WITH("[('a', '<f4', (65536, 65536, 65536, 65536))]", "(1,)"), TPAD_E_FILE_TYPE,
         "65536 bytes"},
        {WITH("[('a', '|V65536'), ('b', '|V1')]", "(1,)"), TPAD_E_FILE_TYPE, "65536 bytes"},
        {WITH("'<f3'", "(1,)"), TPAD_E_FILE, "unknown element type \"<f3\""},
        {WITH("'<M8[ns'", "(1,)"), TPAD_E_FILE, "unknown element type"},
        {WITH("'<M8x'", "(1,)"), TPAD_E_FILE, "unknown element type"},
        {WITH("'\x1b[31m'", "(1,)"), TPAD_E_FILE, "\"\\x1b[31m\""},
        {WITH("__import__('os')", "(1,)"), TPAD_E_FILE, "where an element type should be"},
        {WITH("'<f4'", "[1]"), TPAD_E_FILE, "where a tuple of extents should be"},
        {WITH("'<f4'", "(1.0,)"), TPAD_E_FILE, "where"},
        {WITH("'<f4'", "('1',)"), TPAD_E_FILE, "where"},
        {WITH("'<f4'", "(18446744073709551617,)"), TPAD_E_FILE, "extent"},
        {WITH("'<f4'", "(((((1"), TPAD_E_FILE, "where"},
        {WITH("''", "(1,)"), TPAD_E_FILE, "unknown element type"},
        {WITH("None", "(1,)"), TPAD_E_FILE, "where an element type should be"},
        {WITH("'<f4'", "(1 2)"), TPAD_E_FILE, "where a comma or ) should be"},
        {WITH("'<f4'", "(1,)") " x", TPAD_E_FILE, "where its end should be"},
        {WITH("'<f4'", "(1,), 'x': 1"), TPAD_E_FILE, "unknown key \"x\""},
        {WITH("'<f4'", "(1,), 'shape': (1,)"), TPAD_E_FILE, "second key \"shape\""},
        {"{'fortran_order': False, 'shape': (1,)}", TPAD_E_FILE, "has no \"descr\""},
        {"{'descr': '<f4', 'fortran_order': False}", TPAD_E_FILE, "has no \"shape\""},
        {"{'descr': '<f4', 'shape': (1,)}", TPAD_E_FILE, "has no \"fortran_order\""},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", TPAD_E_FILE, "True or False"},
        {"{'descr': '<f4", TPAD_E_FILE, "where the end of a string should be"},
        {"{'descr': [('a'", TPAD_E_FILE, "ends where a comma should be"},
        {"", TPAD_E_FILE, "ends where { should be"},
    };
    static char deep[ROOM / 2];
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        make("bad.npy", 1, samples[i].header, 0);
        refused("bad.npy", 0, samples[i].status, samples[i].part);
    }
    strcpy(deep, "{'descr': ");
    for (size_t at = strlen(deep); at + 8 < sizeof deep; at += 6) strcpy(deep + at, "[('a',");
    make("bad.npy", 1, deep, 0);
    refused("bad.npy", 0, TPAD_E_FILE, "more than 32 deep");
    make("bad.npy", 3, "{'descr': [('\xff', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4);
    refused("bad.npy", 0, TPAD_E_FILE, "is not text");
}

static void bad_frames(void **state)
{
    (void)state;
    scratch_write("empty.npy", "", 0);
    refused("empty.npy", 0, TPAD_E_FILE, "not an .npy file");
    scratch_write("zip.npy", "PK\3\4....", 8);
    refused("zip.npy", 0, TPAD_E_FILE, ".npz");
    scratch_write("other.npy", "\x93NUMPZ\1\0\2\0{}", 12);
    refused("other.npy", 0, TPAD_E_FILE, "not an .npy file");
    scratch_write("old.npy", "\x93NUMPY\0\0\2\0{}", 12);
    refused("old.npy", 0, TPAD_E_FILE, "version 0.0");
    scratch_write("new.npy", "\x93NUMPY\4\0\0\0\0\0", 12);
    refused("new.npy", 0, TPAD_E_FILE, "version 4.0");
    scratch_write("long.npy", "\x93NUMPY\2\0\xff\xff\xff\xff....", 16);
    refused("long.npy", 0, TPAD_E_FILE, "claims 4294967295 bytes");
    refused("none.npy", 0, TPAD_E_IO, "No such file");
    refused("array.txt", 0, TPAD_E_FILE_TYPE, "unknown ending");
    assert_int_equal(mkdir("folder.npy", 0777), 0);
    refused("folder.npy", 0, TPAD_E_IO, "is a folder");
}

/* Cut anywhere, from a file and from a pipe. */
static void truncated(void **state)
{
    static unsigned char whole[256];
    const char *record = "{'descr': [('a', '<f4', (2,)), ('b', [('c', '|S3')])], "
                         "'fortran_order': False, 'shape': (2, 1), }\n";
    (void)state;
    for (int version = 1; version <= 3; version++) {
        make("whole.npy", version, record, 22);
        size_t count = scratch_read("whole.npy", whole, sizeof whole);
        for (size_t cut = 0; cut < count; cut++) {
            int ends[2];
            tpad_tensor t;
            tpad_io_error error;
            scratch_write("cut.npy", whole, cut);
            refused("cut.npy", 0, TPAD_E_FILE, "");
            assert_int_equal(pipe(ends), 0);
            assert_int_equal(write(ends[1], whole, cut), cut);
            close(ends[1]);
            dup2(ends[0], STDIN_FILENO);
            close(ends[0]);
            assert_int_equal(tpad_tensor_load(&t, "-", 0, &error), TPAD_E_FILE);
            tpad_tensor_free(&t);
        }
    }
}

/* A pipe gives up what the header says and not a byte more. */
static void pipes(void **state)
{
    static unsigned char whole[256];
    int ends[2];
    tpad_tensor t;
    char next;
    (void)state;
    make("p.npy", 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (5,)}", 5);
    size_t count = scratch_read("p.npy", whole, sizeof whole);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], whole, count), count);
    assert_int_equal(write(ends[1], "!", 1), 1);
    dup2(ends[0], STDIN_FILENO);
    loads(&t, "-", 0);
    assert_memory_equal(t.data, "\0\1\2\3\4", 5);
    tpad_tensor_free(&t);
    assert_int_equal(read(STDIN_FILENO, &next, 1), 1);
    assert_int_equal(next, '!');
    close(ends[0]);
    close(ends[1]);
    /* A file on standard input is mapped, with whatever follows. */
    int file = open("p.npy", O_RDONLY);
    dup2(file, STDIN_FILENO);
    close(file);
    loads(&t, "-", 0);
    assert_int_equal(t.shape[0], 5);
    tpad_tensor_free(&t);
}

/* Exactly what NumPy writes. */
static void written(void **state)
{
    static unsigned char bytes[ROOM];
    static const int64_t shape[] = {2, 3};
    static const struct {
        int32_t type;
        const char *descr; /* given, or NULL */
        int32_t big_endian;
        const char *header;
    } samples[] = {
        {TPAD_ONNX_FLOAT, NULL, 0, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_FLOAT, NULL, 1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_BOOL, NULL, 0, "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_UINT8, NULL, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_COMPLEX128, NULL, 0,
         "{'descr': '<c16', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_BFLOAT16, NULL, 0,
         "{'descr': '<V2', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_FLOAT8E5M2, NULL, 0,
         "{'descr': '<V1', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_INT64, "<M8[ns]", 0,
         "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2, 3), }"},
        {TPAD_ONNX_INT32, "[('\xc3\xa9', '<i4')]", 0,
         "{'descr': [('\xe9', '<i4')], 'fortran_order': False, 'shape': (2, 3), }"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        tpad_tensor like;
        tpad_output *out;
        tpad_io_error error;
        char descr[64];
        tpad_tensor_describe(&like, samples[i].type, 2, shape);
        like.big_endian = samples[i].big_endian;
        if (samples[i].descr) like.npy_descr = strcpy(descr, samples[i].descr);
        size_t size = 6 * (size_t)like.elem_bits / 8;
        assert_int_equal(tpad_output_begin(&out, "w.npy", &like, 1, &error), TPAD_OK);
        memset(tpad_output_data(out), 7, size);
        assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
        assert_int_equal(scratch_read("w.npy", bytes, sizeof bytes), 128 + size);
        assert_memory_equal(bytes, "\x93NUMPY\1\0\x76\0", 10);
        size_t length = strlen(samples[i].header);
        assert_memory_equal(bytes + 10, samples[i].header, length);
        for (size_t at = 10 + length; at < 127; at++) assert_int_equal(bytes[at], ' ');
        assert_int_equal(bytes[127], '\n');
        assert_int_equal(bytes[128], 7);
    }
}

/* A record too long for version 1, and a name that Latin-1 lacks. */
static void newer_versions(void **state)
{
    static char descr[ROOM];
    char greek[] = "[('\xce\x94', '<i4')]";
    unsigned char start[8];
    tpad_tensor like, t;
    tpad_output *out;
    tpad_io_error error;
    (void)state;
    tpad_tensor_describe(&like, TPAD_ONNX_INT32, 0, NULL);
    like.type = 0;
    like.npy_descr = greek;
    for (int version = 3; version >= 2; version--) {
        assert_int_equal(tpad_output_begin(&out, "n.npy", &like, 1, &error), TPAD_OK);
        assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
        scratch_read("n.npy", start, sizeof start);
        assert_int_equal(start[6], version);
        loads(&t, "n.npy", 0);
        assert_string_equal(t.npy_descr, like.npy_descr);
        tpad_tensor_free(&t);
        strcpy(descr, "[");
        for (size_t at = 1; at < 66000; at += 13) strcpy(descr + at, "('a', '|i1'),");
        strcat(descr, "]");
        like.npy_descr = descr;
        like.elem_bits = 8 * (66000 / 13 + 1);
    }
}

static void not_written(void **state)
{
    static const int64_t shape[] = {2};
    static const int32_t types[] = {TPAD_ONNX_STRING, TPAD_ONNX_INT4, TPAD_ONNX_UINT2,
                                    TPAD_ONNX_FLOAT4E2M1};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        tpad_tensor like;
        tpad_output *out;
        tpad_io_error error;
        tpad_tensor_describe(&like, types[i], 1, shape);
        assert_int_equal(tpad_output_begin(&out, "x.npy", &like, 0, &error), TPAD_E_FILE_TYPE);
        assert_non_null(strstr(error.text, ".pb"));
        assert_null(out);
        assert_int_equal(access("x.npy", F_OK), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers),        cmocka_unit_test(layouts),
        cmocka_unit_test(other_types),    cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_frames),     cmocka_unit_test(truncated),
        cmocka_unit_test(pipes),          cmocka_unit_test(written),
        cmocka_unit_test(newer_versions), cmocka_unit_test(not_written),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
