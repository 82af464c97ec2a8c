/* Images and planes by one call, and a view with strides by a problem.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    const char *pixels = "RGBrgbCMYcmy"; /* 2 rows of 2 pixels of 3 bytes */
    char framed[4 * 4 * 3 + 1] = "", planes[2 * 1 * 4 + 1] = "", green[4] = "";
    const tpad_axis axes[2] = {{.in_extent = 1, .in_stride = 6},
                               {.in_extent = 2, .in_stride = 3, .before = 1}};
    tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    tpad_error error;
    if (tpad_pad_2d(3, 1, 2, 2, 1, 1, 1, 1, TPAD_WRAP, pixels, framed, NULL, &error) != TPAD_OK)
        return 1;
    if (strcmp(framed, "cmyCMYcmyCMYrgbRGBrgbRGBcmyCMYcmyCMYrgbRGBrgbRGB") != 0) return 1;
    if (tpad_pad_2d(1, 2, 1, 2, 0, 0, 1, 1, TPAD_CONSTANT, "abcd", planes, "0", &error) != TPAD_OK)
        return 1;
    if (strcmp(planes, "0ab00cd0") != 0) return 1;
    problem.flags = TPAD_IN_STRIDES;
    if (tpad_pad(&problem, pixels + 1, green, ".", &error) != TPAD_OK) return 1;
    printf("%s\n", green);
    return strcmp(green, ".Gg") != 0;
}
