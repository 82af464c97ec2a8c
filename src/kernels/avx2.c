/* Tiles by AVX2: 32 bytes at a time. Words of four bytes come from anywhere in a window of 32
 * (vpermd), single bytes from anywhere in a window of 16 per half of the vector (vpshufb).
 * SPDX-License-Identifier: MIT */
#include "avx2.h"
#include "x86.h"

#if defined(TPAD_SIMD_X86)

/* ---- Bytes ----------------------------------------------------------------------------------- */

typedef __m256i index_bytes_avx2;

AVX2 static inline __m256i load_lanes_bytes_avx2(const unsigned char *low,
                                                 const unsigned char *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low)), load16(high), 1);
}

AVX2 static inline __m256i rest_bytes_avx2(__m256i vector, __m256i index)
{
    return _mm256_and_si256(vector, _mm256_cmpgt_epi8(zero32_avx2(), index));
}

/* Gives 0 for negative indices. */
AVX2 static inline __m256i move_bytes_avx2(__m256i window, __m256i index)
{
    return _mm256_shuffle_epi8(window, index);
}

AVX2 static inline __m256i take_bytes_avx2(__m256i vector, __m256i index, __m256i window)
{
    return _mm256_or_si256(vector, move_bytes_avx2(window, index));
}

#define index_at_bytes_avx2 load32_avx2
#define FORM(name)          name##_bytes_avx2
#define TARGET              AVX2
#define VECTOR              __m256i
#define VECTOR_BYTES        32
#define LANES               2
#define MASKED              0
#define LOAD                load32_avx2
#define STORE               store32_avx2
#define ZERO                zero32_avx2
#include "tiles_template.h"

TPAD_INTERNAL_DEF void tpad_tiles_bytes_avx2(const tpad_tiles *tiles)
{
    tiles_bytes_avx2(tiles);
}

/* ---- Words of four bytes --------------------------------------------------------------------- */

typedef struct index_words_avx2 {
    __m256i at, taken;
} index_words_avx2;

AVX2 static inline index_words_avx2 index_at_words_avx2(const unsigned char *at)
{
    const __m256i index = load32_avx2(at);
    return (index_words_avx2){index, _mm256_cmpgt_epi32(index, _mm256_set1_epi32(-1))};
}

AVX2 static inline __m256i rest_words_avx2(__m256i vector, index_words_avx2 index)
{
    return _mm256_andnot_si256(index.taken, vector);
}

AVX2 static inline __m256i move_words_avx2(__m256i window, index_words_avx2 index)
{
    return _mm256_permutevar8x32_epi32(window, index.at);
}

AVX2 static inline __m256i take_words_avx2(__m256i vector, index_words_avx2 index, __m256i window)
{
    return _mm256_or_si256(vector, _mm256_and_si256(move_words_avx2(window, index), index.taken));
}

#define FORM(name)   name##_words_avx2
#define TARGET       AVX2
#define VECTOR       __m256i
#define VECTOR_BYTES 32
#define LANES        1
#define MASKED       0
#define LOAD         load32_avx2
#define STORE        store32_avx2
#define ZERO         zero32_avx2
#include "tiles_template.h"

/* ---- Packed output: two tiles in a vector ---------------------------------------------------- */

AVX2 static inline __m256i read_tiles_avx2(const unsigned char *at, int64_t step)
{
    return load_lanes_bytes_avx2(at, at + step);
}

AVX2 static inline void write_tiles_avx2(unsigned char *at, int64_t step, __m256i vector)
{
    store16(at, _mm256_castsi256_si128(vector));
    store16(at + step, _mm256_extracti128_si256(vector, 1));
}

AVX2 static inline __m256i twice_avx2(const unsigned char *at)
{
    return _mm256_broadcastsi128_si256(load16(at));
}

#define FORM(name) name##_avx2
#define TARGET     AVX2
#define VECTOR     __m256i
#define TILES      2
#define SAME       twice_avx2
#define SHUFFLE    _mm256_shuffle_epi8
#include "pairs_template.h"

TPAD_INTERNAL_DEF const tpad_bit_form tpad_bits_avx2 = {16, TPAD_PASS_VECTORS_PAIRS,
                                                        bit_tiles_avx2};

static int has_avx2(void)
{
    return tpad_processor_has(avx2);
}

enum { STREAM_BYTES_AVX2 = 16 << 20 };

static const tpad_form forms_avx2[] = {
    {32, 1, 32, 4, 0, STREAM_BYTES_AVX2, tiles_words_avx2},
    BYTES_AVX2(STREAM_BYTES_AVX2),
};

X86_KERNELS(avx2, forms_avx2, &tpad_bits_avx2);

#else
typedef int tpad_no_avx2; /* ISO C requires a declaration in every file */
#endif
