/* Kernels for x86-64: tiles by pshufb (16 bytes at a time), its AVX2 form (two such vectors in one)
 * and AVX-512 VBMI (64 bytes, masked). Packed tiles by AVX-512 alone: vpmultishiftqb picks bits,
 * GFNI turns the order of those in a byte. SPDX-License-Identifier: MIT
 *
 * Every function names the instructions it needs, so the file compiles without flags; one that only
 * a single variant executes ends with its name (scripts/test/not_run.py relies on it). What the
 * machine can do is asked of the compiler's run-time library, which looked when the program began:
 * asking the processor itself costs more than padding a small tensor. */
#include "tiles.h"

#if defined(TPAD_SIMD_X86)
#include <immintrin.h>

#define SSSE3  __attribute__((target("ssse3")))
#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni")))

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

AVX2 static inline __m256i load_two_avx2(const unsigned char *low, const unsigned char *high)
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
    const __m256i at = load_two_avx2(index, index), filled = load_two_avx2(fill, fill);
    const int64_t dst_step = r->inner_dst, src_step = r->inner_src;
    for (int64_t i = 0; i < r->outer; i++) {
        unsigned char *dst = r->dst + i * r->outer_dst;
        const unsigned char *src = r->src + i * r->outer_src;
        int64_t k = r->inner;
        for (; k > 1; k -= 2, dst += 2 * dst_step, src += 2 * src_step) {
            const __m256i taken = _mm256_shuffle_epi8(load_two_avx2(src, src + src_step), at);
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

/* A piece in registers. */
typedef struct piece_avx512 {
    __m512i index, fill;
    __mmask64 load, take;
    uint64_t store, load_far; /* not in mask registers, of which there are few */
    int64_t far;
} piece_avx512;

AVX512 static inline piece_avx512 hold_avx512(const tpad_tiles *t, int32_t k)
{
    const tpad_piece *p = &t->pieces[k];
    return (piece_avx512){_mm512_loadu_si512(t->index + 64 * k),
                          _mm512_loadu_si512(t->fill + p->phase),
                          p->load,
                          p->take,
                          p->store,
                          p->load_far,
                          p->far};
}

/* The vector of a piece. */
AVX512 static inline __m512i vector_avx512(const piece_avx512 *p, __m512i window,
                                           const unsigned char *src)
{
    if (p->load_far == 0) return _mm512_mask_permutexvar_epi8(p->fill, p->take, p->index, window);
    const __m512i far = _mm512_maskz_loadu_epi8(p->load_far, src + p->far);
    return _mm512_mask_mov_epi8(p->fill, p->take, _mm512_permutex2var_epi8(window, p->index, far));
}

/* How far ahead of a window that is in no cache: masked loads do not make the processor fetch what
 * follows. */
enum { PREFETCH_BYTES = 2048 };

/* `count` vectors. Masked moves only where they are needed, and whole aligned lines of large
 * outputs around the caches: on memory that is in no cache both are worth much. */
AVX512 static inline void repeat_avx512(const piece_avx512 *p, unsigned char *dst,
                                        const unsigned char *src, int64_t count, int64_t dst_step,
                                        int64_t src_step, int large)
{
    const __mmask64 all = ~UINT64_C(0);
    const int stream = large && (((uintptr_t)dst | (uintptr_t)dst_step) & 63) == 0;
    for (; count > 0; count--, dst += dst_step, src += src_step) {
        if (large && p->load != all) _mm_prefetch((const char *)src + PREFETCH_BYTES, _MM_HINT_T0);
        const __m512i window =
            p->load == all ? _mm512_loadu_si512(src) : _mm512_maskz_loadu_epi8(p->load, src);
        const __m512i vector = vector_avx512(p, window, src);
        if (p->store != all)
            _mm512_mask_storeu_epi8(dst, p->store, vector);
        else if (stream)
            _mm512_stream_si512((void *)dst, vector);
        else
            _mm512_storeu_si512(dst, vector);
    }
}

AVX512 static inline void put_avx512(unsigned char *dst, __mmask64 store, __m512i vector)
{
    if (store == ~UINT64_C(0))
        _mm512_storeu_si512(dst, vector);
    else
        _mm512_mask_storeu_epi8(dst, store, vector);
}

/* One vector; `simple`: written whole, from one window. */
AVX512 static inline void move_avx512(const piece_avx512 *p, unsigned char *dst,
                                      const unsigned char *src, int simple)
{
    const __m512i window = _mm512_maskz_loadu_epi8(p->load, src);
    if (simple)
        _mm512_storeu_si512(dst, _mm512_mask_permutexvar_epi8(p->fill, p->take, p->index, window));
    else
        put_avx512(dst, p->store, vector_avx512(p, window, src));
}

/* The number of the piece that copies whole vectors as they are, if the tile is at most two
 * vectors, such a copy, and at most two vectors: a row of medium length. Else -1. */
static int32_t copy_of_row_avx512(const tpad_tiles *t)
{
    const uint64_t all = ~UINT64_C(0);
    int32_t copy = -1;
    for (int32_t k = 0; k < t->piece_count; k++) {
        const tpad_piece *p = &t->pieces[k];
        if (p->count == 1) continue;
        if (copy >= 0 || p->take != all || p->load != all || p->dst_step != 64 || p->src_step != 64)
            return -1;
        copy = k;
    }
    return copy <= 2 && t->piece_count - copy <= 3 ? copy : -1;
}

static int is_simple_avx512(const tpad_piece *p)
{
    return p->store == ~UINT64_C(0) && p->load_far == 0;
}

/* Such rows one after the other, with everything in registers. All places are relative to the
 * copy's. `simple` (a constant): one simple vector on each side. */
AVX512 static inline void rows_avx512(const tpad_tiles *t, int32_t copy, int simple)
{
    const int32_t before = copy, after = t->piece_count - 1 - copy, last = t->piece_count - 1;
    const tpad_piece *p = t->pieces, *c = p + copy;
    const int32_t other[4] = {0, before > 1, copy + (after > 0), last};
    const piece_avx512 p0 = hold_avx512(t, other[0]), p1 = hold_avx512(t, other[1]);
    const piece_avx512 p2 = hold_avx512(t, other[2]), p3 = hold_avx512(t, other[3]);
    int64_t dst_at[4], src_at[4];
    for (int k = 0; k < 4; k++) {
        dst_at[k] = p[other[k]].dst - c->dst;
        src_at[k] = p[other[k]].src - c->src;
    }
    const __m512i index = _mm512_loadu_si512(t->index + 64 * copy);
    const int64_t bytes = c->count * INT64_C(64);
    for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++) {
        const int64_t dst_step = s->dst_step, src_step = s->src_step;
        unsigned char *dst = t->dst + s->dst + c->dst;
        const unsigned char *src = t->src + s->src + c->src;
        for (int64_t i = s->count; i > 0; i--, dst += dst_step, src += src_step) {
            if (simple || before > 0) move_avx512(&p0, dst + dst_at[0], src + src_at[0], simple);
            if (!simple && before > 1) move_avx512(&p1, dst + dst_at[1], src + src_at[1], 0);
            for (int64_t k = 0; k < bytes; k += 64)
                _mm512_storeu_si512(dst + k,
                                    _mm512_permutexvar_epi8(index, _mm512_loadu_si512(src + k)));
            if (simple || after > 0) move_avx512(&p2, dst + dst_at[2], src + src_at[2], simple);
            if (!simple && after > 1) move_avx512(&p3, dst + dst_at[3], src + src_at[3], 0);
        }
    }
}

/* One piece for one block of tiles. */
AVX512 static void block_avx512(const tpad_tiles *t, int32_t k, const tpad_rounds *r)
{
    const piece_avx512 p = hold_avx512(t, k);
    for (int64_t i = 0; i < r->outer; i++)
        repeat_avx512(&p, r->dst + i * r->outer_dst, r->src + i * r->outer_src, r->inner,
                      r->inner_dst, r->inner_src, r->large);
}

AVX512 static void tiles_avx512(const tpad_tiles *t)
{
    const int32_t copy = t->large ? -1 : copy_of_row_avx512(t);
    if (copy == 1 && t->piece_count == 3 && is_simple_avx512(&t->pieces[0]) &&
        is_simple_avx512(&t->pieces[2])) {
        rows_avx512(t, copy, 1);
        return;
    }
    if (copy >= 0) {
        rows_avx512(t, copy, 0);
        return;
    }
    for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++)
        for (int64_t i = 0; i < s->count; i += t->block)
            for (int32_t k = 0; k < t->piece_count; k++) {
                const tpad_rounds r = tpad_rounds_of(t, s, i, &t->pieces[k]);
                block_avx512(t, k, &r);
            }
}

#define UNROLLED _Pragma("GCC unroll 8")

/* A pass: what is wanted of the window is put over what was made before. */
AVX512 static inline __m512i pass_avx512(__m512i made, __m512i window, const unsigned char *pass)
{
    const __m512i in_lanes = _mm512_permutexvar_epi8(_mm512_loadu_si512(pass), window);
    const __m512i bits = _mm512_multishift_epi64_epi8(_mm512_loadu_si512(pass + 64), in_lanes);
    return _mm512_ternarylogic_epi64(made, bits, _mm512_loadu_si512(pass + 128), 0xD8);
}

/* The vector of the pieces [p, last] in each of some packed tiles: in eight at a time, so that
 * passes are read once for all of these. The last eight may be some that were done already: to do
 * them again changes nothing. Of fewer tiles each is done eight times. */
AVX512 static inline void repeat_bits_avx512(const tpad_piece *p, const tpad_piece *last,
                                             const unsigned char *passes, __m512i fill,
                                             const tpad_rounds *r)
{
    enum { EIGHT = 8 };
    const __mmask64 store = last->store;
    const int64_t step = r->inner < EIGHT ? 1 : EIGHT, most = r->inner - step;
    const int64_t dst_step = step == 1 ? 0 : r->inner_dst, src_step = step == 1 ? 0 : r->inner_src;
    for (int64_t n = 0; n < r->inner; n += step) {
        unsigned char *dst = r->dst + (n < most ? n : most) * r->inner_dst;
        const unsigned char *src = r->src + (n < most ? n : most) * r->inner_src, *pass = passes;
        __m512i made[EIGHT], window[EIGHT];
        UNROLLED for (int k = 0; k < EIGHT; k++) made[k] = fill;
        for (const tpad_piece *q = p; q <= last; q++) {
            const __mmask64 load = q->load;
            const unsigned char *from = src + q->src;
            UNROLLED for (int k = 0; k < EIGHT; k++) window[k] =
                _mm512_maskz_loadu_epi8(load, from + k * src_step);
            if (q->take != 0) {
                const __m512i turn = _mm512_set1_epi64((long long)q->take);
                UNROLLED for (int k = 0; k < EIGHT; k++) window[k] =
                    _mm512_gf2p8affine_epi64_epi8(window[k], turn, 0);
            }
            const unsigned char *end = pass + q->phase * TPAD_PASS_BYTES;
            for (; pass < end; pass += TPAD_PASS_BYTES) {
                UNROLLED for (int k = 0; k < EIGHT; k++) made[k] =
                    pass_avx512(made[k], window[k], pass);
            }
        }
        UNROLLED for (int k = 0; k < EIGHT; k++) put_avx512(dst + k * dst_step, store, made[k]);
    }
}

AVX512 static void bit_tiles_avx512(const tpad_tiles *t)
{
    const __m512i fill = _mm512_loadu_si512(t->fill);
    for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++)
        for (int64_t i = 0; i < s->count; i += t->block) {
            const tpad_piece *p = t->pieces, *end = p + t->piece_count;
            const unsigned char *passes = t->index;
            while (p < end) {
                const tpad_piece *last = p;
                int32_t count = p->phase;
                while (last->store == 0) count += (++last)->phase;
                const tpad_piece place = {.dst = p->dst, .count = 1};
                const tpad_rounds r = tpad_rounds_of(t, s, i, &place);
                repeat_bits_avx512(p, last, passes, fill, &r);
                passes += count * TPAD_PASS_BYTES;
                p = last + 1;
            }
        }
}

TPAD_DEFINE_TILES(ssse3, SSSE3, 16)
TPAD_DEFINE_TILES(avx2, AVX2, 16)

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
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("gfni");
}

#define X86_KERNELS(NAME, WIDTH, MASKED, BIT_TILES)                                                \
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
        .bit_tiles = BIT_TILES,                                                                    \
        .fence = fence,                                                                            \
    }

X86_KERNELS(ssse3, 16, 0, NULL);
X86_KERNELS(avx2, 16, 0, NULL);
X86_KERNELS(avx512, 64, 1, bit_tiles_avx512);

#else
typedef int tpad_no_x86; /* ISO C wants a declaration in every file */
#endif
