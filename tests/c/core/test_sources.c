/* Which input an interval of one axis reads.  SPDX-License-Identifier: MIT
 *
 * Owns: tpad_plan_sources on every interval of every axis of at most six elements: the pieces tile
 * the interval, each names the smallest interval of the input that it reads, there are two only at
 * a seam of mode wrap, and what lies outside of them changes nothing.
 * Must not know: the inside of the library.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/oracle.h"

enum { MOST_ELEMENTS = 6, LEAST_AMOUNT = -3, MOST_AMOUNT = 7, MOST_CELLS = 64 };

static int failed(const tpad_axis *a, int64_t first, int64_t extent, const char *what)
{
    fprintf(stderr,
            "%s: n %d, before %d, after %d, interior %d, %s, order %d: cells %d from %d on\n", what,
            (int)a->in_extent, (int)a->before, (int)a->after, (int)a->interior,
            tpad_mode_name(a->mode), (int)a->order, (int)extent, (int)first);
    return 0;
}

/* Reads the piece no more and no less than its cells do? */
static int is_tight(const oracle *o, const tpad_source *piece)
{
    int64_t low = INT64_MAX, high = -1;
    for (int64_t i = piece->out_first; i < piece->out_first + piece->out_extent; i++) {
        const int64_t s = o->source[0][i];
        if (s == ORACLE_FILL) continue;
        if (s < low) low = s;
        if (s > high) high = s;
    }
    if (high < 0) return piece->in_extent == 0 && piece->in_first == 0;
    return piece->in_first == low && piece->in_extent == high - low + 1;
}

/* Goes the interval over a seam of wrap, and is it shorter than a period? By the definition of the
 * mode in docs/semantics.md: t counts the dilated input, [lo, hi) is what the order leaves of it. */
static int has_seam(const tpad_axis *a, int64_t first, int64_t extent)
{
    const int64_t dilated = a->in_extent ? (a->in_extent - 1) * (a->interior + 1) + 1 : 0;
    const int64_t lo = a->order == TPAD_CROP && a->before < 0 ? -a->before : 0;
    const int64_t hi = dilated + (a->order == TPAD_CROP && a->after < 0 ? a->after : 0);
    if (a->mode != TPAD_WRAP || extent >= hi - lo) return 0;
    for (int64_t i = 1; i < extent; i++)
        if ((first + i - a->before - lo) % (hi - lo) == 0) return 1;
    return 0;
}

/* Runs the interval alone, from an input of which only the pieces are as they were. */
static int needs_no_more(const tpad_plan *plan, const tpad_axis *a, int64_t first, int64_t extent,
                         const tpad_source pieces[2])
{
    const tpad_box box = {.struct_size = sizeof box, .first = &first, .extents = &extent};
    unsigned char src[MOST_ELEMENTS], poisoned[MOST_ELEMENTS];
    unsigned char dst[MOST_CELLS] = {0}, again[MOST_CELLS] = {0};
    tpad_plan part;
    for (int i = 0; i < MOST_ELEMENTS; i++) src[i] = (unsigned char)(i + 1);
    memset(poisoned, 0xEE, sizeof poisoned);
    for (int k = 0; k < 2; k++)
        memcpy(poisoned + pieces[k].in_first, src + pieces[k].in_first,
               (size_t)pieces[k].in_extent);
    if (tpad_plan_box(&part, sizeof part, plan, &box, NULL) != TPAD_OK ||
        tpad_run(&part, a->in_extent > 0 ? src : NULL, dst, NULL) != TPAD_OK ||
        tpad_run(&part, a->in_extent > 0 ? poisoned : NULL, again, NULL) != TPAD_OK)
        return 0;
    return memcmp(dst, again, sizeof dst) == 0;
}

static int check_interval(const tpad_plan *plan, const oracle *o, const tpad_axis *a, int64_t first,
                          int64_t extent)
{
    tpad_source pieces[2];
    memset(pieces, 0x55, sizeof pieces);
    if (tpad_plan_sources(plan, 0, first, extent, pieces) != TPAD_OK)
        return failed(a, first, extent, "refused");
    if (pieces[0].out_first != first || pieces[0].out_extent < 0 || pieces[1].out_extent < 0 ||
        pieces[1].out_first != first + pieces[0].out_extent ||
        pieces[0].out_extent + pieces[1].out_extent != extent)
        return failed(a, first, extent, "the pieces do not tile the interval");
    if (!is_tight(o, &pieces[0]) || !is_tight(o, &pieces[1]))
        return failed(a, first, extent, "a piece is not what its cells read");
    if ((pieces[1].out_extent > 0) != has_seam(a, first, extent))
        return failed(a, first, extent, "the wrong number of pieces");
    if (!needs_no_more(plan, a, first, extent, pieces))
        return failed(a, first, extent, "something outside of the pieces is read");
    return 1;
}

/* Every interval of one axis; 1, and counts it, if the axis is possible at all. */
static int check_axis(const tpad_axis *a, int64_t *intervals)
{
    const tpad_problem problem = TPAD_PROBLEM(8, 1, a);
    tpad_plan plan;
    oracle o;
    int good = 1;
    oracle_solve(&o, &problem);
    if (o.status == TPAD_OK) {
        good = tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK;
        for (int64_t first = 0; good && first <= o.extents[0]; first++)
            for (int64_t extent = 0; good && extent <= o.extents[0] - first; extent++) {
                good = check_interval(&plan, &o, a, first, extent);
                ++*intervals;
            }
    }
    oracle_close(&o);
    return good;
}

static int check_all(int64_t *intervals)
{
    for (int n = 0; n <= MOST_ELEMENTS; n++)
        for (int before = LEAST_AMOUNT; before <= MOST_AMOUNT; before++)
            for (int after = LEAST_AMOUNT; after <= MOST_AMOUNT; after += 2)
                for (int words = 0; words < 4 * TPAD_MODE_COUNT; words++) {
                    const tpad_axis a = {.in_extent = n,
                                         .before = before,
                                         .after = after,
                                         .interior = words & 1,
                                         .order = words >> 1 & 1,
                                         .mode = words >> 2};
                    if (!check_axis(&a, intervals)) return 0;
                }
    return 1;
}

/* Wrap by 10 of 1000: the first 110 cells are 10 from the end and 100 from the beginning. */
static int check_example(void)
{
    const tpad_axis axes[2] = {{.in_extent = 1000, .before = 10, .after = 10, .mode = TPAD_WRAP},
                               {.in_extent = 3}};
    const tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    const tpad_source expected[2] = {{0, 10, 990, 10}, {10, 100, 0, 100}};
    tpad_source pieces[2];
    tpad_plan plan;
    return tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK &&
           tpad_plan_sources(&plan, 0, 0, 110, pieces) == TPAD_OK &&
           memcmp(pieces, expected, sizeof expected) == 0;
}

/* Of an axis that has nothing to wrap, beside one that makes the output empty. */
static int check_nothing(void)
{
    const tpad_axis axes[2] = {{.after = 5, .mode = TPAD_WRAP}, {.in_extent = 0}};
    const tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
    const tpad_source expected[2] = {{1, 3, 0, 0}, {4, 0, 0, 0}};
    tpad_source pieces[2];
    tpad_plan plan;
    return tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK &&
           tpad_plan_sources(&plan, 0, 1, 3, pieces) == TPAD_OK &&
           memcmp(pieces, expected, sizeof expected) == 0;
}

static int check_refused(void)
{
    const tpad_axis axis = {.in_extent = 4};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    tpad_source pieces[2];
    tpad_plan plan;
    return tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK &&
           tpad_plan_sources(&plan, 0, 0, 4, NULL) == TPAD_E_ARGUMENT &&
           tpad_plan_sources(&plan, -1, 0, 4, pieces) == TPAD_E_ARGUMENT &&
           tpad_plan_sources(&plan, 1, 0, 4, pieces) == TPAD_E_ARGUMENT &&
           tpad_plan_sources(&plan, 0, -1, 4, pieces) == TPAD_E_BOX &&
           tpad_plan_sources(&plan, 0, 0, -1, pieces) == TPAD_E_BOX &&
           tpad_plan_sources(&plan, 0, 5, 0, pieces) == TPAD_E_BOX &&
           tpad_plan_sources(&plan, 0, 2, 3, pieces) == TPAD_E_BOX &&
           tpad_plan_sources(&plan, 0, INT64_MAX, INT64_MAX, pieces) == TPAD_E_BOX;
}

int main(void)
{
    int64_t intervals = 0;
    if (!check_all(&intervals)) return 1;
    if (!check_example() || !check_nothing() || !check_refused()) {
        fprintf(stderr, "the example, the axis of nothing or what is refused is wrong\n");
        return 1;
    }
    printf("%" PRId64 " intervals as they should be\n", intervals);
    return 0;
}
