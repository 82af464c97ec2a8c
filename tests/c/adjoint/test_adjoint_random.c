/* Gradients of random pads. SPDX-License-Identifier: MIT
 *
 * The sums of all cells that took an element, added cell by cell in the order of
 * tensorpad/adjoint.h, as the oracle says where cells come from. */
#include <stdlib.h>

#include "../../support/random_main.h"
#include "gradients.h"

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

static bool run_case(bench *b, rng *r, bool *counts)
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

int main(int argc, char **argv)
{
    random_run run = {.program = "test_adjoint_random", .seed = 1, .cases = 20000};
    uint64_t counted;
    const int status = cases_main(&run, argc, argv, run_case, &counted);
    if (status == 0) printf("%llu gradients are right\n", (unsigned long long)counted);
    return status;
}
