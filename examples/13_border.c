/* A buffer with a halo, as a stencil uses it: the data stay where they are, and only the cells
 * around them are written, before each step. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

enum { ROWS = 2, COLUMNS = 4, HALO = 1 };

int main(void)
{
    int grid[ROWS + 2 * HALO][COLUMNS + 2 * HALO] = {{0}};
    tpad_axis axes[2] = {{.in_extent = ROWS, .before = HALO, .after = HALO, .mode = TPAD_EDGE},
                         {.in_extent = COLUMNS, .before = HALO, .after = HALO, .mode = TPAD_WRAP}};
    tpad_problem problem = TPAD_PROBLEM_OF(int, axes);
    tpad_plan plan, border;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK ||
        tpad_plan_border(&border, sizeof border, &plan, NULL) != TPAD_OK)
        return 1;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            grid[HALO + row][HALO + column] = 10 * (row + 1) + column;

    tpad_run(&border, grid, grid, NULL); /* the input lies in the output */
    for (int row = 0; row < ROWS + 2 * HALO; row++)
        for (int column = 0; column < COLUMNS + 2 * HALO; column++)
            printf("%d%c", grid[row][column], column < COLUMNS + 2 * HALO - 1 ? ' ' : '\n');
    return 0;
}
