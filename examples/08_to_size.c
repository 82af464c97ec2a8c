/* From a size to amounts: a picture of 5 x 9 in the middle of a square of a multiple of 8.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/fit.h>

int main(void)
{
    const tpad_fit_axis target = {.multiple = 8, .align = TPAD_ALIGN_CENTER},
                        targets[2] = {target, target};
    tpad_fit fit = TPAD_FIT(2, targets);
    fit.aspect_axes[1] = 1;            /* axes 0 and 1 ... */
    fit.aspect[0] = fit.aspect[1] = 1; /* ... are 1 : 1 */

    tpad_axis axes[2] = {{.in_extent = 5}, {.in_extent = 9}};
    if (tpad_fit_amounts(&fit, NULL, axes, NULL) != TPAD_OK) return 1;
    const tpad_problem problem = TPAD_PROBLEM_OF(unsigned char, axes);
    int64_t extents[2];
    if (tpad_shape(&problem, extents, NULL, NULL, NULL) != TPAD_OK) return 1;
    for (int i = 0; i < 2; i++)
        printf("axis %d: %d + %d + %d = %d\n", i, (int)axes[i].before, (int)axes[i].in_extent,
               (int)axes[i].after, (int)extents[i]);
    return 0;
}
