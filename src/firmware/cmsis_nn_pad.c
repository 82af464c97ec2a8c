/* CMSIS-NN's arm_pad_s8.  SPDX-License-Identifier: MIT
 *
 * It uses nothing else of tensorpad. A row is contiguous in the input: axes without pads join the
 * one outside them. All fill between two rows, from the end of one row, plane and batch to the
 * beginning of the next, is one memset. */
#include "cmsis_nn_pad.h"

#include <stddef.h>

#if defined(__GNUC__)
#define COPY_BYTES __builtin_memcpy
#define FILL_BYTES __builtin_memset
#else
#include <string.h>
#define COPY_BYTES memcpy
#define FILL_BYTES memset
#endif

enum { AXES = 4, MOST = 0x1FFFFFFF };

/* a * b, saturated at MOST + 1. Bit by bit, because not every processor has a long
 * multiplication. */
static size_t times(size_t a, size_t b)
{
    size_t product = 0;
    for (; b > 0; b >>= 1) {
        if (a > MOST - product) return (size_t)MOST + 1;
        if (b & 1) product += a;
        a *= 2;
    }
    return product;
}

/* Entry k of n, h, w, c. */
static int32_t entry(const cmsis_nn_dims *dims, size_t k)
{
    return *(const int32_t *)(const void *)((const char *)dims + k * sizeof(int32_t));
}

typedef struct padded_axis {
    int32_t count, left;  /* indices of the input that are read; those left in this pass */
    size_t between, skip; /* bytes of fill, and of skipped input, between two passes */
} padded_axis;

arm_cmsis_nn_status tpad_arm_pad_s8(const int8_t *input, int8_t *output, const int8_t pad_value,
                                    const cmsis_nn_dims *input_size, const cmsis_nn_dims *pre_pad,
                                    const cmsis_nn_dims *post_pad)
{
    /* Innermost axis first. `last` is the innermost padded one: a row is its indices. */
    padded_axis axes[AXES], *last = NULL, *const outer = axes + AXES - 1;
    size_t out_bytes = 1, in_bytes = 1; /* of one index of the next axis */
    size_t gap = 0, row = 0, from = 0;
    int32_t reads = 1;
    if (!input || input == output || !input_size || !pre_pad || !post_pad)
        return ARM_CMSIS_NN_ARG_ERROR;
    for (padded_axis *a = axes; a <= outer; a++) {
        const size_t at = (size_t)(outer - a);
        const int32_t in = entry(input_size, at), before = entry(pre_pad, at),
                      after = entry(post_pad, at);
        const uint32_t out = (uint32_t)in + (uint32_t)before + (uint32_t)after;
        /* With input, output and `after` in range, no sum below overflows. */
        if ((uint32_t)in > MOST || (uint32_t)after + MOST > 2 * MOST || out > MOST)
            return ARM_CMSIS_NN_ARG_ERROR;
        a->count = after < 0 ? in + after : in;
        if (before < 0) {
            a->count += before;
            from -= (size_t)before * in_bytes;
        } else
            gap += (size_t)before * out_bytes;
        a->left = a->count;
        reads &= a->count > 0;
        a->skip = (size_t)(in - a->count) * in_bytes;
        a->between = (out - (size_t)a->count) * out_bytes;
        if (!last) {
            row = (size_t)a->count * in_bytes;
            if ((before | after) || a == outer) last = a;
        }
        out_bytes = times(out_bytes, out);
        in_bytes *= (size_t)in;
    }
    if (out_bytes == 0) return ARM_CMSIS_NN_SUCCESS;
    if (!output || out_bytes > MOST) return ARM_CMSIS_NN_ARG_ERROR;

    int8_t *const end = output + out_bytes;
    for (padded_axis *a = last; reads && a <= outer;) {
        FILL_BYTES(output, pad_value, gap);
        COPY_BYTES(output + gap, input + from, row);
        output += gap + row;
        from += row;
        gap = 0;
        for (a = last; a <= outer; a++) {
            gap += a->between;
            from += a->skip;
            if (a < outer && --a[1].left > 0) break;
            if (a < outer) a[1].left = a[1].count;
        }
    }
    FILL_BYTES(output, pad_value, (size_t)(end - output));
    return ARM_CMSIS_NN_SUCCESS;
}
