/* Images and planes in one call.  SPDX-License-Identifier: MIT
 *
 * Tpad_pad_2d against loops over rows and columns, and against the oracle; its errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/expect.h"
#include "../../support/random_problem.h"

/* The two calls of the header's comment, on smaller images: pixels of three bytes, and planes. */
static void pads_pixels_and_planes(void **state)
{
    static const char pixels[] = "abcdefghijkl"; /* 2 x 2 pixels */
    static const char framed[] = "abcabcdefdef"
                                 "abcabcdefdef"
                                 "ghighijkljkl"
                                 "ghighijkljkl";
    static const char row[] = "abcdefRGBghijklRGB";
    char dst[64];
    const float planes[2][2][1] = {{{1}, {2}}, {{3}, {4}}};
    const float expected[2][2][3] = {{{1, 0, 0}, {2, 0, 0}}, {{3, 0, 0}, {4, 0, 0}}};
    float wide[2][2][3];
    tpad_error error;
    (void)state;
    assert_int_equal(tpad_pad_2d(3, 1, 2, 2, 1, 1, 1, 1, TPAD_EDGE, pixels, dst, NULL, &error),
                     TPAD_OK);
    assert_memory_equal(dst, framed, 48);
    assert_int_equal(tpad_pad_2d(3, 1, 2, 2, 0, 0, 0, 1, TPAD_CONSTANT, pixels, dst, "RGB", &error),
                     TPAD_OK);
    assert_memory_equal(dst, row, 18);
    assert_int_equal(
        tpad_pad_2d(sizeof(float), 2, 2, 1, 0, 0, 0, 2, TPAD_CONSTANT, planes, wide, NULL, &error),
        TPAD_OK);
    assert_memory_equal(wide, expected, sizeof expected);
}

/* Any amounts, modes and pixels: what the oracle says of three axes. */
static void agrees_with_the_oracle(void **state)
{
    static const int64_t widths[] = {1, 2, 3, 4, 6, 12, 16, 40};
    rng r = rng_seeded(35, 0);
    bench b;
    int ran = 0;
    (void)state;
    bench_open(&b);
    for (int i = 0; i < 3000; i++) {
        const int wide = rng_percent(&r, 20); /* rows with long copies, and borders of vectors */
        const int64_t pixel = widths[rng_range(&r, 0, wide ? 3 : 7)];
        const int32_t mode = (int32_t)rng_range(&r, 0, TPAD_MODE_COUNT - 1);
        int64_t extents[3], amounts[4];
        for (int k = 0; k < 3; k++) extents[k] = rng_range(&r, rng_percent(&r, 5) ? 0 : 1, 20);
        for (int k = 0; k < 4; k++) amounts[k] = rng_range(&r, rng_percent(&r, 20) ? -9 : 0, 9);
        for (int k = 2; wide && k < 4; k++) amounts[k] = rng_range(&r, 9, 25);
        if (wide) extents[2] = rng_range(&r, 30, 90);
        const tpad_axis axes[3] = {
            {.in_extent = extents[0]},
            {.in_extent = extents[1], .before = amounts[0], .after = amounts[1], .mode = mode},
            {.in_extent = extents[2], .before = amounts[2], .after = amounts[3], .mode = mode}};
        const tpad_problem problem = TPAD_PROBLEM((int32_t)pixel * 8, 3, axes);
        random_problem p;
        random_problem_from(&p, &problem);
        tpad_error error;
        if (p.truth.status == TPAD_OK) {
            bench_fill(&b, &r, &p);
            assert_int_equal(tpad_pad_2d(pixel, extents[0], extents[1], extents[2], amounts[0],
                                         amounts[1], amounts[2], amounts[3], mode, b.src, b.dst,
                                         b.value, &error),
                             TPAD_OK);
            assert_true(bench_check(&b, "tpad_pad_2d"));
            ran++;
        } else {
            char src[1], dst[1];
            assert_int_equal(tpad_pad_2d(pixel, extents[0], extents[1], extents[2], amounts[0],
                                         amounts[1], amounts[2], amounts[3], mode, src, dst, NULL,
                                         &error),
                             p.truth.status);
            assert_int_equal(error.axis, p.truth.axis);
        }
        random_problem_close(&p);
    }
    bench_close(&b);
    assert_true(ran > 2000);
}

static void refuses_what_tpad_pad_refuses(void **state)
{
    static const int64_t bytes[] = {0, -1, 65537, INT64_MAX, INT64_MIN, (INT64_C(1) << 29) + 1};
    char src[4] = "abc", dst[4] = "...";
    char line[128];
    tpad_error error;
    (void)state;
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        snprintf(line, sizeof line, "pixels of %lld bytes: possible are 1 to 65536",
                 (long long)bytes[i]);
        assert_said(
            &error,
            tpad_pad_2d(bytes[i], 1, 1, 1, 0, 0, 0, 0, TPAD_CONSTANT, src, dst, NULL, &error),
            (said){TPAD_E_ELEM, line});
    }
    /* The widest pixel; there is none to move. */
    assert_int_equal(
        tpad_pad_2d(65536, 1, 0, 0, 0, 0, 0, 0, TPAD_CONSTANT, NULL, NULL, NULL, &error), TPAD_OK);
    assert_int_equal(tpad_pad_2d(1, 1, 1, 1, 0, 0, 0, 0, 7, src, dst, NULL, &error), TPAD_E_MODE);
    assert_int_equal(error.axis, 1);
    assert_int_equal(tpad_pad_2d(1, -1, 1, 1, 0, 0, 0, 0, 0, src, dst, NULL, &error),
                     TPAD_E_EXTENT);
    assert_int_equal(error.axis, 0);
    assert_int_equal(tpad_pad_2d(1, 1, 1, 1, 0, 0, -1, -1, 0, src, dst, NULL, &error),
                     TPAD_E_NEGATIVE);
    assert_int_equal(error.axis, 2);
    assert_int_equal(tpad_pad_2d(1, 1, 1, 3, 0, 0, 0, 0, 0, NULL, dst, NULL, &error),
                     TPAD_E_ARGUMENT);
    assert_int_equal(tpad_pad_2d(1, 1, 1, 3, 0, 0, 0, 0, 0, src, src, NULL, &error),
                     TPAD_E_ARGUMENT);
    assert_int_equal(tpad_pad_2d(1, 1, 1, 3, 0, 0, 0, 0, 0, src, src, NULL, NULL), TPAD_E_ARGUMENT);
    assert_string_equal(dst, "...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pads_pixels_and_planes),
        cmocka_unit_test(agrees_with_the_oracle),
        cmocka_unit_test(refuses_what_tpad_pad_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
