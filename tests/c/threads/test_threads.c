/* The runner on a pool of threads.  SPDX-License-Identifier: MIT
 *
 * Large random problems on 1, 2, 3 and 7 threads, compared with the oracle byte by byte; that the
 * threads work at once; that a caller waits for none that has not begun; pools that share, nest,
 * fork, are cancelled, and get no threads.
 *
 *     test_threads [--cases N] [--seed S] [--first K]      N random problems
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tensorpad/threads.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../support/random_main.h"

/* An output of this size is split; tensorpad.h says so of 2 MiB. */
enum { LARGE_BYTES = 2 << 20 };

static random_run options = {"test_threads", 1, 0, 12, NULL};

/* ---- Threads that the system refuses (the linker sends pthread_create here) ------------------ */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

static atomic_int threads_left = -1; /* how many more are granted; -1: any number */
static atomic_int closed;            /* threads that are started meanwhile do not begin */
static atomic_int begun;             /* how many of these did */
enum { MOST_STARTED = 16 };
static pthread_t started[MOST_STARTED]; /* the first ones since it was counted from 0 */
static atomic_int started_count;

typedef struct late {
    void *(*start)(void *);
    void *argument;
} late;

static void *start_late(void *argument)
{
    const late l = *(late *)argument;
    const struct timespec ms = {.tv_nsec = 1000000};
    free(argument);
    while (atomic_load(&closed)) nanosleep(&ms, NULL);
    atomic_fetch_add(&begun, 1);
    return l.start(l.argument);
}

static void sleep_ms(long ms)
{
    const struct timespec t = {.tv_nsec = ms * 1000000};
    nanosleep(&t, NULL);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    int left = atomic_load(&threads_left);
    while (left > 0 && !atomic_compare_exchange_weak(&threads_left, &left, left - 1)) continue;
    if (left == 0) {
        sleep_ms(1); /* so that others ask meanwhile */
        return EAGAIN;
    }
    late *l = atomic_load(&closed) ? malloc(sizeof *l) : NULL;
    if (l) *l = (late){start, argument};
    const int status = l ? __real_pthread_create(thread, attributes, start_late, l)
                         : __real_pthread_create(thread, attributes, start, argument);
    const int number = atomic_fetch_add(&started_count, 1);
    if (number < MOST_STARTED) started[number] = *thread;
    return status;
}

/* ---- Large problems -------------------------------------------------------------------------- */

static tpad_threads *open_threads(int32_t count)
{
    tpad_threads *threads = NULL;
    tpad_error error;
    assert_int_equal(tpad_threads_create(&threads, count, &error), TPAD_OK);
    assert_non_null(threads);
    return threads;
}

/* A runner around another that counts parts. */
typedef struct counted {
    tpad_runner runner;
    const tpad_runner *inner;
    int64_t parts;
} counted;

static int32_t run_counted(void *context, int64_t count, tpad_body body, void *user)
{
    counted *c = context;
    c->parts += count;
    return c->inner->run(c->inner->context, count, body, user);
}

static int64_t out_bytes(const tpad_problem *problem)
{
    int64_t bytes;
    return tpad_shape(problem, NULL, NULL, &bytes, NULL) == TPAD_OK ? bytes : -1;
}

static int64_t in_bytes(const tpad_problem *problem)
{
    int64_t bits = problem->elem_bits;
    for (int32_t k = 0; k < problem->rank; k++) bits *= problem->axes[k].in_extent;
    return (bits + 7) / 8;
}

/* Dense, of a size that is split and that fits into a bench. */
static void make_large(random_problem *p, rng *r, int32_t elem_bits)
{
    tpad_axis axes[4];
    int64_t bytes;
    do {
        const int32_t rank = (int32_t)rng_range(r, 1, 4);
        const int32_t longest = (int32_t)rng_range(r, 0, rank - 1);
        /* The oracle moves bit by bit. */
        const int64_t most = elem_bits < 8 ? LARGE_BYTES * 9 / 8 : RANDOM_MAX_BYTES;
        int64_t cells = rng_range(r, LARGE_BYTES, most) * 8 / elem_bits;
        for (int32_t k = 0; k < rank; k++) {
            axes[k] = (tpad_axis){.in_extent = rng_range(r, 1, rng_percent(r, 50) ? 9 : 70),
                                  .before = rng_range(r, -3, 9),
                                  .after = rng_range(r, -3, 9),
                                  .interior = rng_percent(r, 80) ? 0 : rng_range(r, 1, 2),
                                  .mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1),
                                  .order = (int32_t)rng_range(r, TPAD_WINDOW, TPAD_CROP)};
            cells /= k == longest ? 1 : axes[k].in_extent;
        }
        axes[longest].in_extent = cells;
        if (rng_percent(r, 20)) axes[longest].in_extent /= rng_range(r, 2, 9);
        if (rng_percent(r, 20)) axes[longest].before = rng_range(r, 0, 3 * cells);
        const tpad_problem problem = {.struct_size = sizeof problem,
                                      .axis_size = sizeof axes[0],
                                      .axes = axes,
                                      .rank = rank,
                                      .elem_bits = elem_bits,
                                      .flags = rng_percent(r, 50) ? TPAD_HIGH_BITS_FIRST : 0};
        bytes = in_bytes(&problem) <= RANDOM_MAX_BYTES ? out_bytes(&problem) : -1;
        if (bytes >= LARGE_BYTES && bytes <= RANDOM_MAX_BYTES) random_problem_from(p, &problem);
    } while (bytes < LARGE_BYTES || bytes > RANDOM_MAX_BYTES);
}

static void any_number_of_threads_gives_the_same_bytes(void **state)
{
    static const int32_t counts[] = {1, 2, 3, 7};
    static const int32_t widths[] = {32, 8, 4, 24, 16, 1, 128, 64, 2, 72, 4096, 256};
    enum {
        COUNTS = sizeof counts / sizeof counts[0],
        WIDTHS = sizeof widths / sizeof widths[0],
        TURNS = 8
    };
    tpad_threads *threads[COUNTS];
    bench b;
    (void)state;
    bench_open(&b);
    for (int i = 0; i < COUNTS; i++) threads[i] = open_threads(counts[i]);
    for (uint64_t k = 0; k < options.cases; k++) {
        rng r = rng_seeded(options.seed, options.first + k);
        random_problem p;
        tpad_plan plan;
        random_case(&options, options.first + k);
        make_large(&p, &r, widths[(options.first + k) % WIDTHS]);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
        bench_fill(&b, &r, &p);
        for (int i = 0; i < TURNS * COUNTS; i++) {
            const tpad_runner *inner = tpad_threads_runner(threads[i % COUNTS]);
            counted c = {*inner, inner, 0};
            c.runner.context = &c;
            c.runner.run = run_counted;
            bench_reset(&b);
            assert_int_equal(tpad_run_with(&plan, b.src, b.dst, b.value, &c.runner), TPAD_OK);
            if (!bench_check(&b, "threads")) {
                random_report(&p.problem);
                fail_msg("with %d threads", (int)counts[i % COUNTS]);
            }
            if (counts[i % COUNTS] == 1) assert_int_equal(c.parts, 0);
            if (counts[i % COUNTS] > 1) assert_in_range(c.parts, 2, inner->width);
        }
        random_problem_close(&p);
    }
    for (int i = 0; i < COUNTS; i++) tpad_threads_destroy(threads[i]);
    bench_close(&b);
}

/* ---- One problem for all that follows -------------------------------------------------------- */

enum { ROWS = 600, COLUMNS = 4096, BYTES = (ROWS + 2) * (COLUMNS + 2) };

static unsigned char *framed_src, *framed_expected;

static tpad_plan framed_plan(void)
{
    const tpad_axis axes[2] = {{.in_extent = ROWS, .before = 1, .after = 1},
                               {.in_extent = COLUMNS, .before = 1, .after = 1}};
    const tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    tpad_plan plan;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    return plan;
}

static int make_framed(void **state)
{
    (void)state;
    framed_src = malloc(ROWS * COLUMNS);
    framed_expected = calloc(BYTES, 1);
    if (!framed_src || !framed_expected) return -1;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            const unsigned char byte = (unsigned char)(1 + (row * 31 + column * 7) % 255);
            framed_src[row * COLUMNS + column] = byte;
            framed_expected[(row + 1) * (COLUMNS + 2) + column + 1] = byte;
        }
    }
    return 0;
}

static int free_framed(void **state)
{
    (void)state;
    free(framed_src);
    free(framed_expected);
    return 0;
}

/* 1 if a run with that runner gives what it should. Asserts nothing, to be used on any thread. */
static int frames(const tpad_plan *plan, const tpad_runner *runner)
{
    unsigned char *dst = malloc(BYTES);
    if (!dst) return 0;
    memset(dst, 0xEE, BYTES);
    const int good = tpad_run_with(plan, framed_src, dst, NULL, runner) == TPAD_OK &&
                     memcmp(dst, framed_expected, BYTES) == 0;
    free(dst);
    return good;
}

/* ---- Making and ending ----------------------------------------------------------------------- */

enum { SMALL_CASES = 300, MOST_PARTS = 5 };

/* A small output is written by a list of places if it is written at once, and otherwise its parts
 * are written one after the other here, as threads of a caller may write them. */
static void small_outputs_may_be_written_in_parts(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    for (uint64_t k = 0; k < SMALL_CASES; k++) {
        rng r = rng_seeded(options.seed, k);
        random_problem p;
        random_problem_make(&p, &r, 0);
        bench_fill(&b, &r, &p);
        tpad_plan plan;
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
        for (int64_t parts = 2; parts <= MOST_PARTS; parts++) {
            bench_reset(&b);
            for (int64_t part = 0; part < parts; part++)
                assert_int_equal(tpad_run_part(&plan, b.src, b.dst, b.value, part, parts), TPAD_OK);
            if (!bench_check(&b, "parts")) {
                random_report(&p.problem);
                fail();
            }
        }
        random_problem_close(&p);
    }
    bench_close(&b);
}

static void refuses_counts(void **state)
{
    const int32_t bad[] = {-1, INT32_MIN, TPAD_THREADS_MOST + 1, INT32_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tpad_threads *threads = (tpad_threads *)&threads;
        tpad_error error;
        char text[200];
        assert_int_equal(tpad_threads_create(&threads, bad[i], &error), TPAD_E_ARGUMENT);
        assert_null(threads);
        assert_int_equal(error.code, TPAD_E_ARGUMENT);
        assert_int_equal(error.axis, -1);
        assert_int_equal(error.got, bad[i]);
        assert_int_equal(error.limit, TPAD_THREADS_MOST);
        assert_true(tpad_error_format(&error, text, sizeof text) < sizeof text);
        assert_non_null(strstr(text, "1024"));
        assert_null(strchr(text, '\n'));
        assert_int_equal(tpad_threads_create(&threads, bad[i], NULL), TPAD_E_ARGUMENT);
    }
    assert_int_equal(tpad_threads_create(NULL, 1, NULL), TPAD_E_ARGUMENT);
}

static void nothing_is_one_thread(void **state)
{
    const tpad_plan plan = framed_plan();
    (void)state;
    tpad_threads_destroy(NULL);
    assert_int_equal(tpad_threads_count(NULL), 1);
    assert_null(tpad_threads_runner(NULL));
    assert_true(frames(&plan, tpad_threads_runner(NULL)));
}

static void makes_as_many_as_asked(void **state)
{
    const int32_t counts[] = {1, 2, 4, 1000, TPAD_THREADS_MOST};
    const tpad_plan plan = framed_plan();
    cpu_set_t set;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    const int32_t most = 4 * CPU_COUNT(&set); /* as threads.h says */
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        tpad_threads *used = open_threads(counts[i]), *unused = open_threads(counts[i]);
        const tpad_runner *runner = tpad_threads_runner(used);
        assert_int_equal(tpad_threads_count(used), counts[i] < most ? counts[i] : most);
        assert_int_equal(runner->struct_size, sizeof(tpad_runner));
        assert_true(runner->width >= tpad_threads_count(used));
        assert_true(frames(&plan, runner));
        tpad_threads_destroy(used);
        tpad_threads_destroy(unused);
    }
}

static void makes_as_many_as_the_process_may_run_on(void **state)
{
    cpu_set_t before, one;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    tpad_threads *threads = open_threads(0);
    assert_int_equal(tpad_threads_count(threads), CPU_COUNT(&before));
    tpad_threads_destroy(threads);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    threads = open_threads(0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(tpad_threads_count(threads), 1);
    tpad_threads_destroy(threads);
}

/* ---- The runner's contract ------------------------------------------------------------------- */

static void mark(void *user, int64_t index)
{
    atomic_fetch_add(&((atomic_int *)user)[index], 1);
}

static void every_index_is_called_once(void **state)
{
    enum { MOST = 100000 };
    const int64_t counts[] = {-5, 0, 1, 2, 3, 8, 1000, MOST};
    atomic_int *marks = calloc(MOST, sizeof *marks);
    (void)state;
    assert_non_null(marks);
    for (int32_t count = 1; count <= 7; count += 2) {
        tpad_threads *threads = open_threads(count);
        const tpad_runner *runner = tpad_threads_runner(threads);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            for (int64_t k = 0; k < MOST; k++) atomic_store(&marks[k], 0);
            assert_int_equal(runner->run(runner->context, counts[i], mark, marks), 0);
            for (int64_t k = 0; k < MOST; k++)
                assert_int_equal(atomic_load(&marks[k]), k < counts[i]);
        }
        tpad_threads_destroy(threads);
    }
    free(marks);
}

/* Some threads that are to be at work at the same time. */
typedef struct meeting {
    pthread_t host;
    int wanted;
    atomic_int here, met, not_blocked, faults_blocked;
} meeting;

enum { MEETING_MS = 10 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Waits until all are here, but not for long: the pool may have no threads for this run. */
static void meet(void *user, int64_t index)
{
    meeting *m = user;
    sigset_t mask;
    (void)index;
    atomic_fetch_add(&m->here, 1);
    const double end = now_ms() + MEETING_MS;
    while (atomic_load(&m->here) < m->wanted && now_ms() < end) sched_yield();
    if (atomic_load(&m->here) == m->wanted) atomic_fetch_add(&m->met, 1);
    atomic_fetch_sub(&m->here, 1);
    if (pthread_equal(pthread_self(), m->host)) return;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    if (!sigismember(&mask, SIGINT) || !sigismember(&mask, SIGALRM))
        atomic_fetch_add(&m->not_blocked, 1);
    if (sigismember(&mask, SIGBUS) || sigismember(&mask, SIGSEGV))
        atomic_fetch_add(&m->faults_blocked, 1);
}

/* 1 if so many threads, the caller among them, are at work at once in some run. */
static int all_meet(const tpad_runner *runner, meeting *m, int wanted)
{
    *m = (meeting){.host = pthread_self(), .wanted = wanted};
    for (int turn = 0; turn < 2000 && atomic_load(&m->met) == 0; turn++)
        if (runner->run(runner->context, wanted, meet, m) != 0) return 0;
    return atomic_load(&m->met) > 0;
}

static void threads_work_at_once_and_take_no_signals(void **state)
{
    (void)state;
    for (int32_t asked = 2; asked <= 7; asked++) {
        tpad_threads *threads = open_threads(asked);
        const int32_t count = tpad_threads_count(threads); /* 4 where there is one processor */
        const tpad_runner *runner = tpad_threads_runner(threads);
        meeting m;
        sigset_t mask;
        for (int turn = 0; turn < 3; turn++) {
            assert_true(all_meet(runner, &m, count));
            assert_int_equal(m.not_blocked, 0);
            assert_int_equal(m.faults_blocked, 0);
        }
        pthread_sigmask(SIG_BLOCK, NULL, &mask);
        assert_false(sigismember(&mask, SIGINT));
        tpad_threads_destroy(threads);
    }
}

/* ---- Threads that do not get a processor ----------------------------------------------------- */

enum { PARTS = 50 };

/* A run whose parts count themselves, in memory that is gone afterwards. 1 if each ran once. */
static int marks_once(const tpad_runner *runner, tpad_body body)
{
    atomic_int *marks = calloc(PARTS, sizeof *marks);
    if (!marks) return 0;
    int good = runner->run(runner->context, PARTS, body, marks) == 0;
    for (int k = 0; k < PARTS; k++) good &= atomic_load(&marks[k]) == 1;
    free(marks);
    return good;
}

/* The threads are started, but do not begin before the caller has returned from many runs. */
static void no_run_waits_for_threads_that_have_not_begun(void **state)
{
    const tpad_plan plan = framed_plan();
    tpad_threads *threads = open_threads(4);
    const tpad_runner *runner = tpad_threads_runner(threads);
    meeting m;
    (void)state;
    alarm(120);
    atomic_store(&begun, 0);
    atomic_store(&started_count, 0);
    atomic_store(&closed, 1);
    /* A run during a pause starts none, and where the machine is busy there are many pauses. */
    for (int i = 0; i < 20 || atomic_load(&started_count) < 3; i++) {
        assert_true(marks_once(runner, mark));
        assert_true(frames(&plan, runner));
        sleep_ms(2); /* longer than the pause after a run that lost some time */
    }
    assert_int_equal(started_count, 3);
    assert_int_equal(begun, 0);
    atomic_store(&closed, 0);
    assert_true(all_meet(runner, &m, 4));
    assert_int_equal(begun, 3);
    tpad_threads_destroy(threads);
    alarm(0);
}

static atomic_int held, holding;

/* Runs in the pool's threads, which do not block the signals of faults. */
static void hold(int number)
{
    const struct timespec ms = {.tv_nsec = 1000000};
    (void)number;
    atomic_fetch_add(&holding, 1);
    while (atomic_load(&held)) nanosleep(&ms, NULL);
}

/* Takes about 0.1 ms, so that threads that wake up find parts. */
static void mark_slowly(void *user, int64_t index)
{
    const double end = now_ms() + 0.1;
    mark(user, index);
    while (now_ms() < end) continue;
}

/* The same with threads that slept and were woken, where so many of them do not go on. */
static void no_run_waits_while_held(int32_t count, int how_many)
{
    const tpad_plan plan = framed_plan();
    const struct sigaction holds = {.sa_handler = hold};
    struct sigaction before;
    meeting m;
    alarm(60);
    atomic_store(&started_count, 0);
    tpad_threads *threads = open_threads(count);
    const tpad_runner *runner = tpad_threads_runner(threads);
    assert_true(all_meet(runner, &m, count));
    assert_int_equal(started_count, count - 1);
    sleep_ms(100); /* they sleep now */
    atomic_store(&holding, 0);
    atomic_store(&held, 1);
    sigaction(SIGTRAP, &holds, &before);
    for (int i = 0; i < how_many; i++) pthread_kill(started[i], SIGTRAP);
    while (atomic_load(&holding) < how_many) sleep_ms(1);
    for (int i = 0; i < 100; i++) {
        assert_true(marks_once(runner, i % 2 ? mark : mark_slowly));
        if (i % 5 == 0) assert_true(frames(&plan, runner));
        sleep_ms(2);
    }
    if (how_many < count - 1) assert_true(all_meet(runner, &m, count - how_many));
    atomic_store(&held, 0);
    assert_true(all_meet(runner, &m, count));
    tpad_threads_destroy(threads);
    sigaction(SIGTRAP, &before, NULL);
    alarm(0);
}

static void no_run_waits_for_threads_that_do_not_wake_up(void **state)
{
    (void)state;
    no_run_waits_while_held(4, 3);
}

/* The others go on, and whoever wakes them does not wait for the one that is held. */
static void no_run_waits_for_the_one_thread_that_does_not_wake_up(void **state)
{
    (void)state;
    for (int32_t count = 3; count <= 4; count++) no_run_waits_while_held(count, 1);
}

/* ---- Sharing --------------------------------------------------------------------------------- */

typedef struct one_of_many {
    const tpad_runner *runner;
    int good;
} one_of_many;

static void *run_often(void *argument)
{
    one_of_many *o = argument;
    for (int i = 0; i < 200; i++) o->good += marks_once(o->runner, mark);
    return NULL;
}

static void many_callers_at_once(void **state)
{
    enum { CALLERS = 64 };
    tpad_threads *threads = open_threads(3);
    one_of_many all[CALLERS];
    pthread_t ids[CALLERS];
    (void)state;
    for (int i = 0; i < CALLERS; i++) {
        all[i] = (one_of_many){tpad_threads_runner(threads), 0};
        assert_int_equal(pthread_create(&ids[i], NULL, run_often, &all[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(ids[i], NULL);
        assert_int_equal(all[i].good, 200);
    }
    tpad_threads_destroy(threads);
}

typedef struct host {
    const tpad_plan *plan;
    const tpad_runner *runners[2];
    int good;
} host;

static void *host_main(void *argument)
{
    host *h = argument;
    for (int i = 0; i < 10; i++) h->good += frames(h->plan, h->runners[i % 2]);
    return NULL;
}

static void hosts_may_share_a_pool(void **state)
{
    enum { HOSTS = 4 };
    const tpad_plan plan = framed_plan();
    tpad_threads *a = open_threads(3), *b = open_threads(2);
    host hosts[HOSTS];
    pthread_t ids[HOSTS];
    (void)state;
    for (int i = 0; i < HOSTS; i++) {
        /* The first two on both pools in turn, the others on one. */
        hosts[i] = (host){&plan, {tpad_threads_runner(a), tpad_threads_runner(i < 2 ? b : a)}, 0};
        assert_int_equal(pthread_create(&ids[i], NULL, host_main, &hosts[i]), 0);
    }
    for (int i = 0; i < HOSTS; i++) {
        pthread_join(ids[i], NULL);
        assert_int_equal(hosts[i].good, 10);
    }
    tpad_threads_destroy(a);
    tpad_threads_destroy(b);
}

typedef struct nest {
    const tpad_plan *plan;
    const tpad_runner *inner[2];
    atomic_int good;
} nest;

static void run_inside(void *user, int64_t index)
{
    nest *n = user;
    atomic_fetch_add(&n->good, frames(n->plan, n->inner[index % 2]));
}

static void runs_may_nest(void **state)
{
    const tpad_plan plan = framed_plan();
    tpad_threads *a = open_threads(3), *b = open_threads(2);
    nest n = {.plan = &plan, .inner = {tpad_threads_runner(a), tpad_threads_runner(b)}};
    (void)state;
    assert_int_equal(n.inner[0]->run(n.inner[0]->context, 12, run_inside, &n), 0);
    assert_int_equal(n.inner[1]->run(n.inner[1]->context, 12, run_inside, &n), 0);
    assert_int_equal(n.good, 24);
    tpad_threads_destroy(a);
    tpad_threads_destroy(b);
}

/* ---- Threads that are not there -------------------------------------------------------------- */

static void runs_without_the_threads_it_does_not_get(void **state)
{
    const tpad_plan plan = framed_plan();
    meeting m;
    (void)state;
    for (int turn = 0; turn < 40; turn++) {
        tpad_threads *threads = open_threads(8); /* seven besides the caller's, or less */
        const int32_t count = tpad_threads_count(threads);
        atomic_store(&threads_left, turn % count);
        const int good = frames(&plan, tpad_threads_runner(threads)) &&
                         marks_once(tpad_threads_runner(threads), mark_slowly);
        atomic_store(&threads_left, -1);
        assert_true(good);
        assert_true(frames(&plan, tpad_threads_runner(threads)));
        assert_true(all_meet(tpad_threads_runner(threads), &m, count)); /* asked for again */
        tpad_threads_destroy(threads);
    }
}

#ifndef UNDER_TSAN /* which cannot follow threads through a fork */
static void a_child_process_has_threads_of_its_own(void **state)
{
    const tpad_plan plan = framed_plan();
    tpad_threads *threads = open_threads(3), *unused = open_threads(3);
    const tpad_runner *runner = tpad_threads_runner(threads);
    int status = -1;
    (void)state;
    assert_true(frames(&plan, runner));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60); /* rather than to wait for threads that are not there */
        meeting m;
        int good = frames(&plan, runner) && frames(&plan, tpad_threads_runner(unused));
        good &= all_meet(runner, &m, 3);
        tpad_threads_destroy(threads);
        tpad_threads_destroy(unused);
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    /* A child that only ends what it was born with. */
    const pid_t other = fork();
    assert_true(other >= 0);
    if (other == 0) {
        alarm(60);
        tpad_threads_destroy(threads);
        _exit(0);
    }
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_true(WIFEXITED(status));
    assert_true(frames(&plan, runner));
    tpad_threads_destroy(threads);
    tpad_threads_destroy(unused);
}

/* A run that lasts until it is told to end. */
typedef struct long_run {
    const tpad_runner *runner;
    atomic_int at_work, ended;
} long_run;

static void wait_for_the_end(void *user, int64_t index)
{
    long_run *r = user;
    (void)index;
    atomic_fetch_add(&r->at_work, 1);
    while (!atomic_load(&r->ended)) sched_yield();
}

static void *long_run_main(void *argument)
{
    long_run *r = argument;
    r->runner->run(r->runner->context, 3, wait_for_the_end, r);
    return NULL;
}

/* A run of two parts: the caller's ends when a helper is in the other one, which ends when told to.
 */
typedef struct shared_run {
    const tpad_runner *runner;
    pthread_t caller;
    atomic_int helped, released, over;
} shared_run;

static void wait_for_the_other(void *user, int64_t index)
{
    shared_run *r = user;
    (void)index;
    if (pthread_equal(pthread_self(), r->caller)) {
        while (!atomic_load(&r->helped)) sched_yield();
        return;
    }
    atomic_store(&r->helped, 1);
    while (!atomic_load(&r->released)) sched_yield();
    atomic_store(&r->over, 1);
}

static void *shared_run_main(void *argument)
{
    shared_run *r = argument;
    r->caller = pthread_self();
    r->runner->run(r->runner->context, 2, wait_for_the_other, r);
    return NULL;
}

/* What a helper uses lies on the stack of the caller, who therefore does not end before. */
static void a_caller_that_is_cancelled_waits_for_its_run(void **state)
{
    tpad_threads *threads = open_threads(2);
    shared_run r = {.runner = tpad_threads_runner(threads)};
    pthread_t id;
    meeting m;
    (void)state;
    assert_int_equal(pthread_create(&id, NULL, shared_run_main, &r), 0);
    while (!atomic_load(&r.helped)) sched_yield();
    sleep_ms(50); /* until the caller sleeps */
    assert_int_equal(pthread_cancel(id), 0);
    sleep_ms(50);
    assert_int_equal(pthread_tryjoin_np(id, NULL), EBUSY);
    atomic_store(&r.released, 1);
    assert_int_equal(pthread_join(id, NULL), 0);
    assert_int_equal(atomic_load(&r.over), 1);
    assert_true(all_meet(r.runner, &m, 2));
    tpad_threads_destroy(threads);
}

#ifndef __SANITIZE_ADDRESS__ /* which knows nothing of frames that a cancelled thread leaves */
static void sleep_in_each_part(void *user, int64_t index)
{
    atomic_int *parts = user;
    (void)index;
    sleep_ms(20); /* here a thread may be cancelled */
    atomic_fetch_add(parts, 1);
}

typedef struct cancelled_run {
    const tpad_runner *runner;
    atomic_int parts, over;
} cancelled_run;

static void *cancelled_run_main(void *argument)
{
    cancelled_run *r = argument;
    pthread_cancel(pthread_self());
    r->runner->run(r->runner->context, 6, sleep_in_each_part, &r->parts);
    atomic_store(&r->over, 1);
    pthread_testcancel();
    return NULL;
}

/* The caller is cancelled within its own parts: where it has the pool, after the run; during a
 * pause, when it does not have it. Others may use the pool afterwards. */
static void a_caller_that_is_cancelled_in_its_part_gives_the_pool_back(void **state)
{
    tpad_threads *threads = open_threads(3);
    (void)state;
    for (int i = 0; i < 2; i++) {
        cancelled_run r = {.runner = tpad_threads_runner(threads)};
        pthread_t id;
        void *status;
        meeting m;
        assert_int_equal(pthread_create(&id, NULL, cancelled_run_main, &r), 0);
        assert_int_equal(pthread_join(id, &status), 0);
        assert_ptr_equal(status, PTHREAD_CANCELED);
        if (i == 0) assert_int_equal(atomic_load(&r.over), 1);
        if (atomic_load(&r.over)) assert_int_equal(atomic_load(&r.parts), 6);
        assert_true(all_meet(r.runner, &m, 3));
    }
    tpad_threads_destroy(threads);
}
#endif

static void cancel_the_helper(void *user, int64_t index)
{
    shared_run *r = user;
    (void)index;
    if (pthread_equal(pthread_self(), r->caller)) {
        sleep_ms(5);
    } else {
        pthread_cancel(pthread_self());
        pthread_testcancel();
        atomic_store(&r->helped, 1);
    }
}

/* The body of a run cannot end a thread of the pool. */
static void helpers_are_not_cancelled(void **state)
{
    tpad_threads *threads = open_threads(2);
    shared_run r = {.runner = tpad_threads_runner(threads), .caller = pthread_self()};
    meeting m;
    (void)state;
    alarm(60);
    while (!atomic_load(&r.helped)) r.runner->run(r.runner->context, 2, cancel_the_helper, &r);
    assert_true(all_meet(r.runner, &m, 2));
    tpad_threads_destroy(threads);
    alarm(0);
}

/* The same pool is for each process as large as the processors allow on which it runs first. */
static void a_child_on_fewer_processors_has_fewer_threads(void **state)
{
    const tpad_plan plan = framed_plan();
    tpad_threads *threads = open_threads(0), *four = open_threads(4);
    int status = -1;
    (void)state;
    assert_true(frames(&plan, tpad_threads_runner(threads)));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        cpu_set_t all, one;
        meeting m;
        alarm(60);
        sched_getaffinity(0, sizeof all, &all);
        CPU_ZERO(&one);
        for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
            if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
        sched_setaffinity(0, sizeof one, &one);
        atomic_store(&started_count, 0);
        int good = frames(&plan, tpad_threads_runner(threads)) && started_count == 0;
        good &= all_meet(tpad_threads_runner(four), &m, 4); /* as many as were asked for */
        tpad_threads_destroy(threads);
        tpad_threads_destroy(four);
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    tpad_threads_destroy(threads);
    tpad_threads_destroy(four);
}

/* Nobody ends the pool: its threads sleep, or work on a run of another thread. */
static void a_process_may_end_before_its_pool(void **state)
{
    static tpad_threads *threads; /* where the sanitizer for leaks finds it */
    static long_run r;
    const tpad_plan plan = framed_plan();
    (void)state;
    for (int working = 0; working < 2; working++) {
        int status = -1;
        fflush(NULL);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            pthread_t id;
            alarm(60);
            threads = open_threads(3);
            r.runner = tpad_threads_runner(threads);
            if (!frames(&plan, r.runner)) _exit(1);
            if (working && pthread_create(&id, NULL, long_run_main, &r) != 0) _exit(1);
            while (working && atomic_load(&r.at_work) < 1) sched_yield();
            exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

static void a_child_that_is_born_during_a_run_has_threads_too(void **state)
{
    const tpad_plan plan = framed_plan();
    tpad_threads *threads = open_threads(3);
    long_run r = {.runner = tpad_threads_runner(threads)};
    pthread_t id;
    int status = -1;
    (void)state;
    assert_int_equal(pthread_create(&id, NULL, long_run_main, &r), 0);
    while (atomic_load(&r.at_work) < 3) sched_yield();
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        meeting m;
        int good = all_meet(r.runner, &m, 3) && frames(&plan, r.runner);
        tpad_threads_destroy(threads);
        _exit(good ? 0 : 1);
    }
    atomic_store(&r.ended, 1);
    pthread_join(id, NULL);
    assert_true(child >= 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    tpad_threads_destroy(threads);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_outputs_may_be_written_in_parts),
        cmocka_unit_test(refuses_counts),
        cmocka_unit_test(nothing_is_one_thread),
        cmocka_unit_test(makes_as_many_as_asked),
        cmocka_unit_test(makes_as_many_as_the_process_may_run_on),
        cmocka_unit_test(every_index_is_called_once),
        cmocka_unit_test(threads_work_at_once_and_take_no_signals),
        cmocka_unit_test(no_run_waits_for_threads_that_have_not_begun),
        cmocka_unit_test(no_run_waits_for_threads_that_do_not_wake_up),
        cmocka_unit_test(no_run_waits_for_the_one_thread_that_does_not_wake_up),
        cmocka_unit_test(many_callers_at_once),
        cmocka_unit_test(hosts_may_share_a_pool),
        cmocka_unit_test(runs_may_nest),
        cmocka_unit_test(runs_without_the_threads_it_does_not_get),
#ifndef UNDER_TSAN
        cmocka_unit_test(a_child_process_has_threads_of_its_own),
        cmocka_unit_test(a_child_that_is_born_during_a_run_has_threads_too),
        cmocka_unit_test(a_process_may_end_before_its_pool),
        cmocka_unit_test(a_caller_that_is_cancelled_waits_for_its_run),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(a_caller_that_is_cancelled_in_its_part_gives_the_pool_back),
#endif
        cmocka_unit_test(helpers_are_not_cancelled),
        cmocka_unit_test(a_child_on_fewer_processors_has_fewer_threads),
#endif
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
    };
    if (!random_begin(&options, argc, argv)) return 2;
    return cmocka_run_group_tests(tests, make_framed, free_framed);
}
