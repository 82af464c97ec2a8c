/* A stranger's program on two threads. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <tensorpad/threads.h>

int main(void)
{
    enum { BYTES = 8 << 20 };
    const unsigned char two = 2;
    tpad_axis axes[] = {{.after = BYTES}};
    tpad_problem problem = TPAD_PROBLEM_OF(unsigned char, axes);
    tpad_plan plan;
    tpad_threads *threads;
    unsigned char *out = calloc(BYTES, 1);
    if (!out || tpad_threads_create(&threads, 2, NULL) != TPAD_OK) return 1;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    tpad_run_with(&plan, NULL, out, &two, tpad_threads_runner(threads));
    printf("%d %d %d\n", (int)tpad_threads_count(threads), out[0], out[BYTES - 1]);
    tpad_threads_destroy(threads);
    free(out);
    return 0;
}
