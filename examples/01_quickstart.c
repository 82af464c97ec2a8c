#include <stdio.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    const int src[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int dst[2][7];
    tpad_axis axes[2] = {{.in_extent = 2},
                         {.in_extent = 3, .before = 2, .after = 2, .mode = TPAD_REFLECT}};
    tpad_problem problem = TPAD_PROBLEM_OF(int, axes);
    if (tpad_pad(&problem, src, dst, NULL, NULL) != TPAD_OK) return 1;
    for (int i = 0; i < 7; i++) printf("%d%c", dst[1][i], i < 6 ? ' ' : '\n'); /* 6 5 4 5 6 5 4 */
    return 0;
}
