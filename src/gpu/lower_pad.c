/* A pad as a launch on a GPU. SPDX-License-Identifier: MIT
 *
 * Joins axes as src/core/merge.c does, but without a limit for the cell, and only if the fill's
 * strides allow it; then chooses the word, the layout of the threads, and the width of indices. */
#include "../core/checked.h"
#include "../core/error.h"
#include "lower.h"

typedef struct loop {
    axis a;
    int64_t fill; /* stride */
} loop;

/* A pad, in bytes; in elements if they are packed. */
typedef struct pad {
    const plan *p;
    const tpad_gpu_pad_args *args;
    int packed, repeats; /* repeats: the value is repeated to 16 bytes */
    int64_t elem;
    loop inner, outer[TPAD_MAX_RANK];
    int32_t outer_count;
    int64_t cell;        /* of `inner` */
    int64_t fill_period; /* the values of a cell repeat after it */
    int64_t in_base, out_base, fill_base;
    int64_t word;
} pad;

/* The largest power of two up to 16 that divides the number. */
static int64_t word_of(int64_t number)
{
    number |= 16;
    return number & -number;
}

static int belongs_outside(const axis *a, const axis *b)
{
    if (a->extent == 1 || b->extent == 1) return a->extent == 1 && b->extent != 1;
    return tpad_magnitude(a->out_stride) > tpad_magnitude(b->out_stride);
}

static int can_join(const loop *outer, const loop *inner)
{
    const int64_t extent = inner->a.extent;
    return tpad_axis_is_plain(&outer->a) && tpad_axis_is_plain(&inner->a) &&
           outer->a.in_stride == extent * inner->a.in_stride &&
           outer->a.out_stride == extent * inner->a.out_stride &&
           outer->fill == extent * inner->fill;
}

/* Reads the strides of the fill, in bytes or bits. Errors: E_OVERFLOW. */
static int32_t take_fill(pad *w, int64_t *strides, tpad_error *error)
{
    const plan *p = w->p;
    const int64_t scale = w->packed ? p->elem_bits : 1;
    int64_t reach = w->packed ? p->elem_bits : w->elem;
    for (int32_t i = 0; i < p->rank; i++) {
        const int64_t cells = p->first[i] + p->axes[i].extent;
        const int64_t stride = w->args->fill_strides && cells > 1 ? w->args->fill_strides[i] : 0;
        if (!tpad_add_reach(&reach, stride, cells * scale))
            return tpad_fail(error, (tpad_error){TPAD_E_OVERFLOW, i, stride, 0, 0, 0, NULL,
                                                 "axis %a: with stride %g the fill exceeds 64 "
                                                 "bits"});
        strides[i] = stride * scale;
        w->fill_base += p->first[i] * strides[i];
    }
    return TPAD_OK;
}

/* Drops, sorts and joins axes into w->outer. */
static void make_loops(pad *w, const int64_t *fill_strides)
{
    int32_t count = 0;
    for (int32_t i = 0; i < w->p->rank; i++) {
        loop l = {w->p->axes[i], fill_strides[i]};
        tpad_axis_simplify(&l.a, &w->in_base);
        if (l.a.extent == 1) l.fill = l.a.out_stride = 0;
        if (l.a.extent == 1 && tpad_axis_is_plain(&l.a)) continue;
        int32_t at = count++;
        for (; at > 0 && belongs_outside(&l.a, &w->outer[at - 1].a); at--)
            w->outer[at] = w->outer[at - 1];
        w->outer[at] = l;
    }
    for (int32_t i = 0; i < count; i++) {
        const loop l = w->outer[i];
        loop *outer = w->outer_count > 0 ? &w->outer[w->outer_count - 1] : NULL;
        if (outer && can_join(outer, &l)) {
            outer->a.extent *= l.a.extent;
            outer->a.hi = outer->a.extent;
            outer->a.in_stride = l.a.in_stride;
            outer->a.out_stride = l.a.out_stride;
            outer->fill = l.fill;
        } else {
            w->outer[w->outer_count++] = l;
        }
    }
}

static void bits_to_elements(pad *w)
{
    const int64_t bits = w->p->elem_bits;
    w->in_base /= bits;
    w->out_base /= bits;
    w->fill_base /= bits;
    for (int32_t k = 0; k < w->outer_count; k++) {
        w->outer[k].a.in_stride /= bits;
        w->outer[k].a.out_stride /= bits;
        w->outer[k].fill /= bits;
    }
}

/* Makes the innermost loop part of the cell if it and the next one have no gaps, like the channels
 * of pixels; then makes the next one the row. */
static void choose_row(pad *w)
{
    const loop none = {{1, 0, 0, 1, 1, w->elem, w->elem, TPAD_CONSTANT}, 0};
    w->cell = w->fill_period = w->elem;
    if (w->outer_count > 1 && !w->packed) {
        const loop *l = &w->outer[w->outer_count - 1], *next = l - 1;
        const int64_t cell = w->elem * l->a.extent;
        if (tpad_axis_is_plain(&l->a) && l->a.in_stride == w->elem && l->a.out_stride == w->elem &&
            (l->fill == 0 || l->fill == w->elem) && next->a.in_stride == cell &&
            next->a.out_stride == cell) {
            w->cell = cell;
            if (l->fill == w->elem) w->fill_period = cell;
            w->outer_count--;
        }
    }
    w->inner = none;
    if (w->outer_count > 0)
        w->inner = w->outer[--w->outer_count];
    else
        w->inner.a.in_stride = w->inner.a.out_stride = w->cell;
}

/* The word: the largest power of two up to 16 that divides all places. */
static void choose_word(pad *w)
{
    const tpad_gpu_pad_args *args = w->args;
    int64_t all = w->cell | w->in_base | w->out_base |
                  tpad_gpu_remainder(args->src | args->dst, 0) | w->inner.a.in_stride |
                  w->inner.a.out_stride;
    for (int32_t k = 0; k < w->outer_count; k++)
        all |= w->outer[k].a.in_stride | w->outer[k].a.out_stride;
    if (!w->repeats) all |= w->elem;
    if (args->fill_strides) {
        all |= w->fill_base | w->inner.fill | tpad_gpu_remainder(args->fill, 0);
        for (int32_t k = 0; k < w->outer_count; k++) all |= w->outer[k].fill;
    }
    w->word = w->packed ? 1 : word_of(all);
}

/* 1 if cells are contiguous in memory. */
static int is_dense(const pad *w)
{
    int64_t next = w->inner.a.extent * w->cell;
    if (w->inner.a.out_stride != w->cell && w->inner.a.extent != 1) return 0;
    for (int32_t k = w->outer_count - 1; k >= 0; k--) {
        const axis *a = &w->outer[k].a;
        if (a->out_stride != next && a->extent != 1) return 0;
        next *= a->extent;
    }
    return 1;
}

/* The input's bytes, relative to src; none if they may not fit in 64 bits. */
static void find_input(const pad *w, tpad_gpu_pad_params *g)
{
    const plan *p = w->p;
    int64_t low = p->in_offset, high = low + w->elem, reach = w->elem;
    int known = tpad_add_reach(&reach, p->in_offset, 1);
    for (int32_t i = 0; i < p->rank && known; i++) {
        const int64_t stride = p->axes[i].in_stride;
        int64_t first = 0, extent = p->in_extents[i];
        if (p->flags & PLAN_OWN_INPUT) tpad_axis_needs(&p->axes[i], &first, &extent);
        if (extent == 0) continue;
        known = tpad_add_reach(&reach, stride, first + extent);
        if (!known) continue;
        low += tpad_min(first * stride, (first + extent - 1) * stride);
        high += tpad_max(first * stride, (first + extent - 1) * stride);
    }
    g->in_first = known ? low : 0;
    g->in_end = known ? high : 0;
}

/* The columns of a row that are the input's own elements. Returns their number. */
static int64_t find_own(const pad *w, tpad_gpu_pad_params *g)
{
    const axis *a = &w->inner.a;
    if (a->spacing != 1 ||
        (a->extent != 1 && (a->in_stride != w->cell || a->out_stride != w->cell)))
        return 0;
    g->own_first = tpad_min(a->extent, tpad_max(0, a->lo - a->origin)) * g->cell;
    g->own_source = (int64_t)((uint64_t)a->origin * (uint64_t)g->cell); /* sums are modulo 2^64 */
    return tpad_max(0, tpad_min(a->extent, a->hi - a->origin)) * g->cell - g->own_first;
}

static void set_value(const pad *w, tpad_gpu_pad_params *g)
{
    const unsigned char *value = w->args->value;
    unsigned char pattern[16] = {0};
    if (!value || w->args->fill_strides) return;
    for (int64_t k = 0; k < 16 && (w->repeats || k < w->elem); k++)
        pattern[k] = value[w->repeats ? k % w->elem : k];
    for (int k = 0; k < 4; k++) {
        uint32_t four;
        tpad_memcpy(&four, pattern + 4 * k, 4);
        g->value[k] = four;
    }
}

/* Sets the parameters. Returns 1 if indices of `bits` bits are enough. */
static int set_params(const pad *w, tpad_gpu_pad_params *g, int dense, int bits)
{
    const plan *p = w->p;
    const int64_t vector = w->packed ? 8 / p->elem_bits : 16 / w->word;
    int64_t reach = 0, far;
    int64_t rows = 1;
    tpad_memset(g, 0, sizeof *g);
    int small = tpad_gpu_describe_axis(&g->inner, &w->inner.a, w->inner.fill, w->word, bits);
    for (int32_t k = 0; k < w->outer_count; k++) {
        const loop *l = &w->outer[w->outer_count - 1 - k];
        small &= tpad_gpu_describe_axis(&g->outer[k], &l->a, l->fill, w->word, bits);
        rows *= l->a.extent;
    }
    g->rank = w->outer_count;
    g->cell = w->cell / w->word;
    g->row = w->inner.a.extent * g->cell;
    g->in_base = w->in_base / w->word;
    g->out_base = w->packed ? w->out_base * p->elem_bits / 8 : w->out_base / w->word;
    g->fill_base = w->fill_base / w->word;
    g->fill_period = w->repeats ? g->cell : w->fill_period / w->word;
    g->bits = w->packed ? p->elem_bits : 0;
    const int64_t own = w->packed ? 0 : find_own(w, g);
    if (w->word < 4 && !w->packed) find_input(w, g);
    set_value(w, g);

    const int plain =
        !w->args->fill_strides && (!w->args->value || (w->repeats && w->elem <= w->word));
    g->flags = (p->flags & PLAN_BORDER ? TPAD_GPU_BORDER : 0) |
               (w->args->fill_strides ? TPAD_GPU_ARRAY : 0) |
               (p->flags & PLAN_HIGH_BITS_FIRST ? TPAD_GPU_HIGH_FIRST : 0) |
               (plain ? TPAD_GPU_PLAIN_FILL : 0);
    int64_t strides[TPAD_MAX_RANK];
    const int64_t first = tpad_gpu_remainder(w->args->dst, w->out_base) / w->word;
    for (int32_t k = 0; k < w->outer_count; k++) strides[k] = g->outer[k].out_stride;
    const int64_t lost =
        tpad_gpu_before_vectors(first + g->own_first, strides, w->outer_count, vector);
    tpad_gpu_set_tiles(&g->tiles, rows, g->row, w->packed ? 0 : own - lost, vector, bits);
    if (w->packed) {
        g->tiles.threads = (rows * g->row + vector - 1) / vector;
    } else if (dense && g->tiles.vectors == 0 && vector > 1 && g->row >= vector - 1 &&
               !(p->flags & PLAN_BORDER)) { /* 16 bytes span at most two rows */
        g->flags |= TPAD_GPU_FLAT;
        g->head = first & (vector - 1);
        g->tiles.threads = (rows * g->row + g->head + vector - 1) / vector;
    }
    tpad_gpu_divisor(g->row, bits, &g->row_factor, &g->row_shift);
    tpad_gpu_divisor(g->cell, bits, &g->cell_factor, &g->cell_shift);

    for (int32_t k = -1; k < w->outer_count; k++) {
        const tpad_gpu_axis *a = k < 0 ? &g->inner : &g->outer[k];
        reach = tpad_gpu_add_reach(reach, a->extent, a->out_stride);
        reach = tpad_gpu_add_reach(reach, a->extent, a->fill_stride);
        reach = tpad_gpu_add_reach(reach, tpad_max(a->lo + a->size, 1), a->in_stride);
    }
    far = tpad_gpu_add_reach(0, g->cell, w->inner.a.origin);
    const int64_t numbers[] = {reach,
                               far,
                               rows * g->row + vector * 2,
                               g->tiles.threads,
                               g->in_base,
                               g->out_base,
                               g->fill_base,
                               g->in_first,
                               g->in_end};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        small &= tpad_gpu_is_small(numbers[k]);
    return small || bits == 64;
}

int32_t tpad_gpu_lower_pad(tpad_gpu_launch *launch, const tpad_plan *opaque,
                           const tpad_gpu_pad_args *args, int wide, tpad_error *error)
{
    const plan *p;
    int64_t strides[TPAD_MAX_RANK];
    int32_t status =
        tpad_gpu_begin(launch, opaque, &p, args ? args->struct_size : 0, sizeof *args, error);
    if (status != TPAD_OK || p->cells == 0) return status;

    pad w = {.p = p, .args = args, .in_base = p->in_offset, .out_base = p->out_offset};
    w.packed = p->elem_bits < 8;
    w.elem = w.packed ? 1 : p->elem_bits / 8;
    w.repeats = !args->fill_strides && (w.elem & (w.elem - 1)) == 0 && w.elem <= 16;
    if (w.elem > 16 && !args->fill_strides && args->value)
        return TPAD_FAIL(error, TPAD_E_ELEM, w.elem, 16,
                         "one value of %g bytes; it may have %l, and an array any");
    status = take_fill(&w, strides, error);
    if (status != TPAD_OK) return status;
    make_loops(&w, strides);
    if (w.packed) bits_to_elements(&w);
    choose_row(&w);
    choose_word(&w);

    const int64_t bits = p->elem_bits;
    const int dense = is_dense(&w);
    if (w.packed) { /* two threads may not write to one byte, nor one to bits of other cells */
        int64_t cells = w.inner.a.extent;
        for (int32_t k = 0; k < w.outer_count; k++) cells *= w.outer[k].a.extent;
        if (!dense || (p->flags & PLAN_BORDER) || w.out_base * bits % 8 != 0 ||
            (p->tail < 0 && cells * bits % 8 != 0))
            return TPAD_FAIL(error, TPAD_E_ELEM, bits, 0,
                             "packed elements of %g bits with gaps, in a border, or in bytes with "
                             "other cells");
    }

    tpad_gpu_pad_params g;
    int kind = GPU_PACKED;
    if (!set_params(&w, &g, dense, wide ? 64 : 32)) {
        wide = 1; /* with other divisors */
        set_params(&w, &g, dense, 64);
    }
    for (int64_t k = w.packed ? 0 : w.word; k > 0; k /= 2) kind++;
    launch->reads_fill = args->fill_strides != NULL;
    launch->remainders =
        tpad_gpu_remainders(args->src, args->dst, launch->reads_fill ? args->fill : 0);
    return tpad_gpu_finish(launch, kind, wide, g.tiles.threads, &g, sizeof g, error);
}

int32_t tpad_gpu_pad(tpad_gpu_launch *launch, const tpad_plan *opaque,
                     const tpad_gpu_pad_args *args, tpad_error *error)
{
    return tpad_gpu_lower_pad(launch, opaque, args, 0, error);
}
