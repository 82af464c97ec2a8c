/* Shared by AVX2 and AVX-512BW. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_KERNELS_AVX2_H
#define TENSORPAD_KERNELS_AVX2_H

#include "kernels.h"

#if defined(TPAD_SIMD_X86)
/* The form that takes the bytes of each half of a vector from a window of 16. */
TPAD_INTERNAL void tpad_tiles_bytes_avx2(const tpad_tiles *tiles);
#define BYTES_AVX2(STREAM_BYTES)                                                                   \
    {.vector_bytes = 32,                                                                           \
     .lanes = 2,                                                                                   \
     .window_bytes = 16,                                                                           \
     .unit = 1,                                                                                    \
     .stream_bytes = STREAM_BYTES,                                                                 \
     .tiles = tpad_tiles_bytes_avx2}

/* Packed output. */
TPAD_INTERNAL const tpad_bit_form tpad_bits_avx2;
#endif
#endif
