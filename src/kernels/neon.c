/* Tiles for 64-bit ARM: 16 bytes at a time, from anywhere in a window of 16 (tbl).
 * SPDX-License-Identifier: MIT
 *
 * Every such processor has NEON, so there is nothing to detect. */
#include "kernels.h"
#include "words.h"

#if defined(TPAD_SIMD_NEON)
#include <arm_neon.h>

typedef uint8x16_t index_neon;

static inline uint8x16_t zero_neon(void)
{
    return vdupq_n_u8(0);
}

static inline uint8x16_t rest_neon(uint8x16_t vector, uint8x16_t index)
{
    return vandq_u8(vector, vcltzq_s8(vreinterpretq_s8_u8(index)));
}

/* tbx leaves bytes with an out-of-range index unchanged. */
static inline uint8x16_t take_neon(uint8x16_t vector, uint8x16_t index, uint8x16_t window)
{
    return vqtbx1q_u8(vector, window, index);
}

#define move_neon     vqtbl1q_u8
#define index_at_neon vld1q_u8
#define FORM(name)    name##_neon
#define TARGET
#define VECTOR       uint8x16_t
#define VECTOR_BYTES 16
#define LANES        1
#define MASKED       0
#define LOAD         vld1q_u8
#define STORE        vst1q_u8
#define ZERO         zero_neon
#include "tiles_template.h"

/* ---- Packed output --------------------------------------------------------------------------- */

static inline uint8x16_t read_tiles_neon(const unsigned char *at, int64_t step)
{
    (void)step;
    return vld1q_u8(at);
}

static inline void write_tiles_neon(unsigned char *at, int64_t step, uint8x16_t vector)
{
    (void)step;
    vst1q_u8(at, vector);
}

#define FORM(name) name##_neon
#define TARGET
#define VECTOR  uint8x16_t
#define TILES   1
#define SAME    vld1q_u8
#define SHUFFLE vqtbl1q_u8
#include "pairs_template.h"

static int has_neon(void)
{
    return 1;
}

static const tpad_bit_form bits_neon = {16, TPAD_PASS_VECTORS_PAIRS, bit_tiles_neon};

static const tpad_form forms_neon[] = {{16, 1, 16, 1, 0, 0, tiles_neon}};

TPAD_INTERNAL_DEF const tpad_kernels tpad_kernels_neon = {.name = "neon",
                                                          .usable = has_neon,
                                                          .copy = tpad_copy_plain,
                                                          .fill = tpad_fill_plain,
                                                          .copy_bits = tpad_copy_bits_plain,
                                                          .fill_bits = tpad_fill_bits_plain,
                                                          .words = tpad_run_words,
                                                          .forms = forms_neon,
                                                          .form_count = 1,
                                                          .bits = &bits_neon};

#else
typedef int tpad_no_neon; /* ISO C requires a declaration in every file */
#endif
