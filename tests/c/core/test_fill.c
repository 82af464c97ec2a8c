/* A fill that is an array.  SPDX-License-Identifier: MIT
 *
 * What tpad_run_fill refuses; one value in all its forms; large outputs on a runner. Random problems
 * are in test_laws.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/random_problem.h"

/* ---- Against the oracle ---------------------------------------------------------------------- */

enum { MOST_VALUES = 1 << 16 };

/* Runs a problem with dense sides as a whole, then in parts in descending order. */
static void check(const tpad_problem *problem, const tpad_index *strides, int64_t parts)
{
    static unsigned char values[MOST_VALUES];
    const tpad_fill fill = {sizeof fill, values, strides};
    random_problem p;
    tpad_plan plan;
    rng r = rng_seeded(7, 7);
    random_problem_from(&p, problem);
    const size_t in_bytes = (size_t)(p.in_end - p.in_begin),
                 out_bytes = (size_t)(p.out_end - p.out_begin);
    unsigned char *src = malloc(in_bytes), *dst = malloc(out_bytes), *expected = malloc(out_bytes);
    assert_true(src && dst && expected);
    rng_bytes(&r, values, sizeof values);
    rng_bytes(&r, src, in_bytes);
    memset(expected, 0, out_bytes);
    oracle_run_fill(&p.truth, problem, src, expected, &fill);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, problem, NULL), TPAD_OK);
    memset(dst, 0, out_bytes);
    assert_int_equal(tpad_run_fill(&plan, src, dst, &fill, NULL), TPAD_OK);
    assert_memory_equal(dst, expected, out_bytes);
    memset(dst, 0, out_bytes);
    for (int64_t part = parts - 1; part >= 0; part--)
        assert_int_equal(tpad_run_fill_part(&plan, src, dst, &fill, part, parts), TPAD_OK);
    assert_memory_equal(dst, expected, out_bytes);
    free(src);
    free(dst);
    free(expected);
    random_problem_close(&p);
}

/* Two rows of half a wide cell each have values of their own. */
static void test_values_inside_a_cell(void **state)
{
    (void)state;
    const tpad_index strides[3] = {0, 1, 0};
    const tpad_axis axes[3] = {
        {.in_extent = 3, .before = 1, .after = 1}, {.in_extent = 2}, {.in_extent = 2048}};
    const tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    check(&problem, strides, 1);
    check(&problem, strides, 3);
}

/* ---- One value ------------------------------------------------------------------------------- */

static void test_one_value(void **state)
{
    (void)state;
    const int16_t src[2] = {1, 2}, value = 7, zeros[5] = {0, 1, 2, 0, 0},
                  sevens[5] = {7, 1, 2, 7, 7};
    const tpad_index repeated = 0;
    const tpad_fill no_values = {sizeof no_values, NULL, &repeated},
                    one = {sizeof one, &value, NULL}, same = {sizeof same, &value, &repeated};
    const tpad_axis axis[1] = {{.in_extent = 2, .before = 1, .after = 2}};
    const tpad_problem problem = TPAD_PROBLEM_OF(int16_t, axis);
    int16_t dst[5];
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run_fill(&plan, src, dst, NULL, NULL), TPAD_OK);
    assert_memory_equal(dst, zeros, sizeof dst);
    assert_int_equal(tpad_run_fill(&plan, src, dst, &one, NULL), TPAD_OK);
    assert_memory_equal(dst, sevens, sizeof dst);
    assert_int_equal(tpad_run_fill(&plan, src, dst, &no_values, NULL), TPAD_OK);
    assert_memory_equal(dst, zeros, sizeof dst);
    assert_int_equal(tpad_run_fill_part(&plan, src, dst, &same, 0, 1), TPAD_OK);
    assert_memory_equal(dst, sevens, sizeof dst);
}

/* The one value of a packed output lies in the low bits of its byte; an array is a stream. */
static void test_packed_values(void **state)
{
    (void)state;
    const unsigned char src = 0x5A, value = 0x03, stream = 0x3C;
    const tpad_index repeated = 0, each = 1;
    const tpad_fill one = {sizeof one, &value, NULL}, first = {sizeof first, &stream, &repeated},
                    all = {sizeof all, &stream, &each};
    const tpad_axis axis[1] = {{.in_extent = 1, .after = 1}};
    tpad_problem problem = TPAD_PROBLEM(4, 1, axis);
    for (int high = 0; high < 2; high++) {
        unsigned char dst = 0;
        tpad_plan plan;
        problem.flags = high ? TPAD_HIGH_BITS_FIRST : 0;
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        assert_int_equal(tpad_run_fill(&plan, &src, &dst, &one, NULL), TPAD_OK);
        assert_int_equal(dst, high ? 0x53 : 0x3A);
        assert_int_equal(tpad_run_fill(&plan, &src, &dst, &first, NULL), TPAD_OK);
        assert_int_equal(dst, high ? 0x53 : 0xCA);
        assert_int_equal(tpad_run_fill(&plan, &src, &dst, &all, NULL), TPAD_OK);
        assert_int_equal(dst, high ? 0x5C : 0x3A);
    }
}

/* ---- A runner -------------------------------------------------------------------------------- */

static int64_t parts_run;

static int32_t backwards(void *context, int64_t count, tpad_body body, void *user)
{
    (void)context;
    for (int64_t i = count - 1; i >= 0; i--) body(user, i);
    parts_run = count;
    return 0;
}

static int32_t fails(void *context, int64_t count, tpad_body body, void *user)
{
    (void)context;
    (void)count;
    (void)body;
    (void)user;
    return -5;
}

/* A large image of three planes, with a value for each plane and with one for each column. */
static void test_a_runner(void **state)
{
    (void)state;
    enum { SIDE = 1000, OUT = SIDE + 24, BYTES = 3 * OUT * OUT };
    static unsigned char values[OUT];
    const tpad_index planes[3] = {1, 0, 0}, columns[3] = {0, 0, 1}, far[3] = {INT64_MAX, 0, 0};
    const tpad_axis axes[3] = {{.in_extent = 3},
                               {.in_extent = SIDE, .before = 20, .after = 4},
                               {.in_extent = SIDE, .before = 12, .after = 12}};
    const tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    const tpad_runner runner = {sizeof runner, NULL, 3, backwards};
    tpad_runner broken = {sizeof broken, NULL, 3, fails};
    unsigned char *src = malloc(3 * SIDE * SIDE), *dst = malloc(BYTES);
    tpad_plan plan;
    rng r = rng_seeded(1, 2);
    assert_true(src && dst);
    rng_bytes(&r, src, 3 * SIDE * SIDE);
    rng_bytes(&r, values, sizeof values);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    for (int by_column = 0; by_column < 2; by_column++) {
        const tpad_fill fill = {sizeof fill, values, by_column ? columns : planes};
        memset(dst, 0, BYTES);
        assert_int_equal(tpad_run_fill(&plan, src, dst, &fill, &runner), TPAD_OK);
        assert_int_equal(parts_run, 3);
        for (int64_t k = 0, at = 0; k < 3; k++)
            for (int64_t y = -20; y < OUT - 20; y++)
                for (int64_t x = -12; x < OUT - 12; x++, at++) {
                    const int inside = 0 <= y && y < SIDE && 0 <= x && x < SIDE;
                    const unsigned char filled = values[by_column ? x + 12 : k];
                    if (dst[at] != (inside ? src[(k * SIDE + y) * SIDE + x] : filled))
                        fail_msg("cell %ld, %ld, %ld", (long)k, (long)y, (long)x);
                }
        assert_int_equal(tpad_run_fill(&plan, src, dst, &fill, &broken), -5);
        broken.run = NULL;
        assert_int_equal(tpad_run_fill(&plan, src, dst, &fill, &broken), TPAD_E_ARGUMENT);
        broken.run = fails;
    }
    const tpad_fill too_far = {sizeof too_far, values, far};
    assert_int_equal(tpad_run_fill(&plan, src, dst, &too_far, &runner), TPAD_E_OVERFLOW);
    assert_int_equal(tpad_run_fill(&plan, src, NULL, NULL, &runner), TPAD_E_ARGUMENT);
    free(src);
    free(dst);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void test_refusals(void **state)
{
    (void)state;
    const unsigned char src[2] = {1, 2}, values[9] = {0};
    const tpad_index strides[1] = {1}, too_far[1] = {INT64_MAX / 4};
    const tpad_axis axis[1] = {{.in_extent = 2, .before = 4, .after = 3}};
    const tpad_problem problem = TPAD_PROBLEM_OF(char, axis);
    unsigned char dst[9] = {0};
    tpad_fill fill = {sizeof fill, values, strides};
    tpad_plan plan = {{0}};
    assert_int_equal(tpad_run_fill(&plan, src, dst, &fill, NULL), TPAD_E_NOT_A_PLAN);
    assert_int_equal(tpad_run_fill(NULL, src, dst, &fill, NULL), TPAD_E_NOT_A_PLAN);
    assert_int_equal(tpad_run_fill_part(NULL, src, dst, &fill, 0, 1), TPAD_E_NOT_A_PLAN);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run_fill_part(&plan, src, dst, &fill, -1, 1), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_fill_part(&plan, src, dst, &fill, 1, 1), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_fill_part(&plan, src, dst, &fill, 0, 0), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_fill(&plan, NULL, dst, &fill, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_fill(&plan, src, NULL, &fill, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_fill(&plan, dst, dst, &fill, NULL), TPAD_E_ARGUMENT);
    fill.struct_size = 0;
    assert_int_equal(tpad_run_fill(&plan, src, dst, &fill, NULL), TPAD_E_ARGUMENT);
    fill.struct_size = sizeof fill + 8;
    assert_int_equal(tpad_run_fill_part(&plan, src, dst, &fill, 0, 1), TPAD_E_ARGUMENT);
    fill.struct_size = sizeof fill;
    fill.strides = too_far;
    assert_int_equal(tpad_run_fill(&plan, src, dst, &fill, NULL), TPAD_E_OVERFLOW);
    for (size_t i = 0; i < sizeof dst; i++) assert_int_equal(dst[i], 0);
    /* A box counts from the first cell of the whole output. */
    const int64_t first[1] = {7}, extents[1] = {2};
    const tpad_index far[1] = {INT64_MAX / 10};
    const tpad_box box = {sizeof box, first, extents, NULL, NULL, NULL};
    tpad_plan end;
    fill.strides = far;
    assert_int_equal(tpad_plan_box(&end, sizeof end, &plan, &box, NULL), TPAD_OK);
    assert_int_equal(tpad_run_fill(&end, src, dst, &fill, NULL), TPAD_E_OVERFLOW);
}

/* Nothing to write, or no axis at all. */
static void test_empty_outputs(void **state)
{
    (void)state;
    const unsigned char src = 9;
    const tpad_index strides[1] = {1};
    const tpad_fill fill = {sizeof fill, &src, strides};
    const tpad_axis axis[1] = {{.in_extent = 0}};
    const tpad_problem nothing = TPAD_PROBLEM_OF(char, axis), scalar = TPAD_PROBLEM(8, 0, NULL);
    unsigned char dst = 0;
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &nothing, NULL), TPAD_OK);
    assert_int_equal(tpad_run_fill(&plan, NULL, NULL, &fill, NULL), TPAD_OK);
    assert_int_equal(tpad_run_fill_part(&plan, NULL, NULL, &fill, 1, 2), TPAD_OK);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &scalar, NULL), TPAD_OK);
    assert_int_equal(tpad_run_fill(&plan, &src, &dst, &fill, NULL), TPAD_OK);
    assert_int_equal(dst, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_inside_a_cell),
        cmocka_unit_test(test_one_value),
        cmocka_unit_test(test_packed_values),
        cmocka_unit_test(test_a_runner),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_empty_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
