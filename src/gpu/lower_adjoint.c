/* The gradient of a pad as a launch on a GPU. SPDX-License-Identifier: MIT
 *
 * The checks and the loops are those of tpad_adjoint, and so is the order of the sums. */
#include <tensorpad/adjoint.h>

#include "../adjoint/sums.h"
#include "../core/checked.h"
#include "../core/error.h"
#include "lower.h"

/* Numbers on a GPU: the two halves of a complex one become an innermost axis. */
static const struct {
    int kind, size, pair;
} numbers[] = {{0, 0, 0},           {GPU_F32, 4, 0},     {GPU_F32 + 1, 8, 0}, {GPU_F32 + 2, 2, 0},
               {GPU_F32 + 3, 2, 0}, {GPU_F32, 4, 1},     {GPU_F32 + 1, 8, 1}, {GPU_F32 + 4, 1, 0},
               {GPU_F32 + 5, 2, 0}, {GPU_F32 + 6, 4, 0}, {GPU_F32 + 7, 8, 0}};

/* The elements of the plan's input. *empty: 1 if there are none. Errors: E_ARGUMENT. */
static int32_t find_elements(region *elements, int *empty, const plan *p, tpad_error *error)
{
    int64_t counts[TPAD_MAX_RANK], strides[TPAD_MAX_RANK];
    *empty = 0;
    for (int32_t i = 0; i < p->rank; i++) {
        int64_t first = 0;
        counts[i] = p->in_extents[i];
        strides[i] = p->axes[i].in_stride;
        if (p->flags & PLAN_OWN_INPUT) tpad_axis_needs(&p->axes[i], &first, &counts[i]);
        elements->first[i] = first;
        elements->end[i] = first + counts[i];
        *empty |= counts[i] == 0;
    }
    return *empty ? TPAD_OK : tpad_adjoint_check_apart(p, counts, strides, error);
}

/* 1 if no element has more than one cell and nothing is added: such a gradient is a crop. */
static int only_moves(const plan *p, int32_t flags)
{
    for (int32_t i = 0; i < p->rank; i++)
        if (p->axes[i].mode != TPAD_CONSTANT) return 0;
    return !(flags & TPAD_ADJOINT_ADD);
}

/* Launches that crop as a pad: of the cells that take an element, with zeros for elements that no
 * cell takes. */
static int32_t lower_crop(tpad_gpu_launch *launch, const plan *p, const region *elements,
                          const tpad_gpu_adjoint_args *args, int wide, tpad_error *error)
{
    const tpad_gpu_pad_args moves = {
        .struct_size = sizeof moves, .src = args->grad_out, .dst = args->grad_in};

    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem = TPAD_PROBLEM(p->elem_bits, p->rank, axes);
    plan crop; /* without room for a table */
    problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
    problem.in_offset = p->out_offset;
    problem.out_offset = p->in_offset;
    for (int32_t i = 0; i < p->rank; i++) {
        const axis *a = &p->axes[i];
        const int64_t first = elements->first[i], end = elements->end[i];
        const taken_axis of = tpad_taken_axis(a, first, end);
        const int64_t from = tpad_min(end, tpad_max(first, of.own_first));
        const int64_t to = tpad_max(from, tpad_min(end, of.own_end));
        axes[i] = (tpad_axis){.in_extent = to - from,
                              .before = from - first,
                              .after = end - to,
                              .in_stride = (to - from > 1 ? a->spacing : 1) * a->out_stride,
                              .out_stride = a->in_stride};
        if (to > from) problem.in_offset += (from * a->spacing - a->origin) * a->out_stride;
        problem.out_offset += first * a->in_stride;
    }
    /* Both sides are within those of the plan, so this cannot fail; if it did, tpad_gpu_lower_pad
     * would refuse the plan. */
    (void)tpad_plan_make(&crop, &problem, error);
    return tpad_gpu_lower_pad(launch, (const tpad_plan *)(const void *)&crop, &moves, wide, error);
}

int32_t tpad_gpu_lower_adjoint(tpad_gpu_launch *launch, const tpad_plan *opaque,
                               const tpad_gpu_adjoint_args *args, int wide, tpad_error *error)
{
    const plan *p;
    region elements;
    int empty;
    int32_t status =
        tpad_gpu_begin(launch, opaque, &p, args ? args->struct_size : 0, sizeof *args, error);
    if (status != TPAD_OK) return status;
    const int32_t number = args->number, flags = args->flags;
    status = tpad_adjoint_check(p, number, flags, error);
    if (status == TPAD_OK) status = find_elements(&elements, &empty, p, error);
    if (status != TPAD_OK || empty) return status;

    const int64_t size = numbers[number].size, lanes = 16 / size;
    adjoint w = {.in_offset = p->in_offset, .out_offset = p->out_offset};
    taken_axis loops[TPAD_MAX_RANK + 1];
    tpad_adjoint_loops(&w, p, &elements);
    for (int32_t k = 0; k < w.loops; k++) loops[k] = w.loop[k];
    if (w.cell > size) {
        const int64_t count = w.cell / size;
        const axis cell = {count, 0, 0, count, 1, size, size, TPAD_CONSTANT};
        loops[w.loops++] = tpad_taken_axis(&cell, 0, count);
    }
    int64_t all =
        tpad_gpu_remainder(args->grad_out | args->grad_in, 0) | p->in_offset | p->out_offset;
    for (int32_t k = 0; k < w.loops; k++) all |= loops[k].axis.in_stride | loops[k].axis.out_stride;
    if (all & (size - 1))
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, size,
                         "a number does not lie at a multiple of %l bytes");

    if (only_moves(p, flags)) return lower_crop(launch, p, &elements, args, wide, error);

    tpad_gpu_adjoint_params g;
    for (;;) { /* repeats if 32 bits are too few: the divisors differ */
        const int bits = wide ? 64 : 32;
        int64_t rows = 1, reach = 0;
        int small = tpad_gpu_is_small(p->cells * p->cell);
        tpad_memset(&g, 0, sizeof g);
        g.in_base = p->in_offset / size;
        g.out_base = p->out_offset / size;
        for (int32_t k = 0; k < w.loops; k++) {
            tpad_gpu_taken *t = &g.axes[w.loops - 1 - k];
            const taken_axis *of = &loops[k];
            const int64_t count = of->end - of->first, skipped = of->first * of->axis.spacing;
            axis a = of->axis; /* with the first element that exists as element 0 */
            a.origin -= skipped;
            a.lo -= skipped;
            a.hi -= skipped;
            small &= tpad_gpu_describe_axis(&t->axis, &a, 0, size, bits);
            t->elements = count;
            tpad_gpu_divisor(count, bits, &t->elements_factor, &t->elements_shift);
            t->alone_first = of->alone_first - of->first;
            t->alone_end = of->alone_end - of->first;
            g.in_base += of->first * t->axis.in_stride;
            if (k < w.loops - 1) rows *= count;
            const int64_t positions = tpad_gpu_add_reach(a.extent, count, a.spacing);
            reach = tpad_gpu_add_reach(reach, count, t->axis.in_stride);
            reach = tpad_gpu_add_reach(reach, positions, t->axis.out_stride);
            small &= tpad_gpu_is_small(positions);
        }
        g.rank = w.loops;
        g.flags = flags & TPAD_ADJOINT_ADD ? TPAD_GPU_ADD : 0;
        const tpad_gpu_taken *line = &g.axes[0];
        const int in_order =
            line->axis.in_stride == 1 && line->axis.out_stride == 1 && line->axis.spacing == 1;
        int64_t strides[TPAD_MAX_RANK];
        for (int32_t k = 1; k < w.loops; k++) strides[k - 1] = g.axes[k].axis.in_stride;
        const int64_t first = tpad_gpu_remainder(args->grad_in, g.in_base * size) / size;
        const int64_t lost =
            tpad_gpu_before_vectors(first + line->alone_first, strides, w.loops - 1, lanes);
        tpad_gpu_set_tiles(&g.tiles, rows, line->elements,
                           in_order ? line->alone_end - line->alone_first - lost : 0, lanes, bits);
        small &= tpad_gpu_is_small(reach) & tpad_gpu_is_small(g.tiles.threads) &
                 tpad_gpu_is_small(g.out_base) & tpad_gpu_is_small(g.in_base);
        if (small || wide) break;
        wide = 1;
    }
    launch->remainders = tpad_gpu_remainders(args->grad_out, args->grad_in, 0);
    return tpad_gpu_finish(launch, numbers[number].kind, wide, g.tiles.threads, &g, sizeof g,
                           error);
}

int32_t tpad_gpu_adjoint(tpad_gpu_launch *launch, const tpad_plan *opaque,
                         const tpad_gpu_adjoint_args *args, tpad_error *error)
{
    return tpad_gpu_lower_adjoint(launch, opaque, args, 0, error);
}
