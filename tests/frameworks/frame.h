/* The program of each project: a frame is reflected or filled around.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_FRAMEWORKS_FRAME_H
#define TENSORPAD_TESTS_FRAMEWORKS_FRAME_H

#include <tensorpad.h>

static int8_t padded[5][6];

/* 0 if the build refuses the mode. */
static int pad_frame(int32_t mode)
{
    static const int8_t frame[3][4] = {{11, 12, 13, 14}, {21, 22, 23, 24}, {31, 32, 33, 34}};
    const tpad_axis axes[2] = {{.in_extent = 3, .before = 1, .after = 1, .mode = mode},
                               {.in_extent = 4, .before = 1, .after = 1, .mode = mode}};
    const tpad_problem problem = TPAD_PROBLEM_OF(int8_t, axes);
    const int8_t zero_point = -1;
    return tpad_pad(&problem, frame, padded, &zero_point, NULL) == TPAD_OK;
}

/* Prints with a function like printf. */
#define PRINT_FRAME(print)                                                                         \
    for (int i = 0; i < 30; i++) print("%d%c", padded[i / 6][i % 6], i % 6 < 5 ? ' ' : '\n')

#endif
