/* Running a plan: from its loops to blocks for the kernels. SPDX-License-Identifier: MIT
 *
 * The output is a sequence of cells, counted in the order of the loops; a share is a piece of that
 * sequence. It is cut into blocks: a run of the loop around the innermost one (rows) x a run of the
 * innermost loop. Each cell is in exactly one block, so nothing is written twice. Knows no modes,
 * and checks nothing that was checked when the plan was made. */
#include "../kernels/kernels.h"
#include "checked.h"
#include "error.h"
#include "plan.h"
#include "port.h"

/* Blocks that take only a part of each row hold so few rows that these stay in the first-level
 * cache until the neighbouring blocks have filled the rest. */
enum { BLOCK_BYTES = 16384 };

/* Shares begin where a new cache line of the output does, so that threads do not fight over one. */
enum { LINE_BYTES = 64 };

typedef struct walk {
    const plan *plan;
    const tpad_kernels *kernels;
    const unsigned char *src;
    unsigned char *dst;
    const unsigned char *value; /* value_size bytes, not all alike unless it is one */
    int32_t value_size;
    unsigned char value_byte;
} walk;

/* Cells of one loop, evenly spaced: how many, where the first lies, how far apart they are. The
 * distance counts only where there are two. */
typedef struct span {
    int64_t count, dst, src, dst_step, src_step;
} span;

/* Hands rows x cells to a kernel; `from` NULL means fill. */
static void emit(const walk *w, const unsigned char *from, const span *rows, const span *cells)
{
    const plan *p = w->plan;
    const int64_t dst = rows->dst + cells->dst, src = rows->src + cells->src;
    const int one_row = rows->count == 1, one_cell = cells->count == 1;
    tpad_block b = {w->dst,
                    from,
                    rows->count,
                    cells->count,
                    one_row ? 0 : rows->dst_step,
                    one_cell ? p->cell : cells->dst_step,
                    one_row ? 0 : rows->src_step,
                    one_cell ? p->cell : cells->src_step,
                    p->cell,
                    dst,
                    src,
                    p->flags & PLAN_HIGH_BITS_FIRST,
                    w->value_size,
                    w->value};
    /* Cells that are their own sources: no run holds some that are and some that are not. */
    if (from && (p->flags & PLAN_BORDER) && dst == src) return;
    if (p->cell_unit == 1) {
        (from ? w->kernels->copy_bits : w->kernels->fill_bits)(&b);
        return;
    }
    b.dst += dst;
    if (from) b.src += src;
    (from ? w->kernels->copy : w->kernels->fill)(&b);
}

/* The elements of a run of `length` cells from index i on. */
static span run_elements(const axis *a, int64_t i, run r, int64_t length)
{
    const int64_t count = (length - 1) / r.spacing + 1;
    span s = {count, i * a->out_stride, r.source * a->in_stride, 0, 0};
    if (count > 1) {
        s.dst_step = a->out_stride * r.spacing;
        s.src_step = a->in_stride * r.step;
    }
    return s;
}

/* The interior cells of such a run, in as few evenly spaced spans as they fit: a span for each gap,
 * or for each place in a gap. Span number k, with count 0 behind the last one. */
static span run_gaps(const axis *a, int64_t i, run r, int64_t length, int64_t k)
{
    const int64_t elements = (length - 1) / r.spacing + 1, gap = r.spacing - 1;
    const int by_place = gap <= elements;
    if (k >= (by_place ? gap : elements)) return (span){0, 0, 0, 0, 0};
    const int64_t first = by_place ? k + 1 : k * r.spacing + 1;
    if (first >= length) return (span){0, 0, 0, 0, 0};
    const int64_t count =
        by_place ? (length - 1 - first) / r.spacing + 1 : tpad_min(gap, length - first);
    const int64_t step = count > 1 ? a->out_stride * (by_place ? r.spacing : 1) : 0;
    return (span){count, (i + first) * a->out_stride, 0, step, 0};
}

static span all_cells(const axis *a, int64_t i, int64_t count)
{
    return (span){count, i * a->out_stride, 0, a->out_stride, 0};
}

/* Columns [begin, end) of some rows whose sources exist. */
static void walk_columns(const walk *w, const span *rows, int64_t begin, int64_t end)
{
    const axis *a = &w->plan->loops[w->plan->loop_count - 1];
    for (int64_t i = begin; i < end;) {
        const run r = tpad_axis_run(a, i);
        const int64_t length = tpad_min(r.length, end - i);
        const span cells = r.source < 0 ? all_cells(a, i, length) : run_elements(a, i, r, length);
        emit(w, r.source < 0 ? NULL : w->src, rows, &cells);
        for (int64_t k = 0; r.spacing > 1; k++) {
            const span gap = run_gaps(a, i, r, length, k);
            if (gap.count == 0) break;
            emit(w, NULL, rows, &gap);
        }
        i += length;
    }
}

/* How many rows a block may have: all of them, if it takes the rows whole. */
static int64_t rows_per_block(const plan *p, int64_t begin, int64_t end)
{
    const run r = tpad_axis_run(&p->loops[p->loop_count - 1], begin);
    if (r.length >= end - begin && r.spacing == 1) return INT64_MAX;
    const int64_t row_bytes = (end - begin) * p->cell / (8 / p->cell_unit) + 1;
    return row_bytes < BLOCK_BYTES ? BLOCK_BYTES / row_bytes : 1;
}

/* Columns [begin, end) of `rows` neighbouring rows from index i of the loop around the innermost
 * one. base: where the loops further out lead; its count is 0 if they already say fill. */
static void walk_rows(const walk *w, const span *base, int64_t i, int64_t rows, int64_t begin,
                      int64_t end)
{
    const plan *p = w->plan;
    const axis *a = &p->loops[p->loop_count - 2];
    const span columns = all_cells(&p->loops[p->loop_count - 1], begin, end - begin);
    const int64_t most = rows_per_block(p, begin, end), last = i + rows;
    while (i < last) {
        run r = {last - i, -1, 0, 1};
        if (base->count > 0) r = tpad_axis_run(a, i);
        int64_t length = tpad_min(r.length, last - i);
        if (r.source < 0) {
            span s = all_cells(a, i, length);
            s.dst += base->dst;
            emit(w, NULL, &s, &columns);
        } else {
            /* A block of at most `most` elements, and the gaps that follow them. */
            if ((length - 1) / r.spacing >= most) length = most * r.spacing;
            span s = run_elements(a, i, r, length);
            s.dst += base->dst;
            s.src += base->src;
            walk_columns(w, &s, begin, end);
            for (int64_t k = 0; r.spacing > 1; k++) {
                span gap = run_gaps(a, i, r, length, k);
                if (gap.count == 0) break;
                gap.dst += base->dst;
                emit(w, NULL, &gap, &columns);
            }
        }
        i += length;
    }
}

/* Columns [begin, end) of `rows` rows from row number `row` on. */
static void walk_outer(const walk *w, int64_t row, int64_t rows, int64_t begin, int64_t end)
{
    const plan *p = w->plan;
    span base = {1, p->loop_out_offset, p->loop_in_offset, 0, 0};
    if (p->loop_count == 1) {
        walk_columns(w, &base, begin, end);
        return;
    }
    const int32_t inner = p->loop_count - 2;
    while (rows > 0) {
        int64_t rest = row / p->loops[inner].extent;
        base = (span){1, p->loop_out_offset, p->loop_in_offset, 0, 0};
        for (int32_t k = inner - 1; k >= 0; k--) {
            const axis *a = &p->loops[k];
            const int64_t i = rest % a->extent;
            const run r = tpad_axis_run(a, i);
            rest /= a->extent;
            base.dst += i * a->out_stride;
            base.src += r.source * a->in_stride;
            if (r.source < 0) base.count = 0;
        }
        const int64_t i = row % p->loops[inner].extent;
        const int64_t count = tpad_min(rows, p->loops[inner].extent - i);
        walk_rows(w, &base, i, count, begin, end);
        row += count;
        rows -= count;
    }
}

/* Cells [begin, end) of the output. */
static void walk_cells(const walk *w, int64_t begin, int64_t end)
{
    const int64_t columns = w->plan->loops[w->plan->loop_count - 1].extent;
    const int64_t first = begin % columns, last = end % columns;
    int64_t row = begin / columns;
    const int64_t last_row = end / columns;
    if (row == last_row) {
        walk_outer(w, row, 1, first, last);
        return;
    }
    if (first > 0) walk_outer(w, row++, 1, first, columns);
    if (last_row > row) walk_outer(w, row, last_row - row, 0, columns);
    if (last > 0) walk_outer(w, last_row, 1, 0, last);
}

/* The fill value in the form the kernels like: as one byte where that is enough. */
static void prepare_value(walk *w, const unsigned char *value)
{
    const int32_t bits = w->plan->elem_bits;
    w->value = &w->value_byte;
    w->value_size = 1;
    w->value_byte = 0;
    if (!value) return;
    w->value_byte = value[0];
    if (bits < 8) {
        /* Every place of the byte holds the element: x * 0b...01 repeated. */
        const int mask = (1 << bits) - 1;
        w->value_byte = (unsigned char)((value[0] & mask) * (0xFF / mask));
        return;
    }
    for (int32_t i = 1; i < bits / 8; i++) {
        if (value[i] == value[0]) continue;
        w->value = value;
        w->value_size = bits / 8;
        return;
    }
}

/* Clears what the last byte of a packed output holds behind the last cell. */
static void clear_tail(const plan *p, unsigned char *dst)
{
    const int used = (int)(p->tail & 7);
    if (p->tail < 0 || used == 0) return;
    const int mask = p->flags & PLAN_HIGH_BITS_FIRST ? 0xFF << (8 - used) : (1 << used) - 1;
    dst[p->tail >> 3] = (unsigned char)(dst[p->tail >> 3] & mask);
}

/* The first cell of a share: equal shares of as many whole cache lines as there are. */
static int64_t share_begin(const plan *p, int64_t part, int64_t parts)
{
    const int64_t cells = LINE_BYTES * 8 / p->cell_unit / p->cell;
    const int64_t line = cells > 1 ? cells : 1;
    const int64_t lines = p->cells / line + (p->cells % line != 0);
    const int64_t begin = lines / parts * part + tpad_min(part, lines % parts);
    return begin < lines ? begin * line : p->cells;
}

int32_t tpad_run_part(const tpad_plan *opaque, const void *src, void *dst, const void *value,
                      int64_t part, int64_t parts)
{
    const plan *p = tpad_plan_open(opaque);
    if (!p) return TPAD_E_NOT_A_PLAN;
    if (part < 0 || parts < 1 || part >= parts) return TPAD_E_ARGUMENT;
    if (p->cells == 0) return TPAD_OK;
    if (!dst || (!src && tpad_plan_reads(p))) return TPAD_E_ARGUMENT;

    int64_t begin = share_begin(p, part, parts), end = share_begin(p, part + 1, parts);
    if (p->cell_unit == 1 && !(p->flags & PLAN_BIT_STREAM)) {
        /* Scattered bits: any two cells may share a byte, so one share takes them all. */
        begin = 0;
        end = part == 0 ? p->cells : 0;
    }
    if (begin == end) return TPAD_OK;
    walk w = {p, tpad_kernels_best(), src, dst, NULL, 0, 0};
    prepare_value(&w, value);
    walk_cells(&w, begin, end);
    if (end == p->cells) clear_tail(p, dst);
    return TPAD_OK;
}

int32_t tpad_run(const tpad_plan *opaque, const void *src, void *dst, const void *value)
{
    return tpad_run_part(opaque, src, dst, value, 0, 1);
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

/* What threads are worth, in bytes of output: measured with pthreadpool on two cores and memcpy in
 * place of a walk, which gains least. Waking a thread that sleeps takes the caller about 20 us, in
 * which it could write 1 MB itself: 1 MiB on both cores was 0.9 times as fast as on one, 2 MiB 1.1
 * times, 8 MiB 1.5 times. With the thread still awake 1 MiB and more were at least twice as fast,
 * in parts of 128 KiB and of 1 MiB alike; smaller parts gain nothing. */
enum { WORTH_THREADS = 2 << 20, SMALLEST_PART = 256 << 10 };

/* Into how many parts an output is cut for a runner of that width. */
static int64_t parts_for(const plan *p, int64_t width)
{
    const int64_t cell_bits = p->cell * p->cell_unit;
    if (p->cell_unit == 1 && !(p->flags & PLAN_BIT_STREAM)) return 1; /* see tpad_run_part */
    if (p->cells < WORTH_THREADS * (int64_t)8 / cell_bits) return 1;
    return tpad_min(width, p->cells / (SMALLEST_PART * (int64_t)8 / cell_bits));
}

int32_t tpad_run_with(const tpad_plan *opaque, const void *src, void *dst, const void *value,
                      const tpad_runner *runner)
{
    if (!runner) return tpad_run(opaque, src, dst, value);
    if (runner->struct_size != sizeof *runner || !runner->run || runner->width < 1)
        return TPAD_E_ARGUMENT;
    const plan *p = tpad_plan_open(opaque);
    if (!p) return TPAD_E_NOT_A_PLAN;
    if (p->cells == 0) return TPAD_OK;
    if (!dst || (!src && tpad_plan_reads(p))) return TPAD_E_ARGUMENT;
    task t = {opaque, src, dst, value, parts_for(p, runner->width)};
    if (t.parts == 1) return tpad_run(opaque, src, dst, value);
    return runner->run(runner->context, t.parts, run_task, &t);
}
