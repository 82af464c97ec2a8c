/* Amounts of SAME and causal padding. SPDX-License-Identifier: MIT
 *
 * Expected amounts are found by trying: cells are added, in turns as the rule says, until there are as
 * many windows as it wants. Rows of refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/fit.h>

#include "../../support/expect.h"

#define MOST TPAD_MAX_EXTENT

static int64_t at_least_1(int64_t number)
{
    return number > 0 ? number : 1;
}

/* How many windows lie in so many cells. */
static int64_t windows_in(const tpad_window *window, int64_t cells)
{
    int64_t found = 0;
    const int64_t last = (at_least_1(window->kernel) - 1) * at_least_1(window->dilation);
    for (int64_t begin = 0; begin + last < cells; begin += at_least_1(window->stride)) found++;
    return found;
}

static void check_small(const tpad_window *window, int64_t extent)
{
    int64_t before = 0, after = 0, wanted = 0;
    for (int64_t begin = 0; begin < extent; begin += at_least_1(window->stride)) wanted++;
    if (window->rule == TPAD_WINDOW_CAUSAL) {
        for (int64_t k = 1; k < window->kernel; k++) before += at_least_1(window->dilation);
    } else {
        int first = window->rule == TPAD_WINDOW_SAME_LOWER;
        for (; windows_in(window, extent + before + after) < wanted; first = !first) {
            before += first;
            after += !first;
        }
    }
    tpad_axis axis = {.in_extent = extent, .before = -7, .after = -7, .mode = TPAD_EDGE};
    assert_int_equal(tpad_window_amounts(1, window, &axis, NULL), TPAD_OK);
    assert_int_equal(axis.before, before);
    assert_int_equal(axis.after, after);
    assert_int_equal(axis.mode, TPAD_EDGE);
}

static void all_small_windows(void **state)
{
    (void)state;
    for (int32_t rule = 0; rule < TPAD_WINDOW_COUNT; rule++)
        for (int64_t kernel = 0; kernel < 6; kernel++)
            for (int64_t stride = 0; stride < (rule == TPAD_WINDOW_SAME ? 2 : 5); stride++)
                for (int64_t dilation = 0; dilation < 4; dilation++)
                    for (int64_t extent = 1; extent < 9; extent++)
                        check_small(&(tpad_window){kernel, stride, dilation, rule, 0}, extent);
}

/* Published values: ONNX's operator tests and TensorFlow's guide; no cells; the limits. */
static void known_windows(void **state)
{
    const struct {
        tpad_window window;
        int64_t extent, before, after;
    } cases[] = {
        {{.kernel = 3, .stride = 2}, 224, 0, 1},
        {{.kernel = 7, .stride = 2}, 224, 2, 3},
        {{.kernel = 7, .stride = 2, .rule = TPAD_WINDOW_SAME_LOWER}, 224, 3, 2},
        {{.kernel = 6, .stride = 5}, 13, 1, 2},
        {{.kernel = 2}, 32, 0, 1},
        {{.kernel = 2, .rule = TPAD_WINDOW_SAME_LOWER}, 32, 1, 0},
        {{.kernel = 2, .rule = TPAD_WINDOW_SAME}, 32, 0, 1},
        {{.kernel = 4, .stride = 3, .dilation = 8, .rule = TPAD_WINDOW_CAUSAL}, 9, 24, 0},
        {{.kernel = 3, .stride = 1}, 0, 1, 1},
        {{.kernel = 5, .stride = 2}, 0, 1, 2},
        {{.kernel = 1, .stride = 2}, 0, 0, 0},
        {{.kernel = MOST}, MOST, (MOST - 1) / 2, MOST / 2},
        {{.kernel = 2, .dilation = MOST, .rule = TPAD_WINDOW_CAUSAL}, 1, MOST, 0},
        {{.kernel = 1, .stride = MOST, .dilation = MOST}, MOST - 1, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tpad_axis axes[2] = {{.in_extent = 5}, {.in_extent = cases[i].extent}};
        const tpad_window windows[2] = {{0}, cases[i].window};
        assert_int_equal(tpad_window_amounts(2, windows, axes, NULL), TPAD_OK);
        assert_int_equal(axes[0].before, 0);
        assert_int_equal(axes[0].after, 0);
        assert_int_equal(axes[1].before, cases[i].before);
        assert_int_equal(axes[1].after, cases[i].after);
    }
    assert_int_equal(tpad_window_amounts(0, NULL, NULL, NULL), TPAD_OK);
}

static void refusals(void **state)
{
#define OF_AXIS(code, text) {TPAD_E_##code, "axis 1: " text}
#define UP_TO_MOST          " is not between 0 and 2305843009213693951"
    const struct {
        tpad_window window;
        int64_t extent;
        said row;
    } cases[] = {
        {{0}, -1, OF_AXIS(EXTENT, "extent -1" UP_TO_MOST)},
        {{0}, MOST + 1, OF_AXIS(EXTENT, "extent 2305843009213693952" UP_TO_MOST)},
        {{.kernel = -1}, 5, OF_AXIS(EXTENT, "the kernel -1" UP_TO_MOST)},
        {{.stride = -2}, 5, OF_AXIS(EXTENT, "the stride -2" UP_TO_MOST)},
        {{.dilation = MOST + 1}, 5, OF_AXIS(EXTENT, "the dilation 2305843009213693952" UP_TO_MOST)},
        {{.rule = -1}, 5, OF_AXIS(ARGUMENT, "the rule -1 is not between 0 and 3")},
        {{.rule = 4}, 5, OF_AXIS(ARGUMENT, "the rule 4 is not between 0 and 3")},
        {{.reserved = 1}, 5, OF_AXIS(ARGUMENT, "reserved is 1, but it must be 0")},
        {{.stride = 2, .rule = TPAD_WINDOW_SAME},
         5,
         OF_AXIS(ARGUMENT, "rule same has stride 1, got 2: same_upper has any")},
        {{.kernel = 3, .dilation = MOST},
         5,
         OF_AXIS(OVERFLOW, "a window of kernel 3 spans more than 2305843009213693951 cells")},
    };
    (void)state;
    tpad_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tpad_axis axes[2] = {{.in_extent = 5, .before = 7}, {.in_extent = cases[i].extent}};
        const tpad_window windows[2] = {{.kernel = 3}, cases[i].window};
        assert_said(&error, tpad_window_amounts(2, windows, axes, &error), cases[i].row);
        assert_int_equal(axes[0].before, 7);
        assert_int_equal(tpad_window_amounts(2, windows, axes, NULL), cases[i].row.code);
    }
    tpad_axis axis = {0};
    const tpad_window window = {0};
    const said missing[] = {{TPAD_E_ARGUMENT, "axes is missing"},
                            {TPAD_E_ARGUMENT, "windows is missing"},
                            {TPAD_E_RANK, "rank -1 is not between 0 and 16"},
                            {TPAD_E_RANK, "rank 17 is not between 0 and 16"}};
    assert_said(&error, tpad_window_amounts(1, &window, NULL, &error), missing[0]);
    assert_said(&error, tpad_window_amounts(1, NULL, &axis, &error), missing[1]);
    assert_said(&error, tpad_window_amounts(-1, &window, &axis, &error), missing[2]);
    assert_said(&error, tpad_window_amounts(17, &window, &axis, &error), missing[3]);
}

static void names(void **state)
{
    const char *const known[] = {"same_upper", "same_lower", "same", "causal"};
    (void)state;
    for (int32_t i = 0; i < TPAD_WINDOW_COUNT; i++) {
        assert_string_equal(tpad_window_name(i), known[i]);
        assert_int_equal(tpad_window_from_name(known[i]), i);
    }
    assert_string_equal(tpad_window_name(-1), "?");
    assert_string_equal(tpad_window_name(TPAD_WINDOW_COUNT), "?");
    assert_int_equal(tpad_window_from_name("SAME"), -1);
    assert_int_equal(tpad_window_from_name(NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_windows),
        cmocka_unit_test(known_windows),
        cmocka_unit_test(refusals),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
