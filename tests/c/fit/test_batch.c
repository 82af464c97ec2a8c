/* Batches: what is written. SPDX-License-Identifier: MIT
 *
 * Random batches against the oracle; that nothing is written beside the output, the mask and the
 * lengths, and nothing at all on failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "random_batch.h"

enum { CASES = 5000 };

static void check_shape(const random_batch *b)
{
    int64_t extents[NAIVE_RANK], bytes = -5, item = -5;
    assert_int_equal(tpad_batch_shape(&b->batch, extents, &bytes, &item, NULL), TPAD_OK);
    for (int32_t i = 0; i < b->fit.rank; i++) assert_int_equal(extents[i], b->extents[i]);
    assert_int_equal(bytes, b->dst.bytes);
    assert_int_equal(item, -1);
    assert_int_equal(tpad_batch_shape(&b->batch, extents, NULL, NULL, NULL), TPAD_OK);
}

static void check_batch(const random_batch *b, const tpad_runner *runner)
{
    tpad_error error = {.axis = -5};
    int64_t item = -5;
    check_shape(b);
    assert_int_equal(tpad_batch_run(&b->batch, runner, &item, &error), b->status);
    assert_int_equal(item, b->item);
    if (b->status == TPAD_OK) {
        check_output(b);
    } else {
        assert_int_equal(error.code, b->status);
        assert_int_equal(error.axis, b->axis);
    }
    check_untouched(b);
    check_margins(&b->dst);
    check_margins(&b->mask);
    check_margins(&b->lengths);
}

/* ---- Random ---------------------------------------------------------------------------------- */

static void pads_random_batches(void **state)
{
    int counts[3] = {0}; /* done, too long, no source */
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        rng r = rng_seeded(18, number);
        const int32_t rank = (int32_t)rng_range(&r, 0, NAIVE_RANK);
        const int64_t most[] = {1, rng_percent(&r, 30) ? 200 : 9, 9, 6, 4};
        random_batch b = make_batch(&r, rank, most[rank], false);
        open_batch(&b, &r);
        check_batch(&b, NULL);
        counts[b.status == TPAD_OK ? 0 : b.status == TPAD_E_TOO_LONG ? 1 : 2]++;
        close_room(&b);
        close_batch(&b);
    }
    printf("%d batches padded, %d too long, %d without a source\n", counts[0], counts[1],
           counts[2]);
    assert_true(counts[0] > CASES / 2 && counts[1] > CASES / 50 && counts[2] > CASES / 50);
}

/* ---- By hand --------------------------------------------------------------------------------- */

static const int64_t first[] = {1, 2, 3}, second[] = {4};
static const int64_t three = 3, one_cell = 1;

static void pads_as_documented(void **state)
{
    const tpad_batch_item items[2] = {{first, &three, NULL}, {second, &one_cell, NULL}};
    tpad_fit_axis request = {.multiple = 4};
    const tpad_fit fit = TPAD_FIT(1, &request);
    const int64_t fill = 9;
    int64_t dst[8], lengths[2];
    unsigned char mask[8];
    const tpad_batch batch = {sizeof batch, &fit, items, 2, 64, 0, dst, &fill, mask, lengths, NULL};
    const struct {
        int32_t align, mode;
        int64_t dst[8];
        unsigned char mask[8];
    } cases[] = {
        {TPAD_ALIGN_START, TPAD_CONSTANT, {1, 2, 3, 9, 4, 9, 9, 9}, {1, 1, 1, 0, 1, 0, 0, 0}},
        {TPAD_ALIGN_END, TPAD_CONSTANT, {9, 1, 2, 3, 9, 9, 9, 4}, {0, 1, 1, 1, 0, 0, 0, 1}},
        {TPAD_ALIGN_CENTER, TPAD_CONSTANT, {1, 2, 3, 9, 9, 4, 9, 9}, {1, 1, 1, 0, 0, 1, 0, 0}},
        {TPAD_ALIGN_START, TPAD_WRAP, {1, 2, 3, 1, 4, 4, 4, 4}, {1, 1, 1, 0, 1, 0, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        request.align = cases[i].align;
        request.mode = cases[i].mode;
        assert_int_equal(tpad_batch_run(&batch, NULL, NULL, NULL), TPAD_OK);
        assert_memory_equal(dst, cases[i].dst, sizeof dst);
        assert_memory_equal(mask, cases[i].mask, sizeof mask);
        assert_int_equal(lengths[0], 3);
        assert_int_equal(lengths[1], 1);
    }
}

/* Rows of which most is fill, for each number of these cells. */
static void fills_rows_of_any_length(void **state)
{
    const int64_t widths[] = {1, 3, 8, 64};
    const unsigned char element[64] = {5};
    unsigned char value[64];
    (void)state;
    for (int i = 0; i < 64; i++) value[i] = (unsigned char)(100 + i);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (int64_t extent = 1; extent < 1200; extent++) {
            const int64_t width = widths[w];
            const tpad_fit_axis request = {.sized = 1, .extent = extent};
            const tpad_fit fit = TPAD_FIT(1, &request);
            const tpad_batch_item item = {element, &one_cell, NULL};
            const painted dst = paint(extent * width);
            const tpad_batch batch = {.struct_size = sizeof batch,
                                      .fit = &fit,
                                      .items = &item,
                                      .count = 1,
                                      .elem_bits = (int32_t)(8 * width),
                                      .dst = inside(&dst),
                                      .value = value};
            assert_int_equal(tpad_batch_run(&batch, NULL, NULL, NULL), TPAD_OK);
            assert_memory_equal(inside(&dst), element, (size_t)width);
            for (int64_t i = width; i < extent * width; i++)
                if (inside(&dst)[i] != value[i % width]) fail();
            check_margins(&dst);
            free(dst.room);
        }
    }
}

/* 65,536 bytes each: too wide to be repeated in a pattern. */
static void pads_wide_elements(void **state)
{
    enum { WIDE = 65536 };
    const tpad_fit_axis request = {.sized = 1, .extent = 2};
    const tpad_fit fit = TPAD_FIT(1, &request);
    unsigned char *memory = malloc(4 * WIDE);
    assert_non_null(memory);
    for (int i = 0; i < 2 * WIDE; i++) memory[i] = (unsigned char)(i % 251);
    const tpad_batch_item item = {memory, &one_cell, NULL};
    const tpad_batch batch = {.struct_size = sizeof batch,
                              .fit = &fit,
                              .items = &item,
                              .count = 1,
                              .elem_bits = 8 * WIDE,
                              .dst = memory + 2 * WIDE,
                              .value = memory + WIDE};
    (void)state;
    assert_int_equal(tpad_batch_run(&batch, NULL, NULL, NULL), TPAD_OK);
    assert_memory_equal(memory + 2 * WIDE, memory, 2 * WIDE);
    free(memory);
}

static int64_t draw(rng *r, const int64_t *numbers, int64_t count)
{
    return numbers[rng_range(r, 0, count - 1)];
}

/* A batch refuses the tensors that the core refuses, and writes all others: extents of 0 and 1
 * beside large ones, with strides as far as addresses reach and beyond. One cell of each is in the
 * output. */
static void refuses_what_the_core_refuses(void **state)
{
    enum { RANK = 3, TENSORS = 20000 };
    const int64_t half = INT64_MAX / 2, extents[] = {0, 1, 2, 3, INT64_C(1) << 40, TPAD_MAX_EXTENT};
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
    for (int i = 0; i < TENSORS; i++) {
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
    assert_true(written > TENSORS / 20 && refused > TENSORS / 20);
}

/* A tensor that lies wholly outside of the output, in its own place: mode constant reads nothing of
 * it, if one axis of this mode keeps no cell. */
static void accepts_tensors_that_are_not_read_in_their_own_place(void **state)
{
    (void)state;
    for (int turn = 0; turn < 16; turn++) {
        const int32_t rank = turn & 1 ? 2 : 1, outer = turn & 2 ? TPAD_EDGE : TPAD_CONSTANT;
        const int64_t extents[2] = {3, 2}, offsets[2] = {turn & 4 ? 10 : 5, turn & 8 ? 7 : 1};
        tpad_fit_axis requests[2];
        for (int i = 0; i < 2; i++)
            requests[i] = (tpad_fit_axis){.sized = 1,
                                          .extent = 5,
                                          .align = TPAD_ALIGN_OFFSET,
                                          .offset = offsets[i] == 5 ? 4 : offsets[i],
                                          .mode = i == 0 ? outer : TPAD_CONSTANT,
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
        const bool reads = (outer == TPAD_EDGE || !(turn & 4)) && (rank == 1 || !(turn & 8));
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
        cmocka_unit_test(refuses_what_the_core_refuses),
        cmocka_unit_test(accepts_tensors_that_are_not_read_in_their_own_place),
        cmocka_unit_test(pads_random_batches),
        cmocka_unit_test(pads_as_documented),
        cmocka_unit_test(fills_rows_of_any_length),
        cmocka_unit_test(pads_wide_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
