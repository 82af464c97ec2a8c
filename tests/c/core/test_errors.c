/* Problems that the core refuses.  SPDX-License-Identifier: MIT
 *
 * Owns: every error of a problem reached with its axis, what was given and what the limit is; that
 * a refused call writes nothing; names, and errors as text cut at every length.
 * Must not know: the inside of the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/expect.h"

static guard memory;

static int open_memory(void **state)
{
    (void)state;
    guard_open(&memory, 1 << 16);
    return 0;
}

static int close_memory(void **state)
{
    (void)state;
    guard_close(&memory);
    return 0;
}

static void check_plan_refused(const tpad_problem *problem, int32_t code, int32_t axis, int64_t got,
                               int64_t limit)
{
    tpad_error error;
    tpad_plan plan = good_plan();
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, problem, &error), code);
    check_error(&memory, &error, code, axis, got, limit);
    assert_no_plan(&plan);
    plan = good_plan();
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, problem, NULL), code);
    assert_no_plan(&plan);
}

/* Refused by shape inference and by planning alike, and nothing is written. */
static void check_refused(const tpad_problem *problem, int32_t code, int32_t axis, int64_t got,
                          int64_t limit)
{
    int64_t extents[TPAD_MAX_RANK];
    int64_t elems = -77;
    int64_t bytes = -88;
    tpad_error error;
    memset(extents, 0x55, sizeof extents);
    assert_int_equal(tpad_shape(problem, extents, &elems, &bytes, &error), code);
    check_error(&memory, &error, code, axis, got, limit);
    assert_int_equal(elems, -77);
    assert_int_equal(bytes, -88);
    for (size_t i = 0; i < TPAD_MAX_RANK; i++) {
        assert_int_equal(extents[i], 0x5555555555555555);
    }
    assert_int_equal(tpad_shape(problem, NULL, NULL, NULL, NULL), code);
    check_plan_refused(problem, code, axis, got, limit);
}

/* ---- The problem ----------------------------------------------------------------------------- */

static void refuses_ranks(void **state)
{
    tpad_axis axes[TPAD_MAX_RANK + 1];
    const int32_t bad[] = {-1, 17, INT32_MIN, INT32_MAX};
    (void)state;
    memset(axes, 0, sizeof axes);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tpad_problem problem = TPAD_PROBLEM(8, bad[i], axes);
        check_refused(&problem, TPAD_E_RANK, -1, bad[i], TPAD_MAX_RANK);
    }
    tpad_problem most = TPAD_PROBLEM(8, TPAD_MAX_RANK, axes);
    assert_int_equal(tpad_shape(&most, NULL, NULL, NULL, NULL), TPAD_OK);
}

static void refuses_widths(void **state)
{
    const int32_t bad[] = {0, 3, 5, 6, 7, 9, 12, 20, -1, -8, 524289, 524296, INT32_MIN, INT32_MAX};
    const int32_t good[] = {1, 2, 4, 8, 24, 1000 * 8, TPAD_MAX_ELEM_BITS};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tpad_problem problem = TPAD_PROBLEM(bad[i], 0, NULL);
        check_refused(&problem, TPAD_E_ELEM, -1, bad[i], TPAD_MAX_ELEM_BITS);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tpad_problem problem = TPAD_PROBLEM(good[i], 0, NULL);
        assert_int_equal(tpad_shape(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
    }
}

static void refuses_numbers_out_of_range(void **state)
{
    const int64_t most = TPAD_MAX_EXTENT, last_mode = TPAD_MODE_COUNT - 1;
    const struct {
        tpad_axis axis;
        int32_t code;
        int64_t got, limit;
    } cases[] = {
        {{.in_extent = -1}, TPAD_E_EXTENT, -1, most},
        {{.in_extent = most + 1}, TPAD_E_EXTENT, most + 1, most},
        {{.in_extent = INT64_MIN}, TPAD_E_EXTENT, INT64_MIN, most},
        {{.in_extent = INT64_MAX}, TPAD_E_EXTENT, INT64_MAX, most},
        {{.in_extent = 4, .before = most + 1}, TPAD_E_AMOUNT, most + 1, most},
        {{.in_extent = 4, .before = -most - 1}, TPAD_E_AMOUNT, -most - 1, most},
        {{.in_extent = 4, .before = INT64_MIN, .after = INT64_MAX}, TPAD_E_AMOUNT, INT64_MIN, most},
        {{.in_extent = 4, .before = 1, .after = INT64_MAX}, TPAD_E_AMOUNT, INT64_MAX, most},
        {{.in_extent = 4, .after = INT64_MIN}, TPAD_E_AMOUNT, INT64_MIN, most},
        {{.in_extent = 4, .interior = -1}, TPAD_E_INTERIOR, -1, most},
        {{.in_extent = 4, .interior = most + 1}, TPAD_E_INTERIOR, most + 1, most},
        {{.in_extent = 4, .interior = INT64_MIN}, TPAD_E_INTERIOR, INT64_MIN, most},
        {{.in_extent = 4, .mode = -1}, TPAD_E_MODE, -1, last_mode},
        {{.in_extent = 4, .mode = TPAD_MODE_COUNT}, TPAD_E_MODE, TPAD_MODE_COUNT, last_mode},
        {{.in_extent = 4, .mode = INT32_MIN}, TPAD_E_MODE, INT32_MIN, last_mode},
        {{.in_extent = 4, .order = -1}, TPAD_E_ORDER, -1, TPAD_CROP},
        {{.in_extent = 4, .order = 2}, TPAD_E_ORDER, 2, TPAD_CROP},
        {{.in_extent = 4, .before = -5}, TPAD_E_NEGATIVE, -1, 0},
        {{.in_extent = 0, .before = 3, .after = -5}, TPAD_E_NEGATIVE, -2, 0},
        {{.in_extent = 0, .before = -most, .after = -most}, TPAD_E_NEGATIVE, -2 * most, 0},
        {{.in_extent = 2, .interior = 3, .after = -6, .mode = TPAD_WRAP}, TPAD_E_NEGATIVE, -1, 0},
        {{.in_extent = most, .before = 1}, TPAD_E_OVERFLOW, most + 1, most},
        {{.in_extent = most, .before = most, .after = most}, TPAD_E_OVERFLOW, 3 * most, most},
        {{.in_extent = most, .interior = 1}, TPAD_E_OVERFLOW, most, most},
        {{.in_extent = most, .interior = most}, TPAD_E_OVERFLOW, most, most},
        {{.in_extent = 3, .interior = most / 2 + 1}, TPAD_E_OVERFLOW, 3, most},
        /* (8 - 1) * (interior + 1) is INT64_MAX */
        {{.in_extent = 8, .interior = INT64_MAX / 7 - 1}, TPAD_E_OVERFLOW, 8, most},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int32_t at = 0; at < 3; at++) {
            tpad_axis axes[3] = {{.in_extent = 1}, {.in_extent = 2}, {.in_extent = 3}};
            tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
            tpad_error error;
            axes[at] = cases[i].axis;
            check_refused(&problem, cases[i].code, at, cases[i].got, cases[i].limit);
            tpad_shape(&problem, NULL, NULL, NULL, &error);
            assert_int_equal(error.before, cases[i].axis.before);
            assert_int_equal(error.after, cases[i].axis.after);
        }
    }
}

static void refuses_to_extend_nothing(void **state)
{
    const tpad_axis cases[] = {
        {.in_extent = 0, .before = 2, .mode = TPAD_EDGE},
        {.in_extent = 0, .after = 2, .mode = TPAD_REFLECT},
        {.in_extent = 0, .before = 5, .after = -1, .mode = TPAD_SYMMETRIC},
        {.in_extent = 4, .before = -4, .after = 1, .mode = TPAD_WRAP, .order = TPAD_CROP},
        {.in_extent = 4, .before = 9, .after = -4, .mode = TPAD_REFLECT, .order = TPAD_CROP},
        {.in_extent = 4, .before = -9, .after = 9, .mode = TPAD_EDGE, .order = TPAD_CROP},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t extent = cases[i].in_extent + cases[i].before + cases[i].after;
        tpad_axis axes[3] = {{.in_extent = 1}, cases[i], {.in_extent = 3}};
        tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
        tpad_error error;
        check_refused(&problem, TPAD_E_NO_SOURCE, 1, extent, 0);
        tpad_shape(&problem, NULL, NULL, NULL, &error);
        assert_string_equal(error.name, tpad_mode_name(cases[i].mode));
        assert_int_equal(error.before, cases[i].before);
        assert_int_equal(error.after, cases[i].after);
        /* An empty output needs no source, whichever axis makes it empty. */
        axes[2].before = -3;
        assert_int_equal(tpad_shape(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
        /* Constant needs none. */
        axes[2].before = 0;
        axes[1].mode = TPAD_CONSTANT;
        assert_int_equal(tpad_shape(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
    }
}

static void names_the_first_axis(void **state)
{
    tpad_axis axes[3] = {
        {.in_extent = 1}, {.in_extent = 1, .before = -2}, {.in_extent = 1, .before = -7}};
    tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
    (void)state;
    check_refused(&problem, TPAD_E_NEGATIVE, 1, -1, 0);
    axes[1] = axes[2] = (tpad_axis){.before = 3, .mode = TPAD_WRAP};
    check_refused(&problem, TPAD_E_NO_SOURCE, 1, 3, 0);
    /* Below zero is an error in an empty output too. */
    axes[1] = (tpad_axis){.in_extent = 0};
    axes[2] = (tpad_axis){.in_extent = 1, .before = -2};
    check_refused(&problem, TPAD_E_NEGATIVE, 2, -1, 0);
}

static void refuses_sizes_beyond_64_bits(void **state)
{
    const int64_t big = (int64_t)1 << 40;
    tpad_axis axes[3] = {{.in_extent = big}, {.in_extent = 1}, {.in_extent = 0, .after = big}};
    tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
    int64_t elems, bytes;
    (void)state;
    check_refused(&problem, TPAD_E_OVERFLOW, 2, big, INT64_MAX);
    /* The count fits, the bytes do not. */
    axes[2].after = (int64_t)1 << 20;
    problem.elem_bits = 64;
    check_refused(&problem, TPAD_E_OVERFLOW, -1, (int64_t)1 << 60, INT64_MAX);
    problem.elem_bits = 8;
    assert_int_equal(tpad_shape(&problem, NULL, &elems, &bytes, NULL), TPAD_OK);
    assert_int_equal(elems, (int64_t)1 << 60);
    assert_int_equal(bytes, (int64_t)1 << 60);
    problem.elem_bits = 4;
    assert_int_equal(tpad_shape(&problem, NULL, &elems, &bytes, NULL), TPAD_OK);
    assert_int_equal(bytes, (int64_t)1 << 59);
    /* An empty axis makes all of it nothing. */
    axes[2].after = big;
    axes[1].in_extent = 0;
    assert_int_equal(tpad_shape(&problem, NULL, &elems, &bytes, NULL), TPAD_OK);
    assert_int_equal(elems, 0);
    assert_int_equal(bytes, 0);
}

static void accepts_the_largest_extents(void **state)
{
    const int64_t most = TPAD_MAX_EXTENT;
    const tpad_axis cases[] = {
        {.in_extent = most},
        {.in_extent = most, .before = most, .after = -most, .mode = TPAD_REFLECT},
        {.in_extent = most, .before = -most, .after = most, .mode = TPAD_WRAP},
        {.in_extent = 2, .interior = most - 2, .mode = TPAD_SYMMETRIC},
        {.in_extent = 1, .interior = most, .before = most, .after = -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tpad_problem problem = TPAD_PROBLEM(8, 1, &cases[i]);
        int64_t extent, elems, bytes;
        tpad_plan plan;
        assert_int_equal(tpad_shape(&problem, &extent, &elems, &bytes, NULL), TPAD_OK);
        assert_int_equal(extent, most);
        assert_int_equal(elems, most);
        assert_int_equal(bytes, most);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    }
}

static void check_line(const tpad_problem *problem, const char *wanted)
{
    tpad_error error;
    tpad_plan plan;
    char line[200];
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, problem, &error), TPAD_E_OVERFLOW);
    tpad_error_format(&error, line, sizeof line);
    assert_string_equal(line, wanted);
}

/* Strides are no matter of shape inference: only planning refuses them. */
static void refuses_strides_beyond_64_bits(void **state)
{
    tpad_axis axes[2];
    tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    const int64_t bad[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX / 2 + 1};
    tpad_plan plan;
    tpad_error error;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int side = 0; side < 4; side++) {
            const tpad_axis plain = {.in_extent = 3, .in_stride = 1, .out_stride = 1};
            axes[0] = axes[1] = plain;
            axes[0].in_stride = axes[0].out_stride = 3;
            problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
            problem.in_offset = problem.out_offset = 0;
            problem.elem_bits = side % 2 ? 4 : 32;
            if (side < 2) axes[1].in_stride = bad[i];
            if (side >= 2) axes[1].out_stride = bad[i];
            assert_int_equal(tpad_shape(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
            assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, &error), TPAD_E_OVERFLOW);
            assert_int_equal(error.axis, 1);
            assert_int_equal(error.got, bad[i]);
            check_text(&memory, &error);
            assert_no_plan(&plan);
            /* A stride that is never stepped along is no matter. */
            axes[1].in_extent = 1;
            assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
            axes[1] = plain;
            if (side < 2) problem.in_offset = bad[i];
            if (side >= 2) problem.out_offset = bad[i];
            assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, &error), TPAD_E_OVERFLOW);
            assert_int_equal(error.got, bad[i]);
            assert_no_plan(&plan);
        }
    }
    /* The element and all strides together end at half of 64 bits. */
    for (int32_t bytes = 1; bytes <= 16; bytes *= 2) {
        axes[0] = (tpad_axis){.in_extent = 2, .in_stride = (INT64_MAX / 2 - bytes) / 2};
        problem = (tpad_problem)TPAD_PROBLEM(8 * bytes, 1, axes);
        problem.flags = TPAD_IN_STRIDES;
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
        axes[0].in_stride++;
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_E_OVERFLOW);
    }
    /* Each stride is possible, both together are not. */
    problem = (tpad_problem)TPAD_PROBLEM(8, 2, axes);
    problem.flags = TPAD_IN_STRIDES;
    axes[0] = axes[1] = (tpad_axis){.in_extent = 3, .in_stride = INT64_MAX / 5};
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_E_OVERFLOW);
    /* A dense input of more than 64 bits of bytes, of which the output shows little. */
    axes[0] = axes[1] =
        (tpad_axis){.in_extent = (int64_t)1 << 40, .before = 2 - ((int64_t)1 << 40)};
    problem.flags = 0;
    assert_int_equal(tpad_shape(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_E_OVERFLOW);
    assert_no_plan(&plan);
    check_line(&problem, "axis 0: with extent 1099511627776 addresses of a dense tensor exceed "
                         "4611686018427387903");
    axes[0] = axes[1] = (tpad_axis){.in_extent = 1, .after = INT32_MAX};
    check_line(&problem, "axis 0: with extent 2147483648 addresses of a dense tensor exceed "
                         "4611686018427387903");
    axes[0] = axes[1] = (tpad_axis){.in_extent = 2};
    problem.in_offset = INT64_MAX;
    check_line(&problem, "with offset 9223372036854775807 addresses exceed 4611686018427387903");
    problem.in_offset = INT64_MAX / 2 - 3; /* the first row could be reached */
    check_line(&problem, "with offset 4611686018427387900 addresses exceed 4611686018427387903");
    problem.flags = TPAD_OUT_STRIDES;
    problem.in_offset = 0;
    axes[0].out_stride = axes[1].out_stride = INT64_MAX;
    check_line(&problem,
               "axis 0: with stride 9223372036854775807 addresses exceed 4611686018427387903");
}

/* ---- The struct ------------------------------------------------------------------------------ */

static void refuses_malformed_problems(void **state)
{
    tpad_axis axis = {.in_extent = 2};
    const tpad_problem good = TPAD_PROBLEM(8, 1, &axis);
    tpad_problem bad = good;
    tpad_error error;
    tpad_plan plan;
    (void)state;
    assert_int_equal(tpad_shape(NULL, NULL, NULL, NULL, &error), TPAD_E_ARGUMENT);
    check_error(&memory, &error, TPAD_E_ARGUMENT, -1, 0, 0);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, NULL, &error), TPAD_E_ARGUMENT);
    bad.axes = NULL;
    check_refused(&bad, TPAD_E_ARGUMENT, -1, 0, 0);
    bad.rank = 0;
    assert_int_equal(tpad_shape(&bad, NULL, NULL, NULL, NULL), TPAD_OK);
    bad = good;
    bad.axis_size = sizeof axis - 1;
    check_refused(&bad, TPAD_E_ARGUMENT, -1, sizeof axis - 1, sizeof axis);
    bad = good;
    bad.struct_size = sizeof bad + 1;
    check_refused(&bad, TPAD_E_ARGUMENT, -1, sizeof bad + 1, sizeof bad);
    for (int bit = 0; bit < 32; bit++) {
        if (bit >= 2 && bit <= 6) continue; /* the flags that there are */
        bad = good;
        bad.flags = (int32_t)(bit < 31 ? INT64_C(1) << bit : INT32_MIN);
        assert_int_equal(tpad_shape(&bad, NULL, NULL, NULL, &error), TPAD_E_ARGUMENT);
        check_text(&memory, &error);
    }
    bad = good;
    bad.reserved = 1;
    assert_int_equal(tpad_shape(&bad, NULL, NULL, NULL, &error), TPAD_E_ARGUMENT);
}

/* The struct of 0.2 is the least that is accepted: nothing behind its end is read. */
static void reads_no_more_than_struct_size(void **state)
{
    tpad_axis axis = {.in_extent = 2};
    tpad_problem whole = TPAD_PROBLEM(8, 1, &axis);
    /* sizeof(tpad_problem) in version 0.2 */
    const size_t least =
        sizeof(void *) == 8 ? 56 : offsetof(tpad_problem, reserved) + sizeof(int32_t);
    (void)state;
    for (size_t size = 0; size <= sizeof whole; size++) {
        size_t held = size < sizeof(size_t) ? sizeof(size_t) : size;
        tpad_problem *cut = (tpad_problem *)(void *)guard_place(&memory, held, GUARD_AT_START, 0);
        tpad_error error;
        tpad_plan plan;
        /* Against the far page where alignment allows it. */
        if (held % _Alignof(tpad_problem) == 0) {
            cut = (tpad_problem *)(void *)guard_place(&memory, held, GUARD_AT_END, 0);
        }
        whole.struct_size = size;
        memcpy(cut, &whole, held);
        guard_read_only(&memory);
        int32_t status = tpad_plan_init(&plan, sizeof plan, cut, &error);
        if (size < least) {
            assert_int_equal(status, TPAD_E_ARGUMENT);
            assert_int_equal(error.got, (int64_t)size);
        } else {
            assert_int_equal(status, TPAD_OK);
        }
    }
}

/* ---- Names and text -------------------------------------------------------------------------- */

static void knows_names(void **state)
{
    static const char *const modes[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
    static const char *const none[] = {"", "edg", "edges", "Edge", "mirror", "wrap "};
    char version[32];
    (void)state;
    for (int32_t mode = 0; mode < 5; mode++) {
        assert_string_equal(tpad_mode_name(mode), modes[mode]);
        assert_int_equal(tpad_mode_from_name(modes[mode]), mode);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(tpad_mode_from_name(none[i]), -1);
    }
    assert_string_equal(tpad_mode_name(-1), "?");
    assert_string_equal(tpad_mode_name(TPAD_MODE_COUNT), "?");
#define CHECK_STATUS(name, number, text) assert_string_equal(tpad_status_name(number), #name);
    TPAD_STATUS_MAP(CHECK_STATUS)
    assert_string_equal(tpad_status_name(-1), "?");
    assert_string_equal(tpad_status_name(9), "?");
    assert_string_equal(tpad_status_name(INT32_MAX), "?");
    snprintf(version, sizeof version, "%d.%d.%d", TPAD_VERSION_MAJOR, TPAD_VERSION_MINOR,
             TPAD_VERSION_PATCH);
    assert_string_equal(tpad_version(), version);
}

static void formats_every_field(void **state)
{
    tpad_error error = {TPAD_E_MODE, 3,      INT64_MIN, INT64_MAX,
                        -12,         500000, "edge",    "%a,%g,%l;%b %e(%n)%n"};
    char line[128];
    (void)state;
    tpad_error_format(&error, line, sizeof line);
    assert_string_equal(line, "3,-9223372036854775808,9223372036854775807;-12 500000(edge)edge");
    check_text(&memory, &error);
    error.text = "nothing to fill in";
    tpad_error_format(&error, line, sizeof line);
    assert_string_equal(line, "nothing to fill in");
    error = (tpad_error){.text = "%a%g"};
    tpad_error_format(&error, line, sizeof line);
    assert_string_equal(line, "00");
    error.text = "%g%% of %x%";
    tpad_error_format(&error, line, sizeof line);
    assert_string_equal(line, "0% of %x%");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_ranks),
        cmocka_unit_test(refuses_widths),
        cmocka_unit_test(refuses_numbers_out_of_range),
        cmocka_unit_test(refuses_to_extend_nothing),
        cmocka_unit_test(names_the_first_axis),
        cmocka_unit_test(refuses_sizes_beyond_64_bits),
        cmocka_unit_test(accepts_the_largest_extents),
        cmocka_unit_test(refuses_strides_beyond_64_bits),
        cmocka_unit_test(refuses_malformed_problems),
        cmocka_unit_test(reads_no_more_than_struct_size),
        cmocka_unit_test(knows_names),
        cmocka_unit_test(formats_every_field),
    };
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
