/* Gradients of pads: rounding, the fill, large ones, and every error. SPDX-License-Identifier: MIT
 *
 * Random pads, with gaps and far apart, are in test_adjoint_laws.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../support/expect.h"
#include "gradients.h"

static tpad_plan plan_of(const tpad_problem *problem)
{
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, problem, NULL), TPAD_OK);
    return plan;
}

/* ---- Rounding -------------------------------------------------------------------------------- */

/* All numbers of 16 bits, added to one another one: rounded once from the exact sum. */
static void check_halves(int32_t number, int fraction)
{
    static uint16_t grad_out[3][65536], grad_in[65536];
    const tpad_axis axes[2] = {{.in_extent = 1, .before = 1, .after = 1, .mode = TPAD_EDGE},
                               {.in_extent = 65536}};
    const tpad_problem problem = TPAD_PROBLEM_OF(uint16_t, axes);
    const tpad_plan plan = plan_of(&problem);
    rng r = rng_seeded(3, (uint64_t)number);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 65536; i++) {
            grad_out[0][i] = (uint16_t)(rng_percent(&r, 50) ? rng_next(&r) : 0);
            grad_out[1][i] = (uint16_t)i;
            grad_out[2][i] = (uint16_t)(rng_percent(&r, 50) ? rng_next(&r) : 0x8000);
        }
        assert_int_equal(tpad_adjoint(&plan, number, 0, grad_out, grad_in, NULL, NULL), TPAD_OK);
        for (int i = 0; i < 65536; i++) {
            volatile float sum = (float)half_value(grad_out[1][i], fraction);
            sum += (float)half_value(grad_out[0][i], fraction);
            sum += (float)half_value(grad_out[2][i], fraction);
            if (isnan(sum))
                assert_true(isnan(half_value(grad_in[i], fraction)));
            else
                assert_int_equal(grad_in[i], half_bits((double)sum, fraction));
        }
    }
    /* One cell alone is copied, whatever its bits are. */
    const tpad_axis alone[1] = {{.in_extent = 65536}};
    const tpad_problem copies = TPAD_PROBLEM_OF(uint16_t, alone);
    const tpad_plan copy = plan_of(&copies);
    assert_int_equal(tpad_adjoint(&copy, number, 0, grad_out[1], grad_in, NULL, NULL), TPAD_OK);
    assert_memory_equal(grad_in, grad_out[1], sizeof grad_in);
    /* Added in place: once rounded, too. */
    memcpy(grad_in, grad_out[0], sizeof grad_in);
    assert_int_equal(
        tpad_adjoint(&copy, number, TPAD_ADJOINT_ADD, grad_out[1], grad_in, NULL, NULL), TPAD_OK);
    for (int i = 0; i < 65536; i++) {
        const float sum = (float)half_value(grad_out[0][i], fraction) +
                          (float)half_value(grad_out[1][i], fraction);
        if (isnan(sum))
            assert_true(isnan(half_value(grad_in[i], fraction)));
        else
            assert_int_equal(grad_in[i], half_bits((double)sum, fraction));
    }
}

static void test_f16(void **state)
{
    (void)state;
    check_halves(TPAD_NUMBER_F16, 10);
}

static void test_bf16(void **state)
{
    (void)state;
    check_halves(TPAD_NUMBER_BF16, 7);
}

/* The total of a fill is made in 64 bits and rounded once: a float between would round twice. */
static void test_totals_round_once(void **state)
{
    (void)state;
    static const struct {
        int32_t number;
        int fraction;
        uint16_t cells[3];
    } samples[] = {
        /* 1 + half a step + a little: up. By way of a float it would be a tie, and down. */
        {TPAD_NUMBER_F16, 10, {0x3C00, 0x1000, 0x0001}},
        {TPAD_NUMBER_F16, 10, {0xBC00, 0x9000, 0x8001}},
        {TPAD_NUMBER_F16, 10, {0x7BFF, 0x7BFF, 0x0000}},
        {TPAD_NUMBER_F16, 10, {0x7C00, 0xFC00, 0x0000}},
        {TPAD_NUMBER_BF16, 7, {0x3F80, 0x3B80, 0x2B80}},
        {TPAD_NUMBER_BF16, 7, {0x3F81, 0x3B80, 0xAB80}}, /* a little less than half a step: down */
        {TPAD_NUMBER_BF16, 7, {0x7F7F, 0x7F7F, 0x7F7F}},
        {TPAD_NUMBER_BF16, 7, {0x7F7F, 0xFF7F, 0x8000}},
        {TPAD_NUMBER_BF16, 7, {0xFF7F, 0xFF7F, 0x8000}},
    };
    const tpad_axis axes[1] = {{.in_extent = 0, .before = 3}};
    const tpad_problem problem = TPAD_PROBLEM_OF(uint16_t, axes);
    const tpad_plan plan = plan_of(&problem);
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        double sum = 0;
        uint16_t found = 0x1234;
        for (int i = 0; i < 3; i++) sum += half_value(samples[k].cells[i], samples[k].fraction);
        assert_int_equal(
            tpad_adjoint_fill(&plan, samples[k].number, 0, samples[k].cells, &found, NULL, NULL),
            TPAD_OK);
        if (isnan(sum))
            assert_true(isnan(half_value(found, samples[k].fraction)));
        else
            assert_int_equal(found, half_bits(sum, samples[k].fraction));
    }
}

/* ---- The fill -------------------------------------------------------------------------------- */

static void test_a_fill_of_every_kind(void **state)
{
    (void)state;
    const tpad_axis axes[2] = {{.in_extent = 2, .before = 1, .interior = 1},
                               {.in_extent = 1, .after = 1}};
    static unsigned char out[4 * 2 * 16], values[4 * 2 * 16], expected[4 * 2 * 16];
    for (size_t k = 0; k < KIND_COUNT; k++) {
        const int32_t number = kinds[k].number, parts = kinds[k].parts;
        const int32_t bytes = kinds[k].bits / 8 / parts;
        const tpad_problem problem = TPAD_PROBLEM(kinds[k].bits, 2, axes);
        const tpad_plan plan = plan_of(&problem);
        const tpad_index column = (tpad_index)bytes * parts;
        for (int adds = 0; adds < 2; adds++) {
            for (int i = 0; i < 8 * parts; i++) { /* whole numbers */
                total t = {(float)(i - 5), i - 5, (uint64_t)(int64_t)(i - 5)};
                write_total(number, out + i * bytes, t, false);
            }
            for (int with_strides = 0; with_strides < 2; with_strides++) {
                /* Cells 0 and 2 of the first axis are fill, and cell 1 of the second. */
                const tpad_index strides[2] = {0, column};
                total sums[4] = {{0, 0, 0}};
                for (int c = 0; c < 8; c++)
                    for (int part = 0; part < parts; part++)
                        if (c / 2 % 2 == 0 || c % 2 == 1)
                            add_number(&sums[with_strides * (c % 2) * parts + part],
                                       read_number(number, out + (c * parts + part) * bytes));
                for (int i = 0; i < 4; i++) {
                    total t = {(float)(3 * i), 3 * i, (uint64_t)(3 * i)};
                    write_total(number, values + i * bytes, t, false);
                    if (adds) add_number(&sums[i], t);
                    write_total(number, expected + i * bytes,
                                i < (with_strides + 1) * parts ? sums[i] : t, false);
                }
                assert_int_equal(tpad_adjoint_fill(&plan, number, adds, out, values,
                                                   with_strides ? strides : NULL, NULL),
                                 TPAD_OK);
                assert_memory_equal(values, expected, (size_t)(4 * bytes));
            }
        }
    }
}

/* No cells, or none that is filled: the gradient is 0. */
static void test_a_fill_that_nothing_holds(void **state)
{
    (void)state;
    const tpad_axis none[2] = {{.in_extent = 3}, {.in_extent = 0}}, whole[1] = {{.in_extent = 3}};
    const tpad_axis nothing[2] = {{.in_extent = 0}, {.in_extent = 3}};
    const tpad_problem empty = TPAD_PROBLEM_OF(float, none), copy = TPAD_PROBLEM_OF(float, whole);
    const tpad_problem no_rows = TPAD_PROBLEM_OF(float, nothing);
    const tpad_plan empty_plan = plan_of(&empty), copy_plan = plan_of(&copy),
                    no_rows_plan = plan_of(&no_rows);
    const tpad_index rows[2] = {4, 0}, columns[2] = {0, 4};
    const float out[3] = {1, 2, 3};
    float value = 7, values[3] = {7, 7, 7};
    assert_int_equal(tpad_adjoint_fill(&copy_plan, TPAD_NUMBER_F32, 0, out, &value, NULL, NULL),
                     TPAD_OK);
    assert_true(value == 0);
    value = 7;
    assert_int_equal(tpad_adjoint_fill(&empty_plan, TPAD_NUMBER_F32, 0, NULL, &value, NULL, NULL),
                     TPAD_OK);
    assert_true(value == 0);
    assert_int_equal(tpad_adjoint_fill(&empty_plan, TPAD_NUMBER_F32, 0, NULL, values, rows, NULL),
                     TPAD_OK);
    assert_true(values[0] == 0 && values[1] == 0 && values[2] == 0);
    assert_int_equal(tpad_adjoint_fill(&empty_plan, TPAD_NUMBER_F32, 0, NULL, NULL, columns, NULL),
                     TPAD_OK);
    assert_int_equal(tpad_adjoint_fill(&no_rows_plan, TPAD_NUMBER_F32, 0, NULL, NULL, rows, NULL),
                     TPAD_OK);
    /* Boxes without cells have no values of their own, wherever they begin. */
    for (tpad_index first = 0; first <= 3; first++) {
        const tpad_index extents = 0, stride = 4;
        const tpad_box box = {.struct_size = sizeof box, .first = &first, .extents = &extents};
        tpad_plan box_plan;
        assert_int_equal(tpad_plan_box(&box_plan, sizeof box_plan, &copy_plan, &box, NULL),
                         TPAD_OK);
        assert_int_equal(
            tpad_adjoint_fill(&box_plan, TPAD_NUMBER_F32, 0, NULL, NULL, &stride, NULL), TPAD_OK);
    }
}

/* ---- Large ones ------------------------------------------------------------------------------ */

static int32_t run_all(void *context, int64_t count, tpad_body body, void *user)
{
    *(int64_t *)context = count;
    for (int64_t i = count - 1; i >= 0; i--) body(user, i);
    return 0;
}

static int32_t run_none(void *context, int64_t count, tpad_body body, void *user)
{
    (void)count;
    (void)body;
    (void)user;
    return *(int32_t *)context;
}

/* Planes of floats that are summed in many pieces: as a whole, in parts and by a runner. */
static void test_pieces_parts_and_runners(void **state)
{
    (void)state;
    const tpad_axis axes[3] = {
        {.in_extent = 6},
        {.in_extent = 300, .before = 3, .after = 301, .mode = TPAD_SYMMETRIC},
        {.in_extent = 200, .before = 2, .after = 5, .mode = TPAD_REFLECT}};
    const int64_t in = 6 * 300 * 200, rows = 604, columns = 207, out = 6 * rows * columns;
    const tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
    const tpad_plan plan = plan_of(&problem);
    float *grad_out = malloc((size_t)out * 4), *first = malloc((size_t)in * 4),
          *second = malloc((size_t)in * 4);
    assert_true(grad_out && first && second);
    rng r = rng_seeded(9, 9);
    random_numbers(&r, TPAD_NUMBER_F32, 4, (unsigned char *)grad_out, out);
    assert_int_equal(tpad_adjoint(&plan, TPAD_NUMBER_F32, 0, grad_out, first, NULL, NULL), TPAD_OK);
    /* Row by row, as the order of the header has it. */
    for (int64_t p = 0; p < 6; p++)
        for (int64_t i = 0; i < 300; i += 37)
            for (int64_t j = 0; j < 200; j++) {
                const int64_t takers[4] = {3 + i, i < 3 ? 2 - i : -1, 602 - i, 603 + i};
                const int64_t cells[3] = {2 + j, j == 1 || j == 2 ? 2 - j : -1,
                                          j >= 194 && j < 199 ? 400 - j : -1};
                float sum = 0;
                for (int a = 0; a < 4; a++)
                    for (int b = 0; b < 3; b++)
                        if (takers[a] >= 0 && takers[a] < rows && cells[b] >= 0)
                            sum += grad_out[(p * rows + takers[a]) * columns + cells[b]];
                assert_true(same_number(TPAD_NUMBER_F32, 4, (unsigned char *)&sum,
                                        (unsigned char *)&first[(p * 300 + i) * 200 + j]));
            }
    for (int64_t parts = 1; parts < 500; parts = parts * 3 + 1) {
        memset(second, 0xA5, (size_t)in * 4);
        for (int64_t part = parts - 1; part >= 0; part--)
            assert_int_equal(
                tpad_adjoint_part(&plan, TPAD_NUMBER_F32, 0, grad_out, second, part, parts, NULL),
                TPAD_OK);
        assert_memory_equal(first, second, (size_t)in * 4);
    }
    int64_t called = 0;
    int32_t refusal = 77;
    tpad_error error;
    tpad_runner runner = {sizeof runner, &called, 4, run_all};
    memset(second, 0xA5, (size_t)in * 4);
    assert_int_equal(tpad_adjoint(&plan, TPAD_NUMBER_F32, 0, grad_out, second, &runner, NULL),
                     TPAD_OK);
    assert_int_equal(called, 2);
    assert_memory_equal(first, second, (size_t)in * 4);
    runner.run = run_none;
    runner.context = &refusal;
    assert_int_equal(tpad_adjoint(&plan, TPAD_NUMBER_F32, 0, grad_out, second, &runner, &error),
                     77);
    free(grad_out);
    free(first);
    free(second);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

#define REFUSED(status, text, call) assert_said(&error, call, (said){status, text})

static void test_refused(void **state)
{
    (void)state;
    const tpad_axis axes[2] = {{.in_extent = 3, .in_stride = 4, .before = 1},
                               {.in_extent = 2, .in_stride = 8}};
    tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
    tpad_plan none = {{0}}, plan, border, overlapping;
    tpad_error error;
    float out[8] = {0}, in[6] = {0}, values[9] = {0};
    const tpad_index far = INT64_MAX / 2, strides[2] = {far, 0}, same[2] = {4, 4};
    const tpad_index apart[2] = {8, 4};
    tpad_runner runner = {sizeof runner, NULL, 1, NULL};
    problem.flags = TPAD_IN_STRIDES;
    overlapping = plan_of(&problem);
    problem.flags = 0;
    tpad_axis dense[2] = {{.in_extent = 3, .before = 1}, {.in_extent = 2}};
    problem.axes = dense;
    plan = plan_of(&problem);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, NULL), TPAD_OK);
    const int32_t f32 = TPAD_NUMBER_F32;

    REFUSED(TPAD_E_NOT_A_PLAN, "the plan was never made",
            tpad_adjoint(&none, f32, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_NOT_A_PLAN, "the plan was never made",
            tpad_adjoint(NULL, f32, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_BORDER, "a border plan has no gradient: use the plan that it was made from",
            tpad_adjoint(&border, f32, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_ELEM, "there are no numbers 11",
            tpad_adjoint(&plan, 11, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_ELEM, "there are no numbers 0",
            tpad_adjoint(&plan, 0, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_ELEM, "these numbers have 64 bits, but elements of the plan have 32",
            tpad_adjoint(&plan, TPAD_NUMBER_F64, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "flags 2 are not known here; TPAD_ADJOINT_ADD is 1",
            tpad_adjoint(&plan, f32, 2, out, in, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "grad_in is missing",
            tpad_adjoint(&plan, f32, 0, out, NULL, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "grad_out is missing",
            tpad_adjoint(&plan, f32, 0, NULL, in, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "grad_in and grad_out are the same memory; use two buffers",
            tpad_adjoint(&plan, f32, 0, in, in, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT,
            "axis 1: with stride 8 the results may overlap; 12 and more would keep them apart",
            tpad_adjoint(&overlapping, f32, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "the runner is not complete",
            tpad_adjoint(&plan, f32, 0, out, in, &runner, &error));
    REFUSED(TPAD_E_ARGUMENT, "there is no part 2 of 2 parts",
            tpad_adjoint_part(&plan, f32, 0, out, in, 2, 2, &error));
    REFUSED(TPAD_E_ARGUMENT, "there is no part -1 of 2 parts",
            tpad_adjoint_part(&plan, f32, 0, out, in, -1, 2, &error));
    REFUSED(TPAD_E_ARGUMENT, "there is no part 0 of 0 parts",
            tpad_adjoint_part(&plan, f32, 0, out, in, 0, 0, &error));
    REFUSED(TPAD_E_NOT_A_PLAN, "the plan was never made",
            tpad_adjoint_part(&none, f32, 0, out, in, 0, 1, &error));

    REFUSED(TPAD_E_NOT_A_PLAN, "the plan was never made",
            tpad_adjoint_fill(&none, f32, 0, out, in, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "grad_fill is missing",
            tpad_adjoint_fill(&plan, f32, 0, out, NULL, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "grad_out is missing",
            tpad_adjoint_fill(&plan, f32, 0, NULL, in, NULL, &error));
    REFUSED(TPAD_E_ARGUMENT, "grad_fill and grad_out are the same memory; use two buffers",
            tpad_adjoint_fill(&plan, f32, 0, in, in, NULL, &error));
    REFUSED(TPAD_E_OVERFLOW, "axis 0: with stride 4611686018427387903 the values exceed 64 bits",
            tpad_adjoint_fill(&plan, f32, 0, out, in, strides, &error));
    REFUSED(TPAD_E_ARGUMENT,
            "axis 1: with stride 4 the results may overlap; 16 and more would keep them apart",
            tpad_adjoint_fill(&plan, f32, 0, out, in, same, &error));
    assert_int_equal(tpad_adjoint_fill(&plan, f32, 0, out, values, apart, NULL), TPAD_OK);

    /* Nothing of the input is taken, so nothing is read, as in a run. */
    const tpad_axis cut[1] = {{.in_extent = 3, .before = -5, .after = 4}};
    const tpad_problem cut_off = TPAD_PROBLEM_OF(float, cut);
    plan = plan_of(&cut_off);
    for (int same_buffer = 0; same_buffer < 2; same_buffer++) {
        float sums[3] = {1, 2, 3};
        assert_int_equal(tpad_adjoint(&plan, f32, 0, same_buffer ? sums : NULL, sums, NULL, &error),
                         TPAD_OK);
        for (int i = 0; i < 3; i++) assert_true(sums[i] == 0);
    }
}

/* An interior of 2^60, all but a hundred cells cropped away: that, times the stride, would not fit into
 * an int64_t. Of a constant axis row 0 is element 0; of one that wraps, row 1 is element 1. */
static void test_the_second_element_is_far_away(void **state)
{
    (void)state;
    const tpad_index far = (tpad_index)1 << 60;
    for (int wraps = 0; wraps < 2; wraps++) {
        tpad_axis axes[2] = {{.in_extent = 2, .interior = far, .after = 100 - (far + 2)},
                             {.in_extent = 11}};
        if (wraps) axes[0].before = 2, axes[0].mode = TPAD_WRAP;
        const tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
        const tpad_plan plan = plan_of(&problem);
        static float out[102 * 11];
        float in[2 * 11];
        for (int i = 0; i < 102 * 11; i++) out[i] = (float)i;
        assert_int_equal(tpad_adjoint(&plan, TPAD_NUMBER_F32, 0, out, in, NULL, NULL), TPAD_OK);
        for (int i = 0; i < 11; i++) {
            assert_true(in[i] == out[(wraps ? 22 : 0) + i]);
            assert_true(in[11 + i] == (wraps ? out[11 + i] : 0));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f16),
        cmocka_unit_test(test_bf16),
        cmocka_unit_test(test_totals_round_once),
        cmocka_unit_test(test_a_fill_of_every_kind),
        cmocka_unit_test(test_a_fill_that_nothing_holds),
        cmocka_unit_test(test_the_second_element_is_far_away),
        cmocka_unit_test(test_pieces_parts_and_runners),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
