/* Requests that are refused. SPDX-License-Identifier: MIT
 *
 * Every error with its tensor, its axis, what was given, the limit and its line of text; that a
 * refused call writes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "refusal.h"

/* Of one tensor, by both calls. */
static void check_fit_refused(const tpad_fit *fit, const int64_t *in_extents, said expected)
{
    int64_t out[3] = {-7, -7, -7}, item = -5;
    tpad_error error = {0};
    assert_said(&error, tpad_fit_extents(fit, in_extents, 1, out, &item, &error), expected);
    assert_int_equal(error.before, 0);
    assert_int_equal(error.after, 0);
    for (int i = 0; i < 3; i++) assert_int_equal(out[i], -7);
    assert_int_equal(tpad_fit_extents(fit, in_extents, 1, out, NULL, NULL), expected.code);

    tpad_axis axes[3], old[3];
    memset(axes, 0, sizeof axes);
    for (int i = 0; i < 3; i++)
        axes[i] = (tpad_axis){.in_extent = in_extents[i], .before = 7, .after = 8};
    memcpy(old, axes, sizeof old);
    assert_said(&error, tpad_fit_amounts(fit, NULL, axes, &error), expected);
    assert_memory_equal(axes, old, sizeof old);
    assert_int_equal(tpad_fit_amounts(fit, NULL, axes, NULL), expected.code);
}

static void refuses_words_of_an_axis(void **state)
{
    const struct {
        tpad_fit_axis request;
        said row;
    } cases[] = {
        {{.sized = 2}, {TPAD_E_ARGUMENT, "axis 1: sized is 2, but only 0 and 1 are known"}},
        {{.sized = -1}, {TPAD_E_ARGUMENT, "axis 1: sized is -1, but only 0 and 1 are known"}},
        {{.sized = 1, .extent = -1},
         {TPAD_E_EXTENT, "axis 1: the target extent -1 is not between 0 and " MOST_TEXT}},
        {{.sized = 1, .extent = MOST + 1},
         {TPAD_E_EXTENT,
          "axis 1: the target extent 2305843009213693952 is not between 0 and " MOST_TEXT}},
        {{.multiple = -2},
         {TPAD_E_EXTENT, "axis 1: the multiple -2 is not between 0 and " MOST_TEXT}},
        {{.multiple = INT64_MAX},
         {TPAD_E_EXTENT,
          "axis 1: the multiple 9223372036854775807 is not between 0 and " MOST_TEXT}},
        {{.align = -1}, {TPAD_E_ARGUMENT, "axis 1: align -1 is not between 0 and 3"}},
        {{.align = 4}, {TPAD_E_ARGUMENT, "axis 1: align 4 is not between 0 and 3"}},
        {{.too_long = -1}, {TPAD_E_ARGUMENT, "axis 1: too_long -1 is not between 0 and 3"}},
        {{.too_long = 4}, {TPAD_E_ARGUMENT, "axis 1: too_long 4 is not between 0 and 3"}},
        {{.mode = -1}, {TPAD_E_MODE, "axis 1: mode -1 is not between 0 and 4"}},
        {{.mode = 5}, {TPAD_E_MODE, "axis 1: mode 5 is not between 0 and 4"}},
        {{.align = TPAD_ALIGN_OFFSET, .offset = MOST + 1},
         {TPAD_E_AMOUNT,
          "axis 1: the offset 2305843009213693952 is beyond " MOST_TEXT " in magnitude"}},
        {{.align = TPAD_ALIGN_OFFSET, .offset = INT64_MIN},
         {TPAD_E_AMOUNT,
          "axis 1: the offset -9223372036854775808 is beyond " MOST_TEXT " in magnitude"}},
        {{.align = TPAD_ALIGN_OFFSET, .offset = MOST - 4},
         {TPAD_E_OVERFLOW,
          "axis 1: offset and extent together are 2305843009213693952, above " MOST_TEXT}},
        {{.multiple = MOST - 1, .sized = 1, .extent = MOST},
         {TPAD_E_OVERFLOW,
          "axis 1: the extent " MOST_TEXT ", rounded up to its multiple, is above " MOST_TEXT}},
    };
    const int64_t in[3] = {3, 5, 7};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis requests[3] = {{0}, cases[i].request, {.sized = 1, .extent = 9}};
        const tpad_fit fit = TPAD_FIT(3, requests);
        check_fit_refused(&fit, in, cases[i].row);
    }
    /* An offset that is not used is not looked at. */
    const tpad_fit_axis requests[3] = {{.offset = INT64_MIN}};
    const tpad_fit fit = TPAD_FIT(3, requests);
    int64_t out[3];
    assert_int_equal(tpad_fit_extents(&fit, in, 1, out, NULL, NULL), TPAD_OK);
}

static void refuses_ratios(void **state)
{
    const struct {
        int64_t aspect[2];
        int32_t axes[2];
        int64_t extent, multiple;
        said row;
    } cases[] = {
        {{0, 1}, {0, 1}, 1, 0, {TPAD_E_ARGUMENT, "aspect: 0 is not between 1 and " MOST_TEXT}},
        {{1, 0}, {0, 1}, 1, 0, {TPAD_E_ARGUMENT, "aspect: 0 is not between 1 and " MOST_TEXT}},
        {{1, -4}, {0, 1}, 1, 0, {TPAD_E_ARGUMENT, "aspect: -4 is not between 1 and " MOST_TEXT}},
        {{MOST + 1, 1},
         {0, 1},
         1,
         0,
         {TPAD_E_ARGUMENT, "aspect: 2305843009213693952 is not between 1 and " MOST_TEXT}},
        {{1, 1}, {-1, 1}, 1, 0, {TPAD_E_ARGUMENT, "aspect_axes: axis -1 is not between 0 and 2"}},
        {{1, 1}, {0, 3}, 1, 0, {TPAD_E_ARGUMENT, "aspect_axes: axis 3 is not between 0 and 2"}},
        {{1, 1},
         {2, 2},
         1,
         0,
         {TPAD_E_ARGUMENT, "aspect_axes: axis 2 is named twice: a ratio needs two axes"}},
        {{1, 2},
         {0, 1},
         MOST,
         0,
         {TPAD_E_OVERFLOW,
          "axis 1: the extent 5, made longer to have the ratio, is above " MOST_TEXT}},
        {{2, 1},
         {1, 0},
         MOST,
         0,
         {TPAD_E_OVERFLOW,
          "axis 1: the extent 5, made longer to have the ratio, is above " MOST_TEXT}},
        {{MOST, MOST - 1},
         {0, 1},
         MOST - 1,
         3,
         {TPAD_E_OVERFLOW,
          "axis 0: the extent 2305843009213693950, made longer to have the ratio, is "
          "above " MOST_TEXT}},
    };
    const int64_t in[3] = {3, 5, 7};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis requests[3] = {
            {.sized = 1, .extent = cases[i].extent, .multiple = cases[i].multiple}};
        tpad_fit fit = TPAD_FIT(3, requests);
        memcpy(fit.aspect, cases[i].aspect, sizeof fit.aspect);
        memcpy(fit.aspect_axes, cases[i].axes, sizeof fit.aspect_axes);
        check_fit_refused(&fit, in, cases[i].row);
    }
    /* Multiples whose common multiple is no extent, and one that is less than an extent. */
    tpad_fit_axis requests[3] = {{.multiple = MOST - 1}, {.multiple = MOST}};
    tpad_fit fit = TPAD_FIT(3, requests);
    fit.aspect_axes[1] = 1;
    fit.aspect[0] = fit.aspect[1] = 1;
    check_fit_refused(&fit, in,
                      (said){TPAD_E_OVERFLOW, "axis 1: no extent up to " MOST_TEXT
                                              " has this multiple, " MOST_TEXT ", and the ratio"});
    requests[1] = (tpad_fit_axis){.sized = 1, .extent = MOST};
    check_fit_refused(&fit, in,
                      (said){TPAD_E_OVERFLOW,
                             "axis 0: the extent 2305843009213693950, made longer to have the "
                             "ratio, is above " MOST_TEXT});
}

static void refuses_structs(void **state)
{
    const tpad_fit_axis requests[TPAD_MAX_RANK + 1] = {{0}};
    const tpad_fit good = TPAD_FIT(3, requests);
    const int64_t in[3] = {3, 5, 7};
    int64_t out[3];
    char line[160];
    tpad_error error = {0};
    (void)state;
    tpad_fit fit = good;
    for (int change = -1; change <= 1; change += 2) {
        fit = good;
        fit.struct_size += (size_t)change;
        check_fit_refused(&fit, in,
                          wrong_size(line, "tpad_fit: struct_size", fit.struct_size, sizeof fit,
                                     "set it to sizeof(tpad_fit)"));
        fit = good;
        fit.axis_size += (size_t)change;
        check_fit_refused(&fit, in,
                          wrong_size(line, "tpad_fit: axis_size", fit.axis_size, sizeof requests[0],
                                     "initialise it with TPAD_FIT"));
    }
    fit = good;
    fit.reserved = 4;
    check_fit_refused(&fit, in, (said){TPAD_E_ARGUMENT, "reserved is 4, not 0"});
    fit = good;
    fit.axes = NULL;
    check_fit_refused(&fit, in, (said){TPAD_E_ARGUMENT, "tpad_fit: the axes are missing"});
    const int32_t ranks[] = {-1, TPAD_MAX_RANK + 1};
    const char *const lines[] = {"rank -1 is not between 0 and 16",
                                 "rank 17 is not between 0 and 16"};
    for (int i = 0; i < 2; i++) {
        fit = good;
        fit.rank = ranks[i];
        check_fit_refused(&fit, in, (said){TPAD_E_RANK, lines[i]});
    }
    check_fit_refused(NULL, in, (said){TPAD_E_ARGUMENT, "tpad_fit: the arguments are missing"});

    said row = {TPAD_E_ARGUMENT, "in_extents is missing"};
    assert_said(&error, tpad_fit_extents(&good, NULL, 1, out, NULL, &error), row);
    row.line = "out_extents is missing";
    assert_said(&error, tpad_fit_extents(&good, in, 1, NULL, NULL, &error), row);
    row.line = "axes is missing";
    assert_said(&error, tpad_fit_amounts(&good, NULL, NULL, &error), row);
    row = (said){TPAD_E_ARGUMENT, "there are 0 tensors, but at least 1 is needed"};
    assert_said(&error, tpad_fit_extents(&good, in, 0, out, NULL, &error), row);
}

static void refuses_extents(void **state)
{
    const tpad_fit_axis requests[2] = {{.sized = 1, .extent = 4}};
    const tpad_fit fit = TPAD_FIT(2, requests);
    int64_t in[6] = {3, 4, 5, -1, 7, 8}, out[2] = {-7, -7}, item = -5;
    tpad_error error = {0};
    said row = {TPAD_E_EXTENT, "axis 1: extent -1 is not between 0 and " MOST_TEXT};
    (void)state;
    assert_said(&error, tpad_fit_extents(&fit, in, 3, out, &item, &error), row);
    assert_int_equal(item, 1);
    in[3] = 0;
    in[4] = MOST + 1;
    row =
        (said){TPAD_E_EXTENT, "axis 0: extent 2305843009213693952 is not between 0 and " MOST_TEXT};
    assert_said(&error, tpad_fit_extents(&fit, in, 3, out, &item, &error), row);
    assert_int_equal(item, 2);
    assert_int_equal(out[0], -7);
    assert_int_equal(out[1], -7);

    tpad_axis axes[2] = {{.in_extent = 3}, {.in_extent = 2}};
    const int64_t bad[][2] = {{4, -1}, {4, MOST + 1}};
    const said lines[] = {
        {TPAD_E_EXTENT, "axis 1: the target extent -1 is not between 0 and " MOST_TEXT},
        {TPAD_E_EXTENT,
         "axis 1: the target extent 2305843009213693952 is not between 0 and " MOST_TEXT}};
    for (int i = 0; i < 2; i++)
        assert_said(&error, tpad_fit_amounts(&fit, bad[i], axes, &error), lines[i]);
    axes[1].interior = 2;
    row = (said){TPAD_E_INTERIOR, "axis 1: interior is 2, but it must be 0 to fit a size"};
    assert_said(&error, tpad_fit_amounts(&fit, NULL, axes, &error), row);
    assert_int_equal(axes[0].after, 0);
}

static void refuses_what_is_too_long(void **state)
{
    const struct {
        tpad_fit_axis request;
        int64_t n, before, after;
        said row;
    } cases[] = {
        {{.sized = 1, .extent = 4},
         5,
         0,
         -1,
         {TPAD_E_TOO_LONG,
          "axis 1: 5 cells do not fit into 4: choose a larger target, or a too_long that crops"}},
        {{.align = TPAD_ALIGN_OFFSET, .offset = -1},
         5,
         -1,
         0,
         {TPAD_E_TOO_LONG,
          "axis 1: 5 cells at that offset do not fit into 4: choose a larger target, or a "
          "too_long that crops"}},
        {{.sized = 1, .extent = 6, .align = TPAD_ALIGN_OFFSET, .offset = 2},
         5,
         2,
         -1,
         {TPAD_E_TOO_LONG,
          "axis 1: 5 cells at that offset do not fit into 6: choose a larger target, or a "
          "too_long that crops"}},
        {{.sized = 1,
          .extent = 3,
          .align = TPAD_ALIGN_OFFSET,
          .offset = MOST,
          .too_long = TPAD_TOO_LONG_CROP_END},
         4,
         MOST,
         3 - 4 - MOST,
         {TPAD_E_AMOUNT,
          "axis 1: amount -2305843009213693952 is beyond " MOST_TEXT " in magnitude"}},
        {{.sized = 1,
          .extent = 5,
          .align = TPAD_ALIGN_OFFSET,
          .offset = -MOST,
          .too_long = TPAD_TOO_LONG_CROP_END},
         4,
         -MOST,
         5 - 4 + MOST,
         {TPAD_E_AMOUNT,
          "axis 1: amount 2305843009213693952 is beyond " MOST_TEXT " in magnitude"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis requests[2] = {{0}, cases[i].request};
        const tpad_fit fit = TPAD_FIT(2, requests);
        const tpad_axis given[2] = {{.in_extent = 1}, {.in_extent = cases[i].n, .before = 44}};
        tpad_axis axes[2];
        tpad_error error = {0};
        memcpy(axes, given, sizeof axes);
        assert_said(&error, tpad_fit_amounts(&fit, NULL, axes, &error), cases[i].row);
        assert_int_equal(error.before, cases[i].before);
        assert_int_equal(error.after, cases[i].after);
        assert_memory_equal(axes, given, sizeof axes);
    }
}

/* Whatever is accepted has a shape: offsets, extents and targets next to the limits. */
static void accepts_what_has_a_shape(void **state)
{
    const int64_t numbers[] = {-MOST, 1 - MOST, -MOST / 2, -3, 0, 3, MOST / 2, MOST - 1, MOST};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    int accepted = 0;
    (void)state;
    for (int i = 0; i < COUNT * COUNT * COUNT; i++) {
        const tpad_fit_axis request = {.sized = numbers[i / COUNT % COUNT] >= 0,
                                       .extent = numbers[i / COUNT % COUNT],
                                       .align = TPAD_ALIGN_OFFSET,
                                       .offset = numbers[i % COUNT],
                                       .too_long = TPAD_TOO_LONG_CROP_END};
        const tpad_fit fit = TPAD_FIT(1, &request);
        tpad_axis axis = {.in_extent = numbers[i / COUNT / COUNT]};
        if (tpad_fit_amounts(&fit, NULL, &axis, NULL) != TPAD_OK) continue;
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
        assert_int_equal(tpad_shape(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
        accepted++;
    }
    assert_true(accepted > COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_words_of_an_axis), cmocka_unit_test(refuses_ratios),
        cmocka_unit_test(refuses_structs),          cmocka_unit_test(refuses_extents),
        cmocka_unit_test(refuses_what_is_too_long), cmocka_unit_test(accepts_what_has_a_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
