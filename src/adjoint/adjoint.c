/* The transpose of a pad: every element gets the sum of the cells that took it.
 * SPDX-License-Identifier: MIT
 *
 * Owns the checks and the shares. */
#include <tensorpad/adjoint.h>

#include "../core/checked.h"
#include "../core/error.h"
#include "../core/run.h"
#include "check_call.h"
#include "region_sums.h"

/* The elements of the plan's input, without merging. */
static void take_elements(region *r, const plan *p)
{
    for (int32_t i = 0; i < p->rank; i++) {
        int64_t first = 0, count = p->in_extents[i];
        if (p->flags & PLAN_OWN_INPUT) tpad_axis_needs(&p->axes[i], &first, &count);
        r->first[i] = first;
        r->end[i] = first + count;
    }
}

static int is_empty(const region *r, int32_t rank)
{
    for (int32_t i = 0; i < rank; i++)
        if (r->first[i] == r->end[i]) return 1;
    return 0;
}

/* All that can be wrong, but for the parts. *empty: 1 if there is nothing to write. */
static int32_t check_call(region *elements, int *empty, const tpad_plan *opaque, int32_t number,
                          int32_t flags, const void *grad_out, const void *grad_in,
                          tpad_error *error)
{
    const plan *p = tpad_plan_open(opaque);
    int32_t status = tpad_adjoint_check(p, number, flags, error);
    if (status != TPAD_OK) return status;
    int64_t counts[TPAD_MAX_RANK], strides[TPAD_MAX_RANK];
    take_elements(elements, p);
    *empty = is_empty(elements, p->rank);
    if (*empty) return TPAD_OK;
    if (!grad_in) return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "grad_in is missing");
    if (!tpad_plan_has_pointers(p, grad_out, grad_in))
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0,
                         grad_out ? "grad_in and grad_out are the same memory; use two buffers"
                                  : "grad_out is missing");
    for (int32_t i = 0; i < p->rank; i++) {
        counts[i] = elements->end[i] - elements->first[i];
        strides[i] = p->axes[i].in_stride;
    }
    return tpad_adjoint_check_apart(p, counts, strides, error);
}

/* Sums a share of grad_in: some elements of the outermost loop that has as many as there are
 * parts. */
static void sum_part(const plan *p, const region *elements, int32_t number, int32_t flags,
                     const void *grad_out, void *grad_in, int64_t part, int64_t parts)
{
    adjoint w = {.numbers = tpad_sum_numbers(number),
                 .adds = flags & TPAD_ADJOINT_ADD,
                 .out = grad_out,
                 .in = grad_in,
                 .out_offset = p->out_offset,
                 .in_offset = p->in_offset};
    region r;
    int32_t cut = 0;
    tpad_adjoint_loops(&w, p, elements);
    for (int32_t k = 0; k < w.loops; k++) {
        r.first[k] = w.loop[k].first;
        r.end[k] = w.loop[k].end;
        const int64_t count = r.end[cut] - r.first[cut];
        if (count < parts && r.end[k] - r.first[k] > count) cut = k;
    }
    const int64_t count = r.end[cut] - r.first[cut], first = r.first[cut];
    const int64_t each = count / parts, more = count % parts;
    r.first[cut] = first + each * part + tpad_min(part, more);
    r.end[cut] = r.first[cut] + each + (part < more);
    tpad_sum_region(&w, &r);
}

int32_t tpad_adjoint_part(const tpad_plan *opaque, int32_t number, int32_t flags,
                          const void *grad_out, void *grad_in, int64_t part, int64_t parts,
                          tpad_error *error)
{
    region elements;
    int empty;
    const int32_t status =
        check_call(&elements, &empty, opaque, number, flags, grad_out, grad_in, error);
    if (status != TPAD_OK) return status;
    if (parts < 1 || part < 0 || part >= parts)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, part, parts, "there is no part %g of %l parts");
    if (!empty)
        sum_part(tpad_plan_open(opaque), &elements, number, flags, grad_out, grad_in, part, parts);
    return TPAD_OK;
}

typedef struct adjoint_task {
    const plan *plan;
    const region *elements;
    int32_t number, flags;
    const void *grad_out;
    void *grad_in;
    int64_t parts;
} adjoint_task;

static void run_adjoint_task(void *user, int64_t index)
{
    const adjoint_task *t = user;
    sum_part(t->plan, t->elements, t->number, t->flags, t->grad_out, t->grad_in, index, t->parts);
}

int32_t tpad_adjoint(const tpad_plan *opaque, int32_t number, int32_t flags, const void *grad_out,
                     void *grad_in, const tpad_runner *runner, tpad_error *error)
{
    region elements;
    int empty;
    const int32_t status =
        check_call(&elements, &empty, opaque, number, flags, grad_out, grad_in, error);
    if (status != TPAD_OK) return status;
    if (runner && !tpad_runner_is_usable(runner))
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "the runner is not complete");
    if (empty) return TPAD_OK;
    const plan *p = tpad_plan_open(opaque);
    adjoint_task t = {
        p, &elements, number, flags, grad_out, grad_in, runner ? tpad_plan_parts(p, runner) : 1};
    if (t.parts > 1) return runner->run(runner->context, t.parts, run_adjoint_task, &t);
    run_adjoint_task(&t, 0);
    return TPAD_OK;
}
