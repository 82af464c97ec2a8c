/* The transpose of a pad: every element gets the sum of the cells that took it.
 * SPDX-License-Identifier: MIT
 *
 * Checks the arguments and splits the work into shares. */
#include <tensorpad/adjoint.h>

#include "../core/checked.h"
#include "../core/error.h"
#include "../core/plan.h"
#include "../core/run.h"
#include "../core/spans.h"
#include "../core/walk.h"
#include "sums.h"

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

/* All checks except that of the parts. *empty: 1 if there is nothing to write. */
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

/* Sums a share of grad_in: some elements of the outermost loop that has enough for all parts. */
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

/* A plan as loops for gradients.
 *
 * As few loops as possible: those that neither pad nor crop are joined, and the innermost one of
 * them becomes part of the cell. The order of the loops is that of the sums (tensorpad/adjoint.h).
 */

/* Maximum bytes of a cell that was a loop. */
enum { MOST_CELL_BYTES = 4096 };

/* 1 if cell i is element i, and there are no others. */
static int is_whole(const taken_axis *of)
{
    return tpad_axis_is_plain(&of->axis) && of->end == of->axis.extent;
}

/* Inserts a loop after all that have larger strides. A loop of one cell does not matter to the
 * order of the sums: it is placed by its stride in the input. */
static void insert_loop(adjoint *w, const taken_axis *of)
{
    const int one_cell = of->axis.extent <= 1;
    const int64_t stride = one_cell ? of->axis.in_stride : of->axis.out_stride;
    int32_t at = w->loops++;
    for (; at > 0; at--) {
        const axis *before = &w->loop[at - 1].axis;
        if (tpad_magnitude(one_cell ? before->in_stride : before->out_stride) >=
            tpad_magnitude(stride))
            break;
        w->loop[at] = w->loop[at - 1];
    }
    w->loop[at] = *of;
}

/* Joins neighbouring loops that are whole and contiguous on both sides. */
static void join_loops(adjoint *w)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < w->loops; k++) {
        const taken_axis *inner = &w->loop[k];
        taken_axis *outer = kept > 0 ? &w->loop[kept - 1] : NULL;
        const int64_t extent = inner->axis.extent;
        if (outer && is_whole(outer) && is_whole(inner) &&
            outer->axis.in_stride == extent * inner->axis.in_stride &&
            outer->axis.out_stride == extent * inner->axis.out_stride) {
            axis a = inner->axis;
            a.extent = a.hi = outer->axis.extent * extent;
            *outer = tpad_taken_axis(&a, 0, a.extent);
        } else {
            w->loop[kept++] = *inner;
        }
    }
    w->loops = kept;
}

void tpad_adjoint_loops(adjoint *w, const plan *p, const region *elements)
{
    w->loops = 0;
    w->cell = p->elem_bits / 8;
    for (int32_t n = 0; n < 2 * p->rank; n++) { /* axes of several cells first */
        const int32_t i = n % p->rank;
        axis a = p->axes[i];
        if (p->cells == 0) a.extent = 0; /* its cells may have no source */
        if ((a.extent <= 1) != (n >= p->rank)) continue;
        const taken_axis of = tpad_taken_axis(&a, elements->first[i], elements->end[i]);
        if (!is_whole(&of) || of.end > 1) insert_loop(w, &of);
    }
    join_loops(w);
    if (w->loops > 0) {
        const taken_axis *last = &w->loop[w->loops - 1];
        if (is_whole(last) && last->axis.in_stride == w->cell && last->axis.out_stride == w->cell &&
            last->end <= MOST_CELL_BYTES / w->cell) {
            w->cell *= last->end;
            w->loops--;
        }
    }
    if (w->loops == 0) {
        const axis single = {.extent = 1, .hi = 1, .spacing = 1, .mode = TPAD_CONSTANT};
        w->loop[w->loops++] = tpad_taken_axis(&single, 0, 1);
    }
}

/* Checks before gradients are summed. */

/* The bits of an element of this kind; 0 if there is no such kind. */
static int32_t bits_of_number(int32_t number)
{
    switch (number) {
#define NUMBER_CASE(name, value, bits)                                                             \
    case value:                                                                                    \
        return bits;
        TPAD_NUMBER_MAP(NUMBER_CASE)
#undef NUMBER_CASE
    default:
        return 0;
    }
}

int32_t tpad_adjoint_check(const plan *p, int32_t number, int32_t flags, tpad_error *error)
{
    if (!p) return TPAD_FAIL(error, TPAD_E_NOT_A_PLAN, 0, 0, "the plan was never made");
    if (p->flags & PLAN_BORDER)
        return TPAD_FAIL(error, TPAD_E_BORDER, 0, 0,
                         "a border plan has no gradient: use the plan that it was made from");
    const int32_t bits = bits_of_number(number);
    if (bits == 0) return TPAD_FAIL(error, TPAD_E_ELEM, number, 0, "there are no numbers %g");
    if (bits != p->elem_bits)
        return TPAD_FAIL(error, TPAD_E_ELEM, bits, p->elem_bits,
                         "these numbers have %g bits, but elements of the plan have %l");
    if (flags & ~TPAD_ADJOINT_ADD)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, flags, TPAD_ADJOINT_ADD,
                         "flags %g are not known here; TPAD_ADJOINT_ADD is %l");
    return TPAD_OK;
}

int32_t tpad_adjoint_check_apart(const plan *p, const int64_t *counts, const int64_t *strides,
                                 tpad_error *error)
{
    return tpad_check_apart(counts, strides, p->rank, p->elem_bits,
                            "axis %a: with stride %g the results may overlap; %l and more would "
                            "keep them apart",
                            error);
}

/* The gradient of the fill: every value gets the sum of the cells that hold it.
 *
 * One value after another: axis by axis, the cells that hold it are split into boxes, which are
 * summed in turn. */

typedef struct fill_sum {
    const plan *plan;
    const sum_numbers *numbers;
    const unsigned char *out;
    int64_t strides[TPAD_MAX_RANK]; /* of the values; 0: the axis has one value, or one cell */
    int64_t index[TPAD_MAX_RANK];   /* of the value, if the stride is not 0 */
    tpad_span box[TPAD_MAX_RANK];   /* cells of each axis */
    uint64_t total[2];              /* as in sum_numbers */
} fill_sum;

/* The cells of an axis that belong to the value. */
static tpad_span cells_of_value(const fill_sum *f, int32_t i)
{
    const axis *a = &f->plan->axes[i];
    const int64_t index = f->strides[i] != 0 ? f->index[i] : 0;
    return tpad_filled_span(a, index, f->strides[i] != 0 ? index + 1 : a->extent);
}

/* Adds all cells of the box. */
static void add_box(fill_sum *f)
{
    static const tpad_span single = {.count = 1};
    const int32_t outer = f->plan->rank > 3 ? f->plan->rank - 3 : 0;
    const tpad_span *inner[3] = {&single, &single, &single};
    int64_t index[TPAD_MAX_RANK], from = f->plan->out_offset;
    for (int32_t i = 0; i < f->plan->rank; i++) {
        if (i >= outer) inner[2 - (f->plan->rank - 1 - i)] = &f->box[i];
        index[i] = 0;
        from += f->box[i].dst;
    }
    sum_block b = {.planes = inner[0]->count,
                   .rows = inner[1]->count,
                   .cells = inner[2]->count,
                   .numbers = f->numbers->parts,
                   .from_plane = inner[0]->dst_step,
                   .from_row = inner[1]->dst_step,
                   .from_step = inner[2]->dst_step};
    for (int32_t i = 0; i >= 0;) {
        b.from = f->out + from;
        f->numbers->total(&b, f->numbers->parts, f->total);
        for (i = outer - 1; i >= 0; i--) {
            from += f->box[i].dst_step;
            if (++index[i] < f->box[i].count) break;
            from -= index[i] * f->box[i].dst_step;
            index[i] = 0;
        }
    }
}

/* Adds all cells that hold the value. On axes before k the box has cells with sources only; on the
 * others it has all cells of the value. */
static void add_fills(fill_sum *f, int32_t k)
{
    if (k == f->plan->rank) return;
    const axis *a = &f->plan->axes[k];
    const tpad_span all = cells_of_value(f, k);
    const int64_t first = f->strides[k] != 0 ? f->index[k] : 0;
    span_reader cells = tpad_read_spans(a, first, first + all.count, INT64_MAX);
    for (tpad_span s; tpad_next_span(&cells, &s);) {
        f->box[k] = s;
        if (s.filled)
            add_box(f);
        else
            add_fills(f, k + 1);
    }
    f->box[k] = all;
}

/* Reads the strides of the values, and their number on each axis. */
static int32_t take_values(fill_sum *f, int64_t *offset, int64_t *counts, const tpad_index *strides,
                           tpad_error *error)
{
    const plan *p = f->plan;
    int64_t reach = p->elem_bits / 8;
    *offset = 0;
    for (int32_t i = 0; i < p->rank; i++) {
        const int64_t cells = p->first[i] + p->axes[i].extent;
        const int64_t stride = strides && (cells != 1 || p->axes[i].extent == 0) ? strides[i] : 0;
        if (!tpad_add_reach(&reach, stride, cells))
            return tpad_fail(error, (tpad_error){TPAD_E_OVERFLOW, i, stride, 0, 0, 0, NULL,
                                                 "axis %a: with stride %g the values exceed 64 "
                                                 "bits"});
        *offset += p->first[i] * stride;
        counts[i] = stride != 0 ? p->axes[i].extent : 1;
        f->strides[i] = counts[i] == 1 ? 0 : stride;
    }
    return TPAD_OK;
}

int32_t tpad_adjoint_fill(const tpad_plan *opaque, int32_t number, int32_t flags,
                          const void *grad_out, void *grad_fill, const tpad_index *strides,
                          tpad_error *error)
{
    fill_sum f = {.plan = tpad_plan_open(opaque), .out = grad_out};
    const plan *p = f.plan;
    int64_t offset, counts[TPAD_MAX_RANK];
    int32_t status = tpad_adjoint_check(p, number, flags, error);
    if (status == TPAD_OK) status = take_values(&f, &offset, counts, strides, error);
    if (status != TPAD_OK) return status;
    for (int32_t i = 0; i < p->rank; i++)
        if (counts[i] == 0) return TPAD_OK;
    if (!grad_fill) return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "grad_fill is missing");
    if (p->cells > 0 && !grad_out)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "grad_out is missing");
    if (p->cells > 0 && grad_out == grad_fill)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0,
                         "grad_fill and grad_out are the same memory; use two buffers");
    status = tpad_adjoint_check_apart(p, counts, f.strides, error);
    if (status != TPAD_OK) return status;

    f.numbers = tpad_sum_numbers(number);
    for (int32_t i = 0; i >= 0;) {
        int64_t to = offset;
        for (i = 0; i < p->rank; i++) {
            f.box[i] = cells_of_value(&f, i);
            to += f.index[i] * f.strides[i];
        }
        f.total[0] = f.total[1] = 0; /* also 0 as a double */
        if (p->cells > 0) add_fills(&f, 0);
        f.numbers->put_total((unsigned char *)grad_fill + to, f.numbers->parts, f.total,
                             flags & TPAD_ADJOINT_ADD);
        for (i = p->rank - 1; i >= 0; i--) {
            if (++f.index[i] < counts[i]) break;
            f.index[i] = 0;
        }
    }
    return TPAD_OK;
}
