/* Problems too large to be walked, memory not to be touched.  SPDX-License-Identifier: MIT
 *
 * Owns: results at the limits of 64 bits, seen through windows and boxes; that nothing takes a time
 * that grows with an amount alone; pages between rows, and pages that hold the inside of a border.
 * Must not know: the inside of the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cmocka.h>

#include "../../support/random_problem.h"

/* ---- Very large, and very little of it in memory --------------------------------------------- */

static void one_element_becomes_a_million(void **state)
{
    enum { SIDE = 1000 };
    static uint32_t dst[SIDE * SIDE];
    const uint32_t one = 0xC0FFEE11u;
    const tpad_axis broadcast[2] = {{.in_extent = SIDE, .out_stride = 4 * SIDE},
                                    {.in_extent = SIDE, .out_stride = 4}};
    const tpad_axis extended[2] = {
        {.in_extent = 1, .before = SIDE - 1, .mode = TPAD_EDGE},
        {.in_extent = 1, .before = 400, .after = SIDE - 401, .mode = TPAD_REFLECT}};
    (void)state;
    for (int extend = 0; extend < 2; extend++) {
        tpad_problem problem = TPAD_PROBLEM(32, 2, extend ? extended : broadcast);
        tpad_plan plan;
        problem.flags = extend ? 0 : TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
        memset(dst, 0, sizeof dst);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        assert_int_equal(tpad_run(&plan, &one, dst, NULL), TPAD_OK);
        for (size_t i = 0; i < SIDE * SIDE; i++) assert_int_equal(dst[i], one);
    }
}

/* Nothing, beside extents whose product leaves 64 bits. */
static void nothing_beside_very_large_extents(void **state)
{
    const int64_t large = (int64_t)1 << 40;
    (void)state;
    for (int32_t empty = 0; empty < 3; empty++) {
        tpad_axis axes[3] = {{.in_extent = large}, {.in_extent = large}, {.before = large}};
        axes[empty] = (tpad_axis){.in_extent = 0};
        const tpad_problem problem = TPAD_PROBLEM(32, 3, axes);
        int64_t extents[3] = {-1, -1, -1}, bytes = -1;
        tpad_plan plan;
        assert_int_equal(tpad_shape(&problem, extents, NULL, &bytes, NULL), TPAD_OK);
        assert_int_equal(bytes, 0);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        assert_int_equal(tpad_run(&plan, NULL, NULL, NULL), TPAD_OK);
        for (int32_t i = 0; i < 3; i++) assert_int_equal(extents[i], i == empty ? 0 : large);
    }
}

/* A number in [0, period), for any t. */
static int64_t modulo(int64_t t, int64_t period)
{
    return (t % period + period) % period;
}

static int64_t far_source(int32_t mode, int64_t t, int64_t extent)
{
    switch (mode) {
    case TPAD_EDGE:
        return t < 0 ? 0 : t >= extent ? extent - 1 : t;
    case TPAD_REFLECT:
        t = modulo(t, 2 * (extent - 1));
        return t < extent ? t : 2 * (extent - 1) - t;
    case TPAD_SYMMETRIC:
        t = modulo(t, 2 * extent);
        return t < extent ? t : 2 * extent - 1 - t;
    case TPAD_WRAP:
        return modulo(t, extent);
    case TPAD_CONSTANT:
        return t < 0 || t >= extent ? -1 : t;
    default:
        fail_msg("no formula for mode %d here", (int)mode);
        return -1;
    }
}

/* More rows than caches hold, shorter than 16 bytes, and none has a source. */
static void all_rows_may_be_cropped_away(void **state)
{
#if defined(__unix__)
    enum { IN = 10, ROWS = 3000000, COLUMNS = 3 };
#else
    enum { IN = 10, ROWS = 100000, COLUMNS = 3 }; /* no caches, and no memory for more */
#endif
    static const int64_t amounts[][2] = {{-IN, ROWS},         {ROWS, -IN},     {-IN - 2, ROWS + 2},
                                         {ROWS + 2, -IN - 2}, {-IN, ROWS - 1}, {-IN - 1, ROWS}};
    const uint32_t src[IN] = {0}, value = 0xC0FFEE11u;
    uint32_t *dst = malloc(sizeof *dst * ROWS * COLUMNS);
    (void)state;
    assert_non_null(dst);
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        const tpad_axis axes[2] = {
            {.in_extent = IN, .before = amounts[i][0], .after = amounts[i][1]},
            {.in_extent = 1, .before = 1, .after = COLUMNS - 2}};
        const tpad_problem problem = TPAD_PROBLEM(32, 2, axes);
        const int64_t cells = COLUMNS * (IN + amounts[i][0] + amounts[i][1]);
        tpad_plan plan;
        memset(dst, 0, sizeof *dst * ROWS * COLUMNS);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        assert_int_equal(tpad_run(&plan, src, dst, &value), TPAD_OK);
        for (int64_t k = 0; k < cells; k++)
            if (dst[k] != value) assert_int_equal(dst[k], value);
    }
    free(dst);
}

/* A window of 15 cells that lies almost TPAD_MAX_EXTENT away from 5 elements. */
static void windows_may_be_far_away(void **state)
{
    const int64_t far[] = {TPAD_MAX_EXTENT, TPAD_MAX_EXTENT - 1, ((int64_t)1 << 60) + 3, 1000003};
    const unsigned char src[5] = {11, 22, 33, 44, 55};
    const unsigned char value = 99;
    (void)state;
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
        for (size_t k = 0; k < 2 * sizeof far / sizeof far[0]; k++) {
            const int64_t away = far[k / 2];
            tpad_axis axis = {.in_extent = 5, .before = away, .after = 10 - away, .mode = mode};
            if (k % 2) {
                axis.before = 10 - away;
                axis.after = away;
            }
            const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
            unsigned char dst[15] = {0};
            tpad_plan plan;
            int64_t first, extent;
            int64_t least = 5, most = -1;
            assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
            assert_int_equal(tpad_run(&plan, src, dst, &value), TPAD_OK);
            for (int64_t i = 0; i < 15; i++) {
                int64_t source = far_source(mode, i - axis.before, 5);
                assert_int_equal(dst[i], source < 0 ? value : src[source]);
                if (source >= 0 && source < least) least = source;
                if (source > most) most = source;
            }
            assert_int_equal(tpad_plan_needs(&plan, &first, &extent), TPAD_OK);
            assert_int_equal(extent, most < 0 ? 0 : most - least + 1);
            if (most >= 0) assert_int_equal(first, least);
        }
    }
}

/* Boxes of an output of 2^61 - 1 cells; nothing may take a time that grows with it. */
static void boxes_of_a_very_large_output(void **state)
{
    const int64_t extent = TPAD_MAX_EXTENT;
    const int64_t firsts[] = {0, 12345678901234567, extent / 2 - 7, extent - 20};
    const unsigned char src[7] = {1, 2, 3, 4, 5, 6, 7};
    const unsigned char value = 99;
    (void)state;
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
        const tpad_axis axis = {
            .in_extent = 7, .before = extent / 2, .after = extent - 7 - extent / 2, .mode = mode};
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
        tpad_plan plan;
        char text[2048];
        int64_t need_first, need_extent;
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        assert_true(tpad_plan_describe(&plan, text, sizeof text) < sizeof text);
        assert_int_equal(tpad_plan_needs(&plan, &need_first, &need_extent), TPAD_OK);
        assert_int_equal(need_first, 0);
        assert_int_equal(need_extent, 7);
        for (size_t k = 0; k < sizeof firsts / sizeof firsts[0]; k++) {
            const int64_t twenty = 20, one = 1;
            const tpad_box box = {sizeof box, &firsts[k], &twenty, &one, NULL, NULL};
            unsigned char dst[20] = {0};
            tpad_plan part;
            assert_int_equal(tpad_plan_box(&part, sizeof part, &plan, &box, NULL), TPAD_OK);
            assert_int_equal(tpad_run(&part, src, dst, &value), TPAD_OK);
            for (int64_t i = 0; i < 20; i++) {
                int64_t source = far_source(mode, firsts[k] + i - axis.before, 7);
                assert_int_equal(dst[i], source < 0 ? value : src[source]);
            }
        }
    }
}

/* The same with interior cells: element j stands at j * (interior + 1). */
static void gaps_may_be_very_large(void **state)
{
    const int64_t interior = ((int64_t)1 << 58) - 1;
    const tpad_axis axis = {.in_extent = 7, .interior = interior, .before = 3, .mode = TPAD_WRAP};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    const unsigned char src[7] = {1, 2, 3, 4, 5, 6, 7};
    const unsigned char value = 99;
    tpad_plan plan;
    (void)state;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    for (int64_t j = 0; j < 7; j++) {
        const int64_t first = j * (interior + 1), five = 5, one = 1;
        const tpad_box box = {sizeof box, &first, &five, &one, NULL, NULL};
        unsigned char dst[5];
        unsigned char expected[5] = {99, 99, 99, src[j], 99};
        tpad_plan part;
        /* Wrapped, the last element stands right in front of the first one. */
        if (j == 0) expected[2] = src[6];
        if (j == 6) expected[4] = 0;
        memset(dst, 0, sizeof dst);
        const int64_t four = 4;
        tpad_box end = box;
        end.extents = &four;
        assert_int_equal(tpad_plan_box(&part, sizeof part, &plan, j == 6 ? &end : &box, NULL),
                         TPAD_OK);
        assert_int_equal(tpad_run(&part, src, dst, &value), TPAD_OK);
        assert_memory_equal(dst, expected, sizeof dst);
    }
}

/* Of two elements that are very far apart, in the output or in the input, the second one is cropped:
 * what is left is a row, or a column, that has a single element. */
static void single_elements_far_from_the_next(void **state)
{
    enum { SIDE = 306, FIRST = 5, MOST_BYTES = 16 };
    static unsigned char dst[SIDE * SIDE * MOST_BYTES], src[2 * SIDE * MOST_BYTES];
    const int64_t away = (int64_t)1 << 60; /* 16 times as much is 0 in 64 bits */
    const unsigned char value[MOST_BYTES] = {0};
    (void)state;
    memset(src, 1, sizeof src);
    for (int64_t bytes = 1; bytes <= MOST_BYTES; bytes *= 4) {
        for (int in_output = 0; in_output < 2; in_output++) {
            for (int32_t far = 0; far < 2; far++) {
                tpad_axis axes[2] = {{.in_extent = SIDE - 1, .before = 1, .in_stride = bytes},
                                     {.in_extent = SIDE - 1, .before = 1, .in_stride = bytes}};
                tpad_problem problem = TPAD_PROBLEM((int32_t)(8 * bytes), 2, axes);
                tpad_plan plan;
                axes[far].in_extent = 2;
                axes[far].in_stride = in_output ? bytes * SIDE : away;
                axes[far].interior = in_output ? away - 1 : 0;
                axes[far].before = in_output ? FIRST : SIDE - 1;
                axes[far].after = in_output ? SIDE - FIRST - 1 - away : -1;
                problem.flags = TPAD_IN_STRIDES;
                assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
                memset(dst, 2, sizeof dst);
                assert_int_equal(tpad_run(&plan, src, dst, value), TPAD_OK);
                for (int64_t i = 0; i < SIDE * SIDE * bytes; i++) {
                    const int64_t at[2] = {i / bytes / SIDE, i / bytes % SIDE};
                    assert_int_equal(dst[i], at[far] == axes[far].before && at[1 - far] > 0);
                }
            }
        }
    }
}

/* What is asked of a plan takes no time that grows with the amounts, whatever the crop left. */
static void needs_of_a_very_large_output(void **state)
{
    const int64_t away = (int64_t)1 << 60;
    (void)state;
    for (int32_t mode = TPAD_EDGE; mode < TPAD_MODE_COUNT; mode++) {
        for (int64_t crop = 0; crop <= 6; crop++) {
            for (int side = 0; side < 2; side++) {
                tpad_axis axis = {.in_extent = 7,
                                  .interior = 2,
                                  .before = side ? away : -crop,
                                  .after = side ? -crop : away,
                                  .mode = mode,
                                  .order = TPAD_CROP};
                const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
                tpad_plan plan;
                int64_t first, extent;
                assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
                assert_int_equal(tpad_plan_needs(&plan, &first, &extent), TPAD_OK);
                const int64_t lost = (crop + 2) / 3;
                assert_int_equal(first, side ? 0 : lost);
                assert_int_equal(extent, 7 - lost);
            }
        }
    }
}

/* Packed outputs that are too large for tables still have plans. */
static void packed_outputs_may_be_very_large(void **state)
{
    (void)state;
    const int64_t extents[][2] = {{INT64_C(1) << 34, 8}, {3, INT64_C(1) << 28}};
    for (int i = 0; i < 2; i++) {
        const tpad_axis axes[2] = {{.in_extent = extents[i][0]},
                                   {.in_extent = extents[i][1], .after = 1}};
        const tpad_problem problem = TPAD_PROBLEM(1, 2, axes);
        tpad_plan plan;
        int64_t out[2];
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        assert_int_equal(tpad_plan_shape(&plan, out), 2);
        assert_int_equal(out[0], extents[i][0]);
        assert_int_equal(out[1], extents[i][1] + 1);
    }
}

/* ---- Gaps in memory -------------------------------------------------------------------------- */

/* Axes whose strides of the input are given. */
static void check_strides(bench *b, rng *r, int32_t elem_bits, int32_t rank, const tpad_axis *axes)
{
    tpad_problem problem = TPAD_PROBLEM(elem_bits, rank, axes);
    random_problem p;
    tpad_plan plan;
    problem.flags = TPAD_IN_STRIDES;
    random_problem_from(&p, &problem);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
    bench_fill(b, r, &p);
    assert_int_equal(tpad_run(&plan, b->src, b->dst, b->value), TPAD_OK);
    assert_true(bench_check(b, "strides"));
    random_problem_close(&p);
}

/* Both axes lead over every third element of a line: 25 elements of 8 bytes, some of them the same,
 * in 200 bytes, and gaps between them. Builds with address sanitizer see who reads these. */
static void windows_leave_gaps(void **state)
{
    bench b;
    rng r = rng_seeded(10, 0);
    (void)state;
    bench_open(&b);
    for (int32_t mode = TPAD_CONSTANT; mode <= TPAD_WRAP; mode++) {
        for (int64_t pad = 0; pad < 2; pad++) {
            const tpad_axis axes[2] = {
                {.in_extent = 5, .in_stride = 24},
                {.in_extent = 5, .in_stride = 24, .before = pad, .mode = mode}};
            check_strides(&b, &r, 64, 2, axes);
        }
    }
    bench_close(&b);
}

/* Many planes of three rows, each of which begins some bytes behind the one before: most bytes of
 * the input are in several rows. The last row of a plane is there once more before the first one,
 * so that rows are not one after the other in the input as they are in the output. */
static void rows_may_lie_over_each_other(void **state)
{
    enum { PLANES = 500, ROWS = 3, WORD = 8 };
    bench b;
    rng r = rng_seeded(11, 0);
    (void)state;
    bench_open(&b);
    for (int64_t row = WORD; row <= 3 * WORD; row += WORD) {
        for (int64_t distance = 0; distance <= row + 1; distance++) {
            const tpad_axis axes[3] = {
                {.in_extent = PLANES, .in_stride = ROWS * distance},
                {.in_extent = ROWS, .in_stride = distance, .before = 1, .mode = TPAD_WRAP},
                {.in_extent = row, .in_stride = 1}};
            check_strides(&b, &r, 8, 3, axes);
        }
    }
    bench_close(&b);
}

#if defined(__unix__) /* pages */
/* Rows at the end of a page each, with forbidden pages between: nothing between two rows is
 * touched, on either side. */
static void gaps_between_rows_are_not_touched(void **state)
{
    enum { ROWS = 3, ROW = 40 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int64_t step = 2 * (int64_t)page;
    (void)state;
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
        for (int64_t bytes = 1; bytes <= 8; bytes++) {
            const int64_t row = ROW * bytes, out_row = (ROW + 7) * bytes;
            const tpad_axis axes[2] = {{.in_extent = ROWS, .in_stride = step, .out_stride = step},
                                       {.in_extent = ROW,
                                        .before = 3,
                                        .after = 4,
                                        .mode = mode,
                                        .in_stride = bytes,
                                        .out_stride = bytes}};
            tpad_problem problem = TPAD_PROBLEM((int32_t)bytes * 8, 2, axes);
            unsigned char *in =
                mmap(NULL, page * 2 * ROWS, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            unsigned char *out =
                mmap(NULL, page * 2 * ROWS, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            random_problem p;
            unsigned char *expected = calloc(page, 2 * ROWS);
            rng r = rng_seeded(8, (uint64_t)bytes);
            assert_true(in != MAP_FAILED && out != MAP_FAILED && expected != NULL);
            problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
            problem.in_offset = (int64_t)page - row;
            problem.out_offset = (int64_t)page - out_row;
            for (int i = 0; i < ROWS; i++) {
                assert_int_equal(mprotect(in + i * step, page, PROT_READ | PROT_WRITE), 0);
                assert_int_equal(mprotect(out + i * step, page, PROT_READ | PROT_WRITE), 0);
                rng_bytes(&r, in + i * step + problem.in_offset, (size_t)row);
            }
            random_problem_from(&p, &problem);
            oracle_run(&p.truth, &p.problem, in, expected, NULL);
            tpad_plan plan;
            assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
            assert_int_equal(tpad_run(&plan, in, out, NULL), TPAD_OK);
            for (int i = 0; i < ROWS; i++) {
                assert_memory_equal(out + i * step, expected + i * step, page);
            }
            random_problem_close(&p);
            free(expected);
            munmap(in, page * 2 * ROWS);
            munmap(out, page * 2 * ROWS);
        }
    }
}

/* Rows of one byte each, repeated, and a page or more of nothing between them: two neighbouring
 * rows have as many elements as there are bytes from the first to the last of them. The output is
 * so large that two rows at a time are whole vectors. */
static void repeated_bytes_far_apart(void **state)
{
    enum { ROWS = 520, ROW = 65543, STEP = 2 * ROW - 1 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), span = (size_t)STEP * ROWS + page;
    const tpad_axis axes[2] = {{.in_extent = ROWS, .in_stride = STEP},
                               {.in_extent = ROW, .before = 1}};
    tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    unsigned char *in = mmap(NULL, span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *out = malloc((size_t)ROWS * (ROW + 1));
    tpad_plan plan;
    (void)state;
    problem.flags = TPAD_IN_STRIDES;
    assert_true(in != MAP_FAILED && out != NULL);
    for (size_t i = 0; i < ROWS; i++) {
        const size_t at = i * STEP;
        assert_int_equal(mprotect(in + at / page * page, page, PROT_READ | PROT_WRITE), 0);
        in[at] = (unsigned char)(i * 7 + 1);
    }
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run(&plan, in, out, NULL), TPAD_OK);
    for (size_t i = 0; i < ROWS; i++) {
        const unsigned char *row = out + i * (ROW + 1);
        assert_int_equal(row[0], 0);
        assert_int_equal(row[1], (unsigned char)(i * 7 + 1));
        assert_memory_equal(row + 1, row + 2, ROW - 1);
    }
    free(out);
    munmap(in, span);
}

/* A border is written around elements that stand in read-only pages: they are not written again,
 * neither as whole rows nor, where every second place of a row is no cell, one by one. */
static void borders_leave_the_input_alone(void **state)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int32_t widths[] = {1, 4, 8, 16, 64};
    (void)state;
    for (int32_t k = 0; k < 2 * 5 * TPAD_MODE_COUNT; k++) {
        const int32_t mode = k / 10;
        const int32_t width = widths[k / 2 % 5];
        const int64_t every = 1 + k % 2;
        /* Two rows of a page each; one row in front and one behind. */
        const int64_t unit = width < 8 ? 1 : width / 8;
        const int64_t row = (int64_t)page * 8 / width;
        const tpad_axis axes[2] = {
            {.in_extent = 2,
             .before = 1,
             .after = 1,
             .mode = mode,
             .in_stride = row * unit,
             .out_stride = row * unit},
            {.in_extent = row / every, .in_stride = every * unit, .out_stride = every * unit}};
        tpad_problem problem = TPAD_PROBLEM(width, 2, axes);
        unsigned char *all =
            mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        unsigned char *expected = malloc(4 * page);
        rng r = rng_seeded(9, (uint64_t)k);
        random_problem p;
        tpad_plan plan, border;
        problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
        assert_true(all != MAP_FAILED && expected != NULL);
        rng_bytes(&r, all, 4 * page);
        memcpy(expected, all, 4 * page);
        random_problem_from(&p, &problem);
        oracle_run(&p.truth, &p.problem, all + page, expected, NULL);
        assert_int_equal(mprotect(all + page, 2 * page, PROT_READ), 0);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, NULL), TPAD_OK);
        assert_int_equal(tpad_run(&border, all, all, NULL), TPAD_OK);
        assert_memory_equal(all, expected, 4 * page);
        random_problem_close(&p);
        free(expected);
        munmap(all, 4 * page);
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_element_becomes_a_million),
        cmocka_unit_test(all_rows_may_be_cropped_away),
        cmocka_unit_test(nothing_beside_very_large_extents),
        cmocka_unit_test(windows_may_be_far_away),
        cmocka_unit_test(boxes_of_a_very_large_output),
        cmocka_unit_test(gaps_may_be_very_large),
        cmocka_unit_test(single_elements_far_from_the_next),
        cmocka_unit_test(needs_of_a_very_large_output),
        cmocka_unit_test(packed_outputs_may_be_very_large),
        cmocka_unit_test(windows_leave_gaps),
        cmocka_unit_test(rows_may_lie_over_each_other),
#if defined(__unix__)
        cmocka_unit_test(gaps_between_rows_are_not_touched),
        cmocka_unit_test(repeated_bytes_far_apart),
        cmocka_unit_test(borders_leave_the_input_alone),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
