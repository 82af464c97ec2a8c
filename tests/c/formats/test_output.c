/* Outputs: where they go, what is left behind when they cannot.  SPDX-License-Identifier: MIT */
#include "../../support/scratch.h"

#include "formats/formats.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

static tpad_io_error error;

static tpad_tensor array(int32_t type, int64_t rows, int64_t columns)
{
    tpad_tensor like;
    int64_t shape[] = {rows, columns};
    tpad_tensor_describe(&like, type, 2, shape);
    like.big_endian = 0;
    return like;
}

static int32_t begin(tpad_output **out, const char *path, const tpad_tensor *like,
                     int32_t overwrite)
{
    memset(&error, 0, sizeof error);
    int32_t status = tpad_output_begin(out, path, like, overwrite, &error);
    assert_int_equal(error.code, status);
    if (status) assert_null(*out);
    return status;
}

/* Writes 2 x 3 bytes of `byte`. */
static int32_t put(const char *path, int32_t overwrite, int byte)
{
    tpad_tensor like = array(TPAD_ONNX_UINT8, 2, 3);
    tpad_output *out;
    int32_t status = begin(&out, path, &like, overwrite);
    if (status) return status;
    memset(tpad_output_data(out), byte, 6);
    return tpad_output_commit(out, &error);
}

static void holds(const char *path, int byte)
{
    tpad_tensor t;
    assert_int_equal(tpad_tensor_load(&t, path, 0, &error), TPAD_OK);
    assert_true(t.type == TPAD_ONNX_UINT8 && t.shape[0] == 2 && t.shape[1] == 3);
    for (int i = 0; i < 6; i++) assert_int_equal(((const unsigned char *)t.data)[i], byte);
    tpad_tensor_free(&t);
}

static unsigned mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

static int in_folder(void **state)
{
    (void)state;
    return mkdir("work", 0777) == 0 && chdir("work") == 0 ? 0 : -1;
}

static int out_of_folder(void **state)
{
    (void)state;
    return chdir("..") == 0 && system("rm -rf work") == 0 ? 0 : -1;
}

/* A file that is no array: its ending means nothing, and it appears when it is complete. */
static void plain_bytes(void **state)
{
    tpad_output *out;
    char text[8] = "";
    (void)state;
    assert_int_equal(begin(&out, "a.svg", NULL, 0), TPAD_OK);
    assert_int_equal(tpad_output_write(out, "one", 3, &error), TPAD_OK);
    assert_int_equal(tpad_output_write(out, "two", 3, &error), TPAD_OK);
    assert_int_equal(access("a.svg", F_OK), -1);
    assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
    FILE *file = fopen("a.svg", "r");
    assert_int_equal(fread(text, 1, sizeof text, file), 6);
    fclose(file);
    assert_string_equal(text, "onetwo");
    assert_int_equal(begin(&out, "a.svg", NULL, 0), TPAD_E_EXISTS);
    assert_int_equal(begin(&out, "a.svg", NULL, 1), TPAD_OK);
    tpad_output_discard(out);
    assert_int_equal(scratch_entries("."), 1);
    assert_int_equal(begin(&out, "/dev/full", NULL, 0), TPAD_OK);
    assert_int_equal(tpad_output_write(out, "one", 3, &error), TPAD_E_IO);
    tpad_output_discard(out);
}

static void commit_and_discard(void **state)
{
    tpad_tensor like = array(TPAD_ONNX_FLOAT, 100, 100);
    tpad_output *out;
    (void)state;
    assert_int_equal(begin(&out, "a.npy", &like, 0), TPAD_OK);
    assert_int_equal(access("a.npy", F_OK), -1);
    assert_int_equal(access(tpad_output_temporary(out), F_OK), 0);
    tpad_output_discard(out);
    tpad_output_discard(NULL);
    assert_int_equal(scratch_entries("."), 0);
    assert_int_equal(put("a.npy", 0, 1), TPAD_OK);
    holds("a.npy", 1);
    assert_int_equal(scratch_entries("."), 1);
}

static void existing(void **state)
{
    tpad_tensor like = array(TPAD_ONNX_UINT8, 2, 3);
    tpad_output *out;
    (void)state;
    assert_int_equal(put("a.npy", 0, 1), TPAD_OK);
    assert_int_equal(put("a.npy", 0, 2), TPAD_E_EXISTS);
    assert_non_null(strstr(error.text, "-f"));
    holds("a.npy", 1);
    assert_int_equal(put("a.npy", 1, 2), TPAD_OK);
    holds("a.npy", 2);
    /* Somebody else is quicker. */
    assert_int_equal(begin(&out, "b.npy", &like, 0), TPAD_OK);
    scratch_write("b.npy", "mine", 4);
    assert_int_equal(tpad_output_commit(out, &error), TPAD_E_EXISTS);
    char text[5] = "";
    assert_int_equal(scratch_read("b.npy", text, 4), 4);
    assert_string_equal(text, "mine");
    assert_int_equal(scratch_entries("."), 2);
}

static void modes(void **state)
{
    mode_t old = umask(027);
    (void)state;
    assert_int_equal(put("a.npy", 0, 1), TPAD_OK);
    assert_int_equal(mode_of("a.npy"), 0640);
    umask(old);
    assert_int_equal(chmod("a.npy", 0604), 0);
    assert_int_equal(put("a.npy", 1, 2), TPAD_OK);
    assert_int_equal(mode_of("a.npy"), 0604);
}

static void links(void **state)
{
    struct stat status;
    (void)state;
    assert_int_equal(mkdir("far", 0777), 0);
    assert_int_equal(put("far/a.npy", 0, 1), TPAD_OK);
    assert_int_equal(symlink("far/a.npy", "link.npy"), 0);
    assert_int_equal(symlink("nowhere.npy", "lost.npy"), 0);
    assert_int_equal(put("link.npy", 0, 2), TPAD_E_EXISTS);
    assert_int_equal(put("link.npy", 1, 2), TPAD_OK);
    assert_int_equal(lstat("link.npy", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    holds("far/a.npy", 2);
    assert_int_equal(scratch_entries("far"), 1);
    assert_int_equal(put("lost.npy", 0, 1), TPAD_E_EXISTS);
    assert_int_equal(put("lost.npy", 1, 1), TPAD_E_IO);
    assert_int_equal(tpad_same_file("link.npy", "far/a.npy"), 1);
    assert_int_equal(tpad_same_file("link.npy", "lost.npy"), 0);
    assert_int_equal(put("b.npy", 0, 1), TPAD_OK);
    assert_int_equal(tpad_same_file("link.npy", "b.npy"), 0);
    assert_int_equal(tpad_same_file("far", "far"), 0);
    assert_int_equal(link("b.npy", "c.npy"), 0);
    assert_int_equal(tpad_same_file("b.npy", "c.npy"), 1);
    assert_int_equal(tpad_same_file("b.npy", "b.npy/c.npy"), 0);
    assert_int_equal(symlink("circle.npy", "circle.npy"), 0);
    assert_int_equal(tpad_same_file("b.npy", "circle.npy"), -1);
}

static void wrong_places(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d.npy", 0777), 0);
    assert_int_equal(put("d.npy", 0, 1), TPAD_E_IO);
    assert_int_equal(put("d.npy", 1, 1), TPAD_E_IO);
    assert_non_null(strstr(error.text, "is a folder"));
    assert_int_equal(put("none/a.npy", 0, 1), TPAD_E_IO);
    assert_int_equal(put("a.txt", 0, 1), TPAD_E_FILE_TYPE);
    assert_int_equal(scratch_entries("."), 1);
}

static void devices(void **state)
{
    (void)state;
    assert_int_equal(put("/dev/null", 0, 1), TPAD_OK);
    assert_int_equal(put("/dev/full", 0, 1), TPAD_E_IO);
    assert_non_null(strstr(error.text, "No space left"));
}

/* A pipe takes the file as it is; one that nobody reads any more is an error, not a signal. */
static void pipes(void **state)
{
    unsigned char bytes[256];
    int ends[2], out = dup(STDOUT_FILENO);
    (void)state;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    int32_t status = put("-", 0, 5);
    dup2(out, STDOUT_FILENO);
    assert_int_equal(status, TPAD_OK);
    assert_int_equal(read(ends[0], bytes, sizeof bytes), 128 + 6);
    assert_int_equal(bytes[133], 5);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    status = put("-", 0, 5);
    dup2(out, STDOUT_FILENO);
    close(out);
    assert_int_equal(status, TPAD_E_IO);
    assert_int_equal(scratch_entries("."), 0);
}

static void no_room(void **state)
{
    struct rlimit old, small;
    tpad_tensor like = array(TPAD_ONNX_FLOAT, 1000, 1000);
    tpad_output *out;
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int32_t status = begin(&out, "a.npy", &like, 0);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, TPAD_E_IO);
    assert_non_null(strstr(error.text, "no room for 4000128 bytes"));
    assert_int_equal(scratch_entries("."), 0);
    like = array(TPAD_ONNX_UINT8, TPAD_MAX_EXTENT, 3);
    assert_int_equal(begin(&out, "a.npy", &like, 0),
                     sizeof(size_t) < 8 ? TPAD_E_MEMORY : TPAD_E_IO);
    assert_int_equal(scratch_entries("."), 0);
    if (sizeof(size_t) < 8) { /* the sum of a small number and 2^32 */
        like = array(TPAD_ONNX_UINT8, 1 << 16, (1 << 16) + 1);
        assert_int_equal(begin(&out, "a.npy", &like, 0), TPAD_E_MEMORY);
        assert_int_equal(scratch_entries("."), 0);
    }
}

static void nothing_in_it(void **state)
{
    tpad_tensor like = array(TPAD_ONNX_FLOAT, 0, 3), t;
    tpad_output *out;
    (void)state;
    assert_int_equal(begin(&out, "z.npy", &like, 0), TPAD_OK);
    assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
    assert_int_equal(tpad_tensor_load(&t, "z.npy", 0, &error), TPAD_OK);
    assert_true(t.rank == 2 && t.shape[0] == 0 && t.shape[1] == 3);
    tpad_tensor_free(&t);
    assert_int_equal(begin(&out, "/dev/null", &like, 0), TPAD_OK);
    assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
}

/* The V2 of bfloat16 says no order, so it is turned; a type whose spelling says it stays. */
static void byte_order(void **state)
{
    static const int32_t types[] = {TPAD_ONNX_BFLOAT16, TPAD_ONNX_FLOAT16};
    (void)state;
    for (int i = 0; i < 2; i++) {
        tpad_tensor like = array(types[i], 1, 1), t;
        tpad_output *out;
        like.big_endian = 1;
        assert_int_equal(begin(&out, "a.npy", &like, 1), TPAD_OK);
        memcpy(tpad_output_data(out), "\x3f\x80", 2);
        assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
        assert_int_equal(tpad_tensor_load(&t, "a.npy", types[i], &error), TPAD_OK);
        assert_int_equal(t.big_endian, i);
        assert_memory_equal(t.data, i ? "\x3f\x80" : "\x80\x3f", 2);
        tpad_tensor_free(&t);
    }
}

static int has_png(void)
{
    return strstr(tpad_io_features(), "png") != NULL;
}

static void pictures(void **state)
{
    static const int32_t types[] = {TPAD_ONNX_UINT8, TPAD_ONNX_UINT16};
    (void)state;
    if (!has_png()) skip();
    for (int kind = 0; kind < 3; kind++)
        for (int64_t channels = 1; channels <= 4; channels++) {
            tpad_tensor like, t;
            tpad_output *out;
            int64_t shape[] = {5, 7, channels};
            size_t size = (size_t)(35 * channels) << (kind > 0);
            tpad_tensor_describe(&like, types[kind > 0], 3, shape);
            if (kind == 2) like.big_endian = !like.big_endian;
            assert_int_equal(begin(&out, "p.png", &like, 1), TPAD_OK);
            unsigned char *data = tpad_output_data(out), copy[280];
            for (size_t i = 0; i < size; i++) data[i] = (unsigned char)(i * 37);
            /* Reading gives this machine's order. */
            for (size_t i = 0; i < size; i++) copy[i] = data[kind == 2 ? i ^ 1 : i];
            assert_int_equal(tpad_output_commit(out, &error), TPAD_OK);
            assert_int_equal(tpad_tensor_load(&t, "p.png", 0, &error), TPAD_OK);
            assert_int_equal(t.type, like.type);
            assert_int_equal(t.rank, 3);
            assert_memory_equal(t.shape, shape, sizeof shape);
            assert_memory_equal(t.data, copy, size);
            tpad_tensor_free(&t);
        }
    assert_int_equal(put("flat.png", 0, 9), TPAD_OK);
    assert_int_equal(put("/dev/null", 0, 9), TPAD_OK);
    assert_int_equal(scratch_entries("."), 2);
}

static void no_pictures(void **state)
{
    static const struct {
        int32_t type, rank;
        int64_t shape[4];
        const char *part;
    } samples[] = {
        {TPAD_ONNX_FLOAT, 2, {2, 3}, "not float of rank 2"},
        {TPAD_ONNX_UINT8, 1, {2}, "rank 1"},
        {TPAD_ONNX_UINT8, 4, {1, 2, 3, 3}, "rank 4"},
        {TPAD_ONNX_UINT8, 3, {2, 3, 5}, "1 to 4 channels (the last axis), not 5"},
        {TPAD_ONNX_UINT8, 3, {2, 3, 0}, "not 0"},
        {TPAD_ONNX_UINT8, 2, {0, 3}, "rows, not 0"},
        {TPAD_ONNX_UINT8, 2, {3, 2147483648}, "columns, not 2147483648"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        tpad_tensor like;
        tpad_output *out;
        tpad_tensor_describe(&like, samples[i].type, samples[i].rank, samples[i].shape);
        assert_int_equal(begin(&out, "p.png", &like, 0), TPAD_E_FILE_TYPE);
        assert_non_null(strstr(error.text, has_png() ? samples[i].part : "without libpng"));
    }
    assert_int_equal(scratch_entries("."), 0);
}

/* Damaged pictures: cut anywhere, and one that claims more than it can hold. */
static void bad_pictures(void **state)
{
    static unsigned char bytes[4096];
    (void)state;
    if (!has_png()) skip();
    assert_int_equal(put("p.png", 0, 9), TPAD_OK);
    size_t count = scratch_read("p.png", bytes, sizeof bytes);
    for (size_t cut = 0; cut < count; cut++) {
        tpad_tensor t;
        scratch_write("cut.png", bytes, cut);
        assert_int_equal(tpad_tensor_load(&t, "cut.png", 0, &error), TPAD_E_FILE);
    }
    /* 65,535 x 65,535 grey pixels in 67 bytes, with the right checksum. */
    static const unsigned char liar[] = "\0\0\xff\xff\0\0\xff\xff\x08\0\0\0\0\x93\x6e\x86\x8c";
    tpad_tensor t;
    memcpy(bytes + 16, liar, sizeof liar - 1);
    scratch_write("liar.png", bytes, count);
    assert_int_equal(tpad_tensor_load(&t, "liar.png", 0, &error), TPAD_E_FILE);
    if (!strstr(error.text, "claims 65535 rows of 65535 bytes")) fail_msg("%s", error.text);
}

static void memory_that_is_there(void **state)
{
    (void)state;
    assert_true(tpad_fits_memory(0));
    assert_true(tpad_fits_memory(1 << 20));
    assert_false(tpad_fits_memory(INT64_MAX));
    assert_false(tpad_fits_memory(-1));
    /* What a 32-bit machine would take for a small number is too large there. */
    if (sizeof(size_t) == 4) assert_false(tpad_fits_memory(INT64_C(4294967296) + 10));
    FILE *told = fopen("/proc/meminfo", "r");
    if (!told) skip(); /* a system that does not tell */
    fclose(told);
    assert_false(tpad_fits_memory((int64_t)1 << 50));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, in_folder, out_of_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(commit_and_discard),
        IN_FOLDER(plain_bytes),
        IN_FOLDER(existing),
        IN_FOLDER(modes),
        IN_FOLDER(links),
        IN_FOLDER(wrong_places),
        IN_FOLDER(devices),
        IN_FOLDER(pipes),
        IN_FOLDER(no_room),
        IN_FOLDER(nothing_in_it),
        cmocka_unit_test(memory_that_is_there),
        IN_FOLDER(byte_order),
        IN_FOLDER(pictures),
        IN_FOLDER(no_pictures),
        IN_FOLDER(bad_pictures),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
