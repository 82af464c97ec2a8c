/* tpad_arm_pad_s8 against what CMSIS-NN documents of arm_pad_s8, cell by cell.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../src/firmware/cmsis_nn_pad.h"

enum { MOST = 7 * 7 * 7 * 7, MARGIN = 16, PAINT = 0x55 };

static int32_t below(int32_t limit)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (int32_t)((state >> 8) % (uint32_t)limit);
}

static cmsis_nn_dims random_dims(int32_t least, int32_t most)
{
    const int32_t count = most - least + 1;
    const cmsis_nn_dims d = {least + below(count), least + below(count), least + below(count),
                             least + below(count)};
    return d;
}

static int inside(int32_t at, int32_t extent)
{
    return at >= 0 && at < extent;
}

static void random_pads(void **state)
{
    (void)state;
    static int8_t input[MOST], output[MOST + 2 * MARGIN], wanted[MOST + 2 * MARGIN];
    for (int i = 0; i < MOST; i++) input[i] = (int8_t)below(256);
    for (int round = 0; round < 6000; round++) {
        const cmsis_nn_dims in = random_dims(0, 3), pre = random_dims(-1, 2),
                            post = random_dims(-1, 2); /* those below 0 crop */
        const cmsis_nn_dims out = {in.n + pre.n + post.n, in.h + pre.h + post.h,
                                   in.w + pre.w + post.w, in.c + pre.c + post.c};
        const int8_t value = (int8_t)below(256);
        if (out.n < 0 || out.h < 0 || out.w < 0 || out.c < 0) continue;
        memset(output, PAINT, sizeof output);
        memset(wanted, PAINT, sizeof wanted);
        int8_t *to = wanted + MARGIN;
        for (int32_t n = -pre.n; n < in.n + post.n; n++)
            for (int32_t h = -pre.h; h < in.h + post.h; h++)
                for (int32_t w = -pre.w; w < in.w + post.w; w++)
                    for (int32_t c = -pre.c; c < in.c + post.c; c++)
                        *to++ =
                            inside(n, in.n) && inside(h, in.h) && inside(w, in.w) && inside(c, in.c)
                                ? input[((n * in.h + h) * in.w + w) * in.c + c]
                                : value;
        assert_int_equal(to - wanted - MARGIN, out.n * out.h * out.w * out.c);
        assert_int_equal(tpad_arm_pad_s8(input, output + MARGIN, value, &in, &pre, &post),
                         ARM_CMSIS_NN_SUCCESS);
        assert_memory_equal(output, wanted, sizeof output);
    }
}

static void wrong_arguments(void **state)
{
    (void)state;
    const int8_t input[1] = {1};
    int8_t output[16], untouched[16];
    memset(output, PAINT, sizeof output);
    memset(untouched, PAINT, sizeof untouched);
    const cmsis_nn_dims one = {1, 1, 1, 1}, none = {0, 0, 0, 0}, large = {INT32_MAX, 0, 0, 0},
                        less = {0, 0, -2, 0}, huge = {1 << 30, 1, 1, 1},
                        down = {1 - (1 << 30), 0, 0, 0}, up = {(1 << 30) - 1, 0, 0, 0},
                        below_zero = {-1, 1, 1, 1}, many = {1 << 15, 1 << 15, 1, 1},
                        empty = {0, 1 << 15, 1 << 15, 1 << 15};
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, NULL, &none, &none), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &one, NULL, &none), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &one, &none, NULL), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(NULL, output, 0, &one, &one, &none), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(output, output, 0, &one, &one, &none), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, NULL, 0, &one, &none, &none), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &one, &less, &none), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &one, &large, &none),
                     ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &many, &none, &none),
                     ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &huge, &down, &none),
                     ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &huge, &none, &down),
                     ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &one, &down, &up), ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &below_zero, &one, &one),
                     ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(tpad_arm_pad_s8(input, NULL, 0, &empty, &none, &none), ARM_CMSIS_NN_SUCCESS);
    assert_memory_equal(output, untouched, sizeof output);
    /* post_pad at its limit and beyond it, where both extents are 1. */
    cmsis_nn_dims before = {(1 << 29) - 1, 0, 0, 0}, after = {1 - (1 << 29), 0, 0, 0};
    assert_int_equal(tpad_arm_pad_s8(input, output, 7, &one, &before, &after),
                     ARM_CMSIS_NN_SUCCESS);
    assert_int_equal(output[0], 7);
    before.n++;
    after.n--;
    assert_int_equal(tpad_arm_pad_s8(input, output, 0, &one, &before, &after),
                     ARM_CMSIS_NN_ARG_ERROR);
    assert_int_equal(output[0], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_pads),
                                       cmocka_unit_test(wrong_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
