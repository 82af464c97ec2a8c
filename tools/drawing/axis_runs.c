/* The runs of a long axis, found by asking the plan.  SPDX-License-Identifier: MIT
 *
 * tpad_plan_sources says which elements an interval of cells reads. A run goes on as long as the
 * interval reads what such a run would: its end is found by doubling and halving, so an axis may
 * have any extent.
 */
#include "axis_runs.h"

typedef struct asking {
    const tpad_plan *plan;
    int32_t axis;
    int64_t step; /* 1 + interior */
} asking;

static int64_t source_at(const asking *ask, int64_t cell)
{
    tpad_source pieces[2];
    tpad_plan_sources(ask->plan, ask->axis, cell, 1, pieces);
    return pieces[0].in_extent ? pieces[0].in_first : -1;
}

/* 1 if the first `count` cells of the run are what its kind says. */
static int holds(const asking *ask, const shown_run *run, int64_t count)
{
    tpad_source pieces[2];
    tpad_plan_sources(ask->plan, ask->axis, run->first, count, pieces);
    if (run->kind == RUN_FILL) return pieces[0].in_extent == 0;
    if (run->kind == RUN_REPEAT) return pieces[0].in_extent == 1;
    const int64_t elements = (count - 1) / ask->step + 1;
    if (pieces[1].out_extent || pieces[0].in_extent != elements) return 0;
    return run->kind == RUN_COPY ? pieces[0].in_first == run->from
                                 : pieces[0].in_first + elements - 1 == run->from;
}

/* What begins at run->first, if nothing lies behind `end`. */
static void begin_run(const asking *ask, shown_run *run, int64_t end)
{
    const int64_t next = run->first + ask->step;
    run->from = source_at(ask, run->first);
    if (run->from < 0) {
        run->kind = RUN_FILL;
        return;
    }
    /* A repeated edge has no interior cells. With interior, two equal neighbours alone are a seam
     * of mode symmetric. */
    const int64_t near = run->first + (ask->step > 1 ? 2 : 1);
    if (near < end && source_at(ask, run->first + 1) == run->from &&
        source_at(ask, near) == run->from) {
        run->kind = RUN_REPEAT;
        return;
    }
    const int64_t after = next < end ? source_at(ask, next) : -1;
    run->kind = after >= 0 && after == run->from - 1 ? RUN_REVERSE : RUN_COPY;
}

/* How many of at most `most` cells the run has. */
static int64_t length_of(const asking *ask, const shown_run *run, int64_t most)
{
    int64_t good = 1, bad = most + 1;
    while (good < most && good < bad - 1) {
        const int64_t half = bad - good > good ? good : (bad - good) / 2;
        if (holds(ask, run, good + half))
            good += half;
        else
            bad = good + half;
    }
    return good;
}

static void measure_run(const asking *ask, shown_run *run, int64_t end)
{
    run->count = length_of(ask, run, end - run->first);
    const int64_t elements = (run->count - 1) / ask->step;
    const shown_run tail = {.kind = RUN_FILL, .first = run->first + elements * ask->step + 1};
    const int64_t behind = run->first + run->count - tail.first;
    /* What follows the last element belongs to the run as far as it is interior. */
    if (run->kind != RUN_FILL && run->kind != RUN_REPEAT && behind > 0)
        run->count -=
            source_at(ask, tail.first) < 0 ? behind - length_of(ask, &tail, behind) : behind;
    run->to = run->kind == RUN_COPY      ? run->from + elements
              : run->kind == RUN_REVERSE ? run->from - elements
                                         : run->from;
}

/* Adds the runs of cells [first, end). */
static void add_runs(shown_axis *axis, const asking *ask, int64_t first, int64_t end, int own)
{
    for (int told = 0; first < end; told++) {
        shown_run *run = &axis->runs[axis->run_count++];
        *run = (shown_run){.own = own, .first = first};
        if (told == SHOWN_RUNS) {
            run->kind = RUN_MORE;
            run->count = end - first;
            return;
        }
        begin_run(ask, run, end);
        measure_run(ask, run, end);
        first += run->count;
    }
}

void tell_runs(shown_axis *axis, const tpad_plan *plan, int32_t number)
{
    const asking ask = {plan, number, axis->axis.interior + 1};
    axis->run_count = 0;
    add_runs(axis, &ask, 0, axis->own_first, 0);
    add_runs(axis, &ask, axis->own_first, axis->own_end, 1);
    add_runs(axis, &ask, axis->own_end, axis->out, 0);
}
