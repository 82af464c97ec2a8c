/* Random problems against the oracle.  SPDX-License-Identifier: MIT
 *
 * Owns: law 1 of docs/semantics.md: the library's result is the closed form's, cell by cell; what
 * is refused is refused with the right status and axis; no byte outside is touched. Must not know:
 * the inside of the library.
 *
 *     test_random [--cases N] [--seed S] [--first K]
 */
#include <inttypes.h>

#include "../../support/random_main.h"

enum { DEFAULT_CASES = 100000, REFUSED_PERCENT = 11 };

/* What shape inference and plan say: the oracle's status, axis and shape. */
static bool check_status(const random_problem *p, const char *what, int32_t status,
                         const tpad_error *error)
{
    const oracle *o = &p->truth;
    if (status != o->status) {
        fprintf(stderr, "%s: E_%s, not %s\n", what, tpad_status_name(status),
                tpad_status_name(o->status));
        return false;
    }
    if (status == TPAD_OK) return true;
    if (error->code != status || error->axis != o->axis || error->text == NULL) {
        fprintf(stderr, "%s: error has code %d, axis %d, not %d, %d\n", what, error->code,
                error->axis, status, o->axis);
        return false;
    }
    if (error->before != p->axes[o->axis].before || error->after != p->axes[o->axis].after) {
        fprintf(stderr, "%s: error has amounts %" PRId64 ", %" PRId64 "\n", what, error->before,
                error->after);
        return false;
    }
    return true;
}

static bool check_shape(const random_problem *p)
{
    const oracle *o = &p->truth;
    int64_t extents[TPAD_MAX_RANK];
    int64_t elems = -1;
    int64_t bytes = -1;
    tpad_error error;
    int32_t status = tpad_shape(&p->problem, extents, &elems, &bytes, &error);
    if (!check_status(p, "tpad_shape", status, &error)) return false;
    if (status != TPAD_OK) return true;
    for (int32_t k = 0; k < o->rank; k++) {
        if (extents[k] == o->extents[k]) continue;
        fprintf(stderr, "tpad_shape: axis %d has %" PRId64 " cells, not %" PRId64 "\n", k,
                extents[k], o->extents[k]);
        return false;
    }
    if (elems != o->cells || bytes != (o->cells * p->problem.elem_bits + 7) / 8) {
        fprintf(stderr, "tpad_shape: %" PRId64 " elements in %" PRId64 " bytes\n", elems, bytes);
        return false;
    }
    return true;
}

static bool run_case(bench *b, rng *r, bool *refused)
{
    random_problem p;
    tpad_plan plan;
    tpad_error error;
    bool good;
    random_problem_make(
        &p, r, rng_percent(r, REFUSED_PERCENT) ? RANDOM_REFUSED : RANDOM_FAR | RANDOM_STREAMED);
    int32_t status = tpad_plan_init(&plan, sizeof plan, &p.problem, &error);
    good = check_shape(&p) && check_status(&p, "tpad_plan_init", status, &error);
    *refused = status != TPAD_OK;
    if (good && status == TPAD_OK) {
        bench_fill_array(b, r, &p);
        status = bench_run_part(b, &plan, b->src, b->dst, 0, 1);
        if (status != TPAD_OK) fprintf(stderr, "a fill: E_%s\n", tpad_status_name(status));
        good = status == TPAD_OK && bench_check(b, "a fill");
        if (good) bench_fill(b, r, &p);
    }
    if (good && status == TPAD_OK) {
        status = tpad_run(&plan, b->src, b->dst, b->value);
        if (status != TPAD_OK) fprintf(stderr, "tpad_run: E_%s\n", tpad_status_name(status));
        good = status == TPAD_OK && bench_check(b, "tpad_run");
        if (good) bench_fill(b, r, &p);
    }
    if (good) {
        status = tpad_pad(&p.problem, *refused ? NULL : b->src, *refused ? NULL : b->dst, b->value,
                          &error);
        good = check_status(&p, "tpad_pad", status, &error) &&
               (*refused || bench_check(b, "tpad_pad"));
    }
    if (!good) {
        random_report(&p.problem);
    }
    random_problem_close(&p);
    return good;
}

int main(int argc, char **argv)
{
    random_run run = {"test_random", 1, 0, DEFAULT_CASES};
    uint64_t refused;
    const int status = cases_main(&run, argc, argv, run_case, &refused);
    if (status == 0) printf("all as they should be; %" PRIu64 " were refused\n", refused);
    return status;
}
