/* Tiles by SSSE3: 16 bytes at a time, from anywhere in a window of 16 (pshufb).
 * SPDX-License-Identifier: MIT */
#include "x86.h"

#if defined(TPAD_SIMD_X86)

typedef __m128i index_ssse3;

static inline __m128i rest_ssse3(__m128i vector, __m128i index)
{
    return _mm_and_si128(vector, _mm_cmpgt_epi8(_mm_setzero_si128(), index));
}

/* pshufb gives 0 for negative indices. */
SSSE3 static inline __m128i take_ssse3(__m128i vector, __m128i index, __m128i window)
{
    return _mm_or_si128(vector, _mm_shuffle_epi8(window, index));
}

#define move_ssse3     _mm_shuffle_epi8
#define index_at_ssse3 load16
#define FORM(name)     name##_ssse3
#define TARGET         SSSE3
#define VECTOR         __m128i
#define VECTOR_BYTES   16
#define LANES          1
#define MASKED         0
#define LOAD           load16
#define STORE          store16
#define ZERO           _mm_setzero_si128
#include "tiles_template.h"

/* ---- Packed output --------------------------------------------------------------------------- */

static inline __m128i read_tiles_ssse3(const unsigned char *at, int64_t step)
{
    (void)step;
    return load16(at);
}

static inline void write_tiles_ssse3(unsigned char *at, int64_t step, __m128i vector)
{
    (void)step;
    store16(at, vector);
}

#define FORM(name) name##_ssse3
#define TARGET     SSSE3
#define VECTOR     __m128i
#define TILES      1
#define SAME       load16
#define SHUFFLE    _mm_shuffle_epi8
#include "pairs_template.h"

static int has_ssse3(void)
{
    return tpad_processor_has(ssse3);
}

static const tpad_form forms_ssse3[] = {{16, 1, 16, 1, 0, 16 << 20, tiles_ssse3}};

static const tpad_bit_form bits_ssse3 = {16, TPAD_PASS_VECTORS_PAIRS, bit_tiles_ssse3};

X86_KERNELS(ssse3, forms_ssse3, &bits_ssse3);

#else
typedef int tpad_no_ssse3; /* ISO C requires a declaration in every file */
#endif
