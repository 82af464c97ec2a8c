/* What a refused problem says: a status for the program, and one line for people.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

static void pad(int64_t extent, int64_t before, int64_t after, int32_t mode)
{
    const char src[8] = "abcdefg";
    char dst[32] = "", line[200];
    tpad_axis axes[2] = {{.in_extent = 1},
                         {.in_extent = extent, .before = before, .after = after, .mode = mode}};
    tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    tpad_error error;
    const int32_t status = tpad_pad(&problem, src, dst, ".", &error);
    if (status == TPAD_OK) {
        printf("%s\n", dst);
        return;
    }
    tpad_error_format(&error, line, sizeof line);
    printf("%s (%d): %s\n", tpad_status_name(status), (int)status, line);
}

int main(void)
{
    pad(3, 7, 7, TPAD_SYMMETRIC); /* longer than the axis: folded as often as it takes */
    pad(3, -2, -2, TPAD_CONSTANT);
    pad(0, 1, 1, TPAD_EDGE);
    pad(3, 1, 1, 17);
    return 0;
}
