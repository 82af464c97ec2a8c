/* Finds what a plan reads: on one axis, for an interval of its cells, and on all axes.
 * SPDX-License-Identifier: MIT
 *
 * Knows axes and their runs only: no strides, no memory. */
#include "checked.h"
#include "plan.h"

void tpad_axis_needs(const axis *a, int64_t *first, int64_t *count)
{
    /* The elements that could be read at most. Two periods of runs read all of them or reach the
     * end of the axis. */
    const int64_t least = (a->lo + a->spacing - 1) / a->spacing;
    const int64_t most = a->hi > a->lo ? (a->hi - 1) / a->spacing : least - 1;
    int64_t low = most + 1, high = least - 1;
    for (int64_t i = 0; i < a->extent && least <= most && (low > least || high < most);) {
        const run r = tpad_axis_run(a, i);
        if (r.source >= 0) {
            const int64_t last = r.source + r.step * ((r.length - 1) / r.spacing);
            const int64_t from = r.step < 0 ? last : r.source, to = r.step < 0 ? r.source : last;
            if (from < low) low = from;
            if (to > high) high = to;
        }
        i += r.length;
    }
    *count = high >= low ? high - low + 1 : 0;
    *first = *count > 0 ? low : 0;
}

int tpad_plan_reads(const plan *p)
{
    for (int32_t i = 0; i < p->rank; i++) {
        int64_t first, count;
        tpad_axis_needs(&p->axes[i], &first, &count);
        if (count == 0) return 0;
    }
    return 1;
}

int32_t tpad_plan_needs(const tpad_plan *opaque, int64_t *first, int64_t *extents)
{
    const plan *p = tpad_plan_open(opaque);
    if (!p) return TPAD_E_NOT_A_PLAN;
    if (p->rank > 0 && (!first || !extents)) return TPAD_E_ARGUMENT;
    const int reads = p->cells > 0 && tpad_plan_reads(p);
    for (int32_t i = 0; i < p->rank; i++) {
        tpad_axis_needs(&p->axes[i], &first[i], &extents[i]);
        if (!reads) first[i] = extents[i] = 0;
    }
    return TPAD_OK;
}

int32_t tpad_plan_sources(const tpad_plan *opaque, int32_t i, int64_t first, int64_t extent,
                          tpad_source pieces[2])
{
    const plan *p = tpad_plan_open(opaque);
    if (!p) return TPAD_E_NOT_A_PLAN;
    if (!pieces || i < 0 || i >= p->rank) return TPAD_E_ARGUMENT;
    axis a = p->axes[i];
    if (first < 0 || extent < 0 || first > a.extent || extent > a.extent - first)
        return TPAD_E_BOX;
    a.origin += first;
    a.extent = extent;
    const int64_t cut = tpad_axis_seam(&a);
    pieces[0] = (tpad_source){.out_first = first, .out_extent = cut};
    pieces[1] = (tpad_source){.out_first = first + cut, .out_extent = extent - cut};
    for (int k = 0; k < 2; k++) {
        a.extent = pieces[k].out_extent;
        tpad_axis_needs(&a, &pieces[k].in_first, &pieces[k].in_extent);
        a.origin += a.extent;
    }
    return TPAD_OK;
}
