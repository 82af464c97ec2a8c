/* Many tensors of one shape: check once, ask how large the output is, run often.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    tpad_axis axes[2] = {{.in_extent = 2, .before = 1},
                         {.in_extent = 3, .before = 1, .after = 1, .mode = TPAD_WRAP}};
    tpad_problem problem = TPAD_PROBLEM_OF(int16_t, axes);
    tpad_plan plan; /* a value: it holds no memory of its own, and nothing needs to be freed */
    tpad_index extents[2], elems, bytes;
    if (tpad_shape(&problem, extents, &elems, &bytes, NULL) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK)
        return 1;

    int16_t *dst = malloc((size_t)bytes);
    if (!dst) return 1;
    for (int16_t tensor = 1; tensor <= 2; tensor++) {
        int16_t src[6];
        for (int16_t i = 0; i < 6; i++) src[i] = (int16_t)(10 * tensor + i);
        tpad_run(&plan, src, dst, NULL);
        printf("tensor %d\n", tensor);
        for (tpad_index i = 0; i < elems; i++)
            printf("%2d%c", dst[i], (i + 1) % extents[1] ? ' ' : '\n');
    }
    free(dst);
    return 0;
}
