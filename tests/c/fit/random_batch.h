/* Random batches, and what they should become. SPDX-License-Identifier: MIT
 *
 * Tensors of random extents and strides, painted memory around their output, and an oracle that
 * takes each cell alone. Include it after cmocka.h. */
#ifndef TENSORPAD_TESTS_C_SIZING_RANDOM_BATCH_H
#define TENSORPAD_TESTS_C_SIZING_RANDOM_BATCH_H

#include <stdlib.h>
#include <string.h>

#include "fit_oracle.h"

enum { MOST_ITEMS = 12, MARGIN = 64, PAINT = 0xA5 };

/* ---- Batches --------------------------------------------------------------------------------- */

/* Memory with painted bytes on both sides. */
typedef struct painted {
    unsigned char *room;
    int64_t bytes;
} painted;

static inline painted paint(int64_t bytes)
{
    const painted p = {malloc((size_t)(bytes + 2 * MARGIN)), bytes};
    assert_non_null(p.room);
    memset(p.room, PAINT, (size_t)(bytes + 2 * MARGIN));
    return p;
}

static inline bool is_painted(const unsigned char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++)
        if (at[i] != PAINT) return false;
    return true;
}

static inline unsigned char *inside(const painted *p)
{
    return p->room + MARGIN;
}

static inline void check_margins(const painted *p)
{
    assert_true(is_painted(p->room, MARGIN));
    assert_true(is_painted(inside(p) + p->bytes, MARGIN));
}

typedef struct random_batch {
    tpad_fit_axis requests[NAIVE_RANK];
    tpad_fit fit;
    int64_t in_extents[MOST_ITEMS][NAIVE_RANK];
    int64_t strides[MOST_ITEMS][NAIVE_RANK];
    unsigned char *memory[MOST_ITEMS]; /* in which a tensor's elements lie */
    tpad_batch_item items[MOST_ITEMS];
    unsigned char value[16];
    unsigned char values[2048];        /* an array in place of the one value, */
    int64_t value_strides[NAIVE_RANK]; /* which lead anywhere in it */
    painted dst, mask, lengths;
    tpad_batch batch;
    /* What the oracle says. */
    int64_t extents[NAIVE_RANK], before[MOST_ITEMS][NAIVE_RANK], cells, elem_bytes;
    int32_t status, axis;
    int64_t item;
} random_batch;

/* Dense, or each axis at a random distance and in a random direction, or the same element over and
 * over. Elements may overlap, which an input may. */
static inline void make_input(random_batch *b, rng *r, int64_t k)
{
    const int32_t rank = b->fit.rank;
    int64_t low = 0, high = b->elem_bytes, stride = b->elem_bytes;
    const bool dense = rng_percent(r, 40);
    for (int32_t i = rank; i < NAIVE_RANK; i++) b->strides[k][i] = stride; /* of no axis */
    for (int32_t i = rank - 1; i >= 0; i--) {
        const int64_t n = b->in_extents[k][i];
        b->strides[k][i] = dense ? stride : rng_range(r, -40, 40);
        if (!dense && rng_percent(r, 30)) b->strides[k][i] = stride;
        stride *= n;
        if (n < 1) continue;
        const int64_t way = b->strides[k][i] * (n - 1);
        *(way < 0 ? &low : &high) += way;
    }
    b->memory[k] = malloc((size_t)(high - low));
    assert_non_null(b->memory[k]);
    rng_bytes(r, b->memory[k], (size_t)(high - low));
    b->items[k] = (tpad_batch_item){b->memory[k] - low, b->in_extents[k],
                                    dense && rng_percent(r, 70) ? NULL : b->strides[k]};
}

/* Finds what the batch should become, or the first error. */
static inline void solve(random_batch *b)
{
    const int32_t rank = b->fit.rank;
    int64_t flat[MOST_ITEMS * NAIVE_RANK];
    for (int64_t k = 0; k < b->batch.count; k++)
        for (int32_t i = 0; i < rank; i++) flat[k * rank + i] = b->in_extents[k][i];
    naive_extents(&b->fit, flat, b->batch.count, b->extents);
    b->cells = 1;
    for (int32_t i = 0; i < rank; i++) b->cells *= b->extents[i];
    b->status = TPAD_OK;
    b->axis = -1;
    b->item = -1;
    for (int64_t k = 0; k < b->batch.count && b->status == TPAD_OK; k++) {
        for (int32_t i = 0; i < rank && b->status == TPAD_OK; i++) {
            int64_t after;
            if (naive_amounts(&b->requests[i], b->in_extents[k][i], b->extents[i], &b->before[k][i],
                              &after))
                continue;
            b->status = TPAD_E_TOO_LONG;
            b->axis = i;
            b->item = k;
        }
        for (int32_t i = 0; i < rank && b->status == TPAD_OK; i++) {
            if (b->cells == 0 || b->requests[i].mode == TPAD_CONSTANT || b->in_extents[k][i] > 0)
                continue;
            b->status = TPAD_E_NO_SOURCE;
            b->axis = i;
            b->item = k;
        }
    }
}

/* most: the longest extent of an input. fits: the output is as large as the inputs need. */
static inline random_batch make_batch(rng *r, int32_t rank, int64_t most, bool fits)
{
    static const int64_t widths[] = {1, 2, 3, 4, 8, 12, 16};
    random_batch b;
    memset(&b, 0, sizeof b);
    b.elem_bytes = widths[rng_range(r, 0, 6)];
    b.fit = naive_requests(r, rank, b.requests);
    for (int32_t i = 0; fits && i < rank; i++) b.requests[i].sized = 0, b.requests[i].extent = 0;
    b.batch = (tpad_batch){.struct_size = sizeof b.batch,
                           .count = rng_range(r, 1, MOST_ITEMS),
                           .elem_bits = 8 * (int32_t)b.elem_bytes};
    for (int64_t k = 0; k < b.batch.count; k++) {
        for (int32_t i = 0; i < rank; i++)
            b.in_extents[k][i] = rng_percent(r, 4) ? 0 : rng_range(r, most / 2, most);
        make_input(&b, r, k);
    }
    rng_bytes(r, b.value, sizeof b.value);
    if (rng_percent(r, 20)) memset(b.value, 7, sizeof b.value);
    rng_bytes(r, b.values, sizeof b.values);
    solve(&b);
    int64_t left = (int64_t)sizeof b.values - b.elem_bytes;
    for (int32_t i = 0; i < NAIVE_RANK; i++) {
        const int64_t steps = i < rank && b.extents[i] > 1 ? b.extents[i] - 1 : 1;
        b.value_strides[i] = rng_percent(r, 50) ? rng_range(r, 0, left / steps) : 0;
        left -= b.value_strides[i] * steps;
    }
    return b;
}

static inline void open_room(random_batch *b)
{
    b->dst = paint(b->batch.count * b->cells * b->elem_bytes);
    b->mask = paint(b->batch.count * b->cells);
    b->lengths = paint(b->batch.count * b->fit.rank * (int64_t)sizeof(int64_t));
    b->batch.dst = inside(&b->dst);
}

/* Connects what points into the struct, and makes room for the output. */
static inline void open_batch(random_batch *b, rng *r)
{
    b->fit.axes = b->requests;
    for (int64_t k = 0; k < b->batch.count; k++) {
        b->items[k].extents = b->fit.rank > 0 ? b->in_extents[k] : NULL;
        if (b->items[k].strides) b->items[k].strides = b->strides[k];
    }
    open_room(b);
    b->batch.fit = &b->fit;
    b->batch.items = b->items;
    b->batch.value = rng_percent(r, 70) ? b->value : NULL;
    if (rng_percent(r, 25)) {
        b->batch.value = b->values;
        b->batch.value_strides = b->value_strides;
    }
    b->batch.mask = rng_percent(r, 70) ? inside(&b->mask) : NULL;
    b->batch.lengths = rng_percent(r, 70) ? (int64_t *)(void *)inside(&b->lengths) : NULL;
}

static inline void close_room(random_batch *b)
{
    free(b->dst.room);
    free(b->mask.room);
    free(b->lengths.room);
}

static inline void close_batch(random_batch *b)
{
    for (int64_t k = 0; k < b->batch.count; k++) free(b->memory[k]);
}

/* ---- The oracle ------------------------------------------------------------------------------ */

/* Checks one cell of tensor k. */
static inline void check_cell(const random_batch *b, int64_t k, const int64_t *index, int64_t cell)
{
    static const unsigned char zeros[16] = {0};
    const unsigned char *expected = b->batch.value ? b->batch.value : zeros;
    const unsigned char *from = b->items[k].src;
    bool own = true, filled = false;
    for (int32_t i = 0; i < b->fit.rank; i++) {
        const int64_t n = b->in_extents[k][i], t = index[i] - b->before[k][i];
        const int64_t source = naive_source(b->requests[i].mode, n, t);
        if (b->batch.value_strides) expected += index[i] * b->value_strides[i];
        own = own && t >= 0 && t < n;
        filled = filled || source < 0;
        from += source * b->strides[k][i];
    }
    if (!filled) expected = from;
    const int64_t at = k * b->cells + cell;
    assert_memory_equal(inside(&b->dst) + at * b->elem_bytes, expected, (size_t)b->elem_bytes);
    if (b->batch.mask) assert_int_equal(inside(&b->mask)[at], own);
}

static inline void check_lengths(const random_batch *b, int64_t k)
{
    for (int32_t i = 0; b->batch.lengths && i < b->fit.rank; i++) {
        int64_t kept = 0;
        for (int64_t cell = 0; cell < b->extents[i]; cell++) {
            const int64_t t = cell - b->before[k][i];
            kept += t >= 0 && t < b->in_extents[k][i];
        }
        assert_int_equal(b->batch.lengths[k * b->fit.rank + i], kept);
    }
}

static inline void check_output(const random_batch *b)
{
    for (int64_t k = 0; k < b->batch.count; k++) {
        int64_t index[NAIVE_RANK] = {0};
        for (int64_t cell = 0; cell < b->cells; cell++) {
            check_cell(b, k, index, cell);
            for (int32_t i = b->fit.rank - 1; i >= 0 && ++index[i] == b->extents[i]; i--)
                index[i] = 0;
        }
        check_lengths(b, k);
    }
}

static inline void check_untouched(const random_batch *b)
{
    if (b->batch.mask == NULL) assert_true(is_painted(inside(&b->mask), b->mask.bytes));
    if (b->batch.lengths == NULL) assert_true(is_painted(inside(&b->lengths), b->lengths.bytes));
    if (b->status == TPAD_OK) return;
    assert_true(is_painted(inside(&b->dst), b->dst.bytes));
    assert_true(is_painted(inside(&b->mask), b->mask.bytes));
    assert_true(is_painted(inside(&b->lengths), b->lengths.bytes));
}

#endif
