/* What holds for every gradient of a pad, on random problems. SPDX-License-Identifier: MIT
 *
 * Laws that need no oracle, in whole numbers, where sums are exact: the transpose; boxes; the
 * gradient of the fill. And the sums of all cells that took an element, added cell by cell in the
 * order of tensorpad/adjoint.h, as the oracle says where cells come from. */
#include <stdlib.h>

#include "../../support/random_main.h"
#include "gradients.h"

/* ---- Sums ------------------------------------------------------------------------------------ */

/* The cells of an axis that took an element: that at its own place, then the others. Returns how
 * many; cells: room for all. */
static int64_t takers_of(const gradient *g, int32_t axis, int64_t element, int64_t *cells)
{
    const tpad_axis *a = &g->p->axes[axis];
    const int64_t own = a->before + element * (a->interior + 1);
    int64_t count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < g->p->truth.extents[axis]; i++)
            if (g->p->truth.source[axis][i] == element && (i == own) == (pass == 0))
                cells[count++] = i;
    return count;
}

/* What each element gets, into `expected`, which holds what was there. */
static void add_up(const gradient *g, const unsigned char *out, unsigned char *in, bool adds)
{
    const int32_t rank = g->p->problem.rank;
    int64_t *cells[TPAD_MAX_RANK];
    int64_t extents[TPAD_MAX_RANK], element[TPAD_MAX_RANK] = {0}, counts[TPAD_MAX_RANK];
    for (int32_t i = 0; i < rank; i++) extents[i] = g->p->axes[i].in_extent;
    for (int32_t i = 0; i < rank; i++)
        if (extents[i] == 0) return;
    for (int32_t i = 0; i < rank; i++) {
        cells[i] = malloc((size_t)(g->p->truth.extents[i] + 1) * sizeof *cells[i]);
        if (!cells[i]) abort();
    }
    do {
        int64_t at = g->p->problem.in_offset, index[TPAD_MAX_RANK] = {0}, takers = 1;
        for (int32_t i = 0; i < rank; i++) {
            at += element[i] * g->in_strides[i];
            counts[i] = takers_of(g, i, element[i], cells[i]);
            takers *= counts[i];
        }
        for (int32_t part = 0; part < g->parts; part++) {
            unsigned char *to = in + at + part * g->bytes;
            total sum = read_number(g->number, to);
            bool begun = adds;
            /* The innermost of the sorted axes is the fastest. */
            memset(index, 0, sizeof index);
            for (int64_t k = 0; k < takers; k++) {
                int64_t from = g->p->problem.out_offset + part * g->bytes;
                bool own = true;
                for (int32_t i = 0; i < rank; i++) {
                    const int64_t cell = cells[i][index[i]];
                    from += cell * g->out_strides[i];
                    own = own &&
                          cell == g->p->axes[i].before + element[i] * (g->p->axes[i].interior + 1);
                }
                const total t = read_number(g->number, out + from);
                if (!begun && !own) memset(&sum, 0, sizeof sum);
                if (!begun && own)
                    sum = t; /* -0 stays -0 */
                else
                    add_number(&sum, t);
                begun = true;
                for (int32_t i = rank - 1; i >= 0; i--) {
                    if (++index[g->order[i]] < counts[g->order[i]]) break;
                    index[g->order[i]] = 0;
                }
            }
            if (!begun) memset(&sum, 0, sizeof sum);
            if (takers > 0 || !adds) write_total(g->number, to, sum, false);
        }
    } while (next_index(rank, extents, element));
    for (int32_t i = 0; i < rank; i++) free(cells[i]);
}

static bool is_right(const gradient *g, const unsigned char *found, const unsigned char *expected,
                     int64_t bytes, const char *what)
{
    const int32_t rank = g->p->problem.rank;
    int64_t extents[TPAD_MAX_RANK], element[TPAD_MAX_RANK] = {0};
    unsigned char *rest = malloc((size_t)bytes + 1);
    memcpy(rest, found, (size_t)bytes);
    bool same = true, any = true;
    for (int32_t i = 0; i < rank; i++) {
        extents[i] = g->p->axes[i].in_extent;
        any = any && extents[i] > 0;
    }
    if (any) do {
            int64_t at = g->p->problem.in_offset - g->p->in_begin;
            for (int32_t i = 0; i < rank; i++) at += element[i] * g->in_strides[i];
            for (int32_t part = 0; same && part < g->parts; part++, at += g->bytes) {
                same = same_number(g->number, g->bytes, found + at, expected + at);
                if (!same) {
                    fprintf(stderr, "%s: number %d, element", what, (int)g->number);
                    for (int32_t i = 0; i < rank; i++)
                        fprintf(stderr, " %lld", (long long)element[i]);
                    fprintf(stderr, ": %.17g (%llx), not %.17g (%llx)\n",
                            read_number(g->number, found + at).f64,
                            (unsigned long long)read_number(g->number, found + at).integer,
                            read_number(g->number, expected + at).f64,
                            (unsigned long long)read_number(g->number, expected + at).integer);
                }
                memcpy(rest + at, expected + at, (size_t)g->bytes);
            }
        } while (same && next_index(rank, extents, element));
    if (same && memcmp(rest, expected, (size_t)bytes) != 0) {
        fprintf(stderr, "%s: bytes between the elements were changed\n", what);
        same = false;
    }
    free(rest);
    return same;
}

static bool sums_are_right(bench *b, rng *r, bool *counts)
{
    random_problem p;
    gradient g;
    bool ok = true;
    *counts = false;
    if (!gradient_make(&g, &p, r)) return true;
    const int32_t bits = p.problem.elem_bits;

    tpad_plan plan;
    int32_t status = tpad_plan_init(&plan, sizeof plan, &p.problem, NULL);
    const int64_t out_bytes = p.out_end - p.out_begin, in_bytes = p.in_end - p.in_begin;
    /* The output's cells, and which of its bytes they are. */
    unsigned char *out = guard_place(&b->src_guard, (size_t)out_bytes, (int)rng_range(r, 0, 2),
                                     (unsigned)rng_range(r, 0, 63));
    unsigned char *used = b->used;
    const bool fits_used = out_bytes <= RANDOM_MAX_BYTES;
    random_numbers(r, g.number, g.bytes, out, out_bytes / g.bytes);
    if (fits_used) memset(used, 0, (size_t)out_bytes);
    int64_t cell[TPAD_MAX_RANK] = {0};
    if (p.truth.cells > 0) do {
            int64_t at = p.problem.out_offset - p.out_begin;
            for (int32_t i = 0; i < p.problem.rank; i++) at += cell[i] * g.out_strides[i];
            random_numbers(r, g.number, g.bytes, out + at, g.parts);
            if (fits_used) memset(used + at, 1, (size_t)(bits / 8));
        } while (next_index(p.problem.rank, p.truth.extents, cell));
    guard_read_only(&b->src_guard);
    if (fits_used) guard_forbid_gaps(&b->src_guard, used);
    const void *grad_out = bench_base(out, p.out_begin);

    unsigned char *in = guard_place(&b->dst_guard, (size_t)in_bytes, (int)rng_range(r, 0, 2),
                                    (unsigned)rng_range(r, 0, 63));
    unsigned char *before = b->before, *expected = b->expected;
    random_numbers(r, g.number, g.bytes, before, in_bytes / g.bytes);
    void *grad_in = bench_base(in, p.in_begin);
    const bool apart = is_apart(&g);
    for (int adds = 0; adds < 2 && ok && status == TPAD_OK; adds++) {
        memcpy(expected, before, (size_t)in_bytes);
        if (apart) add_up(&g, grad_out, bench_base(expected, p.in_begin), adds);
        for (int way = 0; way < 3 && ok; way++) {
            static const char *const ways[] = {"whole", "parts", "runner"};
            memcpy(in, before, (size_t)in_bytes);
            int64_t parts = way == 1 ? rng_range(r, 1, 9) : 1, called = 0;
            const tpad_runner runner = {sizeof runner, &called, 8, run_backwards};
            for (int64_t part = parts - 1; part >= 0 && status == TPAD_OK; part--)
                status = way == 1 ? tpad_adjoint_part(&plan, g.number, adds, grad_out, grad_in,
                                                      part, parts, NULL)
                                  : tpad_adjoint(&plan, g.number, adds, grad_out, grad_in,
                                                 way == 2 ? &runner : NULL, NULL);
            if (!apart) {
                ok = status == TPAD_E_ARGUMENT && memcmp(in, before, (size_t)in_bytes) == 0;
                if (!ok) setting_failed("elements that overlap were not refused", status);
                status = TPAD_OK;
                continue;
            }
            ok = status == TPAD_OK || setting_failed(ways[way], status);
            if (ok) ok = is_right(&g, in, expected, in_bytes, ways[way]);
            if (ok && !guard_intact(&b->dst_guard)) ok = setting_failed("memory beside grad_in", 0);
        }
    }
    *counts = apart;
    if (!ok) random_report(&p.problem);
    random_problem_close(&p);
    return ok;
}

/* ---- Laws ------------------------------------------------------------------------------------ */

/* Dense arrays of whole numbers of 64 bits, which wrap around, for one problem. */
typedef struct arrays {
    int64_t in_elems, out_elems;
    int64_t *x, *padded, *y, *gradient, *other;
} arrays;

typedef struct pad_case {
    rng *r;
    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem;
    int64_t in_extents[TPAD_MAX_RANK], out_extents[TPAD_MAX_RANK];
    tpad_plan plan;
    arrays a;
} pad_case;

static int64_t product(int32_t rank, const int64_t *extents)
{
    int64_t all = 1;
    for (int32_t i = 0; i < rank; i++) all *= extents[i];
    return all;
}

static int64_t *numbers(rng *r, int64_t count)
{
    int64_t *made = malloc((size_t)(count > 0 ? count : 1) * sizeof *made);
    if (!made) abort();
    rng_bytes(r, made, (size_t)count * sizeof *made);
    return made;
}

/* <pad(x), y> = <x, adjoint(y)>, where the pad fills with 0. */
static bool is_transpose(pad_case *c)
{
    const int64_t zero = 0;
    uint64_t left = 0, right = 0;
    arrays *a = &c->a;
    int32_t status = tpad_run(&c->plan, a->x, a->padded, &zero);
    if (status == TPAD_OK)
        status = tpad_adjoint(&c->plan, TPAD_NUMBER_I64, 0, a->y, a->gradient, NULL, NULL);
    if (status != TPAD_OK) return setting_failed("is_transpose", status);
    for (int64_t i = 0; i < a->out_elems; i++) left += (uint64_t)a->padded[i] * (uint64_t)a->y[i];
    for (int64_t i = 0; i < a->in_elems; i++) right += (uint64_t)a->x[i] * (uint64_t)a->gradient[i];
    return left == right || setting_failed("<pad(x), y> is not <x, adjoint(y)>", 0);
}

/* Cuts a box at random until it is small, and adds the gradient of each part. */
static bool add_boxes(pad_case *c, const piece *box, int depth, int64_t *sum)
{
    const int32_t rank = c->problem.rank;
    if (depth > 0 && rank > 0) {
        const int32_t i = (int32_t)rng_range(c->r, 0, rank - 1);
        piece first = *box, second = *box;
        first.extents[i] = rng_range(c->r, 0, box->extents[i]);
        second.first[i] += first.extents[i];
        second.extents[i] -= first.extents[i];
        return add_boxes(c, &second, depth - 1, sum) && add_boxes(c, &first, depth - 1, sum);
    }
    tpad_plan plan;
    const tpad_box cut = {.struct_size = sizeof cut, .first = box->first, .extents = box->extents};
    int32_t status = tpad_plan_box(&plan, sizeof plan, &c->plan, &cut, NULL);
    if (status == TPAD_OK)
        status = tpad_adjoint(&plan, TPAD_NUMBER_I64, TPAD_ADJOINT_ADD, c->a.y, sum, NULL, NULL);
    return status == TPAD_OK || setting_failed("a box", status);
}

static bool boxes_add_up(pad_case *c)
{
    arrays *a = &c->a;
    piece whole = {0};
    for (int32_t i = 0; i < c->problem.rank; i++) whole.extents[i] = c->out_extents[i];
    memset(a->other, 0, (size_t)a->in_elems * sizeof *a->other);
    if (!add_boxes(c, &whole, 3, a->other)) return false;
    const int32_t status =
        tpad_adjoint(&c->plan, TPAD_NUMBER_I64, 0, a->y, a->gradient, NULL, NULL);
    if (status != TPAD_OK) return setting_failed("boxes_add_up", status);
    return memcmp(a->gradient, a->other, (size_t)a->in_elems * sizeof *a->other) == 0 ||
           setting_failed("the gradients of all boxes are not that of the whole", 0);
}

/* A box with memory of its own for both sides gives what the box gives in the whole arrays. */
static bool box_has_own_memory(pad_case *c)
{
    const int32_t rank = c->problem.rank;
    arrays *a = &c->a;
    tpad_plan plan, own_plan;
    piece box = piece_random(c->r, rank, c->out_extents);
    tpad_box cut = {.struct_size = sizeof cut, .first = box.first, .extents = box.extents};
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK], index[TPAD_MAX_RANK] = {0};
    int64_t in_strides[TPAD_MAX_RANK], out_strides[TPAD_MAX_RANK];
    int32_t status = tpad_plan_box(&plan, sizeof plan, &c->plan, &cut, NULL);
    if (status == TPAD_OK)
        status = tpad_adjoint(&plan, TPAD_NUMBER_I64, 0, a->y, a->gradient, NULL, NULL);
    if (status == TPAD_OK) status = tpad_plan_needs(&plan, first, extents);
    if (status != TPAD_OK) return setting_failed("a box", status);
    random_layout(c->r, rank, extents, 64, in_strides);
    random_layout(c->r, rank, box.extents, 64, out_strides);
    int64_t in_begin, in_end, out_begin, out_end;
    if (!random_span(rank, extents, in_strides, 0, 64, &in_begin, &in_end)) in_begin = in_end = 0;
    if (!random_span(rank, box.extents, out_strides, 0, 64, &out_begin, &out_end))
        out_begin = out_end = 0;
    unsigned char *in = malloc((size_t)(in_end - in_begin) + 1),
                  *out = malloc((size_t)(out_end - out_begin) + 1);
    if (!in || !out) abort();
    cut.out_strides = out_strides;
    cut.in_first = first;
    cut.in_strides = in_strides;
    if (product(rank, box.extents) > 0) do {
            int64_t to = -out_begin, from = 0;
            for (int32_t i = 0; i < rank; i++) {
                to += index[i] * out_strides[i];
                from = from * c->out_extents[i] + box.first[i] + index[i];
            }
            memcpy(out + to, &a->y[from], 8);
        } while (next_index(rank, box.extents, index));
    status = tpad_plan_box(&own_plan, sizeof own_plan, &c->plan, &cut, NULL);
    if (status == TPAD_OK)
        status = tpad_adjoint(&own_plan, TPAD_NUMBER_I64, 0, bench_base(out, out_begin),
                              bench_base(in, in_begin), NULL, NULL);
    bool same = status == TPAD_OK || setting_failed("a box with memory of its own", status);
    memset(index, 0, sizeof index);
    if (product(rank, extents) > 0 && product(rank, box.extents) > 0) do {
            int64_t at = -in_begin, from = 0, found;
            for (int32_t i = 0; i < rank; i++) {
                at += index[i] * in_strides[i];
                from = from * c->in_extents[i] + first[i] + index[i];
            }
            memcpy(&found, in + at, 8);
            if (same && found != a->gradient[from])
                same = setting_failed("a box with memory of its own has another gradient", 0);
        } while (same && next_index(rank, extents, index));
    free(in);
    free(out);
    return same;
}

/* The adjoint of a crop is a pad with 0, and the other way round. */
static bool crop_is_pad(pad_case *c)
{
    tpad_axis back[TPAD_MAX_RANK];
    tpad_problem problem = c->problem;
    arrays *a = &c->a;
    const int64_t zero = 0;
    for (int32_t i = 0; i < c->problem.rank; i++) {
        const tpad_axis *axis = &c->axes[i];
        if (axis->interior > 0 ||
            (axis->mode != TPAD_CONSTANT && (axis->before > 0 || axis->after > 0)))
            return true;
        back[i] = (tpad_axis){
            .in_extent = c->out_extents[i], .before = -axis->before, .after = -axis->after};
    }
    problem.axes = back;
    int32_t status = tpad_pad(&problem, a->y, a->other, &zero, NULL);
    if (status == TPAD_OK)
        status = tpad_adjoint(&c->plan, TPAD_NUMBER_I64, 0, a->y, a->gradient, NULL, NULL);
    if (status != TPAD_OK) return setting_failed("crop_is_pad", status);
    return memcmp(a->gradient, a->other, (size_t)a->in_elems * sizeof *a->other) == 0 ||
           setting_failed("the adjoint of a crop or of a pad with 0 is another", 0);
}

/* <pad(0, fill), y> = <fill, gradient of the fill>, for a fill with any strides; of a box, too. */
static bool fill_has_gradient(pad_case *c)
{
    const int32_t rank = c->problem.rank;
    arrays *a = &c->a;
    piece box = piece_random(c->r, rank, c->out_extents);
    const tpad_box cut = {.struct_size = sizeof cut, .first = box.first, .extents = box.extents};
    int64_t values_extents[TPAD_MAX_RANK], strides[TPAD_MAX_RANK], begin, end;
    tpad_plan plan;
    int32_t status = tpad_plan_box(&plan, sizeof plan, &c->plan, &cut, NULL);
    if (status != TPAD_OK) return setting_failed("a box", status);
    for (int32_t i = 0; i < rank; i++)
        values_extents[i] = rng_percent(c->r, 40) ? c->out_extents[i] : 1;
    random_layout(c->r, rank, values_extents, 64, strides);
    for (int32_t i = 0; i < rank; i++)
        if (values_extents[i] == 1) strides[i] = 0;
    if (!random_span(rank, values_extents, strides, 0, 64, &begin, &end)) return true;
    int64_t *fill = numbers(c->r, (end - begin) / 8 + 1),
            *sums = numbers(c->r, (end - begin) / 8 + 1);
    const bool adds = rng_percent(c->r, 50);
    memset(sums, 0, (size_t)(end - begin));
    memset(a->padded, 0, (size_t)a->out_elems * 8);
    memset(a->x, 0, (size_t)a->in_elems * 8);
    const tpad_fill values = {sizeof values, bench_base(fill, begin), strides};
    status = tpad_run_fill(&plan, a->x, a->padded, &values, NULL);
    if (status == TPAD_OK)
        status = tpad_adjoint_fill(&plan, TPAD_NUMBER_I64, adds, a->y, bench_base(sums, begin),
                                   strides, NULL);
    uint64_t left = 0, right = 0;
    for (int64_t i = 0; i < a->out_elems; i++) left += (uint64_t)a->padded[i] * (uint64_t)a->y[i];
    int64_t index[TPAD_MAX_RANK] = {0};
    if (begin < end) do {
            uint64_t value, sum;
            int64_t at = -begin;
            for (int32_t i = 0; i < rank; i++) at += index[i] * strides[i];
            memcpy(&value, (unsigned char *)fill + at, 8);
            memcpy(&sum, (unsigned char *)sums + at, 8);
            right += value * sum;
        } while (next_index(rank, values_extents, index));
    rng_bytes(c->r, a->x, (size_t)a->in_elems * 8);
    free(fill);
    free(sums);
    if (status != TPAD_OK) return setting_failed("fill_has_gradient", status);
    return left == right || setting_failed("<fill(v), y> is not <v, gradient of the fill>", 0);
}

static bool laws_hold(bench *b, rng *r, bool *counts)
{
    random_problem p;
    pad_case c = {.r = r};
    (void)b;
    *counts = false;
    random_problem_make(&p, r, RANDOM_DENSE | (rng_percent(r, 50) ? RANDOM_SMALL : 0));
    memcpy(c.axes, p.axes, sizeof c.axes);
    c.problem = (tpad_problem)TPAD_PROBLEM(64, p.problem.rank, c.axes);
    int64_t elements = 1;
    for (int32_t i = 0; i < p.problem.rank; i++) {
        c.in_extents[i] = c.axes[i].in_extent;
        c.out_extents[i] = p.truth.extents[i];
        elements = c.in_extents[i] > MOST_ELEMENTS || elements > MOST_ELEMENTS
                       ? MOST_ELEMENTS + 1
                       : elements * c.in_extents[i];
    }
    const bool far = p.far || elements > MOST_ELEMENTS;
    random_problem_close(&p);
    if (far) return true;
    const int32_t status = tpad_plan_init(&c.plan, sizeof c.plan, &c.problem, NULL);
    if (status != TPAD_OK) return setting_failed("plan", status);
    c.a.in_elems = product(c.problem.rank, c.in_extents);
    c.a.out_elems = product(c.problem.rank, c.out_extents);
    c.a.x = numbers(r, c.a.in_elems);
    c.a.gradient = numbers(r, c.a.in_elems);
    c.a.other = numbers(r, c.a.in_elems);
    c.a.padded = numbers(r, c.a.out_elems);
    c.a.y = numbers(r, c.a.out_elems);
    *counts = c.a.in_elems > 0 && c.a.out_elems > 0;
    const bool ok = is_transpose(&c) && boxes_add_up(&c) && box_has_own_memory(&c) &&
                    crop_is_pad(&c) && fill_has_gradient(&c);
    free(c.a.x);
    free(c.a.gradient);
    free(c.a.other);
    free(c.a.padded);
    free(c.a.y);
    if (!ok) random_report(&c.problem);
    return ok;
}

static bool run_case(bench *b, rng *r, bool *counts)
{
    bool sums, laws;
    if (!sums_are_right(b, r, &sums) || !laws_hold(b, r, &laws)) return false;
    *counts = sums && laws;
    return true;
}

int main(int argc, char **argv)
{
    random_run run = {.program = "test_adjoint_laws", .seed = 1, .cases = 20000};
    uint64_t counted;
    const int status = cases_main(&run, argc, argv, run_case, &counted);
    if (status == 0)
        printf("%llu pads have right sums and keep the laws\n", (unsigned long long)counted);
    return status;
}
