/* From a plan to the parameters of a kernel. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_GPU_LOWER_H
#define TENSORPAD_GPU_LOWER_H

#include <tensorpad/gpu.h>

#include "../core/axis.h"
#include "../core/plan.h"

typedef int64_t tpad_idx; /* parameters are computed in 64 bits, and narrowed at the end */
#include "parameters.h"

_Static_assert(sizeof(tpad_gpu_pad_params) <= TPAD_GPU_PARAM_BYTES, "a launch has no room");
_Static_assert(sizeof(tpad_gpu_adjoint_params) <= TPAD_GPU_PARAM_BYTES, "a launch has no room");

/* Kinds of kernels, as in language.h. */
enum { GPU_PACKED = 0, GPU_WORDS = 1, GPU_F32 = 6 };

/* Sets a launch that does nothing, and opens the plan. struct_size: of the arguments, 0 if there
 * are none. Errors: E_ARGUMENT, E_NOT_A_PLAN. */
TPAD_INTERNAL int32_t tpad_gpu_begin(tpad_gpu_launch *launch, const tpad_plan *opaque,
                                     const plan **p, size_t struct_size, size_t known,
                                     tpad_error *error);

/* The bytes from the last 16-byte boundary to `offset` bytes after an address. */
static inline int64_t tpad_gpu_remainder(uint64_t address, int64_t offset)
{
    return (int64_t)((address + (uint64_t)offset) & 15);
}

/* The number that tpad_gpu_suits compares. */
static inline int32_t tpad_gpu_remainders(uint64_t src, uint64_t dst, uint64_t fill)
{
    return (int32_t)((src & 15) | (dst & 15) << 4 | (fill & 15) << 8);
}

/* The factor and the shift of a divisor d >= 1, for indices of `bits` bits. */
TPAD_INTERNAL void tpad_gpu_divisor(int64_t d, int bits, int64_t *factor, int64_t *shift);

/* Describes an axis. Its strides, and that of the fill, are multiples of `word`. Returns 1 if 32
 * bits are enough for its numbers. */
TPAD_INTERNAL int tpad_gpu_describe_axis(tpad_gpu_axis *g, const axis *a, int64_t fill_stride,
                                         int64_t word, int bits);

/* Sets the tiles of `rows` rows of `row` words. In each row `own` words, from a 16-byte boundary
 * on, are the row's own; a vector has `lanes` words. */
TPAD_INTERNAL void tpad_gpu_set_tiles(tpad_gpu_tiles *g, int64_t rows, int64_t row, int64_t own,
                                      int64_t lanes, int bits);

/* The most words before the first 16-byte boundary in any row. Rows are at `place` plus sums of
 * these strides. */
TPAD_INTERNAL int64_t tpad_gpu_before_vectors(int64_t place, const int64_t *strides, int32_t count,
                                              int64_t lanes);

/* 1 if 32 bits hold the number, and the sum of two such numbers. */
static inline int tpad_gpu_is_small(int64_t value)
{
    return -0x3FFFFFFF <= value && value <= 0x3FFFFFFF;
}

/* sum + count * |stride|, or INT64_MAX if one of the three is not small. */
TPAD_INTERNAL int64_t tpad_gpu_add_reach(int64_t sum, int64_t count, int64_t stride);

/* Writes the name, the blocks and the parameters: `bytes` bytes of 64-bit fields.
 * Errors: E_OVERFLOW. */
TPAD_INTERNAL int32_t tpad_gpu_finish(tpad_gpu_launch *launch, int kind, int wide, int64_t threads,
                                      const void *params, size_t bytes, tpad_error *error);

/* The public functions, with wide 0. wide: 1 forces indices of 64 bits (tests). */
TPAD_INTERNAL int32_t tpad_gpu_lower_pad(tpad_gpu_launch *launch, const tpad_plan *plan,
                                         const tpad_gpu_pad_args *args, int wide,
                                         tpad_error *error);
TPAD_INTERNAL int32_t tpad_gpu_lower_adjoint(tpad_gpu_launch *launch, const tpad_plan *plan,
                                             const tpad_gpu_adjoint_args *args, int wide,
                                             tpad_error *error);

#endif
