/* The small build against the oracle, and at its limits. SPDX-License-Identifier: MIT
 *
 * Law 1 of docs/semantics.md for several builds of small_build.c: what a build holds gives the
 * closed form's result, cell by cell, and what it leaves out is refused before anything is written.
 *
 *     test_small [--cases N] [--seed S] [--first K]
 */
#include <inttypes.h>
#include <string.h>

#include "../../support/random_main.h"
#include "small_table.h"

enum { DEFAULT_CASES = 10000, MOST_EXTENT = 0x1FFFFFFF };

static int failures;

static void expect(bool good, const char *build, const char *what, int64_t got)
{
    if (good) return;
    fprintf(stderr, "%s: %s: %" PRId64 "\n", build, what, got);
    failures++;
}

/* ---- Random problems ------------------------------------------------------------------------- */

static void widen(wide_axis *wide, const tpad_problem *problem)
{
    for (int32_t i = 0; i < problem->rank; i++) {
        const tpad_axis *a = &problem->axes[i];
        wide[i] = (wide_axis){a->in_extent, a->before,     a->after, a->interior,
                              a->in_stride, a->out_stride, a->mode,  a->order};
    }
}

/* Does the problem need what this build leaves out? */
static bool left_out(const small_build *build, const tpad_problem *problem)
{
    const int32_t strides = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
    bool out = problem->rank > build->max_rank || problem->elem_bits < 8;
    out = out || (!build->strides && ((problem->flags & strides) != 0 || problem->in_offset != 0 ||
                                      problem->out_offset != 0));
    for (int32_t i = 0; i < problem->rank; i++) {
        out = out || !(build->modes >> problem->axes[i].mode & 1);
        out = out || (!build->interior && problem->axes[i].interior != 0);
    }
    return out;
}

/* Packed elements are not there; most problems are made so that the build takes them. */
static void make_problem(random_problem *p, rng *r, const small_build *build)
{
    const bool taken = !rng_percent(r, 10);
    random_problem_make(p, r,
                        taken ? (build->strides ? 0 : RANDOM_DENSE) |
                                    (build->interior ? 0 : RANDOM_NO_INTERIOR)
                              : 0);
    if (!taken && p->problem.elem_bits >= 8) return;
    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem = p->problem;
    memcpy(axes, p->axes, sizeof axes);
    problem.axes = axes;
    if (problem.elem_bits < 8) {
        problem.elem_bits = 8 * (int32_t)rng_range(r, 1, 9);
        problem.in_offset = problem.out_offset = 0;
        problem.flags = 0;
        for (int32_t i = 0; i < problem.rank; i++) axes[i].in_stride = axes[i].out_stride = 0;
    }
    for (int32_t i = 0; taken && i < problem.rank; i++)
        if (!(build->modes >> axes[i].mode & 1)) axes[i].mode = TPAD_CONSTANT;
    random_problem_close(p);
    random_problem_from(p, &problem);
}

static bool run_case(bench *b, rng *r, const small_build *build, uint64_t *ran)
{
    random_problem p;
    wide_axis axes[TPAD_MAX_RANK];
    make_problem(&p, r, build);
    const tpad_problem *q = &p.problem;
    widen(axes, q);
    bench_fill(b, r, &p);
    small_call c = {.at_once = rng_percent(r, 50),
                    .elem_bits = q->elem_bits,
                    .rank = q->rank,
                    .axes = axes,
                    .in_offset = q->in_offset,
                    .out_offset = q->out_offset,
                    .flags = q->flags,
                    .src = b->src,
                    .dst = b->dst,
                    .value = b->value};
    build->call(&c);
    bool good;
    if (left_out(build, q)) {
        good = c.init != TPAD_OK && c.run == -1 && c.error_code == c.init;
        if (!good) fprintf(stderr, "%s: init %d, run %d\n", build->name, c.init, c.run);
    } else {
        int64_t extents[TPAD_MAX_RANK] = {0}, elems = 0, bytes = 0;
        const int32_t status = build->shape(&c, extents, &elems, &bytes);
        good = c.init == TPAD_OK && c.run == TPAD_OK && status == TPAD_OK &&
               elems == p.truth.cells && bytes == elems * (q->elem_bits / 8);
        for (int32_t i = 0; i < q->rank; i++) good = good && extents[i] == p.truth.extents[i];
        if (!good) fprintf(stderr, "%s: init %d, run %d\n", build->name, c.init, c.run);
        good = good && bench_check(b, build->name);
        (*ran)++;
    }
    if (!good) random_report(q);
    random_problem_close(&p);
    return good;
}

/* Problems that both must refuse, for the same reason and on the same axis. */
static bool refuse_case(rng *r, const small_build *build)
{
    random_problem p;
    wide_axis axes[TPAD_MAX_RANK];
    random_problem_make(&p, r, RANDOM_REFUSED);
    const tpad_problem *q = &p.problem;
    widen(axes, q);
    small_call c = {.at_once = rng_percent(r, 50),
                    .elem_bits = q->elem_bits,
                    .rank = q->rank,
                    .axes = axes,
                    .flags = q->flags};
    build->call(&c);
    bool good = true;
    if (p.truth.status != TPAD_OK && !left_out(build, q))
        good = c.init == p.truth.status && c.error_code == c.init && c.error_axis == p.truth.axis;
    if (!good) {
        fprintf(stderr, "%s: status %d, axis %d\n", build->name, c.init, c.error_axis);
        random_report(q);
    }
    random_problem_close(&p);
    return good;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static int32_t init_of(const small_build *build, small_call c)
{
    build->call(&c);
    if (c.init != TPAD_OK) expect(c.error_code == c.init, build->name, "error code", c.error_code);
    return c.init;
}

/* One axis of bytes; nothing is run, since dst is missing. */
static int32_t init_axis(const small_build *build, wide_axis axis)
{
    return init_of(build, (small_call){.elem_bits = 8, .rank = 1, .axes = &axis});
}

static void check_arguments(const small_build *build)
{
    const char *name = build->name;
    const wide_axis one = {.in_extent = 1}, two = {.in_extent = 2};
    small_call c = {.elem_bits = 8, .rank = 1, .axes = &one};
    expect(init_of(build, c) == TPAD_OK, name, "a plain problem", 0);
    expect(build->run_nothing() == TPAD_E_NOT_A_PLAN, name, "run of no plan", 0);
    expect(build->plan_nothing() == TPAD_E_ARGUMENT, name, "no plan, no problem", 0);

    const struct {
        const char *what;
        int64_t plan_bytes;
        int32_t elem_bits, rank, flags, reserved, wanted;
    } cases[] = {
        {"plan_bytes", 1, 8, 1, 0, 0, TPAD_E_PLAN_SIZE},
        {"no bits", 0, 0, 1, 0, 0, TPAD_E_ELEM},
        {"negative bits", 0, -8, 1, 0, 0, TPAD_E_ELEM},
        {"packed", 0, 4, 1, 0, 0, TPAD_E_ELEM},
        {"broken bytes", 0, 12, 1, 0, 0, TPAD_E_ELEM},
        {"too many bits", 0, 524296, 1, 0, 0, TPAD_E_ELEM},
        {"negative rank", 0, 8, -1, 0, 0, TPAD_E_RANK},
        {"high bits first", 0, 8, 1, TPAD_HIGH_BITS_FIRST, 0, TPAD_OK},
        {"read soon and late", 0, 8, 1, TPAD_OUT_READ_SOON | TPAD_OUT_READ_LATE, 0, TPAD_OK},
        {"a flag of 0.1", 0, 8, 1, 1, 0, TPAD_E_ARGUMENT},
        {"the other one", 0, 8, 1, 2, 0, TPAD_E_ARGUMENT},
        {"an unknown flag", 0, 8, 1, 128, 0, TPAD_E_ARGUMENT},
        {"reserved", 0, 8, 1, 0, 1, TPAD_E_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        small_call bad = {.plan_bytes = cases[i].plan_bytes,
                          .elem_bits = cases[i].elem_bits,
                          .rank = cases[i].rank,
                          .axes = &one,
                          .flags = cases[i].flags,
                          .reserved = cases[i].reserved};
        expect(init_of(build, bad) == cases[i].wanted, name, cases[i].what, 0);
    }
    static const wide_axis many[TPAD_MAX_RANK + 1];
    c.rank = build->max_rank + 1;
    c.axes = many;
    expect(init_of(build, c) == TPAD_E_RANK, name, "rank too large", 0);
    c = (small_call){.elem_bits = 8, .rank = 1};
    expect(init_of(build, c) == TPAD_E_ARGUMENT, name, "no axes", 0);

    unsigned char from = 7, to = 0;
    c = (small_call){.elem_bits = 8, .rank = 0, .src = &from, .dst = &to};
    expect(init_of(build, c) == TPAD_OK && to == 7, name, "rank 0 copies its element", to);
    c.dst = NULL;
    build->call(&c);
    expect(c.run == TPAD_E_ARGUMENT, name, "no dst", c.run);
    c.dst = &to;
    c.src = NULL;
    build->call(&c);
    expect(c.run == TPAD_E_ARGUMENT, name, "no src", c.run);
    c.at_once = 1;
    build->call(&c);
    expect(c.init == TPAD_E_ARGUMENT && c.error_code == c.init, name, "no src at once", c.init);
    c.at_once = 0;

    /* Where nothing is read src may be missing, and where nothing is written dst. */
    const wide_axis fill = {.after = 1}, nothing = {.in_extent = 1, .after = -1};
    c.axes = &fill;
    c.rank = 1;
    build->call(&c);
    expect(c.run == TPAD_OK && to == 0, name, "fill without src", c.run);
    c = (small_call){.elem_bits = 8, .rank = 1, .axes = &nothing};
    build->call(&c);
    expect(c.run == TPAD_OK, name, "nothing without dst", c.run);

    c = (small_call){.elem_bits = 8, .rank = 1, .axes = &two, .in_offset = 1};
    expect(init_of(build, c) == (build->strides ? TPAD_OK : TPAD_E_ARGUMENT), name, "in_offset", 0);
    c = (small_call){.elem_bits = 8, .rank = 1, .axes = &two, .out_offset = 1};
    expect(init_of(build, c) == (build->strides ? TPAD_OK : TPAD_E_ARGUMENT), name, "out_offset",
           0);
}

/* Strides with and without their flags: a stride that is given needs its flag, and an output of
 * more than one cell a stride. */
static void check_strides(const small_build *build)
{
    for (int32_t flags = 0; flags <= (TPAD_IN_STRIDES | TPAD_OUT_STRIDES); flags += 8) {
        for (int choice = 0; choice < 8; choice++) {
            const bool in_stride = choice & 1, out_stride = choice & 2, two_cells = choice & 4;
            const wide_axis axes[2] = {{.in_extent = 1},
                                       {.in_extent = two_cells ? 2 : 1,
                                        .in_stride = in_stride ? -3 : 0,
                                        .out_stride = out_stride ? 5 : 0}};
            small_call c = {.elem_bits = 8, .rank = 2, .axes = axes, .flags = flags};
            bool good = (flags & TPAD_IN_STRIDES || !in_stride) &&
                        (flags & TPAD_OUT_STRIDES || !out_stride);
            if (flags & TPAD_OUT_STRIDES && two_cells && !out_stride) good = false;
            const bool unknown = !build->strides && flags != 0;
            if (unknown) good = false;
            build->call(&c);
            expect(c.init == (good ? TPAD_OK : TPAD_E_ARGUMENT), build->name, "strides and flags",
                   100 * flags + choice);
            if (!good)
                expect(c.error_axis == (unknown ? -1 : 1), build->name, "the axis", c.error_axis);
        }
    }
}

/* One pointer for both sides, unless nothing is read or written; whatever the offsets are. */
static void check_equal_pointers(const small_build *build)
{
    const wide_axis cases[] = {{.in_extent = 3, .after = 1},
                               {.in_extent = 3, .before = -1},
                               {.in_extent = 0, .after = 4},
                               {.in_extent = 3, .after = -3}};
    for (int i = 0; i < 4; i++) {
        unsigned char both[4] = {1, 2, 3, 4};
        small_call c = {.elem_bits = 8, .rank = 1, .axes = &cases[i], .src = both, .dst = both};
        build->call(&c);
        expect(c.init == TPAD_OK && c.run == (i < 2 ? TPAD_E_ARGUMENT : TPAD_OK), build->name,
               "equal pointers", i);
        expect(both[3] == (i == 2 ? 0 : 4), build->name, "what was written", both[3]);
        c.src = c.dst = NULL;
        build->call(&c);
        expect(c.run == (i < 3 ? TPAD_E_ARGUMENT : TPAD_OK), build->name, "no pointers", i);
        if (!build->strides || i > 0) continue;
        unsigned char after[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        c.src = c.dst = after;
        for (c.out_offset = 1; c.out_offset < 5; c.out_offset++) {
            build->call(&c);
            expect(c.run == TPAD_E_ARGUMENT && memcmp(after, "\1\2\3\4\5\6\7\10", 8) == 0,
                   build->name, "equal pointers with other offsets", c.run);
        }
    }
}

static void check_axis_limits(const small_build *build)
{
    const int64_t most = MOST_EXTENT;
    const struct {
        const char *what;
        wide_axis axis;
        int32_t wanted;
    } cases[] = {
        {"the largest extent", {.in_extent = most}, TPAD_OK},
        {"an extent too many", {.in_extent = most + 1}, TPAD_E_EXTENT},
        {"a negative extent", {.in_extent = -1}, TPAD_E_EXTENT},
        {"before too large", {.before = most + 1}, TPAD_E_AMOUNT},
        {"before too small", {.before = -most - 1}, TPAD_E_AMOUNT},
        {"after too large", {.after = most + 1}, TPAD_E_AMOUNT},
        {"after too small", {.after = -most - 1}, TPAD_E_AMOUNT},
        {"the largest amounts", {.before = -most, .after = most}, TPAD_OK},
        {"a negative interior", {.interior = -1}, TPAD_E_INTERIOR},
        {"interior too large", {.interior = most + 1}, TPAD_E_INTERIOR},
        {"a negative mode", {.mode = -1}, TPAD_E_MODE},
        {"an unknown mode", {.mode = TPAD_MODE_COUNT}, TPAD_E_MODE},
        {"a negative order", {.order = -1}, TPAD_E_ORDER},
        {"an unknown order", {.order = 2}, TPAD_E_ORDER},
        {"a negative output", {.in_extent = 2, .after = -3}, TPAD_E_NEGATIVE},
        {"an output too large", {.in_extent = most, .after = 1}, TPAD_E_OVERFLOW},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int32_t status = init_axis(build, cases[i].axis);
        expect(status == cases[i].wanted, build->name, cases[i].what, status);
    }
    int32_t status = init_axis(build, (wide_axis){.in_extent = 2, .interior = most});
    expect(status == (build->interior ? TPAD_E_OVERFLOW : TPAD_E_INTERIOR), build->name,
           "an interior that makes the axis too long", status);
    status = init_axis(build, (wide_axis){.in_extent = most, .interior = most});
    expect(status == (build->interior ? TPAD_E_OVERFLOW : TPAD_E_INTERIOR), build->name,
           "an interior that leaves 32 bits", status);
    for (int32_t mode = 1; mode < TPAD_MODE_COUNT; mode++) {
        const int there = build->modes >> mode & 1;
        status = init_axis(build, (wide_axis){.after = 1, .mode = mode});
        expect(status == (there ? TPAD_E_NO_SOURCE : TPAD_E_MODE), build->name, "no source",
               status);
    }
}

/* Addresses stay in half of 32 bits. */
static void check_reach(const small_build *build)
{
    const wide_axis wide[2] = {{.in_extent = 1 << 15}, {.in_extent = 1 << 15}};
    const wide_axis flat[2] = {{.in_extent = 1 << 15}, {.in_extent = (1 << 15) - 2}};
    const wide_axis none[3] = {{.in_extent = 0}, {.in_extent = MOST_EXTENT}, {.in_extent = 9}};
    const wide_axis grown[3] = {{.in_extent = 0, .after = 1},
                                {.in_extent = MOST_EXTENT, .after = 1 - MOST_EXTENT},
                                {.in_extent = 9}};
    small_call c = {.elem_bits = 8, .rank = 2, .axes = wide};
    expect(init_of(build, c) == TPAD_E_OVERFLOW, build->name, "2^30 bytes", 0);
    c.axes = flat;
    expect(init_of(build, c) == TPAD_OK, build->name, "a little less", 0);
    c.elem_bits = 16;
    expect(init_of(build, c) == TPAD_E_OVERFLOW, build->name, "twice as much", 0);
    c = (small_call){.elem_bits = 8, .rank = 3, .axes = none};
    expect(init_of(build, c) == TPAD_OK, build->name, "no elements", 0);
    c.axes = grown;
    expect(init_of(build, c) == TPAD_OK, build->name, "an input of no elements", 0);
    if (!build->strides) return;

    const struct {
        const char *what;
        int64_t stride, offset;
        int32_t wanted;
    } cases[] = {
        {"a long stride", 0x1FFFFFFF, 0, TPAD_OK},
        {"a long way back", -0x1FFFFFFF, 0, TPAD_OK},
        {"a stride too long", 0x20000000, 0, TPAD_E_OVERFLOW},
        {"a way back too long", -0x20000000, 0, TPAD_E_OVERFLOW},
        {"the least stride there is", INT32_MIN, 0, TPAD_E_OVERFLOW},
        {"the farthest offset", 1, 0x3FFFFFFC, TPAD_OK},
        {"an offset too far", 1, 0x3FFFFFFD, TPAD_E_OVERFLOW},
        {"the least offset there is", 1, INT32_MIN, TPAD_E_OVERFLOW},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const wide_axis in = {.in_extent = 2, .in_stride = cases[i].stride, .out_stride = 1};
        const wide_axis out = {.in_extent = 2, .in_stride = 1, .out_stride = cases[i].stride};
        c = (small_call){.elem_bits = 8,
                         .rank = 1,
                         .axes = &in,
                         .in_offset = cases[i].offset,
                         .flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES};
        expect(init_of(build, c) == cases[i].wanted, build->name, cases[i].what, 0);
        c.axes = &out;
        c.in_offset = 0;
        c.out_offset = cases[i].offset;
        expect(init_of(build, c) == cases[i].wanted, build->name, cases[i].what, 1);
    }
}

int main(int argc, char **argv)
{
    const small_build *const builds[] = {&small_all, &small_constant, &small_dense, &small_rows,
                                         &small_reflect};
    enum { BUILDS = sizeof builds / sizeof builds[0] };
    random_run run = {"test_small", 1, 0, DEFAULT_CASES, NULL};
    uint64_t ran[BUILDS] = {0};
    bench b;
    if (!random_begin(&run, argc, argv)) return 2;
    bench_open(&b);
    for (size_t i = 0; i < BUILDS; i++) {
        check_arguments(builds[i]);
        check_strides(builds[i]);
        check_equal_pointers(builds[i]);
        check_axis_limits(builds[i]);
        check_reach(builds[i]);
        for (uint64_t k = run.first; k < run.first + run.cases; k++) {
            rng r = rng_seeded(run.seed, BUILDS * k + i);
            random_case(&run, k);
            if (!run_case(&b, &r, builds[i], &ran[i]) || !refuse_case(&r, builds[i])) return 1;
        }
        printf("%s: %" PRIu64 " of %" PRIu64
               " problems run, the others refused; a plan has %lu bytes\n",
               builds[i]->name, ran[i], run.cases, (unsigned long)builds[i]->plan_bytes);
        expect(ran[i] > run.cases / 2 || run.cases < 100, builds[i]->name, "too few cases",
               (int64_t)ran[i]);
    }
    bench_close(&b);
    return failures > 0;
}
