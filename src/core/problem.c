/* Validates a problem. SPDX-License-Identifier: MIT
 *
 * Finds everything that can be wrong with a problem and reports the axis, the value and the limit.
 * Later code does not check again. For strides it checks only whether they may be given;
 * make_plan.c checks their values. */
#include "problem.h"
#include "checked.h"
#include "error.h"
#include "port.h"

#ifdef __FRAMAC__
#include "proof/size_lemmas.h"
#endif

/* sizeof(tpad_problem) in version 0.2. Structs of this and later versions are accepted. */
enum { TPAD_PROBLEM_BYTES_0_2 = offsetof(tpad_problem, reserved) + sizeof(int32_t) };

int32_t tpad_problem_check(const tpad_problem *p, tpad_error *error)
{
    if (p->rank < 0 || p->rank > TPAD_MAX_RANK)
        return TPAD_FAIL(error, TPAD_E_RANK, p->rank, TPAD_MAX_RANK,
                         "rank %g is not between 0 and %l");
    if (p->rank > 0 && !p->axes)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "the axes of the problem are missing");
    const int32_t bits = p->elem_bits;
    if (!((TPAD_PACKED && (bits == 1 || bits == 2 || bits == 4)) ||
          (bits > 0 && bits % 8 == 0 && bits <= TPAD_MAX_ELEM_BITS)))
        return TPAD_FAIL(error, TPAD_E_ELEM, bits, TPAD_MAX_ELEM_BITS,
                         "elements of %g bits: possible are 1, 2, 4 and whole bytes up to %l bits");
    const int32_t strides = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
    const int32_t known = TPAD_HIGH_BITS_FIRST | TPAD_OUT_READ_SOON | TPAD_OUT_READ_LATE |
                          (TPAD_STRIDES ? strides : 0);
    if ((p->flags & ~known) != 0)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, p->flags, known,
                         TPAD_STRIDES ? "flags %g: only those of %l are known"
                                      : "flags %g: only those of %l are known: this build has no "
                                        "strides");
    if (p->reserved != 0)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, p->reserved, 0, "reserved is %g, not %l");
    if (!TPAD_STRIDES && (p->in_offset | p->out_offset) != 0)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, p->in_offset ? p->in_offset : p->out_offset, 0,
                         "offset %g is not %l, but this build has no strides");
    return TPAD_OK;
}

/* Copies the caller's struct, which may be of an older version (0.2 or later) and shorter. */
static int32_t read_problem(tpad_problem *out, const tpad_problem *problem, tpad_error *error)
{
    const size_t least = TPAD_PROBLEM_BYTES_0_2;
    if (!problem) return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "the problem is missing");
    const size_t size = problem->struct_size;
    if (size < least)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, (tpad_index)size, (tpad_index)sizeof *out,
                         "struct_size of the problem is %g, not %l: initialise the problem with "
                         "TPAD_PROBLEM_OF or TPAD_PROBLEM");
    if (size > sizeof *out)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, (tpad_index)size, (tpad_index)sizeof *out,
                         "struct_size of the problem is %g, but this tensorpad knows %l: the "
                         "header is newer than the library");
    *out = (tpad_problem){0};
    tpad_memcpy(out, problem, size);
    const tpad_index axis_size = (tpad_index)out->axis_size;
    const tpad_index known_size = (tpad_index)sizeof(tpad_axis);
    if (axis_size < known_size)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, axis_size, known_size,
                         "axis_size of the problem is %g, not %l: initialise the problem with "
                         "TPAD_PROBLEM_OF or TPAD_PROBLEM");
    if (axis_size > known_size)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, axis_size, known_size,
                         "axis_size of the problem is %g, but this tensorpad knows %l: the header "
                         "is newer than the library");
    return tpad_problem_check(out, error);
}

static int out_of_range(tpad_index amount)
{
    return amount > TPAD_MAX_EXTENT || amount < -TPAD_MAX_EXTENT;
}

static int32_t axis_error(tpad_error *error, int32_t code, int32_t i, const tpad_axis *a,
                          tpad_index got, tpad_index limit, const char *text)
{
    return tpad_fail(error, (tpad_error){code, i, got, limit, a->before, a->after,
                                         tpad_mode_name(a->mode), text});
}

int32_t tpad_axis_check(axis *out, const tpad_axis *a, int32_t i, tpad_error *error)
{
    const tpad_index most = TPAD_MAX_EXTENT;
    if (a->in_extent < 0 || a->in_extent > most)
        return axis_error(error, TPAD_E_EXTENT, i, a, a->in_extent, most,
                          "axis %a: input extent %g is not between 0 and %l");
    if (out_of_range(a->before) || out_of_range(a->after))
        return axis_error(error, TPAD_E_AMOUNT, i, a,
                          out_of_range(a->before) ? a->before : a->after, most,
                          "axis %a: amount %g is beyond %l in magnitude");
    const tpad_index widest = TPAD_INTERIOR ? most : 0;
    if (a->interior < 0 || a->interior > widest)
        return axis_error(error, TPAD_E_INTERIOR, i, a, a->interior, widest,
                          TPAD_INTERIOR ? "axis %a: interior %g is not between 0 and %l"
                                        : "axis %a: interior %g is not %l, but this build has no "
                                          "interior cells");
    if (a->mode < 0 || a->mode >= TPAD_MODE_COUNT)
        return axis_error(error, TPAD_E_MODE, i, a, a->mode, TPAD_MODE_COUNT - 1,
                          "axis %a: mode number %g is not between 0 and %l");
    if (!(TPAD_MODES >> a->mode & 1))
        return axis_error(error, TPAD_E_MODE, i, a, a->mode, TPAD_MODES,
                          "axis %a: mode %n is not in this build (TPAD_MODES %l)");
    if (a->order != TPAD_WINDOW && a->order != TPAD_CROP)
        return axis_error(error, TPAD_E_ORDER, i, a, a->order, TPAD_CROP,
                          "axis %a: order number %g is not between 0 and %l");

    if (!TPAD_STRIDES && (a->in_stride | a->out_stride) != 0)
        return axis_error(error, TPAD_E_ARGUMENT, i, a, a->in_stride ? a->in_stride : a->out_stride,
                          0, "axis %a: stride %g is not %l, but this build has no strides");

    tpad_index dilated = a->in_extent;
    if (TPAD_INTERIOR && a->in_extent > 0) {
        if (!tpad_mul_fits(a->in_extent - 1, a->interior + 1, &dilated) || dilated >= most)
            return axis_error(error, TPAD_E_OVERFLOW, i, a, a->in_extent, most,
                              "axis %a: input extent %g with its interior exceeds %l");
        dilated++;
    }
    //@ assert 0 <= dilated <= most && dilated == dilated_extent(a->in_extent, a->interior + 1);
    const tpad_index extent = a->before + dilated + a->after;
    if (extent < 0)
        return axis_error(error, TPAD_E_NEGATIVE, i, a, extent, 0,
                          "axis %a: output extent %g is below %l (before %b, after %e); crop less");
    if (extent > most)
        return axis_error(error, TPAD_E_OVERFLOW, i, a, extent, most,
                          "axis %a: output extent %g exceeds %l (before %b, after %e)");

    //@ assert acceptable(*a) && extent == output_extent(*a);
    /* With fewer than two elements there are no interior cells. */
    const tpad_index spacing = TPAD_INTERIOR && a->in_extent > 1 ? a->interior + 1 : 1;
    //@ assert spacing <= TPAD_MAX_EXTENT && dilated == dilated_extent(a->in_extent, spacing);
    *out = (axis){extent, -a->before, 0, dilated, spacing, 0, 0, a->mode};
    if (TPAD_EXTENDS && a->order == TPAD_CROP) {
        if (a->before < 0) out->lo = -a->before;
        if (a->after < 0) out->hi += a->after;
    }
    /* Every mode that extends a single cell repeats it, and reflect of one cell would have period
     * 0. */
    if (TPAD_EXTENDS && a->mode != TPAD_CONSTANT && out->hi - out->lo == 1) out->mode = TPAD_EDGE;
    //@ assert canonical: canonical_axis(out);
    //@ assert made: made_of(out, *a);
    return TPAD_OK;
}

int32_t tpad_axis_check_source(const axis *a, const tpad_axis *given, int32_t i, tpad_error *error)
{
    if (!TPAD_EXTENDS || a->mode == TPAD_CONSTANT || a->hi > a->lo) return TPAD_OK;
    return axis_error(error, TPAD_E_NO_SOURCE, i, given, a->extent, 0,
                      given->in_extent == 0
                          ? "axis %a: mode %n has no element to fill %g cells from (before %b, "
                            "after %e); mode constant can"
                          : "axis %a: the crop leaves mode %n no element to fill %g cells from "
                            "(before %b, after %e); crop less, or use mode constant");
}

int32_t tpad_axis_check_strides(const tpad_axis *a, int32_t i, int32_t flags, tpad_error *error)
{
    const tpad_index in = flags & TPAD_IN_STRIDES ? 0 : a->in_stride;
    const tpad_index out = flags & TPAD_OUT_STRIDES ? 0 : a->out_stride;
    if ((in | out) == 0) return TPAD_OK;
    return axis_error(
        error, TPAD_E_ARGUMENT, i, a, in ? in : out, 0,
        in ? "axis %a: in_stride is %g, but flags lack TPAD_IN_STRIDES; set the flag, "
             "or in_stride to %l"
           : "axis %a: out_stride is %g, but flags lack TPAD_OUT_STRIDES; set the "
             "flag, or out_stride to %l");
}

/* Computes the elements and bytes of the output. An extent of 0 makes both 0, even if the others
 * are very large. */
static int32_t output_size(solution *s, const axis *axes, tpad_error *error)
{
    const tpad_problem *p = &s->problem;
    s->elems = 1;
    /*@ loop invariant 0 <= i <= p->rank;
        loop invariant s->elems == 0 || s->elems == 1;
        loop invariant s->elems == 0 <==> \exists integer k; 0 <= k < i && axes[k].extent == 0;
        loop assigns i, s->elems;
        loop variant p->rank - i; */
    for (int32_t i = 0; i < p->rank; i++)
        if (axes[i].extent == 0) s->elems = 0;
    /*@ loop invariant 0 <= i <= p->rank && 0 <= s->elems;
        loop invariant
            s->elems == 0 <==> \exists integer k; 0 <= k < p->rank && axes[k].extent == 0;
        loop assigns i, s->elems;
        loop variant p->rank - i; */
    for (int32_t i = 0; i < p->rank; i++)
        if (!tpad_mul_fits(s->elems, axes[i].extent, &s->elems))
            return tpad_fail(error,
                             (tpad_error){TPAD_E_OVERFLOW, i, axes[i].extent, TPAD_INDEX_MAX,
                                          p->axes[i].before, p->axes[i].after, NULL,
                                          "axis %a: with output extent %g the number of elements "
                                          "exceeds %l (before %b, after %e)"});
    tpad_index size;
    if (!tpad_mul_fits(s->elems, p->elem_bits < 8 ? p->elem_bits : p->elem_bits / 8, &size))
        return TPAD_FAIL(error, TPAD_E_OVERFLOW, s->elems, TPAD_INDEX_MAX,
                         "an output of %g elements exceeds %l bytes");
    s->bytes = p->elem_bits < 8 ? size / 8 + (size % 8 != 0) : size;
    return TPAD_OK;
}

int32_t tpad_problem_solve(solution *out, axis *axes, const tpad_problem *problem,
                           tpad_error *error)
{
    const tpad_problem *p = &out->problem;
    int32_t status = read_problem(&out->problem, problem, error);
    out->elems = out->bytes = 0;
    for (int32_t i = 0; status == TPAD_OK && i < p->rank; i++)
        status = tpad_axis_check(&axes[i], &p->axes[i], i, error);
    if (status == TPAD_OK) status = output_size(out, axes, error);
    for (int32_t i = 0; status == TPAD_OK && out->elems > 0 && i < p->rank; i++)
        status = tpad_axis_check_source(&axes[i], &p->axes[i], i, error);
    return status;
}

int32_t tpad_shape(const tpad_problem *problem, tpad_index *out_extents, tpad_index *elems,
                   tpad_index *bytes, tpad_error *error)
{
    solution s;
    axis axes[TPAD_MAX_RANK];
    const int32_t status = tpad_problem_solve(&s, axes, problem, error);
    if (status != TPAD_OK) return status;
    for (int32_t i = 0; out_extents && i < s.problem.rank; i++) out_extents[i] = axes[i].extent;
    if (elems) *elems = s.elems;
    if (bytes) *bytes = s.bytes;
    return TPAD_OK;
}
