/* Plans in words, word by word.  SPDX-License-Identifier: MIT
 *
 * The whole text of tpad_plan_describe. The runs were worked out by hand on docs/semantics.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/tensorpad.h>

static void expect_plan(const tpad_plan *plan, const char *words, const char *how)
{
    char text[1024], whole[1024];
    snprintf(whole, sizeof whole, "%swritten by %s\nkernels: %s\n", words, how,
             tpad_kernels_name());
    assert_int_equal(tpad_plan_describe(plan, text, sizeof text), strlen(whole));
    assert_string_equal(text, whole);
}

/* Small outputs of bytes are written by a list, unless a test chose the kernels; then nothing is
 * said of how. */
static void expect(int32_t bits, int32_t rank, const tpad_axis *axes, const char *words)
{
    const tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    tpad_plan plan;
    char text[1024];
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    if (!getenv("TENSORPAD_KERNELS")) {
        expect_plan(&plan, words, bits < 8 ? "blocks" : "a list");
        return;
    }
    tpad_plan_describe(&plan, text, sizeof text);
    assert_memory_equal(text, words, strlen(words));
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
    expect_plan(&border,
                "border of 5 elements of 8 bits\nwalked as 5 cells of 1 bytes\n"
                "  loop 0: fill 1, copy 3, fill 1\n",
                "blocks");

    memset(&plan, 0, sizeof plan);
    assert_int_equal(tpad_plan_describe(&plan, text, sizeof text), strlen("no plan was made\n"));
    assert_string_equal(text, "no plan was made\n");
}

/* Rows of bytes have a table where the kernels can use one; long rows of bits are copied by words,
 * and still longer ones by blocks. */
static void how_large_outputs_are_written(void **state)
{
    static const struct {
        int32_t bits;
        int64_t length;
        const char *words;
    } cases[] = {
        {8, 1000, "100 x 1001 elements of 8 bits\nwalked as 100 x 1001 cells of 1 bytes\n"},
        {1, 8003, "100 x 8004 elements of 1 bits\nwalked as 100 x 8004 cells of 1 bits\n"},
        {1, 56023, "100 x 56024 elements of 1 bits\nwalked as 100 x 56024 cells of 1 bits\n"}};
    const char *hows[] = {strcmp(tpad_kernels_name(), "plain") == 0 ? "words" : "a table", "words",
                          "blocks"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        const tpad_axis axes[2] = {{.in_extent = 99, .before = 1},
                                   {.in_extent = cases[i].length, .after = 1}};
        const tpad_problem problem = TPAD_PROBLEM(cases[i].bits, 2, axes);
        tpad_plan plan;
        char words[256];
        snprintf(words, sizeof words, "%s  loop 0: fill 1, copy 99\n  loop 1: copy %d, fill 1\n",
                 cases[i].words, (int)cases[i].length);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        expect_plan(&plan, words, hows[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_each_mode),
        cmocka_unit_test(runs_with_gaps),
        cmocka_unit_test(more_runs_than_are_shown),
        cmocka_unit_test(little_to_do),
        cmocka_unit_test(how_large_outputs_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
