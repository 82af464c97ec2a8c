/* A stranger's program against the installed library. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/onnx.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    tpad_axis axes[] = {{.in_extent = 3, .before = 1, .after = 1, .mode = TPAD_WRAP}};
    tpad_problem problem = TPAD_PROBLEM_OF(char, axes);
    tpad_plan plan;
    char out[6] = "";
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    tpad_run(&plan, "abc", out, NULL);
    printf("%s %s %d\n", tpad_version(), out, (int)tpad_onnx_version_for(22)->since);
    return 0;
}
