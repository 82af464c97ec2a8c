/* One pointer for input and output, and inputs that are broadcast. SPDX-License-Identifier: MIT
 *
 * That a run is refused exactly where the output would overwrite what is read, by every call there
 * is. What else is refused is in test_refused.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/expect.h"

/* ---- One pointer for both sides -------------------------------------------------------------- */

static int32_t in_turn(void *context, int64_t count, tpad_body body, void *user)
{
    ++*(int *)context;
    for (int64_t i = 0; i < count; i++) body(user, i);
    return 0;
}

/* Runs a plan on one pointer by every call there is: all return the same. */
static void check_runs(const tpad_plan *plan, void *both, int32_t expected)
{
    int called = 0;
    const tpad_runner runner = {sizeof runner, &called, 3, in_turn};
    assert_int_equal(tpad_run(plan, both, both, NULL), expected);
    for (int64_t part = 0; part < 3; part++)
        assert_int_equal(tpad_run_part(plan, both, both, NULL, part, 3), expected);
    assert_int_equal(tpad_run_with(plan, both, both, NULL, NULL), expected);
    assert_int_equal(tpad_run_with(plan, both, both, NULL, &runner), expected);
    if (expected != TPAD_OK) assert_int_equal(called, 0);
}

/* A plan that writes and reads: nothing is written, be it small, by a table, or large. */
static void refuses_equal_pointers(void **state)
{
    static unsigned char both[5 << 19];
    static const int64_t extents[] = {2, 1000, 2 << 20};
    (void)state;
    memset(both, 3, sizeof both);
    for (int32_t bits = 4; bits <= 8; bits += 4) {
        for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
            for (int64_t before = -1; before <= 1; before++) {
                const tpad_axis axis = {.in_extent = extents[i], .before = before};
                const tpad_problem problem = TPAD_PROBLEM(bits, 1, &axis);
                tpad_plan plan;
                tpad_error error;
                assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
                check_runs(&plan, both, TPAD_E_ARGUMENT);
                assert_said(&error, tpad_pad(&problem, both, both, NULL, &error),
                            (said){TPAD_E_ARGUMENT,
                                   "src and dst are the same pointer: the output would overwrite "
                                   "the input (tpad_plan_border pads in place)"});
                for (size_t k = 0; k < sizeof both; k += 997) assert_int_equal(both[k], 3);
            }
        }
    }
}

/* Where nothing is read, or nothing is written, there is nothing to overwrite. */
static void accepts_equal_pointers_where_nothing_is_read(void **state)
{
    const tpad_axis fills[] = {
        {.in_extent = 0, .after = 4},
        {.in_extent = 3, .before = -4, .after = 5},
        {.in_extent = 2, .interior = 9, .before = -3, .after = -4}, /* only a gap is left */
    };
    const tpad_axis empty[] = {{.in_extent = 4, .after = -4}, {.in_extent = 0, .mode = TPAD_WRAP}};
    unsigned char both[4];
    tpad_plan plan;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &fills[i]);
        memset(both, 3, sizeof both);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        check_runs(&plan, both, TPAD_OK);
        for (int k = 0; k < 4; k++) assert_int_equal(both[k], 0);
        assert_int_equal(tpad_pad(&problem, both, both, "7", NULL), TPAD_OK);
        for (int k = 0; k < 4; k++) assert_int_equal(both[k], '7');
        check_runs(&plan, NULL, TPAD_E_ARGUMENT); /* dst is needed */
    }
    for (size_t i = 0; i < 2; i++) {
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &empty[i]);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        check_runs(&plan, both, TPAD_OK);
        check_runs(&plan, NULL, TPAD_OK);
        assert_int_equal(tpad_pad(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
    }
}

/* The first and the last byte of a side with two axes, element by element. */
static void touched(int32_t bits, int64_t offset, const int64_t *extents, const int64_t *strides,
                    int64_t *first, int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    for (int64_t i = 0; i < extents[0]; i++) {
        for (int64_t k = 0; k < extents[1]; k++) {
            const int64_t at = offset + i * strides[0] + k * strides[1];
            /* 100 bytes more, so that the division of bits rounds down */
            const int64_t low = bits < 8 ? (at * bits + 800) / 8 - 100 : at;
            const int64_t high = bits < 8 ? ((at + 1) * bits + 799) / 8 - 100 : at + bits / 8 - 1;
            if (low < *first) *first = low;
            if (high > *last) *last = high;
        }
    }
}

/* Two tensors in one memory, at all distances: refused where the bytes from the first to the last
 * of one side and of the other overlap, also where they lie between each other. */
static void accepts_equal_pointers_that_lie_apart(void **state)
{
    static const int64_t strides[][2] = {{12, 3}, {-12, 3}, {12, -3}, {-13, -2}};
    static const int32_t widths[] = {4, 8, 16};
    (void)state;
    for (int turn = 0; turn < 3 * 4 * 4; turn++) {
        const int32_t bits = widths[turn / 16];
        const int64_t *in = strides[turn / 4 % 4], *out = strides[turn % 4];
        const tpad_axis axes[2] = {
            {.in_extent = 2, .in_stride = in[0], .out_stride = out[0], .before = 1},
            {.in_extent = 3, .in_stride = in[1], .out_stride = out[1], .after = 1}};
        static const int64_t in_extents[2] = {2, 3}, out_extents[2] = {3, 4};
        tpad_problem problem = TPAD_PROBLEM(bits, 2, axes);
        problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
        int refused = 0;
        for (int64_t distance = -99; distance <= 99; distance++) {
            enum { HALF = 200 };
            unsigned char src[2 * HALF], expected[2 * HALF], both[2 * HALF];
            int64_t in_first, in_last, out_first, out_last;
            problem.in_offset = distance < 0 ? 3 : 2;
            problem.out_offset = problem.in_offset + distance;
            touched(bits, problem.in_offset, in_extents, in, &in_first, &in_last);
            touched(bits, problem.out_offset, out_extents, out, &out_first, &out_last);
            const bool apart = in_last < out_first || out_last < in_first;
            for (int i = 0; i < 2 * HALF; i++)
                src[i] = expected[i] = both[i] = (unsigned char)(i * 37);
            if (apart)
                assert_int_equal(tpad_pad(&problem, src + HALF, expected + HALF, "\5\5", NULL),
                                 TPAD_OK);
            assert_int_equal(tpad_pad(&problem, both + HALF, both + HALF, "\5\5", NULL),
                             apart ? TPAD_OK : TPAD_E_ARGUMENT);
            assert_memory_equal(both, expected, sizeof both);
            refused += !apart;
        }
        assert_in_range(refused, 10, 150);
    }
}

/* A border is in place, and so are its boxes; a box without memory of its own is as its plan. */
static void accepts_equal_pointers_of_borders(void **state)
{
    const tpad_axis axis = {.in_extent = 3, .before = 2, .after = 1, .mode = TPAD_EDGE};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    const int64_t first = 1, extent = 3;
    const tpad_box part = {.struct_size = sizeof part, .first = &first, .extents = &extent};
    unsigned char both[7] = "..abc.";
    tpad_plan plan, border, box;
    (void)state;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, NULL), TPAD_OK);
    check_runs(&border, both, TPAD_OK);
    assert_string_equal((char *)both, "aaabcc");
    assert_int_equal(tpad_plan_box(&box, sizeof box, &border, &part, NULL), TPAD_OK);
    check_runs(&box, both, TPAD_OK);
    assert_string_equal((char *)both, "aaabcc");
    assert_int_equal(tpad_plan_box(&box, sizeof box, &plan, &part, NULL), TPAD_OK);
    check_runs(&box, both, TPAD_E_ARGUMENT);
    assert_string_equal((char *)both, "aaabcc");
}

/* A box with memory of its own is where its pointers and strides say; so is a box of it. */
static void accepts_equal_pointers_of_own_memory(void **state)
{
    /* bcd of abcd. The input goes up from the pointer on, the output down. */
    const tpad_axis cut = {.in_extent = 4, .before = -1};
    const int64_t zero = 0, three = 3, backward = -1;
    const tpad_box all = {.struct_size = sizeof all, .first = &zero, .extents = &three};
    tpad_box own = all;
    tpad_problem problem = TPAD_PROBLEM(8, 1, &cut);
    unsigned char both[8] = "..abcd";
    tpad_plan plan, box, inner;
    (void)state;
    own.out_strides = &backward;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_box(&box, sizeof box, &plan, &own, NULL), TPAD_OK);
    check_runs(&box, both + 2, TPAD_OK);
    assert_string_equal((char *)both, "dcbbcd");
    assert_int_equal(tpad_plan_box(&inner, sizeof inner, &box, &all, NULL), TPAD_OK);
    check_runs(&inner, both + 2, TPAD_OK);
    assert_string_equal((char *)both, "dcbbcd");

    /* Cells 4 to 6 of aaaaabc. The input's memory begins with a, the output's with cell 0. */
    const tpad_axis moved = {.in_extent = 3, .before = 4, .mode = TPAD_EDGE};
    const int64_t four = 4;
    const tpad_box after = {
        .struct_size = sizeof after, .first = &four, .extents = &three, .in_first = &zero};
    unsigned char line[8] = "abc....";
    problem.axes = &moved;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_box(&box, sizeof box, &plan, &after, NULL), TPAD_OK);
    check_runs(&box, line, TPAD_OK);
    assert_string_equal((char *)line, "abc.abc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_equal_pointers),
        cmocka_unit_test(accepts_equal_pointers_where_nothing_is_read),
        cmocka_unit_test(accepts_equal_pointers_that_lie_apart),
        cmocka_unit_test(accepts_equal_pointers_of_borders),
        cmocka_unit_test(accepts_equal_pointers_of_own_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
