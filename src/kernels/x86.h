/* Shared by the kernels for x86-64. SPDX-License-Identifier: MIT
 *
 * Every function names the instructions it needs, so the files compile without flags. */
#ifndef TENSORPAD_KERNELS_X86_H
#define TENSORPAD_KERNELS_X86_H

#include "stream.h"
#include "words.h"

#if defined(TPAD_SIMD_X86)
#include "../port/processor.h"

#include <immintrin.h>

#define SSSE3 __attribute__((target("ssse3")))
#define AVX2  __attribute__((target("avx2")))

static inline __m128i load16(const unsigned char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline void store16(unsigned char *at, __m128i vector)
{
    _mm_storeu_si128((__m128i *)(void *)at, vector);
}

AVX2 static inline __m256i load32_avx2(const unsigned char *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

AVX2 static inline void store32_avx2(unsigned char *at, __m256i vector)
{
    _mm256_storeu_si256((__m256i *)(void *)at, vector);
}

AVX2 static inline __m256i zero32_avx2(void)
{
    return _mm256_setzero_si256();
}

#define X86_KERNELS(NAME, FORMS, BITS)                                                             \
    TPAD_INTERNAL_DEF const tpad_kernels tpad_kernels_##NAME = {                                   \
        .name = #NAME,                                                                             \
        .usable = has_##NAME,                                                                      \
        .copy = tpad_copy_plain,                                                                   \
        .fill = tpad_fill_plain,                                                                   \
        .copy_bits = tpad_copy_bits_plain,                                                         \
        .fill_bits = tpad_fill_bits_plain,                                                         \
        .words = tpad_run_words,                                                                   \
        .forms = FORMS,                                                                            \
        .form_count = sizeof FORMS / sizeof FORMS[0],                                              \
        .bits = BITS,                                                                              \
        .fence = tpad_stream_fence,                                                                \
    }
#endif
#endif
