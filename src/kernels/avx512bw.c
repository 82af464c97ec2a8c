/* Tiles by AVX-512 without its byte shuffle, as on Skylake-X and Cascade Lake: words of two bytes
 * from anywhere in a window (vpermw); masks select the bytes that are read and written; single
 * bytes as with AVX2. Vectors have 32 bytes, because these processors run slower for a while after
 * wider ones. SPDX-License-Identifier: MIT */
#include "avx2.h"
#include "x86.h"

#if defined(TPAD_SIMD_X86)

#define AVX512BW __attribute__((target("avx2,avx512f,avx512bw,avx512vl")))

typedef struct index_avx512bw {
    __m256i at;
    __mmask16 taken;
} index_avx512bw;

AVX512BW static inline index_avx512bw index_at_avx512bw(const unsigned char *at)
{
    const __m256i index = load32_avx2(at);
    return (index_avx512bw){index, (__mmask16)~_mm256_movepi16_mask(index)};
}

AVX512BW static inline __m256i rest_avx512bw(__m256i vector, index_avx512bw index)
{
    return _mm256_maskz_mov_epi16((__mmask16)~index.taken, vector);
}

AVX512BW static inline __m256i move_avx512bw(__m256i window, index_avx512bw index)
{
    return _mm256_permutexvar_epi16(index.at, window);
}

AVX512BW static inline __m256i take_avx512bw(__m256i vector, index_avx512bw index, __m256i window)
{
    return _mm256_mask_permutexvar_epi16(vector, index.taken, index.at, window);
}

AVX512BW static inline __m256i load_some_avx512bw(const unsigned char *at, uint64_t mask)
{
    return _mm256_maskz_loadu_epi8((__mmask32)mask, at);
}

AVX512BW static inline void store_some_avx512bw(unsigned char *at, uint64_t mask, __m256i vector)
{
    _mm256_mask_storeu_epi8(at, (__mmask32)mask, vector);
}

#define FORM(name)   name##_avx512bw
#define TARGET       AVX512BW
#define VECTOR       __m256i
#define VECTOR_BYTES 32
#define LANES        1
#define MASKED       1
#define LOAD         load32_avx2
#define STORE        store32_avx2
#define ZERO         zero32_avx2
#include "tiles_template.h"

static int has_avx512bw(void)
{
    return tpad_processor_has(avx512bw) && tpad_processor_has(avx512vl);
}

enum { STREAM_BYTES_AVX512BW = 32 << 20 };

static const tpad_form forms_avx512bw[] = {
    {32, 1, 32, 2, 1, STREAM_BYTES_AVX512BW, tiles_avx512bw},
    BYTES_AVX2(STREAM_BYTES_AVX512BW),
};

X86_KERNELS(avx512bw, forms_avx512bw, &tpad_bits_avx2);

#else
typedef int tpad_no_avx512bw; /* ISO C requires a declaration in every file */
#endif
