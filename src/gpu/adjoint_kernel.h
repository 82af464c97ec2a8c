/* The transpose of a pad on a GPU: kinds 6 to 13. SPDX-License-Identifier: MIT
 *
 * A thread computes one element of grad_in, or the elements of a vector, which have one cell each
 * along the innermost axis and are summed together. Each axis has a closed form for the number of
 * cells that take an element, and for the m-th one, so there are no atomics and no zeroing first,
 * and the order of the sums is that of tpad_adjoint: they are bit-identical. */
#include "axis_kernel.h"

#if TPAD_GPU_KERNEL / 2 >= 6
#if TPAD_GPU_KERNEL / 2 == 6
#define TPAD_KIND  f32
#define TPAD_LANES 4
typedef float tpad_number;
typedef float tpad_sum;
#elif TPAD_GPU_KERNEL / 2 == 7
#define TPAD_KIND  f64
#define TPAD_LANES 2
typedef double tpad_number;
typedef double tpad_sum;
#elif TPAD_GPU_KERNEL / 2 == 8
#define TPAD_KIND  f16
#define TPAD_LANES 8
typedef tpad_u16 tpad_number;
typedef float tpad_sum;
#elif TPAD_GPU_KERNEL / 2 == 9
#define TPAD_KIND  bf16
#define TPAD_LANES 8
typedef tpad_u16 tpad_number;
typedef float tpad_sum;
#elif TPAD_GPU_KERNEL / 2 == 10
#define TPAD_KIND  i8
#define TPAD_LANES 16
typedef tpad_u8 tpad_number;
typedef tpad_u32 tpad_sum;
#elif TPAD_GPU_KERNEL / 2 == 11
#define TPAD_KIND  i16
#define TPAD_LANES 8
typedef tpad_u16 tpad_number;
typedef tpad_u32 tpad_sum;
#elif TPAD_GPU_KERNEL / 2 == 12
#define TPAD_KIND  i32
#define TPAD_LANES 4
typedef tpad_u32 tpad_number;
typedef tpad_u32 tpad_sum;
#else
#define TPAD_KIND  i64
#define TPAD_LANES 2
typedef tpad_u64 tpad_number;
typedef tpad_u64 tpad_sum;
#endif

/* 16 bytes, as they are moved and as they are summed. */
typedef union tpad_lanes {
    tpad_vec vector;
    tpad_number number[TPAD_LANES];
} tpad_lanes;

#if TPAD_GPU_KERNEL / 2 == 8 || TPAD_GPU_KERNEL / 2 == 9
typedef union tpad_float_bits {
    tpad_u32 bits;
    float value;
} tpad_float_bits;

TPAD_DEVICE float tpad_float_of(tpad_u32 bits)
{
    tpad_float_bits u;
    u.bits = bits;
    return u.value;
}

TPAD_DEVICE tpad_u32 tpad_bits_of(float value)
{
    tpad_float_bits u;
    u.value = value;
    return u.bits;
}
#endif

#if TPAD_GPU_KERNEL / 2 == 9
TPAD_DEVICE float tpad_widen(tpad_u16 h)
{
    return tpad_float_of((tpad_u32)h << 16);
}

TPAD_DEVICE tpad_u16 tpad_narrow(float f)
{
    const tpad_u32 b = tpad_bits_of(f);
    if ((b & 0x7FFFFFFF) > 0x7F800000) return (tpad_u16)(b >> 16 | 0x40);
    return (tpad_u16)((b + 0x7FFF + (b >> 16 & 1)) >> 16);
}
#elif TPAD_GPU_KERNEL / 2 == 8
/* In integers, the same in all languages; floats convert subnormal numbers, in units of 2^-24. */
TPAD_DEVICE float tpad_widen(tpad_u16 h)
{
    const tpad_u32 sign = (tpad_u32)(h & 0x8000) << 16, rest = h & 0x7FFF;
    if (rest >= 0x7C00) return tpad_float_of(sign | 0x7F800000 | (rest & 0x3FF) << 13);
    if (rest >= 0x400) return tpad_float_of(sign | ((rest << 13) + 0x38000000));
    return tpad_float_of(sign | tpad_bits_of((float)(int)rest * 5.9604644775390625e-8f));
}

TPAD_DEVICE tpad_u16 tpad_narrow(float f)
{
    const tpad_u32 b = tpad_bits_of(f), sign = b >> 16 & 0x8000, rest = b & 0x7FFFFFFF;
    if (rest > 0x7F800000) return (tpad_u16)(sign | 0x7E00 | (rest >> 13 & 0x3FF));
    if (rest >= 0x477FF000) return (tpad_u16)(sign | 0x7C00);
    if (rest >= 0x38800000)
        return (tpad_u16)(sign | (rest - 0x38000000 + 0xFFF + (rest >> 13 & 1)) >> 13);
    return (tpad_u16)(sign | (tpad_bits_of(tpad_float_of(rest) + 0.5f) - 0x3F000000));
}
#else
TPAD_DEVICE tpad_sum tpad_widen(tpad_number x)
{
    return x;
}

TPAD_DEVICE tpad_number tpad_narrow(tpad_sum x)
{
    return (tpad_number)x;
}
#endif

TPAD_KERNEL(tpad_adjoint)(TPAD_GLOBAL const tpad_u8 *out_bytes, TPAD_GLOBAL tpad_u8 *in_bytes,
                          TPAD_GLOBAL const tpad_u8 *unused, TPAD_PARAMS(tpad_gpu_adjoint_params))
{
    TPAD_OPEN(tpad_gpu_adjoint_params);
    (void)unused;
    TPAD_GLOBAL const tpad_number *out = (TPAD_GLOBAL const tpad_number *)out_bytes;
    const tpad_udx t = (tpad_udx)TPAD_THREAD;
    if (t >= (tpad_udx)p->tiles.threads) return;
    tpad_item item = tpad_find_item(&p->tiles, (tpad_idx)t, TPAD_LANES);
    if (item.row >= p->tiles.rows) return;
    TPAD_CONST tpad_gpu_taken *inner = &p->axes[0];
    TPAD_CONST tpad_gpu_axis *line = &inner->axis;

    /* The number of cells of the row's elements on all outer axes, and where the row and its own
     * cell are. */
    tpad_idx rest = item.row, in = p->in_base, cells = 1, own_row = p->out_base;
    int own = 1;
    TPAD_ONCE
    for (tpad_idx k = 1; k < p->rank; k++) {
        TPAD_CONST tpad_gpu_taken *a = &p->axes[k];
        const tpad_idx q = tpad_divide(rest, a->elements_factor, a->elements_shift);
        const tpad_idx e = rest - q * a->elements, place = e * a->axis.spacing - a->axis.origin;
        rest = q;
        in += e * a->axis.in_stride;
        own_row += place * a->axis.out_stride;
        if (e < a->alone_first || e >= a->alone_end) {
            cells *= tpad_taker(&a->axis, e, -1);
            own &= (tpad_udx)place < (tpad_udx)a->axis.extent;
        }
    }
    TPAD_GLOBAL tpad_number *to_row = (TPAD_GLOBAL tpad_number *)in_bytes + in;
    const tpad_u64 at = (tpad_u64)(to_row + inner->alone_first) / sizeof(tpad_number);
    const tpad_idx first = inner->alone_first + ((tpad_idx)(0 - at) & (TPAD_LANES - 1));
    const int adds = (p->flags & TPAD_GPU_ADD) != 0;

    for (tpad_idx e = tpad_column_of(&item, &p->tiles, first, TPAD_LANES);;
         e += p->tiles.pairs * TPAD_LANES) {
        TPAD_GLOBAL tpad_number *to = to_row + e * line->in_stride;
        const tpad_idx along = item.whole ? 1 : tpad_taker(line, e, -1);
        const tpad_idx line_own = e * line->spacing - line->origin;
        const int starts_own = own && (item.whole || (tpad_udx)line_own < (tpad_udx)line->extent);
        tpad_sum sum[TPAD_LANES];
        TPAD_UNROLLED
        for (int j = 0; j < TPAD_LANES; j++) sum[j] = 0;
        if (adds) {
            TPAD_UNROLLED
            for (int j = 0; j < TPAD_LANES; j++)
                if (j == 0 || item.whole) sum[j] = tpad_widen(to[j]);
        }
        TPAD_ONCE
        for (tpad_idx c = 0; c < cells * along; c++) {
            tpad_idx from = own_row + line_own * line->out_stride;
            if (c > 0 || !starts_own) { /* combination c of cells, the innermost axis the fastest */
                tpad_idx number = c, e_rest = item.row;
                if (!item.whole) {
                    number = c / along;
                    from = own_row + tpad_taker(line, e, c - number * along) * line->out_stride;
                }
                TPAD_ONCE
                for (tpad_idx k = 1; k < p->rank; k++) {
                    TPAD_CONST tpad_gpu_taken *a = &p->axes[k];
                    const tpad_idx q = tpad_divide(e_rest, a->elements_factor, a->elements_shift);
                    const tpad_idx x = e_rest - q * a->elements;
                    e_rest = q;
                    if (x >= a->alone_first && x < a->alone_end) continue;
                    const tpad_idx count = tpad_taker(&a->axis, x, -1), next = number / count;
                    const tpad_idx i = tpad_taker(&a->axis, x, number - next * count);
                    number = next;
                    from += (i - (x * a->axis.spacing - a->axis.origin)) * a->axis.out_stride;
                }
            }
            const int begins = c == 0 && starts_own && !adds; /* keeps a -0 */
            tpad_lanes v;
            if (item.whole && ((tpad_u64)(out + from) & 15) == 0) {
                v.vector = tpad_load_vector(out + from);
            } else {
                TPAD_UNROLLED
                for (int j = 0; j < TPAD_LANES; j++)
                    v.number[j] = j == 0 || item.whole ? out[from + j] : 0;
            }
            TPAD_UNROLLED
            for (int j = 0; j < TPAD_LANES; j++) {
                if (j > 0 && !item.whole) break;
                const tpad_sum x = tpad_widen(v.number[j]);
                sum[j] = begins ? x : sum[j] + x;
            }
        }
        if (item.whole) {
            tpad_lanes v;
            TPAD_UNROLLED
            for (int j = 0; j < TPAD_LANES; j++) v.number[j] = tpad_narrow(sum[j]);
            *(TPAD_GLOBAL tpad_vec *)to = v.vector;
        } else {
            *to = tpad_narrow(sum[0]);
        }
        if (!item.two) return;
        item.two = 0;
    }
}
#endif
