/* Plans as values, and their parts.  SPDX-License-Identifier: MIT
 *
 * That a plan may be copied, moved and kept in read-only memory; what it tells of itself; and that
 * its parts are equal shares of the output which have no byte in common. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/random_main.h"

static guard plan_memory, text_memory;

static int open_memory(void **state)
{
    (void)state;
    guard_open(&plan_memory, sizeof(tpad_plan));
    guard_open(&text_memory, 1 << 14);
    return 0;
}

static int close_memory(void **state)
{
    (void)state;
    guard_close(&plan_memory);
    guard_close(&text_memory);
    return 0;
}

/* ---- A small problem with a known result ----------------------------------------------------- */

static const unsigned char small_src[6] = {1, 2, 3, 4, 5, 6};
static const unsigned char small_value = 9;
/* 2 x 3: a row of fill before and after, two columns reflected in front, one after it. */
static const unsigned char small_expected[24] = {9, 9, 9, 9, 9, 9, 3, 2, 1, 2, 3, 2,
                                                 6, 5, 4, 5, 6, 5, 9, 9, 9, 9, 9, 9};

static tpad_plan small_plan(void)
{
    const tpad_axis axes[2] = {{.in_extent = 2, .before = 1, .after = 1},
                               {.in_extent = 3, .before = 2, .after = 1, .mode = TPAD_REFLECT}};
    const tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    return plan;
}

static void check_small(const tpad_plan *plan)
{
    unsigned char dst[24] = {0};
    assert_int_equal(tpad_run(plan, small_src, dst, &small_value), TPAD_OK);
    assert_memory_equal(dst, small_expected, sizeof dst);
}

/* ---- Plans as values ------------------------------------------------------------------------- */

static void plans_run_from_read_only_memory(void **state)
{
    const tpad_plan plan = small_plan();
    tpad_plan other;
    int64_t first[2] = {0, 0}, extents[2] = {4, 6};
    const tpad_box box = {sizeof box, first, extents, NULL, NULL, NULL};
    unsigned char dst[24];
    char text[1024];
    (void)state;
    tpad_plan *sealed =
        (tpad_plan *)(void *)guard_place(&plan_memory, sizeof plan, GUARD_AT_END, 0);
    *sealed = plan;
    guard_read_only(&plan_memory);
    check_small(sealed);
    memset(dst, 0, sizeof dst);
    for (int64_t part = 3; part-- > 0;) {
        assert_int_equal(tpad_run_part(sealed, small_src, dst, &small_value, part, 3), TPAD_OK);
    }
    assert_memory_equal(dst, small_expected, sizeof dst);
    assert_int_equal(tpad_plan_box(&other, sizeof other, sealed, &box, NULL), TPAD_OK);
    check_small(&other);
    assert_int_equal(tpad_plan_needs(sealed, first, extents), TPAD_OK);
    assert_int_equal(extents[0], 2);
    assert_int_equal(extents[1], 3);
    assert_int_equal(tpad_plan_shape(sealed, extents), 2);
    assert_int_equal(extents[0], 4);
    assert_int_equal(extents[1], 6);
    assert_true(tpad_plan_describe(sealed, text, sizeof text) < sizeof text);
    assert_int_equal(tpad_plan_border(&other, sizeof other, sealed, NULL), TPAD_OK);
}

/* Any plan, in memory that ends where it does. */
static void random_plans_run_from_read_only_memory(void **state)
{
    bench b;
    (void)state;
    bench_open(&b);
    for (uint64_t k = 0; k < 5000; k++) {
        rng r = rng_seeded(8, k);
        random_problem p;
        tpad_plan plan;
        random_problem_make(&p, &r, 0);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
        tpad_plan *sealed =
            (tpad_plan *)(void *)guard_place(&plan_memory, sizeof plan, GUARD_AT_END, 0);
        memcpy(sealed, &plan, sizeof plan);
        memset(&plan, 0xFF, sizeof plan);
        guard_read_only(&plan_memory);
        bench_fill(&b, &r, &p);
        assert_int_equal(tpad_run(sealed, b.src, b.dst, b.value), TPAD_OK);
        if (!bench_check(&b, "a sealed plan")) {
            random_problem_print(stderr, &p.problem);
            fail();
        }
        random_problem_close(&p);
    }
    bench_close(&b);
}

static void plans_name_their_kernels(void **state)
{
    const tpad_plan plan = small_plan();
    const char *forced = getenv("TENSORPAD_KERNELS");
    char text[1024], line[64];
    (void)state;
    tpad_plan_describe(&plan, text, sizeof text);
    snprintf(line, sizeof line, "\nkernels: %s\n", tpad_kernels_name());
    assert_non_null(strstr(text, line));
    if (forced) assert_string_equal(tpad_kernels_name(), forced);
}

/* The description is the same as far as it goes in every shorter buffer. */
static void check_description(const tpad_plan *plan)
{
    char whole[4096];
    size_t length = tpad_plan_describe(plan, whole, sizeof whole);
    assert_in_range(length, 1, sizeof whole - 1);
    assert_int_equal(strlen(whole), length);
    assert_int_equal(tpad_plan_describe(plan, NULL, 0), length);
    for (size_t bytes = 1; bytes <= length + 2; bytes++) {
        size_t kept = bytes <= length ? bytes - 1 : length;
        char *cut = (char *)guard_place(&text_memory, bytes, GUARD_AT_END, 0);
        memset(cut, '#', bytes);
        assert_int_equal(tpad_plan_describe(plan, cut, bytes), length);
        assert_int_equal(strlen(cut), kept);
        assert_memory_equal(cut, whole, kept);
        assert_true(guard_intact(&text_memory));
    }
}

static void descriptions_may_be_cut(void **state)
{
    const tpad_axis nothing = {.in_extent = 3, .after = -3};
    const tpad_problem empty = TPAD_PROBLEM(8, 1, &nothing);
    tpad_plan empty_plan;
    (void)state;
    assert_int_equal(tpad_plan_init(&empty_plan, sizeof empty_plan, &empty, NULL), TPAD_OK);
    check_description(&empty_plan);
    for (uint64_t k = 0; k < 300; k++) {
        rng r = rng_seeded(5, k);
        random_problem p;
        tpad_plan plan, border;
        random_problem_make(&p, &r, 0);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
        check_description(&plan);
        if (tpad_plan_border(&border, sizeof border, &plan, NULL) == TPAD_OK) {
            check_description(&border);
        }
        random_problem_close(&p);
    }
}

/* ---- Parts and runners ----------------------------------------------------------------------- */

/* Marks the bytes that a part writes: none of its bytes is both 0 and 255 twice. */
static void mark_part(const random_problem *p, const tpad_plan *plan, const void *src,
                      const void *value, int64_t part, int64_t parts, unsigned char *marks)
{
    size_t bytes = (size_t)(p->out_end - p->out_begin);
    unsigned char *dst = malloc(bytes + 1);
    assert_non_null(dst);
    for (int filler = 0; filler <= 255; filler += 255) {
        memset(dst, filler, bytes);
        int32_t status =
            tpad_run_part(plan, src, bench_base(dst, p->out_begin), value, part, parts);
        assert_int_equal(status, TPAD_OK);
        for (size_t i = 0; i < bytes; i++) marks[i] |= dst[i] != filler;
    }
    free(dst);
}

static void parts_share_no_byte(void **state)
{
    bench b;
    (void)state;
    bench_open(&b);
    for (uint64_t k = 0; k < 3000; k++) {
        rng r = rng_seeded(7, k);
        random_problem p;
        tpad_plan plan;
        random_problem_make(&p, &r, k % 3 == 0 ? RANDOM_DENSE : 0);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
        bench_fill(&b, &r, &p);
        if (k % 2 == 0) {
            const tpad_plan whole = plan;
            const piece cells = piece_random(&r, p.problem.rank, p.truth.extents);
            const tpad_box box = {sizeof box, cells.first, cells.extents, NULL, NULL, NULL};
            assert_int_equal(tpad_plan_box(&plan, sizeof plan, &whole, &box, NULL), TPAD_OK);
        }
        unsigned char *seen = calloc(2, b.out_bytes + 1);
        unsigned char *marks = seen + b.out_bytes + 1;
        int64_t parts = rng_range(&r, 2, 6);
        assert_non_null(seen);
        for (int64_t part = 0; part < parts; part++) {
            memset(marks, 0, b.out_bytes);
            mark_part(&p, &plan, b.src, b.value, part, parts, marks);
            for (size_t i = 0; i < b.out_bytes; i++) {
                if (seen[i] && marks[i]) {
                    random_problem_print(stderr, &p.problem);
                    fail_msg("byte %zu belongs to part %d of %d and to an earlier one", i,
                             (int)part, (int)parts);
                }
                seen[i] |= marks[i];
            }
        }
        free(seen);
        random_problem_close(&p);
    }
    bench_close(&b);
}

/* Outputs of a few cache lines: no part has more than one line more than another. */
static void parts_of_few_lines_are_equal_shares(void **state)
{
    enum { LINE = 64, MOST_LINES = 9, MOST_PARTS = 6 };
    const unsigned char src[3] = {1, 2, 3};
    (void)state;
    for (int64_t lines = 1; lines <= MOST_LINES; lines++) {
        const tpad_axis axis = {.in_extent = 3, .after = lines * LINE - 3, .mode = TPAD_WRAP};
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
        tpad_plan plan;
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        for (int64_t parts = 1; parts <= MOST_PARTS; parts++) {
            size_t least = MOST_LINES * LINE, most = 0;
            for (int64_t part = 0; part < parts; part++) {
                unsigned char dst[MOST_LINES * LINE] = {0};
                size_t written = 0;
                assert_int_equal(tpad_run_part(&plan, src, dst, NULL, part, parts), TPAD_OK);
                for (size_t i = 0; i < sizeof dst; i++) written += dst[i] != 0;
                if (written < least) least = written;
                if (written > most) most = written;
            }
            assert_true(most - least <= LINE);
            assert_true(most * (size_t)parts >= (size_t)(lines * LINE));
        }
    }
}

static void parts_are_equal_shares(void **state)
{
    enum { BYTES = 1 << 20, PARTS = 7 };
    static unsigned char src[BYTES / 2], dst[BYTES];
    const tpad_axis axes[2] = {{.in_extent = 512, .before = 200, .after = 312},
                               {.in_extent = 1024, .mode = TPAD_WRAP}};
    const tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    const unsigned char value = 255;
    tpad_plan plan;
    (void)state;
    memset(src, 255, sizeof src);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    for (int64_t part = 0; part < PARTS; part++) {
        int64_t written = 0;
        memset(dst, 0, sizeof dst);
        assert_int_equal(tpad_run_part(&plan, src, dst, &value, part, PARTS), TPAD_OK);
        for (size_t i = 0; i < BYTES; i++) written += dst[i] == 255;
        assert_in_range(written, BYTES / PARTS * 9 / 10, BYTES / PARTS * 11 / 10);
    }
}

/* Numbers of parts whose products with anything leave 64 bits. */
static void there_may_be_very_many_parts(void **state)
{
    enum { BYTES = 5000 };
    const int64_t numbers[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX / 2, (int64_t)1 << 62};
    const tpad_axis axis = {.after = BYTES};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    const unsigned char value = 7;
    tpad_plan plan;
    (void)state;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        const int64_t parts = numbers[k];
        unsigned char *dst = guard_place(&text_memory, BYTES, GUARD_BETWEEN, 40);
        memset(dst, 0, BYTES);
        for (int64_t part = 0; part < BYTES; part++) {
            const int64_t places[] = {part, parts / 3 + part, parts - 1 - part};
            for (int i = 0; i < 3; i++) {
                int32_t status = tpad_run_part(&plan, NULL, dst, &value, places[i], parts);
                assert_int_equal(status, TPAD_OK);
            }
        }
        assert_true(guard_intact(&text_memory));
        for (size_t i = 0; i < BYTES; i++) assert_true(dst[i] == 0 || dst[i] == value);
    }
}

typedef struct calls_log {
    int64_t calls, count, fail_at;
} calls_log;

static int32_t run_backwards(void *context, int64_t count, tpad_body body, void *user)
{
    calls_log *l = context;
    l->calls++;
    l->count = count;
    for (int64_t i = count; i-- > 0;) {
        if (i == l->fail_at) return -42;
        body(user, i);
    }
    return 0;
}

/* An output of that many bytes, one row of `bytes` cells of fill. */
static tpad_plan fill_plan(int64_t bytes, int32_t elem_bits)
{
    const tpad_axis axis = {.after = bytes * 8 / elem_bits};
    const tpad_problem problem = TPAD_PROBLEM(elem_bits, 1, &axis);
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    return plan;
}

static void runners_are_called_once(void **state)
{
    enum { BYTES = 5 << 20 };
    unsigned char *dst = calloc(BYTES, 1);
    const unsigned char value[2] = {7, 7};
    (void)state;
    assert_non_null(dst);
    for (int32_t bits = 1; bits <= 16; bits *= 2) {
        const tpad_plan plan = fill_plan(BYTES, bits);
        const unsigned char byte = bits == 1 ? 0xFF : bits == 2 ? 0xFF : bits == 4 ? 0x77 : 7;
        calls_log l = {0, 0, -1};
        const tpad_runner runner = {sizeof runner, &l, 5, run_backwards};
        memset(dst, 0, BYTES);
        assert_int_equal(tpad_run_with(&plan, NULL, dst, value, &runner), TPAD_OK);
        for (size_t i = 0; i < BYTES; i++) assert_int_equal(dst[i], byte);
        assert_int_equal(l.calls, 1);
        assert_int_equal(l.count, 5);
        l.fail_at = 0;
        assert_int_equal(tpad_run_with(&plan, NULL, dst, value, &runner), -42);
    }
    free(dst);
}

static void runners_get_no_crumbs(void **state)
{
#if defined(__unix__)
    enum { MOST = 16 << 20 };
#else
    enum { MOST = 4 << 20 }; /* there is no more */
#endif
    unsigned char *dst = calloc(MOST, 1);
    (void)state;
    assert_non_null(dst);
    for (int64_t bytes = 0; bytes <= MOST; bytes = bytes ? 4 * bytes : 1) {
        const tpad_plan plan = fill_plan(bytes, 8);
        calls_log l = {0, 0, -1};
        const tpad_runner runner = {sizeof runner, &l, 1 << 20, run_backwards};
        const unsigned char value = (unsigned char)(bytes % 255);
        assert_int_equal(tpad_run_with(&plan, NULL, dst, &value, &runner), TPAD_OK);
        for (int64_t i = 0; i < bytes; i++) assert_int_equal(dst[i], value);
        if (bytes < 1 << 20) assert_int_equal(l.calls, 0);
        if (bytes >= 4 << 20) assert_in_range(l.count, 2, bytes >> 16);
        /* A width of 1 says that there is nobody else. */
        const tpad_runner alone = {sizeof runner, &l, 1, run_backwards};
        l.calls = 0;
        assert_int_equal(tpad_run_with(&plan, NULL, dst, &value, &alone), TPAD_OK);
        assert_int_equal(l.calls, 0);
    }
    free(dst);
}

/* Bits with gaps between them: any two may share a byte, so they are not for two threads. */
static void scattered_bits_are_not_split(void **state)
{
    enum { BYTES = 8 << 20 };
    const tpad_axis axis = {.after = BYTES * 4, .out_stride = 2};
    tpad_problem problem = TPAD_PROBLEM(1, 1, &axis);
    unsigned char *dst = calloc(BYTES, 1);
    const unsigned char value = 1;
    calls_log l = {0, 0, -1};
    const tpad_runner runner = {sizeof runner, &l, 8, run_backwards};
    tpad_plan plan;
    (void)state;
    assert_non_null(dst);
    problem.flags = TPAD_OUT_STRIDES;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run_with(&plan, NULL, dst, &value, &runner), TPAD_OK);
    assert_int_equal(l.calls, 0);
    for (size_t i = 0; i < BYTES; i++) assert_int_equal(dst[i], 0x55);
    free(dst);
}

/* ---- In words ---------------------------------------------------------------------------------- */

/* The whole text of tpad_plan_describe. The runs were worked out by hand on docs/semantics.md. */
static void expect_plan(const tpad_plan *plan, const char *words, const char *how)
{
    char text[1024], whole[1024];
    snprintf(whole, sizeof whole, "%swritten by %s\nkernels: %s\n", words, how,
             tpad_kernels_name());
    assert_int_equal(tpad_plan_describe(plan, text, sizeof text), strlen(whole));
    assert_string_equal(text, whole);
}

/* Small outputs of bytes are written by a list, unless a test chose the kernels; then nothing is
 * said of how. */
static void expect(int32_t bits, int32_t rank, const tpad_axis *axes, const char *words)
{
    const tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    tpad_plan plan;
    char text[1024];
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    if (!getenv("TENSORPAD_KERNELS")) {
        expect_plan(&plan, words, bits < 8 ? "blocks" : "a list");
        return;
    }
    tpad_plan_describe(&plan, text, sizeof text);
    assert_memory_equal(text, words, strlen(words));
}

/* a b c becomes c b a b c b a. */
static void runs_of_each_mode(void **state)
{
    (void)state;
    expect(32, 2, (tpad_axis[]){{.in_extent = 2}, {3, 2, 2, .mode = TPAD_REFLECT}},
           "2 x 7 elements of 32 bits\nwalked as 2 x 7 cells of 4 bytes\n  loop 0: copy 2\n"
           "  loop 1: copy 1, reverse 1, copy 3, reverse 1, copy 1\n");
    expect(8, 1, (tpad_axis[]){{3, 2, 1, .mode = TPAD_SYMMETRIC}},
           "6 elements of 8 bits\nwalked as 6 cells of 1 bytes\n"
           "  loop 0: reverse 2, copy 3, reverse 1\n");
    expect(8, 1, (tpad_axis[]){{4, 3, 1, .mode = TPAD_EDGE}},
           "8 elements of 8 bits\nwalked as 8 cells of 1 bytes\n"
           "  loop 0: repeat 3, copy 4, repeat 1\n");
    expect(1, 1, (tpad_axis[]){{3, 0, 2, .mode = TPAD_CONSTANT}},
           "5 elements of 1 bits\nwalked as 5 cells of 1 bits\n  loop 0: copy 3, fill 2\n");
}

/* a . b . c: constant; and mirrored in front, as . b . a . b . c is without its first cell. */
static void runs_with_gaps(void **state)
{
    (void)state;
    expect(16, 1, (tpad_axis[]){{3, 2, 1, .interior = 1}},
           "8 elements of 16 bits\nwalked as 8 cells of 2 bytes\n"
           "  loop 0: fill 2, spread over 5, fill 1\n");
    expect(16, 1, (tpad_axis[]){{3, 3, 0, .interior = 1, .mode = TPAD_REFLECT}},
           "8 elements of 16 bits\nwalked as 8 cells of 2 bytes\n"
           "  loop 0: fill 1, reversed spread over 2, spread over 5\n");
    expect(16, 1, (tpad_axis[]){{2, 1, 0, .interior = 1, .mode = TPAD_WRAP}},
           "4 elements of 16 bits\nwalked as 4 cells of 2 bytes\n"
           "  loop 0: copy 1, spread over 3\n");
}

/* a b again and again: six runs are shown. */
static void more_runs_than_are_shown(void **state)
{
    (void)state;
    expect(8, 1, (tpad_axis[]){{2, 4, 6, .mode = TPAD_WRAP}},
           "12 elements of 8 bits\nwalked as 12 cells of 1 bytes\n"
           "  loop 0: copy 2, copy 2, copy 2, copy 2, copy 2, copy 2\n");
    expect(8, 1, (tpad_axis[]){{2, 9, 9, .mode = TPAD_WRAP}},
           "20 elements of 8 bits\nwalked as 20 cells of 1 bytes\n"
           "  loop 0: copy 1, copy 2, copy 2, copy 2, copy 2, copy 2, and so on for 9\n");
}

static void little_to_do(void **state)
{
    tpad_plan plan, border;
    char text[100];
    (void)state;
    expect(64, 0, NULL, "1 elements of 64 bits\nwalked as 1 cells of 8 bytes\n  loop 0: copy 1\n");
    expect(8, 2, (tpad_axis[]){{.in_extent = 4}, {.in_extent = 5}},
           "4 x 5 elements of 8 bits\nwalked as 1 cells of 20 bytes\n  loop 0: copy 1\n");

    const tpad_axis nothing = {.in_extent = 3, .after = -3};
    const tpad_problem empty = TPAD_PROBLEM(8, 1, &nothing);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &empty, NULL), TPAD_OK);
    tpad_plan_describe(&plan, text, sizeof text);
    assert_string_equal(text, "0 elements of 8 bits\nnothing to write\n");

    const tpad_axis framed = {.in_extent = 3, .before = 1, .after = 1};
    const tpad_problem frame = TPAD_PROBLEM(8, 1, &framed);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &frame, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, NULL), TPAD_OK);
    expect_plan(&border,
                "border of 5 elements of 8 bits\nwalked as 5 cells of 1 bytes\n"
                "  loop 0: fill 1, copy 3, fill 1\n",
                "blocks");

    memset(&plan, 0, sizeof plan);
    assert_int_equal(tpad_plan_describe(&plan, text, sizeof text), strlen("no plan was made\n"));
    assert_string_equal(text, "no plan was made\n");
}

/* Rows of bytes have a table where the kernels can use one; long rows of bits are copied by words,
 * and still longer ones by blocks. */
static void how_large_outputs_are_written(void **state)
{
    static const struct {
        int32_t bits;
        int64_t length;
        const char *words;
    } cases[] = {
        {8, 1000, "100 x 1001 elements of 8 bits\nwalked as 100 x 1001 cells of 1 bytes\n"},
        {1, 8003, "100 x 8004 elements of 1 bits\nwalked as 100 x 8004 cells of 1 bits\n"},
        {1, 56023, "100 x 56024 elements of 1 bits\nwalked as 100 x 56024 cells of 1 bits\n"}};
    const char *hows[] = {strcmp(tpad_kernels_name(), "plain") == 0 ? "words" : "a table", "words",
                          "blocks"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        const tpad_axis axes[2] = {{.in_extent = 99, .before = 1},
                                   {.in_extent = cases[i].length, .after = 1}};
        const tpad_problem problem = TPAD_PROBLEM(cases[i].bits, 2, axes);
        tpad_plan plan;
        char words[256];
        snprintf(words, sizeof words, "%s  loop 0: fill 1, copy 99\n  loop 1: copy %d, fill 1\n",
                 cases[i].words, (int)cases[i].length);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        expect_plan(&plan, words, hows[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_run_from_read_only_memory),
        cmocka_unit_test(random_plans_run_from_read_only_memory),
        cmocka_unit_test(plans_name_their_kernels),
        cmocka_unit_test(descriptions_may_be_cut),
        cmocka_unit_test(runs_of_each_mode),
        cmocka_unit_test(runs_with_gaps),
        cmocka_unit_test(more_runs_than_are_shown),
        cmocka_unit_test(little_to_do),
        cmocka_unit_test(how_large_outputs_are_written),
        cmocka_unit_test(parts_share_no_byte),
        cmocka_unit_test(parts_are_equal_shares),
        cmocka_unit_test(parts_of_few_lines_are_equal_shares),
        cmocka_unit_test(there_may_be_very_many_parts),
        cmocka_unit_test(runners_are_called_once),
        cmocka_unit_test(runners_get_no_crumbs),
        cmocka_unit_test(scattered_bits_are_not_split),
    };
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
