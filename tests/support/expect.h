/* Checks of what a refused call leaves behind. SPDX-License-Identifier: MIT
 *
 * Owns: the checks of an error, of its text, and of the plan that was not made. Include it after
 * cmocka.h. Must not know: the inside of the library.
 */
#ifndef TENSORPAD_TESTS_SUPPORT_EXPECT_H
#define TENSORPAD_TESTS_SUPPORT_EXPECT_H

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

static inline void check_error(guard *memory, const tpad_error *error, int32_t code, int32_t axis,
                               int64_t got, int64_t limit)
{
    assert_int_equal(error->code, code);
    assert_int_equal(error->axis, axis);
    assert_int_equal(error->got, got);
    assert_int_equal(error->limit, limit);
    assert_non_null(error->text);
    check_text(memory, error);
}

#endif
