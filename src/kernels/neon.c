/* Kernels for 64-bit ARM: tiles by tbx, 16 bytes at a time. SPDX-License-Identifier: MIT
 *
 * Every such processor has NEON, so there is nothing to ask. */
#include "kernels.h"

#if defined(TPAD_SIMD_NEON)
#include <arm_neon.h>

/* tbx leaves the bytes whose index is no byte of the window as they were: the fill, or what a piece
 * that is not written whole stands over. */
static inline void repeat_neon(const tpad_tiles *t, const tpad_piece *p, const uint8x16_t index,
                               unsigned char *dst, const unsigned char *src, int64_t count,
                               int64_t dst_step, int64_t src_step)
{
    const unsigned char *under = p->store == 0xFFFF ? t->fill + p->phase : NULL;
    for (; count > 0; count--, dst += dst_step, src += src_step)
        vst1q_u8(dst, vqtbx1q_u8(vld1q_u8(under ? under : dst), vld1q_u8(src), index));
}

static void shuffle_neon(const tpad_tiles *t)
{
    if (t->piece_count == 1 && t->pieces->count == 1) {
        repeat_neon(t, t->pieces, vld1q_u8(t->index), t->dst + t->pieces->dst,
                    t->src + t->pieces->src, t->count, t->dst_step, t->src_step);
        return;
    }
    for (int64_t i = 0; i < t->count; i++) {
        const tpad_piece *p = t->pieces;
        for (int32_t k = 0; k < t->piece_count; k++, p++)
            repeat_neon(t, p, vld1q_u8(t->index + 16 * k), t->dst + i * t->dst_step + p->dst,
                        t->src + i * t->src_step + p->src, p->count, p->dst_step, p->src_step);
    }
}

static int always(void)
{
    return 1;
}

TPAD_INTERNAL_DEF const tpad_kernels tpad_kernels_neon = {.name = "neon",
                                                          .usable = always,
                                                          .copy = tpad_copy_plain,
                                                          .fill = tpad_fill_plain,
                                                          .copy_bits = tpad_copy_bits_plain,
                                                          .fill_bits = tpad_fill_bits_plain,
                                                          .vector_bytes = 16,
                                                          .shuffle = shuffle_neon};

#else
typedef int tpad_no_neon; /* ISO C wants a declaration in every file */
#endif
