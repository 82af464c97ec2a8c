/* Replaces threads.c in builds without threads: the caller's thread is the only one.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <tensorpad/threads.h>

struct tpad_threads {
    tpad_runner runner;
};

static int32_t run(void *context, int64_t count, tpad_body body, void *user)
{
    (void)context;
    for (int64_t i = 0; i < count; i++) body(user, i);
    return 0;
}

int32_t tpad_threads_create(tpad_threads **threads, int32_t count, tpad_error *error)
{
    tpad_error failed = {.code = TPAD_OK, .axis = -1, .got = count, .limit = 1};
    tpad_threads *pool = NULL;
    if (!threads) {
        failed.code = TPAD_E_ARGUMENT;
        failed.text = "the pointer to the pool is missing";
    } else if (count < 0 || count > 1) {
        failed.code = TPAD_E_ARGUMENT;
        failed.text = "%g threads: this tensorpad was built without threads and has %l";
    } else if ((pool = malloc(sizeof *pool)) == NULL) {
        failed.code = TPAD_E_MEMORY;
        failed.text = "out of memory";
    } else {
        pool->runner = (tpad_runner){sizeof pool->runner, NULL, 1, run};
    }
    if (threads) *threads = pool;
    if (failed.code && error) *error = failed;
    return failed.code;
}

void tpad_threads_destroy(tpad_threads *threads)
{
    free(threads);
}

int32_t tpad_threads_count(const tpad_threads *threads)
{
    (void)threads;
    return 1;
}

const tpad_runner *tpad_threads_runner(tpad_threads *threads)
{
    return threads ? &threads->runner : NULL;
}

const char *tpad_threads_features(void)
{
    return "none";
}
