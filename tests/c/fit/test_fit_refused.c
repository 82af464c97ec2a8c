/* Fits and batches that are rejected. SPDX-License-Identifier: MIT
 *
 * A row for each call: its tensor, its axis, what was given, the limit and the sentence, as a user
 * reads it. A rejected call writes nothing. Beside the limits, what is just accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/fit.h>

#include "../../support/expect.h"

#define MOST      TPAD_MAX_EXTENT
#define MOST_TEXT "2305843009213693951"

#define AT_OFFSET(number) .align = TPAD_ALIGN_OFFSET, .offset = number
#define CROPPED(number)   .sized = 1, .extent = number, .too_long = TPAD_TOO_LONG_CROP_END

/* The sizes of structs depend on the machine. line: room for the text. way_out: what the text
 * advises if the size is too small. */
static said wrong_size(char line[160], const char *what, size_t got, size_t limit,
                       const char *way_out)
{
    if (got < limit)
        snprintf(line, 160, "%s is %d, not %d: %s", what, (int)got, (int)limit, way_out);
    else
        snprintf(line, 160,
                 "%s is %d, but this tensorpad knows %d: the header is newer than the library",
                 what, (int)got, (int)limit);
    return (said){TPAD_E_ARGUMENT, line};
}

/* ---- Fits ------------------------------------------------------------------------------------ */

/* Of one tensor, by both calls. */
static void check_fit_refused(const tpad_fit *fit, const int64_t *in_extents, said expected)
{
    int64_t out[3] = {-7, -7, -7}, item = -5;
    tpad_error error = {0};
    assert_said(&error, tpad_fit_extents(fit, in_extents, 1, out, &item, &error), expected);
    assert_int_equal(error.before, 0);
    assert_int_equal(error.after, 0);
    for (int i = 0; i < 3; i++) assert_int_equal(out[i], -7);
    assert_int_equal(tpad_fit_extents(fit, in_extents, 1, out, NULL, NULL), expected.code);

    tpad_axis axes[3], old[3];
    memset(axes, 0, sizeof axes);
    for (int i = 0; i < 3; i++)
        axes[i] = (tpad_axis){.in_extent = in_extents[i], .before = 7, .after = 8};
    memcpy(old, axes, sizeof old);
    assert_said(&error, tpad_fit_amounts(fit, NULL, axes, &error), expected);
    assert_memory_equal(axes, old, sizeof old);
    assert_int_equal(tpad_fit_amounts(fit, NULL, axes, NULL), expected.code);
}

static void refuses_words_of_an_axis(void **state)
{
#define OF_AXIS(code, text) {TPAD_E_##code, "axis 1: " text}
#define UP_TO_MOST          " is not between 0 and " MOST_TEXT
#define BEYOND              " is beyond " MOST_TEXT " in magnitude"
    const struct {
        tpad_fit_axis request;
        said row;
    } cases[] = {
        {{.sized = 2}, OF_AXIS(ARGUMENT, "sized is 2, but only 0 and 1 are known")},
        {{.sized = -1}, OF_AXIS(ARGUMENT, "sized is -1, but only 0 and 1 are known")},
        {{.extent = 640},
         OF_AXIS(ARGUMENT, "set sized to 1, or extent to 0: extent is 640, and nothing uses it")},
        {{.offset = INT64_MIN, .align = TPAD_ALIGN_END},
         OF_AXIS(ARGUMENT, "set align to TPAD_ALIGN_OFFSET, or offset to 0: offset is "
                           "-9223372036854775808, and nothing uses it")},
        {{.sized = 1, .extent = -1}, OF_AXIS(EXTENT, "the target extent -1" UP_TO_MOST)},
        {{.sized = 1, .extent = MOST + 1},
         OF_AXIS(EXTENT, "the target extent 2305843009213693952" UP_TO_MOST)},
        {{.multiple = -2}, OF_AXIS(EXTENT, "the multiple -2" UP_TO_MOST)},
        {{.multiple = INT64_MAX}, OF_AXIS(EXTENT, "the multiple 9223372036854775807" UP_TO_MOST)},
        {{.align = -1}, OF_AXIS(ARGUMENT, "align -1 is not between 0 and 3")},
        {{.align = 4}, OF_AXIS(ARGUMENT, "align 4 is not between 0 and 3")},
        {{.too_long = -1}, OF_AXIS(ARGUMENT, "too_long -1 is not between 0 and 4")},
        {{.too_long = 5}, OF_AXIS(ARGUMENT, "too_long 5 is not between 0 and 4")},
        {{.mode = -1}, OF_AXIS(MODE, "mode -1 is not between 0 and 4")},
        {{.mode = 5}, OF_AXIS(MODE, "mode 5 is not between 0 and 4")},
        {{AT_OFFSET(MOST + 1)}, OF_AXIS(AMOUNT, "the offset 2305843009213693952" BEYOND)},
        {{AT_OFFSET(INT64_MIN)}, OF_AXIS(AMOUNT, "the offset -9223372036854775808" BEYOND)},
        {{AT_OFFSET(MOST - 4)},
         OF_AXIS(OVERFLOW, "offset and extent together are 2305843009213693952, above " MOST_TEXT)},
        {{.multiple = MOST - 1, .sized = 1, .extent = MOST},
         OF_AXIS(OVERFLOW,
                 "the extent " MOST_TEXT ", rounded up to its multiple, is above " MOST_TEXT)},
    };
    const int64_t in[3] = {3, 5, 7};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis requests[3] = {{0}, cases[i].request, {.sized = 1, .extent = 9}};
        const tpad_fit fit = TPAD_FIT(3, requests);
        check_fit_refused(&fit, in, cases[i].row);
    }
}

static void refuses_ratios(void **state)
{
#define NOT_A_PART(number) {TPAD_E_ARGUMENT, "aspect: " number " is not between 1 and " MOST_TEXT}
#define NO_AXIS(text)      {TPAD_E_ARGUMENT, "aspect_axes: axis " text}
#define TOO_LONG(axis, number)                                                                     \
    {                                                                                              \
        TPAD_E_OVERFLOW, "axis " axis ": the extent " number                                       \
                         ", made longer to have the ratio, is above " MOST_TEXT                    \
    }
    const struct {
        int64_t aspect[2];
        int32_t axes[2];
        int64_t extent, multiple;
        said row;
    } cases[] = {
        {{0, 1}, {0, 1}, 1, 0, NOT_A_PART("0")},
        {{1, 0}, {0, 1}, 1, 0, NOT_A_PART("0")},
        {{1, -4}, {0, 1}, 1, 0, NOT_A_PART("-4")},
        {{MOST + 1, 1}, {0, 1}, 1, 0, NOT_A_PART("2305843009213693952")},
        {{1, 1}, {-1, 1}, 1, 0, NO_AXIS("-1 is not between 0 and 2")},
        {{1, 1}, {0, 3}, 1, 0, NO_AXIS("3 is not between 0 and 2")},
        {{1, 1}, {2, 2}, 1, 0, NO_AXIS("2 is named twice: a ratio needs two axes")},
        {{1, 2}, {0, 1}, MOST, 0, TOO_LONG("1", "5")},
        {{2, 1}, {1, 0}, MOST, 0, TOO_LONG("1", "5")},
        {{MOST, MOST - 1}, {0, 1}, MOST - 1, 3, TOO_LONG("0", "2305843009213693950")},
    };
    const int64_t in[3] = {3, 5, 7};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis requests[3] = {
            {.sized = 1, .extent = cases[i].extent, .multiple = cases[i].multiple}};
        tpad_fit fit = TPAD_FIT(3, requests);
        memcpy(fit.aspect, cases[i].aspect, sizeof fit.aspect);
        memcpy(fit.aspect_axes, cases[i].axes, sizeof fit.aspect_axes);
        check_fit_refused(&fit, in, cases[i].row);
    }
    /* Multiples whose common multiple is no extent, and one that is less than an extent. */
    tpad_fit_axis requests[3] = {{.multiple = MOST - 1}, {.multiple = MOST}};
    tpad_fit fit = TPAD_FIT(3, requests);
    fit.aspect_axes[1] = 1;
    fit.aspect[0] = fit.aspect[1] = 1;
    check_fit_refused(&fit, in,
                      (said){TPAD_E_OVERFLOW, "axis 1: no extent up to " MOST_TEXT
                                              " has this multiple, " MOST_TEXT ", and the ratio"});
    requests[1] = (tpad_fit_axis){.sized = 1, .extent = MOST};
    check_fit_refused(&fit, in,
                      (said){TPAD_E_OVERFLOW,
                             "axis 0: the extent 2305843009213693950, made longer to have the "
                             "ratio, is above " MOST_TEXT});
}

static void refuses_structs(void **state)
{
    const tpad_fit_axis requests[TPAD_MAX_RANK + 1] = {{0}};
    const tpad_fit good = TPAD_FIT(3, requests);
    const int64_t in[3] = {3, 5, 7};
    int64_t out[3];
    char line[160];
    tpad_error error = {0};
    (void)state;
    tpad_fit fit = good;
    for (int change = -1; change <= 1; change += 2) {
        fit = good;
        fit.struct_size += (size_t)change;
        check_fit_refused(&fit, in,
                          wrong_size(line, "tpad_fit: struct_size", fit.struct_size, sizeof fit,
                                     "set it to sizeof(tpad_fit)"));
        fit = good;
        fit.axis_size += (size_t)change;
        check_fit_refused(&fit, in,
                          wrong_size(line, "tpad_fit: axis_size", fit.axis_size, sizeof requests[0],
                                     "initialise it with TPAD_FIT"));
    }
    fit = good;
    fit.reserved = 4;
    check_fit_refused(&fit, in, (said){TPAD_E_ARGUMENT, "reserved is 4, not 0"});
    fit = good;
    fit.axes = NULL;
    check_fit_refused(&fit, in, (said){TPAD_E_ARGUMENT, "tpad_fit: the axes are missing"});
    const int32_t ranks[] = {-1, TPAD_MAX_RANK + 1};
    const char *const lines[] = {"rank -1 is not between 0 and 16",
                                 "rank 17 is not between 0 and 16"};
    for (int i = 0; i < 2; i++) {
        fit = good;
        fit.rank = ranks[i];
        check_fit_refused(&fit, in, (said){TPAD_E_RANK, lines[i]});
    }
    check_fit_refused(NULL, in, (said){TPAD_E_ARGUMENT, "tpad_fit: the arguments are missing"});

    said row = {TPAD_E_ARGUMENT, "in_extents is missing"};
    assert_said(&error, tpad_fit_extents(&good, NULL, 1, out, NULL, &error), row);
    row.line = "out_extents is missing";
    assert_said(&error, tpad_fit_extents(&good, in, 1, NULL, NULL, &error), row);
    row.line = "axes is missing";
    assert_said(&error, tpad_fit_amounts(&good, NULL, NULL, &error), row);
    row = (said){TPAD_E_ARGUMENT, "there are 0 tensors, but at least 1 is needed"};
    assert_said(&error, tpad_fit_extents(&good, in, 0, out, NULL, &error), row);
}

static void refuses_extents(void **state)
{
    const tpad_fit_axis requests[2] = {{.sized = 1, .extent = 4}};
    const tpad_fit fit = TPAD_FIT(2, requests);
    int64_t in[6] = {3, 4, 5, -1, 7, 8}, out[2] = {-7, -7}, item = -5;
    tpad_error error = {0};
    said row = {TPAD_E_EXTENT, "axis 1: extent -1 is not between 0 and " MOST_TEXT};
    (void)state;
    assert_said(&error, tpad_fit_extents(&fit, in, 3, out, &item, &error), row);
    assert_int_equal(item, 1);
    in[3] = 0;
    in[4] = MOST + 1;
    row =
        (said){TPAD_E_EXTENT, "axis 0: extent 2305843009213693952 is not between 0 and " MOST_TEXT};
    assert_said(&error, tpad_fit_extents(&fit, in, 3, out, &item, &error), row);
    assert_int_equal(item, 2);
    assert_int_equal(out[0], -7);
    assert_int_equal(out[1], -7);

    tpad_axis axes[2] = {{.in_extent = 3}, {.in_extent = 2}};
    const int64_t bad[][2] = {{4, -1}, {4, MOST + 1}};
    const said lines[] = {
        {TPAD_E_EXTENT, "axis 1: the target extent -1 is not between 0 and " MOST_TEXT},
        {TPAD_E_EXTENT,
         "axis 1: the target extent 2305843009213693952 is not between 0 and " MOST_TEXT}};
    for (int i = 0; i < 2; i++)
        assert_said(&error, tpad_fit_amounts(&fit, bad[i], axes, &error), lines[i]);
    axes[1].interior = 2;
    row = (said){TPAD_E_INTERIOR, "axis 1: interior is 2, but it must be 0 to fit a size"};
    assert_said(&error, tpad_fit_amounts(&fit, NULL, axes, &error), row);
    assert_int_equal(axes[0].after, 0);
}

static void refuses_what_is_too_long(void **state)
{
#define NO_ROOM(where, size)                                                                       \
    OF_AXIS(TOO_LONG, "5 cells" where " do not fit into " size                                     \
                      ": choose a larger target, or a too_long that crops")
    const struct {
        tpad_fit_axis request;
        int64_t n, before, after;
        said row;
    } cases[] = {
        {{.sized = 1, .extent = 4}, 5, 0, -1, NO_ROOM("", "4")},
        {{AT_OFFSET(-1)}, 5, -1, 0, NO_ROOM(" at that offset", "4")},
        {{.sized = 1, .extent = 6, AT_OFFSET(2)}, 5, 2, -1, NO_ROOM(" at that offset", "6")},
        {{.sized = 1, .extent = 9, AT_OFFSET(-1), .too_long = TPAD_TOO_LONG_KEEP},
         5,
         -1,
         5,
         NO_ROOM(" at that offset", "9")},
        {{CROPPED(3), AT_OFFSET(MOST)},
         4,
         MOST,
         3 - 4 - MOST,
         OF_AXIS(AMOUNT, "amount -2305843009213693952" BEYOND)},
        {{CROPPED(5), AT_OFFSET(-MOST)},
         4,
         -MOST,
         5 - 4 + MOST,
         OF_AXIS(AMOUNT, "amount 2305843009213693952" BEYOND)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis requests[2] = {{0}, cases[i].request};
        const tpad_fit fit = TPAD_FIT(2, requests);
        const tpad_axis given[2] = {{.in_extent = 1}, {.in_extent = cases[i].n, .before = 44}};
        tpad_axis axes[2];
        tpad_error error = {0};
        memcpy(axes, given, sizeof axes);
        assert_said(&error, tpad_fit_amounts(&fit, NULL, axes, &error), cases[i].row);
        assert_int_equal(error.before, cases[i].before);
        assert_int_equal(error.after, cases[i].after);
        assert_memory_equal(axes, given, sizeof axes);
    }
}

/* Whatever is accepted has a shape: offsets, extents and targets next to the limits. */
static void accepts_what_has_a_shape(void **state)
{
    const int64_t numbers[] = {-MOST, 1 - MOST, -MOST / 2, -3, 0, 3, MOST / 2, MOST - 1, MOST};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    int accepted = 0;
    (void)state;
    for (int i = 0; i < COUNT * COUNT * COUNT; i++) {
        const tpad_fit_axis request = {
            .sized = numbers[i / COUNT % COUNT] >= 0,
            .extent = numbers[i / COUNT % COUNT] < 0 ? 0 : numbers[i / COUNT % COUNT],
            .align = TPAD_ALIGN_OFFSET,
            .offset = numbers[i % COUNT],
            .too_long = TPAD_TOO_LONG_CROP_END};
        const tpad_fit fit = TPAD_FIT(1, &request);
        tpad_axis axis = {.in_extent = numbers[i / COUNT / COUNT]};
        if (tpad_fit_amounts(&fit, NULL, &axis, NULL) != TPAD_OK) continue;
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
        assert_int_equal(tpad_shape(&problem, NULL, NULL, NULL, NULL), TPAD_OK);
        accepted++;
    }
    assert_true(accepted > COUNT);
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* Three tensors of 2 x 3, 1 x 4 and 2 x 2 bytes. A test changes what it is about. */
typedef struct small_batch {
    unsigned char src[6], dst[64], mask[64], fill;
    int64_t extents[3][2], strides[3][2], lengths[6];
    tpad_fit_axis requests[2];
    tpad_fit fit;
    tpad_batch_item items[3];
    tpad_batch batch;
} small_batch;

static void open_batch(small_batch *b)
{
    static const int64_t extents[3][2] = {{2, 3}, {1, 4}, {2, 2}};
    memset(b, 0, sizeof *b);
    memset(b->dst, 0xA5, sizeof b->dst);
    memset(b->mask, 0xA5, sizeof b->mask);
    memset(b->lengths, 0xA5, sizeof b->lengths);
    memcpy(b->extents, extents, sizeof extents);
    b->fit = (tpad_fit)TPAD_FIT(2, b->requests);
    for (int k = 0; k < 3; k++) {
        b->strides[k][0] = 3;
        b->strides[k][1] = 1;
        b->items[k] = (tpad_batch_item){b->src, b->extents[k], NULL};
    }
    b->batch = (tpad_batch){sizeof b->batch, &b->fit,  b->items, 3,          8,   0,
                            b->dst,          &b->fill, b->mask,  b->lengths, NULL};
}

static void check_batch_refused(const small_batch *b, const tpad_runner *runner, int64_t item,
                                said expected)
{
    int64_t about = -5;
    tpad_error error = {0};
    assert_said(&error, tpad_batch_run(&b->batch, runner, &about, &error), expected);
    assert_int_equal(about, item);
    assert_int_equal(tpad_batch_run(&b->batch, runner, NULL, NULL), expected.code);
    for (size_t i = 0; i < sizeof b->dst; i++) assert_int_equal(b->dst[i], 0xA5);
    for (size_t i = 0; i < sizeof b->mask; i++) assert_int_equal(b->mask[i], 0xA5);
    for (size_t i = 0; i < 6; i++) assert_int_equal(b->lengths[i], (int64_t)0xA5A5A5A5A5A5A5A5);
}

/* The same from tpad_batch_shape. */
static void check_shape_refused(const small_batch *b, int64_t item, said expected)
{
    int64_t out[2] = {-7, -7}, bytes = -7, about = -5;
    tpad_error error = {0};
    assert_said(&error, tpad_batch_shape(&b->batch, out, &bytes, &about, &error), expected);
    assert_int_equal(about, item);
    assert_int_equal(out[0], -7);
    assert_int_equal(out[1], -7);
    assert_int_equal(bytes, -7);
    check_batch_refused(b, NULL, item, expected);
}

/* Rows: the tensor or -1, the status, the sentence, and what is changed. REFUSED is about both
 * calls, RUN_REFUSED about tpad_batch_run alone. */
#define REFUSED(item, code, line, ...)                                                             \
    do {                                                                                           \
        open_batch(&b);                                                                            \
        __VA_ARGS__;                                                                               \
        check_shape_refused(&b, item, (said){TPAD_E_##code, line});                                \
    } while (0)
#define RUN_REFUSED(item, code, line, ...)                                                         \
    do {                                                                                           \
        open_batch(&b);                                                                            \
        __VA_ARGS__;                                                                               \
        check_batch_refused(&b, NULL, item, (said){TPAD_E_##code, line});                          \
    } while (0)
#define ACCEPTED assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK)

static void refuses_batches(void **state)
{
    static const int32_t widths[] = {0, 1, 4, -8, 12, 524296};
    const tpad_fit_axis many[TPAD_MAX_RANK] = {{0}};
    const size_t of_0_2 = offsetof(tpad_batch, value_strides); /* version 0.2 had none */
    const size_t sizes[] = {0, of_0_2 - 1, sizeof(tpad_batch) + 1};
    small_batch b;
    char line[160];
    tpad_error error = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        open_batch(&b);
        b.batch.struct_size = sizes[i];
        check_shape_refused(&b, -1,
                            wrong_size(line, "tpad_batch: struct_size", sizes[i], sizeof b.batch,
                                       "set it to sizeof(tpad_batch)"));
    }
    b.batch.struct_size = of_0_2;
    b.batch.value_strides = (const int64_t *)(uintptr_t)1;
    ACCEPTED;
    for (int i = 0; i < 6; i++) {
        snprintf(line, sizeof line,
                 "elements of %d bits: a batch has whole bytes up to 524288 bits", (int)widths[i]);
        REFUSED(-1, ELEM, line, b.batch.elem_bits = widths[i]);
    }
    REFUSED(-1, ARGUMENT, "tpad_fit: the arguments are missing", b.batch.fit = NULL);
    REFUSED(-1, ARGUMENT, "axis 1: align 9 is not between 0 and 3", b.requests[1].align = 9);
    REFUSED(-1, ARGUMENT, "reserved is -1, not 0", b.batch.reserved = -1);
    REFUSED(-1, ARGUMENT, "there are 0 tensors, but at least 1 is needed", b.batch.count = 0);
    REFUSED(-1, ARGUMENT, "there are -3 tensors, but at least 1 is needed", b.batch.count = -3);
    REFUSED(-1, ARGUMENT, "items is missing", b.batch.items = NULL);
    REFUSED(1, ARGUMENT, "extents of a tensor is missing", b.items[1].extents = NULL);
    REFUSED(2, EXTENT, "axis 1: extent -4" UP_TO_MOST, b.extents[2][1] = -4);
    REFUSED(-1, OVERFLOW,
            "axis 0: the extent " MOST_TEXT ", rounded up to its multiple, is above " MOST_TEXT,
            b.requests[0] = (tpad_fit_axis){.multiple = MOST - 1, .sized = 1, .extent = MOST});
    REFUSED(-1, RANK, "rank 16: the tensors of a batch have at most 15 axes",
            b.fit = (tpad_fit)TPAD_FIT(TPAD_MAX_RANK, many));
    open_batch(&b);
    assert_said(&error, tpad_batch_shape(&b.batch, NULL, NULL, NULL, &error),
                (said){TPAD_E_ARGUMENT, "out_extents is missing"});
}

/* Outputs that are too large for any memory. */
static void refuses_huge_outputs(void **state)
{
    small_batch b;
    (void)state;
    REFUSED(-1, OVERFLOW,
            "axis 1: with an extent of 2147483648 each tensor of the output would have more "
            "than " MOST_TEXT " elements",
            b.requests[0] = b.requests[1] =
                (tpad_fit_axis){.sized = 1, .extent = INT64_C(1) << 31});
    const said bytes = {TPAD_E_OVERFLOW,
                        "with 1152921504606846976 elements for each tensor the output would "
                        "have more than " MOST_TEXT " bytes"};
    b.requests[0].extent = INT64_C(1) << 29;
    b.batch.elem_bits = 16;
    b.batch.count = 1;
    check_shape_refused(&b, -1, bytes);
    b.batch.elem_bits = 8;
    b.batch.count = 2;
    check_shape_refused(&b, -1, bytes);
    /* An empty axis makes the output empty, however long the other one is. */
    b.requests[0].extent = 0;
    b.requests[0].too_long = TPAD_TOO_LONG_CROP_END;
    b.requests[1].extent = MOST;
    int64_t out[2], size = -7;
    assert_int_equal(tpad_batch_shape(&b.batch, out, &size, NULL, NULL), TPAD_OK);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], MOST);
    assert_int_equal(size, 0);
    b.batch.dst = NULL;
    ACCEPTED;
    assert_int_equal(b.lengths[0], 0);
    assert_int_equal(b.lengths[1], 3);
}

static void refuses_tensors(void **state)
{
    small_batch b;
    (void)state;
    RUN_REFUSED(1, TOO_LONG,
                "axis 1: 4 cells do not fit into 3: choose a larger target, or a too_long that "
                "crops",
                b.requests[1] = (tpad_fit_axis){.sized = 1, .extent = 3});
    RUN_REFUSED(2, NO_SOURCE,
                "axis 0: mode edge has no element to fill 2 cells from (before 0, after 2); mode "
                "constant can",
                b.requests[0].mode = TPAD_EDGE, b.extents[2][0] = 0);
    RUN_REFUSED(0, ARGUMENT, "src of a tensor is missing", b.items[0].src = NULL);
    RUN_REFUSED(2, ARGUMENT, "src of a tensor is missing", b.items[2].src = NULL);
    b.extents[2][1] = 0;
    ACCEPTED;
    RUN_REFUSED(-1, ARGUMENT, "dst is missing", b.batch.dst = NULL);
}

static int32_t run_none(void *context, int64_t count, tpad_body body, void *user)
{
    (void)context;
    (void)count;
    (void)body;
    (void)user;
    return 0;
}

static void refuses_runners(void **state)
{
    const tpad_runner runners[] = {
        {0, NULL, 2, run_none},
        {sizeof(tpad_runner), NULL, 0, run_none},
        {sizeof(tpad_runner), NULL, 2, NULL},
    };
    small_batch b;
    char line[160];
    (void)state;
    open_batch(&b);
    check_batch_refused(&b, &runners[0], -1,
                        wrong_size(line, "tpad_runner: struct_size", 0, sizeof(tpad_runner),
                                   "set it to sizeof(tpad_runner)"));
    check_batch_refused(
        &b, &runners[1], -1,
        (said){TPAD_E_ARGUMENT, "tpad_runner: width is 0, but at least 1 is needed"});
    check_batch_refused(&b, &runners[2], -1,
                        (said){TPAD_E_ARGUMENT, "tpad_runner: run is missing"});
}

/* Tensor 1 has two elements on axis 1, so far apart, and only the first one is kept. */
static void open_far_batch(small_batch *b, int64_t stride)
{
    open_batch(b);
    b->requests[1] = (tpad_fit_axis){CROPPED(1)};
    b->extents[1][1] = 2;
    b->strides[1][1] = stride;
    b->items[1].strides = b->strides[1];
}

/* Inputs whose elements no address reaches. */
static void refuses_far_elements(void **state)
{
    const int64_t half = INT64_MAX / 2;
    const int64_t bad[] = {INT64_MIN, INT64_MAX, half + 1,     -half - 1,
                           half,      -half,     half / 2 + 1, -half / 2 - 1};
    small_batch b;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int axis = 0; axis < 2; axis++) {
            open_batch(&b);
            b.strides[2][axis] = bad[i];
            b.items[2].strides = b.strides[2];
            int64_t about = -5;
            tpad_error error = {0};
            assert_int_equal(tpad_batch_run(&b.batch, NULL, &about, &error), TPAD_E_OVERFLOW);
            assert_int_equal(about, 2);
            assert_int_equal(error.axis, axis);
            assert_int_equal(error.got, bad[i]);
            assert_int_equal(b.dst[0], 0xA5);
        }
    }
    RUN_REFUSED(2, OVERFLOW,
                "axis 0: with stride -4611686018427387903 addresses exceed 4611686018427387903",
                b.strides[2][0] = -half, b.items[2].strides = b.strides[2]);
    RUN_REFUSED(2, OVERFLOW, /* although it is empty */
                "axis 0: with stride -4611686018427387903 addresses exceed 4611686018427387903",
                b.extents[2][1] = 0, b.strides[2][0] = -half, b.items[2].strides = b.strides[2]);
    /* A stride over fewer than two elements leads nowhere. */
    open_batch(&b);
    b.strides[1][0] = INT64_MIN;
    b.items[1].strides = b.strides[1];
    ACCEPTED;
    /* The same of an array of values. */
    const int64_t values[2] = {0, half};
    RUN_REFUSED(-1, OVERFLOW,
                "axis 1: with a stride of 4611686018427387903 for values addresses exceed "
                "4611686018427387903",
                b.batch.value_strides = values);
    /* As far as addresses reach, of which only the first is read. */
    open_far_batch(&b, half / 2);
    ACCEPTED;
    RUN_REFUSED(1, OVERFLOW,
                "axis 1: with stride 2305843009213693951 addresses exceed 4611686018427387903",
                open_far_batch(&b, half / 2), b.batch.elem_bits = 16);
    /* Dense ones that are cropped. */
    for (int64_t rows = 1; rows <= 2; rows++) {
        open_batch(&b);
        b.requests[0] = b.requests[1] = (tpad_fit_axis){CROPPED(2)};
        b.extents[1][0] = rows;
        b.extents[1][1] = MOST;
        if (rows == 1) ACCEPTED;
    }
    check_batch_refused(&b, NULL, 1,
                        (said){TPAD_E_OVERFLOW, "axis 0: with an extent of 2 the tensor has more "
                                                "than " MOST_TEXT " bytes"});
}

/* A vector that lies so far in front of its output that the amount after it is no amount: with
 * neighbouring elements, which need no plan, and with gaps. */
static void refuses_far_offsets(void **state)
{
    (void)state;
    for (int64_t stride = 0; stride < 3; stride++) {
        small_batch b;
        open_batch(&b);
        b.fit.rank = 1;
        b.requests[0] = (tpad_fit_axis){CROPPED(5), AT_OFFSET(-MOST)};
        b.strides[0][0] = stride;
        if (stride > 0) b.items[0].strides = b.strides[0];
        check_batch_refused(&b, NULL, 0,
                            (said){TPAD_E_AMOUNT,
                                   "axis 0: amount 2305843009213693954 is beyond " MOST_TEXT
                                   " in magnitude"});
    }
}

/* A tensor that lies where it is to be written: it is refused whether it would be copied as a row
 * or padded, and only if there is something to read and to write. */
static void refuses_tensors_in_their_own_place(void **state)
{
    static const char line[] =
        "src of a tensor is its place in dst: the output would overwrite the input";
    (void)state;
    for (int32_t rank = 1; rank <= 2; rank++) {
        small_batch b;
        int64_t out[2];
        open_batch(&b);
        b.fit.rank = rank;
        assert_int_equal(tpad_batch_shape(&b.batch, out, NULL, NULL, NULL), TPAD_OK);
        for (int k = 0; k < 3; k++) {
            b.items[k].src = b.dst + k * out[0] * (rank > 1 ? out[1] : 1);
            check_batch_refused(&b, NULL, k, (said){TPAD_E_ARGUMENT, line});
            b.items[k].src = b.src;
        }
        b.extents[0][0] = 0;
        b.items[0].src = b.dst;
        ACCEPTED;
        for (int k = 0; k < 3; k++) b.extents[k][rank - 1] = 0;
        b.items[1].src = b.items[2].src = b.dst;
        ACCEPTED;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_words_of_an_axis),
        cmocka_unit_test(refuses_ratios),
        cmocka_unit_test(refuses_structs),
        cmocka_unit_test(refuses_extents),
        cmocka_unit_test(refuses_what_is_too_long),
        cmocka_unit_test(accepts_what_has_a_shape),
        cmocka_unit_test(refuses_batches),
        cmocka_unit_test(refuses_huge_outputs),
        cmocka_unit_test(refuses_tensors),
        cmocka_unit_test(refuses_runners),
        cmocka_unit_test(refuses_far_elements),
        cmocka_unit_test(refuses_far_offsets),
        cmocka_unit_test(refuses_tensors_in_their_own_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
