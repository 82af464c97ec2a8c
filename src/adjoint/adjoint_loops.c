/* A plan as loops from which gradients are summed. SPDX-License-Identifier: MIT
 *
 * As few loops as possible: those that neither pad nor crop are joined, and the innermost one of them
 * becomes part of the cell. The order of the loops is that of the sums (tensorpad/adjoint.h). */
#include "adjoint_loops.h"
#include "../core/checked.h"

/* A cell holds so many bytes at most, where it was a loop. */
enum { MOST_CELL_BYTES = 4096 };

/* 1 if cell i is element i, and there are no others. */
static int is_whole(const taken_axis *of)
{
    return tpad_axis_is_plain(&of->axis) && of->end == of->axis.extent;
}

/* Puts a loop behind all that have larger strides. A loop of one cell has no part in the order of the
 * sums: it goes where it stands in the input. */
static void insert_loop(adjoint *w, const taken_axis *of)
{
    const int one_cell = of->axis.extent <= 1;
    const int64_t own = one_cell ? of->axis.in_stride : of->axis.out_stride;
    int32_t at = w->loops++;
    for (; at > 0; at--) {
        const axis *before = &w->loop[at - 1].axis;
        if (tpad_magnitude(one_cell ? before->in_stride : before->out_stride) >=
            tpad_magnitude(own))
            break;
        w->loop[at] = w->loop[at - 1];
    }
    w->loop[at] = *of;
}

/* Makes one loop of two where both are whole and follow each other on both sides. */
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
    for (int32_t n = 0; n < 2 * p->rank; n++) { /* first the axes of several cells */
        const int32_t i = n % p->rank;
        axis a = p->axes[i];
        if (p->cells == 0) a.extent = 0; /* the axis may have cells that no element could fill */
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
