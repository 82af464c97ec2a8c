/* Every mistake that the library tells: forgotten flags, outputs on themselves, one pointer for
 * both sides, structs that nobody initialised. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

static int failures;

/* The status is E_ARGUMENT, and the line contains `words`. */
static void tells(int32_t status, const tpad_error *error, const char *words)
{
    char line[256];
    tpad_error_format(error, line, sizeof line);
    if (status == TPAD_E_ARGUMENT && strstr(line, words)) return;
    printf("status %d, '%s', without '%s'\n", (int)status, line, words);
    failures++;
}

int main(void)
{
    char src[8] = "abcdef", dst[16] = "";
    tpad_axis axes[2] = {{.in_extent = 2, .before = 1}, {.in_extent = 3}};
    tpad_problem problem = TPAD_PROBLEM_OF(char, axes), other;
    const int64_t first[2] = {0, 0}, extents[2] = {1, 1};
    tpad_box box = {.struct_size = sizeof box, .extents = extents};
    tpad_plan plan, border;
    tpad_error error;

    axes[1].in_stride = 1;
    tells(tpad_pad(&problem, src, dst, NULL, &error), &error, "axis 1: in_stride is 1");
    tells(tpad_pad(&problem, src, dst, NULL, &error), &error, "TPAD_IN_STRIDES");
    axes[1].in_stride = 0;
    problem.flags = TPAD_OUT_STRIDES;
    axes[1].out_stride = 1;
    tells(tpad_pad(&problem, src, dst, NULL, &error), &error, "axis 0: out_stride 0");
    problem.flags = 0;
    axes[1].out_stride = 0;
    tells(tpad_pad(&problem, src, src, NULL, &error), &error, "the same pointer");
    if (strcmp(src, "abcdef") != 0) failures++;
    problem.reserved = 3;
    tells(tpad_plan_init(&plan, sizeof plan, &problem, &error), &error, "reserved is 3");
    problem.reserved = 0;
    memset(&other, 0, sizeof other);
    tells(tpad_plan_init(&plan, sizeof plan, &other, &error), &error, "TPAD_PROBLEM");
    other = problem;
    other.struct_size += 8;
    tells(tpad_plan_init(&plan, sizeof plan, &other, &error), &error, "newer");

    if (tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK) return 1;
    tells(tpad_plan_box(&border, sizeof border, &plan, &box, &error), &error, "first");
    box.first = first;
    tells(tpad_plan_box(&plan, sizeof plan, &plan, &box, &error), &error, "the same memory");
    if (tpad_run(&plan, src, dst, ".") != TPAD_OK || strcmp(dst, "...abcdef") != 0) return 1;
    if (tpad_run(&plan, dst, dst, ".") != TPAD_E_ARGUMENT) return 1;
    if (tpad_plan_border(&border, sizeof border, &plan, &error) != TPAD_OK) return 1;
    if (tpad_run(&border, dst, dst, "-") != TPAD_OK) return 1;
    printf("%s\n", dst);
    return failures != 0 || strcmp(dst, "---abcdef") != 0;
}
