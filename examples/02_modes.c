/* The five modes: what lies beyond the ends of abcd. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
        const tpad_axis axes[] = {{.in_extent = 4, .before = 6, .after = 6, .mode = mode}};
        const tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
        char row[17] = "";
        if (tpad_pad(&problem, "abcd", row, ".", NULL) != TPAD_OK) return 1;
        printf("%-9s  %.6s [%.4s] %.6s\n", tpad_mode_name(mode), row, row + 6, row + 10);
    }
    return 0;
}
