/* Amounts from requests, and of SAME and causal padding. SPDX-License-Identifier: MIT
 *
 * Examples by hand, random requests against an oracle that moves one cell at a time, and numbers at
 * the limits. The amounts of windows are found by trying: cells are added, in turns as the rule
 * says, until there are as many windows as it wants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/fit.h>

#include "../../support/expect.h"
#include "fit_oracle.h"

enum { CASES = 5000, MOST_TENSORS = 5 };

/* ---- By hand --------------------------------------------------------------------------------- */

#define MOST TPAD_MAX_EXTENT

/* One axis: the request, the input's extent, and what comes out. */
typedef struct one_axis {
    tpad_fit_axis request;
    int64_t n, before, after;
} one_axis;

static void check_axis(const one_axis *c)
{
    const tpad_fit fit = TPAD_FIT(1, &c->request);
    const tpad_axis given = {.in_extent = c->n,
                             .before = 91,
                             .after = 92,
                             .in_stride = 5,
                             .out_stride = 6,
                             .mode = 93,
                             .order = TPAD_CROP};
    int64_t extent = -5, item = -5;
    assert_int_equal(tpad_fit_extents(&fit, &c->n, 1, &extent, &item, NULL), TPAD_OK);
    assert_int_equal(extent, c->before + c->n + c->after);
    assert_int_equal(item, -1);
    for (int alone = 0; alone < 2; alone++) {
        tpad_axis axis = given;
        assert_int_equal(tpad_fit_amounts(&fit, alone ? NULL : &extent, &axis, NULL), TPAD_OK);
        assert_int_equal(axis.before, c->before);
        assert_int_equal(axis.after, c->after);
        assert_int_equal(axis.mode, c->request.mode);
        assert_int_equal(axis.in_extent, c->n);
        assert_int_equal(axis.in_stride, 5);
        assert_int_equal(axis.out_stride, 6);
        assert_int_equal(axis.order, TPAD_CROP);
    }
}

static void finds_amounts(void **state)
{
    const one_axis cases[] = {
        {{0}, 7, 0, 0},
        {{.sized = 1, .extent = 512}, 480, 0, 32},
        {{.sized = 1, .extent = 512, .align = TPAD_ALIGN_CENTER}, 480, 16, 16},
        {{.sized = 1, .extent = 512, .align = TPAD_ALIGN_CENTER}, 481, 15, 16},
        {{.sized = 1, .extent = 512, .align = TPAD_ALIGN_END, .mode = TPAD_WRAP}, 480, 32, 0},
        {{.sized = 1, .extent = 512, .align = TPAD_ALIGN_OFFSET, .offset = 30}, 480, 30, 2},
        {{.multiple = 32}, 500, 0, 12},
        {{.multiple = 32}, 512, 0, 0},
        {{.multiple = 32}, 0, 0, 0},
        {{.multiple = 1}, 7, 0, 0},
        {{.sized = 1, .extent = 500, .multiple = 32, .align = TPAD_ALIGN_END}, 500, 12, 0},
        {{.sized = 1, .extent = 0, .too_long = TPAD_TOO_LONG_CROP_END}, 3, 0, -3},
        {{.sized = 1, .extent = 4, .too_long = TPAD_TOO_LONG_CROP_END}, 7, 0, -3},
        {{.sized = 1, .extent = 4, .too_long = TPAD_TOO_LONG_CROP_START}, 7, -3, 0},
        {{.sized = 1, .extent = 4, .too_long = TPAD_TOO_LONG_CROP_CENTER}, 7, -1, -2},
        {{.sized = 1, .extent = 4, .too_long = TPAD_TOO_LONG_CROP_CENTER}, 8, -2, -2},
        /* A target may be the least extent. */
        {{.sized = 1, .extent = 4, .too_long = TPAD_TOO_LONG_KEEP}, 7, 0, 0},
        {{.sized = 1, .extent = 4, .multiple = 5, .too_long = TPAD_TOO_LONG_KEEP}, 7, 0, 3},
        {{.sized = 1, .extent = 9, .align = TPAD_ALIGN_END, .too_long = TPAD_TOO_LONG_KEEP},
         7,
         2,
         0},
        {{.sized = 1,
          .extent = 8,
          .align = TPAD_ALIGN_OFFSET,
          .offset = 2,
          .too_long = TPAD_TOO_LONG_KEEP},
         7,
         2,
         0},
        /* Only what is too long is cropped, only what is too short is aligned. */
        {{.sized = 1, .extent = 4, .align = TPAD_ALIGN_END, .too_long = TPAD_TOO_LONG_CROP_END},
         7,
         0,
         -3},
        {{.sized = 1, .extent = 9, .align = TPAD_ALIGN_END, .too_long = TPAD_TOO_LONG_CROP_END},
         7,
         2,
         0},
        /* An offset makes the output longer, unless there is a target. */
        {{.align = TPAD_ALIGN_OFFSET, .offset = 3}, 7, 3, 0},
        {{.align = TPAD_ALIGN_OFFSET, .offset = 3, .multiple = 4}, 7, 3, 2},
        {{.align = TPAD_ALIGN_OFFSET, .offset = -3, .too_long = TPAD_TOO_LONG_CROP_END}, 7, -3, 0},
        {{.align = TPAD_ALIGN_OFFSET, .offset = -9, .too_long = TPAD_TOO_LONG_CROP_END}, 7, -9, 2},
        {{.sized = 1,
          .extent = 4,
          .align = TPAD_ALIGN_OFFSET,
          .offset = 5,
          .too_long = TPAD_TOO_LONG_CROP_START},
         2,
         5,
         -3},
        /* At the limits */
        {{.sized = 1, .extent = MOST, .align = TPAD_ALIGN_CENTER}, 0, MOST / 2, MOST / 2 + 1},
        {{.sized = 1, .extent = MOST}, MOST, 0, 0},
        {{.multiple = MOST}, 1, 0, MOST - 1},
        {{.sized = 1, .extent = 0, .too_long = TPAD_TOO_LONG_CROP_START}, MOST, -MOST, 0},
        {{.align = TPAD_ALIGN_OFFSET, .offset = MOST}, 0, MOST, 0},
        {{.align = TPAD_ALIGN_OFFSET, .offset = -MOST, .too_long = TPAD_TOO_LONG_CROP_END},
         MOST,
         -MOST,
         0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_axis(&cases[i]);
}

static void takes_no_axes(void **state)
{
    const tpad_fit fit = TPAD_FIT(0, NULL);
    int64_t item = -5;
    (void)state;
    assert_int_equal(tpad_fit_extents(&fit, NULL, 3, NULL, &item, NULL), TPAD_OK);
    assert_int_equal(item, -1);
    assert_int_equal(tpad_fit_amounts(&fit, NULL, NULL, NULL), TPAD_OK);
}

static void names_are_canonical(void **state)
{
    const char *const aligns[] = {"start", "center", "end", "offset"};
    const char *const crops[] = {"error", "crop_end", "crop_start", "crop_center", "keep"};
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        assert_string_equal(tpad_align_name(i), aligns[i]);
        assert_int_equal(tpad_align_from_name(aligns[i]), i);
    }
    for (int32_t i = 0; i < 5; i++) {
        assert_string_equal(tpad_too_long_name(i), crops[i]);
        assert_int_equal(tpad_too_long_from_name(crops[i]), i);
    }
    const int32_t unknown[] = {-1, 5, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(tpad_align_name(unknown[i]), "?");
        assert_string_equal(tpad_too_long_name(unknown[i]), "?");
    }
    const char *const strange[] = {"",       "Start",    "star", "starts",
                                   "centre", "crop-end", "crop", "?"};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        assert_int_equal(tpad_align_from_name(strange[i]), -1);
        assert_int_equal(tpad_too_long_from_name(strange[i]), -1);
    }
    assert_int_equal(tpad_align_from_name(NULL), -1);
    assert_int_equal(tpad_too_long_from_name(NULL), -1);
}

/* ---- Random ---------------------------------------------------------------------------------- */

/* The amounts of one tensor; returns whether all its axes fit. */
static bool check_tensor(const tpad_fit *fit, const int64_t *in_extents, const int64_t *out_extents,
                         const int64_t *given)
{
    tpad_axis axes[NAIVE_RANK] = {{0}}, expected[NAIVE_RANK];
    tpad_error error;
    int32_t refused = -1;
    for (int32_t i = 0; i < fit->rank; i++)
        axes[i] = (tpad_axis){.in_extent = in_extents[i], .before = 77, .after = 78, .mode = 79};
    memcpy(expected, axes, sizeof axes);
    for (int32_t i = 0; i < fit->rank && refused < 0; i++) {
        expected[i].mode = fit->axes[i].mode;
        if (!naive_amounts(&fit->axes[i], in_extents[i], out_extents[i], &expected[i].before,
                           &expected[i].after))
            refused = i;
    }
    if (refused < 0) {
        assert_int_equal(tpad_fit_amounts(fit, given, axes, &error), TPAD_OK);
    } else {
        memcpy(expected, axes, sizeof axes);
        assert_int_equal(tpad_fit_amounts(fit, given, axes, &error), TPAD_E_TOO_LONG);
        assert_int_equal(error.code, TPAD_E_TOO_LONG);
        assert_int_equal(error.axis, refused);
        assert_int_equal(error.got, in_extents[refused]);
        assert_int_equal(error.limit, out_extents[refused]);
    }
    for (int32_t i = 0; i < fit->rank; i++) {
        assert_int_equal(axes[i].before, expected[i].before);
        assert_int_equal(axes[i].after, expected[i].after);
        assert_int_equal(axes[i].mode, expected[i].mode);
    }
    return refused < 0;
}

static void fits_random_requests(void **state)
{
    int fitting = 0;
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        rng r = rng_seeded(18, number);
        const int32_t rank = (int32_t)rng_range(&r, 0, NAIVE_RANK);
        tpad_fit_axis requests[NAIVE_RANK];
        const tpad_fit fit = naive_requests(&r, rank, requests);
        const int64_t count = rng_range(&r, 1, MOST_TENSORS);
        int64_t in[MOST_TENSORS * NAIVE_RANK], out[NAIVE_RANK], expected[NAIVE_RANK], item = -5;
        for (int64_t i = 0; i < count * rank; i++) in[i] = rng_range(&r, 0, 12);
        naive_extents(&fit, in, count, expected);
        assert_int_equal(tpad_fit_extents(&fit, in, count, out, &item, NULL), TPAD_OK);
        assert_int_equal(item, -1);
        for (int32_t i = 0; i < rank; i++) assert_int_equal(out[i], expected[i]);
        for (int64_t k = 0; k < count; k++) {
            fitting += check_tensor(&fit, in + k * rank, expected, out);
            naive_extents(&fit, in + k * rank, 1, out);
            check_tensor(&fit, in + k * rank, out, NULL);
            memcpy(out, expected, sizeof out);
        }
    }
    printf("%d tensors fit\n", fitting);
    assert_true(fitting > CASES);
}

/* ---- Windows ------------------------------------------------------------------------------------ */

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
        cmocka_unit_test(finds_amounts),
        cmocka_unit_test(takes_no_axes),
        cmocka_unit_test(names_are_canonical),
        cmocka_unit_test(fits_random_requests),
        cmocka_unit_test(all_small_windows),
        cmocka_unit_test(known_windows),
        cmocka_unit_test(refusals),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
