/* Strides: one channel of an interleaved image, upside down, is padded as it lies in memory.
 * Nothing is copied first. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    const char image[2][3][3] = {{"rGb", "sHc", "tId"}, {"uJe", "vKf", "wLg"}}; /* rows of pixels */
    char green[4][5];
    tpad_axis axes[2] = {
        {.in_extent = 2, .before = 1, .after = 1, .in_stride = -(int64_t)sizeof image[0]},
        {.in_extent = 3, .before = 1, .after = 1, .in_stride = sizeof image[0][0]}};
    tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    problem.flags = TPAD_IN_STRIDES; /* the output is dense */

    /* Element [0, 0] of the view: the last row, the first pixel, the second channel. */
    if (tpad_pad(&problem, &image[1][0][1], green, ".", NULL) != TPAD_OK) return 1;
    for (int row = 0; row < 4; row++) printf("%.5s\n", green[row]);
    return 0;
}
