/* Interior cells and a fill value: the example of nGraph's document.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    const int src[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, fill = 42;
    int dst[7][9];
    tpad_axis axes[2] = {{.in_extent = 3, .before = 1, .after = 1, .interior = 1},
                         {.in_extent = 3, .before = 2, .interior = 2}};
    tpad_problem problem = TPAD_PROBLEM_OF(int, axes);
    if (tpad_pad(&problem, src, dst, &fill, NULL) != TPAD_OK) return 1;
    for (int row = 0; row < 7; row++)
        for (int column = 0; column < 9; column++)
            printf("%2d%c", dst[row][column], column < 8 ? ' ' : '\n');
    return 0;
}
