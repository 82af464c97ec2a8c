/* Random gradients as launches, against tpad_adjoint to the bit: of whole plans and of boxes, with
 * and without TPAD_ADJOINT_ADD. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../../../src/gpu/lower.h"
#include "../adjoint/gradients.h"
#include "launches.h"

static uint64_t unaligned, boxes;

/* Some places that suit kernels, which want numbers at multiples of their size. */
static unsigned char *place(guard *g, rng *r, int64_t bytes)
{
    return guard_place(g, (size_t)bytes, (int)rng_range(r, 0, 2), 8 * (unsigned)rng_range(r, 0, 7));
}

/* The plan of a random box, and what its input begins with. */
static int32_t take_box(const gradient *g, rng *r, tpad_plan *box_plan, const tpad_plan *made,
                        int64_t *in_begin)
{
    const int32_t rank = g->p->problem.rank;
    const piece part = piece_random(r, rank, g->p->truth.extents);
    tpad_box box = {sizeof box, part.first, part.extents, NULL, NULL, NULL};
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    int32_t status = tpad_plan_box(box_plan, sizeof *box_plan, made, &box, NULL);
    boxes++;
    if (status != TPAD_OK || rng_percent(r, 50)) return status;
    status = tpad_plan_needs(box_plan, first, extents);
    if (status != TPAD_OK) return status;
    box.in_first = first;
    *in_begin = g->p->problem.in_offset;
    for (int32_t i = 0; i < rank; i++) *in_begin += first[i] * g->in_strides[i];
    return tpad_plan_box(box_plan, sizeof *box_plan, made, &box, NULL);
}

static bool is_same(const gradient *g, const unsigned char *found, const unsigned char *expected,
                    int64_t bytes)
{
    /* Numbers lie at multiples of their size in memory. */
    const int64_t skipped = (int64_t)(-(uintptr_t)found % (uintptr_t)g->bytes);
    for (int64_t at = skipped; at + g->bytes <= bytes; at += g->bytes)
        if (memcmp(found + at, expected + at, (size_t)g->bytes) != 0 &&
            !same_number(g->number, g->bytes, found + at, expected + at)) {
            fprintf(stderr, "number %d, byte %lld: %.17g, not %.17g\n", (int)g->number,
                    (long long)at, read_number(g->number, found + at).f64,
                    read_number(g->number, expected + at).f64);
            return false;
        }
    return memcmp(found, expected, (size_t)(skipped < bytes ? skipped : bytes)) == 0;
}

static bool run_case(bench *b, rng *r, bool *counts)
{
    random_problem p;
    gradient g;
    tpad_plan made, whole;
    tpad_gpu_launch launch;
    *counts = false;
    if (!gradient_make(&g, &p, r)) return true;
    int64_t in_begin = 0;
    int32_t status = tpad_plan_init(&made, sizeof made, &p.problem, NULL);
    whole = made;
    if (status == TPAD_OK && p.problem.rank > 0 && rng_percent(r, 40))
        status = take_box(&g, r, &made, &whole, &in_begin);
    const int64_t out_bytes = p.out_end - p.out_begin, in_bytes = p.in_end - p.in_begin;
    unsigned char *out = place(&b->src_guard, r, out_bytes);
    random_numbers(r, g.number, g.bytes, out, out_bytes / g.bytes);
    guard_read_only(&b->src_guard);
    unsigned char *in = place(&b->dst_guard, r, in_bytes);
    unsigned char *expected = b->expected;
    random_numbers(r, g.number, g.bytes, in, in_bytes / g.bytes);
    memcpy(expected, in, (size_t)in_bytes);
    const void *grad_out = bench_base(out, p.out_begin);
    void *grad_in = bench_base(in, p.in_begin - in_begin);
    const int32_t adds = rng_percent(r, 40) ? TPAD_ADJOINT_ADD : 0;
    const int wide = rng_percent(r, 30);
    const tpad_gpu_adjoint_args args = {.struct_size = sizeof args,
                                        .number = g.number,
                                        .flags = adds,
                                        .grad_out = (uintptr_t)grad_out,
                                        .grad_in = (uintptr_t)grad_in};

    if (status != TPAD_OK) {
        setting_failed("the plan", status);
        random_report(&p.problem);
        return false;
    }
    const int32_t wanted = tpad_adjoint(&made, g.number, adds, grad_out,
                                        bench_base(expected, p.in_begin - in_begin), NULL, NULL);
    status = wide ? tpad_gpu_lower_adjoint(&launch, &made, &args, 1, NULL)
                  : tpad_gpu_adjoint(&launch, &made, &args, NULL);
    bool good = true;
    if (wanted != TPAD_OK) {
        good = status == wanted || setting_failed("not refused", status);
    } else if (status == TPAD_E_ARGUMENT) {
        unaligned++;
    } else {
        *counts = true;
        good = status == TPAD_OK || setting_failed("tpad_gpu_adjoint", status);
        good = good && launch_run(&launch, grad_out, grad_in, NULL) &&
               is_same(&g, in, expected, in_bytes) &&
               (guard_intact(&b->dst_guard) || setting_failed("memory beside grad_in", 0));
    }
    if (!good) random_report(&p.problem);
    random_problem_close(&p);
    return good;
}

int main(int argc, char **argv)
{
    random_run options = {.program = "test_gpu_adjoint", .seed = 1, .cases = 60000};
    uint64_t counted;
    const char *by = launches_open();
    if (!by) return 77;
    const int status = cases_main(&options, argc, argv, run_case, &counted);
    if (status != 0) return status;
    printf("%llu gradients by %s, %llu boxes; %llu have numbers that are not aligned\n",
           (unsigned long long)counted, by, (unsigned long long)boxes,
           (unsigned long long)unaligned);
    return options.cases < 3000 || kernels_all_ran(12, TPAD_GPU_KERNELS) ? 0 : 1;
}
