/* Padding on the host's own threads: any parallel-for will do as a runner.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

typedef struct job {
    tpad_body body;
    void *user;
    int64_t index;
} job;

static void *thread_main(void *argument)
{
    job *j = argument;
    j->body(j->user, j->index);
    return NULL;
}

/* One thread for each index: simple, and right for a handful. A runtime would use its pool. */
static int32_t run_on_threads(void *context, int64_t count, tpad_body body, void *user)
{
    enum { MOST = 16 };
    pthread_t threads[MOST];
    job jobs[MOST];
    (void)context;
    for (int64_t first = 0; first < count; first += MOST) {
        const int64_t n = count - first < MOST ? count - first : MOST;
        int started[MOST] = {0};
        for (int64_t i = 0; i < n; i++) {
            jobs[i] = (job){body, user, first + i};
            started[i] = pthread_create(&threads[i], NULL, thread_main, &jobs[i]) == 0;
            if (!started[i]) thread_main(&jobs[i]);
        }
        for (int64_t i = 0; i < n; i++)
            if (started[i]) pthread_join(threads[i], NULL);
    }
    return 0;
}

int main(void)
{
    tpad_axis axes[3] = {{.in_extent = 64},
                         {.in_extent = 112, .before = 1, .after = 1, .mode = TPAD_EDGE},
                         {.in_extent = 112, .before = 1, .after = 1, .mode = TPAD_EDGE}};
    tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
    tpad_plan plan;
    int64_t elems, bytes;
    if (tpad_shape(&problem, NULL, &elems, &bytes, NULL) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK)
        return 1;

    const size_t in_bytes = 64 * 112 * 112 * sizeof(float);
    unsigned char *src = malloc(in_bytes), *a = malloc((size_t)bytes), *b = malloc((size_t)bytes);
    if (!src || !a || !b) return 1;
    for (size_t i = 0; i < in_bytes; i++) src[i] = (unsigned char)(i % 251);

    const tpad_runner runner = {sizeof runner, NULL, 4, run_on_threads};
    tpad_run(&plan, src, a, NULL);
    tpad_run_with(&plan, src, b, NULL, &runner);
    const int equal = memcmp(a, b, (size_t)bytes) == 0;
    printf("%d elements on 4 threads: %s\n", (int)elems, equal ? "the same" : "different");
    free(src);
    free(a);
    free(b);
    return equal ? 0 : 1;
}
