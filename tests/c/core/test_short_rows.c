/* Many short rows against the oracle.  SPDX-License-Identifier: MIT
 *
 * Owns: law 1 of docs/semantics.md where rows of bits or bytes are many and short, whole and in
 * parts, so that most of them are done several at a time. Must not know: the inside of the library.
 *
 *     test_short_rows [--cases N] [--seed S] [--first K]
 */
#include <string.h>

#include "../../support/random_main.h"

enum { DEFAULT_CASES = 4000, MOST_CELLS = 60000, MOST_PARTS = 5 };

static int64_t dilated(const tpad_axis *a)
{
    return (a->in_extent - 1) * (a->interior + 1) + 1;
}

static int64_t out_extent(const tpad_axis *a)
{
    return a->before + dilated(a) + a->after;
}

static tpad_axis draw_row(rng *r, int64_t most)
{
    tpad_axis a;
    do {
        memset(&a, 0, sizeof a);
        a.in_extent = rng_range(r, 1, rng_percent(r, 50) ? 9 : most);
        a.before = rng_range(r, rng_percent(r, 20) ? -4 : 0, rng_percent(r, 10) ? 60 : 8);
        a.after = rng_range(r, rng_percent(r, 20) ? -4 : 0, 8);
        a.interior = rng_percent(r, 40) ? rng_range(r, 1, 3) : 0;
        a.mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1);
        a.order = (int32_t)rng_range(r, TPAD_WINDOW, TPAD_CROP);
    } while (out_extent(&a) < 1 || a.before + a.after <= -dilated(&a));
    return a;
}

/* Two to four axes: planes of a few rows, or rows alone, and many of them. The outermost axis is
 * padded now and then. */
static void draw(random_problem *p, rng *r)
{
    tpad_axis axes[4];
    static const int32_t widths[] = {8, 16, 24, 32, 48, 64, 96, 128};
    const int packed = rng_percent(r, 60);
    const int32_t bits = packed ? 1 << rng_range(r, 0, 2) : widths[rng_range(r, 0, 7)];
    const int32_t rank = (int32_t)rng_range(r, 2, 4);
    const int64_t most = packed ? MOST_CELLS : MOST_CELLS / (4 + bits / 8);
    int64_t cells = 1;
    for (int32_t k = rank - 1; k > 0; k--) {
        axes[k] = draw_row(r, k == rank - 1 ? 70 : 8);
        if (k < rank - 1 && rng_percent(r, 30)) {
            axes[k].before = axes[k].after = axes[k].interior = 0;
        }
        cells *= out_extent(&axes[k]);
    }
    memset(&axes[0], 0, sizeof axes[0]);
    axes[0].in_extent = cells < most ? rng_range(r, 1, most / cells) : 1;
    if (rng_percent(r, 25)) {
        axes[0].before = rng_range(r, 0, 3);
        axes[0].after = rng_range(r, 0, 3);
        axes[0].mode = rng_percent(r, 50) ? TPAD_CONSTANT : TPAD_EDGE;
    }
    const int long_rows = rank == 2 && rng_percent(r, 5);
    if (long_rows) {
        const int64_t extent = rng_range(r, 5000, 70000);
        axes[1] =
            (tpad_axis){.in_extent = extent, .before = 5 - extent, .after = 7, .mode = TPAD_WRAP};
        axes[0].in_extent = rng_range(r, 1, most / 12);
    }
    tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    if (packed && rng_percent(r, 50)) problem.flags |= TPAD_HIGH_BITS_FIRST;
    if (rng_percent(r, 20)) problem.in_offset = rng_range(r, rng_percent(r, 50) ? -40 : -5000, 40);
    /* Rows and planes of the input that do not touch, or that are all the same. */
    if (long_rows || rng_percent(r, 30)) {
        int64_t stride = packed ? 1 : bits / 8;
        const int64_t same = long_rows ? 0 : rng_range(r, 0, 3 * rank);
        problem.flags |= TPAD_IN_STRIDES;
        for (int32_t k = rank - 1; k >= 0; k--) {
            axes[k].in_stride = k == same ? 0 : stride;
            stride *= axes[k].in_extent;
            if (rng_percent(r, 50)) stride += rng_range(r, 0, rng_percent(r, 20) ? 900 : 9);
            if (rng_percent(r, 10)) stride = -stride;
        }
    }
    /* And of the output. */
    if (rng_percent(r, 10)) {
        int64_t stride = packed ? 1 : bits / 8;
        problem.flags |= TPAD_OUT_STRIDES;
        for (int32_t k = rank - 1; k >= 0; k--) {
            axes[k].out_stride = stride;
            stride = stride * out_extent(&axes[k]) + rng_range(r, 0, 3);
        }
    }
    random_problem_from(p, &problem);
}

static bool run_parts(const bench *b, const tpad_plan *plan, int64_t parts)
{
    for (int64_t part = parts - 1; part >= 0; part--) {
        const int32_t status = tpad_run_part(plan, b->src, b->dst, b->value, part, parts);
        if (status != TPAD_OK) return setting_failed("tpad_run_part", status);
    }
    return bench_check(b, "tpad_run_part");
}

/* What has been written already, once more around the elements. */
static bool run_border(const bench *b, const tpad_plan *plan)
{
    tpad_plan border;
    if (tpad_plan_border(&border, sizeof border, plan, NULL) != TPAD_OK) return true;
    const int32_t status = tpad_run(&border, b->dst, b->dst, b->value);
    return status == TPAD_OK ? bench_check(b, "border") : setting_failed("border", status);
}

static bool run_case(bench *b, rng *r, bool *planned)
{
    random_problem p;
    tpad_plan plan;
    tpad_error error;
    draw(&p, r);
    while (p.in_end - p.in_begin > RANDOM_MAX_BYTES || p.out_end - p.out_begin > RANDOM_MAX_BYTES) {
        random_problem_close(&p);
        draw(&p, r);
    }
    bool good = true;
    const int32_t status = tpad_plan_init(&plan, sizeof plan, &p.problem, &error);
    *planned = status == TPAD_OK;
    if (status != p.truth.status) good = setting_failed("tpad_plan_init", status);
    if (good && status == TPAD_OK) {
        bench_fill(b, r, &p);
        good = run_parts(b, &plan, 1);
        bench_reset(b);
        good = good && run_parts(b, &plan, rng_range(r, 2, MOST_PARTS));
        good = good && run_border(b, &plan);
    }
    if (!good) random_report(&p.problem);
    random_problem_close(&p);
    return good;
}

int main(int argc, char **argv)
{
    random_run run = {"test_short_rows", 1, 0, DEFAULT_CASES};
    uint64_t planned;
    const int status = cases_main(&run, argc, argv, run_case, &planned);
    if (status != 0) return status;
    /* A mode may have nothing to extend from. */
    if (planned < run.cases / 2) {
        fprintf(stderr, "only %llu problems could be run\n", (unsigned long long)planned);
        return 1;
    }
    printf("all as they should be\n");
    return 0;
}
