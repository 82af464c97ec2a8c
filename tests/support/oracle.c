/* The oracle: docs/semantics.md ("One axis"), cell by cell.  SPDX-License-Identifier: MIT
 * See oracle.h for what it owns and must not know. */
#include "oracle.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One axis, written out ------------------------------------------------------------------- */

typedef struct list {
    int64_t *at;
    int64_t count;
} list;

static list list_new(int64_t count)
{
    list l = {malloc((size_t)(count > 0 ? count : 1) * sizeof(int64_t)), count > 0 ? count : 0};
    if (l.at == NULL) abort();
    return l;
}

/* The list without its first `front` and its last `back` entries. */
static list list_cut(list whole, int64_t front, int64_t back)
{
    list kept = list_new(whole.count - front - back);
    for (int64_t i = 0; i < kept.count; i++) kept.at[i] = whole.at[front + i];
    free(whole.at);
    return kept;
}

enum { MOST_WRITTEN = 1 << 12 };

static int64_t dilated_extent(const tpad_axis *axis)
{
    return axis->in_extent > 0 ? axis->in_extent + (axis->in_extent - 1) * axis->interior : 0;
}

static list dilate(int64_t extent, int64_t interior)
{
    list l = list_new(extent > 0 ? extent + (extent - 1) * interior : 0);
    int64_t i = 0;
    for (int64_t j = 0; j < extent; j++) {
        if (j > 0) {
            for (int64_t gap = 0; gap < interior; gap++) l.at[i++] = ORACLE_FILL;
        }
        l.at[i++] = j;
    }
    return l;
}

/* `count` cells of the dilated axis from cell `first` on, of an axis that is too long to be written
 * out as a whole: element j stands at j * (interior + 1). */
static list dilated_part(const tpad_axis *axis, int64_t first, int64_t count)
{
    list l = list_new(count);
    int64_t spacing = axis->interior + 1;
    for (int64_t i = 0; i < count; i++)
        l.at[i] = (first + i) % spacing == 0 ? (first + i) / spacing : ORACLE_FILL;
    return l;
}

/* A walker goes outwards from an end of the list, and turns as the mode says. */
typedef struct walker {
    int64_t place;
    int64_t step;
} walker;

static void walk(walker *w, int64_t count, int32_t mode)
{
    int64_t next = w->place + w->step;
    bool outside = next < 0 || next >= count;
    switch (mode) {
    case TPAD_EDGE:
        break;
    case TPAD_WRAP:
        w->place = !outside ? next : w->step > 0 ? 0 : count - 1;
        break;
    case TPAD_SYMMETRIC:
        if (outside) {
            w->step = -w->step;
        } else {
            w->place = next;
        }
        break;
    case TPAD_REFLECT:
        if (count == 1) break;
        if (outside) w->step = -w->step;
        w->place += w->step;
        break;
    default:
        fprintf(stderr, "the oracle does not know mode %d: walk() in tests/support/oracle.c\n",
                (int)mode);
        abort();
    }
}

/* The list with `front` and `back` cells added; it may be empty only in constant mode. */
static list extend(list kept, int64_t front, int64_t back, int32_t mode)
{
    list l = list_new(front + kept.count + back);
    walker left = {0, -1};
    walker right = {kept.count - 1, 1};
    for (int64_t i = 0; i < kept.count; i++) l.at[front + i] = kept.at[i];
    for (int64_t i = front - 1; i >= 0; i--) {
        if (mode != TPAD_CONSTANT) walk(&left, kept.count, mode);
        l.at[i] = mode == TPAD_CONSTANT ? ORACLE_FILL : kept.at[left.place];
    }
    for (int64_t i = front + kept.count; i < l.count; i++) {
        if (mode != TPAD_CONSTANT) walk(&right, kept.count, mode);
        l.at[i] = mode == TPAD_CONSTANT ? ORACLE_FILL : kept.at[right.place];
    }
    free(kept.at);
    return l;
}

/* Returns false if the mode has nothing to extend from. Needs an output extent >= 0. */
static bool solve_axis(const tpad_axis *axis, int64_t out_extent, list *out)
{
    int64_t size = dilated_extent(axis);
    /* Of a long axis, what is cropped before anything else is not written out. In constant mode it
     * makes no difference which comes first. */
    bool is_long = size > MOST_WRITTEN && (axis->order == TPAD_CROP || axis->mode == TPAD_CONSTANT);
    int64_t add_front = axis->before > 0 ? axis->before : 0;
    int64_t add_back = axis->after > 0 ? axis->after : 0;
    int64_t cut_front = axis->before < 0 ? -axis->before : 0;
    int64_t cut_back = axis->after < 0 ? -axis->after : 0;
    bool crop_first = is_long || axis->order == TPAD_CROP;
    int64_t left = size - (crop_first ? cut_front + cut_back : 0);
    list l;

    if (left <= 0) {
        *out = list_new(out_extent);
        for (int64_t i = 0; i < out_extent; i++) out->at[i] = ORACLE_FILL;
        return axis->mode == TPAD_CONSTANT;
    }
    l = is_long ? dilated_part(axis, cut_front, left) : dilate(axis->in_extent, axis->interior);
    if (crop_first && !is_long) l = list_cut(l, cut_front, cut_back);
    l = extend(l, add_front, add_back, axis->mode);
    if (!crop_first) l = list_cut(l, cut_front, cut_back);
    assert(l.count == out_extent);
    *out = l;
    return true;
}

/* ---- The whole problem ----------------------------------------------------------------------- */

void oracle_solve(oracle *o, const tpad_problem *problem)
{
    bool sourced[TPAD_MAX_RANK];
    memset(o, 0, sizeof *o);
    o->rank = problem->rank;
    o->axis = -1;
    o->cells = 1;
    for (int32_t k = 0; k < o->rank; k++) {
        const tpad_axis *axis = &problem->axes[k];
        o->extents[k] = axis->before + dilated_extent(axis) + axis->after;
        if (o->extents[k] < 0 && o->status == TPAD_OK) {
            o->status = TPAD_E_NEGATIVE;
            o->axis = k;
        }
        o->cells *= o->extents[k];
    }
    if (o->status != TPAD_OK) return;

    for (int32_t k = 0; k < o->rank; k++) {
        list l;
        sourced[k] = solve_axis(&problem->axes[k], o->extents[k], &l);
        o->source[k] = l.at;
    }
    for (int32_t k = 0; k < o->rank && o->status == TPAD_OK; k++) {
        if (o->cells > 0 && !sourced[k]) {
            o->status = TPAD_E_NO_SOURCE;
            o->axis = k;
        }
    }
    if (o->status == TPAD_OK) {
        int64_t zeros[TPAD_MAX_RANK] = {0};
        o->reads = oracle_needs(o, zeros, o->extents, o->need_first, o->need_extents);
    }
}

void oracle_close(oracle *o)
{
    for (int32_t k = 0; k < TPAD_MAX_RANK; k++) {
        free(o->source[k]);
        o->source[k] = NULL;
    }
}

bool oracle_needs(const oracle *o, const int64_t *box_first, const int64_t *box_extents,
                  int64_t *first, int64_t *extents)
{
    bool reads = true;
    for (int32_t k = 0; k < o->rank; k++) {
        int64_t least = INT64_MAX;
        int64_t most = -1;
        for (int64_t i = box_first[k]; i < box_first[k] + box_extents[k]; i++) {
            int64_t j = o->source[k][i];
            if (j == ORACLE_FILL) continue;
            if (j < least) least = j;
            if (j > most) most = j;
        }
        if (most < 0) reads = false;
        first[k] = least;
        extents[k] = most - least + 1;
    }
    for (int32_t k = 0; k < o->rank && !reads; k++) first[k] = extents[k] = 0;
    return reads;
}

/* ---- Where a cell lies ----------------------------------------------------------------------- */

int64_t oracle_unit(const tpad_problem *problem)
{
    return problem->elem_bits < 8 ? 1 : problem->elem_bits / 8;
}

void oracle_in_strides(const tpad_problem *problem, int64_t *strides)
{
    int64_t next = oracle_unit(problem);
    for (int32_t k = problem->rank - 1; k >= 0; k--) {
        strides[k] = problem->flags & TPAD_IN_STRIDES ? problem->axes[k].in_stride : next;
        /* Of an input with strides, all extents together may be more than 64 bits hold. */
        if (!(problem->flags & TPAD_IN_STRIDES)) next *= problem->axes[k].in_extent;
    }
}

void oracle_out_strides(const oracle *o, const tpad_problem *problem, int64_t *strides)
{
    int64_t next = oracle_unit(problem);
    for (int32_t k = problem->rank - 1; k >= 0; k--) {
        strides[k] = problem->flags & TPAD_OUT_STRIDES ? problem->axes[k].out_stride : next;
        next *= o->extents[k];
    }
}

/* An address computed as a number, because a tensor's first byte may lie outside the bytes that it
 * touches. */
static unsigned char *address(const void *base, int64_t bytes)
{
    return (unsigned char *)((uintptr_t)base + (uintptr_t)bytes);
}

/* Bit `bit` of packed element `place`, counted from the element's lowest bit. */
static unsigned char *packed_bit(const tpad_problem *problem, const void *base, int64_t place,
                                 int32_t bit, int *shift)
{
    int64_t per_byte = 8 / problem->elem_bits;
    int64_t byte = place / per_byte;
    int64_t slot = place % per_byte;
    if (slot < 0) {
        slot += per_byte;
        byte -= 1;
    }
    if (problem->flags & TPAD_HIGH_BITS_FIRST) slot = per_byte - 1 - slot;
    *shift = (int)slot * problem->elem_bits + bit;
    return address(base, byte);
}

void oracle_move(const tpad_problem *problem, const void *src, int64_t from, void *dst, int64_t to)
{
    if (problem->elem_bits >= 8) {
        memcpy(address(dst, to), address(src, from), (size_t)oracle_unit(problem));
        return;
    }
    for (int32_t bit = 0; bit < problem->elem_bits; bit++) {
        int shift;
        unsigned char *byte = packed_bit(problem, src, from, bit, &shift);
        unsigned one = (unsigned)*byte >> shift & 1u;
        byte = packed_bit(problem, dst, to, bit, &shift);
        *byte = (unsigned char)((*byte & ~(1u << shift)) | one << shift);
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

void oracle_clear_tail(const tpad_problem *problem, const int64_t *extents, const int64_t *strides,
                       int64_t offset, void *dst)
{
    static const unsigned char zeros[1];
    int64_t cells = 1;
    for (int32_t k = problem->rank - 1; k >= 0; k--) {
        /* The stride of an axis of one cell has no effect, so it is not compared. */
        if (extents[k] != 1 && strides[k] != cells) return;
        cells *= extents[k];
    }
    if (problem->elem_bits >= 8 || cells == 0 || offset != 0) return;
    for (int64_t to = cells; to % (8 / problem->elem_bits) != 0; to++) {
        oracle_move(problem, zeros, 0, dst, to);
    }
}

void oracle_run(const oracle *o, const tpad_problem *problem, const void *src, void *dst,
                const void *value)
{
    const tpad_fill fill = {sizeof fill, value, NULL};
    oracle_run_fill(o, problem, src, dst, &fill);
}

void oracle_run_fill(const oracle *o, const tpad_problem *problem, const void *src, void *dst,
                     const tpad_fill *fill)
{
    static const unsigned char zeros[TPAD_MAX_ELEM_BITS / 8];
    /* A packed value lies in the low bits of its byte: the first element of a byte, unless the
     * first element is the high one. */
    int64_t one_place = problem->elem_bits < 8 && (problem->flags & TPAD_HIGH_BITS_FIRST)
                            ? 8 / problem->elem_bits - 1
                            : 0;
    int64_t in_strides[TPAD_MAX_RANK];
    int64_t out_strides[TPAD_MAX_RANK];
    int64_t index[TPAD_MAX_RANK] = {0};

    oracle_in_strides(problem, in_strides);
    oracle_out_strides(o, problem, out_strides);
    for (int64_t cell = 0; cell < o->cells; cell++) {
        int64_t from = problem->in_offset;
        int64_t to = problem->out_offset;
        int64_t value = fill->strides == NULL || fill->values == NULL ? one_place : 0;
        bool filled = false;
        for (int32_t k = 0; k < o->rank; k++) {
            int64_t j = o->source[k][index[k]];
            if (j == ORACLE_FILL) filled = true;
            if (fill->strides != NULL && fill->values != NULL) value += index[k] * fill->strides[k];
            from += j * in_strides[k];
            to += index[k] * out_strides[k];
        }
        if (filled) {
            oracle_move(problem, fill->values != NULL ? fill->values : zeros, value, dst, to);
        } else {
            oracle_move(problem, src, from, dst, to);
        }
        for (int32_t k = o->rank - 1; k >= 0; k--) {
            if (++index[k] < o->extents[k]) break;
            index[k] = 0;
        }
    }
    oracle_clear_tail(problem, o->extents, out_strides, problem->out_offset, dst);
}
