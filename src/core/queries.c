/* Answers questions about a plan: its shape, and what it reads. SPDX-License-Identifier: MIT
 *
 * Knows axes as given: no loops, no memory. */
#include "plan.h"

int32_t tpad_plan_shape(const tpad_plan *opaque, int64_t *extents)
{
    const plan *p = tpad_plan_open(opaque);
    if (!p) return -1;
    for (int32_t i = 0; extents && i < p->rank; i++) extents[i] = p->axes[i].extent;
    return p->rank;
}

int32_t tpad_plan_needs(const tpad_plan *opaque, int64_t *first, int64_t *extents)
{
    const plan *p = tpad_plan_open(opaque);
    if (!p) return TPAD_E_NOT_A_PLAN;
    if (p->rank > 0 && (!first || !extents)) return TPAD_E_ARGUMENT;
    int reads = p->cells > 0;
    for (int32_t i = 0; i < p->rank; i++) {
        tpad_axis_needs(&p->axes[i], &first[i], &extents[i]);
        if (extents[i] == 0) reads = 0;
    }
    for (int32_t i = 0; !reads && i < p->rank; i++) first[i] = extents[i] = 0;
    return TPAD_OK;
}

int32_t tpad_plan_sources(const tpad_plan *opaque, int32_t i, int64_t first, int64_t extent,
                          tpad_source pieces[2])
{
    const plan *p = tpad_plan_open(opaque);
    if (!p) return TPAD_E_NOT_A_PLAN;
    if (!pieces || i < 0 || i >= p->rank) return TPAD_E_ARGUMENT;
    axis a = p->axes[i];
    if (first < 0 || extent < 0 || first > a.extent || extent > a.extent - first) return TPAD_E_BOX;
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
