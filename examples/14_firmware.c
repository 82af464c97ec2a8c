/* The small build, for a microcontroller: 32-bit indices, no heap, a plan of 128 bytes.
 * It is compiled together with the library's sources:
 *
 *     cc -std=c11 -Os -DTPAD_SMALL -DTPAD_MAX_RANK=3 -Iinclude examples/14_firmware.c \
 *         src/core/axis.c src/core/problem.c src/firmware/small_build.c
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

/* In firmware these are all the memory that padding takes: three channels of a camera, int8. */
static int8_t image[2][3][3] = {{{11, 21, 31}, {12, 22, 32}, {13, 23, 33}},
                                {{14, 24, 34}, {15, 25, 35}, {16, 26, 36}}};
static int8_t padded[4][5][3];
static tpad_plan plan;

int main(void)
{
    const tpad_axis axes[3] = {{.in_extent = 2, .before = 1, .after = 1},
                               {.in_extent = 3, .before = 1, .after = 1},
                               {.in_extent = 3}};
    const tpad_problem problem = TPAD_PROBLEM_OF(int8_t, axes);
    const int8_t zero_point = -1;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;

    tpad_run(&plan, image, padded, &zero_point); /* for each frame */
    printf("a plan of %d bytes; the first channel:\n", (int)sizeof plan);
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 5; column++)
            printf("%2d%c", padded[row][column][0], column < 4 ? ' ' : '\n');
    return 0;
}
