/* Shared by the launches of pads and of gradients. SPDX-License-Identifier: MIT */
#include "lower.h"

#include "../core/checked.h"
#include "../core/error.h"

uint64_t tpad_gpu_source_id(void)
{
    uint64_t hash = 0xCBF29CE484222325;
    for (const char *c = tpad_gpu_source(); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001B3;
    return hash;
}

int32_t tpad_gpu_suits(const tpad_gpu_launch *launch, uint64_t src, uint64_t dst, uint64_t fill)
{
    return launch->blocks == 0 ||
           launch->remainders == tpad_gpu_remainders(src, dst, launch->reads_fill ? fill : 0);
}

int32_t tpad_gpu_begin(tpad_gpu_launch *launch, const tpad_plan *opaque, const plan **p,
                       size_t struct_size, size_t known, tpad_error *error)
{
    if (!launch) return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "launch is missing");
    tpad_memset(launch, 0, sizeof *launch);
    *p = tpad_plan_open(opaque);
    if (!*p) return TPAD_FAIL(error, TPAD_E_NOT_A_PLAN, 0, 0, "the plan was never made");
    if (struct_size != known)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, (int64_t)struct_size, (int64_t)known,
                         struct_size == 0 ? "args or their struct_size are missing"
                         : struct_size < known
                             ? "struct_size of args is %g, not %l: set it to sizeof args"
                             : "struct_size of args is %g, but this tensorpad knows %l: the header "
                               "is newer than the library");
    return TPAD_OK;
}

void tpad_gpu_divisor(int64_t d, int bits, int64_t *factor, int64_t *shift)
{
    /* n / d = (high(n * factor) + n) >> shift for n below 2^(bits - 1), where the factor is
     * 2^bits * (2^shift - d) / d + 1 with the least shift that has 2^shift >= d. */
    uint64_t quotient = 0;
    int s = 0;
    while (((int64_t)1 << s) < d) s++;
    int64_t rest = ((int64_t)1 << s) - d;
    for (int k = 0; k < bits; k++) { /* long division, because 2^bits * rest may need 128 bits */
        rest *= 2;
        quotient <<= 1;
        if (rest < d) continue;
        rest -= d;
        quotient |= 1;
    }
    *factor = (int64_t)(quotient + 1);
    *shift = s;
}

int tpad_gpu_describe_axis(tpad_gpu_axis *g, const axis *a, int64_t fill_stride, int64_t word,
                           int bits)
{
    const int64_t size = tpad_max(0, a->hi - a->lo); /* a crop may leave nothing */
    g->extent = a->extent;
    g->origin = a->origin;
    g->lo = a->lo;
    g->size = size;
    g->kind = a->mode == TPAD_CONSTANT ? TPAD_FILLS
              : a->mode == TPAD_EDGE   ? TPAD_REPEATS
                                       : TPAD_PERIODIC;
    g->phase = 0;
    g->period = 1;
    g->mirror = -1;
    if (g->kind == TPAD_PERIODIC && size > 0) {
        g->period = a->mode == TPAD_WRAP      ? size
                    : a->mode == TPAD_REFLECT ? 2 * (size - 1)
                                              : 2 * size;
        if (a->mode == TPAD_REFLECT) g->mirror = g->period;
        if (a->mode == TPAD_SYMMETRIC) g->mirror = g->period - 1;
        g->phase = (a->origin - a->lo) % g->period;
        if (g->phase < 0) g->phase += g->period;
    }
    g->spacing = a->spacing;
    g->in_stride = a->in_stride / word;
    g->out_stride = a->out_stride / word;
    g->fill_stride = fill_stride / word;
    tpad_gpu_divisor(tpad_max(g->extent, 1), bits, &g->extent_factor, &g->extent_shift);
    tpad_gpu_divisor(g->period, bits, &g->period_factor, &g->period_shift);
    tpad_gpu_divisor(g->spacing, bits, &g->spacing_factor, &g->spacing_shift);
    const int64_t numbers[] = {g->extent,
                               g->origin,
                               g->lo,
                               size,
                               g->period,
                               g->spacing,
                               g->in_stride,
                               g->out_stride,
                               g->fill_stride,
                               a->hi,
                               a->origin + a->extent,
                               g->extent + g->phase};
    int small = 1;
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        small &= tpad_gpu_is_small(numbers[k]);
    return small;
}

void tpad_gpu_set_tiles(tpad_gpu_tiles *g, int64_t rows, int64_t row, int64_t own, int64_t lanes,
                        int bits)
{
    g->rows = rows;
    g->vectors = own > 0 ? own / lanes : 0;
    g->pairs = (g->vectors + 1) / 2;
    g->beside = row - g->vectors * lanes;
    g->rows_per_tile = rows < 256 ? 1 : 32; /* a warp */
    g->per_tile = g->rows_per_tile * (g->pairs + g->beside);
    g->threads = (rows + g->rows_per_tile - 1) / g->rows_per_tile * g->per_tile;
    tpad_gpu_divisor(tpad_max(g->per_tile, 1), bits, &g->per_tile_factor, &g->per_tile_shift);
    tpad_gpu_divisor(tpad_max(g->pairs, 1), bits, &g->pairs_factor, &g->pairs_shift);
    tpad_gpu_divisor(tpad_max(g->beside, 1), bits, &g->beside_factor, &g->beside_shift);
}

int64_t tpad_gpu_before_vectors(int64_t place, const int64_t *strides, int32_t count, int64_t lanes)
{
    for (int32_t k = 0; k < count; k++)
        if (strides[k] % lanes != 0) return lanes - 1;
    return -place & (lanes - 1);
}

int64_t tpad_gpu_add_reach(int64_t sum, int64_t count, int64_t stride)
{
    const int64_t size = tpad_magnitude(stride);
    if (!tpad_gpu_is_small(sum) || !tpad_gpu_is_small(count) || !tpad_gpu_is_small(size))
        return INT64_MAX;
    return sum + count * size;
}

int32_t tpad_gpu_finish(tpad_gpu_launch *launch, int kind, int wide, int64_t threads,
                        const void *params, size_t bytes, tpad_error *error)
{
    static const char *const names[] = {"tpad_pad_w0",       "tpad_pad_w1",      "tpad_pad_w2",
                                        "tpad_pad_w4",       "tpad_pad_w8",      "tpad_pad_w16",
                                        "tpad_adjoint_f32",  "tpad_adjoint_f64", "tpad_adjoint_f16",
                                        "tpad_adjoint_bf16", "tpad_adjoint_i8",  "tpad_adjoint_i16",
                                        "tpad_adjoint_i32",  "tpad_adjoint_i64"};
    const int64_t *fields = params;
    const int number = 2 * kind + wide;
    const int64_t blocks = (threads - 1) / TPAD_GPU_THREADS + 1;
    if (blocks > INT32_MAX)
        return TPAD_FAIL(error, TPAD_E_OVERFLOW, blocks, INT32_MAX,
                         "use boxes: %g blocks of threads, and a launch has at most %l");
    char *to = launch->kernel;
    for (const char *c = names[kind]; *c; c++) *to++ = *c;
    tpad_memcpy(to, wide ? "_i64" : "_i32", 4);
    tpad_memcpy(launch->option, "-DTPAD_GPU_KERNEL=", 18);
    to = launch->option + 18;
    if (number > 9) *to++ = (char)('0' + number / 10);
    *to = (char)('0' + number % 10);
    launch->blocks = blocks;
    launch->number = number;
    launch->param_bytes = (int32_t)(wide ? bytes : bytes / 2);
    if (wide) {
        tpad_memcpy(launch->params, params, bytes);
        return TPAD_OK;
    }
    for (size_t k = 0; k < bytes / 8; k++) {
        const int32_t narrow = (int32_t)fields[k];
        tpad_memcpy((char *)launch->params + 4 * k, &narrow, 4);
    }
    return TPAD_OK;
}
