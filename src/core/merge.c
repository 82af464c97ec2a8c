/* Turns the given axes into the loops of the walk. SPDX-License-Identifier: MIT
 *
 * Fewer and longer loops mean longer runs: an image of 3 channels padded in height and width
 * becomes two loops over elements of 3 values, and a batch of unpadded channels becomes one loop.
 * Cells are independent of each other, so the loops may have any order: the one with the largest
 * output stride is the outermost. */
#include "checked.h"
#include "plan.h"

/* The largest cell that an unpadded inner block becomes. Larger cells gain nothing, and the shares
 * of threads consist of whole cells. */
enum { WIDE_CELL_BYTES = 4096 };

/* Single-cell loops that remain become outermost, so that rows stay long. */
static int belongs_outside(const axis *a, const axis *b)
{
    if (a->extent == 1 || b->extent == 1) return a->extent == 1 && b->extent != 1;
    return tpad_magnitude(a->out_stride) > tpad_magnitude(b->out_stride);
}

static int32_t drop_and_sort(plan *p)
{
    int32_t count = 0;
    for (int32_t i = 0; i < p->rank; i++) {
        axis *loop = &p->loops[count];
        *loop = p->axes[i];
        tpad_axis_simplify(loop, &p->loop_in_offset);
        if (loop->extent == 1 && tpad_axis_is_plain(loop)) continue;
        for (int32_t at = count++; at > 0; at--, loop--) {
            if (!belongs_outside(loop, loop - 1)) break;
            const axis outer = loop[-1];
            loop[-1] = loop[0];
            loop[0] = outer;
        }
    }
    return count;
}

static int32_t join(axis *loops, int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        const axis *inner = &loops[i];
        axis *outer = kept > 0 ? &loops[kept - 1] : NULL;
        if (outer && tpad_axis_is_plain(outer) && tpad_axis_is_plain(inner) &&
            outer->in_stride == inner->extent * inner->in_stride &&
            outer->out_stride == inner->extent * inner->out_stride) {
            outer->extent *= inner->extent;
            outer->hi = outer->extent;
            outer->in_stride = inner->in_stride;
            outer->out_stride = inner->out_stride;
        } else {
            if (kept < i) loops[kept] = *inner;
            kept++;
        }
    }
    return kept;
}

/* 1 if every address that the loops reach begins on a byte. */
static int on_bytes(const plan *p, int32_t count)
{
    int64_t all = p->loop_in_offset | p->loop_out_offset;
    for (int32_t i = 0; i < count; i++) all |= p->loops[i].in_stride | p->loops[i].out_stride;
    return (all & 7) == 0;
}

static void bits_to_bytes(plan *p, int32_t count)
{
    p->cell_unit = 8;
    p->cell /= 8;
    p->loop_in_offset /= 8;
    p->loop_out_offset /= 8;
    for (int32_t i = 0; i < count; i++) {
        p->loops[i].in_stride /= 8;
        p->loops[i].out_stride /= 8;
    }
}

/* Makes the innermost loop part of the cell if its elements are contiguous on both sides. A packed
 * cell is widened only to whole bytes, and only if everything else is byte-aligned, too. */
static int32_t widen(plan *p, int32_t count)
{
    const axis *last = &p->loops[count - 1];
    if (!tpad_axis_is_plain(last) || last->in_stride != p->cell || last->out_stride != p->cell ||
        last->extent > (int64_t)WIDE_CELL_BYTES * 8 / p->cell_unit / p->cell)
        return count;
    const int64_t cell = p->cell * last->extent;
    if (p->cell_unit == 8) {
        p->cell = cell;
    } else {
        if (cell % 8 != 0 || !on_bytes(p, count - 1)) return count;
        p->cell = cell;
        bits_to_bytes(p, count - 1);
    }
    return count - 1;
}

void tpad_plan_merge(plan *p)
{
    p->cell_unit = p->elem_bits < 8 ? 1 : 8;
    p->cell = p->elem_bits / p->cell_unit;
    p->loop_in_offset = p->in_offset;
    p->loop_out_offset = p->out_offset;
    p->loop_count = 0;
    p->cells = 0;
    /* If one extent is 0, the others may be too large to be multiplied. */
    for (int32_t i = 0; i < p->rank; i++)
        if (p->axes[i].extent == 0) return;

    int32_t count = join(p->loops, drop_and_sort(p));
    if (count > 0) count = widen(p, count);
    if (count == 0) p->loops[count++] = (axis){1, 0, 0, 1, 1, 0, 0, TPAD_CONSTANT};
    p->loop_count = count;
    p->cells = 1;
    for (int32_t i = 0; i < count; i++) p->cells *= p->loops[i].extent;
}
