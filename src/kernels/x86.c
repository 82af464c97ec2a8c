/* Kernels for x86-64: tiles by pshufb (16 bytes at a time), its AVX2 form (two such vectors in one)
 * and AVX-512 VBMI (64 bytes, masked). SPDX-License-Identifier: MIT
 *
 * Every function names the instructions it needs, so the file compiles without flags. What the
 * machine can do is asked of the compiler's run-time library, which looked when the program began:
 * asking the processor itself costs more than padding a small tensor. */
#include "tiles.h"

#if defined(TPAD_SIMD_X86)
#include <immintrin.h>

#define SSSE3  __attribute__((target("ssse3")))
#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

static inline __m128i load16(const unsigned char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline void store16(unsigned char *at, __m128i vector)
{
    _mm_storeu_si128((__m128i *)(void *)at, vector);
}

/* What is not written whole is put over what stands there already. */
SSSE3 static inline void repeat_ssse3(const tpad_piece *p, const unsigned char *index,
                                      const unsigned char *fill, const tpad_rounds *r)
{
    const __m128i at = load16(index), filled = _mm_cmpgt_epi8(_mm_setzero_si128(), at);
    const int whole = p->store == 0xFFFF;
    for (int64_t i = 0; i < r->outer; i++) {
        unsigned char *dst = r->dst + i * r->outer_dst;
        const unsigned char *src = r->src + i * r->outer_src;
        for (int64_t k = 0; k < r->inner; k++, dst += r->inner_dst, src += r->inner_src) {
            const __m128i rest = _mm_and_si128(load16(whole ? fill : dst), filled);
            store16(dst, _mm_or_si128(_mm_shuffle_epi8(load16(src), at), rest));
        }
    }
}

AVX2 static inline __m256i load_two(const unsigned char *low, const unsigned char *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low)), load16(high), 1);
}

/* Two vectors at a time. */
AVX2 static inline void repeat_avx2(const tpad_piece *p, const unsigned char *index,
                                    const unsigned char *fill, const tpad_rounds *r)
{
    if (p->store != 0xFFFF) {
        repeat_ssse3(p, index, fill, r);
        return;
    }
    const __m256i at = load_two(index, index), filled = load_two(fill, fill);
    const int64_t dst_step = r->inner_dst, src_step = r->inner_src;
    for (int64_t i = 0; i < r->outer; i++) {
        unsigned char *dst = r->dst + i * r->outer_dst;
        const unsigned char *src = r->src + i * r->outer_src;
        int64_t k = r->inner;
        for (; k > 1; k -= 2, dst += 2 * dst_step, src += 2 * src_step) {
            const __m256i taken = _mm256_shuffle_epi8(load_two(src, src + src_step), at);
            const __m256i both = _mm256_blendv_epi8(taken, filled, at);
            store16(dst, _mm256_castsi256_si128(both));
            store16(dst + dst_step, _mm256_extracti128_si256(both, 1));
        }
        if (k > 0) {
            const __m128i taken = _mm_shuffle_epi8(load16(src), _mm256_castsi256_si128(at));
            store16(dst, _mm_blendv_epi8(taken, _mm256_castsi256_si128(filled),
                                         _mm256_castsi256_si128(at)));
        }
    }
}

/* How far ahead of a window that is in no cache. */
enum { PREFETCH_BYTES = 2048 };

/* Masked moves only where they are needed, and whole aligned lines of large outputs around the
 * caches: on memory that is in no cache both are worth much. */
AVX512 static inline void repeat_avx512(const tpad_piece *p, const unsigned char *index,
                                        const unsigned char *fill, const tpad_rounds *r)
{
    const __m512i at = _mm512_loadu_si512(index), filled = _mm512_loadu_si512(fill);
    const __mmask64 load = p->load, store = p->store, take = p->take, all = ~UINT64_C(0);
    for (int64_t i = 0; i < r->outer; i++) {
        unsigned char *dst = r->dst + i * r->outer_dst;
        const unsigned char *src = r->src + i * r->outer_src;
        const int stream = r->large && (((uintptr_t)dst | (uintptr_t)r->inner_dst) & 63) == 0;
        for (int64_t k = 0; k < r->inner; k++, dst += r->inner_dst, src += r->inner_src) {
            if (r->large) _mm_prefetch((const char *)src + PREFETCH_BYTES, _MM_HINT_T0);
            const __m512i window =
                load == all ? _mm512_loadu_si512(src) : _mm512_maskz_loadu_epi8(load, src);
            const __m512i vector = _mm512_mask_permutexvar_epi8(filled, take, at, window);
            if (store != all)
                _mm512_mask_storeu_epi8(dst, store, vector);
            else if (stream)
                _mm512_stream_si512((void *)dst, vector);
            else
                _mm512_storeu_si512(dst, vector);
        }
    }
}

TPAD_DEFINE_TILES(ssse3, SSSE3, 16)
TPAD_DEFINE_TILES(avx2, AVX2, 16)
TPAD_DEFINE_TILES(avx512, AVX512, 64)

/* What went around the caches is in memory before whatever the caller tells other threads. */
static void fence(void)
{
    _mm_sfence();
}

static int has_ssse3(void)
{
    return __builtin_cpu_supports("ssse3") != 0;
}

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
}

#define X86_KERNELS(NAME, WIDTH, MASKED)                                                           \
    TPAD_INTERNAL_DEF const tpad_kernels tpad_kernels_##NAME = {                                   \
        .name = #NAME,                                                                             \
        .usable = has_##NAME,                                                                      \
        .copy = tpad_copy_plain,                                                                   \
        .fill = tpad_fill_plain,                                                                   \
        .copy_bits = tpad_copy_bits_plain,                                                         \
        .fill_bits = tpad_fill_bits_plain,                                                         \
        .vector_bytes = WIDTH,                                                                     \
        .masked = MASKED,                                                                          \
        .tiles = tiles_##NAME,                                                                     \
        .fence = fence,                                                                            \
    }

X86_KERNELS(ssse3, 16, 0);
X86_KERNELS(avx2, 16, 0);
X86_KERNELS(avx512, 64, 1);

#else
typedef int tpad_no_x86; /* ISO C wants a declaration in every file */
#endif
