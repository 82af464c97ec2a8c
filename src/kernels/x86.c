/* Kernels for x86-64: tiles by pshufb (16 bytes at a time), its AVX2 form (two such vectors in one)
 * and AVX-512 VBMI (64 bytes, masked). SPDX-License-Identifier: MIT
 *
 * Every function names the instructions it needs, so the file compiles without flags. What the
 * machine can do is asked of the compiler's run-time library, which looked when the program began:
 * asking the processor itself costs more than padding a small tensor. */
#include "kernels.h"

#if defined(TPAD_SIMD_X86)
#include <immintrin.h>

#define SSSE3  __attribute__((target("ssse3")))
#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

/* Lines of 64 bytes past the caches; what is left of a line at either end goes the usual way. */
static void stream_x86(unsigned char *dst, const unsigned char *src, int64_t bytes)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst & 63);
    if (head + 64 > bytes) {
        tpad_memcpy(dst, src, (size_t)bytes);
        return;
    }
    tpad_memcpy(dst, src, (size_t)head);
    int64_t i = head;
    for (; i + 64 <= bytes; i += 64)
        for (int64_t k = i; k < i + 64; k += 16)
            _mm_stream_si128((__m128i *)(void *)(dst + k),
                             _mm_loadu_si128((const __m128i *)(const void *)(src + k)));
    tpad_memcpy(dst + i, src + i, (size_t)(bytes - i));
    _mm_sfence();
}

static __m128i load16(const unsigned char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* The `count` vectors of a piece, or of as many tiles of one piece. Vectors that are not written
 * whole are put over what stands there already. */
SSSE3 static void repeat_ssse3(const tpad_tiles *t, const tpad_piece *p, const __m128i index,
                               unsigned char *dst, const unsigned char *src, int64_t count,
                               int64_t dst_step, int64_t src_step)
{
    const unsigned char *under = p->store == 0xFFFF ? t->fill + p->phase : NULL;
    const __m128i fill = _mm_cmpgt_epi8(_mm_setzero_si128(), index);
    for (; count > 0; count--, dst += dst_step, src += src_step) {
        const __m128i taken = _mm_shuffle_epi8(load16(src), index);
        const __m128i rest = _mm_and_si128(load16(under ? under : dst), fill);
        _mm_storeu_si128((__m128i *)(void *)dst, _mm_or_si128(taken, rest));
    }
}

SSSE3 static void shuffle_ssse3(const tpad_tiles *t)
{
    if (t->piece_count == 1 && t->pieces->count == 1) {
        repeat_ssse3(t, t->pieces, load16(t->index), t->dst + t->pieces->dst,
                     t->src + t->pieces->src, t->count, t->dst_step, t->src_step);
        return;
    }
    for (int64_t i = 0; i < t->count; i++) {
        const tpad_piece *p = t->pieces;
        for (int32_t k = 0; k < t->piece_count; k++, p++)
            repeat_ssse3(t, p, load16(t->index + 16 * k), t->dst + i * t->dst_step + p->dst,
                         t->src + i * t->src_step + p->src, p->count, p->dst_step, p->src_step);
    }
}

AVX2 static __m256i load_two(const unsigned char *low, const unsigned char *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low)), load16(high), 1);
}

/* Two vectors at a time; of an odd count the last one is done twice. */
AVX2 static void repeat_avx2(const tpad_tiles *t, const tpad_piece *p, const unsigned char *index,
                             unsigned char *dst, const unsigned char *src, int64_t count,
                             int64_t dst_step, int64_t src_step)
{
    if (count == 1 || p->store != 0xFFFF) {
        repeat_ssse3(t, p, load16(index), dst, src, count, dst_step, src_step);
        return;
    }
    const __m256i at = _mm256_broadcastsi128_si256(load16(index));
    const __m256i fill = _mm256_broadcastsi128_si256(load16(t->fill + p->phase));
    for (int64_t i = 0; i < count; i += 2) {
        if (i + 1 == count) i--;
        const unsigned char *from = src + i * src_step;
        unsigned char *to = dst + i * dst_step;
        const __m256i taken = _mm256_shuffle_epi8(load_two(from, from + src_step), at);
        const __m256i both = _mm256_blendv_epi8(taken, fill, at);
        if (dst_step == 16) {
            _mm256_storeu_si256((__m256i *)(void *)to, both);
        } else {
            _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(both));
            _mm_storeu_si128((__m128i *)(void *)(to + dst_step), _mm256_extracti128_si256(both, 1));
        }
    }
}

/* 1 if two pieces are one vector each, whole, and neighbours. */
static int are_twins(const tpad_piece *p)
{
    return p[0].count == 1 && p[1].count == 1 && p[1].dst == p[0].dst + 16 &&
           (p[0].store & p[1].store) == 0xFFFF;
}

AVX2 static void shuffle_avx2(const tpad_tiles *t)
{
    if (t->piece_count == 1 && t->pieces->count == 1) {
        repeat_avx2(t, t->pieces, t->index, t->dst + t->pieces->dst, t->src + t->pieces->src,
                    t->count, t->dst_step, t->src_step);
        return;
    }
    for (int64_t i = 0; i < t->count; i++) {
        unsigned char *dst = t->dst + i * t->dst_step;
        const unsigned char *src = t->src + i * t->src_step;
        for (int32_t k = 0; k < t->piece_count; k++) {
            const tpad_piece *p = t->pieces + k;
            const unsigned char *index = t->index + 16 * k;
            if (k + 1 < t->piece_count && are_twins(p)) {
                const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)index);
                const __m256i fill = load_two(t->fill + p[0].phase, t->fill + p[1].phase);
                const __m256i taken =
                    _mm256_shuffle_epi8(load_two(src + p[0].src, src + p[1].src), at);
                _mm256_storeu_si256((__m256i *)(void *)(dst + p->dst),
                                    _mm256_blendv_epi8(taken, fill, at));
                k++;
            } else {
                repeat_avx2(t, p, index, dst + p->dst, src + p->src, p->count, p->dst_step,
                            p->src_step);
            }
        }
    }
}

/* Masked moves are for what needs them: on memory that is in no cache they are slower. */
AVX512 static inline void move_avx512(const tpad_piece *p, __m512i at, __m512i fill,
                                      unsigned char *dst, const unsigned char *src)
{
    const __m512i window =
        p->load == ~UINT64_C(0) ? _mm512_loadu_si512(src) : _mm512_maskz_loadu_epi8(p->load, src);
    const __m512i vector = _mm512_mask_permutexvar_epi8(fill, p->take, at, window);
    if (p->store == ~UINT64_C(0))
        _mm512_storeu_si512(dst, vector);
    else
        _mm512_mask_storeu_epi8(dst, p->store, vector);
}

AVX512 static void repeat_avx512(const tpad_tiles *t, const tpad_piece *p, const __m512i at,
                                 unsigned char *dst, const unsigned char *src, int64_t count,
                                 int64_t dst_step, int64_t src_step)
{
    const __m512i fill = _mm512_loadu_si512(t->fill + p->phase);
    for (; count > 0; count--, dst += dst_step, src += src_step) move_avx512(p, at, fill, dst, src);
}

AVX512 static void shuffle_avx512(const tpad_tiles *t)
{
    if (t->piece_count == 1 && t->pieces->count == 1) {
        repeat_avx512(t, t->pieces, _mm512_loadu_si512(t->index), t->dst + t->pieces->dst,
                      t->src + t->pieces->src, t->count, t->dst_step, t->src_step);
        return;
    }
    unsigned char *dst = t->dst;
    const unsigned char *src = t->src;
    for (int64_t i = 0; i < t->count; i++, dst += t->dst_step, src += t->src_step) {
        const tpad_piece *p = t->pieces, *end = p + t->piece_count;
        for (const unsigned char *index = t->index; p < end; p++, index += 64) {
            const __m512i at = _mm512_loadu_si512(index);
            if (p->count == 1)
                move_avx512(p, at, _mm512_loadu_si512(t->fill + p->phase), dst + p->dst,
                            src + p->src);
            else
                repeat_avx512(t, p, at, dst + p->dst, src + p->src, p->count, p->dst_step,
                              p->src_step);
        }
    }
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
        .shuffle = shuffle_##NAME,                                                                 \
        .stream = stream_x86,                                                                      \
    }

X86_KERNELS(ssse3, 16, 0);
X86_KERNELS(avx2, 16, 0);
X86_KERNELS(avx512, 64, 1);

#else
typedef int tpad_no_x86; /* ISO C wants a declaration in every file */
#endif
