/* Every small problem on one axis, on every variant of the kernels and in every split, against the
 * oracle. SPDX-License-Identifier: MIT
 *
 *     exhaustive axis|fixed [--first UNIT] [--cases N]
 *
 * axis: extent 0 to 8, amounts -10 to 20 each, interior 0 to 3, all modes, orders and widths, the
 * axis alone and among others, of dense inputs and of inputs with gaps. fixed: a small part of
 * these. A unit is a layout, an extent and two amounts; what fails says which one it was. Random
 * problems of several axes are those of test_laws. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random_main.h"

enum { MOST_VARIANTS = 8, MOST_SPLITS = 8, MOST_BYTES = 1 << 21 };

typedef struct comparison {
    guard src, dst;
    const char *variants[MOST_VARIANTS];
    int variant_count;
    int64_t splits[MOST_SPLITS]; /* numbers of parts; 1 is the whole */
    int split_count;
    unsigned char *before, *expected, *owned, *used;
    unsigned char value[TPAD_MAX_ELEM_BITS / 8], *values; /* one element; random bytes */
    tpad_fill fill;                                       /* of these or none */
    int64_t strides[TPAD_MAX_RANK];
    size_t in_bytes, out_bytes;
    int64_t problems, plans, runs; /* how many there were */
} comparison;

/* ---- Variants -------------------------------------------------------------------------------- */

/* The environment's own memory, so that a variant is chosen without a copy of it. */
static char choice[32] = "TENSORPAD_KERNELS=";

static void choose(const char *variant)
{
    strcpy(strchr(choice, '=') + 1, variant);
}

/* Finds out which variants this build and this machine have; all of them are chosen. After them
 * stands "any": the library chooses, and writes small outputs by lists. */
static void comparison_open(comparison *c)
{
    static const char *const known[] = {"plain", "ssse3", "avx2", "avx512bw", "avx512", "neon"};
    static const int64_t splits[] = {1, 2, 3, 5};
    memset(c, 0, sizeof *c);
    guard_open(&c->src, MOST_BYTES);
    guard_open(&c->dst, MOST_BYTES);
    c->before = malloc(MOST_BYTES);
    c->expected = malloc(MOST_BYTES);
    c->owned = malloc(MOST_BYTES);
    c->used = malloc(MOST_BYTES);
    c->values = malloc(MOST_BYTES);
    if (!c->before || !c->expected || !c->owned || !c->used || !c->values || putenv(choice) != 0)
        abort();
    rng r = rng_seeded(1, 1);
    rng_bytes(&r, c->values, MOST_BYTES);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        choose(known[i]);
        if (strcmp(tpad_kernels_name(), known[i]) == 0) c->variants[c->variant_count++] = known[i];
    }
    c->variants[c->variant_count++] = "any"; /* no name of a variant: the library chooses */
    for (size_t i = 0; i < sizeof splits / sizeof splits[0]; i++)
        c->splits[c->split_count++] = splits[i];
}

static void comparison_close(comparison *c)
{
    guard_close(&c->src);
    guard_close(&c->dst);
    free(c->before);
    free(c->expected);
    free(c->owned);
    free(c->used);
    free(c->values);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static bool failed(const char *what, const char *variant, int32_t status, const oracle *o)
{
    fprintf(stderr, "%s, %s: E_%s, not %s\n", what, variant, tpad_status_name(status),
            tpad_status_name(o->status));
    return false;
}

static bool check_shape(comparison *c, const random_problem *p)
{
    const oracle *o = &p->truth;
    int64_t extents[TPAD_MAX_RANK], elems, bytes;
    tpad_error error;
    c->problems++;
    const int32_t status = tpad_shape(&p->problem, extents, &elems, &bytes, &error);
    if (status != o->status) return failed("tpad_shape", "any variant", status, o);
    if (status != TPAD_OK) {
        if (error.code == status && error.axis == o->axis) return true;
        fprintf(stderr, "tpad_shape: axis %d, not %d\n", error.axis, o->axis);
        return false;
    }
    bool good = elems == o->cells && bytes == (o->cells * p->problem.elem_bits + 7) / 8;
    for (int32_t k = 0; k < o->rank; k++) good = good && extents[k] == o->extents[k];
    if (!good) fprintf(stderr, "tpad_shape: %" PRId64 " elements\n", elems);
    return good;
}

/* ---- Data ------------------------------------------------------------------------------------ */

/* Places the memory: against a forbidden page on either side, or anywhere. */
static void place(comparison *c, const random_problem *p, uint64_t turn)
{
    c->in_bytes = (size_t)(p->in_end - p->in_begin);
    c->out_bytes = (size_t)(p->out_end - p->out_begin);
    guard_place(&c->src, c->in_bytes, (int)(turn % 3), (unsigned)(turn % 61));
    guard_place(&c->dst, c->out_bytes, (int)(turn / 3 % 3), (unsigned)(turn % 67));
    random_problem_used(p, c->used);
}

/* What the output should be; and what lies there before: each bit that is to be written is wrong,
 * and the others are as they should stay. */
static void expect(comparison *c, const random_problem *p)
{
    const void *src = bench_base(c->src.block, p->in_begin);
    void *expected = bench_base(c->expected, p->out_begin);
    void *before = bench_base(c->before, p->out_begin);
    /* Where two outputs that began as opposites agree, the oracle wrote. */
    memset(c->expected, 0x5A, c->out_bytes);
    memset(c->before, 0xA5, c->out_bytes);
    oracle_run_fill(&p->truth, &p->problem, src, expected, &c->fill);
    oracle_run_fill(&p->truth, &p->problem, src, before, &c->fill);
    for (size_t i = 0; i < c->out_bytes; i++) {
        const unsigned written = ~(unsigned)(c->expected[i] ^ c->before[i]) & 0xFF;
        c->before[i] = (unsigned char)(c->expected[i] ^ written);
    }
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static int32_t run_one(const comparison *c, const tpad_plan *plan, const void *src, void *dst,
                       int64_t part, int64_t parts)
{
    if (c->fill.strides) return tpad_run_fill_part(plan, src, dst, &c->fill, part, parts);
    return parts == 1 ? tpad_run(plan, src, dst, c->fill.values)
                      : tpad_run_part(plan, src, dst, c->fill.values, part, parts);
}

/* Each part alone: it writes only what no other part of the split does, and rightly; all together
 * write everything. */
static bool run_split(comparison *c, const random_problem *p, const tpad_plan *plan, int64_t parts)
{
    const unsigned char *dst = c->dst.block, *before = c->before, *expected = c->expected;
    unsigned char *owned = c->owned;
    const void *src = p->truth.reads ? bench_base(c->src.block, p->in_begin) : NULL;
    const size_t bytes = c->out_bytes;
    memset(owned, 0, bytes);
    for (int64_t part = 0; part < parts; part++) {
        memcpy(c->dst.block, before, bytes);
        void *base = bench_base(c->dst.block, p->out_begin);
        const int32_t status = run_one(c, plan, src, base, part, parts);
        c->runs++;
        if (status != TPAD_OK) {
            fprintf(stderr, "part %" PRId64 " of %" PRId64 ": E_%s\n", part, parts,
                    tpad_status_name(status));
            return false;
        }
        unsigned bad = 0;
        for (size_t i = 0; i < bytes; i++) {
            const unsigned changed = dst[i] ^ before[i];
            bad |= (dst[i] ^ expected[i]) & changed;
            bad |= owned[i] & (changed != 0 ? 0xFFu : 0);
            owned[i] |= (unsigned char)changed;
        }
        if (bad != 0) {
            fprintf(stderr, "part %" PRId64 " of %" PRId64 " writes what it should not\n", part,
                    parts);
            return false;
        }
    }
    unsigned missing = 0;
    for (size_t i = 0; i < bytes; i++) missing |= owned[i] ^ before[i] ^ expected[i];
    if (missing != 0) fprintf(stderr, "all %" PRId64 " parts leave something out\n", parts);
    if (!guard_intact(&c->dst)) {
        fprintf(stderr, "%" PRId64 " parts: bytes beside the output were written\n", parts);
        return false;
    }
    return missing == 0;
}

static bool make_plan(comparison *c, const random_problem *p, const char *variant, tpad_plan *plan)
{
    tpad_error error;
    choose(variant);
    const int32_t status = tpad_plan_init(plan, sizeof *plan, &p->problem, &error);
    c->plans++;
    if (status != p->truth.status) return failed("tpad_plan_init", variant, status, &p->truth);
    if (status == TPAD_OK || error.axis == p->truth.axis) return true;
    fprintf(stderr, "tpad_plan_init: axis %d, not %d\n", error.axis, p->truth.axis);
    return false;
}

/* Byte j of the element that has number `code`, from 1; 0 is the fill value. Odd factors, so that
 * in each byte of 255 elements no two are alike. */
static unsigned char told_byte(int64_t code, int64_t j)
{
    return (unsigned char)(code * (2 * j + 1) + 29 * j + 113);
}

/* Numbers, of which narrow elements show a few bits at each of several rounds. What is no element
 * gets none. */
static void tell_apart(comparison *c, const random_problem *p, int round)
{
    const int32_t bits = p->problem.elem_bits;
    unsigned char *src = c->src.block;
    int64_t n = 0;
    if (bits >= 8) {
        for (size_t i = 0; i < c->in_bytes; i++)
            if (c->used[i]) {
                src[i] = told_byte(n / (bits / 8) + 1, n % (bits / 8));
                n++;
            }
        for (int32_t j = 0; j < bits / 8; j++) c->value[j] = told_byte(0, j);
        return;
    }
    enum { SALT = 0xAA }; /* so that the fill value is not always zeros */
    for (size_t i = 0; i < c->in_bytes; i++) {
        unsigned byte = 0;
        if (!c->used[i]) continue;
        for (int32_t k = 0; k < 8; k += bits) {
            const int32_t shift = p->problem.flags & TPAD_HIGH_BITS_FIRST ? 8 - bits - k : k;
            const unsigned code = ((unsigned)(n * 8 + k) / (unsigned)bits + 1) ^ SALT;
            byte |= (code >> (round * bits) & ((1u << bits) - 1)) << shift;
        }
        src[i] = (unsigned char)byte;
        n++;
    }
    /* The rest of the byte is to be ignored. */
    c->value[0] = (unsigned char)((0xFFu << bits) | (SALT >> (round * bits) & ((1u << bits) - 1)));
}

/* The fill: one value or none, or an array whose values differ along the axes that `varying` has a
 * bit for. */
static void take_fill(comparison *c, const random_problem *p, int has_value, unsigned varying)
{
    int64_t next = oracle_unit(&p->problem);
    c->fill = (tpad_fill){sizeof c->fill, has_value ? c->value : NULL, NULL};
    if (varying == 0) return;
    for (int32_t k = p->problem.rank - 1; k >= 0; k--) {
        c->strides[k] = varying >> k & 1 ? next : 0;
        if (c->strides[k]) next *= p->truth.extents[k];
    }
    c->fill.values = c->values;
    c->fill.strides = c->strides;
}

/* How many rounds tell all elements of the input and the fill value from each other. */
static int rounds_of(const comparison *c, const random_problem *p)
{
    int64_t codes = 0;
    int rounds = 1;
    if (p->problem.elem_bits >= 8) return 1;
    for (size_t i = 0; i < c->in_bytes; i++) codes += c->used[i] * 8 / p->problem.elem_bits;
    while (codes >> (rounds * p->problem.elem_bits) > 0) rounds++;
    return rounds;
}

/* The problem with data that tell every element from every other and from the fill value: as many
 * times with other data as narrow elements need for that. `turn` varies what should not matter:
 * where the memory lies, whether the fill value is given, and whether the fill is an array. */
static bool compare_told_apart(comparison *c, const random_problem *p, uint64_t turn)
{
    tpad_plan plans[MOST_VARIANTS];
    if (!check_shape(c, p)) return false;
    for (int v = 0; v < c->variant_count; v++)
        if (!make_plan(c, p, c->variants[v], &plans[v])) return false;
    if (p->truth.status != TPAD_OK) return true;
    place(c, p, turn);
    const int rounds = rounds_of(c, p);
    for (int round = 0; round < rounds; round++) {
        if (round > 0) place(c, p, turn); /* so that it may be written again */
        tell_apart(c, p, round);
        guard_forbid_gaps(&c->src, c->used);
        take_fill(c, p, turn % 7 != 0, turn % 5 == 2 ? (unsigned)(turn / 5 % 7 + 1) : 0);
        if (turn % 7 == 1) memset(c->value, c->value[0], (size_t)oracle_unit(&p->problem));
        expect(c, p);
        for (int v = 0; v < c->variant_count; v++)
            for (int s = 0; s < c->split_count; s++)
                if (!run_split(c, p, &plans[v], c->splits[s])) {
                    fprintf(stderr, "with the %s kernels\n", c->variants[v]);
                    return false;
                }
    }
    return true;
}

/* ---- One axis -------------------------------------------------------------------------------- */

typedef struct range {
    int64_t most_extent, least_amount, most_amount, most_interior;
} range;

static const range full = {8, -10, 20, 3}, part = {4, -5, 6, 2};

/* The axis alone; as rows; around cells; in the middle; and packed, as so many rows that some of
 * them together are whole bytes, and others are left. Then inputs with gaps: rows on pages of their
 * own, the same backwards, rows of every third element that lie over each other, and two rows of
 * one element each, so far apart as they would be long. */
enum { LAYOUTS = 9, PACKED_ROWS = 4, PAGES, PAGES_BACKWARDS, WINDOWS, FAR_APART };

/* Layouts from PAGES on: the strides of the input, in elements, and the number of rows. */
static void space_out(tpad_axis *row, tpad_axis *axis, int layout, int32_t elem_bits)
{
    enum { TWO_PAGES = 2 * 4096 * 8 };
    row->in_extent = 2;
    row->in_stride = TWO_PAGES * (elem_bits % 3 == 0 ? 3 : 1) / elem_bits;
    axis->in_stride = layout == PAGES_BACKWARDS ? -1 : 1;
    if (layout == WINDOWS) {
        row->in_extent = 7;
        row->in_stride = axis->in_stride = 3;
    } else if (layout == FAR_APART) {
        row->in_stride = 2 * axis->in_extent - 1;
        axis->in_stride = 0;
    }
}

static int32_t lay_out(tpad_axis *axes, int layout, tpad_axis axis, int32_t elem_bits)
{
    static const tpad_axis rows = {.in_extent = 7}, cells = {.in_extent = 3},
                           many_rows = {.in_extent = 17},
                           planes = {.in_extent = 4, .before = 1, .mode = TPAD_EDGE},
                           pairs = {.in_extent = 2, .after = 1, .mode = TPAD_REFLECT};
    int32_t rank = 0;
    if (layout >= PAGES) {
        space_out(&axes[0], &axis, layout, elem_bits);
        axes[1] = axis;
        for (int32_t k = 0; k < 2; k++) axes[k].in_stride *= elem_bits < 8 ? 1 : elem_bits / 8;
        return 2;
    }
    if (layout == 1) axes[rank++] = rows;
    if (layout == 3) axes[rank++] = planes;
    if (layout == PACKED_ROWS) axes[rank++] = many_rows;
    axes[rank++] = axis;
    if (layout == 2) axes[rank++] = cells;
    if (layout == 3) axes[rank++] = pairs;
    return rank;
}

/* All widths and bit orders of one problem. */
static bool each_width(comparison *c, int layout, tpad_axis axis, uint64_t *turn)
{
    static const struct {
        int32_t bits, flags;
    } widths[] = {{1, 0},  {1, TPAD_HIGH_BITS_FIRST},
                  {2, 0},  {2, TPAD_HIGH_BITS_FIRST},
                  {4, 0},  {4, TPAD_HIGH_BITS_FIRST},
                  {8, 0},  {16, 0},
                  {24, 0}, {32, 0},
                  {64, 0}, {128, 0}};
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        tpad_axis axes[3] = {{0}};
        const int32_t rank = lay_out(axes, layout, axis, widths[k].bits);
        tpad_problem problem = TPAD_PROBLEM(widths[k].bits, rank, axes);
        random_problem p;
        if (layout == PACKED_ROWS && problem.elem_bits >= 8) continue;
        if (layout >= PAGES) problem.flags |= TPAD_IN_STRIDES;
        problem.flags |= widths[k].flags;
        random_problem_from(&p, &problem);
        const bool good = compare_told_apart(c, &p, ++*turn);
        if (!good) random_report(&problem);
        random_problem_close(&p);
        if (!good) return false;
    }
    return true;
}

static int64_t axis_units(const range *of)
{
    const int64_t amounts = of->most_amount - of->least_amount + 1;
    return LAYOUTS * (of->most_extent + 1) * amounts * amounts;
}

/* Unit number `unit`: a layout, an extent and two amounts. */
static bool axis_unit(comparison *c, const range *of, int64_t unit)
{
    const int64_t amounts = of->most_amount - of->least_amount + 1;
    uint64_t turn = (uint64_t)unit * 7919;
    tpad_axis axis = {.before = of->least_amount + unit % amounts,
                      .after = of->least_amount + unit / amounts % amounts,
                      .in_extent = unit / amounts / amounts % (of->most_extent + 1)};
    const int layout = (int)(unit / amounts / amounts / (of->most_extent + 1));
    for (axis.interior = 0; axis.interior <= of->most_interior; axis.interior++)
        for (axis.mode = 0; axis.mode < TPAD_MODE_COUNT; axis.mode++)
            for (axis.order = TPAD_WINDOW; axis.order <= TPAD_CROP; axis.order++)
                if (!each_width(c, layout, axis, &turn)) return false;
    return true;
}

/* ---- The command line ------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    const bool fixed = argc > 1 && strcmp(argv[1], "fixed") == 0;
    const range *of = fixed ? &part : &full;
    const int64_t all = axis_units(of);
    random_run run = {.program = fixed ? "exhaustive fixed" : "exhaustive axis",
                      .cases = (uint64_t)all};
    comparison c;
    if (argc < 2 || (!fixed && strcmp(argv[1], "axis") != 0)) {
        fprintf(stderr, "usage: exhaustive axis|fixed [--first UNIT] [--cases N]\n");
        return 2;
    }
    if (!random_begin(&run, argc - 1, argv + 1)) return 2;
    comparison_open(&c);
    if (fixed && c.variant_count > 4) {
        /* The plain one, one that reads whole windows, the fastest, and any. */
        c.variants[2] = c.variants[c.variant_count - 2];
        c.variants[3] = c.variants[c.variant_count - 1];
        c.variant_count = 4;
    }
    for (uint64_t unit = run.first; unit < run.first + run.cases && unit < (uint64_t)all; unit++) {
        random_case(&run, unit);
        if (!axis_unit(&c, of, (int64_t)unit)) return 1;
    }
    comparison_close(&c);
    printf("%" PRId64 " problems, %" PRId64 " plans, %" PRId64 " runs\n", c.problems, c.plans,
           c.runs);
    return 0;
}
