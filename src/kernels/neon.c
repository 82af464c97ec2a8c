/* Kernels for 64-bit ARM: tiles by tbx, 16 bytes at a time. SPDX-License-Identifier: MIT
 *
 * Every such processor has NEON, so there is nothing to ask. */
#include "tiles.h"

#if defined(TPAD_SIMD_NEON)
#include <arm_neon.h>

/* tbx leaves the bytes whose index is no byte of the window as they were: the fill, or what a
 * vector that is not written whole stands over. */
static inline void repeat_neon(const tpad_piece *p, const unsigned char *index,
                               const unsigned char *fill, const tpad_rounds *r)
{
    const uint8x16_t at = vld1q_u8(index);
    const int whole = p->store == 0xFFFF;
    for (int64_t i = 0; i < r->outer; i++) {
        unsigned char *dst = r->dst + i * r->outer_dst;
        const unsigned char *src = r->src + i * r->outer_src;
        for (int64_t k = 0; k < r->inner; k++, dst += r->inner_dst, src += r->inner_src)
            vst1q_u8(dst, vqtbx1q_u8(vld1q_u8(whole ? fill : dst), vld1q_u8(src), at));
    }
}

TPAD_DEFINE_TILES(neon, , 16)

static int has_neon(void)
{
    return 1;
}

TPAD_INTERNAL_DEF const tpad_kernels tpad_kernels_neon = {.name = "neon",
                                                          .usable = has_neon,
                                                          .copy = tpad_copy_plain,
                                                          .fill = tpad_fill_plain,
                                                          .copy_bits = tpad_copy_bits_plain,
                                                          .fill_bits = tpad_fill_bits_plain,
                                                          .vector_bytes = 16,
                                                          .tiles = tiles_neon};

#else
typedef int tpad_no_neon; /* ISO C wants a declaration in every file */
#endif
