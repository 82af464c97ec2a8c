/* One plan, many threads; and a plan in memory that nobody can write to.
 * SPDX-License-Identifier: MIT
 *
 * Threads that use one plan at the same time for everything a plan is good for, each with an output
 * of its own, and together on one output; the same with the plan in a read-only page. Every result
 * is compared with the oracle's. Under thread sanitizer two parts that wrote one byte would show as
 * a race.
 *
 *     test_one_plan [--cases N] [--seed S] [--first K]      N random problems for each variant
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../support/random_main.h"

enum { THREADS = 6, TURNS = 3, PACKED = 40 };

static random_run options = {"test_one_plan", 1, 0, 600, NULL};

/* ---- What a plan is good for ----------------------------------------------------------------- */

/* A plan that must not change, and what comes of it. */
typedef struct subject {
    const tpad_plan *plan;
    const bench *b;
    const random_problem *p;
    char words[2048];
    atomic_int *together; /* threads that have not begun, or NULL */
} subject;

static bool as_expected(const subject *s, const unsigned char *bytes, const char *what)
{
    if (memcmp(bytes, s->b->expected, s->b->out_bytes) == 0) return true;
    fprintf(stderr, "%s: not the right bytes\n", what);
    return false;
}

static int32_t serial(void *context, int64_t count, tpad_body body, void *user)
{
    (void)context;
    for (int64_t i = count - 1; i >= 0; i--) body(user, i);
    return 0;
}

static bool runs(const subject *s, unsigned char *bytes, void *dst)
{
    const tpad_runner runner = {sizeof runner, NULL, 5, serial};
    const void *src = s->b->src, *value = s->b->value;
    const size_t size = s->b->out_bytes;

    memcpy(bytes, s->b->before, size);
    bool good = tpad_run(s->plan, src, dst, value) == TPAD_OK && as_expected(s, bytes, "run");
    memcpy(bytes, s->b->before, size);
    for (int64_t part = 2; part >= 0; part--)
        good = good && tpad_run_part(s->plan, src, dst, value, part, 3) == TPAD_OK;
    good = good && as_expected(s, bytes, "run_part");
    memcpy(bytes, s->b->before, size);
    good = good && tpad_run_with(s->plan, src, dst, value, &runner) == TPAD_OK;
    return good && as_expected(s, bytes, "run_with");
}

/* Plans made of this one: the whole output as a box; the border, where there can be one, on an
 * output that is already right. */
static bool makes_plans(const subject *s, unsigned char *bytes, void *dst)
{
    const piece whole = piece_whole(s->p);
    const tpad_box box = {
        .struct_size = sizeof box, .first = whole.first, .extents = whole.extents};
    tpad_plan made;
    memcpy(bytes, s->b->before, s->b->out_bytes);
    bool good = tpad_plan_box(&made, sizeof made, s->plan, &box, NULL) == TPAD_OK &&
                tpad_run(&made, s->b->src, dst, s->b->value) == TPAD_OK;
    good = good && as_expected(s, bytes, "box");
    const int32_t status = tpad_plan_border(&made, sizeof made, s->plan, NULL);
    if (status == TPAD_OK) {
        memcpy(bytes, s->b->expected, s->b->out_bytes);
        good = good && tpad_run(&made, dst, dst, s->b->value) == TPAD_OK;
        return good && as_expected(s, bytes, "border");
    }
    return good && status == TPAD_E_BORDER;
}

static bool tells(const subject *s)
{
    const oracle *o = &s->p->truth;
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    char words[sizeof s->words];
    bool good = tpad_plan_describe(s->plan, words, sizeof words) == strlen(s->words) &&
                strcmp(words, s->words) == 0;
    good = good && tpad_plan_shape(s->plan, extents) == o->rank;
    for (int32_t k = 0; k < o->rank; k++) good = good && extents[k] == o->extents[k];
    good = good && tpad_plan_needs(s->plan, first, extents) == TPAD_OK;
    for (int32_t k = 0; k < o->rank; k++)
        good = good && first[k] == o->need_first[k] && extents[k] == o->need_extents[k];
    if (!good) fprintf(stderr, "describe, shape or needs: not what they were\n");
    return good;
}

/* Everything, into an output of its own. */
static bool use(const subject *s)
{
    unsigned char *bytes = calloc(s->b->out_bytes + 1, 1);
    if (!bytes) return false;
    void *dst = bench_base(bytes, s->p->out_begin);
    bool good = true;
    for (int turn = 0; turn < TURNS && good; turn++)
        good = runs(s, bytes, dst) && makes_plans(s, bytes, dst) && tells(s);
    free(bytes);
    return good;
}

/* ---- Many threads ---------------------------------------------------------------------------- */

typedef struct host {
    const subject *s;
    const tpad_plan *plan; /* the subject's, or its border */
    const void *src;
    int64_t number;
    bool good;
} host;

/* First a part of the one output, then everything; of a border the first alone. */
static void *host_main(void *argument)
{
    host *h = argument;
    const bench *b = h->s->b;
    atomic_fetch_sub(h->s->together, 1);
    while (atomic_load(h->s->together) > 0) sched_yield();
    h->good = tpad_run_part(h->plan, h->src, b->dst, b->value, h->number, THREADS) == TPAD_OK &&
              (h->plan != h->s->plan || use(h->s));
    return NULL;
}

static bool on_many_threads(subject *s, const tpad_plan *plan, const void *src)
{
    atomic_int together = THREADS;
    pthread_t ids[THREADS];
    host hosts[THREADS];
    s->together = &together;
    for (int i = 0; i < THREADS; i++) {
        hosts[i] = (host){s, plan, src, i, false};
        if (pthread_create(&ids[i], NULL, host_main, &hosts[i]) != 0) abort();
    }
    bool good = true;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
        good = good && hosts[i].good;
    }
    return good && bench_check(s->b, "one part on each thread");
}

/* The border of an output that is already right, where there can be one. */
static bool border_on_many_threads(subject *s)
{
    tpad_plan border;
    if (tpad_plan_border(&border, sizeof border, s->plan, NULL) != TPAD_OK) return true;
    memcpy(s->b->dst_guard.block, s->b->expected, s->b->out_bytes);
    return on_many_threads(s, &border, s->b->dst);
}

/* ---- Both, on every variant ------------------------------------------------------------------ */

/* The page that the plan goes to, so that reading after it shows as well. */
typedef struct vault {
    unsigned char *room;
    size_t bytes;
} vault;

static vault vault_open(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    vault v = {NULL, (sizeof(tpad_plan) + page - 1) / page * page};
    void *room =
        mmap(NULL, v.bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED || mprotect((unsigned char *)room + v.bytes, page, PROT_NONE) != 0)
        abort();
    v.room = room;
    return v;
}

static const tpad_plan *vault_lock(const vault *v, const tpad_plan *plan)
{
    unsigned char *place = v->room + v->bytes - sizeof *plan;
    if (mprotect(v->room, v->bytes, PROT_READ | PROT_WRITE) != 0) abort();
    memcpy(place, plan, sizeof *plan);
    if (mprotect(v->room, v->bytes, PROT_READ) != 0) abort();
    return (const tpad_plan *)(const void *)place;
}

static void one_plan(const char *variant)
{
    const vault v = vault_open();
    bench b;
    bench_open(&b);
    for (uint64_t number = options.first; number < options.first + options.cases; number++) {
        rng r = rng_seeded(options.seed, number);
        random_problem p;
        tpad_plan plan;
        subject s = {.b = &b, .p = &p};
        random_case(&options, number);
        random_problem_make(&p, &r, 0);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
        assert_true(tpad_plan_describe(&plan, s.words, sizeof s.words) < sizeof s.words);
        bench_fill(&b, &r, &p);
        s.plan = vault_lock(&v, &plan);
        if (!use(&s) || !on_many_threads(&s, s.plan, b.src) || !border_on_many_threads(&s)) {
            random_report(&p.problem);
            fail_msg("with the %s kernels", variant);
        }
        random_problem_close(&p);
    }
    bench_close(&b);
    munmap(v.room, v.bytes + (size_t)sysconf(_SC_PAGESIZE));
}

static void one_plan_in_read_only_memory(void **state)
{
    static const char *const variants[] = {"plain", "ssse3", "avx2", "avx512", "neon"};
    int forced = 0;
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        setenv("TENSORPAD_KERNELS", variants[i], 1);
        if (strcmp(tpad_kernels_name(), variants[i]) != 0) {
            printf("not with the %s kernels: not in this build, or not for this machine\n",
                   variants[i]);
            continue;
        }
        one_plan(variants[i]);
        printf("with the %s kernels\n", variants[i]);
        forced++;
    }
    assert_true(forced >= 1);
}

/* Packed images: a byte of a row holds elements, which one part may read, and cells of the border,
 * which another part writes. */
static void packed_borders_in_parts(void **state)
{
    bench b;
    (void)state;
    bench_open(&b);
    for (uint64_t number = 0; number < PACKED; number++) {
        rng r = rng_seeded(options.seed, number);
        tpad_axis axes[2];
        for (int k = 0; k < 2; k++)
            axes[k] = (tpad_axis){.in_extent = rng_range(&r, 10, 90),
                                  .before = rng_range(&r, 0, 9),
                                  .after = rng_range(&r, 0, 9),
                                  .mode = (int32_t)rng_range(&r, 0, TPAD_MODE_COUNT - 1)};
        const tpad_problem problem = TPAD_PROBLEM(1 << rng_range(&r, 0, 2), 2, axes);
        random_problem p;
        tpad_plan plan;
        subject s = {.plan = &plan, .b = &b, .p = &p};
        random_problem_from(&p, &problem);
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &p.problem, NULL), TPAD_OK);
        bench_fill(&b, &r, &p);
        if (!border_on_many_threads(&s)) {
            random_problem_print(stderr, &p.problem);
            fail_msg("image %d", (int)number);
        }
        random_problem_close(&p);
    }
    bench_close(&b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_plan_in_read_only_memory),
                                       cmocka_unit_test(packed_borders_in_parts)};
    if (!random_begin(&options, argc, argv)) return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
