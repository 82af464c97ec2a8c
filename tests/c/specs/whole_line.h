/* What every error of a dialect looks like. SPDX-License-Identifier: MIT
 * Include it after cmocka.h. */
#ifndef TENSORPAD_TESTS_C_SPECS_WHOLE_LINE_H
#define TENSORPAD_TESTS_C_SPECS_WHOLE_LINE_H

#include <stdio.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

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
