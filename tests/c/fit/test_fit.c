/* Amounts from requests. SPDX-License-Identifier: MIT
 *
 * Examples by hand, random requests against an oracle that moves one cell at a time, and numbers at
 * the limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fit_oracle.h"

enum { CASES = 5000, MOST_TENSORS = 5 };

/* ---- By hand --------------------------------------------------------------------------------- */

static const int64_t most = TPAD_MAX_EXTENT;

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
        {{.sized = 1, .extent = most, .align = TPAD_ALIGN_CENTER}, 0, most / 2, most / 2 + 1},
        {{.sized = 1, .extent = most}, most, 0, 0},
        {{.multiple = most}, 1, 0, most - 1},
        {{.sized = 1, .extent = 0, .too_long = TPAD_TOO_LONG_CROP_START}, most, -most, 0},
        {{.align = TPAD_ALIGN_OFFSET, .offset = most}, 0, most, 0},
        {{.align = TPAD_ALIGN_OFFSET, .offset = -most, .too_long = TPAD_TOO_LONG_CROP_END},
         most,
         -most,
         0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_axis(&cases[i]);
}

/* Two axes of 480 and 640 cells. */
static void keeps_a_ratio(void **state)
{
    const struct {
        int64_t aspect[2], multiple[2], out[2];
    } cases[] = {
        {{1, 1}, {0, 0}, {640, 640}},       {{7, 7}, {0, 0}, {640, 640}},
        {{3, 4}, {0, 0}, {480, 640}},       {{4, 3}, {0, 0}, {856, 642}},
        {{16, 9}, {0, 0}, {1152, 648}},     {{1, 1}, {32, 0}, {640, 640}},
        {{1, 1}, {100, 0}, {700, 700}},     {{1, 1}, {100, 32}, {800, 800}},
        {{2, 3}, {0, 100}, {600, 900}},     {{2, 3}, {0, 7}, {490, 735}},
        {{most, most}, {0, 0}, {640, 640}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis requests[2] = {{.multiple = cases[i].multiple[0]},
                                           {.multiple = cases[i].multiple[1]}};
        const int64_t in[2] = {480, 640};
        int64_t out[2];
        tpad_fit fit = TPAD_FIT(2, requests);
        fit.aspect_axes[1] = 1;
        memcpy(fit.aspect, cases[i].aspect, sizeof fit.aspect);
        assert_int_equal(tpad_fit_extents(&fit, in, 1, out, NULL, NULL), TPAD_OK);
        assert_int_equal(out[0], cases[i].out[0]);
        assert_int_equal(out[1], cases[i].out[1]);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_amounts),        cmocka_unit_test(keeps_a_ratio),
        cmocka_unit_test(takes_no_axes),        cmocka_unit_test(names_are_canonical),
        cmocka_unit_test(fits_random_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
