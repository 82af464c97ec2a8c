/* The five modes: what lies beyond the ends of abcd. Then what a refused problem says: a status for
 * the program, and one line for people. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

static void pad(const char *title, tpad_axis axis)
{
    const tpad_axis axes[2] = {{.in_extent = 1}, axis};
    const tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    char row[32] = "", line[200];
    tpad_error error;
    const int32_t status = tpad_pad(&problem, "abcd", row, ".", &error);
    if (status == TPAD_OK) {
        printf("%-9s  %.6s [%.4s] %.6s\n", title, row, row + 6, row + 10);
        return;
    }
    tpad_error_format(&error, line, sizeof line);
    printf("%s (%d): %s\n", tpad_status_name(status), (int)status, line);
}

int main(void)
{
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT;
         mode++) /* beyond 3 cells: as often as it takes */
        pad(tpad_mode_name(mode),
            (tpad_axis){.in_extent = 4, .before = 6, .after = 6, .mode = mode});
    pad("cropped", (tpad_axis){.in_extent = 4, .before = -2, .after = -3});
    pad("empty", (tpad_axis){.before = 1, .after = 1, .mode = TPAD_EDGE});
    pad("unknown", (tpad_axis){.in_extent = 4, .before = 1, .after = 1, .mode = 17});
    return 0;
}
