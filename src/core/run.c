/* Runs a plan: the whole, a share of it, or on the caller's threads. SPDX-License-Identifier: MIT
 *
 * Splits the output into shares, and a share into whole tiles and the rest; prepares the fill
 * value. */
#include "run.h"

#include "checked.h"
#include "error.h"
#include "plan.h"
#include "table.h"
#include "tiles.h"
#include "walk.h"
#include "word_program.h"

/* Shares begin at a new cache line of the output, so that two threads do not write to the same
 * line. */
enum { LINE_BYTES = 64 };

#ifdef __FRAMAC__
#include "proof/share_lemmas.h"
#endif

/* The fill value for the kernels: as one byte if that is enough, and repeated to fill vectors. */
typedef struct filling {
    unsigned char byte;
    unsigned char pattern[PLAN_HAS_TABLE ? 3 * TPAD_VECTOR_BYTES : 1];
} filling;

/* Fills neighbouring bytes with the value, repeated a whole number of times. */
static void fill_bytes(const walk *w, unsigned char *dst, int64_t bytes)
{
    if (w->value_size == 1) {
        tpad_memset(dst, w->value[0], (size_t)bytes);
        return;
    }
    const tpad_block whole = {.dst = dst,
                              .planes = 1,
                              .rows = 1,
                              .cells = 1,
                              .cell = bytes,
                              .value_size = w->value_size,
                              .value = w->value};
    tpad_fill_plain(&whole);
}

static void prepare_value(walk *w, filling *f, const unsigned char *value)
{
    const int32_t bits = w->plan->elem_bits, bytes = bits / 8;
    f->byte = value ? value[0] : 0;
    w->value = &f->byte;
    w->value_size = 1;
    if (value && bits < 8) {
        /* Repeats the element in the whole byte: multiplies by 0b...01. */
        const int mask = (1 << bits) - 1;
        f->byte = (unsigned char)((value[0] & mask) * (0xFF / mask));
    }
    for (int32_t i = 1; value && i < bytes; i++) {
        if (value[i] == value[0]) continue;
        w->value = value;
        w->value_size = bytes;
        break;
    }
}

/* Writes the whole output by the plan's list. */
static void run_list(const walk *w)
{
    const plan *p = w->plan;
    unsigned char *dst = w->dst + p->loop_out_offset;
    if (p->list_fills) fill_bytes(w, dst, p->cells * p->cell);
    tpad_copy_cells(dst, (uintptr_t)w->src + (uintptr_t)p->loop_in_offset, p->rows, p->row_count,
                    p->stretches, p->stretch_count);
}

/* Clears the bits after the last cell in a packed output's last byte. */
static void clear_tail(const plan *p, unsigned char *dst)
{
    const int used = (int)(p->tail & 7);
    if (p->tail < 0 || used == 0) return;
    const int mask = p->flags & PLAN_HIGH_BITS_FIRST ? 0xFF << (8 - used) : (1 << used) - 1;
    dst[p->tail >> 3] = (unsigned char)(dst[p->tail >> 3] & mask);
}

/* The first cache line of a share. */
static int64_t first_line(int64_t lines, int64_t part, int64_t parts)
{
    return lines / parts * part + tpad_min(part, lines % parts);
}

/* The first cell of a share. Shares have equal numbers of whole cache lines. */
static int64_t share_begin(const plan *p, int64_t part, int64_t parts)
{
    const int64_t cells = LINE_BYTES * 8 / p->cell_unit / p->cell;
    const int64_t line = cells > 1 ? cells : 1;
    const int64_t lines = p->cells / line + (p->cells % line != 0);
    const int64_t begin = first_line(lines, part, parts);
    return begin < lines ? begin * line : p->cells;
}

/* Writes cells [begin, end): whole tiles by words (`steps`, unless it is NULL) or table, the
 * remainder by blocks. */
static void walk_tiled(const walk *w, const tile_shape *t, const words *steps, int64_t begin,
                       int64_t end)
{
    const int64_t first = begin == 0 ? 0 : begin / t->cells + (begin % t->cells != 0);
    const int64_t last = end == w->plan->cells ? t->count : end / t->cells;
    if (first < last) {
        if (begin < first * t->cells) tpad_walk_blocks(w, begin, first * t->cells);
        if (steps)
            tpad_walk_words(w, steps, first, last);
        else
            tpad_walk_tiles(w, first, last);
        begin = last * t->cells;
    }
    if (begin < end) tpad_walk_blocks(w, begin, end);
}

static void walk_by_table(walk *w, filling *f, int64_t begin, int64_t end)
{
    const plan *p = w->plan;
    const int64_t elem = p->elem_bits < 8 ? 1 : p->elem_bits / 8;
    w->fill = f->pattern;
    /* Long enough for a vector that begins at any place inside an element. */
    fill_bytes(w, f->pattern, (TPAD_VECTOR_BYTES / elem + 2) * elem);
    walk_tiled(w, &p->tile, NULL, begin, end);
    if (p->streamed) w->kernels->fence();
}

/* A separate function, so that only a large output needs this much stack. */
static TPAD_NOINLINE void walk_by_words(const walk *w, int64_t begin, int64_t end)
{
    words steps;
    if (tpad_words_make(&steps, w->plan, w->value, w->value_size))
        walk_tiled(w, &steps.tile, &steps, begin, end);
    else
        tpad_walk_blocks(w, begin, end);
}

/* 1 if shares may be written at once. In a packed output with strides any two cells may share a
 * byte. A packed border reads its input from bytes that other shares may write. */
static int has_shares(const plan *p)
{
    return p->cell_unit == 8 || (p->bit_stream && !(p->flags & PLAN_BORDER));
}

/* 1 if some cell takes an element of the input. */
static int takes_input(const plan *p)
{
    for (int32_t i = 0; i < p->rank; i++) {
        int64_t first, count;
        tpad_axis_needs(&p->axes[i], &first, &count);
        if (count == 0) return 0;
    }
    return 1;
}

int tpad_plan_has_pointers(const plan *p, const void *src, const void *dst)
{
    if (!dst) return 0;
    const int on_itself = src == dst && !(p->flags & (PLAN_BORDER | PLAN_APART));
    return (src && !on_itself) || !takes_input(p);
}

/* Chooses how `cells` cells are written on this machine, and the kernels. A machine that cannot run
 * the plan's kernels uses the plain ones, without the table. */
static int32_t how_here(walk *w, int64_t cells)
{
    const plan *p = w->plan;
    if (p->how == PLAN_LIST && cells == p->cells) return PLAN_LIST;
    const tpad_kernels *kernels = tpad_kernels_at(p->kernels);
    const int usable = kernels->usable();
    if (usable) w->kernels = kernels;
    if (usable && p->how == PLAN_TABLE) return PLAN_TABLE;
    const int by_words = !usable || p->how == PLAN_WORDS;
    return by_words && tpad_words_suit(p, cells) ? PLAN_WORDS : PLAN_BLOCKS;
}

void tpad_run_cells(const plan *p, const void *src, void *dst, const void *value, int64_t begin,
                    int64_t end)
{
    walk w = {.plan = p, .kernels = &tpad_kernels_plain, .src = src, .dst = dst};
    filling f;
    const int32_t how = how_here(&w, end - begin);
    if (how != PLAN_LIST || p->list_fills) prepare_value(&w, &f, value);
    switch (how) {
    case PLAN_LIST:
        run_list(&w);
        break;
    case PLAN_TABLE:
        if (PLAN_HAS_TABLE) walk_by_table(&w, &f, begin, end);
        break;
    case PLAN_WORDS:
        walk_by_words(&w, begin, end);
        break;
    default:
        tpad_walk_blocks(&w, begin, end);
    }
    if (end == p->cells) clear_tail(p, dst);
}

void tpad_plan_share(const plan *p, int64_t part, int64_t parts, int64_t *begin, int64_t *end)
{
    *begin = 0;
    *end = p->cells;
    if (!has_shares(p)) {
        if (part > 0) *end = 0;
    } else if (parts > 1) {
        *begin = share_begin(p, part, parts);
        *end = share_begin(p, part + 1, parts);
    }
}

static int32_t run_part(const plan *p, const void *src, void *dst, const void *value, int64_t part,
                        int64_t parts)
{
    int64_t begin, end;
    if (part < 0 || parts < 1 || part >= parts) return TPAD_E_ARGUMENT;
    if (p->cells == 0) return TPAD_OK;
    if (!tpad_plan_has_pointers(p, src, dst)) return TPAD_E_ARGUMENT;
    tpad_plan_share(p, part, parts, &begin, &end);
    if (begin < end) tpad_run_cells(p, src, dst, value, begin, end);
    return TPAD_OK;
}

int32_t tpad_run_part(const tpad_plan *opaque, const void *src, void *dst, const void *value,
                      int64_t part, int64_t parts)
{
    const plan *p = tpad_plan_open(opaque);
    return p ? run_part(p, src, dst, value, part, parts) : TPAD_E_NOT_A_PLAN;
}

int32_t tpad_run(const tpad_plan *opaque, const void *src, void *dst, const void *value)
{
    return tpad_run_part(opaque, src, dst, value, 0, 1);
}

/* A separate function, so that only a large output needs this much stack. */
static TPAD_NOINLINE int32_t run_with_table(const plan *p, const void *src, void *dst,
                                            const void *value)
{
    tabled_plan whole;
    whole.plan = *p;
    tpad_plan_tabulate(&whole.plan);
    return run_part(&whole.plan, src, dst, value, 0, 1);
}

int32_t tpad_run_once(const plan *p, const void *src, void *dst, const void *value)
{
    const int large = p->how != PLAN_LIST && !tpad_plan_is_within(p, PLAN_SMALL_BYTES);
    return PLAN_HAS_TABLE && large ? run_with_table(p, src, dst, value)
                                   : run_part(p, src, dst, value, 0, 1);
}

typedef struct task {
    const tpad_plan *plan;
    const void *src;
    void *dst;
    const void *value;
    int64_t parts;
} task;

static void run_task(void *user, int64_t index)
{
    const task *t = user;
    tpad_run_part(t->plan, t->src, t->dst, t->value, index, t->parts);
}

/* Output sizes from which threads pay off, measured on two cores. A sleeping thread starts to work
 * after about 20 us; meanwhile the caller itself writes 1 MB if memory is fast. Each part costs up
 * to 1 us, because its ends are not whole tiles: on one thread, 2 MB in parts of 256 KiB took 1.15
 * times as long as the whole, and in parts of 1 MiB 1.01 times. */
enum { WORTH_THREADS = 2 << 20, SMALLEST_PART = 1 << 20 };

int64_t tpad_plan_parts(const plan *p, const tpad_runner *runner)
{
    const int64_t cell_bits = p->cell * p->cell_unit;
    if (!has_shares(p)) return 1;
    if (p->cells < WORTH_THREADS * (int64_t)8 / cell_bits) return 1;
    return tpad_min(runner->width, p->cells / (SMALLEST_PART * (int64_t)8 / cell_bits));
}

int tpad_runner_is_usable(const tpad_runner *runner)
{
    return runner->struct_size == sizeof *runner && runner->run && runner->width >= 1;
}

int32_t tpad_run_with(const tpad_plan *opaque, const void *src, void *dst, const void *value,
                      const tpad_runner *runner)
{
    if (!runner) return tpad_run(opaque, src, dst, value);
    if (!tpad_runner_is_usable(runner)) return TPAD_E_ARGUMENT;
    const plan *p = tpad_plan_open(opaque);
    if (!p) return TPAD_E_NOT_A_PLAN;
    if (p->cells == 0) return TPAD_OK;
    if (!tpad_plan_has_pointers(p, src, dst)) return TPAD_E_ARGUMENT;
    task t = {opaque, src, dst, value, tpad_plan_parts(p, runner)};
    if (t.parts == 1) return tpad_run(opaque, src, dst, value);
    return runner->run(runner->context, t.parts, run_task, &t);
}
