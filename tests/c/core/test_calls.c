/* Calls that the core refuses.  SPDX-License-Identifier: MIT
 *
 * Owns: missing arguments, too little memory, plans that are none, boxes outside of the output and
 * borders that cannot be.
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

static tpad_plan zeroed_plan(void)
{
    tpad_plan plan;
    memset(&plan, 0, sizeof plan);
    return plan;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void refuses_too_little_memory(void **state)
{
    tpad_problem problem = TPAD_PROBLEM(8, 0, NULL);
    tpad_plan whole = good_plan();
    const tpad_box box = {.struct_size = sizeof box};
    tpad_error error;
    (void)state;
    assert_int_equal(tpad_plan_init(NULL, sizeof(tpad_plan), &problem, &error), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_plan_box(NULL, sizeof(tpad_plan), &whole, &box, &error), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_plan_border(NULL, sizeof(tpad_plan), &whole, &error), TPAD_E_ARGUMENT);
    const size_t least = tpad_plan_bytes();
    assert_in_range(least, 1, sizeof(tpad_plan));
    for (size_t bytes = 0; bytes < least; bytes += 8) {
        tpad_plan *small = (tpad_plan *)(void *)guard_place(&memory, bytes, GUARD_AT_END, 0);
        assert_int_equal(tpad_plan_init(small, bytes, &problem, &error), TPAD_E_PLAN_SIZE);
        check_error(&memory, &error, TPAD_E_PLAN_SIZE, -1, (int64_t)bytes, (int64_t)least);
        assert_int_equal(tpad_plan_box(small, bytes, &whole, &box, &error), TPAD_E_PLAN_SIZE);
        assert_int_equal(tpad_plan_border(small, bytes, &whole, &error), TPAD_E_PLAN_SIZE);
    }
    /* So many are enough, and nothing behind them is touched. */
    tpad_plan *exact = (tpad_plan *)(void *)guard_place(&memory, least, GUARD_AT_END, 0);
    unsigned char from = 7, to = 0;
    assert_int_equal(tpad_plan_init(exact, least, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run(exact, &from, &to, NULL), TPAD_OK);
    assert_int_equal(to, 7);
    assert_true(guard_intact(&memory));
}

/* A call that could not make a plan leaves none behind, not the one that was there before. */
static void leaves_no_old_plan(void **state)
{
    tpad_problem problem = TPAD_PROBLEM(8, 0, NULL);
    const tpad_plan of = good_plan();
    (void)state;
    for (size_t bytes = 1; bytes < tpad_plan_bytes(); bytes += bytes < 4 ? 1 : 100) {
        tpad_plan plan = good_plan();
        assert_int_equal(tpad_plan_init(&plan, bytes, &problem, NULL), TPAD_E_PLAN_SIZE);
        assert_no_plan(&plan);
        plan = good_plan();
        assert_int_equal(tpad_plan_border(&plan, bytes, &of, NULL), TPAD_E_PLAN_SIZE);
        assert_no_plan(&plan);
        plan = good_plan();
        assert_int_equal(tpad_plan_box(&plan, bytes, &of, NULL, NULL), TPAD_E_PLAN_SIZE);
        assert_no_plan(&plan);
    }
    tpad_plan plan = good_plan();
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, NULL, NULL), TPAD_E_ARGUMENT);
    assert_no_plan(&plan);
}

/* tpad_pad finds what tpad_plan_init and tpad_run find, and writes nothing then. */
static void pads_in_one_call(void **state)
{
    const unsigned char src[3] = {1, 2, 3}, value = 9, expected[5] = {9, 1, 2, 3, 9};
    unsigned char dst[5] = {0};
    tpad_axis axis = {.in_extent = 3, .before = 1, .after = 1};
    tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    tpad_error error;
    (void)state;
    assert_int_equal(tpad_pad(&problem, NULL, dst, &value, &error), TPAD_E_ARGUMENT);
    check_error(&memory, &error, TPAD_E_ARGUMENT, -1, 0, 0);
    assert_int_equal(tpad_pad(&problem, src, NULL, &value, &error), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_pad(NULL, src, dst, &value, &error), TPAD_E_ARGUMENT);
    check_error(&memory, &error, TPAD_E_ARGUMENT, -1, 0, 0);
    axis.before = -4;
    assert_int_equal(tpad_pad(&problem, src, dst, &value, &error), TPAD_OK);
    axis.before = -5;
    assert_int_equal(tpad_pad(&problem, src, dst, &value, &error), TPAD_E_NEGATIVE);
    check_error(&memory, &error, TPAD_E_NEGATIVE, 0, -1, 0);
    for (int i = 0; i < 5; i++) assert_int_equal(dst[i], 0);
    axis.before = 1;
    assert_int_equal(tpad_pad(&problem, src, dst, &value, &error), TPAD_OK);
    assert_memory_equal(dst, expected, sizeof dst);
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
        tpad_error error = {.code = all[i].number};
        assert_string_equal(tpad_status_text(all[i].number), all[i].text);
        assert_string_equal(tpad_status_name(all[i].number), all[i].name);
        assert_int_equal(tpad_error_format(&error, line, sizeof line), strlen(all[i].text));
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

static int32_t run_none(void *context, int64_t count, tpad_body body, void *user)
{
    (void)count, (void)body, (void)user;
    return *(int32_t *)context;
}

static void knows_what_is_no_plan(void **state)
{
    const tpad_plan zeroed = zeroed_plan();
    const tpad_plan *none[2] = {&zeroed, NULL};
    int32_t answer = 0;
    const tpad_runner runner = {sizeof runner, &answer, 2, run_none};
    int64_t first = 0, extents = 1;
    const tpad_box box = {sizeof box, &first, &extents, NULL, NULL, NULL};
    unsigned char byte = 0, other = 0;
    char text[64];
    (void)state;
    for (int i = 0; i < 2; i++) {
        tpad_plan made = good_plan();
        tpad_error error;
        assert_int_not_equal(tpad_run(none[i], &byte, &other, NULL), TPAD_OK);
        assert_int_not_equal(tpad_run_part(none[i], &byte, &other, NULL, 0, 1), TPAD_OK);
        assert_int_not_equal(tpad_run_with(none[i], &byte, &other, NULL, NULL), TPAD_OK);
        assert_int_not_equal(tpad_run_with(none[i], &byte, &other, NULL, &runner), TPAD_OK);
        assert_int_not_equal(tpad_plan_needs(none[i], &first, &extents), TPAD_OK);
        tpad_source pieces[2];
        assert_int_equal(tpad_plan_sources(none[i], 0, 0, 0, pieces), TPAD_E_NOT_A_PLAN);
        assert_int_equal(tpad_plan_shape(none[i], &extents), -1);
        assert_int_equal(tpad_plan_box(&made, sizeof made, none[i], &box, &error),
                         TPAD_E_NOT_A_PLAN);
        check_error(&memory, &error, TPAD_E_NOT_A_PLAN, -1, 0, 0);
        assert_no_plan(&made);
        made = good_plan();
        assert_int_equal(tpad_plan_border(&made, sizeof made, none[i], &error), TPAD_E_NOT_A_PLAN);
        check_error(&memory, &error, TPAD_E_NOT_A_PLAN, -1, 0, 0);
        assert_no_plan(&made);
        assert_true(tpad_plan_describe(none[i], text, sizeof text) < sizeof text);
    }
    assert_int_equal(tpad_run(&zeroed, &byte, &other, NULL), TPAD_E_NOT_A_PLAN);
    assert_int_equal(tpad_plan_needs(&zeroed, &first, &extents), TPAD_E_NOT_A_PLAN);
}

static void refuses_to_run_without_arguments(void **state)
{
    tpad_plan plan = good_plan();
    const tpad_axis axis = {.in_extent = 1 << 24};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    tpad_plan large; /* which run_none never runs */
    int64_t one;
    unsigned char src[64] = {0}, dst[64] = {0};
    int32_t answer = 12345;
    const tpad_runner good = {sizeof good, &answer, 2, run_none};
    tpad_runner bad = good;
    int64_t numbers[TPAD_MAX_RANK];
    (void)state;
    assert_int_equal(tpad_plan_init(&large, sizeof large, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run(&plan, NULL, dst, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run(&plan, src, NULL, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_part(&plan, src, dst, NULL, -1, 4), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_part(&plan, src, dst, NULL, 4, 4), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_part(&plan, src, dst, NULL, 0, 0), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_part(&plan, src, dst, NULL, INT64_MIN, -1), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_part(&plan, src, dst, NULL, INT64_MAX, INT64_MAX), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_with(&plan, NULL, dst, NULL, &good), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_with(&plan, src, NULL, NULL, &good), TPAD_E_ARGUMENT);
    bad.struct_size = sizeof bad - 1;
    assert_int_equal(tpad_run_with(&plan, src, dst, NULL, &bad), TPAD_E_ARGUMENT);
    bad = good;
    bad.run = NULL;
    assert_int_equal(tpad_run_with(&plan, src, dst, NULL, &bad), TPAD_E_ARGUMENT);
    bad = good;
    bad.width = 0;
    assert_int_equal(tpad_run_with(&plan, src, dst, NULL, &bad), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_run_with(&large, src, dst, NULL, &good), 12345);
    assert_int_equal(tpad_plan_needs(&plan, NULL, numbers), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_plan_needs(&plan, numbers, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_plan_needs(&large, NULL, &one), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_plan_needs(&large, &one, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_plan_shape(&plan, NULL), 2);
    for (size_t i = 0; i < sizeof dst; i++) assert_int_equal(dst[i], 0);
}

/* 3 x 4 elements of 16 bits in 6 x 5, as tpad_run writes them. */
static void runs_without_a_runner(void **state)
{
    const tpad_plan plan = good_plan();
    uint16_t src[12], dst[30], expected[30];
    const uint16_t value = 0x0102;
    (void)state;
    for (int i = 0; i < 12; i++) src[i] = (uint16_t)(1000 + i);
    for (int i = 0; i < 30; i++)
        expected[i] = i / 5 >= 1 && i / 5 < 4 && i % 5 < 4 ? src[(i / 5 - 1) * 4 + i % 5] : value;
    assert_int_equal(tpad_run_with(&plan, src, dst, &value, NULL), TPAD_OK);
    assert_memory_equal(dst, expected, sizeof dst);
}

/* ---- Boxes and borders ----------------------------------------------------------------------- */

/* Returns the number of the error. */
static int64_t check_box(const tpad_box *box, int32_t code, int32_t axis)
{
    tpad_plan whole = good_plan();
    tpad_plan made = good_plan();
    tpad_error error;
    assert_int_equal(tpad_plan_box(&made, sizeof made, &whole, box, &error), code);
    if (code == TPAD_OK) return 0;
    assert_int_equal(error.code, code);
    assert_int_equal(error.axis, axis);
    check_text(&memory, &error);
    assert_no_plan(&made);
    assert_int_equal(tpad_plan_box(&made, sizeof made, &whole, box, NULL), code);
    return error.got;
}

/* Leaves numbers behind that no offset and no stride may have. */
static void dirty_the_stack(void)
{
    volatile unsigned char room[16384];
    for (size_t i = 0; i < sizeof room; i++) room[i] = 0x7E;
}

/* A box's own strides, wherever they are kept on the way: only what was given matters. */
static void boxes_do_not_depend_on_old_memory(void **state)
{
    const int64_t first[2] = {1, 2}, extents[2] = {2, 3}, strides[2] = {100, 2};
    const tpad_box box = {sizeof box, first, extents, strides, NULL, NULL};
    const tpad_plan whole = good_plan();
    tpad_plan made;
    (void)state;
    dirty_the_stack();
    assert_int_equal(tpad_plan_box(&made, sizeof made, &whole, &box, NULL), TPAD_OK);
}

static void refuses_boxes(void **state)
{
    /* The output of good_plan is 6 x 5, of the input 3 x 4. */
    int64_t first[2] = {1, 2}, extents[2] = {2, 3}, in_first[2] = {0, 0};
    int64_t strides[2] = {100, 2}, in_strides[2] = {100, 2};
    const tpad_box good = {sizeof good, first, extents, strides, in_first, in_strides};
    tpad_box bad = good;
    const struct {
        int64_t first, extent;
    } outside[] = {{-1, 2}, {0, 7},         {6, 1},         {7, 0},         {5, 2},
                   {2, -1}, {INT64_MAX, 1}, {1, INT64_MAX}, {INT64_MIN, 1}, {1, INT64_MIN}};
    (void)state;
    check_box(&good, TPAD_OK, -1);
    check_box(NULL, TPAD_E_ARGUMENT, -1);
    bad.first = NULL;
    check_box(&bad, TPAD_E_ARGUMENT, -1);
    bad = good;
    bad.extents = NULL;
    check_box(&bad, TPAD_E_ARGUMENT, -1);
    bad = good;
    bad.struct_size = 0;
    check_box(&bad, TPAD_E_ARGUMENT, -1);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        first[0] = outside[i].first;
        extents[0] = outside[i].extent;
        check_box(&good, TPAD_E_BOX, 0);
        first[0] = 6;
        extents[0] = 0;
        check_box(&good, TPAD_OK, -1);
        first[0] = 1;
        extents[0] = 2;
        first[1] = outside[i].first;
        extents[1] = outside[i].extent;
        check_box(&good, TPAD_E_BOX, 1);
        first[1] = 2;
        extents[1] = 3;
    }
    strides[1] = INT64_MAX / 2;
    check_box(&good, TPAD_E_OVERFLOW, 1);
    strides[1] = INT64_MIN;
    check_box(&good, TPAD_E_OVERFLOW, 1);
    strides[1] = 2;
    in_strides[0] = INT64_MAX;
    check_box(&good, TPAD_E_OVERFLOW, 0);
    in_strides[0] = 100;
    in_first[1] = -1;
    check_box(&good, TPAD_E_BOX, 1);
    in_first[1] = INT64_MAX;
    check_box(&good, TPAD_E_BOX, 1);
    in_first[1] = TPAD_MAX_EXTENT; /* the last cell of the longest input comes before it */
    check_box(&good, TPAD_E_BOX, 1);
    /* The way back to cell 0 leaves 64 bits, with the planned strides too. */
    in_first[1] = TPAD_MAX_EXTENT - 1;
    in_strides[1] = 100;
    check_box(&good, TPAD_E_OVERFLOW, 1);
    bad = good;
    bad.in_strides = NULL;
    assert_int_equal(check_box(&bad, TPAD_E_OVERFLOW, 1), in_first[1]); /* no stride was given */
}

static void check_border(const tpad_axis *axis, int32_t code)
{
    const tpad_axis axes[2] = {{.in_extent = 3, .before = 1}, *axis};
    tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    tpad_plan plan;
    tpad_plan border = good_plan();
    tpad_error error;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, &error), code);
    if (code == TPAD_OK) return;
    assert_int_equal(error.code, code);
    assert_int_equal(error.axis, 1);
    check_text(&memory, &error);
    assert_no_plan(&border);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, NULL), code);
}

static void refuses_borders(void **state)
{
    /* The input's rows stand in rows 1 to 3 of the output. */
    int64_t first[2] = {2, 0}, extents[2] = {4, 5};
    const tpad_box box = {sizeof box, first, extents, NULL, NULL, NULL};
    tpad_plan plan = good_plan();
    tpad_plan of, border;
    tpad_error error;
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
    assert_int_equal(tpad_plan_border(&border, sizeof border, &of, &error), TPAD_E_BORDER);
    check_error(&memory, &error, TPAD_E_BORDER, 0, 4, 3);
    for (int side = 0; side < 2; side++) {
        first[0] = side ? 0 : 2;
        extents[0] = side ? 3 : 4;
        assert_int_equal(tpad_plan_box(&of, sizeof of, &plan, &box, NULL), TPAD_OK);
        assert_int_equal(tpad_plan_border(&border, sizeof border, &of, &error), TPAD_E_BORDER);
        assert_int_equal(error.axis, 0);
        check_text(&memory, &error);
        assert_no_plan(&border);
    }
    /* A box of a border plan finds its input in the output: neither can be elsewhere. */
    assert_int_equal(tpad_plan_border(&of, sizeof of, &plan, NULL), TPAD_OK);
    const int64_t zero[2] = {0, 0}, ones[2] = {1, 1};
    for (int side = 0; side < 2; side++) {
        tpad_box moved = {.struct_size = sizeof moved, .first = zero, .extents = ones};
        assert_int_equal(tpad_plan_box(&border, sizeof border, &of, &moved, NULL), TPAD_OK);
        if (side)
            moved.out_strides = ones;
        else
            moved.in_first = zero;
        assert_int_equal(tpad_plan_box(&border, sizeof border, &of, &moved, &error), TPAD_E_BORDER);
        check_error(&memory, &error, TPAD_E_BORDER, -1, 0, 0);
        assert_no_plan(&border);
    }
    /* What is cut off lies, counted in the output's strides, beyond 64 bits. */
    const int64_t most = TPAD_MAX_EXTENT;
    const tpad_axis far = {.in_extent = most,
                           .before = 3 - most,
                           .out_stride = 64,
                           .in_stride = 1,
                           .order = TPAD_CROP};
    tpad_problem problem = TPAD_PROBLEM(8, 1, &far);
    problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &plan, &error), TPAD_E_OVERFLOW);
    assert_int_equal(error.axis, 0);
    assert_int_equal(error.got, most); /* also where the output is dense and has no stride */
    check_text(&memory, &error);
    assert_no_plan(&border);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_too_little_memory),
        cmocka_unit_test(leaves_no_old_plan),
        cmocka_unit_test(pads_in_one_call),
        cmocka_unit_test(tells_every_status),
        cmocka_unit_test(knows_what_is_no_plan),
        cmocka_unit_test(refuses_to_run_without_arguments),
        cmocka_unit_test(runs_without_a_runner),
        cmocka_unit_test(boxes_do_not_depend_on_old_memory),
        cmocka_unit_test(refuses_boxes),
        cmocka_unit_test(refuses_borders),
    };
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
