/* Problems too large for random ones. SPDX-License-Identifier: MIT
 *
 * Elements and rows that are gigabytes apart, offsets that are far and cancel each other, extents
 * whose product leaves 64 bits, pages that may not be touched. Far cells of one axis are in
 * test_laws.c. */
#include <inttypes.h>
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

#include "../../support/random_main.h"

static tpad_plan plan_of(const tpad_problem *problem)
{
    tpad_plan made;
    assert_int_equal(tpad_plan_init(&made, sizeof made, problem, NULL), TPAD_OK);
    return made;
}

/* ---- Very large, and very little of it in memory --------------------------------------------- */

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
        const tpad_plan plan = plan_of(&problem);
        assert_int_equal(tpad_shape(&problem, extents, NULL, &bytes, NULL), TPAD_OK);
        assert_int_equal(bytes, 0);
        assert_int_equal(tpad_run(&plan, NULL, NULL, NULL), TPAD_OK);
        for (int32_t i = 0; i < 3; i++) assert_int_equal(extents[i], i == empty ? 0 : large);
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
        memset(dst, 0, sizeof *dst * ROWS * COLUMNS);
        const tpad_plan plan = plan_of(&problem);
        assert_int_equal(tpad_run(&plan, src, dst, &value), TPAD_OK);
        for (int64_t k = 0; k < cells; k++)
            if (dst[k] != value) assert_int_equal(dst[k], value);
    }
    free(dst);
}

/* Of two elements that are very far apart, in the output or in the input, the second one is
 * cropped: what is left is a row, or a column, that has a single element. */
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
                axes[far].in_extent = 2;
                axes[far].in_stride = in_output ? bytes * SIDE : away;
                axes[far].interior = in_output ? away - 1 : 0;
                axes[far].before = in_output ? FIRST : SIDE - 1;
                axes[far].after = in_output ? SIDE - FIRST - 1 - away : -1;
                problem.flags = TPAD_IN_STRIDES;
                const tpad_plan plan = plan_of(&problem);
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

/* Packed outputs that are too large for tables still have plans. */
static void packed_outputs_may_be_very_large(void **state)
{
    (void)state;
    const int64_t extents[][2] = {{INT64_C(1) << 34, 8}, {3, INT64_C(1) << 28}};
    for (int i = 0; i < 2; i++) {
        const tpad_axis axes[2] = {{.in_extent = extents[i][0]},
                                   {.in_extent = extents[i][1], .after = 1}};
        const tpad_problem problem = TPAD_PROBLEM(1, 2, axes);
        int64_t out[2];
        const tpad_plan plan = plan_of(&problem);
        assert_int_equal(tpad_plan_shape(&plan, out), 2);
        assert_int_equal(out[0], extents[i][0]);
        assert_int_equal(out[1], extents[i][1] + 1);
    }
}

/* ---- Offsets that cancel --------------------------------------------------------------------- */

enum { LINES = 300, COLUMNS = 10, KEPT = 8, MOST_UNIT = 8, MOST_POWER = 61 };

/* Runs a problem whose input is the rows of KEPT elements from src on, in its output, `lines` rows
 * apart, and zeros beside. */
static void check_rows(const tpad_problem *problem, const void *src, int64_t rows, int64_t kept,
                       int64_t lines, int64_t width)
{
    static unsigned char dst[LINES * 2 * COLUMNS * MOST_UNIT], expected[sizeof dst];
    const int64_t unit = oracle_unit(problem), bits = problem->elem_bits;
    const size_t bytes = (size_t)(rows * lines * width * bits + 7) / 8;
    assert_true(bytes <= sizeof dst);
    memset(expected, 0, sizeof expected);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < kept; k++)
            oracle_move(problem, src, (i * kept + k) * unit, expected,
                        (i * lines * width + k) * unit);
    for (int once = 0; once < 2; once++) {
        memset(dst, 0xFF, sizeof dst);
        if (once) {
            assert_int_equal(tpad_pad(problem, src, dst, NULL, NULL), TPAD_OK);
        } else {
            const tpad_plan plan = plan_of(problem);
            assert_int_equal(tpad_run(&plan, src, dst, NULL), TPAD_OK);
        }
        assert_memory_equal(dst, expected, bytes);
    }
}

/* Rows that are the second ones of two on axis 1, and lie so far in front of the first ones. On
 * axis 2 as many elements are cropped in front of those that are kept: also at the numbers at which
 * 32 bits and 64 bits end, in bytes, in elements and in bits. And a lone row that lies before or
 * after the first one, with many rows of fill after it. */
static void far_offsets_may_cancel(void **state)
{
    static const int32_t widths[] = {1, 2, 4, 8, 16, 32, 64};
    guard memory;
    rng r = rng_seeded(12, 0);
    (void)state;
    guard_open(&memory, LINES * KEPT * MOST_UNIT);
    for (int k = 0; k < 7 * MOST_POWER * 3; k++) {
        const int32_t bits = widths[k % 7];
        const int64_t unit = bits < 8 ? 1 : bits / 8, most_scale = bits < 8 ? bits : unit;
        const int64_t away = ((int64_t)1 << (k / 7 % MOST_POWER)) + k / 7 / MOST_POWER - 1;
        /* Three such ways and a small one stay within 2^62 - 1. */
        if (away > (INT64_MAX / 2 - LINES * COLUMNS * MOST_UNIT * 8) / 3 / most_scale) continue;
        const size_t bytes = (size_t)(LINES * KEPT * bits) / 8;
        unsigned char *src = guard_place(&memory, bytes, GUARD_AT_END, 0);
        rng_bytes(&r, src, bytes);
        guard_read_only(&memory);
        for (int filled = 0; filled < 2; filled++) {
            const tpad_axis axes[3] = {
                {.in_extent = LINES, .in_stride = KEPT * unit},
                {.in_extent = 2, .before = -1, .after = filled, .in_stride = -away * unit},
                {.in_extent = away + KEPT, .before = -away, .after = 2, .in_stride = unit}};
            tpad_problem problem = TPAD_PROBLEM(bits, 3, axes);
            problem.flags = TPAD_IN_STRIDES;
            check_rows(&problem, src, LINES, KEPT, 1 + filled, COLUMNS);
            const int64_t kept = 3, width = 4 + k % 7, way = filled ? away : -away;
            const tpad_axis lone[2] = {
                {.in_extent = 2, .before = -1, .after = LINES, .in_stride = way * unit},
                {.in_extent = kept, .after = width - kept, .in_stride = unit}};
            problem = (tpad_problem)TPAD_PROBLEM(bits, 2, lone);
            problem.flags = TPAD_IN_STRIDES;
            problem.in_offset = -way * unit;
            check_rows(&problem, src, 1, kept, LINES + 1, width);
        }
    }
    guard_close(&memory);
}

#if defined(__unix__) /* pages */

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
        /* Two rows of a page each; one row in front and one after it. */
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

/* ---- Gigabytes apart ------------------------------------------------------------------------- */

#define GIB ((int64_t)1 << 30)

static unsigned char *addresses(int64_t bytes)
{
    void *all = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all == MAP_FAILED ? NULL : all;
}

enum { MOST_OUTPUT = 1 << 13 };

typedef struct input {
    int64_t extents[2], strides[2];
    int32_t elem_bits;
    int32_t mode;  /* of the rows; planes are padded by fill */
    int64_t third; /* the stride of a third axis of 2 elements, padded by fill; 0: there is none */
} input;

static int check_input(const input *in)
{
    const tpad_axis axes[3] = {
        {.in_extent = in->extents[0], .in_stride = in->strides[0], .before = 1, .after = 2},
        {.in_extent = in->extents[1],
         .in_stride = in->strides[1],
         .before = 2,
         .after = 1,
         .mode = in->mode},
        {.in_extent = 2, .in_stride = in->third, .after = 1}};
    tpad_problem problem = TPAD_PROBLEM(in->elem_bits, in->third ? 3 : 2, axes);
    unsigned char dst[MOST_OUTPUT], again[MOST_OUTPUT], expected[MOST_OUTPUT];
    const unsigned char value[] = {1, 2, 3, 4, 5, 6, 7, 8};
    rng r = rng_seeded(3, 0);
    random_problem p;
    tpad_plan plan;
    problem.flags = TPAD_IN_STRIDES;
    random_problem_from(&p, &problem);
    const int64_t bytes = p.in_end - p.in_begin;
    unsigned char *memory = addresses(bytes);
    if (!memory || p.out_end > MOST_OUTPUT) return printf("no addresses\n");
    unsigned char *src = bench_base(memory, p.in_begin);
    for (int64_t i = 0; i < in->extents[0]; i++)
        for (int64_t k = 0; k < in->extents[1]; k++)
            for (int64_t n = 0; n < (in->third ? 2 : 1); n++)
                rng_bytes(&r, src + i * in->strides[0] + k * in->strides[1] + n * in->third,
                          (size_t)in->elem_bits / 8);
    oracle_run(&p.truth, &p.problem, src, expected, value);
    const int good = tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK &&
                     tpad_run(&plan, src, dst, value) == TPAD_OK &&
                     memcmp(dst, expected, (size_t)p.out_end) == 0 &&
                     tpad_pad(&problem, src, again, value, NULL) == TPAD_OK &&
                     memcmp(again, expected, (size_t)p.out_end) == 0;
    if (!good) random_problem_print(stderr, &problem);
    random_problem_close(&p);
    munmap(memory, (size_t)bytes);
    return !good;
}

/* Rows of the same 6 elements, 8 with their border; the last row, its neighbours, some others. */
static int check_output(int64_t rows, int32_t elem_bits)
{
    enum { PARTS = 1 << 20 };
    const tpad_axis axes[2] = {{.in_extent = rows},
                               {.in_extent = 6, .in_stride = 1, .before = 1, .after = 1}};
    tpad_problem problem = TPAD_PROBLEM(elem_bits, 2, axes);
    const unsigned char src[6] = {0x2D, 11, 12, 13, 14, 15}, ones = 255;
    /* The border is 1, the bits of 0x2D are 101101 from the lowest one on. */
    const unsigned char bytes_of_row[8] = {255, 0x2D, 11, 12, 13, 14, 15, 255};
    const unsigned char byte_of_row = 1 | 0x2D << 1 | 1 << 7;
    const int64_t bytes = rows * elem_bits;
    const int64_t parts[] = {0, 1, PARTS / 3, PARTS - 2, PARTS - 1};
    tpad_plan plan;
    problem.flags = TPAD_IN_STRIDES;
    unsigned char *dst = addresses(bytes);
    if (!dst) return printf("no addresses\n");
    int bad = tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !bad; i++)
        bad = tpad_run_part(&plan, src, dst, &ones, parts[i], PARTS) != TPAD_OK;
    const int64_t share = bytes / PARTS;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !bad; i++)
        for (int64_t k = parts[i] * share + 128; k < (parts[i] + 1) * share - 128 && !bad; k++)
            bad = dst[k] != (elem_bits == 1 ? byte_of_row : bytes_of_row[k % 8]);
    for (int64_t k = bytes - 64; k < bytes && !bad; k++)
        bad = dst[k] != (elem_bits == 1 ? byte_of_row : bytes_of_row[k % 8]);
    if (bad) fprintf(stderr, "%" PRId64 " rows of %d bits differ\n", rows, elem_bits);
    munmap(dst, (size_t)bytes);
    return bad;
}

/* The addresses are taken from the system, the memory after them is not but for the pages that are
 * touched. */
static void elements_may_be_gigabytes_apart(void **state)
{
    static const input inputs[] = {
        {{20, 2}, {1, GIB + 64}, 8, TPAD_REFLECT, 0},
        {{20, 2}, {4, -GIB - 64}, 32, TPAD_EDGE, 0},
        {{4, 30}, {GIB / 2, 1}, 8, TPAD_WRAP, 0},
        {{4, 30}, {-GIB / 2, 1}, 8, TPAD_CONSTANT, 0},
        {{40, 6}, {6, GIB / 5 + 1}, 8, TPAD_EDGE, 0},
        {{3, 4}, {3 * GIB / 2, 4}, 32, TPAD_CONSTANT, 0},
        {{3, 40}, {GIB, 8}, 64, TPAD_SYMMETRIC, 0},
        /* Small outputs: far on the outermost axis, on two together, on the innermost one. */
        {{2, 2}, {5 * GIB / 2, 8}, 32, TPAD_EDGE, 64},
        {{2, 2}, {3 * GIB / 2, GIB}, 32, TPAD_CONSTANT, 64},
        {{2, 2}, {8, 64}, 32, TPAD_REFLECT, 5 * GIB / 2},
        {{2, 2}, {-8, -64}, 32, TPAD_REFLECT, -5 * GIB / 2},
        /* Outputs that are copied by words, if two rows are one group: they are too far apart. */
        {{200, 4}, {GIB / 60, 4}, 32, TPAD_EDGE, 0},
        {{200, 4}, {-GIB / 60, 4}, 32, TPAD_EDGE, 0},
    };
    (void)state;
    if (sizeof(void *) < 8) {
        printf("skipped: the addresses of this machine end at 4 GiB\n");
        return;
    }
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        assert_int_equal(check_input(&inputs[i]), 0);
    assert_int_equal(check_output(GIB / 4, 8), 0);
    assert_int_equal(check_output(8 * GIB + 8, 1), 0);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_beside_very_large_extents),
        cmocka_unit_test(all_rows_may_be_cropped_away),
        cmocka_unit_test(single_elements_far_from_the_next),
        cmocka_unit_test(packed_outputs_may_be_very_large),
        cmocka_unit_test(far_offsets_may_cancel),
#if defined(__unix__)
        cmocka_unit_test(repeated_bytes_far_apart),
        cmocka_unit_test(borders_leave_the_input_alone),
        cmocka_unit_test(elements_may_be_gigabytes_apart),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
