/* Batches on the caller's threads. SPDX-License-Identifier: MIT
 *
 * That they write what one thread writes, in any order, and into how many shares an output is
 * cut. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "random_batch.h"

enum { LARGE_CASES = 50 };

/* ---- Threads --------------------------------------------------------------------------------- */

/* A caller's parallel-for: on three threads, the last index first, or on one thread in a random
 * order. */
typedef struct crew {
    rng random;
    bool alone;
    int64_t calls, count; /* of the last call */
    atomic_int next;
    tpad_body body;
    void *user;
} crew;

static void *work(void *argument)
{
    crew *c = argument;
    for (int left; (left = atomic_fetch_sub(&c->next, 1)) > 0;) c->body(c->user, left - 1);
    return NULL;
}

static int32_t run_crew(void *context, int64_t count, tpad_body body, void *user)
{
    crew *c = context;
    pthread_t threads[2];
    c->calls++;
    c->count = count;
    if (c->alone) {
        int64_t order[64];
        assert_in_range(count, 1, 64);
        for (int64_t i = 0; i < count; i++) {
            const int64_t other = rng_range(&c->random, 0, i);
            order[i] = order[other];
            order[other] = i;
        }
        for (int64_t i = 0; i < count; i++) body(user, order[i]);
        return 0;
    }
    atomic_store(&c->next, (int)count);
    c->body = body;
    c->user = user;
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, c), 0);
    work(c);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void check_same(painted *one, const painted *other)
{
    assert_int_equal(one->bytes, other->bytes);
    assert_memory_equal(one->room, other->room, (size_t)(one->bytes + 2 * MARGIN));
}

/* The crew writes what one thread writes, and this is what the oracle says, where it is not too
 * long. */
static void check_crew(random_batch *b, rng *r, crew *c)
{
    const tpad_runner runner = {sizeof runner, c, rng_range(r, 1, 16), run_crew};
    random_batch again = *b;
    rng same = *r;
    c->alone = rng_percent(&c->random, 50);
    open_batch(b, r);
    open_batch(&again, &same);
    assert_int_equal(tpad_batch_run(&b->batch, NULL, NULL, NULL), TPAD_OK);
    if (b->cells * b->batch.count < 300000) check_output(b);
    assert_int_equal(tpad_batch_run(&again.batch, &runner, NULL, NULL), TPAD_OK);
    check_same(&b->dst, &again.dst);
    check_same(&b->mask, &again.mask);
    check_same(&b->lengths, &again.lengths);
    close_room(b);
    close_room(&again);
}

/* Outputs of several MB, in as many shares as a runner takes. */
static void threads_write_the_same(void **state)
{
    crew c = {.random = rng_seeded(18, 0)};
    int run = 0;
    (void)state;
    for (uint64_t number = 0; number < LARGE_CASES; number++) {
        rng r = rng_seeded(19, number);
        const int32_t rank = (int32_t)rng_range(&r, 1, 3);
        const int64_t most[] = {1, 60000, 400, 60};
        random_batch b =
            make_batch(&r, rank, rng_percent(&r, 50) ? most[rank] : most[rank] * 2, true);
        if (b.status == TPAD_OK && b.cells * b.batch.count * b.elem_bytes < (16 << 20)) {
            check_crew(&b, &r, &c);
            run++;
        }
        close_batch(&b);
    }
    printf("%d large batches, %d of them in shares\n", run, (int)c.calls);
    assert_true(c.calls > LARGE_CASES / 5);
}

/* A runner that runs nothing, so that an output of any size needs no memory. */
static int32_t count_shares(void *context, int64_t count, tpad_body body, void *user)
{
    (void)body;
    (void)user;
    *(int64_t *)context = count;
    return 7;
}

static void cuts_large_outputs(void **state)
{
    const struct {
        int64_t tensors, extent, width, shares;
    } cases[] = {
        {1, 2 << 20, 100, 2}, /* of 1 MiB */
        {4, 1 << 20, 3, 3},
        {4, 1 << 20, 100, 4},
        {8, (1 << 18) - 1, 4, 0}, /* 8 bytes less than 2 MiB */
        {1, 1 << 22, 1, 0},
        {1, INT64_C(1) << 40, INT64_MAX, 1024},
        {1, INT64_C(1) << 40, 1023, 1023},
    };
    static unsigned char memory[2 << 20];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_fit_axis request = {.sized = 1, .extent = cases[i].extent};
        const tpad_fit fit = TPAD_FIT(1, &request);
        const int64_t one = 1;
        tpad_batch_item items[8];
        for (int k = 0; k < 8; k++) items[k] = (tpad_batch_item){&one, &one, NULL};
        unsigned char *dst = cases[i].shares ? memory : malloc(4 << 20);
        assert_non_null(dst);
        const tpad_batch batch = {.struct_size = sizeof batch,
                                  .fit = &fit,
                                  .items = items,
                                  .count = cases[i].tensors,
                                  .elem_bits = 8,
                                  .dst = dst};
        int64_t shares = 0;
        const tpad_runner runner = {sizeof runner, &shares, cases[i].width, count_shares};
        assert_int_equal(tpad_batch_run(&batch, &runner, NULL, NULL), cases[i].shares ? 7 : 0);
        assert_int_equal(shares, cases[i].shares);
        if (dst != memory) free(dst);
    }
}

/* Runs only one of the shares. */
static int64_t only;

static int32_t run_only(void *context, int64_t count, tpad_body body, void *user)
{
    (void)context;
    assert_in_range(only, 0, count - 1);
    body(user, only);
    return 0;
}

/* Each share writes its part of the output, of the mask and of the lengths, and no other does.
 * Small tensors are not cut. */
static void shares_are_equal(void **state)
{
    const struct {
        int64_t tensors, extent, width, cells[4]; /* of each share */
    } cases[] = {
        {3, 1 << 20, 2, {3 << 19, 3 << 19}},
        {1, 5 << 20, 4, {5 << 18, 5 << 18, 5 << 18, 5 << 18}},
        {2, 3 << 20, 3, {2 << 20, 2 << 20, 2 << 20}},
        {55, 60000, 3, {18 * 60000, 18 * 60000, 19 * 60000}},
    };
    static unsigned char dst[6 << 20], mask[6 << 20];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const tpad_fit_axis request = {.sized = 1, .extent = cases[c].extent};
        const tpad_fit fit = TPAD_FIT(1, &request);
        const tpad_runner runner = {sizeof runner, NULL, cases[c].width, run_only};
        const int64_t one = 1;
        const unsigned char element = 1;
        int64_t lengths[55], written = 0;
        tpad_batch_item items[55];
        for (int k = 0; k < 55; k++) items[k] = (tpad_batch_item){&element, &one, NULL};
        const tpad_batch batch = {sizeof batch, &fit, items, cases[c].tensors, 8,   0,
                                  dst,          NULL, mask,  lengths,          NULL};
        for (only = 0; only < cases[c].width; only++) {
            int64_t cells = 0, masks = 0;
            memset(dst, PAINT, sizeof dst);
            memset(mask, PAINT, sizeof mask);
            memset(lengths, PAINT, sizeof lengths);
            assert_int_equal(tpad_batch_run(&batch, &runner, NULL, NULL), TPAD_OK);
            for (size_t i = 0; i < sizeof dst; i++) {
                cells += dst[i] != PAINT;
                masks += mask[i] != PAINT;
            }
            assert_int_equal(cells, cases[c].cells[only]);
            assert_int_equal(masks, cases[c].cells[only]);
            for (int k = 0; k < 55; k++) written += lengths[k] == 1;
        }
        assert_int_equal(written, cases[c].tensors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_write_the_same),
        cmocka_unit_test(cuts_large_outputs),
        cmocka_unit_test(shares_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
