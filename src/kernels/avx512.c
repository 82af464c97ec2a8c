/* Tiles by AVX-512 VBMI: 64 bytes at a time, from anywhere in a window of 64 (vpermb); masks select
 * the bytes that are read and written. Packed tiles: vpmultishiftqb picks bits, GFNI reverses their
 * order in a byte. SPDX-License-Identifier: MIT */
#include "x86.h"

#if defined(TPAD_SIMD_X86)

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni")))

typedef struct index_avx512 {
    __m512i at;
    __mmask64 taken;
} index_avx512;

AVX512 static inline __m512i load_avx512(const unsigned char *at)
{
    return _mm512_loadu_si512(at);
}

AVX512 static inline void store_avx512(unsigned char *at, __m512i vector)
{
    _mm512_storeu_si512(at, vector);
}

AVX512 static inline index_avx512 index_at_avx512(const unsigned char *at)
{
    const __m512i index = load_avx512(at);
    return (index_avx512){index, ~_mm512_movepi8_mask(index)};
}

AVX512 static inline __m512i rest_avx512(__m512i vector, index_avx512 index)
{
    return _mm512_maskz_mov_epi8(~index.taken, vector);
}

AVX512 static inline __m512i move_avx512(__m512i window, index_avx512 index)
{
    return _mm512_permutexvar_epi8(index.at, window);
}

AVX512 static inline __m512i take_avx512(__m512i vector, index_avx512 index, __m512i window)
{
    return _mm512_mask_permutexvar_epi8(vector, index.taken, index.at, window);
}

AVX512 static inline __m512i load_some_avx512(const unsigned char *at, uint64_t mask)
{
    return _mm512_maskz_loadu_epi8(mask, at);
}

AVX512 static inline void store_some_avx512(unsigned char *at, uint64_t mask, __m512i vector)
{
    _mm512_mask_storeu_epi8(at, mask, vector);
}

#define FORM(name)   name##_avx512
#define TARGET       AVX512
#define VECTOR       __m512i
#define VECTOR_BYTES 64
#define LANES        1
#define MASKED       1
#define LOAD         load_avx512
#define STORE        store_avx512
#define ZERO         _mm512_setzero_si512
#include "tiles_template.h"

/* ---- Packed output --------------------------------------------------------------------------- */

enum { PASS_BYTES = TPAD_PASS_VECTORS_QUADWORDS * 64 };

#define EIGHT_TIMES _Pragma("GCC unroll 8") for (int k = 0; k < 8; k++)

/* Applies a pass: puts the selected bits of the window over the vector so far. */
AVX512 static inline __m512i pass_avx512(__m512i made, __m512i window, const unsigned char *pass)
{
    const __m512i in_lanes = _mm512_permutexvar_epi8(load_avx512(pass), window);
    const __m512i bits = _mm512_multishift_epi64_epi8(load_avx512(pass + 64), in_lanes);
    return _mm512_ternarylogic_epi64(made, bits, load_avx512(pass + 128), 0xD8);
}

/* Makes one vector, that of windows [w, last], in `count` tiles from number `first` on: in eight at
 * a time, so that passes are read once for all eight. The last eight may include tiles done before,
 * which changes nothing. If there are fewer tiles, each is done eight times. */
AVX512 static inline void bit_vector_avx512(const tpad_bit_tiles *t, const tpad_bit_window *w,
                                            const tpad_bit_window *last,
                                            const unsigned char *passes, int64_t first,
                                            int64_t count)
{
    const int64_t step = count < 8 ? 1 : 8, most = first + count - step;
    const int64_t dst_step = step == 1 ? 0 : t->span.dst_step;
    const int64_t src_step = step == 1 ? 0 : t->span.src_step;
    const __m512i fill = load_avx512(t->fill);
    for (int64_t n = first; n < first + count; n += step) {
        const int64_t at = n < most ? n : most;
        unsigned char *dst = t->dst + (t->span.dst + at * t->span.dst_step) + w->dst;
        const unsigned char *src = t->src + (t->span.src + at * t->span.src_step);
        const unsigned char *pass = passes;
        __m512i made[8], window[8];
        EIGHT_TIMES made[k] = fill;
        for (const tpad_bit_window *q = w; q <= last; q++) {
            const unsigned char *from = src + q->src[0];
            EIGHT_TIMES window[k] = load_some_avx512(from + k * src_step, q->load);
            if (q->turn != 0) {
                const __m512i turn = _mm512_set1_epi64((long long)q->turn);
                EIGHT_TIMES window[k] = _mm512_gf2p8affine_epi64_epi8(window[k], turn, 0);
            }
            for (int32_t p = q->passes; p > 0; p--, pass += PASS_BYTES)
                EIGHT_TIMES made[k] = pass_avx512(made[k], window[k], pass);
        }
        EIGHT_TIMES put_avx512(dst + k * dst_step, last->store, made[k]);
    }
}

AVX512 static void bit_tiles_avx512(const tpad_bit_tiles *t)
{
    for (int64_t i = 0; i < t->span.count; i += t->block) {
        const int64_t left = t->span.count - i, count = left < t->block ? left : t->block;
        const tpad_bit_window *w = t->windows, *end = w + t->window_count;
        const unsigned char *passes = t->passes;
        while (w < end) {
            const tpad_bit_window *last = w;
            int32_t number = w->passes;
            while (!last->last) number += (++last)->passes;
            bit_vector_avx512(t, w, last, passes, i, count);
            passes += number * PASS_BYTES;
            w = last + 1;
        }
    }
}

static int has_avx512(void)
{
    return tpad_processor_has(avx512bw) && tpad_processor_has(avx512vbmi) &&
           tpad_processor_has(gfni);
}

static const tpad_form forms_avx512[] = {{64, 1, 64, 1, 1, 32 << 20, tiles_avx512}};

static const tpad_bit_form bits_avx512 = {64, TPAD_PASS_VECTORS_QUADWORDS, bit_tiles_avx512};

X86_KERNELS(avx512, forms_avx512, &bits_avx512);

#else
typedef int tpad_no_avx512; /* ISO C requires a declaration in every file */
#endif
