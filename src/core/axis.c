/* From an output index to a run of input indices. SPDX-License-Identifier: MIT
 *
 * Defines the modes (docs/semantics.md) for the whole library except src/gpu. Pure functions of
 * integers: no memory, no loops. */
#include "axis.h"
#include "checked.h"

#ifdef __FRAMAC__
#include "proof/run_lemmas.h"
#endif

/* 1 if the build has the mode. No axis has a mode that the build lacks, except edge: if a build has
 * any mode that extends, an axis of a single cell has this mode. */
#define HAS(mode) ((TPAD_MODES >> (mode)) & 1)

/* The mathematical remainder: 0 <= result < m, for m > 0. */
static tpad_index floor_mod(tpad_index a, tpad_index m)
{
#if !defined(TPAD_SMALL)
    /* The usual case, without a division. */
    if (-m <= a && a < m) return a < 0 ? a + m : a;
#endif
    const tpad_index rest = tpad_remainder(a, m);
    return rest < 0 ? rest + m : rest;
}

static run fill_run(tpad_index length)
{
    return (run){length, -1, 0, 1};
}

/* The run over the dilated input from `position` up (step 1) or down (step -1), of at most `length`
 * cells. An interior cell begins a run of fill that ends at the next element. */
static run dilated_run(const axis *a, tpad_index position, tpad_index step, tpad_index length)
{
    /*@ assert position % a->spacing == 0 ==>
            stands(position / a->spacing, a->spacing, position) &&
            has_element(a, position / a->spacing); */
    if (!TPAD_INTERIOR || a->spacing == 1) return (run){length, position, step, 1};
    const tpad_index gap = tpad_remainder(position, a->spacing);
    if (gap == 0) return (run){length, tpad_quotient(position, a->spacing), step, a->spacing};
    return fill_run(tpad_min(length, step > 0 ? a->spacing - gap : gap));
}

run tpad_axis_run(const axis *a, tpad_index i)
{
    const tpad_index left = a->extent - i;
    const tpad_index t = a->origin + i;
    if (t >= a->lo && t < a->hi) return dilated_run(a, t, 1, tpad_min(a->hi - t, left));

    /* A run that begins below lo ends at lo, where a new period of the periodic modes begins. */
    const tpad_index size = a->hi - a->lo;
    const tpad_index outside = t < a->lo ? tpad_min(a->lo - t, left) : left;
    switch (a->mode) {
    case TPAD_EDGE: {
        if (!TPAD_EXTENDS) break;
        run r = dilated_run(a, t < a->lo ? a->lo : a->hi - 1, 1, 1);
        return (run){outside, r.source, 0, 1};
    }
    case TPAD_WRAP: {
        if (!HAS(TPAD_WRAP)) break;
        const tpad_index u = floor_mod(t - a->lo, size);
        return dilated_run(a, a->lo + u, 1, tpad_min(size - u, outside));
    }
    case TPAD_REFLECT: {
        if (!HAS(TPAD_REFLECT)) break;
        /* Up over all cells, then down over all except both ends. */
        const tpad_index period = 2 * (size - 1);
        const tpad_index u = floor_mod(t - a->lo, period);
        if (u < size) return dilated_run(a, a->lo + u, 1, tpad_min(size - u, outside));
        return dilated_run(a, a->lo + period - u, -1, tpad_min(period - u, outside));
    }
    case TPAD_SYMMETRIC: {
        if (!HAS(TPAD_SYMMETRIC)) break;
        /* Up over all cells, then down over all cells. */
        const tpad_index period = 2 * size;
        const tpad_index u = floor_mod(t - a->lo, period);
        if (u < size) return dilated_run(a, a->lo + u, 1, tpad_min(size - u, outside));
        return dilated_run(a, a->lo + period - 1 - u, -1, tpad_min(period - u, outside));
    }
    default:
        break;
    }
    return fill_run(outside);
}

#if !defined(TPAD_SMALL)
tpad_index tpad_axis_seam(const axis *a)
{
    const tpad_index size = a->hi - a->lo;
    if (a->mode != TPAD_WRAP || a->extent >= size) return a->extent;
    return tpad_min(a->extent, size - floor_mod(a->origin - a->lo, size));
}

void tpad_axis_needs(const axis *a, tpad_index *first, tpad_index *count)
{
    /* The loop is short: two periods of runs read all elements or reach the end of the axis. */
    const tpad_index least = (a->lo + a->spacing - 1) / a->spacing;
    const tpad_index most = a->hi > a->lo ? (a->hi - 1) / a->spacing : least - 1;
    tpad_index low = most + 1, high = least - 1;
    for (tpad_index i = 0; i < a->extent && least <= most && (low > least || high < most);) {
        const run r = tpad_axis_run(a, i);
        if (r.source >= 0) {
            const tpad_index last = r.source + r.step * ((r.length - 1) / r.spacing);
            const tpad_index from = r.step < 0 ? last : r.source, to = r.step < 0 ? r.source : last;
            if (from < low) low = from;
            if (to > high) high = to;
        }
        i += r.length;
    }
    *count = high >= low ? high - low + 1 : 0;
    *first = *count > 0 ? low : 0;
}
#endif

int tpad_axis_is_plain(const axis *a)
{
    /* If lo is not 0, the crop has moved the origin at least as far, so lo need not be checked. */
    return a->origin == 0 && a->hi == a->extent && (!TPAD_INTERIOR || a->spacing == 1);
}

void tpad_axis_simplify(axis *a, tpad_index *in_offset)
{
    /* The usual axis that is padded. */
    if (a->mode == TPAD_CONSTANT && (a->origin < a->lo || a->hi < a->origin + a->extent)) return;
    const run r = tpad_axis_run(a, 0);
    if (r.length < a->extent || r.source < 0 || (r.spacing > 1 && r.length > 1)) return;
    /*@ assert one_run: \forall integer i; 0 <= i < a->extent ==>
            0 <= r.source + r.step * i && cell_of(r, i) == r.source + r.step * i; */
    /*@ assert \forall integer i; 0 <= i < a->extent ==>
            leads(source(a, i), a->in_stride, r.source, r.step, i); */
    *in_offset += r.source * a->in_stride;
    a->in_stride *= r.step;
    a->origin = 0;
    a->lo = 0;
    a->hi = a->extent;
    a->spacing = 1;
    a->mode = TPAD_CONSTANT;
    /*@ assert moved(*in_offset, a->in_stride, \at(*in_offset, Pre), \at(a->in_stride, Pre),
                     r.source, r.step); */
}
