/* What the core refuses, and what it says then. SPDX-License-Identifier: MIT
 *
 * A row for each call: status, axis, what was given, the limit and the sentence, as a user reads
 * it. A refused call writes nothing and leaves no plan after it, and says the same status without
 * an error to fill. Beside each limit, what is just accepted. Names, and text cut at every length.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/expect.h"

#define MOST      TPAD_MAX_EXTENT
#define MOST_TEXT "2305843009213693951"
#define HALF_TEXT "4611686018427387903"
#define INIT_TEXT ": initialise the problem with TPAD_PROBLEM_OF or TPAD_PROBLEM"
#define NEW_TEXT  ": the header is newer than the library"

/* What a refused call must not touch. `made` holds an older plan, which must be gone if the call
 * makes plans. */
static guard memory;
static unsigned char src[64], dst[64];
static int64_t extents[TPAD_MAX_RANK], elems, bytes;
static tpad_plan made;
static tpad_error error;

static void paint(void)
{
    memset(dst, 0xA5, sizeof dst);
    memset(extents, 0xA5, sizeof extents);
    elems = bytes = -77;
    made = good_plan();
    memset(&error, 0, sizeof error);
}

static int open_memory(void **state)
{
    (void)state;
    guard_open(&memory, 1 << 16);
    paint();
    return 0;
}

static int close_memory(void **state)
{
    (void)state;
    guard_close(&memory);
    return 0;
}

typedef enum makes { NOTHING, A_PLAN } makes;

static void check_untouched(makes what)
{
    for (size_t i = 0; i < sizeof dst; i++) assert_int_equal(dst[i], 0xA5);
    for (size_t i = 0; i < sizeof extents; i++)
        assert_int_equal(((unsigned char *)extents)[i], 0xA5);
    assert_true(elems == -77 && bytes == -77);
    if (what == A_PLAN) assert_no_plan(&made);
    paint();
}

static void check_said(int32_t status, makes what, said s)
{
    assert_said(&error, status, s);
    check_text(&memory, &error);
    check_untouched(what);
}

/* One row: a call with `error`, which makes its plan in `made`. */
#define REFUSED(what, call, ...) check_said(call, what, (said){__VA_ARGS__})

/* A call that has no error to fill. */
#define STATUS(call, status)                                                                       \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        check_untouched(NOTHING);                                                                  \
    } while (0)

static int32_t init(const tpad_problem *problem)
{
    return tpad_plan_init(&made, sizeof made, problem, &error);
}

static void check_accepted(const tpad_problem *problem)
{
    assert_int_equal(tpad_shape(problem, NULL, NULL, NULL, NULL), TPAD_OK);
    assert_int_equal(init(problem), TPAD_OK);
    paint();
}

/* A problem that planning and padding refuse; shape inference knows no strides. */
static void check_plan_refused(const tpad_problem *problem, said s)
{
    check_said(init(problem), A_PLAN, s);
    check_said(tpad_pad(problem, src, dst, NULL, &error), NOTHING, s);
    assert_int_equal(tpad_plan_init(&made, sizeof made, problem, NULL), s.code);
    check_untouched(A_PLAN);
    STATUS(tpad_pad(problem, src, dst, NULL, NULL), s.code);
}

static void check_refused(const tpad_problem *problem, said s)
{
    check_said(tpad_shape(problem, extents, &elems, &bytes, &error), NOTHING, s);
    STATUS(tpad_shape(problem, NULL, NULL, NULL, NULL), s.code);
    check_plan_refused(problem, s);
}

/* ---- Problems -------------------------------------------------------------------------------- */

#define BETWEEN " is not between 0 and " MOST_TEXT
#define BEYOND  " is beyond " MOST_TEXT " in magnitude"

/* Numbers of one axis, each on every axis of three. */
static void refuses_axes(void **state)
{
    static const struct {
        tpad_axis axis;
        int32_t code;
        const char *line; /* behind "axis 0: " */
    } rows[] = {
        {{.in_extent = -1}, TPAD_E_EXTENT, "input extent -1" BETWEEN},
        {{.in_extent = MOST + 1}, TPAD_E_EXTENT, "input extent 2305843009213693952" BETWEEN},
        {{.in_extent = INT64_MIN}, TPAD_E_EXTENT, "input extent -9223372036854775808" BETWEEN},
        {{.in_extent = INT64_MAX}, TPAD_E_EXTENT, "input extent 9223372036854775807" BETWEEN},
        {{.in_extent = 4, .before = MOST + 1}, TPAD_E_AMOUNT, "amount 2305843009213693952" BEYOND},
        {{.in_extent = 4, .before = -MOST - 1},
         TPAD_E_AMOUNT,
         "amount -2305843009213693952" BEYOND},
        {{.in_extent = 4, .before = INT64_MIN, .after = INT64_MAX},
         TPAD_E_AMOUNT,
         "amount -9223372036854775808" BEYOND},
        {{.in_extent = 4, .before = 1, .after = INT64_MAX},
         TPAD_E_AMOUNT,
         "amount 9223372036854775807" BEYOND},
        {{.in_extent = 4, .after = INT64_MIN}, TPAD_E_AMOUNT, "amount -9223372036854775808" BEYOND},
        {{.in_extent = 4, .interior = -1}, TPAD_E_INTERIOR, "interior -1" BETWEEN},
        {{.in_extent = 4, .interior = MOST + 1},
         TPAD_E_INTERIOR,
         "interior 2305843009213693952" BETWEEN},
        {{.in_extent = 4, .interior = INT64_MIN},
         TPAD_E_INTERIOR,
         "interior -9223372036854775808" BETWEEN},
        {{.in_extent = 4, .mode = -1}, TPAD_E_MODE, "mode number -1 is not between 0 and 4"},
        {{.in_extent = 4, .mode = 5}, TPAD_E_MODE, "mode number 5 is not between 0 and 4"},
        {{.in_extent = 4, .mode = INT32_MIN},
         TPAD_E_MODE,
         "mode number -2147483648 is not between 0 and 4"},
        {{.in_extent = 4, .order = -1}, TPAD_E_ORDER, "order number -1 is not between 0 and 1"},
        {{.in_extent = 4, .order = 2}, TPAD_E_ORDER, "order number 2 is not between 0 and 1"},
        {{.in_extent = 4, .before = -5},
         TPAD_E_NEGATIVE,
         "output extent -1 is below 0 (before -5, after 0); crop less"},
        {{.in_extent = 0, .before = 3, .after = -5},
         TPAD_E_NEGATIVE,
         "output extent -2 is below 0 (before 3, after -5); crop less"},
        {{.in_extent = 0, .before = -MOST, .after = -MOST},
         TPAD_E_NEGATIVE,
         "output extent -4611686018427387902 is below 0 (before -" MOST_TEXT ", after -" MOST_TEXT
         "); crop less"},
        {{.in_extent = 2, .interior = 3, .after = -6, .mode = TPAD_WRAP},
         TPAD_E_NEGATIVE,
         "output extent -1 is below 0 (before 0, after -6); crop less"},
        {{.in_extent = MOST, .before = 1},
         TPAD_E_OVERFLOW,
         "output extent 2305843009213693952 exceeds " MOST_TEXT " (before 1, after 0)"},
        {{.in_extent = MOST, .before = MOST, .after = MOST},
         TPAD_E_OVERFLOW,
         "output extent 6917529027641081853 exceeds " MOST_TEXT " (before " MOST_TEXT
         ", after " MOST_TEXT ")"},
        {{.in_extent = MOST, .interior = 1},
         TPAD_E_OVERFLOW,
         "input extent " MOST_TEXT " with its interior exceeds " MOST_TEXT},
        {{.in_extent = MOST, .interior = MOST},
         TPAD_E_OVERFLOW,
         "input extent " MOST_TEXT " with its interior exceeds " MOST_TEXT},
        {{.in_extent = 3, .interior = MOST / 2 + 1},
         TPAD_E_OVERFLOW,
         "input extent 3 with its interior exceeds " MOST_TEXT},
        /* (8 - 1) * (interior + 1) is INT64_MAX */
        {{.in_extent = 8, .interior = INT64_MAX / 7 - 1},
         TPAD_E_OVERFLOW,
         "input extent 8 with its interior exceeds " MOST_TEXT},
        {{.in_extent = 0, .before = 2, .mode = TPAD_EDGE},
         TPAD_E_NO_SOURCE,
         "mode edge has no element to fill 2 cells from (before 2, after 0); mode constant can"},
        {{.in_extent = 0, .after = 2, .mode = TPAD_REFLECT},
         TPAD_E_NO_SOURCE,
         "mode reflect has no element to fill 2 cells from (before 0, after 2); mode constant can"},
        {{.in_extent = 0, .before = 5, .after = -1, .mode = TPAD_SYMMETRIC},
         TPAD_E_NO_SOURCE,
         "mode symmetric has no element to fill 4 cells from (before 5, after -1); mode constant "
         "can"},
        {{.in_extent = 4, .before = -4, .after = 1, .mode = TPAD_WRAP, .order = TPAD_CROP},
         TPAD_E_NO_SOURCE,
         "the crop leaves mode wrap no element to fill 1 cells from (before -4, after 1); crop "
         "less, or use mode constant"},
        {{.in_extent = 4, .before = 9, .after = -4, .mode = TPAD_REFLECT, .order = TPAD_CROP},
         TPAD_E_NO_SOURCE,
         "the crop leaves mode reflect no element to fill 9 cells from (before 9, after -4); crop "
         "less, or use mode constant"},
        {{.in_extent = 4, .before = -9, .after = 9, .mode = TPAD_EDGE, .order = TPAD_CROP},
         TPAD_E_NO_SOURCE,
         "the crop leaves mode edge no element to fill 4 cells from (before -9, after 9); crop "
         "less, or use mode constant"},
    };
    (void)state;
    for (size_t i = 0; i < 3 * sizeof rows / sizeof rows[0]; i++) {
        const int32_t at = (int32_t)(i % 3), other = (at + 1) % 3;
        tpad_axis axes[3] = {{.in_extent = 1}, {.in_extent = 1}, {.in_extent = 1}};
        const tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
        char line[256];
        axes[at] = rows[i / 3].axis;
        snprintf(line, sizeof line, "axis %d: %s", (int)at, rows[i / 3].line);
        const said s = {rows[i / 3].code, line};
        check_refused(&problem, s);
        tpad_shape(&problem, NULL, NULL, NULL, &error);
        assert_true(error.before == axes[at].before && error.after == axes[at].after);
        paint();
        if (s.code != TPAD_E_NO_SOURCE) continue;
        /* An empty output needs no source, whichever axis makes it empty; constant needs none. */
        axes[other].before = -1;
        check_accepted(&problem);
        axes[other].before = 0;
        axes[at].mode = TPAD_CONSTANT;
        check_accepted(&problem);
    }
}

/* The struct and what is in it beside its axes. */
static void refuses_problems(void **state)
{
    static const int32_t ranks[] = {-1, 17, INT32_MIN, INT32_MAX};
    static const int32_t widths[] = {0,  3,  5,  6,      7,      9,         12,
                                     20, -1, -8, 524289, 524296, INT32_MIN, INT32_MAX};
    static const int32_t good_widths[] = {1, 2, 4, 8, 24, 8000, TPAD_MAX_ELEM_BITS};
    tpad_axis axes[TPAD_MAX_RANK] = {{0}};
    const tpad_problem good = TPAD_PROBLEM(8, TPAD_MAX_RANK, axes);
    tpad_problem bad = good;
    char line[256];
    (void)state;
    check_accepted(&good);
    for (size_t i = 0; i < 4; i++) {
        bad.rank = ranks[i];
        snprintf(line, sizeof line, "rank %d is not between 0 and 16", (int)ranks[i]);
        check_refused(&bad, (said){TPAD_E_RANK, line});
    }
    bad = good;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        bad.elem_bits = widths[i];
        snprintf(line, sizeof line,
                 "elements of %d bits: possible are 1, 2, 4 and whole bytes up to 524288 bits",
                 (int)widths[i]);
        check_refused(&bad, (said){TPAD_E_ELEM, line});
    }
    for (size_t i = 0; i < sizeof good_widths / sizeof good_widths[0]; i++) {
        bad.elem_bits = good_widths[i];
        check_accepted(&bad);
    }
    bad = good;
    for (int bit = 0; bit < 32; bit++) {
        if (bit >= 2 && bit <= 6) continue; /* the flags that there are */
        bad.flags = (int32_t)(bit < 31 ? INT64_C(1) << bit : INT32_MIN);
        snprintf(line, sizeof line, "flags %d: only those of 124 are known", (int)bad.flags);
        check_refused(&bad, (said){TPAD_E_ARGUMENT, line});
    }
    bad = good;
    bad.reserved = 3;
    check_refused(&bad, (said){TPAD_E_ARGUMENT, "reserved is 3, not 0"});
    bad = good;
    bad.axes = NULL;
    check_refused(&bad, (said){TPAD_E_ARGUMENT, "the axes of the problem are missing"});
    bad.rank = 0;
    check_accepted(&bad);
    check_refused(NULL, (said){TPAD_E_ARGUMENT, "the problem is missing"});
}

/* A size of a struct, as that of another version or of none; sizes depend on the machine. */
static void refuses_sizes_of_structs(void **state)
{
    static const struct {
        int what;   /* struct_size, axis_size, that of a box */
        int change; /* what it differs from the right one; 0: it is 0 */
        const char *line;
    } rows[] = {
        {0, 0, "struct_size of the problem is %d, not %d" INIT_TEXT},
        {0, -9, "struct_size of the problem is %d, not %d" INIT_TEXT},
        {0, 1, "struct_size of the problem is %d, but this tensorpad knows %d" NEW_TEXT},
        {1, 0, "axis_size of the problem is %d, not %d" INIT_TEXT},
        {1, -1, "axis_size of the problem is %d, not %d" INIT_TEXT},
        {1, 8, "axis_size of the problem is %d, but this tensorpad knows %d" NEW_TEXT},
        {2, 0, "struct_size of the box is %d, not %d: set it to sizeof(tpad_box)"},
        {2, -8, "struct_size of the box is %d, not %d: set it to sizeof(tpad_box)"},
        {2, 8, "struct_size of the box is %d, but this tensorpad knows %d" NEW_TEXT},
    };
    const tpad_axis axis = {.in_extent = 1};
    const tpad_plan whole = good_plan();
    const int64_t zeros[2] = {0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
        tpad_box box = {.struct_size = sizeof box, .first = zeros, .extents = zeros};
        size_t *size = rows[i].what == 0   ? &problem.struct_size
                       : rows[i].what == 1 ? &problem.axis_size
                                           : &box.struct_size;
        const int right = (int)*size, given = rows[i].change ? right + rows[i].change : 0;
        char line[256];
        snprintf(line, sizeof line, rows[i].line, given, right);
        const said s = {TPAD_E_ARGUMENT, line};
        *size = (size_t)given;
        if (rows[i].what < 2)
            check_refused(&problem, s);
        else
            check_said(tpad_plan_box(&made, sizeof made, &whole, &box, &error), A_PLAN, s);
    }
}

/* Which axis is named, and sizes of all together. */
static void refuses_several_axes(void **state)
{
    const int64_t big = (int64_t)1 << 40;
    tpad_axis axes[3] = {
        {.in_extent = 1}, {.in_extent = 1, .before = -2}, {.in_extent = 1, .before = -7}};
    tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
    (void)state;
    check_refused(&problem,
                  (said){TPAD_E_NEGATIVE,
                         "axis 1: output extent -1 is below 0 (before -2, after 0); crop less"});
    axes[1] = axes[2] = (tpad_axis){.before = 3, .mode = TPAD_WRAP};
    check_refused(&problem,
                  (said){TPAD_E_NO_SOURCE, "axis 1: mode wrap has no element to fill 3 cells from "
                                           "(before 3, after 0); mode constant can"});
    /* Below zero is an error in an empty output too. */
    axes[1] = (tpad_axis){.in_extent = 0};
    axes[2] = (tpad_axis){.in_extent = 1, .before = -2};
    check_refused(&problem,
                  (said){TPAD_E_NEGATIVE,
                         "axis 2: output extent -1 is below 0 (before -2, after 0); crop less"});
    axes[0] = (tpad_axis){.in_extent = big};
    axes[1] = (tpad_axis){.in_extent = 1};
    axes[2] = (tpad_axis){.in_extent = 0, .after = big};
    check_refused(&problem,
                  (said){TPAD_E_OVERFLOW,
                         "axis 2: with output extent 1099511627776 the number of elements "
                         "exceeds 9223372036854775807 (before 0, after 1099511627776)"});
    /* The count fits, the bytes do not. */
    axes[2].after = (int64_t)1 << 20;
    problem.elem_bits = 64;
    check_refused(
        &problem,
        (said){TPAD_E_OVERFLOW,
               "an output of 1152921504606846976 elements exceeds 9223372036854775807 bytes"});
    for (int32_t bits = 4; bits <= 8; bits += 4) {
        problem.elem_bits = bits;
        assert_int_equal(tpad_shape(&problem, NULL, &elems, &bytes, NULL), TPAD_OK);
        assert_int_equal(elems, (int64_t)1 << 60);
        assert_int_equal(bytes, ((int64_t)1 << 57) * bits);
    }
    /* An empty axis makes all of it nothing. */
    axes[2].after = big;
    axes[1].in_extent = 0;
    assert_int_equal(tpad_shape(&problem, NULL, &elems, &bytes, NULL), TPAD_OK);
    assert_true(elems == 0 && bytes == 0);
    paint();
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
        assert_int_equal(tpad_shape(&problem, extents, &elems, &bytes, NULL), TPAD_OK);
        assert_int_equal(extents[0], most);
        assert_int_equal(elems, most);
        assert_int_equal(bytes, most);
        paint();
        check_accepted(&problem);
    }
}

/* Strides are no matter of shape inference: only planning refuses them. */
static void refuses_strides_beyond_64_bits(void **state)
{
    static const struct {
        int64_t number;
        const char *text;
    } bad[] = {{INT64_MAX, "9223372036854775807"},
               {INT64_MIN, "-9223372036854775808"},
               {INT64_MIN + 1, "-9223372036854775807"},
               {INT64_MAX / 2 + 1, "4611686018427387904"}};
    tpad_axis axes[2];
    tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    const int64_t half = INT64_MAX / 2, far = (int64_t)1 << 40;
    (void)state;
    for (size_t i = 0; i < 16; i++) {
        const tpad_axis plain = {.in_extent = 3, .in_stride = 4, .out_stride = 4};
        const int64_t number = bad[i / 4].number;
        const int32_t bits = i % 2 ? 4 : 32;
        char line[128];
        axes[0] = axes[1] = plain;
        axes[0].in_stride = axes[0].out_stride = 12;
        problem = (tpad_problem)TPAD_PROBLEM(bits, 2, axes);
        problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
        *(i % 4 < 2 ? &axes[1].in_stride : &axes[1].out_stride) = number;
        snprintf(line, sizeof line, "axis 1: with stride %s addresses exceed " HALF_TEXT,
                 bad[i / 4].text);
        check_plan_refused(&problem, (said){TPAD_E_OVERFLOW, line});
        /* A stride that is never stepped along is no matter. */
        axes[1].in_extent = 1;
        check_accepted(&problem);
        axes[1] = plain;
        *(i % 4 < 2 ? &problem.in_offset : &problem.out_offset) = number;
        snprintf(line, sizeof line, "with offset %s addresses exceed " HALF_TEXT, bad[i / 4].text);
        check_plan_refused(&problem, (said){TPAD_E_OVERFLOW, line});
    }
    /* The element and all strides together end at half of 64 bits. */
    for (int32_t unit = 1; unit <= 16; unit *= 2) {
        axes[0] = (tpad_axis){.in_extent = 2, .in_stride = (half - unit) / 2};
        problem = (tpad_problem)TPAD_PROBLEM(8 * unit, 1, axes);
        problem.flags = TPAD_IN_STRIDES;
        check_accepted(&problem);
        axes[0].in_stride++;
        assert_int_equal(init(&problem), TPAD_E_OVERFLOW);
        check_untouched(A_PLAN);
    }
    /* Each stride is possible, both together are not. */
    problem = (tpad_problem)TPAD_PROBLEM(8, 2, axes);
    problem.flags = TPAD_IN_STRIDES;
    axes[0] = axes[1] = (tpad_axis){.in_extent = 3, .in_stride = INT64_MAX / 5};
    assert_int_equal(init(&problem), TPAD_E_OVERFLOW);
    paint();
    /* A dense input of more than 64 bits of bytes, of which the output shows little. */
    problem.flags = 0;
    axes[0] = axes[1] = (tpad_axis){.in_extent = far, .before = 2 - far};
    check_plan_refused(
        &problem,
        (said){TPAD_E_OVERFLOW,
               "axis 0: with extent 1099511627776 addresses of a dense tensor exceed " HALF_TEXT});
    axes[0] = axes[1] = (tpad_axis){.in_extent = 1, .after = INT32_MAX};
    check_plan_refused(
        &problem,
        (said){TPAD_E_OVERFLOW,
               "axis 0: with extent 2147483648 addresses of a dense tensor exceed " HALF_TEXT});
    axes[0] = axes[1] = (tpad_axis){.in_extent = 2};
    problem.in_offset = INT64_MAX;
    check_plan_refused(
        &problem,
        (said){TPAD_E_OVERFLOW, "with offset 9223372036854775807 addresses exceed " HALF_TEXT});
    problem.in_offset = half - 3; /* the first row could be reached */
    check_plan_refused(
        &problem,
        (said){TPAD_E_OVERFLOW, "with offset 4611686018427387900 addresses exceed " HALF_TEXT});
    problem.flags = TPAD_OUT_STRIDES;
    problem.in_offset = 0;
    axes[0].out_stride = axes[1].out_stride = INT64_MAX;
    check_plan_refused(
        &problem, (said){TPAD_E_OVERFLOW,
                         "axis 0: with stride 9223372036854775807 addresses exceed " HALF_TEXT});
}

/* The struct of 0.2 is the least that is accepted: nothing after its end is read. */
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

/* ---- Strides --------------------------------------------------------------------------------- */

/* Each side, each axis, strides of every size; also where the axis or the output has no cells. */
static void refuses_strides_without_their_flag(void **state)
{
    static const struct {
        int64_t stride;
        const char *in_line, *out_line;
    } cases[] = {{1, "in_stride is 1, but", "out_stride is 1, but"},
                 {-12, "in_stride is -12, but", "out_stride is -12, but"},
                 {INT64_MIN, "in_stride is -9223372036854775808, but",
                  "out_stride is -9223372036854775808, but"}};
    static const int64_t sizes[] = {0, 1, 3};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int32_t at = 0; at < 3; at++) {
            for (size_t k = 0; k < 3; k++) {
                tpad_axis axes[3] = {{.in_extent = 2}, {.in_extent = 2}, {.in_extent = 2}};
                tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
                char line[128];
                axes[at].in_extent = sizes[k];
                axes[at].in_stride = cases[i].stride;
                snprintf(line, sizeof line,
                         "axis %d: %s flags lack TPAD_IN_STRIDES; set the flag, or in_stride to 0",
                         (int)at, cases[i].in_line);
                check_plan_refused(&problem, (said){TPAD_E_ARGUMENT, line});
                problem.flags = TPAD_OUT_STRIDES; /* the other side's flag is none */
                for (int32_t j = 0; j < 3; j++) axes[j].out_stride = 1 << 2 * j;
                check_plan_refused(&problem, (said){TPAD_E_ARGUMENT, line});
                axes[at].in_stride = 0;
                check_accepted(&problem);

                for (int32_t j = 0; j < 3; j++) axes[j].out_stride = 0;
                axes[at].out_stride = cases[i].stride;
                problem.flags = TPAD_IN_STRIDES;
                snprintf(
                    line, sizeof line,
                    "axis %d: %s flags lack TPAD_OUT_STRIDES; set the flag, or out_stride to 0",
                    (int)at, cases[i].out_line);
                check_plan_refused(&problem, (said){TPAD_E_ARGUMENT, line});
                problem.flags = 0;
                check_plan_refused(&problem, (said){TPAD_E_ARGUMENT, line});
                axes[at].out_stride = 0;
                check_accepted(&problem);
            }
        }
    }
}

/* On an output it would put cells on each other: refused, unless there is only one, or none. The
 * others are far apart. */
static void refuses_outputs_of_stride_0(void **state)
{
    static const int64_t sizes[] = {0, 1, 2, 3};
    (void)state;
    for (int32_t bits = 4; bits <= 32; bits *= 8) {
        for (int pattern = 0; pattern < 64; pattern++) {
            for (int zeros = 0; zeros < 8; zeros++) {
                tpad_axis axes[3] = {{0}, {0}, {0}};
                tpad_problem problem = TPAD_PROBLEM(bits, 3, axes);
                int32_t bad = -1;
                bool empty = false;
                problem.flags = TPAD_OUT_STRIDES;
                for (int32_t k = 2; k >= 0; k--) {
                    const int64_t extent = sizes[pattern >> 2 * k & 3];
                    axes[k].in_extent = extent > 0;
                    axes[k].after = extent > 1 ? extent - 1 : 0;
                    axes[k].out_stride = zeros >> k & 1 ? 0 : 100 << 2 * k;
                    empty = empty || extent == 0;
                    if (extent > 1 && axes[k].out_stride == 0) bad = k;
                }
                if (empty || bad < 0) {
                    check_accepted(&problem);
                    continue;
                }
                char line[160];
                snprintf(line, sizeof line,
                         "axis %d: with out_stride 0 cells may lie at one place; %d and more would "
                         "keep them apart, and only the input can be broadcast",
                         (int)bad, bits < 8 ? 1 : bits / 8);
                check_plan_refused(&problem, (said){TPAD_E_ARGUMENT, line});
            }
        }
    }
}

/* Two strides on two axes of three, whose places are counted: what is accepted has no two cells at
 * one place, and what leaves room for the cells of the other axis is accepted. */
static void refuses_outputs_that_overlap(void **state)
{
    enum { MIDDLE = 100, PLACES = 2 * MIDDLE };
    long accepted = 0;
    (void)state;
    for (int32_t bits = 4; bits <= 16; bits += bits) {
        const int64_t elem = bits < 8 ? 1 : bits / 8;
        for (int64_t a = -14; a <= 14; a++) {
            for (int64_t b = -14; b <= 14; b++) {
                const tpad_axis axes[3] = {{.in_extent = 3, .out_stride = a},
                                           {.in_extent = 1, .out_stride = 0},
                                           {.in_extent = 2, .after = 1, .out_stride = b}};
                tpad_problem problem = TPAD_PROBLEM(bits, 3, axes);
                int seen[PLACES] = {0}, most = 0;
                problem.flags = TPAD_OUT_STRIDES;
                for (int cell = 0; cell < 9; cell++)
                    for (int64_t k = 0; k < elem; k++) {
                        int *place = &seen[MIDDLE + a * (cell / 3) + b * (cell % 3) + k];
                        if (++*place > most) most = *place;
                    }
                const int64_t small = llabs(a) < llabs(b) ? llabs(a) : llabs(b);
                const bool nested =
                    small >= elem && llabs(a) + llabs(b) - small >= 2 * small + elem;
                assert_int_equal(init(&problem), nested ? TPAD_OK : TPAD_E_ARGUMENT);
                assert_true(!nested || most == 1);
                accepted += nested;
                paint();
            }
        }
    }
    assert_true(accepted > 500);
    const tpad_axis axes[2] = {{.in_extent = 4, .out_stride = -4},
                               {.in_extent = 3, .out_stride = 2}};
    tpad_problem problem = TPAD_PROBLEM(4, 2, axes);
    problem.flags = TPAD_OUT_STRIDES;
    check_plan_refused(&problem, (said){TPAD_E_ARGUMENT,
                                        "axis 0: with out_stride -4 cells may lie at one place; 5 "
                                        "and more would keep them apart, and only the input can be "
                                        "broadcast"});
}

/* ---- Calls ----------------------------------------------------------------------------------- */

#define SAME_TEXT                                                                                  \
    "the new plan and the plan that it is made from are the same memory; give the new one memory " \
    "of its own"

/* Memory for a plan: none, too little, just enough, and that of its own source. */
static void refuses_memory_of_plans(void **state)
{
    const tpad_problem problem = TPAD_PROBLEM(8, 0, NULL);
    const tpad_plan whole = good_plan();
    const int64_t first[2] = {0, 0}, ones[2] = {1, 1};
    const tpad_box box = {.struct_size = sizeof box, .first = first, .extents = ones};
    const size_t least = tpad_plan_bytes();
    const said none = {TPAD_E_ARGUMENT, "the memory for the plan is missing"};
    const said same = {TPAD_E_ARGUMENT, SAME_TEXT};
    char line[64];
    (void)state;
    check_said(tpad_plan_init(NULL, sizeof made, &problem, &error), NOTHING, none);
    check_said(tpad_plan_box(NULL, sizeof made, &whole, &box, &error), NOTHING, none);
    check_said(tpad_plan_border(NULL, sizeof made, &whole, &error), NOTHING, none);
    assert_in_range(least, 1, sizeof(tpad_plan));
    for (size_t size = 0; size < least; size += size < 8 ? 1 : 8) {
        snprintf(line, sizeof line, "a plan needs %d bytes, not %d", (int)least, (int)size);
        const said small = {TPAD_E_PLAN_SIZE, line};
        check_said(tpad_plan_init(&made, size, &problem, &error), A_PLAN, small);
        check_said(tpad_plan_box(&made, size, &whole, &box, &error), A_PLAN, small);
        check_said(tpad_plan_border(&made, size, &whole, &error), A_PLAN, small);
        /* Nothing after them is touched. */
        const size_t room = size < 4 ? 4 : size / 4 * 4;
        tpad_plan *few = (tpad_plan *)(void *)guard_place(&memory, room, GUARD_AT_END, 0);
        assert_int_equal(tpad_plan_init(few, size, &problem, NULL), TPAD_E_PLAN_SIZE);
    }
    tpad_plan *exact = (tpad_plan *)(void *)guard_place(&memory, least, GUARD_AT_END, 0);
    unsigned char from = 7, to = 0;
    assert_int_equal(tpad_plan_init(exact, least, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run(exact, &from, &to, NULL), TPAD_OK);
    assert_int_equal(to, 7);
    assert_true(guard_intact(&memory));
    for (size_t size = 0; size <= sizeof made; size += sizeof made / 2) {
        tpad_plan own = good_plan(), before;
        memcpy(&before, &own, sizeof own);
        check_said(tpad_plan_box(&own, size, &own, &box, &error), NOTHING, same);
        check_said(tpad_plan_border(&own, size, &own, &error), NOTHING, same);
        assert_memory_equal(&own, &before, sizeof own);
    }
}

static int32_t run_none(void *context, int64_t count, tpad_body body, void *user)
{
    (void)count, (void)body, (void)user;
    return *(int32_t *)context;
}

static void refuses_what_is_no_plan(void **state)
{
    const tpad_plan zeroed = {{0}};
    const tpad_plan *const none[2] = {&zeroed, NULL};
    int32_t answer = 0;
    const tpad_runner runner = {sizeof runner, &answer, 2, run_none};
    const int64_t first = 0, extent = 1;
    const tpad_box box = {sizeof box, &first, &extent, NULL, NULL, NULL};
    tpad_source pieces[2];
    char text[64];
    (void)state;
    for (int i = 0; i < 2; i++) {
        STATUS(tpad_run(none[i], src, dst, NULL), TPAD_E_NOT_A_PLAN);
        STATUS(tpad_run_part(none[i], src, dst, NULL, 0, 1), TPAD_E_NOT_A_PLAN);
        STATUS(tpad_run_with(none[i], src, dst, NULL, NULL), TPAD_E_NOT_A_PLAN);
        STATUS(tpad_run_with(none[i], src, dst, NULL, &runner), TPAD_E_NOT_A_PLAN);
        STATUS(tpad_plan_needs(none[i], extents, extents), TPAD_E_NOT_A_PLAN);
        STATUS(tpad_plan_sources(none[i], 0, 0, 0, pieces), TPAD_E_NOT_A_PLAN);
        STATUS(tpad_plan_shape(none[i], extents), -1);
        assert_int_equal(tpad_plan_out_bytes(none[i]), -1);
        REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, none[i], &box, &error), TPAD_E_NOT_A_PLAN,
                "the plan to cut from was never made");
        REFUSED(A_PLAN, tpad_plan_border(&made, sizeof made, none[i], &error), TPAD_E_NOT_A_PLAN,
                "the plan to take the border of was never made");
        assert_true(tpad_plan_describe(none[i], text, sizeof text) < sizeof text);
    }
}

#define MISSING_TEXT "src or dst is missing"
#define EQUAL_TEXT                                                                                 \
    "src and dst are the same pointer: the output would overwrite the input (tpad_plan_border "    \
    "pads in place)"

static void refuses_arguments(void **state)
{
    const tpad_plan plan = good_plan();
    const tpad_axis axis = {.in_extent = 1 << 24}, small = {.in_extent = 3};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis), one = TPAD_PROBLEM(8, 1, &small);
    int32_t answer = 12345;
    const tpad_runner good = {sizeof good, &answer, 2, run_none};
    const tpad_runner bad[] = {{sizeof good - 1, &answer, 2, run_none},
                               {sizeof good, &answer, 2, NULL},
                               {sizeof good, &answer, 0, run_none}};
    static const int64_t parts[][2] = {
        {-1, 4}, {4, 4}, {0, 0}, {INT64_MIN, -1}, {INT64_MAX, INT64_MAX}};
    static const struct {
        int32_t axis;
        int64_t first, extent;
        int32_t status;
    } intervals[] = {{-1, 0, 4, TPAD_E_ARGUMENT},
                     {2, 0, 4, TPAD_E_ARGUMENT},
                     {0, -1, 4, TPAD_E_BOX},
                     {0, 0, -1, TPAD_E_BOX},
                     {0, 7, 0, TPAD_E_BOX},
                     {0, 4, 3, TPAD_E_BOX},
                     {0, INT64_MAX, INT64_MAX, TPAD_E_BOX}};
    tpad_source pieces[2];
    (void)state;
    REFUSED(NOTHING, tpad_pad(&one, NULL, NULL, NULL, &error), TPAD_E_ARGUMENT, MISSING_TEXT);
    REFUSED(NOTHING, tpad_pad(&one, NULL, dst, NULL, &error), TPAD_E_ARGUMENT, MISSING_TEXT);
    REFUSED(NOTHING, tpad_pad(&one, src, NULL, NULL, &error), TPAD_E_ARGUMENT, MISSING_TEXT);
    REFUSED(NOTHING, tpad_pad(&one, dst, dst, NULL, &error), TPAD_E_ARGUMENT, EQUAL_TEXT);
    STATUS(tpad_run(&plan, NULL, dst, NULL), TPAD_E_ARGUMENT);
    STATUS(tpad_run(&plan, src, NULL, NULL), TPAD_E_ARGUMENT);
    STATUS(tpad_run_with(&plan, NULL, dst, NULL, &good), TPAD_E_ARGUMENT);
    STATUS(tpad_run_with(&plan, src, NULL, NULL, &good), TPAD_E_ARGUMENT);
    for (int i = 0; i < 5; i++)
        STATUS(tpad_run_part(&plan, src, dst, NULL, parts[i][0], parts[i][1]), TPAD_E_ARGUMENT);
    for (int i = 0; i < 3; i++)
        STATUS(tpad_run_with(&plan, src, dst, NULL, &bad[i]), TPAD_E_ARGUMENT);
    STATUS(tpad_plan_sources(&plan, 0, 0, 4, NULL), TPAD_E_ARGUMENT);
    for (int i = 0; i < 7; i++)
        STATUS(tpad_plan_sources(&plan, intervals[i].axis, intervals[i].first, intervals[i].extent,
                                 pieces),
               intervals[i].status);
    assert_int_equal(tpad_plan_shape(&plan, NULL), 2);
    tpad_plan large; /* of rank 1, which run_none never runs */
    assert_int_equal(tpad_plan_init(&large, sizeof large, &problem, NULL), TPAD_OK);
    STATUS(tpad_plan_needs(&large, NULL, extents), TPAD_E_ARGUMENT);
    STATUS(tpad_plan_needs(&large, extents, NULL), TPAD_E_ARGUMENT);
    STATUS(tpad_run_with(&large, src, dst, NULL, &good), 12345);
}

/* ---- Boxes and borders ----------------------------------------------------------------------- */

#define APART_TEXT " and more would keep them apart, and only the input can be broadcast"

static void refuses_boxes(void **state)
{
    /* The output of good_plan is 6 x 5, its input 3 x 4. */
    static const struct {
        int64_t first, extent;
        const char *line;
    } outside[] = {
#define BOX(FIRST, EXTENT, CELLS)                                                                  \
    {FIRST, EXTENT, "axis %d: " CELLS " on are not inside the output extent %d"}
        BOX(-1, 2, "2 cells from cell -1"),
        BOX(0, 7, "7 cells from cell 0"),
        BOX(6, 1, "1 cells from cell 6"),
        BOX(7, 0, "0 cells from cell 7"),
        BOX(5, 2, "2 cells from cell 5"),
        BOX(2, -1, "-1 cells from cell 2"),
        BOX(INT64_MAX, 1, "1 cells from cell 9223372036854775807"),
        BOX(1, INT64_MAX, "9223372036854775807 cells from cell 1"),
        BOX(INT64_MIN, 1, "1 cells from cell -9223372036854775808"),
        BOX(1, INT64_MIN, "-9223372036854775808 cells from cell 1"),
#undef BOX
    };
    static const struct {
        int64_t out_stride, in_first, in_strides[2]; /* of axis 1, but the last */
        said says;
    } rows[] = {
        {INT64_MAX / 2,
         0,
         {100, 2},
         {TPAD_E_OVERFLOW, "axis 1: with stride " HALF_TEXT " addresses exceed " HALF_TEXT}},
        {INT64_MIN,
         0,
         {100, 2},
         {TPAD_E_OVERFLOW, "axis 1: with stride -9223372036854775808 addresses exceed " HALF_TEXT}},
        {2,
         0,
         {INT64_MAX, 2},
         {TPAD_E_OVERFLOW, "axis 0: with stride 9223372036854775807 addresses exceed " HALF_TEXT}},
        {0,
         0,
         {100, 2},
         {TPAD_E_ARGUMENT, "axis 1: with out_stride 0 cells may lie at one place; 2" APART_TEXT}},
        {50,
         0,
         {100, 2},
         {TPAD_E_ARGUMENT,
          "axis 0: with out_stride 100 cells may lie at one place; 102" APART_TEXT}},
        {2,
         -1,
         {100, 2},
         {TPAD_E_BOX, "axis 1: input cell -1 is not between 0 and 2305843009213693950"}},
        {2,
         INT64_MAX,
         {100, 2},
         {TPAD_E_BOX,
          "axis 1: input cell 9223372036854775807 is not between 0 and 2305843009213693950"}},
        {2,
         MOST,
         {100, 2},
         {TPAD_E_BOX, "axis 1: input cell " MOST_TEXT " is not between 0 and 2305843009213693950"}},
        /* The way back to cell 0 leaves 64 bits. */
        {2,
         MOST - 1,
         {100, 100},
         {TPAD_E_OVERFLOW, "axis 1: with stride 100 addresses exceed " HALF_TEXT}},
    };
    const tpad_plan whole = good_plan();
    const int64_t zero[2] = {0, 0}, far[2] = {0, MOST - 1};
    const int64_t first[2] = {1, 2}, shape[2] = {2, 3}, strides[2] = {100, 2};
    const tpad_box good = {sizeof good, first, shape, strides, zero, strides};
    tpad_box bad = good;
    (void)state;
    assert_int_equal(tpad_plan_box(&made, sizeof made, &whole, &good, &error), TPAD_OK);
    paint();
    for (int i = 0; i < 20; i++) {
        const int at = i % 2;
        int64_t begin[2] = {1, 2}, cells[2] = {2, 3};
        const tpad_box box = {sizeof box, begin, cells, strides, zero, strides};
        char line[128];
        begin[at] = outside[i / 2].first;
        cells[at] = outside[i / 2].extent;
        snprintf(line, sizeof line, outside[i / 2].line, at, at ? 5 : 6);
        REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, &whole, &box, &error), TPAD_E_BOX, line);
        begin[at] = at ? 5 : 6; /* none, after the last one */
        cells[at] = 0;
        assert_int_equal(tpad_plan_box(&made, sizeof made, &whole, &box, NULL), TPAD_OK);
        paint();
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int64_t own[2] = {100, rows[i].out_stride}, cell[2] = {0, rows[i].in_first};
        const tpad_box box = {sizeof box, first, shape, own, cell, rows[i].in_strides};
        check_said(tpad_plan_box(&made, sizeof made, &whole, &box, &error), A_PLAN, rows[i].says);
        assert_int_equal(tpad_plan_box(&made, sizeof made, &whole, &box, NULL), rows[i].says.code);
        check_untouched(A_PLAN);
    }
    bad.in_strides = NULL; /* with the planned strides, too */
    bad.in_first = far;
    REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, &whole, &bad, &error), TPAD_E_OVERFLOW,
            "axis 1: with in_first 2305843009213693950 addresses exceed " HALF_TEXT);
    bad = good;
    bad.in_first = NULL;
    REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, &whole, &bad, &error), TPAD_E_ARGUMENT,
            "in_strides of the box are used only with in_first, which is missing");
    bad = good;
    bad.first = NULL;
    REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, &whole, &bad, &error), TPAD_E_ARGUMENT,
            "first of the box is missing");
    bad = good;
    bad.extents = NULL;
    REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, &whole, &bad, &error), TPAD_E_ARGUMENT,
            "extents of the box are missing");
    REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, &whole, NULL, &error), TPAD_E_ARGUMENT,
            "the box is missing");
    /* Where an axis has one cell, or another one none, a stride of 0 is none too many. */
    for (int k = 0; k < 2; k++) {
        const int64_t few[2] = {k ? 2 : 0, k ? 1 : 3}, zeros[2] = {100, 0};
        const tpad_box one = {sizeof one, first, few, zeros, NULL, NULL};
        assert_int_equal(tpad_plan_box(&made, sizeof made, &whole, &one, NULL), TPAD_OK);
        paint();
    }
}

static void check_border(const tpad_axis *axis, int32_t code)
{
    const tpad_axis axes[2] = {{.in_extent = 3, .before = 1}, *axis};
    tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    tpad_plan plan;
    char line[160];
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    if (code == TPAD_OK) {
        assert_int_equal(tpad_plan_border(&made, sizeof made, &plan, &error), TPAD_OK);
        paint();
        return;
    }
    snprintf(line, sizeof line,
             "axis 1: the output holds not all of the input (before %d, after %d), so its border "
             "alone cannot be filled",
             (int)axis->before, (int)axis->after);
    REFUSED(A_PLAN, tpad_plan_border(&made, sizeof made, &plan, &error), code, line);

    assert_int_equal(tpad_plan_border(&made, sizeof made, &plan, NULL), code);
    check_untouched(A_PLAN);
}

static void refuses_borders(void **state)
{
    /* The input's rows stand in rows 1 to 3 of the output. */
    int64_t first[2] = {2, 0}, shape[2] = {4, 5};
    const int64_t zero[2] = {0, 0}, ones[2] = {1, 1}, most = TPAD_MAX_EXTENT;
    const tpad_box box = {sizeof box, first, shape, NULL, NULL, NULL};
    const tpad_plan plan = good_plan();
    tpad_plan of;
    (void)state;
    check_border(&(tpad_axis){.in_extent = 4, .before = 2, .after = 3}, TPAD_OK);
    check_border(&(tpad_axis){.in_extent = 0, .before = -2, .after = 3}, TPAD_OK);
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
        tpad_axis front = {.in_extent = 4, .before = -1, .after = 9, .mode = mode};
        tpad_axis back = {.in_extent = 4, .before = 9, .after = -1, .mode = mode};
        check_border(&front, TPAD_E_BORDER);
        check_border(&back, TPAD_E_BORDER);
        front.order = back.order = TPAD_CROP;
        check_border(&front, TPAD_OK);
        check_border(&back, TPAD_OK);
    }
    /* The output's first cell is the input's, but its last is not: it ends before 4, at 3. */
    const tpad_axis short_axis = {.in_extent = 4, .after = -1};
    const tpad_problem too_short = TPAD_PROBLEM(8, 1, &short_axis);
    assert_int_equal(tpad_plan_init(&of, sizeof of, &too_short, NULL), TPAD_OK);
    REFUSED(A_PLAN, tpad_plan_border(&made, sizeof made, &of, &error), TPAD_E_BORDER,
            "axis 0: the output holds not all of the input (before 0, after -1), so its border "
            "alone cannot be filled");
    tpad_plan_border(&made, sizeof made, &of, &error);
    assert_true(error.got == 4 && error.limit == 3);
    paint();
    assert_int_equal(tpad_plan_box(&of, sizeof of, &plan, &box, NULL), TPAD_OK);
    REFUSED(A_PLAN, tpad_plan_border(&made, sizeof made, &of, &error), TPAD_E_BORDER,
            "axis 0: the output holds not all of the input (before -1, after 2), so its border "
            "alone cannot be filled");
    first[0] = 0;
    shape[0] = 3;
    assert_int_equal(tpad_plan_box(&of, sizeof of, &plan, &box, NULL), TPAD_OK);
    REFUSED(A_PLAN, tpad_plan_border(&made, sizeof made, &of, &error), TPAD_E_BORDER,
            "axis 0: the output holds not all of the input (before 1, after -1), so its border "
            "alone cannot be filled");
    /* A box of a border plan finds its input in the output: neither can be elsewhere. */
    assert_int_equal(tpad_plan_border(&of, sizeof of, &plan, NULL), TPAD_OK);
    for (int side = 0; side < 2; side++) {
        tpad_box moved = {.struct_size = sizeof moved, .first = zero, .extents = ones};
        assert_int_equal(tpad_plan_box(&made, sizeof made, &of, &moved, NULL), TPAD_OK);
        if (side)
            moved.out_strides = ones;
        else
            moved.in_first = zero;
        REFUSED(A_PLAN, tpad_plan_box(&made, sizeof made, &of, &moved, &error), TPAD_E_BORDER,
                "a border plan reads its own output: a box of it can have no out_strides and no "
                "in_first");
    }
    /* What is cut off lies, counted in the output's strides, beyond 64 bits. */
    const tpad_axis far = {.in_extent = most,
                           .before = 3 - most,
                           .out_stride = 64,
                           .in_stride = 1,
                           .order = TPAD_CROP};
    tpad_problem problem = TPAD_PROBLEM(8, 1, &far);
    problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
    assert_int_equal(tpad_plan_init(&of, sizeof of, &problem, NULL), TPAD_OK);
    REFUSED(A_PLAN, tpad_plan_border(&made, sizeof made, &of, &error), TPAD_E_OVERFLOW,
            "axis 0: in an output with all " MOST_TEXT
            " cells of the input addresses exceed " HALF_TEXT);
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
    assert_string_equal(tpad_status_name(-1), "?");
    assert_string_equal(tpad_status_name(9), "?");
    assert_string_equal(tpad_status_name(INT32_MAX), "?");
    snprintf(version, sizeof version, "%d.%d.%d", TPAD_VERSION_MAJOR, TPAD_VERSION_MINOR,
             TPAD_VERSION_PATCH);
    assert_string_equal(tpad_version(), version);
}

static void formats_every_field(void **state)
{
    error = (tpad_error){TPAD_E_MODE, 3,      INT64_MIN, INT64_MAX,
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

/* Every status has a name and a sentence; a number that is none, and an error that is not filled,
 * are no reason to crash. */
static void tells_every_status(void **state)
{
#define ENTRY(name, number, text) {number, #name, text},
    static const struct {
        int32_t number;
        const char *name, *text;
    } all[] = {TPAD_STATUS_MAP(ENTRY)};
#undef ENTRY
    char line[64];
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        tpad_error one = {.code = all[i].number};
        assert_string_equal(tpad_status_text(all[i].number), all[i].text);
        assert_string_equal(tpad_status_name(all[i].number), all[i].name);
        assert_int_equal(tpad_error_format(&one, line, sizeof line), strlen(all[i].text));
        assert_string_equal(line, all[i].text);
    }
    assert_string_equal(tpad_status_text(13), "unknown status"); /* was E_BUFFER */
    assert_string_equal(tpad_status_name(13), "?");
    assert_string_equal(tpad_status_text(-1), "unknown status");
    const tpad_error zeroed = {0};
    tpad_error_format(&zeroed, line, sizeof line);
    assert_string_equal(line, "done");
    assert_int_equal(tpad_error_format(NULL, line, sizeof line), 18);
    assert_string_equal(line, "no error was given");
    assert_int_equal(tpad_error_format(NULL, NULL, 0), 18);
    assert_int_equal(tpad_mode_from_name(NULL), -1);
    const tpad_error nameless = {.code = TPAD_E_MODE, .text = "mode %n"};
    tpad_error_format(&nameless, line, sizeof line);
    assert_string_equal(line, "mode ?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_axes),
        cmocka_unit_test(refuses_problems),
        cmocka_unit_test(refuses_sizes_of_structs),
        cmocka_unit_test(refuses_several_axes),
        cmocka_unit_test(accepts_the_largest_extents),
        cmocka_unit_test(refuses_strides_beyond_64_bits),
        cmocka_unit_test(reads_no_more_than_struct_size),
        cmocka_unit_test(refuses_strides_without_their_flag),
        cmocka_unit_test(refuses_outputs_of_stride_0),
        cmocka_unit_test(refuses_outputs_that_overlap),
        cmocka_unit_test(refuses_memory_of_plans),
        cmocka_unit_test(refuses_what_is_no_plan),
        cmocka_unit_test(refuses_arguments),
        cmocka_unit_test(refuses_boxes),
        cmocka_unit_test(refuses_borders),
        cmocka_unit_test(knows_names),
        cmocka_unit_test(formats_every_field),
        cmocka_unit_test(tells_every_status),
    };
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
