/* Walking a plan: from its loops to blocks and tiles for the kernels. SPDX-License-Identifier: MIT
 *
 * The output is a sequence of cells, counted in the order of the loops. A piece of it is cut into
 * rows, which are either the innermost loop or a whole tile, and these into blocks: a run of the
 * loop around the row (rows) x a run of the innermost loop, or into runs of tiles. Each cell is in
 * one block or tile; only tiles of one group may be written twice, with the same values. Knows no
 * modes, and checks nothing that was checked when the plan was made. */
#include "walk.h"
#include "checked.h"

/* Blocks that take only a part of each row hold so few rows that these stay in the first-level
 * cache until the neighbouring blocks have filled the rest. */
enum { BLOCK_BYTES = 16384 };

/* Of a span of cells or rows the distances count only where there are two. */
typedef tpad_span span;

/* Tiles that wait to be handed to a kernel together. */
enum { MOST_WAITING = 16 };
typedef struct waiting {
    int32_t count;
    span spans[MOST_WAITING];
} waiting;

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

/* Hands tiles to the kernel: by the single tile's pieces, or the tiles are groups. Tiles are done
 * by blocks that stay in the first-level cache, piece by piece; where memory is the limit, one by
 * one, since it likes to be written in order. */
static void emit_tiles(const walk *w, const span *spans, int32_t count, int groups)
{
    const plan *p = w->plan;
    const int32_t vector = w->kernels->vector_bytes, first = groups ? p->single_pieces : 0;
    const int64_t bytes = p->tile_bytes * (groups ? p->group : 1);
    const int one_by_one = bytes > (p->flags & PLAN_LARGE ? 256 : BLOCK_BYTES);
    const tpad_tiles t = {w->dst,
                          w->src,
                          spans,
                          count,
                          groups ? p->group_pieces : p->single_pieces,
                          one_by_one ? 1 : BLOCK_BYTES / bytes,
                          tpad_plan_pieces(p) + first,
                          tpad_plan_index(p, vector) + first * vector,
                          w->fill,
                          p->flags & PLAN_LARGE};
    w->kernels->tiles(&t);
}

static void emit_waiting(const walk *w, waiting *tiles)
{
    if (tiles->count > 0) emit_tiles(w, tiles->spans, tiles->count, 0);
    tiles->count = 0;
}

/* How many tiles there are before one that begins with a vector's alignment; 0 if none does. */
static int64_t tiles_to_alignment(const walk *w, const span *tiles)
{
    const plan *p = w->plan;
    const uintptr_t at = (uintptr_t)w->dst + (uintptr_t)(tiles->dst);
    for (int64_t n = 0; n < p->group; n++)
        if ((at + (uintptr_t)(n * p->tile_bytes)) % (uintptr_t)w->kernels->vector_bytes == 0)
            return n;
    return 0;
}

/* Takes the first `count` tiles off a span. */
static span take_tiles(span *tiles, int64_t count)
{
    span first = *tiles;
    first.count = count;
    tiles->count -= count;
    tiles->dst += count * tiles->dst_step;
    tiles->src += count * tiles->src_step;
    return first;
}

static void walk_in_rows(const walk *w, int64_t begin, int64_t end);

/* The cells of packed tiles, one by one where the next does not follow. */
static void walk_bit_rows(const walk *w, const span *tiles)
{
    const plan *p = w->plan;
    for (int64_t i = 0; i < tiles->count; i++) {
        const int64_t first = (tiles->dst + i * tiles->dst_step) / p->cell;
        walk_in_rows(w, first, first + p->tile_cells);
    }
}

/* Packed tiles: groups as soon as one begins on a byte of the output and of the input, the tiles
 * before and behind these cell by cell. The kernel likes blocks of eight, and groups are small. */
static void walk_bit_tiles(const walk *w, span tiles)
{
    const plan *p = w->plan;
    const int64_t group = p->group;
    int64_t before = 0;
    while (before < 8 && ((tiles.dst + before * tiles.dst_step) & 7) +
                                 ((tiles.src + before * tiles.src_step) & 7) !=
                             0)
        before++;
    if (before < 8 && tiles.count >= before + group && tiles.dst_step == p->tile_bytes &&
        tiles.src_step == p->tile_in_stride) {
        const span first = take_tiles(&tiles, before);
        walk_bit_rows(w, &first);
        const span taken = take_tiles(&tiles, tiles.count / group * group);
        const span groups = {taken.count / group, taken.dst / 8, taken.src / 8,
                             taken.dst_step * group / 8, taken.src_step * group / 8};
        /* Eight at a time. It is not 0, since a group is at most 6 vectors. */
        const int64_t block = BLOCK_BYTES / groups.dst_step / 8 * 8;
        const tpad_tiles t = {w->dst,
                              w->src,
                              &groups,
                              1,
                              p->group_pieces,
                              block,
                              tpad_plan_pieces(p),
                              (const unsigned char *)(tpad_plan_pieces(p) + TPAD_BIT_PIECES),
                              w->fill,
                              0};
        w->kernels->bit_tiles(&t);
    }
    walk_bit_rows(w, &tiles);
}

/* Rows that are tiles, by groups as far as they go; the others wait. The last group may begin
 * inside the one before and then writes the same once more. */
static void walk_tiles(const walk *w, waiting *singles, span tiles)
{
    const plan *p = w->plan;
    const int64_t group = p->group;
    if (p->cell_unit == 1) {
        walk_bit_tiles(w, tiles);
        return;
    }
    const int aligned = (p->flags & PLAN_LARGE) && p->single_pieces > 0;
    if (group > 1 && tiles.count >= (aligned ? 2 * group : group) &&
        tiles.src_step == p->tile_in_stride) {
        if (aligned) {
            const span first = take_tiles(&tiles, tiles_to_alignment(w, &tiles));
            if (first.count > 0) emit_tiles(w, &first, 1, 0);
        }
        span groups = take_tiles(&tiles, tiles.count / group * group);
        groups = (span){groups.count / group, groups.dst, groups.src, groups.dst_step * group,
                        groups.src_step * group};
        emit_tiles(w, &groups, 1, 1);
        if (tiles.count == 0) return;
        if (!aligned) {
            take_tiles(&tiles, tiles.count - group);
            tiles.count = 1;
            emit_tiles(w, &tiles, 1, 1);
            return;
        }
    }
    if (p->single_pieces == 0) {
        walk_columns(w, &tiles, 0, p->loops[p->loop_count - 1].extent);
        return;
    }
    if (singles->count == MOST_WAITING) emit_waiting(w, singles);
    singles->spans[singles->count++] = tiles;
}

/* What a row is: the `loops` innermost ones, or the columns [begin, end) of the innermost one
 * alone. tiles: a row is a tile of the plan's table, all of its cells. */
typedef struct cut {
    int32_t loops;
    int tiles;
    int64_t begin, end;
    waiting *singles; /* of tiles */
} cut;

/* How many rows with gaps between them, or taken in parts, may be done before their neighbours. */
static int64_t rows_per_block(const plan *p, const cut *c, int64_t spacing)
{
    if (spacing == 1) {
        const run r = tpad_axis_run(&p->loops[p->loop_count - 1], c->begin);
        if (c->tiles || (r.length >= c->end - c->begin && r.spacing == 1)) return INT64_MAX;
    }
    const int64_t row_bytes = (c->end - c->begin) * p->cell / (8 / p->cell_unit) + 1;
    return row_bytes < BLOCK_BYTES ? BLOCK_BYTES / row_bytes : 1;
}

/* `rows` neighbouring rows from index i of the loop around them. base: where the loops further out
 * lead; its count is 0 if they already say fill. */
static void walk_rows(const walk *w, const cut *c, const span *base, int64_t i, int64_t rows)
{
    const plan *p = w->plan;
    const axis *a = &p->loops[p->loop_count - 1 - c->loops];
    const span columns = all_cells(&p->loops[p->loop_count - 1], c->begin, c->end - c->begin);
    const int64_t most = rows_per_block(p, c, a->spacing), last = i + rows;
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
            if (PLAN_HAS_TABLE && c->tiles)
                walk_tiles(w, c->singles, s);
            else
                walk_columns(w, &s, c->begin, c->end);
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

/* `rows` rows from row number `row` on. */
static void walk_outer(const walk *w, const cut *c, int64_t row, int64_t rows)
{
    const plan *p = w->plan;
    const int32_t inner = p->loop_count - 1 - c->loops;
    if (inner < 0) {
        const span base = {1, p->loop_out_offset, p->loop_in_offset, 0, 0};
        if (PLAN_HAS_TABLE && c->tiles)
            emit_tiles(w, &base, 1, 0);
        else
            walk_columns(w, &base, c->begin, c->end);
        return;
    }
    while (rows > 0) {
        int64_t rest = row / p->loops[inner].extent;
        span base = {1, p->loop_out_offset, p->loop_in_offset, 0, 0};
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
        walk_rows(w, c, &base, i, count);
        row += count;
        rows -= count;
    }
}

/* Cells [begin, end) of the output, by rows of the innermost loop: a part of one, whole ones, a
 * part of one. */
static void walk_in_rows(const walk *w, int64_t begin, int64_t end)
{
    const int64_t columns = w->plan->loops[w->plan->loop_count - 1].extent;
    const int64_t first = begin % columns, last = end % columns;
    int64_t row = begin / columns;
    const int64_t last_row = end / columns;
    if (row == last_row) {
        walk_outer(w, &(cut){1, 0, first, last, NULL}, row, 1);
        return;
    }
    if (first > 0) walk_outer(w, &(cut){1, 0, first, columns, NULL}, row++, 1);
    if (last_row > row) walk_outer(w, &(cut){1, 0, 0, columns, NULL}, row, last_row - row);
    if (last > 0) walk_outer(w, &(cut){1, 0, 0, last, NULL}, last_row, 1);
}

void tpad_walk(const walk *w, int64_t begin, int64_t end)
{
    const plan *p = w->plan;
    if (PLAN_HAS_TABLE && w->tile_loops > 0) {
        const int64_t cells = p->tile_cells;
        const int64_t first = begin == 0 ? 0 : begin / cells + (begin % cells != 0);
        const int64_t last = end == p->cells ? p->tile_count : end / cells;
        if (first < last) {
            if (begin < first * cells) walk_in_rows(w, begin, first * cells);
            waiting singles;
            singles.count = 0;
            walk_outer(w, &(cut){w->tile_loops, 1, 0, cells, &singles}, first, last - first);
            emit_waiting(w, &singles);
            begin = last * cells;
        }
    }
    if (begin < end) walk_in_rows(w, begin, end);
}
