/* A plan for many tensors: its shape, the whole, its parts, and a box of it in memory of its own.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    const tpad_axis axes[2] = {{.in_extent = 2, .after = 1}, {.in_extent = 3, .before = 2}};
    const tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    const int64_t first[2] = {1, 1}, extents[2] = {2, 3}, strides[2] = {3, 1};
    tpad_box box = {.struct_size = sizeof box};
    tpad_plan plan, tile;
    int64_t bytes = 0;
    char *whole, small[7] = "";
    if (tpad_shape(&problem, NULL, NULL, &bytes, NULL) != TPAD_OK || bytes != 15) return 1;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    whole = malloc((size_t)bytes);
    if (!whole) return 1;
    if (tpad_run(&plan, "abcdef", whole, ".") != TPAD_OK) return 1;
    if (memcmp(whole, "..abc..def.....", 15) != 0) return 1;
    memset(whole, 0, (size_t)bytes);
    for (int64_t part = 0; part < 4; part++)
        if (tpad_run_part(&plan, "ghijkl", whole, "-", part, 4) != TPAD_OK) return 1;
    if (memcmp(whole, "--ghi--jkl-----", 15) != 0) return 1;

    box.first = first;
    box.extents = extents;
    box.out_strides = strides;
    if (tpad_plan_box(&tile, sizeof tile, &plan, &box, NULL) != TPAD_OK) return 1;
    if (tpad_run(&tile, "abcdef", small, ".") != TPAD_OK) return 1;
    printf("%s\n", small);
    free(whole);
    return strcmp(small, ".de...") != 0;
}
