/* A pad on a GPU: kinds 0 to 5, which move words of 1, 2, 4, 8 and 16 bytes (kind 0: packed
 * elements). SPDX-License-Identifier: MIT
 *
 * A row is a cell of all axes but the innermost one. Its vectors are aligned runs of 16 bytes of
 * its own elements; tpad_gpu_tiles assigns them to threads.
 * Short contiguous rows have no vectors of their own: there a thread assembles 16 bytes from a row
 * and the next one.
 * A packed thread writes 1 byte, of one row or of several.
 * No shared memory, no atomics, no barriers, no local arrays. */
#include "axis_kernel.h"

#if TPAD_GPU_KERNEL / 2 < 6
#if TPAD_GPU_KERNEL / 2 == 0
#define TPAD_WORD 0
#define TPAD_KIND w0
typedef tpad_u8 tpad_word;
#elif TPAD_GPU_KERNEL / 2 == 1
#define TPAD_WORD 1
#define TPAD_KIND w1
typedef tpad_u8 tpad_word;
#elif TPAD_GPU_KERNEL / 2 == 2
#define TPAD_WORD 2
#define TPAD_KIND w2
typedef tpad_u16 tpad_word;
#elif TPAD_GPU_KERNEL / 2 == 3
#define TPAD_WORD 4
#define TPAD_KIND w4
typedef tpad_u32 tpad_word;
#elif TPAD_GPU_KERNEL / 2 == 4
#define TPAD_WORD 8
#define TPAD_KIND w8
typedef tpad_u64 tpad_word;
#else
#define TPAD_WORD 16
#define TPAD_KIND w16
typedef tpad_vec tpad_word;
#endif

#if TPAD_WORD > 0
#define TPAD_VECTOR (16 / TPAD_WORD)

/* 16 bytes from any word, in loads as wide as the address allows. *done = 0: they would leave the
 * input, whose addresses are [first, end). */
TPAD_DEVICE tpad_vec tpad_load_run(TPAD_GLOBAL const tpad_word *from, tpad_u64 first, tpad_u64 end,
                                   int *done)
{
    tpad_vec v;
    v.x = v.y = v.z = v.w = 0;
    *done = 1;
    if (TPAD_WORD == 16 || ((tpad_u64)from & 15) == 0) return tpad_load_vector(from);
#if TPAD_WORD == 8
    const tpad_u64 low = from[0], high = from[1];
    v.x = (tpad_u32)low;
    v.y = (tpad_u32)(low >> 32);
    v.z = (tpad_u32)high;
    v.w = (tpad_u32)(high >> 32);
#elif TPAD_WORD == 4
    v.x = from[0];
    v.y = from[1];
    v.z = from[2];
    v.w = from[3];
#elif TPAD_WORD < 4
    const tpad_u64 at = (tpad_u64)from & ~(tpad_u64)3;
    const int shift = (int)((tpad_u64)from & 3) * 8;
    TPAD_GLOBAL const tpad_u32 *w = (TPAD_GLOBAL const tpad_u32 *)at;
    if (at < first || at + (shift ? 20 : 16) > end) {
        *done = 0;
        return v;
    }
    v.x = w[0];
    v.y = w[1];
    v.z = w[2];
    v.w = w[3];
    if (shift) { /* each becomes a funnel shift */
        const tpad_u32 last = w[4];
        v.x = (tpad_u32)(((tpad_u64)v.y << 32 | v.x) >> shift);
        v.y = (tpad_u32)(((tpad_u64)v.z << 32 | v.y) >> shift);
        v.z = (tpad_u32)(((tpad_u64)v.w << 32 | v.z) >> shift);
        v.w = (tpad_u32)(((tpad_u64)last << 32 | v.w) >> shift);
    }
#endif
    (void)first, (void)end;
    return v;
}

/* Moves the vector down by one word and puts `word` at its top: after all words the first one is at
 * the bottom. */
TPAD_DEVICE void tpad_shift_in(tpad_vec *v, tpad_word word)
{
#if TPAD_WORD == 16
    *v = word;
#elif TPAD_WORD == 8
    v->x = v->z;
    v->y = v->w;
    v->z = (tpad_u32)word;
    v->w = (tpad_u32)(word >> 32);
#elif TPAD_WORD == 4
    v->x = v->y;
    v->y = v->z;
    v->z = v->w;
    v->w = word;
#else
    const int low = TPAD_WORD * 8, high = 32 - low;
    v->x = v->x >> low | v->y << high;
    v->y = v->y >> low | v->z << high;
    v->z = v->z >> low | v->w << high;
    v->w = v->w >> low | (tpad_u32)word << high;
#endif
}

/* Word j of the value. A value of 1, 2, 4 ... 16 bytes is repeated to 16; others have whole
 * words. */
TPAD_DEVICE tpad_word tpad_value_word(TPAD_CONST tpad_gpu_pad_params *p, tpad_idx j)
{
#if TPAD_WORD == 16
    tpad_vec v;
    (void)j;
    v.x = (tpad_u32)p->value[0];
    v.y = (tpad_u32)p->value[1];
    v.z = (tpad_u32)p->value[2];
    v.w = (tpad_u32)p->value[3];
    return v;
#elif TPAD_WORD == 8
    j = j * 2 & 3;
    return (tpad_u64)(tpad_u32)p->value[j + 1] << 32 | (tpad_u32)p->value[j];
#else
    const tpad_idx at = j * TPAD_WORD & 15;
    return (tpad_word)((tpad_u32)p->value[at >> 2] >> (at & 3) * 8);
#endif
}
#endif

/* The places of a row, and of its elements and values. */
typedef struct tpad_row {
    tpad_idx in, out, value;
    int filled; /* 1: the whole row is filled */
} tpad_row;

/* Splits the row's index on one axis off its number; this axis varies fastest in the number. */
TPAD_DEVICE tpad_idx tpad_take_axis(tpad_row *row, tpad_idx number, int is_last,
                                    TPAD_CONST tpad_gpu_axis *a)
{
    tpad_idx i = number;
    if (!is_last) {
        number = tpad_divide(i, a->extent_factor, a->extent_shift);
        i -= number * a->extent;
    }
    const tpad_idx e = tpad_element_of(a, i);
    if (e < 0)
        row->filled = 1;
    else
        row->in += e * a->in_stride;
    row->out += i * a->out_stride;
    row->value += i * a->fill_stride;
    return number;
}

TPAD_DEVICE tpad_row tpad_find_row(TPAD_CONST tpad_gpu_pad_params *p, tpad_idx number)
{
    tpad_row row;
    const tpad_idx rank = p->rank;
    row.in = p->in_base;
    row.out = p->out_base;
    row.value = p->fill_base;
    row.filled = 0;
    TPAD_UNROLLED /* the numbers of these axes become operands instead of loads */
        for (int k = 0; k < 3; k++) if (k < rank) number =
            tpad_take_axis(&row, number, k == rank - 1, &p->outer[k]);
    TPAD_ONCE
    for (tpad_idx k = 3; k < rank; k++)
        number = tpad_take_axis(&row, number, k == rank - 1, &p->outer[k]);
    return row;
}

#if TPAD_WORD > 0
/* The word of a row at `column`, and its place. Returns 0 if it is there already. */
TPAD_DEVICE int tpad_find_word(TPAD_CONST tpad_gpu_pad_params *p, const tpad_row *row,
                               tpad_idx column, TPAD_GLOBAL const tpad_word *src,
                               TPAD_GLOBAL const tpad_word *fill, TPAD_GLOBAL tpad_word *dst,
                               tpad_word *word, TPAD_GLOBAL tpad_word **to)
{
    TPAD_CONST tpad_gpu_axis *a = &p->inner;
    tpad_idx cell = column, sub = 0;
    if (p->cell > 1) {
        cell = tpad_divide(column, p->cell_factor, p->cell_shift);
        sub = column - cell * p->cell;
    }
    const tpad_idx e = row->filled ? -1 : tpad_element_of(a, cell);
    *to = dst + (row->out + cell * a->out_stride + sub);
    if (e >= 0) {
        TPAD_GLOBAL const tpad_word *from = src + (row->in + e * a->in_stride + sub);
        *word = *from;
        return !(p->flags & TPAD_GPU_BORDER) || (tpad_u64)from != (tpad_u64)*to;
    }
    if (p->fill_period != p->cell) sub %= p->fill_period;
    *word = p->flags & TPAD_GPU_ARRAY ? fill[row->value + cell * a->fill_stride + sub]
                                      : tpad_value_word(p, sub);
    return 1;
}
#endif

TPAD_KERNEL(tpad_pad)(TPAD_GLOBAL const tpad_u8 *src_bytes, TPAD_GLOBAL tpad_u8 *dst_bytes,
                      TPAD_GLOBAL const tpad_u8 *fill_bytes, TPAD_PARAMS(tpad_gpu_pad_params))
{
    TPAD_OPEN(tpad_gpu_pad_params);
    TPAD_GLOBAL const tpad_word *src = (TPAD_GLOBAL const tpad_word *)src_bytes;
    TPAD_GLOBAL const tpad_word *fill = (TPAD_GLOBAL const tpad_word *)fill_bytes;
    TPAD_GLOBAL tpad_word *dst = (TPAD_GLOBAL tpad_word *)dst_bytes;
    const tpad_udx t = (tpad_udx)TPAD_THREAD;
    if (t >= (tpad_udx)p->tiles.threads) return;

#if TPAD_WORD > 0
    tpad_word word;
    TPAD_GLOBAL tpad_word *to;
    if (p->flags & TPAD_GPU_FLAT) {
        const tpad_idx place = (tpad_idx)t * TPAD_VECTOR - p->head;
        const tpad_idx number = place > 0 ? tpad_divide(place, p->row_factor, p->row_shift) : 0;
        const tpad_idx column = place - number * p->row, is_last = number + 1 == p->tiles.rows;
        const tpad_idx end = is_last ? p->row : 2 * p->row;
        const tpad_row row = tpad_find_row(p, number);
        const tpad_row next = tpad_find_row(p, is_last ? number : number + 1);
        const int partial = column < 0 || column + TPAD_VECTOR > end;
        tpad_vec v;
        v.x = v.y = v.z = v.w = 0;
        TPAD_ONCE
        for (tpad_idx c = column; c < column + TPAD_VECTOR; c++) {
            const int on = c >= p->row;
            const tpad_row of = on ? next : row;
            if (partial && (c < 0 || c >= end)) continue;
            tpad_find_word(p, &of, on ? c - p->row : c, src, fill, dst, &word, &to);
            if (partial)
                *to = word;
            else
                tpad_shift_in(&v, word);
        }
        if (!partial) *(TPAD_GLOBAL tpad_vec *)(dst + (row.out + column)) = v;
        return;
    }
    tpad_item item = tpad_find_item(&p->tiles, (tpad_idx)t, TPAD_VECTOR);
    if (item.row >= p->tiles.rows) return;
    const tpad_row row = tpad_find_row(p, item.row);
    const tpad_u64 at = (tpad_u64)(dst + (row.out + p->own_first)) / TPAD_WORD;
    const tpad_idx first = p->own_first + ((tpad_idx)(0 - at) & (TPAD_VECTOR - 1));
    const tpad_idx apart = p->tiles.pairs * TPAD_VECTOR;
    tpad_idx column = tpad_column_of(&item, &p->tiles, first, TPAD_VECTOR);
    if (item.whole) {
        to = dst + (row.out + column);
        const tpad_u64 begin = (tpad_u64)src_bytes + (tpad_u64)p->in_first;
        const tpad_u64 end = (tpad_u64)src_bytes + (tpad_u64)p->in_end;
        int done = 1, second = 1;
        tpad_vec v, w;
        if (!row.filled) {
            TPAD_GLOBAL const tpad_word *from = src + (row.in + column + p->own_source);
            if ((p->flags & TPAD_GPU_BORDER) && (tpad_u64)from == (tpad_u64)to) return;
            v = tpad_load_run(from, begin, end, &done);
            if (item.two) w = tpad_load_run(from + apart, begin, end, &second);
        } else {
            done = second = (p->flags & TPAD_GPU_PLAIN_FILL) != 0;
            v.x = (tpad_u32)p->value[0];
            v.y = (tpad_u32)p->value[1];
            v.z = (tpad_u32)p->value[2];
            v.w = (tpad_u32)p->value[3];
            w = v;
        }
        if (done && second) {
            *(TPAD_GLOBAL tpad_vec *)to = v;
            if (item.two) *(TPAD_GLOBAL tpad_vec *)(to + apart) = w;
            return;
        }
    }
    for (;;) { /* word by word */
        TPAD_ONCE
        for (const tpad_idx end = column + (item.whole ? TPAD_VECTOR : 1); column < end; column++)
            if (tpad_find_word(p, &row, column, src, fill, dst, &word, &to)) *to = word;
        if (!item.two) return;
        item.two = 0;
        column += apart - TPAD_VECTOR;
    }
#else
    TPAD_CONST tpad_gpu_axis *a = &p->inner;
    const tpad_u32 bits = (tpad_u32)p->bits, high = p->flags & TPAD_GPU_HIGH_FIRST ? 8 - bits : 0;
    const tpad_idx from_cell = (tpad_idx)t * (tpad_idx)(8 / bits), cells = p->tiles.rows * p->row;
    tpad_idx number = tpad_divide(from_cell, p->row_factor, p->row_shift);
    tpad_idx cell = from_cell - number * p->row;
    tpad_row row = tpad_find_row(p, number);
    tpad_u32 byte = 0;
    TPAD_ONCE
    for (tpad_u32 used = 0; used < 8 && from_cell + (tpad_idx)(used / bits) < cells; used += bits) {
        if (cell == p->row) {
            cell = 0;
            row = tpad_find_row(p, ++number);
        }
        const tpad_idx e = row.filled ? -1 : tpad_element_of(a, cell);
        tpad_u32 word = (tpad_u32)p->value[0];
        if (e >= 0 || (p->flags & TPAD_GPU_ARRAY)) {
            TPAD_GLOBAL const tpad_word *from = e >= 0 ? src : fill;
            const tpad_i64 at =
                (tpad_i64)(e >= 0 ? row.in + e * a->in_stride : row.value + cell * a->fill_stride) *
                (tpad_i64)bits;
            word = (tpad_u32)from[at >> 3] >> (((tpad_u32)at & 7) ^ high);
        }
        byte |= (word & ((1u << bits) - 1)) << (used ^ high);
        cell++;
    }
    dst[p->out_base + (tpad_idx)t] = (tpad_u8)byte;
#endif
}
#endif
