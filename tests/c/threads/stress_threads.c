/* A pool under stress.  SPDX-License-Identifier: MIT
 *
 * Callers that share a pool, nest runs in it, make and end it, at random times, for as long as
 * asked; each part has to run once, and none after its run returned. Thread sanitizer looks at the
 * pool meanwhile.
 *
 *     stress_threads [SECONDS]      2 if it is not said
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tensorpad/threads.h>
#include <time.h>

enum { MOST_PARTS = 40, MOST_CALLERS = 6, RUNS = 40, ALIVE = 0x11FE, DEAD = 0xDEAD };

static uint64_t random_of(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

/* What the body of a run finds. It is on the caller's stack, and dead when the run has returned. */
typedef struct job {
    pthread_t caller;
    int alive;
    unsigned work;
    const tpad_runner *inner; /* or NULL */
    int64_t count;
    int done[MOST_PARTS]; /* no atomics: the pool orders parts and caller */
} job;

static atomic_llong parts_done, helped, runs_done;

static void check(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "stress_threads: %s\n", what);
    abort();
}

static int32_t run_job(const tpad_runner *runner, int64_t count, unsigned work,
                       const tpad_runner *inner);

static void do_part(void *user, int64_t index)
{
    job *j = user;
    check(j->alive == ALIVE, "a part ran after its run returned");
    check(index >= 0 && index < j->count, "there is no such part");
    if (j->work == 0) sched_yield();
    for (volatile unsigned i = 0; i < j->work; i = i + 1) continue;
    if (j->inner && index % 7 == 0) run_job(j->inner, 3, j->work / 2, NULL);
    j->done[index]++;
    if (!pthread_equal(j->caller, pthread_self())) atomic_fetch_add(&helped, 1);
    check(j->alive == ALIVE, "a run returned before its part had ended");
}

static int32_t run_job(const tpad_runner *runner, int64_t count, unsigned work,
                       const tpad_runner *inner)
{
    job j = {pthread_self(), ALIVE, work, inner, count, {0}};
    const int32_t status = runner->run(runner->context, count, do_part, &j);
    j.alive = DEAD;
    for (int64_t i = 0; i < count; i++) check(j.done[i] == 1, "a part did not run once");
    atomic_fetch_add(&parts_done, count);
    atomic_fetch_add(&runs_done, 1);
    return status;
}

typedef struct caller {
    const tpad_runner *runner, *other;
    uint64_t seed;
} caller;

static void *call(void *argument)
{
    caller *c = argument;
    for (int i = 0; i < RUNS; i++) {
        const int64_t count = 1 + (int64_t)random_of(&c->seed, MOST_PARTS);
        const unsigned work =
            (unsigned)random_of(&c->seed, 4) * (unsigned)random_of(&c->seed, 3000);
        const tpad_runner *inner = NULL;
        if (random_of(&c->seed, 4) == 0) inner = random_of(&c->seed, 2) ? c->runner : c->other;
        check(run_job(c->runner, count, work, inner) == 0, "a run failed");
        if (random_of(&c->seed, 3) == 0) {
            const struct timespec pause = {.tv_nsec = (long)random_of(&c->seed, 300000)};
            nanosleep(&pause, NULL);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const int seconds = argc > 1 ? atoi(argv[1]) : 2;
    uint64_t seed = (uint64_t)time(NULL), pools = 0;
    const time_t end = time(NULL) + seconds;
    printf("stress_threads: %d seconds, seed %llu\n", seconds, (unsigned long long)seed);
    while (time(NULL) < end) {
        tpad_threads *threads[2];
        pthread_t ids[MOST_CALLERS];
        caller callers[MOST_CALLERS];
        const int count = 1 + (int)random_of(&seed, MOST_CALLERS);
        for (int i = 0; i < 2; i++)
            check(tpad_threads_create(&threads[i], 1 + (int32_t)random_of(&seed, 8), NULL) ==
                      TPAD_OK,
                  "no pool");
        for (int i = 0; i < count; i++) {
            const int own = i % 2;
            callers[i] = (caller){tpad_threads_runner(threads[own]),
                                  tpad_threads_runner(threads[!own]), seed + (uint64_t)i};
            check(pthread_create(&ids[i], NULL, call, &callers[i]) == 0, "no thread");
        }
        for (int i = 0; i < count; i++) pthread_join(ids[i], NULL);
        for (int i = 0; i < 2; i++) tpad_threads_destroy(threads[i]);
        pools += 2;
    }
    printf("%llu pools, %lld runs, %lld parts, %lld of them by helpers\n",
           (unsigned long long)pools, (long long)atomic_load(&runs_done),
           (long long)atomic_load(&parts_done), (long long)atomic_load(&helped));
    return atomic_load(&helped) > 0 ? 0 : 1;
}
