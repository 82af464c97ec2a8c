/* A pad on a GPU: kinds 0 to 5, which move words of 1, 2, 4, 8 and 16 bytes (kind 0: packed
 * elements). SPDX-License-Identifier: MIT
 *
 * A row is a cell of all axes but the innermost one. There are two ways:
 *   rows: a thread writes one aligned vector of 16 bytes, of the row's own elements or of a row
 *         that is filled; or one of the words beside these vectors. per_row threads are enough for
 *         the worst alignment.
 *   flat: for dense outputs with short rows, and packed ones: a thread writes the 16 bytes (packed:
 *         1 byte) that come next in memory, word by word if they are of more than one run.
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

/* 16 bytes from any word, in as wide loads as the address allows. *done = 0: they would leave the
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
    if (shift) { /* a funnel shift each */
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

/* The vector moves down by one word, and `word` comes in at its top: after all words the first one
 * is at the bottom, and no register is chosen by a number that the compiler does not know. */
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

/* Word j of the value. One of 1, 2, 4 ... 16 bytes is repeated to 16; another has whole words. */
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
#else
#define TPAD_VECTOR (8 / (tpad_idx)p->bits) /* a thread writes one byte */
#endif

/* Where a row is, and where it takes its elements from. */
typedef struct tpad_row {
    tpad_idx in, out, value;
    int filled; /* all of it */
} tpad_row;

TPAD_DEVICE tpad_row tpad_find_row(TPAD_CONST tpad_gpu_pad_params *p, tpad_idx number)
{
    tpad_row row;
    row.in = p->in_base;
    row.out = p->out_base;
    row.value = p->fill_base;
    row.filled = 0;
    TPAD_ONCE
    for (tpad_idx k = p->rank - 1; k >= 0; k--) {
        TPAD_CONST tpad_gpu_axis *a = &p->outer[k];
        tpad_idx i = number;
        if (k > 0) {
            number = tpad_divide(i, a->extent_factor, a->extent_shift);
            i -= number * a->extent;
        }
        const tpad_idx e = tpad_element_of(a, i);
        if (e < 0)
            row.filled = 1;
        else
            row.in += e * a->in_stride;
        row.out += i * a->out_stride;
        row.value += i * a->fill_stride;
    }
    return row;
}

TPAD_KERNEL(tpad_pad)(TPAD_GLOBAL const tpad_u8 *src_bytes, TPAD_GLOBAL tpad_u8 *dst_bytes,
                      TPAD_GLOBAL const tpad_u8 *fill_bytes, TPAD_PARAMS(tpad_gpu_pad_params))
{
    TPAD_OPEN(tpad_gpu_pad_params);
    TPAD_GLOBAL const tpad_word *src = (TPAD_GLOBAL const tpad_word *)src_bytes;
    TPAD_GLOBAL const tpad_word *fill = (TPAD_GLOBAL const tpad_word *)fill_bytes;
    TPAD_GLOBAL tpad_word *dst = (TPAD_GLOBAL tpad_word *)dst_bytes;
    const tpad_udx t = (tpad_udx)TPAD_THREAD;
    if (t >= (tpad_udx)p->threads) return;

    /* The words [flat, flat + n) of the output, or n words of a row. */
    const tpad_idx flags = p->flags, row_words = p->row;
    const int is_flat = (flags & TPAD_GPU_FLAT) != 0;
    tpad_idx number, column, n = TPAD_VECTOR, flat = 0;
    if (is_flat) {
        flat = (tpad_idx)t * TPAD_VECTOR - p->head;
        if (flat < 0) {
            n += flat;
            flat = 0;
        }
        if (n > p->words - flat) n = p->words - flat;
        number = tpad_divide(flat, p->row_factor, p->row_shift);
        column = flat - number * row_words;
    } else { /* the column is known when the row's place is */
        number = tpad_divide((tpad_idx)t, p->per_row_factor, p->per_row_shift);
        column = (tpad_idx)t - number * p->per_row;
    }
#if TPAD_WORD > 0
    int whole = is_flat && n == TPAD_VECTOR;
    tpad_vec vector;
    vector.x = vector.y = vector.z = vector.w = 0;
#else
    const tpad_u32 bits = (tpad_u32)p->bits, high = flags & TPAD_GPU_HIGH_FIRST ? 8 - bits : 0;
    tpad_u32 byte = 0, used = 0;
#endif
    TPAD_ONCE
    while (n > 0) {
        const tpad_row row = tpad_find_row(p, number);
#if TPAD_WORD > 0
        if (!is_flat) { /* first the row's whole vectors, then the words beside them */
            tpad_idx first = row.filled ? 0 : p->own_first;
            const tpad_idx end = row.filled ? p->fill_end : p->own_end;
            const tpad_u64 at = (tpad_u64)(dst + (row.out + first)) / TPAD_WORD;
            first += (tpad_idx)(0 - at) & (TPAD_VECTOR - 1);
            const tpad_idx vectors = end - first >= TPAD_VECTOR ? (end - first) / TPAD_VECTOR : 0;
            whole = column < vectors;
            if (whole) {
                column = first + column * TPAD_VECTOR;
            } else {
                column -= vectors;
                if (vectors > 0 && column >= first) column += vectors * TPAD_VECTOR;
                if (column >= row_words) return;
                n = 1;
            }
        }
#endif
        const tpad_idx m = n < row_words - column ? n : row_words - column;
#if TPAD_WORD > 0
        if (whole && m == TPAD_VECTOR) { /* all of one run, perhaps */
            TPAD_GLOBAL tpad_vec *to =
                (TPAD_GLOBAL tpad_vec *)(dst + (is_flat ? p->out_base + flat : row.out + column));
            if (!row.filled && column >= p->own_first && column + TPAD_VECTOR <= p->own_end) {
                int done;
                TPAD_GLOBAL const tpad_word *from = src + (row.in + column + p->own_source);
                if ((flags & TPAD_GPU_BORDER) && (tpad_u64)from == (tpad_u64)to) return;
                vector = tpad_load_run(from, (tpad_u64)src_bytes + (tpad_u64)p->in_first,
                                       (tpad_u64)src_bytes + (tpad_u64)p->in_end, &done);
                if (done) {
                    *to = vector;
                    return;
                }
            } else if (row.filled && (flags & TPAD_GPU_PLAIN_FILL)) {
                vector.x = (tpad_u32)p->value[0];
                vector.y = (tpad_u32)p->value[1];
                vector.z = (tpad_u32)p->value[2];
                vector.w = (tpad_u32)p->value[3];
                *to = vector;
                return;
            }
        }
#endif
        TPAD_ONCE
        for (const tpad_idx end = column + m; column < end; column++, flat++) {
            TPAD_CONST tpad_gpu_axis *a = &p->inner;
            tpad_idx cell = column;
            tpad_word word;
#if TPAD_WORD > 0
            tpad_idx sub = 0;
            if (p->cell > 1) {
                cell = tpad_divide(column, p->cell_factor, p->cell_shift);
                sub = column - cell * p->cell;
            }
            const tpad_idx e = row.filled ? -1 : tpad_element_of(a, cell);
            TPAD_GLOBAL tpad_word *to =
                dst + (is_flat ? p->out_base + flat : row.out + cell * a->out_stride + sub);
            if (e >= 0) {
                TPAD_GLOBAL const tpad_word *from = src + (row.in + e * a->in_stride + sub);
                if ((flags & TPAD_GPU_BORDER) && (tpad_u64)from == (tpad_u64)to) continue;
                word = *from;
            } else {
                tpad_idx j = sub;
                if (p->fill_period != p->cell) j %= p->fill_period;
                if (flags & TPAD_GPU_ARRAY)
                    word = fill[row.value + cell * a->fill_stride + j];
                else
                    word = tpad_value_word(p, j);
            }
            if (whole && is_flat)
                tpad_shift_in(&vector, word);
            else
                *to = word;
#else
            const tpad_idx e = row.filled ? -1 : tpad_element_of(a, cell);
            if (e >= 0 || (flags & TPAD_GPU_ARRAY)) {
                TPAD_GLOBAL const tpad_word *from = e >= 0 ? src : fill;
                const tpad_i64 at = (tpad_i64)(e >= 0 ? row.in + e * a->in_stride
                                                      : row.value + cell * a->fill_stride) *
                                    (tpad_i64)bits;
                word = (tpad_word)(from[at >> 3] >> (((tpad_u32)at & 7) ^ high));
            } else {
                word = (tpad_word)p->value[0];
            }
            byte |= (word & ((1u << bits) - 1)) << (used ^ high);
            used += bits;
#endif
        }
        if (!is_flat) return;
        n -= m;
        number++;
        column = 0;
    }
#if TPAD_WORD > 0
    if (whole) *(TPAD_GLOBAL tpad_vec *)(dst + (p->out_base + flat - TPAD_VECTOR)) = vector;
#else
    dst[p->out_base + (tpad_idx)t] = (tpad_u8)byte;
#endif
}
#endif
