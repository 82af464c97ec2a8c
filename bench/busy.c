/* Threads on a busy machine.  SPDX-License-Identifier: MIT
 *
 * Shows what threads gain on an idle machine, and what they cost beside processes that spin, each
 * pinned to a processor. A turn is a run on one thread, a run on the threads of
 * tpad_threads_create(&threads, 0, NULL), the number that the command and the Python package take,
 * and a run on four; another one goes first in each turn. The pools are new for each size, so that
 * none begins with the pause of another size. The table has the median time of one thread in
 * microseconds, and in brackets the median with threads divided by it; both are the median of some
 * rounds.
 *
 * Where the system allows it, other programs disturb less: the process and those that spin have
 * the highest of the ordinary priorities. The policy is the ordinary one, as in a user's program,
 * because the threads of the pool take it over. Usage: busy [TURNS]
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tensorpad/threads.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TURNS = 1000, MOST_SPINNERS = 4, LOADS = 4, POOLS = 2, HUGE_PAGE = 1 << 21 };

static const int loads[LOADS] = {0, 1, 2, MOST_SPINNERS};
static const int32_t asked_for[POOLS] = {0, 4}; /* threads */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare);
    return samples[count / 2];
}

static void *buffer(size_t bytes)
{
    const size_t whole = (bytes / HUGE_PAGE + 1) * HUGE_PAGE;
    void *memory = aligned_alloc(HUGE_PAGE, whole);
    if (memory == NULL) {
        fprintf(stderr, "busy: no memory for %zu bytes\n", whole);
        exit(1);
    }
    (void)madvise(memory, whole, MADV_HUGEPAGE);
    (void)madvise(memory, whole, MADV_DONTFORK); /* else fork() lets each page be copied */
    memset(memory, 1, whole);
    return memory;
}

/* ---- Processes that spin --------------------------------------------------------------------- */

/* The number-th processor that this process may run on, counted round. */
static size_t processor(int number)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    number %= CPU_COUNT(&set);
    for (size_t i = 0;; i++)
        if (CPU_ISSET(i, &set) && number-- == 0) return i;
}

static pid_t spin(size_t on)
{
    const pid_t child = fork();
    if (child != 0) return child;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(on, &set);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sched_setaffinity(0, sizeof set, &set);
    for (volatile int i = 0;;) i = !i;
}

/* ---- Measuring ------------------------------------------------------------------------------- */

enum { SIZES = 12, ROUNDS = 15 };
static const int64_t megabytes[SIZES] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

/* Of each round: the median of one thread in seconds, and those of the pools divided by it. */
typedef struct result {
    double one[ROUNDS], ratio[POOLS][ROUNDS];
} result;

/* The time of a run at another depth of the stack in each turn: a run that streams collects what it
 * writes on the stack, and where this lies relative to the output changes its speed. */
static double time_of(const tpad_plan *plan, const void *src, void *dst, const tpad_runner *runner,
                      int turn)
{
    char depth[64 * (1 + turn * 27 % 64)];
    memset(depth, 0, sizeof depth);
    const double begin = now();
    tpad_run_with(plan, src, dst, depth, runner);
    return now() - begin;
}

/* Planes of 64 rows of 112 floats, padded by one on each side of both. */
static void measure(int64_t bytes, int turns, int round, result *r)
{
    static double times[1 + POOLS][MOST_TURNS];
    tpad_threads *threads[1 + POOLS] = {NULL};
    const int64_t planes = bytes / (66 * 114 * 4);
    const tpad_axis axes[] = {{.in_extent = planes},
                              {.in_extent = 64, .before = 1, .after = 1, .mode = TPAD_EDGE},
                              {.in_extent = 112, .before = 1, .after = 1, .mode = TPAD_EDGE}};
    const tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
    tpad_plan plan;
    void *src = buffer((size_t)(planes * 64 * 112 * 4));
    void *dst = buffer((size_t)(planes * 66 * 114 * 4));
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) exit(1);
    for (int p = 0; p < POOLS; p++)
        if (tpad_threads_create(&threads[1 + p], asked_for[p], NULL) != TPAD_OK) exit(1);
    for (int turn = -2; turn < turns; turn++) {
        for (int k = 0; k < 1 + POOLS; k++) {
            const int which = (k + turn + 2) % (1 + POOLS);
            times[which][turn < 0 ? 0 : turn] =
                time_of(&plan, src, dst, tpad_threads_runner(threads[which]), turn + 2);
        }
    }
    free(src);
    free(dst);
    r->one[round] = median_of(times[0], turns);
    for (int p = 0; p < POOLS; p++) {
        r->ratio[p][round] = median_of(times[1 + p], turns) / r->one[round];
        tpad_threads_destroy(threads[1 + p]);
    }
}

/* A round beside so many spinning processes. */
static void measure_all(int spinning, int turns, int round, result results[SIZES])
{
    pid_t spinners[MOST_SPINNERS];
    for (int i = 0; i < spinning; i++) spinners[i] = spin(processor(i));
    for (int i = 0; i < SIZES; i++) measure(megabytes[i] * 1000000, turns, round, &results[i]);
    for (int i = 0; i < spinning; i++) {
        kill(spinners[i], SIGKILL);
        waitpid(spinners[i], NULL, 0);
    }
}

static int32_t count_of(int pool)
{
    tpad_threads *threads;
    if (tpad_threads_create(&threads, asked_for[pool], NULL) != TPAD_OK) exit(1);
    const int32_t count = tpad_threads_count(threads);
    tpad_threads_destroy(threads);
    return count;
}

int main(int argc, char **argv)
{
    static result results[LOADS][SIZES];
    const int turns = argc > 1 ? atoi(argv[1]) : 30;
    if (turns < 1 || turns > MOST_TURNS) {
        fprintf(stderr, "usage: busy [TURNS]: 1 to %d turns\n", MOST_TURNS);
        return 2;
    }
    const int ahead = setpriority(PRIO_PROCESS, 0, -20) == 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int load = 0; load < LOADS; load++)
            measure_all(loads[load], turns, round, results[load]);
    printf("kernels: %s; %d threads by default; medians of %d turns, and of %d rounds%s\n\n",
           tpad_kernels_name(), (int)count_of(0), turns, ROUNDS,
           ahead ? "; ahead of other programs" : "");
    printf("| threads | MB | idle | beside 1 | beside 2 | beside 4 |\n|---|---|---|---|---|---|\n");
    for (int p = 0; p < POOLS; p++) {
        for (int i = 0; i < SIZES; i++) {
            printf("| %d | %d |", (int)count_of(p), (int)megabytes[i]);
            for (int load = 0; load < LOADS; load++) {
                result *r = &results[load][i];
                printf(" %.0f (%.2f) |", 1e6 * median_of(r->one, ROUNDS),
                       median_of(r->ratio[p], ROUNDS));
            }
            printf("\n");
        }
    }
    return 0;
}
