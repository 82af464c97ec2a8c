/* Answers questions about a plan: its shape and size, the input that it reads; and a description in
 * words, of its problem, the loops after merging, the way it runs, and the kernels.
 * SPDX-License-Identifier: MIT */
#include "../kernels/kernels.h"
#include "plan.h"
#include "text.h"

int64_t tpad_plan_out_bytes(const tpad_plan *opaque)
{
    const plan *p = tpad_plan_open(opaque);
    if (!p) return -1;
    const int64_t units = p->cells * p->cell; /* fits: see tpad_plan_is_within */
    return p->cell_unit == 8 ? units : tpad_bytes_of_bits(units);
}

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

/* Runs beyond this number are only counted. */
enum { RUNS_SHOWN = 6 };

static const char *const how_words[] = {[PLAN_BLOCKS] = "blocks",
                                        [PLAN_LIST] = "a list",
                                        [PLAN_TABLE] = "a table",
                                        [PLAN_WORDS] = "words"};

static void put_extents(text *t, const axis *axes, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (i > 0) tpad_text_put(t, " x ");
        tpad_text_number(t, axes[i].extent);
    }
    if (count == 0) tpad_text_put(t, "1");
}

static void put_run(text *t, const run *r)
{
    tpad_text_put(t, r->source < 0 ? "fill "
                     : r->spacing > 1 && r->length > 1
                         ? (r->step < 0 ? "reversed spread over " : "spread over ")
                     : r->step == 0 ? "repeat "
                     : r->step < 0  ? "reverse "
                                    : "copy ");
    tpad_text_number(t, r->length);
}

static void put_loop(text *t, const axis *a, int32_t number)
{
    tpad_text_put(t, "  loop ");
    tpad_text_number(t, number);
    tpad_text_put(t, ": ");
    int64_t i = 0;
    for (int shown = 0; i < a->extent && shown < RUNS_SHOWN; shown++) {
        const run r = tpad_axis_run(a, i);
        if (shown > 0) tpad_text_put(t, ", ");
        put_run(t, &r);
        i += r.length;
    }
    if (i < a->extent) {
        tpad_text_put(t, ", and so on for ");
        tpad_text_number(t, a->extent - i);
    }
    tpad_text_char(t, '\n');
}

size_t tpad_plan_describe(const tpad_plan *opaque, char *buffer, size_t bytes)
{
    const plan *p = tpad_plan_open(opaque);
    text t = tpad_text_begin(buffer, bytes);
    if (!p) {
        tpad_text_put(&t, "no plan was made\n");
        return t.length;
    }
    tpad_text_put(&t, p->flags & PLAN_BORDER ? "border of " : "");
    put_extents(&t, p->axes, p->rank);
    tpad_text_put(&t, " elements of ");
    tpad_text_number(&t, p->elem_bits);
    tpad_text_put(&t, " bits\n");
    if (p->cells == 0) {
        tpad_text_put(&t, "nothing to write\n");
        return t.length;
    }
    tpad_text_put(&t, "walked as ");
    put_extents(&t, p->loops, p->loop_count);
    tpad_text_put(&t, " cells of ");
    tpad_text_number(&t, p->cell);
    tpad_text_put(&t, p->cell_unit == 8 ? " bytes\n" : " bits\n");
    for (int32_t i = 0; i < p->loop_count; i++) put_loop(&t, &p->loops[i], i);
    tpad_text_put(&t, "written by ");
    tpad_text_put(&t, how_words[p->how]);
    tpad_text_put(&t, "\nkernels: ");
    tpad_text_put(&t, tpad_kernels_at(p->kernels)->name);
    tpad_text_char(&t, '\n');
    return t.length;
}

const char *tpad_kernels_name(void)
{
    return tpad_kernels_at(tpad_kernels_best())->name;
}
