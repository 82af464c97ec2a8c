/* Random pads as launches, against the oracle and in guarded memory: whole outputs, boxes, borders,
 * each with indices of 32 bits, where these are enough, or of 64. SPDX-License-Identifier: MIT */
#include <string.h>

#include "../../../src/gpu/lower.h"
#include "../../support/random_main.h"
#include "launches.h"

enum { RAN, REFUSED, FAILED };

static uint64_t refused, boxes, borders;

static int launch_plan(const bench *b, rng *r, const tpad_plan *made, const void *src, void *dst)
{
    tpad_gpu_launch launch;
    const void *fill = b->fill.strides ? b->fill.values : NULL;
    const tpad_gpu_pad_args args = {sizeof args, (uintptr_t)src,  (uintptr_t)dst,
                                    b->value,    (uintptr_t)fill, b->fill.strides};
    const int32_t status = rng_percent(r, 30) ? tpad_gpu_lower_pad(&launch, made, &args, 1, NULL)
                                              : tpad_gpu_pad(&launch, made, &args, NULL);
    if (status == TPAD_E_ELEM && launch.blocks == 0) return REFUSED;
    if (status != TPAD_OK) return setting_failed("tpad_gpu_pad", status) ? RAN : FAILED;
    return launch_run(&launch, src, dst, fill) ? RAN : FAILED;
}

/* The output as two boxes: one axis is cut in two. Each box may have input memory of its own. */
static bool run_boxes(setting *s)
{
    const random_problem *p = &s->p;
    const int32_t cut_axis = (int32_t)rng_range(s->r, 0, p->problem.rank - 1);
    piece box = piece_whole(p);
    int64_t strides[TPAD_MAX_RANK];
    const int64_t all = box.extents[cut_axis], cut = rng_range(s->r, 0, all);
    oracle_in_strides(&p->problem, strides);
    bench_reset(s->b);
    boxes++;
    for (int part = 0; part < 2; part++) {
        tpad_plan made;
        box.first[cut_axis] = part ? cut : 0;
        box.extents[cut_axis] = part ? all - cut : cut;
        tpad_box b = {sizeof b, box.first, box.extents, NULL, NULL, NULL};
        int32_t status = tpad_plan_box(&made, sizeof made, &s->plan, &b, NULL);
        int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
        uintptr_t src = (uintptr_t)s->b->src;
        if (status == TPAD_OK && rng_percent(s->r, 40)) {
            status = tpad_plan_needs(&made, first, extents);
            b.in_first = first;
            src += (uintptr_t)p->problem.in_offset;
            for (int32_t i = 0; i < p->problem.rank; i++) src += (uintptr_t)(first[i] * strides[i]);
            if (status == TPAD_OK) status = tpad_plan_box(&made, sizeof made, &s->plan, &b, NULL);
        }
        if (status != TPAD_OK) return setting_failed("tpad_plan_box", status);
        if (launch_plan(s->b, s->r, &made, (const void *)src, s->b->dst) != RAN) return false;
    }
    return bench_check(s->b, "two boxes");
}

static bool run_case(bench *b, rng *r, bool *counts)
{
    setting s = {.b = b, .r = r};
    const unsigned more = rng_percent(r, 20) ? RANDOM_FAR : rng_percent(r, 30) ? RANDOM_DENSE : 0;
    *counts = false;
    random_problem_make(&s.p, r, more | (rng_percent(r, 50) ? RANDOM_SMALL : 0));
    int32_t status = tpad_plan_init(&s.plan, sizeof s.plan, &s.p.problem, NULL);
    if (status != TPAD_OK) return setting_failed("tpad_plan_init", status);
    bench_fill_array(b, r, &s.p);
    const int ran = launch_plan(b, r, &s.plan, b->src, b->dst);
    bool good = ran != FAILED;
    if (ran == RAN) {
        *counts = true;
        good = bench_check(b, "whole");
    } else {
        refused++;
        good = good && (s.p.problem.elem_bits < 8 || s.p.problem.elem_bits > 128);
    }
    if (good && ran == RAN && s.p.problem.rank > 0 && s.p.truth.cells > 1 &&
        s.p.problem.elem_bits >= 8)
        good = run_boxes(&s);
    tpad_plan border;
    if (good && ran == RAN && s.p.problem.elem_bits >= 8 && b->out_bytes > 0 &&
        tpad_plan_border(&border, sizeof border, &s.plan, NULL) == TPAD_OK) {
        borders++;
        good = launch_plan(b, r, &border, b->dst, b->dst) == RAN && bench_check(b, "border");
    }
    if (!good) random_report(&s.p.problem);
    random_problem_close(&s.p);
    return good;
}

int main(int argc, char **argv)
{
    random_run options = {.program = "test_gpu_pad", .seed = 1, .cases = 40000};
    uint64_t counted;
    const char *by = launches_open();
    if (!by) return 77;
    const int status = cases_main(&options, argc, argv, run_case, &counted);
    if (status != 0) return status;
    printf("%llu pads by %s, %llu of them as boxes, %llu borders; %llu refused\n",
           (unsigned long long)counted, by, (unsigned long long)boxes, (unsigned long long)borders,
           (unsigned long long)refused);
    return options.cases < 1000 || kernels_all_ran(0, 12) ? 0 : 1;
}
