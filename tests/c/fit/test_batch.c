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

static const int64_t one_cell = 1;

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
        cmocka_unit_test(accepts_tensors_that_are_not_read_in_their_own_place),
        cmocka_unit_test(pads_random_batches),
        cmocka_unit_test(pads_wide_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
