/* Runs a plan with a fill that is an array, broadcast against the output.
 * SPDX-License-Identifier: MIT
 *
 * There are two ways. If long parts of the output have one value (a value for each plane), these
 * parts are run one after another, by the plan's own table. Otherwise the plan is run with any
 * value, and then the cells that it fills are written again: axis by axis they are split into
 * boxes, and the array is copied into them like any input. */
#include "checked.h"
#include "plan.h"
#include "run.h"
#include "spans.h"
#include "walk.h"

/* Parts of the output with one value are run separately from this size on: below it, starting each
 * part takes longer than writing its fill twice. */
enum { LONG_PART_BYTES = 1536 };

/* A fill against a plan. Places and strides are in the unit of the plan's axes. */
typedef struct broadcast {
    const plan *plan;
    const unsigned char *values;
    int32_t is_one;  /* 1: `values` is one value, as for tpad_run */
    int32_t varying; /* the number of axes up to the last one along which values differ; 0: none */
    int64_t first;   /* from `values` to the value of the plan's first cell */
    int64_t strides[TPAD_MAX_RANK]; /* 0 on axes of a single cell */
} broadcast;

/* 1 if some cell of an axis may have no source. */
static int may_fill(const axis *a)
{
    return a->spacing > 1 ||
           (a->mode == TPAD_CONSTANT && (a->origin < a->lo || a->origin + a->extent > a->hi));
}

/* Checks a fill and converts its strides. Errors: E_ARGUMENT, E_OVERFLOW. */
static int32_t take_fill(broadcast *b, const plan *p, const tpad_fill *fill)
{
    const int64_t scale = p->elem_bits < 8 ? p->elem_bits : 1;
    int64_t reach = p->elem_bits < 8 ? p->elem_bits : p->elem_bits / 8;
    int fills = 0;
    if (fill && fill->struct_size != sizeof *fill) return TPAD_E_ARGUMENT;
    b->plan = p;
    b->values = fill ? fill->values : NULL;
    b->is_one = !b->values || !fill->strides;
    b->first = 0;
    b->varying = 0;
    for (int32_t i = 0; i < p->rank && !b->is_one; i++) {
        const axis *a = &p->axes[i];
        const int64_t cells = p->first[i] + a->extent;
        const int64_t stride = cells < 2 ? 0 : fill->strides[i];
        if (!tpad_add_reach(&reach, stride, cells * scale)) return TPAD_E_OVERFLOW;
        b->first += p->first[i] * stride * scale;
        b->strides[i] = a->extent > 1 ? stride * scale : 0;
        if (b->strides[i] != 0) b->varying = i + 1;
        fills |= may_fill(a);
    }
    if (!fills) b->varying = 0;
    return TPAD_OK;
}

/* The number of consecutive cells of the loops that have one value; 0 if these are few. */
static int64_t cells_alike(const broadcast *b)
{
    const plan *p = b->plan;
    int64_t outer = INT64_MAX, alike = 1;
    if (b->varying == 0) return p->cells;
    for (int32_t i = 0; i < p->rank; i++) {
        const axis *a = &p->axes[i];
        const int64_t stride = a->out_stride < 0 ? -a->out_stride : a->out_stride;
        if (a->extent == 1) continue;
        if (stride >= outer) return 0; /* the loops have another order than the axes */
        outer = stride;
        if (i >= b->varying) alike *= a->extent;
    }
    const int64_t in_cell = p->cell * p->cell_unit / p->elem_bits;
    /* Both are products of the innermost extents, so one of them divides the other. */
    return alike >= LONG_PART_BYTES * 8 / p->elem_bits ? alike / in_cell : 0;
}

/* The value at a place; a packed one is copied. */
static const void *value_at(const broadcast *b, int64_t place, unsigned char *packed)
{
    const int32_t bits = b->plan->elem_bits;
    if (b->is_one) return b->values;
    if (bits >= 8) return b->values + place;
    const int shift = (int)(place & 7);
    *packed = (unsigned char)(b->values[place >> 3] >>
                              (b->plan->flags & PLAN_HIGH_BITS_FIRST ? 8 - bits - shift : shift));
    return packed;
}

/* Runs one part of the output: every `alike` consecutive cells have one value. */
static void run_alike(const broadcast *b, const void *src, void *dst, int64_t alike, int64_t part,
                      int64_t parts)
{
    int64_t at, end;
    tpad_plan_share(b->plan, part, parts, &at, &end);
    for (int64_t next; at < end; at = next) {
        int64_t number = at / alike, place = b->first;
        unsigned char packed;
        next = tpad_min((number + 1) * alike, end);
        for (int32_t i = b->varying - 1; i >= 0; i--) {
            const int64_t extent = b->plan->axes[i].extent;
            place += number % extent * b->strides[i];
            number /= extent;
        }
        tpad_run_cells(b->plan, src, dst, value_at(b, place, &packed), at, next);
    }
}

/* Evenly spaced cells of every axis; places and distances count cells. */
typedef struct cells_box {
    tpad_span axes[TPAD_MAX_RANK];
} cells_box;

/* Copies the values over a box of cells. */
static TPAD_NOINLINE void copy_values(const broadcast *b, const cells_box *box, void *dst)
{
    const plan *p = b->plan;
    plan q = {.rank = p->rank,
              .elem_bits = p->elem_bits,
              .flags = (p->flags & PLAN_HIGH_BITS_FIRST) | PLAN_APART,
              .in_offset = b->first,
              .out_offset = p->out_offset,
              .tail = -1};
    for (int32_t i = 0; i < p->rank; i++) {
        const tpad_span *s = &box->axes[i];
        q.in_offset += s->dst * b->strides[i];
        q.out_offset += s->dst * p->axes[i].out_stride;
        q.axes[i] = (axis){.extent = s->count,
                           .hi = s->count,
                           .spacing = 1,
                           .in_stride = s->dst_step * b->strides[i],
                           .out_stride = s->dst_step * p->axes[i].out_stride,
                           .mode = TPAD_CONSTANT};
    }
    tpad_plan_finish(&q);
    tpad_plan_choose(&q, 0);
    tpad_run_once(&q, b->values, dst, NULL);
}

/* Copies the values over all cells of a box that the plan fills. On axes before k the box has cells
 * with sources only; on the others it has all cells. */
static void copy_fills(const broadcast *b, cells_box *box, int32_t k, void *dst)
{
    if (k == b->plan->rank) return;
    axis a = b->plan->axes[k];
    const tpad_span all = {.count = a.extent, .dst_step = 1};
    a.in_stride = 0;
    a.out_stride = 1;
    span_reader cells = tpad_read_spans(&a, 0, a.extent, INT64_MAX);
    for (tpad_span s; may_fill(&a) && tpad_next_span(&cells, &s);) {
        box->axes[k] = s;
        if (s.filled)
            copy_values(b, box, dst);
        else
            copy_fills(b, box, k + 1, dst);
    }
    box->axes[k] = all;
    if (!may_fill(&a)) copy_fills(b, box, k + 1, dst);
}

/* Runs the whole plan, then copies the values over the cells that it fills. */
static void run_twice(const broadcast *b, const void *src, void *dst)
{
    cells_box box;
    for (int32_t i = 0; i < b->plan->rank; i++)
        box.axes[i] = (tpad_span){.count = b->plan->axes[i].extent, .dst_step = 1};
    tpad_run_cells(b->plan, src, dst, NULL, 0, b->plan->cells);
    copy_fills(b, &box, 0, dst);
}

/* The same for one part of several: a box with some of the cells of the outermost axis that has
 * enough for all parts. */
static TPAD_NOINLINE void run_slab(const tpad_plan *opaque, const void *src, void *dst,
                                   const tpad_fill *fill, int64_t part, int64_t parts)
{
    const plan *p = tpad_plan_open(opaque);
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    int32_t cut = 0;
    for (int32_t i = 1; i < p->rank; i++)
        if (p->axes[cut].extent < parts && p->axes[i].extent > p->axes[cut].extent) cut = i;
    for (int32_t i = 0; i < p->rank; i++) {
        first[i] = 0;
        extents[i] = p->axes[i].extent;
    }
    const int64_t each = p->axes[cut].extent / parts, more = p->axes[cut].extent % parts;
    first[cut] = each * part + tpad_min(part, more);
    extents[cut] = each + (part < more);
    if (extents[cut] == 0) return;
    tpad_plan slab;
    const tpad_box box = {.struct_size = sizeof box, .first = first, .extents = extents};
    broadcast b;
    /* Neither fails: the box is inside the output and has no memory of its own, and the reach of
     * the fill's strides was checked for the whole output. */
    tpad_plan_box(&slab, sizeof slab, opaque, &box, NULL);
    take_fill(&b, tpad_plan_open(&slab), fill);
    run_twice(&b, src, dst);
}

/* All checks except that of the parts. */
static int32_t check_fill(broadcast *b, const tpad_plan *opaque, const void *src, const void *dst,
                          const tpad_fill *fill)
{
    const plan *p = tpad_plan_open(opaque);
    const int32_t status = p ? take_fill(b, p, fill) : TPAD_E_NOT_A_PLAN;
    if (status != TPAD_OK) return status;
    return p->cells == 0 || tpad_plan_has_pointers(p, src, dst) ? TPAD_OK : TPAD_E_ARGUMENT;
}

int32_t tpad_run_fill_part(const tpad_plan *opaque, const void *src, void *dst,
                           const tpad_fill *fill, int64_t part, int64_t parts)
{
    broadcast b;
    const int32_t status = check_fill(&b, opaque, src, dst, fill);
    if (status != TPAD_OK) return status;
    if (part < 0 || parts < 1 || part >= parts) return TPAD_E_ARGUMENT;
    if (b.plan->cells == 0) return TPAD_OK;
    const int64_t alike = cells_alike(&b);
    if (alike > 0)
        run_alike(&b, src, dst, alike, part, parts);
    else if (parts > 1 && b.plan->elem_bits >= 8)
        run_slab(opaque, src, dst, fill, part, parts);
    else if (part == 0)
        run_twice(&b, src, dst);
    return TPAD_OK;
}

typedef struct fill_task {
    const tpad_plan *plan;
    const void *src;
    void *dst;
    const tpad_fill *fill;
    int64_t parts;
} fill_task;

static void run_fill_task(void *user, int64_t index)
{
    const fill_task *t = user;
    tpad_run_fill_part(t->plan, t->src, t->dst, t->fill, index, t->parts);
}

int32_t tpad_run_fill(const tpad_plan *opaque, const void *src, void *dst, const tpad_fill *fill,
                      const tpad_runner *runner)
{
    broadcast b;
    if (runner && !tpad_runner_is_usable(runner)) return TPAD_E_ARGUMENT;
    const int32_t status = check_fill(&b, opaque, src, dst, fill);
    if (status != TPAD_OK || b.plan->cells == 0) return status;
    fill_task t = {opaque, src, dst, fill, runner ? tpad_plan_parts(b.plan, runner) : 1};
    if (t.parts == 1) return tpad_run_fill_part(opaque, src, dst, fill, 0, 1);
    return runner->run(runner->context, t.parts, run_fill_task, &t);
}
