/* The gradient of the fill: every value gets the sum of the cells that hold it.
 * SPDX-License-Identifier: MIT
 *
 * One value after the other: axis by axis, the cells that hold it are boxes, which are summed one
 * after another. Knows axes as they were given. */
#include <tensorpad/adjoint.h>

#include "../core/error.h"
#include "../core/make_plan.h"
#include "../core/plan.h"
#include "../core/spans.h"
#include "check_call.h"
#include "sums.h"

typedef struct fill_sum {
    const plan *plan;
    const sum_numbers *numbers;
    const unsigned char *out;
    int64_t strides[TPAD_MAX_RANK]; /* of the values; 0: the axis has one value, or one cell */
    int64_t index[TPAD_MAX_RANK];   /* of the value, where the stride is not 0 */
    tpad_span box[TPAD_MAX_RANK];   /* cells of each axis */
    uint64_t total[2];              /* as sum_numbers has it */
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
    static const tpad_span one = {.count = 1};
    const int32_t outer = f->plan->rank > 3 ? f->plan->rank - 3 : 0;
    const tpad_span *inner[3] = {&one, &one, &one};
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

/* Adds all cells that hold the value. The box has cells with sources on the axes before axis k, and
 * all cells of the value on the others. */
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

/* Takes the strides of the values, and how many there are on each axis. */
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
        f.total[0] = f.total[1] = 0; /* of a double, too */
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
