/* A small build with one mode besides constant. SPDX-License-Identifier: MIT
 *
 * Every mode repeats a single element, and the library does it by the rule of edge, also where the
 * build leaves out edge as a mode. ONE_MODE is the number of the mode, TPAD_MODES has its bit and that of
 * constant. */
#include <stdio.h>
#include <string.h>

#define TPAD_SMALL
#define TPAD_ONE_FILE
#define TPAD_API static __attribute__((unused))

#include "../../../src/core/axis.c"
#include "../../../src/core/problem.c"
#include "../../../src/firmware/small_build.c"

int main(void)
{
    tpad_axis given = {.in_extent = 1, .before = 2, .after = 1, .mode = ONE_MODE};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &given);
    tpad_plan plan;
    char out[5] = "....";
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK ||
        tpad_run(&plan, "a", out, "?") != TPAD_OK || strcmp(out, "aaaa") != 0) {
        fprintf(stderr, "mode %d of a single element: %s, not aaaa\n", ONE_MODE, out);
        return 1;
    }
    for (int32_t mode = 1; mode < TPAD_MODE_COUNT; mode++) {
        given.mode = mode;
        const int32_t wanted = mode == ONE_MODE ? TPAD_OK : TPAD_E_MODE;
        if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) == wanted) continue;
        fprintf(stderr, "mode %d is not taken or refused as it should be\n", (int)mode);
        return 1;
    }
    return 0;
}
