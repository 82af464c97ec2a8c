/* Makes plans: of a problem, of a box of a plan, of the border of a plan.
 * SPDX-License-Identifier: MIT
 *
 * A plan is a value: a checked problem, its axes turned into loops (merge.c), the way it runs, and
 * the data for this way. Nothing in it must be freed, and it may be copied and moved.
 *
 *     a list      small dense outputs of few rows: places that are copied (list.c)
 *     a table     contiguous rows, if the kernels have vectors (byte_table.c, bit_table.c)
 *     words       large outputs of short rows without a table (word_program.c, word_run.c)
 *     blocks      everything else, and what the other ways leave (spans.c, blocks.c)
 *
 * No address overflows. problem.c limits every extent to 2^61 - 1, and this file limits the reach
 * of all strides of one side together to 2^62 - 1. The offset of a cell is a sum over the axes;
 * each partial sum fits in 64 bits, in any order of addition, though single axes may be far away
 * and cancel each other. Three kinds of numbers have no such limit, and the code that uses them
 * says how it keeps them small: a spacing times a stride (computed only if a second element
 * follows, or for a border after a check); places of bytes in bits (only near a tile); places in 32
 * bits, in lists, tables and words (only after a check of a tile's reach). */
#include "../kernels/kernels.h"
#include "checked.h"
#include "error.h"
#include "plan.h"
#include "problem.h"
#include "table.h"
#include "word_program.h"

_Static_assert(sizeof(tabled_plan) <= sizeof(tpad_plan), "TPAD_PLAN_BYTES is too small");
_Static_assert(_Alignof(tabled_plan) <= _Alignof(tpad_plan), "tpad_plan must be aligned like it");
/* The table builders rely on room for every piece of a group of packed cells plus one pass. */
_Static_assert(TPAD_TABLE_BYTES == 0 || (TPAD_TABLE_BYTES >= 1024 && TPAD_TABLE_BYTES % 8 == 0),
               "TPAD_TABLE_BYTES is 0 or a multiple of 8 that is at least 1,024");
#if TPAD_TABLE_BYTES > 0
_Static_assert(TPAD_BIT_WINDOWS > 0, "no room for a window");
#endif

size_t tpad_plan_bytes(void)
{
    return sizeof(tabled_plan);
}

/* Clears the magic number of an earlier plan in this memory. of: the plan that the new one is
 * derived from, or NULL; it is not cleared. */
static int32_t begin(tpad_plan *opaque, size_t plan_bytes, const tpad_plan *of, tpad_error *error)
{
    if (!opaque)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "the memory for the plan is missing");
    if (opaque == of)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0,
                         "the new plan and the plan that it is made from are the same memory; give "
                         "the new one memory of its own");
    tpad_memset(opaque, 0, sizeof(int32_t)); /* `magic`, which comes first */
    if (plan_bytes >= sizeof(tabled_plan)) return TPAD_OK;
    return TPAD_FAIL(error, TPAD_E_PLAN_SIZE, (int64_t)plan_bytes, (int64_t)sizeof(tabled_plan),
                     "a plan needs %l bytes, not %g");
}

/* Upper bound on any offset reachable on one side. It is half of the 64-bit range, so that the
 * offset to an element and the one back may be added in any order. */
#define MAX_REACH (INT64_MAX / 2)

/* The strides and the offset of the input or of the output. extents: the number of elements on each
 * axis. */
typedef struct side {
    int64_t extents[TPAD_MAX_RANK];
    int64_t strides[TPAD_MAX_RANK];
    int64_t offset;
} side;

#ifdef __FRAMAC__
#include "proof/stride_lemmas.h"
#endif

int tpad_add_reach(int64_t *reach, int64_t stride, int64_t count)
{
    int64_t distance;
    if (stride == INT64_MIN) return 0;
    return tpad_mul_fits(tpad_magnitude(stride), count, &distance) &&
           tpad_add_fits(*reach, distance, reach) && *reach <= MAX_REACH;
}

static int32_t reach_error(tpad_error *error, int32_t i, int64_t stride)
{
    return tpad_fail(error, (tpad_error){TPAD_E_OVERFLOW, i, stride, MAX_REACH, 0, 0, NULL,
                                         i < 0 ? "with offset %g addresses exceed %l"
                                               : "axis %a: with stride %g addresses exceed %l"});
}

/* Converts strides and offset, given in elements of `scale` bits or in bytes (scale 1), to the
 * plan's unit. */
static int32_t scale_side(side *s, int32_t rank, int32_t elem_bits, tpad_error *error)
{
    const int64_t scale = elem_bits < 8 ? elem_bits : 1;
    int64_t reach = elem_bits < 8 ? elem_bits : elem_bits / 8;
    /*@ loop invariant 0 <= i <= rank && 0 <= reach <= MAX_REACH;
        loop invariant
            \forall integer k; 0 <= k < rank ==> 0 <= s->extents[k] <= TPAD_MAX_EXTENT;
        loop invariant \forall integer k; 0 <= k < i ==> within(s->strides[k], s->extents[k]);
        loop assigns i, reach, s->strides[0 .. rank - 1];
        loop variant rank - i; */
    for (int32_t i = 0; i < rank; i++) {
        /* With fewer than two elements, the stride is not used. */
        const int64_t stride = s->extents[i] < 2 ? 0 : s->strides[i];
        /* At most 4 * TPAD_MAX_EXTENT, which fits. */
        if (!tpad_add_reach(&reach, stride, s->extents[i] * scale))
            return reach_error(error, i, stride);
        //@ assert within(stride * scale, s->extents[i]);
        s->strides[i] = stride * scale;
    }
    if (!tpad_add_reach(&reach, s->offset, scale)) return reach_error(error, -1, s->offset);
    s->offset *= scale;
    return TPAD_OK;
}

/* Row-major strides without gaps, in the unit of tpad_problem. All are 0 if there are no elements.
 * *units: the size of the side in units. */
static int32_t dense_side(side *s, int32_t rank, int32_t elem_bits, int64_t *units,
                          tpad_error *error)
{
    int64_t stride = elem_bits < 8 ? 1 : elem_bits / 8;
    /*@ loop invariant 0 <= i <= rank && 0 <= stride;
        loop assigns i, stride;
        loop variant rank - i; */
    for (int32_t i = 0; i < rank; i++)
        if (s->extents[i] == 0) stride = 0;
    /*@ loop invariant -1 <= i < rank && 0 <= stride;
        loop invariant \forall integer k; i < k < rank ==> 0 <= s->strides[k];
        loop assigns i, stride, s->strides[0 .. rank - 1];
        loop variant i; */
    for (int32_t i = rank - 1; i >= 0; i--) {
        s->strides[i] = s->extents[i] < 2 ? 0 : stride;
        if (!tpad_mul_fits(stride, s->extents[i], &stride))
            return reach_error(error, i, s->strides[i]);
    }
    *units = stride;
    return TPAD_OK;
}

/* Rewrites the error of dense_side or scale_side for a side without given strides: the cause is an
 * extent. */
static void blame_extent(const side *s, tpad_error *error)
{
    if (!error || error->axis < 0) return;
    error->got = s->extents[error->axis];
    error->text = "axis %a: with extent %g addresses of a dense tensor exceed %l";
}

/* The strides of a side, given or dense, in the plan's unit. A dense side of at most 2 GiB is in
 * bytes already, and none of its strides leads beyond its end, so it does not need scale_side. */
static int32_t find_strides(side *s, int32_t rank, int32_t elem_bits, int32_t given,
                            tpad_error *error)
{
    int64_t units = INT64_MAX;
    int32_t status = given ? TPAD_OK : dense_side(s, rank, elem_bits, &units, error);
    const int near = units <= INT32_MAX && elem_bits >= 8 && s->offset == 0;
    if (status == TPAD_OK && !near) status = scale_side(s, rank, elem_bits, error);
    if (status != TPAD_OK && !given) blame_extent(s, error);
    return status;
}

int32_t tpad_check_apart(const int64_t *counts, const int64_t *strides, int32_t rank,
                         int32_t elem_bits, const char *text, tpad_error *error)
{
    int32_t order[TPAD_MAX_RANK], sorted = 0;
    int64_t sizes[TPAD_MAX_RANK], reach = elem_bits < 8 ? elem_bits : elem_bits / 8;
    const int64_t unit = elem_bits < 8 ? elem_bits : 1;
    for (int32_t i = 0; i < rank; i++)
        if (counts[i] == 0) return TPAD_OK;
    for (int32_t i = 0; i < rank; i++) {
        int32_t at = sorted;
        if (counts[i] == 1) continue;
        sizes[i] = tpad_magnitude(strides[i]);
        for (; at > 0 && sizes[order[at - 1]] > sizes[i]; at--) order[at] = order[at - 1];
        order[at] = i;
        sorted++;
    }
    for (int32_t k = 0; k < sorted; k++) {
        const int32_t i = order[k];
        if (sizes[i] < reach)
            return tpad_fail(error, (tpad_error){TPAD_E_ARGUMENT, i, strides[i] / unit,
                                                 reach / unit, 0, 0, NULL, text});
        reach += (counts[i] - 1) * sizes[i];
    }
    return TPAD_OK;
}

/* The given strides of an output, in the plan's unit. */
static int32_t find_out_strides(side *out, int32_t rank, int32_t elem_bits, tpad_error *error)
{
    const int32_t status = scale_side(out, rank, elem_bits, error);
    if (status != TPAD_OK) return status;
    return tpad_check_apart(out->extents, out->strides, rank, elem_bits,
                            "axis %a: with out_stride %g cells may lie at one place; %l and more "
                            "would keep them apart, and only the input can be broadcast",
                            error);
}

/* The first and the last unit that a side with elements touches, whatever the signs of its strides.
 * Neither overflows, because scale_side bounds the reach. For packed elements `first` is the first
 * bit of its byte: then one side ends before `first` of the other only if they share no byte. */
static void touched_units(const side *s, int32_t rank, int32_t elem_bits, int64_t *first,
                          int64_t *last)
{
    *first = s->offset;
    *last = s->offset + (elem_bits < 8 ? elem_bits : elem_bits / 8) - 1;
    for (int32_t i = 0; i < rank; i++)
        *(s->strides[i] < 0 ? first : last) += s->strides[i] * (s->extents[i] - 1);
    if (elem_bits < 8) *first &= ~(int64_t)7;
}

/* 1 if the two sides share no byte when src and dst are the same pointer. Elements that are not
 * read count too. */
static int lie_apart(const side *in, const side *out, int32_t rank, int32_t elem_bits)
{
    int64_t in_first, in_last, out_first, out_last;
    if (in->offset == out->offset) return 0; /* the usual case, for speed */
    touched_units(in, rank, elem_bits, &in_first, &in_last);
    touched_units(out, rank, elem_bits, &out_first, &out_last);
    return in_last < out_first || out_last < in_first;
}

/* The bit at which a dense packed output ends, or -1 if the output is not dense and packed. The
 * strides count bits. */
static int64_t bit_stream_end(const plan *p)
{
    int64_t end = p->elem_bits;
    if (p->elem_bits >= 8 || p->out_offset != 0) return -1;
    for (int32_t i = p->rank - 1; i >= 0; i--) {
        const axis *a = &p->axes[i];
        if (a->extent != 1 && a->out_stride != end) return -1;
        end *= a->extent;
    }
    return end;
}

static void find_bit_stream(plan *p)
{
    p->tail = bit_stream_end(p);
    p->bit_stream = p->tail >= 0;
}

/* Copies a plan without its table, which will be written again. */
static void copy_but_table(plan *p, const plan *from)
{
    *p = *from;
    p->magic = 0;
}

void tpad_plan_finish(plan *p)
{
    tpad_plan_merge(p);
    p->kernels = tpad_kernels_best();
    p->magic = PLAN_MAGIC;
}

/* Reads everything from a problem, before its axes are merged. */
static int32_t take_problem(plan *p, const tpad_problem *problem, tpad_error *error)
{
    solution s;
    int32_t status = tpad_problem_solve(&s, p->axes, problem, error);
    if (status != TPAD_OK) return status;
    const tpad_problem *given = &s.problem;
    const int32_t rank = given->rank, elem_bits = given->elem_bits;

    side in, out;
    in.offset = given->in_offset;
    out.offset = given->out_offset;
    for (int32_t i = 0; i < rank; i++) {
        /* Strides of 0, the usual case, need no flag. */
        if ((given->axes[i].in_stride | given->axes[i].out_stride) != 0) {
            status = tpad_axis_check_strides(&given->axes[i], i, given->flags, error);
            if (status != TPAD_OK) return status;
        }
        in.extents[i] = p->in_extents[i] = given->axes[i].in_extent;
        p->first[i] = 0;
        in.strides[i] = given->axes[i].in_stride;
        out.extents[i] = p->axes[i].extent;
        out.strides[i] = given->axes[i].out_stride;
    }
    status = find_strides(&in, rank, elem_bits, given->flags & TPAD_IN_STRIDES, error);
    if (status == TPAD_OK)
        status = given->flags & TPAD_OUT_STRIDES ? find_out_strides(&out, rank, elem_bits, error)
                                                 : find_strides(&out, rank, elem_bits, 0, error);
    if (status != TPAD_OK) return status;

    p->rank = rank;
    p->elem_bits = elem_bits;
    p->flags = given->flags & TPAD_HIGH_BITS_FIRST ? PLAN_HIGH_BITS_FIRST : 0;
    if (given->flags & TPAD_OUT_READ_SOON) p->flags |= PLAN_READ_SOON;
    if (given->flags & TPAD_OUT_READ_LATE) p->flags |= PLAN_READ_LATE;
    if (lie_apart(&in, &out, rank, elem_bits)) p->flags |= PLAN_APART;
    p->in_offset = in.offset;
    p->out_offset = out.offset;
    for (int32_t i = 0; i < rank; i++) {
        p->axes[i].in_stride = in.strides[i];
        p->axes[i].out_stride = out.strides[i];
    }
    find_bit_stream(p);
    return TPAD_OK;
}

int32_t tpad_plan_make(plan *p, const tpad_problem *problem, tpad_error *error)
{
    const int32_t status = take_problem(p, problem, error);
    if (status != TPAD_OK) return status;
    tpad_plan_finish(p);
    tpad_plan_choose(p, !(problem->flags & TPAD_OUT_STRIDES));
    return TPAD_OK;
}

int32_t tpad_plan_init(tpad_plan *opaque, size_t plan_bytes, const tpad_problem *problem,
                       tpad_error *error)
{
    int32_t status = begin(opaque, plan_bytes, NULL, error);
    if (status != TPAD_OK) return status;
    plan *p = &((tabled_plan *)(void *)opaque)->plan;
    status = tpad_plan_make(p, problem, error);
    if (status == TPAD_OK && (p->how != PLAN_LIST || tpad_kernels_forced())) tpad_plan_tabulate(p);
    return status;
}

/* Sets the strides and the offset of a box's own memory for the output. */
static int32_t box_output(plan *p, const tpad_box *box, tpad_error *error)
{
    side out;
    out.offset = 0;
    for (int32_t i = 0; i < p->rank; i++) {
        out.extents[i] = p->axes[i].extent;
        out.strides[i] = box->out_strides[i];
    }
    const int32_t status = find_out_strides(&out, p->rank, p->elem_bits, error);
    for (int32_t i = 0; status == TPAD_OK && i < p->rank; i++)
        p->axes[i].out_stride = out.strides[i];
    p->out_offset = 0;
    return status;
}

/* Sets the strides and the offset of the memory that begins with input cell in_first. */
static int32_t box_input(plan *p, const tpad_box *box, tpad_error *error)
{
    side in;
    int reads = 1;
    in.offset = 0;
    for (int32_t i = 0; i < p->rank; i++) {
        const int64_t first = box->in_first[i];
        if (first < 0 || first >= TPAD_MAX_EXTENT)
            return tpad_fail(error,
                             (tpad_error){TPAD_E_BOX, i, first, TPAD_MAX_EXTENT - 1, 0, 0, NULL,
                                          "axis %a: input cell %g is not between 0 and %l"});
        /* All cells up to the last one that is read, and up to `first`: these bound the distance to
         * the cells that are read, and back to cell 0. */
        int64_t from, count;
        tpad_axis_needs(&p->axes[i], &from, &count);
        reads = reads && count > 0;
        in.extents[i] = from + count > first ? from + count : first + 1;
        if (box->in_strides) in.strides[i] = box->in_strides[i];
    }
    /* If nothing is read, a single axis may reach beyond any memory: its stride becomes 0. */
    p->in_offset = 0;
    for (int32_t i = 0; !reads && i < p->rank; i++) p->axes[i].in_stride = 0;
    if (!reads) return TPAD_OK;
    if (box->in_strides) {
        const int32_t status = scale_side(&in, p->rank, p->elem_bits, error);
        if (status != TPAD_OK) return status;
        for (int32_t i = 0; i < p->rank; i++) p->axes[i].in_stride = in.strides[i];
    }
    int64_t reach = 0;
    for (int32_t i = 0; i < p->rank; i++) {
        if (!tpad_add_reach(&reach, p->axes[i].in_stride, in.extents[i]))
            return tpad_fail(error,
                             (tpad_error){TPAD_E_OVERFLOW, i, box->in_first[i], MAX_REACH, 0, 0,
                                          NULL, "axis %a: with in_first %g addresses exceed %l"});
        p->in_offset -= box->in_first[i] * p->axes[i].in_stride;
    }
    return TPAD_OK;
}

/* Checks the struct, except its numbers. */
static int32_t check_box(const tpad_box *box, int32_t rank, tpad_error *error)
{
    if (!box) return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "the box is missing");
    if (box->struct_size != sizeof *box)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, (int64_t)box->struct_size, (int64_t)sizeof *box,
                         box->struct_size < sizeof *box
                             ? "struct_size of the box is %g, not %l: set it to sizeof(tpad_box)"
                             : "struct_size of the box is %g, but this tensorpad knows %l: the "
                               "header is newer than the library");
    if (rank > 0 && !box->first)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "first of the box is missing");
    if (rank > 0 && !box->extents)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0, "extents of the box are missing");
    if (box->in_strides && !box->in_first)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, 0, 0,
                         "in_strides of the box are used only with in_first, which is missing");
    return TPAD_OK;
}

int32_t tpad_plan_box(tpad_plan *opaque, size_t plan_bytes, const tpad_plan *of,
                      const tpad_box *box, tpad_error *error)
{
    int32_t status = begin(opaque, plan_bytes, of, error);
    if (status != TPAD_OK) return status;
    plan *p = &((tabled_plan *)(void *)opaque)->plan;
    const plan *whole = tpad_plan_open(of);
    if (!whole)
        return TPAD_FAIL(error, TPAD_E_NOT_A_PLAN, 0, 0, "the plan to cut from was never made");
    status = check_box(box, whole->rank, error);
    if (status != TPAD_OK) return status;
    if ((whole->flags & PLAN_BORDER) && (box->out_strides || box->in_first))
        return TPAD_FAIL(error, TPAD_E_BORDER, 0, 0,
                         "a border plan reads its own output: a box of it can have no out_strides "
                         "and no in_first");

    copy_but_table(p, whole);
    if (box->out_strides || box->in_first) p->flags |= PLAN_APART;
    if (box->in_first) p->flags |= PLAN_OWN_INPUT;
    int holds_last = 1;
    for (int32_t i = 0; i < p->rank; i++) {
        axis *a = &p->axes[i];
        const int64_t first = box->first[i], extent = box->extents[i];
        if (first < 0 || extent < 0 || first > a->extent || extent > a->extent - first)
            return tpad_fail(error,
                             (tpad_error){TPAD_E_BOX, i, first, a->extent, first, extent, NULL,
                                          "axis %a: %e cells from cell %b on are not inside the "
                                          "output extent %l"});
        holds_last = holds_last && first + extent == a->extent;
        a->origin += first;
        a->extent = extent;
        p->first[i] += first;
        p->out_offset += first * a->out_stride;
    }
    if (!holds_last) p->tail = -1;
    p->bit_stream = 0;

    if (box->out_strides) {
        status = box_output(p, box, error);
        find_bit_stream(p);
    }
    if (status == TPAD_OK && box->in_first) status = box_input(p, box, error);
    if (status != TPAD_OK) return status;
    tpad_plan_finish(p);
    tpad_plan_tabulate(p);
    return TPAD_OK;
}

int32_t tpad_plan_border(tpad_plan *opaque, size_t plan_bytes, const tpad_plan *of,
                         tpad_error *error)
{
    const int32_t status = begin(opaque, plan_bytes, of, error);
    if (status != TPAD_OK) return status;
    plan *p = &((tabled_plan *)(void *)opaque)->plan;
    const plan *whole = tpad_plan_open(of);
    if (!whole)
        return TPAD_FAIL(error, TPAD_E_NOT_A_PLAN, 0, 0,
                         "the plan to take the border of was never made");

    copy_but_table(p, whole);
    p->flags |= PLAN_BORDER;
    p->in_offset = p->out_offset;
    int64_t reach = 0;
    for (int32_t i = 0; i < p->rank; i++) {
        axis *a = &p->axes[i];
        const int64_t end = a->origin + a->extent;
        a->in_stride = 0;
        if (a->lo >= a->hi) continue;
        if (a->lo < a->origin || a->hi > end)
            return tpad_fail(error,
                             (tpad_error){TPAD_E_BORDER, i, a->lo < a->origin ? a->lo : a->hi,
                                          a->lo < a->origin ? a->origin : end, -a->origin,
                                          end - a->hi, NULL,
                                          "axis %a: the output holds not all of the input (before "
                                          "%b, after %e), so its border alone cannot be filled"});
        if (!tpad_add_reach(&reach, a->out_stride, a->hi > a->spacing ? a->hi : a->spacing))
            return tpad_fail(error,
                             (tpad_error){TPAD_E_OVERFLOW, i, a->hi, MAX_REACH, 0, 0, NULL,
                                          "axis %a: in an output with all %g cells of the input "
                                          "addresses exceed %l"});
        /* Element s is at output cell s * spacing - origin. */
        p->in_offset -= a->origin * a->out_stride;
        a->in_stride = a->out_stride * a->spacing;
    }
    tpad_plan_finish(p);
    tpad_plan_tabulate(p);
    return TPAD_OK;
}

/* Chooses how a plan runs: by a list, a table, words or blocks. */

/* Makes the table. Returns 0 if there is none. */
static int make_table(plan *p)
{
#if TPAD_TABLE_BYTES > 0
    const tpad_kernels *kernels = tpad_kernels_at(p->kernels);
    if (p->cells == 0 || (p->flags & PLAN_BORDER)) return 0;
    if (p->cell_unit == 8) return kernels->form_count > 0 && tpad_table_of_bytes(p);
    return PLAN_HAS_BIT_TABLE && kernels->bits && tpad_table_of_bits(p);
#else
    (void)p;
    return 0;
#endif
}

/* For bytes without a table, blocks are faster if the kernels have vectors. */
static int32_t without_table(const plan *p)
{
    const int by_words = p->cell_unit == 1 || !tpad_kernels_at(p->kernels)->forms;
    return by_words && tpad_words_suit(p, p->cells) ? PLAN_WORDS : PLAN_BLOCKS;
}

void tpad_plan_choose(plan *p, int is_dense)
{
    p->how = is_dense && tpad_plan_list(p) ? PLAN_LIST : without_table(p);
}

void tpad_plan_tabulate(plan *p)
{
    p->how = make_table(p) ? PLAN_TABLE : without_table(p);
}
