/* The first program of a new user: one axis is reflected. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    const double src[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const double expected[2][6] = {{3, 2, 1, 2, 3, 2}, {6, 5, 4, 5, 6, 5}};
    double dst[2][6];
    const tpad_axis axes[] = {{.in_extent = 2},
                              {.in_extent = 3, .before = 2, .after = 1, .mode = TPAD_REFLECT}};
    const tpad_problem problem = TPAD_PROBLEM_OF(double, axes);
    const tpad_problem same = TPAD_PROBLEM_OF(src[0][0], axes); /* an element says its type */
    if (problem.rank != 2 || problem.elem_bits != 8 * (int)sizeof(double)) return 1;
    if (same.rank != 2 || same.elem_bits != problem.elem_bits) return 1;
    if (tpad_pad(&problem, src, dst, NULL, NULL) != TPAD_OK) return 1;
    if (memcmp(dst, expected, sizeof dst) != 0) return 1;
    printf("%s %s\n", tpad_version(), tpad_mode_name(axes[1].mode));
    return 0;
}
