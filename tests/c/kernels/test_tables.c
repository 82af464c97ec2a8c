/* The choices after the tables of short rows: tile, group and pieces against a plain count.
 * SPDX-License-Identifier: MIT
 *
 * Wrong choices give the right bytes, slower: no other test of results can see them. So these look
 * into plans. What is expected comes from the oracle's map of the output and the rules of
 * the head of src/core/byte_table.c, written once more without the engine's shortcuts. Rows of at
 * most three vectors, for every form of every variant, whether this machine has it or not. */
#include "../../../src/core/plan.h"
#include "../../../src/core/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../support/random_problem.h"

#if TPAD_TABLE_BYTES > 0 && defined(TPAD_SIMD_X86)

enum {
    CASES = 4000,
    MOST_VECTORS = 4,
    MOST_PACKED_BYTES = 384,
    SHORT = 3,
    MOST_MAP = 1 << 13,
    NOTHING = -1,
    WHOLE = 256,
    MOST_TILE = 400,
    MOST_BORDER_VECTORS = 32
};

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The beginning of the output byte by byte: which input byte it shows, or NOTHING. */
typedef struct map {
    int64_t from[MOST_MAP];
    int64_t total; /* bytes of the output */
} map;

/* Rows, or planes of rows, that are padded; the outermost axis is plain. */
static void draw(rng *r, tpad_axis *axes, tpad_problem *problem)
{
    static const int32_t bytes[] = {1, 1, 2, 3, 4, 8};
    const int32_t rank = (int32_t)rng_range(r, 2, 3);
    memset(axes, 0, 3 * sizeof *axes);
    axes[0].in_extent = rng_range(r, 2, 90);
    for (int32_t k = 1; k < rank; k++) {
        axes[k].in_extent = rng_range(r, 2, 14);
        axes[k].mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1);
        axes[k].before = rng_range(r, 1, 4);
        axes[k].after = rng_range(r, 0, 4);
        if (rank == 2 && rng_percent(r, 25)) {
            axes[k].in_extent += 20;
            axes[k].before = -axes[k].before;
            axes[k].after += 1;
            axes[k].order = TPAD_CROP;
        }
        axes[k].interior = rng_percent(r, 15);
    }
    *problem = (tpad_problem)TPAD_PROBLEM(8 * bytes[rng_range(r, 0, 5)], rank, axes);
}

static void fill_map(map *m, const random_problem *p)
{
    const int32_t rank = p->problem.rank;
    const int64_t elem = p->problem.elem_bits / 8;
    m->total = p->truth.cells * elem;
    for (int64_t b = 0; b < m->total && b < MOST_MAP; b++) {
        int64_t cell = b / elem, stride = elem, from = b % elem;
        for (int32_t k = rank - 1; k >= 0; k--) {
            const int64_t j = p->truth.source[k][cell % p->truth.extents[k]];
            cell /= p->truth.extents[k];
            if (j == ORACLE_FILL) from = INT64_MIN / 2;
            from += j * stride;
            stride *= p->axes[k].in_extent;
        }
        m->from[b] = from < 0 ? NOTHING : from;
    }
}

/* What a tile needs. */
typedef struct need {
    int64_t pieces, terms;
} need;

typedef struct table {
    int64_t tile, group;
    need single, groups;
} table;

typedef struct rules {
    int64_t vector, lanes, window, grain, room;
    bool masked, dense; /* dense: there are no gaps in the input that is needed */
} rules;

/* The first input byte that bytes [at, at + count) still need, or NOTHING. */
static int64_t lowest(const int64_t *from, int64_t count)
{
    int64_t low = NOTHING;
    for (int64_t i = 0; i < count; i++)
        if (from[i] != NOTHING && (low == NOTHING || from[i] < low)) low = from[i];
    return low;
}

/* Windows that a lane needs, each from the lowest byte that is still missing on; where whole
 * windows are read they end before `high`. */
static int64_t windows(const rules *v, const map *m, int64_t at, int64_t count, int64_t high)
{
    int64_t from[64], made = 0, low;
    if (count > 0) memcpy(from, m->from + at, (size_t)count * sizeof *from);
    for (; (low = lowest(from, count)) != NOTHING; made++) {
        if (!v->masked && low > high - v->window) low = high - v->window;
        for (int64_t i = 0; i < count; i++) {
            const int64_t grain_end = from[i] - i % v->grain + v->grain;
            if (from[i] != NOTHING && grain_end <= low + v->window) from[i] = NOTHING;
        }
    }
    return made;
}

/* What `tiles` tiles need, or nothing where they can have no table, or none that has `room`. once:
 * there are no other tiles. */
static need need_of(const rules *v, const map *m, int64_t tile, int64_t tiles, bool once, need used)
{
    const need none = {0, 0};
    const int64_t bytes = tile * tiles, lane = v->vector / v->lanes;
    int64_t low = INT64_MAX, high = 0, shown = 0;
    need all = {0, 0};
    static bool seen[MOST_MAP];
    memset(seen, 0, sizeof seen);
    for (int64_t b = 0; b < bytes; b++) {
        const int64_t from = m->from[b];
        if (from == NOTHING) continue;
        if (from < low) low = from;
        if (from >= high) high = from + 1;
        shown += !seen[from];
        seen[from] = true;
    }
    /* Windows that are read whole must hold nothing but input. They may go beyond what the tiles
     * take only if all of the input is without gaps. */
    if (!v->masked && bytes < v->vector) return none;
    if (!v->masked && !v->dense && (high - low < v->window || shown != high - low)) return none;
    if (!v->masked && high < low + v->window) high = low + v->window;
    for (int64_t at = 0; at < bytes; at += v->vector) {
        int64_t from = at, count = bytes - at < v->vector ? bytes - at : v->vector, most = 1;
        if (count < v->vector && bytes >= v->vector && !(v->masked && once)) {
            from = bytes - v->vector;
            count = v->vector;
        }
        for (int64_t k = 0; k < v->lanes; k++) {
            const int64_t n =
                windows(v, m, from + k * lane, least_of(lane, count - k * lane), high);
            if (n > most) most = n;
        }
        all.pieces++;
        all.terms += most;
    }
    if (all.pieces > TPAD_MOST_PIECES || all.terms > TPAD_MOST_TERMS) return none;
    return all.pieces + used.pieces <= v->room && all.terms + used.terms <= v->room ? all : none;
}

static int64_t vectors_of(const rules *v, int64_t bytes)
{
    return (bytes + v->vector - 1) / v->vector;
}

/* The fewest tiles, `fewest` or more, that waste less than a tenth of their vectors, or those that
 * waste least. 1: none. */
static int64_t group_of(const rules *v, int64_t tile, int64_t fewest, int64_t most, int64_t room)
{
    int64_t best = 1;
    double least = 2;
    for (int64_t n = fewest; n <= most && vectors_of(v, n * tile) <= room; n++) {
        const double used = (double)(n * tile) / (double)(vectors_of(v, n * tile) * v->vector);
        if (1 - used <= 0.1 + 1e-9) return n;
        if (1 - used < least - 1e-9) {
            least = 1 - used;
            best = n;
        }
    }
    return best;
}

/* 1 if the rows of a plane that have a source are not simply the input's in order. */
static bool repeats_rows(const random_problem *p)
{
    int64_t before = ORACLE_FILL;
    for (int64_t i = 0; i < p->truth.extents[1]; i++) {
        const int64_t j = p->truth.source[1][i];
        if (j == ORACLE_FILL) continue;
        if (before != ORACLE_FILL && j != before + 1) return true;
        before = j;
    }
    return false;
}

/* False where this count does not know: rows of planes that have no table as planes. */
static bool expect(const rules *v, const map *m, const random_problem *p, table *t)
{
    const int32_t last = p->problem.rank - 1;
    const int64_t *extents = p->truth.extents, tiles = extents[0];
    const int64_t row = extents[last] * (p->problem.elem_bits / 8);
    int64_t most = m->total <= WHOLE ? m->total : m->total / 4;
    most =
        least_of(most, last == 2 && repeats_rows(p) ? MOST_BORDER_VECTORS * v->vector : MOST_TILE);
    *t = (table){.tile = row, .group = 1};
    if (last == 2 && extents[1] * row > most) return false;
    if (last == 2) t->tile *= extents[1];
    const bool once = t->tile * tiles <= most;
    if (once) t->tile *= tiles;
    if (row > SHORT * v->vector || t->tile > MOST_MAP / 2) return false;
    t->single = need_of(v, m, t->tile, 1, once, (need){0, 0});
    if (t->single.pieces == 0 && t->tile > row) return false;
    const int64_t fewest = v->masked ? 1 : vectors_of(v, 1) * (v->vector - 1) / t->tile + 1;
    if (!once) t->group = group_of(v, t->tile, fewest, tiles, MOST_VECTORS);
    if (t->group > 1) t->groups = need_of(v, m, t->tile, t->group, false, t->single);
    return true;
}

/* 1 if no element lies between those that the rows need but they do not. */
static bool needs_all(const random_problem *p)
{
    for (int32_t k = 1; k < p->problem.rank; k++) {
        int64_t low = INT64_MAX, high = -1;
        for (int64_t i = 0; i < p->truth.extents[k]; i++) {
            const int64_t j = p->truth.source[k][i];
            if (j == ORACLE_FILL) continue;
            if (j < low) low = j;
            if (j > high) high = j;
        }
        if (low > 0 || high < p->axes[k].in_extent - 1) return false;
    }
    return true;
}

/* 1 as expected, 0 if not, -1: not known. */
static int check(plan *p, const random_problem *problem, int variant)
{
    static map m;
    const tpad_kernels *kernels = tpad_kernels_at(variant);
    const int64_t elem = problem->problem.elem_bits / 8, grain = elem & -elem;
    const tpad_form *form = kernels->forms;
    while (grain % form->unit != 0) form++;
    const rules v = {.vector = form->vector_bytes,
                     .lanes = form->lanes,
                     .window = form->window_bytes,
                     .grain = grain,
                     .room = tpad_plan_capacity(form),
                     .masked = form->masked != 0,
                     .dense = needs_all(problem)};
    table t;
    fill_map(&m, problem);
    if (!expect(&v, &m, problem, &t)) return -1;
    p->kernels = variant;
    tpad_plan_tabulate(p);
    const int made = t.single.pieces > 0 || t.groups.pieces > 0;
    if (!made && p->how != PLAN_TABLE) return 1;
    if (p->how == PLAN_TABLE && made && p->form == form - kernels->forms &&
        p->tile.size == t.tile && p->single.pieces == t.single.pieces &&
        p->group.pieces == t.groups.pieces &&
        (p->group.pieces == 0 ||
         (p->group.tiles == t.group && p->group.first_term == t.single.terms)))
        return 1;
    printf("%s: tiles of %" PRId64 " bytes in %d pieces, groups of %d in %d, not %" PRId64
           ", %" PRId64 ", %" PRId64 ", %" PRId64 "\n",
           kernels->name, p->how == PLAN_TABLE ? p->tile.size : 0, p->single.pieces, p->group.tiles,
           p->group.pieces, t.tile, t.single.pieces, t.group, t.groups.pieces);
    random_problem_print(stdout, &problem->problem);
    return 0;
}

/* The fewest passes that vectors of packed output can be made in: for each window as many as some
 * byte has stretches in it, bits that are neighbours in the input as well. */
static int64_t fewest_passes(const random_problem *p, int64_t bits, int64_t group_bits)
{
    static int64_t from[MOST_MAP];
    const int64_t vector = least_of(group_bits, 8 * TPAD_VECTOR_BYTES), row = p->truth.extents[1];
    int64_t passes = 0;
    for (int64_t i = 0; i < group_bits; i++) {
        const int64_t j = p->truth.source[1][i / bits % row];
        from[i] = j == ORACLE_FILL ? NOTHING
                                   : (i / bits / row * p->axes[1].in_extent + j) * bits + i % bits;
    }
    for (int64_t next = 0; next < group_bits; next += vector) {
        int64_t *at = from + least_of(next, group_bits - vector), copy[8 * TPAD_VECTOR_BYTES], low;
        memcpy(copy, at, (size_t)vector * sizeof *copy);
        while ((low = lowest(copy, vector)) != NOTHING) {
            int64_t most = 0;
            const int64_t end = low / 8 * 8 + 8 * TPAD_VECTOR_BYTES;
            for (int64_t byte = 0; byte < vector; byte += 8) {
                int64_t stretches = 0, before = NOTHING;
                for (int64_t i = byte; i < byte + 8; i++) {
                    const int64_t bit = copy[i] < end ? copy[i] : NOTHING;
                    stretches += bit != NOTHING && (before == NOTHING || bit != before + 1);
                    before = bit;
                    if (bit != NOTHING) copy[i] = NOTHING;
                }
                if (stretches > most) most = stretches;
            }
            passes += most;
        }
    }
    return passes;
}

static int packed_cases, packed_best; /* how often it is as few passes as that */

/* Many rows of a few packed elements: groups of whole bytes on both sides. 1 if as expected. */
static int check_packed(rng *r, int variant)
{
    static tpad_plan memory;
    const int wide = rng_percent(r, 5); /* some of these fit into no group */
    const int32_t bits = wide ? 1 : 1 << rng_range(r, 0, 2);
    const tpad_axis axes[2] = {{.in_extent = rng_range(r, 100, 300)},
                               {.in_extent = wide ? rng_range(r, 370, 440) : rng_range(r, 2, 20),
                                .before = rng_range(r, 1, 5),
                                .after = rng_range(r, 0, 5),
                                .mode = (int32_t)rng_range(r, TPAD_CONSTANT, TPAD_EDGE)}};
    const tpad_problem problem = TPAD_PROBLEM(bits, 2, axes);
    const tpad_bit_form *form = tpad_kernels_at(variant)->bits;
    const int pairs = form->pass_vectors == TPAD_PASS_VECTORS_PAIRS;
    const rules v = {.vector = 8 * form->vector_bytes};
    const int64_t room = least_of(MOST_PACKED_BYTES / form->vector_bytes, TPAD_BIT_WINDOWS);
    const int64_t in = axes[1].in_extent * bits;
    const int64_t out = in + (axes[1].before + axes[1].after) * bits;
    plan *p = (plan *)(void *)&memory;
    int64_t fewest = 1;
    while (fewest * in % 8 != 0 || fewest * out % 8 != 0) fewest *= 2;
    if (tpad_plan_init(&memory, sizeof memory, &problem, NULL) != TPAD_OK) return 0;
    p->kernels = variant;
    tpad_plan_tabulate(p);
    if (fewest * out > room * v.vector && p->how != PLAN_TABLE) return 1;
    /* By pairs, whole vectors are written. */
    const int64_t first = pairs ? (v.vector - 1) / (fewest * out) + 1 : 1;
    const int64_t group =
        fewest * group_of(&v, fewest * out, first, axes[0].in_extent / fewest, room);
    random_problem solved;
    random_problem_from(&solved, &problem);
    const int64_t least = fewest_passes(&solved, bits, group * out);
    random_problem_close(&solved);
    int64_t passes = 0;
    for (int32_t k = 0; k < p->group.pieces; k++) passes += tpad_plan_windows(p)[k].passes;
    /* By pairs, a pass may take several stretches. */
    packed_cases += !pairs;
    packed_best += !pairs && passes == least;
    if (!pairs && passes < least) return printf("packed: %d passes are too few\n", (int)passes) < 0;
    if (p->how == PLAN_TABLE && p->tile.loops == 1 && p->tile.size == out &&
        p->group.tiles == group)
        return 1;
    printf("packed: tiles of %d loops and %" PRId64 " bits, groups of %d, not 1, %" PRId64
           ", %" PRId64 "\n",
           p->tile.loops, p->tile.size, p->group.tiles, out, group);
    random_problem_print(stdout, &problem);
    return 0;
}

/* Without its table a plan writes something else: so it is used. */
static int check_used(rng *r, int variant, int32_t bits)
{
    enum { ROWS = 2000, COLUMNS = 9 };
    static tpad_plan memory;
    static unsigned char src[ROWS * COLUMNS], dst[2][ROWS * (COLUMNS + 1)];
    const tpad_axis axes[2] = {{.in_extent = ROWS}, {.in_extent = COLUMNS, .after = 1}};
    const tpad_problem problem = TPAD_PROBLEM(bits, 2, axes);
    plan *p = (plan *)(void *)&memory;
    for (size_t i = 0; i < sizeof src; i++) src[i] = (unsigned char)(i * 7 + 1);
    memset(dst, 0, sizeof dst);
    if (tpad_plan_init(&memory, sizeof memory, &problem, NULL) != TPAD_OK) return 0;
    p->kernels = variant;
    tpad_plan_tabulate(p);
    /* The whole, or a part in the middle. */
    const int64_t parts = rng_percent(r, 50) ? 1 : 3;
    if (tpad_run_part(&memory, src, dst[0], NULL, parts / 2, parts) != TPAD_OK) return 0;
    /* Indices that take other bytes; passes that take nothing. */
    const size_t kept = bits < 8 ? TPAD_BIT_WINDOWS * sizeof(tpad_bit_window)
                                 : (size_t)((const unsigned char *)tpad_plan_index(
                                                p, &tpad_kernels_at(variant)->forms[p->form]) -
                                            (const unsigned char *)tpad_plan_pieces(p));
    tabled_plan *whole = (tabled_plan *)(void *)&memory;
    memset((unsigned char *)&whole->table + kept, 0, sizeof whole->table - kept);
    if (tpad_run_part(&memory, src, dst[1], NULL, parts / 2, parts) != TPAD_OK) return 0;
    if (memcmp(dst[0], dst[1], sizeof dst[0]) != 0) return 1;
    printf("%s: the table for %d bits is not used\n", tpad_kernels_at(variant)->name, bits);
    return 0;
}

/* Which outputs go around the caches: those of as many bytes as the form says, unless the caller
 * reads them soon; or of 4 MiB if it reads them late. Both flags together say nothing. */
static int check_streamed(int variant)
{
    static tpad_plan memory;
    const tpad_kernels *kernels = tpad_kernels_at(variant);
    const int64_t own = kernels->forms[kernels->form_count - 1].stream_bytes, late = 4 << 20;
    const int32_t flags[] = {0, TPAD_OUT_READ_SOON, TPAD_OUT_READ_LATE,
                             TPAD_OUT_READ_SOON | TPAD_OUT_READ_LATE};
    plan *p = (plan *)(void *)&memory;
    if (own > 0 && !kernels->fence)
        return printf("%s: streams without a fence\n", kernels->name) < 0;
    for (int i = 0; i < 4; i++)
        for (int64_t from = late; from <= own; from += own - late)
            for (int64_t more = -1; more < 1; more++) {
                const tpad_axis line = {.in_extent = from - 1 + more, .after = 1};
                tpad_problem problem = TPAD_PROBLEM(8, 1, &line);
                problem.flags = flags[i];
                const int64_t least = i == 1 ? INT64_MAX : i == 2 ? late : own;
                if (tpad_plan_init(&memory, sizeof memory, &problem, NULL) != TPAD_OK) return 0;
                p->kernels = variant;
                tpad_plan_tabulate(p);
                if ((p->how == PLAN_TABLE && p->streamed) == (own > 0 && from + more >= least))
                    continue;
                printf("%s: %" PRId64 " bytes with flag %d: streamed or not?\n", kernels->name,
                       from + more, flags[i]);
                return 0;
            }
    return 1;
}

/* Rows of single bytes by hand, for vectors of V bytes that are written whole. 5 V - 1 and 5 of
 * fill: a copy that ends where the last vector begins, and that. 3 of fill and 5 V: one vector with
 * the fill, a copy up to the row's end. */
static int check_long(int variant)
{
    static tpad_plan memory;
    plan *p = (plan *)(void *)&memory;
    const tpad_kernels *kernels = tpad_kernels_at(variant);
    const int32_t vector = kernels->forms[kernels->form_count - 1].vector_bytes;
    for (int front = 0; front < 2; front++) {
        const tpad_axis axes[2] = {
            {.in_extent = 100},
            {.in_extent = 5 * vector + front - 1, .before = front ? 3 : 0, .after = front ? 0 : 5}};
        const tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
        if (tpad_plan_init(&memory, sizeof memory, &problem, NULL) != TPAD_OK) return 0;
        p->kernels = variant;
        tpad_plan_tabulate(p);
        const tpad_piece *copy = &tpad_plan_pieces(p)[front];
        if (p->how == PLAN_TABLE && p->tile.loops == 1 && p->group.pieces == 0 &&
            p->single.pieces == 2 && p->single.scheme == TPAD_ROWS && copy->count == 0 &&
            copy->bytes == 4 * vector + (front ? 3 : 4))
            continue;
        printf("%s: long rows have %d pieces\n", kernels->name, p->single.pieces);
        return 0;
    }
    return 1;
}

/* Makes the plan of so many rows; if their elements have a stride, the input is by columns. 1 if
 * pieces of its table take turns. */
static int takes_turns(tpad_plan *memory, int variant, tpad_problem problem, const tpad_axis *row,
                       int64_t rows)
{
    plan *p = (plan *)(void *)memory;
    const tpad_axis all_rows = {.in_extent = rows, .in_stride = row->in_stride != 0};
    const tpad_axis axes[2] = {all_rows, *row};
    problem.axes = axes;
    if (row->in_stride != 0) problem.flags |= TPAD_IN_STRIDES;
    if (tpad_plan_init(memory, sizeof *memory, &problem, NULL) != TPAD_OK) return 0;
    p->kernels = variant;
    tpad_plan_tabulate(p);
    for (int32_t k = 0; p->how == PLAN_TABLE && k < p->single.pieces; k++) {
        const tpad_piece *piece = &tpad_plan_pieces(p)[k];
        if (piece->count > 1 && piece->dst_step > piece->bytes) return 1;
    }
    return 0;
}

/* 1 if the table of such rows has that scheme, and so many pieces, or, if that is 0,
 * pieces that take turns. */
static int check_interior(int variant, const tpad_axis *row, int32_t bits, int32_t scheme,
                          int32_t pieces)
{
    static tpad_plan memory;
    const plan *p = (plan *)(void *)&memory;
    const tpad_problem problem = TPAD_PROBLEM(bits, 2, NULL);
    const int turns = takes_turns(&memory, variant, problem, row, 100);
    if (p->how == PLAN_TABLE && p->tile.loops == 1 && p->single.pieces > 0 &&
        p->single.scheme == scheme && (pieces == 0 ? turns : !turns && p->single.pieces == pieces))
        return 1;
    printf("%s: rows with interior %" PRId64 " and stride %" PRId64
           " have %d pieces of scheme %d\n",
           tpad_kernels_at(variant)->name, row->interior, row->in_stride, p->single.pieces,
           p->single.scheme);
    return 0;
}

/* Rows with spaced cells by hand. Single bytes with one cell between them: vectors that are alike
 * between two others; in four vectors: these; with many cells on one side, in rows of more than 400
 * bytes: in order; in shorter ones, or after as many cells the three elements of a row of columns,
 * which need a term each: vectors, eight rows at a time. The windows of vectors that are alike hold
 * all of a row of 13 elements, so that there is one of each: as few vectors as hold the row. A
 * pattern of 108 bytes, longer than a vector: pieces take turns, but not around the caches, nor
 * over long rows. More copies than there is room for: no table. */
static int check_alike(int variant)
{
    const tpad_kernels *kernels = tpad_kernels_at(variant);
    const int32_t vector = kernels->forms[kernels->form_count - 1].vector_bytes;
    const tpad_axis alike = {.in_extent = 4 * vector, .before = 3, .after = 5, .interior = 1};
    const tpad_axis fewer = {.in_extent = 2 * vector - 4, .before = 3, .after = 3, .interior = 1};
    const tpad_axis wide = {.in_extent = 4 * vector, .before = 3 * vector, .interior = 1};
    const tpad_axis alone = {.in_extent = 13, .interior = 10};
    const int32_t few = (13 + 12 * 10 + vector - 1) / vector;
    const tpad_axis long_unit = {.in_extent = 64, .before = 1, .interior = 8};
    const tpad_axis long_row = {.in_extent = 160, .before = 1, .interior = 8};
    const tpad_axis far = {.in_extent = 3, .before = 6 * vector, .in_stride = 100};
    const tpad_axis copies = {.in_extent = 2 * vector, .before = 400 * vector, .mode = TPAD_WRAP};
    static tpad_plan memory;
    tpad_problem late = TPAD_PROBLEM(96, 2, NULL);
    late.flags = TPAD_OUT_READ_LATE;
    plan *late_plan = (plan *)(void *)&memory;
    if (takes_turns(&memory, variant, late, &long_unit, 1000) && late_plan->streamed) {
        printf("%s: streamed pieces take turns\n", kernels->name);
        return 0;
    }
    if (takes_turns(&memory, variant, late, &long_row, 100)) {
        printf("%s: pieces take turns over more than 16 KiB\n", kernels->name);
        return 0;
    }
    const tpad_problem bytes = TPAD_PROBLEM(8, 2, NULL);
    const plan *p = (plan *)(void *)&memory;
    if (takes_turns(&memory, variant, bytes, &copies, 100) || p->how == PLAN_TABLE) {
        printf("%s: rows of 201 copies have a table\n", kernels->name);
        return 0;
    }
    return check_interior(variant, &alike, 8, TPAD_ALIKE, 3) &&
           check_interior(variant, &fewer, 8, TPAD_HELD, 4) &&
           (vector == 64 ? check_interior(variant, &wide, 8, TPAD_IN_ORDER, 3)
                         : check_interior(variant, &wide, 8, TPAD_EIGHT, 11)) &&
           check_interior(variant, &alone, 8, few > TPAD_MOST_HELD ? TPAD_EIGHT : TPAD_HELD, few) &&
           check_interior(variant, &far, 8, TPAD_EIGHT, 7) &&
           check_interior(variant, &long_unit, 96, TPAD_IN_ORDER, 0);
}

/* A small output is a list of at most 256 copies: rows of 3 cells that are wrapped to 30 are ten.
 */
static int check_lists(void)
{
    static tpad_plan memory;
    for (int64_t rows = 24; rows < 28; rows++) {
        const tpad_axis axes[] = {{.in_extent = rows},
                                  {.in_extent = 3, .before = 27, .mode = TPAD_WRAP}};
        const tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
        if (tpad_plan_init(&memory, sizeof memory, &problem, NULL) != TPAD_OK) return 0;
        const plan *p = (plan *)(void *)&memory;
        const int is_list = p->how == PLAN_LIST;
        if (is_list == (rows * 10 <= 256)) continue;
        printf("%d rows of ten copies: %s\n", (int)rows, is_list ? "a list" : "no list");
        return 0;
    }
    return 1;
}

int main(void)
{
    static tpad_plan plan_memory;
    int known = 0;
    if (!check_lists()) return 1;
    for (uint64_t k = 0; k < CASES; k++) {
        rng r = rng_seeded(3, k);
        tpad_axis axes[3];
        tpad_problem problem;
        random_problem p;
        draw(&r, axes, &problem);
        random_problem_from(&p, &problem);
        if (tpad_plan_init(&plan_memory, sizeof plan_memory, &problem, NULL) != TPAD_OK) return 1;
        for (int variant = 1; tpad_kernels_at(variant); variant++) {
            const int good = check((plan *)(void *)&plan_memory, &p, variant);
            if (good == 0) return 1;
            known += good > 0;
            if (tpad_kernels_at(variant)->bits && !check_packed(&r, variant)) return 1;
        }
        random_problem_close(&p);
    }
    rng r = rng_seeded(4, 0);
    for (int variant = 1; tpad_kernels_at(variant); variant++) {
        const tpad_kernels *kernels = tpad_kernels_at(variant);
        if (!kernels->usable()) printf("%s: not run, this machine cannot\n", kernels->name);
        for (int n = 0; kernels->usable() && n < 10; n++)
            if (!check_used(&r, variant, 8) || (kernels->bits && !check_used(&r, variant, 1)))
                return 1;
        if (!check_streamed(variant) || !check_long(variant) || !check_alike(variant)) return 1;
    }
    printf("%d tables as they should be\n", known);
    /* A lane of eight bytes has room for eight of the input, which now and then costs a pass. */
    printf("%d of %d packed tables with the fewest passes\n", packed_best, packed_cases);
    if (packed_best < packed_cases - packed_cases / 25) return 1;
    return known > CASES ? 0 : 1;
}

#else

int main(void)
{
    printf("this build has no tables\n");
    return 0;
}
#endif
