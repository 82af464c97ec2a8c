/* What refused calls say, for the tests of fits and of batches. SPDX-License-Identifier: MIT
 *
 * Include it after cmocka.h. */
#ifndef TENSORPAD_TESTS_C_SIZING_REFUSAL_H
#define TENSORPAD_TESTS_C_SIZING_REFUSAL_H

#include <stdio.h>

#include <tensorpad/fit.h>

#define MOST      TPAD_MAX_EXTENT
#define MOST_TEXT "2305843009213693951"

/* What a refused call says. */
typedef struct refusal {
    int32_t code, axis;
    int64_t got, limit;
    const char *line;
} refusal;

static inline void check_refusal(const tpad_error *error, int32_t status, const refusal *expected)
{
    char line[256];
    assert_true(tpad_error_format(error, line, sizeof line) < sizeof line);
    assert_string_equal(line, expected->line);
    assert_int_equal(status, expected->code);
    assert_int_equal(error->code, expected->code);
    assert_int_equal(error->axis, expected->axis);
    assert_int_equal(error->got, expected->got);
    assert_int_equal(error->limit, expected->limit);
}

/* The sizes of structs depend on the machine. line: room for the text. way_out: what the text
 * advises if the size is too small. */
static inline refusal wrong_size(char line[160], const char *what, size_t got, size_t limit,
                                 const char *way_out)
{
    if (got < limit)
        snprintf(line, 160, "%s is %d, not %d: %s", what, (int)got, (int)limit, way_out);
    else
        snprintf(line, 160,
                 "%s is %d, but this tensorpad knows %d: the header is newer than the library",
                 what, (int)got, (int)limit);
    return (refusal){TPAD_E_ARGUMENT, -1, (int64_t)got, (int64_t)limit, line};
}

#endif
