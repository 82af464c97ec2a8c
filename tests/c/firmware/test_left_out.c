/* What an ordinary build says of the parts that it leaves out. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#define TPAD_MODES    3
#define TPAD_INTERIOR 0
#define TPAD_STRIDES  0

#include "../../../src/core/axis.c"
#include "../../../src/core/problem.c"

#include "../../../src/core/error.c"
#include "../../../src/core/text.c"

int main(void)
{
    static const struct {
        tpad_axis axis;
        int32_t flags;
        tpad_index limit;
        const char *line;
    } cases[] = {
        {{.mode = TPAD_REFLECT}, 0, 3, "axis 0: mode reflect is not in this build (TPAD_MODES 3)"},
        {{.mode = 5}, 0, 4, "axis 0: mode number 5 is not between 0 and 4"},
        {{.interior = 1},
         0,
         0,
         "axis 0: interior 1 is not 0, but this build has no interior cells"},
        {{.in_stride = 4}, 0, 0, "axis 0: stride 4 is not 0, but this build has no strides"},
        {{0},
         TPAD_IN_STRIDES,
         100,
         "flags 8: only those of 100 are known: this build has no strides"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tpad_problem problem = TPAD_PROBLEM(8, 1, &cases[i].axis);
        tpad_error error = {0};
        char line[200];
        problem.flags = cases[i].flags;
        const int32_t status = tpad_shape(&problem, NULL, NULL, NULL, &error);
        tpad_error_format(&error, line, sizeof line);
        if (status != TPAD_OK && error.limit == cases[i].limit && !strcmp(line, cases[i].line))
            continue;
        fprintf(stderr, "limit %lld, %s\n", (long long)error.limit, line);
        return 1;
    }
    return 0;
}
