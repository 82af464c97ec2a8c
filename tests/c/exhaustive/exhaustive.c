/* Every small problem on one axis, and very many random ones, against the oracle.
 * SPDX-License-Identifier: MIT
 *
 * Which problems there are, and the processes that share them. compare.c does the rest.
 *
 *     exhaustive axis|fixed|random [--cases N] [--seed S] [--first UNIT] [--units N] [--jobs N]
 *
 * axis: extent 0 to 8, amounts -10 to 20 each, interior 0 to 3, all modes, orders and widths, the
 * axis alone and among others, of dense inputs and of inputs with gaps. fixed: a small part of
 * these. random: N small problems of several axes. All are cut into units, of which the processes
 * take one after the other; what fails says which unit it was. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"

enum { MOST_JOBS = 64, CASES_IN_UNIT = 2500, REFUSED_PERCENT = 8 };

/* ---- One axis -------------------------------------------------------------------------------- */

typedef struct range {
    int64_t most_extent, least_amount, most_amount, most_interior;
} range;

static const range full = {8, -10, 20, 3}, part = {4, -5, 6, 2};

/* The axis alone; as rows; around cells; in the middle; and packed, as so many rows that some of
 * them together are whole bytes, and others are left. Then inputs with gaps: rows on pages of their
 * own, the same backwards, rows of every third element that lie over each other, and two rows of
 * one element each, so far apart as they would be long. */
enum { LAYOUTS = 9, PACKED_ROWS = 4, PAGES, PAGES_BACKWARDS, WINDOWS, FAR_APART };

/* Layouts from PAGES on: the strides of the input, in elements, and the number of rows. */
static void space_out(tpad_axis *row, tpad_axis *axis, int layout, int32_t elem_bits)
{
    enum { TWO_PAGES = 2 * 4096 * 8 };
    row->in_extent = 2;
    row->in_stride = TWO_PAGES * (elem_bits % 3 == 0 ? 3 : 1) / elem_bits;
    axis->in_stride = layout == PAGES_BACKWARDS ? -1 : 1;
    if (layout == WINDOWS) {
        row->in_extent = 7;
        row->in_stride = axis->in_stride = 3;
    } else if (layout == FAR_APART) {
        row->in_stride = 2 * axis->in_extent - 1;
        axis->in_stride = 0;
    }
}

static int32_t lay_out(tpad_axis *axes, int layout, tpad_axis axis, int32_t elem_bits)
{
    static const tpad_axis rows = {.in_extent = 7}, cells = {.in_extent = 3},
                           many_rows = {.in_extent = 17},
                           planes = {.in_extent = 4, .before = 1, .mode = TPAD_EDGE},
                           pairs = {.in_extent = 2, .after = 1, .mode = TPAD_REFLECT};
    int32_t rank = 0;
    if (layout >= PAGES) {
        space_out(&axes[0], &axis, layout, elem_bits);
        axes[1] = axis;
        for (int32_t k = 0; k < 2; k++) axes[k].in_stride *= elem_bits < 8 ? 1 : elem_bits / 8;
        return 2;
    }
    if (layout == 1) axes[rank++] = rows;
    if (layout == 3) axes[rank++] = planes;
    if (layout == PACKED_ROWS) axes[rank++] = many_rows;
    axes[rank++] = axis;
    if (layout == 2) axes[rank++] = cells;
    if (layout == 3) axes[rank++] = pairs;
    return rank;
}

/* All widths and bit orders of one problem. */
static bool each_width(comparison *c, int layout, tpad_axis axis, uint64_t *turn)
{
    static const struct {
        int32_t bits, flags;
    } widths[] = {{1, 0},  {1, TPAD_HIGH_BITS_FIRST},
                  {2, 0},  {2, TPAD_HIGH_BITS_FIRST},
                  {4, 0},  {4, TPAD_HIGH_BITS_FIRST},
                  {8, 0},  {16, 0},
                  {24, 0}, {32, 0},
                  {64, 0}, {128, 0}};
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        tpad_axis axes[3] = {{0}};
        const int32_t rank = lay_out(axes, layout, axis, widths[k].bits);
        tpad_problem problem = TPAD_PROBLEM(widths[k].bits, rank, axes);
        random_problem p;
        if (layout == PACKED_ROWS && problem.elem_bits >= 8) continue;
        if (layout >= PAGES) problem.flags |= TPAD_IN_STRIDES;
        problem.flags |= widths[k].flags;
        random_problem_from(&p, &problem);
        const bool good = compare_told_apart(c, &p, ++*turn);
        if (!good) random_problem_print(stderr, &problem);
        random_problem_close(&p);
        if (!good) return false;
    }
    return true;
}

static int64_t axis_units(const range *of)
{
    const int64_t amounts = of->most_amount - of->least_amount + 1;
    return LAYOUTS * (of->most_extent + 1) * amounts * amounts;
}

/* Unit number `unit`: a layout, an extent and two amounts. */
static bool axis_unit(comparison *c, const range *of, int64_t unit)
{
    const int64_t amounts = of->most_amount - of->least_amount + 1;
    uint64_t turn = (uint64_t)unit * 7919;
    tpad_axis axis = {.before = of->least_amount + unit % amounts,
                      .after = of->least_amount + unit / amounts % amounts,
                      .in_extent = unit / amounts / amounts % (of->most_extent + 1)};
    const int layout = (int)(unit / amounts / amounts / (of->most_extent + 1));
    for (axis.interior = 0; axis.interior <= of->most_interior; axis.interior++)
        for (axis.mode = 0; axis.mode < TPAD_MODE_COUNT; axis.mode++)
            for (axis.order = TPAD_WINDOW; axis.order <= TPAD_CROP; axis.order++)
                if (!each_width(c, layout, axis, &turn)) return false;
    return true;
}

/* ---- Random ---------------------------------------------------------------------------------- */

static bool random_unit(comparison *c, uint64_t seed, int64_t unit)
{
    rng r = rng_seeded(seed, (uint64_t)unit);
    for (int i = 0; i < CASES_IN_UNIT; i++) {
        const unsigned flags = rng_percent(&r, REFUSED_PERCENT) ? RANDOM_REFUSED : 0;
        random_problem p;
        random_problem_make(&p, &r, flags | RANDOM_SMALL);
        const bool good = compare_random(c, &p, &r);
        if (!good) random_problem_print(stderr, &p.problem);
        random_problem_close(&p);
        if (!good) return false;
    }
    return true;
}

/* ---- Processes ------------------------------------------------------------------------------- */

typedef struct job {
    const char *what;
    int64_t first, units, jobs;
    uint64_t seed;
} job;

/* What the processes share. */
typedef struct shared {
    atomic_llong next, done, problems, refused, plans, runs;
    atomic_int failed;
    atomic_llong unit[MOST_JOBS]; /* that a process is at */
    char variants[80];
} shared;

static void add_counts(shared *s, comparison *c)
{
    atomic_fetch_add(&s->done, 1);
    atomic_fetch_add(&s->problems, c->problems);
    atomic_fetch_add(&s->refused, c->refused);
    atomic_fetch_add(&s->plans, c->plans);
    atomic_fetch_add(&s->runs, c->runs);
    c->problems = c->refused = c->plans = c->runs = 0;
}

static bool is(const job *j, const char *what)
{
    return strcmp(j->what, what) == 0;
}

static void choose_variants(const job *j, comparison *c, shared *s)
{
    if (is(j, "fixed") && c->variant_count > 4) {
        /* The plain one, one that reads whole windows, the fastest, and any. */
        c->variants[2] = c->variants[c->variant_count - 2];
        c->variants[3] = c->variants[c->variant_count - 1];
        c->variant_count = 4;
    }
    s->variants[0] = '\0';
    for (int v = 0; v < c->variant_count; v++) {
        if (v > 0) strcat(s->variants, " ");
        strcat(s->variants, c->variants[v]);
    }
}

/* Takes units until there are no more. */
static bool work(const job *j, shared *s, comparison *c, int64_t process)
{
    for (;;) {
        const int64_t unit = atomic_fetch_add(&s->next, 1);
        if (unit >= j->first + j->units || atomic_load(&s->failed)) return true;
        atomic_store(&s->unit[process], unit);
        const bool good = is(j, "random") ? random_unit(c, j->seed, unit)
                                          : axis_unit(c, is(j, "fixed") ? &part : &full, unit);
        if (!good) return false;
        add_counts(s, c);
    }
}

static void show_progress(const job *j, const shared *s, time_t began, int last)
{
    enum { BAR = 40 };
    static int shown = -1;
    const long long done = atomic_load(&s->done);
    const int percent = (int)(done * 100 / j->units);
    const long seconds = (long)(time(NULL) - began);
    char bar[BAR + 1] = {0};
    if (!isatty(STDOUT_FILENO) && (percent / 10 == shown / 10 || last)) return;
    shown = percent;
    for (int i = 0; i < BAR; i++) bar[i] = i < percent * BAR / 100 ? '#' : '.';
    printf("%s[%s] %3d %%  %lld problems  %ld:%02ld%s", isatty(STDOUT_FILENO) ? "\r" : "", bar,
           percent, (long long)atomic_load(&s->problems), seconds / 60, seconds % 60,
           isatty(STDOUT_FILENO) && !last ? "" : "\n");
    fflush(stdout);
}

/* Waits for the processes. Those that find a failure, or crash, stop the others. */
static bool wait_for(const job *j, shared *s, const pid_t *processes, time_t began)
{
    bool good = true;
    int64_t left = j->jobs;
    pid_t alive[MOST_JOBS];
    memcpy(alive, processes, sizeof alive);
    while (left > 0) {
        for (int64_t i = 0; i < j->jobs; i++) {
            int status;
            if (alive[i] == 0 || waitpid(alive[i], &status, WNOHANG) != alive[i]) continue;
            alive[i] = 0;
            left--;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
            atomic_store(&s->failed, 1);
            fprintf(stderr,
                    "%sagain with: exhaustive %s --seed %" PRIu64 " --first %lld --units 1\n",
                    WIFSIGNALED(status) ? "crashed (memory outside of the tensors?); " : "",
                    j->what, j->seed, (long long)atomic_load(&s->unit[i]));
            good = false;
        }
        show_progress(j, s, began, left == 0);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
    return good;
}

static int run(const job *j)
{
    pid_t processes[MOST_JOBS] = {0};
    const time_t began = time(NULL);
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    atomic_store(&s->next, j->first);
    comparison c;
    comparison_open(&c);
    choose_variants(j, &c, s);
    printf("exhaustive %s: kernels %s; %d processes\n", j->what, s->variants, (int)j->jobs);
    fflush(stdout);
    for (int64_t i = 0; i < j->jobs; i++) {
        processes[i] = fork();
        if (processes[i] == 0) _exit(work(j, s, &c, i) ? 0 : 1);
        if (processes[i] < 0) {
            perror("fork");
            return 1;
        }
    }
    const bool good = wait_for(j, s, processes, began);
    comparison_close(&c);
    printf("%s: %lld problems (%lld to be refused), %lld plans, %lld runs, %ld s\n",
           good ? "all as they should be" : "FAILED", (long long)atomic_load(&s->problems),
           (long long)atomic_load(&s->refused), (long long)atomic_load(&s->plans),
           (long long)atomic_load(&s->runs), (long)(time(NULL) - began));
    return good ? 0 : 1;
}

/* ---- The command line ------------------------------------------------------------------------ */

static bool read_number(const char *text, int64_t most, int64_t *number)
{
    char *end;
    const long long n = strtoll(text, &end, 10);
    *number = n;
    return end != text && *end == '\0' && n >= 0 && n <= most;
}

static bool read_job(job *j, int argc, char **argv)
{
    int64_t cases = 1000000, seed = 1, units = INT64_MAX;
    *j = (job){.what = argc > 1 ? argv[1] : "", .jobs = 1};
    bool good = argc % 2 == 0 && (is(j, "axis") || is(j, "fixed") || is(j, "random"));
    for (int i = 2; i + 1 < argc && good; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--cases") == 0)
            good = read_number(value, INT64_C(1) << 48, &cases);
        else if (strcmp(name, "--seed") == 0)
            good = read_number(value, INT64_MAX, &seed);
        else if (strcmp(name, "--first") == 0)
            good = read_number(value, INT64_C(1) << 48, &j->first);
        else if (strcmp(name, "--units") == 0)
            good = read_number(value, INT64_C(1) << 48, &units);
        else if (strcmp(name, "--jobs") == 0)
            good = read_number(value, MOST_JOBS, &j->jobs) && j->jobs > 0;
        else
            good = false;
    }
    const int64_t all = is(j, "random") ? (cases + CASES_IN_UNIT - 1) / CASES_IN_UNIT
                                        : axis_units(is(j, "fixed") ? &part : &full);
    j->seed = (uint64_t)seed;
    j->units = units < all - j->first ? units : all - j->first;
    return good && j->units > 0;
}

int main(int argc, char **argv)
{
    job j;
    if (!read_job(&j, argc, argv)) {
        fprintf(stderr, "usage: exhaustive axis|fixed|random [--cases N] [--seed S] [--first UNIT] "
                        "[--units N] [--jobs N]\n");
        return 2;
    }
    return run(&j);
}
