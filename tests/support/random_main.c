/* The part that the programs of random tests have in common. SPDX-License-Identifier: MIT See
 * random_main.h for what it owns and must not know. */
#include "random_main.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__)
#include <unistd.h>
#endif

static char again[160];

void random_case(const random_run *run, uint64_t number)
{
    snprintf(again, sizeof again, "%s --seed %" PRIu64 " --first %" PRIu64 " --cases 1%s%s%s\n",
             run->program, run->seed, number, run->law ? " --law '" : "", run->law ? run->law : "",
             run->law ? "'" : "");
}

void random_report(const tpad_problem *problem)
{
    random_problem_print(stderr, problem);
    fprintf(stderr, "again with: %s", again);
}

#if defined(__unix__) && defined(SIGBUS)

static struct sigaction before_segv, before_bus;

/* A guard page was accessed: report the case that did it, then crash in the usual way. */
static void on_crash(int number)
{
    static const char text[] = "memory outside of the tensors was touched; again with: ";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    ignored = write(STDERR_FILENO, again, strlen(again));
    (void)ignored;
    sigaction(number, number == SIGSEGV ? &before_segv : &before_bus, NULL);
}

static void on_report(void)
{
    fprintf(stderr, "again with: %s", again);
}

static void watch_crashes(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_crash;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before_segv);
    sigaction(SIGBUS, &action, &before_bus);
    guard_on_report(on_report);
}

#else

/* A fault (tests/machines). No other handler follows. */
static void on_crash(int number)
{
    (void)number;
    fprintf(stderr, "memory or an address that is not allowed; again with: %s", again);
}

static void watch_crashes(void)
{
    signal(SIGSEGV, on_crash);
}

#endif

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return errno == 0 && end != text && *end == '\0' && text[0] != '-';
}

bool random_begin(random_run *run, int argc, char **argv)
{
    bool good = argc % 2 == 1;
    for (int i = 1; i + 1 < argc && good; i += 2) {
        if (strcmp(argv[i], "--law") == 0) {
            run->law = argv[i + 1];
            continue;
        }
        uint64_t *number = strcmp(argv[i], "--cases") == 0   ? &run->cases
                           : strcmp(argv[i], "--seed") == 0  ? &run->seed
                           : strcmp(argv[i], "--first") == 0 ? &run->first
                                                             : NULL;
        good = number != NULL && read_number(argv[i + 1], number);
    }
    if (!good) {
        fprintf(stderr, "usage: %s [--cases N] [--seed S] [--first K] [--law TEXT]\n",
                run->program);
        return false;
    }
    if (getenv("TENSORPAD_QUICK")) run->cases = (run->cases + 3) / 4; /* tests/runners/run.py */
    printf("%s: seed %" PRIu64 ", cases %" PRIu64 " from %" PRIu64 " on\n", run->program, run->seed,
           run->cases, run->first);
    fflush(stdout);
    watch_crashes();
    return true;
}

int cases_main(random_run *run, int argc, char **argv,
               bool (*run_case)(bench *b, rng *r, bool *counts), uint64_t *counted)
{
    bench b;
    *counted = 0;
    if (!random_begin(run, argc, argv)) return 2;
    bench_open(&b);
    for (uint64_t k = run->first; k < run->first + run->cases; k++) {
        rng r = rng_seeded(run->seed, k);
        bool counts;
        random_case(run, k);
        if (!run_case(&b, &r, &counts)) return 1;
        *counted += counts;
    }
    bench_close(&b);
    return 0;
}

/* ---- Laws ------------------------------------------------------------------------------------ */

bool setting_failed(const char *what, int32_t status)
{
    fprintf(stderr, "%s: E_%s\n", what, tpad_status_name(status));
    return false;
}

bool setting_prepare(setting *s, unsigned flags)
{
    random_problem_make(&s->p, s->r, flags);
    int32_t status = tpad_plan_init(&s->plan, sizeof s->plan, &s->p.problem, NULL);
    if (status != TPAD_OK) return setting_failed("tpad_plan_init", status);
    if (flags & RANDOM_FILL_ARRAYS)
        bench_fill_array(s->b, s->r, &s->p);
    else
        bench_fill(s->b, s->r, &s->p);
    status = bench_run_part(s->b, &s->plan, s->b->src, s->b->dst, 0, 1);
    if (status != TPAD_OK) return setting_failed("tpad_run", status);
    return bench_check(s->b, "whole");
}

int law_main(random_run run, int argc, char **argv, const law *laws, size_t count)
{
    enum { SPARE = 4 };
    guard spare[SPARE];
    bench b;
    if (!random_begin(&run, argc, argv)) return 2;
    bench_open(&b);
    for (int i = 0; i < SPARE; i++) guard_open(&spare[i], RANDOM_MAX_BYTES);
    const char *const only = run.law;
    for (size_t k = 0; k < count; k++) {
        const uint64_t share = (uint64_t)laws[k].one_of;
        const uint64_t cases = (run.cases + share - 1) / share;
        if (only && !strstr(laws[k].name, only)) continue;
        run.law = laws[k].name;
        for (uint64_t number = run.first; number < run.first + cases; number++) {
            rng r = rng_seeded(run.seed, number * 64 + k);
            setting s = {.b = &b, .r = &r, .spare = spare};
            random_case(&run, number);
            if (!laws[k].holds(&s)) {
                fprintf(stderr, "law: %s\n", laws[k].name);
                random_report(&s.p.problem);
                return 1;
            }
            random_problem_close(&s.p);
        }
        printf("%" PRIu64 " x %s\n", cases, laws[k].name);
    }
    for (int i = 0; i < SPARE; i++) guard_close(&spare[i]);
    bench_close(&b);
    return 0;
}

piece piece_whole(const random_problem *p)
{
    piece whole;
    memset(&whole, 0, sizeof whole);
    memcpy(whole.extents, p->truth.extents, sizeof whole.extents);
    return whole;
}

piece piece_random(rng *r, int32_t rank, const int64_t *extents)
{
    piece one;
    memset(&one, 0, sizeof one);
    for (int32_t k = 0; k < rank; k++) {
        one.first[k] =
            rng_percent(r, 30) ? 0 : rng_range(r, 0, extents[k] > 0 ? extents[k] - 1 : 0);
        one.extents[k] = extents[k] - one.first[k];
        if (one.extents[k] > 1 && rng_percent(r, 60)) {
            one.extents[k] = rng_range(r, 1, one.extents[k]);
        }
    }
    return one;
}

bool next_index(int32_t rank, const int64_t *extents, int64_t *index)
{
    for (int32_t k = rank - 1; k >= 0; k--) {
        if (++index[k] < extents[k]) return true;
        index[k] = 0;
    }
    return false;
}
