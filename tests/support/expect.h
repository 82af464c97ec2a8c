/* Checks of what a refused call leaves behind. SPDX-License-Identifier: MIT
 *
 * The checks of an error, of its text, and of the plan that was not made. Include it after
 * cmocka.h. */
#ifndef TENSORPAD_TESTS_SUPPORT_EXPECT_H
#define TENSORPAD_TESTS_SUPPORT_EXPECT_H

#include <stdio.h>
#include <string.h>

#include <tensorpad/tensorpad.h>

#include "guard.h"

/* 3 x 4 elements of 16 bits become 6 x 5. */
static inline tpad_plan good_plan(void)
{
    tpad_axis axes[2] = {{.in_extent = 3, .before = 1, .after = 2}, {.in_extent = 4, .after = 1}};
    tpad_problem problem = TPAD_PROBLEM(16, 2, axes);
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    return plan;
}

static inline void assert_no_plan(const tpad_plan *plan)
{
    unsigned char bytes[64] = {0};
    assert_int_equal(tpad_run(plan, bytes, bytes + 32, NULL), TPAD_E_NOT_A_PLAN);
}

/* Checks the text of an error: it is one line, and a shorter buffer gets its beginning. */
static inline void check_text(guard *memory, const tpad_error *error)
{
    char whole[512];
    size_t length = tpad_error_format(error, whole, sizeof whole);
    assert_true(length > 0 && length < sizeof whole);
    assert_int_equal(strlen(whole), length);
    assert_null(strpbrk(whole, "%\n"));
    assert_int_equal(tpad_error_format(error, NULL, 0), length);
    for (size_t bytes = 1; bytes <= length + 2; bytes++) {
        char *cut = (char *)guard_place(memory, bytes, GUARD_AT_END, 0);
        size_t kept = bytes <= length ? bytes - 1 : length;
        memset(cut, '#', bytes);
        assert_int_equal(tpad_error_format(error, cut, bytes), length);
        assert_int_equal(strlen(cut), kept);
        assert_memory_equal(cut, whole, kept);
        assert_true(guard_intact(memory));
    }
}

/* What a refused call says. The sentence holds the numbers: an error whose sentence names no axis
 * is about none, and one without digits has no numbers. */
typedef struct said {
    int32_t code;
    const char *line;
} said;

static inline void assert_said(tpad_error *error, int32_t status, said expected)
{
    char line[512];
    int axis = -1;
    assert_true(tpad_error_format(error, line, sizeof line) < sizeof line);
    assert_string_equal(line, expected.line);
    if (sscanf(line, "axis %d:", &axis) < 1) axis = -1;
    if (!strpbrk(line, "0123456789")) assert_true(error->got == 0 && error->limit == 0);
    assert_int_equal(status, expected.code);
    assert_int_equal(error->code, expected.code);
    assert_int_equal(error->axis, axis);
}

/* One line that does not end in the middle of a sentence. `place`: it begins with the input, the
 * attribute or the axis that is to blame and a colon, unless the call itself is malformed. */
static inline void assert_whole_line(const tpad_error *error, int place)
{
    char line[300], axis[40];
    const size_t length = tpad_error_format(error, line, sizeof line);
    assert_true(length > 10 && length < sizeof line);
    assert_null(strpbrk(line, "%\n"));
    assert_null(strchr(" ,;:(", line[length - 1]));
    /* tensorpad.h: fields that say nothing about this failure are 0, the axis -1. */
    assert_true(error->axis == -1 || strstr(error->text, "%a"));
    assert_true(error->limit == 0 || strstr(error->text, "%l"));
    assert_true(error->code != TPAD_E_ARGUMENT || error->got == 0 || strstr(error->text, "%g"));
    assert_true(error->code != TPAD_E_ARGUMENT || (error->before == 0 && error->after == 0));
    if (!place) return;
    assert_true(error->axis >= 0 || error->before == 0 || strstr(error->text, "%b"));
    assert_true(error->axis >= 0 || error->after == 0 || strstr(error->text, "%e"));
    if (error->code == TPAD_E_ARGUMENT) return;
    const char *colon = strstr(line, ": ");
    assert_non_null(colon);
    assert_true(strcspn(line, ",;(") > (size_t)(colon - line));
    snprintf(axis, sizeof axis, "axis %d", error->axis);
    assert_true(error->axis < 0 || strstr(line, axis));
}

#endif
