/* Plans in words, word by word.  SPDX-License-Identifier: MIT
 *
 * Owns: the whole text of tpad_plan_describe. The runs were worked out by hand on docs/semantics.md.
 * Must not know: the inside of the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/tensorpad.h>

static void expect_plan(const tpad_plan *plan, const char *words)
{
    char text[1024], whole[1024];
    snprintf(whole, sizeof whole, "%skernels: %s\n", words, tpad_kernels_name());
    assert_int_equal(tpad_plan_describe(plan, text, sizeof text), strlen(whole));
    assert_string_equal(text, whole);
}

static void expect(int32_t bits, int32_t rank, const tpad_axis *axes, const char *words)
{
    const tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    expect_plan(&plan, words);
}

/* a b c becomes c b a b c b a. */
static void runs_of_each_mode(void **state)
{
    (void)state;
    expect(32, 2, (tpad_axis[]){{.in_extent = 2}, {3, 2, 2, .mode = TPAD_REFLECT}},
           "2 x 7 elements of 32 bits\nwalked as 2 x 7 cells of 4 bytes\n  loop 0: copy 2\n"
           "  loop 1: copy 1, reverse 1, copy 3, reverse 1, copy 1\n");
    expect(8, 1, (tpad_axis[]){{3, 2, 1, .mode = TPAD_SYMMETRIC}},
           "6 elements of 8 bits\nwalked as 6 cells of 1 bytes\n"
           "  loop 0: reverse 2, copy 3, reverse 1\n");
    expect(8, 1, (tpad_axis[]){{4, 3, 1, .mode = TPAD_EDGE}},
           "8 elements of 8 bits\nwalked as 8 cells of 1 bytes\n"
           "  loop 0: repeat 3, copy 4, repeat 1\n");
    expect(1, 1, (tpad_axis[]){{3, 0, 2, .mode = TPAD_CONSTANT}},
           "5 elements of 1 bits\nwalked as 5 cells of 1 bits\n  loop 0: copy 3, fill 2\n");
}

/* a . b . c: constant; and mirrored in front, as . b . a . b . c is without its first cell. */
static void runs_with_gaps(void **state)
{
    (void)state;
    expect(16, 1, (tpad_axis[]){{3, 2, 1, .interior = 1}},
           "8 elements of 16 bits\nwalked as 8 cells of 2 bytes\n"
           "  loop 0: fill 2, spread over 5, fill 1\n");
    expect(16, 1, (tpad_axis[]){{3, 3, 0, .interior = 1, .mode = TPAD_REFLECT}},
           "8 elements of 16 bits\nwalked as 8 cells of 2 bytes\n"
           "  loop 0: fill 1, reversed spread over 2, spread over 5\n");
    expect(16, 1, (tpad_axis[]){{2, 1, 0, .interior = 1, .mode = TPAD_WRAP}},
           "4 elements of 16 bits\nwalked as 4 cells of 2 bytes\n"
           "  loop 0: copy 1, spread over 3\n");
}

/* a b again and again: six runs are shown. */
static void more_runs_than_are_shown(void **state)
{
    (void)state;
    expect(8, 1, (tpad_axis[]){{2, 4, 6, .mode = TPAD_WRAP}},
           "12 elements of 8 bits\nwalked as 12 cells of 1 bytes\n"
           "  loop 0: copy 2, copy 2, copy 2, copy 2, copy 2, copy 2\n");
    expect(8, 1, (tpad_axis[]){{2, 9, 9, .mode = TPAD_WRAP}},
           "20 elements of 8 bits\nwalked as 20 cells of 1 bytes\n"
           "  loop 0: copy 1, copy 2, copy 2, copy 2, copy 2, copy 2, and so on for 9\n");
}

static void little_to_do(void **state)
{
    tpad_plan plan, border;
    char text[100];
    (void)state;
    expect(64, 0, NULL, "1 elements of 64 bits\nwalked as 1 cells of 8 bytes\n  loop 0: copy 1\n");
    expect(8, 2, (tpad_axis[]){{.in_extent = 4}, {.in_extent = 5}},
           "4 x 5 elements of 8 bits\nwalked as 1 cells of 20 bytes\n  loop 0: copy 1\n");

    const tpad_axis nothing = {.in_extent = 3, .after = -3};
    const tpad_problem empty = TPAD_PROBLEM(8, 1, &nothing);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &empty, NULL), TPAD_OK);
    tpad_plan_describe(&plan, text, sizeof text);
    assert_string_equal(text, "0 elements of 8 bits\nnothing to write\n");

    const tpad_axis framed = {.in_extent = 3, .before = 1, .after = 1};
    const tpad_problem frame = TPAD_PROBLEM(8, 1, &framed);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &frame, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, NULL), TPAD_OK);
    expect_plan(&border, "border of 5 elements of 8 bits\nwalked as 5 cells of 1 bytes\n"
                         "  loop 0: fill 1, copy 3, fill 1\n");

    memset(&plan, 0, sizeof plan);
    assert_int_equal(tpad_plan_describe(&plan, text, sizeof text), strlen("no plan was made\n"));
    assert_string_equal(text, "no plan was made\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_each_mode),
        cmocka_unit_test(runs_with_gaps),
        cmocka_unit_test(more_runs_than_are_shown),
        cmocka_unit_test(little_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
