/* What else an axis says: negative amounts crop; `order` tells whether a mode repeats the whole
 * input or only what the crop has left; cells between neighbours. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

static int show(const char *title, tpad_axis axis)
{
    const tpad_axis axes[] = {axis};
    const tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    char row[16] = "";
    if (tpad_pad(&problem, "1234", row, ".", NULL) != TPAD_OK) return 1;
    printf("%-30s %s\n", title, row);
    return 0;
}

int main(void)
{
    tpad_axis both = {.in_extent = 4, .before = -1, .after = 3, .mode = TPAD_REFLECT};
    int failed =
        show("cropped by one at both ends", (tpad_axis){.in_extent = 4, .before = -1, .after = -1});
    both.order = TPAD_WINDOW; /* 1234321... is extended first; then its beginning is cut off */
    failed += show("(-1, 3), reflect, window", both);
    both.order = TPAD_CROP; /* 234 is left, and is then extended: this is what ONNX does */
    failed += show("(-1, 3), reflect, crop first", both);
    failed += show("two cells between neighbours",
                   (tpad_axis){.in_extent = 4, .before = 1, .after = 1, .interior = 2});
    return failed;
}
