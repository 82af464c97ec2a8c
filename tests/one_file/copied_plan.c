/* A plan that is copied to where the compiler can only see that it is a tpad_plan, and run there.
 * SPDX-License-Identifier: MIT
 *
 * Compiled together with the library, as one file or at link time (scripts/check/levels.sh): then the
 * compiler sees that the copy reads memory as one type which the library wrote as another, and may
 * leave the writing away if tpad_plan does not forbid it. */
#include <stdio.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

static tpad_plan kept[4];

int main(int argc, char **argv)
{
    volatile int32_t amount = 2; /* known at run time only */
    tpad_axis axis = {.in_extent = 3, .before = amount, .after = amount, .mode = TPAD_EDGE};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    tpad_plan plan, *keep = &kept[argc & 3];
    char out[8] = "";
    (void)argv;
    int32_t status = tpad_plan_init(&plan, sizeof plan, &problem, NULL);
    if (status == TPAD_OK) {
        *keep = plan;
        status = tpad_run(keep, "abc", out, NULL);
    }
    if (status == TPAD_OK && strcmp(out, "aaabccc") == 0) return 0;
    printf("status %d, output '%s', not 'aaabccc'\n", (int)status, out);
    return 1;
}
