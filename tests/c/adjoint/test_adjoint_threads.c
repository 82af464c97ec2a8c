/* Gradients on several threads. SPDX-License-Identifier: MIT
 *
 * One plan and one grad_in, of which threads write parts at the same time. The sums are those of
 * one thread, to the bit. Under thread sanitizer, two parts that wrote one byte would show as a
 * race.
 *
 *     test_adjoint_threads [--cases N] [--seed S] [--first K] */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gradients.h"

enum { THREADS = 4, PARTS = 11 };

typedef struct share {
    const tpad_plan *plan;
    const gradient *g;
    const void *grad_out;
    void *grad_in;
    int64_t first;
    int32_t status;
    pthread_t thread;
} share;

static void *write_parts(void *user)
{
    share *s = user;
    for (int64_t part = s->first; part < PARTS && s->status == TPAD_OK; part += THREADS)
        s->status =
            tpad_adjoint_part(s->plan, s->g->number, 0, s->grad_out, s->grad_in, part, PARTS, NULL);
    return NULL;
}

static bool run_case(bench *b, rng *r, bool *counts)
{
    random_problem p;
    gradient g;
    *counts = false;
    if (!gradient_make(&g, &p, r)) return true;
    const size_t out_bytes = (size_t)(p.out_end - p.out_begin),
                 in_bytes = (size_t)(p.in_end - p.in_begin);
    tpad_plan plan;
    bool ok = true;
    int32_t status = tpad_plan_init(&plan, sizeof plan, &p.problem, NULL);
    unsigned char *out = malloc(out_bytes + 1), *one = malloc(in_bytes + 1),
                  *many = malloc(in_bytes + 1);
    if (!out || !one || !many) abort();
    (void)b;
    if (status == TPAD_OK && is_apart(&g)) {
        random_numbers(r, g.number, g.bytes, out, (int64_t)out_bytes / g.bytes);
        memset(one, 0x55, in_bytes);
        memset(many, 0x55, in_bytes);
        status = tpad_adjoint(&plan, g.number, 0, bench_base(out, p.out_begin),
                              bench_base(one, p.in_begin), NULL, NULL);
        share shares[THREADS];
        for (int i = 0; i < THREADS; i++) {
            shares[i] = (share){.plan = &plan,
                                .g = &g,
                                .grad_out = bench_base(out, p.out_begin),
                                .grad_in = bench_base(many, p.in_begin),
                                .first = i};
            if (pthread_create(&shares[i].thread, NULL, write_parts, &shares[i]) != 0) abort();
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(shares[i].thread, NULL);
            ok = (shares[i].status == TPAD_OK && ok) || setting_failed("a part", shares[i].status);
        }
        if (ok && memcmp(one, many, in_bytes) != 0)
            ok = setting_failed("the sums of several threads are others", 0);
        *counts = true;
    }
    ok = (status == TPAD_OK && ok) || setting_failed("one thread", status);
    if (!ok) random_report(&p.problem);
    free(out);
    free(one);
    free(many);
    random_problem_close(&p);
    return ok;
}

int main(int argc, char **argv)
{
    random_run run = {.program = "test_adjoint_threads", .seed = 1, .cases = 2000};
    uint64_t counted;
    const int status = cases_main(&run, argc, argv, run_case, &counted);
    if (status == 0)
        printf("%llu gradients are the same on threads\n", (unsigned long long)counted);
    return status;
}
