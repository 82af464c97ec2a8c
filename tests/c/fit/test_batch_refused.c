/* Batches that are refused. SPDX-License-Identifier: MIT
 *
 * Every error with its tensor, its axis, what was given, the limit and its line of text; that
 * nothing is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/random_problem.h"
#include "refusal.h"

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

static void refuses_batches(void **state)
{
    small_batch b;
    char line[160];
    (void)state;
    open_batch(&b);
    /* Version 0.2 had no value_strides. */
    const size_t of_0_2 = offsetof(tpad_batch, value_strides);
    const size_t sizes[] = {0, of_0_2 - 1, sizeof b.batch + 1};
    for (int i = 0; i < 3; i++) {
        b.batch.struct_size = sizes[i];
        check_shape_refused(&b, -1,
                            wrong_size(line, "tpad_batch: struct_size", sizes[i], sizeof b.batch,
                                       "set it to sizeof(tpad_batch)"));
    }
    open_batch(&b);
    b.batch.struct_size = of_0_2;
    b.batch.value_strides = (const int64_t *)(uintptr_t)1;
    assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);
    open_batch(&b);
    b.batch.fit = NULL;
    check_shape_refused(&b, -1, (said){TPAD_E_ARGUMENT, "tpad_fit: the arguments are missing"});
    open_batch(&b);
    b.requests[1].align = 9;
    check_shape_refused(&b, -1, (said){TPAD_E_ARGUMENT, "axis 1: align 9 is not between 0 and 3"});
    open_batch(&b);
    b.batch.reserved = -1;
    check_shape_refused(&b, -1, (said){TPAD_E_ARGUMENT, "reserved is -1, not 0"});
    open_batch(&b);
    const int64_t counts[] = {0, -3};
    const char *const lines[] = {"there are 0 tensors, but at least 1 is needed",
                                 "there are -3 tensors, but at least 1 is needed"};
    for (int i = 0; i < 2; i++) {
        b.batch.count = counts[i];
        check_shape_refused(&b, -1, (said){TPAD_E_ARGUMENT, lines[i]});
    }
    open_batch(&b);
    b.batch.items = NULL;
    check_shape_refused(&b, -1, (said){TPAD_E_ARGUMENT, "items is missing"});
    open_batch(&b);
    b.items[1].extents = NULL;
    check_shape_refused(&b, 1, (said){TPAD_E_ARGUMENT, "extents of a tensor is missing"});
    open_batch(&b);
    b.extents[2][1] = -4;
    check_shape_refused(&b, 2,
                        (said){TPAD_E_EXTENT, "axis 1: extent -4 is not between 0 and " MOST_TEXT});
    open_batch(&b);
    b.requests[0] = (tpad_fit_axis){.multiple = MOST - 1, .sized = 1, .extent = MOST};
    check_shape_refused(&b, -1,
                        (said){TPAD_E_OVERFLOW,
                               "axis 0: the extent " MOST_TEXT
                               ", rounded up to its multiple, is above " MOST_TEXT});
    open_batch(&b);
    const tpad_fit_axis many[TPAD_MAX_RANK] = {{0}};
    b.fit = (tpad_fit)TPAD_FIT(TPAD_MAX_RANK, many);
    check_shape_refused(
        &b, -1, (said){TPAD_E_RANK, "rank 16: the tensors of a batch have at most 15 axes"});
    tpad_error error = {0};
    open_batch(&b);
    const said row = {TPAD_E_ARGUMENT, "out_extents is missing"};
    assert_said(&error, tpad_batch_shape(&b.batch, NULL, NULL, NULL, &error), row);
}

static void refuses_widths(void **state)
{
    const int32_t widths[] = {0, 1, 4, -8, 12, 524296};
    const char *const lines[] = {
        "elements of 0 bits: a batch has whole bytes up to 524288 bits",
        "elements of 1 bits: a batch has whole bytes up to 524288 bits",
        "elements of 4 bits: a batch has whole bytes up to 524288 bits",
        "elements of -8 bits: a batch has whole bytes up to 524288 bits",
        "elements of 12 bits: a batch has whole bytes up to 524288 bits",
        "elements of 524296 bits: a batch has whole bytes up to 524288 bits",
    };
    small_batch b;
    (void)state;
    open_batch(&b);
    for (int i = 0; i < 6; i++) {
        b.batch.elem_bits = widths[i];
        check_shape_refused(&b, -1, (said){TPAD_E_ELEM, lines[i]});
    }
}

/* Outputs that are too large for any memory. */
static void refuses_huge_outputs(void **state)
{
    small_batch b;
    (void)state;
    open_batch(&b);
    b.requests[0] = b.requests[1] = (tpad_fit_axis){.sized = 1, .extent = INT64_C(1) << 31};
    check_shape_refused(&b, -1,
                        (said){TPAD_E_OVERFLOW,
                               "axis 1: with an extent of 2147483648 each tensor of the output "
                               "would have more than " MOST_TEXT " elements"});
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
    assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);
    assert_int_equal(b.lengths[0], 0);
    assert_int_equal(b.lengths[1], 3);
}

static void refuses_tensors(void **state)
{
    const said no_source = {TPAD_E_ARGUMENT, "src of a tensor is missing"};
    small_batch b;
    (void)state;
    open_batch(&b);
    b.requests[1] = (tpad_fit_axis){.sized = 1, .extent = 3};
    check_batch_refused(&b, NULL, 1,
                        (said){TPAD_E_TOO_LONG,
                               "axis 1: 4 cells do not fit into 3: choose a larger target, or "
                               "a too_long that crops"});
    open_batch(&b);
    b.requests[0].mode = TPAD_EDGE;
    b.extents[2][0] = 0;
    check_batch_refused(&b, NULL, 2,
                        (said){TPAD_E_NO_SOURCE,
                               "axis 0: mode edge has no element to fill 2 cells from (before "
                               "0, after 2); mode constant can"});
    open_batch(&b);
    b.items[2].src = NULL;
    check_batch_refused(&b, NULL, 2, no_source);
    b.extents[2][1] = 0;
    assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);
    open_batch(&b);
    b.items[0].src = NULL;
    check_batch_refused(&b, NULL, 0, no_source);
    open_batch(&b);
    b.batch.dst = NULL;
    check_batch_refused(&b, NULL, -1, (said){TPAD_E_ARGUMENT, "dst is missing"});
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
    b->requests[1] = (tpad_fit_axis){.sized = 1, .extent = 1, .too_long = TPAD_TOO_LONG_CROP_END};
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
    open_batch(&b);
    b.strides[2][0] = -half;
    b.items[2].strides = b.strides[2];
    check_batch_refused(&b, NULL, 2,
                        (said){TPAD_E_OVERFLOW,
                               "axis 0: with stride -4611686018427387903 addresses exceed "
                               "4611686018427387903"});
    /* A stride over fewer than two elements leads nowhere. */
    open_batch(&b);
    b.strides[1][0] = INT64_MIN;
    b.items[1].strides = b.strides[1];
    assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);

    /* The same of an array of values. */
    const int64_t values[2] = {0, half};
    open_batch(&b);
    b.batch.value_strides = values;
    check_batch_refused(&b, NULL, -1,
                        (said){TPAD_E_OVERFLOW,
                               "axis 1: with a stride of 4611686018427387903 for values "
                               "addresses exceed 4611686018427387903"});

    /* As far as addresses reach, of which only the first is read. */
    open_far_batch(&b, half / 2);
    assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);
    open_far_batch(&b, half / 2);
    b.batch.elem_bits = 16;
    check_batch_refused(&b, NULL, 1,
                        (said){TPAD_E_OVERFLOW,
                               "axis 1: with stride 2305843009213693951 addresses exceed "
                               "4611686018427387903"});

    /* Dense ones that are cropped. */
    open_batch(&b);
    for (int i = 0; i < 2; i++)
        b.requests[i] =
            (tpad_fit_axis){.sized = 1, .extent = 2, .too_long = TPAD_TOO_LONG_CROP_END};
    b.extents[1][0] = 1;
    b.extents[1][1] = MOST;
    assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);
    open_batch(&b);
    for (int i = 0; i < 2; i++)
        b.requests[i] =
            (tpad_fit_axis){.sized = 1, .extent = 2, .too_long = TPAD_TOO_LONG_CROP_END};
    b.extents[1][0] = 2;
    b.extents[1][1] = MOST;
    check_batch_refused(&b, NULL, 1,
                        (said){TPAD_E_OVERFLOW,
                               "axis 0: with an extent of 2 the tensor has more than " MOST_TEXT
                               " bytes"});
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
        b.requests[0] = (tpad_fit_axis){.sized = 1,
                                        .extent = 5,
                                        .align = TPAD_ALIGN_OFFSET,
                                        .offset = -MOST,
                                        .too_long = TPAD_TOO_LONG_CROP_END};
        b.strides[0][0] = stride;
        if (stride > 0) b.items[0].strides = b.strides[0];
        check_batch_refused(&b, NULL, 0,
                            (said){TPAD_E_AMOUNT,
                                   "axis 0: amount 2305843009213693954 is beyond " MOST_TEXT
                                   " in magnitude"});
    }
}

static int64_t draw(rng *r, const int64_t *numbers, int64_t count)
{
    return numbers[rng_range(r, 0, count - 1)];
}

/* A batch refuses the tensors that the core refuses, and writes all others: extents of 0 and 1 beside
 * large ones, with strides as far as addresses reach and beyond. One cell of each is in the output. */
static void refuses_what_the_core_refuses(void **state)
{
    enum { RANK = 3, CASES = 20000 };
    const int64_t half = INT64_MAX / 2, extents[] = {0, 1, 2, 3, INT64_C(1) << 40, MOST};
    const int64_t strides[] = {0,        1,         -7,          half,          half - 1,
                               half / 2, -half,     -(half / 2), half / 2 - 1,  half / 3,
                               half + 1, INT64_MAX, INT64_MIN,   -half / 3 - 1, INT64_C(1) << 22};
    const tpad_fit_axis request = {.sized = 1, .extent = 1, .too_long = TPAD_TOO_LONG_CROP_END};
    const tpad_fit_axis requests[RANK] = {request, request, request};
    const tpad_fit fit = TPAD_FIT(RANK, requests);
    const unsigned char src[2] = {11, 12}, value[2] = {21, 22};
    int written = 0, refused = 0;
    rng r = rng_seeded(14, 0);
    (void)state;
    for (int i = 0; i < CASES; i++) {
        int64_t in[RANK], steps[RANK], item = -5;
        tpad_axis axes[RANK] = {{0}};
        const int strided = rng_percent(&r, 70);
        for (int k = 0; k < RANK; k++) {
            in[k] = axes[k].in_extent = draw(&r, extents, 6);
            steps[k] = draw(&r, strides, 15);
            axes[k].in_stride = strided ? steps[k] : 0;
        }
        const int empty = in[0] == 0 || in[1] == 0 || in[2] == 0;
        const tpad_batch_item items[2] = {{src, in, strided ? steps : NULL},
                                          {src, in, strided ? steps : NULL}};
        unsigned char dst[4] = {0};
        tpad_batch batch = {.struct_size = sizeof batch,
                            .fit = &fit,
                            .items = items,
                            .count = 2,
                            .elem_bits = 16,
                            .dst = dst,
                            .value = value};
        tpad_plan plan;
        assert_int_equal(tpad_fit_amounts(&fit, NULL, axes, NULL), TPAD_OK);
        tpad_problem problem = TPAD_PROBLEM(16, RANK, axes);
        problem.flags = strided ? TPAD_IN_STRIDES : 0;
        const int32_t core = tpad_plan_init(&plan, sizeof plan, &problem, NULL);
        const int32_t status = tpad_batch_run(&batch, NULL, &item, NULL);
        if (strided) assert_int_equal(status, core);
        if (status == TPAD_OK) {
            assert_int_equal(core, TPAD_OK);
            for (int k = 0; k < 2; k++) assert_memory_equal(dst + 2 * k, empty ? value : src, 2);
            written++;
        } else {
            assert_int_equal(status, TPAD_E_OVERFLOW);
            assert_int_equal(item, 0);
            for (int k = 0; k < 4; k++) assert_int_equal(dst[k], 0);
            refused++;
        }
    }
    assert_true(written > CASES / 20 && refused > CASES / 20);
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
        assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);
        for (int k = 0; k < 3; k++) b.extents[k][rank - 1] = 0;
        b.items[1].src = b.items[2].src = b.dst;
        assert_int_equal(tpad_batch_run(&b.batch, NULL, NULL, NULL), TPAD_OK);
    }
}

/* A tensor that lies wholly outside of the output, in its own place: mode constant reads nothing of
 * it, if one axis of this mode keeps no cell. */
static void accepts_tensors_that_are_not_read_in_their_own_place(void **state)
{
    (void)state;
    for (int turn = 0; turn < 16; turn++) {
        const int32_t rank = turn & 1 ? 2 : 1, first = turn & 2 ? TPAD_EDGE : TPAD_CONSTANT;
        const int64_t extents[2] = {3, 2}, offsets[2] = {turn & 4 ? 10 : 5, turn & 8 ? 7 : 1};
        tpad_fit_axis requests[2];
        for (int i = 0; i < 2; i++)
            requests[i] = (tpad_fit_axis){.sized = 1,
                                          .extent = 5,
                                          .align = TPAD_ALIGN_OFFSET,
                                          .offset = offsets[i] == 5 ? 4 : offsets[i],
                                          .mode = i == 0 ? first : TPAD_CONSTANT,
                                          .too_long = TPAD_TOO_LONG_CROP_END};
        const tpad_fit fit = TPAD_FIT(rank, requests);
        unsigned char dst[25];
        const tpad_batch_item item = {.src = dst, .extents = extents};
        const tpad_batch batch = {.struct_size = sizeof batch,
                                  .fit = &fit,
                                  .items = &item,
                                  .count = 1,
                                  .elem_bits = 8,
                                  .dst = dst,
                                  .value = "-"};
        const bool reads = (first == TPAD_EDGE || !(turn & 4)) && (rank == 1 || !(turn & 8));
        int64_t about = -5;
        memset(dst, 7, sizeof dst);
        assert_int_equal(tpad_batch_run(&batch, NULL, &about, NULL),
                         reads ? TPAD_E_ARGUMENT : TPAD_OK);
        assert_int_equal(about, reads ? 0 : -1); /* refused before anything runs */
        for (int i = 0; i < (rank == 1 ? 5 : 25); i++) assert_int_equal(dst[i], reads ? 7 : '-');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_batches),
        cmocka_unit_test(refuses_widths),
        cmocka_unit_test(refuses_huge_outputs),
        cmocka_unit_test(refuses_tensors),
        cmocka_unit_test(refuses_runners),
        cmocka_unit_test(refuses_far_elements),
        cmocka_unit_test(refuses_far_offsets),
        cmocka_unit_test(refuses_what_the_core_refuses),
        cmocka_unit_test(refuses_tensors_in_their_own_place),
        cmocka_unit_test(accepts_tensors_that_are_not_read_in_their_own_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
