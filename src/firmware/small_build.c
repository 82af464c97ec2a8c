/* The small build: a plan and its run for firmware. SPDX-License-Identifier: MIT
 *
 * The same interface, the same checks (src/core/problem.c) and the same axes (src/core/axis.c) as
 * the core, with 32-bit indices and whole bytes only, and without tables, parts, boxes and texts.
 * It is written to be small: unpadded inner axes become one cell. tpad_run has three forms. With
 * mode constant alone and both sides dense, rows are copied, and all fill between two rows is one
 * block. With other modes and both sides dense, the output is written in order, by rows that have
 * the same runs. Otherwise every run comes from the general form of an axis; tpad_run keeps the
 * position of each loop, so that only axes that moved are evaluated; if an axis says fill and the
 * loops inside it are dense, its cells are one block. */
#include "../core/checked.h"
#include "../core/error.h"
#include "../core/problem.h"

/* 1 for the forms of tpad_run that write the output in order, and for the first form. */
#define DENSE       (!TPAD_STRIDES && !TPAD_INTERIOR)
#define COPIES_ROWS (DENSE && !TPAD_EXTENDS)

enum { SMALL_MAGIC = 0x54507331 };

/* Outermost loop first. loop_count 0: the output is empty. */
typedef struct small_plan {
    int32_t magic;
    int32_t loop_count;
    tpad_index elem; /* bytes of an element */
    tpad_index cell; /* bytes that the innermost loop moves at a time */
    tpad_index in_offset, out_offset;
    int32_t dense; /* the loops from this one on are dense in the output: their fill is one block */
    axis loops[TPAD_MAX_RANK];
} small_plan;
_Static_assert(sizeof(small_plan) <= sizeof(tpad_plan), "TPAD_PLAN_BYTES is too small");
_Static_assert(TPAD_MODES > 0 && TPAD_MODES < 1 << TPAD_MODE_COUNT, "TPAD_MODES is not 1 to 31");

/* ---- Making a plan --------------------------------------------------------------------------- */

/* The input or the output. reach: how far all strides together can lead, at most half of a
 * tpad_index, so that distances to an element and back may be added in any order. dense: the stride
 * of the next axis if the side is dense. */
typedef struct small_side {
    tpad_index reach, dense;
} small_side;

/* Adds the stride of `extent` neighbours to the reach; 0 if it leads too far. The product is
 * computed bit by bit and checked at each step: on a processor without division this is less code
 * than a check by division. */
static int take_stride(small_side *s, tpad_index stride, tpad_index extent)
{
    const tpad_index room = TPAD_INDEX_MAX / 2 - (TPAD_STRIDES ? s->reach : 0);
    tpad_index distance = 0;
    if (TPAD_STRIDES && stride < 0) {
        if (stride < -TPAD_INDEX_MAX) return 0;
        stride = -stride;
    }
    for (; extent > 0; extent >>= 1) {
        if (stride > room - distance) return 0;
        if (extent & 1) distance += stride;
        stride *= 2;
    }
    s->dense = distance;
    if (TPAD_STRIDES) s->reach += distance;
    return 1;
}

/* The stride of an axis. A given stride counts as 0 if the axis has fewer than two elements. */
static tpad_index stride_of(const small_side *s, int strided, tpad_index extent, tpad_index given)
{
    if (!TPAD_STRIDES || !strided) return s->dense;
    return extent < 2 ? 0 : given;
}

/* Not inlined into tpad_pad, not even in part: that makes both larger. */
TPAD_NOINLINE int32_t tpad_plan_init(tpad_plan *opaque, size_t plan_bytes,
                                     const tpad_problem *problem, tpad_error *error)
{
    small_plan *p = (small_plan *)(void *)opaque;
    if (p) {
        tpad_memset(p, 0, plan_bytes);
        p->magic = 0; /* on failure, no earlier plan is left, even if plan_bytes is 0 */
    }
    if (!p || !problem) return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "");
    if (plan_bytes < sizeof *opaque) return TPAD_FAIL(error, TPAD_E_PLAN_SIZE, 0, 0, "");
    int32_t status = tpad_problem_check(problem, error);
    int32_t count = problem->rank;
    const tpad_index elem = problem->elem_bits / 8;
    p->loops[0].extent = p->loops[0].hi = p->loops[0].spacing = 1; /* for rank 0 */
    p->loops[0].in_stride = p->loops[0].out_stride = elem;
    int reads = 1, writes = 1;
    for (int32_t i = 0; status == TPAD_OK && i < count; i++) {
        const axis *a = &p->loops[i];
        status = tpad_axis_check(&p->loops[i], &problem->axes[i], i, error);
        if (TPAD_STRIDES && status == TPAD_OK)
            status = tpad_axis_check_strides(&problem->axes[i], i, problem->flags, error);
        if (a->extent == 0) writes = 0;
        if (a->hi <= a->lo) reads = 0;
    }
    for (int32_t i = 0; TPAD_EXTENDS && status == TPAD_OK && writes && i < count; i++)
        status = tpad_axis_check_source(&p->loops[i], &problem->axes[i], i, error);
    if (status != TPAD_OK) return status;

    small_side in = {elem, 0}, out = {elem, 0};
    p->elem = p->cell = elem;
    if (TPAD_STRIDES) {
        p->in_offset = problem->in_offset;
        p->out_offset = problem->out_offset;
        if (!take_stride(&in, p->in_offset, 1) || !take_stride(&out, p->out_offset, 1))
            return TPAD_FAIL(error, TPAD_E_OVERFLOW, 0, 0, "");
    }
    in.dense = reads ? elem : 0; /* an input without elements may have any other extents */
    out.dense = elem;
    for (int32_t i = count - 1; writes && i >= 0; i--) {
        axis *a = &p->loops[i];
        const tpad_axis *g = &problem->axes[i];
        a->in_stride = stride_of(&in, problem->flags & TPAD_IN_STRIDES, g->in_extent, g->in_stride);
        a->out_stride =
            stride_of(&out, problem->flags & TPAD_OUT_STRIDES, a->extent, g->out_stride);
        if (TPAD_STRIDES && a->out_stride != out.dense) p->dense = p->dense > i ? p->dense : i + 1;
        if (!take_stride(&in, a->in_stride, g->in_extent) ||
            !take_stride(&out, a->out_stride, a->extent))
            return TPAD_FAIL(error, TPAD_E_OVERFLOW, 0, 0, "");
        if (TPAD_STRIDES && a->extent > 1 && a->out_stride == 0)
            return tpad_fail(error, (tpad_error){.code = TPAD_E_ARGUMENT, .axis = i});
        /* A plain axis may read less than the whole axis of the input, after a crop. */
        if (i + 1 == count && i > 0 && tpad_axis_is_plain(a) &&
            ((!TPAD_STRIDES && !TPAD_EXTENDS) || a->in_stride == p->cell) &&
            (!TPAD_STRIDES || a->out_stride == p->cell)) {
            p->cell *= a->extent;
            count = i;
        }
    }
    p->loop_count = writes ? count + (count == 0) : 0;
    for (int32_t i = 0; COPIES_ROWS && i < p->loop_count; i++) {
        /* Reuses fields: lo is the number of input indices that are read, spacing and mode are the
         * bytes of fill, and of skipped input, between two passes over them. */
        axis *a = &p->loops[i];
        a->lo = tpad_max(tpad_min(a->hi, a->origin + a->extent) - tpad_max(a->origin, 0), 0);
        a->spacing = (a->extent - a->lo) * a->out_stride;
        a->mode = (a->hi - a->lo) * a->in_stride;
    }
    p->magic = SMALL_MAGIC;
    return TPAD_OK;
}

/* ---- Running it ------------------------------------------------------------------------------ */

/* The fill value and its bytes. A caller's NULL is one byte of 0. */
typedef struct small_filling {
    const unsigned char *value;
    tpad_index size;
} small_filling;

/* Fills `bytes` bytes with the value: writes it once, then doubles it by copying. */
static void fill(unsigned char *dst, tpad_index bytes, const small_filling *f)
{
    if (f->size == 1) {
        tpad_memset(dst, f->value[0], (size_t)bytes);
        return;
    }
    tpad_memcpy(dst, f->value, (size_t)f->size);
    for (tpad_index done = f->size; done < bytes; done *= 2)
        tpad_memcpy(dst + done, dst, (size_t)tpad_min(done, bytes - done));
}

#if !DENSE

/* One run of cells. from: NULL means fill. */
static void move_run(unsigned char *to, tpad_index to_step, const unsigned char *from,
                     tpad_index from_step, const run *r, tpad_index cell, const small_filling *f)
{
    if (to_step == cell && r->spacing == 1) {
        const tpad_index bytes = r->length * cell;
        if (!from) {
            fill(to, bytes, f);
            return;
        }
        if (from_step == cell) {
            tpad_memcpy(to, from, (size_t)bytes);
            return;
        }
    }
    tpad_index gap = 0;
    for (tpad_index i = 0; i < r->length; i++, to += to_step) {
        if (!from || gap > 0) {
            fill(to, cell, f);
        } else {
            tpad_memcpy(to, from, (size_t)cell);
            from += from_step;
            gap = r->spacing;
        }
        gap--;
    }
}

static int32_t run_plan(const small_plan *p, const void *src, void *dst, small_filling f)
{
    /* For each loop: its position, and where its cells begin on both sides. */
    tpad_index at[TPAD_MAX_RANK] = {0}, from[TPAD_MAX_RANK] = {0}, to[TPAD_MAX_RANK] = {0};
    const int32_t last = p->loop_count - 1;
    int32_t k = 0, filled = last; /* loops inside `filled` hold fill, whatever their axes say */
    if (TPAD_STRIDES) {
        from[0] = p->in_offset;
        to[0] = p->out_offset;
    }
    for (;;) {
        const axis *a = &p->loops[k];
        const run r = TPAD_STRIDES && k > filled ? (run){a->extent - at[k], -1, 0, 1}
                                                 : tpad_axis_run(a, at[k]);
        const tpad_index source = from[k] + r.source * a->in_stride,
                         target = to[k] + at[k] * a->out_stride;
        if (k < last && (r.source >= 0 || (TPAD_STRIDES && k < p->dense))) {
            if (TPAD_STRIDES && r.source < 0 && k < filled) filled = k;
            k++;
            at[k] = 0;
            from[k] = source;
            to[k] = target;
            continue;
        }
        if (r.source >= 0 && (!src || src == dst)) return TPAD_E_ARGUMENT;
        move_run((unsigned char *)dst + target, a->out_stride,
                 r.source < 0 ? NULL : (const unsigned char *)src + source, r.step * a->in_stride,
                 &r, k == last ? p->cell : a->out_stride, &f);
        at[k] += r.length;
        while (at[k] == p->loops[k].extent) {
            if (k == 0) return TPAD_OK;
            at[--k]++;
        }
        if (TPAD_STRIDES && k <= filled) filled = last;
    }
}

#elif TPAD_EXTENDS

enum { LISTED = 3 };

/* A run of a row: its first element's place in the row of the input (-1: fill), and the distance to
 * the next one. */
typedef struct piece {
    tpad_index length, from, step;
} piece;

/* Returns the end of what it wrote. src + row: the row of the input; src may be NULL where no
 * element is read. */
static unsigned char *write_piece(unsigned char *to, const unsigned char *src, tpad_index row,
                                  const piece *q, tpad_index cell, const small_filling *f)
{
    const tpad_index bytes = q->length * cell;
    unsigned char *const end = to + bytes;
    if (q->from < 0) {
        fill(to, bytes, f);
        return end;
    }
    const unsigned char *from = src + row + q->from;
    if (q->step == cell) {
        tpad_memcpy(to, from, (size_t)bytes);
        return end;
    }
    for (; to < end; to += cell, from += q->step) tpad_memcpy(to, from, (size_t)cell);
    return end;
}

static int32_t run_plan(const small_plan *p, const void *src, void *dst, small_filling f)
{
    /* For each loop: its position, and where its cells begin in the input. */
    tpad_index at[TPAD_MAX_RANK] = {0}, from[TPAD_MAX_RANK] = {0};
    piece list[LISTED + 1]; /* the first ones of each row, and one spare */
    const tpad_index cell = p->cell;
    const int32_t last = p->loop_count - 1;
    int32_t k = 0, listed = 0;
    for (unsigned char *to = dst;;) {
        const axis *a = &p->loops[k];
        if (k < last) {
            const run r = tpad_axis_run(a, at[k]);
            if (r.source >= 0) {
                from[k + 1] = from[k] + r.source * a->in_stride;
                at[++k] = 0;
                continue;
            }
            fill(to, r.length * a->out_stride, &f);
            to += r.length * a->out_stride;
            at[k] += r.length;
        } else {
            int32_t n = 0;
            for (tpad_index i = 0; i < a->extent;) {
                piece *const q = &list[n];
                if (n == listed) {
                    const run r = tpad_axis_run(a, i);
                    *q = (piece){r.length, r.source < 0 ? -1 : r.source * a->in_stride,
                                 r.step * a->in_stride};
                    if (r.source >= 0 && (!src || src == dst)) return TPAD_E_ARGUMENT;
                    listed += n < LISTED;
                }
                to = write_piece(to, src, from[k], q, cell, &f);
                i += q->length;
                n += n < LISTED;
            }
            at[k] = a->extent;
        }
        while (at[k] == p->loops[k].extent) {
            if (k == 0) return TPAD_OK;
            at[--k]++;
        }
    }
}

#else

static int32_t run_plan(const small_plan *p, const void *src, void *dst, small_filling f)
{
    tpad_index left[TPAD_MAX_RANK];
    const int32_t last = p->loop_count - 1;
    unsigned char *to = dst;
    const unsigned char *from = src;
    unsigned char *const end = to + p->loops[0].extent * p->loops[0].out_stride;
    tpad_index gap = 0, skip = 0;
    int reads = 1;
    for (int32_t k = 0; k <= last; k++) {
        const axis *a = &p->loops[k];
        left[k] = a->lo;
        reads = a->lo > 0;
        if (!reads) break;
        if (a->origin < 0)
            gap -= a->origin * a->out_stride;
        else
            skip += a->origin * a->in_stride;
    }
    if (reads) {
        const tpad_index row = p->loops[last].lo * p->cell;
        if (!src || src == dst) return TPAD_E_ARGUMENT;
        from += skip;
        for (;;) {
            if (gap > 0) fill(to, gap, &f);
            to += gap;
            tpad_memcpy(to, from, (size_t)row);
            to += row;
            from += row;
            gap = 0;
            int32_t k = last;
            for (;; left[k] = p->loops[k].lo) {
                gap += p->loops[k].spacing;
                from += p->loops[k].mode;
                if (--k < 0 || --left[k] > 0) break;
            }
            if (k < 0) break;
        }
    }
    if (to < end) fill(to, (tpad_index)(end - to), &f);
    return TPAD_OK;
}

#endif

int32_t tpad_run(const tpad_plan *opaque, const void *src, void *dst, const void *value)
{
    static const unsigned char zero = 0;
    const small_plan *p = (const small_plan *)(const void *)opaque;
    if (!p || p->magic != SMALL_MAGIC) return TPAD_E_NOT_A_PLAN;
    if (p->loop_count == 0) return TPAD_OK;
    if (!dst) return TPAD_E_ARGUMENT;
    return run_plan(p, src, dst, (small_filling){value ? value : &zero, value ? p->elem : 1});
}

int32_t tpad_pad(const tpad_problem *problem, const void *src, void *dst, const void *value,
                 tpad_error *error)
{
    tpad_plan plan;
    int32_t status = tpad_plan_init(&plan, sizeof plan, problem, error);
    if (status != TPAD_OK) return status;
    status = tpad_run(&plan, src, dst, value);
    return status == TPAD_OK ? TPAD_OK : TPAD_FAIL(error, status, 0, 0, "");
}
